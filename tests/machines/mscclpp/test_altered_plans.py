"""Plans for MSCCL++ with one thing altered: each is refused for what is wrong with it, or computes the same
result, run literally in several orders.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from schedsolve import build_problem, check, solve, write_program
from schedsolve.machines.mscclpp.check import check_plan
from schedsolve.machines.mscclpp.reader import read_plan
from schedsolve.runtime.errors import InputError
from tests.machines.mscclpp.test_plans import is_right

Change = Callable[[list[Any], int], None]
MOST_OF_A_KIND = 3
"""Altered plans of a kind that are looked at, from the first to the last."""
PROBLEMS = (
    ("allreduce", "path:3", {"steps": 2, "chunks": 2}, True),
    ("allgather", "cycle:4", {"steps": 2}, False),
)


@pytest.fixture(scope="module", params=PROBLEMS, ids=lambda problem: problem[0])
def plan(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return an allreduce in place, and an allgather out of place."""
    task, network, parameters, in_place = request.param
    file = tmp_path_factory.mktemp("plans") / "p.json"
    result = solve(build_problem("synchronous", task, network, **parameters))
    write_program(result, file, target="mscclpp", in_place=in_place)
    return json.loads(file.read_text())


def delete(ops: list[Any], at: int) -> None:
    del ops[at]


def twice(ops: list[Any], at: int) -> None:
    ops.insert(at, copy.deepcopy(ops[at]))


def twice_in_order(ops: list[Any], at: int) -> None:
    ops[at:at] = [copy.deepcopy(ops[at]), {"name": "nop"}]


def before_the_last(ops: list[Any], at: int) -> None:
    ops[at - 1 : at + 1] = ops[at], ops[at - 1]


def first(ops: list[Any], at: int) -> None:
    ops.insert(0, ops.pop(at))


def renamed(name: str) -> Change:
    return lambda ops, at: ops[at].update(name=name)


def copied(ops: list[Any], at: int) -> None:
    ops[at].update(name="copy", src_buff=ops[at]["src_buff"][1:])


def moved(side: str, **by: int) -> Change:
    """Add numbers to what the first buffer of a side says."""
    return lambda ops, at: ops[at][side][0].update({key: ops[at][side][0][key] + by[key] for key in by})


def exchanged(ops: list[Any], at: int) -> None:
    ops[at].update(src_buff=ops[at]["dst_buff"], dst_buff=ops[at]["src_buff"])


def fewer_counters(ops: list[Any], at: int) -> None:
    ops[at]["semaphore_ids"].pop()


WRONG_RESULT = r"o\[\d+\] should be chunk \d+( of gpus [0-9,]+)?, and is "
LEFT = "the next call begins with wrong counters: "
NOT_ORDERED = r": race: |before that gpu's call has begun|may end before gpu \d+ has used"
NOT_THERE = r"it needs [ios]\[-?\d+\] to [ios]\[\d+\] of gpu \d+, which has \d+ chunks? there"
OF_OPERATIONS: dict[str, tuple[str, Change, str | None]] = {
    "signal dropped": ("signal", delete, r"deadlock: .* waits for a signal from gpu \d+ to gpu \d+"),
    "wait dropped": ("wait", delete, f"{LEFT}a signal from"),
    "beginning not signalled": ("rlxsignal", delete, "deadlock: .* waits for a signal from"),
    "beginning not waited for": ("rlxwait", delete, f"{LEFT}a signal from"),
    "semaphore not waited for": ("sem_acquire", delete, f"{LEFT}semaphore"),
    "semaphore not raised": ("sem_release", delete, "deadlock: .* waits for semaphore"),
    "put dropped": ("put", delete, WRONG_RESULT),
    "sum dropped": ("re", delete, WRONG_RESULT),
    "copy dropped": ("copy", delete, WRONG_RESULT),
    "nop dropped": ("nop", delete, None),
    "put twice at once": ("put", twice, "two operations of a block without a nop between them"),
    "put twice": ("put", twice_in_order, None),
    "sum twice": ("re", twice_in_order, r"with the contribution of gpu \d+ counted twice"),
    "signal twice": ("signal", twice, f"{LEFT}a signal from gpu"),
    "wait twice": ("wait", twice, "deadlock: .* waits for a signal"),
    "semaphore raised twice": ("sem_release", twice, f"{LEFT}semaphore"),
    "semaphore waited for twice": ("sem_acquire", twice, "deadlock: .* waits for semaphore"),
    "signal before the block has met": ("signal", before_the_last, NOT_ORDERED),
    "signal first": ("signal", first, NOT_ORDERED),
    "put before its data": ("put", first, NOT_ORDERED),
    "wait first": ("wait", first, None),
    "semaphore first": ("sem_release", first, None),
    "signal orders nothing": ("signal", renamed("rlxsignal"), NOT_ORDERED),
    "wait orders nothing": ("wait", renamed("rlxwait"), NOT_ORDERED),
    "more order than needed": ("rlxsignal", renamed("signal"), None),
    "signal turned into a wait": ("signal", renamed("wait"), "deadlock: "),
    "sum turned into a copy": ("re", copied, WRONG_RESULT),
    "another chunk sent": ("put", moved("src_buff", index=1), f"{WRONG_RESULT}|{NOT_THERE}|: race: "),
    "put elsewhere": ("put", moved("dst_buff", index=1), f"{WRONG_RESULT}|{NOT_THERE}|: race: "),
    "sides of other sizes": ("put", moved("dst_buff", size=1), "sources and targets have different sizes"),
    "sides exchanged": ("put", exchanged, "put takes the wrong gpu's buffer"),
    "copy the wrong way": ("copy", exchanged, "its input, is written although buffers are apart"),
    "a semaphore fewer raised": ("sem_release", fewer_counters, "deadlock: .* waits for semaphore"),
    "a semaphore fewer waited for": ("sem_acquire", fewer_counters, f"{LEFT}semaphore"),
}
"""By what is altered: the operations, how, and what is said then; None where some of these plans are right.
"""


def altered(data: Any, name: str, change: Change) -> Iterator[Any]:
    """Yield plans with one operation of a name altered."""
    unaltered = pickle.dumps(data)
    for g, gpu in enumerate(data["gpus"]):
        for b, block in enumerate(gpu["threadblocks"]):
            for at, op in enumerate(block["ops"]):
                if op["name"] == name:
                    made = pickle.loads(unaltered)
                    change(made["gpus"][g]["threadblocks"][b]["ops"], at)
                    yield made


def reason(data: Any) -> str | None:
    """Return what the checker says is wrong with a plan; None for nothing."""
    try:
        report = check_plan(read_plan(data), None)
    except InputError as error:
        return str(error)
    failed = [line for line in report.lines if line.startswith("FAILED")]
    assert bool(failed) == report.failed
    return "\n".join(failed) or None


@pytest.mark.parametrize("what", OF_OPERATIONS)
def test_operations(plan: Any, what: str) -> None:
    """Dropped, doubled, moved and exchanged operations."""
    name, change, expected = OF_OPERATIONS[what]
    plans = list(altered(plan, name, change))
    if not plans:
        assert (plan["collective"], name) in (("allreduce", "copy"), ("allgather", "re"))
    for data in plans[:: max(1, len(plans) // MOST_OF_A_KIND)]:
        said = reason(data)
        if expected is None:
            assert said is not None or is_right(data, range(2))
        else:
            assert said is not None
            assert re.search(expected, said), said


def add_gpu(data: Any) -> None:
    data["gpus"].append({**copy.deepcopy(data["gpus"][-1]), "id": len(data["gpus"])})


def another_peer(data: Any) -> None:
    peers = data["gpus"][1]["channels"][0]["connected_to"]
    peers[0] = next(peer for peer in peers if peer != peers[0])


def wait_in_a_circle(data: Any) -> None:
    """Every receiver waits for its message before it says that its call has begun."""
    for block in (block for gpu in data["gpus"] for block in gpu["threadblocks"]):
        ops = block["ops"]
        if ops[0]["name"] == "rlxsignal":
            waits = next(k for k, op in enumerate(ops) if op["name"] == "wait")
            ops.insert(0, ops.pop(waits))


def on_gpu(**more: int) -> Callable[[Any], None]:
    return lambda data: data["gpus"][1].update({key: data["gpus"][1][key] + more[key] for key in more})


OF_PLANS: dict[str, tuple[Callable[[Any], object], str]] = {
    "gpu dropped at the end": (lambda data: data["gpus"].pop(), '"connected_to" has numbers from 0 to'),
    "gpu dropped at the beginning": (lambda data: data["gpus"].pop(0), "gpu 0: its id is 1; the gpus stand"),
    "gpu added": (add_gpu, "deadlock: |do not fit the collective"),
    "gpu that does nothing": (
        lambda data: data["gpus"][1]["threadblocks"].clear(),
        r"deadlock: gpu 0, .* waits for a signal from gpu 1",
    ),
    "block dropped": (
        lambda data: data["gpus"][1]["threadblocks"].pop(0),
        "gpu 1: its blocks are not numbered 0, 1, 2",
    ),
    "channel dropped": (
        lambda data: data["gpus"][1]["channels"][0]["connected_to"].pop(),
        r'gpu 1, block \d+: "channel_ids" has numbers from 0 to',
    ),
    "no channels": (
        lambda data: data["gpus"][1]["channels"].clear(),
        r'gpu 1, block \d+: "channel_ids" names what the file has none of',
    ),
    "channel to another gpu": (another_peer, r"deadlock: .* waits for a signal from gpu \d+ to gpu \d+"),
    "semaphores dropped": (
        lambda data: data["gpus"][1]["semaphores"].clear(),
        '"semaphore_ids" names what the file has none of',
    ),
    "semaphore that is raised at first": (
        lambda data: [gpu["semaphores"][0].update(init_value=1) for gpu in data["gpus"] if gpu["semaphores"]],
        NOT_ORDERED,
    ),
    "waiting in a circle": (wait_in_a_circle, "deadlock: .* in a circle"),
    "no memory channel to a buffer": (
        lambda data: data["gpus"][0]["remote_buffers"][0].update(access_channel_types=["port"]),
        'remote buffer 0 has no "memory" in its "access_channel_types"',
    ),
    "no list of channels": (lambda data: data["gpus"][1].pop("channels"), 'gpu 1: "channels" is missing'),
    "no list of operations": (
        lambda data: data["gpus"][1]["threadblocks"][0].pop("ops"),
        'gpu 1, block 0: "ops" is missing',
    ),
    "no threads": (
        lambda data: data.update(num_threads_per_block=0),
        '"num_threads_per_block" is a number from 1',
    ),
    "no alignment": (lambda data: data.update(buffer_alignment=0), '"buffer_alignment" is a number from 1'),
    "sizes exchanged": (
        lambda data: data.update(min_message_size=8, max_message_size=4),
        "for no size: from 8 to 4 bytes",
    ),
    "a size that is a text": (
        lambda data: data.update(max_message_size="1MB"),
        '"max_message_size" is a number from 0',
    ),
    "input too small": (on_gpu(input_chunks=-1), f"{NOT_THERE}|do not fit the collective"),
    "output too large": (on_gpu(output_chunks=1), "gpu 1: .* of output do not fit the collective"),
    "another collective": (
        lambda data: data.update(collective="alltoall"),
        "do not fit the collective alltoall",
    ),
    "no collective of the buffers": (
        lambda data: data.update(
            collective={"allreduce": "broadcast", "allgather": "gather"}[data["collective"]], root=1
        ),
        f"{WRONG_RESULT}|^$",
    ),
}
"""By what is altered: how, and what is said then. A gather of an allgather is right."""


@pytest.mark.parametrize("what", OF_PLANS)
def test_gpus_and_buffers(plan: Any, what: str) -> None:
    """Missing gpus, channels and semaphores, and buffers of other sizes."""
    change, expected = OF_PLANS[what]
    data = copy.deepcopy(plan)
    change(data)
    said = reason(data)
    assert re.search(expected, said or ""), said
    assert said is not None or is_right(data, range(2))


def test_truncated_files(plan: Any, tmp_path: Path) -> None:
    """Cut off anywhere, a plan is no JSON."""
    text = json.dumps(plan)
    file = tmp_path / "cut.json"
    for share in (2, 3, 5):
        file.write_text(text[: -len(text) // share])
        with pytest.raises(InputError, match=r"cut\.json: "):
            check(file)
