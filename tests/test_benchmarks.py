"""The integer program of the benchmarks against brute force and schedsolve on tiny networks, and the bench
on a tiny problem.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

import networkx as nx
import pytest

from benchmarks import bench, collectives, constructions, growth, ratios
from benchmarks.plain_cpsat import least_rounds as least_rounds_by_cpsat
from benchmarks.textbook_ilp import solve_ilp, variable_count
from schedsolve.modelkit.problem import Problem
from schedsolve.models import build_problem, get_model
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.formulation_files import formulation
from schedsolve.solving.solve import solve
from tests.reference.brute_force import arcs_of, least_rounds

pytestmark = pytest.mark.filterwarnings("ignore:PULP_CBC_CMD is deprecated:DeprecationWarning")

MODES = ("telegraph", "telephone")
PROBLEMS = [
    build_problem(model, task, Network.from_spec(network), parameters)
    for model in MODES
    for task, network, parameters in (
        ("gossip", "path:1", {}),
        ("gossip", "path:4", {}),
        ("gossip", "complete:3", {}),
        ("gossip", "complete:4", {}),
        ("gossip", "cycle:4", {}),
        ("gossip", "star:4", {}),
        ("broadcast", "star:5", {"source": 1}),
        ("broadcast", "complete:5", {"source": 0}),
        ("broadcast", "path:5", {"source": [1, 4]}),
        ("multicast", "cycle:5", {"source": 0, "targets": [2, 3]}),
        ("multicast", "grid:2x3", {"source": 0, "targets": [0]}),
        ("multicast", "grid:2x3", {"source": 0, "targets": [4, 5]}),
        ("accumulation", "path:5", {"root": 1}),
        ("accumulation", "complete:4", {"root": 0}),
    )
] + [
    build_problem("telegraph", task, Network.from_networkx(nx.DiGraph(arcs), name), parameters)
    for name, arcs in {
        "triangle": [(0, 1), (1, 2), (2, 0)],
        "chord": [(0, 1), (1, 2), (2, 3), (3, 0), (0, 2)],
    }.items()
    for task, parameters in (("gossip", {}), ("broadcast", {"source": 1}), ("accumulation", {"root": 2}))
]


def brute_force(problem: Problem) -> int:
    network, demand = problem.network, problem.demand()
    arcs = arcs_of(network.to_networkx())
    (value,) = least_rounds(
        network.node_count, arcs, problem.model == "telephone", demand.start, [demand.goal]
    )
    assert value is not None
    return value


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: f"{p.model} {p.task} {p.network.name}")
def test_optimum_is_that_of_brute_force(problem: Problem) -> None:
    """The program, with a round to spare, schedsolve and brute force agree; the referee accepts the
    schedule.
    """
    optimum = brute_force(problem)
    found = solve_ilp(problem, optimum + 1, time_limit=60)
    assert (found.status, found.value) == ("optimal", optimum)
    assert found.schedule is not None
    assert get_model(problem.model).replay(problem, found.schedule).violation is None
    assert solve(problem).value == optimum


@pytest.mark.parametrize("problem", PROBLEMS, ids=lambda p: f"{p.model} {p.task} {p.network.name}")
def test_one_round_less_is_infeasible(problem: Problem) -> None:
    optimum = brute_force(problem)
    if optimum:
        assert solve_ilp(problem, optimum - 1, time_limit=60).status == "infeasible"


@pytest.mark.parametrize(
    ("model", "network", "optimum"),
    [("telephone", "path:5", 5), ("telephone", "cycle:6", 3), ("telegraph", "path:5", 6)],
)
def test_gossip_of_known_value(model: str, network: str, optimum: int) -> None:
    problem = build_problem(model, "gossip", Network.from_spec(network))
    assert solve_ilp(problem, optimum, time_limit=60).value == solve(problem).value == optimum


def test_variables_are_counted() -> None:
    """Two-way gossip on a path of 3 nodes within 3 rounds: 3 used, 2 * 3 calls, 9 * 4 items known, 4 arcs * 3
    items * 3 rounds moved.
    """
    gossip = build_problem("telephone", "gossip", Network.from_spec("path:3"))
    assert variable_count(gossip, 3) == 3 + 6 + 36 + 36
    assert len(formulation(gossip, 3, minimise=True).integer.program.variables) == variable_count(gossip, 3)
    broadcast = build_problem("telephone", "broadcast", Network.from_spec("path:3"), {"source": 0})
    assert variable_count(broadcast, 2) == 2 + 4 * 2 + 3 * 3
    assert solve_ilp(gossip, 3, time_limit=60, most_variables=80).status == "not tried"


def test_a_stopped_program_claims_nothing() -> None:
    problem = build_problem("telegraph", "gossip", Network.from_spec("complete:7"))
    found = solve_ilp(problem, 6, time_limit=0.2)
    assert found.status == "limit"
    assert (found.value is None) == (found.schedule is None)


def test_open_problems_are_refused() -> None:
    network = Network.from_spec("path:3")
    for problem in (
        build_problem("telephone", "broadcast", network, {"source": "min"}),
        build_problem("telephone", "gossip", network, {"rounds": 3}),
    ):
        with pytest.raises(InputError, match="minimises the rounds"):
            solve_ilp(problem, 3, time_limit=1)


def test_bench_writes_a_table_and_a_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Every peer finds and proves the optimum of a tiny problem."""
    file = tmp_path / "out" / "bench.json"
    assert bench.main(["--only", "telephone gossip path:5", "--limit", "20", "--output", str(file)]) == 0
    report = json.loads(file.read_text())
    (row,) = report["rows"]
    assert report["format"] == "schedsolve-bench/2"
    assert (row["value"], row["lower_bound"], row["horizon"]) == (5, 5, 5)
    assert min(row["cpu_seconds"], row["wall_seconds"], row["peak_mb"]) > 0
    assert set(row["peers"]) - {"z3"} == {"--backend cpsat", "plain CP-SAT", "CBC", "HiGHS"}
    for peer in row["peers"].values():
        assert (peer["status"], peer["value"]) == ("optimal", 5)
        assert peer["ratio"] > 0
    assert "telephone gossip path:5" in capsys.readouterr().out


@pytest.mark.parametrize("problem", PROBLEMS[:8], ids=lambda p: f"{p.model} {p.task} {p.network.name}")
def test_plain_model_has_the_optimum_of_brute_force(problem: Problem) -> None:
    if problem.task == "gossip" or problem.parameters["source"] == 0:
        assert least_rounds_by_cpsat(problem, 60) == (brute_force(problem), True)


@pytest.mark.parametrize("problem", PROBLEMS[:8], ids=lambda p: f"{p.model} {p.task} {p.network.name}")
def test_the_plain_model_for_z3_has_the_optimum_of_brute_force(problem: Problem) -> None:
    plain_z3 = pytest.importorskip("benchmarks.plain_z3", exc_type=ImportError)
    if problem.task == "gossip" or (problem.task == "broadcast" and problem.parameters["source"] == 0):
        assert plain_z3.least_rounds(problem, 60) == (brute_force(problem), True)


@pytest.mark.parametrize("task", ["allgather", "alltoall", "broadcast", "scatter"])
@pytest.mark.parametrize("network", ["path:3", "cycle:4", "complete:4"])
def test_the_model_in_steps_for_z3_says_what_schedsolve_says(task: str, network: str) -> None:
    """For one and two chunks, and from too few rounds on."""
    plain_z3 = pytest.importorskip("benchmarks.plain_z3", exc_type=ImportError)
    for chunks, rounds in ((1, 2), (1, 3), (2, 3), (2, 4)):
        asked = {"steps": 2, "chunks": chunks, "rounds": rounds}
        problem = build_problem("synchronous", task, Network.from_spec(network), asked)
        found = plain_z3.satisfiable(plain_z3.steps_model(problem), 60)
        assert found is (solve(problem).status == "feasible")


def test_ratios_are_in_one_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A peer that was stopped stands behind >, and is not among the medians."""
    row = bench.Row("telephone gossip path:5", "optimal", 5, 5, 0.3, 0.001, 0.3, 20.0, 5, {
        "CBC": bench.PeerRun("optimal", 5, 5, 0.5, 500), "HiGHS": bench.PeerRun("limit", 5, 4, 12.0, 12000),
    })  # fmt: skip
    answer = collectives.PeerAnswer("feasible", 3.0, True)
    of_steps = collectives.Row("solve synchronous", "feasible 1", 0.25, 1, {"z3": answer})
    reports = {"bench": {"rows": [asdict(row)]}, "collectives": [asdict(of_steps)]}
    for name, report in reports.items():
        (tmp_path / name).write_text(json.dumps(report))
    assert ratios.main([str(tmp_path / "bench"), str(tmp_path / "collectives")]) == 0
    _, _, gossip, steps, medians, counts = (
        dict(zip(("problem", "value", "s", *ratios.COLUMNS), line.split(" |"), strict=False))
        for line in capsys.readouterr().out.splitlines()
    )
    assert (gossip["CBC"], gossip["HiGHS"], steps["z3"]) == (" 50", " > 1200", " 12")
    assert (medians["CBC"], counts["HiGHS"], counts["z3"]) == (" 50", " 0 of 1", " 1 of 1")


def test_bench_refuses_what_it_cannot_run(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--only", "no such network"], ["--limit", "0"], ["--limit", "inf"]):
        with pytest.raises(SystemExit):
            bench.main(arguments)
    assert "no instance contains" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("peer", "contradicts"),
    [
        (bench.PeerRun("optimal", 5), False),
        (bench.PeerRun("limit", 6), False),
        (bench.PeerRun("limit", None, 5), False),
        (bench.PeerRun("optimal", 6), True),
        (bench.PeerRun("limit", 4), True),
        (bench.PeerRun("limit", None, 6), True),
        (bench.PeerRun("infeasible"), True),
    ],
)
def test_contradictions_are_noticed(peer: bench.PeerRun, contradicts: bool) -> None:
    row = bench.Row("telephone gossip path:5", "optimal", 5, 5, 0.1, 0.1, 0.1, 20.0, 6, {"CBC": peer})
    assert row.contradicted_by(peer) is row.failed is contradicts


def test_every_construction_has_its_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line and a row for every construction that fits, legal and above the bound."""
    report = tmp_path / "times.json"
    assert constructions.main(["--only", "fat-tree product", "--output", str(report)]) == 0
    rows = json.loads(report.read_text(encoding="utf-8"))["rows"]
    names = {row["algorithm"] for row in rows}
    assert {"algorithm-1", "tiles", "pipelined"} <= names
    assert all(int(row["value"]) >= int(row["bound"]) and row["cpu_seconds"] >= 0 for row in rows)
    out = capsys.readouterr().out
    assert all(name in out for name in names)


def test_growth_is_the_slope_above_the_start() -> None:
    """Four times as much time for twice as many nodes: 2; too few runs above the start: no exponent."""
    sizes = [1, 10, 20, 40, 80]
    runs = [growth.Run(n, 0.2 + n * n / 100, 30.0, 1000 * n, ended=True) for n in sizes]
    slope = growth.exponent(runs, [run.seconds for run in runs])
    assert slope == pytest.approx(2, abs=0.01)
    assert growth.exponent(runs, [run.megabytes for run in runs]) is None


def test_growth_of_a_command(tmp_path: Path) -> None:
    """What is solved is written; what the limit stops before anything is written has not ended."""
    run = growth.measure("telephone broadcast path:{n}", "check", 10, 20, tmp_path)
    assert run.ended
    assert (run.nodes, run.written) == (10, (tmp_path / "result.json").stat().st_size)
    assert not growth.measure("telephone broadcast no-such:{n}", "solve", 10, 20, tmp_path).ended
