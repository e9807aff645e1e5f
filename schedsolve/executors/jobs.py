"""What all executors share: a job, what became of it, and what an executor does."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from math import inf
from types import TracebackType
from typing import Any, Protocol, Self

MOST_LOSSES = 3
"""So many workers may die of a job before it is given up."""


@dataclass(frozen=True)
class Job:
    """A call of a function of a module with picklable arguments; key: what the caller knows it by."""

    key: Hashable
    function: Callable[..., Any]
    arguments: tuple[Any, ...]


@dataclass(frozen=True)
class Done:
    """What became of a job: the function's value, or in `error` one line that says why there is none."""

    key: Hashable
    value: Any = None
    error: str | None = None


class Executor(Protocol):
    """Works jobs off, several at a time, in the order in which they were submitted."""

    def submit(self, key: Hashable, function: Callable[..., Any], *arguments: Any) -> None:
        """Add a job; also while results come in."""

    @property
    def width(self) -> int:
        """How many jobs are worked on at a time, about; at least 1."""

    def completed(self, seconds: float = inf) -> Iterator[Done]:
        """The jobs as they complete, until none is left or no other completes within so many seconds of the
        call.
        """

    def close(self) -> None:
        """End the workers; jobs under way are dropped."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def outcome(job: Job) -> Done:
    """Do a job here; an exception becomes the error in its place."""
    try:
        return Done(job.key, job.function(*job.arguments))
    except Exception as error:
        return Done(job.key, error=error_line(error))


def error_line(error: BaseException) -> str:
    """An exception in one line, with the place where it was raised."""
    places = traceback.extract_tb(error.__traceback__)
    where = f" ({places[-1].filename}:{places[-1].lineno})" if places else ""
    return f"{type(error).__name__}: {' '.join(str(error).split())}{where}"
