"""Systolic broadcast, accumulation and gossip from a broadcast without a period.

The calls of the broadcast's tree are folded into a period.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Lemmas 2.4 and 2.5 and Theorem
2.6.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

Calls = list[tuple[int, int]]


def compacted(rounds: Sequence[Sequence[tuple[int, int]]], sources: Collection[int]) -> list[Calls]:
    """Return the calls that inform a node for the first time, each as early as its caller's order allows.

    In the result (properties (i) to (iii) in the proof of Lemma 2.4) a node that is informed in round
    t makes its calls in rounds t + 1, t + 2, ... without a pause, a source in rounds 1, 2, ...; no
    node is informed later than before.

    Parameters
    ----------
    rounds
        A broadcast from the sources: the calls (caller, callee) of every round.
    sources
        The sources.
    """
    informed_in = dict.fromkeys(sources, 0)
    made = dict.fromkeys(sources, 0)
    compact: list[Calls] = [[] for _ in rounds]
    for calls in rounds:
        for u, v in [(u, v) for u, v in calls if u in informed_in and v not in informed_in]:
            made[u] += 1
            informed_in[v], made[v] = informed_in[u] + made[u], 0
            compact[informed_in[v] - 1].append((u, v))
    while compact and not compact[-1]:
        compact.pop()
    return compact


def most_calls(rounds: Sequence[Calls]) -> int:
    """Return the greatest number of calls in which one node takes part.

    For a compacted broadcast it is the degree of its tree.
    """
    count: dict[int, int] = {}
    for calls in rounds:
        for call in calls:
            for end in call:
                count[end] = count.get(end, 0) + 1
    return max(count.values(), default=0)


def folded(rounds: Sequence[Calls], period: int, offset: int = 0) -> list[Calls]:
    """Return the slots of a period: slot s has the calls of all rounds t with t + offset = s mod the period.

    Rounds and slots are counted from 0 here. For a compacted broadcast whose tree has a degree of at
    most `period`, the calls of a slot share no node (Lemma 2.4).
    """
    slots: list[Calls] = [[] for _ in range(period)]
    for t, calls in enumerate(rounds):
        slots[(t + offset) % period] += calls
    return slots


def accumulation_and_broadcast(
    inward: Sequence[Calls], outward: Sequence[Calls], block: int, *, late_start: bool
) -> list[Calls]:
    """Return one period of a gossip that accumulates at the source in one half and broadcasts in the other.

    The period has 2 `block` slots.

    Parameters
    ----------
    inward
        A compacted broadcast from one source in m >= 1 rounds, its tree of degree at most `block`, which is
        run backwards to accumulate; in a directed network one against the arrows.
    outward
        The same broadcast, or in a directed network one along the arrows.
    block
        Half of the period.
    late_start
        Begin so late in the accumulating half that the accumulation ends exactly at an end of it; the
        gossip is then complete after 2 m + 2 block (ceil(m / block) - 1) <= 4 m - 2 rounds. Otherwise
        as printed (Theorem 2.6), after at most 4 m + 2 block.
    """
    backwards = [[(v, u) for u, v in calls] for calls in reversed(inward)]
    start = -len(inward) % block if late_start else 0
    period = folded(backwards, block, start) + folded(outward, block)
    return period[start:] + period[:start]
