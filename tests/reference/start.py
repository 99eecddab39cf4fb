"""``python -I -S start.py ...`` is ``python -m mcp_compliance.reference ...`` from where the sources are."""

import sys
import types
from pathlib import Path

package = types.ModuleType("mcp_compliance")
package.__path__ = [str(Path(__file__).resolve().parents[2] / "engine")]
sys.modules["mcp_compliance"] = package

from mcp_compliance.reference.command import serve  # noqa: E402

sys.exit(serve(sys.argv[1:]))
