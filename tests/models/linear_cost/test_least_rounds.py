"""T, the least number of rounds of a broadcast: its formula against brute force, and what a file has to prove
of it.
"""

from __future__ import annotations

import copy
from typing import Any

import pytest
from pysat.solvers import Solver

from schedsolve.certify.check import check_data
from schedsolve.modelkit.formulas.proof import pack_proof
from schedsolve.modelkit.problem import problem_to_json
from schedsolve.modelkit.result import Bound
from schedsolve.models import build_problem, model_of, read_problem
from schedsolve.models.linear_cost.claims.least_rounds import premise, refuted, rounds_formula
from schedsolve.models.linear_cost.claims.staircase import certain_rounds
from schedsolve.models.linear_cost.constructions.least_rounds import least_rounds, rounds_decided
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from schedsolve.solving.constructions import construct
from tests.reference.linear_cost_brute_force import least_rounds as by_brute_force

Data = dict[str, Any]
NETWORKS = (
    ((0, 1),),
    ((0, 1), (1, 2)),
    ((0, 1), (0, 2), (1, 2), (2, 3)),
    ((0, 1), (0, 3), (1, 2), (2, 3)),
    ((0, 1), (0, 4), (1, 2), (2, 3), (3, 4)),
    ((0, 1), (0, 2), (0, 3), (1, 2), (2, 3), (3, 4)),
    ((0, 3), (0, 4), (1, 3), (1, 4), (2, 3), (2, 4)),
    ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (3, 4)),
    ((0, 1), (0, 6), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)),
)


@pytest.mark.parametrize("links", NETWORKS)
def test_the_formula_has_a_model_from_t_on(links: tuple[tuple[int, int], ...]) -> None:
    """For every source and one to three ports; and T is found."""
    nodes = max(map(max, links)) + 1
    network = Network(nodes, links)
    for ports in (1, 2, 3):
        for source in range(nodes) if nodes < 6 else (0,):
            least = by_brute_force(nodes, links, source, ports)
            assert least is not None
            known = least_rounds(network, source, ports)
            assert (known.lower, known.upper) == (least, least)
            for rounds in range(least + 2):
                clauses = rounds_formula(network, source, ports, rounds).cnf.clauses
                with Solver("glucose4", bootstrap_with=clauses) as solver:
                    assert solver.solve() == (rounds >= least)


def test_far_ends_first() -> None:
    """Where nodes call first behind which others are farthest away, 1024 nodes need no search for T."""
    known = least_rounds(Network.from_spec("shuffle-exchange:10"), 0, 1, seconds=0.0)
    assert (known.lower, known.upper) == (19, 19)


def saved(network: str, extra: int, **options: Any) -> Data:
    """The fastest broadcast, the whole message each time, as a file."""
    problem = build_problem("linear-cost", "broadcast", network, {"extra_rounds": extra, **options})
    [result] = construct(problem, "fastest-broadcast")
    return {
        "format": "schedsolve-schedule/1",
        "problem": problem_to_json(problem),
        "schedule": result.schedule.to_json(problem.network.labels),
    }


def test_a_file_proves_t() -> None:
    """By the calls of a broadcast, and by the distance and doubling or by a refutation of one round less, in
    each reading of the ports; on complete networks and trees it says nothing.
    """
    for network, options, least, kind in (
        ("cycle:5", {}, 3, "staircase"),
        ("cycle:7", {}, 4, "refutation"),
        ("cycle:7", {"weak_ports": True}, 4, "refutation"),
        ("torus:3x3", {"ports": 2}, 2, "staircase"),
        ("grid:3x3", {"source": 4}, 4, "staircase"),
        ("grid:3x3", {"source": 1, "ports": 2}, 3, "staircase"),
    ):
        data = saved(network, 1, **options)
        assert data["problem"]["parameters"]["total_rounds"] == least + 1
        [bound] = data["problem"]["evidence"]["lower"]
        assert (bound["value"], bound["evidence"]["kind"]) == (least, kind)
        report = check_data(data)
        assert report.complete, report.text
        assert f"ok       T = {least}: it is at most that, replayed" in report.lines
        assert any(line.startswith(f"ok       T = {least}: lower bound {least}: ") for line in report.lines)
    for network in ("complete:5", "path:4", "star:5"):
        data = saved(network, 1)
        assert "evidence" not in data["problem"]
        assert check_data(data).complete
        assert premise(read_problem(data["problem"])) is None


def test_without_evidence_it_is_not_sure() -> None:
    """A file that says T and proves nothing of it is not verified, and does not fail; one that says the
    rounds in all only is; evidence where T is recomputed is not examined.
    """
    data = saved("cycle:5", 1)
    evidence = data["problem"].pop("evidence")
    report = check_data(data)
    assert (report.failed, report.unverified) == (False, ["T = 3"])
    del data["problem"]["parameters"]["extra_rounds"]
    assert check_data(data).complete
    data["problem"]["evidence"] = evidence
    assert check_data(data).unverified == ["what 'evidence' of the problem says"]


def changed(data: Data, evidence: Data | None = None, **parameters: int) -> Data:
    """The file with other parameters of its problem, and other entries of the evidence for them."""
    forged = copy.deepcopy(data)
    forged["problem"]["parameters"].update(parameters)
    forged["problem"]["evidence"].update(evidence or {})
    return forged


def test_a_t_that_is_too_large() -> None:
    """One round more than T: the broadcast is not too slow for it, and no evidence proves the lower side: not
    that of T, nor a refutation of as many rounds as suffice, with any proof.
    """
    for network, options in (("cycle:5", {}), ("cycle:7", {}), ("torus:3x3", {"ports": 2})):
        data = saved(network, 1, **options)
        forged = changed(data, extra_rounds=0)
        assert check_data(forged).failed
        said = premise(read_problem(forged["problem"]))
        assert said is not None
        rounds = said.too_few.parameters["total_rounds"]
        value = rounds + 1
        for evidence in (
            {"kind": "staircase"},
            {"kind": "derived"},
            {"kind": "refutation", "rounds": rounds, **pack_proof(["0"])},
            {"kind": "refutation", "rounds": rounds - 1, **pack_proof(["0"])},
            data["problem"]["evidence"]["lower"][0]["evidence"],
        ):
            bound = {"side": "lower", "value": value, "reason": "", "evidence": evidence}
            again = changed(forged, {"lower": [bound]})
            report = check_data(again)
            assert report.failed, (network, evidence, report.text)
            assert any(line.startswith(f"FAILED   T = {rounds + 1}: ") for line in report.lines)


def test_a_t_that_is_too_small() -> None:
    """The broadcast takes more rounds; below the number that is certain the problem is refused at once."""
    data = saved("cycle:7", 1)
    forged = changed(data, extra_rounds=2)
    report = check_data(forged)
    [line] = [line for line in report.lines if line.startswith("FAILED")]
    assert line == "FAILED   T = 3: it may be more; the schedule has 4 rounds, 3 are allowed"
    with pytest.raises(InputError, match="6 or more in all"):
        check_data(changed(data, extra_rounds=3))


def test_evidence_of_another_form() -> None:
    """No schedule, an incomplete one, no bounds, a schedule of another kind, and entries that nobody
    reads.
    """
    data = saved("cycle:5", 1)
    first = data["problem"]["evidence"]["schedule"]["rounds"][0]
    for schedule, words in (
        (None, "a schedule is"),
        ({"packet_count": 1, "rounds": [first]}, "misses packet 0"),
        ({"rounds": [first]}, "packet_count"),
        ({"packet_count": 1, "rounds": [[{"between": [0, 1]}]]}, "T = 3: "),
    ):
        forged = changed(data, {"schedule": schedule})
        report = check_data(forged)
        assert report.failed
        assert any(words in line for line in report.lines if line.startswith("FAILED"))
    with pytest.raises(InputError, match='"lower"'):
        check_data(changed(data, {"lower": None}))
    report = check_data(changed(data, {"more": 1}))
    assert (report.failed, report.unverified) == (False, ["what 'more' in problem.evidence says"])
    with pytest.raises(InputError, match="a problem is"):
        check_data({**data, "problem": {**data["problem"], "evidence": [1]}})


def test_a_refutation_is_for_the_rounds_of_the_problem() -> None:
    """No other number, and not for the variant with prices, whose rounds are free."""
    problem = build_problem("linear-cost", "broadcast", "cycle:7", source=0, total_rounds=3)
    assert refuted(problem, {"rounds": 3})[0] == 4
    for rounds in (2, 4, None, "3"):
        with pytest.raises(ClaimError):
            refuted(problem, {"rounds": rounds})
    free = build_problem("linear-cost", "broadcast", "cycle:7", source=0, alpha="1", tau="1")
    with pytest.raises(ClaimError, match="by a refutation"):
        model_of(free).refutation(free, {"rounds": 3})


def test_what_only_a_refutation_decides() -> None:
    """A cycle of 13 nodes, more than call graphs are enumerated for: 6 rounds are too few, though neither the
    distance nor doubling says so; 7 suffice.
    """
    problem = build_problem("linear-cost", "broadcast", "cycle:13", source=0, total_rounds=6)
    assert certain_rounds(problem.network, 0, 1) == 6
    found = rounds_decided(problem, 60.0)
    assert isinstance(found, Bound)
    assert found.value == 7
    more = rounds_decided(problem.with_parameters(total_rounds=7), 60.0)
    assert isinstance(more, tuple)
    assert model_of(problem).replay(*more).violation is None
