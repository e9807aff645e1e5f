"""From a broadcast without a period to systolic broadcast, accumulation and gossip: a tree's calls folded
into a period.

Source: Hromkovic, Klasing, Unger, Wagener, Pardubska (RAIRO 1994), Lemmas 2.4 and 2.5 and Theorem 2.6.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

Calls = list[tuple[int, int]]


def compacted(rounds: Sequence[Sequence[tuple[int, int]]], sources: Collection[int]) -> list[Calls]:
    """The calls (caller, callee) that inform somebody for the first time, each as early as their order at the
    caller allows.

    Whoever is informed in round t makes its calls in rounds t + 1, t + 2, ... without a pause, a source in
    rounds 1, 2, ...; nobody is informed later than before (properties (i) to (iii) in the proof of Lemma
    2.4).

    rounds: a broadcast from the sources.
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
    """The greatest number of calls that one node takes part in; in a compacted broadcast the degree of its
    tree.
    """
    count: dict[int, int] = {}
    for calls in rounds:
        for call in calls:
            for end in call:
                count[end] = count.get(end, 0) + 1
    return max(count.values(), default=0)


def folded(rounds: Sequence[Calls], period: int, offset: int = 0) -> list[Calls]:
    """The slots of a period, `period` of them: slot s has the calls of all rounds t with t + offset = s
    modulo the period.

    Of a compacted broadcast whose tree has at most that degree, the calls of a slot share no node (Lemma
    2.4).
    """
    slots: list[Calls] = [[] for _ in range(period)]
    for t, calls in enumerate(rounds):
        slots[(t + offset) % period] += calls
    return slots


def accumulation_and_broadcast(rounds: Sequence[Calls], block: int, *, late_start: bool) -> list[Calls]:
    """One period, 2 `block` slots, of a gossip that accumulates at the source in one half of the period and
    broadcasts in the other.

    rounds: a compacted broadcast from one source in m >= 1 rounds, its tree of degree `block` at most.
    late_start: begin so late in the accumulating half that the accumulation ends exactly at an end of it; the
    gossip then is complete after 2 m + 2 block (ceil(m / block) - 1) <= 4 m - 2 rounds. Otherwise as printed
    (Theorem 2.6), after at most 4 m + 2 block.
    """
    backwards = [[(v, u) for u, v in calls] for calls in reversed(rounds)]
    start = -len(rounds) % block if late_start else 0
    period = folded(backwards, block, start) + folded(rounds, block)
    return period[start:] + period[:start]
