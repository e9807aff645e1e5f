"""Exported refutations: a checker of another house accepts them, and refuses what was altered."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import dratify
import pytest

from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.command_line import Cli
from tests.reference.lrat_checker import refutes

CASES = {
    "origins and destinations": "telegraph gossip complete:5",
    "one message": "telephone broadcast grid:3x3 --source 1",
    "a given number of rounds": "telephone gossip petersen --rounds 3",
    "the worst source": "telephone broadcast path:6 --source max",
    "with a period, in a tree": "telegraph gossip tree:2,2 --period 4",
    "with a period": "telephone gossip cycle:5 --period 3",
    "no period is enough": "telephone gossip star:5 --period 3",
    "the least period": "telephone gossip tree:2,2 --period min",
    "long-distance calls": "line broadcast cycle:6 --source 0 --ports 1",
    "long-distance gossip": "line gossip star:4 --ports 1",
    "a fat-tree by the clock": "fat-tree broadcast fat-tree:8",
    "a fat-tree in rounds": "fat-tree broadcast fat-tree:8 --timing rounds",
    "a product": "fat-tree product fat-tree:4",
    "routers": "routing deliver fat-tree:8 --pattern random:4",
}


@cache
def saved(line: str) -> str:
    """The certified result of a problem, as text."""
    model, task, network, *options = line.split()
    names = [name.removeprefix("--").replace("-", "_") for name in options[::2]]
    parameters = dict(zip(names, options[1::2], strict=True))
    problem = build_problem(model, task, Network.from_spec(network), parameters)
    return json.dumps(result_to_json(solve(problem, Options(certify="refutation", time_limit=20))))


def accepted(folder: Path) -> bool:
    """Whether the checker of another house accepts the proof."""
    formula = dratify.parse_dimacs((folder / "formula.cnf").read_text())
    result = dratify.check_proof(formula, (folder / "proof.drat").read_text())
    return bool(result.ok and result.reached_empty)


def refutes_with_hints(folder: Path) -> bool:
    """Whether the checker of proofs with hints accepts proof.lrat."""
    return refutes((folder / "formula.cnf").read_text(), (folder / "proof.lrat").read_text())


@pytest.mark.parametrize("name", CASES)
def test_another_checker_agrees(cli: Cli, name: str) -> None:
    """Each exported proof refutes its formula, whose header says what it means and names every variable."""
    Path("r.json").write_text(saved(CASES[name]))
    seen = cli("export r.json -o out")
    assert (seen.status, seen.err) == (0, "")
    folders = sorted({str(Path(file).parent) for file in seen.out.split()})
    assert (folders == ["out"]) == (len(folders) == 1)
    for folder in folders:
        assert accepted(Path(folder))
        assert refutes_with_hints(Path(folder))
        text = (Path(folder) / "formula.cnf").read_text().splitlines()
        variables = int(next(line for line in text if line.startswith("p cnf")).split()[2])
        named = [line.split() for line in text if line.startswith("c ") and " = " in line]
        assert [int(words[1]) for words in named] == list(range(1, variables + 1))
        assert len({words[3] for words in named}) == variables
        assert sum(not words[3].startswith("auxiliary") for words in named) > 0


def test_a_folder_each(cli: Cli) -> None:
    """The least period's result has a refutation for the value and for shorter periods, in a folder each."""
    Path("r.json").write_text(saved(CASES["the least period"]))
    folders = {Path(file).parent.name for file in cli("export r.json -o out").out.split()}
    assert len(folders) > 1
    assert any(name.startswith("period-") for name in folders)


def test_an_altered_proof_is_refused(cli: Cli) -> None:
    """Neither with a lemma less nor for a formula with a clause less does the proof go through."""
    Path("r.json").write_text(saved(CASES["origins and destinations"]))
    assert cli("export r.json -o out").status == 0
    proof, formula = Path("out/proof.drat"), Path("out/formula.cnf")
    lines = proof.read_text().splitlines()
    proof.write_text("0\n")
    assert not accepted(Path("out"))
    proof.write_text("\n".join(lines) + "\n")
    text = formula.read_text().splitlines()
    clauses = [line for line in text if line[0] not in "cp"]
    head = next(line for line in text if line.startswith("p cnf")).split()
    units = [line for line in clauses if len(line.split()) > 2]
    formula.write_text(" ".join([*head[:3], str(len(units))]) + "\n" + "\n".join(units) + "\n")
    assert not accepted(Path("out"))


def test_spoilt_hints_are_refused(cli: Cli) -> None:
    """The proof with hints falls with any needed hint, lemma or clause of the formula left out."""
    Path("r.json").write_text(saved(CASES["origins and destinations"]))
    assert cli("export r.json -o out").status == 0
    formula, proof = Path("out/formula.cnf").read_text(), Path("out/proof.lrat").read_text()
    assert refutes(formula, proof)
    lines = proof.splitlines()
    lemmas = [at for at, line in enumerate(lines) if " d " not in line]
    assert not refutes(formula, "\n".join(lines[: lemmas[-1]]))
    for at in lemmas[:: len(lemmas) // 20]:
        *words, last, _ = lines[at].split()
        without_hint = [*lines[:at], " ".join([*words, "0"]), *lines[at + 1 :]]
        assert not refutes(formula, "\n".join(without_hint)), (at, last)
        if at != lemmas[-1]:
            number = lines[at].split()[0]
            unproven = [line for line in lines if line.split()[0] != number or " d " in line]
            unproven = [line for line in unproven if not (" d " in line and number in line.split()[2:])]
            assert not refutes(formula, "\n".join(unproven)), at
    text = formula.splitlines()
    first = next(at for at, line in enumerate(text) if line.startswith("p cnf")) + 1
    used = first - 1 + min(int(hint) for at in lemmas for hint in lines[at].split(" 0 ")[1].split()[:-1])
    text[used] = " ".join(str(-int(literal)) for literal in text[used].split())
    assert not refutes("\n".join(text), proof)


def test_a_proof_that_does_not_go_through_has_no_hints(cli: Cli) -> None:
    """Exporting a proof whose lemmas are gone says so in one line, and writes no proof.lrat."""
    data = json.loads(saved(CASES["origins and destinations"]))
    for bound in data["certificate"]["lower"]:
        if bound["evidence"]["kind"] == "refutation":
            bound["evidence"].update(pack_proof(["0"]))
    Path("r.json").write_text(json.dumps(data))
    seen = cli("export r.json -o out")
    assert (seen.status, seen.err.count("\n")) == (2, 1)
    assert "does not follow" in seen.err
    assert not Path("out/proof.lrat").exists()


def test_labels_are_explained(cli: Cli) -> None:
    """Where nodes have names, the header says which number is whom."""
    Path("abc.edges").write_text("a b\nb c\nc a\na d\n")
    assert cli("solve telephone gossip abc.edges --output r.json --quiet").status == 0
    assert cli("export r.json -o out").status == 0
    text = Path("out/formula.cnf").read_text()
    assert "c node 0 is a\n" in text


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{}", "no schedsolve result"),
        ("[1", "no JSON"),
        (None, "no certificate"),
        ("no refutation", "holds no refutation"),
    ],
)
def test_nothing_to_export(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, content: str | None, reason: str
) -> None:
    """Without a refutation, in the file or found, there is one line that says so, status 2, and no folder."""
    monkeypatch.setattr("schedsolve.export.refutations.refuted", lambda *_: None)
    data = json.loads(saved(CASES["origins and destinations"]))
    if content is None:
        data["certificate"] = None
    elif content == "no refutation":
        lower = data["certificate"]["lower"]
        data["certificate"]["lower"] = [b for b in lower if b["evidence"]["kind"] != "refutation"]
    Path("r.json").write_text(content if content in ("{}", "[1") else json.dumps(data))
    seen = cli("export r.json -o out")
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert reason in seen.err
    assert not Path("out").exists()


@pytest.mark.parametrize(
    "line",
    [
        "telephone gossip path:5",
        "telephone broadcast path:6 --source max",
        "telephone gossip grid:3x3 --rounds 3",
        "telephone gossip star:5 --period 3",
        "line broadcast cycle:6 --source 0 --ports 1",
    ],
)
def test_one_is_sought_where_theorems_decide(cli: Cli, line: str) -> None:
    """A file whose bound a theorem proves holds no refutation; its export has one, which others accept."""
    assert cli(f"solve {line} --quiet --output r.json").status == 0
    data = json.loads(Path("r.json").read_text())
    assert "refutation" not in {b["evidence"]["kind"] for b in data["certificate"]["lower"]}
    assert cli("check r.json --strict").status == 0
    assert cli("export r.json -o out").status == 0
    assert accepted(Path("out"))
    assert refutes_with_hints(Path("out"))


def test_the_folder_is_a_folder(cli: Cli) -> None:
    """A file in the folder's place is left alone."""
    Path("r.json").write_text(saved(CASES["origins and destinations"]))
    Path("out").write_text("mine")
    assert cli("export r.json -o out").status == 2
    assert Path("out").read_text() == "mine"


@pytest.mark.parametrize(
    ("options", "seconds"),
    [("--bundle", 10), ("", 60), ("--bundle --time-limit 2.5", 2.5), ("--time-limit 1e300", 1e300)],
)
def test_how_long_one_is_sought(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, options: str, seconds: float
) -> None:
    """As long as the user says; where none is found, that and what a bundle rests on are said in a line."""
    asked = []
    monkeypatch.setattr("schedsolve.export.refutations.refuted", lambda *given: asked.append(given[-1]))
    assert cli("solve telegraph gossip path:7 --period 4 --quiet --output r.json").status == 0
    seen = cli(f"export r.json -o out {options}")
    assert asked == [seconds]
    assert f"was found in {seconds:g} CPU seconds" in seen.err
    assert seen.err.count("\n") == 1
    assert seen.status == (0 if "--bundle" in options else 2)
    assert ("rests on Theorem 1; no refutation" in seen.err) == ("--bundle" in options)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("telegraph gossip path:7 --period 4", "--time-limit 0"),
        ("pipelined allreduce dgx1", "--time-limit 5 --for mpi"),
    ],
)
def test_a_limit_of_what_takes_none(cli: Cli, line: str, options: str) -> None:
    """No time is no limit, and programs hold no refutation."""
    assert cli(f"solve {line} --quiet --output r.json").status == 0
    seen = cli(f"export r.json -o out {options}")
    assert (seen.status, seen.out) == (2, "")
    assert "time" in seen.err


def test_a_bundle_without_refutations_seeks_none(cli: Cli) -> None:
    """Of a model that has none, only what is taken on trust is said."""
    assert cli("solve linear-cost broadcast path:4 --extra-rounds 0 --quiet --output r.json").status == 0
    seen = cli("export r.json -o out --bundle")
    assert seen.status == 0
    assert "refutation" not in seen.err
