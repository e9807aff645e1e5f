"""The refutation that a prefix by the clock takes at most a given time, by the formula of halves.

The formula describes what the second half of the processors learns of the first
(`claims.halves_formula`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

from schedsolve.backends.sat import SatQuestion, SatSearch, decide_by_sat
from schedsolve.modelkit.search import GivenUpError, Question, RunningSearch

from ..claims.halves_formula import halves_formula, halves_formula_size
from ..rules.tree import in_rounds, tree_of

LARGEST_FORMULA = 1_000_000
"""The most literals of a formula that is tried: 32 processors."""
SOLVER = "glucose4"
"""This solver refutes these formulas with a tenth of the conflicts that others need."""
NO_PREFIX = "what the halves need is not a prefix"


class HalvesSearch:
    """A search that gives up if the formula is satisfiable, since the assignment need not be a prefix."""

    def __init__(self, search: SatSearch) -> None:
        self.search = search

    def advance(self, seconds: float) -> bool | None:
        """Return False if refuted, or None if undecided; raise GivenUpError if the formula is satisfiable."""
        answer = self.search.advance(seconds)
        if answer:
            raise GivenUpError(NO_PREFIX)
        return answer

    def found(self) -> NoReturn:
        """Raise ValueError: `advance` never says that there is a schedule."""
        raise ValueError(NO_PREFIX)

    def evidence(self) -> Mapping[str, Any] | None:
        """Return the proof of a refutation, if it was to be kept."""
        return self.search.evidence()

    def close(self) -> None:
        """Release the solver's memory."""
        self.search.close()


def halves_search(question: Question) -> RunningSearch | None:
    """Refute that a prefix by the clock takes at most `question.value`."""
    problem, time = question.problem, question.value
    tree = tree_of(problem)
    across = 2 * tree.height
    if problem.task != "prefix" or in_rounds(problem) or not across <= time < 3 * across:
        return None

    def no_prefix(_: set[int]) -> NoReturn:
        raise ValueError(NO_PREFIX)

    def build() -> SatQuestion:
        evidence = {"kind": "refutation", "rounds": time, "formula": "halves"}
        return SatQuestion(halves_formula(tree, time).cnf, [], no_prefix, evidence)

    size = halves_formula_size(tree, time)
    search = decide_by_sat(question, size, build, largest=LARGEST_FORMULA, solver=SOLVER)
    return search and HalvesSearch(search)
