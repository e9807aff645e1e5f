"""Comparing bounds, algorithms and optima over several networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from schedsolve.problem import Problem, problem_to_json
from schedsolve.report.text import table_lines
from schedsolve.result import Result, Status, Value, value_to_json
from schedsolve.solve import Construction, Options, construct, solve


@dataclass(frozen=True)
class Comparison:
    """One row: a problem, the values that algorithms reach, and the optimum or the bounds that are known of it."""

    problem: Problem
    constructions: Sequence[Construction]
    result: Result

    @property
    def value(self) -> Value | None:
        """The best value known, by solving or by an algorithm."""
        return min((v for v in (self.result.value, *(c.value for c in self.constructions)) if v is not None), default=None)

    @property
    def decided(self) -> bool:
        """Whether the optimum is known."""
        return self.value == self.result.lower_bound

    @property
    def gap(self) -> str:
        """By how much the best algorithm misses the optimum; a range when the optimum is not known."""
        if not self.constructions or self.value is None or self.result.lower_bound is None:
            return "-"
        best = min(c.value for c in self.constructions)
        least, most = best - self.value, best - self.result.lower_bound
        return f"{least}" if least == most else f"{least}..{most}"


def compare(problems: Sequence[Problem], options: Options) -> list[Comparison]:
    """Run every algorithm on every problem and solve it within the options' limits, each problem anew.

    No algorithm is run on a problem that asks for the worst node. A KeyboardInterrupt (Ctrl-C) ends the comparison with the rows so far.
    Raises InputError for a problem that asks for a decision.
    """
    seconds = min(2.0, options.time_limit or 2.0)
    rows: list[Comparison] = []
    try:
        for problem in problems:
            built = [] if problem.choice == "max" else construct(problem, seed=options.seed, seconds=seconds)
            rows.append(Comparison(problem, built, solve(problem, options)))
            if rows[-1].result.interrupted:
                break
    except KeyboardInterrupt:
        pass
    return rows


def comparison_lines(comparisons: Sequence[Comparison]) -> list[str]:
    """The comparisons as a table: a row for each network, a column for each algorithm that ran on one of them."""
    names = list(dict.fromkeys(c.algorithm.name for row in comparisons for c in row.constructions))
    header = ["network", "nodes", "lower bound", *names, "optimum", "gap", "seconds"]
    rows = []
    for row in comparisons:
        values = {c.algorithm.name: str(value_to_json(c.value)) for c in row.constructions}
        lower, value = (value_to_json(x) for x in (row.result.lower_bound, row.value))
        optimum = f"{lower}..{'?' if value is None else value}"
        if row.decided:
            optimum = "infeasible" if value is None else str(value)
        network = row.problem.network
        cells = [network.name, str(network.node_count), "-" if lower is None else str(lower), *(values.get(name, "-") for name in names)]
        rows.append([*cells, optimum, row.gap, f"{row.result.runtime_seconds:.1f}"])
    return table_lines(header, rows)


def comparison_to_json(comparisons: Sequence[Comparison]) -> dict[str, Any]:
    """The comparisons as a JSON object with a list of rows."""
    return {
        "format": "schedsolve-comparison/1",
        "rows": [
            {
                "problem": problem_to_json(row.problem),
                "status": (row.result.status if row.value is None else Status.OPTIMAL if row.decided else Status.BOUNDED).value,
                "lower_bound": value_to_json(row.result.lower_bound),
                "value": value_to_json(row.value),
                "algorithms": {c.algorithm.name: value_to_json(c.value) for c in row.constructions},
                "gap": row.gap,
                "runtime_seconds": round(row.result.runtime_seconds, 3),
            }
            for row in comparisons
        ],
    }
