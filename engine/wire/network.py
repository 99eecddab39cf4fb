"""Options about connections, looked at before anything is connected."""

from __future__ import annotations

from mcp_compliance.model.options import Network
from mcp_compliance.wire.errors import NetworkError


def check_network(network: Network) -> None:
    """Raises ``NetworkError`` for options that cannot be used. Variables of the environment are not looked at: whether
    they matter, the first request shows.
    """
    if network.ca_file is not None:
        from mcp_compliance.wire.trust import trusted

        if network.insecure:
            raise NetworkError(
                "insecure", "there is nothing to trust a file of certificates for; leave one of them out"
            )
        trusted(network)
    if network.proxy is not None:
        from mcp_compliance.wire.proxies import given_proxy

        given_proxy(network.proxy)
