"""Results as lines: what a terminal shows of bounds that are fractions of very many digits."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from schedsolve import build_problem, solve
from schedsolve.report.text import LARGEST_NAMED, verdict_line
from schedsolve.result import Status


@pytest.mark.parametrize(
    ("bound", "words"),
    [
        (Fraction(2, 3), "at least time 2/3 and at most time 1"),
        (Fraction(2 * LARGEST_NAMED, 3 * LARGEST_NAMED + 1), "at least time 0.666666 and at most time 1"),
    ],
)
def test_bounds_of_many_digits_are_rounded_down(bound: Fraction, words: str) -> None:
    """Where nothing is settled; the result itself keeps them."""
    solved = solve(build_problem("pipelined", "allgather", "complete:2"))
    open_one = replace(solved, status=Status.BOUNDED, lower_bound=bound)
    assert verdict_line(open_one) == f"nothing is left to try: {words}"
