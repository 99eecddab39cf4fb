"""Every function against its own table of examples, and against every mix of types."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from mcp_compliance.catalog.expressions import compile_expression
from mcp_compliance.catalog.functions.declare import Function
from mcp_compliance.catalog.functions.table import FUNCTIONS, SHELVES
from mcp_compliance.catalog.library import Library
from mcp_compliance.jsontypes import JSON, same_json, type_name

LIBRARY = Library()
EXAMPLES = [(name, index) for name, function in FUNCTIONS.items() for index in range(len(function.examples))]

VALUES: list[JSON] = [
    None,
    True,
    False,
    0,
    -1.5,
    10**400,
    "",
    "abc é\ud800\u0000",
    "https://a.example/{x}",
    "(a+",
    [],
    [1, "a", None, [True], {"name": "n"}],
    {},
    {
        "http": {"status": 401, "header_list": [["WWW-Authenticate", 'Bearer a="'], 1, ["x"]], "headers": 3},
        "sent": [],
    },
    {"name": {"$ref": "#/name"}, "type": 7, "_meta": [], "error": {}, "": None},
]


def call(function: Function, args: tuple[JSON, ...]) -> JSON:
    """Through the language: constants by name, ``&name`` as written."""
    texts = []
    root: dict[str, JSON] = {}
    for index, value in enumerate(args):
        argument = function.argument_at(index)
        if argument is not None and argument.types == ("expression",):
            texts.append(str(value))
        else:
            texts.append(f"a{index}")
            root[f"a{index}"] = value
    return compile_expression(f"{function.name}({', '.join(texts)})").evaluate(root, LIBRARY)


@pytest.mark.parametrize(("name", "index"), EXAMPLES)
def test_example(name: str, index: int) -> None:
    function = FUNCTIONS[name]
    example = function.examples[index]
    value = call(function, example.args)
    assert same_json(value, example.value), f"{name}{example.args!r} gave {value!r}"


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_declaration_is_complete(function: Function) -> None:
    assert function.purpose.endswith("."), "no purpose"
    assert function.examples
    for example in function.examples:
        assert function.fits(len(example.args))
        kind = type_name(example.value)
        allowed = function.returns.split(" or ")
        assert "any" in allowed or kind in allowed or (kind == "integer" and "number" in allowed)
        if function.one_of and isinstance(example.value, str):
            assert example.value in function.one_of


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_no_function_raises_whatever_it_is_given(function: Function) -> None:
    head: tuple[Any, ...] = (getattr(LIBRARY, function.reads),) if function.reads else ()
    before = repr(VALUES)
    for args in itertools.product(VALUES, repeat=len(function.arguments)):
        value = function.body(*head, *args)
        kind = type_name(value)
        allowed = function.returns.split(" or ")
        assert "any" in allowed or kind in allowed or (kind == "integer" and "number" in allowed) or value is None
    assert repr(VALUES) == before, "an argument was changed"


def test_every_name_is_declared_once() -> None:
    names = [name for shelf in SHELVES for name in shelf.functions]
    assert len(names) == len(set(names)) == len(FUNCTIONS)
