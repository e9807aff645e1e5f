"""The command `schedsolve`, and `python -m schedsolve`.

Ctrl-C and SIGTERM are noted from the first line on, with what Python loads by itself before it.
"""

import _signal  # type: ignore[import-not-found]
import sys

_USUAL = {_signal.SIGINT: _signal.default_int_handler, _signal.SIGTERM: _signal.SIG_DFL}
_taken = [number for number, usual in _USUAL.items() if _signal.getsignal(number) is usual]
_early: list[int] = []
try:
    for _number in _taken:
        _signal.signal(_number, lambda number, _: _early.append(number))
except ValueError:  # Another thread than the main one imports this, and gets no signals.
    _taken = []

from schedsolve.commands.interrupts import one_interrupt  # noqa: E402

for _number in _taken:
    _signal.signal(_number, _USUAL[_number])

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
            from schedsolve.cli import main as command

            return command()
    except KeyboardInterrupt:
        print("schedsolve: interrupted", file=sys.stderr)
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
