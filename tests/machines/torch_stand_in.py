"""Programs for torch.distributed without torch: ranks are threads, messages wait in queues."""

from __future__ import annotations

import sys
from collections import defaultdict, deque
from threading import Condition, Thread, local
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

OWN = local()
"""The rank of a thread."""


class Tensor(np.ndarray):
    """What a program uses of tensors."""

    device: Any = None

    def numel(self) -> int:
        return self.size

    def contiguous(self) -> Tensor:
        return self

    def view(self, *shape: Any) -> Tensor:  # type: ignore[override]
        return np.reshape(np.asarray(self), shape).view(Tensor)

    def copy_(self, other: Any) -> None:
        self[...] = other


class P2POp(NamedTuple):
    what: str
    message: Any
    peer: int
    group: Any
    tag: int


class Work:
    """A request: a receive waits for the message of its sender and tag."""

    def __init__(self, post: Post, call: P2POp) -> None:
        self.post, self.call, self.rank = post, call, OWN.rank

    def wait(self) -> None:
        if self.call.what == "send":
            return
        with self.post.changed:
            queue = self.post.queues[self.call.peer, self.rank, self.call.tag]
            assert self.post.changed.wait_for(lambda: queue, timeout=20), "a message never came"
            self.call.message[:] = queue.popleft()


class Post:
    """Messages under way between the ranks."""

    def __init__(self) -> None:
        self.queues: dict[tuple[int, int, int], deque[Any]] = defaultdict(deque)
        self.changed = Condition()

    def batch(self, calls: list[P2POp]) -> list[Work]:
        """Post a batch; what is sent leaves at once."""
        assert len({(call.what, call.peer, call.tag) for call in calls}) == len(calls), "two messages alike"
        with self.changed:
            for call in calls:
                if call.what == "send":
                    self.queues[OWN.rank, call.peer, call.tag].append(np.array(call.message))
            self.changed.notify_all()
        return [Work(self, call) for call in calls]


def modules(ranks: int) -> dict[str, Any]:
    """The modules that stand in for torch."""
    post = Post()
    torch, distributed = ModuleType("torch"), ModuleType("torch.distributed")
    torch.cat = lambda parts: np.asarray(np.concatenate(parts)).view(Tensor)  # type: ignore[attr-defined]
    torch.empty = lambda size, dtype, device: np.empty(size, dtype).view(Tensor)  # type: ignore[attr-defined]
    torch.zeros = lambda size, device: np.zeros(size).view(Tensor)  # type: ignore[attr-defined]
    torch.distributed = distributed  # type: ignore[attr-defined]
    distributed.__dict__.update(
        isend="send",
        irecv="receive",
        P2POp=P2POp,
        batch_isend_irecv=post.batch,
        get_rank=lambda group: OWN.rank,
        get_world_size=lambda group: ranks,
        all_reduce=lambda tensor, group: None,
    )
    return {"torch": torch, "torch.distributed": distributed}


def loaded(program: str, ranks: int, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The collective of a program."""
    for name, module in modules(ranks).items():
        monkeypatch.setitem(sys.modules, name, module)
    made = ModuleType("program")
    exec(compile(program, "program.py", "exec"), made.__dict__)
    return made.__dict__["COLLECTIVE"]


def results(collective: Any, count: int) -> tuple[list[Any], list[Any]]:
    """What every rank gives, and what it gets."""
    given, got = [], []
    for rank in range(collective.ranks):
        inputs, outputs = collective.units(rank)
        numbers = np.random.default_rng(rank).integers(0, 1000, len(inputs) * count)
        given.append(numbers.astype(np.float64).view(Tensor))
        got.append(np.zeros(len(outputs) * count).view(Tensor))

    def run(rank: int) -> None:
        OWN.rank = rank
        collective(got[rank], given[rank])

    threads = [Thread(target=run, args=(rank,), daemon=True) for rank in range(collective.ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
        assert not thread.is_alive()
    return given, got
