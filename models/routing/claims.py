"""Lower bounds of the routing model that anyone can recompute, and the plain formula for "M rounds suffice".

The least number of rounds is the greatest number of messages with the same source or the same
destination:

1. No schedule has fewer rounds, since a node sends at most one message and receives at most one per
   round.
2. If every source sends and every destination receives at most M messages, the messages can be divided
   into M sets in each of which sources and destinations are distinct (König: the edges of a bipartite
   multigraph of maximum degree M have a coloring with M colors; see `constructions.colour_messages`).
3. Each such set is delivered in one round (Benes; see `constructions.route_permutation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from schedsolve.modelkit.evidence import EvidenceKind, Kinds, fields
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.refutation import refuse_large_formula
from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.runtime.errors import ClaimError

from .rules import Message, messages_of, processor_count, turning_level


def multiplicity(problem: Problem) -> int:
    """Return the greatest number of messages with the same source or with the same destination.

    It bounds the rounds, since a node sends at most one message and receives at most one per round. Step 1
    of the proof above.
    """
    messages = messages_of(problem)
    return max(
        (count for end in (0, 1) for count in Counter(message[end] for message in messages).values()),
        default=0,
    )


LOWER_BOUNDS = (
    LowerBound(
        "multiplicity",
        "counting: a node sends at most one message, and receives at most one, in a round",
        multiplicity,
    ),
)


EVIDENCE: Kinds = {
    **{bound.name: EvidenceKind(fields(), bound.claim) for bound in LOWER_BOUNDS},
    "refutation": EvidenceKind(fields()),
}
RETIRED = {"load-factor": "0.2.0"}
"""Kinds of evidence that are no longer read, each with the last version that reads it.

The load factor (Leiserson 1985) is the greatest number, over all channels, of messages that must pass
the channel per wire, rounded up. It equals `multiplicity`: 2^l nodes, which have 2^l wires above them,
send at most 2^l times as many messages as one node may, and the channel of one node has one wire.
"""


@dataclass(frozen=True)
class RoutingFormula:
    """A formula that is satisfiable exactly when the messages can be delivered within `rounds` rounds.

    The variable sent[i, t] says "message i is sent in round t", and taken[i, l, r] says "message i passes
    router r of level l", for the levels l up to the one where the message turns.
    """

    cnf: Cnf
    messages: Sequence[Message]
    rounds: int
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    taken: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def names(self) -> dict[int, str]:
        """Return the names of the variables, in which messages appear by their numbers."""
        named = {x: f"message_{i}_sent_t{t}" for (i, t), x in self.sent.items()}
        return named | {x: f"message_{i}_level_{level}_router_{r}" for (i, level, r), x in self.taken.items()}


def routing_formula(problem: Problem, rounds: int) -> RoutingFormula:
    """Return the plain formula for "`rounds` rounds suffice".

    - Every message is sent in exactly one round.
    - At every level up to the one where it turns, a message passes exactly one router.
    - A message that passes router r of level l > 0 passes router r modulo 2^(l-1) of the level below.
    - Two messages that are sent in the same round do not both pass the same router of level l if they come
      from the same subtree of level l, since they would use the same wire up, nor if they go to the same
      subtree, since they would use the same wire down. (The wire up into router r of level l is determined
      by r and the subtree of 2^l processing nodes below, and so is the wire down.)
    - The messages of the source, or of the destination, that has the most messages are sent in rounds 1, 2,
      ... in their order. (They are sent in distinct rounds, and the rounds of a schedule can be permuted.)
    """
    f = RoutingFormula(Cnf(), messages_of(problem), rounds)
    tops = [turning_level(*message) for message in f.messages]
    for i, top in enumerate(tops):
        for t in range(1, rounds + 1):
            f.sent[i, t] = f.cnf.new()
        in_rounds = [f.sent[i, t] for t in range(1, rounds + 1)]
        f.cnf.add(*in_rounds)
        f.cnf.at_most_one(in_rounds)
        for level in range(top + 1):
            for r in range(1 << level):
                f.taken[i, level, r] = f.cnf.new()
                if level:
                    f.cnf.add(-f.taken[i, level, r], f.taken[i, level - 1, r % (1 << level - 1)])
            passed = [f.taken[i, level, r] for r in range(1 << level)]
            f.cnf.add(*passed)
            f.cnf.at_most_one(passed)
    for (i, first), (j, second) in combinations(enumerate(f.messages), 2):
        for level in range(min(tops[i], tops[j]) + 1):
            if any(a >> level == b >> level for a, b in zip(first, second, strict=True)):
                for r in range(1 << level):
                    for t in range(1, rounds + 1):
                        f.cnf.add(-f.sent[i, t], -f.sent[j, t], -f.taken[i, level, r], -f.taken[j, level, r])
    for t, i in enumerate(_most_at_one_node(f.messages), 1):
        if t <= rounds:
            f.cnf.add(f.sent[i, t])
    return f


def _most_at_one_node(messages: Sequence[Message]) -> list[int]:
    """Return the numbers of the messages of the source or the destination that has the most messages.

    Ties go to a source before a destination, and then to the lowest node.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for i, message in enumerate(messages):
        for end in (0, 1):
            groups.setdefault((end, message[end]), []).append(i)
    return groups[min(groups, key=lambda key: (-len(groups[key]), key))] if groups else []


def formula_size(problem: Problem, rounds: int) -> int:
    """Return an estimate of the most literals that the plain formula for `rounds` rounds can have."""
    m, n = len(problem.parameters["messages"]), processor_count(problem.network)
    levels = n.bit_length() - 1
    pairs = sum(_pairs_of_level(messages_of(problem), level) << level for level in range(levels))
    return m * (rounds**2 + n * n) + 4 * rounds * pairs


def _pairs_of_level(messages: Sequence[Message], level: int) -> int:
    """Return a bound on the pairs of messages from the same subtree of a level, or to the same one."""
    counts = [
        Counter(message[end] >> level for message in messages if turning_level(*message) >= level)
        for end in (0, 1)
    ]
    return sum(count * (count - 1) // 2 for counter in counts for count in counter.values())


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """Return the bound that a refutation proves, and the formula that it must refute.

    Parameters
    ----------
    problem
        The problem, with its messages.
    evidence
        The evidence; its "rounds" are the number of rounds that is claimed not to suffice.

    Raises
    ------
    ClaimError
        If "rounds" is not a number below the number of messages, or the formula would be too large.
    """
    rounds = evidence.get("rounds")
    if type(rounds) is not int or not 0 <= rounds < len(problem.parameters["messages"]):
        raise ClaimError("a refutation is for a number of rounds below the number of messages")
    refuse_large_formula(formula_size(problem, rounds), rounds)
    f = routing_formula(problem, rounds)
    f.cnf.names = f.names
    return rounds + 1, f.cnf
