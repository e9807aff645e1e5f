"""Prices for the second and the last but one round of a one-way gossip, computed by linear programming.

`python -m studies.prices_outer` writes those that come with the package, each checked by the claim.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import Any

from schedsolve.backends.lp import float_solution
from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.bounds.prices_outer import SHIPPED
from schedsolve.models.matching.claims.market import Market, offers_by_tag
from schedsolve.models.matching.claims.prices_outer import (
    ROLES,
    SECOND,
    TRADES,
    earned_by_roles,
    excluded_outer_calls,
    last_but_one,
    role_counts,
    starts,
)
from schedsolve.network.graph import Network
from studies.prices_between import LIMIT, UNIT, PriceProgram

SLACK = 0.01
"""By how much less a total must be than what it would take, so that rounding does not matter."""
WANTING = ("calls", "other")
"""The roles in the last round but one of those that have to know all."""


@dataclass(frozen=True)
class Question:
    """For which degree, rounds of the whole gossip and number of nodes all c and c' are tried."""

    degree: int
    rounds: int
    nodes: int


QUESTIONS = (Question(3, 6, 10), Question(4, 7, 16), Question(3, 7, 14), Question(3, 8, 20))


def computed_prices(question: Question, c: int, d: int) -> dict[str, Any] | None:
    """Return the entry that excludes c calls in the second round and d in the last but one.

    None when prices do not show that no gossip has them.

    What all nodes earn together is minimised, where one that has to know all gets 1 for it. Raises
    AssertionError where rounding spoils it.
    """
    wanted = question.nodes // 2
    market = Market(question.degree, question.rounds - 3, wanted - c, False, table={})
    counts = (*role_counts(c, wanted), *role_counts(d, wanted))
    made, roles = _program(market, counts)
    solution = float_solution(made.program, inf)
    assert solution is not None, f"no prices were found for {question} with {c} and {d}"
    if (
        sum(count * solution.values[role] for count, role in zip(counts, roles, strict=True))
        > wanted - d - SLACK
    ):
        return None
    table = {key: round(solution.values[v] * UNIT) for key, v in sorted(made.prices.items())}
    second = [round(solution.values[v] * UNIT) for v in roles[: len(ROLES)]]
    earned = earned_by_roles(replace(market, table=table))
    last = [max(most[k] - role for most, role in zip(earned, second, strict=True)) for k in range(len(ROLES))]
    return {
        "degree": question.degree,
        "second": c,
        "last_but_one": d,
        "roles_second": second,
        "roles_last_but_one": last,
        "prices": [[*key, price] for key, price in table.items()],
    }


def _program(market: Market, counts: Sequence[int]) -> tuple[PriceProgram, list[int]]:
    """Return the linear program of one c and c', and the variables of the roles.

    Parameters
    ----------
    market
        The states and moves that have prices.
    counts
        How many nodes have each role, in the second round and in the last but one.
    """
    made = PriceProgram(market, width=len(ROLES))
    add, roles = made.program.add, [made.program.variable(count, LIMIT) for count in counts]
    second, last = roles[: len(ROLES)], roles[len(ROLES) :]
    after_second = starts(market)
    made.begin({state: None for states in after_second for state in states})
    for role, states, sign in zip(second, after_second, TRADES, strict=True):
        for state, paid in zip(states, ({}, made.paid(sign, SECOND)), strict=False):
            for other, later in zip(last, made.layer[state], strict=True):
                add({role: 1, other: 1, later: -1, **paid}, ">=", 0)
    for t in range(1, market.rounds):
        made.add_round(t)
    offers = offers_by_tag(edges for _, edges in made.layer)
    for state, earned in made.layer.items():
        for sign, key, succeeds in last_but_one(market, state, offers):
            for name, now, success in zip(ROLES, earned, succeeds, strict=True):
                if success:
                    add({now: 1, **made.paid(sign, key)}, ">=", int(name in WANTING))
    return made, roles


def main() -> None:
    """Compute all prices again and write them where they are shipped."""
    lines = []
    for question in QUESTIONS:
        most = question.nodes // 4
        pairs = [(c, d) for d in range(most + 1) for c in range(most + 1)]
        found = {pair: entry for pair in pairs if (entry := computed_prices(question, *pair)) is not None}
        # Of a pair and its reverse one will do.
        entries = [entry for (c, d), entry in found.items() if c <= d or (d, c) not in found]
        network = Network.from_spec(f"harary:{question.degree},{question.nodes}")
        excluded_outer_calls(Problem("telegraph", "gossip", network), question.rounds, entries)
        print(question, "all but", sorted({*pairs} - {*found} - {(d, c) for c, d in found}), flush=True)
        shipped = {"degree": question.degree, "rounds": question.rounds, "nodes": question.nodes}
        lines.append(json.dumps(shipped | {"outer_calls": entries}, separators=(",", ":")))
    SHIPPED.write_text("[\n{}\n]\n".format(",\n".join(lines)), encoding="utf-8")


if __name__ == "__main__":
    main()
