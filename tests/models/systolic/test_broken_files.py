"""Saved systolic results in which an entry was replaced by something of another kind."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from itertools import cycle

from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.command_line import Json


def places(data: Json, path: tuple[Json, ...] = ()) -> Iterator[tuple[Json, ...]]:
    """The paths to all entries of a JSON value."""
    for key, value in (
        data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    ):
        yield (*path, key)
        yield from places(value, (*path, key))


def least_period_file(line: str) -> Json:
    """What is saved, certified, when the least period of a problem is asked for."""
    model, task, network = line.split()
    problem = build_problem(model, task, Network.from_spec(network), {"period": "min"})
    return json.loads(json.dumps(result_to_json(solve(problem, Options(certify=True)))))


def verdict(original: Json, path: tuple[Json, ...], junk: Json) -> str:
    """What a check says of the file with this entry replaced: refused, failed, not sure, or ok."""
    data = copy.deepcopy(original)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = junk
    try:
        report = check_data(data)
    except InputError:
        return "refused"
    return (
        "failed"
        if report.failed
        else "not sure"
        if any(line.startswith("not sure") for line in report.lines)
        else "ok"
    )


def test_broken_entries_never_crash() -> None:
    """Any entry of a certificate, or of what goes with a least period, replaced by something of another type
    is no longer confirmed.
    """
    original = least_period_file("telegraph gossip grid:2x3")
    junks: Iterator[Json] = cycle((None, "junk", [[]]))
    for path, junk in zip(places(original), junks, strict=False):
        if path[0] not in ("period", "certificate", "problem") or "reason" in path or "symmetries" in path:
            continue
        assert verdict(original, path, junk) != "ok", (path, junk)


def test_a_shorter_period_that_is_a_list() -> None:
    """An entry of shorter_periods whose period is a list is refused."""
    assert (
        verdict(
            least_period_file("telephone gossip tree:2,2"),
            ("certificate", "shorter_periods", 0, "period"),
            [1],
        )
        != "ok"
    )


def test_a_least_period_longer_than_the_schedule() -> None:
    """It cannot be the least, so the check says so and does not go through all the shorter ones."""
    data = copy.deepcopy(least_period_file("telephone gossip tree:2,2"))
    data["period"] = data["schedule"]["period"] = 10**6
    report = check_data(data)
    assert report.failed
    assert len(report.lines) < 20
