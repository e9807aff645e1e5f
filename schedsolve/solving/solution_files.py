"""Solutions as other solvers write them: what value every variable has, or which literals hold.

Read are the solution files of CBC, HiGHS, Gurobi, SCIP, COPT and CPLEX, the output of SAT and
pseudo-Boolean solvers (`v` lines) and CP-SAT's responses as text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path

from schedsolve.modelkit.formulas.program_files import bits_of
from schedsolve.modelkit.formulation import Solved
from schedsolve.modelkit.result import Bound, Result, Status
from schedsolve.models import model_of
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import float_number
from schedsolve.solving.constructions import lower_bounds
from schedsolve.solving.formulation_files import COMMENT, Formulation, read_formulation

NO_SOLUTION = re.compile(
    r"\b(infeasible|unsatisfiable|unsat|no (feasible )?solution|no primal solution)\b|^Primal solution.*None",
    re.I,
)


def read_solution(path: str, of: str) -> Solved:
    """Return the schedule in a solution file of another solver, and the problem that it solves.

    Parameters
    ----------
    path
        The solution.
    of
        The file of the formulation that was solved.

    Raises
    ------
    InputError
        If one of them is not such a file, or the solution stands for no schedule.
    """
    asked = read_formulation(of)
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    reader = READERS.get(Path(of).suffix, _by_name)
    try:
        _refuse_no_solution(text)
        return reader(asked, text)
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    except (KeyError, IndexError, ValueError, StopIteration, AssertionError):
        raise InputError(f"{path}: the values of its variables are no schedule") from None


def result_of(path: str, of: str) -> Result:
    """Return the schedule of `read_solution` as a result, with the cheap lower bounds.

    The referee replays it.
    """
    asked = read_formulation(of).request.problem
    problem, schedule = read_solution(path, of)
    schedule = schedule.indexed
    model = model_of(problem)
    seen = model.replay(problem, schedule)
    if seen.violation:
        raise InputError(f"{path}: the schedule in it is none: {seen.violation}")
    lower = max(lower_bounds(model, asked), key=lambda bound: bound.value)
    if asked.rounds is not None:
        status = Status.FEASIBLE if seen.value <= asked.rounds else Status.UNKNOWN
    else:
        status = Status.OPTIMAL if lower.value == seen.value else Status.BOUNDED
    return Result(
        problem=asked,
        status=status,
        objective=model.objective,
        value=seen.value,
        lower_bound=lower.value,
        bounds=(lower, Bound("upper", seen.value, f"another solver's solution of {Path(of).name}")),
        indexed=schedule,
        runtime_seconds=0.0,
        node_index=problem.sources[0] if asked.choice else None,
        ended=True,
        limits={"search": "none was made"},
    )


def lines_of_others(of: str) -> list[str]:
    """Return the lines of a formulation's file that schedsolve does not write, such as rows of the user's."""
    ending = Path(of).suffix
    own = {line.strip() for line in read_formulation(of).text(ending).splitlines()}
    mark = COMMENT[ending]
    lines = (line.strip() for line in Path(of).read_text(encoding="utf-8").splitlines())
    return [line for line in lines if line and not line.startswith(mark) and line not in own]


def _refuse_no_solution(text: str) -> None:
    said = next((line for line in text.splitlines()[:40] if NO_SOLUTION.search(line)), None)
    if said is not None:
        raise InputError(f'it says "{" ".join(said.split()):.60}", so there is no schedule in it')


def _by_name(asked: Formulation, text: str) -> Solved:
    """From lines "name value" or "number name value", whatever else they hold."""
    known = {x.name for x in asked.integer.program.variables}
    values = values_by_name(text, known)
    if not values:
        raise InputError("it gives no value to any variable of the formulation")
    return asked.schedule(values)


def values_by_name(text: str, known: set[str]) -> dict[str, float]:
    """Return the values of the variables with known names; those that are not mentioned are 0."""
    values: dict[str, float] = {}
    for name, value in re.findall(r'<variable name="([^"]+)"[^>]*\bvalue="([^"]+)"', text):
        if name in known:
            values[name] = _value(name, value)
    # HiGHS writes the same names again, with the dual values and the basis.
    for line in re.split(r"^# (?:Dual|Basis)", text, maxsplit=1, flags=re.MULTILINE)[0].splitlines():
        words = line.replace("**", " ").split()
        if len(words) > 2 and words[1] in known and words[0].isdigit():
            words = words[1:]
        if len(words) > 1 and words[0] in known:
            values[words[0]] = _value(words[0], words[1])
    return values


def _value(name: str, text: str) -> float:
    value = float_number(text)
    if value is None:
        raise InputError(f"'{text:.30}' is no value of {name}")
    return value


def _literals(text: str) -> list[str]:
    """Return the literals of a SAT or pseudo-Boolean solver's output.

    Its "v" lines, or the lines without a letter before them.
    """
    lines = [line.split() for line in text.splitlines() if line.strip()]
    marked = [word for words in lines if words[0] == "v" for word in words[1:]]
    bare = [word for words in lines if re.fullmatch("[-x0-9]+", words[0]) for word in words]
    found = marked or bare
    if not found:
        raise InputError("it holds no literals (lines that begin with v)")
    return found


def _from_literals(asked: Formulation, text: str) -> Solved:
    literals = [int(word) for word in _literals(text)]
    most = asked.cnf.cnf.variable_count
    if any(abs(literal) > most for literal in literals):
        raise InputError(f"it has a variable above {most}, the last one of the formula")
    return asked.schedule_of_model({literal for literal in literals if literal > 0})


def _from_bits(asked: Formulation, text: str) -> Solved:
    program = asked.integer.program
    weights, names = bits_of(program)
    true = {word for word in _literals(text) if word.startswith("x")}
    if any(not word[1:].isdigit() or int(word[1:]) > len(names) for word in true):
        raise InputError(f"its variables should be x1 to x{len(names)}")
    values = {
        x.name: sum(weight for bit, weight in bits if f"x{bit}" in true)
        for x, bits in zip(program.variables, weights, strict=True)
    }
    return asked.schedule(values)


def _from_response(asked: Formulation, text: str) -> Solved:
    values = [int(value) for value in re.findall(r"\bsolution: (-?\d+)", text)]
    if not values:
        values = [int(v) for part in re.findall(r"\bsolution: \[([^\]]*)\]", text) for v in part.split(",")]
    if not values and not re.search(r"\bstatus: (OPTIMAL|FEASIBLE)", text):
        raise InputError("it holds no CP-SAT response with a solution")
    return asked.schedule_of_cpsat(values)


READERS: Mapping[str, Callable[[Formulation, str], Solved]] = {
    ".cnf": _from_literals,
    ".opb": _from_bits,
    ".pbtxt": _from_response,
}
