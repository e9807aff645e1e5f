"""The collision probability, the balls-and-bins models and the tail bound."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import log2

import pytest

from schedsolve.models.routing.simulation.collision_model import (
    bin_count,
    collision_probability,
    failure_probability,
    fitted_rounds,
    pair_collision_probability,
    rounds_with_probability,
)
from schedsolve.models.routing.simulation.experiment import Experiment, experiment, run_experiment
from schedsolve.runtime.errors import InputError
from tests.reference.routing_reference import top_of, walk

Message = tuple[int, int]


def collision_by_trying(n: int, first: Message, second: Message) -> Fraction:
    """The probability that two messages share a wire down, over all ports that the routers can give them.

    A message alone in a router draws a port; when both go up through the same router the second gets the port
    that is left.
    """
    collisions = Fraction(0)
    for a in product((0, 1), repeat=top_of(first)):
        way = walk(n, first, a)
        taken = {(low, high) for direction, low, high in way if direction == "up"}
        for b in product((0, 1), repeat=top_of(second)):
            other = walk(n, second, b)
            probability = Fraction(1, 2 ** len(a))
            for direction, low, high in other[: len(b) + 1]:
                if low[0] == "router":
                    shared = any(place == low for place, _ in taken)
                    probability *= Fraction((low, high) not in taken) if shared else Fraction(1, 2)
                assert direction == "up"
            if {w for w in way if w[0] == "down"} & {w for w in other if w[0] == "down"}:
                collisions += probability
    return collisions


def enumerated_collision_probability(n: int) -> Fraction:
    """The probability that two messages collide, by enumeration of all cases.

    The first source is node 0 in all cases, since the network is symmetric.
    """
    total = Fraction(0)
    for d1 in range(1, n):
        for s2 in range(1, n):
            for d2 in range(n):
                if d2 != s2:
                    total += pair_collision_probability((0, d1), (s2, d2))
    return total / (n - 1) ** 3


@pytest.mark.parametrize(("n", "expected"), [(8, "54/343"), (16, "38/375"), (32, "1878/29791")])
def test_lemma_1(n: int, expected: str) -> None:
    """Formula and enumeration give the known fractions."""
    assert collision_probability(n) == enumerated_collision_probability(n) == Fraction(expected)


def test_the_pairs_collide_as_the_routers_say() -> None:
    """The probability of every pair of messages, by trying all ports in the network written out."""
    for n, sources in ((4, range(1, 4)), (8, (1, 3, 6))):
        for d1, s2, d2 in product(range(1, n), sources, range(n)):
            if d2 != s2:
                expected = collision_by_trying(n, (0, d1), (s2, d2))
                assert pair_collision_probability((0, d1), (s2, d2)) == expected, (n, d1, s2, d2)


def test_the_bounds_of_lemma_1() -> None:
    """Pr[C2] <= lg n / 2n always; lg n / 3n <= Pr[C2] from n = 4 on, but not for n = 2."""
    for digits in range(1, 21):
        n = 1 << digits
        assert collision_probability(n) <= Fraction(digits, 2 * n)
        assert (collision_probability(n) >= Fraction(digits, 3 * n)) == (n > 2)


def test_the_routers_collide_with_that_probability() -> None:
    """Two messages at n = 64 need a second round with probability 118/3087, within three standard errors of
    40000 runs.
    """
    summary = run_experiment(experiment(64, messages=2), 40_000, seed=1)
    expected = Fraction(118, 3087)
    assert collision_probability(64) == expected
    assert set(summary.counts) == {1.0, 2.0}
    error = (float(expected) * (1 - float(expected)) / 40_000) ** 0.5
    assert abs(summary.mean - 1 - float(expected)) < 3 * error
    interval = summary.confidence_interval
    assert interval is not None
    assert interval[0] <= 1 + float(expected) <= interval[1]


def test_model_1_delivers_as_many_as_equation_4_says() -> None:
    """Two balls in b bins need a second round with probability 1/b; one ball needs one round."""
    bins = bin_count(64, "corollary")
    assert bins == 21
    summary = run_experiment(Experiment(64, "random", 2, "model-1"), 40_000, seed=2)
    error = (1 / bins * (1 - 1 / bins) / 40_000) ** 0.5
    assert abs(summary.mean - 1 - 1 / bins) < 3 * error
    assert run_experiment(Experiment(64, "random", 1, "model-1"), 100, seed=3).greatest == 1


def test_model_2_tosses_messages_with_one_destination_together() -> None:
    """All messages to one node need as many rounds as there are; Model I spreads them over the bins."""
    together = run_experiment(Experiment(64, "all-to-one", 20, "model-2"), 50, seed=1)
    apart = run_experiment(Experiment(64, "all-to-one", 20, "model-1"), 50, seed=1)
    assert (together.least, together.greatest) == (20, 20)
    assert apart.greatest < 10


def test_models_are_close() -> None:
    """Model II needs a small constant factor more rounds than Model I, and both are near the routers (Figs. 3
    and 4).
    """
    first, second, routers = (
        run_experiment(experiment(256, system=system), 200, seed=1).mean
        for system in ("model-1", "model-2", "routers")
    )
    assert 1.1 < second / first < 1.4
    assert 0.85 < routers / first < 1.15


def test_bins() -> None:
    """The bins of Lemma 1 are at least those of Corollary 1; on two nodes nothing collides."""
    for digits in range(2, 21):
        assert bin_count(1 << digits, "lemma") >= bin_count(1 << digits, "corollary")
    with pytest.raises(InputError, match="no messages collide"):
        bin_count(2, "lemma")


def test_the_tail_bound_holds_in_model_1() -> None:
    """At most a share epsilon of the runs needs more rounds than Theorem 1 promises; the bound is loose."""
    for n, m in ((64, 64), (64, 8), (1024, 1024), (4, 1), (2, 2)):
        for epsilon in (0.9, 0.5, 0.1):
            summary = run_experiment(Experiment(n, "random", m, "model-1"), 300, seed=4)
            assert (summary.values > rounds_with_probability(n, m, epsilon)).mean() <= epsilon


def test_the_tail_bound_forgets_no_round() -> None:
    """One message takes a round, where the paper's R = (2 lg m + 4 ln 1/e) / (1 - 2/e) is below 1 for epsilon
    near 1.
    """
    assert rounds_with_probability(64, 1, 0.999) >= 1


def test_the_tail_bound_is_logarithmic() -> None:
    """It grows by a bounded amount when m doubles, shrinks with epsilon, and its inverse fits."""
    for digits in range(3, 20):
        n = 1 << digits
        assert rounds_with_probability(2 * n, 2 * n, 0.01) - rounds_with_probability(n, n, 0.01) < 20
        assert rounds_with_probability(n, n, 0.01) >= rounds_with_probability(n, n, 0.1)
        rounds = rounds_with_probability(n, n, 0.01)
        assert failure_probability(n, n, rounds) <= 0.01 + 1e-9
        assert failure_probability(n, n, rounds - 1) > 0.01 - 1e-9
    with pytest.raises(InputError, match="tail bound"):
        rounds_with_probability(64, 65, 0.1)


def test_the_fit() -> None:
    """The paper's fit at n = m = 64 is 4.6."""
    assert fitted_rounds(64, 64) == pytest.approx(4.6)
    assert fitted_rounds(2**20, 2**20) == pytest.approx(log2(2**20) / 10 + 11)
