"""What ``inject`` takes and gives, as JSON Schemas; the paths that rules read are checked against the result's."""

from __future__ import annotations

from mcp_compliance.jsontypes import JSONObject

_WORDS: JSONObject = {"type": "array", "items": {"type": "string"}}

ARGUMENTS: JSONObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["payloads", "argument"],
    "properties": {
        "payloads": {"type": "string", "description": "Name of a payload set."},
        "argument": {**_WORDS, "description": "Words that the argument must fit, as in a pick."},
        "prefer": {**_WORDS, "description": "Words that order the arguments that fit."},
    },
}

RESULT: JSONObject = {
    "type": "object",
    "additionalProperties": False,
    "required": ["target", "reason", "passed_over", "by_design", "attempts"],
    "properties": {
        "target": {
            "description": "The argument probed; null when none could be.",
            "type": ["object", "null"],
            "additionalProperties": False,
            "required": ["tool", "argument", "safety", "filled"],
            "properties": {
                "tool": {"type": "string", "description": "Name of the tool."},
                "argument": {"type": "string", "description": "Name of the argument."},
                "safety": {
                    "description": "What the tool's annotations say of it.",
                    "enum": ["read-only", "not destructive", "unannotated", "destructive"],
                },
                "filled": {**_WORDS, "description": "Other required arguments, given placeholders."},
            },
        },
        "reason": {"description": "Why nothing could be probed.", "type": ["string", "null"]},
        "passed_over": {**_WORDS, "description": "Tools that safety left out."},
        "by_design": {
            "description": "What shows that the tool runs such values on purpose; then a hit is no injection.",
            "type": ["string", "null"],
        },
        "attempts": {
            "description": "The payloads that were sent, in order.",
            "type": "array",
            "items": {
                "type": "object",
                "additionalProperties": False,
                "required": ["payload", "outcome", "evidence"],
                "properties": {
                    "payload": {"type": "string", "description": "What was sent."},
                    "outcome": {
                        "description": "hit: it had its effect. rejected: the server refused it. inert: an answer "
                        "without its effect. unreached: nothing that the tool said about it, or a question before it "
                        "goes on. died: the server is gone.",
                        "enum": ["hit", "rejected", "inert", "unreached", "died"],
                    },
                    "evidence": {"description": "What shows the outcome.", "type": "string"},
                },
            },
        },
    },
}
