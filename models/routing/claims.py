"""Lower bounds of the routing model that anybody can recompute, and the plain formula for "M rounds suffice".

The least number of rounds is the greatest number of messages with the same source or the same destination:

- No schedule has fewer rounds, as a node sends at most one message, and receives at most one, in a round.
- Messages with at most M from every source and to every destination fall into M sets in which no source and
  no destination occurs twice (König: the edges of a bipartite multigraph of maximum degree M have a colouring
  with M colours).
- Each such set is delivered in one round (Benes; see `constructions.route_permutation`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from schedsolve.errors import ClaimError
from schedsolve.formulas.cnf import Cnf
from schedsolve.kernel.routes import most_messages_bound, replay_routes, routes_in_words
from schedsolve.modelkit.bundle import Bundle, Proof
from schedsolve.modelkit.refutation import refuse_large_formula
from schedsolve.modelkit.theorem_bounds import LowerBound
from schedsolve.problem import Problem

from .rules import Message, messages_of, processor_count, turning_level


def multiplicity(problem: Problem) -> int:
    """The greatest number of messages with the same source, or with the same destination: a node sends and
    receives one in a round.
    """
    messages = messages_of(problem)
    return max(
        (count for end in (0, 1) for count in Counter(message[end] for message in messages).values()),
        default=0,
    )


def load_factor(problem: Problem) -> int:
    """The load factor (Leiserson 1985), rounded up: the greatest ratio of the messages that must pass a
    channel and its wires.

    The channel above a subtree of 2^l processing nodes has 2^l wires up and as many down. It never says more
    than `multiplicity`, as a subtree sends at most as many messages as its nodes, and never less, as the
    channel of one node has one wire.
    """
    load: Counter[tuple[str, int, int]] = Counter()
    for source, destination in messages_of(problem):
        for level in range(turning_level(source, destination) + 1):
            load["up", level, source >> level] += 1
            load["down", level, destination >> level] += 1
    return max((-(-count // (1 << level)) for (_, level, _), count in load.items()), default=0)


LOWER_BOUNDS = (
    LowerBound(
        "multiplicity",
        "counting: a node sends at most one message, and receives at most one, in a round",
        multiplicity,
    ),
    LowerBound(
        "load-factor",
        "load factor: the messages through a channel, for each of its wires (Leiserson 1985)",
        load_factor,
    ),
)


CLAIMS: Mapping[str, Callable[[Problem, Mapping[str, Any]], int]] = {
    bound.name: bound.claim for bound in LOWER_BOUNDS
}


@dataclass(frozen=True)
class RoutingFormula:
    """A formula that has a model exactly when the messages can be delivered within `rounds` rounds.

    sent[i, t]: "message i is sent in round t". taken[i, l, r]: "message i passes router r of level l", for l
    up to where it turns.
    """

    cnf: Cnf
    messages: Sequence[Message]
    rounds: int
    sent: dict[tuple[int, int], int] = field(default_factory=dict)
    taken: dict[tuple[int, int, int], int] = field(default_factory=dict)

    def names(self) -> dict[int, str]:
        """The names of the variables; messages by their numbers."""
        named = {x: f"message_{i}_sent_t{t}" for (i, t), x in self.sent.items()}
        return named | {x: f"message_{i}_level_{level}_router_{r}" for (i, level, r), x in self.taken.items()}


def routing_formula(problem: Problem, rounds: int) -> RoutingFormula:
    """The plain formula for "`rounds` rounds suffice".

    - Every message is sent in one round, and in no two.
    - At every level up to where it turns, a message passes one router, and no two.
    - A message that passes router r of level l > 0 passes router r modulo 2^(l-1) of the level below.
    - Two messages that are sent in the same round do not pass the same router of level l if they come from
      the same subtree of level l, as they would use the same wire up, nor if they go to the same subtree, as
      they would use the same wire down. (The wire up into router r of level l is determined by r and the
      subtree of 2^l processing nodes below, and so is the wire down.)
    - The messages from the source, or to the destination, that has most of them are sent in rounds 1, 2, ...
      in their order. (They are sent in distinct rounds, and the rounds of a schedule may be exchanged.)
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
    """The numbers of the messages from the source, or to the destination, that has most; the lowest such
    source if there is one.
    """
    groups: dict[tuple[int, int], list[int]] = {}
    for i, message in enumerate(messages):
        for end in (0, 1):
            groups.setdefault((end, message[end]), []).append(i)
    return groups[min(groups, key=lambda key: (-len(groups[key]), key))] if groups else []


def formula_size(problem: Problem, rounds: int) -> int:
    """About how many literals the plain formula for `rounds` rounds has at most."""
    m, n = len(problem.parameters["messages"]), processor_count(problem.network)
    levels = n.bit_length() - 1
    pairs = sum(_pairs_of_level(messages_of(problem), level) << level for level in range(levels))
    return m * (rounds**2 + n * n) + 4 * rounds * pairs


def _pairs_of_level(messages: Sequence[Message], level: int) -> int:
    """How many pairs of messages come from the same subtree of a level, or go to the same one, at most."""
    counts = [
        Counter(message[end] >> level for message in messages if turning_level(*message) >= level)
        for end in (0, 1)
    ]
    return sum(count * (count - 1) // 2 for counter in counts for count in counter.values())


def refutation_formula(problem: Problem, evidence: Mapping[str, Any]) -> tuple[int, Cnf]:
    """What a refutation must refute: the bound that it proves, and the formula.

    evidence: "rounds", which are claimed not to suffice. Raises ClaimError when it is no such number, or the
    formula would be too large.
    """
    rounds = evidence.get("rounds")
    if type(rounds) is not int or not 0 <= rounds < len(problem.parameters["messages"]):
        raise ClaimError("a refutation is for a number of rounds below the number of messages")
    refuse_large_formula(formula_size(problem, rounds), rounds)
    f = routing_formula(problem, rounds)
    f.cnf.names = f.names
    return rounds + 1, f.cnf


def bundle(problem: Problem) -> Bundle:
    """What verifies a problem alone: its referee and its bound, as the kernel has them."""
    claim = {"messages": [list(message) for message in messages_of(problem)]}
    return Bundle(claim, routes_in_words, replay_routes, _proof)


def _proof(evidence: Mapping[str, Any]) -> Proof | None:
    return Proof(most_messages_bound) if evidence["kind"] == "multiplicity" else None
