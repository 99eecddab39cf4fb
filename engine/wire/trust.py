"""Whose certificates are believed: the usual authorities, those of a file, or everybody's."""

from __future__ import annotations

import os
import ssl
from pathlib import Path

from mcp_compliance.model.options import Network
from mcp_compliance.wire.errors import NetworkError

_BEGINNINGS = (b"-----BEGIN CERTIFICATE-----", b"-----BEGIN TRUSTED CERTIFICATE-----")
_LARGEST = 16 * 1024 * 1024
"""Bytes of a file of certificates that are read; the usual authorities take a quarter of one MiB."""


def trusted(network: Network) -> ssl.SSLContext:
    """The context for every TLS connection of a run. Without options of its own SSL_CERT_FILE and SSL_CERT_DIR are
    asked, as by other clients.

    Raises ``NetworkError``, which names the option or the variable.
    """
    if network.insecure:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
        return context
    if network.ca_file is not None:
        context = _of_file("ca_file", network.ca_file)
        # A server's own certificate, or that of an authority below the root, may be all that the user has.
        context.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        return context
    if file := os.environ.get("SSL_CERT_FILE"):
        return _of_file("SSL_CERT_FILE", Path(file))
    folder = os.environ.get("SSL_CERT_DIR")
    if folder and not any(Path(part).is_dir() for part in folder.split(os.pathsep)):
        raise NetworkError("SSL_CERT_DIR", f"{folder}: no such directory")
    import httpx

    return httpx.create_ssl_context(trust_env=True)


def _of_file(setting: str, path: Path) -> ssl.SSLContext:
    try:
        with open(path, "rb") as stream:
            text = stream.read(_LARGEST)
    except OSError as error:
        raise NetworkError(setting, f"{path}: cannot be read: {error.strerror or error}") from error
    if not any(beginning in text for beginning in _BEGINNINGS):
        raise NetworkError(setting, f"{path}: holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)")
    try:
        return ssl.create_default_context(cafile=str(path))
    except (ssl.SSLError, OSError) as error:
        raise NetworkError(setting, f"{path}: a certificate in it cannot be read: {_reason(error)}") from error


def _reason(error: Exception) -> str:
    named = error.reason if isinstance(error, ssl.SSLError) else None
    return named.replace("_", " ").lower() if named else " ".join(str(error).split())
