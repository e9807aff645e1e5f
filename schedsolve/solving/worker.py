"""Searches in processes of their own, so that several run side by side (`--workers`)."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Mapping
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from schedsolve.executors.ctrl_c import kept_from_children
from schedsolve.modelkit.search import GivenUpError, Question, Search
from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.result import Bound
from schedsolve.solving.searches import ImprovementRun, Improving


class ProcessSearch:
    """A strategy's search, or an improvement, that runs in another process, one slice after the other as
    asked.

    question: what it is started with. way: the name of the strategy or improvement in the model's record; it
    must apply to the question.
    """

    def __init__(self, question: Question, way: str) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other_end = context.Pipe()
        self._process = context.Process(target=_serve, args=(other_end, question, way), daemon=True)
        with kept_from_children():
            self._process.start()
        other_end.close()

    def _ask(self, *request: Any) -> Any:
        self._connection.send(request)
        return self._connection.recv()

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; the answer is that of the search."""
        answer: bool | None = self._ask("advance", seconds)
        return answer

    def found(self) -> tuple[Problem, Any]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        found: tuple[Problem, Any] = self._ask("found")
        return found

    def findings(self) -> list[Bound | tuple[Problem, Any]]:
        """What an improvement found since the last time this was asked."""
        found: list[Bound | tuple[Problem, Any]] = self._ask("findings")
        return found

    def evidence(self) -> Mapping[str, Any] | None:
        """After `advance` returned False: what proves it to a checker; None when nothing was kept."""
        evidence: Mapping[str, Any] | None = self._ask("evidence")
        return evidence

    def close(self) -> None:
        """End the process."""
        self._process.terminate()
        self._process.join()
        self._connection.close()


def _serve(connection: Connection, question: Question, way: str) -> None:
    """Run the search in this process: each request is a method's name with its arguments, each answer its
    result. The process ends when the search gives up. Ctrl-C is for the parent to answer; it ends this
    process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    search = _started(question, way)
    while True:
        try:
            method, *arguments = connection.recv()
        except (EOFError, OSError):
            return
        try:
            answer = getattr(search, method)(*arguments)
        except GivenUpError:
            return
        with suppress(OSError):
            connection.send(answer)


def _started(question: Question, way: str) -> Search | Improving:
    model = model_of(question.problem)
    for improvement in model.improvements:
        if improvement.name == way:
            return ImprovementRun(improvement, question)
    return started_search(question, way)


def started_search(question: Question, way: str) -> Search:
    """The search of the model's strategy with this name; it must apply to the question."""
    search = next(s for s in model_of(question.problem).strategies if s.name == way).start(question)
    assert search is not None
    return search
