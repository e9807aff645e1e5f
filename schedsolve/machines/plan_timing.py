"""Schedules and rivals timed for one size of a message, until the time is up.

What was timed by then is compared; what depends on the network alone is laid out once for all sizes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from time import process_time

from schedsolve.machines.known_costs import known_hardware
from schedsolve.machines.movement.finer_movement import finer, least_seconds
from schedsolve.machines.movement.movement import MOST_TRANSFERS, Movement
from schedsolve.machines.nccl_model import (
    AMPERE,
    HOPPER,
    MOST_CHANNELS,
    TREE,
    VOLTA,
    Machine,
    nccl_seconds,
)
from schedsolve.machines.plan_candidates import Candidate, laid_on_links
from schedsolve.machines.rivals import ring_count, rings_on_links, trees_on_links
from schedsolve.machines.timing import Costs, Timing, timing
from schedsolve.modelkit.problem import Problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.timeout import timeout

MANY_RANKS, TRANSFERS_OF_MANY = 32, 10_000
"""Ranks from which on schedules are timed in fewer messages."""
SHARE_OF_RIVALS, SHARE_OF_LAYING = 0.3, 0.2
"""Of a size's time, at most, to time rivals, and to make schedules of those that are faster than all others.
"""
SHARE_OF_NEXT = 0.6
"""Of what is left of it, for each schedule, the most promising one first."""
NEAR = 1.03
"""Times what a schedule would take if no link waited: within it, no other cut is sought for another size."""
FEW_OF_TRANSFERS = 8
"""With a part so small of the messages a schedule is cut first, as that takes little time."""


class LaidRivals:
    """Rings and trees on the links of a problem's network, each laid out when it is asked for, and kept.

    Attributes
    ----------
    problem
        Any of the collective on the network.
    rings
        Rings that together fill the links, once they were laid out, and if there are any.
    ring_times
        What they take.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rings: Movement | None = None
        self.ring_times: dict[Costs, Timing] = {}
        self._tree_times: dict[Costs, list[Timing]] = {}
        self._schedules: dict[str, tuple[Movement, Candidate | None]] = {}

    @cached_property
    def nothing(self) -> Movement:
        """A movement of the collective in which nothing moves, for which they are laid out."""
        problem = self.problem
        ends = [problem.parameters[end] for end in ("source", "root") if end in problem.parameters]
        root = problem.network.node(ends[0]) if ends else None
        return Movement(problem.task, problem.network, 1, (), root)

    def time_all(self, priced: Mapping[int, Costs], seconds: float) -> None:
        """Lay out and time rings, as a schedule too, and trees, as far as the seconds last.

        Parameters
        ----------
        priced
            The costs of each size, those of the most important one last.
        seconds
            To do it in.
        """
        with timeout(seconds, of_processor=True):
            self.rings = rings_on_links(self.nothing)
            if self.rings is not None:
                self.schedule(RINGS, self.rings)
            for size, costs in reversed(list(priced.items())):
                if self.takes_trees(size, costs):
                    list(self.tree_times(costs))
                self.ring_time(costs)

    def nccl(self, size: int, costs: Costs) -> tuple[float, str] | None:
        """Return what NCCL's model says of a size, in seconds, and whether of a ring or a tree."""
        machine = _machine(self.problem.network, costs)
        return None if machine is None else nccl_seconds(self.nothing, size, machine)

    def takes_trees(self, size: int, costs: Costs) -> bool:
        """Whether NCCL would take trees for a size, by its model."""
        found = self.nccl(size, costs)
        return found is not None and found[1] == TREE

    def ring_time(self, costs: Costs) -> Timing | None:
        """Return what the rings take; None without any."""
        if self.rings is None:
            return None
        if costs not in self.ring_times:
            self.ring_times[costs] = _timing(self.rings, costs)
        return self.ring_times[costs]

    @cached_property
    def trees(self) -> Sequence[Movement]:
        """Double binary trees along a ring, in some numbers of parts."""
        return trees_on_links(self.nothing)

    def tree_times(self, costs: Costs) -> Iterator[Timing]:
        """Yield what the trees take in each number of parts; what was timed before comes at once."""
        known = self._tree_times.setdefault(costs, [])
        yield from known
        for trees in self.trees[len(known) :]:
            known.append(_timing(trees, costs))
            yield known[-1]

    def schedule(self, name: str, movement: Movement) -> Candidate | None:
        """Return one of them as a schedule in steps, replayed; None where it is none."""
        known = self._schedules.get(name)
        if known is None or known[0] is not movement:
            laid = None
            with suppress(InputError):
                laid = laid_on_links(name, movement, self.problem)
            self._schedules[name] = known = movement, laid
        return known[1]


@dataclass(frozen=True)
class Chosen:
    """The best schedule for a size, and its rivals.

    Attributes
    ----------
    timing, best
        Of the schedule, and which it is.
    rings
        What rings on the links take, if there are any.
    nccl
        What NCCL's model says, in seconds, and whether of a ring or a tree.
    nccl_on_links
        What that ring or tree takes on the links, by the same clock and costs as the schedule.
    """

    timing: Timing
    best: Candidate
    rings: Timing | None
    nccl: tuple[float, str] | None
    nccl_on_links: Timing | None


class SizeSearch:
    """The search for the best schedule for a size.

    Attributes
    ----------
    size
        In bytes, as nccl-tests counts them.
    costs
        Of its units.
    found
        The schedules to choose from.
    rivals
        Of the collective on the network.
    cuts
        By the names of schedules, how they were cut into chunks for other sizes; more are added. Of schedules
        in steps it is how they are without parts.
    timed
        The times so far.
    """

    def __init__(
        self,
        size: int,
        costs: Costs,
        found: Sequence[Candidate],
        rivals: LaidRivals,
        cuts: dict[str, Movement],
    ) -> None:
        self.size, self.costs, self.found, self.rivals, self.cuts = size, costs, found, rivals, cuts
        self.timed: list[tuple[Timing, Candidate]] = []
        self.laid: dict[str, Timing] = {}
        self.nccl: tuple[float, str] | None = None
        ranks = len(rivals.problem.network.compute_nodes)
        self.most = MOST_TRANSFERS if ranks <= MANY_RANKS else TRANSFERS_OF_MANY

    def run(self, seconds: float) -> Chosen:
        """Return the best of what could be timed in so many seconds."""
        end = process_time() + seconds
        with timeout(seconds, of_processor=True):
            with timeout(SHARE_OF_RIVALS * seconds, of_processor=True):
                self._time_rivals()
            self._time_schedules(end - SHARE_OF_LAYING * seconds)
            self._lay_rivals(end)
        if not self.timed:
            self.timed = [self._without_search(seconds)]
        best, candidate = min(self.timed, key=lambda pair: pair[0].seconds)
        rings = self.laid.get(RINGS)
        chosen = self.laid.get(TREES) if self.nccl is not None and self.nccl[1] == TREE else rings
        return Chosen(best, candidate, rings, self.nccl, None if self.nccl is None else chosen)

    def _time_rivals(self) -> None:
        """Time trees where NCCL's model would take one, and rings on the links."""
        self.nccl = self.rivals.nccl(self.size, self.costs)
        if self.rivals.takes_trees(self.size, self.costs):
            for timed in self.rivals.tree_times(self.costs):
                if TREES not in self.laid or timed.seconds < self.laid[TREES].seconds:
                    self.laid[TREES] = timed
        rings = self.rivals.ring_time(self.costs)
        if rings is not None:
            self.laid[RINGS] = rings

    def _time_schedules(self, end: float) -> None:
        """Time the schedules that can be cut until then, the most promising ones first."""
        for one in promising(self.found, self.costs):
            left = end - process_time()
            if left <= 0:
                break
            with timeout(SHARE_OF_NEXT * left, of_processor=True), suppress(InputError):
                self._time(one)

    def _time(self, one: Candidate) -> None:
        """Time a schedule as it was cut for another size, in few messages, and in more, until one is near."""
        known = self.cuts.get(one.name)
        if one.source.in_parts:
            known = known or replace(one.source, in_parts=False).movement(most_transfers=self.most)
            self._add(one, known)
            best = min(timed.seconds for timed, _ in self.timed)
            if least_seconds(known, self.costs.alpha, self.costs.beta * self.costs.size) >= best:
                return
            parts = finer(known, self.costs.latency, self.most)
            if parts is not known:
                self.timed.append((_timing(parts, self.costs), one))
            return
        if known is not None and self._near(one, known):
            return
        few = one.source.movement(costs=self.costs, most_transfers=self.most // FEW_OF_TRANSFERS)
        if not self._near(one, few):
            self._near(one, one.source.movement(costs=self.costs, most_transfers=self.most))

    def _near(self, one: Candidate, movement: Movement) -> bool:
        """Time a schedule, and return whether it takes hardly more than if no link waited."""
        return self._add(one, movement).seconds <= NEAR * _least(one, self.costs)

    def _add(self, one: Candidate, movement: Movement) -> Timing:
        made = _timing(movement, self.costs)
        self.timed.append((made, one))
        self.cuts[one.name] = movement
        return made

    def _lay_rivals(self, end: float) -> None:
        """Make schedules of the rivals that are faster than all schedules."""
        for name, rival in sorted(self.laid.items(), key=lambda each: each[1].seconds):
            if all(rival.seconds < one.seconds for one, _ in self.timed):
                laid = self.rivals.schedule(name, rival.movement)
                if laid is None:
                    continue
                self.timed.append((rival, laid))
                left = max(0.0, end - process_time())
                with timeout(SHARE_OF_NEXT * left, of_processor=True), suppress(InputError):
                    self._time(laid)

    def _without_search(self, seconds: float) -> tuple[Timing, Candidate]:
        """Return a schedule in steps, or rings, uncut, or else what was found first.

        Of that, one chunk or, if there is time for it, as many as its weights ask for, in no special order.
        """
        in_steps = [one for one in self.found if one.source.in_parts]
        with timeout(seconds, of_processor=True):
            if in_steps:
                one = min(in_steps, key=lambda one: one.result.value or 0)
                return _timing(replace(one.source, in_parts=False).movement(), self.costs), one
            rings = self.rivals.ring_time(self.costs)
            laid = None if rings is None else self.rivals.schedule(RINGS, rings.movement)
            if rings is not None and laid is not None:
                self.laid[RINGS] = rings
                return rings, laid
        first = self.found[0]
        tried = [_timing(first.source.movement(1), self.costs)]
        with timeout(seconds, of_processor=True), suppress(InputError):
            cut = first.source.movement(in_batches=True, most_transfers=self.most, costs=self.costs)
            tried.append(_timing(cut, self.costs))
        return min(tried, key=lambda each: each.seconds), first


RINGS, TREES = "rings on the links", "double binary trees on the links"


def promising(found: Sequence[Candidate], costs: Costs) -> list[Candidate]:
    """Return the schedules by what they would take if no link waited, the fastest first."""
    return sorted(found, key=lambda one: _least(one, costs))


def _least(one: Candidate, costs: Costs) -> Fraction:
    """Return what a schedule would take if no link waited."""
    steps = int(one.result.problem.parameters.get("steps", 1))
    return steps * costs.alpha + Fraction(one.result.value or 0) * costs.beta * costs.size


def _timing(movement: Movement, costs: Costs) -> Timing:
    """Return how long it takes, computed here rather than when it is asked for."""
    made = timing(movement, costs)
    _ = made.seconds
    return made


def _machine(network: Network, costs: Costs) -> Machine | None:
    """Return what NCCL's model knows of the machine.

    None without rings and where a byte takes no time.
    """
    rings = ring_count(network)
    if not rings or not costs.beta:
        return None
    known = known_hardware(network)
    boxes = known.boxes if known else 1
    bandwidth = float(rings / costs.beta) / 1e9
    generation = {"a100": AMPERE, "h100": HOPPER}.get(network.name.partition(":")[0], VOLTA)
    return Machine(bandwidth, min(MOST_CHANNELS, int(rings) or 1), boxes, generation)
