"""A bundle with anything changed in it fails, with a reason; so does one whose hashes and claim were changed
to fit, where what it says is false.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from schedsolve.certify.saved_files import placed
from schedsolve.kernel.network import network_of
from schedsolve.kernel.path_calls import replay_path_calls
from schedsolve.kernel.repeated_formulas import repeated_tree_refuted
from schedsolve.kernel.rounds import replay_rounds, rounds_in_words
from schedsolve.kernel.verdict import claim_text, judge
from schedsolve.kernel.wrong import WrongError
from schedsolve.models import build_problem, model_of, read_problem
from schedsolve.network.automorphisms import is_automorphism
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.reference.lrat_checker import refutes
from tests.soak.referees import changed, doubled, dropped, exchanged
from tests.soak.saved_results import saved

from .bundles import ACCEPTED, ORDERED, OTHERS, WORST, Contents, bundle, program, verified


def lines_of(contents: Contents, name: str) -> list[str]:
    """The lines of a file."""
    return contents[name].decode().splitlines()


def with_lines(contents: Contents, name: str, lines: list[str]) -> Contents:
    """The bundle with these lines in a file."""
    return {**contents, name: ("\n".join(lines) + "\n").encode()}


def of_schedule(contents: Contents, rng: Random) -> Iterator[Contents]:
    """A part of the schedule dropped, given twice, exchanged with another, and a number changed."""
    text = contents["schedule.json"].decode()
    if text == "null\n":
        return
    for change in (dropped, doubled, exchanged, changed):
        data = json.loads(text)
        change(data, rng)
        yield {**contents, "schedule.json": json.dumps(data).encode()}


def of_links(contents: Contents, rng: Random) -> Iterator[Contents]:
    """A link removed, given twice, added, and led elsewhere."""
    lines = lines_of(contents, "network.edges")
    at = rng.randrange(len(lines))
    u, v = lines[at].split()[:2]
    yield with_lines(contents, "network.edges", lines[:at] + lines[at + 1 :])
    yield with_lines(contents, "network.edges", [*lines, lines[at]])
    yield with_lines(contents, "network.edges", [*lines, f"{u} 99"])
    yield with_lines(contents, "network.edges", [*lines[:at], f"{v} {int(u) + 2}", *lines[at + 1 :]])


def of_formula(contents: Contents, rng: Random) -> Iterator[Contents]:
    """A clause dropped, added, and a literal negated; the size adapted."""
    lines = lines_of(contents, "formula.cnf")
    head = next(i for i, line in enumerate(lines) if line.startswith("p "))
    _, _, variables, count = lines[head].split()
    at = rng.randrange(head + 1, len(lines))

    def sized(change: int) -> str:
        return f"p cnf {variables} {int(count) + change}"

    yield with_lines(
        contents, "formula.cnf", [*lines[:head], sized(-1), *lines[head + 1 : at], *lines[at + 1 :]]
    )
    yield with_lines(contents, "formula.cnf", [*lines[:head], sized(1), *lines[head + 1 :], "1 0"])
    first, *rest = lines[at].split()
    yield with_lines(
        contents, "formula.cnf", [*lines[:at], " ".join([str(-int(first)), *rest]), *lines[at + 1 :]]
    )


def of_proof(contents: Contents, rng: Random) -> Iterator[Contents]:
    """A lemma dropped, its last hint dropped, its literals changed, and the empty clause lost."""
    lines = lines_of(contents, "proof.lrat")
    lemmas = [i for i, line in enumerate(lines) if " d " not in line]
    at = rng.choice(lemmas[:-1]) if len(lemmas) > 1 else lemmas[0]
    words = lines[at].split()
    yield with_lines(contents, "proof.lrat", lines[:at] + lines[at + 1 :])
    yield with_lines(contents, "proof.lrat", [*lines[:at], " ".join([*words[:-2], "0"]), *lines[at + 1 :]])
    yield with_lines(contents, "proof.lrat", [*lines[:at], f"{words[0]} 0 {words[-2]} 0", *lines[at + 1 :]])
    yield with_lines(contents, "proof.lrat", [line for line in lines if line != lines[lemmas[-1]]])
    yield {**contents, "proof.lrat": b""}


def of_evidence(contents: Contents, rng: Random) -> Iterator[Contents]:
    """A part dropped, and a number changed."""
    for change in (dropped, changed):
        data = json.loads(contents["evidence.json"])
        try:
            change(data, rng)
        except IndexError:
            continue
        yield {**contents, "evidence.json": json.dumps(data).encode()}


def of_claim(contents: Contents, rng: Random) -> Iterator[Contents]:
    """Another value, network, task, hash; less to rest on; a line more."""
    text = contents["claim.md"].decode()
    for old, new in (
        (" is ", " is not "),
        ("network.edges (", "network.edges (1"),
        ("least", "greatest"),
        ("    ", "    0"),
        ("On nothing", "On something"),
        ("# What", "# That"),
    ):
        assert old in text
        yield {**contents, "claim.md": text.replace(old, new, 1).encode()}
    yield {**contents, "claim.md": contents["claim.md"] + b"More.\n"}
    yield {name: content for name, content in contents.items() if name != "claim.md"}


TASKS = {
    "gossip", "broadcast", "multicast", "accumulation", "allgather", "scatter", "gather", "alltoall",
    "reduce", "reduce-scatter", "allreduce", "product", "prefix", "deliver",
}  # fmt: skip
CHANGES: dict[str, Callable[[Contents, Random], Iterator[Contents]]] = {
    "schedule.json": of_schedule,
    "network.edges": of_links,
    "formula.cnf": of_formula,
    "proof.lrat": of_proof,
    "evidence.json": of_evidence,
    "claim.md": of_claim,
}


@pytest.mark.parametrize("line", ACCEPTED)
def test_what_is_tampered_with_fails(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ten changes of every bundle and more; each ends with 1, and one line that says why."""
    contents, rng, seen = bundle(line), Random(line), 0
    assert verified(contents, tmp_path, monkeypatch) == 0
    capsys.readouterr()
    for name, change in CHANGES.items():
        for tampered in change(contents, rng) if name in contents else ():
            assert tampered != contents
            (tmp_path / "claim.md").unlink(missing_ok=True)
            assert verified(tampered, tmp_path, monkeypatch) == 1, (name, tampered.get(name))
            said = capsys.readouterr()
            assert said.out == ""
            assert said.err.startswith("FALSE, or tampered with: ")
            assert len(said.err) > 30
            seen += 1
    assert seen >= 10


def refitted(contents: Contents, names: dict[str, Any], **changes: Any) -> str | None:
    """Why the program refuses files when its hashes and the claim are changed to fit them; None if it
    accepts them.
    """
    claim = {**names["CLAIM"], **changes}
    claim["sha256"] = {name: hashlib.sha256(contents[name]).hexdigest() for name in claim["sha256"]}
    try:
        files = {**contents, "claim.md": claim_text(claim, names["FUNCTIONS"][0]).encode()}
        names["judge"](claim, files, *names["FUNCTIONS"])
    except Exception as error:  # whatever ends the program with 1
        return str(error) or type(error).__name__
    return None


@pytest.mark.parametrize("line", ACCEPTED)
def test_refitted_files_fail(line: str) -> None:
    """Formulas, proofs and links fail by what stands in them."""
    contents, rng = bundle(line), Random(line)
    names = program(contents)
    assert refitted(contents, names) is None
    for name in ("formula.cnf", "proof.lrat"):
        for tampered in CHANGES[name](contents, rng) if name in contents else ():
            goes_through = name == "proof.lrat" and refutes(
                contents["formula.cnf"].decode(), tampered[name].decode()
            )
            assert (refitted(tampered, names) is None) == goes_through, (name, tampered[name])
    for tampered in list(of_links(contents, rng))[1:3]:
        assert refitted(tampered, names) is not None


@pytest.mark.parametrize("line", [*ACCEPTED, *OTHERS])
def test_refitted_schedules_fail(line: str) -> None:
    """Where the model's own referee refuses them, which shares no code with the program, or finds another
    value.
    """
    contents, rng = bundle(line), Random(line)
    names = program(contents)
    for _ in range(10):
        for tampered in of_schedule(contents, rng):
            own = own_verdict(line, json.loads(tampered["schedule.json"]))
            assert (refitted(tampered, names) is None) == own, tampered["schedule.json"]


def own_verdict(line: str, schedule: Any) -> bool:
    """Whether the model's referee accepts a schedule, with the value that the result claims."""
    data = saved(line)
    problem = placed(read_problem(data["problem"]), data)
    try:
        seen = model_of(problem).replay(problem, model_of(problem).form.read(schedule, problem.network))
    except InputError:
        return False
    return seen.violation is None and str(seen.value) == str(data["value"])


@pytest.mark.parametrize("line", ACCEPTED)
def test_false_claims_fail(line: str) -> None:
    """A smaller value, a greater bound, another size of the network, a task that asks for more."""
    contents = bundle(line)
    names = program(contents)
    claim = names["CLAIM"]
    value = claim["value"]
    assert refitted(contents, names, value="1/7") is not None
    if isinstance(value, int):
        assert refitted(contents, names, value=value - 1, lower_bound=value - 1) is not None
        assert refitted(contents, names, value=value + 1, lower_bound=value + 1) is not None
    assert refitted(contents, names, lower_bound=1000) is not None
    assert refitted(contents, names, impossible=True) is not None
    assert refitted(contents, names, nodes=claim["nodes"] + 1) is not None
    assert refitted(contents, names, links=claim["links"] - 1) is not None
    assert refitted(contents, names, directed=True) is not None
    for task in TASKS - {claim["task"]}:
        for sources in ([], [0]):
            changes = {"task": task, "sources": sources, "targets": [1]}
            if refitted(contents, names, **changes) is None:
                assert is_true(line, task), (task, sources)
    for two_way in (True, False):
        assert "two_way" not in claim or claim["two_way"] == two_way or in_mode(contents, names, two_way)


def is_true(line: str, task: str) -> bool:
    """Whether the value of a result is that of another task from node 0 in the same model, too."""
    problem = read_problem(saved(line)["problem"])
    options: dict[str, Any] = {"broadcast": {"source": 0}, "accumulation": {"root": 0}}.get(task, {})
    asked = build_problem(problem.model, task, problem.network, {**problem.parameters, **options})
    return bool(solve(asked).value == saved(line)["value"])


def in_mode(contents: Contents, names: dict[str, Any], two_way: bool) -> bool:
    """Whether the program refuses the same calls in the other mode."""
    text = contents["schedule.json"].decode()
    if two_way:
        text = re.sub(r'"from": (\d+), "to": (\d+)', r'"between": [\1, \2]', text)
    else:
        text = re.sub(r'"between": \[(\d+), (\d+)\]', r'"from": \1, "to": \2', text)
    return refitted({**contents, "schedule.json": text.encode()}, names, two_way=two_way) is not None


GOSSIP, TREE = "telephone gossip petersen", "fat-tree broadcast fat-tree:16"
STEPS = "synchronous broadcast path:3 --steps 2 --chunks 1"
REDUCE = "pipelined reduce leaf-spine:2,2,1 --root 0"


@pytest.mark.parametrize(("line", "changes"), [
    ("telephone broadcast ccc:3 --source 0", {"period": 0, "impossible": True, "value": None}),
    (GOSSIP, {"how": "It is well known."}), (GOSSIP, {"premises": ["P is NP."]}),
    (GOSSIP, {"rests_on": [""]}), (GOSSIP, {"rests_on": ["Theorem 7"], "lower_bound": 2}),
    (GOSSIP, {"open": True}), (GOSSIP, {"sources": [0]}), (GOSSIP, {"switches": [1]}),
    (GOSSIP, {"two_way": 1}), (GOSSIP, {"value": "8/2"}), (GOSSIP, {"lower_bound": -1}),
    ("telephone multicast grid:3x3 --source 0 --targets 5,8", {"sources": [0, 0]}),
    ("telegraph gossip star:5 --period 1", {"period": -1}), ("line gossip path:3 --ports 1", {"ports": True}),
    (ACCEPTED[6], {"sources": [0, 1]}), (TREE, {"capacities": [1] * 9}), (TREE, {"sources": [16]}),
    (TREE, {"capacities": [2, 1, 1, 1, 1]}), (STEPS, {"ordered": True}), (REDUCE, {"sources": [4]}),
    (REDUCE, {"ranks": [1, 2]}), (REDUCE, {"sizes": [1, 1]}),
    ("routing deliver fat-tree:8 --pattern random:4", {"messages": [[0, 0]] * 5, "value": None}),
])  # fmt: skip
def test_claims_that_words_do_not_state_fail(line: str, changes: dict[str, Any]) -> None:
    """Keys that are foreign, numbers and nodes out of their sense, proofs that are none."""
    contents = bundle(line)
    assert refitted(contents, program(contents), **changes) is not None


def test_what_does_not_belong_together_fails() -> None:
    """The bound of a period under words that know none; what is impossible, without a proof; and calls both
    ways, against an arc.
    """
    contents = bundle("telegraph gossip path:9 --period 4")
    names = {**program(contents), "FUNCTIONS": (rounds_in_words, replay_rounds, repeated_tree_refuted)}
    plain = {"schedule.json": contents["schedule.json"].replace(b'"period": 4, ', b"")}
    assert "do not belong together" in str(refitted({**contents, **plain}, {**names, "judge": judge}))
    unproven = program(bundle(GOSSIP))
    unproven["FUNCTIONS"] = (*unproven["FUNCTIONS"][:2], None)
    changes = {"impossible": True, "value": None, "lower_bound": 0, "how": ""}
    assert refitted(bundle(GOSSIP), unproven, **changes) is not None
    claim = {"task": "broadcast", "nodes": 3, "directed": True, "ports": None, "sources": [0], "value": 1}
    network = network_of(3, [(0, 1, 1), (1, 2, 1), (2, 0, 1)], True)
    calls = [{"from": 0, "to": 1}, {"from": 2, "to": 0, "between": [2, 0]}]
    with pytest.raises(WrongError, match="is no call"):
        replay_path_calls(claim, network, {"rounds": [calls]})


def test_nothing_is_taken_for_proven() -> None:
    """A bound without a proof, or with one of a formula as it stands, has something to rest on."""
    contents = bundle("fat-tree prefix fat-tree:4 --timing rounds --capacity linear")
    names = program(contents)
    assert refitted(contents, names) is None
    assert refitted(contents, names, rests_on=[]) is not None
    resting = program(bundle("fat-tree prefix fat-tree:4"))
    assert resting["FUNCTIONS"][2] is None
    assert refitted(bundle("fat-tree prefix fat-tree:4"), resting, rests_on=[]) is not None


def test_ports_matter() -> None:
    """That somebody is idle in the first round holds with one port."""
    contents = bundle("line gossip path:3 --ports 1")
    for ports in (2, None):
        assert refitted(contents, program(contents), ports=ports) is not None


@pytest.mark.parametrize("line", WORST)
def test_the_worst_node(line: str) -> None:
    """A schedule for every node, each replayed, and a bound for the node that is named."""
    contents = bundle(line)
    names = program(contents)
    claim, schedules = names["CLAIM"], json.loads(contents["schedule.json"])

    def with_schedules(changed: list[Any]) -> str | None:
        return refitted({**contents, "schedule.json": json.dumps(changed).encode()}, names)

    assert refitted(contents, names) is None
    assert "a schedule for each node" in str(with_schedules(schedules[:-1]))
    problem = read_problem(saved(line)["problem"]).at_node(0)
    last = model_of(problem).form.read(schedules[-1], problem.network)
    serves = model_of(problem).replay(problem, last).violation is None
    assert (with_schedules([schedules[-1], *schedules[1:]]) is None) == serves
    assert with_schedules(schedules[0]) is not None
    shorter = {**schedules[0], "rounds": schedules[0]["rounds"][:-1]}
    assert with_schedules([shorter, *schedules[1:]]) is not None
    assert refitted(contents, names, value=claim["value"] - 1, lower_bound=claim["value"] - 1) is not None
    assert refitted(contents, names, lower_bound=claim["value"] + 1) is not None
    assert "node that takes longest" in contents["claim.md"].decode()


def test_a_node_for_which_the_bound_does_not_hold() -> None:
    """Of a path the middle is nearer to all."""
    contents = bundle("telegraph accumulation path:4 --root max")
    assert "no more is proven" in str(refitted(contents, program(contents), sources=[1]))


def test_the_order_of_sums_is_replayed() -> None:
    """Schedules without an order, turned along every automorphism of their network, are taken for ordered
    ones just where the model's own referee does so.
    """
    refused = 0
    for line in ORDERED:
        ordered = f"{line} --ordered"
        contents, names = bundle(ordered), program(bundle(ordered))
        data = saved(line)
        problem = read_problem(data["problem"])
        schedule = model_of(problem).form.read(data["schedule"], problem.network)
        for image in permutations(range(problem.network.node_count)):
            if is_automorphism(problem.network, image):
                chunks = [image] if problem.task == "reduce-scatter" else [(0,)]
                told = chunks if problem.model == "synchronous" else []
                moved = schedule.moved(image, *told).to_json(range(problem.network.node_count))
                files = {**contents, "schedule.json": json.dumps(moved).encode()}
                own = own_verdict(ordered, json.loads(json.dumps(moved)))
                assert (refitted(files, names) is None) == own, (line, image)
                refused += not own
    assert refused >= 5
