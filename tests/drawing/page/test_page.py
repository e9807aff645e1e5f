"""The page that plays a schedule, as far as it can be tested without a browser;
tests/drawing/page/browser looks at it in one.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import shlex
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from schedsolve.certify.check import check_file
from schedsolve.certify.saved_files import read_schedule
from schedsolve.commands.cli import main
from schedsolve.drawing.page.page import MOST_NODES, trace_data, write_page
from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.drawing.traces import of_problem
from schedsolve.drawing.traces.trace import Trace
from schedsolve.modelkit.problem import Problem, problem_to_json
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError

PROBLEMS = (
    "telephone gossip cycle:5",
    "telephone broadcast tree:2,2 --source min",
    "telegraph broadcast grid:2x3 --source 2",
    "telegraph multicast path:5 --source 0 --targets 2,4",
    "telegraph accumulation star:4",
    "telegraph gossip path:4 --period 4",
    "telephone gossip path:3 --period min",
    "telephone broadcast path:4 --rounds 4",
    "line broadcast cycle:5 --ports 1",
    "line gossip path:4",
    "linear-cost broadcast complete:9 --ports 2 --extra-rounds 1",
    "fat-tree broadcast fat-tree:4 --capacity sqrt",
    "fat-tree product fat-tree:4 --timing rounds",
    "fat-tree prefix fat-tree:4",
    "routing deliver fat-tree:8 --pattern all-to-one --messages 3",
    "telephone gossip path:1",
)
"""A problem of every model, task and variant whose pages differ; the command line that solves it."""

VOID = {"meta", "input", "br", "link", "img", "path", "hr"}
NASTY = ('<b>&"', "</script><script>alert(1)</script>", "it's <!-- x", "$title \\u003c")


class Outline(HTMLParser):
    """What a page consists of: whether its elements nest, all attributes, and the text of every element that
    has an id or is a script.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> closes nothing"
        assert self.open[-1] == tag, f"</{tag}> closes <{self.open[-1]}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.setdefault(self.open[-1] if self.open else "", []).append(data)

    @property
    def data(self) -> Any:
        """The data that the page plays: the first of its two scripts."""
        return json.loads(self.texts["script"][0])


def solved(line: str, folder: Path, *options: str) -> Path:
    """The result of a solve, saved."""
    file = folder / "result.json"
    assert (
        main(["solve", *shlex.split(line), *options, "--output", str(file), "--quiet", "--time-limit", "60"])
        == 0
    )
    return file


def page_of(file: Path) -> str:
    """The page of a saved result."""
    out = file.with_suffix(".html")
    write_page(str(file), str(out))
    return out.read_text(encoding="utf-8")


def trace_of(file: Path) -> Trace:
    """The trace of a saved result."""
    problem, schedule = read_schedule(str(file))
    return of_problem.trace_of(problem, schedule)


def known_after(data: Any, t: int) -> list[int]:
    """What every node holds after a step, by the page's arrivals, as bit masks."""
    return [sum(1 << i for i, when in enumerate(row) if 0 <= when <= t) for row in data["arrivals"]]


@pytest.fixture(scope="module")
def cycle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A solved gossip."""
    return solved("telephone gossip cycle:5", tmp_path_factory.mktemp("cycle"))


@pytest.mark.parametrize("line", PROBLEMS)
def test_every_model_has_a_page(line: str, tmp_path: Path) -> None:
    """The page is one well-formed document; its data tells the trace: nodes, calls, and who knows what after
    every round.
    """
    file = solved(line, tmp_path)
    text = page_of(file)
    outline, trace = Outline(text), trace_of(file)
    assert outline.open == []
    data = outline.data
    assert data == json.loads(json.dumps(trace_data(trace)))
    assert data["labels"] == [str(label) for label in trace.problem.network.labels]
    assert data["points"] == [[round(x, 3), round(y, 3)] for x, y in layout_of(trace.problem.network).points]
    assert data["items"] == list(trace.items)
    assert known_after(data, 0) == list(trace.start)
    for t, (step, told) in enumerate(zip(trace.steps, data["steps"], strict=True), 1):
        assert known_after(data, t) == list(step.known)
        assert [tuple(nodes) for nodes, *_ in told["transfers"]] == [
            transfer.nodes for transfer in step.transfers
        ]
        assert [(bool(two_way), word) for _, two_way, word, *_ in told["transfers"]] == [
            (s.two_way, s.text) for s in step.transfers
        ]
        assert [told_of[3:] for told_of in told["transfers"]] == [
            [] if s.colour is None else [s.colour] for s in step.transfers
        ]
    must = [(1 << len(trace.items)) - 1 if m == 1 else sum(1 << i for i in m or []) for m in data["must"]]
    assert must == list(trace.goal)
    assert data["relays"] == sorted(trace.relays)
    for line_of_check in check_file(str(file)).lines:
        assert line_of_check[8:].strip() in "".join(outline.texts["span"])


def test_the_page_needs_nothing_else(cycle: Path) -> None:
    """No address and no file is mentioned anywhere; the policy forbids everything but the page's own script
    and style.
    """
    text = page_of(cycle)
    outline = Outline(text)
    assert not re.search(r"https?:|//www|@import|url\(", text)
    names = {name for _, name, _ in outline.attributes}
    assert not names & {"src", "href", "srcset", "action", "style"}
    assert not {name for name in names if name.startswith("on")}
    assert not {tag for tag, _, _ in outline.attributes} & {"link", "img", "iframe", "object", "form"}
    policy = next(
        value for tag, name, value in outline.attributes if tag == "meta" and value.startswith("default-src")
    )
    for inline in (outline.texts["script"][-1], "".join(outline.texts["style"])):
        assert base64.b64encode(hashlib.sha256(inline.encode()).digest()).decode() in policy
    assert "unsafe" not in policy


def test_the_page_is_usable_without_a_mouse(cycle: Path) -> None:
    """Every button says what it does; ids are unique; calls are announced."""
    outline = Outline(page_of(cycle))
    ids = [value for _, name, value in outline.attributes if name == "id"]
    assert len(ids) == len(set(ids))
    labels = [value for tag, name, value in outline.attributes if tag == "button" and name == "aria-label"]
    assert labels == ["first", "back", "play", "forward", "last"]
    assert ("section", "aria-live", "polite") in outline.attributes


def test_verdict_bounds_and_check(cycle: Path) -> None:
    """The page says what was proven, with the best bound of either side first, and how the check went."""
    text = page_of(cycle)
    assert "optimal: 4 rounds, proven on both sides" in text
    assert '<span class="mark ok">checked</span>' in text
    lower, upper = (f'<th scope="row">{side}</th><td class="number">4</td>' for side in ("lower", "upper"))
    assert 0 < text.find(lower) < text.find(upper) < text.find("<details>")


def test_the_same_input_gives_the_same_page(cycle: Path, tmp_path: Path) -> None:
    """Nothing in a page depends on when it was made, nor on whether the file was compressed."""
    packed = tmp_path / "packed.json.gz"
    packed.write_bytes(gzip.compress(cycle.read_bytes()))
    write_page(str(packed), str(tmp_path / "packed.html"))
    assert page_of(cycle) == page_of(cycle) == (tmp_path / "packed.html").read_text(encoding="utf-8")


def test_the_proof_stays_in_the_file(tmp_path: Path) -> None:
    """A page holds no certificate, only what the check said of it."""
    file = solved("telephone gossip cycle:7", tmp_path, "--certify", "refutation")
    data = json.loads(file.read_text())
    proof = next(
        b["evidence"]["proof"] for b in data["certificate"]["lower"] if b["evidence"]["kind"] == "refutation"
    )
    assert str(proof)[:60] not in page_of(file)


def test_text_from_the_data_is_escaped(tmp_path: Path) -> None:
    """Labels, names and reasons that look like markup stay text."""
    network = Network(4, ((0, 1), (1, 2), (2, 3)), labels=NASTY, name="<i>net</i>")
    rounds = [
        [{"between": [NASTY[0], NASTY[1]]}, {"between": [NASTY[2], NASTY[3]]}],
        [{"between": [NASTY[1], NASTY[2]]}],
    ]
    problem = problem_to_json(Problem("telephone", "broadcast", network, {"source": NASTY[1]}))
    reason = "</td><script>alert(2)</script> & so on"
    file = tmp_path / "nasty.json"
    result = {
        "format": "schedsolve-result/1",
        "problem": problem,
        "status": "bounded",
        "objective": "rounds",
        "value": 3,
        "lower_bound": 2,
        "bounds": [{"side": side, "value": v, "reason": reason} for side, v in (("lower", 2), ("upper", 3))],
        "schedule": {"rounds": [*rounds, [{"between": [NASTY[2], NASTY[3]]}]]},
        "certificate": None,
        "runtime_seconds": 0,
    }
    file.write_text(json.dumps(result), encoding="utf-8")
    text = page_of(file)
    outline = Outline(text)
    assert outline.open == []
    assert len(outline.texts["script"]) == 2
    assert outline.data["labels"] == list(NASTY)
    assert "alert(2)" not in "".join(outline.texts["script"])
    assert "".join(outline.texts["td"]).count(reason) == 2
    assert "<!--" not in text.replace("<!doctype", "")


def test_a_schedule_without_claims(tmp_path: Path) -> None:
    """A user's own schedule, complete or not, has a page that says which it is."""
    problem = {"model": "telephone", "task": "gossip", "network": "cycle:4", "parameters": {}}
    complete = [[{"between": [0, 1]}, {"between": [2, 3]}], [{"between": [1, 2]}, {"between": [0, 3]}]]
    for rounds, verdict, badge in (
        (complete, "a schedule of 2 rounds; nothing is claimed of its optimality", "checked"),
        (complete[:1], "a schedule of 1 round, incomplete", "check FAILED"),
    ):
        file = tmp_path / "own.json"
        file.write_text(
            json.dumps(
                {"format": "schedsolve-schedule/1", "problem": problem, "schedule": {"rounds": rounds}}
            )
        )
        text = page_of(file)
        assert verdict in text
        assert badge in text
        assert "The file lists no bounds." in text


def test_a_false_claim_is_shown_as_such(cycle: Path, tmp_path: Path) -> None:
    """When the check fails, the verdict is what the file claims, no more."""
    data = json.loads(cycle.read_text())
    data |= {"value": 3, "lower_bound": 3}
    file = tmp_path / "false.json"
    file.write_text(json.dumps(data))
    text = page_of(file)
    assert "the file claims: optimal: 3 rounds" in text
    assert '<span class="mark failed">check FAILED</span>' in text


def test_an_illegal_schedule_is_played_up_to_the_broken_call(tmp_path: Path) -> None:
    """With the reason; the call is the last of the last round, and brings nobody anything."""
    file = tmp_path / "illegal.json"
    problem = {"model": "telephone", "task": "gossip", "network": "path:4", "parameters": {}}
    rounds = [[{"between": [0, 1]}], [{"between": [1, 2]}, {"between": [2, 3]}], [{"between": [0, 1]}]]
    file.write_text(
        json.dumps({"format": "schedsolve-schedule/1", "problem": problem, "schedule": {"rounds": rounds}})
    )
    text = page_of(file)
    assert "it breaks a rule: round 2: node 2" in text
    assert '<span class="mark failed">check FAILED</span>' in text
    data = Outline(text).data
    assert data["broken"].startswith("round 2: node 2")
    assert [transfer[0] for transfer in data["steps"][-1]["transfers"]] == [[1, 2], [2, 3]]
    assert data["arrivals"][3] == [-1, -1, -1, 0]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("{", "no JSON"),
        ("[]", "no schedsolve result"),
        ('{"format": "schedsolve-schedule/1", "schedule": null}', "no schedule"),
        (
            (
                '{"format": "schedsolve-schedule/1", "problem": {"model": "telephone", "task": "broadcast",'
                ' "network": "path:9999","parameters": {}}, "schedule": {"rounds": []}}'
            ),
            f"up to {MOST_NODES} nodes, not 9999",
        ),
        (
            (
                '{"format": "schedsolve-schedule/1", "problem": {"model": "telephone", "task": "gossip",'
                ' "network": "path:1900","parameters": {}}, "schedule": {"rounds": []}}'
            ),
            "1900 x 1900",
        ),
    ],
)
def test_bad_files_are_refused(text: str, complaint: str, tmp_path: Path) -> None:
    """A file that cannot be played is refused in one line, and nothing is written."""
    file = tmp_path / "bad.json"
    file.write_text(text)
    with pytest.raises(InputError, match=complaint) as caught:
        write_page(str(file), str(tmp_path / "out.html"))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "out.html").exists()


def test_infeasible_results_have_no_page(tmp_path: Path) -> None:
    """Where nothing was found there is nothing to play."""
    file = solved("telephone gossip cycle:5", tmp_path, "--rounds", "2")
    with pytest.raises(InputError, match="holds no schedule"):
        write_page(str(file), str(tmp_path / "out.html"))


def test_a_directed_network(tmp_path: Path, cycle: Path) -> None:
    """The page says that a network is directed, and only then."""
    network = tmp_path / "arcs.edges"
    network.write_text("a b\nb c\nc a\na c\n")
    text = page_of(solved(f"telegraph gossip {network} --directed", tmp_path))
    assert Outline(text).data["directed"] is True
    assert Outline(text).data["edges"] == [[0, 1], [0, 2], [1, 2], [2, 0]]
    assert "The network is directed" in text
    assert Outline(page_of(cycle)).data["directed"] is False
    assert "The network is directed" not in page_of(cycle)


def test_the_script_finds_what_it_looks_for(cycle: Path) -> None:
    """Every element that the page's script asks for by its id is there."""
    outline = Outline(page_of(cycle))
    ids = {value for _, name, value in outline.attributes if name == "id"}
    assert set(re.findall(r'byId\("([^"]+)"\)', outline.texts["script"][-1])) <= ids


def test_the_command_draws_it(cycle: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`draw -o OUT.html` writes the page; a folder that is not there is bad input."""
    assert main(["draw", str(cycle), "-o", str(tmp_path / "page.html")]) == 0
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page_of(cycle)
    with pytest.raises(InputError, match="cannot write"):
        write_page(str(cycle), str(tmp_path / "nowhere" / "page.html"))
    assert capsys.readouterr().err == ""
