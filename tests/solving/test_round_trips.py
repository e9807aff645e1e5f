"""Every problem goes out as a file, is solved by another program, and comes back as a schedule that the
referee accepts; with one less, every one of them finds that there is none.
"""

from __future__ import annotations

import json
import re
import subprocess
import warnings
from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from typing import Any

import networkx
import pytest

from schedsolve.backends.shared_highs import give_own_highs
from schedsolve.certify.check import check_file
from schedsolve.certify.text.output_files import write_json
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.models import build_problem, replay
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.formulation_files import formulation, read_formulation
from schedsolve.solving.solution_files import read_solution, result_of
from tests.command_line import Cli

Jobs = list[tuple[Path, Path]]
"""Formulations, each with where its solution is to go."""


def cbc(jobs: Jobs) -> None:
    """CBC by its own command line."""
    import ortools.sat.python.cp_model  # noqa: F401
    import pulp

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        program = pulp.PULP_CBC_CMD().path
    for file, solution in jobs:
        subprocess.run([program, file, "solve", "solu", solution], check=True, capture_output=True)


def highs(jobs: Jobs) -> None:
    """HiGHS by its package."""
    give_own_highs("highspy")
    highspy: Any = import_module("highspy")
    for file, solution in jobs:
        solver = highspy.Highs()
        solver.setOptionValue("output_flag", False)
        solver.readModel(str(file))
        solver.run()
        solver.writeSolution(str(solution), 0)


def sat(jobs: Jobs) -> None:
    """A SAT solver on the DIMACS text, as it would print its answer."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    for file, solution in jobs:
        with Solver(name="minisat22", bootstrap_with=CNF(from_file=str(file)).clauses) as solver:
            lines = ["s UNSATISFIABLE"]
            if solver.solve():
                lines = ["s SATISFIABLE", f"v {' '.join(map(str, solver.get_model()))} 0"]
        solution.write_text("\n".join(lines))


def cpsat(jobs: Jobs) -> None:
    """CP-SAT from the text of its proto."""
    from ortools.sat.python import cp_model

    for file, solution in jobs:
        model = cp_model.CpModel()
        model.proto.parse_text_format(file.read_text())
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.solve(model)
        solution.write_text(f"{solver.response_proto}")


def pseudo_boolean(jobs: Jobs) -> None:
    """A reading of OPB of the test's own, solved by CP-SAT, printed as pseudo-Boolean solvers do."""
    for file, solution in jobs:
        solution.write_text(_pseudo_boolean_answer(file.read_text()))


def _pseudo_boolean_answer(text: str) -> str:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables: dict[str, Any] = {}

    def total(terms: list[str]) -> Any:
        pairs = zip(terms[::2], terms[1::2], strict=True)
        return sum(int(a) * variables.setdefault(x, model.new_bool_var(x)) for a, x in pairs)

    for line in text.splitlines():
        *terms, end = line.split()
        if line.startswith("*"):
            continue
        assert end == ";"
        if terms[0] == "min:":
            model.minimize(total(terms[1:]))
            continue
        *terms, sense, right = terms
        left = total(terms)
        model.add(left == int(right) if sense == "=" else left >= int(right))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    if solver.solve(model) == cp_model.INFEASIBLE:
        return "s UNSATISFIABLE\n"
    literals = [x if solver.value(v) else f"-{x}" for x, v in variables.items()]
    return f"o {solver.objective_value:.0f}\ns OPTIMUM FOUND\nv {' '.join(literals)}\n"


SOLVERS: Mapping[str, tuple[str, Callable[[Jobs], None]]] = {
    "cbc": (".lp", cbc),
    "cbc from MPS": (".mps", cbc),
    "highs": (".mps", highs),
    "highs from LP": (".lp", highs),
    "sat": (".cnf", sat),
    "cpsat": (".pbtxt", cpsat),
    "pseudo-Boolean": (".opb", pseudo_boolean),
}
Entry = tuple[str, str, str, dict[str, Any], int]
"""Model, task, network, options, and the optimum."""
PROBLEMS: tuple[Entry, ...] = (
    ("telephone", "gossip", "cycle:4", {}, 2),
    ("telephone", "broadcast", "grid:2x3", {"source": "min"}, 3),
    ("telephone", "multicast", "cycle:5", {"source": 0, "targets": [2, 3]}, 3),
    ("telephone", "accumulation", "star:4", {"root": 1}, 3),
    ("telegraph", "gossip", "path:3", {}, 4),
    ("telegraph", "broadcast", "complete:5", {"source": 0}, 3),
    ("telegraph", "multicast", "path:5", {"source": [0, 4], "targets": [1, 2]}, 2),
    ("telegraph", "accumulation", "path:5", {"root": 1}, 3),
    ("telephone", "gossip", "cycle:4", {"period": 2}, 2),
    ("telephone", "gossip", "path:3", {"period": 2, "edge_colouring": True}, 3),
    ("telegraph", "gossip", "path:3", {"period": 4}, 4),
    ("telephone", "broadcast", "path:5", {"source": "min", "period": 2}, 3),
    ("telephone", "multicast", "star:5", {"source": 1, "targets": [2, 3], "period": 3}, 3),
    ("telegraph", "accumulation", "star:4", {"root": 1, "period": 3}, 3),
    ("line", "gossip", "star:4", {}, 2),
    ("line", "gossip", "cycle:4", {"ports": 1}, 2),
    ("line", "broadcast", "complete:4", {"source": 0, "ports": 1}, 2),
    ("line", "multicast", "path:5", {"source": 2, "targets": [0, 1, 4]}, 2),
    ("line", "accumulation", "path:5", {"root": 1}, 2),
    ("routing", "deliver", "fat-tree:4", {"pattern": "all-to-one"}, 3),
    ("fat-tree", "broadcast", "fat-tree:4", {"source": 2}, 5),
    ("fat-tree", "product", "fat-tree:2", {"root": 1}, 2),
    ("fat-tree", "prefix", "fat-tree:2", {"timing": "rounds"}, 2),
    ("synchronous", "allgather", "cycle:4", {"steps": 2, "chunks": 1}, 2),
    ("synchronous", "broadcast", "leaf-spine:2,1,1", {"steps": 1, "chunks": 1}, 1),
    ("synchronous", "alltoall", "path:3", {"steps": 2, "chunks": 1}, 2),
    ("synchronous", "reduce", "path:3", {"root": 2, "steps": 2, "chunks": 1}, 2),
    ("synchronous", "reduce", "cycle:3", {"root": 0, "steps": 2, "chunks": 1, "ordered": True}, 2),
    ("synchronous", "reduce-scatter", "cycle:3", {"steps": 1, "chunks": 1}, 1),
    ("synchronous", "allreduce", "path:3", {"steps": 2, "chunks": 1}, 2),
    ("synchronous", "allreduce", "leaf-spine:2,1,1", {"steps": 2, "chunks": 1, "ordered": True}, 2),
)
FLOWS = build_problem("linear-cost", "broadcast", Network.from_spec("complete:4"), {"extra_rounds": 1})


def posed(entry: Entry) -> Problem:
    model, task, network, options, _ = entry
    return build_problem(model, task, Network.from_spec(network), options)


def name(entry: Entry) -> str:
    options = "".join(f" {key}={value}" for key, value in entry[3].items())
    return f"{' '.join(entry[:3])}{options}"


def written(entry: Entry, folder: Path, ending: str) -> Jobs:
    """The files that ask for the optimum and for one less."""
    jobs = []
    for most in (entry[-1], entry[-1] - 1):
        file = folder / f"{PROBLEMS.index(entry)} {most}{ending}"
        file.write_text(formulation(posed(entry), most).text(ending))
        jobs.append((file, file.with_suffix(".sol")))
    return jobs


def examine(entry: Entry, jobs: Jobs) -> None:
    """The optimum came back, and one less is infeasible."""
    (file, answer), (less, none) = jobs
    placed, schedule = read_solution(str(answer), str(file))
    seen = replay(placed, schedule)
    assert seen.violation is None
    assert seen.value <= entry[-1]
    with pytest.raises(InputError, match=r"(?i)infeasible|unsatisfiable"):
        read_solution(str(none), str(less))


@pytest.mark.parametrize("entry", PROBLEMS, ids=name)
def test_there_and_back(entry: Entry, tmp_path: Path) -> None:
    """The optimum comes back from every solver, and one less is infeasible for every one."""
    for solver, (ending, run) in SOLVERS.items():
        if run is highs or (" from " in solver and entry != PROBLEMS[0]):
            continue
        folder = tmp_path / solver
        folder.mkdir()
        jobs = written(entry, folder, ending)
        run(jobs)
        examine(entry, jobs)


@pytest.mark.parametrize("ending", [".lp", ".mps"])
def test_there_and_back_with_highs(ending: str, tmp_path: Path) -> None:
    """So it is with HiGHS, which is started once for all problems."""
    asked = [(entry, written(entry, tmp_path, ending)) for entry in PROBLEMS]
    highs([job for _, jobs in asked for job in jobs])
    for entry, jobs in asked:
        examine(entry, jobs)


@pytest.mark.parametrize("entry", PROBLEMS[::6], ids=name)
def test_the_least_is_found(entry: Entry, tmp_path: Path) -> None:
    """Without a number the program minimises; the result is checked like any other."""
    problem, optimum = posed(entry), entry[-1]
    file, answer, result = tmp_path / "asked.mps", tmp_path / "answer.sol", tmp_path / "result.json"
    file.write_text(formulation(problem, optimum + 1, minimise=True).text(".mps"))
    cbc([(file, answer)])
    found = result_of(str(answer), str(file))
    assert found.value == optimum
    write_json(result_to_json(found), str(result))
    assert not check_file(str(result)).failed


def test_packets_go_there_and_back(tmp_path: Path) -> None:
    """A message cut into two packets costs 3/2 in one round more than the least; nothing is below that."""
    for solver in ("cbc", "highs", "cpsat", "pseudo-Boolean", "sat"):
        ending, run = SOLVERS[solver]
        most = (Fraction(3, 2), Fraction(1))
        jobs = [
            (tmp_path / f"{value.numerator}{ending}", tmp_path / f"{value.numerator}.sol") for value in most
        ]
        for (file, _), value in zip(jobs, most, strict=True):
            file.write_text(formulation(FLOWS, value, packets=2).text(ending))
        run(jobs)
        (file, answer), (less, none) = jobs
        assert result_of(str(answer), str(file)).value == Fraction(3, 2)
        with pytest.raises(InputError, match=r"(?i)infeasible|unsatisfiable"):
            read_solution(str(none), str(less))


def test_flows_bound_the_cost_and_are_no_schedule(tmp_path: Path) -> None:
    """The program of flows: its optimum is at most that of any number of packets."""
    file, answer = tmp_path / "flows.lp", tmp_path / "flows.sol"
    file.write_text(formulation(FLOWS).text(".lp"))
    cbc([(file, answer)])
    value = float(re.search(r"objective value +([0-9.]+)", answer.read_text())[1])  # type: ignore[index]
    assert 1 <= value <= 1.5 + 1e-6
    with pytest.raises(InputError, match="no schedule"):
        read_solution(str(answer), str(file))
    for ending in (".opb", ".pbtxt", ".cnf"):
        with pytest.raises(InputError, match="packets"):
            formulation(FLOWS).text(ending)


def test_pulp_reads_the_mps_file(tmp_path: Path) -> None:
    """PuLP reads what is written, with all variables and rows."""
    asked = formulation(posed(PROBLEMS[0]))
    file = tmp_path / "asked.mps"
    file.write_text(asked.text(".mps"))
    import pulp

    _, read = pulp.LpProblem.fromMPS(str(file))
    program = asked.integer.program
    assert (read.numVariables(), read.numConstraints()) == (len(program.variables), program.row_count)


def test_a_file_says_what_it_asks(tmp_path: Path) -> None:
    """The head of every form gives back the same question; names with spaces and quotes survive."""
    network = Network.from_networkx(networkx.path_graph(["a b", 'c "d"', "\\ e"]))
    problem = build_problem("telegraph", "broadcast", network, {"source": "a b"})
    asked = formulation(problem, 2)
    for ending in (".lp", ".mps", ".cnf", ".opb", ".pbtxt"):
        file = tmp_path / f"asked{ending}"
        file.write_text(asked.text(ending))
        assert read_formulation(str(file)).request == asked.request
        assert "0 = a b" in file.read_text()


def test_damaged_files_are_refused_in_one_line(tmp_path: Path) -> None:
    file, answer = tmp_path / "asked.lp", tmp_path / "answer.sol"
    file.write_text(formulation(posed(PROBLEMS[0])).text(".lp"))
    for text in ("", "call_0_1_t1 maybe\n", "nonsense\n", "Infeasible - objective value 0\n"):
        answer.write_text(text)
        with pytest.raises(InputError):
            read_solution(str(answer), str(file))
    answer.write_text("call_0_1_t1 1\n")
    with pytest.raises(InputError, match="the schedule in it is none"):
        result_of(str(answer), str(file))
    file.write_text(file.read_text().replace("data| {", "data| ["))
    with pytest.raises(InputError, match="damaged"):
        read_solution(str(answer), str(file))
    with pytest.raises(InputError, match="ends in"):
        formulation(posed(PROBLEMS[0])).text(".xlsx")


def test_a_result_has_its_bounds(tmp_path: Path) -> None:
    """A solution in Gurobi's form, which lists every variable, is read as well."""
    asked = formulation(posed(PROBLEMS[0]), 2)
    calls = {"call_0_1_t1", "call_2_3_t1", "call_0_3_t2", "call_1_2_t2"}
    lines = ["# Objective value = 0", *(f"{x.name} {int(x.name in calls)}" for x in
             asked.integer.program.variables)]  # fmt: skip
    file, answer = tmp_path / "asked.lp", tmp_path / "gurobi.sol"
    file.write_text(asked.text(".lp"))
    answer.write_text("\n".join(lines))
    data = json.loads(json.dumps(result_to_json(result_of(str(answer), str(file)))))
    assert (data["status"], data["value"], data["lower_bound"]) == ("optimal", 2, 2)


def test_rows_of_the_user_are_named(cli: Cli) -> None:
    """A row that forces another round: asked for the least of up to four, another solver finds it."""
    assert cli("formulate telephone gossip cycle:4 --at-most 4 --minimise -o r.lp -q").status == 0
    text = Path("r.lp").read_text(encoding="utf-8")
    assert " obj: used_t1 + used_t2 + used_t3 + used_t4" in text
    row = "mine: call_0_1_t1 + call_0_3_t1 + call_1_2_t1 + call_2_3_t1 = 0"
    Path("r.lp").write_text(text.replace("Subject To\n", f"Subject To\n {row}\n"), encoding="utf-8")
    cbc([(Path("r.lp"), Path("SOLUTION"))])
    found = cli("solution SOLUTION --of r.lp")
    assert found.status == 0
    assert "at most 3 rounds" in found.out
    assert "search (none was made)" in found.out
    assert f"r.lp: 1 line is not schedsolve's, the first '{row[:60]}'" in found.err
    Path("r.lp").write_text(text, encoding="utf-8")
    assert "not schedsolve's" not in cli("solution SOLUTION --of r.lp").err
