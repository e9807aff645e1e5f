"""The integer program of a reduction: which contributions a value holds after which step.

The clauses of the plain formula of the claims, as rows, say what values are; the links and the lengths of the
steps have rows of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.integer_program import compare
from schedsolve.modelkit.formulas.linear_program import Row
from schedsolve.modelkit.problem import Problem
from schedsolve.runtime.errors import InputError

from ..claims.contributions import ContributionFormula, contribution_formula
from ..claims.hops import routes
from ..rules.reductions import reduction_of
from ..rules.steps import StepSchedule
from .steps import SHARED, Steps, name_of_send

MOST_VARIABLES = 500_000


@dataclass
class Sums(Steps):
    """The variables; variable x of the plain formula is number of[x] of the program."""

    formula: ContributionFormula = field(kw_only=True)
    of: list[int] = field(default_factory=list)


def adding_program(problem: Problem, chunks: int, rounds: int, *, minimise: bool) -> Sums:
    """Return the program for C chunks of every unit in so many rounds.

    Raises
    ------
    InputError
        When it would be too large.
    """
    reduction, ways, steps = reduction_of(problem), routes(problem.network), problem.parameters["steps"]
    nodes = len(problem.network.compute_nodes)
    if reduction.chunk_count(chunks) * steps * nodes * (nodes + len(ways)) > MOST_VARIABLES:
        raise InputError(f"the integer program would have more than {MOST_VARIABLES} variables")
    formula = contribution_formula(reduction, ways, [None] * steps, chunks)
    x = Sums(problem.network, chunks, steps, rounds, list(ways), formula=formula)
    names = names_of(formula)
    x.of = [0] + [x.program.variable(names.get(i, f"reason_{i}")) for i in variables_of(formula.cnf)]
    x.sent = {place: x.of[variable] for place, variable in formula.sent.items()}
    x.declare_rounds()
    if minimise:
        x.minimise_rounds()
    x.program.require((values_are_sums_of_contributions, *SHARED), x)
    return x


def variables_of(cnf: Cnf) -> range:
    """Return the variables of a formula."""
    return range(1, cnf.variable_count + 1)


def names_of(formula: ContributionFormula) -> dict[int, str]:
    """Return the names of the variables of a plain formula; those that abbreviate have none."""
    names = {x: f"chunk_{c}_kept_by_{v}_in_{s}" for (c, v, s), x in formula.keeps.items()}
    for (c, i, s), x in formula.sent.items():
        names[x] = name_of_send(c, formula.routes[i], s)
    for (c, v, s), holds in formula.holds.items():
        names |= {x: f"chunk_{c}_at_{v}_has_{i}_after_{s}" for i, x in holds.items()}
    return names


def values_are_sums_of_contributions(x: Sums) -> Iterator[Row]:
    """Every value holds what was kept and sent there, no contribution twice, and at last all.

    At last, after all steps, where the result is wanted; in the order of the nodes, where the sum is ordered.
    """
    for clause in x.formula.cnf.clauses:
        true = [x.of[literal] for literal in clause if literal > 0]
        false = [x.of[-literal] for literal in clause if literal < 0]
        yield compare(true, ">=", false, 1 - len(false))


def sums_of(x: Sums, value: Callable[[str], float]) -> StepSchedule:
    """Return the schedule of a solution, without sends that are of no use."""
    true = {i for i in variables_of(x.formula.cnf) if x.is_true(x.of[i], value)}
    return replace(x.formula, step_rounds=tuple(x.lengths(value))).schedule(true)
