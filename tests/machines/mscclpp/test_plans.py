"""Execution plans of MSCCL++ that are written: every collective, in and out of place, judged by `check` and
run literally in many orders.
"""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from schedsolve.machines.movement.collectives import Layout
from schedsolve.machines.mscclpp.check import check_plan
from schedsolve.machines.mscclpp.reader import read_plan
from schedsolve.machines.mscclpp.replay import replay
from tests.command_line import Cli, refused
from tests.reference.mscclpp_literal import results

PROBLEMS = (
    "synchronous allgather star:4 --steps 2",
    "synchronous broadcast path:3 --steps 2 --source 1",
    "synchronous gather leaf-spine:2,2,1 --steps 1 --root 1",
    "synchronous scatter path:3 --steps 2 --source 1",
    "synchronous alltoall cycle:4 --steps 2 --chunks 2",
    "synchronous reduce cycle:5 --steps 2 --root 2",
    "synchronous reduce-scatter path:3 --steps 2",
    "synchronous allreduce cycle:4 --steps 2",
    "pipelined alltoall amd4",
    "pipelined reduce-scatter cycle:4",
    "telephone gossip cycle:4",
)
IN_PLACE = ("allgather", "broadcast", "reduce", "reduce-scatter", "allreduce", "gossip")


def exported(cli: Cli, problem: str, options: str = "") -> Any:
    assert cli(f"solve {problem} --output r.json").status == 0
    run = cli(f"export r.json -o p.json --for mscclpp {options}")
    assert (run.status, run.out.split("\n")[0]) == (0, "p.json"), run
    return json.loads(Path("p.json").read_text())


def is_right(data: Any, seeds: range) -> bool:
    """Whether all outputs of two calls on end are right in these orders."""
    plan = read_plan(data)
    layout = plan.layout
    assert layout is not None

    def inputs(gpu: int, call: int) -> dict[tuple[str, int], int]:
        garbage = {("o", k): -999 for k in range(data["gpus"][gpu]["output_chunks"])}
        return garbage | {("i", k): _value(gpu, c, call) for k, c in enumerate(layout.inputs(gpu))}

    for seed in seeds:
        ended = results(data, inputs, seed)
        if ended is None or not all(_as_wanted(layout, data, ended[g], g) for g in range(layout.ranks)):
            return False
    return True


def _value(gpu: int, chunk: int, call: int) -> int:
    return 10_000 * (1 << gpu) + 10 * chunk + 1_000_000 * call


def _as_wanted(layout: Layout, data: Any, ended: list[Any], gpu: int) -> bool:
    holders = {c: [r for r in range(layout.ranks) if c in layout.inputs(r)] for c in layout.outputs(gpu)}
    for call, memory in enumerate(ended):
        for k, chunk in enumerate(layout.outputs(gpu)):
            at = "o", k
            if data["inplace"] and layout.collective == "reduce-scatter":
                at = "i", gpu * layout.chunks + k
            for thread in (0, 1):
                if memory[*at, thread] != sum(_value(r, chunk, call) + thread for r in holders[chunk]):
                    return False
    return True


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_written_is_right(cli: Cli, problem: str) -> None:
    """Strictly, on its own network, and literally, in orders drawn at random."""
    task, network = problem.split()[1:3]
    for way in ("", "--in-place") if task in IN_PLACE else ("",):
        data = exported(cli, problem, way)
        run = cli(f"check p.json --topology {network} --strict")
        assert run.status == 0, run.out
        assert f"ok       {'in place' if way else 'out of place'}: every gpu gets what" in run.out
        assert is_right(data, range(2))


def test_reasons(cli: Cli) -> None:
    """A broken plan is refused for what is wrong with it."""
    data = exported(cli, "synchronous allreduce path:3 --steps 2 --chunks 2")

    def said(change: Any) -> str:
        plan = copy.deepcopy(data)
        change(plan["gpus"])
        Path("q.json").write_text(json.dumps(plan))
        run = cli("check q.json")
        assert run.status == 1, run.out
        return run.out

    def ops(gpus: Any, name: str, skip: int = 0) -> tuple[Any, int]:
        """The operations of the block with that one, and where it stands."""
        for block in gpus[0]["threadblocks"]:
            places = [k for k, op in enumerate(block["ops"]) if op["name"] == name]
            if len(places) > skip:
                return block["ops"], places[skip]
        raise AssertionError(name)

    def remove(name: str, skip: int = 0) -> Any:
        def change(gpus: Any) -> None:
            found, at = ops(gpus, name, skip)
            del found[at]

        return change

    def early_signal(gpus: Any) -> None:
        """Signal before the block has met."""
        found, at = ops(gpus, "signal")
        found[at - 1], found[at] = found[at], found[at - 1]

    def no_beginning(gpus: Any) -> None:
        """Without the relaxed signals that tell of a call's begin."""
        for block in (block for gpu in gpus for block in gpu["threadblocks"]):
            block["ops"] = [op for op in block["ops"] if not op["name"].startswith("rlx")]

    def other_chunk(gpus: Any) -> None:
        """Put another chunk, alone."""
        found, at = ops(gpus, "put")
        found[at]["src_buff"] = [{"type": "i", "index": 1, "size": 1}]
        found[at]["dst_buff"] = [{**found[at]["dst_buff"][0], "size": 1}]

    assert "deadlock: " in said(remove("signal"))
    assert "waits for a signal from gpu 0 to gpu 1, which nobody raises" in said(remove("signal"))
    assert "wrong counters: a signal from gpu 1 to gpu 0: raised 1 times" in said(remove("wait"))
    assert "before that gpu's call has begun" in said(no_beginning)
    assert ": race: gpu" in said(early_signal)
    assert "should be chunk" in said(other_chunk)
    long = said(lambda gpus: gpus[0]["threadblocks"][0]["ops"].extend([{"name": "nop"}] * 60))
    assert "operations, and 64 is the most" in long


@pytest.mark.parametrize(("name", "other"), [("wait", "rlxwait"), ("signal", "rlxsignal")])
def test_relaxed_ones_order_no_data(cli: Cli, name: str, other: str) -> None:
    """They tell that a call has begun, and nothing of what was written; so a race is found on both sides."""
    data = exported(cli, "synchronous allgather cycle:4 --steps 2")
    assert check_plan(read_plan(data), None).complete
    for op in (op for gpu in data["gpus"] for block in gpu["threadblocks"] for op in block["ops"]):
        op["name"] = other if op["name"] == name else op["name"]
    failed = [line for line in check_plan(read_plan(data), None).lines if line.startswith("FAILED")]
    assert any("race" in line for line in failed), failed


def test_an_operation_does_not_hide_what_another_reads(cli: Cli) -> None:
    """One reads two chunks, the next one of them, which it then writes: other threads may still read it."""
    data = exported(cli, "synchronous allreduce path:3 --steps 2 --chunks 2")
    apart = {"channels": [], "remote_buffers": [], "semaphores": [], "scratch_chunks": 3}
    source, both, far, one, other = (
        {"type": kind, "index": at, "size": size}
        for kind, at, size in (("i", 0, 2), ("s", 0, 2), ("o", 0, 2), ("s", 1, 1), ("s", 2, 1))
    )
    first = {"name": "copy", "src_buff": [source], "dst_buff": [both]}
    second = {"name": "copy", "src_buff": [both], "dst_buff": [far]}
    third = {"name": "re", "src_buff": [one, other], "dst_buff": [one]}
    meet = {"name": "nop"}
    for ops, races in (([first, meet, second, third], True), ([first, meet, second, meet, third], False)):
        block = {"id": 0, "ops": ops, "channels": [], "remote_buffer_refs": []}
        gpu = {**data["gpus"][0], **apart, "threadblocks": [block]}
        run = replay(read_plan({**data, "collective": "custom", "gpus": [gpu]}))
        assert (run.memory.race is not None) == races, run.memory.race


def test_what_is_no_plan(cli: Cli) -> None:
    """Each in one line, with status 2; what the executor has and the replay does not is named."""
    data = exported(cli, "synchronous allgather path:3 --steps 2")

    def reason(change: Any) -> str:
        plan = copy.deepcopy(data)
        change(plan)
        Path("q.json").write_text(json.dumps(plan))
        return refused(cli("check q.json"))

    first = data["gpus"][0]["threadblocks"][0]["ops"]
    put = next(k for k, op in enumerate(first) if op["name"] == "put")

    def at(plan: Any) -> Any:
        return plan["gpus"][0]["threadblocks"][0]["ops"][put]

    assert "gpu 0, block 0, op" in reason(lambda plan: at(plan).update(name="ppkt"))
    assert "operations ppkt are not replayed" in reason(lambda plan: at(plan).update(name="ppkt"))
    assert "knows no operation 'jump'" in reason(lambda plan: at(plan).update(name="jump"))
    assert "groups of blocks are not replayed" in reason(lambda plan: at(plan).update(tbg_info={}))
    assert "of gpu 1, which has" in reason(lambda plan: at(plan)["dst_buff"][0].update(index=1000))
    assert "different sizes" in reason(lambda plan: at(plan)["dst_buff"][0].update(size=7))
    assert "takes the wrong gpu's buffer" in reason(lambda plan: at(plan).update(name="get"))
    assert "only memory channels" in reason(
        lambda plan: plan["gpus"][0]["channels"][0].update(channel_type="port")
    )
    assert '"index" is a number' in reason(lambda plan: at(plan)["src_buff"][0].update(index=True))
    assert "the gpus stand in order" in reason(lambda plan: plan["gpus"].reverse())
    assert "do not fit the collective allgather" in reason(
        lambda plan: plan["gpus"][0].update(input_chunks=50)
    )
    assert "--topology" not in cli("check p.json").out.split("note")[0]


def test_others_results_are_not_claimed(cli: Cli) -> None:
    """A collective that is not known is replayed, and its result is not confirmed."""
    data = exported(cli, "synchronous allgather path:3 --steps 2")
    data["collective"] = "custom"
    Path("q.json").write_text(json.dumps(data))
    run = cli("check q.json --strict")
    assert run.status == 1
    assert "not sure what custom results in" in run.out
    assert cli("check q.json").status == 0
