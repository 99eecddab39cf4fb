"""Plays the cases of how a revision is recognised: one answer each, and the reading that it gets."""

from __future__ import annotations

import trio
import trio.testing

from mcp_compliance import __version__
from mcp_compliance.catalog.revision import RecogniseCase, Recognition, Revision
from mcp_compliance.exchange.recorder import Recorder
from mcp_compliance.interpreter.cases import CREDENTIAL, ScriptedStarter
from mcp_compliance.interpreter.context import MAIN, Context
from mcp_compliance.interpreter.opening import Opener
from mcp_compliance.interpreter.recognition import Recognised, read_answer
from mcp_compliance.interpreter.scripted import ENDPOINT, Script
from mcp_compliance.interpreter.sender import Sender
from mcp_compliance.interpreter.values import Generator
from mcp_compliance.model.secrets import Secrets


def recognition_problems(case: RecogniseCase, recognition: Recognition, revision: Revision) -> list[str]:
    """Where the reading differs from what the case demands; empty is right."""
    clock = trio.testing.MockClock(autojump_threshold=0)
    found: Recognised = trio.run(_play, case, recognition, revision, clock=clock)
    problems = []
    if found.revision != case.selects:
        problems.append(f"selects {found.revision}, not {case.selects}")
    if found.undetermined != case.undetermined:
        problems.append(f"undetermined is {str(found.undetermined).lower()}")
    if case.note not in found.note:
        problems.append(f"the note does not say {case.note!r}: {found.note}")
    if case.warns is not None and case.warns not in (found.warning or ""):
        problems.append(f"the warning does not say {case.warns!r}: {found.warning}")
    return problems


async def _play(case: RecogniseCase, recognition: Recognition, revision: Revision) -> Recognised:
    headers = CREDENTIAL if case.credentials == "configured" else ()
    recorder = Recorder()
    script = Script(revision, {recognition.fixture: case.reply})
    context = Context(
        revision=revision,
        transport=case.on,
        starter=ScriptedStarter(case.on, script, recorder),
        recorder=recorder,
        generator=Generator(1, revision.envelope.first_id),
        secrets=Secrets.of(headers, {}),
        timeout=15.0,
        startup=60.0,
        preflight=10.0,
        version=__version__,
        endpoint=ENDPOINT if case.on == "http" else None,
        headers=headers,
    )
    sender = Sender(context)
    opener = Opener(context, sender)
    main = await opener.process(MAIN)
    probe = await sender.send(opener.fixture_draft(revision.fixtures[recognition.fixture]), main)
    return read_answer(recognition, context, probe)
