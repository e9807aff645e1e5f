"""The battery: for every kind of evidence of every model the result in the catalogue, which `check` verifies,
and forgeries in that kind's form, none of which it accepts.

What `check` makes of a lower bound is what the claim of its kind makes of the problem and the evidence, and
so it accepts a false bound just if that is above the truth. So most forgeries are handed to the claim itself,
with all the freedom to say any value; the truth is the value of a schedule, by the catalogue and
`tests.evidence.truths`. Of a refutation the forger has the strongest proof that there is: the formula must
have a model where the rounds that it denies suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.models import read_problem
from schedsolve.problem import Problem
from schedsolve.result import Value, value_from_json
from tests.evidence.catalogue import Entry, entries
from tests.evidence.truths import proven as known_bounds
from tests.evidence.truths import transplants
from tests.forgeries import files, kinds, refutations
from tests.forgeries.alterations import altered
from tests.forgeries.verdicts import accepted, proven, replayed

MOST_ALTERED = 30
"""Altered evidence of one entry."""
MOST_SCHEDULES = 40
"""Altered schedules of one entry."""


@dataclass(frozen=True)
class Forgery:
    """A false claim in the form of an entry's evidence. gets_through: tells what is accepted of it, "" where
    nothing is.
    """

    entry: Entry
    name: str
    gets_through: Callable[[], str]

    @property
    def finding(self) -> str:
        """What is wrong, "" where nothing is; an exception that is no refusal is."""
        try:
            said = self.gets_through()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        return said and f"{self.entry.title}, {self.entry.name}: {self.name}: {said}"


def forgeries(entry: Entry) -> Iterator[Forgery]:
    """The forgeries in the form of an entry's evidence."""
    data, evidence = entry.data, entry.bound["evidence"]
    problem = read_problem(data["problem"])
    for name, forged in files.forged(entry):
        yield Forgery(entry, name, partial(_accepted, forged))
    if data["schedule"] is not None and data["value"] is not None:
        for number, schedule in enumerate(schedules(entry)):
            yield Forgery(entry, f"schedule {number}", partial(_too_fast, problem, schedule, data["value"]))
    if entry.kind == "refutation":
        yield from (Forgery(entry, name, gets_through) for name, gets_through in refutations.forged(entry))
        return
    if "upper" in data["certificate"]:
        yield from (Forgery(entry, name, gets_through) for name, gets_through in kinds.existence(entry))
        return
    own = [evidence, *altered(evidence, MOST_ALTERED)]
    true = value_from_json(data["value"])
    for number, forged in enumerate(own):
        yield Forgery(entry, f"evidence {number}", partial(_too_high, entry, problem, forged, true))
    for other, said, least in kinds.forged(entry):
        yield Forgery(entry, "made for a problem", partial(_too_high, entry, other, said, least))
    for other, least in transplants(entry):
        yield Forgery(entry, "another problem", partial(_too_high, entry, other, evidence, least))


def schedules(entry: Entry) -> Iterator[Any]:
    """The schedule with one change each, and with two rounds made one."""
    schedule = entry.data["schedule"]
    yield from altered(schedule, MOST_SCHEDULES)
    rounds = schedule.get("rounds", [])
    for t in range(len(rounds) - 1):
        for joined in (rounds[t] + rounds[t + 1], rounds[t + 1] + rounds[t], rounds[t], rounds[t + 1]):
            yield {**schedule, "rounds": [*rounds[:t], joined, *rounds[t + 2 :]]}
    if rounds:
        yield {**schedule, "rounds": [[call for calls in rounds for call in calls]]}


def _accepted(data: Any) -> str:
    return "accepted" if accepted(data) else ""


def _too_fast(problem: Problem, schedule: Any, least: Any) -> str:
    if problem.choice or problem.period == "min":
        return ""
    value, true = replayed(problem, schedule), value_from_json(least)
    if value is None or true is None or value >= true:
        return ""
    return f"a schedule of {value} is legal, the least is {true}"


def _too_high(entry: Entry, problem: Problem, evidence: Mapping[str, Any], least: Value | None) -> str:
    if evidence.get("kind") != entry.kind or least is None:
        return ""
    value = proven(problem, evidence)
    if value is None or value <= least:
        return ""
    named = f"{problem.task} {problem.network.name} {problem.parameters}"
    return f"proves {value} of {named}, which takes {least}"


def _refused(entry: Entry) -> str:
    report = check_data(entry.data)
    return "" if report.complete else f"not verified: {report.lines}"


def _other(problem: Problem, evidence: Mapping[str, Any], value: Value) -> str:
    found = proven(problem, evidence)
    return "" if found == value else f"proves {found}, not {value}, of {problem.task} {problem.network.name}"


@cache
def battery(title: str) -> tuple[Forgery, ...]:
    """The results of the catalogue of a record, which are to be verified, and all their forgeries."""
    own = [entry for entry in entries() if entry.title == title]
    true = [Forgery(entry, "as it is", partial(_refused, entry)) for entry in own]
    for problem, evidence, value in known_bounds().get(title, []):
        entry = next(entry for entry in own if entry.kind == evidence["kind"])
        true.append(Forgery(entry, "a true bound", partial(_other, problem, evidence, value)))
    return (*true, *(forgery for entry in own for forgery in forgeries(entry)))


def findings(titles: Collection[str]) -> Iterator[str]:
    """What is wrong: a result of the catalogue that `check` does not verify, a forgery that gets through, an
    exception that is no refusal. titles: of the records that are tried.
    """
    for title in titles:
        yield from (found for one in battery(title) if (found := one.finding))
