"""Machines in plain Python: compute nodes, switches, the bandwidth of every link, and the ways over links.

Written apart from the package, from the definitions of the two models of collectives. Nodes are numbers; what
is not a compute node is a switch.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

Link = tuple[int, int]


class TooLargeError(Exception):
    """A question that takes more than its budget to answer by going through everything."""


class Machine(NamedTuple):
    """A network of directed links. compute: its compute nodes, ascending. links: with their bandwidths, all
    positive; parallel links are one with their sum. ranks: the compute nodes that take part, all of them when
    there are none.
    """

    compute: tuple[int, ...]
    links: dict[Link, Fraction]
    ranks: tuple[int, ...] = ()

    @property
    def members(self) -> tuple[int, ...]:
        """The compute nodes that have something, and want something."""
        return self.ranks or self.compute


def machine(
    nodes: int,
    switches: Collection[int],
    links: Iterable[tuple[int, int, Fraction | int]],
    *,
    directed: bool,
) -> Machine:
    """The machine of a list of links (from, to, bandwidth), in both directions unless they are directed.

    Parallel links add up; a link of bandwidth 0 carries nothing and is left out.
    """
    total: dict[Link, Fraction] = {}
    for u, v, bandwidth in links:
        for link in [(u, v)] if directed else [(u, v), (v, u)]:
            total[link] = total.get(link, Fraction(0)) + bandwidth
    return Machine(
        tuple(v for v in range(nodes) if v not in switches),
        {link: bandwidth for link, bandwidth in sorted(total.items()) if bandwidth},
    )


def reversed_machine(of: Machine) -> Machine:
    """The machine with every link the other way round."""
    return of._replace(links={(v, u): bandwidth for (u, v), bandwidth in sorted(of.links.items())})


class Way(NamedTuple):
    """A way from one node to another, no node twice, and the links that it crosses."""

    start: int
    end: int
    links: tuple[Link, ...]


def ways(of: Machine, ends: Collection[int], inner: Collection[int]) -> list[Way]:
    """All ways between two of the ends over distinct inner nodes."""
    following: dict[int, list[int]] = {}
    for u, v in of.links:
        following.setdefault(u, []).append(v)

    def longer(nodes: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        for v in following.get(nodes[-1], []):
            if v not in nodes:
                if v in ends:
                    yield (*nodes, v)
                if v in inner:
                    yield from longer((*nodes, v))

    return [Way(nodes[0], nodes[-1], tuple(pairwise(nodes))) for u in ends for nodes in longer((u,))]


FIELD = 16
"""The bits of one count in a packed list of counts; the highest of them stays free."""
MOST_COMPARED = 1000
"""Lists of counts that are compared with one another."""


def packed(counts: Sequence[int]) -> int:
    """Counts side by side in one number, so that lists of them are added as numbers."""
    return sum(count << FIELD * place for place, count in enumerate(counts))


def unpacked(load: int, places: int) -> list[int]:
    """The counts that `packed` took."""
    return [load >> FIELD * place & (1 << FIELD) - 1 for place in range(places)]


def free_bits(places: int) -> int:
    """The highest bit of every field."""
    return packed([1 << FIELD - 1] * places)


def loads_of(of: Machine, found: Iterable[Way]) -> list[tuple[Way, int]]:
    """Every way with what it loads: 1 on each of its links, packed in the order of the machine's links."""
    place = {link: i for i, link in enumerate(of.links)}
    return [(way, sum(1 << FIELD * place[link] for link in way.links)) for way in found]


def least_loads(loads: Iterable[int], free: int) -> list[int]:
    """Of packed lists of counts those that no other one is below, in every count. free: `free_bits`.

    Raises TooLargeError for more than MOST_COMPARED.
    """
    kept: list[int] = []
    different = set(loads)
    if len(different) > MOST_COMPARED:
        raise TooLargeError
    # In order of the numbers, a list of counts comes after those below it.
    for load in sorted(different):
        if not any((load | free) - other & free == free for other in kept):
            kept.append(load)
    return kept
