"""Searches in processes of their own, so that several run side by side (`--workers`)."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import TYPE_CHECKING

from schedsolve.modelkit.search import GivenUpError, Question
from schedsolve.models import model_of
from schedsolve.solving.searches import DecisionRun, ImprovementRun, Run, Slice

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class ProcessRun:
    """A decision or an improvement at work in another process (`schedsolve.solving.searches.Run`).

    question: what it is started with. name: that of the search in the model's record; it must apply to the
    question.
    """

    def __init__(self, question: Question, name: str) -> None:
        import multiprocessing

        from schedsolve.runtime.executors.spawned import spawned

        self._connection, other_end = multiprocessing.Pipe()
        self._process = spawned(_serve, other_end, question, name)
        other_end.close()
        self._used = 0.0

    def clock(self) -> float:
        """Return the seconds that its slices took, as measured there."""
        return self._used

    def advance(self, seconds: float) -> Slice:
        """Let it work for about `seconds`.

        Raises
        ------
        EOFError
            Or OSError when the process is gone.
        InputError
            If it ended because the script that called `solve` has no guard.
        """
        try:
            self._connection.send(seconds)
            found: Slice
            found, used = self._connection.recv()
        except (EOFError, OSError):
            from schedsolve.runtime.executors.spawned import MISSING_GUARD, missing_guard

            self._process.join(1.0)
            if self._process.exitcode == MISSING_GUARD:
                raise missing_guard() from None
            raise
        self._used += used
        return found

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()
        self._connection.close()


def _serve(connection: Connection, question: Question, name: str) -> None:
    """Run the search in this process, a slice for every number of seconds that arrives.

    The process ends when the search gives up. Ctrl-C is for the parent to answer; it ends this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    model = model_of(question.problem)
    improvement = next((i for i in model.improvements if i.name == name), None)
    run: Run = ImprovementRun(improvement, question) if improvement else started_decision(question, name)
    with suppress(EOFError, OSError, GivenUpError):
        while True:
            seconds, start = connection.recv(), run.clock()
            found = run.advance(seconds)
            connection.send((found, run.clock() - start))


def started_decision(question: Question, name: str) -> DecisionRun:
    """Start the decision of this name in the model's record; it must apply to the question."""
    model = model_of(question.problem)
    decision = next(decision for decision in model.decisions if decision.name == name)
    search = decision.start(question)
    assert search is not None
    return DecisionRun(model, decision, question, search)
