"""The command `schedsolve`, and `python -m schedsolve`.

Ctrl-C is noted from the first line on, with what Python loads by itself before it.
"""

import _signal  # type: ignore[import-not-found]
import sys

_early: list[int] = []
_usual = _signal.getsignal(_signal.SIGINT)
if _usual is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, lambda number, _: _early.append(number))

from schedsolve.commands.interrupts import one_interrupt  # noqa: E402

if _usual is _signal.default_int_handler:
    _signal.signal(_signal.SIGINT, _usual)

INTERRUPTED = 3
"""The exit status after an interrupt, as in `schedsolve.commands.options`, which is slow to import."""


def main() -> int:
    """Run the command line of this process and return its exit status.

    Ctrl-C and SIGTERM are handled before anything is loaded, and ignored at the very end.
    """
    try:
        if _early:
            raise KeyboardInterrupt
        with one_interrupt(last=True):
            from schedsolve.commands.cli import main as command

            return command()
    except KeyboardInterrupt:
        print("schedsolve: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
