"""Switches removed by exact edge splitting.

Links u -> w -> t through a switch w become a link u -> t, as much as no cut between the roots and a compute
node forbids.

References
----------
Bang-Jensen, Frank, Jackson 1995 (SIAM J. Discrete Mathematics 8), who show that a node with as much capacity
into it as out of it can be split off completely; Zhao et al., ForestColl (arXiv 2402.06787), for switches.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from schedsolve.backends.max_flow import MaximumFlows

from ..rules.demand import Link

Path = tuple[int, ...]


@dataclass
class Logical:
    """Links between compute nodes, each a bundle of paths through switches.

    Attributes
    ----------
    capacities
        Of the links, whole numbers.
    paths
        Of every link its paths from end to end with their shares of the capacity.
    """

    capacities: dict[Link, int]
    paths: dict[Link, list[tuple[Path, int]]] = field(default_factory=dict)

    def take(self, link: Link, amount: int) -> list[tuple[Path, int]]:
        """Take so much of a link's capacity away; gives the paths that it went over, with their shares."""
        taken = []
        self.capacities[link] -= amount
        if not self.capacities[link]:
            del self.capacities[link]
        bundle = self.paths[link]
        while amount:
            path, share = bundle.pop()
            used = min(share, amount)
            if used < share:
                bundle.append((path, share - used))
            taken.append((path, used))
            amount -= used
        return taken

    def put(self, link: Link, bundle: list[tuple[Path, int]]) -> None:
        """Add paths to a link."""
        self.capacities[link] = self.capacities.get(link, 0) + sum(share for _, share in bundle)
        self.paths.setdefault(link, []).extend(bundle)


def without_switches(
    compute: Sequence[int],
    switches: Collection[int],
    capacities: Mapping[Link, int],
    roots: Mapping[int, int],
) -> Iterator[Logical | None]:
    """Yield the links between compute nodes that carry as many trees as the given ones do through switches.

    None now and then, while they are computed, and at the end the links, or None when a switch is left that
    cannot be split off.

    Parameters
    ----------
    compute
        The compute nodes.
    switches
        The switches.
    capacities
        Whole numbers; every cut lets out what is needed (the sum of the roots that it holds, if a compute
        node is outside).
    roots
        How many trees start at a compute node. The switches should have as much capacity in as out.
    """
    logical = Logical(dict(capacities), {link: [(link, c)] for link, c in capacities.items()})
    for w in sorted(switches):
        for way in _ways_through(logical, w):
            if all(link in logical.capacities for link in (way[:2], way[1:])):
                amount = _splittable(logical.capacities, way, compute, roots)
                if amount:
                    _split(logical, way, amount)
                yield None
        if any(w in link for link in logical.capacities):
            yield None
            return
    yield logical


def _ways_through(logical: Logical, w: int) -> list[tuple[int, int, int]]:
    """All u, w, t with links from u to w to t.

    Those back to u last, and for each u those after it first, so that equal links make a ring.
    """
    entering = [u for u, x in logical.capacities if x == w]
    leaving = [t for x, t in logical.capacities if x == w]
    ways = [(u, w, t) for u in entering for t in sorted(leaving, key=lambda t: (t < u, t)) if t != u]
    return ways + [(u, w, u) for u in entering if u in leaving]


def _split(logical: Logical, way: tuple[int, int, int], amount: int) -> None:
    u, w, t = way
    first, second = logical.take((u, w), amount), logical.take((w, t), amount)
    if u == t:
        return
    joined = []
    while first:
        (one, share), (other, rest) = first.pop(), second.pop()
        used = min(share, rest)
        joined.append((_without_circles(one + other[1:]), used))
        if share > used:
            first.append((one, share - used))
        if rest > used:
            second.append((other, rest - used))
    logical.put((u, t), joined)


def _without_circles(path: Path) -> Path:
    """Return the path that leaves out what lies between two visits of a node."""
    short: list[int] = []
    for v in path:
        if v in short:
            del short[short.index(v) :]
        short.append(v)
    return tuple(short)


def _splittable(
    capacities: Mapping[Link, int],
    way: tuple[int, int, int],
    compute: Sequence[int],
    roots: Mapping[int, int],
) -> int:
    """How much of u -> w -> t can be split.

    What every cut that leaves out a compute node can spare, where u and t are on one side and w on the other.
    """
    u, w, t = way
    least = min(capacities[u, w], capacities[w, t])
    for source_side, sink_side in (({u, t}, {w}), ({w}, {u, t})):
        least = min(least, _spare(capacities, source_side, sink_side, compute, roots, least))
        if not least:
            return 0
    return least


def _spare(
    capacities: Mapping[Link, int],
    source_side: set[int],
    sink_side: set[int],
    compute: Sequence[int],
    roots: Mapping[int, int],
    most: int,
) -> int:
    """Return what the cuts with these nodes on their sides can spare, up to `most`."""
    source = 1 + max(v for link in capacities for v in link)
    sink = source + 1
    needed = sum(roots.values())
    largest = needed + sum(capacities.values())
    misses_one = not sink_side.isdisjoint(compute)
    checked = [] if misses_one else [v for v in compute if v not in source_side]
    arcs = dict(capacities)
    arcs.update({(source, v): k for v, k in roots.items()})
    arcs.update({(source, v): roots.get(v, 0) for v in checked})
    arcs.update({(source, v): largest for v in source_side})
    arcs.update({(v, sink): 0 for v in checked})
    arcs.update({(v, sink): largest for v in sink_side})
    number = {arc: i for i, arc in enumerate(arcs)}
    flows = MaximumFlows([a for a, _ in arcs], [b for _, b in arcs], list(arcs.values()), largest)
    if misses_one:
        return min(most, flows.value(source, sink) - needed)
    for v in checked:
        flows.set_capacity(number[v, sink], largest)
        most = min(most, flows.value(source, sink) - needed)
        if not most:
            return 0
        flows.set_capacity(number[v, sink], 0)
        flows.set_capacity(number[source, v], largest)
    return most
