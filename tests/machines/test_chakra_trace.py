"""Chakra traces: read by the rules of protobuf, and carried out in orders that their dependencies allow."""

from __future__ import annotations

import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

from schedsolve.machines.chakra.writer import _varint
from schedsolve.machines.movement.collectives import Layout
from tests.command_line import Cli, json_of, refused
from tests.reference.chakra_reader import Node, nodes, varint

SEND, RECEIVE = 5, 6
PROBLEMS = {
    "synchronous allgather amd4 --steps 2": "allgather",
    "synchronous alltoall cycle:4 --steps 2 --chunks 2": "alltoall",
    "synchronous reduce cycle:5 --steps 2 --root 2": "reduce",
    "synchronous reduce-scatter path:3 --steps 2": "reduce-scatter",
    "pipelined broadcast amd4 --source 1": "broadcast",
    "pipelined gather star:4 --root 0": "gather",
    "pipelined scatter cycle:4 --source 1": "scatter",
    "pipelined allreduce path:4": "allreduce",
}
NAMED = re.compile(r"(send|receive|add) ([0-9,-]+) (?:to|from) ([0-9]+)")


def traces(cli: Cli, problem: str, options: str = "") -> list[dict[int, Node]]:
    assert cli(f"solve {problem} --output r.json").status == 0
    run = cli(f"export r.json -o t --for chakra {options}")
    assert run.status == 0, run
    files = [line for line in run.out.splitlines() if line.endswith(".et")]
    assert files == [f"t.{rank}.et" for rank in range(len(files))]
    return [nodes(Path(file).read_bytes()) for file in files]


def chunks(text: str) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def number(node: Node, name: str) -> int:
    value = node.attributes[name][1]
    assert isinstance(value, int)
    return value


def carried_out(found: list[dict[int, Node]], layout: Layout, seed: int) -> list[dict[int, int]]:
    """Who has contributed to each chunk at each rank, after an order that the dependencies allow."""
    draw = random.Random(seed)
    held = [dict.fromkeys(layout.inputs(rank), 1 << rank) for rank in range(layout.ranks)]
    done: list[set[int]] = [set() for _ in found]
    under_way: dict[tuple[int, int, int], tuple[int, list[int]]] = {}
    while any(len(done[rank]) < len(own) for rank, own in enumerate(found)):
        ready = [
            (rank, key)
            for rank, own in enumerate(found)
            for key, node in own.items()
            if key not in done[rank]
            and done[rank].issuperset(node.after)
            and (node.kind == SEND or (number(node, "comm_src"), rank, number(node, "comm_tag")) in under_way)
        ]
        assert ready, "deadlock"
        rank, key = draw.choice(ready)
        node = found[rank][key]
        match = NAMED.fullmatch(node.name)
        assert match
        done[rank].add(key)
        named = chunks(match[2])
        if node.kind == SEND:
            ends = rank, number(node, "comm_dst"), number(node, "comm_tag")
            assert ends not in under_way
            under_way[ends] = number(node, "comm_size"), [held[rank][c] for c in named]
            continue
        size, values = under_way.pop((number(node, "comm_src"), rank, number(node, "comm_tag")))
        assert size == number(node, "comm_size")
        for chunk, value in zip(named, values, strict=True):
            if match[1] == "add":
                assert not held[rank][chunk] & value
            held[rank][chunk] = value | (held[rank][chunk] if match[1] == "add" else 0)
    assert not under_way
    return held


@pytest.mark.parametrize("problem", PROBLEMS)
def test_the_collective_is_carried_out(cli: Cli, problem: str) -> None:
    """Whatever order the dependencies leave open, every rank gets what the collective gives it."""
    found = traces(cli, problem, "--chunks 4" if problem.startswith("pipelined") else "")
    root = int(problem.rsplit(maxsplit=1)[-1]) if "--root" in problem or "--source" in problem else 0
    everything = [c for own in found for node in own.values() for c in chunks(node.name.split()[1])]
    collective, ranks = PROBLEMS[problem], len(found)
    units = Layout(collective, ranks, 1, root).chunk_count
    layout = Layout(collective, ranks, -(-(1 + max(everything)) // units), root)
    for seed in range(3):
        held = carried_out(found, layout, seed)
        for rank in range(ranks):
            for chunk in layout.outputs(rank):
                sources = [r for r in range(ranks) if chunk in layout.inputs(r)]
                assert held[rank][chunk] == sum(1 << r for r in sources)


def test_fields_are_those_of_the_schema(cli: Cli) -> None:
    """Sizes are int64 and ranks int32, as the simulator reads them; sizes of a unit add up."""
    found = traces(cli, "synchronous allgather path:3 --steps 2", "--size 1000 --chunks 3")
    for own in found:
        for node in own.values():
            end = "comm_dst" if node.kind == SEND else "comm_src"
            assert {name: field for name, (field, _) in node.attributes.items()} == {
                "comm_type": 9, "comm_size": 9, end: 7, "comm_tag": 7,
            }  # fmt: skip
            assert node.kind in (SEND, RECEIVE)
    received = [sum(number(n, "comm_size") for n in own.values() if n.kind == RECEIVE) for own in found]
    assert received == [2000, 2000, 2000]
    assert [_varint(n) for n in (0, 127, 128, 300)] == [b"\x00", b"\x7f", b"\x80\x01", b"\xac\x02"]
    assert all(varint(_varint(n), 0)[0] == n for n in (0, 1, 2**31, 2**63))


def test_the_time_of_a_ring(cli: Cli) -> None:
    """Latency and bandwidth of the traces' messages, link by link, give what `time` says."""
    found = traces(cli, "synchronous allreduce cycle:4 --steps 4", "--size 3000000")
    alpha, beta = Fraction(5, 10**6), Fraction(1, 10**9)
    ends: dict[tuple[int, int], Fraction] = {}
    sent: dict[tuple[int, int, int], Fraction] = {}
    free: dict[tuple[int, int], Fraction] = {}
    waiting = [(rank, key) for rank, own in enumerate(found) for key in own]
    waiting.sort(key=lambda item: number(found[item[0]][item[1]], "comm_tag"))
    for kind in (SEND, RECEIVE) * len(waiting):
        for rank, key in [item for item in waiting if found[item[0]][item[1]].kind == kind]:
            node = found[rank][key]
            if any((rank, before) not in ends for before in node.after):
                continue
            if kind == SEND:
                link, tag = (rank, number(node, "comm_dst")), number(node, "comm_tag")
                start = max([free.get(link, Fraction(0)), *(ends[rank, before] for before in node.after)])
                free[link] = ends[rank, key] = start + number(node, "comm_size") * beta
                sent[(*link, tag)] = free[link] + alpha
            elif (
                arrived := sent.get((number(node, "comm_src"), rank, number(node, "comm_tag")))
            ) is not None:
                ends[rank, key] = arrived
            else:
                continue
            waiting.remove((rank, key))
    assert not waiting
    said = json_of(cli("time r.json --alpha 5e-6 --beta 1e-9 --size 3000000 --json"))
    assert float(max(ends.values())) == pytest.approx(said["seconds"])


def test_names_and_sizes(cli: Cli) -> None:
    """With .et or without; a size needs no prices; fewer bytes than chunks are refused."""
    assert cli("solve synchronous allgather path:3 --steps 2 --chunks 2 --output r.json").status == 0
    assert cli("export r.json -o a.et").out.startswith("a.0.et\na.1.et\na.2.et\n")
    assert cli("export r.json -o b --for chakra --size 1MiB").status == 0
    assert Path("b.2.et").read_bytes() == Path("a.2.et").read_bytes()
    assert "unit of 1 bytes cannot be cut into 2 chunks" in refused(cli("export r.json -o c.et --size 1"))
    assert "path:3 has no costs" in refused(cli("export r.json -o c.et --size 1MB --alpha 1e-6"))
    assert "ends in .et" in refused(cli("export r.json -o c.json --for chakra"))
    assert not list(Path().glob("c*"))
