"""How often something may be done."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Hashable

# So many at once, then so many a second. Far above what a client that waits for its answers reaches, and below
# a burst.
AT_ONCE = 40
A_SECOND = 4.0

# what has not been asked about for longest is forgotten beyond this number
REMEMBERED_AT_MOST = 1000


class Allowance:
    """An allowance for each name. May be used from several threads."""

    def __init__(self) -> None:
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: Hashable) -> bool:
        """Whether ``name`` may once more; that is then taken off its allowance."""
        now = time.monotonic()
        with self._lock:
            left, since = self._left.pop(name, (AT_ONCE, now))
            left = min(AT_ONCE, left + (now - since) * A_SECOND)
            self._left[name] = (left - 1 if left >= 1 else left, now)
            if len(self._left) > REMEMBERED_AT_MOST:
                self._left.popitem(last=False)
        return left >= 1
