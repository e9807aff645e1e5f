"""Claims: verdicts on stores whose optima are known, counterexamples with commands that draw them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from schedsolve import Network, build_problem, solve
from schedsolve.experiments.sweeps.chosen_table import chosen_table
from schedsolve.experiments.sweeps.hypotheses import hypothesis_table, verdict_on
from schedsolve.modelkit.result import result_to_json
from schedsolve.solving.store import ResultKey, Store, record_of
from tests.command_line import Cli, refused

NETWORKS = ("path:4", "star:5", "cycle:5", "cycle:6", "complete:4")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Gossip in both models and the best and worst broadcast on some networks; one of them open."""
    path = str(tmp_path_factory.mktemp("claims") / "r.db")
    with Store(path, write=True) as made:
        for spec in NETWORKS:
            network = Network.from_spec(spec)
            for model, task, parameters in (
                ("telephone", "gossip", {}),
                ("telegraph", "gossip", {}),
                ("telephone", "broadcast", {"source": "min"}),
                ("telephone", "broadcast", {"source": "max"}),
            ):
                problem = build_problem(model, task, network, parameters)
                data = result_to_json(solve(problem))
                if (spec, model) == ("cycle:6", "telegraph"):
                    data = {**data, "status": "bounded", "lower_bound": 3}
                made.add(problem, ResultKey(certify=False), record_of(data))
    return path


@pytest.mark.parametrize(
    ("claim", "per", "holds", "undecided", "false"),
    [
        ("value >= ceil(log2(n))", "problem", 19, 1, []),
        ("telephone_gossip <= telegraph_gossip", "network", 4, 1, []),
        ("telephone_gossip >= telephone_broadcast_max", "network", 5, 0, []),
        ("max_broadcast <= broadcast_min + 1", "network", 5, 0, []),
        ("telephone_gossip <= 2*n - 4", "network", 4, 0, ["star:5"]),
        ("telephone_gossip == n/2 + 3/2 or tree", "network", 3, 0, ["cycle:6", "complete:4"]),
        ("girth > 3", "problem", 8, 8, ["complete:4"] * 4),
        ("girth == None or girth > 2", "problem", 20, 0, []),
        ("lower_bound <= value", "problem", 19, 1, []),
    ],
)
def test_verdicts(store: str, claim: str, per: str, holds: int, undecided: int, false: list[str]) -> None:
    """A row a network for claims of joined tasks; open rows and missing values leave it undecided."""
    with Store(store) as opened:
        verdict = verdict_on(hypothesis_table(opened), claim)
    assert (verdict.per, verdict.holds, verdict.undecided) == (per, holds, undecided)
    assert sorted(c.network for c in verdict.counterexamples) == sorted(false)
    assert verdict.rows == holds + undecided + len(false)


def test_counterexamples_are_drawn_by_their_commands(cli: Cli, store: str) -> None:
    """Exit status 1, the network and its values, and commands that run."""
    seen = cli(f"results {store} --claim", "telephone_gossip <= 2*n - 4")
    assert seen.status == 1
    assert seen.out.startswith("fails: telephone_gossip <= 2*n - 4\n5 networks: holds for 4, fails for 1\n")
    assert "star:5: n 5, telephone_gossip 7" in seen.out
    commands = re.findall(r"^  schedsolve (.*)$", seen.out, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        words = shlex.split(command)
        assert cli(words[0], *words[1:]).status == 0
    assert list(Path().glob("*.svg"))


def test_networks_of_one_name_are_not_joined(cli: Cli) -> None:
    """Each has its own optima, whatever their names are."""
    with Store("r.db", write=True) as made:
        for edges, tasks in (
            (((0, 1), (1, 2)), ["gossip"]),
            (((0, 1), (0, 2), (1, 2)), ["gossip", "broadcast"]),
        ):
            for task in tasks:
                problem = build_problem("telephone", task, Network(3, edges, name="same.edges"))
                made.add(problem, ResultKey(certify=False), record_of(result_to_json(solve(problem))))
    seen = cli("results r.db --claim", "gossip > broadcast")
    assert seen.out.splitlines()[1] == "2 networks: holds for 1, undecided for 1"


def test_exit_statuses(cli: Cli, store: str) -> None:
    """0 when it holds for all rows, 3 when some are undecided or there are none."""
    assert cli(f"results {store} --claim", "n >= 4").status == 0
    assert cli(f"results {store} --claim", "telegraph_gossip >= telephone_gossip").status == 3
    assert cli(f"results {store} --where n>99 --claim", "n >= 4").status == 3
    narrowed = cli(f"results {store} --where 'not tree' --claim", "telephone_gossip <= 2*n - 4")
    assert narrowed.out.splitlines()[1] == "3 networks: holds for 3"


@pytest.mark.parametrize(
    ("claim", "words"),
    [
        ("__import__('os')", "there is no function '__import__'"),
        ("10**10**10", "an exponent is"),
        ("n", "a hypothesis is true or false"),
        ("gossip > 3", "there is no column 'gossip'"),
        ("routing_deliver > 3", "there is no column"),
        ("value >", "is no expression"),
    ],
)
def test_refused(cli: Cli, store: str, claim: str, words: str) -> None:
    """In one line; gossip alone is ambiguous where two models have it."""
    assert words in refused(cli(f"results {store} --claim", claim))


def test_one_row_a_network(cli: Cli, store: str) -> None:
    """The optima of tasks as columns; what is open has none; other columns are refused."""
    with Store(store) as opened:
        table = chosen_table(opened, ["network", "n", "telegraph_gossip", "broadcast_max"])
        kept = chosen_table(opened, ["network", "broadcast_min"], "broadcast_min < broadcast_max")
    rows = {row[0]: tuple(row[1:]) for row in table.rows}
    assert len(table.rows) == len(NETWORKS)
    assert rows["path:4"] == (4, 4, 3)
    assert rows["cycle:6"] == (6, None, 3)
    assert {row[0]: row[1] for row in kept.rows}["path:4"] == 2
    assert "cycle:5" not in {row[0] for row in kept.rows}
    cli(f"results {store} --columns network,telephone_gossip -o t.tex")
    text = Path("t.tex").read_text()
    assert "booktabs" in text
    assert text.count(r"\\") == 1 + len(NETWORKS)
    assert "did you mean telephone_gossip" in refused(
        cli(f"results {store} --columns network,telefone_gossip")
    )
    assert "a row for each network" in refused(cli(f"results {store} --columns value,telephone_gossip"))
    assert "no results to check" in refused(cli(f"results {store} --columns telephone_gossip --check"))


def test_ids_are_short_for_readers(cli: Cli, store: str) -> None:
    for ending, length in (("md", 12), ("csv", 64)):
        cli(f"results {store} --columns problem_id -o t.{ending}")
        words = re.findall(r"\b[0-9a-f]{12,}\b", Path(f"t.{ending}").read_text())
        assert {len(word) for word in words} == {length}
    assert re.search(r"\b[0-9a-f]{12}\b", cli(f"results {store} --columns problem_id").out)
