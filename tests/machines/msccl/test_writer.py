"""MSCCL XML that is written: every collective, in and out of place, replayed by the checker; what cannot be
expressed is refused.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from schedsolve.machines.msccl.algorithm import DEMANDED, read_algorithm
from tests.command_line import Cli, refused

PROBLEMS = (
    "synchronous allgather dgx1 --steps 2",
    "synchronous broadcast dgx1 --steps 2 --source 3",
    "synchronous gather leaf-spine:2,2,1 --steps 1 --root 1",
    "synchronous scatter path:3 --steps 2 --source 1",
    "synchronous alltoall cycle:4 --steps 2 --chunks 2",
    "synchronous reduce cycle:5 --steps 2 --root 2",
    "synchronous reduce-scatter path:3 --steps 2",
    "synchronous allreduce cycle:4 --steps 2",
    "synchronous allreduce path:3 --steps 2 --chunks 2",
    "pipelined allgather a100:1",
    "pipelined broadcast amd4 --source 2",
    "pipelined alltoall amd4",
    "pipelined allreduce path:4",
    "pipelined reduce amd4 --root 2",
    "pipelined reduce-scatter cycle:5",
    "telephone gossip hypercube:3",
)
IN_PLACE = ("allgather", "broadcast", "reduce", "reduce-scatter", "allreduce")


def network_of(problem: str) -> str:
    return problem.split()[2]


@pytest.mark.parametrize("problem", PROBLEMS)
def test_what_is_written_replays(cli: Cli, problem: str) -> None:
    """The result, on its own network, strictly; in place, and for both, where the executor knows it."""
    assert cli(f"solve {problem} --output r.json").status == 0
    collective = problem.split()[1]
    ways = ["", "--in-place", "--in-place --out-of-place"] if collective in IN_PLACE else [""]
    for way in ways:
        run = cli(f"export r.json -o a.xml {way} --protocol LL --min-bytes 1024 --max-bytes 65536")
        assert (run.status, run.out.split("\n")[0]) == (0, "a.xml"), run
        run = cli(f"check a.xml --topology {network_of(problem)} --strict")
        assert run.status == 0, run.out
        assert ("ok       in place: every gpu gets" in run.out) == ("--in-place" in way)
        assert ("ok       out of place: every gpu gets" in run.out) == (way != "--in-place")
    head = Path("a.xml").read_text().split("\n")[1]
    assert all(f" {name}=" in head for name in DEMANDED)
    assert 'proto="LL"' in head
    assert 'minBytes="1024" maxBytes="65536"' in head


def test_collectives_that_are_never_in_place(cli: Cli) -> None:
    """The executor takes an alltoall out of place only, and no protocol but its three."""
    assert cli("solve synchronous alltoall path:2 --steps 1 --output r.json").status == 0
    assert "knows no alltoall in place" in refused(cli("export r.json -o a.xml --in-place"))
    assert "a protocol is one of Simple, LL, LL128, not 'LL64'" in refused(
        cli("export r.json -o a.xml --protocol LL64")
    )
    assert not Path("a.xml").exists()


def test_numbers_beyond_the_limits(cli: Cli) -> None:
    """Many chunks go on several channels, as a block has 64 steps at most; with too many, or too many gpus,
    the file says what is in the way.
    """
    assert cli("solve synchronous allgather cycle:6 --steps 5 --chunks 20 --output r.json").status == 0
    assert cli("export r.json -o a.xml --chunks 100").status == 0
    algorithm = read_algorithm(Path("a.xml").read_bytes())
    assert max(len(b.steps) for g in algorithm.gpus for b in g.blocks) <= 64
    assert max(s.size for g in algorithm.gpus for b in g.blocks for s in b.steps) <= 71
    assert cli("check a.xml --topology cycle:6").status == 0
    assert cli("solve pipelined alltoall complete:34 --output big.json").status == 0
    assert re.search(
        r"executor: gpu 0: it has \d+ blocks, and 64 is the most", refused(cli("export big.json -o b.xml"))
    )


def test_spoilt_bytes_never_pass(cli: Cli) -> None:
    """Every offset and every waiting of a written file changed alone: the check fails, or nothing depends on
    what was changed.
    """
    assert (
        cli("solve synchronous broadcast path:3 --steps 3 --chunks 2 --source 0 --output r.json").status == 0
    )
    assert cli("export r.json -o a.xml").status == 0
    text = Path("a.xml").read_text()
    places = list(re.finditer(r'type="(\w+)" srcbuf="\w" srcoff="(\d+)" dstbuf="\w" dstoff="(\d+)"', text))
    assert len(places) >= 5
    for found in places:
        group = 3 if found[1] == "r" else 2
        begin, end = found.span(group)
        other = "0" if found[group] != "0" else "1"
        Path("b.xml").write_text(text[:begin] + other + text[end:])
        assert cli("check b.xml").status in (1, 2), found[0]
