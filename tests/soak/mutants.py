"""Mutated results: none that says anything false may pass `check --strict`. What is false a brute force says
where it can (`falsehoods`).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from random import Random
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.modelkit.problem import Problem, problem_id, problem_to_json
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import read_problem
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import Budget, within
from schedsolve.solving.solve import solve
from tests.soak import drawn
from tests.soak.collectives import small_problem
from tests.soak.falsehoods import falsehood
from tests.soak.saved_results import LINES, saved

Data = Any
Path = tuple[Any, ...]


def round_problem(random: Random) -> Problem:
    """A small problem of a round model. Raises InputError when it is refused."""
    return random.choice(list(drawn.MODELS.values()))(random, 4).problem()


SMALL_PROBLEMS = (round_problem, round_problem, small_problem)
LARGEST_POOL = 250
"""How many small problems are drawn and solved for their results to be mutated, beside the lines."""


def mutate(random: Random, data: Data) -> None:
    """One to three changes of a result, somewhere in it or where they hurt."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        random.choice((mutate_anywhere, random.choice(TARGETED)))(random, data)


def paths(data: Data, path: Path = ()) -> Iterator[Path]:
    """The paths of all entries, those in long lists thinned out."""
    items: list[tuple[Any, Any]] = []
    if isinstance(data, dict):
        items = list(data.items())
    elif isinstance(data, list):
        items = list(enumerate(data))
        items = items if len(items) < 30 else items[:: len(items) // 15]
    for key, value in items:
        yield (*path, key)
        yield from paths(value, (*path, key))


def _at(data: Data, path: Path) -> Data:
    for key in path:
        data = data[key]
    return data


def mutate_anywhere(random: Random, data: Data) -> None:
    """Change, remove, double or exchange any entry."""
    path = random.choice(list(paths(data)))
    place, key = _at(data, path[:-1]), path[-1]
    old = place[key]
    other = saved(random.choice(LINES))
    kinds: list[Callable[[], Any]] = [
        lambda: random.choice([None, True, 0, -1, 1.5, "", "1/2", [], {}, 10**6]),
        lambda: old + random.choice((-1, 1)) if type(old) is int else random.choice((0, 1, 2)),
        lambda: random.choice(list(place.values())) if isinstance(place, dict) else random.choice(place),
        lambda: _at(other, random.choice(list(paths(other)))),
    ]
    action = random.randrange(7)
    if action == 0:
        del place[key]
    elif action == 1 and isinstance(place, list):
        place.insert(random.randrange(len(place) + 1), copy.deepcopy(old))
    elif action == 2 and isinstance(place, list):
        random.shuffle(place)
    else:
        place[key] = copy.deepcopy(random.choice(kinds)())


def _better_value(random: Random, data: Data) -> None:
    """A value lower by one everywhere, the last round dropped or emptied into the one before."""
    if type(data["value"]) is not int:
        return
    _set_all(data, data["value"], data["value"] - 1)
    rounds = (data["schedule"] or {}).get("rounds")
    if rounds:
        last = rounds.pop()
        if random.random() < 0.5 and rounds:
            rounds[-1] += last
        elif random.random() < 0.5:
            rounds[0] += last


def _worse_value(random: Random, data: Data) -> None:
    """A value, bounds and claims higher by one, the schedule idle for a round."""
    if type(data["value"]) is not int:
        return
    _set_all(data, data["value"], data["value"] + 1)
    rounds = (data["schedule"] or {}).get("rounds")
    if rounds is not None:
        rounds.insert(random.randrange(len(rounds) + 1), [])


def _set_all(data: Data, old: Any, new: Any) -> None:
    for name in ("value", "lower_bound"):
        if data[name] == old:
            data[name] = new
    certificate = data.get("certificate") or {}
    for bound in [*data["bounds"], *certificate.get("lower", [])]:
        if bound["value"] == old:
            bound["value"] = new


def _higher_bound(random: Random, data: Data) -> None:
    """A lower bound higher by one or two, in the list, as the claim, and in the certificate."""
    more = random.choice((1, 2))
    if type(data["lower_bound"]) is int:
        data["lower_bound"] += more
    for bound in [*data["bounds"], *(data.get("certificate") or {}).get("lower", [])]:
        if bound["side"] == "lower" and type(bound["value"]) is int and random.random() < 0.7:
            bound["value"] += more


def _more_evidence(random: Random, data: Data) -> None:
    """Evidence that claims to refute one round more."""
    for bound in (data.get("certificate") or {}).get("lower", []):
        if type(bound["evidence"].get("rounds")) is int:
            bound["evidence"]["rounds"] += 1
            bound["value"] += 1
    _higher_bound(random, data)


def _other_status(random: Random, data: Data) -> None:
    """Another status, with the fields that go with it."""
    status = random.choice(("optimal", "bounded", "feasible", "infeasible", "unknown"))
    data["status"] = status
    if status == "infeasible":
        data.update(value=None, lower_bound=None, schedule=None)
    if status in ("optimal", "feasible") and data["value"] is None:
        data["value"] = data["lower_bound"]
    if status == "optimal":
        data["lower_bound"] = data["value"]


def _no_certificate(random: Random, data: Data) -> None:
    """No certificate, an empty one, or that of another result."""
    data["certificate"] = random.choice(
        (None, {"problem_id": "", "lower": []}, saved(random.choice(LINES))["certificate"])
    )


def _other_problem(random: Random, data: Data) -> None:
    """The problem of another result, or other parameters, under its own id."""
    other = saved(random.choice(LINES))["problem"]
    data["problem"] = random.choice(
        (other, {**data["problem"], "network": other["network"]}, {**data["problem"], "task": other["task"]})
    )
    _own_id(data)


def _other_rounds(random: Random, data: Data) -> None:
    """A number of rounds to decide, another, or none."""
    parameters = data["problem"]["parameters"]
    for name in ("rounds", "period", "ports", "source", "extra_rounds"):
        if name in parameters and random.random() < 0.5:
            parameters[name] = random.choice((0, 1, 2, 3, 5, "min", "max", "all"))
    if random.random() < 0.3:
        parameters["rounds"] = random.randrange(8)
    _own_id(data)


def _other_network(random: Random, data: Data) -> None:
    """An edge more or less, under the old name or without one."""
    network = read_problem(data["problem"]).network
    n, edges = network.node_count, set(network.edges)
    edge = tuple(sorted(random.sample(range(n), 2))) if n > 1 else (0, 0)
    edges ^= {edge} if random.random() < 0.5 else {random.choice(sorted(edges) or [edge])}  # type: ignore[arg-type]
    name = random.choice((network.name, network.name, "", "petersen"))
    ends = [{"source": network.labels[u], "target": network.labels[v]} for u, v in sorted(edges)]
    nodes = [{"id": label} for label in network.labels]
    data["problem"].pop("links", None)
    data["problem"]["network"] = {"name": name, "directed": network.directed, "nodes": nodes, "edges": ends}
    _own_id(data)


def _own_id(data: Data) -> None:
    """The right id of the file's problem, as a forger would write it."""
    try:
        problem = read_problem(data["problem"])
    except InputError:
        return
    kept = data["problem"]["network"]
    data["problem"] = problem_to_json(problem)
    if not isinstance(kept, str):
        data["problem"]["network"] = kept
    if isinstance(data.get("certificate"), dict):
        data["certificate"]["problem_id"] = problem_id(problem)


TARGETED: tuple[Callable[[Random, Data], None], ...] = (
    _better_value, _worse_value, _higher_bound, _more_evidence, _other_status, _no_certificate,
    _other_problem, _other_rounds, _other_network,
)  # fmt: skip


def random_base(random: Random) -> str:
    """Whose result is to be mutated: a line of the list, or as often the number of a problem to be drawn."""
    return random.choice(LINES) if random.random() < 0.5 else str(random.randrange(LARGEST_POOL))


def result_of(base: str) -> Data:
    """The certified result of a line, or of the problem of a number."""
    return json.loads(_drawn(int(base))) if base.isdecimal() else saved(base)


@cache
def _drawn(number: int) -> str:
    random = Random(f"base {number}")
    while True:
        with suppress(InputError):
            problem = random.choice(SMALL_PROBLEMS)(random)
            return json.dumps(result_to_json(solve(problem, Options(certify=True, time_limit=10))))


@cache
def base_passes(base: str) -> bool:
    """Whether the result itself, not mutated, passes strictly and says nothing false."""
    data = result_of(base)
    return check_data(data).complete and falsehood(data)[0] is None


def try_mutant(random: Random) -> tuple[str, str]:
    """Mutate a result and check it strictly: what came of it, and a finding, "" when there is none.

    "refused", "failed", "not verified", "false", and for a mutant that says nothing false "accepted", by
    brute force or by the solver.
    """
    base = random_base(random)
    if not base_passes(base):
        return "base fails", f"the result of {base} itself does not pass"
    data = result_of(base)
    # A second change may meet what the first one broke; the mutant stands as it is then.
    with suppress(KeyError, TypeError, IndexError, ValueError, AttributeError):
        mutate(random, data)
    try:
        with within(Budget(seconds=20)):
            report = check_data(data)
    except InputError:
        return "refused", ""
    if report.failed:
        return "failed", ""
    if not report.complete:
        return "not verified", ""
    if data.get("format") != "schedsolve-result/1":
        return "accepted", ""
    claims, judge = falsehood(data)
    return ("false", f"{base}: accepted, but claims {claims}") if claims else (f"accepted by {judge}", "")
