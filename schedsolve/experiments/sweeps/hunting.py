"""Counterexamples to conjectures, on networks that the table does not have.

First larger networks of known kinds are tried, then those are altered that come nearest to a violation:
links are added, removed and moved, by simulated annealing, for as long as the premise holds.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from math import exp
from typing import Any

from schedsolve.experiments.sweeps.conjectures import Conjecture
from schedsolve.experiments.sweeps.expressions import compiled
from schedsolve.experiments.sweeps.hypotheses import LEAST_PERIOD, HypothesisTable, Question
from schedsolve.modelkit.result import Result, Status
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.classes.invariants import INVARIANTS, invariants
from schedsolve.network.files.graph_formats import compose_graph6
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve

MORE_NODES, SECONDS_OF_A_VALUE, HEAT = 6, 2.0, 0.7
"""By how many nodes networks are larger; how long a value may take; how readily a worse network is taken."""
KINDS = ("path", "cycle", "star", "complete", "wheel")
"""Families that have a network of every number of nodes."""


@dataclass(frozen=True)
class Refutation:
    """A network for which a conjecture is false.

    Attributes
    ----------
    network
        The network, named by its graph6 string.
    values
        The values of the columns that the conjecture reads.
    results
        The certified results that have the optima among them.
    """

    network: Network
    values: Mapping[str, Any]
    results: tuple[Result, ...]


def refuted(
    conjecture: Conjecture, table: HypothesisTable, seconds: float, seed: int = 0
) -> Refutation | None:
    """Return a counterexample on a network beyond the table, None if none is found in the time.

    Parameters
    ----------
    conjecture
        About the optimum of a task.
    table
        From which it is.
    seconds
        The time limit.
    seed
        Of the random choices.
    """
    hunt = _Hunt(conjecture, table, time.monotonic() + seconds, random.Random(seed))
    if not hunt.possible:
        return None
    with suppress(_TimeIsUpError):
        return hunt.run()
    return None


class _TimeIsUpError(Exception):
    """The time limit has passed."""


class _Hunt:
    """One hunt; the violation of a network is by how much the inequality fails, negative where it holds."""

    def __init__(
        self, conjecture: Conjecture, table: HypothesisTable, end: float, lots: random.Random
    ) -> None:
        self.conjecture, self.end, self.lots = conjecture, end, lots
        self.columns = table.columns
        self.test, used = compiled(conjecture.text, table.columns)
        self.bound = compiled(conjecture.bound, table.columns)[0]
        self.premise = None if conjecture.premise is None else compiled(conjecture.premise, table.columns)[0]
        asked = used & set(table.tasks)
        self.questions: dict[str, Question] = {name: table.tasks[name] for name in sorted(asked)}
        known = all(LEAST_PERIOD not in one.parameters.split() for one in self.questions.values())
        self.possible = known and used <= {*INVARIANTS, *self.questions} and bool(self.questions)
        at = {name: i for i, name in enumerate(table.columns)}
        rows = [row for row in table.rows if self.premise is None or self.premise(row) is True]
        self.most = max((row[at["n"]] for row in rows), default=2)
        self.violations: dict[Network, Fraction | None] = {}

    def run(self) -> Refutation | None:
        """Return the first counterexample."""
        best: list[tuple[Fraction, Network]] = []
        for network in self._larger():
            violation = self._violation(network)
            if violation is not None:
                if violation > 0:
                    return self._found(network)
                best.append((violation, network))
        best.sort(key=lambda one: -one[0])
        while best:
            for violation, network in best[:4]:
                found = self._annealed(network, violation)
                if found is not None:
                    return self._found(found)
        return None

    def _larger(self) -> Iterator[Network]:
        for n in range(self.most + 1, self.most + 1 + MORE_NODES):
            for kind in KINDS:
                with suppress(InputError):
                    yield Network.from_spec(f"{kind}:{n}")
            yield from (_random_tree(n, self.lots) for _ in range(3))
            yield from (_with_more_links(_random_tree(n, self.lots), k, self.lots) for k in (1, n // 2, n))

    def _annealed(self, network: Network, violation: Fraction) -> Network | None:
        """Alter a network while it violates more and more, or little less; return a counterexample."""
        for step in range(60):
            other = self._altered(network)
            now = self._violation(other)
            if now is None:
                continue
            if now > 0:
                return other
            if now >= violation or self.lots.random() < exp(float(now - violation) / HEAT * (1 + step / 20)):
                network, violation = other, now
        return None

    def _altered(self, network: Network) -> Network:
        links, n = set(network.edges), network.node_count
        for _ in range(self.lots.choice((1, 1, 2))):
            pair = self.lots.sample(range(n), 2)
            links ^= {(min(pair), max(pair))}
        if self.conjecture.premise == "tree" or self.lots.random() < 1 / 3:
            # A link elsewhere instead of one, as a tree stays a tree only so.
            links = set(network.edges)
            links.remove(self.lots.choice(sorted(links)))
            pair = self.lots.sample(range(n), 2)
            links.add((min(pair), max(pair)))
        return Network(n, tuple(sorted(links)))

    def _violation(self, network: Network) -> Fraction | None:
        """Return the violation, None where the premise fails or a value is not known."""
        if time.monotonic() > self.end:
            raise _TimeIsUpError
        if network not in self.violations:
            self.violations[network] = self._computed(network)
        return self.violations[network]

    def _computed(self, network: Network) -> Fraction | None:
        if not network.is_connected:
            return None
        known = invariants(network)
        if self.premise is not None and self.premise(self._row(known, {})) is not True:
            return None
        values = {}
        for name, question in self.questions.items():
            result = self._solved(network, question, certify=False)
            if result.status is not Status.OPTIMAL:
                return None
            values[name] = result.value
        bound = self.bound(self._row(known, values))
        height = values.get(self.conjecture.target)
        if bound is None or height is None:
            return None
        over = Fraction(height) - Fraction(bound)
        return {"<=": over, ">=": -over, "==": abs(over)}[self.conjecture.side]

    def _row(self, known: Mapping[str, Any], values: Mapping[str, Any]) -> Sequence[Any]:
        return [values.get(name, known.get(name)) for name in self.columns]

    def _solved(self, network: Network, question: Question, *, certify: bool) -> Result:
        problem = build_problem(question.model, question.task, network, question.given)
        return solve(problem, Options(time_limit=SECONDS_OF_A_VALUE, certify=certify))

    def _found(self, network: Network) -> Refutation | None:
        """Return the counterexample with certified results, if they agree that it is one."""
        named = replace(network, name=f"graph6:{compose_graph6(network).decode().strip()}")
        results = {name: self._solved(named, one, certify=True) for name, one in self.questions.items()}
        row = self._row(invariants(named), {name: result.value for name, result in results.items()})
        proven = all(result.status is Status.OPTIMAL for result in results.values())
        if not proven or self.test(row) is not False:
            return None
        read = compiled(self.conjecture.text, self.columns)[1]
        values = {name: row[self.columns.index(name)] for name in self.columns if name in read}
        return Refutation(named, values, tuple(results.values()))


def _random_tree(n: int, lots: random.Random) -> Network:
    """Return a tree whose every node but the first joins an earlier one, often the one just before."""
    parents = [v - 1 if lots.random() < lots.random() else lots.randrange(v) for v in range(1, n)]
    return Network(n, tuple((parent, v) for v, parent in enumerate(parents, 1)))


def _with_more_links(network: Network, count: int, lots: random.Random) -> Network:
    links = set(network.edges)
    for _ in range(count):
        u, v = sorted(lots.sample(range(network.node_count), 2))
        links.add((u, v))
    return Network(network.node_count, tuple(sorted(links)))
