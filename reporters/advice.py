"""What to do about a run that did not come about."""

from __future__ import annotations

from mcp_compliance.model.result import Report

_RETRY = "Then try again."
_OF_A_URL = (
    ("--cacert", "Against a server of your own, --insecure goes on without checking who answers."),
    ("SSL_CERT_", f"Let that variable name readable PEM certificates, or unset it. {_RETRY}"),
    (
        "proxy",
        "Check the proxy, given with --proxy or by HTTP_PROXY and HTTPS_PROXY; NO_PROXY names servers that are reached "
        f"without it. {_RETRY}",
    ),
    ("closed it without an HTTP answer", f"If this port speaks TLS, the URL begins with https://. {_RETRY}"),
    ("TLS to ", f"Check that the URL is right and that this port speaks TLS (https://). {_RETRY}"),
)
"""What helps, by words of the error; the first that fits."""


def after_error(report: Report) -> str:
    """One sentence or two for a report with an error."""
    if report.transport == "stdio":
        exited = " What it misses may be a variable (-E NAME=VALUE) or its folder (--cwd DIR)."
        return (
            "Run the command by itself: it must start, and wait for messages on standard input."
            f"{exited if 'exited' in (report.error or '') else ''}"
        )
    for word, advice in _OF_A_URL:
        if word in (report.error or ""):
            return advice
    return f"Check that the server runs and the URL ends in its MCP endpoint, often /mcp. {_RETRY}"
