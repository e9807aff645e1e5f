"""The interface of an executor, with the jobs that it takes and the outcomes that it yields."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import Any, Protocol, Self

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


class Executor(Protocol):
    """Runs jobs in the order in which they were submitted, several at a time."""

    def submit(self, key: Hashable, function: Callable[..., Any], *arguments: Any) -> None:
        """Add a job; allowed while results are being yielded."""

    @property
    def width(self) -> int:
        """The approximate number of jobs that run at a time, at least 1."""

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """Yield the jobs as they complete, until none is left.

        Parameters
        ----------
        seconds
            Stop when no job completes within this time after the call.
        """

    def close(self) -> None:
        """Stop the workers and drop the jobs that are running."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
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
