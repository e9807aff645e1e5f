"""Formulations that one can hold.

A problem as an integer program, a formula or a CP-SAT model, as objects and as files, and the way back from a
solution to a schedule.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from pathlib import Path
from typing import Any

from schedsolve.backends.cpsat import CpModel, declare_program
from schedsolve.backends.pulp import pulp_problem
from schedsolve.certify.saved_files import read_saved_problem
from schedsolve.certify.text.text import problem_line
from schedsolve.modelkit.formulas.dimacs import dimacs_text, name_comments
from schedsolve.modelkit.formulas.integer_program import MOST_VARIABLES, IntegerProgram
from schedsolve.modelkit.formulas.program_cnf import cnf_of_program, value_of
from schedsolve.modelkit.formulas.program_files import lp_text, mps_text, opb_text
from schedsolve.modelkit.formulation import (
    CnfFormulation,
    FormulationRequest,
    Formulations,
    IntegerFormulation,
    Solved,
    Value,
)
from schedsolve.modelkit.problem import Problem, problem_id, problem_to_json
from schedsolve.modelkit.result import value_from_json, value_to_json
from schedsolve.modelkit.schedule import Call
from schedsolve.models import model_of
from schedsolve.network.assumptions import assumptions_to_json
from schedsolve.runtime.errors import InputError, shown
from schedsolve.runtime.files.escapes import in_comment
from schedsolve.runtime.files.number_reader import exact_number, parse_json, plain_integer
from schedsolve.runtime.limits.budget import Budget
from schedsolve.runtime.limits.timeout import timeout
from schedsolve.solving.constructions import construct

FORMAT = "schedsolve-formulation/1"
COMMENT = {".lp": "\\", ".mps": "*", ".cnf": "c", ".opb": "*", ".pbtxt": "#"}
"""The endings of formulations, with what begins a comment there."""
DATA_MARK, DATA_WIDTH = "data| ", 90
LARGEST = Budget(nodes=100_000, edges=1_000_000)
"""The networks whose problems are written down."""
ALGORITHM_SECONDS = 20.0
"""Of CPU, for the algorithms that say how much suffices where nobody does."""
ALL_TO_ALL = {"gossip", "allgather", "alltoall", "reduce-scatter", "allreduce"}


@dataclass(frozen=True)
class Formulation:
    """A problem written down for other solvers; made by `formulation`.

    Attributes
    ----------
    request
        What it asks. In all its forms the variables that mean the same have the same names.
    """

    request: FormulationRequest

    @cached_property
    def _kinds(self) -> Formulations:
        return formulations_of(self.request.problem)

    @cached_property
    def integer(self) -> IntegerFormulation:
        """The integer (or linear) program as data: its variables, its families of constraints."""
        made = self._kinds.integer(self.request)
        if not made.program.variables:
            made.program.variable("nothing", upper=0)
        return made

    @cached_property
    def pulp(self) -> Any:
        """The integer program as a `pulp.LpProblem`."""
        return pulp_problem(self.integer.program)

    @cached_property
    def cnf(self) -> CnfFormulation:
        """The formula for "so much suffices", `cnf.cnf`, with the names of its variables, `cnf.names`.

        Raises
        ------
        InputError
            Where the formulation has fractions.
        """
        if self._kinds.formula is None or self.request.packets is not None:
            return formula_of_program(self.integer)
        return self._kinds.formula(self.request)

    @cached_property
    def _declared(self) -> tuple[CpModel, Callable[[Callable[[int], int]], Solved]]:
        model = CpModel()
        return model, declare_program(self.integer)(model)

    @property
    def cpsat(self) -> Any:
        """The CP-SAT model for "so much suffices", an `ortools.sat.python.cp_model.CpModel`.

        Raises
        ------
        InputError
            Where the formulation has fractions.
        """
        return self._declared[0].model

    @cached_property
    def calls(self) -> Mapping[str, tuple[int, Call[Any]]]:
        """By name of a variable, the round (or time) and the call that it stands for when it is 1.

        The calls are between the users' nodes.
        """
        nodes = self.request.problem.network.nodes
        return {name: (t, call.moved(nodes)) for name, (t, call) in self.integer.calls.items()}

    def schedule(self, values: Mapping[str, float]) -> Solved:
        """Return the schedule that a solution of the integer program stands for.

        `values` are by the names of the variables, and those left out are 0. The schedule is on the users'
        nodes, and before it comes the problem that it solves, its source or root given.
        """
        return self._labeled(self.integer.decode(lambda name: values.get(name, 0)))

    def _labeled(self, solved: Solved) -> Solved:
        problem, schedule = solved
        return problem, schedule.labeled(problem.network.nodes)

    def schedule_of_model(self, true: set[int]) -> Solved:
        """Return the schedule that a model of the formula stands for, given by its true variables."""
        return self._labeled(self.cnf.decode(true))

    def schedule_of_cpsat(self, values: Sequence[int]) -> Solved:
        """Return the schedule that a solution of the CP-SAT model stands for.

        The values are in the order of its variables.
        """
        model, read = self._declared
        return self._labeled(read(lambda x: values[model.variables[x].index]))

    def text(self, ending: str) -> str:
        """Return the formulation as the text of a file: ".lp", ".mps", ".opb", ".cnf" or ".pbtxt".

        Raises
        ------
        InputError
            For another ending, or where the model cannot be expressed so.
        """
        head = self.header(ending)
        if ending == ".cnf":
            formula = self.cnf
            return dimacs_text(formula.cnf, [*head, *name_comments(formula.names)])
        if ending == ".pbtxt":
            comments = "".join(f"# {in_comment(line)}\n" for line in head)
            return comments + _proto_text(self.cpsat)
        return WRITERS[ending](self.integer.program, head)

    def header(self, ending: str) -> list[str]:
        """Return the lines of comments that say what a file asks, and from which it can be read again."""
        refuse_ending(ending)
        decides = ending in (".cnf", ".pbtxt") or not self.request.minimise
        problem = self.request.problem
        meaning = self.cnf.meaning if ending == ".cnf" else self.integer.meaning
        labels = problem.network.labels
        names = ", ".join(f"{v} = {label}" for v, label in enumerate(labels))
        lines = [
            FORMAT,
            problem_line(problem),
            f"id {problem_id(problem)}",
            f"asks {self.question(decides)}",
            f"a solution is {meaning}",
            *([] if labels == tuple(range(len(labels))) else [f"nodes {names}"]),
        ]
        return [*(" ".join(line.split()) for line in lines), *_data_lines(self.request)]

    def question(self, decides: bool) -> str:
        """Return what is asked, in words."""
        request, objective = self.request, model_of(self.request.problem).objective
        at_most = "" if request.value is None else f" of at most {objective.quantity(request.value)}"
        if decides:
            return f"for a schedule{at_most}; infeasible when there is none"
        scale = self.integer.scale
        times = "" if scale == 1 else f"; the objective is {scale} times that"
        return f"for the least {objective.name}{at_most and ','}{at_most}{times}"


WRITERS: Mapping[str, Callable[[IntegerProgram, Sequence[str]], str]] = {
    ".lp": lp_text,
    ".mps": mps_text,
    ".opb": opb_text,
}


def formulation(
    problem: Problem,
    rounds: Value | None = None,
    *,
    minimise: bool | None = None,
    packets: int | None = None,
) -> Formulation:
    """Return a problem written down for other solvers.

    Parameters
    ----------
    problem
        One that has a formulation; others raise InputError.
    rounds
        The most rounds (or time, or cost) that a schedule may take; without it what the problem asks for, or
        else what the model's algorithms reach.
    minimise
        Whether the least value is asked for; by default only when no value is given.
    packets
        The number of packets into which the message is cut, where a model asks for it.

    ```pycon
    >>> from schedsolve import Network, build_problem, formulation, replay
    >>> asked = formulation(build_problem("telephone", "gossip", Network.from_spec("cycle:4")), rounds=2)
    >>> asked.pulp.numVariables(), asked.cnf.cnf.variable_count
    (120, 56)
    >>> [family.name for family in asked.integer.program.families][2]
    'one_call_a_node'
    >>> asked.calls["call_2_3_t2"]
    (2, Call(sender=2, receiver=3, two_way=True, payload=()))

    ```

    Any solver's solution becomes a schedule:

    ```pycon
    >>> from schedsolve.backends.sat import find_model
    >>> problem, schedule = asked.schedule_of_model(find_model(asked.cnf.cnf, 10))
    >>> replay(problem, schedule).violation is None, len(schedule.rounds)
    (True, 2)

    ```
    """
    kinds = formulations_of(problem)
    if problem.choice == "max":
        raise InputError(f"a formulation is for a given {problem.node_parameter}, or the best one (min)")
    if problem.period == "min":
        raise InputError("a formulation is for a given period; --period min is for solve")
    if packets is not None and not kinds.takes_packets:
        raise InputError(f"--packets means nothing for {problem.model}")
    value = problem.asked if rounds is None else _value(rounds)
    refuse_large(problem, value)
    least = value is None if minimise is None else minimise
    if value is None and kinds.needs_value:
        value = _reached(problem)
        refuse_large(problem, value)
    return Formulation(FormulationRequest(problem, value, least, packets))


def formula_of_program(made: IntegerFormulation) -> CnfFormulation:
    """Return the integer program as a formula, which only decides.

    Raises
    ------
    InputError
        Where it has fractions.
    """
    cnf, bits, names = cnf_of_program(made.program)
    return CnfFormulation(
        cnf,
        dict(enumerate(names, 1)),
        lambda true: made.decode(lambda name: value_of(bits[name], true)),
        made.meaning,
        made.calls,
    )


def _value(given: Value) -> Value:
    """Return a number of rounds, or a time or cost.

    Raises
    ------
    InputError
        For anything else.
    """
    value = exact_number(plain_integer(given), decimal=True)
    if value is None or value < 0:
        raise InputError(f"--rounds takes a number such as 7, or a fraction; not {shown(given)}")
    return int(value) if value.denominator == 1 else value


def refuse_large(problem: Problem, value: Value | None) -> None:
    """Raise InputError for a problem whose formulation would be too large, before any of it is made.

    It has a variable at least for every link, and for every node and item, in every round.
    """
    network, units = problem.network, model_of(problem).objective.units
    n, arcs = network.node_count, len(network.edges) * (1 if network.directed else 2)
    if n > LARGEST.nodes or len(network.edges) > LARGEST.edges:
        raise InputError(f"formulations are for {LARGEST.nodes} nodes and {LARGEST.edges} edges at most")
    rounds = ceil(value) if units and value is not None else problem.parameters.get("total_rounds", 1)
    if rounds * (arcs + n * (n if problem.task in ALL_TO_ALL else 1)) > MOST_VARIABLES:
        raise InputError(f"the formulation would have more than {MOST_VARIABLES} variables")


def formulations_of(problem: Problem) -> Formulations:
    """Return the formulations of a problem's model.

    Raises
    ------
    InputError
        If it has none.
    """
    kinds = model_of(problem).formulations
    if kinds is None:
        raise InputError(f"{problem.model} has no formulation")
    return kinds


def _reached(problem: Problem) -> Value:
    """Return the least value that the algorithms of the model reach."""
    with timeout(ALGORITHM_SECONDS, of_processor=True) as limit:
        found = construct(problem)
    if limit.passed:
        raise InputError(
            f"no algorithm says within {ALGORITHM_SECONDS:.0f} seconds how much suffices; give --rounds"
        )
    if not found:
        horizon = model_of(problem).horizon(problem)
        if horizon is None:
            raise InputError("no algorithm says how much suffices; give --rounds")
        return horizon
    return min(construction.value for construction in found)


def refuse_ending(ending: str) -> None:
    """Raise InputError for an ending that no formulation has."""
    if ending not in COMMENT:
        raise InputError(f"a formulation is written to a file that ends in {', '.join(COMMENT)}")


def _proto_text(model: Any) -> str:
    return f"{model.proto}" if hasattr(model, "proto") else f"{model.Proto()}"


def _data_lines(request: FormulationRequest) -> list[str]:
    """Return the request as JSON, over several lines that no comment spoils."""
    data = {
        "problem": problem_to_json(request.problem),
        **assumptions_to_json(request.problem.network.assumptions),
        "value": value_to_json(request.value),
        "minimise": request.minimise,
        "packets": request.packets,
    }
    text = json.dumps(data, separators=(",", ":")).replace(" ", "\\u0020")
    return [DATA_MARK + text[i : i + DATA_WIDTH] for i in range(0, len(text), DATA_WIDTH)]


def read_formulation(path: str) -> Formulation:
    """Return the formulation that a file which schedsolve wrote holds.

    Raises
    ------
    InputError
        If it is none.
    """
    ending = Path(path).suffix
    refuse_ending(ending)
    mark = f"{COMMENT[ending]} {DATA_MARK}"
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise InputError(f"{path}: no text") from None
    text = "".join(line.removeprefix(mark) for line in lines if line.startswith(mark))
    try:
        data = parse_json(text)
        value = value_from_json(data["value"])
        problem = read_saved_problem(data)
        packets, minimise = data["packets"], data["minimise"]
        if type(minimise) is not bool or not (packets is None or type(packets) is int):
            raise TypeError
    except (ValueError, KeyError, TypeError):
        raise InputError(f"{path}: no formulation that schedsolve wrote, or its head is damaged") from None
    whole = int(value) if value is not None and value.denominator == 1 else value
    return formulation(problem, whole, minimise=minimise, packets=packets)
