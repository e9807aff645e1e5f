"""Progress of long work, on one line of a terminal, rewritten in place; nothing elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any


class _Line:
    """One line of standard error that is rewritten in place, not too often."""

    def __init__(self) -> None:
        self.start, self.shown = time.monotonic(), 0.0

    def elapsed_if_due(self, seconds: float) -> float | None:
        """Return the time since the start if the line was last written so long ago, and note that it is."""
        now = time.monotonic()
        if now - self.shown < seconds:
            return None
        self.shown = now
        return now - self.start

    @staticmethod
    def clear() -> None:
        """Clear the line, so that the next output starts in its place."""
        if sys.stderr.isatty():
            _write("")


class TextLine(_Line):
    """Shows an activity and its elapsed time on one line of standard error, rewritten in place."""

    def __call__(self, activity: str) -> None:
        """Show an activity, at most ten times per second."""
        elapsed = self.elapsed_if_due(0.1)
        if elapsed is not None:
            _write(f"{elapsed:6.1f} s  {activity}")


class ProgressLine(_Line):
    """Shows progress on one line of standard error, rewritten in place."""

    def __call__(self, progress: Any) -> None:
        """Show what a solve is doing, at most ten times per second."""
        if self.elapsed_if_due(0.1) is not None:
            upper = "?" if progress.upper is None else progress.upper
            _write(f"{progress.elapsed:6.1f} s  bounds {progress.lower}..{upper}  {progress.activity}")


class CountLine(_Line):
    """Shows how many problems are done on one line of standard error, rewritten in place."""

    def show(
        self, solved: int, unsolved: int, left: int, known: int, words: tuple[str, str] = ("solved", "open")
    ) -> None:
        """Show the counts, at most five times per second.

        `known` counts the problems that were done before the start.
        """
        elapsed = self.elapsed_if_due(0.2 if left else 0.0)
        if elapsed is None:
            return
        total, new = solved + unsolved + left, solved + unsolved - known
        rate = new / max(elapsed, 0.001)
        bar = "#" * (20 * (total - left) // max(total, 1))
        ahead = f"{_clock(left / rate)} to go" if new and left else ""
        _write(f"[{bar:20}] {solved} {words[0]}, {unsolved} {words[1]}, {left} left, {rate:.1f}/s  {ahead}")


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
