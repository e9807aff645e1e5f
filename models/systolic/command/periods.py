"""The command `schedsolve explore periods`: the heights of complete trees with a periodic optimal gossip."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

from schedsolve.modelkit.verb import JSON, CliContext, Verb, add_options, natural, span
from schedsolve.runtime.errors import InputError

from ..bounds.tree_periods import Heights, heights_of
from ..bounds.tree_values import least_value
from ..claims.saved_periods import FORMAT, LARGEST_ARITY, LONGEST_PERIOD

GREATEST_HEIGHT = 30
"""The greatest height for which a value is computed."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments to a parser."""
    add_options(parser, {"--arity K": "children of an inner node"}, type=natural, required=True)
    add_options(parser, {"--two-way": "telephone calls; one-way ones otherwise"})
    add_options(parser, {"--period A..B": "the periods, a row for each"}, required=True)
    others = {
        "--value": "the least rounds of a gossip with each period, for each height",
        "--heights A..B": "with --value: the heights of the trees [1..4]",
        "-o --output FILE": "save the types and refutations, for check",
    }
    add_options(parser, others | JSON)


def run(arguments: argparse.Namespace, context: CliContext) -> int:
    """Run the verb and return 0, or 3 if some height is undecided."""
    arity, two_way = arguments.arity, arguments.two_way
    periods = span("--period", arguments.period, 1, LONGEST_PERIOD)
    if not 2 <= arity <= LARGEST_ARITY:
        raise InputError(f"--arity takes 2 to {LARGEST_ARITY}, not {arity}")
    if arguments.value:
        return _run_values(arguments, context, periods)
    if arguments.heights is not None:
        raise InputError("--heights goes with --value")
    if arguments.output is not None:
        context.refuse_output(arguments.output)
    rows: dict[int, Heights] = {}
    for period in periods:
        context.progress(f"period {period}")
        rows[period] = heights_of(arity, two_way, period)
    context.progress("")
    data = rows_to_json(arity, two_way, rows)
    if arguments.output is not None:
        context.write_json(data, arguments.output)
    if arguments.json:
        context.print_json(data)
    else:
        print("\n".join(_lines(arity, two_way, rows, context)))
    return 0 if all(row.settled for row in rows.values()) else 3


def explored(*, arity: int, periods: Iterable[int], two_way: bool = False) -> dict[int, Heights]:
    """Return for every period the heights of complete trees in which an optimal gossip can have the period.

    Parameters
    ----------
    arity
        The number of children of an inner node.
    periods
        The periods.
    two_way
        Whether calls are two-way (telephone); otherwise they are one-way (telegraph).

    Raises
    ------
    InputError
        If the arity or a period is out of range.
    """
    if not 2 <= arity <= LARGEST_ARITY:
        raise InputError(f"--arity takes 2 to {LARGEST_ARITY}, not {arity}")
    asked = sorted(set(periods))
    if not asked or not 1 <= asked[0] <= asked[-1] <= LONGEST_PERIOD:
        raise InputError(f"--period takes numbers from 1 to {LONGEST_PERIOD}")
    return {period: heights_of(arity, two_way, period) for period in asked}


def _run_values(arguments: argparse.Namespace, context: CliContext, periods: Iterable[int]) -> int:
    """Print the least rounds for every period and height, and return 0."""
    arity, two_way = arguments.arity, arguments.two_way
    if arguments.output is not None:
        raise InputError("--value saves no file; `solve ... --period P -o FILE` saves a gossip for check")
    heights = span("--heights", arguments.heights or "1..4", 1, GREATEST_HEIGHT)
    values: dict[tuple[int, int], int | None] = {}
    for period in periods:
        for height in heights:
            context.progress(f"period {period}, height {height}")
            values[period, height] = least_value(arity, height, two_way, period)
    context.progress("")
    if arguments.json:
        rows = [{"period": p, "height": h, "value": value} for (p, h), value in values.items()]
        context.print_json({"arity": arity, "mode": _mode(two_way), "rows": rows})
        return 0
    cells = [
        [str(p), *("none" if values[p, h] is None else str(values[p, h]) for h in heights)]
        for p in dict.fromkeys(p for p, _ in values)
    ]
    title = f"least rounds of a {_mode(two_way)} gossip in the complete {arity}-ary tree of height h"
    print(f"{title}, with a period")
    print("\n".join(context.table_lines(["period", *(f"h = {h}" for h in heights)], cells)))
    return 0


def _lines(arity: int, two_way: bool, rows: Mapping[int, Heights], context: CliContext) -> list[str]:
    """Return the answer as text: a row for every period, and the least period for every height."""
    optimum = f"{2 * arity}h{' - 1' if two_way else ''}"
    cells = [[str(period), _verdict(row), _proof(row)] for period, row in rows.items()]
    title = f"gossip in {optimum} rounds, {_mode(two_way)}, in complete {arity}-ary trees of height h >= 1"
    return [title, *context.table_lines(["period", "heights", "proven by"], cells), *_least(rows)]


def _mode(two_way: bool) -> str:
    return "two-way" if two_way else "one-way"


def _verdict(row: Heights) -> str:
    if row.works is None:
        return "works at every height"
    if row.fails is None:
        return f"works up to height {row.works}, open above"
    upto = f"works up to height {row.works}" if row.works else "works at no height"
    gap = "" if row.settled else f", open up to height {row.fails - 1}"
    return f"{upto}{gap}, fails from height {row.fails} on"


def _proof(row: Heights) -> str:
    if row.types is not None:
        return f"{len(row.types.kinds)} types"
    return "" if row.fails is None else f"refutation, slacks below {row.slack}, costs up to {row.most}"


def _least(rows: Mapping[int, Heights]) -> list[str]:
    """Return the least of the periods for every height, if all of the rows are settled."""
    if not all(row.settled for row in rows.values()):
        return []
    ends = sorted({row.works for row in rows.values() if row.works})
    found: list[tuple[int, int | None, int]] = []
    for low, high in [*pairwise([0, *ends]), (ends[-1] if ends else 0, None)]:
        serving = [p for p, row in rows.items() if row.works is None or (high and row.works >= high)]
        if serving and found and found[-1][2] == serving[0]:
            found[-1] = (found[-1][0], high, serving[0])
        elif serving:
            found.append((low + 1, high, serving[0]))
    words = [
        f"{p} for h {f'>= {low}' if high is None else f'= {low}' if low == high else f'= {low}..{high}'}"
        for low, high, p in found
    ]
    return [f"least of these periods: {', '.join(words)}"] if words else []


def rows_to_json(arity: int, two_way: bool, rows: Mapping[int, Heights]) -> dict[str, Any]:
    """Return the rows as one JSON object, with their proofs."""
    entries = []
    for period, row in rows.items():
        entry: dict[str, Any] = {"period": period, "works_up_to": row.works, "fails_from": row.fails}
        if row.types is not None:
            entry["works_up_to"] = "every height"
            entry["root"] = [list(pair) for pair in row.types.root]
            entry["types"] = [
                {
                    "slack": a,
                    "delay": d,
                    "cost": kind.cost,
                    "children": [list(child) for child in kind.children],
                }
                for (a, d), kind in sorted(row.types.kinds.items())
            ]
        elif row.fails is not None:
            entry["refutation"] = {"slack": row.slack, "most": row.most}
        entries.append(entry)
    return {"format": FORMAT, "arity": arity, "mode": _mode(two_way), "rows": entries}


EXPLORE = Verb(
    "explore",
    "for which heights of complete trees an optimal gossip has a period",
    add_arguments,
    run,
    explored,
    subject="periods",
)
