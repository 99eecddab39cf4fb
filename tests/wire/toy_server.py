"""A stdio child that does what the method of each request says. Runs with plain Python, without the project."""

import json
import os
import signal
import subprocess
import sys
import time

SLEEPER = [sys.executable, "-S", "-c", "import time; time.sleep(60)"]


def out(*lines: bytes) -> None:
    for line in lines:
        sys.stdout.buffer.write(line + b"\n")
    sys.stdout.buffer.flush()


def response(id: object, result: object = None) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "result": result if result is not None else {}}).encode()


LOG = b'{"jsonrpc":"2.0","method":"notifications/message","params":{}}'
PROGRESS = b'{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":%s}}'
kept: list[object] = []

if "--banner" in sys.argv:
    out(b"Server v1 is running...", b"")
if "--ignore-term" in sys.argv:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if "--grandchild" in sys.argv:
    child = subprocess.Popen(SLEEPER)
    print(f"grandchild {child.pid}", file=sys.stderr, flush=True)

while True:
    line = sys.stdin.buffer.readline()
    if not line:
        if "--ignore-eof" in sys.argv:
            time.sleep(60)
        break
    try:
        message = json.loads(line)
    except ValueError:
        out(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}')
        continue
    method, id = message.get("method"), message.get("id")
    params = message.get("params") or {}
    if method == "ping":
        out(response(id))
    elif method == "echo":
        out(response(id, params))
    elif method == "crlf":
        out(response(id) + b"\r")
    elif method == "keep":
        kept.append(id)
    elif method == "release":
        out(*[response(one) for one in reversed(kept)], response(id))
    elif method == "strays":
        out(b"\xff\xfe", b'{"level":30}', b"[" * 100_000 + b"]" * 100_000, b"{oops", b"\xef\xbb\xbf{}", response(id))
    elif method == "as":
        out(response(params["id"]))
        if params.get("then"):
            out(response(id))
    elif method == "batch":
        out(b"[" + response(99) + b"," + response(id) + b"]")
    elif method == "log":
        out(LOG, response(id))
    elif method == "progress":
        out(PROGRESS % json.dumps(params["_meta"]["progressToken"]).encode(), response(id))
    elif method == "ask":
        out(b'{"jsonrpc":"2.0","id":"q","method":"ping"}')
        answer = json.loads(sys.stdin.buffer.readline())
        out(response(id, answer))
    elif method == "split":
        data = response(id, {"text": "é"}).replace(b"\\u00e9", "é".encode()) + b"\n"
        for byte in data:
            sys.stdout.buffer.write(bytes([byte]))
            sys.stdout.buffer.flush()
    elif method == "exit":
        print("last words", file=sys.stderr, flush=True)
        if params.get("answer"):
            out(response(id))
        os._exit(params.get("code", 0))
    elif method == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif method == "half":
        sys.stdout.buffer.write(response(id))
        sys.stdout.buffer.flush()
        os._exit(0)
    elif method == "close stdout":
        os.close(1)
        time.sleep(60)
    elif method == "close stdin":
        os.close(0)
        out(response(id))
        time.sleep(60)
    elif method == "deaf":
        out(response(id))
        time.sleep(60)
    elif method == "die with heir":
        print(f"grandchild {subprocess.Popen(SLEEPER).pid}", file=sys.stderr, flush=True)
        os._exit(3)
    elif method == "stderr":
        sys.stderr.buffer.write(b"x" * 100_000 + b"\xff end\n")
        sys.stderr.flush()
        out(response(id))
    elif method == "environment":
        out(response(id, {"value": os.environ.get(params["name"]), "cwd": os.getcwd()}))
    elif method == "subscribe":
        for mark in (id, str(id)):
            kind = "notifications/subscriptions/acknowledged" if mark == id else "notifications/tools/list_changed"
            out(json.dumps({"jsonrpc": "2.0", "method": kind, "params": {"_meta": {"sub": mark}}}).encode())
