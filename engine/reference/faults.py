"""The table of all faults, and the rules for which there is none."""

from __future__ import annotations

from mcp_compliance.reference import (
    faults_auth,
    faults_errors,
    faults_features,
    faults_injection,
    faults_lifecycle,
    faults_modern_calls,
    faults_modern_discover,
    faults_modern_errors,
    faults_modern_headers,
    faults_modern_http,
    faults_modern_lists,
    faults_modern_meta,
    faults_modern_trust,
    faults_schema,
    faults_sessions,
    faults_stdio,
    faults_transport,
    faults_trust,
)
from mcp_compliance.reference.eras import LEGACY, MODERN
from mcp_compliance.reference.fault_model import Fault

__all__ = ["EXEMPT", "FAULTS", "Fault"]

_MODULES = (
    faults_transport,
    faults_sessions,
    faults_stdio,
    faults_lifecycle,
    faults_features,
    faults_errors,
    faults_schema,
    faults_injection,
    faults_trust,
    faults_auth,
    faults_modern_headers,
    faults_modern_http,
    faults_modern_discover,
    faults_modern_meta,
    faults_modern_lists,
    faults_modern_calls,
    faults_modern_errors,
    faults_modern_trust,
)

FAULTS: dict[str, Fault] = {fault.name: fault for module in _MODULES for fault in module.FAULTS}

# by revision, (rule, transport): why this server cannot be made to fail it
EXEMPT: dict[str, dict[tuple[str, str], str]] = {
    LEGACY: {
        ("security-tls-required", "http"): (
            "plain HTTP on loopback is left out by the rule, and this server listens nowhere else"
        ),
    },
    MODERN: {
        ("security-tls-required", "http"): (
            "plain HTTP on loopback is left out by the rule, and this server listens nowhere else"
        ),
        ("lifecycle-dual-era", "http"): "whatever a server answers there is right: the rule only finds out what it is",
    },
}
