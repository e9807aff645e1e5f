"""The lower bounds by lineages, whose linear programs are solved in turn, and by crossings.

The bound by crossings, for prefixes, follows from those by lineages; see `claims.lineages` and
`claims.crossings`.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Any

from schedsolve.backends.lp import float_solution
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.search import Question

from .claims.crossings import crossing_time
from .claims.lineages import LineageProgram, Lineages, proven_lineages
from .rules.tree import FatTree, in_rounds, tree_of

REASON = "no broadcast: by lineages of messages, a linear program for every height and time"
CROSSINGS_REASON = "by lineages, what crosses the root is not enough for all operands and processors before"
BITS = (8, 14, 20, 26, 34, 44)
"""Binary logarithms of the denominators of multipliers; the smallest that proves the same bound is kept."""
EVERY_HEIGHTS = 3
"""The whole tree is bounded by the lineages of this many heights, of twice as many, ..., and of all."""


def lineage_bounds(question: Question) -> Iterator[Bound | None]:
    """Yield increasing bounds, by the lineages of subtrees of increasing height."""
    problem, tree = question.problem, tree_of(question.problem)
    known, proofs, least = Lineages(tree), list[dict[str, Any]](), int(question.value)
    for height in range(1, 1 if in_rounds(problem) else tree.height):
        while known.height < height:
            bound, proof = _proof(known.next_program())
            known.add(bound)
            proofs.append(proof)
            yield None
        if problem.task == "prefix" and height + 1 == tree.height:
            if (time := crossing_time(tree, known)) > least:
                crossed = {"kind": "crossings", "proofs": list(proofs)}
                yield Bound("lower", time, CROSSINGS_REASON, crossed, by="relaxation")
            least = max(least, time)
        if height % EVERY_HEIGHTS and height + 1 < tree.height:
            continue
        for time, shown in _too_little(tree, known, least, question.best):
            if shown is not None:
                least = time + 1
                evidence = {"kind": "lineages", "time": time, "proofs": [*proofs, shown]}
                yield Bound("lower", least, REASON, evidence, by="relaxation")
            yield None


def _too_little(
    tree: FatTree, known: Lineages, least: int, best: int | None
) -> Iterator[tuple[int, dict[str, Any] | None]]:
    """Yield times from `least` on that are tested, each with a proof that it does not suffice, or None.

    The times increase by doubling steps at first, and then the interval is halved.
    """
    high, leap = tree.height * (tree.height + 1) if best is None else best, 1
    while least < high:
        time = min(least + leap - 1, (least + high - 1) // 2)
        bound, proof = _proof(LineageProgram(tree, tree.height, time, known))
        if bound < tree.processors:
            yield time, proof
            least, leap = time + 1, 2 * leap
        else:
            yield time, None
            high = time


def _proof(program: LineageProgram) -> tuple[int, dict[str, Any]]:
    """Return the bound that a solution of the program proves, and the proof.

    If the program is not solved, the proof shows no more than the size of the tree.
    """
    solution = float_solution(program.program, inf)
    best, shortest = inf, dict[str, Any]()
    for bits in reversed(BITS):
        scaled = ((row, round(y * 2**bits)) for row, y in enumerate(solution.multipliers if solution else ()))
        multipliers = {row: weight for row, weight in scaled if weight < 0}
        bound = proven_lineages(program, multipliers, 2**bits)
        if bound > best:
            break
        best, shortest = bound, {"scale": 2**bits, "multipliers": list(map(list, multipliers.items()))}
    return int(best), shortest
