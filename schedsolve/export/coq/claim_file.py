"""A result as a file for the checker that is extracted from theory/ (`make theory-checker`).

It is for proofs that are too long for Coq to read. The checker replays the schedule, makes the plain formula
itself, and takes the numbers of the proof one by one; that what it accepts is optimal is the theorem
`accepted_is_optimal` of theory/Verdict.v.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from schedsolve.certify.saved_result import read_saved_result
from schedsolve.export.coq.refutations import (
    SECONDS,
    Choice,
    Question,
    Refutation,
    refutation_for,
    saved_evidence,
)
from schedsolve.export.coq.theorem import (
    THEOREM_BUDGET,
    Statement,
    proven_value,
    saved_schedule,
    statement_in,
    written_from_result,
)
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import longer, within

FORMAT = "schedsolve-claim/1"
_LINE = 1000
"""Numbers of a proof in a line."""


def export_claim(file: str, out: str, seconds: float = SECONDS) -> list[str]:
    """Write a saved result for the extracted checker.

    Return the name of the file written. A refutation that the file lacks is sought for so many seconds of CPU
    time.

    Raises
    ------
    InputError
        If the file is no result that is proven optimal, theory/ knows no such problem, its source is left
        open, or there is no plain refutation of one round fewer.
    OverBudgetError
        If the file asks for too much.
    """
    with within(longer(THEOREM_BUDGET, seconds)):
        return written_from_result(file, out, lambda data: claim_text(data, seconds))


def claim_text(data: Any, seconds: float = SECONDS) -> str:
    """Return the file for the JSON data of a result.

    Raises
    ------
    InputError
        And ClaimError as `export_claim` does.
    """
    return "\n".join(_lines(statement_in(data), data, seconds)) + "\n"


def _lines(statement: Statement, data: Mapping[str, Any], seconds: float) -> Iterator[str]:
    asked = statement.asked
    value = proven_value(asked, data)
    if value is None or asked.choice:
        raise InputError("the extracted checker takes what is proven optimal, from given sources")
    schedule = saved_schedule(asked, data)
    if len(schedule.rounds) != value:
        raise InputError(f"the schedule has {len(schedule.rounds)} rounds, not {value}")
    refutation = _refutation(statement, data, value - 1, seconds) if value else None
    network = asked.network
    yield FORMAT
    yield f"mode {statement.mode}"
    yield f"network {'directed' if network.directed else 'undirected'} {network.node_count}"
    yield f"links {_joined(v for link in network.edges for v in link)}".rstrip()
    yield f"task {_task(asked, refutation)}"
    yield f"schedule {value}"
    for calls in schedule.rounds:
        yield _joined(end for call in calls for end in (call.sender, call.receiver))
    images = () if refutation is None else refutation.images
    yield f"symmetries {len(images)}"
    yield from map(_joined, images)
    yield "proof"
    if refutation is not None:
        yield from _broken(refutation.numbers(forgetting=True))


def _refutation(statement: Statement, data: Mapping[str, Any], rounds: int, seconds: float) -> Refutation:
    certificate = read_saved_result(data).certificate
    saved = saved_evidence(statement.asked, () if certificate is None else certificate.lower)
    problem = statement.asked.with_parameters(rounds=None)
    question = Question(problem, statement.mode, statement.name, statement.two_way, rounds, seconds)
    return refutation_for(question, saved)[1]


def _task(problem: Problem, refutation: Refutation | None) -> str:
    """Return the task with its nodes, and which gossips are refuted."""
    if problem.task == "gossip":
        if refutation and refutation.pairs:
            return f"gossip by pairs {_joined(v for pair in refutation.pairs for v in pair)}"
        return str(refutation.choice if refutation else Choice.ANY)
    ends = f"{problem.task} {_joined(problem.sources)}"
    return f"{ends} to {_joined(problem.targets)}" if problem.task == "multicast" else ends


def _joined(values: Iterable[int]) -> str:
    return " ".join(map(str, values))


def _broken(values: Iterable[int]) -> Iterator[str]:
    """Yield lines with the numbers."""
    line: list[int] = []
    for value in values:
        line.append(value)
        if len(line) == _LINE:
            yield _joined(line)
            line = []
    yield _joined(line)
