"""The referee of steps, rule by rule: copies, sums, links, files and schedules run backwards."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from schedsolve import Network, build_problem
from schedsolve.models.synchronous.rules import Send, Step, StepSchedule, replay
from schedsolve.models.synchronous.rules.files import LARGEST_NUMBER, StepForm
from schedsolve.models.synchronous.rules.mirror import backwards
from schedsolve.models.synchronous.rules.reductions import is_run
from schedsolve.runtime.errors import InputError

HALF = Fraction(1, 2)
PATH = Network.from_spec("path:3")
HUB = Network(4, ((0, 3), (1, 3), (2, 3)), switches=frozenset({3}), bandwidths=(2, HALF, 1))


def wrong(task: str, network: Network, schedule: StepSchedule, **parameters: Any) -> str:
    """What the referee says of a schedule; empty when it is legal and complete."""
    problem = build_problem("synchronous", task, network, parameters)
    return replay(problem, schedule).violation or ""


def steps(*sends: list[Send], rounds: int = 1, chunks: int | None = 1) -> StepSchedule:
    return StepSchedule(tuple(Step(rounds, tuple(s)) for s in sends), chunks)


RELAY = steps([Send(0, 1, (0,))], [Send(1, 2, (0,))])
BACK = backwards(RELAY)


def test_numbers_of_the_problem() -> None:
    """Chunks and steps are those asked for; one of both says how many chunks there are."""
    assert wrong("broadcast", PATH, RELAY, steps=2) == ""
    assert wrong("broadcast", PATH, RELAY, steps=2, chunks=1) == ""
    assert "1 chunk, and 2 were asked for" in wrong("broadcast", PATH, RELAY, steps=2, chunks=2)
    assert "2 steps, and 3 were asked for" in wrong("broadcast", PATH, RELAY, steps=3)
    unsaid = StepSchedule(RELAY.steps)
    assert "does not say how many chunks" in wrong("broadcast", PATH, unsaid, steps=2)
    assert wrong("broadcast", PATH, unsaid, steps=2, chunks=1) == ""
    problem = build_problem("synchronous", "broadcast", PATH, {"steps": 2})
    assert replay(problem, unsaid).value == 0
    assert replay(problem, RELAY.multiplied(3)).value == 2
    assert replay(problem, steps([Send(0, 1, (0,))], [Send(1, 2, (0,))], rounds=2)).value == 4


@pytest.mark.parametrize("task", ["broadcast", "reduce", "allreduce"])
def test_what_is_legal(task: str) -> None:
    """Whoever breaks no rule is legal, complete or not; whoever breaks one is not."""
    end = {"broadcast": {"source": 0}, "reduce": {"root": 0}}.get(task, {})
    problem = build_problem("synchronous", task, PATH, {"steps": 1, "chunks": 1, **end})
    add = task != "broadcast"
    for send, legal in ((Send(0, 1, (0,), (), add), True), (Send(0, 1, (1,), (), add), False)):
        found = replay(problem, steps([send]))
        assert (found.legal, found.value, bool(found.violation)) == (legal, 1, True)


@pytest.mark.parametrize("task", ["broadcast", "reduce"])
def test_a_step_lasts_a_round(task: str) -> None:
    """Where copies are sent and where sums are, whether or not the step sends anything."""
    one = RELAY if task == "broadcast" else BACK
    for number in (0, 1):
        spoilt = list(one.steps)
        spoilt[number] = spoilt[number]._replace(rounds=0)
        found = wrong(task, PATH, StepSchedule(tuple(spoilt), 1), steps=2)
        assert found == f"step {number + 1}: it lasts 0 rounds, and a step lasts 1 or more"
    waiting = StepSchedule((*one.steps, Step(0, ())), 1)
    assert "it lasts 0 rounds" in wrong(task, PATH, waiting, steps=3)
    assert wrong(task, PATH, StepSchedule((*one.steps, Step(1, ())), 1), steps=3) == ""


@pytest.mark.parametrize(
    ("sends", "words"),
    [
        ([Send(0, 1, (0, 1))], "does not hold chunk 1, which"),
        ([Send(1, 0, (1,)), Send(1, 2, (1,)), Send(2, 1, (2,))], "node 1 does not hold chunk 0"),
        ([Send(1, 0, (0,))], "node 1 does not hold chunk 0"),
        ([Send(0, 1, (3,))], "there is no chunk 3"),
        ([Send(0, 1, (0, 0))], "sent to node 1 twice"),
        ([Send(0, 2, (0,))], "there is no link from 0 to 2"),
        ([Send(0, 1, (0,), (2,))], "passes 2, which is no switch"),
    ],
)  # fmt: skip
def test_copies(sends: list[Send], words: str) -> None:
    """An allgather on a path of three, one chunk of each node."""
    assert words in wrong("allgather", PATH, steps(sends, rounds=3), steps=1)


def test_a_chunk_is_sent_once_to_each_node() -> None:
    """Not back to who holds it, and not again in a later step."""
    back = steps([Send(0, 1, (0,))], [Send(1, 0, (0,))])
    assert "node 0 already holds it" in wrong("broadcast", PATH, back, steps=2)
    again = steps([Send(0, 1, (0,))], [Send(0, 1, (0,)), Send(1, 2, (0,))])
    assert "node 1 already holds it" in wrong("broadcast", PATH, again, steps=2)


@pytest.mark.parametrize(
    ("rounds", "chunks", "legal"), [(1, 1, False), (2, 1, True), (3, 1, True), (3, 2, False), (4, 2, True)]
)
def test_the_narrowest_link(rounds: int, chunks: int, legal: bool) -> None:
    """Every link of the way counts, and all sends of a step together."""
    sends = [Send(0, v, tuple(range(chunks)), (3,)) for v in (1, 2)]
    found = wrong("broadcast", HUB, steps(sends, rounds=rounds, chunks=chunks), steps=1)
    assert (found == "") == legal
    assert legal or "the link from 3 to 1 carries" in found
    sums = [send._replace(sender=send.receiver, receiver=0, adds=True) for send in sends]
    found = wrong("reduce", HUB, steps(sums, rounds=rounds, chunks=chunks), steps=1)
    assert (found == "") == legal
    assert legal or "the link from 1 to 3 carries" in found


@pytest.mark.parametrize(
    ("send", "words"),
    [
        (Send(0, 3, (0,), (), True), "node 3 is a switch"),
        (Send(3, 0, (0,), (), True), "node 3 is a switch"),
        (Send(1, 0, (0,), (3, 3), True), "passes a switch twice"),
        (Send(1, 0, (0,), (), True), "no link from 1 to 0"),
        (Send(1, 0, (1,), (3,), True), "there is no chunk 1"),
        (Send(0, 0, (0,), (3,), True), "contribution of node 0 twice"),
    ],
)
def test_sums_keep_to_the_links(send: Send, words: str) -> None:
    """Ways of sums are those of copies; nothing is added to itself."""
    assert words in wrong("reduce", HUB, steps([send], rounds=2), steps=1)


def test_sums_in_one_step() -> None:
    """What a node sends is what it had before the step, and what it gets replaces or adds."""
    late = steps([Send(2, 1, (0,), (), True), Send(1, 0, (0,), (), True)])
    assert "without the contribution of node 2" in wrong("reduce", PATH, late, steps=1)
    star = Network.from_spec("star:3")
    both = [Send(1, 0, (0,), (), True), Send(2, 0, (0,), (), True)]
    assert wrong("reduce", star, steps(both), steps=1) == ""
    lost = [both[0], both[1]._replace(adds=False)]
    assert "takes the place of what just arrived" in wrong("reduce", star, steps(lost), steps=1)
    first = [both[0]._replace(adds=False), both[1]]
    assert "without the contribution of node 0" in wrong("reduce", star, steps(first), steps=1)
    twice = [both[0], both[1], both[0]]
    assert "sent from 1 to 0 twice" in wrong("reduce", star, steps(twice), steps=1)
    apart = steps([Send(1, 0, (1,), (), True), Send(2, 0, (0, 1), (), True)], rounds=2, chunks=2)
    assert "chunk 0 without the contribution of node 1" in wrong("reduce", star, apart, steps=1)


def test_every_unit_of_a_reduce_scatter() -> None:
    """Chunk i of the i-th node, each complete at its own node; an allreduce at all of them."""
    pair = Network.from_spec("path:2")
    swap = [Send(0, 1, (1,), (), True), Send(1, 0, (0,), (), True)]
    assert wrong("reduce-scatter", pair, steps(swap), steps=1) == ""
    assert "node 1 has chunk 1 without" in wrong("reduce-scatter", pair, steps(swap[1:]), steps=1)
    assert "node 0 has chunk 0 without" in wrong("reduce-scatter", pair, steps(swap[:1]), steps=1)
    alike = [send._replace(chunks=(0,)) for send in swap]
    assert wrong("allreduce", pair, steps(alike), steps=1) == ""
    assert "node 1 has chunk 0 without" in wrong("allreduce", pair, steps(alike[1:]), steps=1)


def test_runs() -> None:
    """Masks without a gap."""
    assert [mask for mask in range(1, 16) if is_run(mask)] == [1, 2, 3, 4, 6, 7, 8, 12, 14, 15]


def test_backwards() -> None:
    """Steps, senders, switches and sums are turned round, and twice is as before."""
    schedule = StepSchedule((Step(2, (Send(0, 1, (0,), (3, 4)),)), Step(1, (Send(1, 2, (0,)),))), 1)
    turned = backwards(schedule)
    assert turned.steps == (
        Step(1, (Send(2, 1, (0,), (), True),)),
        Step(2, (Send(1, 0, (0,), (4, 3), True),)),
    )
    assert backwards(turned) == schedule


def test_lines_for_a_terminal() -> None:
    """A line a step: the way of every send, what it adds, and the rounds; and a schedule cut into parts."""
    sends = (Send(0, 2, (1, 3), (4,)), Send(2, 1, (0,), (), True))
    schedule = StepSchedule((Step(1, sends), Step(3, ()), Step(2, sends[1:])), 4)
    assert schedule.lines("abcde") == [
        "  step 1 (1 round): a-e-c: 1,3; c-b: +0",
        "  step 2 (3 rounds): nothing",
        "  step 3 (2 rounds): c-b: +0",
    ]
    assert schedule.rounds == 6
    assert schedule.totals == {"chunks": 4, "steps": 3, "rounds": 6}
    assert StepSchedule(schedule.steps).totals == {"steps": 3, "rounds": 6}
    halves = schedule.multiplied(2)
    assert (halves.chunks, [step.rounds for step in halves.steps]) == (8, [2, 6, 4])
    assert [send.chunks for send in halves.steps[0].sends] == [(2, 3, 6, 7), (0, 1)]


SEND = {"from": 0, "to": 1, "chunks": [0]}
STEP = {"rounds": 1, "sends": [SEND]}


def test_files() -> None:
    """A schedule is read as it was written."""
    labels = PATH.labels
    for schedule in (RELAY, BACK, StepSchedule(RELAY.steps)):
        assert StepForm().read(schedule.to_json(labels), PATH) == schedule
    through = steps([Send(0, 1, (0,), (3,))])
    assert StepForm().read(through.to_json(HUB.labels), HUB) == through


def test_the_greatest_numbers_of_files() -> None:
    """A milliard rounds of a step, a milliard chunks and that number of a chunk, and none more; a step of no
    rounds is read, for the referee to refuse.
    """
    for most in (10**9, 10**9 + 1):
        for data in (
            {"steps": [STEP], "chunks": most},
            {"steps": [{**STEP, "rounds": most}]},
            {"steps": [{**STEP, "sends": [{**SEND, "chunks": [0, most]}]}]},
        ):
            if most == LARGEST_NUMBER:
                assert StepForm().read(data, PATH).to_json(PATH.labels) == data
            else:
                with pytest.raises(InputError, match=r"is \{|a number from"):
                    StepForm().read(data, PATH)
    assert StepForm().read({"steps": [{**STEP, "rounds": 0}], "chunks": 1}, PATH).rounds == 0


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ({"rounds": 1}, 'a step is {"rounds": r'),
        ({**STEP, "sends": [{**SEND, "chunks": ["0"]}]}, 'a send is {"from"'),
        ({**STEP, "sends": [{**SEND, "to": 9}]}, "'9' is not a node"),
        ({**STEP, "sends": [{**SEND, "to": None}]}, "is not a node of the network"),
        ({**STEP, "sends": [{**SEND, "path": [True]}]}, "is not a node of the network"),
        ({**STEP, "sends": [{**SEND, "chunks": [0, "0"]}]}, 'a send is {"from"'),
    ],
)
def test_the_step_is_named(second: Any, words: str) -> None:
    """In which a file says something else."""
    with pytest.raises(InputError, match="step 2: ") as refused:
        StepForm().read({"steps": [STEP, second]}, PATH)
    assert words in str(refused.value)


SENDS: list[Any] = [
    None,
    [],
    {"from": 0, "to": 1},
    {**SEND, "more": 1},
    {**SEND, "chunks": 0},
    {**SEND, "chunks": [-1]},
    {**SEND, "chunks": [True]},
    {**SEND, "chunks": ["0"]},
    {**SEND, "path": 3},
    {**SEND, "path": [True]},
    {**SEND, "adds": 1},
    {**SEND, "from": True},
    {**SEND, "from": None},
    {**SEND, "to": 9},
    {**SEND, "to": [1]},
]


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"steps": {}},
        {"steps": [STEP], "rounds": 1},
        {"steps": [STEP], "chunks": 0},
        {"steps": [STEP], "chunks": True},
        {"steps": [STEP], "chunks": "1"},
        {"steps": [STEP], "chunks": LARGEST_NUMBER + 1},
        {"steps": [[]]},
        {"steps": [None]},
        {"steps": [{"rounds": 1}]},
        {"steps": [{**STEP, "more": 1}]},
        {"steps": [{**STEP, "rounds": -1}]},
        {"steps": [{**STEP, "rounds": 1.5}]},
        {"steps": [{**STEP, "rounds": LARGEST_NUMBER + 1}]},
        {"steps": [{**STEP, "sends": {}}]},
        *({"steps": [{"rounds": 1, "sends": [send]}]} for send in SENDS),
    ],
)
def test_files_that_are_none(data: Any) -> None:
    """Another shape, or a node that there is not, in one line."""
    with pytest.raises(InputError) as refused:
        StepForm().read(data, PATH)
    assert "\n" not in str(refused.value)
