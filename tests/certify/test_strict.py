"""Nothing in a file stays unexamined, what `--strict` asks for, and what a hostile file costs."""

from __future__ import annotations

import base64
import copy
import gzip
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.certify.saved_result import read_result
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import Budget, OverBudgetError, within
from schedsolve.solving.solve import solve
from tests.command_line import Cli

Data = dict[str, Any]


def saved(model: str, task: str, network: str, **parameters: Any) -> Data:
    """A certified result as it is read from its file."""
    problem = build_problem(model, task, Network.from_spec(network), parameters)
    data: Data = json.loads(json.dumps(result_to_json(solve(problem, Options(certify="refutation")))))
    return data


@pytest.fixture(scope="module")
def gossip() -> Data:
    """The gossip of a 3 x 3 grid, optimal and certified."""
    return saved("telephone", "gossip", "grid:3x3")


def outcome(cli: Cli, data: Data, *options: str) -> tuple[object, str]:
    """The exit status and the output of a check."""
    Path("file.json").write_text(json.dumps(data))
    seen = cli("check file.json", *options)
    return seen.status, seen.out + seen.err


def test_everything_verified(cli: Cli, gossip: Data) -> None:
    """A certified optimum passes strictly; the problem is named, the last line counts the claims."""
    status, text = outcome(cli, gossip, "--strict")
    assert status == 0
    assert text.startswith("problem  telephone gossip on grid:3x3 (9 nodes, 12 edges)\n")
    last = text.rstrip().splitlines()[-1]
    assert "everything that the file claims; evidence: " in last
    assert re.search("[0-9]+ files of schedsolve ran, and [0-9]+ for the network's name ", last)


def test_an_optimum_without_certificate(cli: Cli, gossip: Data) -> None:
    """A lower bound that nothing proves is not sure, named in the last line, and refused strictly."""
    data = {**gossip, "certificate": None}
    status, text = outcome(cli, data)
    assert status == 0
    assert "not verified: lower bound" in text.rstrip().splitlines()[-1]
    assert outcome(cli, data, "--strict")[0] == 1


def test_a_schedule_file_claims_only_its_schedule(cli: Cli, gossip: Data) -> None:
    """A user's legal schedule passes strictly."""
    data = {"format": "schedsolve-schedule/1", "problem": gossip["problem"], "schedule": gossip["schedule"]}
    assert outcome(cli, data, "--strict")[0] == 0


def bounds(*entries: tuple[str, Any]) -> list[Data]:
    """Entries of "bounds"."""
    return [{"side": side, "value": value, "reason": "because"} for side, value in entries]


def undecided(**changes: Any) -> Data:
    """A result that decided nothing, with changes."""
    problem = {
        "model": "telephone",
        "task": "gossip",
        "network": "cycle:9",
        "parameters": {"rounds": 5},
    }
    head = {"format": "schedsolve-result/1", "problem": problem, "status": "unknown", "objective": "rounds"}
    rest: Data = {"value": None, "lower_bound": 0, "bounds": [], "schedule": None, "certificate": None}
    return {**head, **rest, "runtime_seconds": 0.0, **changes}


@pytest.mark.parametrize(
    ("data", "plain"),
    [
        (undecided(), 0),
        (undecided(bounds=bounds(("lower", 1000000))), 1),
        (undecided(lower_bound=None, bounds=bounds(("lower", 1000000))), 1),
        (undecided(lower_bound=None, bounds=bounds(("lower", 4), ("upper", 2))), 1),
        (undecided(lower_bound=4, bounds=bounds(("lower", 4), ("upper", 2))), 1),
        (undecided(lower_bound=4, bounds=bounds(("lower", 4))), 0),
        (undecided(bounds=bounds(("upper", 9))), 0),
        (undecided(lower_bound=7, bounds=bounds(("lower", 7))), 1),
        (undecided(status="infeasible", lower_bound=None, bounds=bounds(("lower", 1000000))), 0),
        (undecided(status="infeasible", lower_bound=None, bounds=bounds(("lower", 6), ("upper", 2))), 1),
        (undecided(status="infeasible", lower_bound=None, bounds=[]), 1),
    ],
)
def test_bounds_are_examined_always(cli: Cli, data: Data, plain: int) -> None:
    """Without a value, without a lower bound, unknown or infeasible: every listed bound is examined. What
    contradicts the file fails; what nothing proves is not sure, and fails strictly.
    """
    status, text = outcome(cli, data)
    assert status == plain, text
    claims = data["bounds"] or data["status"] != "unknown"
    assert outcome(cli, data, "--strict")[0] == (1 if claims else 0)
    assert plain == 1 or not claims or "not sure" in text


def test_a_bound_has_a_value(gossip: Data) -> None:
    """An entry of "bounds" without a value fails."""
    for entry in ({"side": "lower", "value": None}, {"side": "lower"}):
        assert check_data({**gossip, "bounds": [*gossip["bounds"], entry]}).failed


def test_a_weaker_bound_follows(gossip: Data) -> None:
    """Bounds that are weaker than the proven ones follow from them."""
    value = gossip["value"]
    data = {**gossip, "bounds": gossip["bounds"] + bounds(("lower", value - 1), ("upper", value + 3))}
    assert check_data(data).complete


def test_unknown_entries_are_not_examined(cli: Cli, gossip: Data) -> None:
    """What no check knows is named, and not accepted strictly."""
    data = {**gossip, "theorem": "P = NP"}
    status, text = outcome(cli, data)
    assert status == 0
    assert "not sure what 'theorem' says" in text
    assert outcome(cli, data, "--strict")[0] == 1


def test_a_node_is_no_claim_of_a_given_source(cli: Cli, gossip: Data) -> None:
    """Where the problem gives the source, or has none, or the file has no schedule, nobody looks at it."""
    broadcast = saved("telephone", "broadcast", "path:4", source=0)
    best = saved("telephone", "broadcast", "path:4", source="min")
    assert outcome(cli, best, "--strict")[0] == 0
    listed = [bound for bound in best["bounds"] if bound["side"] == "lower"]
    no_schedule = {**best, "status": "bounded", "value": None, "schedule": None, "bounds": listed}
    for data in ({**gossip, "node": 3}, {**broadcast, "node": 2}, no_schedule):
        status, text = outcome(cli, data, "--strict")
        assert status == 1
        assert "not sure what 'node' says" in text


def test_a_network_is_what_its_name_says(cli: Cli) -> None:
    """A graph of six nodes under the name "petersen" is noticed; the true one under its name is confirmed."""
    data = saved("telephone", "gossip", "cycle:6")
    nodes = [{"id": v} for v in range(6)]
    edges = [{"source": v, "target": (v + 1) % 6} for v in range(6)]
    del data["problem"]["links"]
    data["problem"]["network"] = {"name": "petersen", "directed": False, "nodes": nodes, "edges": edges}
    status, text = outcome(cli, data)
    assert status == 0
    assert "not sure that the network is petersen" in text
    assert "on petersen (6 nodes, 6 edges)" in text
    assert outcome(cli, data, "--strict")[0] == 1
    data["problem"]["network"]["name"] = "cycle:6"
    assert outcome(cli, data, "--strict")[0] == 0
    for other in ("cycle:0", "CYCLE:7", " cycle:7 "):
        data["problem"]["network"]["name"] = other
        assert outcome(cli, data, "--strict")[0] == 1


def test_keys_stand_once(cli: Cli, gossip: Data) -> None:
    """A JSON object that gives a key twice says two things, and is refused; so are numbers that are none."""
    text = json.dumps(gossip)
    Path("twice.json").write_text(text.replace('"value":', '"value": 2, "value":', 1))
    seen = cli("check twice.json")
    assert (seen.status, seen.out) == (2, "")
    assert "the key 'value' stands in one object twice" in seen.err
    Path("nan.json").write_text(text.replace('"runtime_seconds":', '"more": NaN, "runtime_seconds":', 1))
    assert cli("check nan.json").status == 2


@pytest.mark.parametrize("network", ["path:5", "star:5", "cycle:3"])
def test_a_period_too_short(network: str) -> None:
    """Where a theorem's bound lies above the horizon, the refutation is of the horizon, and says so."""
    data = saved("telegraph", "gossip", network, period=1)
    assert data["status"] == "infeasible"
    assert check_data(data).complete


def test_an_infeasible_result_lists_no_schedule() -> None:
    """A schedule that takes too long is not listed in a result that says "infeasible"."""
    data = saved("telephone", "gossip", "petersen", rounds=3)
    assert {bound["side"] for bound in data["bounds"]} == {"lower"}
    assert check_data(data).complete


def problem_on(network: Any, **parts: Any) -> Data:
    """A file that claims a gossip in a network to take no round."""
    return undecided(problem={"model": "telephone", "task": "gossip", "network": network}, **parts)


def refutation(data: Data) -> Data:
    """The evidence of the refutation in a certificate."""
    found: Data = next(
        b["evidence"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "refutation"
    )
    return found


def with_proof(data: Data, text: bytes) -> Data:
    """The file with another proof, rightly hashed."""
    data = copy.deepcopy(data)
    packed = base64.b64encode(zlib.compress(text)).decode()
    refutation(data).update(proof=packed, sha256=hashlib.sha256(text).hexdigest())
    return data


def test_hostile_files_are_over_budget(gossip: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nodes, edges, rounds, lemmas, symmetries: what is over the budget is refused before it is built."""
    with pytest.raises(OverBudgetError, match="10000000 nodes"):
        check_data(problem_on("path:10000000"))
    with pytest.raises(OverBudgetError, match="edges"):
        check_data(problem_on("complete:4000"))
    data = copy.deepcopy(gossip)
    data["schedule"]["rounds"] = [[]] * 1_000_001
    with pytest.raises(OverBudgetError, match="rounds"):
        check_data(data)
    with pytest.raises(OverBudgetError, match="lines of a proof"):
        check_data(with_proof(gossip, b"1 -1 0\n" * 5_000_001))
    data = copy.deepcopy(gossip)
    refutation(data)["symmetries"] = [[*range(9)]] * 300_000
    with pytest.raises(OverBudgetError, match="symmetries"):
        check_data(data)


def test_two_rounds_that_stand_for_more_calls_than_the_budget() -> None:
    """Rounds that are written once and executed often are refused by the calls that they stand for."""
    rounds = [[{"between": [v, (v + 1) % 1000]} for v in range(first, 1000, 2)] for first in (0, 1)]
    schedule = {"total_rounds": 200_001, "rounds": rounds}
    data = {**problem_on("cycle:1000"), "format": "schedsolve-schedule/1", "schedule": schedule}
    with pytest.raises(OverBudgetError, match="100000500 calls in all rounds, at most 100000000"):
        check_data(data)


def test_files_are_unpacked_within_the_budget(cli: Cli, gossip: Data) -> None:
    """A gzip of blanks, a file without end, a proof that unpacks to more than it should, too many values:
    exit status 2 and one line; --trust-size reads on.
    """
    small = Budget(bytes=20_000, values=3_000)
    Path("blanks.json.gz").write_bytes(gzip.compress(b" " * 20_001))
    Path("lists.json").write_text("[" + "[]," * 3_000 + "[]]")
    Path("proof.json").write_text(json.dumps(with_proof(gossip, b" " * 20_001)))
    for file, reason in (
        ("blanks.json.gz", "unpacked bytes"),
        ("/dev/zero", "unpacked bytes"),
        ("lists.json", "JSON values"),
        ("proof.json", "unpacked bytes"),
    ):
        with within(small):
            seen = cli(f"check {file}")
        assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
        assert reason in seen.err
        assert "--trust-size" in seen.err
    with within(small):
        seen = cli("check blanks.json.gz --trust-size")
    assert seen.status == 2
    assert "no JSON" in seen.err


def test_the_seconds_of_a_check_end(gossip: Data) -> None:
    """Work on a file that takes longer than the budget is ended."""

    @within(Budget(seconds=0))
    def endless() -> None:
        while True:
            check_data(gossip)

    with pytest.raises(OverBudgetError, match="seconds"):
        endless()


def test_the_first_budget_holds(gossip: Data) -> None:
    """A budget in force is not replaced by one inside."""
    with within(Budget(nodes=5)), pytest.raises(OverBudgetError, match="9 nodes, at most 5"):
        check_data(gossip)


def test_network_files_are_held_to_the_budget(cli: Cli) -> None:
    """A file of a few bytes that announces many nodes is refused in one line; --trust-size reads it."""
    Path("big.dimacs").write_text("p edge 1000001 1\ne 1 2\n")
    seen = cli("bounds telephone broadcast big.dimacs")
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert "1000001 nodes, at most 1000000" in seen.err
    assert "disconnected" in cli("bounds telephone broadcast big.dimacs --trust-size").err


@pytest.mark.parametrize("place", ["problem", "bounds", "certificate.lower"])
def test_unknown_entries_of_inner_objects_are_not_examined(cli: Cli, gossip: Data, place: str) -> None:
    data = copy.deepcopy(gossip)
    inner = data
    for key in place.split("."):
        inner = inner[key]
    (inner if isinstance(inner, dict) else inner[0])["proven_by"] = "me"
    assert f"what 'proven_by' in {place} says" in outcome(cli, data)[1]


def test_proofs_that_nobody_reads_are_named() -> None:
    """Bounds for shorter periods where a period was given, and upper bounds beside a schedule, are not
    examined; nor are schedules for all nodes where the file shows none.
    """
    data = saved("telegraph", "gossip", "path:4", period=4)
    data["certificate"]["shorter_periods"] = [{"period": 3, "lower": []}]
    assert "'shorter_periods' in certificate" in check_data(data).unverified[0]
    data = saved("telephone", "gossip", "cycle:6")
    data["certificate"]["upper"] = [{"side": "upper", "value": 2, "evidence": {"kind": "flows"}}]
    assert "'upper' in certificate" in check_data(data).unverified[0]
    assert "what 'schedules' says" in check_data(undecided(schedules=[{"node": 0}])).unverified


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"value": None}, "certificate: an entry has no value"),
        ({"side": "upper"}, "the \"side\" of a bound of 3 is 'upper', not 'lower'"),
        ({"by": "magic"}, '"by" of a bound is one of'),
        ({"node": "nobody"}, "'nobody' is not a node of the network"),
    ],
)
def test_what_is_no_bound_fails(change: Data, fault: str) -> None:
    """An entry of a certificate that cannot be a lower bound is a failed line, whatever its evidence proves;
    who takes the result from the file is refused with that line.
    """
    data = saved("telephone", "gossip", "cycle:6")
    bound = data["certificate"]["lower"][0]
    data["certificate"]["lower"][0] = {**bound, "value": 3, **change}
    assert any(line.startswith("FAILED") and fault in line for line in check_data(data).lines)
    with pytest.raises(InputError, match=re.escape(fault)):
        read_result(data)


def test_a_period_proven_twice(cli: Cli) -> None:
    """Of two entries for one period nobody could say which is meant."""
    data = saved("telegraph", "gossip", "path:4", period="min")
    first = data["certificate"]["shorter_periods"][0]
    data["certificate"]["shorter_periods"].append(first)
    status, text = outcome(cli, data)
    assert status == 2
    assert "one for a period" in text


def test_a_foreign_schedule_fails(cli: Cli) -> None:
    """A schedule that says what means nothing in its model is a failed line of a result, as of a schedule
    file.
    """
    data = saved("telephone", "gossip", "cycle:6")
    data["schedule"]["packets"] = 2
    status, text = outcome(cli, data)
    assert status == 1
    assert 'FAILED   schedule: "packets" means nothing here' in text
