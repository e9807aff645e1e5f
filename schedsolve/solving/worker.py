"""Searches in processes of their own, so that several run side by side (`--workers`)."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Mapping
from math import inf
from multiprocessing.connection import Connection
from typing import Any

from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.schedule import Schedule


class ProcessSearch:
    """A strategy's search (`schedsolve.modelkit.record.Search`) that runs in another process, one slice after
    the other as asked.

    problem, rounds, certify: what the search is started with. strategy: its name in the model's record; it
    must apply to the problem.
    """

    def __init__(self, problem: Problem, strategy: str, rounds: int, certify: bool) -> None:
        context = multiprocessing.get_context("spawn")
        self._connection, other_end = context.Pipe()
        self._process = context.Process(
            target=_serve, args=(other_end, problem, strategy, rounds, certify), daemon=True
        )
        self._process.start()
        other_end.close()

    def _ask(self, *request: Any) -> Any:
        self._connection.send(request)
        return self._connection.recv()

    def advance(self, seconds: float) -> bool | None:
        """Work for about so many seconds; True: found, False: refuted, None: not decided yet."""
        answer: bool | None = self._ask("advance", seconds)
        return answer

    def found(self) -> tuple[Problem, Schedule]:
        """The schedule found, after `advance` returned True, and the problem that it solves."""
        found: tuple[Problem, Schedule] = self._ask("found")
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


def _serve(connection: Connection, problem: Problem, strategy_name: str, rounds: int, certify: bool) -> None:
    """Run the search in this process: each request is a method's name with its arguments, each answer its
    result.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    strategy = next(s for s in model_of(problem).strategies if s.name == strategy_name)
    search = strategy.start(problem, rounds, certify, inf)
    assert search is not None
    while True:
        try:
            method, *arguments = connection.recv()
        except EOFError:
            return
        connection.send(getattr(search, method)(*arguments))
