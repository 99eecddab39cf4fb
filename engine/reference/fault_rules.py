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

# MCP 2026-07-28 ---------------------------------------------------------------------------------------------------

# rules on the headers that mirror the body
MIRRORED = (
    "transport-header-version-required",
    "transport-header-version-mismatch",
    "transport-header-method-required",
    "transport-header-method-mismatch",
    "transport-header-name-mismatch",
)

# rules on what a request has to say in its _meta
ON_META = (
    "lifecycle-meta-required",
    "lifecycle-meta-protocol-version-required",
    "lifecycle-meta-client-capabilities-required",
)

# rules that send a server/discover and want it served
ON_DISCOVER = (
    "lifecycle-discover",
    "lifecycle-id-match",
    "lifecycle-string-id",
    "lifecycle-meta-client-info-optional",
    "lifecycle-meta-tolerance",
    "lifecycle-jsonrpc",
    "transport-post",
    "transport-concurrent",
    "transport-header-case-insensitive",
    "transport-session-ignored",
    "stdio-framing",
    "stdio-unicode",
    "stdio-unknown-method-recovers",
    "stdio-cancellation",
)

# rules that credit a refusal only to a server that serves what is right
ON_CREDIT = (
    *MIRRORED,
    *ON_META,
    "transport-content-type",
    "transport-content-type-reject",
    "transport-batch-reject",
    "transport-notification-202",
    "transport-get-removed",
    "transport-delete-removed",
    "lifecycle-version-unsupported",
    "lifecycle-removed-methods",
    "resources-not-found",
    "error-unknown-method",
    "error-method-code",
    "error-invalid-jsonrpc",
    "error-invalid-json",
    "error-parse-code",
    "error-invalid-request-code",
    "error-missing-params",
    "error-invalid-cursor",
    "tools-call-unknown",
)

# rules that read a list, or use something from it
MODERN_ON_TOOLS = (
    "tools-list-caching",
    "tools-list-deterministic-order",
    *ON_TOOLS,
    "schema-input-required-shape",
)
MODERN_ON_RESOURCES = (
    "resources-list-caching",
    "resources-read",
    "resources-read-caching",
    "resources-pagination",
    "resources-schema",
    "transport-header-name-mismatch",
)
MODERN_ON_PROMPTS = ("prompts-list-caching", *ON_PROMPTS, "lifecycle-completions")

# rules that are skipped, or turned round, when no capability is declared
MODERN_CAPABILITY = (
    *MODERN_ON_TOOLS,
    "tools-list",
    "tools-call-unknown",
    *MODERN_ON_RESOURCES,
    "resources-list",
    "resources-not-found",
    "resources-templates",
    "resources-templates-caching",
    *MODERN_ON_PROMPTS,
    "prompts-list",
    "lifecycle-capability-handlers-match",
    "lifecycle-subscriptions-listen",
    "lifecycle-log-level-gating",
    "error-missing-params",
    "error-capability-gated",
    "error-invalid-cursor",
)
