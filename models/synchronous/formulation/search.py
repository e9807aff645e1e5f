"""How a synchronous problem is solved.

The bound for every number of chunks first, then schedules that attain it, then what decides single numbers of
rounds.

1. The flow bound: of tasks without copies exact (`flow_program`), of others by cuts in time (`cut_program`).
2. Schedules at the bound: with C a multiple of its denominator, or the C given; as whole flows, or as
packings of a formula with translations. 3. Where copies leave a gap, the exact tree program, and packings of
its trees. 4. With C given, the rounds are decided one after another: schedules, or refutations of every
composition.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import islice
from math import ceil

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.network.automorphisms import Automorphism
from schedsolve.runtime.limits.own_limits import met

from ..bounds.cut_program import CutProgram, cut_program
from ..bounds.flow_program import UnsharedFlow, unshared_flow
from ..bounds.step_program import FlowBound
from ..bounds.translations import keeping_group, translation_subgroups
from ..bounds.tree_program import TreeProgram
from ..claims.bandwidth import bandwidth_bound
from ..claims.hops import least_steps, routes
from ..claims.prices import price_terms
from ..constructions.breadth_first import divided
from ..constructions.relays import without_idle
from ..rules import replay
from ..rules.collective import Collective, collective_of
from ..rules.steps import StepSchedule
from .centres import CENTRE_SECONDS, CentreProgram, planned_schedules
from .packings import find_packing
from .refutations import Finding, Work
from .rounded_flows import rounded_flows
from .tree_packing import dive
from .whole_flows import whole_flow_schedule

MOST_MULTIPLES = 6
"""Of the denominator of the bound, tried as numbers of chunks."""
FIRST_FLOW_SECONDS, FLOW_SECONDS = 2.0, 60.0
PACKING_SECONDS, LONGEST_PACKING_SECONDS, TRY_SECONDS = 3.0, 50.0, 1.0
FLOW_REASON = "flow bound: every chunk pays prices on its way"
GLANCE_SECONDS = 1.0
HEAVY = 0.8, 1.0
"""Fractions of trees from which on a dive rounds all up at once, tried one after another."""
MANY_ROUTES = 2000
"""Routes through switches beyond which trees are grown before prices, whose fractions then take long."""
MOST_TERMS = 4
"""Price tables that a refutation uses to exclude compositions."""


class Search(Work):
    """The work on a copying task."""

    def __init__(
        self,
        problem: Problem,
        left: Callable[[], float],
        certify: bool,
        best: Fraction | None = None,
        enough: Fraction | None = None,
    ) -> None:
        super().__init__(problem, left, certify, best, bandwidth_bound(problem, {}))
        self.enough = enough or Fraction(0)
        self.collective: Collective = collective_of(problem)
        self.unshared: UnsharedFlow | None = None
        self.cuts: CutProgram | None = None
        self.grown: CentreProgram | None = None
        self.growing = iter(CENTRE_SECONDS)
        self.groups: Sequence[Sequence[Automorphism]] = ((tuple(range(problem.network.node_count)),),)
        if problem.task in ("allgather", "alltoall") and "ranks" not in problem.parameters:
            self.groups = translation_subgroups(problem.network)

    def run(self) -> Iterator[Finding]:
        """Run all stages, until the question is settled, the time is up, or nothing is left to try."""
        if self.settled:
            return
        yield None
        stages = [self._flows, self._attain, self._decide_rounds, self._more_chunks]
        if self.collective.copies and TreeProgram.fits(self.problem):
            alone = len(self.collective.wanted) == 1
            first = [] if alone else [self._flows, self._try]
            stages = [*first, self._pack_trees, *stages[1:]]
        elif self.collective.copies:
            stages[1:1] = [self._grow_trees, self._more_flows, self._grow_trees]
            if self.problem.network.switches and len(routes(self.problem.network)) > MANY_ROUTES:
                stages[:2] = [self._grow_trees, self._flows]
        else:
            stages.insert(1, self._round_flows)
        if self.chunks is None and self._flows in stages:
            last = next(s for s in (self._grow_trees, self._round_flows, self._flows) if s in stages)
            stages.insert(stages.index(last) + 1, self._fewer_steps)
        if self.asked is not None or (self.chunks and self.collective.copies):
            stages.insert(0, self._look_first)
        for stage in stages:
            if self.left() > 0 and not self.settled:
                yield from stage()

    def _grow_trees(self) -> Iterator[Finding]:
        """Where copies go to too many nodes for cheapest trees, send chunks along trees that are grown."""
        if self.grown is None and CentreProgram.fits(self.problem):
            self.grown = CentreProgram(self.problem, self._alike())
        if self.grown is None:
            return
        seconds = next(self.growing)
        yield from self.offered_each(planned_schedules(self.grown, seconds, self.left))

    def _alike(self) -> Sequence[Automorphism]:
        """Return automorphisms under which shipments, or parts of a broadcast's buffer, are sent alike."""
        if self.problem.task != "broadcast" or "ranks" in self.problem.parameters:
            return self.groups[0]
        group = keeping_group(self.problem.network, self.problem.sources[0])
        return group if (self.chunks or 0) % len(group) == 0 else self.groups[0]

    def _raised(self, found: FlowBound, reason: str) -> Iterator[Finding]:
        self.hint = found.step_rounds
        self.prices = [*self.prices, found.evidence][-MOST_TERMS:]
        if found.value > self.lower:
            self.lower = found.value
            yield Bound("lower", found.value, reason, found.evidence)

    def offered(self, schedule: StepSchedule) -> Iterator[Finding]:
        """Yield the schedule without idle sends to relays, when it is better than what is known."""
        for better in super().offered(schedule):
            assert isinstance(better, StepSchedule)
            yield without_idle(self.problem, better)

    def _flow_bound_of(self, problem: Problem) -> FlowBound | None:
        if self.collective.copies:
            cuts = cut_program(problem, self.groups[0])
            if problem is self.problem:
                self.cuts = cuts
            first = min(FIRST_FLOW_SECONDS, self.left() / 4)
            seconds = FLOW_SECONDS if TreeProgram.fits(problem) else first
            return None if cuts is None else cuts.flow_bound(seconds, self.left)
        unshared = unshared_flow(problem, self.groups[0], self.left())
        if problem is self.problem:
            self.unshared = unshared
        return None if unshared is None else unshared.bound

    def _flows(self) -> Iterator[Finding]:
        found = self._flow_bound_of(self.problem)
        if found is not None:
            yield from self._raised(found, FLOW_REASON)

    def _more_flows(self) -> Iterator[Finding]:
        """Yield the flow bound of more cuts in time, where some were left."""
        found = None
        if self.cuts is not None and not self.cuts.settled:
            found = self.cuts.flow_bound(FLOW_SECONDS, self.left)
        if found is not None:
            yield from self._raised(found, FLOW_REASON)

    def _round_flows(self) -> Iterator[Finding]:
        """Look briefly for whole flows, as they take fewer chunks; then round the program's flows."""
        for chunks, rounds in islice(self.candidates(), 1):
            yield from self._find(chunks, rounds, min(GLANCE_SECONDS, self.left()))
        yield from self._round_flows_of_program()

    def _round_flows_of_program(self) -> Iterator[Finding]:
        """Round the program's flows, and offer the legal schedules."""
        if self.unshared is None:
            return
        for schedule in rounded_flows(self.problem, self.unshared, self.groups[0]):
            if self.left() <= 0 or self.settled:
                return
            yield None
            # A float solver's flow may lose a pair whose amounts it rounds to none.
            if not replay(self.problem, schedule).violation:
                yield from self.offered(schedule)

    def candidates(self) -> Iterator[tuple[int, int]]:
        """Chunks and rounds that meet the lower bound, or the rounds asked for."""
        asked = self.problem.parameters.get("rounds")
        if self.chunks is not None:
            yield self.chunks, asked or int(self.lower * self.chunks)
            return
        for multiple in range(1, 10**6):
            chunks = self.lower.denominator * multiple
            if chunks * self.lower >= self.steps:
                yield from (
                    (chunks + i * self.lower.denominator, int(self.lower * chunks) + i * self.lower.numerator)
                    for i in range(MOST_MULTIPLES)
                )
                met("numbers of chunks", MOST_MULTIPLES)
                return

    def _fewer_steps(self) -> Iterator[Finding]:
        """Where fewer steps have the same bound, take their schedule and divide its steps."""
        least, steps = least_steps(self.collective), self.steps
        while steps > least and not self.problem.network.switches:
            fewer = self.problem.with_parameters(steps=steps - 1)
            yield None
            found = self._flow_bound_of(fewer)
            if found is None or found.value > self.lower:
                break
            steps -= 1
        if steps == self.steps:
            return
        fewer = self.problem.with_parameters(steps=steps)
        for finding in Search(fewer, self.left, False, None, self.lower).run():
            if isinstance(finding, StepSchedule):
                yield from self._divided(finding)
            elif self.settled:
                return
            else:
                yield None

    def _divided(self, schedule: StepSchedule) -> Iterator[Finding]:
        """Yield a schedule of fewer steps, its chunks multiplied until there are as many rounds as steps."""
        times = ceil(Fraction(self.steps, schedule.rounds))
        whole = schedule.multiplied(times)
        steps = divided(self.problem.network, whole.steps, self.steps)
        yield from self.offered(StepSchedule(tuple(steps), whole.chunks))

    def _try(self) -> Iterator[Finding]:
        """Look briefly for schedules at the bound, though it need not be the best."""
        for chunks, rounds in islice(self.candidates(), 2):
            if not self.settled and self.left() > 0:
                yield from self._find(chunks, rounds, min(PACKING_SECONDS, self.left()))

    def _look_first(self) -> Iterator[Finding]:
        """Look briefly for schedules of the rounds asked for, or the least, before programs are solved."""
        for chunks, rounds in self.candidates():
            yield from self._find(chunks, rounds, min(GLANCE_SECONDS, self.left()))

    def _attain(self) -> Iterator[Finding]:
        seconds = PACKING_SECONDS
        while seconds <= LONGEST_PACKING_SECONDS:
            for chunks, rounds in self.candidates():
                if self.settled or self.left() <= 0:
                    return
                yield from self._find(chunks, rounds, min(seconds, self.left()))
            seconds *= 4

    def _find(self, chunks: int, rounds: int, seconds: float) -> Iterator[Finding]:
        """Look for a schedule of so many chunks and rounds for about so many seconds."""
        if not self.collective.copies:
            for group in dict.fromkeys((tuple(self.groups[0]), tuple(self.groups[-1]))):
                schedule = whole_flow_schedule(self.problem, chunks, rounds, group, seconds)
                if schedule is not None:
                    yield from self.offered(schedule)
                    return
                yield None
            return
        end = time.process_time() + seconds
        terms = [price_terms(self.problem, data) for data in self.prices]
        for schedule in find_packing(
            self.collective,
            routes(self.problem.network),
            chunks,
            rounds,
            self.hint,
            terms,
            self.groups,
            lambda: end - time.process_time(),
        ):
            if schedule is None:
                yield None
            else:
                yield from self.offered(schedule)

    def _pack_trees(self) -> Iterator[Finding]:
        """Where the flow bound is not attained, solve the exact program and dive for its schedules."""
        program = TreeProgram(self.problem, self.groups[0])
        for _ in program.solve(self.left()):
            yield None
        found = program.flow_bound()
        if found is None:
            return
        yield from self._raised(found, "tree bound: every chunk pays for a tree in time")
        for chunks, rounds in self.candidates():
            for heavy in HEAVY:
                yield from self.offered_each(dive(program, chunks, rounds, heavy, self.left))
                if self.settled:
                    return
            if self.left() > 0:
                yield from self._find(chunks, rounds, min(TRY_SECONDS, self.left()))

    def _decide_rounds(self) -> Iterator[Finding]:
        """Decide every number of rounds from the lower bound on, for a given number of chunks."""
        if self.chunks is not None:
            yield from self.decide_chunks(self.chunks)
            if not self.settled:
                target = self.problem.parameters.get("rounds") or int(self.lower * self.chunks)
                yield from self._find(self.chunks, target, self.left())

    def _more_chunks(self) -> Iterator[Finding]:
        """Where the bound is not attained, try other numbers of chunks, and more rounds."""
        if self.chunks is not None:
            return
        for chunks in range(1, 10):
            rounds = max(self.steps, ceil(self.lower * chunks))
            while self.left() > 0 and not self.settled:
                value = Fraction(rounds, chunks)
                if self.best is not None and value >= self.best:
                    break
                yield from self._find(chunks, rounds, min(PACKING_SECONDS, self.left()))
                rounds += 1
