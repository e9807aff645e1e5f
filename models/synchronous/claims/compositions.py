"""Refutations of C chunks in R rounds and S steps.

Composition by composition of R into the rounds of the steps.

Prices exclude every composition (r_1, ..., r_S) in which the links take in less than the chunks pay, sum of
r_s Z_s < C D. For each of the others the plain formula (`formula`) is put behind a selector; the clause that
one of the selectors holds makes one formula of all. A schedule of fewer rounds could be prolonged, so that a
refutation of R rounds proves R + 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from math import comb
from typing import Any

from schedsolve.modelkit.evidence import Fields, Holds, fields
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import refuted_rounds
from schedsolve.runtime.errors import ClaimError
from schedsolve.runtime.files.number_reader import whole_number

from ..rules.collective import collective_of
from ..rules.files import LARGEST_NUMBER
from ..rules.mirror import MIRRORED, mirrored
from ..rules.reductions import reduction_of
from .bandwidth import worst_rounds_per_chunk
from .contributions import ContributionFormula, contribution_formula
from .formula import StepsFormula, steps_formula
from .hops import routes
from .prices import price_terms
from .reductions import part_of

MOST_COMPOSITIONS = 5_000
"""More compositions than these are not gone through."""

Terms = tuple[Fraction, Sequence[Fraction]]
"""What a chunk of every shipment pays together, and what the links take in during a round of every step."""


def compositions(rounds: int, steps: int) -> Iterator[tuple[int, ...]]:
    """All ways to write the rounds as an ordered sum of one positive number for every step."""
    if steps == 1:
        yield (rounds,)
        return
    for cuts in combinations(range(1, rounds), steps - 1):
        ends = (0, *cuts, rounds)
        yield tuple(b - a for a, b in pairwise(ends))


def remaining(rounds: int, steps: int, chunks: int, terms: Sequence[Terms]) -> list[tuple[int, ...]]:
    """Return the compositions that no prices exclude.

    Raises
    ------
    ClaimError
        If there are too many compositions.
    """
    if comb(rounds - 1, steps - 1) > MOST_COMPOSITIONS:
        raise ClaimError(
            f"{rounds} rounds have more than {MOST_COMPOSITIONS} compositions into {steps} steps"
        )
    return [c for c in compositions(rounds, steps) if not is_excluded(c, chunks, terms)]


def is_excluded(composition: Sequence[int], chunks: int, terms: Sequence[Terms]) -> bool:
    """Whether some prices exclude the composition."""
    return any(
        sum((r * z for r, z in zip(composition, takings, strict=True)), Fraction(0)) < chunks * paid
        for paid, takings in terms
    )


def composition_formula(problem: Problem, step_rounds: Sequence[int]) -> StepsFormula | ContributionFormula:
    """Return the plain formula for one composition."""
    if adds_directly(problem):
        ways = routes(problem.network)
        return contribution_formula(reduction_of(problem), ways, step_rounds, problem.parameters["chunks"])
    identity = (tuple(range(problem.network.node_count)),)
    return steps_formula(
        collective_of(problem), routes(problem.network), step_rounds, problem.parameters["chunks"], identity
    )


def adds_directly(problem: Problem) -> bool:
    """Whether the problem is about contributions, and no copying task run backwards."""
    return problem.task == "allreduce" or "ordered" in problem.parameters


def unlimited_formula(problem: Problem) -> ContributionFormula:
    """Return the plain formula for one chunk of a reduction, whatever the links carry."""
    steps = [None] * problem.parameters["steps"]
    return contribution_formula(reduction_of(problem), routes(problem.network), steps, 1)


def terms_of(problem: Problem, evidence: Any) -> Terms:
    """Return what prices say of the steps of a problem's schedules, or of those of a part of it.

    Prices of a reduction are those of its copying task, which runs backwards: their step 1 is the last step
    of the reduction.

    Raises
    ------
    ClaimError
        If they are malformed.
    """
    if isinstance(evidence, Mapping) and evidence.get("kind") == "part":
        problem, evidence = part_of(problem, evidence)
    elif problem.task == "allreduce":
        raise ClaimError("an allreduce copies and adds; prices are for one of its parts")
    paid, takings = price_terms(mirrored(problem), evidence)
    return paid, takings[::-1] if problem.task in MIRRORED else takings


def refuted_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[Fraction, Cnf]:
    """Return the bound that a refutation proves, and the formula that its proof must refute.

    Parameters
    ----------
    problem
        The problem.
    evidence
        "rounds", those refuted, and "prices", evidence of prices that exclude compositions; or "any_rounds"
        for a reduction: the steps are too few for one chunk, whatever the links carry, and so for any number
        (`worst_rounds_per_chunk`); "rounds" is then this horizon.

    Raises
    ------
    ClaimError
        If it is malformed.
    """
    if not adds_directly(problem):
        problem = mirrored(problem)
    elif evidence.get("any_rounds") is True:
        most = worst_rounds_per_chunk(problem)
        if refuted_rounds(evidence) != most:
            raise ClaimError(f'"any_rounds" refutes {most} rounds per chunk, which always suffice')
        return Fraction(most + 1, 1), unlimited_formula(problem).cnf
    chunks, prices = problem.parameters.get("chunks"), evidence.get("prices", [])
    steps: int = problem.parameters["steps"]
    rounds = whole_number(evidence.get("rounds"), steps, LARGEST_NUMBER)
    if chunks is None or rounds is None or not isinstance(prices, list):
        raise ClaimError("a refutation says how many rounds it refutes, of a given number of chunks")
    terms = [terms_of(problem, data) for data in prices]
    parts = [composition_formula(problem, c).cnf for c in remaining(rounds, steps, chunks, terms)]
    return Fraction(rounds + 1, chunks), joined(parts)


def refutation_fields(problem: Problem, evidence: Mapping[str, Any]) -> Fields:
    """Return the fields of a refutation: of any number of rounds it has no prices."""
    if adds_directly(problem) and evidence.get("any_rounds") is True:
        return fields("any_rounds")
    return fields(prices=Holds.EVIDENCE)


def joined(parts: Sequence[Cnf]) -> Cnf:
    """One formula that holds when one of the parts does.

    Part number i has the selector i, from 1, and its variables come after those of the parts before it.
    """
    whole = Cnf(len(parts), [list(range(1, len(parts) + 1))])
    for selector, part in enumerate(parts, 1):
        shift = whole.variable_count
        whole.extend([*_shifted(clause, shift), -selector] for clause in part.clauses)
        whole.variable_count += part.variable_count
    return whole


def joined_proof(variable_counts: Sequence[int], proofs: Sequence[Sequence[str]]) -> list[str]:
    """Return a proof that refutes the joined formula, from those that refute its parts, line by line."""
    lines: list[str] = []
    shift = len(variable_counts)
    for selector, (count, proof) in enumerate(zip(variable_counts, proofs, strict=True), 1):
        for line in proof:
            words = line.split()
            deletes = words[:1] == ["d"]
            literals = _shifted([int(word) for word in words[deletes:-1]], shift)
            lines.append(" ".join([*["d"] * deletes, *map(str, literals), str(-selector), "0"]))
        lines.append(f"{-selector} 0")
        shift += count
    return lines


def _shifted(clause: Sequence[int], shift: int) -> list[int]:
    return [x + shift if x > 0 else x - shift for x in clause]
