"""OR-tools and highspy work in one process, whichever a script imports first."""

from __future__ import annotations

import subprocess
import sys

import pytest

from schedsolve.backends import shared_highs

HIGHS_FIRST = """
import highspy
from schedsolve import build_problem, formulation
assert formulation(build_problem("telegraph", "broadcast", "grid:3x3", source=0), rounds=4).cpsat
"""

ORTOOLS_FIRST = """
from schedsolve import build_problem, formulation
asked = formulation(build_problem("telegraph", "broadcast", "grid:3x3", source=0), rounds=4)
assert asked.cpsat and asked.pulp
import highspy
"""

AFTERWARDS = """
highs = highspy.Highs()
highs.setOptionValue("output_flag", False)
x = highs.addVariable(lb=0, ub=9)
highs.addConstr(2 * x <= 7)
highs.maximize(x)
assert highs.val(x) == 3.5
from ortools.sat.python import cp_model
model = cp_model.CpModel()
y = model.new_int_var(0, 9, "y")
model.add(2 * y <= 7)
model.maximize(y)
solver = cp_model.CpSolver()
assert solver.solve(model) == cp_model.OPTIMAL and solver.value(y) == 3
"""


@pytest.mark.parametrize("start", [HIGHS_FIRST, ORTOOLS_FIRST])
def test_both_packages_work_in_either_order(start: str) -> None:
    told = subprocess.run(
        [sys.executable, "-c", start + AFTERWARDS], capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr[-600:]


def test_a_loaded_package_is_asked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of small flows ask, and only the first looks through the modules that are loaded."""
    import ortools.graph.python.max_flow  # noqa: F401

    shared_highs.give_own_highs("ortools")

    def again() -> set[str]:
        raise AssertionError("the modules were looked through again")

    monkeypatch.setattr(shared_highs, "_with_highs", again)
    shared_highs.give_own_highs("ortools")
