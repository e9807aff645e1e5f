"""Generated programs run without MPI: every rank a thread, messages in queues, numpy for the result."""

from __future__ import annotations

import sys
from collections import defaultdict
from queue import Queue
from threading import Thread
from types import ModuleType
from typing import Any

import numpy as np
import pytest


class Comm:
    """What a program uses of a communicator besides MPI's own collectives."""

    def __init__(self, rank: int, size: int, queues: dict[tuple[int, int], Queue[Any]]) -> None:
        self.rank, self.size, self.queues = rank, size, queues

    def Get_rank(self) -> int:  # noqa: N802
        return self.rank

    def Get_size(self) -> int:  # noqa: N802
        return self.size

    def Isend(self, message: Any, dest: int) -> Any:  # noqa: N802
        self.queues[self.rank, dest].put(message.copy())
        return lambda: None

    def Irecv(self, message: Any, source: int) -> Any:  # noqa: N802
        def wait() -> None:
            message[:] = self.queues[source, self.rank].get(timeout=20)

        return wait


def loaded(program: str, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The program as a module."""

    class Request:
        @staticmethod
        def Waitall(requests: list[Any]) -> None:  # noqa: N802
            for wait in requests:
                wait()

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
    queues: dict[tuple[int, int], Queue[Any]] = defaultdict(Queue)
    for pair in ((u, v) for u in range(size) for v in range(size)):
        queues[pair] = Queue()
    comms = [Comm(rank, size, queues) for rank in range(size)]
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
