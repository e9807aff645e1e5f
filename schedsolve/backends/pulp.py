"""The PuLP backend: integer programs for CBC, which comes with PuLP, or any other solver that it finds.

These solvers compute with floats and give no proofs: an infeasibility rests on the solver alone.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path
from typing import Any, Literal

from schedsolve.backends.shared_highs import give_own_highs
from schedsolve.modelkit.formulas.integer_program import IntegerProgram, whole_costs, whole_row
from schedsolve.modelkit.formulation import IntegerFormulation
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.schedule import Schedule
from schedsolve.runtime.errors import InputError

CBC = "PULP_CBC_CMD"
COMMON_NAMES = {"CBC": CBC, "SCIP": "SCIP_PY", "GLPK": "GLPK_CMD", "CPLEX": "CPLEX_PY"}
"""PuLP's names of solvers that have a more common name; other solvers go by PuLP's names."""


def _pulp() -> Any:
    """Return the package PuLP, imported beside OR-tools, with its solver HiGHS."""
    give_own_highs("highspy")  # which PuLP imports, if it is installed
    import pulp

    return pulp


def pulp_problem(program: IntegerProgram) -> Any:
    """Return the program as a `pulp.LpProblem` whose variables and rows have the program's names."""
    pulp = _pulp()
    problem = pulp.LpProblem("schedsolve", pulp.LpMinimize)
    variables = [
        problem.add_variable(
            x.name,
            0,
            None if x.upper is None else float(x.upper),
            pulp.LpInteger if x.integer else pulp.LpContinuous,
        )
        for x in program.variables
    ]
    costs, _ = whole_costs(program.costs)
    problem += pulp.LpAffineExpression([(variables[x], a) for x, a in costs.items()])
    for name, row in program.rows:
        whole = whole_row(row)
        left = pulp.LpAffineExpression([(variables[x], a) for x, a in whole.coefficients.items()])
        sense = {"<=": pulp.LpConstraintLE, ">=": pulp.LpConstraintGE, "=": pulp.LpConstraintEQ}[whole.sense]
        problem += pulp.LpConstraint(left, sense, name, whole.right)
    return problem


def refuse_solver(name: str | None) -> None:
    """Refuse a solver that PuLP does not know or does not find.

    PuLP is asked in a separate process, because its HiGHS and OR-tools exclude each other in one process.

    Parameters
    ----------
    name
        The solver's name; None for CBC, which comes with PuLP.

    Raises
    ------
    InputError
        If the solver is unknown or not found, or if PuLP cannot be started.
    """
    if name is None:
        return
    code = f"from {__name__} import _tell_solvers; _tell_solvers()"
    told = subprocess.run([sys.executable, "-c", code, name], capture_output=True, text=True, check=False)
    answer = json.loads(told.stdout or "{}")
    if not answer:
        raise InputError("PuLP cannot be started")
    if not answer["known"]:
        raise InputError(f"PuLP knows no solver '{name}'; it knows {', '.join(answer['all'])}")
    if not answer["there"]:
        raise InputError(
            f"PuLP does not find {name} on this machine (its program, its package or its license is missing);"
            " CBC is always there"
        )


def _tell_solvers() -> None:
    """Print whether PuLP knows, and finds, the solver named on the command line."""
    import pulp

    wanted = _pulp_name(sys.argv[1])
    known = wanted in pulp.listSolvers()
    there = False
    with suppress(pulp.PulpError, OSError, ImportError):
        there = known and bool(_solver(wanted, 1.0).available())
    names = sorted({*COMMON_NAMES, *pulp.listSolvers()}, key=str.lower)
    print(json.dumps({"known": known, "there": there, "all": names}))


def _pulp_name(name: str | None) -> str:
    pulp = _pulp()
    if name is None:
        return CBC
    known: dict[str, str] = {text.lower(): text for text in pulp.listSolvers()}
    known |= {short.lower(): text for short, text in COMMON_NAMES.items()}
    return known.get(name.lower(), name)


def _solver(name: str, seconds: float | None, cpu_seconds: bool = False) -> Any:
    """Return PuLP's object for a solver, silent, with a time limit."""
    pulp = _pulp()
    more = {"timeMode": "cpu"} if cpu_seconds and name == CBC else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return pulp.getSolver(name, msg=False, timeLimit=seconds, **more)


@dataclass(frozen=True)
class Answer:
    """A solver's answer to a program.

    `status` is "stopped" if the solver did not finish, or if its answer cannot be trusted. `values` are those
    of the variables, by name; empty if there is no solution.
    """

    status: Literal["optimal", "infeasible", "stopped"]
    values: Mapping[str, float]


def solve_program(
    program: IntegerProgram,
    seconds: float | None = None,
    solver: str | None = None,
    *,
    cpu_seconds: bool = False,
) -> Answer:
    """Solve a program with one thread and return the answer.

    Parameters
    ----------
    program
        The integer program.
    seconds
        The time limit; None for none.
    solver
        The solver's name, PuLP's or the common one; None for CBC.
    cpu_seconds
        Whether CBC is to count its CPU time instead of wall-clock time.

    Raises
    ------
    RuntimeError
        If the solver fails.
    """
    pulp = _pulp()
    problem = pulp_problem(program)
    start = time.monotonic()
    try:
        # CBC uses one thread by default; an explicit request for one selects its slower, parallel code.
        problem.solve(_solver(_pulp_name(solver), seconds, cpu_seconds))
    except (pulp.PulpError, OSError) as error:
        raise RuntimeError(f"{solver or 'CBC'} failed: {error}") from error
    # CBC may call a program infeasible, or return a fractional relaxation, when it runs out of time.
    in_time = seconds is None or time.monotonic() - start < seconds
    if problem.status == pulp.LpStatusInfeasible and in_time:
        return Answer("infeasible", {})
    values = {x.name: x.varValue or 0.0 for x in problem.variables()}
    if problem.sol_status == pulp.LpSolutionOptimal:
        return Answer("optimal", values)
    found = problem.sol_status == pulp.LpSolutionIntegerFeasible
    return Answer("stopped", values if found else {})


class PulpSearch:
    """A search by an integer program in a separate process (`schedsolve.modelkit.search.RunningSearch`).

    The process keeps running between the calls of `advance`.

    Parameters
    ----------
    build
        Makes the formulation.
    seconds
        The time left.
    solver
        The solver's name; None for CBC.
    """

    def __init__(
        self, build: Callable[[], IntegerFormulation], seconds: float, solver: str | None = None
    ) -> None:
        self._build = build
        self._end = time.monotonic() + seconds
        self._solver = solver
        self._formulation: IntegerFormulation | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._values: Mapping[str, float] = {}

    def _start(self) -> None:
        self._formulation = self._build()
        self._folder = tempfile.TemporaryDirectory(prefix="schedsolve-")
        folder = Path(self._folder.name)
        left = self._end - time.monotonic()
        task = self._formulation.program, None if left == inf else max(0.1, left), self._solver
        (folder / TASK).write_bytes(pickle.dumps(task))
        self._process = subprocess.Popen(
            [sys.executable, "-c", f"from {__name__} import _serve; _serve()", str(folder)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": str(folder)},
            # The process and its children form a group, so that all can be killed together.
            start_new_session=True,
        )

    def advance(self, seconds: float) -> bool | None:
        """Wait for about `seconds`.

        Returns
        -------
        True if a solution was found, False if there is none, None if that is not decided yet.

        Raises
        ------
        InputError
            If the solver fails.
        """
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._folder is not None
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        answer = Path(self._folder.name) / ANSWER
        name = self._solver or "CBC"
        if not answer.exists():
            raise InputError(f"{name} ended without an answer; is there enough memory?")
        found = json.loads(answer.read_text(encoding="utf-8"))
        if "failed" in found:
            raise InputError(f"{found['failed']:.300}")
        self._values = found["values"]
        if self._values:
            return True
        return False if found["status"] == "infeasible" else None

    def found(self) -> tuple[Problem, Schedule]:
        """Return the problem and the schedule found that solves it, after `advance` returned True."""
        assert self._formulation is not None
        return self._formulation.decode(lambda name: self._values[name])

    def evidence(self) -> None:
        """Return None, because these solvers give no proof."""

    def close(self) -> None:
        """Stop the solver."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


TASK, ANSWER = "task.pickle", "answer.json"


def _serve() -> None:
    """Solve the program in the folder named on the command line, and write the answer to that folder."""
    folder = Path(sys.argv[1])
    program, seconds, solver = pickle.loads((folder / TASK).read_bytes())
    if solver is None:
        # PuLP would import it, which takes longer than CBC does for a small program.
        sys.modules["highspy"] = None  # type: ignore[assignment]
    # Imported first, so that PuLP's HiGHS works in this process, and not OR-tools.
    import pulp  # noqa: F401

    try:
        answer = asdict(solve_program(program, seconds, solver))
    except RuntimeError as error:
        answer = {"failed": str(error)}
    written = folder / f"{ANSWER}.part"
    written.write_text(json.dumps(answer), encoding="utf-8")
    written.replace(folder / ANSWER)
