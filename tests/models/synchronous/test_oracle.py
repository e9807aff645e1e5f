"""Values of the synchronous model against the oracle of tests/reference, and the oracle against going through
every schedule send by send.
"""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from random import Random
from typing import Any

import pytest

from schedsolve import Network, Options, build_problem, solve
from schedsolve.certify.check import check_data
from schedsolve.modelkit.result import result_to_json
from tests.reference.machines_ways import TooLargeError
from tests.reference.synchronous_literal import feasible
from tests.reference.synchronous_oracle import least_rounds, least_rounds_by_counting
from tests.reference.synchronous_plans import plans
from tests.soak.collectives import (
    KINDS,
    SYNCHRONOUS,
    Question,
    random_question,
    saved_question,
    small_question,
    truth,
    try_question,
)

HALVES = Network(3, ((0, 2), (1, 2)), bandwidths=(Fraction(1, 2), 3))
UNEQUAL = Network(3, ((0, 1), (1, 0), (2, 0), (1, 2)), True, bandwidths=(1, 1, 1, Fraction(1, 2)))


@pytest.mark.parametrize(
    ("task", "network", "parameters", "value"),
    [
        ("reduce", HALVES, {"root": 1, "steps": 3, "chunks": 2, "ordered": True}, "5/2"),
        ("reduce-scatter", UNEQUAL, {"steps": 3, "chunks": 2, "ordered": True}, "5/2"),
        ("broadcast", "leaf-spine:1,5,1", {"steps": 1}, "4"),
        ("broadcast", "leaf-spine:1,4,1", {"steps": 1}, "3"),
        ("reduce", "leaf-spine:1,5,1", {"steps": 1}, "4"),
        ("reduce", "leaf-spine:1,4,1", {"steps": 1}, "3"),
        ("broadcast", "leaf-spine:1,5,1", {"steps": 1, "chunks": 1}, "4"),
        ("broadcast", "leaf-spine:2,2,1", {"steps": 1}, "3"),
    ],
)
def test_named_examples(task: str, network: Network | str, parameters: dict[str, Any], value: str) -> None:
    """Prices that were read forwards in time, and few steps behind switches: the oracle's value, proven."""
    network = Network.from_spec(network) if isinstance(network, str) else network
    result = solve(build_problem("synchronous", task, network, parameters), Options(certify=True))
    data = json.loads(json.dumps(result_to_json(result)))
    assert truth(saved_question(data["problem"])) == Fraction(value)
    assert (result.status, result.value) == ("optimal", Fraction(value))
    assert check_data(data).complete


@pytest.mark.parametrize("part", "abcdfgh")
def test_a_sample_agrees_with_the_oracle(part: str) -> None:
    """Small questions of every kind: status, value and both bounds."""
    outcomes = Counter[str]()
    for number in range(12):
        random = Random(f"{part} {number}")
        outcome, finding = try_question(small_question(random, SYNCHRONOUS), number)
        assert not finding
        outcomes[outcome] += 1
    assert outcomes["agreed"] > 10


def literal(question: Question, rounds: int) -> bool | None:
    """What going through every schedule says; None where that takes too long."""
    options = question.options
    of, ordered = question.machine, bool(options.get("ordered"))
    try:
        return feasible(
            question.task, of, options["chunks"], options["steps"], rounds, question.node,
            ordered=ordered, budget=2500,
        )  # fmt: skip
    except TooLargeError:
        return None


def test_the_oracle_agrees_with_every_schedule() -> None:
    """The least number of rounds suffices and one less does not; None, and no number does. Counting with
    CP-SAT finds the same least number.
    """
    random, decided = Random(1), {True: 0, False: 0}
    tiny = KINDS[0]._replace(
        models=(SYNCHRONOUS,), compute=(2, 3), relays=(0, 1, 2), steps=(1, 2, 3), chunks=(1, 2)
    )
    while min(decided.values()) < 8:
        question = random_question(random, (tiny,))
        steps, chunks = question.options["steps"], question.options["chunks"]
        ordered = bool(question.options.get("ordered"))
        of = question.machine
        least = least_rounds(question.task, of, chunks, steps, question.node, ordered=ordered)
        tried = (
            [steps, steps + 2]
            if least is None
            else [rounds for rounds in (least, least - 1) if rounds >= steps]
        )
        for rounds in tried:
            found = literal(question, rounds)
            if found is not None:
                assert found == (least is not None and rounds >= least), (question, rounds)
                decided[found] += 1
        if least is not None:
            units = plans(question.task, of, steps, question.node, ordered=ordered)
            counted = least_rounds_by_counting(units, list(of.links.values()), chunks, steps)
            assert counted == least, question
