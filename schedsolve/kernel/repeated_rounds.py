"""Rounds that repeat with a period p: round t + p has the same calls as round t."""

from __future__ import annotations

from typing import Any

from .network import Network
from .rounds import call_ends, replay_rounds, rounds_in_words
from .wrong import require


def repeated_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    quantity, rules = rounds_in_words(claim)
    rules += f" Rounds that are {claim['period']} apart have the same calls."
    return quantity.replace("rounds", f"rounds with period {claim['period']}", 1), rules


def replay_repeated(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Check a schedule against the rules and the task, and return its number of rounds."""
    period, ways = claim["period"], []
    require(schedule.get("period", period) == period, "the schedule has another period")
    for calls in schedule["rounds"]:
        ends = [call_ends(call, claim["two_way"]) for call in calls]
        ways.append({frozenset(c) for c in ends} if claim["two_way"] else set(ends))
    for t in range(period, len(ways)):
        require(
            ways[t] == ways[t - period], f"round {t + 1} does not repeat that of a period before"
        )
    return replay_rounds(claim, network, schedule)


def coloured_in_words(claim: dict[str, Any]) -> tuple[str, str]:
    """Return the quantity that the claim is about, and the rules."""
    quantity, rules = repeated_in_words(claim)
    return quantity, f"{rules} No link is used twice in a period."


def replay_coloured(claim: dict[str, Any], network: Network, schedule: Any) -> int:
    """Return the rounds of a schedule that also uses every link at most once per period."""
    period = [call for calls in schedule["rounds"][: claim["period"]] for call in calls]
    used = {frozenset(call_ends(call, claim["two_way"])) for call in period}
    require(len(used) == len(period), "a link is used twice in a period")
    return replay_repeated(claim, network, schedule)
