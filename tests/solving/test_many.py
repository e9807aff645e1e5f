"""Many problems in Python: `solve_many`, and the data frame of a store."""

from __future__ import annotations

from pathlib import Path

import pytest

from schedsolve import InputError, Network, build_problem, solve_many
from tests.needs import needs


@needs("experiments")
@pytest.mark.usefixtures("here")
def test_solve_many_and_the_data_frame(tmp_path: Path) -> None:
    """Results in the order of the problems, with their own names, from the store too; exact fractions."""
    from schedsolve import results_frame

    pandas = pytest.importorskip("pandas")
    problems = [build_problem("telephone", "gossip", Network.from_spec(f"cycle:{n}")) for n in (6, 3, 6)]
    problems += [
        build_problem("linear-cost", "broadcast", Network.from_spec("complete:8"), {"extra_rounds": 3})
    ]
    file = str(tmp_path / "r.db")
    for found in (solve_many(problems, workers=1), solve_many(problems, workers=1, store=file)):
        assert [str(result.value) for result in found] == ["3", "3", "3", "3/2"]
        assert [result.problem for result in found] == problems
    frame = results_frame(file, columns=["n", "value", "bipartite", "girth"])
    assert frame["n"].dtype == pandas.Int64Dtype()
    assert list(map(str, frame["value"])) == ["3", "3", "3/2"]
    assert list(frame["bipartite"]) == [False, True, False]
    assert len(results_frame(file, where="value * 2 == 3")) == 1


@needs("experiments")
@pytest.mark.usefixtures("here")
def test_a_problem_that_cannot_be_solved(tmp_path: Path) -> None:
    """It is named; the others are stored."""
    from schedsolve import results_frame

    problems = [build_problem("telephone", "gossip", Network.from_spec(f"cycle:{n}")) for n in (3, 4)]
    with pytest.raises(RuntimeError, match=r"2 problems could not be solved.*no backend 'none'"):
        solve_many(problems, backend="none", workers=1)
    with pytest.raises(InputError, match="there is no such store"):
        results_frame(str(tmp_path / "none.db"))
