"""The kernel's referee, which bundles carry, against the model's, which shares no code with it: on schedules
that were altered both say the same, with the same value.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from random import Random
from typing import Any

from schedsolve.errors import InputError
from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.form import TOTAL
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of
from schedsolve.problem import Problem
from schedsolve.solving.solve import solve
from tests.kernel.posed import Posed, posed
from tests.soak import drawn
from tests.soak.collectives import GROUPS, KINDS, random_question
from tests.soak.collectives import posed as posed_collective

DRAWN = (
    drawn.matching,
    drawn.systolic,
    drawn.line,
    drawn.line,
    drawn.linear_cost,
    drawn.fat_tree,
    drawn.routing,
)
COLLECTIVES = 4
"""How many of so many problems and the drawn ones are collectives."""
KEYS = (
    "between", "from", "to", "path", "packets", "packet_count", "period", "rounds", "start", "operands",
    "adds", "chunks", "upstream_ports", "symmetries", "inward", "paths", "weight", "time", "node", "foreign",
)  # fmt: skip
ODD = (
    "true", "false", "0.0", "1.0", "0.5", "-1", "0", "1", "2", "99", '"1/2"', '""', '"x"', "[]", "[0]",
    "[0, 1]", "[[0, 1]]", "{}",
)  # fmt: skip
ALTERATIONS = 30
"""Of a schedule."""


def items(data: Any) -> list[tuple[Any, Any]]:
    """The keys, or places, of a container with what stands there."""
    return list(data.items() if isinstance(data, dict) else enumerate(data))


def containers(data: Any) -> Iterator[Any]:
    """All lists and objects in JSON data."""
    if isinstance(data, list | dict):
        yield data
        for _, part in items(data):
            yield from containers(part)


def lists_in(data: Any) -> Iterator[list[Any]]:
    """All lists in JSON data that are not empty."""
    return (part for part in containers(data) if isinstance(part, list) and part)


def dropped(data: Any, rng: Random) -> None:
    """Drop an entry of a list."""
    entries = rng.choice(list(lists_in(data)))
    entries.pop(rng.randrange(len(entries)))


def doubled(data: Any, rng: Random) -> None:
    """Give an entry of a list twice."""
    entries = rng.choice(list(lists_in(data)))
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


def turned(data: Any, rng: Random) -> None:
    """Turn a list, or a one-way call, round."""
    entry = rng.choice([part for part in containers(data) if part])
    if isinstance(entry, list):
        entry.reverse()
    elif {"from", "to"} <= set(entry):
        entry["from"], entry["to"] = entry["to"], entry["from"]


def renamed(data: Any, rng: Random) -> None:
    """Give a call as a two-way one, a one-way one, or in both ways at once, perhaps turned round."""
    call = rng.choice([d for d in containers(data) if "between" in d or "from" in d])
    u, v = ends = call["between"] if "between" in call else [call["from"], call["to"]]
    if rng.random() < 0.5:
        call.pop("between", None), call.pop("from", None), call.pop("to", None)
    if rng.random() < 0.7:
        call["between"] = rng.choice([ends, [v, u]])
    if rng.random() < 0.7:
        call["from"], call["to"] = rng.choice([(u, v), (v, u)])
    if "path" in call and rng.random() < 0.5:
        call["path"] = call["path"][::-1]


def odd(data: Any, rng: Random) -> None:
    """Put something odd where something stands."""
    inside, key = rng.choice([(d, k) for d in containers(data) for k, _ in items(d)])
    inside[key] = json.loads(rng.choice(ODD))


def rekeyed(data: Any, rng: Random) -> None:
    """Add a key to an object, or take one away."""
    place = rng.choice([part for part in containers(data) if isinstance(part, dict)])
    if rng.random() < 0.3:
        place.pop(rng.choice(list(place)))
    else:
        place[rng.choice(KEYS)] = json.loads(rng.choice(ODD))


CHANGES = (dropped, doubled, exchanged, changed, turned, renamed, odd, rekeyed)


def altered(data: Any, rng: Random) -> Any:
    """A copy of the data, altered once or twice."""
    copy = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 2))):
        try:
            rng.choice(CHANGES)(copy, rng)
        except (LookupError, TypeError, ValueError):
            continue
    return copy


def by_model(problem: Problem, data: Any) -> Fraction | None:
    """The value of a schedule by the model's referee, None if it refuses it."""
    model = model_of(problem)
    try:
        seen = model.replay(problem, model.form.read(data, problem.network))
    except InputError:
        return None
    return None if seen.violation else Fraction(seen.value)


def by_kernel(what: Posed, data: Any) -> Fraction | None:
    """The value of a schedule by the kernel's referee, None if it refuses it."""
    try:
        return Fraction(what.bundle.replay(what.claim, what.network, data))
    except (WrongError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError):
        return None


def draw(random: Random) -> Problem:
    """A random small problem; raises InputError where it cannot be posed."""
    number = random.randrange(len(DRAWN) + COLLECTIVES)
    if number >= len(DRAWN):
        return posed_collective(random_question(random, (*KINDS, GROUPS)))
    problem = DRAWN[number](random).problem()
    return problem.at_node(random.randrange(problem.network.node_count)) if problem.choice else problem


def try_referees(random: Random) -> tuple[str, str]:
    """Alter a schedule of a random problem in many ways: what came of it, and a finding, "" for none."""
    try:
        problem = draw(random)
        what = posed(problem)
        schedule: Any = solve(problem, Options(time_limit=1)).indexed
    except InputError:
        return "refused", ""
    if schedule is None:
        return "no schedule", ""
    data = schedule.to_json(range(problem.network.node_count))
    if TOTAL in data:
        return "repeats", ""
    for each in (data, *(altered(data, random) for _ in range(ALTERATIONS))):
        own, other = by_model(problem, each), by_kernel(what, each)
        if own != other:
            told = f"{problem.model} {problem.task} {dict(problem.parameters)} on {what.network.arcs}"
            return "disagreement", f"{told}: by the model {own}, by the kernel {other}: {json.dumps(each)}"
    return "agreed", ""
