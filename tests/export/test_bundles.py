"""Bundles verify themselves: their programs run in a folder without the package, on Python 3.9 or newer."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from schedsolve.certify.check import check_data
from schedsolve.export.bundles.bundle import FILES, bundle_of
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, refused
from tests.soak.saved_results import saved

from .bundles import ACCEPTED, ORDERED, OTHERS, WORST, bundle, program, verified, written

RESTING = {
    "linear-cost broadcast complete:12 --extra-rounds 1": "aggregated",
    "fat-tree prefix fat-tree:4": "crossings",
}
"""What their programs do not verify."""


@pytest.mark.parametrize("line", ACCEPTED)
def test_it_verifies_itself_alone(line: str, tmp_path: Path) -> None:
    """From a folder without the package, with -I, and started elsewhere; it prints the theorem."""
    folder = tmp_path / "bundle"
    folder.mkdir()
    written(bundle(line), folder)
    command = [sys.executable, "-I", "bundle/verify.py"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    claim = (folder / "claim.md").read_text()
    theorem = ran.stdout.splitlines()[0].removeprefix("Verified: ")
    assert theorem in claim
    assert str(saved(line)["value"]) in theorem
    assert "On nothing but verify.py and Python." in claim


@pytest.mark.parametrize("line", [*ACCEPTED, *OTHERS, *WORST])
def test_its_program_is_short(line: str) -> None:
    """At most 500 lines of 100 columns in the Python of 3.9, from the standard library; both it and the claim
    name the files by their hashes.
    """
    contents = bundle(line)
    text = contents["verify.py"].decode()
    assert len(text.splitlines()) <= 500
    assert max(map(len, text.splitlines())) <= 100
    tree = ast.parse(text, feature_version=(3, 9))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert modules <= set(sys.stdlib_module_names) | {"__future__"}
    for name in set(contents) - {"verify.py", "claim.md"}:
        digest = hashlib.sha256(contents[name]).hexdigest()
        assert digest in text
        assert digest in contents["claim.md"].decode()
    assert set(contents) <= set(FILES)
    assert check_data(saved(line)).complete


@pytest.mark.parametrize("line", [*OTHERS, *WORST, *(f"{line} --ordered" for line in ORDERED)])
def test_other_tasks_and_options(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every task, a number of rounds asked for, open sources, what cannot be done at all."""
    assert verified(bundle(line), tmp_path, monkeypatch) == 0


@pytest.mark.parametrize("line", RESTING)
def test_what_it_does_not_verify(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It names it and ends with 4, until that is accepted by its name."""
    contents, name = bundle(line), RESTING[line]
    assert verified(contents, tmp_path, monkeypatch) == 4
    assert capsys.readouterr().out.startswith(f"rests on {name}, not verified here")
    assert verified(contents, tmp_path, monkeypatch, "--accept", "Theorem 70") == 4
    assert verified(contents, tmp_path, monkeypatch, "--accept", name) == 0
    assert f"given {name}" in capsys.readouterr().out
    assert f"On {name}, which verify.py does not verify." in contents["claim.md"].decode()


def test_theorem_7_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And can be accepted; it decides where there is no refutation, and none is found."""
    data = saved("telegraph gossip complete:5")
    assert "refutation" not in {b["evidence"]["kind"] for b in data["certificate"]["lower"]}
    assert verified(bundle_of(data), tmp_path, monkeypatch) == 0
    monkeypatch.setattr("schedsolve.export.refutations.refuted", lambda *_: None)
    contents = bundle_of(data)
    assert verified(contents, tmp_path, monkeypatch) == 4
    assert verified(contents, tmp_path, monkeypatch, "--accept", "Theorem 7") == 0


def test_the_two_sentences_are_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of origins and destinations."""
    assert verified(bundle("telegraph gossip complete:5"), tmp_path, monkeypatch) == 0
    assert capsys.readouterr().out.count("\nWho is called in ") == 2


def test_what_lies_beside_is_no_module(tmp_path: Path) -> None:
    """A json.py in the folder is not run, without -I either."""
    written(bundle("telephone gossip petersen"), tmp_path)
    (tmp_path / "json.py").write_text("raise SystemExit(9)\n")
    ran = subprocess.run([sys.executable, "verify.py"], cwd=tmp_path, capture_output=True, check=False)
    assert ran.returncode == 0


@pytest.mark.slow
def test_origins_and_destinations_of_petersen(cli: Cli) -> None:
    """Some 20,000 lemmas."""
    assert cli("solve telegraph gossip petersen --output r.json --quiet").status == 0
    assert cli("export r.json -o out --bundle").status == 0
    ran = subprocess.run([sys.executable, "-I", "out/verify.py"], capture_output=True, check=False)
    assert ran.returncode == 0


def test_it_runs_on_python_3_9(tmp_path: Path) -> None:
    """Those of all models, where there is one."""
    try:
        subprocess.run(["python3.9", "-c", ""], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no Python 3.9")
    for number, line in enumerate(ACCEPTED):
        folder = tmp_path / str(number)
        folder.mkdir()
        written(bundle(line), folder)
        ran = subprocess.run(["python3.9", "-I", folder / "verify.py"], capture_output=True, check=False)
        assert ran.returncode == 0, (line, ran.stderr)


def test_labels_are_explained(cli: Cli) -> None:
    """Nodes go by their numbers; network.edges says what these stand for, harmlessly."""
    network = {
        "nodes": [{"id": 'a "b" # c'}, {"id": "b"}],
        "edges": [{"source": 'a "b" # c', "target": "b"}],
    }
    Path("n.json").write_text(json.dumps(network))
    assert cli("solve telephone gossip n.json --output r.json --quiet").status == 0
    assert cli("export r.json -o out --bundle").status == 0
    assert Path("out/network.edges").read_text() == '# node 0 is "a \\"b\\" # c"\n# node 1 is "b"\n0 1\n'
    assert cli("solve telephone gossip out/network.edges --quiet").status == 0
    ran = subprocess.run([sys.executable, "-I", "out/verify.py"], capture_output=True, check=False)
    assert ran.returncode == 0


def test_a_result_that_does_not_hold_has_none(cli: Cli) -> None:
    """The program's parts look at it before it is written."""
    data = saved("telephone gossip petersen")
    data["schedule"]["rounds"][0].pop()
    Path("r.json").write_text(json.dumps(data))
    assert "does not know all" in refused(cli("export r.json -o out --bundle"))
    assert not Path("out").exists()


UNKNOWN: dict[str, object] = {
    "schedule": None,
    "status": "unknown",
    "value": None,
    "value_by": None,
    "lower_bound": None,
    "lower_bound_by": None,
}


@pytest.mark.parametrize(("change", "reason"), [
    ({"certificate": None}, "not certified"),
    ({"format": "schedsolve-schedule/1"}, "no schedsolve result"),
    (UNKNOWN, "neither"),
])  # fmt: skip
def test_what_claims_nothing_has_none(change: dict[str, object], reason: str) -> None:
    """A reason in one line."""
    with pytest.raises(InputError, match=reason):
        bundle_of({**saved("telephone gossip petersen"), **change})


def test_bundles_are_folders(cli: Cli) -> None:
    """Not programs for MPI; a folder keeps to one bundle; another folder of refutations is as before."""
    Path("r.json").write_text(json.dumps(saved("telegraph gossip complete:5")))
    assert "folder" in refused(cli("export r.json -o out.py --bundle"))
    assert set(cli("export r.json -o plain").out.split()) == {
        f"plain/{x}" for x in ("formula.cnf", "proof.drat", "proof.lrat")
    }
    Path("s.json").write_text(json.dumps(saved("telephone gossip petersen")))
    assert "no part of this bundle" in refused(cli("export s.json -o plain --bundle"))


def test_sections_are_under_their_docstrings() -> None:
    """The program reads as the definition of the model: what is used stands above its use."""
    names = program(bundle("telegraph gossip complete:5"))
    text = bundle("telegraph gossip complete:5")["verify.py"].decode()
    order = re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE)
    assert set(order) <= set(names)
    for before, after in (
        ("require", "Network"),
        ("Network", "replay_rounds"),
        ("Formula", "gossip_formula"),
        ("origins_formula", "main"),
    ):
        assert order.index(before) < order.index(after)


@pytest.mark.parametrize(("line", "reason"), [
    ("telegraph gossip path:4 --period min", "a proof for every shorter one, and a bundle holds one proof"),
    ("linear-cost broadcast complete:3 --alpha 1 --tau 3", "a proof for every number of rounds"),
])  # fmt: skip
def test_what_rests_on_many_proofs_has_none(line: str, reason: str) -> None:
    """The reason says what to solve for one."""
    with pytest.raises(InputError, match=reason):
        bundle_of(saved(line))


def test_a_value_without_a_schedule(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its bundle says what the lower bound does, and nothing of the value."""
    data = {**saved("pipelined allgather cycle:4"), "schedule": None, "schedules": None}
    del data["schedules"]
    contents = bundle_of(data)
    assert "in the steady state, is at least 3/2." in contents["claim.md"].decode()
    assert verified(contents, tmp_path, monkeypatch) == 0
