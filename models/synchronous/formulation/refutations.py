"""Deciding C chunks in R rounds and S steps for every composition of R, with a proof for every "no"."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.errors import ClaimError
from schedsolve.formulas.proof import pack_proof, unpack_proof
from schedsolve.problem import Problem
from schedsolve.result import Bound
from schedsolve.schedule import Schedule

from ..claims.compositions import composition_formula, joined_proof, remaining, terms_of
from ..claims.contributions import ContributionFormula
from ..claims.formula import StepsFormula
from ..rules.steps import StepSchedule

SLICE_SECONDS = 0.2
Finding = Bound | StepSchedule | None
"""A lower bound, a schedule, or None to give the loop a turn."""


@dataclass(frozen=True)
class Decision:
    """What a composition turned out to be: a schedule, or a proof that there is none."""

    schedule: StepSchedule | None
    variable_count: int
    proof: Sequence[str]

    def evidence(self, **more: Any) -> dict[str, Any] | None:
        """Return the refutation in a file, None without a proof."""
        return {"kind": "refutation", **more, **pack_proof(list(self.proof))} if self.proof else None


class Seeker(Protocol):
    """A search as far as deciding numbers of rounds goes; lower: the rounds per chunk that are proven."""

    problem: Problem
    prices: Any
    certify: bool
    left: Callable[[], float]
    lower: Fraction

    def offered(self, schedule: StepSchedule) -> Iterator[Finding]:
        """Return the schedule, when it is better than what the search knows."""


def decide_next(search: Seeker, rounds: int) -> Iterator[Finding]:
    """Decide a number of rounds for the chunks that are given, and let the search take what is found."""
    for finding in decide_rounds(search.problem, rounds, search.prices, search.certify, search.left):
        if isinstance(finding, StepSchedule):
            yield from search.offered(finding)
            continue
        if finding is not None:
            search.lower = Fraction(finding.value)
        yield finding


def decide_rounds(
    problem: Problem,
    rounds: int,
    prices: Sequence[Mapping[str, Any]],
    certify: bool,
    left: Callable[[], float],
) -> Iterator[Finding]:
    """Decide whether the problem's chunks pass in so many rounds.

    None after every slice of work, and last a schedule, or the lower bound that follows from a refutation of
    every composition that the prices leave.
    """
    chunks, steps = problem.parameters["chunks"], problem.parameters["steps"]
    try:
        left_over = remaining(rounds, steps, chunks, [terms_of(problem, data) for data in prices])
    except ClaimError:
        return
    decided = []
    for composition in left_over:
        for decision in refutation_of(composition_formula(problem, composition), certify, left):
            yield None if decision is None else decision.schedule
            if decision is not None and decision.schedule is not None:
                return
            if decision is not None:
                decided.append(decision)
    if len(decided) == len(left_over):
        evidence: dict[str, Any] | None = None
        if certify:
            lines = joined_proof([d.variable_count for d in decided], [d.proof for d in decided])
            evidence = {
                "kind": "refutation",
                "rounds": rounds,
                "prices": [dict(data) for data in prices],
                **pack_proof(lines),
            }
        value = Fraction(rounds + 1, chunks)
        reason = f"refuted by search: {rounds} rounds in every composition into {steps} steps"
        yield Bound("lower", value, reason, evidence)


def refutation_of(
    formula: StepsFormula | ContributionFormula, certify: bool, left: Callable[[], float]
) -> Iterator[Decision | None]:
    """Decide a formula: None after every slice of work, and last what it turned out to be."""

    def no_decoding(_: set[int]) -> tuple[Problem, Schedule]:
        raise ValueError("the formula decodes its models")

    search = SatSearch(lambda: SatQuestion(formula.cnf, [], no_decoding), with_proof=certify)
    try:
        while left() > 0:
            answer = search.advance(min(SLICE_SECONDS, left()))
            if answer is None:
                yield None
                continue
            if answer:
                yield Decision(formula.schedule(search.model()), 0, ())
                return
            evidence = search.evidence()
            proof = unpack_proof(evidence) if evidence is not None else []
            yield Decision(None, formula.cnf.variable_count, proof)
            return
    finally:
        search.close()
