"""``python -m mcp_compliance.reference``; see ``command``."""

import sys

from mcp_compliance.reference.command import serve

if __name__ == "__main__":
    sys.exit(serve(sys.argv[1:]))
