"""Schedules of calls as files say them: what is read, and what is refused of them, rule by rule."""

from __future__ import annotations

from re import search
from typing import Any

import pytest

from schedsolve import Network
from schedsolve.modelkit.form import CallForm, ForeignError, Path, is_label, natural_numbers, read_path
from schedsolve.modelkit.schedule import Call, Message, Payload, Schedule
from schedsolve.runtime.errors import InputError

NETWORK = Network.from_labels(["a", "b", "c"], [("a", "b"), ("b", "c")])


class Parts(Payload):
    """Numbers that a call carries."""

    __slots__ = ()
    key = "parts"
    meaning = "the numbers of its parts"


PLAIN = CallForm(brings="everything")
PATHS = CallForm(Path, read_path)
PARTS = CallForm(Parts, natural_numbers(Parts), "some parts", head=("count",), clocked=True)
SYSTOLIC = CallForm(period=True)
CALL = {"from": "a", "to": "b"}
NO_ROUNDS: list[Any] = [None, [], {}, 7, "rounds", {"rounds": 1}, {"rounds": [CALL]}, {"rounds": [[], None]}]
NO_CALLS: list[Any] = [None, [], {}, {"from": "a"}, {"to": "b"}, "ab"]
NO_ENDS: list[Any] = [[], ["a"], ["a", "b", "c"], "ab", 2]
NO_LABELS: list[Any] = [None, True, False, [0], {}, 1.0]


def rounds(*calls: Any) -> dict[str, Any]:
    """A schedule of one round."""
    return {"rounds": [list(calls)]}


@pytest.mark.parametrize(
    ("form", "schedule"),
    [
        (PLAIN, Schedule.one_way([[(0, 1)], [], [(1, 2), (1, 0)]])),
        (PLAIN, Schedule.two_way([[(0, 1)], [(1, 2)]])),
        (PLAIN, Schedule()),
        (SYSTOLIC, Schedule(Schedule.two_way([[(0, 1)], [(0, 1)]]).rounds, 1)),
        (PATHS, Schedule(((Call(0, 2, payload=Path((0, 1, 2))),), (Call(1, 0),)))),
        (PARTS, Schedule(((Call(0, 1, payload=Parts((0, 7))),),), head={"count": 1})),
        (PARTS, Schedule(messages=(Message(0, 1, 0, Parts((3,))), Message(1, 2, 4)))),
        (PARTS, Schedule(messages=())),
        (
            SYSTOLIC,
            Schedule(Schedule.two_way([[(0, 1)], [(1, 2)]]).rounds * 6000 + ((Call(0, 1, True),),), 2),
        ),
        (PLAIN, Schedule(Schedule.two_way([[(0, 1)], []]).rounds * 20_000)),
        (PLAIN, Schedule(Schedule.two_way([[(0, 1)]]).rounds * 20_000 + Schedule.two_way([[(1, 2)]]).rounds)),
    ],
)
def test_what_was_written_is_read(form: CallForm, schedule: Schedule) -> None:
    """The same schedule, and nothing in it is foreign."""
    assert form.read(schedule.to_json(NETWORK.labels), NETWORK) == schedule
    assert form.foreign(schedule, period=schedule.period) is None


def test_a_call_that_is_repeated_is_one_object() -> None:
    """Its label as a number and as digits are told apart, and what equals a number is still refused."""
    network = Network.from_spec("path:3")
    again = {"rounds": [[{"between": [0, 1]}], [{"between": [0, 1]}], [{"between": ["0", 1]}]]}
    schedule = PLAIN.read(again, network)
    first, second, third = (calls[0] for calls in schedule.rounds)
    assert first is second == third == Call(0, 1, True)
    assert PLAIN.read({"rounds": [[{"from": 0, "to": 1}, {"between": [0, 1]}]]}, network).rounds == (
        (Call(0, 1), Call(0, 1, True)),
    )
    for alike in (True, 1.0):
        with pytest.raises(InputError, match="round 2: a node is named by its label"):
            PLAIN.read({"rounds": [[{"between": [0, 1]}], [{"between": [0, alike]}]]}, network)


def test_numbers_beside_the_rounds() -> None:
    """From 1 to a million, those that the form knows; null is as good as nothing."""
    for count in (1, 10**6):
        assert PARTS.read({**rounds(CALL), "count": count, "period": count}, NETWORK) == Schedule(
            ((Call(0, 1),),), count, head={"count": count}
        )
    silent = {**rounds(CALL), "count": None, "period": None, "other": None}
    assert PARTS.read(silent, NETWORK) == Schedule(((Call(0, 1),),))
    for wrong in (0, -1, 10**6 + 1, True, 1.0, "1"):
        for name in ("count", "period"):
            with pytest.raises(
                InputError, match=f'"{name}" of a schedule is a whole number from 1 to 1000000'
            ):
                PARTS.read({**rounds(CALL), name: wrong}, NETWORK)
    for name in ("other", "size"):
        with pytest.raises(ForeignError, match=f'"{name}" means nothing here; a call brings some parts'):
            PARTS.read({**rounds(CALL), name: 1}, NETWORK)
    with pytest.raises(ForeignError, match='"count" means nothing here; a call brings everything'):
        PLAIN.read({**rounds(CALL), "count": 1}, NETWORK)


@pytest.mark.parametrize(
    ("data", "words"),
    [
        *((data, "one list of calls for every round") for data in NO_ROUNDS),
        ({"messages": [], "rounds": []}, '"messages" and nothing else'),
        *((rounds(call), "round 1: a call is") for call in NO_CALLS),
        *((rounds({"between": ends}), "round 1: a call is") for ends in NO_ENDS),
        *((rounds({**CALL, "from": end}), "a node is named by its label") for end in NO_LABELS),
        *((rounds({"between": ["b", end]}), "a node is named by its label") for end in NO_LABELS),
        ({"rounds": [[], [{"from": "a", "to": "d"}]]}, "round 2: 'd' is not a node"),
        (rounds(CALL, {"between": ["d", "a"]}), "round 1: 'd' is not a node"),
    ],
)
@pytest.mark.parametrize("form", [PLAIN, PATHS, PARTS])
def test_other_shapes(form: CallForm, data: Any, words: str) -> None:
    """Each in one line, whatever the form, that names the round."""
    with pytest.raises(InputError) as refused:
        form.read(data, NETWORK)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_calls_bring() -> None:
    """What the form says, as a list of what it says; anything else means nothing."""
    for form, name, may in (
        (PLAIN, "path", "here$"),
        (PLAIN, "between", "here$"),
        (PATHS, "parts", 'it may have "path", all nodes'),
        (PARTS, "path", 'it may have "parts", the numbers'),
        (PARTS, "from", 'it may have "parts", the numbers'),
    ):
        ends = {"between": ["a", "b"]} if name == "from" else CALL
        with pytest.raises(ForeignError, match=f'round 1: a call has "{name}", which means nothing.*{may}'):
            form.read(rounds({**ends, name: [0]}), NETWORK)
    for wrong in (7, {"a": 1}, "ab", None, [None], [True], [[0]], ["a", 1.5]):
        with pytest.raises(InputError, match="a text, and path are a list; not"):
            PATHS.read(rounds({**CALL, "path": wrong}), NETWORK)
    with pytest.raises(InputError, match="a number or a text; not"):
        PLAIN.read(rounds({"from": None, "to": "b"}), NETWORK)
    with pytest.raises(InputError, match="round 1: 'd' is not a node"):
        PATHS.read(rounds({**CALL, "path": ["a", "d"]}), NETWORK)
    for values in ([-1], [0, "1"], ["x"], [3, -2]):
        with pytest.raises(InputError, match="round 1: parts are a list of numbers, 0 or more"):
            PARTS.read(rounds({**CALL, "parts": values}), NETWORK)
    assert PARTS.read(rounds({**CALL, "parts": []}), NETWORK) == Schedule(((Call(0, 1),),))


@pytest.mark.parametrize(
    "entry",
    [
        None,
        "message",
        {"start": 0, "between": ["a", "b"]},
        CALL,
        *({**CALL, "start": start} for start in (-1, None, "0", True, 1.0)),
    ],
)
def test_messages(entry: Any) -> None:
    """A message has a time, 0 or later, and two ends."""
    for messages in ([entry], [{**CALL, "start": 1}, entry]):
        with pytest.raises(InputError, match="a message of a clocked schedule is"):
            PARTS.read({"messages": messages}, NETWORK)
    with pytest.raises(InputError, match="a message of a clocked schedule is"):
        PARTS.read({"messages": entry}, NETWORK)
    with pytest.raises(ForeignError, match='round 5: a call has "when", which means nothing here'):
        PARTS.read({"messages": [{**CALL, "start": 5, "when": 1}]}, NETWORK)


@pytest.mark.parametrize(
    ("form", "schedule", "words"),
    [
        (PLAIN, Schedule(messages=()), "the schedule is clocked"),
        (
            PLAIN,
            Schedule(head={"count": 1}),
            'the schedule gives "count", which means nothing here; .* everything',
        ),
        (PARTS, Schedule(head={"count": 1, "size": 2}), 'the schedule gives "size"'),
        (PLAIN, Schedule(((), (Call(0, 1), Call(0, 1, payload=Path((0, 1)))))), 'round 2: a call has "path"'),
        (
            PARTS,
            Schedule(((Call(0, 1, payload=Path((0, 1))),),)),
            'round 1: a call has "path"; .* some parts',
        ),
        (PARTS, Schedule(messages=(Message(0, 1, 0, Path((0, 1))),)), 'a message has "path"; .* some parts'),
        (PLAIN, Schedule(period=3), "it repeats every 3 rounds; but the problem has no period"),
        (SYSTOLIC, Schedule(period=3), "it repeats every 3 rounds; but the period is 4"),
    ],
)
def test_what_is_foreign(form: CallForm, schedule: Schedule, words: str) -> None:
    """A clock, a number, a payload or a period that the form does not have."""
    period = 4 if form is SYSTOLIC else None
    assert search(words, form.foreign(schedule, period=period) or "")


def test_labels_and_long_paths() -> None:
    """Numbers and texts are labels; of a path of more than nine nodes the ends are shown."""
    assert all(is_label(x) for x in (0, -1, "", "a"))
    assert not any(is_label(x) for x in NO_LABELS)
    labels = tuple(range(20))
    assert Path(range(9)).shown("", "-", labels) == "0-1-2-3-4-5-6-7-8"
    assert Path(range(10)).shown("", "-", labels) == "0-1-(6 more)-8-9"
    assert Path((3, 1, 2)).turned() == Path((2, 1, 3))
    assert Path((0, 1, 2)).moved((2, 0, 1)) == Path((2, 0, 1))


def test_rounds_that_repeat_are_written_once() -> None:
    """Not in short schedules, where all are listed, nor where one round differs."""
    period = Schedule.two_way([[(0, 1)], [(1, 2)], []]).rounds
    written = Schedule(period * 5001 + period[:1], 3).to_json(NETWORK.labels)
    assert list(map(len, written.pop("rounds"))) == [1, 1, 0]
    assert written == {"period": 3, "total_rounds": 15004}
    for rounds_ in (period * 5000, period * 5001 + period[1:2]):
        assert set(Schedule(rounds_).to_json(NETWORK.labels)) == {"rounds"}


def test_repeated_rounds_are_one_object() -> None:
    """Also in the schedule backwards, and on other nodes."""
    made = PLAIN.read({"total_rounds": 5, "rounds": [[CALL], []]}, NETWORK)
    assert list(map(len, made.rounds)) == [1, 0, 1, 0, 1]
    for schedule in (made, made.reversed(), made.moved([2, 1, 0])):
        assert len(set(map(id, schedule.rounds))) == 2


@pytest.mark.parametrize("listed", [[], [[], [], []]])
def test_the_total_counts_the_listed_rounds(listed: list[Any]) -> None:
    with pytest.raises(InputError, match=f"it is {len(listed)} or more"):
        PLAIN.read({"total_rounds": 2, "rounds": listed}, NETWORK)
