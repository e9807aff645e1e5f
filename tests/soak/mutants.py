"""Mutated results: none that says anything false may pass `check --strict`.

What is false is decided by solving the mutant's own problem, apart from the check.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any, NamedTuple

from schedsolve.certify.check import check_data
from schedsolve.errors import InputError
from schedsolve.limits.budget import Budget, within
from schedsolve.modelkit.search import Options
from schedsolve.models import model_of, read_problem
from schedsolve.network.families import family_network, is_family
from schedsolve.problem import Problem, problem_id, problem_to_json
from schedsolve.solving.solve import solve
from tests.soak.saved_results import LINES, saved

Data = Any
Path = tuple[Any, ...]


class Truth(NamedTuple):
    """What is known of a problem's least value: at least and at most; None for nothing known, and above for
    what cannot be done at all.
    """

    least: Fraction
    most: Fraction | None
    period: int | None


def truth(problem: Problem) -> Truth:
    """The least value of a problem, a number of rounds asked for left aside, as the solver finds it."""
    asked = problem.with_parameters(rounds=None)
    return _truth(problem_id(asked), asked)


_KNOWN: dict[str, Truth] = {}


def _truth(key: str, problem: Problem) -> Truth:
    if key not in _KNOWN:
        result = solve(problem, Options(time_limit=5))
        least = Fraction(10**9) if result.status == "infeasible" else Fraction(result.lower_bound or 0)
        most = None if result.value is None else Fraction(result.value)
        schedule: Any = result.schedule
        settled = problem.period == "min" and result.status == "optimal"
        _KNOWN[key] = Truth(least, most, schedule.period if settled else None)
    return _KNOWN[key]


def falsehood(data: Data) -> str | None:
    """Something false that a result claims; None when nothing is found."""
    problem = read_problem(data["problem"])
    name = problem.network.name
    if is_family(name) and not isinstance(data["problem"]["network"], str):
        try:
            same = family_network(name) == problem.network
        except InputError:
            same = False
        if not same:
            return f"the network is not {name}"
    known = truth(problem)
    uppers = [b["value"] for b in data["bounds"] if b["side"] == "upper"] + [data.get("value")]
    lowers = [b["value"] for b in data["bounds"] if b["side"] == "lower"] + [data.get("lower_bound")]
    if (data.get("certificate") or {}).get("lower"):
        lowers += [b["value"] for b in data["certificate"]["lower"]]
    for value in uppers:
        if value is not None and Fraction(value) < known.least:
            return f"an upper bound {value}, where at least {known.least} is needed"
    for value in lowers:
        if value is not None and known.most is not None and Fraction(value) > known.most:
            return f"a lower bound {value}, where {known.most} suffices"
    return _false_status(data, problem, known)


def _false_status(data: Data, problem: Problem, known: Truth) -> str | None:
    status, asked, most = data["status"], problem.rounds, known.most
    if asked is not None and model_of(problem).objective.name != "rounds":
        # Here a number of rounds is no value of the objective: the question itself is solved again.
        decided = solve(problem, Options(time_limit=5)).status
        differs = status in ("feasible", "infeasible") and decided in ("feasible", "infeasible")
        return f"{status}, though it is {decided}" if differs and status != decided else None
    if status == "infeasible" and most is not None and (asked is None or most <= asked):
        return f"infeasible, though {most} suffices"
    if status == "feasible" and (asked is None or known.least > asked):
        return f"feasible, though at least {known.least} is needed"
    if status == "optimal" and (
        data.get("value") is None or (most is not None and Fraction(data["value"]) > most)
    ):
        return f"optimal, though {most} suffices"
    if known.period is not None and status == "optimal" and data.get("period") != known.period:
        return f"the least period, though that is {known.period}"
    return None


def mutate(random: Random, data: Data) -> None:
    """One to three changes of a result, somewhere in it or where they hurt."""
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        random.choice((_anywhere, random.choice(TARGETED)))(random, data)


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


def _anywhere(random: Random, data: Data) -> None:
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


@cache
def base_passes(line: str) -> bool:
    """Whether the result itself, not mutated, passes strictly and says nothing false."""
    data = saved(line)
    return check_data(data).complete and falsehood(data) is None


def try_mutant(random: Random) -> tuple[str, str]:
    """Mutate a result and check it strictly: what came of it, and a finding, "" when there is none.

    "refused", "failed", "not verified", "accepted" for a mutant that says nothing false, and "false".
    """
    line = random.choice(LINES)
    if not base_passes(line):
        return "base fails", f"the result of {line} itself does not pass"
    data = saved(line)
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
    claims = falsehood(data) if data.get("format") == "schedsolve-result/1" else None
    return ("false", f"{line}: accepted, but claims {claims}") if claims else ("accepted", "")
