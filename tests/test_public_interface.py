"""What `schedsolve` and `schedsolve.drawing` give: names, docstrings, types; loaded when they are used."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

import schedsolve
from schedsolve import drawing as draw
from schedsolve.models import verb_summaries
from schedsolve.runtime.errors import InputError

VERBS = [name for name in (*schedsolve.__all__, *verb_summaries()) if name.islower()]


def test_importing_loads_no_slow_package_and_no_room_above_solving() -> None:
    """Neither solvers nor networkx, matplotlib, numpy; nor what is loaded when it is used."""
    code = "import sys, schedsolve, json; print(json.dumps(sorted(sys.modules)))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(json.loads(found.stdout))
    assert not {"ortools", "pysat", "highspy", "networkx", "matplotlib", "numpy", "pandas"} & loaded
    assert not {name for name in loaded if name.startswith(("schedsolve.certify.text", "schedsolve.sweep"))}


@pytest.mark.parametrize(
    "line", ["solve telephone gossip cycle:6 -q", "solve telephone gossip cycle:6 -q -o {}", "check {}"]
)
def test_plain_commands_load_no_slow_package(line: str, tmp_path: Path) -> None:
    """A small solve and the check of its file do without numpy, networkx, CP-SAT and matplotlib."""
    file = tmp_path / "result.json"
    schedsolve.save_result(
        schedsolve.solve(schedsolve.build_problem("telephone", "gossip", "cycle:6"), certify=True), file
    )
    loaded = _loaded_by(line.format(file).split())
    slow = {"ortools", "highspy", "pulp", "networkx", "matplotlib", "numpy", "pandas", "multiprocessing"}
    assert not slow & loaded
    assert not {f"schedsolve.{name}" for name in UNUSED} & loaded
    assert {name.split(".")[2] for name in loaded if name.startswith("schedsolve.models.")} == {"matching"}
    if "-o" not in line:
        assert not {"concurrent.futures", "logging", "ssl", "subprocess"} & loaded


UNUSED = {
    "backends.cpsat", "backends.pulp", "executors.jobs", "machines.msccl", "machines.mscclpp",
    "modelkit.analysis", "modelkit.trace", "models.matching.analysis", "models.matching.claims.bundles",
    "network.design_classes", "network.formats", "network.sets", "report.analysis", "solving.worker",
}  # fmt: skip
"""Modules that neither a solve which bounds and constructions settle nor a check loads."""


@pytest.mark.parametrize("line", ["list networks", "networks", "--help", "--version"])
def test_lists_and_help_load_no_model(line: str) -> None:
    """The lists that say nothing of models, and the help of all commands, load none."""
    loaded = _loaded_by(line.split())
    assert not {name for name in loaded if name.startswith("schedsolve.models.")}
    assert (
        not {"numpy", "networkx", "schedsolve.solving.solve", "schedsolve.experiments.sweeps.results"}
        & loaded
    )


@pytest.mark.parametrize("line", ["list models", "list algorithms", "solve --help", "completion bash"])
def test_lists_of_models_load_no_solver_and_no_laboratory(line: str) -> None:
    """What lists models and their options loads neither solvers nor tables of results."""
    loaded = _loaded_by(line.split())
    assert not {"numpy", "networkx", "ortools", "pysat", "highspy", "pulp", "ssl"} & loaded
    assert "schedsolve.experiments.sweeps.results" not in loaded
    parts = {part for name in loaded if name.startswith("schedsolve.models.") for part in name.split(".")}
    if line in ("list models", "solve --help"):
        assert not {"constructions", "bundles", "analysis", "formulation"} & parts
    if not line.startswith("completion"):
        assert not {name for name in loaded if name.endswith(".command")}


def _loaded_by(arguments: list[str]) -> set[str]:
    code = (
        "import sys, json, schedsolve.commands.cli;"
        "sys.argv[1:] = json.loads(sys.argv[1]);"
        "import atexit; atexit.register(lambda: print('\\n' + json.dumps(sorted(sys.modules))));"
        "sys.exit(schedsolve.commands.cli.main())"
    )
    given = [sys.executable, "-c", code, json.dumps(arguments)]
    found = subprocess.run(given, capture_output=True, text=True, check=True)
    return set(json.loads(found.stdout.splitlines()[-1]))


@pytest.mark.parametrize("name", VERBS)
def test_a_verb_is_a_function_with_a_docstring_and_types(name: str) -> None:
    function = getattr(schedsolve, name)
    assert len(inspect.getdoc(function) or "") > 60
    assert name in dir(schedsolve)
    annotations = inspect.get_annotations(function)
    assert annotations.keys() >= {*inspect.signature(function).parameters, "return"}


@pytest.mark.parametrize("name", draw.__all__)
def test_a_picture_is_a_function_with_a_docstring_and_types(name: str) -> None:
    function = getattr(draw, name)
    assert inspect.get_annotations(function)["return"] == "Figure"
    assert "Raises" in (inspect.getdoc(function) or "") or name == "times_figure"


def test_an_unknown_name_is_refused() -> None:
    for package in (schedsolve, draw):
        with pytest.raises(AttributeError, match="has no attribute 'sovle'"):
            _ = package.sovle


def test_verbs_of_models() -> None:
    """Several of one name differ by the subject; what they find is what the command line prints."""
    (row,) = schedsolve.explore("f", ports=2, dimension=5, extra_rounds=[8])
    assert (row.verdict, row.upper, row.conjectured) == ("refuted", Fraction(19, 25), Fraction(13, 17))
    assert schedsolve.explore("periods", arity=2, periods=[4], two_way=True)[4].settled
    with pytest.raises(InputError, match=r"explore takes periods or ratio or f or growth, not 'g'"):
        schedsolve.explore("g")
    runs = schedsolve.simulate("routing", 8, runs=20, seed=1)
    assert sum(runs.counts.values()) == 20
    assert f"mean {runs.mean:.4f}" in str(runs)
    with pytest.raises(InputError, match="simulate is for routing"):
        schedsolve.simulate("matching", 8)
    with pytest.raises(InputError, match=r"^system: takes routers, model-1, model-2; not 'bins'"):
        schedsolve.simulate("routing", 8, system="bins")
    data = schedsolve.steps("allgather", "cycle:4", chunks=2)
    assert schedsolve.check(data).complete
    with pytest.raises(InputError, match="chunks from 1 on"):
        schedsolve.steps("allgather", "cycle:4", chunks=0)


def test_a_result_saved_loaded_checked_analysed(tmp_path: Path) -> None:
    """The least period and the best source: what was open is in the schedule's problem."""
    problem = schedsolve.build_problem("telephone", "broadcast", "cycle:6", source="min", period="min")
    result = schedsolve.solve(problem, certify=True)
    assert (result.placed.period, result.placed.sources) == (result.schedule.period, (result.node,))
    schedsolve.save_result(result, tmp_path / "result.json.gz")
    again = schedsolve.load_result(tmp_path / "result.json.gz")
    assert (again.value, again.schedule, again.node) == (result.value, result.schedule, result.node)
    for claimed in (result, tmp_path / "result.json.gz"):
        report = schedsolve.check(claimed)
        assert report.complete
        assert str(report) == report.text
    assert str(schedsolve.analyse(result)) == str(schedsolve.analyse(result.placed, result.schedule))
    assert str(result.bounds[0]).startswith("lower bound ")
    (tmp_path / "other.json").write_text('{"format": "schedsolve-schedule/1"}')
    with pytest.raises(InputError, match="no schedsolve result"):
        schedsolve.load_result(tmp_path / "other.json")
    with pytest.raises(InputError, match=r"topology is for programs"):
        schedsolve.check(result, topology="dgx1")


def test_an_analysis_has_tables_by_name() -> None:
    result = schedsolve.solve(schedsolve.build_problem("telegraph", "gossip", "path:5", period=4))
    analysis = schedsolve.analyse(result)
    assert analysis.table("crossings").header[3] == "weight"
    with pytest.raises(InputError, match="it has strip, directions, collisions, crossings"):
        analysis.table("patterns")


def test_a_comparison_prints_as_a_table() -> None:
    rows = schedsolve.compare([schedsolve.build_problem("telephone", "broadcast", "path:4")])
    assert str(rows).splitlines()[1].startswith("path:4")
    assert "<td>path:4</td>" in rows._repr_html_()


def test_programs_and_times(tmp_path: Path) -> None:
    """Of a schedule that moves data; one that does not is refused."""
    problem = schedsolve.build_problem("synchronous", "allgather", "dgx1", steps=3, chunks=6)
    result = schedsolve.solve(problem)
    schedsolve.write_program(result, tmp_path / "allgather.py")
    schedsolve.write_program(result, tmp_path / "allgather.json", target="mscclpp")
    assert schedsolve.check(tmp_path / "allgather.json", topology="dgx1").complete
    assert "def allgather" in (tmp_path / "allgather.py").read_text()
    found = schedsolve.times(result, alpha="5e-6", beta="4e-11", size=10**6)
    assert min(found.seconds, key=lambda name: found.seconds[name]) == "this schedule"
    assert "rings on the links: " in str(found)
    assert len(draw.times_figure(found).axes) == 2
    with pytest.raises(InputError, match=r"ends in \.py or \.et"):
        schedsolve.write_program(result, "allgather.c")


def test_a_frontier_as_a_figure() -> None:
    network = schedsolve.Network.from_spec("cycle:4")
    rows = schedsolve.frontier("synchronous", "allgather", network, "steps", range(2, 4), {"chunks": 1})
    assert len(draw.frontier_figure(rows).axes) == 1
    assert len(draw.frontier_figure(rows, alpha="1e-6", beta="1e-9", sizes=[1000]).axes) == 2
    with pytest.raises(InputError, match="together or none"):
        draw.frontier_figure(rows, alpha=1)


def test_a_schedule_as_a_figure() -> None:
    """One of the user's own, and an illegal one up to the call that breaks a rule."""
    problem = schedsolve.build_problem("telephone", "gossip", "path:3")
    legal = schedsolve.Schedule.two_way([[(0, 1)], [(1, 2)]])
    assert draw.schedule_figure(problem, legal).get_suptitle().startswith("telephone gossip")
    illegal = schedsolve.Schedule.two_way([[(0, 1), (1, 2)]])
    assert "breaks a rule" in draw.schedule_figure(problem, illegal).get_suptitle()
