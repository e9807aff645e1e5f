"""Synchronous collectives for other solvers, for a given number of chunks.

Variables, all 0 or 1:

- `chunk_3_held_by_5_after_2`: node 5 holds chunk 3 after step 2.
- `chunk_3_from_4_to_5_in_2`: it is sent there in step 2; with `_via_8_9` behind it, through these switches.
- Of an allreduce, or an ordered reduction: `chunk_3_at_5_has_4_after_2`, node 5's value of chunk 3 has the
  contribution of node 4 then, and `chunk_3_kept_by_5_in_2`, it keeps its value in step 2. Reduces and
  reduce-scatters without order are their copying tasks run backwards: of S steps the first is the last.
- `step_2_lasts_3`: step 2 lasts 3 rounds at least; every step lasts one. Where the rounds are minimised,
  `step_2_lasts_1` is 1, so that the objective is all rounds, the chunks times the value.

Size, for K chunks of all shipments, N compute nodes, E routes, S steps and R rounds: about K S (N + E) + S R
variables, and as many rows.

Source: Cai et al., Synthesizing optimal collective algorithms (PPoPP 2021), section 3, with a variable for
"holds it after the step" in place of the time of arrival.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import islice

from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
)
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import InputError, counted

from ..claims.compositions import MOST_COMPOSITIONS, adds_directly, composition_formula, compositions, joined
from ..claims.contributions import ContributionFormula
from ..rules.mirror import MIRRORED, backwards, mirrored
from ..rules.steps import StepSchedule
from .copies import copies_of, copying_program
from .steps import name_of_send
from .sums import adding_program, sums_of


def integer_formulation(request: FormulationRequest) -> IntegerFormulation:
    """Return the integer program for "so many rounds suffice for the chunks", or for the least up to there.

    Raises
    ------
    InputError
        Without a number of chunks, and when it would be too large.
    """
    problem, (chunks, rounds) = request.problem, _counts(request)
    size = f"{counted(chunks, 'chunk')} in {counted(problem.parameters['steps'], 'step')}"
    meaning = f"a schedule of {size} and at most {counted(rounds, 'round')}{_backwards_note(problem)}"
    if adds_directly(problem):
        sums = adding_program(problem, chunks, rounds, minimise=request.minimise)
        return IntegerFormulation(
            sums.program, lambda value: (problem, sums_of(sums, value)), meaning, scale=chunks
        )
    copies = copying_program(mirrored(problem), chunks, rounds, minimise=request.minimise)
    turn = _way_back(problem)
    return IntegerFormulation(
        copies.program, lambda value: (problem, turn(copies_of(copies, value))), meaning, scale=chunks
    )


def _way_back(problem: Problem) -> Callable[[StepSchedule], StepSchedule]:
    """Return what makes a schedule of the problem of one of the task that is written down."""
    is_backwards = problem.task in MIRRORED and not adds_directly(problem)
    return backwards if is_backwards else lambda schedule: schedule


def _backwards_note(problem: Problem) -> str:
    """Return a note for a task that is written down as its reverse, and "" for others."""
    if problem.task not in MIRRORED or adds_directly(problem):
        return ""
    return f"; it is of the {MIRRORED[problem.task]} that this is when it runs backwards"


def _counts(request: FormulationRequest) -> tuple[int, int]:
    """Return the chunks and the most rounds of a request.

    Raises
    ------
    InputError
        If there are none.
    """
    chunks: int | None = request.problem.parameters.get("chunks")
    if chunks is None or request.value is None:
        raise InputError("a formulation of a synchronous schedule needs --chunks C")
    return chunks, int(Fraction(request.value) * chunks // 1)


def cnf_formulation(request: FormulationRequest) -> CnfFormulation:
    """Return the plain formulas of the claims for all compositions of the rounds.

    Each stands behind the variable that says that the steps last so long.

    Raises
    ------
    InputError
        As `integer_formulation` does, and for too many compositions.
    """
    problem, (chunks, rounds) = request.problem, _counts(request)
    ways = list(islice(compositions(rounds, problem.parameters["steps"]), MOST_COMPOSITIONS + 1))
    if len(ways) > MOST_COMPOSITIONS:
        raise InputError(f"the rounds have more than {MOST_COMPOSITIONS} compositions into the steps")
    written = problem if adds_directly(problem) else mirrored(problem)
    parts = [composition_formula(written, way) for way in ways]
    names: dict[int, str] = {}
    first = [len(parts)]
    for selector, (way, part) in enumerate(zip(ways, parts, strict=True), 1):
        lasting = f"rounds_{'_'.join(map(str, way))}"
        names[selector] = lasting
        sent = (
            part.sent
            if isinstance(part, ContributionFormula)
            else {(shipment * chunks + j, i, s): x for ((shipment, j), i, s), x in part.sent.items()}
        )
        for (chunk, i, step), variable in sent.items():
            names[first[-1] + variable] = f"{lasting}_{name_of_send(chunk, part.routes[i], step)}"
        first.append(first[-1] + part.cnf.variable_count)

    turn = _way_back(problem)

    def decode(true: set[int]) -> Solved:
        chosen = next(i for i in range(len(parts)) if i + 1 in true)
        return problem, turn(parts[chosen].schedule({variable - first[chosen] for variable in true}))

    size = counted(chunks, "chunk")
    meaning = f"a schedule of {size} with the rounds of the steps that a variable rounds_... names"
    meaning += _backwards_note(problem)
    return CnfFormulation(joined([part.cnf for part in parts]), names, decode, meaning)


FORMULATIONS = Formulations(integer_formulation, cnf_formulation)
