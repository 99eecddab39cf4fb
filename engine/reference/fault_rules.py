"""Groups of rules that share what they stand on, for the faults that take it away."""

from __future__ import annotations

# rules that read the list of tools, or call a tool from it
ON_TOOLS = (
    "lifecycle-progress-token",
    "tools-call",
    "tools-pagination",
    "tools-content-types",
    "tools-schema",
    "tools-annotations",
    "tools-title-field",
    "tools-output-schema",
    "stdio-unicode",
    "security-command-injection",
    "security-sql-injection",
    "security-path-traversal",
    "security-ssrf-internal",
    "security-oversized-input",
    "security-extra-params",
    "security-tool-schema-defined",
    "security-tool-rug-pull",
    "security-tool-description-poisoning",
    "security-tool-cross-reference",
    "security-rate-limiting",
)
ON_RESOURCES = ("resources-read", "resources-pagination", "resources-subscribe", "resources-schema")
ON_PROMPTS = ("prompts-get", "prompts-pagination", "prompts-schema")

# rules that are skipped, or turned round, when no capability is declared
EVERY_CAPABILITY = (
    *ON_TOOLS,
    "tools-list",
    "tools-call-unknown",
    *ON_RESOURCES,
    "resources-list",
    "resources-templates",
    *ON_PROMPTS,
    "prompts-list",
    "lifecycle-logging",
    "lifecycle-completions",
    "lifecycle-list-changed",
    "lifecycle-sampling-capability",
    "lifecycle-roots-capability",
    "lifecycle-elicitation-capability",
    "error-missing-params",
    "error-capability-gated",
    "error-invalid-cursor",
)

# rules that send a ping and want its answer, besides those that judge its id
ON_PING = (
    "lifecycle-ping",
    "lifecycle-meta-tolerance",
    "lifecycle-list-changed",
    "transport-notification-202",
    "transport-content-type-reject",
    "transport-session-id",
    "transport-session-invalid",
    "transport-delete",
    "transport-batch-reject",
    "transport-sse-event-field",
    "stdio-unicode",
    "stdio-unknown-method-recovers",
    "error-unknown-method",
    "security-oversized-input",
    "security-extra-params",
    "security-rate-limiting",
    "security-tool-rug-pull",
    "security-command-injection",
    "security-sql-injection",
    "security-path-traversal",
    "security-ssrf-internal",
)
