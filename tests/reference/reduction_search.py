"""The least rounds of reductions in steps, by going through all schedules: for the smallest networks.

Written apart from the package. A plan of one chunk says what every node does in every step: it keeps its
value or drops it, and adds the values of some of its neighbours before the step; no contribution may come
twice. All plans are found, step by step, and of those that lead to the same values the ones that load no more
links than others are kept, as bits, one for every step and link. Schedules are plans, one for every chunk.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, reduce
from itertools import product
from operator import or_

Values = tuple[int, ...]
"""For every node the contributions in its value, as bits."""
Links = Sequence[tuple[int, int]]


def least_plans(masks: Iterable[int]) -> list[int]:
    """Those that no other one is a part of."""
    kept: list[int] = []
    for mask in sorted(set(masks), key=int.bit_count):
        if not any(mask & other == other for other in kept):
            kept.append(mask)
    return kept


def node_choices(node: int, values: Values, links: Links, ordered: bool) -> list[tuple[int, int]]:
    """What a node can have after a step, and the links that it loads for that."""
    incoming = [(i, u) for i, (u, v) in enumerate(links) if v == node]
    found = []
    for keeps in (True, False):
        for taken in product((False, True), repeat=len(incoming)):
            value, load, legal = values[node] if keeps else 0, 0, True
            for takes, (i, u) in zip(taken, incoming, strict=True):
                if takes:
                    legal = legal and not value & values[u]
                    value |= values[u]
                    load |= 1 << i
            if legal and value and (not ordered or "0" not in bin(value)[2:].strip("0")):
                found.append((value, load))
    return found


def followers(
    values: Values, links: Links, ordered: bool, last: frozenset[int] | None = None
) -> Iterator[tuple[Values, int]]:
    """All values after a step, and the links that it loads. last: in the last step, the nodes that must get
    everything; nothing is sent to others then, as it would be of no use.
    """
    choices = [node_choices(v, values, links, ordered) for v in range(len(values))]
    if last is not None:
        full = (1 << len(values)) - 1
        choices = [
            [pair for pair in choices[v] if pair[0] == full] if v in last else [(values[v], 0)]
            for v in range(len(values))
        ]
    for picked in product(*choices):
        yield tuple(value for value, _ in picked), reduce(or_, (load for _, load in picked))


@cache
def plans(
    nodes: int, links: tuple[tuple[int, int], ...], steps: int, wanted: frozenset[int], ordered: bool = False
) -> list[int]:
    """The least loads of one chunk whose result some nodes want: bit s * len(links) + i for link i in step
    s, from 0.
    """
    reached: dict[Values, list[int]] = {tuple(1 << v for v in range(nodes)): [0]}
    for step in range(steps):
        following: dict[Values, set[int]] = {}
        for values, masks in reached.items():
            last = wanted if step == steps - 1 else None
            for after, load in followers(values, links, ordered, last):
                shifted = load << step * len(links)
                following.setdefault(after, set()).update(mask | shifted for mask in masks)
        reached = {values: least_plans(masks) for values, masks in following.items()}
    return least_plans(mask for masks in reached.values() for mask in masks)


def least_rounds(
    task: str, nodes: int, links: Links, chunks: int, steps: int, root: int = 0, ordered: bool = False
) -> int | None:
    """The least rounds in which so many chunks pass over links of bandwidth 1; None when they never do."""
    units: list[list[int]] = {
        "reduce": [[root]],
        "allreduce": [list(range(nodes))],
        "reduce-scatter": [[v] for v in range(nodes)],
    }[task]
    choices = [
        plans(nodes, tuple(links), steps, frozenset(unit), ordered) for unit in units for _ in range(chunks)
    ]
    if not all(choices):
        return None
    width = len(links)
    if len(choices) == 2:
        steps_bits = [((1 << width) - 1) << step * width for step in range(steps)]
        return min(
            steps + sum(bool(one & other & bits) for bits in steps_bits) for one, other in product(*choices)
        )
    loads = {(0,) * (steps * len(links))}
    for masks in choices:
        loads = {
            tuple(count + (mask >> place & 1) for place, count in enumerate(load))
            for load in loads
            for mask in masks
        }
    return min(
        sum(max(1, *load[step * width : (step + 1) * width]) for step in range(steps)) for load in loads
    )
