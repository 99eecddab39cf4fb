"""A case and its baseline as one script: which entry answers a message, and with what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from .answer import Answer, changed_answer, literal_answer
from .context import Context
from .matching import fits
from .message import Json
from .template import NewSession

ENDPOINT = "/mcp"
# A guard is passed over for an entry that speaks about the same thing.
GUARDED = ("origin", "content_type", "session", "headers", "meta", "mirror", "version")


@dataclass(frozen=True)
class Entry:
    """One `when` and its `reply`. Baseline entries may have a name, and guards say so."""

    when: dict[str, Json]
    reply: dict[str, Json]
    name: str = ""
    guard: bool = False

    @property
    def event(self) -> str | None:
        """The event of the process this entry is for, None for entries that answer messages."""
        event = self.when.get("event")
        return event if isinstance(event, str) else None

    @property
    def change(self) -> dict[str, Json] | None:
        """The changes to the baseline's answer, None when the reply is literal."""
        change = self.reply.get("base")
        return change if isinstance(change, dict) else None


@dataclass
class Script:
    """Answers one message after the other. Not thread-safe: the HTTP player holds a lock around `answer`."""

    case: Sequence[Entry]
    baseline: Sequence[Entry]
    sessions: bool = True
    _fitted: Counter[int] = field(default_factory=Counter)

    @classmethod
    def from_json(cls, document: Mapping[str, Json]) -> Script:
        """Read what `as_json` of the corpus loader wrote. Raises KeyError when a part is missing."""
        return cls(_entries(document["case"]), _entries(document["baseline"]), bool(document["sessions"]))

    def answer(self, context: Context, new_session: NewSession) -> Answer:
        """The answer to a message. Without any entry that fits: 404 on HTTP, silence on stdio."""
        fitting = self._fitting(context)
        for entry in self.case:
            if id(entry) not in fitting:
                continue
            if entry.change is None:
                return self._literal(entry, fitting, context, new_session)
            answer = self._from_baseline(entry.change, fitting, context, new_session)
            return changed_answer(answer, entry.change, context, new_session)
        if context.http is not None and context.http.path != ENDPOINT:
            return Answer(status=404)
        return self._from_baseline({}, fitting, context, new_session)

    def on_event(self, event: str, context: Context, new_session: NewSession) -> Answer | None:
        """The reply to `start`, `stdin-eof` or `SIGTERM`, None when the case has none."""
        for entry in self.case:
            if entry.event == event:
                return literal_answer(entry.reply, context, new_session)
        return None

    def _fitting(self, context: Context) -> set[int]:
        """Entries whose conditions hold; `times` counts each message that fits, whoever answers it."""
        found = set()
        for entry in (*self.case, *self.baseline):
            if entry.event is None and fits(entry.when, context):
                self._fitted[id(entry)] += 1
                times = entry.when.get("times")
                if not isinstance(times, int) or self._fitted[id(entry)] <= times:
                    found.add(id(entry))
        return found

    def _literal(self, entry: Entry, fitting: set[int], context: Context, new_session: NewSession) -> Answer:
        guard = self._guard_before(entry, fitting) if {"method", "body"} & entry.when.keys() else None
        return literal_answer((guard or entry).reply, context, new_session)

    def _guard_before(self, entry: Entry, fitting: set[int]) -> Entry | None:
        """The refusal of the baseline that stands although an entry about a method or body would answer."""
        for other in self.baseline:
            if id(other) not in fitting:
                continue
            if not other.guard:
                return None
            if not _same_concern(entry.when, other.when):
                return other
        return None

    def _from_baseline(
        self, change: Mapping[str, Json], fitting: set[int], context: Context, new_session: NewSession
    ) -> Answer:
        left_out = change.get("without", [])
        assert isinstance(left_out, list)
        for entry in self.baseline:
            if id(entry) in fitting and entry.name not in left_out:
                return literal_answer(entry.reply, context, new_session)
        return Answer(status=404)


def _same_concern(one: Mapping[str, Json], other: Mapping[str, Json]) -> bool:
    shared = [key for key in GUARDED if key in one and key in other]
    if shared != ["headers"]:
        return bool(shared)
    names, others = one["headers"], other["headers"]
    assert isinstance(names, dict)
    assert isinstance(others, dict)
    return bool({name.lower() for name in names} & {name.lower() for name in others})


def _entries(items: Json) -> list[Entry]:
    assert isinstance(items, list)
    return [Entry(**item) for item in items]  # type: ignore[arg-type]
