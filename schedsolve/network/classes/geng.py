"""Connected graphs from nauty's geng, where it is installed.

It generates the same classes as `schedsolve.network.classes.graph_generation`, by other code and faster.
"""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

from schedsolve.network.classes.canonical_form import CanonicalForm, Rows, canonical_form
from schedsolve.network.classes.graph_generation import GraphClass
from schedsolve.runtime.errors import InputError

PROGRAMS = ("geng", "nauty-geng")
"""The names under which nauty's graph generator is installed."""
MOST_NODES = 32
"""The most nodes that every version of geng takes."""


def geng_program() -> str | None:
    """Return where nauty's geng is, None if it is not installed."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def geng_knows(kind: GraphClass) -> bool:
    """Whether geng is installed and generates such a class."""
    return not kind.directed and 2 <= kind.nodes <= MOST_NODES and geng_program() is not None


def geng_graphs(kind: GraphClass, edges: int, residue: int = 0, modulus: int = 1) -> Iterator[CanonicalForm]:
    """Yield the canonical form of every connected graph of a class with a number of links.

    Parameters
    ----------
    kind
        An undirected class.
    edges
        The number of links.
    residue, modulus
        Yield one of so many parts, as geng divides them.

    Raises
    ------
    InputError
        If geng is not installed, or fails.
    """
    n = kind.nodes
    largest = min(kind.max_degree, n - 1)
    few, many = kind.min_degree * n > 2 * edges, edges > kind.most_edges
    if few or many or edges < n - 1 or kind.min_degree > largest:
        return
    options = ["-c", "-q", f"-d{kind.min_degree}", f"-D{largest}", *(["-b"] if kind.bipartite else [])]
    part = [] if modulus == 1 else [f"{residue}/{modulus}"]
    for line in geng_lines([*options, str(n), f"{edges}:{edges}", *part]):
        yield canonical_form(_rows(line.encode("ascii")))


def geng_lines(arguments: list[str]) -> Iterator[str]:
    """Yield the lines that geng prints, a graph6 string each.

    Raises
    ------
    InputError
        If it is not installed, or fails.
    """
    program = geng_program()
    if program is None:
        raise InputError("this takes the program geng, which is not installed (it comes with nauty)")
    with subprocess.Popen(
        [program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as running:
        assert running.stdout is not None
        try:
            for line in running.stdout:
                yield line.strip()
        except BaseException:
            # Whoever takes no more lines must not wait for the rest.
            running.kill()
            raise
    if running.returncode:
        raise InputError(f"{program} {' '.join(arguments)} ended with {running.returncode}")


def _rows(text: bytes) -> Rows:
    """Return the rows of a graph6 string of at most 62 nodes: bits 0-1, 0-2, 1-2, 0-3, ..., six a byte."""
    n, bits = text[0] - 63, 0
    for byte in text[1:]:
        bits = bits << 6 | byte - 63
    rows, left = [0] * n, 6 * (len(text) - 1)
    for v in range(1, n):
        for u in range(v):
            left -= 1
            if bits >> left & 1:
                rows[u] |= 1 << v
                rows[v] |= 1 << u
    return tuple(rows)
