"""Whether searches decide as they should."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from schedsolve.backends.cpsat import CpSearch, declare_program
from schedsolve.modelkit.formulation import FormulationRequest
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Question, RunningSearch
from schedsolve.models import model_of, replay

Start = Callable[[Question], RunningSearch | None]
"""Begins a search for a schedule of a number of rounds."""


def cpsat_search(question: Question) -> CpSearch:
    """What decides with `--backend cpsat`: the integer program."""
    request = FormulationRequest(question.problem, question.value)
    kinds = model_of(question.problem).formulations
    assert kinds is not None
    return CpSearch(declare_program(kinds.integer(request)))


def wrong_decisions(start: Start, problem: Problem, value: int) -> Iterator[str]:
    """Whether one round less is refuted, and a schedule that replays is found in `value` rounds; what is not
    so.
    """
    for rounds, expected in ((value - 1, False), (value, True)):
        if rounds < 0:
            continue
        search = start(Question(problem, rounds))
        assert search is not None
        answer = search.advance(60)
        if answer is not expected:
            yield f"{problem}: {rounds} rounds: {answer}"
        elif answer:
            placed, schedule = search.found()
            seen = replay(placed, schedule)
            if placed.choice or placed.task != problem.task or seen.violation or seen.value > value:
                yield (
                    f"{problem}: {rounds} rounds: found {schedule} for {placed.parameters}, {seen.violation}"
                )
        search.close()
