"""Workers keep nothing back that a reader of the results would miss."""

from __future__ import annotations

import pytest

from tests.worker_messages import changes_nothing


def report(when: str, outcome: str = "passed", *sections: tuple[str, str]) -> dict[str, object]:
    return {"when": when, "outcome": outcome, "sections": list(sections)}


@pytest.mark.parametrize("when", ["setup", "teardown"])
def test_fixtures_that_worked_are_not_reported(when: str) -> None:
    assert changes_nothing(report(when))


@pytest.mark.parametrize(
    "told",
    [
        report("call"),
        report("call", "failed"),
        report("setup", "failed"),
        report("setup", "skipped"),
        report("teardown", "failed"),
        report("teardown", "passed", ("Captured stdout teardown", "what it printed")),
    ],
)
def test_all_else_is(told: dict[str, object]) -> None:
    assert not changes_nothing(told)
