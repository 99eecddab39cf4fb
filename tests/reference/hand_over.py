"""``python -I -S hand_over.py SOCKET [ARGUMENT ...]`` gives its streams and arguments to a server forked for it.

It ends as that server ends, and that server with it (see ``quick``). It is quick because it imports next to nothing.
"""

import os
import sys
from _socket import AF_UNIX, SCM_RIGHTS, SOCK_STREAM, SOL_SOCKET, socket

STREAMS = (0, 1, 2)

link = socket(AF_UNIX, SOCK_STREAM)
link.connect(sys.argv[1])
given = b"".join(stream.to_bytes(4, sys.byteorder) for stream in STREAMS)
link.sendmsg(["\0".join(sys.argv[2:]).encode() + b"\0"], [(SOL_SOCKET, SCM_RIGHTS, given)])
for stream in STREAMS:
    os.close(stream)
os._exit((link.recv(1) or b"\1")[0])
