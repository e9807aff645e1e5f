"""The plain formula for reductions with given rounds in every step.

It says that all contributions are added up where they are wanted.

Variables, for every chunk c: in(c, i, v, s), "the value of c at v after step s holds the contribution of i";
keeps(c, v, s), "v keeps its value in step s, and adds what it gets"; sent(c, route, s). The constraints, a
sentence each:
- before step 1 a rank's value is its own contribution, a relay's holds none;
- a value holds after a step what was kept and what was sent there, and nothing else;
- no two of these hold the same contribution;
- a node that keeps nothing is sent something;
- over a link of bandwidth b go at most b r chunks in a step of r rounds;
- after the last step the values of the nodes that want the result hold every contribution;
- in an ordered reduction a value that holds two contributions holds those of the nodes between them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import floor

from schedsolve.modelkit.formulas.cnf import Cnf

from ..rules.reductions import Reduction, contribution_masks, is_run
from ..rules.steps import Send, Step, StepSchedule
from .hops import Route, hop_distances, neighbours

Place = tuple[int, int, int]
"""A chunk, a node and a step."""


@dataclass
class ContributionFormula:
    """The formula with the meaning of its variables.

    Attributes
    ----------
    step_rounds
        None where a step may last as long as it likes.
    holds
        By (chunk, node, step) the variable of every contribution that can be there, by its node.
    sent
        By (chunk, route, step).
    """

    reduction: Reduction
    routes: Sequence[Route]
    step_rounds: tuple[int | None, ...]
    chunks: int
    cnf: Cnf = field(default_factory=Cnf)
    holds: dict[Place, dict[int, int]] = field(default_factory=dict)
    keeps: dict[Place, int] = field(default_factory=dict)
    sent: dict[Place, int] = field(default_factory=dict)

    def schedule(self, true: Collection[int]) -> StepSchedule:
        """Return the schedule in a model given by its true variables, without sends that are of no use."""
        wanted = {
            (unit * self.chunks + j, v)
            for unit, nodes in enumerate(self.reduction.wanted)
            for v in nodes
            for j in range(self.chunks)
        }
        used: list[list[tuple[int, int]]] = []
        for step in range(len(self.step_rounds), 0, -1):
            now = [
                (chunk, i)
                for (chunk, i, when), x in self.sent.items()
                if when == step
                and x in true
                and (chunk, self.routes[i].receiver) in wanted
                # A relay without contributions may be said to send: it brings nothing.
                and self._value(chunk, self.routes[i].sender, step - 1, true)
            ]
            replaced = {
                (chunk, self.routes[i].receiver)
                for chunk, i in now
                if self.keeps[chunk, self.routes[i].receiver, step] not in true
            }
            wanted = (wanted - replaced) | {(chunk, self.routes[i].sender) for chunk, i in now}
            used.append(now)
        return self._written(used[::-1], true)

    def _written(self, used: Sequence[list[tuple[int, int]]], true: Collection[int]) -> StepSchedule:
        """Return the sends that are used, by step.

        Those that take a place before those that add to it, and each where the order of the nodes has it.
        """
        steps = []
        for step, (rounds, now) in enumerate(zip(self.step_rounds, used, strict=True), 1):
            into: dict[tuple[int, int], list[int]] = defaultdict(list)
            for chunk, i in now:
                into[chunk, self.routes[i].receiver].append(i)
            sends: dict[tuple[int, bool, int], list[int]] = defaultdict(list)
            for (chunk, v), arriving in sorted(into.items()):
                keeps = self.keeps[chunk, v, step] in true
                for place, i in enumerate(self._in_order(chunk, v, step, arriving, keeps, true)):
                    turn = place if self.reduction.ordered else 0
                    sends[turn, keeps or place > 0, i].append(chunk)
            listed = [
                Send(self.routes[i].sender, self.routes[i].receiver, tuple(c), self.routes[i].switches, adds)
                for (_, adds, i), c in sorted(sends.items())
            ]
            load: dict[tuple[int, int], int] = defaultdict(int)
            for send in listed:
                for link in send.links:
                    load[link] += len(send.chunks)
            bandwidth = self.reduction.network.bandwidth_of
            needed = (-(-count // bandwidth[link]) for link, count in load.items())
            steps.append(Step(max(needed, default=1) if rounds is None else rounds, tuple(listed)))
        return StepSchedule(tuple(steps), self.chunks)

    def _in_order(
        self, chunk: int, v: int, step: int, arriving: list[int], keeps: bool, true: Collection[int]
    ) -> Iterator[int]:
        """Yield the routes over which a value arrives, so that each continues what is there."""
        present = self._value(chunk, v, step - 1, true) if keeps else 0
        waiting = {i: self._value(chunk, self.routes[i].sender, step - 1, true) for i in sorted(arriving)}
        while waiting:
            fitting = (i for i, value in waiting.items() if is_run(present | value))
            i = next(fitting, next(iter(waiting)))
            present |= waiting.pop(i)
            yield i

    def _value(self, chunk: int, v: int, step: int, true: Collection[int]) -> int:
        masks = contribution_masks(self.reduction)
        return sum(masks[i] for i, x in self.holds[chunk, v, step].items() if x in true)


def contribution_formula(
    reduction: Reduction, routes: Sequence[Route], step_rounds: Sequence[int | None], chunks: int
) -> ContributionFormula:
    """Return the formula for a reduction with `chunks` chunks a unit and the rounds of every step."""
    formula = ContributionFormula(reduction, routes, tuple(step_rounds), chunks)
    near = neighbours(reduction.network)
    distance = {i: hop_distances(near, i) for i in reduction.ranks}
    for chunk in range(reduction.chunk_count(chunks)):
        for step in range(len(step_rounds) + 1):
            for v in reduction.network.compute_nodes:
                formula.holds[chunk, v, step] = {
                    i: formula.cnf.new() for i in distance if distance[i].get(v, step + 1) <= step
                }
        _add_chunk(formula, chunk)
    for unit, nodes in enumerate(reduction.wanted):
        for v in nodes:
            for chunk in range(unit * chunks, (unit + 1) * chunks):
                _demand(formula, formula.holds[chunk, v, len(step_rounds)])
    _limit_links(formula)
    return formula


def _demand(formula: ContributionFormula, holds: dict[int, int]) -> None:
    for i in formula.reduction.ranks:
        formula.cnf.add(*([holds[i]] if i in holds else []))


def _add_chunk(formula: ContributionFormula, chunk: int) -> None:
    """How the values of one chunk change."""
    cnf, nodes = formula.cnf, formula.reduction.network.compute_nodes
    for v in formula.reduction.ranks:
        cnf.add(formula.holds[chunk, v, 0][v])
    into: dict[int, list[int]] = defaultdict(list)
    for number, route in enumerate(formula.routes):
        into[route.receiver].append(number)
    for step in range(1, len(formula.step_rounds) + 1):
        for v in nodes:
            keeps = formula.keeps[chunk, v, step] = cnf.new()
            sources = [(keeps, formula.holds[chunk, v, step - 1])]
            for number in into[v]:
                sent = formula.sent[chunk, number, step] = cnf.new()
                sources.append((sent, formula.holds[chunk, formula.routes[number].sender, step - 1]))
            cnf.add(*(brings for brings, _ in sources))
            for i, holds in formula.holds[chunk, v, step].items():
                _add_value(cnf, holds, [(brings, value[i]) for brings, value in sources if i in value])
            if formula.reduction.ordered:
                _keep_order(formula, formula.holds[chunk, v, step])


def _add_value(cnf: Cnf, holds: int, sources: Sequence[tuple[int, int]]) -> None:
    """Require that a contribution is in a value when one of the sources brings it, and only one does."""
    reasons = []
    for brings, there in sources:
        reason = cnf.new()
        cnf.add(-reason, brings)
        cnf.add(-reason, there)
        cnf.add(reason, -brings, -there)
        cnf.add(-reason, holds)
        reasons.append(reason)
    cnf.add(-holds, *reasons)
    for one, other in combinations(reasons, 2):
        cnf.add(-one, -other)


def _keep_order(formula: ContributionFormula, holds: dict[int, int]) -> None:
    """Require that what is between two contributions of a value is in it too."""
    for first, middle, last in combinations(formula.reduction.ranks, 3):
        if first in holds and last in holds:
            between = [holds[middle]] if middle in holds else []
            formula.cnf.add(-holds[first], -holds[last], *between)


def _limit_links(formula: ContributionFormula) -> None:
    """Over every link go at most as many chunks as its bandwidth and the rounds of the step allow."""
    crossing: dict[tuple[tuple[int, int], int], list[int]] = defaultdict(list)
    for (_, number, step), sent in formula.sent.items():
        for link in formula.routes[number].links:
            crossing[link, step].append(sent)
    for (link, step), literals in crossing.items():
        rounds = formula.step_rounds[step - 1]
        if rounds is None:
            continue
        most = floor(formula.reduction.network.bandwidth_of[link] * rounds)
        if most == 0:
            for literal in literals:
                formula.cnf.add(-literal)
        else:
            formula.cnf.at_most(literals, most)
