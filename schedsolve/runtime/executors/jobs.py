"""The interface of an executor, with the jobs that it takes and the outcomes that it yields."""

from __future__ import annotations

import traceback
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, Self

MOST_LOSSES = 3
"""The number of workers that may die while running a job before the job is given up."""


@dataclass(frozen=True)
class Job:
    """A call of a module's function with picklable arguments; `key` identifies it for the caller."""

    key: Hashable
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Done:
    """The outcome of a job: the function's value, or in `error` one line that says why there is none."""

    key: Hashable
    value: Any = None
    error: str | None = None


class Executor(ABC):
    """Runs jobs in the order in which they were submitted, several at a time.

    A job with the key of an earlier one, which must have ended, runs on the same worker where that is free.
    """

    def __init__(self) -> None:
        self._waiting: deque[Job] = deque()

    def submit(self, key: Hashable, function: Callable[..., Any], *arguments: Any) -> None:
        """Add a job; allowed while results are being yielded."""
        self._waiting.append(Job(key, function, arguments))

    @property
    @abstractmethod
    def width(self) -> int:
        """The approximate number of jobs that run at a time, at least 1."""

    @abstractmethod
    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """Yield the jobs as they complete, until none is left.

        Parameters
        ----------
        seconds
            Stop when no job completes within this time after the call.
        """

    @abstractmethod
    def close(self) -> None:
        """Stop the workers and drop the jobs that are running."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def outcome(job: Job) -> Done:
    """Run a job in this process and return its outcome; an exception becomes the `error`."""
    try:
        return Done(job.key, job.function(*job.arguments))
    except Exception as error:
        return Done(job.key, error=error_line(error))


def error_line(error: BaseException) -> str:
    """Return a one-line description of an exception, with the place where it was raised."""
    places = traceback.extract_tb(error.__traceback__)
    where = f" ({places[-1].filename}:{places[-1].lineno})" if places else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{where}"
