"""MSCCL XML of every collective in tests/data/msccl, as version 0.2.0 wrote it: right on its network, and
wrong with any one place altered. Nothing writes such files any more, and what is asked for one says so.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import schedsolve
from tests.command_line import Cli, refused
from tests.machines.msccl.algorithms import KEPT

NETWORKS = {
    "allgather-cycle-4": "cycle:4",
    "allgather-path-3-both": "path:3",
    "allreduce-cycle-4": "cycle:4",
    "allreduce-path-3-in-place": "path:3",
    "alltoall-cycle-4": "cycle:4",
    "broadcast-path-3": "path:3",
    "broadcast-path-3-two-channels": "path:3",
    "gather-leaf-spine-2-2-1": "leaf-spine:2,2,1",
    "reduce-cycle-5": "cycle:5",
    "reduce-scatter-path-3": "path:3",
    "scatter-path-3": "path:3",
}


def test_all_are_looked_at() -> None:
    assert {file.stem for file in KEPT.iterdir()} == set(NETWORKS)


@pytest.mark.parametrize("name", NETWORKS)
def test_they_replay(cli: Cli, name: str) -> None:
    """The result, on their own networks, strictly; in place and out of place, as they say."""
    run = cli(f"check {KEPT / name}.xml --topology {NETWORKS[name]} --strict")
    assert run.status == 0, run.out
    text = (KEPT / f"{name}.xml").read_text()
    assert ("ok       in place: every gpu gets" in run.out) == ('inplace="1"' in text)
    assert ("ok       out of place: every gpu gets" in run.out) == ('outofplace="1"' in text)


@pytest.mark.parametrize("name", ["broadcast-path-3", "broadcast-path-3-two-channels"])
def test_spoilt_offsets_never_pass(cli: Cli, name: str) -> None:
    """Every offset that is used, changed alone."""
    text = (KEPT / f"{name}.xml").read_text()
    places = list(re.finditer(r'type="(\w+)" srcbuf="\w" srcoff="(\d+)" dstbuf="\w" dstoff="(\d+)"', text))
    assert len(places) >= 5
    for found in places:
        group = 3 if found[1] == "r" else 2
        begin, end = found.span(group)
        other = "0" if found[group] != "0" else "1"
        Path("b.xml").write_text(text[:begin] + other + text[end:])
        assert cli("check b.xml").status in (1, 2), found[0]


@pytest.mark.parametrize(
    "command",
    [
        "export r.json -o a.xml",
        "export r.json -o a.XML --bundle",
        "export r.json -o a.json --for msccl",
        "export r.json -o a.xml --for msccl --in-place",
        "plan allreduce dgx1 --size 1MB -o a.xml",
        "plan allreduce dgx1 --size 1MB --for msccl",
    ],
)
def test_nothing_writes_them(cli: Cli, command: str) -> None:
    """One line that names the target that is written instead, before anything is read or solved."""
    assert "MSCCL XML is checked, and no longer written: write" in refused(cli(command))
    assert "--for mscclpp" in refused(cli(command))
    assert not list(Path().iterdir())


@pytest.mark.parametrize(("file", "target"), [("a.xml", None), ("a.xml", "msccl"), ("a.json", "msccl")])
def test_nor_does_python(tmp_path: Path, file: str, target: str | None) -> None:
    result = schedsolve.solve(schedsolve.build_problem("telephone", "gossip", "path:2"))
    with pytest.raises(schedsolve.InputError, match=r'no longer written: .*target="mscclpp"'):
        schedsolve.write_program(result, tmp_path / file, target=target)
    assert not list(tmp_path.iterdir())
