"""An executor without processes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from schedsolve.runtime.executors.jobs import Done, Job, outcome


class Here:
    """An executor that does the jobs in this process, as they are asked for: what most tests need of one."""

    def __init__(self, _: object = None) -> None:
        self.jobs: list[Job] = []

    def submit(self, key: Any, function: Any, *arguments: Any) -> None:
        self.jobs.append(Job(key, function, arguments))

    def completed(self) -> Iterator[Done]:
        while self.jobs:
            yield outcome(self.jobs.pop(0))

    def close(self) -> None:
        self.jobs.clear()

    def __enter__(self) -> Here:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
