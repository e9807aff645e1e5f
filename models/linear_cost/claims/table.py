"""Lower bounds on f_T(r), the least cost of a broadcast in N nodes with r extra rounds.

Each is derived from others by a rule with a proof.

Conventions. The message has size 1; round t costs l_t; R = T + r rounds; L(s) = l_1 + .. + l_s, and N_t =
(k+1)^t. g_T(r) is the least cost of a transmission (Definition 18): the nodes need amounts of 1 only, no
matter of what, from a source that has ever more; so f_T(r) >= g_T(r).
Only the numbers of messages that a node sends and receives in a round are used, so the bounds hold for both
readings of the ports, and for any network.

Every rule is a method of `Table` with its proof. "Perfect" rules need N = (k+1)^T, the others hold for every
N with N_(T-1) < N <= N_T.

Sources: Beauquier, Delmas, Perennes, Tight bounds for broadcasting in the linear cost model (INRIA RR-3827,
1999), with their proofs completed where they need it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

from ..rules import Shape
from .small_program import SmallRow, least_sum


@dataclass(frozen=True)
class Derived:
    """A lower bound and the rule that gives it."""

    value: Fraction
    rule: str


@dataclass
class Table:
    """The bounds for k ports and N nodes.

    `f(r)` and `g(r)` are the best that the rules give, None where fewer than T rounds are left.
    """

    ports: int
    nodes: int
    _known: dict[tuple[str, int], Derived] = field(default_factory=dict)
    _all: dict[int, list[Derived]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        shape = Shape(self.ports, self.nodes, 0)
        self.dimension, self.perfect = shape.dimension, shape.is_perfect

    def f(self, extra_rounds: int) -> Derived | None:
        """Return the best bound on f_T(r); None when r is negative."""
        return self._best("f", extra_rounds)

    def g(self, extra_rounds: int) -> Derived | None:
        """Return the best bound on g_T(r); None when r is negative."""
        return self._best("g", extra_rounds)

    def all_f(self, extra_rounds: int) -> list[Derived]:
        """Return the best bound on f_T(r) of every rule, the greatest first; none when r is negative."""
        if self.f(extra_rounds) is None:
            return []
        if extra_rounds in self._all:
            return self._all[extra_rounds]
        best: dict[str, Derived] = {}
        found = (
            [*self._g_rules(extra_rounds), *self._f_rules(extra_rounds)]
            if self.dimension
            else [Derived(Fraction(0), ALONE)]
        )
        for derived in found:
            if derived.rule not in best or derived.value > best[derived.rule].value:
                best[derived.rule] = derived
        self._all[extra_rounds] = sorted(best.values(), key=lambda derived: (-derived.value, derived.rule))
        return self._all[extra_rounds]

    def _best(self, which: str, r: int) -> Derived | None:
        if r < 0:
            return None
        if self.dimension == 0:
            return Derived(Fraction(0), ALONE)
        # From small r on, so that no rule has to go deep into others.
        for smaller in range(r + 1 if (which, r) not in self._known else 0):
            if ("f", smaller) not in self._known:
                self._known["g", smaller] = max(self._g_rules(smaller), key=lambda derived: derived.value)
                self._known["f", smaller] = max(self._f_rules(smaller), key=lambda derived: derived.value)
        return self._known[which, r]

    def _f_rules(self, r: int) -> Iterator[Derived]:
        yield self._known["g", r]
        yield from self.late_start(r)
        yield from self.perfect_tree(r)
        yield from self.two_extra_trees(r)
        yield from self.before_and_after(r)
        if self.perfect:
            yield from self.three_phases(r)

    def _g_rules(self, r: int) -> Iterator[Derived]:
        yield Derived(Fraction(1, self.ports), "a node receives the whole message through its k ports")
        if self.perfect:
            yield from self.amounts(r)
            yield from self.last_rounds(r)

    def amounts(self, r: int) -> Iterator[Derived]:
        """Yield bounds on g_T(r) by counting amounts, for N = (k+1)^T.

        - r = 0: T (Proposition 8, Remark 14).
        - r = 1: (T+1)/(k+1); the proof of Proposition 15 uses amounts only.
        - T/(k+1)^r (Theorem 21). After T rounds the amounts received are at most I <= (N-1) L(T)/T (Lemma
          11), and each of the r rounds after multiplies them by at most k+1 and adds what the source sends,
          so N - 1 <= N_r I + k N_(r-1) (L - L(T)). As k N_(r-1) <= N_r (N-1)/T, the least L is T/N_r, with
          L(T) = L.
        """
        k, n = self.ports, self.dimension
        if r == 0:
            yield Derived(Fraction(n, 1), "Proposition 8")
        if r == 1:
            yield Derived(Fraction(n + 1, k + 1), "Proposition 15")
        yield Derived(Fraction(n, (k + 1) ** r), "Theorem 21")

    def last_rounds(self, r: int) -> Iterator[Derived]:
        """Yield bounds on g_T(r) by the amounts before and in the last b rounds, for N = (k+1)^T.

        Let y and z be the costs before and in them. A node that knows a before them receives at most k z in
        them, so all know at least 1 - k z before, and y >= (1 - k z) g_T(r-b); with b = r + 1 some node knows
        nothing before, so k z >= 1. Amounts grow as in Theorem 21: N - 1 <= N_b (N_m - 1) y/m + k N_(b-1) z,
        with m = T + r - b rounds before.
        """
        for b in range(1, r + 2 if r <= MOST_PHASED_ROUNDS * self.dimension else 1):
            if self.dimension + r > b:
                yield Derived(
                    self._three(r, 0, b), "amounts before and in the last rounds (Lemma 11, Proposition 20)"
                )

    def late_start(self, r: int) -> Iterator[Derived]:
        """2/k for r < T - 1 (Proposition 22).

        Let round t0 be the last after which only the source knows some bit. That bit needs T rounds more, so
        t0 <= r, and k L(t0+1) >= 1. After t0 + 1 <= r + 1 <= T - 1 rounds some node knows nothing, so k (L -
        L(t0+1)) >= 1.
        """
        if r < self.dimension - 1:
            yield Derived(Fraction(2, self.ports), "Proposition 22")

    def perfect_tree(self, r: int) -> Iterator[Derived]:
        """Yield the bound for r = T - 1 and N = (k+1)^T: 2 - 1/T for k = 1, and 2/k for k >= 2.

        Bits first sent in round r + 1 = T must grow (k+1)-fold in each of the T rounds from there, so the
        source sends them on all its k links, and they measure at most l_T: k L(T-1) + l_T >= 1 (*). If after
        round T all nodes know something, the first T rounds are a tree in which every node is informed once;
        those informed in round t <= T of least cost m know at most m, and the nodes below them too: k (L -
        L(T)) >= 1 - m (**). If not all know something, k (L - L(T)) >= 1, which is more. As l_T >= m, (*)
        gives k L(T) >= 1 + (k-1) m. For k >= 2 add both: k L >= 2 + (k-2) m. For k = 1: L(T) >= 1 and L(T) >=
        T m, so L >= L(T) + 1 - m >= L(T) (1 - 1/T) + 1 >= 2 - 1/T.
        """
        if self.perfect and r == self.dimension - 1:
            k = self.ports
            yield Derived(
                2 - Fraction(1, self.dimension) if k == 1 else Fraction(2, k), "Lemma A: perfect trees"
            )

    def two_extra_trees(self, r: int) -> Iterator[Derived]:
        """Yield the bound for r = 2T - 1, k >= 3 and N = (k+1)^T: 3/(2k).

        Let A = L(T), M = L(2T-1) - L(T), B = L - L(2T-1), p = l_T, q = l_2T. (1) k (A+M) + q >= 1, as (*) of
        `perfect_tree`. (2) k (M+B) >= 1 - p, as (**). (3) k (A+B) >= 1 + (k-1) q: what is sent first after
        round T is known after round 2T-1 to N_(T-1) nodes at most, so in round 2T some other node receives at
        most one packet that has any of it. (4) k (A+B) >= 1 + (k-1) p: in rounds T+1..2T-1 the source reaches
        N_(T-1) - 1 nodes at most, so k N_(T-1) or more are not reached; copies outside the source of the bits
        first sent in round T measure at most k p after round T and grow N_(T-1)-fold at most, so one of these
        nodes knows at most p of what the others must get by then. (1) + (2) + ((3) + (4))/2 give 2 k L >= 3 +
        (k-3)(p+q)/2.
        """
        if self.perfect and self.ports >= 3 and r == 2 * self.dimension - 1:
            yield Derived(Fraction(3, 2 * self.ports), "Lemma C: two trees")

    def before_and_after(self, r: int) -> Iterator[Derived]:
        """Yield the cost x of the first s rounds and y of the others (Lemmas 26 and 27, in both directions).

        After s rounds 1 - k x or more is known to the source only, and takes the other rounds: y >= (1 - k x)
        f_T(r-s); with s > r there are fewer than T rounds left, so k x >= 1. Every node knows 1 - k y or more
        after s rounds: x >= (1 - k y) g_T(s-T); with s < T some node knows nothing, so k y >= 1. Both stay
        true with smaller values in place of f_T(r-s) and g_T(s-T): when the factor 1 - k x (or 1 - k y) is
        negative, they say nothing.

        Where g_T(s-T) is not known to be more than 1/k the two prove x + y >= 1/k and no more: the second is
        y + x >= 1/k, and x = 1/k, y = 0 meets both. So it is for s > 3T: then T/(k+1)^(s-T) < 1/k, and the
        last rounds are not looked at. Therefore the first 3T + 1 of the s are enough for any r.
        """
        for s in range(1, min(r + 1, (1 + MOST_PHASED_ROUNDS) * self.dimension + 1) + 1):
            received = self.g(s - self.dimension)
            if received is not None and received.value == Fraction(1, self.ports):
                yield Derived(received.value, "before and after a round (Lemmas 26 and 27)")
                continue
            rows = [
                _weighed(self.f(r - s), self.ports, (0,), 2),
                _weighed(received, self.ports, (1,), 2),
            ]
            yield Derived(least_sum(rows), "before and after a round (Lemmas 26 and 27)")

    def three_phases(self, r: int) -> Iterator[Derived]:
        """Yield the costs x, y, z of the first a rounds, the middle ones and the last b.

        Both sides of Lemma 26, and the amounts where N = (k+1)^T.

        To the two inequalities of `before_and_after` comes the amount received: (N_a - 1) x/a at most in the
        first a rounds, then (N_(a+m) - N_a) y/m in m rounds (Lemma 11, Corollary 12), all of it multiplied
        N_b-fold at most in the last b rounds.
        """
        if r > MOST_PHASED_ROUNDS * self.dimension:
            return
        for a in range(1, r + 2):
            for b in range(r + 2):
                if self.dimension + r > a + b:
                    yield Derived(
                        self._three(r, a, b),
                        "amounts in the first, the middle and the last rounds (Proposition 20)",
                    )

    def _three(self, r: int, a: int, b: int) -> Fraction:
        """Return the least x + y + z under the inequalities of `three_phases`.

        With a = 0 without those on the first rounds.
        """
        k, m = self.ports, self.dimension + r - a - b
        size = [(k + 1) ** t for t in range(self.dimension + r + 1)]
        first = Fraction(size[b] * (size[a] - 1), a) if a else Fraction(0)
        last = Fraction(k * size[b - 1], 1) if b else Fraction(0)
        rows: list[SmallRow] = [
            (
                (first, Fraction(size[b] * (size[a + m] - size[a]), m), last),
                Fraction(size[self.dimension] - 1, 1),
            )
        ]
        if a:
            rows.append(_weighed(self.f(r - a), k, (0,), 3))
        if b:
            rows.append(_weighed(self.g(r - b), k, (2,), 3))
        return least_sum(rows)


ALONE = "there is no other node"
MOST_PHASED_ROUNDS = 2
"""Extra rounds, for each dimension, beyond which amounts in phases are not looked at: they say little there,
and there are many phases.
"""


def _weighed(
    derived: Derived | None, ports: int, phases: Sequence[int], count: int
) -> tuple[tuple[Fraction, ...], Fraction]:
    """Return the inequality "the cost of the other phases >= (1 - k c) value", c the cost of these.

    "k c >= 1" without a value.
    """
    if derived is None:
        return tuple(Fraction(ports if i in phases else 0, 1) for i in range(count)), Fraction(1)
    return tuple(ports * derived.value if i in phases else Fraction(1) for i in range(count)), derived.value


@cache
def table(ports: int, nodes: int) -> Table:
    """Return the table for k ports and N nodes, computed once."""
    return Table(ports, nodes)
