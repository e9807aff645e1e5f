"""Deciding C chunks in R rounds and S steps for every composition of R, with a proof for every "no"."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from schedsolve.backends.sat import SatQuestion, SatSearch
from schedsolve.modelkit.formulas.proof import pack_proof, unpack_proof
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.errors import ClaimError, counted

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


class Work:
    """The work on one problem, which keeps what is known.

    Attributes
    ----------
    left
        The seconds left.
    certify
        Whether to keep proofs.
    best
        The value of the best schedule, also of one known from elsewhere; None when there is none.
    lower
        The rounds per chunk that are proven.
    asked
        The rounds per chunk to decide, None when the least are asked for.
    enough
        A value below which nothing is needed.
    """

    def __init__(
        self,
        problem: Problem,
        left: Callable[[], float],
        certify: bool,
        best: Fraction | None,
        lower: Fraction,
    ) -> None:
        self.problem, self.left, self.certify, self.best, self.lower = problem, left, certify, best, lower
        self.chunks: int | None = problem.parameters.get("chunks")
        self.steps: int = problem.parameters["steps"]
        rounds = problem.parameters.get("rounds")
        self.asked = None if rounds is None else Fraction(rounds, problem.parameters["chunks"])
        self.enough = Fraction(0)
        self.hint: Sequence[float] = [1.0] * self.steps
        self.prices: list[dict[str, Any]] = []

    @property
    def settled(self) -> bool:
        """Whether bound and schedule meet, or the rounds asked for are decided."""
        if self.asked is not None:
            return self.lower > self.asked or (self.best is not None and self.best <= self.asked)
        return self.best is not None and self.best <= max(self.lower, self.enough)

    def is_better(self, schedule: StepSchedule) -> bool:
        """Whether a schedule takes fewer rounds per chunk than what is known."""
        return self.best is None or Fraction(schedule.rounds, schedule.chunks or 1) < self.best

    def offered(self, schedule: StepSchedule) -> Iterator[Finding]:
        """Yield the schedule, when it is better than what is known."""
        if self.is_better(schedule):
            self.best = Fraction(schedule.rounds, schedule.chunks or 1)
            yield schedule

    def offered_each(self, schedules: Iterable[StepSchedule | None]) -> Iterator[Finding]:
        """Yield of schedules, with None in between, those that are better, until all is settled."""
        for schedule in schedules:
            yield None
            if schedule is not None:
                yield from self.offered(schedule)
            if self.settled:
                return

    def decide_chunks(self, chunks: int) -> Iterator[Finding]:
        """Decide every number of rounds from the lower bound on, while that raises it."""
        before = None
        while self.lower != before and not self.settled and self.left() > 0:
            before, asked = self.lower, self.problem.parameters.get("rounds")
            rounds = asked or max(self.steps, int(self.lower * chunks))
            for finding in decide_rounds(self.problem, rounds, self.prices, self.certify, self.left):
                if isinstance(finding, StepSchedule):
                    yield from self.offered(finding)
                    continue
                if finding is not None:
                    self.lower = Fraction(finding.value)
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
        within = f"{counted(rounds, 'round')} in every composition into {counted(steps, 'step')}"
        reason = f"refuted by search: {within}"
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
