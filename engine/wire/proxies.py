"""Through which proxy an address is reached: the one that was given, or what the environment names for it."""

from __future__ import annotations

import base64
import importlib.util
import ipaddress
import os
import urllib.request
from dataclasses import dataclass

import httpx

from mcp_compliance.model.options import Network
from mcp_compliance.wire.errors import NetworkError

SOCKS = ("socks5", "socks5h")
SCHEMES = ("http", "https", *SOCKS)
LARGEST_PORT = 65535
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Proxy:
    """A proxy with its credentials. ``variable`` is what named it; None when it was given."""

    url: httpx.URL
    variable: str | None = None

    @property
    def shown(self) -> str:
        """For people: the address without credentials, and what named it."""
        address = str(self.url.copy_with(userinfo=b"")).rstrip("/")
        return address if self.variable is None else f"{address} ({self.variable})"

    @property
    def tls(self) -> bool:
        return self.url.scheme == "https"


def proxy_for(url: httpx.URL, network: Network) -> Proxy | None:
    """The proxy for this address, None for a direct connection. A given proxy takes everything; of the environment are
    asked HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY (or the settings of the system, where there are such).

    Loopback is no exception: NO_PROXY has to name it. Raises ``NetworkError``, which names the option or the variable.
    """
    if network.proxy is not None:
        return given_proxy(network.proxy)
    named = urllib.request.getproxies()
    kind = url.scheme if named.get(url.scheme) else "all"
    address = named.get(kind)
    if not address or excepted(url, named.get("no", "")):
        return None
    variable = _variable(f"{kind}_proxy")
    return Proxy(_read(variable, address), variable)


def given_proxy(address: str) -> Proxy:
    """The proxy that an option names. Raises ``NetworkError``."""
    return Proxy(_read("proxy", address))


def excepted(url: httpx.URL, exceptions: str) -> bool:
    """Whether NO_PROXY names this address: ``*``, a host with everything below it, ``.domain`` for only what is below,
    an address, or a range of addresses; each may have a port.
    """
    return any(_covers(entry.strip().lower(), url) for entry in exceptions.split(","))


def _covers(entry: str, url: httpx.URL) -> bool:
    if entry == "*":
        return True
    scheme, found, rest = entry.rpartition("://")
    if not rest or (found and scheme not in ("all", url.scheme)):
        return False
    host = url.host.lower()
    try:
        network = ipaddress.ip_network(rest.strip("[]"), strict=False)
        return ipaddress.ip_address(host) in network
    except ValueError:
        pass
    name, port = _host_and_port(rest)
    if port is not None and port != (url.port or _PORTS.get(url.scheme)):
        return False
    if found:
        return host == name
    if name.startswith("."):
        return host.endswith(name)
    return host == name or host.endswith(f".{name}")


def _host_and_port(entry: str) -> tuple[str, int | None]:
    name, colon, port = entry.rpartition(":")
    if colon and port.isdecimal() and (name.endswith("]") or ":" not in name):
        return name.strip("[]"), int(port)
    return entry.strip("[]"), None


def _variable(name: str) -> str:
    """The spelling that counts: urllib prefers the lower case one."""
    return next((each for each in (name, name.upper()) if os.environ.get(each)), "the system's proxy settings")


def _read(setting: str, address: str) -> httpx.URL:
    """Messages repeat nothing of the address but its scheme: the rest may hold credentials."""
    try:
        url = httpx.URL(address if "://" in address else f"http://{address}")
    except httpx.InvalidURL as error:
        raise NetworkError(setting, "the address of the proxy cannot be read; expected http://host:port") from error
    if url.scheme not in SCHEMES:
        known = ", ".join(SCHEMES[:-1])
        raise NetworkError(
            setting, f"a proxy cannot be reached by {url.scheme}://; known are {known} and {SCHEMES[-1]}"
        )
    if "%" in url.host or (url.port or 0) > LARGEST_PORT:
        raise NetworkError(setting, "the address of the proxy cannot be read; expected http://host:port")
    if not url.host or url.port == 0:
        missing = "port to connect to" if url.host else "host"
        raise NetworkError(setting, f"the address of the proxy names no {missing}; expected http://host:port")
    if url.scheme in SOCKS and importlib.util.find_spec("socksio") is None:
        raise NetworkError(
            setting, f"{url.scheme}:// needs a package that is missing; pip install 'httpx[socks]' adds it"
        )
    return url


def secrets_of(network: Network) -> tuple[str, ...]:
    """What addresses of proxies hold of credentials, as values to be masked."""
    addresses = [network.proxy, *(value for scheme, value in urllib.request.getproxies().items() if scheme != "no")]
    return tuple(secret for address in addresses if address for secret in _credentials(address))


def _credentials(address: str) -> tuple[str, ...]:
    # cut by hand: an address that cannot be read may hold credentials all the same
    rest = address.rpartition("://")[2]
    user, at, _ = rest.rpartition("@")
    if not at:
        return ()
    try:
        url = httpx.URL(address if "://" in address else f"http://{address}")
    except httpx.InvalidURL:
        return (user, user.partition(":")[2])
    coded = base64.b64encode(f"{url.username}:{url.password}".encode()).decode("ascii")
    return (user, user.partition(":")[2], url.password, f"Basic {coded}", coded)
