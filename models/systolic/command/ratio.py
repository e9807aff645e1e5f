"""The command `schedsolve explore ratio`: periodic gossip against broadcast, for every network of a set.

Theorem 2.6 of Hromkovic et al. (1994) bounds the rounds of a gossip with a period by 4 min b and a constant,
min b the rounds of a broadcast from the best source; their first open problem asks whether 4 is needed.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result, Status, Value, value_to_json
from schedsolve.modelkit.verb import CliContext, Verb, seconds
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.number_reader import whole_number

LONGEST_PERIOD = 1000
Solver = Callable[[Problem], Result]
"""Solves a problem; `schedsolve.solve` is one."""


@dataclass(frozen=True)
class Ratio:
    """What is known of one network: a gossip with the period, and a broadcast from the best source."""

    network: Network
    gossip: Result
    broadcast: Result

    @property
    def possible(self) -> bool:
        """Whether a gossip with the period is not refuted."""
        return self.gossip.status is not Status.INFEASIBLE

    @property
    def least(self) -> Fraction | None:
        """The ratio is at least this; None without a gossip."""
        return self._quotient(self.gossip.lower_bound, self.broadcast.value) if self.possible else None

    @property
    def most(self) -> Fraction | None:
        """The ratio is at most this; None while nothing says so."""
        return self._quotient(self.gossip.value, self.broadcast.lower_bound) if self.possible else None

    @property
    def settled(self) -> bool:
        """Whether the ratio is known, or that there is none."""
        return not self.possible or (self.least is not None and self.least == self.most)

    def _quotient(self, gossip: Value | None, broadcast: Value | None) -> Fraction | None:
        return Fraction(gossip) / broadcast if gossip is not None and broadcast else None


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments to a parser."""
    parser.add_argument("networks", metavar="NETWORKS", help="a set such as trees:7, or path:3..9, or a file")
    parser.add_argument("--period", required=True, metavar="P|min", help="of the gossip; min: the least one")
    parser.add_argument("--two-way", action="store_true", help="telephone calls; one-way ones otherwise")
    parser.add_argument("--time-limit", type=seconds, metavar="S", help="seconds for each optimum")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")


def run(arguments: argparse.Namespace, context: CliContext) -> int:
    """Run the verb and return 0, or 3 if some ratio is not settled."""
    period = _period(arguments.period)
    rows: list[Ratio] = []
    solver = partial(context.solve, seconds=arguments.time_limit)
    for network in networks_of(arguments.networks):
        context.progress(f"network {len(rows) + 1}")
        rows.append(ratio_of(network, period, arguments.two_way, solver))
    context.progress("")
    data = rows_to_json(rows, period, arguments.two_way)
    if arguments.json:
        context.print_json(data)
    else:
        print("\n".join(_lines(data, context)))
    return 0 if all(row.settled for row in rows) else 3


def explored(
    *, networks: Iterable[Network], period: int | str, solve: Solver, two_way: bool = False
) -> list[Ratio]:
    """Return for every network a gossip with the period and a broadcast from the best source, and the ratio.

    Parameters
    ----------
    networks
        Undirected networks with two nodes or more.
    period
        The period, or "min" for the least one.
    solve
        What solves the problems, such as `schedsolve.solve`.
    two_way
        Whether calls are two-way (telephone); otherwise they are one-way (telegraph).

    Raises
    ------
    InputError
        If the period is none, or a network has one node or is directed.
    """
    chosen = _period(str(period))
    return [ratio_of(network, chosen, two_way, solve) for network in networks]


def ratio_of(network: Network, period: int | str, two_way: bool, solve: Solver) -> Ratio:
    """Return the row of a network.

    Raises
    ------
    InputError
        If it has one node, or is directed or disconnected.
    """
    if network.node_count < 2 or network.directed or not network.is_connected:
        raise InputError(
            f"explore ratio takes connected undirected networks of two nodes or more, not {network.name}"
        )
    model = "telephone" if two_way else "telegraph"
    gossip = solve(Problem(model, "gossip", network, {"period": period}))
    return Ratio(network, gossip, solve(Problem(model, "broadcast", network, {"source": "min"})))


def _period(text: str) -> int | str:
    if text == "min":
        return text
    number = whole_number(text, 1, LONGEST_PERIOD, text=True)
    if number is None:
        raise InputError(f"--period takes a number from 1 to {LONGEST_PERIOD}, or min; not {text!r:.60}")
    return number


def rows_to_json(rows: Sequence[Ratio], period: int | str, two_way: bool) -> dict[str, Any]:
    """Return the rows as one JSON object, with the least and the greatest ratio and their networks.

    These two are null while some ratio is not settled, or where no network has one.
    """
    ratios = [row.least for row in rows if row.possible and row.least is not None]
    settled = bool(ratios) and all(row.settled for row in rows)
    return {
        "format": "schedsolve-exploration/1",
        "mode": "two-way" if two_way else "one-way",
        "period": period,
        "rows": [_row_to_json(row) for row in rows],
        "least": _extreme(rows, min(ratios)) if settled else None,
        "greatest": _extreme(rows, max(ratios)) if settled else None,
    }


def _row_to_json(row: Ratio) -> dict[str, Any]:
    period = None if row.gossip.indexed is None else row.gossip.indexed.period
    return {
        "network": row.network.name,
        "status": "settled" if row.settled and row.possible else "open" if row.possible else "infeasible",
        "period": period,
        "gossip": value_to_json(row.gossip.value),
        "gossip_lower_bound": value_to_json(row.gossip.lower_bound),
        "broadcast": value_to_json(row.broadcast.value),
        "broadcast_lower_bound": value_to_json(row.broadcast.lower_bound),
        "ratio": value_to_json(row.least) if row.settled else None,
        "ratio_bounds": [value_to_json(row.least), value_to_json(row.most)],
    }


def _extreme(rows: Sequence[Ratio], ratio: Fraction) -> dict[str, Any]:
    """Return a ratio with all networks that have it, and their links."""
    graphs = [
        {"network": row.network.name, "edges": [list(edge) for edge in row.network.edges]}
        for row in rows
        if row.possible and row.least == ratio
    ]
    return {"ratio": value_to_json(ratio), "networks": graphs}


def _lines(data: dict[str, Any], context: CliContext) -> list[str]:
    """Return the answer as text."""
    title = f"{data['mode']} gossip with period {data['period']} against broadcast from the best source"
    cells = [
        [
            row["network"],
            _between(row, "gossip"),
            str(row["period"] or "-"),
            _between(row, "broadcast"),
            "none" if row["status"] == "infeasible" else str(row["ratio"] or "open"),
        ]
        for row in data["rows"]
    ]
    lines = [title, *context.table_lines(["network", "gossip", "period", "broadcast", "ratio"], cells)]
    for name in ("least", "greatest"):
        if data[name] is not None:
            graphs = ", ".join(graph["network"] for graph in data[name]["networks"])
            lines.append(f"{name} ratio {data[name]['ratio']}: {graphs}")
    return lines


def _between(row: dict[str, Any], name: str) -> str:
    lower, value = row[f"{name}_lower_bound"], row[name]
    if row["status"] == "infeasible" and name == "gossip":
        return "infeasible"
    return str(value) if lower == value else f"{lower}..{'' if value is None else value}"


RATIO = Verb(
    "explore",
    "periodic gossip against broadcast over a set of networks",
    add_options,
    run,
    explored,
    subject="ratio",
)
