"""The battery: for every kind of evidence of every model the result in the catalogue, which `check` verifies,
and forgeries in that kind's form, none of which it accepts.

What `check` makes of a lower bound is what the claim of its kind makes of the problem and the evidence, and
so it accepts a false bound just if that is above the truth. So most forgeries are handed to the claim itself,
with all the freedom to say any value; the truth is the value of a schedule, by the catalogue and
`tests.evidence.truths`. Of a refutation the forger has the strongest proof that there is: the formula must
have a model where the rounds that it denies suffice.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem, problem_id
from schedsolve.modelkit.result import Value, value_from_json
from schedsolve.models import models, read_problem
from tests.evidence.catalogue import Entry, entries
from tests.evidence.recipes import MATCHING
from tests.evidence.truths import proven as known_bounds
from tests.evidence.truths import transplants, truths
from tests.forgeries import algorithms, files, kinds, periods, refutations
from tests.forgeries.alterations import altered
from tests.forgeries.verdicts import accepted, bound_file, proven, replayed

OTHER_FILES = {"MSCCL XML": algorithms.forged, "explore periods": periods.forged}
"""What else `check` reads: the forms, the names and the tests of the forgeries."""
MOST_ALTERED = 30
"""Altered evidence of one entry."""
MOST_SCHEDULES = 40
"""Altered schedules of one entry."""


@dataclass(frozen=True)
class Forgery:
    """A false claim. title, form: of the record and the entry in whose form it is, or of the kind of file.
    gets_through: tells what is accepted of it, "" where nothing is.
    """

    title: str
    form: str
    name: str
    gets_through: Callable[[], str]

    @property
    def finding(self) -> str:
        """What is wrong, "" where nothing is; an exception that is no refusal is."""
        try:
            said = self.gets_through()
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
        return said and f"{self.title}, {self.form}: {self.name}: {said}"


def forgeries(entry: Entry) -> Iterator[Forgery]:
    """The forgeries in the form of an entry's evidence."""
    data, evidence = entry.data, entry.bound["evidence"]
    problem = read_problem(data["problem"])
    # What a period changes nothing of is forged fully without one.
    step = 4 if entry.title.endswith("--period") and entry.name in MATCHING else 1
    for name, forged in islice(files.forged(entry), 0, None, step):
        yield Forgery(entry.title, entry.name, name, partial(_accepted, forged))
    if data["schedule"] is not None and data["value"] is not None:
        for number, schedule in enumerate(schedules(entry)):
            yield Forgery(
                entry.title,
                entry.name,
                f"schedule {number}",
                partial(_too_fast, problem, schedule, data["value"]),
            )
    if entry.kind == "refutation":
        yield from (
            Forgery(entry.title, entry.name, name, gets_through)
            for name, gets_through in refutations.forged(entry)
        )
        return
    if "upper" in data["certificate"]:
        yield from (
            Forgery(entry.title, entry.name, name, gets_through)
            for name, gets_through in kinds.existence(entry)
        )
        return
    own = [evidence, *altered(evidence, MOST_ALTERED)]
    true = value_from_json(data["value"])
    for number, forged in enumerate(own):
        yield Forgery(
            entry.title, entry.name, f"evidence {number}", partial(_too_high, entry, problem, forged, true)
        )
    for other, said, least in kinds.forged(entry):
        yield Forgery(
            entry.title, entry.name, "made for a problem", partial(_too_high, entry, other, said, least)
        )
    for other, least in transplants(entry):
        yield Forgery(
            entry.title, entry.name, "another problem", partial(_too_high, entry, other, evidence, least)
        )


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
    """What is true and to be verified, and all the forgeries: of a record the results of the catalogue and
    what is forged in their form; or of a kind of file.
    """
    if title in OTHER_FILES:
        return tuple(Forgery(title, *made) for made in OTHER_FILES[title]())
    own = [entry for entry in entries() if entry.title == title]
    true = [Forgery(title, entry.name, "as it is", partial(_refused, entry)) for entry in own]
    solvable = [problem for problem, _ in truths().get(title, [])]
    for problem, evidence, value in known_bounds().get(title, []):
        entry = next(entry for entry in own if entry.kind == evidence["kind"])
        true.append(Forgery(title, entry.name, "a true bound", partial(_other, problem, evidence, value)))
        if problem in solvable:
            file = {**bound_file(problem, evidence, value), "status": "infeasible", "lower_bound": None}
            true.append(Forgery(title, entry.name, "infeasible by a true bound", partial(_accepted, file)))
    seen: set[Any] = set()
    problems: dict[int, tuple[Problem, str]] = {}
    made = [one for entry in own for one in forgeries(entry) if _is_new(one, seen, problems)]
    return (*true, *made)


def _is_new(one: Forgery, seen: set[Any], problems: dict[int, tuple[Problem, str]]) -> bool:
    """Whether no forgery before asks just the same of the same problem: what a formula says of another
    problem, or a referee of a schedule, does not depend on the entry.

    problems: their names by their address, with the problems, so that none is used again.
    """
    if not isinstance(one.gets_through, partial):
        return True
    key: list[str] = [one.gets_through.func.__name__]
    for given in one.gets_through.args:
        if isinstance(given, Problem):
            if id(given) not in problems:
                problems[id(given)] = given, problem_id(given)
            key.append(problems[id(given)][1])
        else:
            key.append(given.kind if isinstance(given, Entry) else json.dumps(given, default=str))
    new = tuple(key) not in seen
    seen.add(tuple(key))
    return new


def titles() -> tuple[str, ...]:
    """All that there is a battery of: the records, and kinds of files."""
    return (*models(), *OTHER_FILES)


def findings(titles: Collection[str]) -> Iterator[str]:
    """What is wrong: a result of the catalogue that `check` does not verify, a forgery that gets through, an
    exception that is no refusal. titles: of the records that are tried.
    """
    for title in titles:
        yield from (found for one in battery(title) if (found := one.finding))
