"""The bounds of the timed programme and of the steady state, their cuts found one after the other by maximum
flows.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from fractions import Fraction

from schedsolve.backends.lp import float_solution, solve_lp
from schedsolve.problem import Problem
from schedsolve.result import Bound

from ..claims.aggregated import tidy
from ..claims.call_graph_tree import Cut, Setting
from ..claims.timed_program import Timed
from .covering import Flows

LARGEST_TIMED, LARGEST_STEADY = 12_000, 400_000
"""Links times rounds, and links times nodes, beyond which the programmes are not solved."""
LARGEST_CLASSES = 3000
Row = tuple[tuple[int, int], ...]
MOST_TURNS = 60


def timed_bound(problem: Problem, seconds: float) -> Bound | None:
    """The bound of the timed programme for a problem's number of rounds; None when it is too large."""
    if no_timed_programme(problem) is not None:
        return None
    program = Timed.of(problem)
    found = _solve(program, seconds)
    return found and Bound(
        "lower",
        found[0],
        "dual of the timed programme",
        {"kind": "timed programme", **found[1]},
        by="relaxation",
    )


def steady_bound(problem: Problem, seconds: float) -> Bound | None:
    """The bound of the steady state, for every number of rounds; None when it is too large."""
    if no_steady_programme(problem) is not None:
        return None
    program = Timed.of(problem, steady=True)
    found = _solve(program, seconds)
    return found and Bound(
        "lower",
        found[0],
        "dual of the steady state's programme",
        {"kind": "steady state", **found[1]},
        by="relaxation",
    )


def no_timed_programme(problem: Problem) -> str | None:
    """Why the timed programme is not solved; None when it is."""
    program = Timed.of(problem)
    if len(problem.network.arcs) * len(program.periods) > LARGEST_TIMED:
        return f"it is for up to {LARGEST_TIMED} arcs times rounds"
    return "there is no round" if program.rounds == 0 else _too_many_classes(program)


def no_steady_programme(problem: Problem) -> str | None:
    """Why the steady state's programme is not solved; None when it is."""
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


def _solve(program: Timed, seconds: float) -> tuple[Fraction, dict[str, object]] | None:
    """The bound, with its cuts and multipliers."""
    end = time.monotonic() + seconds
    cuts: dict[Cut, None] = dict.fromkeys(_first_cuts(program))
    setting = Setting(program.network, program.source, program.ports, program.weak, len(program.periods))
    flows = Flows(setting, [1 if program.source != 1 else 0] if program.network.is_complete else None)
    rows = {_row(program, cut) for cut in cuts}
    for _ in range(MOST_TURNS):
        seen = float_solution(program.build(list(cuts)), max(0.1, end - time.monotonic()))
        if seen is None or time.monotonic() > end:
            break
        values = seen.values
        flow = {
            (t, arc): values[program.used(t, c)]
            for t in program.periods
            for arc, c in program.orbits.items()
            if arc[1] != program.source and values[program.used(t, c)] > 1e-12
        }
        found = flows.static_cuts(flow) if program.rounds is None else flows.small_cuts(flow)
        fresh = [cut for cut in found if _row(program, cut) not in rows]
        if not fresh:
            break
        for cut in fresh:
            if _row(program, cut) not in rows:
                rows.add(_row(program, cut))
                cuts[cut] = None
    solution = solve_lp(program.build(list(cuts)))
    if solution is None:
        return None
    needed = program.build([])
    fixed = len(needed.rows)
    kept = [cut for i, cut in enumerate(cuts) if solution.multipliers.get(fixed + i)]
    places = {i: n for n, i in enumerate(i for i in range(len(cuts)) if solution.multipliers.get(fixed + i))}
    multipliers = {
        str(row if row < fixed else fixed + places[row - fixed]): str(y)
        for row, y in sorted(solution.multipliers.items())
    }
    return tidy(solution.bound), {"cuts": [list(cut) for cut in kept], "multipliers": multipliers}


def _first_cuts(program: Timed) -> Sequence[Cut]:
    """Around the source, and around every other node, in all rounds."""
    n, last = program.network.node_count, 1 if program.rounds is None else program.rounds + 1
    alone = tuple(0 if v == program.source else last for v in range(n))
    others = [tuple(last if v == w else 0 for v in range(n)) for w in range(n) if w != program.source]
    distinct: dict[Row, Cut] = {}
    for cut in others[: 1 if program.network.is_complete else n]:
        distinct.setdefault(_row(program, cut), cut)
    return [alone, *distinct.values()]


def _row(program: Timed, cut: Cut) -> Row:
    return tuple(sorted(program.crossing(cut).items()))
