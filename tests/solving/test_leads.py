"""What has moved a side goes on at the next value, before other searches begin there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from schedsolve import build_problem
from schedsolve.modelkit.result import Bound
from schedsolve.modelkit.schedule import Schedule
from schedsolve.modelkit.search import Decision, Options, Question
from schedsolve.models import model_of
from schedsolve.solving.best_known import BestKnown
from schedsolve.solving.clock import Clock
from schedsolve.solving.portfolio import LONGEST_LEAD, Portfolio
from schedsolve.solving.tasks import Task
from tests.solving.test_leaps import Failing

LOWER, UPPER = 3, 9


def _started(_: Question) -> Failing:
    return Failing()


SEARCHES = (
    Decision("first", "sat", False, _started),
    Decision("second", "sat", False, _started, share=4.0),
    Decision("deciding", "sat", True, _started),
    Decision("refuting", "sat", True, _started, finds=False),
)
FOUND = (build_problem("telephone", "gossip", "path:4"), Schedule.two_way([]))


@pytest.fixture
def portfolio() -> Iterator[Portfolio]:
    problem = build_problem("telephone", "gossip", "debruijn:4")
    model = replace(model_of(problem), searches=lambda: SEARCHES)
    best = BestKnown(model, problem, 0)
    best.add_bound(Bound("lower", LOWER, "a test"))
    best.upper = UPPER
    options = Options(time_limit=100.0)
    portfolio = Portfolio(model, problem, best, options, Clock(options))
    portfolio.next_tasks()
    yield portfolio
    portfolio.close()


def under_way(portfolio: Portfolio) -> set[tuple[str, int | None]]:
    return {(task.search.name, task.value) for task in portfolio.tasks}


def task_of(portfolio: Portfolio, name: str, value: int) -> Task:
    return next(t for t in portfolio.tasks if (t.search.name, t.value) == (name, value))


def ended(portfolio: Portfolio, name: str, value: int, used: float) -> None:
    """Let a search move its side after so many seconds."""
    task = task_of(portfolio, name, value)
    task.used = used
    bound = Bound("lower", value + 1, "a test")
    if name == "refuting":
        portfolio.best.add_bound(bound)
    else:
        portfolio.best.upper = value
    portfolio.end(task, [bound] if name == "refuting" else [FOUND])


def test_what_can_only_refute_is_asked_for_the_least_open_value(portfolio: Portfolio) -> None:
    top = UPPER - 1
    finding = {("first", top), ("second", top)}
    assert under_way(portfolio) == {("refuting", LOWER), ("deciding", LOWER), ("deciding", top), *finding}


@pytest.mark.parametrize(
    ("name", "value", "following"), [("second", UPPER - 1, UPPER - 2), ("refuting", LOWER, LOWER + 1)]
)
def test_it_goes_on_alone_for_a_while(portfolio: Portfolio, name: str, value: int, following: int) -> None:
    """Twice as long as it took; nothing else begins at the next value until then."""
    ended(portfolio, name, value, used=1.5)
    for used in (0.0, 1.0, 2.9):
        (leading,) = portfolio.next_tasks()
        assert (leading.search.name, leading.value) == (name, following)
        assert {other for other, v in under_way(portfolio) if v == following} == {name}
        leading.used = used
    leading.used = 3.1
    assert portfolio.next_tasks() != [leading]
    assert {other for other, v in under_way(portfolio) if v == following} > {name}


def test_no_lead_is_long(portfolio: Portfolio) -> None:
    ended(portfolio, "second", UPPER - 1, used=50.0)
    portfolio.next_tasks()
    task_of(portfolio, "second", UPPER - 2).used = LONGEST_LEAD + 0.1
    portfolio.next_tasks()
    assert ("first", UPPER - 2) in under_way(portfolio)


@pytest.mark.parametrize("used", [0.0, 0.1])
def test_what_is_found_at_once_gives_no_lead(portfolio: Portfolio, used: float) -> None:
    """A small problem may be refuted sooner than a slice of the lead takes."""
    ended(portfolio, "second", UPPER - 1, used=used)
    portfolio.next_tasks()
    assert {("first", UPPER - 2), ("deciding", UPPER - 2)} <= under_way(portfolio)


def test_a_side_that_is_closed_ends_the_lead(portfolio: Portfolio) -> None:
    """Where the search does not begin at the next value, the others do."""
    ended(portfolio, "second", UPPER - 1, used=1.0)
    portfolio.finished["second", UPPER - 2] = ""
    portfolio.next_tasks()
    assert ("first", UPPER - 2) in under_way(portfolio)


@pytest.mark.parametrize(("used", "joins"), [(0.5, False), (5.0, True)])
def test_a_search_that_had_its_even_seconds_joins_the_others(
    portfolio: Portfolio, used: float, joins: bool
) -> None:
    """At the next value it has no second to itself again, and is not the one that had least."""
    for task in portfolio.tasks:
        task.used = 8.0
    ended(portfolio, "second", UPPER - 1, used=used)
    portfolio.next_tasks()
    least = min(task.virtual_time for task in portfolio.tasks if task.search.name != "second")
    assert task_of(portfolio, "second", UPPER - 2).joined == (least if joins else 0.0)
