"""Rounds that repeat with a period p: round t + p has the same calls as round t."""

from __future__ import annotations

from typing import Any

from .network import Network
from .rounds import call_ends, replay_rounds, rounds_in_words
from .wrong import require


def repeated_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """The quantity that the claim is about, and the rules."""
    quantity, rules = rounds_in_words(claim)
    rules += f" Rounds that are {claim['period']} apart have the same calls."
    if claim.get("edge_colouring"):
        rules += " No link is used twice among those that do not repeat."
    return quantity.replace("rounds", f"rounds with period {claim['period']}", 1), rules


def replay_repeated(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """The number of rounds of a schedule that keeps the rules and does the task."""
    period = claim["period"]
    require(
        schedule.get("period", period) == period, "the schedule says that it has another period"
    )
    calls = [[call_ends(call, claim["two_way"]) for call in made] for made in schedule["rounds"]]
    ways = [{frozenset(c) if claim["two_way"] else c for c in made} for made in calls]
    for t in range(period, len(ways)):
        require(
            ways[t] == ways[t - period], f"round {t + 1} does not repeat round {t + 1 - period}"
        )
    if claim.get("edge_colouring"):
        used = [frozenset(call) for made in calls[:period] for call in made]
        require(len(set(used)) == len(used), "a link is used twice in a period")
    return replay_rounds(claim, network, schedule)
