"""A pipelined schedule cut into chunks that cross the network one by one, each as soon as it is there.

Chunks are dealt to the trees, or to the ways of a flow, by their weights; each is a message of its own on
every hop. Which of the chunks that could leave over a link leaves first is decided by simulation (list
scheduling: Graham, 1969): an early chunk before a late one, and of two chunks the one with more hops behind
this one. Without steps that all wait for, the time tends to the optimum with far fewer chunks than in steps.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from math import inf, lcm
from time import process_time

from schedsolve.machines.movement.link_clock import Message, Run, run
from schedsolve.machines.movement.movement import Cut, TooManyMessagesError
from schedsolve.machines.streams.planes import in_turns, merged
from schedsolve.machines.streams.rounding import rounded
from schedsolve.machines.streams.shallow import MOST_COMPARED, MOST_FOR_BATCHES, shallower
from schedsolve.machines.streams.steps import Route, Steps, dealt, routes_of
from schedsolve.modelkit.problem import Problem
from schedsolve.models.pipelined.rules.demand import Link
from schedsolve.models.pipelined.rules.schedule import Path, PipelinedSchedule, WeightedTree
from schedsolve.models.synchronous.rules.steps import Send, Step
from schedsolve.network.bandwidths import rounds_needed
from schedsolve.network.graph import Network
from schedsolve.runtime.limits.timeout import timeout

MOST_CHUNKS = 2000
"""Of a unit, unless their number is given."""
NEAR = Fraction(103, 100)
"""Times the optimum: more chunks are not tried when this is reached."""
GAIN = Fraction(995, 1000)
"""Times the seconds with half of the chunks, or before a pass, that one more has to reach."""
MOST_TIMES = 3
"""As many sends as asked for are taken when the number of chunks is given; beyond them few come first."""
USUAL_LATENCY = Fraction(1, 5000)
"""Times the optimum, where the latency is not known: the order is found for it, and numbers of chunks are
compared by the longer of the times with it and without.
"""
MOST_AS_THEY_ARE = 4000
"""Sends, with which trees are tried as they are."""
FIRST_TRIED = 60
"""Chunks a unit to begin with, where the weights' common denominator is beyond `MOST_CHUNKS`."""
URGENCIES = (2, 64)
"""How many chunks a chunk may overtake for a hop that it has more to go."""
MOST_PASSES = 5
"""So often each order is improved from both ends, until one comes `NEAR`, as long as it gains (`GAIN`)."""
MOST_SIMULATED, LEAST_RUNS = 1_200_000, 3
"""Messages, in all runs, to find a number of chunks and their order; another number is tried if so many runs
of its messages are left.
"""
MOST_SECONDS = 14.0
"""Of computing, after which what was found with fewer chunks is taken; half of it for one number of them."""


@dataclass(frozen=True)
class Streams:
    """A schedule cut into chunks.

    Attributes
    ----------
    chunks
        Of a unit.
    steps
        The sends in order, in each step those that wait for none of the same step, and the rounds of a step.
    seconds
        When the last chunk arrives, for a unit of size 1.
    simulated
        The messages of all runs by which the order was found.
    """

    chunks: int
    steps: Steps
    seconds: Fraction
    simulated: int


def in_streams(problem: Problem, schedule: PipelinedSchedule, cut: Cut) -> Streams:
    """Return the schedule in chunks.

    Parameters
    ----------
    problem
        The problem.
    schedule
        Without symmetries.
    cut
        Its number of chunks is taken; where it has none, multiples of the weights' common denominator are
        tried, each twice the one before or more, until `NEAR` is reached or `GAIN` is not, or, with
        latency, will hardly be, or there would be more chunks than `MOST_CHUNKS` or more sends than it lets
        be, or `MOST_SECONDS` are over. The first of them may have more.

    Trees are made shallower first, unless they keep every link busy as they are, or, where these would be too
    many sends, stand for those in other planes of switches.
    """
    start = process_time()
    units, count, found = _prepared(problem, schedule, cut)
    if found is not None:
        return found
    if cut.chunks is not None:
        return _cut(problem.network, units, cut.chunks, schedule.time, cut.latency)
    whole = count
    most = min(MOST_CHUNKS, count * (cut.most_transfers // _sends(units, count)))
    best: Streams | None = None
    left = MOST_SIMULATED
    while best is None or best.chunks < count <= most:
        runs = left // _sends(units, count)
        if best is not None and runs < LEAST_RUNS:
            break
        runs = runs if count == most else max(LEAST_RUNS, runs // 3)
        rest = inf if best is None else start + MOST_SECONDS - process_time()
        found = None
        with timeout(rest, of_processor=True):
            found = _cut(problem.network, units, count, schedule.time, cut.latency, runs)
        if found is None:
            break
        left -= found.simulated
        if best is not None and found.seconds > GAIN * best.seconds:
            break
        before, best = best, found
        if best.seconds <= NEAR * schedule.time or (cut.latency and before and _hardly_more(before, best)):
            break
        # What is above the optimum is about halved with twice as many chunks.
        above = (best.seconds / schedule.time - 1) / (NEAR - 1)
        count = min((4 if above > 4 else 2) * count, most - most % whole)
    return best


def _hardly_more(before: Streams, best: Streams) -> bool:
    """Whether any number of chunks would gain little, if what chunks cost is inverse to their number."""
    times = Fraction(best.chunks, before.chunks)
    return before.seconds - best.seconds < (times - 1) * (1 - GAIN) * best.seconds


def in_levels(problem: Problem, schedule: PipelinedSchedule, cut: Cut) -> tuple[int, Steps]:
    """Return in how many chunks, and their sends, each in the first step in which its data are there.

    Parameters
    ----------
    problem
        The problem.
    schedule
        Without symmetries.
    cut
        Its number of chunks is taken; where it has none, the weights' common denominator, or `FIRST_TRIED`.
        The trees are those of `in_streams`.
    """
    units, count, found = _prepared(problem, schedule, cut)
    if found is not None:
        return found.chunks, found.steps
    chunks = _chunks_of(problem.network, units, cut.chunks or count)
    level = [1] * len(chunks.messages)
    levels: dict[int, list[int]] = defaultdict(list)
    for number, message in enumerate(chunks.messages):
        level[number] += max((level[other] for other in message.after), default=0)
        levels[level[number]].append(number)
    return cut.chunks or count, _in_steps(problem.network, chunks.sends, levels)


def _prepared(
    problem: Problem, schedule: PipelinedSchedule, cut: Cut
) -> tuple[dict[int, list[Route]], int, Streams | None]:
    """Return the routes, the least number of chunks, and streams where the trees are best as they are."""
    units = routes_of(problem, schedule)
    if cut.chunks is not None:
        _refuse(units, cut.chunks, cut.most_transfers)
    whole = _whole(units)
    count = whole if whole <= MOST_CHUNKS else FIRST_TRIED
    if cut.chunks is None and _sends(units, count) > cut.most_transfers:
        few = merged(problem.network, units)
        if _whole(few) < count:
            return few, _whole(few), None
        if _sends(units, count) > MOST_TIMES * cut.most_transfers:
            count = max(1, cut.most_transfers // (2 * _sends(units, 1)))
    if schedule.trees and not problem.parameters.get("ordered"):
        first = cut.chunks or count
        if _sends(units, first) <= MOST_AS_THEY_ARE:
            found = _cut(problem.network, units, first, schedule.time, cut.latency)
            if GAIN * found.seconds <= schedule.time:
                return units, count, found
        most = MOST_FOR_BATCHES if cut.in_batches else MOST_COMPARED
        units = routes_of(problem, replace(schedule, trees=_shallower(schedule.trees, most)))
    return units, count, None


def _whole(units: Mapping[int, Sequence[Route]]) -> int:
    """Return the common denominator of the weights."""
    return lcm(*(route.weight.denominator for routes in units.values() for route in routes))


@lru_cache(maxsize=4)
def _shallower(trees: tuple[WeightedTree[int], ...], most: int) -> tuple[WeightedTree[int], ...]:
    """Return shallower trees; the same ones for another number of chunks."""
    return shallower(trees, most)


def _refuse(units: Mapping[int, Sequence[Route]], chunks: int, most: int) -> None:
    """Raise TooManyMessagesError for chunks with far more sends than asked for."""
    sends = _sends(units, chunks)
    if sends > MOST_TIMES * most:
        raise TooManyMessagesError(
            f"{chunks} chunks make {sends} messages, which take too long", max(1, chunks * most // sends)
        )


def _sends(units: Mapping[int, Sequence[Route]], chunks: int) -> int:
    """Return about how many sends there are with so many chunks a unit."""
    return int(sum(route.weight * chunks * len(route.sends) for routes in units.values() for route in routes))


@dataclass(frozen=True)
class _Chunks:
    """The sends of all chunks.

    Attributes
    ----------
    sends
        The path of each, its chunk, and whether it is added.
    messages
        The same as what waits for what.
    places
        Of each, the place of its chunk in the unit.
    left
        Of each, the most hops that follow each other from it on.
    """

    sends: Sequence[tuple[Path, int, bool]]
    messages: Sequence[Message]
    places: Sequence[int]
    left: Sequence[int]


def _chunks_of(network: Network, units: Mapping[int, Sequence[Route]], chunks: int) -> _Chunks:
    """Return the sends of so many chunks a unit, dealt to the routes by their weights."""
    sends: list[tuple[Path, int, bool]] = []
    messages: list[Message] = []
    places: list[int] = []
    left: list[int] = []
    loose: list[int] = []
    for unit, routes in rounded(network, units, chunks).items():
        behind = {id(route): _hops_behind(route) for route in routes}
        after = {id(route): _brought_by(route) for route in routes}
        for place, route in enumerate(dealt(routes, chunks)):
            first = len(messages)
            loose += range(first, first + len(route.sends)) if route.any_plane else ()
            for (_, path, adds), hops, waits in zip(
                route.sends, behind[id(route)], after[id(route)], strict=True
            ):
                sends.append((path, unit * chunks + place, adds))
                messages.append(Message(path, 1, tuple(first + one for one in waits)))
                places.append(place)
                left.append(hops)
    for number, (path, turn) in in_turns(network, sends, loose).items():
        sends[number] = (path, *sends[number][1:])
        messages[number] = messages[number]._replace(path=path)
        places[number] = turn
    return _Chunks(sends, messages, places, left)


def _cut(
    network: Network,
    units: Mapping[int, Sequence[Route]],
    count: int,
    time: Fraction,
    latency: Fraction | None,
    runs: int | None = None,
) -> Streams:
    """Return the streams with so many chunks, in the best order found in so many runs."""
    chunks = _chunks_of(network, units, count)
    per_chunk = {link: 1 / (count * Fraction(b)) for link, b in network.bandwidth_of.items()}
    if runs is None:
        runs = MOST_SIMULATED // max(1, len(chunks.messages))
    seconds, order, taken = _best_order(chunks, per_chunk, time, latency, runs)
    steps = _in_order(network, chunks.sends, chunks.messages, order)
    return Streams(count, steps, seconds, taken * len(chunks.messages))


def _best_order(
    chunks: _Chunks,
    per_chunk: Mapping[Link, Fraction],
    time: Fraction,
    latency: Fraction | None,
    runs: int,
) -> tuple[Fraction, Sequence[int], int]:
    """Return when all has arrived by the best of some orders, this order, and how many runs found it.

    The orders by one urgency and another, the better one first, are improved from both ends: what arrives
    late leaves late in a run backwards, by which what has to leave early does so in a run forwards
    (forward-backward improvement: Li and Willis, 1992).
    """
    messages = chunks.messages
    reckoned = USUAL_LATENCY * time if latency is None else latency
    tried: list[Run] = []
    for urgency in URGENCIES:
        if not tried or (tried[0].seconds > time and len(tried) < runs):
            priority = [
                place - urgency * hops for place, hops in zip(chunks.places, chunks.left, strict=True)
            ]
            tried.append(run(messages, per_chunk, reckoned, priority))
    tried.sort(key=lambda each: each.seconds)
    best, taken, until = tried[0], len(tried), process_time() + MOST_SECONDS / 2
    backwards, reverse = _turned(messages), {link[::-1]: s for link, s in per_chunk.items()}
    for first in tried:
        found, left = first, MOST_PASSES
        while left and best.seconds > NEAR * time and taken + 2 <= runs and process_time() < until:
            before, left = found.seconds, left - 1
            back = run(backwards, reverse, reckoned, [-x for x in reversed(found.arrivals)])
            found = run(messages, per_chunk, reckoned, [-x for x in reversed(back.arrivals)])
            best, taken = min(best, found, key=lambda each: each.seconds), taken + 2
            if found.seconds > GAIN * before:
                break
    if latency is not None:
        return best.seconds, best.order, taken
    bare = run(_ordered(messages, best.order), per_chunk).seconds
    return max(best.seconds, bare), best.order, taken + 1


def _turned(messages: Sequence[Message]) -> list[Message]:
    """Return the messages backwards, the last one first: they wait for those that waited for them."""
    last = len(messages) - 1
    after: list[list[int]] = [[] for _ in messages]
    for number, message in enumerate(messages):
        for other in message.after:
            after[other].append(last - number)
    return [
        message._replace(path=message.path[::-1], after=tuple(others))
        for message, others in zip(reversed(messages), reversed(after), strict=True)
    ]


def _ordered(messages: Sequence[Message], order: Sequence[int]) -> list[Message]:
    """Return the messages in an order in which none waits for a later one."""
    place = {number: at for at, number in enumerate(order)}
    return [
        messages[number]._replace(after=tuple(place[other] for other in messages[number].after))
        for number in order
    ]


def _brought_by(route: Route) -> list[tuple[int, ...]]:
    """For every send of a route the sends by which its sender gets what it sends."""
    got: dict[int, list[int]] = defaultdict(list)
    found = []
    for number, (_, path, _) in enumerate(route.sends):
        found.append(tuple(got[path[0]]))
        got[path[-1]].append(number)
    return found


def _hops_behind(route: Route) -> list[int]:
    """For every send of a route the most sends that follow each other from it on, itself included."""
    found = [1] * len(route.sends)
    for number, waits in reversed(list(enumerate(_brought_by(route)))):
        for other in waits:
            found[other] = max(found[other], 1 + found[number])
    return found


def _in_order(
    network: Network,
    sends: Sequence[tuple[Path, int, bool]],
    messages: Sequence[Message],
    order: Sequence[int],
) -> Steps:
    """Return the sends in steps.

    Each in the first step behind those that it waits for in which it does not overtake another on its first
    link.
    """
    step = [0] * len(sends)
    last: dict[tuple[int, ...], int] = {}
    steps: dict[int, list[int]] = defaultdict(list)
    for number in order:
        first_link = sends[number][0][:2]
        behind = max((1 + step[other] for other in messages[number].after), default=1)
        step[number] = last[first_link] = max(behind, last.get(first_link, 1))
        steps[step[number]].append(number)
    return _in_steps(network, sends, steps)


def _in_steps(
    network: Network, sends: Sequence[tuple[Path, int, bool]], steps: Mapping[int, Sequence[int]]
) -> Steps:
    found = []
    for _, numbers in sorted(steps.items()):
        here = [sends[number] for number in numbers]
        load = Counter(link for path, _, _ in here for link in pairwise(path))
        made = tuple(Send(path[0], path[-1], (chunk,), path[1:-1], adds) for path, chunk, adds in here)
        found.append(Step(rounds_needed(load, network.bandwidth_of), made))
    return found
