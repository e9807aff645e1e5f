"""Lower bounds by linear programs.

The aggregated one, that of the steady state, and the timed one; the cuts of the last two are found one after
the other by maximum flows.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence

from schedsolve.backends.lp import float_solution, solve_lp
from schedsolve.backends.max_flow import minimum_cut
from schedsolve.backends.time_cuts import minimum_cuts_in_time
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.runtime.limits.own_limits import met

from .claims.aggregated import MOST_ROUNDS, aggregated_program, tidy
from .claims.call_graph_tree import Arc, Cut, Setting
from .claims.timed_program import Timed
from .rules import Shape, shape_of

PROGRAM_SECONDS = 30.0
UNIT = 10**8
"""The flow of 1 while costs are floats."""
FLOAT_ERROR = 1e-7
LARGEST_TIMED, LARGEST_STEADY = 12_000, 400_000
"""Links times rounds, and links times nodes, beyond which the programs are not solved."""
LARGEST_CLASSES = 3000
Row = tuple[tuple[int, int], ...]
MOST_TURNS = 60


def program_bounds(problem: Problem, seconds: float) -> Iterator[Bound | None]:
    """Yield the bounds of the linear programs, the quickest first; None where one is too large."""
    shape = shape_of(problem)
    limit = min(seconds, PROGRAM_SECONDS)
    yield aggregated_bound(shape)
    yield steady_bound(problem, limit)
    yield timed_bound(problem, limit)


def aggregated_bound(shape: Shape) -> Bound | None:
    """Return the bound of the aggregated linear program, exact, with its dual solution.

    None when the program is too large or trivial.
    """
    if too_large_to_aggregate(shape) is not None:
        return None
    solution = solve_lp(aggregated_program(shape))
    if solution is None:
        return None
    multipliers = {str(row): str(y) for row, y in sorted(solution.multipliers.items())}
    return Bound(
        "lower",
        tidy(solution.bound),
        "dual of the aggregated linear program",
        {"kind": "aggregated", "multipliers": multipliers},
        by="relaxation",
    )


def too_large_to_aggregate(shape: Shape) -> str | None:
    """Why the aggregated program is not solved; None when it is."""
    if shape.dimension == 0 or shape.extra_rounds < 0:
        return "there is nothing to send, or no time"
    return f"it is for up to {MOST_ROUNDS} rounds" if shape.rounds > MOST_ROUNDS else None


def timed_bound(problem: Problem, seconds: float) -> Bound | None:
    """Return the bound of the timed program for a problem's number of rounds; None when it is too large."""
    if no_timed_program(problem) is not None:
        return None
    return _solve(Timed.of(problem), "timed program", "dual of the timed program", seconds)


def steady_bound(problem: Problem, seconds: float) -> Bound | None:
    """Return the bound of the steady state, for every number of rounds; None when it is too large."""
    if no_steady_program(problem) is not None:
        return None
    program = Timed.of(problem, steady=True)
    return _solve(program, "steady state", "dual of the steady state's program", seconds)


def no_timed_program(problem: Problem) -> str | None:
    """Why the timed program is not solved; None when it is."""
    program = Timed.of(problem)
    if len(problem.network.arcs) * len(program.periods) > LARGEST_TIMED:
        return f"it is for up to {LARGEST_TIMED} arcs times rounds"
    return "there is no round" if program.rounds == 0 else _too_many_classes(program)


def no_steady_program(problem: Problem) -> str | None:
    """Why the steady state's program is not solved; None when it is."""
    program = Timed.of(problem, steady=True)
    # In a complete network one node stands for all others.
    targets = 1 if problem.network.is_complete else problem.network.node_count
    if len(problem.network.arcs) * targets > LARGEST_STEADY:
        return f"it is for up to {LARGEST_STEADY} arcs times nodes to reach"
    return _too_many_classes(program)


def _too_many_classes(program: Timed) -> str | None:
    if program.network.node_count < 2:
        return "there is no other node"
    size = program.classes * len(program.periods)
    return f"it has {size} classes of links, more than {LARGEST_CLASSES}" if size > LARGEST_CLASSES else None


def _solve(program: Timed, kind: str, reason: str, seconds: float) -> Bound | None:
    """Return the bound of a program, with evidence of that kind: its cuts and multipliers."""
    end = time.process_time() + seconds
    rows: dict[Row, Cut] = {}
    for cut in _first_cuts(program):
        rows.setdefault(_row(program, cut), cut)
    setting = Setting(program.network, program.source, program.ports, program.weak, len(program.periods))
    targets = others(setting)[: 1 if program.network.is_complete else None]
    for _ in range(MOST_TURNS):
        seen = float_solution(program.build(list(rows.values())), max(0.1, end - time.process_time()))
        if seen is None or time.process_time() > end:
            met("seconds", seconds)
            break
        values = seen.values
        flow = {
            (t, arc): values[program.used(t, c)]
            for t in program.periods
            for arc, c in program.orbits.items()
            if arc[1] != program.source and values[program.used(t, c)] > 1e-12
        }
        find = _static_cuts if program.rounds is None else small_cuts
        known = len(rows)
        for cut in find(setting, flow, targets):
            rows.setdefault(_row(program, cut), cut)
        if len(rows) == known:
            break
    else:
        met("turns of cuts", MOST_TURNS)
    cuts = list(rows.values())
    solution = solve_lp(program.build(cuts))
    if solution is None:
        return None
    # The rows of the evidence: those without cuts, and behind them those of the cuts that are needed.
    fixed = len(program.build([]).rows)
    kept = [i for i in range(len(cuts)) if solution.multipliers.get(fixed + i)]
    place = {fixed + i: fixed + number for number, i in enumerate(kept)}
    multipliers = {str(place.get(row, row)): str(y) for row, y in sorted(solution.multipliers.items())}
    evidence = {"kind": kind, "cuts": [list(cuts[i]) for i in kept], "multipliers": multipliers}
    return Bound("lower", tidy(solution.bound), reason, evidence, by="relaxation")


def others(setting: Setting) -> list[int]:
    """Return the nodes but the source."""
    return [v for v in range(setting.network.node_count) if v != setting.source]


def small_cuts(
    setting: Setting, amounts: Mapping[tuple[int, Arc], float], targets: Sequence[int]
) -> list[Cut]:
    """Return minimum cuts over time that carry less than 1, for every target one at most.

    Parameters
    ----------
    setting
        The network, ports and rounds.
    amounts
        By round and arc, how much may be sent there.
    targets
        The nodes that must be reached.
    """
    import numpy as np

    n, rounds = setting.network.node_count, setting.rounds
    arcs = np.array([(t, *arc) for t, arc in amounts], dtype=np.int64).reshape(-1, 3)
    capacities = np.array([round(amount * UNIT) for amount in amounts.values()], dtype=np.int64)
    found = minimum_cuts_in_time(n, rounds, arcs, capacities, setting.source, targets)
    return list(dict.fromkeys(cut for size, cut in found if size < UNIT * (1 - FLOAT_ERROR)))


def _static_cuts(
    setting: Setting, amounts: Mapping[tuple[int, Arc], float], targets: Sequence[int]
) -> list[Cut]:
    """Return the same for the steady state, in the network itself.

    0 at the nodes of the source's side, 1 at the others.
    """
    import numpy as np

    arcs = np.array([arc for _, arc in amounts], dtype=np.int64).reshape(-1, 2)
    capacities = np.array([round(amount * UNIT) for amount in amounts.values()], dtype=np.int64)
    found: dict[Cut, None] = {}
    for v in targets:
        size, near = minimum_cut(arcs[:, 0].copy(), arcs[:, 1].copy(), capacities, setting.source, v)
        if size < UNIT * (1 - FLOAT_ERROR):
            found[tuple(0 if x in near else 1 for x in range(setting.network.node_count))] = None
    return list(found)


def _first_cuts(program: Timed) -> Sequence[Cut]:
    """Around the source, and around every other node, in all rounds."""
    n, last = program.network.node_count, 1 if program.rounds is None else program.rounds + 1
    alone = tuple(0 if v == program.source else last for v in range(n))
    others = [tuple(last if v == w else 0 for v in range(n)) for w in range(n) if w != program.source]
    return [alone, *others[: 1 if program.network.is_complete else n]]


def _row(program: Timed, cut: Cut) -> Row:
    return tuple(sorted(program.crossing(cut).items()))
