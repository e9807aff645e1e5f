"""Heaviest matchings, against trying all."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.backends.assignment import heaviest_matching


def _heaviest(weights: dict[tuple[int, int], float]) -> float:
    lefts = sorted({u for u, _ in weights})
    rights = [*sorted({v for _, v in weights}), *[-1] * len(lefts)]
    return max(
        sum(weights.get((u, v), 0) for u, v in zip(lefts, chosen, strict=True))
        for chosen in permutations(rights, len(lefts))
    )


@settings(derandomize=True, deadline=None, max_examples=100)
@given(st.dictionaries(st.tuples(st.integers(0, 3), st.integers(0, 3)), st.integers(0, 9), min_size=1))
def test_no_other_matching_is_heavier(weights: dict[tuple[int, int], float]) -> None:
    """The weight is the greatest, nobody is matched twice, and only pairs given are used."""
    pairs = heaviest_matching(weights)
    assert set(pairs) <= set(weights)
    assert len({u for u, _ in pairs}) == len({v for _, v in pairs}) == len(pairs)
    assert sum(weights[pair] for pair in pairs) == pytest.approx(_heaviest(weights), abs=1e-6)


def test_of_equal_weight_the_one_with_more_pairs() -> None:
    """Nobody is left alone where a pair costs nothing; no pairs, no matching."""
    assert sorted(heaviest_matching({(0, 0): 0.0, (1, 1): 0.0, (0, 1): 0.0})) == [(0, 0), (1, 1)]
    assert heaviest_matching({}) == []
