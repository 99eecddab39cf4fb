"""Mistakes that authors make, made on purpose: operators that each spoil one place of a sample rule.

The samples use every key of the language, so an operator over all their keys is one over the language. A mistake is a
changed text with the place at which it has to be found, by one finding.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from jsonschema import Draft202012Validator
from sample_rules import PARTS, SCHEMA, Key, Pointer, Sample, first_keys, samples

from mcp_compliance.catalog.yaml_reader import Place
from mcp_compliance.jsontypes import JSON


@dataclass(frozen=True)
class Mistake:
    """A spoilt sample. One finding with one of ``codes`` is due at ``place``, whose message or hint holds ``says``."""

    about: str
    sample: Path
    text: str
    place: Place
    codes: tuple[str, ...]
    says: tuple[str, ...] = ()
    also: tuple[Place, ...] = ()
    """Other places that are as good."""


VALUES = ("reference", "literal", "secret", "pick", "generator")
"""Parts that are what they are by a key of theirs: without it they are any JSON."""
VALUE_KEYS = ("from", "literal", "secret", "pick", "make")


def misspelt(word: str) -> str:
    """Two letters swapped; one more where the word is too short for that."""
    swapped = f"{word[0]}{word[2]}{word[1]}{word[3:]}" if len(word) > 3 else word
    return swapped if swapped != word else word + word[-1]


def misspelt_keys() -> Iterator[Mistake]:
    """Every key of the language with two letters swapped; of those that make a value of its own, each."""
    request = next(sample for sample in samples() if sample.path.stem == "every-request")
    more = [(request, key) for key in request.keys if key.name in VALUE_KEYS and key.part in VALUES]
    for sample, key in dict.fromkeys([*first_keys(), *more]):
        place, wrong = sample.key_place(key.pointer), misspelt(key.name)
        text = sample.spliced(place, len(key.name), wrong)
        yield Mistake(f"{key.part}.{key.name}", sample.path, text, place, ("R2",), (f"'{wrong}'", key.name))


HOSTS = ("step", "check", "case", "rule", "spec", "credit", "reply", "part", "member")


def misplaced_keys() -> Iterator[Mistake]:
    """Every key of the language in a part that does not have it."""
    homes = {key.part: (sample, key.mapping) for sample, key in first_keys()}
    names = set()
    for _, key in first_keys():
        for host in HOSTS:
            known = SCHEMA["properties"] if host == "rule" else PARTS[host]["properties"]
            if key.name not in known and key.name not in names:
                names.add(key.name)
                sample, mapping = homes[host]
                text, place = sample.with_key(mapping, key.name, "x")
                about = f"{key.part}.{key.name} in a {host}"
                yield Mistake(about, sample.path, text, place, ("R2",), (f"'{key.name}'",))
                break


def clashing_keys() -> Iterator[Mistake]:
    """Every key of the right part beside one with which it has no meaning."""
    homes = {(key.part, key.name): (sample, key) for sample, key in first_keys()}
    done = set()
    for part in ("step", "check", "member", "part", "spec"):
        for holder, condition in PARTS[part].get("dependentSchemas", {}).items():
            for name, allowed in condition.get("properties", {}).items():
                sample, key = homes[part, holder]
                other_sample, other = homes[part, name]
                if allowed is not False or name in sample.value(key.mapping) or (part, name) in done:
                    continue
                done.add((part, name))
                text, place = sample.with_key(key.mapping, name, json.dumps(other_sample.value(other.pointer)))
                yield Mistake(f"{part}.{name} beside {holder}", sample.path, text, place, ("R2",), (f"'{name}'",))


WRONG: tuple[JSON, ...] = (12345, True, {"zzz": 1})


def wrong_types() -> Iterator[Mistake]:
    """Every key whose value has a type with a value of another type: each such key with one of a few."""
    for index, (sample, key) in enumerate(first_keys()):
        validator = Draft202012Validator({"$defs": PARTS, "allOf": [key.node]})
        start = index % len(WRONG)
        wrong = [value for value in (*WRONG[start:], *WRONG[:start]) if not validator.is_valid(value)]
        if wrong and sample.is_flow(key.pointer) and "&" not in sample.source(key.pointer):
            place = sample.node(key.pointer).start
            text = sample.spliced(place, len(sample.source(key.pointer)), json.dumps(wrong[0]))
            about = f"{key.part}.{key.name}: {json.dumps(wrong[0])}"
            # Where a mapping may stand, its key or what that holds is wrong.
            within = [place.column + 1, place.column + 8] if isinstance(wrong[0], dict) else []
            also = tuple(Place(place.line, column) for column in within)
            yield Mistake(about, sample.path, text, place, ("R2",), also=also)


def keys_twice() -> Iterator[Mistake]:
    """Every key of the language twice in one mapping."""
    for sample, key in first_keys():
        text, first = sample.with_key(key.mapping, key.name, "x")
        place = sample.key_place(key.pointer)
        line_before = sample.text[sample.offset(sample.node(key.mapping).start)] != "{"
        if line_before:
            place = Place(place.line + 1, place.column)
        elif place.line == first.line:
            place = Place(place.line, place.column + len(f"{key.name}: x, "))
        about = f"{key.part}.{key.name}"
        yield Mistake(about, sample.path, text, place, ("R1",), (f"'{key.name}'", "keep one"))


def unknown_words() -> Iterator[Mistake]:
    """Every value that is one of a few words, misspelt."""
    for sample, key in first_keys():
        value = sample.value(key.pointer)
        one = value[0] if isinstance(value, list) and value else value
        pointer = key.pointer if one is value else (*key.pointer, 0)
        if isinstance(one, str) and one in _words(key.node):
            place = sample.node(pointer).start
            text = sample.spliced(place, len(sample.source(pointer)), misspelt(one))
            yield Mistake(f"{key.part}.{key.name}: {misspelt(one)}", sample.path, text, place, ("R2",), (one,))


def _words(node: object) -> list[object]:
    if not isinstance(node, dict):
        return []
    found = list(node.get("enum", ()))
    for word in ("then", "else", "items"):
        found += _words(node.get(word))
    return found + (PARTS["type_name"]["enum"] if node.get("$ref") == "#/$defs/type_name" else [])


def missing_keys() -> Iterator[Mistake]:
    """Every key that is needed, left out (renamed to one that is free)."""
    for sample, key in first_keys():
        owner = SCHEMA if key.part == "rule" else PARTS.get(key.part, {})
        if key.name in owner.get("required", ()) and key.part not in VALUES:
            place = sample.key_place(key.pointer)
            text = sample.spliced(place, len(key.name), f"x-{key.name}")
            at = _place_of_mapping(sample, key)
            yield Mistake(f"{key.part}.{key.name}", sample.path, text, at, ("R2",), (f"'{key.name}'",))


def _place_of_mapping(sample: Sample, key: Key) -> Place:
    """A mapping is named by its key, one in a list by its beginning, the document by its own."""
    if key.mapping and isinstance(key.mapping[-1], str):
        return sample.key_place(key.mapping)
    return sample.node(key.mapping).start


def dead_references() -> Iterator[Mistake]:
    """Names that stand by themselves, each misspelt."""
    for sample in samples():
        for key in sample.keys:
            for pointer, code, near in _references(sample, key):
                word = str(sample.value(pointer))
                place = sample.node(pointer).start
                wrong = misspelt(word) if near == word else word.replace(near, misspelt(near))
                source = sample.source(pointer)
                yield Mistake(
                    f"{key.part}.{key.name}: {wrong}",
                    sample.path,
                    sample.spliced(place, len(source), source.replace(word, wrong)),
                    place,
                    (code,),
                    (near,),
                )


def _references(sample: Sample, key: Key) -> Iterator[tuple[Pointer, str, str]]:
    """Places of names, the code of what is found there, and the word that should be suggested."""
    value = sample.value(key.pointer)
    place = key.part, key.name
    if place == ("spec", "at"):
        page, _, anchor = value.partition("#")
        yield key.pointer, "R3", page
        yield key.pointer, "R3", anchor
    elif place in (("rule", "requirements"), ("rule", "uses"), ("rule", "judges"), ("case", "sends")):
        for index, name in enumerate(value):
            yield (*key.pointer, index), "R3" if key.name == "requirements" else "R5", name
    elif place in (("step", "on"), ("step", "watch"), ("step", "repeat"), ("step", "refetch"), ("step", "run")):
        yield key.pointer, "R6" if key.name == "run" else "R5", value
    elif place == ("credit", "twin") or (key.name in ("within", "listen") and not value[0].isdigit()):
        yield key.pointer, "R5", value
    elif place == ("check", "matches_none"):
        yield key.pointer, "R4", value
    elif place == ("step", "with"):
        yield (*key.pointer, "payloads"), "R6", value["payloads"]


def misspelt_names_of_answers() -> Iterator[Mistake]:
    """Steps and fixtures to which cases give answers, and arguments of primitives, misspelt."""
    for sample in samples():
        for key in sample.keys:
            if (key.part, key.name) in (("case", "replies"), ("case", "runs"), ("case", "sent"), ("step", "with")):
                for name in sample.value(key.pointer):
                    pointer = (*key.pointer, name)
                    mapping = sample.source(key.pointer)
                    if f"{name}:" not in mapping:
                        continue
                    place = sample.key_place(pointer)
                    text = sample.spliced(place, len(name), misspelt(name))
                    code = "R6" if key.name == "with" else "R5"
                    about = f"{key.part}.{key.name}: {misspelt(name)}"
                    yield Mistake(about, sample.path, text, place, (code,), (name,))


def misspelt_declarations() -> Iterator[Mistake]:
    """Names of steps, values and items, misspelt where they are set."""
    for sample in samples():
        for key in sample.keys:
            if (key.part, key.name) in (("step", "name"), ("for_each", "as"), ("check", "as")):
                name = sample.value(key.pointer)
                if sample.text.count(name) > 1 and re.search(
                    rf"\b{name}\b(?!:)", sample.text.replace(f"name: {name}", "")
                ):
                    place = sample.node(key.pointer).start
                    yield _declared(sample, f"{key.part}.{key.name}", name, place)
            elif (key.part, key.name) == ("step", "let"):
                for name in sample.value(key.pointer):
                    yield _declared(sample, "step.let", name, sample.key_place((*key.pointer, name)))


def _declared(sample: Sample, about: str, name: str, place: Place) -> Mistake:
    text = sample.spliced(place, len(name), misspelt(name))
    uses = [
        Place(number, match.start() + 1)
        for number, line in enumerate(text.split("\n"), 1)
        for match in re.finditer(rf"\b{name}\b", line)
    ]
    return Mistake(f"{about}: {misspelt(name)}", sample.path, text, place, ("R5",), (name,), also=tuple(uses))


@dataclass(frozen=True)
class Written:
    """An expression as it is written in a sample: its place, its text, and how a longer one stands there."""

    sample: Sample
    place: Place
    text: str
    about: str
    quoted: bool

    def with_added(self, before: str, after: str) -> str:
        return self.sample.spliced(self.place, len(self.text), f"{before}{self.text}{after}")


EXPRESSIONS = {
    "expression": ("check.get", "check.that", "check.each", "check.label", "check.if", "check.unless", "part.get",
                   "part.that", "step.if", "until.that", "for_each.until", "reference.from", "generator.of",
                   "generator.for", "generator.set", "rule.skip_unless.that", "rule.that"),
    "text": ("rule.pass", "check.else", "check.say", "rule.say", "part.else"),
}  # fmt: skip


def written_expressions() -> Iterator[Written]:
    """Each kind of place for an expression, and all expressions within texts: those in double quotes."""
    done = set()
    for sample in samples():
        for key in sample.keys:
            about = f"{key.part}.{key.name}"
            source, start = sample.source(key.pointer), sample.node(key.pointer).start
            quoted = source[:1] == '"'
            if about in EXPRESSIONS["expression"] and (about, quoted) not in done:
                done.add((about, quoted))
                at = Place(start.line, start.column + quoted)
                yield Written(sample, at, source.strip('"'), about, quoted)
            elif about in EXPRESSIONS["text"] and quoted and about not in done:
                for match in re.finditer(r"\{([^{}]*)\}", source):
                    done.add(about)
                    yield Written(sample, Place(start.line, start.column + match.start(1)), match[1], about, True)


def unknown_functions() -> Iterator[Mistake]:
    """Every kind of expression within a function that does not exist."""
    for one in written_expressions():
        text = one.with_added("not_nul(", ")")
        yield Mistake(one.about, one.sample.path, text, one.place, ("R4",), ("not_null",))


def _beside(one: Written, other: str) -> tuple[str, Place]:
    """The text with another expression after one, and where that stands. A comma needs quotes around."""
    before, between, after = ("first_of(", ", ", ")") if one.quoted else ("", " || ", "")
    column = one.place.column + len(before) + len(one.text) + len(between)
    return one.with_added(before, f"{between}{other}{after}"), Place(one.place.line, column)


def unknown_names() -> Iterator[Mistake]:
    """Every kind of expression with a name behind it that nothing has set."""
    for one in written_expressions():
        text, at = _beside(one, "nobody.knows")
        yield Mistake(one.about, one.sample.path, text, at, ("R5",), ("'nobody'", "known here"))


def unknown_members() -> Iterator[Mistake]:
    """Every kind of expression with a member behind it that its root never has."""
    for one in written_expressions():
        text, start = _beside(one, "session.vresion")
        at = Place(start.line, start.column + len("session."))
        yield Mistake(one.about, one.sample.path, text, at, ("R5",), ("'vresion'", "version"))


def broken_expressions() -> Iterator[Mistake]:
    """Every kind of expression that ends too early, and with a sign that JMESPath does not have."""
    for one in written_expressions():
        end = one.place.column + len(one.text)
        early = one.with_added("", " ||")
        yield Mistake(f"{one.about} ||", one.sample.path, early, Place(one.place.line, end + 3), ("R4",))
        sign = one.with_added("", " = 1")
        yield Mistake(f"{one.about} = 1", one.sample.path, sign, Place(one.place.line, end + 1), ("R4",), ("==",))


def undecided_checks() -> Iterator[Mistake]:
    """A further check, exit or condition in each list of them, which no case decides."""
    for sample in samples():
        for key in sample.keys:
            if key.name not in ("check", "at_end", "skip_unless"):
                continue
            added = {"skip_unless": "{that: run.seed, say: no seed}"}.get(key.name, "{get: run.seed, exists: true}")
            start = sample.node(key.pointer).start
            if sample.text[sample.offset(start)] == "[":
                place = Place(start.line, start.column + 1)
                text = sample.spliced(place, 0, f"{added}, ")
            else:
                place = Place(start.line, start.column + 2)
                text = sample.spliced(start, 0, f"- {added}\n{' ' * (start.column - 1)}")
            about = f"{key.part}.{key.name} of {sample.path.stem}"
            yield Mistake(about, sample.path, text, place, ("R9",), ("no case is decided here", "untested"))


Operator = Callable[[], Iterator[Mistake]]
OPERATORS: dict[str, Operator] = {
    "key misspelt": misspelt_keys,
    "key in the wrong part": misplaced_keys,
    "key beside one it clashes with": clashing_keys,
    "value of a wrong type": wrong_types,
    "key twice": keys_twice,
    "word misspelt": unknown_words,
    "needed key left out": missing_keys,
    "dead reference": dead_references,
    "answer to an unknown step": misspelt_names_of_answers,
    "name misspelt where it is set": misspelt_declarations,
    "unknown function": unknown_functions,
    "unknown name": unknown_names,
    "unknown member": unknown_members,
    "broken JMESPath": broken_expressions,
    "check that no case decides": undecided_checks,
}
