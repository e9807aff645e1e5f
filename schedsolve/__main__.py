"""The command `schedsolve`, and `python -m schedsolve`."""

import sys

from schedsolve.commands.interrupts import one_interrupt

INTERRUPTED = 3
"""The exit status of what was interrupted, as in `schedsolve.commands.options`, which takes long to load."""


def main() -> int:
    """Run the command line of this process; its exit status. Ctrl-C and SIGTERM are looked after before
    anything is loaded, and have no effect any more in the end.
    """
    with one_interrupt(last=True):
        try:
            from schedsolve.cli import main as command

            return command()
        except KeyboardInterrupt:
            print("schedsolve: interrupted", file=sys.stderr)
            return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
