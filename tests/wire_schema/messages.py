"""Messages that a server may send, each without fault, which together have every member that the protocol types."""

from __future__ import annotations

from dataclasses import dataclass

from mcp_compliance.exchange.recorder import kind_of
from mcp_compliance.jsontypes import JSON, JSONObject

ID = 1000
SERVER = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


@dataclass(frozen=True)
class Message:
    """A message with the method of the request that it answers, None for a notification."""

    label: str
    method: str | None
    payload: JSONObject


def item_of(payload: JSON, method: str | None, *, status: int | None = 200) -> JSONObject:
    """The item that a recording has of it, as the answer to a request of this method over HTTP."""
    kind = kind_of(payload)
    sent: JSONObject | None = None if method is None else {"id": ID, "method": method, "raw": False}
    identifier = payload.get("id") if isinstance(payload, dict) else None
    named = identifier == ID and not isinstance(identifier, bool)
    answers = kind in ("response", "error")
    return {
        "kind": kind,
        "payload": payload,
        "status": status,
        "request": sent if answers and named else None,
        "owner": sent if answers else None,
        "in_flight": sent or {"id": ID, "method": "tools/call", "raw": False},
    }


def result(label: str, method: str, members: JSONObject, kind: str = "complete") -> Message:
    return Message(label, method, {"jsonrpc": "2.0", "id": ID, "result": {"resultType": kind, **members}})


def cached(label: str, method: str, members: JSONObject) -> Message:
    return result(label, method, {"ttlMs": 60000, "cacheScope": "private", **members})


def called(label: str, *blocks: JSON, **members: JSON) -> Message:
    return result(label, "tools/call", {"content": [*blocks], **members})


def asked(label: str, method: str, requests: JSONObject, **members: JSON) -> Message:
    return result(label, method, {"inputRequests": requests, **members}, "input_required")


def failed(label: str, code: int, **members: JSON) -> Message:
    error: JSONObject = {"code": code, "message": "no", **members}
    return Message(label, "tools/call", {"jsonrpc": "2.0", "id": ID, "error": error})


def told(method: str, params: JSONObject | None = None, label: str = "") -> Message:
    payload: JSONObject = {"jsonrpc": "2.0", "method": method}
    return Message(label or method, None, payload if params is None else {**payload, "params": params})


ICON: JSONObject = {"src": "data:image/png;base64,aGk=", "mimeType": "image/png", "sizes": ["48x48"], "theme": "dark"}
IMPLEMENTATION: JSONObject = {
    "name": "s",
    "version": "1",
    "title": "S",
    "description": "Serves.",
    "websiteUrl": "https://a.example/",
    "icons": [ICON],
}
ANNOTATIONS: JSONObject = {"audience": ["user", "assistant"], "priority": 0.5, "lastModified": "2031-01-12T15:00:58Z"}
META: JSONObject = {"example.com/x": None}
TOOL: JSONObject = {
    "name": "t",
    "title": "T",
    "description": "Does.",
    "icons": [ICON],
    "inputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object", "properties": {}},
    "outputSchema": {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": ["object", "null"]},
    "annotations": {
        "title": "T",
        "readOnlyHint": True,
        "destructiveHint": False,
        "idempotentHint": True,
        "openWorldHint": False,
        "example.com/hint": 1.5,
    },
    "_meta": META,
}
DATA: JSONObject = {"data": "aGk=", "mimeType": "x/y", "annotations": ANNOTATIONS, "_meta": META}
TEXT: JSONObject = {"type": "text", "text": "", "annotations": ANNOTATIONS, "_meta": META}
IMAGE: JSONObject = {"type": "image", **DATA}
AUDIO: JSONObject = {"type": "audio", **DATA}
RESOURCE: JSONObject = {
    "uri": "a:b",
    "name": "b",
    "title": "B",
    "description": "Is.",
    "mimeType": "x/y",
    "size": 0,
    "icons": [ICON],
    "annotations": ANNOTATIONS,
    "_meta": META,
}
LINK: JSONObject = {"type": "resource_link", **RESOURCE}
TEXT_CONTENTS: JSONObject = {"uri": "a:b", "text": "", "mimeType": "x/y", "_meta": META}
BLOB_CONTENTS: JSONObject = {"uri": "a:b", "blob": "", "mimeType": "x/y", "_meta": META}
EMBEDDED: JSONObject = {"type": "resource", "resource": TEXT_CONTENTS, "annotations": ANNOTATIONS, "_meta": META}
EMBEDDED_BLOB: JSONObject = {"type": "resource", "resource": BLOB_CONTENTS}
BLOCKS = (TEXT, IMAGE, AUDIO, LINK, EMBEDDED)
TOOL_USE: JSONObject = {"type": "tool_use", "id": "1", "name": "t", "input": {"a": None}, "_meta": META}
TOOL_RESULT: JSONObject = {
    "type": "tool_result",
    "toolUseId": "1",
    "content": [TEXT, LINK, EMBEDDED],
    "structuredContent": [None],
    "isError": False,
    "_meta": META,
}
SAID: JSONObject = {"title": "F", "description": "A field."}
TITLED: list[JSON] = [{"const": "a", "title": "A"}]
FIELDS: JSONObject = {
    "text": {"type": "string", "minLength": 0, "maxLength": 9, "format": "date-time", "default": "a", **SAID},
    "count": {"type": "integer", "minimum": -1, "maximum": 1, "default": 0, **SAID},
    "share": {"type": "number", "minimum": 0.5, "maximum": 1.5, "default": 1, **SAID},
    "flag": {"type": "boolean", "default": False, **SAID},
}
CHOICES: JSONObject = {
    "one": {"type": "string", "enum": ["a"], "default": "a", **SAID},
    "legacy": {"type": "string", "enum": ["a"], "enumNames": ["A"]},
    "titled": {"type": "string", "oneOf": TITLED, "default": "a", **SAID},
}
SOME: JSONObject = {"type": "array", "minItems": 0, "maxItems": 1, "default": ["a"], **SAID}
LISTS: JSONObject = {
    "some": {**SOME, "items": {"type": "string", "enum": ["a"]}},
    "several": {**SOME, "items": {"anyOf": TITLED}},
}
PAGE: JSONObject = {
    "method": "elicitation/create",
    "params": {"mode": "url", "message": "Log in.", "url": "https://a.example/"},
}


def form(fields: JSONObject, **members: JSON) -> JSONObject:
    schema: JSONObject = {"type": "object", "properties": fields, **members}
    return {"method": "elicitation/create", "params": {"message": "Who?", "requestedSchema": schema}}


FORM: JSONObject = {
    "method": "elicitation/create",
    "params": {
        "mode": "form",
        "message": "Who?",
        "requestedSchema": {"$schema": "a:b", "type": "object", "properties": FIELDS, "required": ["text"]},
    },
}
ROOTS: JSONObject = {"method": "roots/list", "params": {"_meta": META}}
SAMPLE: JSONObject = {
    "method": "sampling/createMessage",
    "params": {
        "maxTokens": 9,
        "messages": [],
        "systemPrompt": "Be brief.",
        "includeContext": "none",
        "temperature": 0.5,
        "stopSequences": ["."],
        "metadata": {"a": None},
        "modelPreferences": {
            "hints": [{"name": "m"}],
            "costPriority": 0,
            "speedPriority": 1,
            "intelligencePriority": 0.5,
        },
        "tools": [TOOL],
        "toolChoice": {"mode": "auto"},
    },
}
TALK: JSONObject = {
    "method": "sampling/createMessage",
    "params": {
        "maxTokens": 1,
        "messages": [
            {"role": "user", "content": TEXT, "_meta": META},
            {"role": "assistant", "content": [IMAGE, AUDIO, TOOL_USE]},
            {"role": "user", "content": TOOL_RESULT},
        ],
    },
}
CLIENT: JSONObject = {
    "roots": {},
    "sampling": {"context": {}, "tools": {}},
    "elicitation": {"form": {}, "url": {}},
    "experimental": {"x": {}},
    "extensions": {"a.example/x": {}},
}
CAPABILITIES: JSONObject = {
    "completions": {},
    "logging": {},
    "prompts": {"listChanged": True},
    "resources": {"subscribe": False, "listChanged": True},
    "tools": {"listChanged": False},
    "experimental": {"x": {"deep": [None, 1.5]}},
    "extensions": {"a.example/x": {"since": None}},
    "of another revision": None,
}
SELF: JSONObject = {"_meta": {SERVER: IMPLEMENTATION, "example.com/x": 1.5}}
STREAM: JSONObject = {"_meta": {SUBSCRIPTION: 7, "example.com/x": []}}
UNREADABLE: JSONObject = {"code": -32700, "message": ""}
DISCOVER: JSONObject = {"supportedVersions": ["2026-07-28"], "capabilities": {}}
GOOD: tuple[Message, ...] = (
    cached("discover", "server/discover", {**DISCOVER, "capabilities": CAPABILITIES, "instructions": "Ask.", **SELF}),
    cached("discover, little", "server/discover", DISCOVER),
    cached("tools, a page", "tools/list", {"tools": [TOOL], "nextCursor": "", **SELF}),
    cached("tools, the last page", "tools/list", {"tools": []}),
    cached("tools, little", "tools/list", {"tools": [{"name": "t", "inputSchema": {"type": "object"}}]}),
    cached("resources, a page", "resources/list", {"resources": [RESOURCE], "nextCursor": "2", **SELF}),
    cached("resources, little", "resources/list", {"resources": [{"uri": "a:b", "name": "b"}]}),
    cached(
        "templates, a page",
        "resources/templates/list",
        {
            "resourceTemplates": [
                {key: value for key, value in RESOURCE.items() if key not in ("uri", "size")} | {"uriTemplate": "a:{b}"}
            ],
            "nextCursor": "2",
            **SELF,
        },
    ),
    cached("templates, none", "resources/templates/list", {"resourceTemplates": []}),
    cached(
        "prompts, a page",
        "prompts/list",
        {
            "prompts": [
                {
                    "name": "p",
                    "title": "P",
                    "description": "Says.",
                    "icons": [ICON],
                    "arguments": [{"name": "a", "title": "A", "description": "An argument.", "required": True}],
                    "_meta": META,
                }
            ],
            "nextCursor": "2",
            **SELF,
        },
    ),
    cached("prompts, little", "prompts/list", {"prompts": [{"name": "p"}]}),
    called("call, no content", **SELF),
    *(called(f"call, {block['type']}", block) for block in BLOCKS),
    called("call, bytes embedded", EMBEDDED_BLOB),
    called("call, all kinds of content", *BLOCKS),
    called("call, an error of the tool", TEXT, isError=True),
    called("call, a member of nobody's", TEXT, **{"example.com/x": None}),
    *(
        called(f"call, structured: {value!r}", structuredContent=value)
        for value in ({"a": None}, [1.5], "a", 0, 1.5, False, None)
    ),
    asked("a form", "tools/call", {"k": FORM}, requestState="s", **SELF),
    asked("a form without mode", "prompts/get", {"k": form({})}),
    asked("a form with choices", "tools/call", {"k": form(CHOICES)}),
    asked("a form with lists", "resources/read", {"k": form(LISTS, required=[])}),
    asked("a page", "resources/read", {"k": PAGE}),
    asked("roots", "tools/call", {"k": ROOTS, "l": {"method": "roots/list"}}),
    asked("a sample", "tools/call", {"k": SAMPLE}),
    asked("a sample of a talk", "tools/call", {"k": TALK}),
    result("state only, of a tool", "tools/call", {"requestState": ""}, "input_required"),
    result("state only, of a prompt", "prompts/get", {"requestState": "s"}, "input_required"),
    result("state only, of a resource", "resources/read", {"requestState": "s"}, "input_required"),
    result("of an extension's type", "tools/call", {"content": [], "taskId": 1, **SELF}, "example.com/task"),
    cached("read text", "resources/read", {"contents": [TEXT_CONTENTS], **SELF}),
    cached("read bytes", "resources/read", {"contents": [BLOB_CONTENTS, {"uri": "a:b", "text": ""}]}),
    cached("read nothing, for ever", "resources/read", {"contents": [], "cacheScope": "public", "ttlMs": 2**53}),
    result("prompt, empty", "prompts/get", {"description": "Says.", "messages": [], **SELF}),
    *(
        result(f"prompt, {block['type']}", "prompts/get", {"messages": [{"role": "user", "content": block}]})
        for block in BLOCKS
    ),
    result(
        "completion",
        "completion/complete",
        {"completion": {"values": ["a"] * 100, "total": 101, "hasMore": True}, **SELF},
    ),
    result("completion, none", "completion/complete", {"completion": {"values": []}}),
    result("end of a subscription", "subscriptions/listen", {"_meta": {SUBSCRIPTION: 7, SERVER: IMPLEMENTATION}}),
    result("end of a subscription with a text as id", "subscriptions/listen", {"_meta": {SUBSCRIPTION: "7"}}),
    result("of a method that nobody knows", "compliance/x", {"example.com/x": None, **SELF}),
    told("notifications/cancelled", {"requestId": "7", "reason": "late", **STREAM}),
    told("notifications/progress", {"progressToken": 7, "progress": 0.5, "total": 1.5, "message": "half", **STREAM}),
    told("notifications/message", {"level": "info", "logger": "l", "data": {"a": None}, **STREAM}),
    told("notifications/message", {"level": "emergency", "data": None}, "notifications/message with null as data"),
    told("notifications/resources/updated", {"uri": "a:b", **STREAM}),
    told("notifications/resources/list_changed", {**STREAM}),
    told("notifications/resources/list_changed", None, "notifications/resources/list_changed without params"),
    told("notifications/tools/list_changed", {**STREAM}),
    told("notifications/prompts/list_changed", {**STREAM}),
    told(
        "notifications/subscriptions/acknowledged",
        {
            "notifications": {
                "toolsListChanged": True,
                "promptsListChanged": False,
                "resourcesListChanged": True,
                "resourceSubscriptions": ["a:b"],
            },
            **STREAM,
        },
    ),
    told("notifications/subscriptions/acknowledged", {"notifications": {}}, "a subscription to nothing"),
    told("notifications/example.com/x", {"a": None}),
    *(failed(f"error {code}", code, data=None) for code in (-32700, -32600, -32601, -32602, -32603, 404)),
    failed("error without data", -32602),
    failed("header mismatch", -32020, data="any"),
    failed("missing client capability", -32021, data={"requiredCapabilities": CLIENT}),
    failed("unsupported version", -32022, data={"supported": ["2026-07-28"], "requested": "1"}),
    Message("error to what could not be read", "tools/call", {"jsonrpc": "2.0", "id": None, "error": UNREADABLE}),
    Message("error without id", "tools/call", {"jsonrpc": "2.0", "error": UNREADABLE}),
)
