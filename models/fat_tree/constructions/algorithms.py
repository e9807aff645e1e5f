"""The algorithms of the fat-tree by name: where each applies, and the schedules it builds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from time import process_time as clock

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.modelkit.search import Algorithm, Effort
from schedsolve.runtime.errors import InputError

from ..rules import Operands, replay
from ..rules.tree import FatTree, in_rounds, meeting_height, tree_of
from .associative import Planned, in_order_of_sending, moved_to, prefix_plan, product_plan
from .broadcasts import (
    Protocol,
    broadcast,
    copies,
    in_parallel,
    only_first_messages,
    sparse_broadcast,
    without_conflicts,
)
from .crossed_tiles import LEADERS, MOST_DEPTHS, CrossedTiles
from .group_plans import group_plan, tile_messages
from .height_beam import beamed_rounds
from .textbook import Step, chain, planned_steps, sweeps

LARGEST_CROSSED = 4096
"""The most processors for which the crossed tiles are placed within seconds."""
Planner = Callable[[FatTree], list[tuple[int, Protocol]]]
"""Parts of a broadcast from processor 0, one after the other, each with the time between its steps.

With 0 each step waits until the messages of the step before have arrived, as every part does for the
part before it.
"""


def _plan(
    tree: FatTree, parts: Sequence[tuple[int, Protocol]], source: int, *, raw: bool, rounds: bool
) -> list[Planned]:
    """Return the messages with their times, moved to the source.

    With `raw` messages to processors that hold the message already are kept; with `rounds` a message has
    arrived when its round is over.
    """
    plan: list[Planned] = []
    informed_by: dict[int, int] = {}
    begin = 0
    if raw and rounds:
        parts = [
            (gap, [sends for step in protocol for sends in without_conflicts(step)])
            for gap, protocol in parts
        ]
    lengths = [len(protocol) for _, protocol in parts]
    steps = [step for _, protocol in parts for step in protocol]
    kept = steps if raw else only_first_messages(steps, 0)
    for (gap, _), length in zip(parts, lengths, strict=True):
        end = begin
        for step, sends in enumerate(kept[:length]):
            start = begin + gap * step if gap else end
            over = start + 2 * max((meeting_height(u, v) for u, v in sends), default=0)
            for u, v in sends:
                needs = (informed_by[u],) if u in informed_by else ()
                plan.append(
                    Planned(
                        u ^ source,
                        v ^ source,
                        start,
                        over if rounds else start + 2 * meeting_height(u, v),
                        (),
                        needs,
                    )
                )
                informed_by.setdefault(v, len(plan) - 1)
            end = max(end, over)
        kept, begin = kept[length:], end
    return plan


def _algorithm_1(tree: FatTree) -> list[tuple[int, Protocol]]:
    return [(0, broadcast(tree, 0, tree.height))]


def _pipelined(tree: FatTree) -> list[tuple[int, Protocol]]:
    """Return the variant of section 3.3, in which the copies of a sparse broadcast are sent on in a pipeline.

    Every copy is sent, one step after the other, to equally spaced leaves of its subtree. They are one less
    than the largest power of two that is at most the height of the subtree (at least 1), the farthest
    first; then each subtree that holds a copy in its first leaf continues with a sparse broadcast.
    """
    parts: list[tuple[int, Protocol]] = []
    height, firsts = tree.height, [0]
    while height:
        k = copies(tree, height)
        parts.append((0, in_parallel([sparse_broadcast(tree, first, height) for first in firsts])))
        firsts = [first + (i << (height - k)) for first in firsts for i in range(1 << k)]
        height -= k
        q = min(height, max(1, height.bit_length() - 1))
        leaves = [i << (height - q) for i in reversed(range(1, 1 << q))]
        parts.append((1, [[(first, first + leaf) for first in firsts] for leaf in leaves]))
        firsts = [first + (i << (height - q)) for first in firsts for i in range(1 << q)]
        height -= q
    return parts


def as_early_as_possible(tree: FatTree, plan: Sequence[Planned]) -> list[Planned]:
    """Return the messages of a plan at the earliest times, one after the other.

    Each is sent when the messages that it needs have arrived and no channel on its way is full.
    """
    load: Counter[tuple[int, int, int]] = Counter()
    done: list[Planned] = []
    for m in plan:
        height = meeting_height(m.sender, m.receiver)
        start = max((done[number].arrival for number in m.needs), default=0)
        while True:
            places = [((~m.sender, 0, start), 1), ((~m.receiver, -1, start + 2 * height), 1)]
            for j in range(height):
                places.append(((m.sender >> j, 2 * j + 1, start), tree.capacities[j]))
                places.append(((m.receiver >> j, 2 * j + 2, start + 2 * height), tree.capacities[j]))
            if all(load[place] < capacity for place, capacity in places):
                break
            start += 1
        load.update(place for place, _ in places)
        done.append(m._replace(start=start, arrival=start + 2 * height))
    return done


def _for_task(problem: Problem, parts: Sequence[tuple[int, Protocol]], *, raw: bool) -> list[Planned]:
    """Return the plan of the problem's task; raise InputError if the order of operands is not kept."""
    tree, rounds = tree_of(problem), in_rounds(problem)
    source = 0 if problem.task == "prefix" else problem.sources[0]
    plan = _plan(tree, parts, source, raw=raw, rounds=rounds)
    if problem.task == "broadcast":
        return plan
    product = product_plan(plan, tree.processors, source)
    return product if problem.task == "product" else prefix_plan(product)


def _schedule(problem: Problem, plan: Sequence[Planned]) -> Schedule:
    if not in_rounds(problem):
        return Schedule(
            messages=tuple(Message(m.sender, m.receiver, m.start, Operands(m.operands)) for m in plan)
        )
    rounds: dict[int, list[Call]] = {}
    for m in plan:
        rounds.setdefault(m.start, []).append(Call(m.sender, m.receiver, payload=Operands(m.operands)))
    return Schedule(tuple(tuple(rounds[start]) for start in sorted(rounds)))


def _build(planner: Planner, *, eager: bool) -> Callable[[Problem, Effort], Schedule]:
    """Return the function that builds an algorithm's schedule for a problem.

    Idle messages of the broadcast are left out, unless the order of operands requires them.
    """

    def build(problem: Problem, _: Effort) -> Schedule:
        tree = tree_of(problem)
        parts = planner(tree)
        refusal = ""
        for raw in (False,) if problem.task == "broadcast" else (False, True):
            try:
                plan = _for_task(problem, parts, raw=raw)
            except InputError as error:
                refusal = str(error)
                continue
            schedule = _schedule(problem, as_early_as_possible(tree, plan) if eager else plan)
            refusal = replay(problem, schedule).violation or ""
            if not refusal:
                return schedule
        raise InputError(refusal)

    return build


def _height_beam(problem: Problem, effort: Effort) -> Schedule:
    source = problem.sources[0]
    rounds = beamed_rounds(tree_of(problem), effort.seconds, effort.seed)
    return Schedule(tuple(tuple(Call(u ^ source, v ^ source) for u, v in sends) for sends in rounds))


def _always(_: Problem) -> None:
    return None


def _not_by_the_clock(problem: Problem) -> str | None:
    return "it is for --timing clock" if in_rounds(problem) else None


def _not_in_rounds(problem: Problem) -> str | None:
    return None if in_rounds(problem) else "it is for --timing rounds"


def _not_crossed(problem: Problem) -> str | None:
    if problem.network.node_count > 2 * LARGEST_CROSSED:
        return f"it is for at most {LARGEST_CROSSED} processors"
    return _not_by_the_clock(problem)


def _tiles(problem: Problem, _: Effort, *, eager: bool = False) -> Schedule:
    """Return the schedule of the program of tiles.

    Its reversal keeps the order of operands, because a tile is a run of them.
    """
    tree, source = tree_of(problem), 0 if problem.task == "prefix" else problem.sources[0]
    plan = moved_to(tile_messages(tree), source)
    if problem.task != "broadcast":
        plan = product_plan(plan, tree.processors, source)
    if problem.task == "prefix":
        plan = prefix_plan(plan)
    return _schedule(problem, as_early_as_possible(tree, in_order_of_sending(plan)) if eager else plan)


def _textbook(
    steps: Callable[[FatTree, int | None], Iterator[Step]],
) -> Callable[[Problem, Effort], Schedule]:
    """Return the function that builds a schedule of steps, by the clock each message as early as possible."""

    def build(problem: Problem, _: Effort) -> Schedule:
        tree = tree_of(problem)
        plan = planned_steps(steps(tree, None if problem.task == "prefix" else problem.sources[0]))
        return _schedule(problem, plan if in_rounds(problem) else as_early_as_possible(tree, plan))

    return build


def _crossed_tiles(problem: Problem, effort: Effort) -> Schedule:
    """Return the best prefix by crossed tiles over leaders and depths in turn, from the seed on."""
    tree, end = tree_of(problem), clock() + effort.seconds
    best: list[Planned] = []

    def fills(height: int) -> Sequence[Planned]:
        return tile_messages(FatTree(height, tree.capacities[: height + 1]))

    for attempt in range(len(LEADERS) * MOST_DEPTHS):
        depth, leader = divmod(effort.seed + attempt, len(LEADERS))
        plan = CrossedTiles(tree, fills, LEADERS[leader], depth % MOST_DEPTHS).run()
        placed = as_early_as_possible(tree, plan)
        best = min(best or placed, placed, key=lambda messages: max(m.arrival for m in messages))
        if clock() >= end:
            break
    return _schedule(problem, best)


def _groups(problem: Problem, effort: Effort, *, teams: bool = False) -> Schedule:
    plan = group_plan(problem, effort.seconds, teams=teams)
    schedule = _schedule(problem, plan)
    if replay(problem, schedule).violation:
        schedule = _schedule(problem, as_early_as_possible(tree_of(problem), plan))
    return schedule


TASKS = frozenset({"broadcast", "product", "prefix"})
ALGORITHMS = (
    Algorithm(
        "algorithm-1",
        "Algorithms 1 and 2, with copies rounded to powers of two",
        TASKS,
        _always,
        _build(_algorithm_1, eager=False),
    ),
    Algorithm(
        "pipelined",
        "section 3.3: copies sent one after the other",
        TASKS,
        _not_by_the_clock,
        _build(_pipelined, eager=False),
    ),
    Algorithm(
        "eager-algorithm-1",
        "the messages of Algorithm 1, each as early as it can be sent",
        TASKS,
        _not_by_the_clock,
        _build(_algorithm_1, eager=True),
    ),
    Algorithm(
        "eager-pipelined",
        "the messages of section 3.3, each as early as it can be sent",
        TASKS,
        _not_by_the_clock,
        _build(_pipelined, eager=True),
    ),
    Algorithm(
        "chain",
        "folklore: products passed on from neighbour to neighbour",
        frozenset({"product", "prefix"}),
        _always,
        _textbook(chain),
    ),
    Algorithm(
        "brent-kung",
        "Brent, Kung (1982): up over blocks of 2, 4, ..., and for a prefix down again",
        frozenset({"product", "prefix"}),
        _always,
        _textbook(sweeps),
    ),
    Algorithm(
        "tiles",
        "every receiver fills a tile alone, by the best slots for the heights",
        TASKS,
        _not_by_the_clock,
        _tiles,
    ),
    Algorithm(
        "overlapped-tiles",
        "product and broadcast by tiles, each message as early as it can be sent",
        frozenset({"prefix"}),
        _not_by_the_clock,
        partial(_tiles, eager=True),
    ),
    Algorithm(
        "crossed-tiles",
        "every first half brought to its second half, in parts and by tiles",
        frozenset({"prefix"}),
        _not_crossed,
        _crossed_tiles,
        thorough=True,
    ),
    Algorithm(
        "groups",
        "tiles filled by groups of copies, small ones by exact search",
        frozenset({"broadcast"}),
        _not_by_the_clock,
        _groups,
        thorough=True,
    ),
    Algorithm(
        "teams",
        "groups that send while they copy themselves, by a model for every height",
        frozenset({"broadcast"}),
        _not_by_the_clock,
        partial(_groups, teams=True),
        thorough=True,
        patient=True,
    ),
    Algorithm(
        "height-beam",
        "the best round of every height, by a beam over their sequences",
        frozenset({"broadcast"}),
        _not_in_rounds,
        _height_beam,
        thorough=True,
    ),
)
