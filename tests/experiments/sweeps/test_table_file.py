"""Tables in files, read like the stores that they were written from."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from schedsolve import Network, build_problem, solve
from schedsolve.experiments.sweeps.conjectures import conjectures
from schedsolve.experiments.sweeps.hypotheses import hypothesis_table, verdict_on
from schedsolve.experiments.sweeps.results import COLUMNS, read_table
from schedsolve.experiments.sweeps.table_file import TableFile, networks_in
from schedsolve.modelkit.result import result_to_json
from schedsolve.solving.store import ResultKey, Store, record_of
from tests.command_line import Cli, refused

SPECS = ("path:4", "star:5", "cycle:6", "graph6:D`{")


@pytest.fixture
def store(cli: Cli) -> str:
    """Gossip and the best broadcast on some networks, and a cost that is a fraction; also as all.csv."""
    asked = [("telephone", "gossip", {}), ("telephone", "broadcast", {"source": "min"})]
    with Store("r.db", write=True) as made:
        for spec in SPECS:
            for model, task, parameters in asked:
                problem = build_problem(model, task, Network.from_spec(spec), parameters)
                made.add(problem, ResultKey(), record_of(result_to_json(solve(problem))))
        cost = build_problem("linear-cost", "broadcast", Network.from_spec("complete:4"), {"extra_rounds": 1})
        made.add(cost, ResultKey(), record_of(result_to_json(solve(cost))))
    assert (
        cli(
            f"results r.db --columns {','.join(c for c in COLUMNS if c != 'seconds')} --output all.csv"
        ).status
        == 0
    )
    return "r.db"


def test_a_table_has_the_rows_of_its_store(store: str) -> None:
    """In the same types, with the same networks, claims and conjectures; what was left out is empty."""
    kept = [name for name in COLUMNS if name not in ("seconds", "network_id")]
    with Store(store) as opened, TableFile("all.csv") as table:
        for columns in (kept, ["network", "value"]):
            found = read_table(table, columns)
            assert found.rows == read_table(opened, columns).rows
        assert {row[0] for row in read_table(table, ["seconds"]).rows} == {None}
        assert set(networks_in(table, range(9)).values()) == set(networks_in(opened, range(9)).values())
        for claim in ("telephone_gossip <= 2*n - 4", "telephone_gossip >= broadcast_min", "girth > 3"):
            one, other = (verdict_on(hypothesis_table(source), claim) for source in (opened, table))
            assert (one.holds, one.undecided, one.per) == (other.holds, other.undecided, other.per)
            assert [c.network for c in one.counterexamples] == [c.network for c in other.counterexamples]
        assert conjectures(hypothesis_table(opened), "telephone_gossip") == conjectures(
            hypothesis_table(table), "telephone_gossip"
        )


def test_counterexamples_of_a_table_are_solved_and_drawn_by_their_commands(cli: Cli, store: str) -> None:
    """A claim that is false for one network with five nodes is refuted with that network."""
    seen = cli("results all.csv --claim", "telephone_gossip <= 2*n - 4")
    assert seen.status == 1
    assert (
        "5 networks: holds for 3, fails for 1, undecided for 1\n\nstar:5: n 5, telephone_gossip 7\n"
        in seen.out
    )
    commands = re.findall(r"^  schedsolve (.*)$", seen.out, re.MULTILINE)
    assert commands == [
        "solve telephone gossip star:5 --output telephone-gossip.json",
        "draw telephone-gossip.json -o telephone-gossip.svg",
    ]
    worst = cli("results all.csv --claim", "broadcast_min < 3 or leaves < 3")
    assert "  schedsolve solve telephone broadcast star:5 --source min --output" in worst.out
    odd = cli("results all.csv --claim", "triangles < 2")
    assert "schedsolve solve telephone broadcast 'graph6:D`{' --source min --output" in odd.out
    for command in commands:
        assert cli(*shlex.split(command)).status == 0
    assert Path("telephone-gossip.svg").exists()


def test_networks_side_by_side(cli: Cli, store: str) -> None:
    """Of a table or a store those for which a condition is true, with what it reads where that differs."""
    for source in ("all.csv", store):
        seen = cli(f"draw {source} -o some.svg --where", "telephone_gossip >= 3 and n > 3")
        assert (seen.status, seen.out, seen.err) == (0, "", "")
        text = Path("some.svg").read_text(encoding="utf-8")
        for words in ("path:4", "star:5", "cycle:6", "telephone_gossip 7", "telephone_gossip 3"):
            assert words in text
        assert "complete:4" not in text
    assert cli("draw all.csv -o page.html --where", "n == 5").status == 0
    assert "2 networks, and what is proven of 3 questions" in Path("page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("results none.csv", "cannot read none.csv"),
        ("results other.csv", "has no column network"),
        ("results short.csv", "line 2 has 3 cells, not 6"),
        ("results odd.csv", "line 2: value is no number: 'x'"),
        ("results binary.csv", "is no CSV file"),
        ("results binary.parquet", "Parquet"),
        ("results all.csv --check", "is a table, without schedules"),
        ("results all.csv --output one.json --where n==4", "holds one result"),
        ("draw all.csv -o x.svg --where n>99", "1 to 60 networks, not 0"),
        ("draw all.csv -o x.svg --view rounds", "no option but --where"),
        ("draw files.csv -o x.svg", "does not say what the network 'my.edges' is"),
    ],
)
def test_what_is_no_table(cli: Cli, store: str, line: str, words: str) -> None:
    """One line each."""
    head = "network,model,task,parameters,status,value\n"
    Path("other.csv").write_text("a,b\n1,2\n")
    Path("short.csv").write_text(f"{head}a,b,c\n")
    Path("odd.csv").write_text(f"{head}path:3,telephone,gossip,,optimal,x\n")
    Path("files.csv").write_text(f"{head}my.edges,telephone,gossip,,optimal,3\n")
    Path("binary.csv").write_bytes(b"\xff\x00")
    Path("binary.parquet").write_bytes(b"\xff\x00")
    assert words in refused(cli(line))
