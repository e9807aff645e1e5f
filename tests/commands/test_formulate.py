"""`schedsolve formulate`, `solution` and `--backend pulp` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from schedsolve.modelkit.formulas.integer_program import IntegerProgram, compare
from schedsolve.runtime.errors import InputError
from tests.command_line import Cli, json_of, refused
from tests.without_theorems import without_knowledge_sizes

AGREEING = (
    ("telephone gossip cycle:6", 3),
    ("telegraph broadcast petersen", 4),
    ("line gossip star:5", 2),
    ("line gossip cycle:4", 2),
    ("linear-cost broadcast complete:5 --extra-rounds 1", 2),
    ("routing deliver fat-tree:4 --pattern all-to-one", 3),
    ("telephone gossip cycle:4 --period 2", 2),
    ("fat-tree product fat-tree:2", 2),
    ("fat-tree broadcast fat-tree:4 --timing rounds", 6),
)


@pytest.mark.parametrize(("asked", "value"), AGREEING)
def test_backends_agree(cli: Cli, asked: str, value: int) -> None:
    """The optimum by default, by CP-SAT and by CBC is the same."""
    for backend in ("", " --backend cpsat", " --backend pulp"):
        result = json_of(cli(f"solve {asked} --json{backend}"))
        assert (result["status"], result["value"]) == ("optimal", value)


ALONE = (
    ("telephone gossip cycle:6 --backend pulp", ("optimal", 3, 3)),
    ("telegraph broadcast petersen --backend cpsat", ("optimal", 4, 4)),
    ("synchronous allreduce path:3 --steps 2 --chunks 1 --backend cpsat", ("optimal", 2, 2)),
    ("pipelined allreduce cycle:5 --backend pulp", ("bounded", "4/5", 0)),
    ("telephone gossip cycle:4 --rounds 1 --backend pulp", ("infeasible", None, None)),
)


@pytest.mark.parametrize(("asked", "answer"), ALONE)
def test_the_formulation_alone(cli: Cli, asked: str, answer: tuple[object, ...]) -> None:
    """Every bound is the solver's: no construction and no theorem has a part in it."""
    result = json_of(cli(f"solve {asked} --formulation-only --json"), 3 if answer[0] == "bounded" else 0)
    assert (result["status"], result["value"], result["lower_bound"]) == answer
    assert all(bound["by"] == "search" for bound in result["bounds"])
    assert result["value_by"] == (None if answer[1] is None else "search")
    assert result["lower_bound_by"] == "search"
    assert not any(bound.get("evidence") for bound in result["bounds"])


def test_who_proves_what(cli: Cli) -> None:
    """A solver's word, a solver's word that no number of rounds helps, and a construction that meets the
    bound.
    """
    run = cli("solve telephone gossip cycle:4 --rounds 1 --backend cpsat --formulation-only --quiet")
    assert run.out == "infeasible: 1 round does not suffice, by search, without a certificate\n"
    alone = cli("solve telephone gossip cycle:4 --backend cpsat --formulation-only --quiet").out
    assert alone == "optimal: 2 rounds, the lower bound by search, without a certificate\n"
    met = cli("solve telephone gossip cycle:4 --backend cpsat --quiet").out
    assert met == "optimal: 2 rounds, proven on both sides\n"
    result = json_of(cli("solve telephone gossip cycle:4 --backend cpsat --json"))
    assert (result["value_by"], result["lower_bound_by"]) == ("construction", "certificate")


def test_a_file_that_names_a_certificate_must_have_it(cli: Cli) -> None:
    """A word that is no origin is refused; a certificate that is not there leaves the bound unsure."""
    asked = "solve telephone gossip cycle:4 --backend cpsat --formulation-only --json -o said.json"
    data = json_of(cli(asked))
    assert cli("check said.json").status == 0
    Path("said.json").write_text(json.dumps(data | {"value_by": "certificate"}), encoding="utf-8")
    seen = cli("check said.json")
    assert seen.status == 1
    assert "\"value_by\" is 'certificate', which is no origin" in seen.out
    Path("said.json").write_text(json.dumps(data | {"lower_bound_by": "certificate"}), encoding="utf-8")
    assert cli("check --strict said.json").status == 1


def test_what_a_formulation_alone_cannot_do(cli: Cli) -> None:
    """Other backends, worst nodes and certificates are refused in one line."""
    for more, said in (
        ("", "cpsat, pulp"),
        (" --backend sat", "cpsat, pulp"),
        (" --backend pulp --source max", "given node"),
        (" --backend cpsat --certify", "no certificate"),
    ):
        assert said in refused(cli(f"solve telephone broadcast path:3 --formulation-only{more}"))


def test_cbc_refutes_without_evidence(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A one-way gossip on a ladder: only the search says that 4 rounds are too few."""
    without_knowledge_sizes(monkeypatch)
    run = cli("solve telegraph gossip grid:2x3 --backend pulp --no-certify --output result.json")
    said = "optimal: 5 rounds, the lower bound by search, without a certificate"
    assert (run.status, run.out.splitlines()[1]) == (0, said)
    assert "lower bound 5: refuted by search" in run.out
    assert "(integer program, CBC, pulp)" in run.out
    assert cli("check result.json").status == 0
    assert cli("check --strict result.json").status == 1


def test_highs_by_name(cli: Cli) -> None:
    result = json_of(cli("solve telegraph gossip grid:2x3 --backend pulp:highs --json"))
    assert (result["status"], result["value"]) == ("optimal", 5)


def test_a_solver_that_is_missing_gets_one_line(cli: Cli) -> None:
    assert "does not find gurobi" in refused(cli("solve telephone gossip path:3 --backend pulp:gurobi"))
    assert "knows no solver 'nix'" in refused(cli("solve telephone gossip path:3 --backend pulp:nix"))
    assert "pulp:SOLVER" in refused(cli("solve telephone gossip path:3 --backend nix"))


def test_a_limit_stops_cbc(cli: Cli) -> None:
    """The bounds and the schedule are kept, and nothing is left running."""
    run = cli("solve telegraph gossip complete:7 --backend pulp --time-limit 1 --quiet")
    assert run.status in (0, 3)
    assert "optimal" in run.out or "at least" in run.out


def test_without_a_file_sizes_and_families_are_shown(cli: Cli) -> None:
    run = cli("formulate telephone gossip cycle:4")
    assert run.status == 0
    assert "integer program: 122 variables, 122 of them integer" in run.out
    assert "one_call_a_node (8): In every round a node takes part in at most one call" in run.out
    data = json_of(cli("formulate routing deliver fat-tree:4 --pattern all-to-one --rounds 3 --json"))
    assert [family["name"] for family in data["families"]] == ["every_message_once", "one_message_a_wire"]


def test_bad_wishes_get_one_line(cli: Cli) -> None:
    for line, said in (
        ("formulate telephone gossip path:3 -o x.xls", "ends in"),
        ("formulate telephone gossip path:3 --packets 2", "--packets means nothing"),
        ("formulate telephone broadcast path:3 --source max", "best one"),
        ("formulate telephone gossip path:3 --at-most x", "--at-most takes a number"),
        ("formulate linear-cost broadcast complete:4 -o x.cnf", "--packets P"),
        ("formulate linear-cost broadcast complete:4 -o x.opb", "how finely"),
        ("formulate telephone gossip path:3 --period min", "given period"),
        ("formulate linear-cost broadcast path:10000000", "100000 nodes"),
        ("formulate telephone broadcast random-tree:200000 --rounds 30", "100000 nodes"),
        ("formulate telephone gossip hypercube:4 --rounds 999999999", "more than 5000000 variables"),
        ("formulate line gossip path:2000 --rounds 2", "more than 5000000 variables"),
        ("solution nothing.sol --of x.lp", "cannot be read"),
        ("solution nothing.sol --of x.txt", "ends in"),
    ):
        assert said in refused(cli(line))
    assert not list(Path().iterdir())


def test_a_time_is_given_as_rounds_or_as_at_most(cli: Cli) -> None:
    """A fat-tree's problems ask for no number of rounds, so that the option is the time."""
    for option in ("--rounds", "--at-most"):
        assert cli(f"formulate fat-tree broadcast fat-tree:4 {option} 5 -o asked.lp").status == 0
        assert "for a schedule of at most time 5" in Path("asked.lp").read_text()


def test_large_programs_are_refused_while_they_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the estimate before was too low."""
    program = IntegerProgram()
    monkeypatch.setattr("schedsolve.modelkit.formulas.integer_program.MOST_VARIABLES", 2)
    monkeypatch.setattr("schedsolve.modelkit.formulas.integer_program.MOST_TERMS", 3)
    x, y = program.variable("x"), program.variable("y")
    with pytest.raises(InputError, match="more than 2 variables"):
        program.variable("z")
    with pytest.raises(InputError, match="more than 3 terms"):
        program.require([lambda _: (compare([x, y], "<=", (), 1) for _ in range(2))], None)
