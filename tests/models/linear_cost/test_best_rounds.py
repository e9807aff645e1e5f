"""The scan of the numbers of rounds for given prices: what it says early, and what a result states."""

from __future__ import annotations

import json
import time
from fractions import Fraction
from itertools import islice, takewhile
from pathlib import Path

import pytest

from schedsolve.modelkit.result import Bound
from schedsolve.models import build_problem
from schedsolve.models.linear_cost.search.best_rounds import QUICK, Scan
from tests.command_line import Cli


def test_a_bound_comes_before_the_first_schedule() -> None:
    """The rows are many where a round costs little: the scan pauses at each, and says what they prove before
    it builds anything; the first row tried is near the best. On a path with one port any broadcast costs 2.
    """
    prices = {"alpha": "1/100000", "tau": "1"}
    problem = build_problem("linear-cost", "broadcast", "path:4", prices)
    scan = Scan(problem, time.process_time() + 600)
    findings = scan.run()
    before = list(takewhile(lambda found: not isinstance(found, tuple), findings))
    (bound,) = [found for found in before if isinstance(found, Bound)]
    assert before.count(None) >= len(scan.rows) > 400
    assert bound.value > 2
    assert len(list(islice(findings, len(QUICK)))) == len(QUICK)
    assert scan.best is not None
    assert scan.best < Fraction(21, 10)


@pytest.mark.parametrize("network", ["complete:4", "complete:2"])
def test_a_result_states_its_rounds(network: str, cli: Cli) -> None:
    """As "total_rounds", which check compares with the schedule; a file without it is read as before."""
    run = cli(f"solve linear-cost broadcast {network} --alpha 1/100 --tau 1 --output r.json --json")
    data = json.loads(run.out)
    assert data["total_rounds"] == len(data["schedule"]["rounds"])
    assert cli("check --strict r.json").status == 0
    for wrong in (data["total_rounds"] + 1, str(data["total_rounds"]), None):
        Path("r.json").write_text(json.dumps({**data, "total_rounds": wrong}), encoding="utf-8")
        seen = cli("check r.json")
        assert (seen.status, "rounds in all" in seen.out) == (1, True)
    del data["total_rounds"]
    Path("r.json").write_text(json.dumps(data), encoding="utf-8")
    assert cli("check --strict r.json").status == 0
