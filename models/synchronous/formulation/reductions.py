"""How allreduces and ordered reductions are solved.

1. Chunks that are added up at centres and copied from there; where there are no centres, whether one chunk
can pass in so many steps at all, by the plain formula without limits of the links, and images of how it does.
2. Lower bounds of the parts: broadcasts and reduces, by flows and trees.
3. Composition: a reduce-scatter and an allgather in S1 + S2 steps, or a reduce and a broadcast.
4. Directly, by the plain formula: with C given every number of rounds is decided, else small C are tried.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from math import ceil
from typing import Any

from schedsolve.backends.sat import decide
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.ranks import ranks_of
from schedsolve.modelkit.result import Bound
from schedsolve.network.automorphisms import Automorphism
from schedsolve.runtime.errors import counted

from ..bounds.cut_program import cut_program
from ..bounds.step_program import FlowBound
from ..bounds.translations import node_representatives, translation_subgroups, translations
from ..bounds.tree_program import TreeProgram
from ..claims.bandwidth import bandwidth_bound, worst_rounds_per_chunk
from ..claims.compositions import (
    adds_directly,
    composition_formula,
    is_excluded,
    terms_of,
    unlimited_formula,
)
from ..claims.hops import least_steps, routes
from ..claims.reductions import counting_bound, counting_evidence, ends_bound, part_of
from ..constructions.reductions import centre, joined
from ..rules import replay
from ..rules.collective import collective_of
from ..rules.mirror import MIRRORED, backwards, mirrored, spreading
from ..rules.reductions import reduction_of
from ..rules.steps import StepSchedule
from .centres import CENTRE_SECONDS, CentreProgram, planned_schedules
from .packings import outward
from .refutations import Finding, Work, refutation_of
from .search import MOST_TERMS, Search

LARGEST_FORMULA = 400_000
"""Chunks times pairs of compute nodes and routes times steps beyond which the plain formula is not built."""
PART_SECONDS, STAGE_SECONDS, GLANCE_SECONDS = 20.0, 20.0, 4.0
FIRST_SECONDS, LONGEST_SECONDS = 0.5, 40.0
MOST_PARTS, MOST_CHUNKS, MOST_COMPOSITIONS = 8, 12, 12


class ReductionSearch(Work):
    """The work on an allreduce or an ordered reduction."""

    def __init__(
        self, problem: Problem, left: Callable[[], float], certify: bool, best: Fraction | None = None
    ) -> None:
        lower = (
            max([ends_bound(problem), *_counted(problem)])
            if problem.task == "allreduce"
            else bandwidth_bound(mirrored(problem), {})
        )
        super().__init__(problem, left, certify, best, lower)
        self.network = problem.network
        self.centres: CentreProgram | None = None
        self.planning = iter(CENTRE_SECONDS)

    def run(self) -> Iterator[Finding]:
        """Run all stages, until the question is settled, the time is up, or nothing is left to try."""
        stages = [
            self._centres,
            self._one_chunk,
            self._glance if self._composes else self._centres,
            self._parts,
            self._schedules_of_the_unordered_task,
            self._compose,
            self._given_chunks,
            self._few_chunks,
            self._centres,
        ]
        for stage in stages:
            if self.left() > 0 and not self.settled:
                yield None
                yield from stage()

    def offered(self, schedule: StepSchedule) -> Iterator[Finding]:
        """Yield the schedule, with the chunks that are asked for, when it is better than what is known."""
        chunks = schedule.chunks or 1
        if self.chunks is not None and chunks != self.chunks:
            if self.chunks % chunks:
                return
            schedule = schedule.multiplied(self.chunks // chunks)
        if self.is_better(schedule) and not replay(self.problem, schedule).violation:
            yield from super().offered(schedule)

    def _fits(self, chunks: int) -> bool:
        nodes = len(self.network.compute_nodes)
        units = len(reduction_of(self.problem).wanted)
        return units * chunks * nodes * (nodes + len(routes(self.network))) * self.steps <= LARGEST_FORMULA

    def _one_chunk(self) -> Iterator[Finding]:
        """Whether one chunk passes when the links carry whatever is sent, where that is not known."""
        if not self._fits(1) or self.best is not None:
            return
        formula = unlimited_formula(self.problem)
        for answer in refutation_of(formula, self.certify, self.left):
            if answer is None:
                yield None
            elif answer.schedule is not None:
                if self.centres is not None:
                    self.centres.take(answer.schedule)
                yield from self.offered(answer.schedule)
            else:
                most = worst_rounds_per_chunk(self.problem)
                self.lower = Fraction(most + 1)
                steps = counted(self.steps, "step")
                reason = f"refuted by search: {steps}, even for one chunk over unlimited links"
                yield Bound("lower", most + 1, reason, answer.evidence(rounds=most, any_rounds=True))

    def _parts(self) -> Iterator[Finding]:
        """Yield what the parts of a reduction say.

        That is what broadcasts and reduces say, or the copying task of which an ordered reduction is the
        reverse.
        """
        for evidence in self._part_names() if self.problem.task == "allreduce" else [None]:
            part = (
                self.problem if evidence is None else part_of(self.problem, {**evidence, "evidence": {}})[0]
            )
            yield None
            found = _bound_of_copies(mirrored(part), self.left)
            if found is None or self.left() <= 0:
                continue
            whole = found.evidence if evidence is None else {**evidence, "evidence": found.evidence}
            self.prices = [*self.prices, whole][-MOST_TERMS:]
            if found.value > self.lower:
                self.lower = found.value
                name = "copies" if evidence is None else f"{evidence['task']} at {evidence['node']}"
                reason = (
                    f"part: the {name} in {counted(self.steps, 'step')}, whose chunks pay prices on their way"
                )
                yield Bound("lower", found.value, reason, whole)

    def _part_names(self) -> Iterator[dict[str, Any]]:
        """Yield the parts that are looked at, those at nodes of least bandwidth first."""
        nodes = ranks_of(self.problem)
        if "ranks" not in self.problem.parameters:
            nodes = tuple(node_representatives(nodes, translations(self.network)))
        width = self.network.bandwidth_of
        ends = {v: sum(Fraction(width[link]) for link in width if v in link) for v in nodes}
        # Over links that are alike both ways a reduce is a broadcast backwards, and says no more.
        tasks = ("broadcast", "reduce") if self.network.directed else ("broadcast",)
        for v in sorted(nodes, key=lambda v: ends[v])[: MOST_PARTS // len(tasks)]:
            for task in tasks:
                yield {"kind": "part", "task": task, "node": self.network.labels[v]}

    def _schedules_of_the_unordered_task(self) -> Iterator[Finding]:
        """Yield, for an ordered reduction, schedules of the unordered one, which may keep the order."""
        if self.problem.task == "allreduce":
            return
        search = Search(mirrored(self.problem), _limited(self.left, STAGE_SECONDS), False, None)
        for finding in search.run():
            if isinstance(finding, StepSchedule):
                yield from self.offered(backwards(finding))
            else:
                yield None

    def _compose(self) -> Iterator[Finding]:
        """Yield an allreduce as a reduction and copies, in all splits of the steps."""
        if self.problem.task != "allreduce":
            return
        for first in self._splits():
            if self.settled or self.left() <= 0:
                return
            yield from self._split(first, STAGE_SECONDS)

    def _glance(self) -> Iterator[Finding]:
        """Of an allreduce the most even split of the steps, for a short time."""
        if self.problem.task == "allreduce":
            yield from self._split(self._splits()[0], GLANCE_SECONDS)

    def _splits(self) -> list[int]:
        """Return the steps that a first part can have, the most even split first."""
        return sorted(range(1, self.steps), key=lambda s: abs(2 * s - self.steps))

    def _split(self, first: int, seconds: float) -> Iterator[Finding]:
        """Yield an allreduce as a reduction in so many steps and copies, with so much time for each."""
        nodes = len(ranks_of(self.problem))
        least = least_steps(collective_of(spreading(self.problem)))
        if min(first, self.steps - first) >= least and not (self.chunks or 0) % nodes:
            inner = None if self.chunks is None else self.chunks // nodes
            yield from self._composed("reduce-scatter", "allgather", {}, first, inner, nodes, seconds)
        if self.chunks is not None and self.chunks % nodes:
            root = {"node": self.network.labels[centre(self.network, ranks_of(self.problem))]}
            yield from self._composed("reduce", "broadcast", root, first, self.chunks, 1, seconds)

    def _composed(
        self,
        adding: str,
        copying: str,
        end: dict[str, Any],
        first: int,
        chunks: int | None,
        units: int,
        seconds: float,
    ) -> Iterator[Finding]:
        counted: dict[str, Any] = {} if chunks is None else {"chunks": chunks}
        ordered = {"ordered": True} if self.problem.parameters.get("ordered") else {}
        counted |= {name: x for name, x in self.problem.parameters.items() if name == "ranks"}
        root = {"root": end["node"]} if end else {}
        source = {"source": end["node"]} if end else {}
        one = replace(self.problem, task=adding, parameters={"steps": first, **counted, **ordered, **root})
        rest = {"steps": self.steps - first, **counted, **source}
        other = replace(self.problem, task=copying, parameters=rest)
        best: list[StepSchedule | None] = [None, None]
        for i, part in enumerate((one, other)):
            for finding in findings(part, _limited(self.left, seconds)):
                if isinstance(finding, StepSchedule):
                    best[i] = finding
                else:
                    yield None
        if best[0] is not None and best[1] is not None:
            yield from self.offered(joined(best[0], best[1], units))

    @property
    def _composes(self) -> bool:
        """Whether the steps suffice for a reduce-scatter and an allgather one after the other."""
        return self.steps >= 2 * least_steps(collective_of(spreading(self.problem)))

    def _centres(self) -> Iterator[Finding]:
        """Yield allreduces whose chunks are added up at a node, or at two neighbours, and copied from there.

        Each call of this stage improves them for longer than the one before.
        """
        if self.centres is None and CentreProgram.fits(self.problem):
            self.centres = CentreProgram(self.problem, self._group())
        seconds = next(self.planning, None)
        if self.centres is not None and seconds is not None:
            yield from self.offered_each(planned_schedules(self.centres, seconds, self.left))

    def _group(self) -> Sequence[Automorphism]:
        """Return translations that move one part of the buffer to the others; they divide the chunks."""
        if "ranks" in self.problem.parameters:
            return [tuple(range(self.network.node_count))]
        groups = translation_subgroups(self.network)
        return next(group for group in groups if (self.chunks or 0) % len(group) == 0)

    def _given_chunks(self) -> Iterator[Finding]:
        """Decide every number of rounds from the lower bound on, for a given number of chunks."""
        if self.chunks is not None and self._fits(self.chunks):
            yield from self.decide_chunks(self.chunks)

    def _few_chunks(self) -> Iterator[Finding]:
        """Small numbers of chunks, with fewer rounds than are known, for longer and longer."""
        if self.chunks is not None:
            return
        seconds = FIRST_SECONDS
        while seconds <= LONGEST_SECONDS:
            for chunks in range(1, MOST_CHUNKS + 1):
                if not self._fits(chunks):
                    break
                yield from self._fewer_rounds(chunks, seconds)
                if self.settled or self.left() <= 0:
                    return
            seconds *= 4

    def _fewer_rounds(self, chunks: int, seconds: float) -> Iterator[Finding]:
        given = self.problem.with_parameters(chunks=chunks)
        least = max(self.steps, ceil(self.lower * chunks))
        terms = [terms_of(given, data) for data in self.prices]
        while self.left() > 0 and not self.settled:
            rounds = least if self.best is None else ceil(self.best * chunks) - 1
            if rounds < least:
                return
            found = False
            for composition in islice(outward(rounds, self.hint), MOST_COMPOSITIONS):
                if is_excluded(composition, chunks, terms):
                    continue
                formula = composition_formula(given, composition)
                answer, model = decide(formula.cnf, min(seconds, self.left()))
                yield None
                if answer:
                    found = True
                    yield from self.offered(formula.schedule(model))
                    break
            if not found:
                return


def _counted(problem: Problem) -> list[Fraction]:
    """Return the bound by counting, if there is one."""
    evidence = counting_evidence(problem)
    return [] if evidence is None else [counting_bound(problem, evidence)]


def findings(
    problem: Problem, left: Callable[[], float], certify: bool = False, best: Fraction | None = None
) -> Iterator[Finding]:
    """Bounds and better and better schedules of any task, and None in between.

    Nothing when there are too few steps.
    """
    if problem.parameters["steps"] < least_steps(collective_of(spreading(problem))):
        return
    if adds_directly(problem):
        yield from ReductionSearch(problem, left, certify, best).run()
        return
    turned = problem.task in MIRRORED
    for found in Search(mirrored(problem), left, certify, best).run():
        yield backwards(found) if turned and isinstance(found, StepSchedule) else found


def _bound_of_copies(problem: Problem, left: Callable[[], float]) -> FlowBound | None:
    """Return the exact bound by trees in time where they can be priced, else the flow bound."""
    group = (tuple(range(problem.network.node_count)),)
    if TreeProgram.fits(problem):
        program = TreeProgram(problem, group)
        for _ in program.solve(min(PART_SECONDS, left())):
            pass
        return program.flow_bound()
    cuts = cut_program(problem, group)
    return None if cuts is None else cuts.flow_bound(PART_SECONDS, left)


def _limited(left: Callable[[], float], seconds: float) -> Callable[[], float]:
    """Return the seconds left, at most so many CPU seconds from now on."""
    end = time.process_time() + seconds
    return lambda: min(left(), end - time.process_time())
