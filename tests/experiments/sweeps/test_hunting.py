"""Counterexamples beyond a table: false conjectures are refuted with results that check; true ones hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schedsolve.certify.check import check_data
from schedsolve.experiments.sweeps.conjectures import Conjecture, Side
from schedsolve.experiments.sweeps.hunting import _Hunt, refuted
from schedsolve.experiments.sweeps.hypotheses import HypothesisTable, Question
from schedsolve.experiments.sweeps.results import COLUMNS
from schedsolve.modelkit.result import result_to_json
from schedsolve.network.classes.graph_generation import is_bipartite
from schedsolve.network.classes.network_class import rows_of
from schedsolve.network.graph import Network
from tests.command_line import Cli

TASKS = {
    "gossip": Question("telephone", "gossip", ""),
    "broadcast_min": Question("telephone", "broadcast", "source=min"),
    "least": Question("telephone", "gossip", "period=min"),
}
NAMES = (*COLUMNS, *TASKS)
ROW = {"n": 5, "tree": True, "bipartite": True, "min_degree": 2, "max_degree": 2}
TABLE = HypothesisTable(NAMES, TASKS, [[ROW.get(name) for name in NAMES]], {})


def conjecture(side: Side, bound: str, premise: str | None = None, target: str = "gossip") -> Conjecture:
    return Conjecture(target, side, bound, (), 1, premise)


@pytest.mark.parametrize(
    "false",
    [
        conjecture("<=", "n"),
        conjecture(">=", "max_degree"),
        conjecture("==", "2*broadcast_min - 1"),
        conjecture("<=", "diameter + 2", "bipartite"),
        conjecture("<=", "n", "tree"),
    ],
)
def test_false_ones_are_refuted(false: Conjecture) -> None:
    found = refuted(false, TABLE, 60)
    assert found is not None
    assert found.network.node_count > 5
    for result in found.results:
        assert check_data(json.loads(json.dumps(result_to_json(result)))).complete
    if false.premise == "tree":
        assert found.network.is_tree
    if false.premise == "bipartite":
        assert is_bipartite(rows_of(found.network))


def test_a_rare_counterexample_is_found_by_altering_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """From a cycle alone, for which the inequality is an equation, to a cycle with chords."""
    monkeypatch.setattr(_Hunt, "_larger", lambda _: iter([Network.from_spec("cycle:8")]))
    rare = conjecture(">=", "n / 2", "bipartite and min_degree > 1 and max_degree < 4")
    found = refuted(rare, TABLE, 60)
    assert found is not None
    assert is_bipartite(rows_of(found.network))
    degrees = [len(after) for after in found.network.successors]
    assert min(degrees) > 1
    assert 2 < max(degrees) < 4
    assert found.values["gossip"] == 3


def test_true_ones_are_not() -> None:
    assert refuted(conjecture(">=", "diameter"), TABLE, 0.4) is None
    assert refuted(conjecture("==", "2*broadcast_min - 1", "tree"), TABLE, 0.4) is None


def test_what_has_no_problem_is_not_hunted() -> None:
    """A least period, and value, which may be of several tasks."""
    assert refuted(conjecture("<=", "1", target="least"), TABLE, 2) is None
    assert refuted(conjecture("<=", "1", target="value"), TABLE, 2) is None


def test_the_command(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "p.toml").write_text(
        '[[problem]]\nmodel = "telephone"\ntask = "gossip"\nnetworks = ["path:2..5"]\n'
    )
    assert cli("sweep p.toml --store s.db").status == 0
    run = cli("results s.db --conjecture gossip --hunt 5 -o found")
    assert run.status == 0
    assert "refuted by graph6:" in run.out
    files = list((tmp_path / "found").iterdir())
    assert files
    assert all(cli(f"check --strict {file}").status == 0 for file in files)
    assert "--conjecture" in cli("results s.db --hunt 5").err
    assert Network.from_spec(run.out.split("refuted by ")[1].split(":  ")[0].split(": ")[0]).node_count > 5
