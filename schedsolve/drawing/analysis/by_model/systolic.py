"""The effects of a schedule's period: the strip of a node's calls, collisions and crossings on a path.

Along a path x_1, ..., x_n, one-way and with period k, let X be a time-path from x_1 to x_n, crossing
edge i (between x_i and x_{i+1}) in round t_i, and Y one from x_n to x_1, crossing it in round t'_i.
Let D_i = t_i - t'_i; the weight of x_m is the number of multiples of k between D_{m-1} and D_m. With
total weight w, X or Y takes at least n - 1 + w rounds. Proof:

1. D_i is not a multiple of k, since the two directions of an edge have no slot of the period in
   common.
2. From edge m-1 to edge m it grows by 2 plus the delays of X and Y at x_m.
3. The delays at x_m sum to at least twice the weight. Weight 1: a growth of 2 or 3 across a multiple
   of k puts two calls of x_m into one slot; so the growth is 4 or more. Weight w > 1: the growth is
   at least (w-1)k + 2, and k >= 4, since the four directions at x_m have no slot in common; so the
   delays sum to at least 4(w-1) >= 2w.
4. Hence the delays of X and Y sum to at least twice the total weight, and those of one of them to at
   least the total weight.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Definition 3.4 (collisions). In
the proof of Lemma 3.5 the weights take the place of the collisions, because a node can cross
multiples of the period without a collision of that definition.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from schedsolve.drawing.analysis.analysis import Analysis, Cell, Table, TimePath
from schedsolve.drawing.analysis.by_model.matching import analyse as analyse_matching
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Schedule
from schedsolve.models.systolic.patterns import patterns_of
from schedsolve.network.graph import Label, Network
from schedsolve.network.named.trees import is_path, order_from, path_order
from schedsolve.runtime.errors import counted

CAUSED = {"i": (1, 1), "ii": (1, 1), "iii": (2, 0), "iv": (0, 2)}


def analyse(problem: Problem, schedule: Schedule) -> Analysis:
    """Return the time-paths of a legal schedule, and what its period adds.

    That is the strip of every node's calls, on trees the communication patterns, and for one-way gossip on a
    path collisions and crossings. The period is the problem's parameter "period", or the schedule's if that
    is left open; without a period nothing is added.

    Raises
    ------
    ValueError
        If the source or root is left open.
    """
    analysis = analyse_matching(problem, schedule)
    period = problem.parameters.get("period")
    if not isinstance(period, int):
        period = schedule.period
    if period is None:
        return analysis
    notes = [_strip_table(problem.network, schedule, period)]
    order = path_order(problem.network) if is_path(problem.network) else None
    if order is None and problem.network.is_tree:
        notes.append(_pattern_table(problem, schedule, period))
    one_way = not any(call.two_way for calls in schedule.rounds for call in calls)
    if order is not None and len(order) > 1 and one_way and problem.task == "gossip":
        notes += _path_tables(analysis, path_directions(order, schedule, period))
    return replace(analysis, notes=(*analysis.notes, *notes))


def period_strip(network: Network, schedule: Schedule, period: int) -> list[tuple[Label, tuple[str, ...]]]:
    """Return for every node its label and what it does in each slot of the period.

    If there are fewer rounds than slots, the strip has a cell for every round. ">5" sends to the node
    labelled 5, "<3" receives from 3, "=4" calls 4 two-way, "." is idle.
    """
    slots = min(period, len(schedule.rounds))
    strip = [["."] * slots for _ in range(network.node_count)]
    for slot, calls in enumerate(schedule.rounds[:slots]):
        for sender, receiver, two_way, *_ in calls:
            strip[sender][slot] = f"{'=' if two_way else '>'}{network.labels[receiver]}"
            strip[receiver][slot] = f"{'=' if two_way else '<'}{network.labels[sender]}"
    return [(label, tuple(cells)) for label, cells in zip(network.labels, strip, strict=True)]


@dataclass(frozen=True)
class Directions:
    """The X- and Y-direction of a periodic one-way schedule on a path (Definition 3.4).

    `nodes` are x_1, ..., x_n in order, and `period` is the number k of slots, numbered from 1.
    `forward` holds S_1, ..., S_{n-1}, S_i the slots in which x_i calls x_{i+1}; `backward` holds Q_1,
    ..., Q_{n-1}, Q_i the slots in which x_{i+1} calls x_i.
    """

    nodes: tuple[int, ...]
    period: int
    forward: tuple[frozenset[int], ...]
    backward: tuple[frozenset[int], ...]


def path_directions(order: Sequence[int], schedule: Schedule, period: int) -> Directions:
    """Return the directions of a one-way schedule whose first `period` rounds repeat, on the path `order`."""
    rounds = list(enumerate(schedule.rounds[:period], 1))

    def slots(sender: int, receiver: int) -> frozenset[int]:
        return frozenset(slot for slot, calls in rounds if Call(sender, receiver) in calls)

    edges = list(pairwise(order))
    return Directions(
        tuple(order), period, tuple(slots(u, v) for u, v in edges), tuple(slots(v, u) for u, v in edges)
    )


def next_slot(slots: Iterable[int], after: int, period: int) -> int | None:
    """Return next_q of Definition 3.4: the first moment after slot q = `after` that is one of the slots.

    Moments of the next period continue the count, so the result is in q+1..q+period; None if there
    are no slots.
    """
    return min((slot if slot > after else slot + period for slot in slots), default=None)


@dataclass(frozen=True)
class Collision:
    """An i-collision in an inner node of a path (Definition 3.4).

    `slot` is the i, from 1, and `case` is "i", "ii", "iii" or "iv".
    """

    node: int
    slot: int
    case: str

    @property
    def forward_delay(self) -> int:
        """The least delay in rounds that the collision causes on the X-direction."""
        return CAUSED[self.case][0]

    @property
    def backward_delay(self) -> int:
        """The least delay in rounds that the collision causes on the Y-direction."""
        return CAUSED[self.case][1]


def collisions(directions: Directions) -> tuple[Collision, ...]:
    """Return all collisions of the two directions, by inner node in order, then by slot."""
    forward, backward = directions.forward, directions.backward
    found = []
    for m, node in enumerate(directions.nodes[1:-1], 1):
        for slot in sorted(forward[m - 1] | backward[m]):
            case = _case(directions, m, slot)
            if case:
                found.append(Collision(node, slot, case))
    return tuple(found)


def _case(directions: Directions, m: int, slot: int) -> str | None:
    """Return the case of Definition 3.4 that makes a collision in `nodes[m]` at a slot in which it is called.

    None if there is no collision.
    """
    k, forward, backward = directions.period, directions.forward, directions.backward
    x_in, x_out = next_slot(forward[m - 1], slot, k), next_slot(forward[m], slot, k)
    y_in, y_out = next_slot(backward[m], slot, k), next_slot(backward[m - 1], slot, k)
    if x_in is None or x_out is None or y_in is None or y_out is None:
        return None
    if slot in forward[m - 1]:
        return "i" if y_in < x_out < y_out else "iii" if y_in < y_out < x_out else None
    return "ii" if x_in < y_out < x_out else "iv" if x_in < x_out < y_out else None


def conflicts(directions: Directions, forward: TimePath, backward: TimePath) -> tuple[Collision, ...]:
    """Return the collisions that are conflicts between a time-path X from end to end and one Y back.

    An i-collision in x_m is a conflict if after some round i + 1 (mod k), counted from any period
    each, X has reached x_m and not left it, and so has Y. (The definition's formula has one round
    more than its explanation, and would not make case (i) of Figure 1 a conflict.)
    """
    place = {node: m for m, node in enumerate(directions.nodes)}
    back = backward.rounds[::-1]

    def meets(reached: int, left: int, moment: int) -> bool:
        return (left - 1 - moment) // directions.period > (reached - 1 - moment) // directions.period

    def is_conflict(collision: Collision) -> bool:
        m, moment = place[collision.node], collision.slot + 1
        return meets(forward.rounds[m - 1], forward.rounds[m], moment) and meets(back[m], back[m - 1], moment)

    return tuple(filter(is_conflict, collisions(directions)))


@dataclass(frozen=True)
class Crossing:
    """What happens at an inner node x_m between the time-paths X and Y from one end of a path to the other.

    `before` and `after` are D_{m-1} and D_m, in rounds, and `weight` is the number of multiples of
    the period between them. `forward_delay` and `backward_delay` are the delays of X and Y at the
    node, in rounds; they sum to after - before - 2, and to at least twice the weight (steps 2 and 3
    of the proof above).
    """

    node: int
    before: int
    after: int
    weight: int
    forward_delay: int
    backward_delay: int


def crossings(forward: TimePath, backward: TimePath, period: int) -> tuple[Crossing, ...]:
    """Return the crossings at the inner nodes of a path, in the order of X.

    `forward` and `backward` are any time-paths X and Y of a one-way schedule with this period,
    between the same two ends, in opposite directions.
    """
    back = backward.rounds[::-1]
    differences = [there - here for there, here in zip(forward.rounds, back, strict=True)]
    delays = zip(forward.delays, backward.delays[::-1], strict=True)
    return tuple(
        Crossing(node, before, after, (after - 1) // period - before // period, *delay)
        for node, (before, after), delay in zip(
            forward.nodes[1:-1], pairwise(differences), delays, strict=True
        )
    )


def _strip_table(network: Network, schedule: Schedule, period: int) -> Table:
    strip = period_strip(network, schedule, period)
    two_way = any(call.two_way for calls in schedule.rounds for call in calls)
    signs = "=v: calls v, both ways" if two_way else ">v: sends to v; <v: receives from v"
    header = ("node", *(str(slot) for slot in range(1, len(strip[0][1]) + 1)))
    return Table(
        f"calls of every node in the slots of the period {period}",
        header,
        _rows(strip),
        (f"{signs}; .: idle",),
        name="strip",
    )


def _pattern_table(problem: Problem, schedule: Schedule, period: int) -> Table:
    network = problem.network
    root = 0 if problem.task == "gossip" else problem.sources[0]
    order, parent = order_from(network, root)
    children = [[w for w in near if w != parent[v]] for v, near in enumerate(network.successors)]
    two_way = any(call.two_way for calls in schedule.rounds for call in calls)
    period_rounds = [[(call.sender, call.receiver) for call in calls] for calls in schedule.rounds[:period]]
    patterns = patterns_of(period_rounds, parent, children, two_way)
    strip = [(network.labels[v], tuple(map(str, patterns[v].letters))) for v in order]
    header = ("node", *(str(slot) for slot in range(1, len(period_rounds) + 1)))
    ways = "" if two_way else "; ^: call towards the root; _: call towards the leaves"
    remark = f"P: parent; C1, C2, ...: children in the order of the nodes; N: nobody{ways}"
    return Table(
        f"communication patterns of the tree with root {network.labels[root]}",
        header,
        _rows(strip),
        (remark,),
        name="patterns",
    )


def _rows(strip: Iterable[tuple[Label, tuple[str, ...]]]) -> tuple[tuple[Cell, ...], ...]:
    return tuple((label, *cells) for label, cells in strip)


def _path_tables(analysis: Analysis, directions: Directions) -> list[Table]:
    labels, first, last = analysis.problem.network.labels, directions.nodes[0], directions.nodes[-1]
    forward, backward = analysis.spreads[first].path(last), analysis.spreads[last].path(first)
    ends = f"X: from {labels[first]} to {labels[last]}, Y: back"
    tables = [_edge_table(directions, labels, forward, backward, ends)]
    found = collisions(directions)
    if len(directions.nodes) > 2:
        met = conflicts(directions, forward, backward) if forward and backward else ()
        tables.append(_collision_table(found, met, labels))
    if forward is not None and backward is not None:
        tables.append(_crossing_table(directions, labels, forward, backward, found))
    return tables


def _edge_table(
    directions: Directions,
    labels: tuple[Label, ...],
    forward: TimePath | None,
    backward: TimePath | None,
    ends: str,
) -> Table:
    def text(slots: Iterable[int]) -> str:
        return ",".join(map(str, sorted(slots))) or "-"

    rows: list[tuple[Cell, ...]] = []
    for i, (u, v) in enumerate(pairwise(directions.nodes)):
        there: Cell = forward.rounds[i] if forward else "-"
        back: Cell = backward.rounds[-1 - i] if backward else "-"
        difference = there - back if isinstance(there, int) and isinstance(back, int) else "-"
        rows.append(
            (
                f"{labels[u]}-{labels[v]}",
                text(directions.forward[i]),
                text(directions.backward[i]),
                there,
                back,
                difference,
            )
        )
    header = ("edge", "X slots", "Y slots", "X round", "Y round", "difference D")
    return Table(f"the two directions of the path ({ends})", header, tuple(rows), name="directions")


def _collision_table(
    found: Iterable[Collision], met: Iterable[Collision], labels: tuple[Label, ...]
) -> Table:
    rows: list[tuple[Cell, ...]] = [
        (
            labels[c.node],
            c.slot,
            f"({c.case})",
            c.forward_delay,
            c.backward_delay,
            "yes" if c in met else "no",
        )
        for c in found
    ]
    header = ("node", "slot", "case", "delay of X", "delay of Y", "conflict")
    return Table(
        "collisions of the two directions (Definition 3.4), the delays they cause on them at least, and"
        " whether X and Y meet there",
        header,
        tuple(rows),
        () if rows else ("no collision",),
        name="collisions",
    )


def _crossing_table(
    directions: Directions,
    labels: tuple[Label, ...],
    forward: TimePath,
    backward: TimePath,
    found: Iterable[Collision],
) -> Table:
    k, edges = directions.period, len(directions.nodes) - 1
    crossed = crossings(forward, backward, k)
    colliding = [c.node for c in found]
    rows: list[tuple[Cell, ...]] = [
        (
            labels[c.node],
            c.before,
            c.after,
            c.weight,
            c.forward_delay,
            c.backward_delay,
            colliding.count(c.node),
        )
        for c in crossed
    ]
    weight = sum(c.weight for c in crossed)
    taken = f"X takes {forward.global_time}, Y takes {backward.global_time}"
    remark = f"this protocol crosses {counted(weight, 'multiple')} of the period {k}"
    remarks = (
        f"{remark}, so it takes at least {edges} + {weight} = {counted(edges + weight, 'round')} ({taken})",
    )
    header = ("node", "D before", "D after", "weight", "delay of X", "delay of Y", "collisions")
    title = (
        f"multiples of the period {k} that the difference D crosses at every inner node (weight); the delays"
        " are at least twice that"
    )
    return Table(title, header, tuple(rows), remarks, name="crossings")
