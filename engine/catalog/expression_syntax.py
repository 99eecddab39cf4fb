"""JMESPath's grammar with columns in its tree, without its leniences, and with errors worded for authors
of rules."""

from __future__ import annotations

import json
from typing import Any, TypeAlias

from jmespath import ast
from jmespath.exceptions import EmptyExpressionError, IncompleteExpressionError, LexerError, ParseError
from jmespath.lexer import Lexer
from jmespath.parser import Parser

Node: TypeAlias = dict[str, Any]
"""One node of the syntax tree: ``type``, ``children``, often ``value``, and ``column`` where it is known."""
Token: TypeAlias = dict[str, Any]

LONGEST = 2000
"""Characters of an expression; a longer one is a mistake."""
TAKES_EXPRESSION = {"map": (0,), "sort_by": (1,), "min_by": (1,), "max_by": (1,)}
"""Functions and the positions of their arguments that are written ``&name``."""


class ExpressionError(Exception):
    """An expression does not parse. ``column`` counts from 0 within its text."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.column = column


def parse(text: str) -> Node:
    """The syntax tree. Raises ``ExpressionError``."""
    if not text.strip():
        raise ExpressionError("the expression is empty", 0)
    if len(text) > LONGEST:
        raise ExpressionError(f"the expression is longer than {LONGEST} characters", LONGEST)
    try:
        tree: Node = _Parser().tree(text)
    except IncompleteExpressionError:
        raise ExpressionError("the expression ends too early", len(text)) from None
    except LexerError as error:
        raise _unreadable(text, error) from None
    except ParseError as error:
        raise _misplaced(text, error) from None
    except (EmptyExpressionError, IndexError):
        raise ExpressionError("the expression ends too early", len(text)) from None
    except RecursionError:
        raise ExpressionError("the expression is nested too deeply", 0) from None
    return tree


class _Lexer(Lexer):  # type: ignore[misc]
    def _consume_literal(self) -> Token:
        start: int = self._position
        lexeme = str(self._consume_until("`")).replace("\\`", "`")
        try:
            value = json.loads(lexeme)
        except ValueError:
            # JMESPath reads such a literal as text, with a warning that nobody sees.
            raise ExpressionError(
                f"`{lexeme}` is not JSON; between backticks stands JSON, and text is written '{lexeme}'",
                start,
            ) from None
        return {"type": "literal", "value": value, "start": start, "end": self._position}


class _Parser(Parser):  # type: ignore[misc]
    """Notes columns, and is strict where JMESPath lets a missing comma or a stray ``&`` pass."""

    def tree(self, text: str) -> Node:
        self._tokens = list(_Lexer().tokenize(text))
        self._index = 0
        parsed: Node = self._expression(binding_power=0)
        token = self._lookahead_token(0)
        if token["type"] != "eof":
            raise ParseError(token["start"], token["value"], token["type"])
        return parsed

    def _token_nud_unquoted_identifier(self, token: Token) -> Node:
        return {**ast.field(token["value"]), "column": token["start"]}

    def _token_nud_quoted_identifier(self, token: Token) -> Node:
        if self._current_token() == "lparen":
            raise ExpressionError("the name of a function is written without quotes", token["start"])
        return {**ast.field(token["value"]), "column": token["start"]}

    def _token_nud_literal(self, token: Token) -> Node:
        return {**ast.literal(token["value"]), "column": token["start"]}

    def _token_nud_not(self, token: Token) -> Node:
        node: Node = super()._token_nud_not(token)
        return {**node, "column": token["start"]}

    def _token_nud_expref(self, token: Token) -> Node:
        raise ExpressionError(
            f"`&` stands only before an argument of {', '.join(f'{name}()' for name in TAKES_EXPRESSION)}",
            token["start"],
        )

    def _parse_comparator(self, left: Node, comparator: str) -> Node:
        operator = self._lookahead_token(-1)
        node: Node = super()._parse_comparator(left, comparator)
        return {**node, "column": operator["start"]}

    def _token_led_lparen(self, left: Node) -> Node:
        if left["type"] != "field":
            token = self._lookahead_token(-1)
            raise ExpressionError("`(` follows something that is no name of a function", token["start"])
        name = str(left["value"])
        arguments: list[Node] = []
        while self._current_token() != "rparen":
            arguments.append(self._argument(name, len(arguments)))
            if self._current_token() == "comma":
                self._match("comma")
                if self._current_token() == "rparen":
                    token = self._lookahead_token(0)
                    raise ExpressionError("an argument is missing after the comma", token["start"])
            elif self._current_token() != "rparen":
                token = self._lookahead_token(0)
                if token["type"] == "eof":
                    raise IncompleteExpressionError(token["start"], "", "eof")
                raise ExpressionError(f"a comma or `)` is expected before {_shown(token['value'])}", token["start"])
        self._match("rparen")
        return {**ast.function_expression(name, arguments), "column": left["column"]}

    def _argument(self, name: str, index: int) -> Node:
        if self._current_token() == "expref" and index in TAKES_EXPRESSION.get(name, ()):
            self._match("expref")
            inner = self._expression(self.BINDING_POWER["expref"])
            return {**ast.expref(inner)}
        node: Node = self._expression()
        return node


def _shown(value: object) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return f"`{text}`" if "`" not in text else text


def _unreadable(text: str, error: LexerError) -> ExpressionError:
    column, message = int(error.lexer_position), str(error.message)
    if message.startswith("Unclosed"):
        mark = message.split()[1]
        return ExpressionError(f"the text that begins with {mark} is not closed", column)
    character = text[column : column + 1]
    advice = {
        "=": "equality is written ==",
        "-": "a hyphen in a name needs double quotes around the name; to subtract use minus(a, b)",
        "/": 'a slash in a name needs double quotes around the name; see also meta(x, "...")',
        "$": "there is no $; a name at the beginning is looked up in the root",
        "+": "to add use sum([a, b])",
        "%": "there is no %",
        "#": "a name with # needs double quotes",
        "\\": "a backslash stands only inside quotes",
    }.get(character, f"{_shown(character)} has no meaning here")
    if character == '"' or message.startswith("Invalid"):
        advice = f"the name between double quotes is not written as JSON: {message}"
    return ExpressionError(advice, column)


def _misplaced(text: str, error: ParseError) -> ExpressionError:
    column, kind, value = int(error.lex_position), str(error.token_type), error.token_value
    if kind == "EOF":
        return ExpressionError("the expression ends too early", len(text))
    if kind == "NUMBER":
        return ExpressionError(f"a number is written between backticks: `{value}`", column)
    if kind == "UNQUOTED_IDENTIFIER" and str(value) in ("and", "or", "not", "in", "is"):
        words = {"and": "&&", "or": "||", "not": "!", "is": "==", "in": "contains(list, x)"}
        return ExpressionError(f"`{value}` is written {words[str(value)]}", column)
    if kind == "LITERAL":
        return ExpressionError("a value cannot stand here; an operator or a comma is missing before it", column)
    return ExpressionError(f"{_shown(value)} is not expected here", column)
