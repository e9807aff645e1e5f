"""Results as lines for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import (
    EXHAUSTED,
    LEAST_ROUNDS,
    OWN_LIMITS,
    Bound,
    Result,
    Status,
    value_to_json,
)
from schedsolve.modelkit.schedule import AnySchedule, Schedule
from schedsolve.network.assumptions import as_read
from schedsolve.runtime.errors import counted, one_line

LONGEST_PARAMETER = 120
LARGEST_NAMED = 10**15
"""The largest denominator of a bound that is named exactly where nothing is settled."""
WHY_STOPPED = {
    "interrupted": "interrupted",
    "time limit": "stopped at the time limit",
    EXHAUSTED: "search exhausted",
    OWN_LIMITS: "stopped at limits of methods",
}


def problem_line(problem: Problem) -> str:
    """Return the problem in one line, such as "telegraph broadcast on ccc:3 (24 nodes), source 0"."""
    network = problem.network
    nodes = counted(network.node_count, "node")
    parts = [
        f"{problem.model} {problem.task} on {network.name or 'a network'}"
        f" ({nodes}{', directed' if network.directed else ''})"
    ]
    for name, value in problem.parameters.items():
        if name == "messages" and isinstance(value, list):
            parts.append(counted(len(value), "message"))
            continue
        if isinstance(value, list) and any(isinstance(row, list) for row in value):
            parts.append(f"{name} in {counted(len(value), 'row')}")
            continue
        text = "" if value is True else f" {','.join(map(str, value)) if isinstance(value, list) else value}"
        parts.append(
            name.replace("_", " ")
            + (f"{text[:LONGEST_PARAMETER]} ..." if len(text) > LONGEST_PARAMETER + 4 else text)
        )
    return one_line(", ".join(parts))


def result_lines(result: Result, *, most: int | None = None) -> list[str]:
    """Return a result as lines: its verdict, its bounds, and its schedule round by round.

    `most` limits the lines of the schedule, and the rest is counted; None for all of them.
    """
    without = f", without {len(result.forbidden)} forbidden calls" if result.forbidden else ""
    lines = [problem_line(result.problem) + without, verdict_line(result)]
    lines += bound_lines(_best_bounds(result.bounds))
    if result.limits and result.stopped:
        named = "; ".join(f"{name} ({why})" for name, why in result.limits.items())
        lines.append(one_line(f"  not tried, or stopped: {named}"))
    if result.indexed is not None:
        if result.node_index is not None:
            label = result.problem.network.labels[result.node_index]
            lines.append(f"schedule for {result.problem.node_parameter} {label}:")
        schedule = schedule_lines(result.problem, result.indexed, result.node_index)
        lines += schedule[:most]
        if len(schedule) > len(schedule[:most]):
            lines.append(f"... {len(schedule) - len(schedule[:most])} more, --full")
    return lines


def schedule_lines(problem: Problem, schedule: AnySchedule, node: int | None = None) -> list[str]:
    """Return a schedule on the nodes 0..n-1 as lines, calls of a broadcast from the node that informs.

    `node` is the source, or destination, that was chosen where the problem asks for the least or greatest.
    """
    if isinstance(schedule, Schedule) and problem.task in ("broadcast", "multicast"):
        from schedsolve.modelkit.directions import with_directions

        schedule = with_directions(problem if node is None else problem.at_node(node), schedule)
    return schedule.lines(problem.network.labels)


def verdict_line(result: Result) -> str:
    """Return the outcome of a solve in one line, with how many assumptions it rests on, if any."""
    return _outcome(result) + as_read(result.problem.network.assumptions)


def _outcome(result: Result) -> str:
    asked = result.problem.rounds
    value, lower = (result.objective.quantity(x) for x in (result.value, result.lower_bound))
    if result.status is Status.OPTIMAL:
        return f"optimal: {value}{_least_period(result)}, {_proof(result)}"
    if result.status is Status.FEASIBLE:
        takes = result.value if result.objective.units else value
        return f"feasible: {LEAST_ROUNDS.suffices(asked)}; the schedule takes {takes}"
    if result.status is Status.INFEASIBLE:
        most = result.problem.asked
        ever = most is None or (result.horizon is not None and result.horizon < most)
        text = _never(result) if ever else LEAST_ROUNDS.suffices(asked, negated=True)
        return f"infeasible: {text}, {_proof(result)}"
    why = WHY_STOPPED[result.stopped or "time limit"]
    if result.value is not None and result.value == result.lower_bound:
        return f"{why}: {value} are optimal, {_proof(result)}{_least_period(result)}"
    least = value_to_json(result.lower_bound) if result.objective.units else lower
    if isinstance(result.lower_bound, Fraction) and result.lower_bound.denominator > LARGEST_NAMED:
        least = lower = f"{result.objective.name} {_rounded_down(result.lower_bound)}"
    known = (
        f"at least {least} and at most {value}"
        if result.value is not None
        else f"at least {lower}; no schedule found yet"
    )
    return f"{why}: {known}{_least_period(result)}"


def _proof(result: Result) -> str:
    """Return that a result is proven, or what found its lower bound where nothing shows it to others."""
    infeasible = result.status is Status.INFEASIBLE
    if result.lower_bound_by == "store":
        return f"{'' if infeasible else 'the lower bound '}taken in part from the store, not recomputed"
    if result.lower_bound_by not in ("search", "relaxation"):
        return "proven" if infeasible else "proven on both sides"
    return f"{'' if infeasible else 'the lower bound '}by {result.lower_bound_by}, without a certificate"


def _rounded_down(value: Fraction) -> str:
    """Return the first digits of a lower bound whose exact value, in the result, has too many to be read.

    ```pycon
    >>> _rounded_down(Fraction(2, 300)), _rounded_down(Fraction(10**8 * 3 + 1, 3))
    ('0.00666666', '100000000')

    ```
    """
    down = Context(prec=6, rounding=ROUND_FLOOR)
    return f"{down.divide(Decimal(value.numerator), Decimal(value.denominator)):f}"


def _never(result: Result) -> str:
    """Return the statement that no value suffices, and why values beyond the horizon do not either."""
    if not result.objective.units:
        return "there is no schedule, whatever it costs"
    period = "" if result.problem.period is None else f" with period {result.problem.period}"
    horizon = result.horizon
    limit = "" if horizon is None else f", as what can be done at all takes at most {horizon}"
    return f"no number of rounds suffices{period}{limit}"


def _least_period(result: Result) -> str:
    """Return what is known of the least period, if that was asked for."""
    if result.problem.period != "min" or result.indexed is None or result.indexed.period is None:
        return ""
    least, found = len(result.shorter_periods) + 1, result.indexed.period
    return (
        f" with the least period {found}"
        if least == found
        else f"; the least period is at least {least} and at most {found}"
    )


def certificate_line(result: Result) -> str:
    """Return which evidence of its lower bound the result holds for a checker."""
    if not result.certificate:
        return "lower bound not certified: nothing was kept that proves it without the solver"
    return "certificate of the lower bound: " + "; ".join(f"{bound.reason}" for bound in result.certificate)


def _best_bounds(bounds: Sequence[Bound]) -> list[Bound]:
    """Return the first bounds that reach the best value of each side."""
    best = []
    for side, choose in (("lower", max), ("upper", min)):
        of_side = [bound for bound in bounds if bound.side == side]
        if of_side:
            value = choose(bound.value for bound in of_side)
            best.append(next(bound for bound in of_side if bound.value == value))
    return best


def bound_lines(bounds: Iterable[Bound]) -> list[str]:
    """Return one line per bound: side, value and reason."""
    return [f"  {bound}" for bound in bounds]


def table_lines(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Return a table with aligned columns, the first one left-aligned and the others right-aligned."""
    lines = [[one_line(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return [
        "  ".join(
            cell.ljust(widths[i]) if i == 0 else cell.rjust(widths[i]) for i, cell in enumerate(row)
        ).rstrip()
        for row in lines
    ]
