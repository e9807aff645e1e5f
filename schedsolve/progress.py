"""Progress of long work, on one line of a terminal, rewritten in place; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any


class TextLine:
    """Shows an activity and its elapsed time on one line of standard error, rewritten in place."""

    def __init__(self) -> None:
        self.start, self.shown = time.monotonic(), 0.0

    def __call__(self, activity: str) -> None:
        """Show an activity, at most ten times per second."""
        now = time.monotonic()
        if now - self.shown < 0.1:
            return
        self.shown = now
        _write(f"{now - self.start:6.1f} s  {activity}")

    @staticmethod
    def clear() -> None:
        """Clear the line, so that the next output starts in its place."""
        if sys.stderr.isatty():
            _write("")


class ProgressLine:
    """Shows progress on one line of standard error, rewritten in place."""

    def __init__(self) -> None:
        self.shown = 0.0

    def __call__(self, progress: Any) -> None:
        """Show what a solve is doing, at most ten times per second."""
        now = time.monotonic()
        if now - self.shown < 0.1:
            return
        self.shown = now
        upper = "?" if progress.upper is None else progress.upper
        _write(f"{progress.elapsed:6.1f} s  bounds {progress.lower}..{upper}  {progress.activity}")

    clear = staticmethod(TextLine.clear)


class CountLine:
    """Shows how many problems are done on one line of standard error, rewritten in place."""

    def __init__(self) -> None:
        self.start, self.shown = time.monotonic(), 0.0

    def show(
        self, solved: int, unsolved: int, left: int, known: int, words: tuple[str, str] = ("solved", "open")
    ) -> None:
        """Show the counts, at most five times per second.

        `known` counts the problems that were done before the start.
        """
        now = time.monotonic()
        if now - self.shown < 0.2 and left:
            return
        self.shown = now
        total, new = solved + unsolved + left, solved + unsolved - known
        rate = new / max(now - self.start, 0.001)
        bar = "#" * (20 * (total - left) // max(total, 1))
        ahead = f"{_clock(left / rate)} to go" if new and left else ""
        _write(f"[{bar:20}] {solved} {words[0]}, {unsolved} {words[1]}, {left} left, {rate:.1f}/s  {ahead}")

    clear = staticmethod(TextLine.clear)


def _write(text: str) -> None:
    """Replace the line with a text."""
    print(f"\r\x1b[K{text[:100]}", end="", file=sys.stderr, flush=True)


def _clock(seconds: float) -> str:
    """Return seconds as 1:02:03."""
    hours, rest = divmod(round(seconds), 3600)
    return f"{hours}:{rest // 60:02}:{rest % 60:02}" if hours else f"{rest // 60}:{rest % 60:02}"


def log(level: str, message: str, *values: object) -> None:
    """Log under the name schedsolve; where nobody has loaded `logging`, nobody listens.

    level: the name of a level, such as "DEBUG". message, values: as `logging.Logger.log` takes them.
    """
    logging: Any = sys.modules.get("logging")
    if logging is not None:
        logging.getLogger("schedsolve").log(getattr(logging, level), message, *values)
