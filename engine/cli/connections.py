"""``--cacert``, ``--insecure`` and ``--proxy``: refused before a run when they cannot be used."""

from __future__ import annotations

from mcp_compliance.cli.errors import UserError
from mcp_compliance.model.options import Network

_OPTIONS = {"ca_file": "--cacert ", "insecure": "--insecure and --cacert: ", "proxy": "--proxy: "}


def notes_on(network: Network) -> list[str]:
    """What people have to be told before a run."""
    if not network.insecure:
        return []
    return ["--insecure: certificates are not checked, so nothing shows that it is your server that answers"]


def check_connections(network: Network) -> None:
    """Raises `UserError`."""
    from mcp_compliance.wire.errors import NetworkError
    from mcp_compliance.wire.network import check_network

    try:
        check_network(network)
    except NetworkError as error:
        raise UserError(f"{_OPTIONS[error.setting]}{error.problem}") from error
