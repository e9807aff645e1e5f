"""What every command says of a network of which its reader assumed something or left something out."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from schedsolve.network.assumptions import KEY, as_read
from schedsolve.network.files.any_format import read_network
from schedsolve.solving.formulation_files import read_formulation
from tests.command_line import Cli, checked, json_of, refused
from tests.needs import needs
from tests.network.test_assumptions import BOTH, LOST, SWITCH

SAID = as_read(BOTH).strip()
LISTED = [SWITCH.to_json(), LOST.to_json()]
SOLVE = "solve pipelined allgather read.topo"


@pytest.fixture
def reading(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """The command line in a folder with two files; the reader of files has two assumptions."""

    def read(*given: Any, **named: Any) -> Any:
        return replace(read_network(*given, **named), assumptions=BOTH)

    monkeypatch.setattr("schedsolve.network.named.spec.read_network", read)
    cli("networks dgx1 -o read.topo")
    cli("networks path:4 -o path.edges")
    return cli


@pytest.mark.parametrize("command", [
    f"{SOLVE} --without 3",
    "solve telephone gossip read.topo --ignore-bandwidths",
    "solve telephone gossip path.edges --rounds 3",
    "solve telephone gossip path.edges --rounds 4",
    "bounds pipelined allgather read.topo",
    "construct pipelined allgather read.topo",
    "frontier synchronous allgather path.edges --steps 3..4",
    pytest.param("plan allgather path.edges --size 1MB --time-limit 2", marks=needs("machines")),
    "compare telephone gossip path.edges",
])  # fmt: skip
def test_a_verdict_says_so(reading: Cli, command: str) -> None:
    """In its line, and in JSON; of the same network by name, nothing is said."""
    assert SAID in reading(command).out
    data = json_of(reading(f"{command} --json"))
    assert data.get(KEY) or data["rows"][0][KEY] == LISTED
    named = command.replace("read.topo", "dgx1").replace("path.edges", "path:4")
    assert "as read" not in reading(named).out
    assert KEY not in reading(f"{named} --json").out


@needs("drawing", "export", "machines")
def test_a_saved_result_keeps_them(reading: Cli) -> None:
    """`check`, pictures, pages, times and programs say so; a file without the key says nothing."""
    assert reading(f"{SOLVE} -o r.json").status == 0
    seen = reading("check --strict r.json")
    assert (seen.status, SAID in seen.out.splitlines()[-1]) == (0, True)
    assert f"note     network as read, {LOST}" in seen.out
    assert json_of(reading("check --json r.json"))[KEY] == LISTED
    for picture in ("r.svg", "r.html", "r.tex"):
        assert reading(f"draw r.json -o {picture}").status == 0
        assert "network as read; 2 assumptions" in Path(picture).read_text()
    assert SAID in reading("time r.json --size 1MB").out
    assert SAID in reading("export r.json -o p.json --for mscclpp").out
    assert SAID in reading("check p.json --topology read.topo").out.splitlines()[-1]
    reading("export r.json -o bundle --bundle")
    assert f"# as read, {SWITCH}\n" in Path("bundle/network.edges").read_text()
    reading("formulate synchronous allgather path.edges --steps 3 --chunks 1 -o f.lp")
    assert read_formulation("f.lp").request.problem.network.assumptions == BOTH
    data = json.loads(Path("r.json").read_text())
    for form in ("schedsolve-result/1", "schedsolve-schedule/1"):
        assert KEY in refused(checked(reading, {**data, "format": form, KEY: []}))
    del data[KEY]
    old = checked(reading, data)
    assert (old.status, "as read" in old.out) == (0, False)


def test_strict(reading: Cli) -> None:
    """It ends with 3 and names them, after the result is printed and saved; else it changes nothing."""
    seen = reading(f"{SOLVE} --strict --json -o r.json")
    assert (seen.status, json.loads(seen.out)["status"]) == (3, "optimal")
    assert seen.err.splitlines() == [f"read.topo: {SWITCH}", f"read.topo: {LOST}"]
    assert reading("check r.json").status == 0
    json_of(reading("solve pipelined allgather dgx1 --strict --json"))


def test_a_listed_network_names_them(reading: Cli) -> None:
    """A line each."""
    assert reading("list networks read.topo").out.splitlines()[1:3] == [str(SWITCH), str(LOST)]
