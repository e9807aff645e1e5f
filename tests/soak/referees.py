"""The kernel's referee, which bundles carry, against the model's, which shares no code with it: on schedules
that were altered both say the same, with the same value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from random import Random
from typing import Any

from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.form import TOTAL
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.export.kernel.posed import posed
from tests.soak import collectives, drawn

DRAWN: tuple[Any, ...] = (
    drawn.matching,
    drawn.line,
    *drawn.MODELS.values(),
    *[collectives.random_question] * 4,
)
KEYS = "between from to path packets packet_count period rounds start operands adds chunks symmetries foreign"
ODD = '[true, false, 0.0, 1.0, 0.5, -1, 0, 1, 2, 99, "1/2", "", "x", [], [0], [0, 1], [[0, 1]], {}]'
ALTERATIONS = 30


def items(data: Any) -> list[tuple[Any, Any]]:
    """The keys, or places, of a container with what stands there."""
    return list(data.items() if isinstance(data, dict) else enumerate(data))


def containers(data: Any) -> Iterator[Any]:
    """All lists and objects in JSON data."""
    if isinstance(data, list | dict):
        yield data
        for _, part in items(data):
            yield from containers(part)


def lists_in(data: Any) -> list[list[Any]]:
    """All lists in JSON data that are not empty."""
    return [part for part in containers(data) if isinstance(part, list) and part]


def dropped(data: Any, rng: Random) -> None:
    """Drop an entry of a list."""
    entries = rng.choice(lists_in(data))
    entries.pop(rng.randrange(len(entries)))


def doubled(data: Any, rng: Random) -> None:
    """Give an entry of a list twice."""
    entries = rng.choice(lists_in(data))
    entries.append(rng.choice(entries))


def exchanged(data: Any, rng: Random) -> None:
    """Move an entry of a list into another place."""
    entries = rng.choice([e for e in lists_in(data) if any(x != e[0] for x in e)])
    at = next(i for i, x in enumerate(entries) if x != entries[0])
    entries[0], entries[at] = entries[at], entries[0]


def changed(data: Any, rng: Random) -> None:
    """Change a number."""
    inside, key = rng.choice([(d, k) for d in containers(data) for k, x in items(d) if type(x) is int])
    inside[key] += rng.choice([-1, 1])


def renamed(data: Any, rng: Random) -> None:
    """Give a call as a two-way one, a one-way one, or in both ways at once, perhaps turned round."""
    call = rng.choice([d for d in containers(data) if "between" in d or "from" in d])
    u, v = call.pop("between", None) or [call.pop("from"), call.pop("to")]
    ways = rng.choice([["one"], ["two"], ["one", "two"]])
    call.update({"between": rng.choice([[u, v], [v, u]])} if "two" in ways else {})
    call.update(rng.choice([{"from": u, "to": v}, {"from": v, "to": u}]) if "one" in ways else {})
    call.update({"path": call["path"][::-1]} if "path" in call and rng.random() < 0.5 else {})


def odd(data: Any, rng: Random) -> None:
    """Put something odd where something stands, or at another key, or take a key away."""
    inside = rng.choice([part for part in containers(data) if part])
    key = rng.choice([key for key, _ in items(inside)])
    if isinstance(inside, dict) and rng.random() < 0.2:
        del inside[key]
    else:
        another = isinstance(inside, dict) and rng.random() < 0.4
        inside[rng.choice(KEYS.split()) if another else key] = rng.choice(json.loads(ODD))


def altered(data: Any, rng: Random) -> Any:
    """A copy of the data, altered once or twice."""
    copy = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 2))):
        with suppress(LookupError, TypeError, ValueError):
            rng.choice((dropped, doubled, exchanged, changed, renamed, odd, odd))(copy, rng)
    return copy


def by_model(problem: Problem, data: Any) -> Fraction | None:
    """The value of a schedule by the model's referee, None if it refuses it."""
    try:
        seen = model_of(problem).replay(problem, model_of(problem).form.read(data, problem.network))
    except InputError:
        return None
    return None if seen.violation else Fraction(seen.value)


def try_referees(random: Random) -> tuple[str, str]:
    """Alter a schedule of a random problem in many ways: what came of it, and a finding, "" for none."""
    try:
        question: Any = random.choice(DRAWN)(random)
        collective = isinstance(question, collectives.Question)
        problem = collectives.posed(question) if collective else question.problem()
        problem = problem.at_node(random.randrange(question.nodes)) if problem.choice else problem
        what, schedule = posed(problem), solve(problem, Options(time_limit=1)).indexed
    except InputError:
        return "refused", ""
    data = {TOTAL: None} if schedule is None else schedule.to_json(range(problem.network.node_count))
    if TOTAL in data:
        return "no schedule, or none with all its rounds", ""
    for each in (data, *(altered(data, random) for _ in range(ALTERATIONS))):
        own, other = by_model(problem, each), None
        with suppress(WrongError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
            other = Fraction(what.bundle.replay(what.claim, what.network, each))
        if own != other:
            return (
                "disagreement",
                f"{question}: by the model {own}, by the kernel {other}: {json.dumps(each)}",
            )
    return "agreed", ""
