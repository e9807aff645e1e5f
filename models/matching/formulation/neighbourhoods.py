"""Broadcasts mended by moving trees about, and neighbourhood by neighbourhood by SAT: never refutes."""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from importlib.util import find_spec
from itertools import chain, count

from schedsolve.backends.sat import AssumptionSolver
from schedsolve.modelkit.refutation import affordable
from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.network.graph import Network

from ..claims.formula import RoundsFormula, broadcast_formula, formula_size
from ..constructions.algorithms import Pairs, as_schedule
from ..constructions.broadcast_search import nearly_in_time
from .covering_beam import covering_beam
from .finding import FindingSearch
from .sat import windows

FEWEST_NODES = 200
"""In smaller networks a neighbourhood would soon be all of it, and the whole formula does as well."""
FIRST_SIZE, LEAST_SIZE, GROWTH, SHRINKING, SUCCESS_SHRINKING = 150.0, 30.0, 1.03, 0.95, 0.8
"""The nodes of a neighbourhood: at first, at least, and how they change with the answers no, none and yes."""
BREADTH = 12
"""A neighbourhood grows from one of so many nodes that have waited longest."""
CONFLICTS = 300
EXCHANGES = 0.3
"""How often one node of the neighbourhood may be left out in return."""
PATIENCE, MORE_PATIENCE = 40, 200
"""After so many questions without fewer nodes missing, and so many more divided by their number, another
schedule is begun with.
"""
UNDECIDED = 4
"""A question that is not decided counts as so many."""
LARGEST_TABLES = 5_000_000
"""The most entries, by round and arc, of what a beam needs."""
MOVES, MOVES_AT_ONCE = 20_000, 200_000
"""The moves that mend a beam's schedule, for every node, and those between two looks at the time."""
HOT, COLD = 0.15, 0.09
"""The temperatures at the beginning and the end of the moves."""
BEAM_NODES = 8_000
"""The width of the second beam times the nodes; the later ones are two, three, ... times as wide."""


class NeighbourhoodSearch(FindingSearch):
    """A broadcast search that mends a schedule whose targets are not all informed in time.

    At first by `LooseTrees`, where all nodes are targets. Then a target that is missing is taken, with a
    neighbourhood of random shape and of a size that follows from the answers so far. SAT decides whether it
    can be informed too, if all nodes outside the neighbourhood are informed in the rounds in which they are,
    and the targets inside that are informed stay so, now and then except for one. One solver is asked, under
    assumptions, and keeps what it learns.

    The question: of a problem with given sources, and the number of rounds of the schedules looked for.
    by_sat: whether SAT is asked, whose formula large networks leave no room for.
    """

    def __init__(self, question: Question, *, by_sat: bool = True) -> None:
        super().__init__(question)
        self._by_sat = by_sat
        self._network = self._problem.broadcast_network
        self._targets = frozenset(self._problem.targets)
        self._formula: RoundsFormula | None = None
        self._solver: AssumptionSolver | None = None

    def _search(self) -> Iterator[None]:
        """Mend one schedule after the other, a step of a beam, a pass or a question a step."""
        wide = max(2, BEAM_NODES // self._network.node_count)
        for width in chain([1], count(wide, wide)):
            informed = yield from self._begin(width, self._rng.randrange(1 << 30))
            if self._found is None and self._by_sat:
                yield from self._mend(informed)
            if self._found is not None:
                yield
                return

    def _begin(self, width: int, seed: int) -> Generator[None, None, list[int | None]]:
        """When each node is informed, if in time, by a beam's schedule.

        Without numba, which the beam is compiled by, by passes. If one informs all targets it is found.
        """
        network, sources, targets = self._network, self._problem.sources, self._targets
        compiled = find_spec("numba") is not None
        schedules = (
            covering_beam(network, sources, targets, rounds=self._rounds, width=width, seed=seed)
            if compiled
            else nearly_in_time(network, sources, targets, wished_rounds=self._rounds, seed=seed)
        )
        rounds: Pairs = []
        for schedule in schedules:
            rounds = schedule[: self._rounds]
            yield
        informed: list[int | None] = [None] * network.node_count
        for s in sources:
            informed[s] = 0
        for t, calls in enumerate(rounds, 1):
            for _, v in calls:
                informed[v] = t
        if all(informed[v] is not None for v in targets):
            self._found = as_schedule(self._problem, rounds)
        elif compiled and len({*targets, *sources}) == network.node_count:
            yield from self._move_about(rounds)
        return informed

    def _move_about(self, rounds: Pairs) -> Iterator[None]:
        """Mend a schedule by moving trees about; if all are informed it is found."""
        from ..search.loose_trees import LooseTrees

        trees = LooseTrees(self._network, self._problem.sources, rounds, self._rounds, self._rng)
        steps = -(-MOVES * self._network.node_count // MOVES_AT_ONCE)
        for step in range(steps):
            trees.anneal(MOVES_AT_ONCE, HOT + (COLD - HOT) * step / steps)
            yield
            if not trees.loose:
                self._found = as_schedule(self._problem, trees.rounds())
                return

    def _mend(self, informed: list[int | None]) -> Iterator[None]:
        """Have more and more targets informed, until none is missing or patience ends.

        Parameters
        ----------
        informed
            The round in which each node is informed.
        """
        rng = self._rng
        missing = [v for v in self._targets if informed[v] is None]
        fewest, waited, size = len(missing), 0, FIRST_SIZE
        while waited < PATIENCE + MORE_PATIENCE // fewest:
            wanted = rng.choice(sorted(missing))
            inside = neighbourhood(self._network, wanted, int(size), rng)
            spared = rng.choice(sorted(inside)) if rng.random() < EXCHANGES else None
            answer = self._ask(informed, {*inside}, wanted, spared)
            waited += UNDECIDED if answer is None else 1
            if answer:
                missing = self._take(informed)
                size = size if spared is not None else max(LEAST_SIZE, size * SUCCESS_SHRINKING)
            else:
                size = size * GROWTH if answer is False else max(LEAST_SIZE, size * SHRINKING)
            if not missing:
                yield
                return
            if len(missing) < fewest:
                fewest, waited = len(missing), 0
            yield

    def _ask(
        self, informed: Sequence[int | None], inside: set[int], wanted: int, spared: int | None
    ) -> bool | None:
        """Whether the wanted node can be informed too."""
        if self._solver is None or self._formula is None:
            sources = self._problem.sources
            self._formula = broadcast_formula(self._network, sources, [], self._rounds)
            self._solver = AssumptionSolver(self._formula.cnf, windows(self._formula, [sources]))
            # The solver has a copy; in large networks they take most of the memory.
            self._formula.cnf.clauses.clear()
        held = self._formula.held
        assumed = [held(wanted, 0, self._rounds)]
        for v, t in enumerate(informed):
            if v in inside:
                if t is not None and v != spared and v in self._targets:
                    assumed.append(held(v, 0, self._rounds))
            elif t is None:
                assumed.append(-held(v, 0, self._rounds))
            else:
                assumed.append(held(v, 0, t))
                if t:
                    assumed.append(-held(v, 0, t - 1))
        return self._solver.solve(assumed, CONFLICTS)

    def _take(self, informed: list[int | None]) -> list[int]:
        """Read who is informed when from the solver's model; the targets still missing."""
        assert self._solver is not None
        assert self._formula is not None
        model, held = self._solver.model(), self._formula.held
        for v in range(len(informed)):
            informed[v] = next((t for t in range(self._rounds + 1) if model[held(v, 0, t) - 1] > 0), None)
        missing = [v for v in self._targets if informed[v] is None]
        if not missing:
            calls = self._formula.calls({literal for literal in model if literal > 0})
            self._found = as_schedule(self._problem, calls)
        return missing

    def close(self) -> None:
        """Give the solver's memory back."""
        super().close()
        if self._solver is not None:
            self._solver.close()
            self._solver = None


def neighbourhood(network: Network, v: int, size: int, rng: random.Random) -> list[int]:
    """Return about `size` nodes near a node, itself included, connected by links either way.

    Their shape is random.
    """
    found = [v]
    seen = {v}
    edge = [v]
    while edge and len(found) < size:
        u = edge.pop(rng.randrange(min(len(edge), BREADTH)))
        for w in (*network.successors[u], *network.predecessors[u]):
            if w not in seen:
                seen.add(w)
                found.append(w)
                edge.append(w)
    return found


def neighbourhood_search(question: Question) -> RunningSearch | None:
    """Look for a broadcast, multicast or accumulation schedule by mending (`NeighbourhoodSearch`)."""
    problem, rounds = question.problem, question.value
    if problem.task == "gossip" or problem.choice or rounds < 1:
        return None
    network = problem.broadcast_network
    if network.node_count < FEWEST_NODES:
        return None
    if affordable(question, formula_size(problem, rounds)):
        return NeighbourhoodSearch(question)
    small = (rounds + 1) * len(network.arcs) <= LARGEST_TABLES
    return NeighbourhoodSearch(question, by_sat=False) if small and find_spec("numba") else None
