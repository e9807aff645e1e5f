"""Progress of long work: one line on a terminal, written over and over; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any


class ProgressLine:
    """Shows progress in one line on standard error, written over and over."""

    def __init__(self) -> None:
        self.shown = 0.0

    def __call__(self, progress: Any) -> None:
        """Show what a solve is doing, ten times a second at most."""
        now = time.monotonic()
        if now - self.shown < 0.1:
            return
        self.shown = now
        upper = "?" if progress.upper is None else progress.upper
        text = f"{progress.elapsed:6.1f} s  bounds {progress.lower}..{upper}  {progress.activity}"
        print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)

    @staticmethod
    def clear() -> None:
        """Wipe the line, so that what is printed next starts clean."""
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
