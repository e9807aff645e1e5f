"""The referee of the fat-tree, against a replay channel by channel that shares no code with it, and what the
command line refuses.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve.certify.check import check_data
from schedsolve.commands.cli import main
from schedsolve.modelkit.form import Path as CallPath
from schedsolve.modelkit.problem import Problem, problem_to_json
from schedsolve.modelkit.result import Status
from schedsolve.modelkit.schedule import Call, Message, Schedule
from schedsolve.models import build_problem
from schedsolve.models.fat_tree.rules import FORM, Operands, replay
from schedsolve.models.fat_tree.rules.tree import SHAPES
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.needs import needs
from tests.reference.fat_tree_brute_force import fits

LINES = {
    "const": [1, 1, 1, 1, 1],
    "log": [1, 2, 3, 4, 5],
    "sqrt": [1, 1, 2, 2, 4],
    "two-thirds": [1, 1, 2, 4, 6],
    "linear": [1, 2, 4, 8, 16],
    "two-to-root-log": [1, 2, 2, 3, 4],
    "loglog-root": [1, 2, 4, 4, 4],
}


def posed(task: str, n: int, **options: Any) -> Problem:
    """A problem on the fat-tree of n processors."""
    return build_problem("fat-tree", task, Network.from_spec(f"fat-tree:{n}"), options)


def clocked(*messages: tuple[int, ...]) -> Schedule:
    """A clocked schedule from (sender, receiver, start), or (sender, receiver, start, first operand, last
    operand).
    """
    return Schedule(messages=tuple(Message(u, v, t, Operands(run)) for u, v, t, *run in messages))


# Figure 2 of the paper: relations between broadcast, product and prefix.
@pytest.mark.parametrize("timing", ["clock", "rounds"])
@pytest.mark.parametrize("n", [2, 4])
def test_the_relations_of_figure_2(n: int, timing: str) -> None:
    """Product is a part of prefix; broadcast is prefix with identity elements, and product turned round."""
    values = []
    for task in ("broadcast", "product", "prefix"):
        result = solve(posed(task, n, timing=timing))
        assert result.status is Status.OPTIMAL
        assert result.value is not None
        values.append(result.value)
    broadcast, product, prefix = values
    assert broadcast == product <= prefix


def test_the_shapes() -> None:
    """The capacities by name, for 1 to 16 leaves."""
    assert {name: [w(1 << j) for j in range(5)] for name, w in SHAPES.items()} == LINES


@settings(deadline=None)
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 40))
def test_the_shapes_grow_as_they_should(shape: str, j: int) -> None:
    """w(n) <= w(2n) <= 2 w(n), and two-thirds is the floor of a cube root."""
    w = SHAPES[shape]
    assert w(1 << j) <= w(2 << j) <= 2 * w(1 << j)
    assert SHAPES["two-thirds"](1 << j) ** 3 <= 1 << 2 * j < (SHAPES["two-thirds"](1 << j) + 1) ** 3


MESSAGES = st.lists(
    st.tuples(st.integers(0, 7), st.integers(0, 7), st.integers(0, 6)).filter(lambda m: m[0] != m[1]),
    max_size=8,
)


@settings(deadline=None, max_examples=150)
@given(MESSAGES, st.sampled_from([[1, 1, 1, 1], [1, 2, 2, 3], [1, 2, 4, 8]]))
def test_the_referee_agrees_with_a_replay_of_every_crossing(
    messages: list[tuple[int, int, int]], table: list[int]
) -> None:
    """A schedule is refused for its channels, or for sending and receiving, exactly when the other replay
    refuses it.
    """
    seen = replay(posed("broadcast", 8, capacity_table=table), clocked(*messages))
    refused = seen.violation is not None and ("carries" in seen.violation or "two messages" in seen.violation)
    assert refused == (not fits(messages, 8, table))


def test_a_message_names_a_run_or_nothing() -> None:
    """An empty list is no run, and is not taken for none."""
    network = Network.from_spec("fat-tree:4")
    message = {"from": 0, "to": 1, "start": 0}
    assert FORM.read({"messages": [message]}, network).messages == (Message(0, 1, 0),)
    with pytest.raises(InputError, match="operands are the first and the last of a run"):
        FORM.read({"messages": [{**message, "operands": []}]}, network)


def test_a_message_too_many() -> None:
    """A channel overloaded by one message is named, with its subtree and step."""
    problem = posed("broadcast", 8)
    legal = [(0, 4, 0), (0, 2, 1), (0, 1, 5), (2, 3, 5), (4, 6, 6), (4, 5, 7), (6, 7, 10)]
    assert replay(problem, clocked(*legal)).violation is None
    seen = replay(problem, clocked(*legal[:2], (0, 6, 5), (2, 5, 5)))
    assert (
        seen.violation
        == "step 8: the channel up from the subtree of processors 0..3 carries 2 messages, its capacity is 1"
    )
    assert not seen.legal
    rounds = posed("broadcast", 8, timing="rounds")
    seen = replay(rounds, Schedule.one_way([[(0, 4)], [(0, 2)], [(0, 6), (2, 5)]]))
    assert (
        seen.violation
        == "round 3, step 13: the channel up from the subtree of processors 0..3 carries 2 messages, its"
        " capacity is 1"
    )


def test_a_channel_downwards() -> None:
    """Two messages that meet on their way down."""
    table = posed("broadcast", 8, capacity_table=[1, 2, 2])
    free = [(0, 4, 0), (0, 2, 1), (0, 6, 6), (2, 7, 6), (4, 5, 6)]
    assert "in the end" in str(replay(table, clocked(*free)).violation)
    narrow = posed("broadcast", 8, capacity_table=[1, 1, 2])
    seen = replay(narrow, clocked(*free))
    assert (
        seen.violation
        == "step 11: the channel down to the subtree of processors 6..7 carries 2 messages, its capacity is 1"
    )


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([(0, 8, 0)], "ends at a switch; messages are between processors 0..7"),
        ([(0, 0, 0)], "has one end only"),
        ([(0, 1, 0), (0, 2, 0)], "time 0: processor 0 sends two messages"),
        ([(0, 4, 0), (0, 1, 1), (1, 3, 3), (0, 3, 3)], "time 7: processor 3 receives two messages"),
        ([(0, 4, 0), (4, 5, 5)], "time 5: processor 4 sends the message to 5 but does not hold it then"),
        ([(1, 0, 0)], "time 0: processor 1 sends the message to 0 but does not hold it then"),
        ([(0, 1, 0, 0, 0)], "says operands"),
        ([(0, 4, 0)], "in the end the message has not reached processors 1, 2, 3, 5, 6, 7"),
        ([(0, 4, 10**13)], "later than time"),
    ],
)
def test_broken_rules(messages: list[tuple[int, ...]], words: str) -> None:
    """Every rule of a broadcast by the clock, broken once."""
    assert words in str(replay(posed("broadcast", 8), clocked(*messages)).violation)


@pytest.mark.parametrize(
    ("schedule", "words"),
    [
        (clocked((0, 1, 0)), "the schedule is clocked"),
        (Schedule.one_way([[(0, 1), (1, 2)]]), "round 1: processor 1 takes part in two messages"),
        (Schedule.one_way([[(0, 2)], [(0, 1), (2, 1)]]), "round 2: processor 1 takes part in two messages"),
        (Schedule.one_way([[(0, 2)], [(1, 3)]]), "round 2: processor 1 sends the message to 3"),
        (Schedule.two_way([[(0, 2)]]), "goes one way"),
        (Schedule(((Call(0, 2, payload=CallPath((0, 1, 2))),),)), "whose path is determined"),
        (Schedule(((Call(0, 2),),), period=1), "has a period"),
    ],
)
def test_broken_rules_of_rounds(schedule: Schedule, words: str) -> None:
    """Every rule that only rounds have, broken once."""
    assert words in str(replay(posed("broadcast", 4, timing="rounds"), schedule).violation)


def test_values() -> None:
    """By the clock the last arrival, in rounds twice the heights; an empty round takes no time."""
    assert replay(posed("broadcast", 4), clocked((0, 2, 0), (0, 1, 1), (2, 3, 4))).value == 6
    rounds = posed("broadcast", 4, timing="rounds")
    assert replay(rounds, Schedule.one_way([[(0, 2)], [], [(0, 1), (2, 3)]])).value == 6
    assert replay(rounds, Schedule.one_way([[(0, 2)], [], [(0, 1), (2, 3)]])).violation is None
    assert replay(posed("broadcast", 4), clocked()).value == 0


def test_products_are_ordered() -> None:
    """Only adjacent runs are joined, and only what is held is sent."""
    product = posed("product", 4)
    assert replay(product, clocked((1, 0, 0, 1, 1), (3, 2, 0, 3, 3), (2, 0, 2, 2, 3))).violation is None
    apart = replay(product, clocked((2, 0, 0, 2, 2), (1, 0, 3, 1, 1), (3, 1, 1, 3, 3), (0, 1, 4, 0, 2)))
    assert (
        apart.violation
        == "time 4: processor 0 sends the product of operands 0..2 to 1 but does not hold it then"
    )
    assert "does not hold the product of operands 0..3" in str(
        replay(product, clocked((1, 0, 0, 1, 1))).violation
    )
    assert "carries operands 2..1" in str(replay(product, clocked((1, 0, 0, 2, 1))).violation)
    assert "says no operands" in str(replay(product, clocked((1, 0, 0))).violation)
    assert replay(posed("prefix", 2), clocked((0, 1, 0, 0, 0))).violation is None


def compute(problem: Problem, schedule: Schedule, operands: list[str]) -> list[dict[tuple[int, int], str]]:
    """What every processor holds in the end when the operation is joining words: simulated with the words
    themselves.
    """
    if schedule.messages is None:
        timed = [(number, number, call) for number, calls in enumerate(schedule.rounds) for call in calls]
    else:
        ends = (m.start + 2 * (m.sender ^ m.receiver).bit_length() - 1 for m in schedule.messages)
        timed = [(m.start, end, m) for m, end in zip(schedule.messages, ends, strict=True)]  # type: ignore[misc]
    held: list[dict[tuple[int, int], str]] = [{(p, p): word} for p, word in enumerate(operands)]
    pending: list[tuple[int, int, tuple[int, int], str]] = []
    for start, end, call in sorted(timed, key=lambda x: x[0]):
        for arrival in [x for x in pending if x[0] < start]:
            held[arrival[1]][arrival[2]] = arrival[3]
            pending.remove(arrival)
        run = call.payload[0], call.payload[-1]
        pending.append((end, call.receiver, run, joined(held[call.sender], run)))
    for _, receiver, run, word in pending:
        held[receiver][run] = word
    return held


def joined(held: dict[tuple[int, int], str], run: tuple[int, int]) -> str:
    """The word of a run, from the words of the runs held."""
    if run in held:
        return held[run]
    for (a, b), word in held.items():
        if a == run[0] and b < run[1]:
            try:
                return word + joined(held, (b + 1, run[1]))
            except KeyError:
                continue
    raise KeyError(run)


@pytest.mark.parametrize("timing", ["clock", "rounds"])
@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_a_non_commutative_operation(shape: str, timing: str) -> None:
    """What the algorithms compute with words as operands is the word in the right order."""
    words = [f"<{p}>" for p in range(16)]
    for algorithm in construct(posed("product", 16, capacity=shape, timing=timing)):
        held = compute(posed("product", 16), algorithm.schedule, words)
        assert joined(held[0], (0, 15)) == "".join(words)
    for algorithm in construct(posed("prefix", 16, capacity=shape, timing=timing)):
        held = compute(posed("prefix", 16), algorithm.schedule, words)
        assert all(joined(held[p], (0, p)) == "".join(words[: p + 1]) for p in range(16))


@needs("drawing")
def test_the_load_of_the_channels() -> None:
    """Every channel that is used, the fullest first."""
    from schedsolve.drawing.analysis.of_problem import analysis_of

    problem = posed("broadcast", 4, capacity="linear")
    schedule = clocked((0, 2, 0), (0, 3, 1), (0, 1, 2))
    (table,) = analysis_of(problem, schedule).notes
    rows = {row[0]: row[1:] for row in table.rows}
    assert rows["up from processor 0"] == (1, 1, 1, "1", 3)
    assert rows["up from the subtree of processors 0..1"] == (2, 1, 2, "1/2", 2)
    assert rows["down to the subtree of processors 2..3"] == (2, 1, 3, "1/2", 2)
    assert len(rows) == 6


def test_messages_are_saved_and_read() -> None:
    """A clocked schedule keeps its operands in JSON, and moves with its processors."""
    problem = posed("product", 4)
    schedule = clocked((1, 0, 0, 1, 1), (3, 2, 0, 3, 3), (2, 0, 2, 2, 3))
    assert FORM.read(schedule.to_json(problem.network.labels), problem.network) == schedule
    assert schedule.without_empty_end() == schedule
    assert clocked((0, 1, 0)).moved([2, 3, 0, 1]) == clocked((2, 3, 0))
    with pytest.raises(ValueError, match="model"):
        schedule.reversed()
    data = {
        "format": "schedsolve-schedule/1",
        "problem": problem_to_json(problem),
        "schedule": schedule.to_json(range(7)),
    }
    assert not check_data(data).failed


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[1, 1, 3]", "w(2) = 1 and w(4) = 3"),
        ("[1, 2, 1]", "w(2) = 2 and w(4) = 1"),
        ("[1, 1]", "has 2 entries; here it has 4"),
        ("[1, true, 2]", "a capacity is a whole number"),
        ("[0, 0, 0]", "a capacity is a whole number"),
        ("[1,", "not a JSON list"),
        ("1 1\n3 1\n", 'line 2 should be "2 w(2)"'),
        ("", "the table is empty"),
    ],
)
def test_bad_tables(tmp_path: Path, text: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A table that is none is refused in one line, with exit status 2."""
    file = tmp_path / "table"
    file.write_text(text)
    assert main(["solve", "fat-tree", "broadcast", "fat-tree:8", "--capacity-table", str(file)]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("broadcast cycle:7", "needs a network fat-tree:N"),
        (
            "broadcast fat-tree:8 --capacity cubic",
            "--capacity is one of const, log, sqrt, two-thirds, linear",
        ),
        ("broadcast fat-tree:8 --timing sand", "--timing is rounds or clock"),
        ("broadcast fat-tree:8 --source 8", "takes one processor, 0..7"),
        ("broadcast fat-tree:8 --source 0,1", "takes one processor, 0..7"),
        ("broadcast fat-tree:8 --source min", "means nothing on a fat-tree"),
        ("product fat-tree:8 --root max", "means nothing on a fat-tree"),
        ("product fat-tree:8 --source 1", "--source means nothing for fat-tree product"),
        ("prefix fat-tree:8 --root 1", "--root means nothing for fat-tree prefix"),
        ("broadcast fat-tree:8 --capacity-table nowhere.txt", "nowhere.txt: cannot be read"),
        ("gossip fat-tree:8", "fat-tree has no task 'gossip'"),
    ],
)
def test_bad_problems(arguments: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What cannot be posed is refused in one line, with exit status 2."""
    assert main(["solve", "fat-tree", *arguments.split()]) == 2
    error = capsys.readouterr().err
    assert words in error
    assert error.count("\n") == 1


def test_tables_and_names(tmp_path: Path) -> None:
    """A table may leave out w(N); it is saved as numbers, in place of the name; with another name it is
    refused.
    """
    lines = tmp_path / "lines"
    lines.write_text("1 1\n2 2  # pairs\n\n4 3\n")
    problem = posed("broadcast", 8, capacity_table=str(lines))
    assert problem.parameters == {"source": 0, "capacity_table": [1, 2, 3, 3], "timing": "clock"}
    listed = tmp_path / "list.json"
    listed.write_text(json.dumps([1, 2, 3, 6]))
    assert posed("broadcast", 8, capacity_table=str(listed)).parameters["capacity_table"] == [1, 2, 3, 6]
    with pytest.raises(InputError, match="not both"):
        posed("broadcast", 8, capacity_table=[1, 1, 1], capacity="log")
