"""The page of all options is what its script writes, and what it says of targets is what the command line refuses."""

from __future__ import annotations

import options
import pytest

from mcp_compliance.cli.main import main


def test_the_page_is_what_its_script_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert options.main(["--check"]) == 0, capsys.readouterr().out


@pytest.mark.parametrize("option", sorted(options.URL_ALONE - {"-H", "--preflight-timeout"}))
def test_what_goes_with_a_url_is_refused_for_a_command(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    value = () if option == "--insecure" else ("x",)
    assert main(["test", "--no-config", option, *value, "--", "no-such-server"]) == 2
    assert option in capsys.readouterr().err


@pytest.mark.parametrize("option", sorted(options.COMMAND_ALONE))
def test_what_goes_with_a_command_is_refused_for_a_url(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    value = {"--watch": (), "--env": ("A=b",)}.get(option, (".",))
    assert main(["test", "--no-config", option, *value, "http://127.0.0.1:9/mcp"]) == 2
    assert option in capsys.readouterr().err
