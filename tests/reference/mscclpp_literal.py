"""An execution plan of MSCCL++ run literally, from its JSON data: numbers in buffers, two threads a block
that take turns at random, calls on end that begin and end on every gpu on its own. Nothing of the package.
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

Places = dict[tuple[str, int, int], int]
"""Values by buffer, index and thread; a chunk has a number for each of two threads."""


class Run:
    """Calls of a plan under way; `inputs` gives what a gpu's buffers hold when a call begins."""

    def __init__(self, plan: Any, inputs: Any, seed: int) -> None:
        self.plan, self.inputs, self.draw = plan, inputs, random.Random(seed)
        self.memory: list[Places] = [defaultdict(int) for _ in plan["gpus"]]
        self.signals: Counter[tuple[int, int, int]] = Counter()
        self.semaphores = [[s["init_value"] for s in gpu["semaphores"]] for gpu in plan["gpus"]]
        self.barriers: Counter[tuple[int, int]] = Counter()

    def place(self, gpu: int, buffer: str, index: int, thread: int) -> tuple[str, int, int]:
        """Where buffers are shared: the name in the larger one."""
        if self.plan["inplace"]:
            data, kind = self.plan["gpus"][gpu], self.plan["collective"]
            if kind == "reducescatter" and buffer == "o":
                return "i", gpu * data["output_chunks"] + index, thread
            if kind != "reducescatter" and buffer == "i":
                return "o", index + (gpu * data["input_chunks"] if kind == "allgather" else 0), thread
        return buffer, index, thread

    def channel(self, gpu: int, number: int) -> tuple[int, int]:
        peers = self.plan["gpus"][gpu]["channels"][0]["connected_to"]
        return peers[number], peers[:number].count(peers[number])

    def places(
        self, gpu: int, block: Any, chunks: Any, k: int, thread: int
    ) -> tuple[int, tuple[str, int, int]]:
        owner, buffer = gpu, chunks.get("type", "")
        if "buffer_id" in chunks:
            number = block["remote_buffer_refs"][0]["remote_buffer_ids"][chunks["buffer_id"]]
            remote = self.plan["gpus"][gpu]["remote_buffers"][number]
            owner, buffer = remote["rank"], remote["type"]
        return owner, self.place(owner, buffer, chunks["index"] + k, thread)

    def thread(self, gpu: int, block: Any, thread: int, met: list[int]) -> Iterator[bool]:
        """Yield after everything that others can see; False while it waits."""
        for op in block["ops"]:
            name = op["name"]
            if name == "nop":
                met[thread] += 1
                while met[1 - thread] < met[thread]:
                    yield False
            elif name in ("signal", "rlxsignal", "wait", "rlxwait"):
                for number in op["channel_ids"] if thread == 0 else ():
                    peer, ordinal = self.channel(gpu, block["channels"][0]["channel_ids"][number])
                    if name.endswith("signal"):
                        self.signals[gpu, peer, ordinal] += 1
                    else:
                        while not self.signals[peer, gpu, ordinal]:
                            yield False
                        self.signals[peer, gpu, ordinal] -= 1
            elif name.startswith("sem_"):
                for number in op["semaphore_ids"] if thread == 0 else ():
                    while name == "sem_acquire" and not self.semaphores[gpu][number]:
                        yield False
                    self.semaphores[gpu][number] += 1 if name == "sem_release" else -1
            else:
                yield from self.move(gpu, block, op, thread)
            yield True

    def move(self, gpu: int, block: Any, op: Any, thread: int) -> Iterator[bool]:
        pairs = [(op["src_buff"], op["dst_buff"])]
        if op["name"] in ("put", "copy"):
            pairs = [([s], [d]) for s, d in zip(op["src_buff"], op["dst_buff"], strict=True)]
        for sources, targets in pairs:
            for k in range(sources[0]["size"]):
                total = 0
                for chunks in sources:
                    owner, place = self.places(gpu, block, chunks, k, thread)
                    total += self.memory[owner][place]
                yield True
                for chunks in targets:
                    owner, place = self.places(gpu, block, chunks, k, thread)
                    self.memory[owner][place] = total
                yield True

    def calls(self, gpu: int, count: int, ended: list[Places]) -> Iterator[bool]:
        """Calls on end; what the buffers hold as each ends."""
        for call in range(count):
            for (buffer, index), value in self.inputs(gpu, call).items():
                for thread in (0, 1):
                    self.memory[gpu][self.place(gpu, buffer, index, thread)] = value + thread
            threads = []
            for block in self.plan["gpus"][gpu]["threadblocks"]:
                met = [0, 0]
                threads += [self.thread(gpu, block, thread, met) for thread in (0, 1)]
            speed = [0.05 + self.draw.random() ** 3 for _ in threads]
            while threads:
                at = self.draw.choices(range(len(threads)), speed)[0]
                try:
                    yield next(threads[at])
                except StopIteration:
                    del threads[at], speed[at]
            ended.append(dict(self.memory[gpu]))


def results(plan: Any, inputs: Any, seed: int, calls: int = 2) -> list[list[Places]] | None:
    """What every gpu's buffers hold at the end of each call; None when it does not end."""
    run = Run(plan, inputs, seed)
    ended: list[list[Places]] = [[] for _ in plan["gpus"]]
    going = {g: run.calls(g, calls, ended[g]) for g in range(len(ended))}
    idle = 0
    speed = {g: 0.05 + run.draw.random() ** 3 for g in going}
    while going and idle < 20_000:
        gpu = run.draw.choices(list(going), [speed[g] for g in going])[0]
        try:
            idle = 0 if next(going[gpu]) else idle + 1
        except StopIteration:
            del going[gpu]
    return None if going else ended
