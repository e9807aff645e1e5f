"""Rounds that repeat with a period p: round t + p has the same calls as round t."""

from __future__ import annotations

from typing import Any

from .network import Network
from .rounds import replay_rounds, rounds_in_words, rounds_of
from .wrong import require, require_form


def repeated_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    quantity, rules = rounds_in_words(claim)
    rules += f" Rounds that are {claim['period']} apart have the same calls."
    rules += " No link is used twice in a period." if claim.get("edge_colouring") else ""
    return quantity.replace("rounds", f"rounds with period {claim['period']}", 1), rules


def replay_repeated(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its number of rounds."""
    require_form(schedule, {"rounds": list, "period?": int})
    period = claim["period"]
    require(schedule.get("period", period) == period, "the schedule has another period")
    schedule = {"rounds": schedule["rounds"]}
    rounds = rounds_of(claim, schedule)
    same = frozenset if claim["two_way"] else tuple
    ways = [{same(call) for call in calls} for calls in rounds]
    for t in range(period, len(ways)):
        require(
            ways[t] == ways[t - period], f"round {t + 1} does not repeat that of a period before"
        )
    used = [frozenset(call) for calls in rounds[:period] for call in calls]
    once = not claim.get("edge_colouring") or len(set(used)) == len(used)
    require(once, "a link is used twice in a period")
    return replay_rounds(claim, network, schedule)
