"""Generated programs run without MPI: every rank a thread, messages in queues, numpy for the result."""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from threading import Condition, Thread
from types import ModuleType
from typing import Any

import numpy as np
import pytest


class Post:
    """Messages under way between the ranks."""

    def __init__(self) -> None:
        self.queues: dict[tuple[int, int], deque[Any]] = defaultdict(deque)
        self.changed = Condition()


class Receive:
    """A request of a receive."""

    def __init__(self, post: Post, ends: tuple[int, int], message: Any) -> None:
        self.post, self.ends, self.message, self.done = post, ends, message, False

    def test(self) -> bool:
        """Take the next message, if one is there."""
        if self.post.queues[self.ends]:
            self.message[:] = self.post.queues[self.ends].popleft()
            self.done = True
        return self.done


class Request:
    """What a program uses of requests; receives from one rank are given in the order in which they were
    posted.
    """

    @staticmethod
    def Waitall(requests: list[None]) -> None:  # noqa: N802
        """Sends are over at once."""
        assert not any(requests)

    @staticmethod
    def Waitsome(requests: list[Receive]) -> list[int]:  # noqa: N802
        """Wait until one has a message; the numbers of those that have, the last first."""
        changed = requests[0].post.changed
        with changed:
            found = [number for number, request in enumerate(requests) if request.test()]
            while not found:
                assert changed.wait(timeout=20), "a message never came"
                found = [number for number, request in enumerate(requests) if request.test()]
            return found[::-1]


class Comm:
    """What a program uses of a communicator besides MPI's own collectives."""

    def __init__(self, rank: int, size: int, post: Post) -> None:
        self.rank, self.size, self.post = rank, size, post

    def Get_rank(self) -> int:  # noqa: N802
        return self.rank

    def Get_size(self) -> int:  # noqa: N802
        return self.size

    def Isend(self, message: Any, dest: int) -> None:  # noqa: N802
        with self.post.changed:
            self.post.queues[self.rank, dest].append(message.copy())
            self.post.changed.notify_all()

    def Irecv(self, message: Any, source: int) -> Receive:  # noqa: N802
        return Receive(self.post, (source, self.rank), message)


def loaded(program: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program as a module."""
    mpi = ModuleType("mpi4py.MPI")
    mpi.Request = Request  # type: ignore[attr-defined]
    package = ModuleType("mpi4py")
    package.MPI = mpi  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "mpi4py", package)
    module = ModuleType("program")
    exec(compile(program, "program.py", "exec"), module.__dict__)
    return module


def results(module: ModuleType, collective: str, count: int) -> tuple[list[Any], list[Any]]:
    """What every rank sent, and what it received."""
    size = module.RANKS
    post = Post()
    comms = [Comm(rank, size, post) for rank in range(size)]
    buffers = [module.buffers(comm, count) for comm in comms]
    run = getattr(module, collective)
    threads = [
        Thread(target=run, args=(comm, *pair), daemon=True) for comm, pair in zip(comms, buffers, strict=True)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
        assert not thread.is_alive()
    return [pair[0] for pair in buffers], [pair[1] for pair in buffers]


def expected(collective: str, sent: list[Any], root: int) -> list[Any]:
    """What MPI says that every rank receives."""
    size = len(sent)
    nothing = np.zeros(0)
    together = np.concatenate(sent)
    if collective == "alltoall":
        return [np.concatenate([np.split(s, size)[k] for s in sent]) for k in range(size)]
    if collective == "scatter":
        return np.split(sent[root], size)
    if collective in ("reduce", "reduce_scatter", "allreduce"):
        total = np.sum(sent, axis=0)
        return {
            "reduce": [total if k == root else nothing for k in range(size)],
            "reduce_scatter": np.split(total, size) if collective == "reduce_scatter" else [],
            "allreduce": [total] * size,
        }[collective]
    return {
        "allgather": [together] * size,
        "broadcast": [sent[root]] * size,
        "gather": [together if k == root else nothing for k in range(size)],
    }[collective]
