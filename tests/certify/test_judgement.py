"""Each condition of the judgement by itself: what is examined, what counts, and what a proof may do."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Generator, Iterable
from typing import Any

import pysolvers
import pytest
from pysolvers import minisat22_propagate

from schedsolve.certify import propagation
from schedsolve.certify.check import check_data
from schedsolve.certify.cubes import Replays, replay_in_cubes, replays
from schedsolve.certify.propagation import replay_refutation
from schedsolve.certify.report import CheckReport
from schedsolve.modelkit.formulas.cubes import Cube
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.models.systolic.command import explored, rows_to_json
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.solve import solve
from tests.evidence.catalogue import Entry

Data = dict[str, Any]
CONTRADICTION = [[1, 2], [1, -2], [-1, 2], [-1, -2]]
HALVES: dict[Cube, list[str]] = {(1,): ["2 0", "0"], (-1,): ["2 0", "0"]}
"""A proof for each value of variable 1."""


@pytest.fixture(scope="module")
def least_period() -> Data:
    """A gossip of a star with its least period, 3; periods 1 and 2 are excluded."""
    problem = build_problem("telephone", "gossip", "star:4", {"period": "min"})
    return result_to_json(solve(problem, Options(certify=True)))


def unverified(data: Data, change: Callable[[Data], object]) -> list[str]:
    """What a check of the altered file does not verify, and what fails."""
    altered = copy.deepcopy(data)
    change(altered)
    report = check_data(altered)
    return [*report.unverified, *(line for line in report.lines if line.startswith("FAILED"))]


def test_a_report_counts() -> None:
    """What holds, what does not, and what was not verified add up to the claims."""
    report = CheckReport()
    report.confirm("one")
    assert (report.verified, report.complete) == (1, True)
    assert report.summary == "verified 1 of 1 claim: everything that the file claims"
    report.doubt("two", "why")
    report.doubt("three", "why")
    report.fail("four")
    assert (report.verified, report.failures, report.failed, report.complete) == (1, 1, True, False)
    assert report.summary == "verified 1 of 4 claims; 1 failed; not verified: two, three"
    assert [line[:8] for line in report.lines] == ["ok      ", "not sure", "not sure", "FAILED  "]


def test_what_is_verified_is_told() -> None:
    """The list of bounds, and the answers of explore periods, each in a line."""
    data = Entry("telephone", "odd-order").data
    assert any(line.startswith("ok       bounds: all ") for line in check_data(data).lines)
    rows = rows_to_json(2, True, explored(arity=2, periods=(7, 8), two_way=True))
    report = check_data(rows)
    assert report.verified == len([line for line in report.lines if line.startswith("ok ")]) >= 2


def test_shorter_periods_are_asked_for(least_period: Data) -> None:
    """An optimum needs a proof for every shorter period, and no other is examined."""
    assert least_period["status"] == "optimal"
    assert least_period["period"] == 3
    assert not unverified(least_period, lambda _: None)
    proofs = least_period["certificate"]["shorter_periods"]
    assert [entry["period"] for entry in proofs] == [1, 2]
    assert "period 2" in unverified(least_period, lambda data: data["certificate"]["shorter_periods"].pop())
    for period in (0, -1, 3, 4):
        data = copy.deepcopy(least_period)
        data["certificate"]["shorter_periods"].append({"period": period, "lower": []})
        assert check_data(data).unverified == [f"period {period}"]


def test_the_period_of_the_schedule_is_asked_for(least_period: Data) -> None:
    with pytest.raises(InputError, match="which it has"):
        unverified(least_period, lambda data: data["schedule"].pop("period"))


@pytest.mark.parametrize("given", [5.0, True, "5", 4, None])
def test_rounds_in_all(given: object) -> None:
    """They are a whole number, that of the problem or the schedule."""
    data = Entry("linear-cost", "call graphs").data
    asked = data["problem"]["parameters"]["total_rounds"]
    wrong = float(asked) if type(given) is float else given if given != asked else asked + 1
    found = unverified(data, lambda altered: altered.update(total_rounds=wrong))
    assert any("rounds in all" in line for line in found)


def test_an_optimum_has_a_value() -> None:
    """Schedules that exist show one value, which the file has to name."""
    data = Entry("pipelined", "flows").data
    assert unverified(data, lambda altered: altered.update(value=None))
    for kind in (None, ["flows"], "trees"):
        altered = copy.deepcopy(data)
        altered["certificate"]["upper"][0]["evidence"]["kind"] = kind
        assert any("no evidence of the kind" in line for line in check_data(altered).lines)


def test_what_was_not_there_is_not_deleted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A deleted clause that the formula has not does not come into it when the solver is set up anew."""
    monkeypatch.setattr(propagation, "REBUILD_AFTER", 0)
    absent = ["d 1 -2 0", "d -1 2 0", "d -1 -2 0"]
    with pytest.raises(ClaimError, match="does not follow"):
        replay_refutation([[1, 2]], 2, [*absent * 4, "1 0", "0"])
    assert replay_refutation(CONTRADICTION, 2, ["1 0", "d 1 2 0", "d 1 -2 0", "0"]) == 2


def test_what_a_deleted_clause_implied_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solvers delete a clause that holds because of a literal that only it implies, and go on to use it."""
    monkeypatch.setattr(propagation, "REBUILD_AFTER", 0)
    square = [[-2, 3, 4], [-2, 3, -4], [-2, -3, 4], [-2, -3, -4]]
    clauses, deleted = [[1], [-1, 2], *square, [5, 6], [5, -6], [-5, 6]], ["d -1 2 0", "d 5 6 0"]
    proof = [*deleted, "d 5 -6 0", "d -5 6 0", "3 0", "0"]
    assert replay_refutation(clauses, 6, proof) == 2
    with pytest.raises(ClaimError, match="does not follow"):
        replay_refutation([[1, 7], *clauses[1:]], 7, proof)


def test_what_propagation_makes_true() -> None:
    """Random formulas with a few unit clauses: those literals whose assumption changes nothing."""
    generator, sizes = random.Random(7), set()
    for _ in range(200):
        n = generator.randint(1, 9)
        lengths = [*[3] * n, *[2] * (n // 2), *[1] * generator.randint(0, 2)]
        clauses = [
            [v * generator.choice((1, -1)) for v in generator.choices(range(1, n + 1), k=k)] for k in lengths
        ]
        formula = propagation._Formula(clauses, None)
        named = {sign * abs(x) for clause in clauses for x in clause for sign in (1, -1)}
        true = {x for x in named if formula._propagated([x]) == (True, [])}
        assert sorted(formula._held()) == sorted(true)
        sizes.add(len(true))
    assert max(sizes) > 4


def test_the_propagating_solver_answers_no_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    """PySAT answers Ctrl-C by a jump out of a call that is said to come from the main thread."""
    asked: list[int] = []

    def propagate(solver: object, literals: list[int], saving: int, main_thread: int) -> object:
        asked.append(main_thread)
        return minisat22_propagate(solver, literals, saving, main_thread)

    monkeypatch.setattr(pysolvers, "minisat22_propagate", propagate)
    assert replay_refutation(CONTRADICTION, 2, ["1 0", "0"]) == 2
    assert set(asked) == {0}


def test_cubes_that_do_not_come_back() -> None:
    """Where other processes replay the cubes, each has to come back, without an error."""
    assert replay_in_cubes(CONTRADICTION, 2, HALVES) == 4

    def shared(drop: int) -> Replays:
        def share(work: Callable[..., Any], given: Iterable[tuple[Any, ...]]) -> Generator[Any]:
            yield from [work(*one) for one in given][drop:]

        return Replays(share)

    with replays(shared(0)):
        assert replay_in_cubes(CONTRADICTION, 2, HALVES) == 4
        with pytest.raises(ClaimError, match="does not follow"):
            replay_in_cubes([[1, 2], [3, 4]], 4, HALVES)
    with replays(shared(1)), pytest.raises(ClaimError, match="of 2 cubes 1 were replayed"):
        replay_in_cubes(CONTRADICTION, 2, HALVES)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"status": "unknown"}, "no number of rounds was asked for"),
        ({"status": "feasible"}, "the file claims that None rounds suffice"),
        ({"status": "infeasible"}, "has neither value nor lower bound"),
        (
            {"status": "infeasible", "value": None, "lower_bound": None},
            "an infeasible problem has no schedule",
        ),
        ({"lower_bound": 5}, "the lower bound 5 is above the value 4"),
        ({"lower_bound": 3}, "claims to be optimal, but its value is 4 and its lower bound 3"),
        ({"value": None}, "claims to be optimal, but its value is None"),
        ({"value": 5}, "the schedule takes 4 rounds"),
    ],
)
def test_what_a_status_says(change: Data, words: str) -> None:
    """Each sentence of it, on an optimum of four rounds."""
    data = Entry("telephone", "odd-order").data
    assert (data["value"], data["lower_bound"], data["status"]) == (4, 4, "optimal")
    failed = [line for line in check_data({**data, **change}).lines if line.startswith("FAILED")]
    assert any(words in line for line in failed), failed


def test_what_a_status_says_of_rounds_asked_for() -> None:
    """A decision keeps to the rounds that were asked for, and an undecided one has no schedule of as many."""
    problem = build_problem("telephone", "gossip", "path:4", {"rounds": 3})
    data: Data = json.loads(json.dumps(result_to_json(solve(problem, Options(certify=True)))))
    assert (data["status"], data["value"], check_data(data).complete) == ("feasible", 3, True)
    less = copy.deepcopy(data)
    less["problem"]["parameters"]["rounds"] = 2
    lines = {
        "the file claims that 2 rounds suffice, but its value is 3": less,
        "does not decide whether 3 rounds suffice, but its value is 3": {**data, "status": "unknown"},
        "the lower bound 4 means that the problem is infeasible": {**data, "value": None, "lower_bound": 4},
    }
    for words, file in lines.items():
        assert any(words in line for line in check_data(file).lines), words
    padded = copy.deepcopy(data)
    padded["schedule"]["rounds"].append([])
    padded["problem"]["parameters"].pop("rounds")
    padded["status"] = "optimal"
    assert "FAILED   the file claims to be optimal, but its last round is empty" in check_data(padded).lines


def test_a_schedule_that_repeats_sooner() -> None:
    """A period is not the least where the schedule repeats with a shorter one, optimal or not."""
    problem = build_problem("telephone", "gossip", "cycle:6", {"period": "min"})
    data: Data = json.loads(json.dumps(result_to_json(solve(problem, Options(certify=True)))))
    assert (data["period"], data["value"], data["schedule"]["period"]) == (2, 3, 2)
    data["schedule"].update(period=3, rounds=[data["schedule"]["rounds"][t % 2] for t in range(3)])
    data.update(period=3, status="bounded")
    data["certificate"]["shorter_periods"] = data["certificate"]["shorter_periods"][:1]
    assert "FAILED   period 3 is not the least: the schedule repeats with period 2" in check_data(data).lines


def test_the_period_of_the_file_is_that_of_its_schedule(least_period: Data) -> None:
    for period in (2, 4, None, "3", 3.0):
        found = unverified(least_period, lambda data, p=period: data.update(period=p))  # type: ignore[misc]
        assert any("least period is" in line for line in found)


def test_evidence_for_parameters_that_need_none() -> None:
    """It is named, as nobody examines it; a problem may also hold none."""
    data = Entry("linear-cost", "derived").data
    assert not unverified(data, lambda _: None)
    evidence = {"schedule": data["schedule"], "lower": []}
    assert unverified(data, lambda altered: altered["problem"].update(evidence=evidence)) == [
        "what 'evidence' of the problem says"
    ]
