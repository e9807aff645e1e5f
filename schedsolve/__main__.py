"""The command `schedsolve`, and `python -m schedsolve`."""

import sys

from schedsolve.commands.interrupts import one_interrupt

INTERRUPTED = 3
"""The exit status after an interrupt, as in `schedsolve.commands.options`, which is slow to import."""


def main() -> int:
    """Run the command line of this process and return its exit status.

    Ctrl-C and SIGTERM are handled before anything is loaded, and ignored at the very end.
    """
    with one_interrupt(last=True):
        try:
            from schedsolve.commands.cli import main as command

            return command()
        except KeyboardInterrupt:
            print("schedsolve: interrupted", file=sys.stderr)
            return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
