"""One port, a complete network of an even number N of nodes: P packets in T + P - 1 rounds of equal cost.

That so many rounds suffice is a theorem of Bar-Noy, Kipnis and Schieber. The protocol here is another one,
found by counting, and made of phases of T rounds, T the least number with 2^T >= N.

In round i of a phase the source sends packet i of the phase, which is new, to a node that has none of this
phase's packets; all other nodes meet in pairs, and both ways of a pair carry a packet. A node comes into a
phase with one of the T packets of the phase before, and leaves it with all of these and with one of this
phase's. So every node is sent T packets in T rounds, none of them in vain: T - 1 old ones and a new one. If
as many nodes leave with packet i as came with packet i of the phase before, then phase follows phase, with
the nodes in other places.

The last phase ends with the last round. It begins with the last packet, which stands for all packets of its
phase; so every node has all packets in the end. The first phase is cut off in the same way: packets before
the first are not sent.

Which nodes meet follows from few numbers. Nodes without a new packet (*waiting*) own one old packet more
than nodes with one (*served*), so that a waiting and a served node can always meet, a new packet one way, an
old one the other. Waiting nodes can meet when what they own differs, and do so in pairs as long as no set is
owned by more than half of them. So the source and the served nodes meet waiting nodes of the most frequent
set, and the old packet that is owned by the fewest is sent. Where the number of served nodes is less than
doubled, some of them exchange old packets with waiting ones. Ties are broken at random, the same in every
run; if waiting nodes of the same set are left over, the next attempt breaks them differently and has other
numbers of served nodes.

References
----------
Bar-Noy, Kipnis, Schieber, Optimal multiple message broadcasting in telephone-like communication systems
(Discrete Applied Mathematics 100, 2000).
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from schedsolve.runtime.errors import InputError

from .protocol import Message, Protocol, without_vain_packets

ATTEMPTS = 100
NOISE = 0.1
"""How often, in every other pair of attempts, any old packet is sent in place of a rare one."""


@dataclass(frozen=True)
class Phase:
    """A phase of T rounds.

    Attributes
    ----------
    begins, ends
        By place, the number of the old packet that a node comes with, and of the new one that it leaves with.
        Place 0 is the source's, and has no meaning there.
    rounds
        The packets sent: sender, receiver, and the packet, T behind its number if it is new.
    """

    begins: tuple[int, ...]
    ends: tuple[int, ...]
    rounds: tuple[tuple[tuple[int, int, int], ...], ...]


def balanced_phases(nodes: int, packets: int) -> Protocol:
    """Return a broadcast of so many packets from node 0, a packet in every message.

    It takes T + packets - 1 rounds among an even number of nodes, 4 or more.

    Raises
    ------
    InputError
        If no phase was found, which happened for no even number up to 2048.
    """
    phase = find_phase(nodes)
    length = len(phase.rounds)
    total = length + packets - 1
    phases = -(-total // length)
    at = list(range(nodes))
    rounds: list[list[Message]] = []
    for number in range(phases):
        # Packets count from 1 here; the last phase begins with the last one.
        first = packets - (phases - 1 - number) * length
        for sends in phase.rounds:
            numbered = ((at[u], at[v], min(first - length + p, packets)) for u, v, p in sends)
            rounds.append([(u, v, (p - 1,)) for u, v, p in numbered if p >= 1])
        at = _moved(phase, at)
    return without_vain_packets(nodes, packets, rounds[-total:])


def _moved(phase: Phase, at: Sequence[int]) -> list[int]:
    """Return which node is in which place of the next phase: one that comes with what it left with."""
    leaving: dict[int, list[int]] = {}
    for place, packet in enumerate(phase.ends):
        if place:
            leaving.setdefault(packet, []).append(at[place])
    return [leaving[packet].pop() if place else 0 for place, packet in enumerate(phase.begins)]


@lru_cache(maxsize=64)
def find_phase(nodes: int) -> Phase:
    """Return a phase for an even number of nodes, 4 or more; raise InputError when none is found."""
    for attempt in range(ATTEMPTS):
        phase = _Attempt.of(nodes, attempt).phase()
        if phase is not None:
            return phase
    raise InputError(f"no phase was found for {nodes} nodes")


def _growth(nodes: int, attempt: int, rng: random.Random) -> list[int]:
    """Return how many nodes own one of the phase's packets before every round and at its end.

    The source counts. From the end on they are halved; in later attempts some are rounded up to even numbers.
    """
    rounds = (nodes - 1).bit_length()
    numbers = [nodes]
    for left in reversed(range(rounds)):
        half = (numbers[-1] + 1) // 2
        half += 1 if half > 2 and half % 2 and attempt and rng.random() < 0.5 else 0
        numbers.append(min(half, 2**left))
    return numbers[::-1]


def _branches(growth: Sequence[int], largest_stay: bool) -> tuple[list[int], list[list[int]]]:
    """Return how many nodes have each new packet in the end, and in every round how many do not send theirs.

    Who does not has the packet with the most owners, or the first packet.
    """
    rounds = len(growth) - 1
    served, staying = [0] * rounds, []
    for i in range(rounds):
        stay = [0] * rounds
        for _ in range(sum(served) - (growth[i + 1] - growth[i] - 1)):
            able = [p for p in range(rounds) if served[p] > stay[p]]
            stay[max(able, key=lambda p: (2 * served[p] - stay[p] if largest_stay else 0, -p))] += 1
        served = [2 * count - less for count, less in zip(served, stay, strict=True)]
        served[i] += 1
        staying.append(stay)
    return served, staying


@dataclass
class _Attempt:
    """One attempt at a phase.

    owned: by place the old packets, as bits. new: by place the new packet, -1 without one. begins: what owned
    begins with, by number. staying: how many served nodes of each new packet do not send it, by round.
    """

    length: int
    begins: list[int]
    staying: list[list[int]]
    noise: float
    rng: random.Random
    owned: list[int] = field(init=False)
    new: list[int] = field(init=False)
    count: list[int] = field(init=False)
    sets: dict[int, list[int]] = field(init=False)
    sends: list[tuple[int, int, int]] = field(init=False)

    @classmethod
    def of(cls, nodes: int, attempt: int) -> _Attempt:
        """Return the attempt of this number, counted from 0."""
        rng = random.Random(attempt)
        growth = _growth(nodes, attempt, rng)
        numbers, staying = _branches(growth, attempt % 2 == 0)
        begins = [-1, *(p for p, number in enumerate(numbers) for _ in range(number))]
        return cls(len(growth) - 1, begins, staying, NOISE if attempt // 2 % 2 else 0.0, rng)

    def phase(self) -> Phase | None:
        """Return the phase; None when nodes are left over that have nothing to tell each other."""
        self.owned = [0, *(1 << p for p in self.begins[1:])]
        self.new = [-1] * len(self.begins)
        rounds = []
        for i in range(self.length):
            if not self._round(i):
                return None
            rounds.append(tuple(self.sends))
        return Phase(tuple(self.begins), tuple(self.new), tuple(rounds))

    def _round(self, i: int) -> bool:
        """Add round i, and say whether all nodes could meet."""
        places = range(1, len(self.owned))
        served = [v for v in places if self.new[v] >= 0]
        waiting = [v for v in places if self.new[v] < 0]
        self.sends = []
        self.sets = {}
        for v in waiting:
            self.sets.setdefault(self.owned[v], []).append(v)
        self.count = [sum(self.owned[v] >> p & 1 for v in waiting) for p in range(self.length)]
        before = list(self.owned)
        for packet, number in enumerate(self.staying[i]):
            for _ in range(number):
                if not self._stay(served, packet, before):
                    return False
        fresh = [(0, self._pop_node_with_commonest_packets(), i)]
        for u in served:
            v = self._pop_node_with_commonest_packets()
            fresh.append((u, v, self.new[u]))
            self._send_old(v, u, before)
        for u, v, packet in fresh:
            self.new[v] = packet
            self.sends.append((u, v, self.length + packet))
        return self._pair_off(before)

    def _stay(self, served: list[int], packet: int, before: Sequence[int]) -> bool:
        """Let a served node with this new packet exchange old ones with a waiting node; False if none can."""
        able = sorted({before[u]: u for u in served if self.new[u] == packet}.items())
        meetings = [(u, other) for own, u in able for other in self.sets if own & ~other]
        if not meetings:
            return False
        u, other = min(meetings, key=lambda meeting: (-len(self.sets[meeting[1]]), self.rng.random()))
        served.remove(u)
        self._exchange(u, self._take(other), before)
        return True

    def _pop_node_with_commonest_packets(self) -> int:
        """Take away a waiting node that owns one of the most frequent sets of packets."""
        most = max(len(nodes) for nodes in self.sets.values())
        return self._take(self.rng.choice([key for key, nodes in self.sets.items() if len(nodes) == most]))

    def _take(self, key: int) -> int:
        """Take a waiting node away that owns this set."""
        nodes = self.sets[key]
        node = nodes.pop()
        if not nodes:
            del self.sets[key]
        return node

    def _pair_off(self, before: Sequence[int]) -> bool:
        """Let the waiting nodes that are left meet; False when too many of them own the same."""
        groups = list(self.sets.values())
        self.rng.shuffle(groups)
        left = [v for nodes in sorted(groups, key=lambda nodes: -len(nodes)) for v in nodes]
        half = len(left) // 2
        for u, v in zip(left[:half], left[half:], strict=True):
            if before[u] == before[v]:
                return False
            self._exchange(u, v, before)
        return True

    def _exchange(self, u: int, v: int, before: Sequence[int]) -> None:
        self._send_old(u, v, before)
        self._send_old(v, u, before)

    def _send_old(self, u: int, v: int, before: Sequence[int]) -> None:
        """Let u send v the rarest old packet that v lacks, or sometimes any."""
        lacking = before[u] & ~before[v]
        able = [p for p in range(self.length) if lacking >> p & 1]
        if not (self.noise and self.rng.random() < self.noise):
            least = min(self.count[p] for p in able)
            able = [p for p in able if self.count[p] == least]
        p = self.rng.choice(able)
        self.count[p] += 1
        self.owned[v] |= 1 << p
        self.sends.append((u, v, p))
