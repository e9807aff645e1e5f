"""Linear programs that grow, also after the solver's last basis is given up."""

from __future__ import annotations

import pytest

from schedsolve.backends.growing_lp import GrowingLp


@pytest.mark.parametrize("again", [False, True])
def test_rows_and_columns_join(again: bool) -> None:
    """The numbers of variables and rows stay what they were, in a copy too."""
    lp = GrowingLp()
    x = lp.variable(cost=3, low=1)
    row = lp.row({x: 1}, ">=", 4)
    assert lp.solve() == pytest.approx(12)
    if again:
        lp._begin_again()
    y = lp.variable(cost=2)
    lp.enter(row, y, 1)
    cap = lp.row({y: 1}, "<=", 2)
    assert lp.solve() == pytest.approx(3 * 2 + 2 * 2)
    assert lp.values() == pytest.approx([2, 2])
    assert [abs(lp.duals()[i]) for i in (row, cap)] == pytest.approx([3, 1])
    lp.use(y, used=False)
    assert lp.solve() == pytest.approx(12)
