"""Commands that do not become a server: exit 2, one line, a document with an error and no results."""

from __future__ import annotations

from pathlib import Path

from tests.hostile.grading import Graded, command, grade, patient


def has_no_results(graded: Graded, *words: str) -> None:
    assert graded.code == 2
    assert graded.tests == []
    for word in words:
        assert word in graded.error
    assert graded.error in graded.err
    assert "Run the command by itself" in graded.err
    assert graded.err.count("\n") == 1


def test_a_command_that_does_not_exist() -> None:
    graded = grade(*patient("--concurrency", "8", "--retries", "3"), "no-such-command-anywhere", within=0)
    has_no_results(graded, "command not found", "no-such-command-anywhere")


def test_a_file_that_may_not_be_executed(tmp_path: Path) -> None:
    file = tmp_path / "server"
    file.write_text("#!/no/such/interpreter\n")
    has_no_results(grade(*patient(), str(file), within=0), "permission denied")
    file.chmod(0o755)
    has_no_results(grade(*patient(), str(file), within=0), "interpreter")


def test_a_command_that_exits_at_once_is_quoted_with_its_code_and_last_words() -> None:
    has_no_results(grade(*patient(), *command("exits"), within=1), "exit code 7", "no configuration found")


def test_a_command_that_prints_a_banner_and_exits() -> None:
    graded = grade(*patient(), *command("only a banner"), within=1)
    has_no_results(graded, "exit code 0", "Server is running on port 3000", "no JSON-RPC message")


def test_a_command_that_exits_and_leaves_a_stubborn_heir_with_the_pipe() -> None:
    has_no_results(grade(*patient(), *command("leaves heirs"), within=3), "exit code 5")


def test_people_get_the_reason_and_the_advice() -> None:
    graded = grade(*patient(), *command("exits"), within=1, form="terminal")
    assert graded.code == 2
    words = " ".join(graded.out.split())
    assert "no configuration found" in words
    assert "Run the command by itself" in words
