"""The least rounds of reductions in steps, by going through all schedules: for the smallest networks.

Written apart from the package. A plan of one chunk says what every node does in every step: it keeps its
value or drops it, and adds the values of some nodes before the step, each over some way; no contribution may
come twice. All plans are found, step by step, and of those that lead to the same values the ones that load no
link more than others are kept, as counts, one for every step and link. Schedules are plans, one for every
chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, count, product
from math import floor

Values = tuple[int, ...]
"""For every node the contributions in its value, as bits."""
Links = Sequence[tuple[int, int]]
Way = tuple[int, int, int]
"""Sender, receiver, and the counts of the links between them."""

BITS = 8
"""Of a count, the first of which is always 0, so that all counts of a number can be compared at once."""


def ways_of(nodes: int, links: Links) -> tuple[Way, ...]:
    """All ways between nodes below `nodes`, over one link or through others, which are switches."""
    found = []

    def extend(way: list[int], load: int) -> None:
        for i, (u, v) in enumerate(links):
            if u == way[-1] and v not in way:
                if v < nodes:
                    found.append((way[0], v, load + (1 << BITS * i)))
                else:
                    extend([*way, v], load + (1 << BITS * i))

    for u in range(nodes):
        extend([u], 0)
    return tuple(found)


def is_within(one: int, other: int, places: int) -> bool:
    """Whether no count of the one is above that of the other, place by place."""
    tops = sum(1 << BITS * i + BITS - 1 for i in range(places))
    return ((other | tops) - one) & tops == tops


def least_plans(loads: Iterable[int], places: int) -> list[int]:
    """Those that are above no other one."""
    kept: list[int] = []
    for load in sorted(set(loads)):
        if not any(is_within(other, load, places) for other in kept):
            kept.append(load)
    return kept


def node_choices(
    node: int, values: Values, ways: Sequence[Way], ordered: bool, places: int
) -> list[tuple[int, int]]:
    """What a node can have after a step, and the links that it loads for that."""
    sent = {u: [0, *(load for w, v, load in ways if (w, v) == (u, node))] for u, v, _ in ways if v == node}
    found: dict[int, list[int]] = {}
    for keeps in (True, False):
        for taken in product(*sent.values()):
            value, load, legal = values[node] if keeps else 0, 0, True
            for u, way in zip(sent, taken, strict=True):
                if way:
                    legal = legal and not value & values[u]
                    value |= values[u]
                    load += way
            if legal and value and (not ordered or "0" not in bin(value)[2:].strip("0")):
                found.setdefault(value, []).append(load)
    return [(value, load) for value, loads in found.items() for load in least_plans(loads, places)]


def followers(
    values: Values, ways: Sequence[Way], ordered: bool, places: int, last: frozenset[int] | None = None
) -> Iterator[tuple[Values, int]]:
    """All values after a step, and the links that it loads. last: in the last step, the nodes that must get
    everything; nothing is sent to others then, as it would be of no use.
    """
    choices = [node_choices(v, values, ways, ordered, places) for v in range(len(values))]
    if last is not None:
        full = (1 << len(values)) - 1
        choices = [
            [pair for pair in choices[v] if pair[0] == full] if v in last else [(values[v], 0)]
            for v in range(len(values))
        ]
    for picked in product(*choices):
        yield tuple(value for value, _ in picked), sum(load for _, load in picked)


@cache
def plans(
    nodes: int,
    links: tuple[tuple[int, int], ...],
    steps: int,
    wanted: frozenset[int],
    ordered: bool = False,
) -> list[int]:
    """The least loads of one chunk whose result some nodes want: the count of link i in step s, from 0, has
    place s * len(links) + i.
    """
    ways = ways_of(nodes, links)
    reached: dict[Values, list[int]] = {tuple(1 << v for v in range(nodes)): [0]}
    for step in range(steps):
        following: dict[Values, set[int]] = {}
        for values, loads in reached.items():
            last = wanted if step == steps - 1 else None
            for after, load in followers(values, ways, ordered, len(links), last):
                shifted = load << step * len(links) * BITS
                following.setdefault(after, set()).update(before + shifted for before in loads)
        reached = {values: least_plans(loads, (step + 1) * len(links)) for values, loads in following.items()}
    return least_plans((load for loads in reached.values() for load in loads), steps * len(links))


def can_share(units: Sequence[Sequence[int]], chunks: int, room: int, places: int) -> bool:
    """Whether each unit finds plans for its chunks that leave every link within its room."""
    fitting = [[plan for plan in unit if is_within(plan, room, places)] for unit in units]

    @cache
    def placed(unit: int, chunk: int, first: int, left: int) -> bool:
        if unit == len(fitting):
            return True
        if chunk == chunks:
            return placed(unit + 1, 0, 0, left)
        return any(
            is_within(fitting[unit][i], left, places) and placed(unit, chunk + 1, i, left - fitting[unit][i])
            for i in range(first, len(fitting[unit]))
        )

    return placed(0, 0, 0, room)


def least_rounds(
    task: str,
    nodes: int,
    links: Links,
    chunks: int,
    steps: int,
    root: int = 0,
    ordered: bool = False,
    bandwidths: Sequence[Fraction | int] = (),
) -> int | None:
    """The least rounds in which so many chunks pass; None when they never do.

    nodes: those that are no switches, which come first. bandwidths: of the links, 1 if there are none.
    """
    wanted = {
        "reduce": [[root]],
        "allreduce": [list(range(nodes))],
        "reduce-scatter": [[v] for v in range(nodes)],
    }[task]
    units = [plans(nodes, tuple(links), steps, frozenset(unit), ordered) for unit in wanted]
    if not all(units):
        return None
    most, places = 2 ** (BITS - 1) - 1, steps * len(links)
    for rounds in count(steps):
        for cuts in combinations(range(1, rounds), steps - 1):
            lengths = [b - a for a, b in zip((0, *cuts), (*cuts, rounds), strict=True)]
            carried = [floor(b * r) for r in lengths for b in bandwidths or [1] * len(links)]
            room = sum(min(most, carries) << BITS * i for i, carries in enumerate(carried))
            if can_share(units, chunks, room, places):
                return rounds
    raise AssertionError
