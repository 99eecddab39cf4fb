"""A stdio child that conforms but for one twist: ``python -S child.py TWIST [ARGUMENT [ERA]]``.

Twists with a number act from that request on (the handshake is request 1). ``ERA`` is legacy, modern or dual.
"""

import json
import os
import signal
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(__file__))
from conforming import DualEra, answer, modern_answer

TWIST, ARGUMENT, ERA = (*sys.argv[1:], "", "", "")[:3]
FROM = int(ARGUMENT) if ARGUMENT.isdigit() else 1
MIB = b"x" * 2**20
SLEEPER = "import time; time.sleep(300)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(300)"
DEEP = b'{"jsonrpc":"2.0","id":%s,"result":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000 + b"}"
NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n'
ASK = b'{"jsonrpc":"2.0","id":"q%d","method":"sampling/createMessage","params":{}}\n'

out = sys.stdout.buffer


def write(*parts: bytes) -> None:
    for part in parts:
        out.write(part)
    out.flush()


def spoil(request: dict, line: bytes, number: int) -> None:
    """Answer one request, the way of the twist. ``line`` is the conforming answer."""
    id = json.dumps(request.get("id")).encode()
    method = request.get("method")
    if TWIST == "garbage":
        write(b"\x00\x01{oops\n", b"[1,\n", b"null\n", b'"text"\n', b"{}\n", b'{"level":30}\n', b"\r\n", b"\n", line)
    elif TWIST == "invalid utf-8":
        write(b"\xff\xfe\xfa\n", line.replace(b"noon", b"\xc3\x28").replace(b"hostile", b"host\xffile"))
    elif TWIST == "long line" and number == FROM:
        write(*[MIB] * 100, b"\n", line)
    elif TWIST == "endless line":
        while True:
            write(MIB)
    elif TWIST == "endless lines":
        while True:
            write(NOTE * 1000)
    elif TWIST == "deep":
        write(DEEP % id, b"\n")
    elif TWIST == "huge texts":
        huge = "\x07\U0001f389" * 2**17
        reply = json.loads(line)
        if method == "initialize":
            reply["result"]["serverInfo"] = {"name": huge, "version": huge}
            reply["result"]["capabilities"]["experimental"] = {huge: {"x": [huge]}}
        elif method == "tools/list":
            reply["result"]["tools"][0]["name"] = huge
        elif "error" in reply:
            reply["error"] = {"code": [huge], "message": huge}
        write(json.dumps(reply, ensure_ascii=False).encode(), b"\n")
    elif TWIST == "silent" and number >= FROM:
        return
    elif TWIST == "wedged" and number >= FROM:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        time.sleep(300)
    elif TWIST == "only the handshake":
        if method == "initialize":
            write(line)
    elif TWIST == "garbage ids" and number > 1:
        strange = (b'"nobody"', b"null", b"-1", b"[1]", b"{}", b"1e400", b"true")[number % 7]
        write(line.replace(b'"id": ' + id, b'"id": ' + strange))
    elif TWIST == "dies" and method != "initialize":
        print("out of luck", file=sys.stderr, flush=True)
        os._exit(3)
    elif TWIST == "dies on" and method == ARGUMENT:
        os.kill(os.getpid(), signal.SIGKILL)
    elif TWIST == "dies before the handshake" and method != "initialize" and "initialize" not in met:
        print("Error: expected initialize request\n    at Server.handle (index.js:1:1)", file=sys.stderr, flush=True)
        os._exit(3)
    elif TWIST == "answers and exits" and number == FROM:
        write(line)
        time.sleep(0.2)
        os._exit(4)
    elif TWIST == "silent before the handshake" and method != "initialize" and "initialize" not in met:
        return
    elif TWIST == "answers late" and method == "server/discover":
        held.append(id)
    elif TWIST == "answers late" and held:
        found = {"supportedVersions": ["2026-07-28"], "capabilities": {}} if ARGUMENT == "modern" else {}
        write(b'{"jsonrpc":"2.0","id":%s,"result":%s}\n' % (held.pop(), json.dumps(found).encode()), line)
    elif TWIST == "flood":
        write(NOTE * 50 * FROM, *[ASK % index for index in range(10 * FROM)], line)
    elif TWIST == "drip":
        for byte in line:
            write(bytes([byte]))
            time.sleep(0.0005)
    elif TWIST == "drips for ever" and number >= FROM:
        while True:
            write(b"x")
            time.sleep(0.05)
    elif TWIST == "interrupt" and number == FROM:
        os.kill(os.getppid(), signal.SIGINT)
    elif TWIST == "interrupt twice" and number == FROM:
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(0.1)
        os.kill(os.getppid(), signal.SIGINT)
        time.sleep(300)
    elif TWIST == "terminate" and number == FROM:
        os.kill(os.getppid(), signal.SIGTERM)
    elif TWIST == "tells all":
        told = {name: value for name, value in os.environ.items() if name.startswith("HOSTILE_")}
        print(json.dumps(told), *told.values(), file=sys.stderr, flush=True)
        reply = {"jsonrpc": "2.0", "id": request.get("id"), "error": {"code": -1, "message": json.dumps(told)}}
        if method == "initialize" and ARGUMENT != "at once":
            reply = json.loads(line)
            reply["result"]["serverInfo"]["name"] = told["HOSTILE_TOKEN"]
            reply["result"]["instructions"] = json.dumps(told)
        write(json.dumps(told).encode(), b"\n", json.dumps(reply).encode(), b"\n")
    else:
        write(line)


if TWIST == "exits":
    print(f"cannot read {os.environ['HOSTILE_TOKEN']}\nno configuration found", file=sys.stderr)
    sys.exit(7)
if TWIST == "banner":
    write(b"\x1b[31mWelcome!\x1b[0m\n" * 40, b"\n")
if TWIST == "only a banner":
    write(b"Server is running on port 3000\n")
    sys.exit(0)
if TWIST in ("ignores SIGTERM", "wedged"):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
if TWIST == "grandchildren":
    for code in (SLEEPER, STUBBORN):
        subprocess.Popen([sys.executable, "-S", "-c", code])
if TWIST == "leaves heirs":
    subprocess.Popen([sys.executable, "-S", "-c", STUBBORN])
    os._exit(5)
if TWIST == "stderr flood":
    for _ in range(64):
        sys.stderr.buffer.write(MIB)
if TWIST == "closes stdout":
    os.close(1)
    time.sleep(300)

if TWIST == "starts slowly":
    time.sleep(float(ARGUMENT))

count = 0
met: list = []
held: list = []
respond = {"modern": modern_answer, "dual": DualEra().answer}.get(ERA, answer)
while received := sys.stdin.buffer.readline():
    try:
        message = json.loads(received)
    except ValueError:
        write(b'{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}\n')
        continue
    reply = respond(message)
    if reply is not None:
        count += 1
        spoil(message if isinstance(message, dict) else {}, json.dumps(reply).encode() + b"\n", count)
        met.append(message.get("method") if isinstance(message, dict) else None)
if TWIST == "ignores SIGTERM":
    time.sleep(300)
