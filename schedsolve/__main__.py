"""The command `schedsolve`, and `python -m schedsolve`."""

import sys

from schedsolve.commands.interrupts import held_back, one_interrupt

INTERRUPTED = 3
"""The exit status of what was interrupted, as in `schedsolve.commands.options`, which takes long to load."""


def main() -> int:
    """Run the command line of this process; its exit status.

    Ctrl-C and SIGTERM wait while the command loads, as an import that breaks off may end in any error, and
    have no effect any more once it is done.
    """
    with one_interrupt(last=True):
        try:
            with held_back():
                from schedsolve.cli import main as command
            return command()
        except KeyboardInterrupt:
            print("schedsolve: interrupted", file=sys.stderr)
            return INTERRUPTED
        finally:
            # Python remembers a KeyboardInterrupt that came out of an exec of text, as of a dataclass that was
            # being imported, and would in the end kill itself by SIGINT; until the next exec.
            exec("pass")


if __name__ == "__main__":
    sys.exit(main())
