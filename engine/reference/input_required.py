"""Results that ask the client for input, and the state that comes back with it (basic/patterns/mrtr)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Callable
from typing import NamedTuple

from mcp_compliance.reference.jsonrpc import INVALID_PARAMS, JSON, JSONObject, RpcError, as_object
from mcp_compliance.reference.modern_meta import result

MISSING_CLIENT_CAPABILITY = -32021

# how long the user may think, in seconds
LIFETIME = 600.0

# of a request, what belongs to the protocol and changes between the first attempt and the next
_OWN_PARAMS = frozenset({"_meta", "inputResponses", "requestState"})


class Question(NamedTuple):
    """An elicitation under its ``key`` among the inputRequests, in a ``mode`` that the client has to support."""

    key: str
    mode: str
    params: JSONObject

    def demand(self, capabilities: JSONObject) -> None:
        """Raises -32021 unless the client has declared the mode; without any it has declared forms."""
        declared = capabilities.get("elicitation")
        modes = declared if isinstance(declared, dict) else None
        if modes is None or not (self.mode in modes or (self.mode == "form" and not modes)):
            needed: JSONObject = {"requiredCapabilities": {"elicitation": {self.mode: {}}}}
            raise RpcError(MISSING_CLIENT_CAPABILITY, "Missing required client capability: elicitation", needed)

    def asked(self, state: str) -> JSONObject:
        """The InputRequiredResult."""
        requests: JSONObject = {self.key: {"method": "elicitation/create", "params": self.params}}
        return result("input_required", {"inputRequests": requests, "requestState": state})

    def answered(self, params: JSONObject) -> JSONObject | None:
        """The ElicitResult in ``params``, None when there is none; raises -32602 for what is not of its shape.

        Answers to what was not asked are passed over.
        """
        responses = params.get("inputResponses", {})
        if not isinstance(responses, dict):
            raise RpcError(INVALID_PARAMS, "Invalid params: inputResponses is not an object")
        if self.key not in responses:
            return None
        answer = as_object(responses[self.key])
        if answer.get("action") not in ("accept", "decline", "cancel"):
            raise RpcError(INVALID_PARAMS, "Invalid params: an input response has no action")
        return answer


class RequestStates:
    """Issues and checks requestState: it holds for one client, one request and a while, and cannot be forged.

    Nothing is kept for it. ``clock`` gives seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._secret = secrets.token_bytes(32)
        self._clock = clock

    def issue(self, client: str, method: str, params: JSONObject) -> str:
        """The state for a request of ``client``."""
        ends = f"{self._clock() + LIFETIME:.0f}"
        return base64.urlsafe_b64encode(f"{ends}.{self._seal(ends, client, method, params)}".encode()).decode()

    def check(self, state: JSON, client: str, method: str, params: JSONObject) -> None:
        """Raises -32602 unless ``state`` was issued for this request of this client, not too long ago."""
        try:
            ends, _, seal = base64.b64decode(str(state), altchars=b"-_", validate=True).decode().partition(".")
            genuine = hmac.compare_digest(seal.encode(), self._seal(ends, client, method, params).encode())
            if genuine and self._clock() <= float(ends):
                return
        except (ValueError, binascii.Error):
            pass
        raise RpcError(INVALID_PARAMS, "Invalid params: this requestState is not valid for this request")

    def _seal(self, ends: str, client: str, method: str, params: JSONObject) -> str:
        salient = {name: value for name, value in params.items() if name not in _OWN_PARAMS}
        sealed = json.dumps([ends, client, method, salient], sort_keys=True)
        return hmac.new(self._secret, sealed.encode(), hashlib.sha256).hexdigest()
