"""Pictures: layouts, what a trace tells, and drawings of every model."""

from __future__ import annotations

import json
import re
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from schedsolve.drawing.analysis.of_problem import analysis_of
from schedsolve.drawing.analysis.text import analysis_to_json
from schedsolve.drawing.pictures.colours import BROKEN
from schedsolve.drawing.pictures.labels import names_beside
from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.drawing.pictures.lines import bends_of, between, curve
from schedsolve.drawing.pictures.panel_grid import PANEL_WIDTH
from schedsolve.drawing.pictures.panels import node_radius
from schedsolve.drawing.pictures.pictures import VIEWS, result_figure
from schedsolve.drawing.pictures.svg_file import small_svg
from schedsolve.drawing.traces.of_problem import trace_of
from schedsolve.models import build_problem
from schedsolve.models.fat_tree.rules import channel_loads, sendings_of
from schedsolve.models.fat_tree.rules.tree import tree_of
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.network.named.families import families
from schedsolve.solving.constructions import construct
from schedsolve.solving.solve import solve
from tests.command_line import Cli

PROBLEMS = {
    "telephone gossip cycle:5": {"rounds", "space-time", "knowledge"},
    "telegraph gossip path:4 --period 4": {"rounds", "space-time", "knowledge", "period"},
    "telephone multicast grid:2x3 --targets 4,5": {"rounds", "space-time"},
    "telephone broadcast tree:2,2 --source max": {"rounds", "space-time"},
    "telegraph accumulation star:4": {"rounds", "space-time", "knowledge"},
    "line broadcast grid:3x3": {"rounds", "space-time"},
    "linear-cost broadcast complete:4 --ports 2 --extra-rounds 2": {
        "rounds",
        "space-time",
        "knowledge",
        "packets",
    },
    "fat-tree broadcast fat-tree:4": {"rounds", "loads"},
    "fat-tree product fat-tree:4 --timing rounds": {"rounds", "knowledge", "loads"},
    "routing deliver fat-tree:8 --pattern all-to-one --messages 2": {"rounds", "knowledge", "loads"},
    "telephone gossip path:1": {"rounds"},
    "telephone gossip path:2": {"rounds", "space-time", "knowledge"},
}
"""A problem of every kind, and the views that show something of it."""
NETWORKS = (
    *(
        "circulant:9,1,3",
        "torus:3x3x3",
        "kautz:2,2",
        "genkautz:3,10",
        "dragonfly:3,1",
        "leaf-spine:2,3,2",
        "dgx1",
        "amd4",
        "dgx2",
        "nvl72",
        "mi300x",
        "jellyfish:6,5,2,1",
        "a100:2",
        "h100:2",
        "mi250:1",
        "path:1",
        "path:2",
        "path:9",
        "cycle:3",
        "cycle:12",
        "complete:1",
        "complete:7",
        "star:2",
        "star:9",
        "tree:3,3",
        "tree:2,0",
        "grid:3x4",
    ),
    *(
        "torus:3x4",
        "torus:5x5",
        "hypercube:0",
        "hypercube:3",
        "hypercube:4",
        "hypercube:6",
        "ccc:3",
        "ccc:4",
        "butterfly:3",
        "debruijn:4",
    ),
    *(
        "shuffle-exchange:4",
        "harary:4,11",
        "knodel:3,10",
        "petersen",
        "random-regular:3,20,1",
        "random-tree:20,1",
        "small-world:4,20,0.1,1",
        "torus:4x4-without-5,0-1",
        "fat-tree:8",
        "graph6:EhEG",
    ),
)


@pytest.mark.parametrize("line", PROBLEMS)
def test_every_model_is_drawn(cli: Cli, line: str) -> None:
    """As SVG and as PNG, all views together and each that applies; a view that shows nothing is refused."""
    assert cli(f"solve {line} --output r.json --quiet").status == 0
    assert cli("draw r.json -o all.svg").status == 0
    text = "".join(ElementTree.parse("all.svg").getroot().itertext())
    assert re.search(r"optimal: .*, proven", text)
    for view in VIEWS:
        seen = cli(f"draw r.json -o one.png --view {view.name}")
        if view.name in PROBLEMS[line]:
            assert (seen.status, seen.err) == (0, ""), view.name
            assert Path("one.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
        else:
            assert (seen.status, seen.err.count("\n"), "shows nothing" in seen.err) == (2, 1, True), view.name


def test_what_was_not_verified_is_said(cli: Cli) -> None:
    """A lower bound by search without its proof."""
    assert cli("solve telephone gossip random-regular:3,12,2 -o r.json --quiet --no-certify").status == 0
    assert cli("draw r.json -o r.svg --view rounds").status == 0
    text = "".join(ElementTree.parse("r.svg").getroot().itertext())
    assert "replayed: 5 rounds, optimal according to the file, not verified in full" in text


def test_captions_do_not_repeat_claims(cli: Cli) -> None:
    """The number is what the referee counts, whatever the file says; a broken claim does not keep a schedule
    from being drawn.
    """
    assert cli("solve telephone gossip cycle:5 --output r.json --quiet").status == 0
    data = json.loads(Path("r.json").read_text())
    data["value"] = data["lower_bound"] = 3
    del data["objective"]
    Path("r.json").write_text(json.dumps(data))
    assert cli("draw r.json -o r.svg --view rounds").status == 0
    text = "".join(ElementTree.parse("r.svg").getroot().itertext())
    assert "replayed: 4 rounds; the file says that it is optimal, but its check fails" in text
    data["schedule"]["rounds"].pop()
    Path("r.json").write_text(json.dumps(data))
    assert cli("draw r.json -o r.svg").status == 0
    assert "replayed: 3 rounds, incomplete" in "".join(ElementTree.parse("r.svg").getroot().itertext())


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("draw r.json -o r.gif", "ends in .svg, .png, .pdf, .tex, .tikz, .html"),
        ("draw r.json -o nowhere/r.svg", "there is no folder"),
        ("draw none.json -o r.svg", "cannot be read"),
        ("draw r.json -o r.svg --view colours", "unknown view 'colours'"),
        ("draw r.json -o r.html --view rounds", "a page shows everything"),
        ("draw r.json", "required"),
        ("draw none-left.json -o r.svg", "holds no schedule"),
    ],
)
def test_bad_input(cli: Cli, line: str, words: str) -> None:
    """One line that says what was wrong, and exit status 2."""
    assert cli("solve telephone gossip path:3 --output r.json --quiet").status == 0
    data = json.loads(Path("r.json").read_text())
    Path("none-left.json").write_text(json.dumps({**data, "schedule": None}))
    seen = cli(line)
    assert (seen.status, seen.out, seen.err.count("\n")) == (2, "", 1)
    assert words in seen.err


@pytest.mark.parametrize("spec", NETWORKS)
def test_layouts_keep_nodes_apart(spec: str) -> None:
    """Every node has a place of its own, and the order along a line has every node once."""
    network = Network.from_spec(spec)
    layout = layout_of(network)
    assert len(layout.points) == network.node_count
    assert sorted(layout.order) == list(range(network.node_count))
    apart = [((a - c) ** 2 + (b - d) ** 2) ** 0.5 for (a, b), (c, d) in combinations(layout.points, 2)]
    assert min(apart, default=1.0) > 0.2
    assert layout.least_distance == pytest.approx(min([1.0, *apart]))


def test_every_family_has_a_layout() -> None:
    """The networks above are of all families."""
    assert {family.form.partition(":")[0] for family in families()} <= {
        spec.partition(":")[0] for spec in NETWORKS
    }


@pytest.mark.parametrize(
    "spec",
    [
        "torus:5x5",
        "hypercube:5",
        "butterfly:3",
        "debruijn:4",
        "ccc:4",
        "knodel:3,10",
        "instances/nsfnet.edges",
    ],
)
def test_lines_keep_off_other_nodes(spec: str) -> None:
    """No edge is drawn over a node that is not one of its ends."""
    root = Path(__file__).parents[2]
    network = Network.from_spec(spec if ":" in spec else str(root / spec))
    points = layout_of(network).points
    radius = node_radius(layout_of(network), PANEL_WIDTH)
    for (u, v), bend in bends_of(network.edges, points, radius).items():
        line = curve(points[u], points[v], bend)
        for w in set(range(network.node_count)) - {u, v}:
            x, y = points[w]
            assert min(((a - x) ** 2 + (b - y) ** 2) ** 0.5 for a, b in line) > radius, (u, v, w)


def test_small_networks_keep_straight_lines_off_other_nodes() -> None:
    """Where distances would put a node on a line, as in complete bipartite graphs, nodes go on a circle."""
    for network in networks_of("graphs:3..5"):
        points = layout_of(network, straight=True).points
        for u, v in network.edges:
            for w in set(range(network.node_count)) - {u, v}:
                x, y = points[w]
                line = curve(points[u], points[v], 0.0)
                assert min(((a - x) ** 2 + (b - y) ** 2) ** 0.5 for a, b in line) > 0.2, network.name


def test_arrows_end_at_the_borders_of_nodes() -> None:
    """What is left of a line begins and ends a radius away from its ends, straight or bent."""
    for bend in (0.0, 0.3):
        kept = between(curve((0.0, 0.0), (4.0, 0.0), bend), 0.5, 0.25)
        assert (kept[0][0] ** 2 + kept[0][1] ** 2) ** 0.5 == pytest.approx(0.5, abs=0.02)
        assert ((kept[-1][0] - 4) ** 2 + kept[-1][1] ** 2) ** 0.5 == pytest.approx(0.25, abs=0.02)


@pytest.mark.parametrize(
    "line",
    [
        "telephone gossip grid:2x3",
        "telegraph gossip path:5",
        "line gossip tree:2,2",
        "telegraph broadcast cycle:6",
    ],
)
def test_stories_agree_with_the_analysis(line: str) -> None:
    """A node first holds an item in the round in which the analysis has it arrive."""
    model, task, spec = line.split()
    problem = build_problem(model, task, Network.from_spec(spec))
    schedule = solve(problem).schedule
    assert schedule is not None
    arrivals = trace_of(problem, schedule).arrivals()
    expected = analysis_to_json(analysis_of(problem, schedule))["arrivals"]
    assert [[row[item] for row in arrivals] for item in range(len(expected))] == [
        spread["rounds"] for spread in expected
    ]


@pytest.mark.parametrize("options", [{"capacity": "sqrt"}, {"capacity": "linear", "timing": "rounds"}])
def test_channel_loads_agree_with_the_referee(options: dict[str, str]) -> None:
    """The fullest load of every channel above a subtree of two processors or more is the referee's."""
    problem = build_problem("fat-tree", "broadcast", Network.from_spec("fat-tree:16"), options)
    for built in construct(problem):
        steps = trace_of(problem, built.schedule).steps
        shown = sorted(
            max(x.load for f in steps for x in f.loads if x.name == name)
            for name in {x.name for f in steps for x in f.loads}
        )
        seen = sorted(
            x.most for x in channel_loads(tree_of(problem), sendings_of(built.schedule)[0]) if x.height
        )
        assert shown == seen, built.algorithm.name


def test_an_illegal_schedule_is_drawn_up_to_the_broken_call(cli: Cli) -> None:
    """The call that breaks a rule is red, with the reason, and what comes after it is not drawn; a schedule
    that claims nothing says so.
    """
    assert cli("solve telephone gossip path:4 --output r.json --quiet --no-certify").status == 0
    data = json.loads(Path("r.json").read_text())
    rounds = [[{"between": [0, 1]}], [{"between": [1, 2]}, {"between": [2, 3]}], [{"between": [0, 1]}]]
    plain = {"format": "schedsolve-schedule/1", "problem": data["problem"]}
    Path("r.json").write_text(json.dumps({**plain, "schedule": {"rounds": rounds}}))
    assert cli("draw r.json -o r.svg").status == 0
    seen = Path("r.svg").read_text()
    words = "".join(ElementTree.parse("r.svg").getroot().itertext())
    assert "breaks a rule: round 2" in words
    assert BROKEN in seen
    assert "round 3" not in words
    assert cli("draw r.json -o time.svg --view space-time").status == 0
    assert BROKEN in Path("time.svg").read_text()
    assert "in rounds" in "".join(ElementTree.parse("time.svg").getroot().itertext())
    assert cli("draw r.json -o r.html").status == 0
    Path("r.json").write_text(json.dumps({**plain, "schedule": data["schedule"]}))
    assert cli("draw r.json -o r.svg").status == 0
    assert "no claim made" in "".join(ElementTree.parse("r.svg").getroot().itertext())


def test_small_svg_keeps_words_and_references() -> None:
    """Numbers in attributes become short, those in words stay; what is referred to keeps its name."""
    svg = '<svg><style>*{a:b}</style><g id="a">\n<path d="M 1.23456 \n 2.000001"/>\n</g><!-- c -->'
    svg += '<path id="b"/><use href="#b"/><text>0.123456</text></svg>'
    small = small_svg(svg)
    assert 'd="M 1.23 2"' in small
    assert "0.123456" in small
    assert 'id="b"' in small
    assert 'id="a"' not in small
    assert "<!--" not in small


def test_long_calls_of_a_round_have_colours_and_files_are_pdf_too(cli: Cli) -> None:
    """Two long calls of one round can be distinguished."""
    assert cli("solve line broadcast torus:3x4 --output r.json --quiet --no-certify").status == 0
    assert cli("draw r.json -o r.svg --view rounds").status == 0
    assert sum(f"#{colour}" in Path("r.svg").read_text() for colour in ("c2410c", "1d4ed8", "7c3aed")) == 3
    assert cli("draw r.json -o r.pdf").status == 0
    assert Path("r.pdf").read_bytes()[:5] == b"%PDF-"


def test_names_beside_nodes_keep_off_lines_and_each_other() -> None:
    """A name stands below its node, elsewhere where a line leads down; one without room is left out."""
    points = [(0.0, 0.0), (5.0, 0.0)]
    down = [[(0.0, 0.0), (0.0, -3.0)]]
    placed = names_beside(["a", "b"], points, down, 0.3, 0.5)
    assert placed[0].middle[1] > 0
    assert placed[1].middle[1] < 0
    crowd = [(0.01 * i, 0.0) for i in range(30)]
    assert len(names_beside(["name"] * 30, crowd, [], 0.001, 0.5)) < 10


def test_a_figure_of_a_result() -> None:
    """In a notebook a result gives its figure; one without a schedule is refused."""
    result = solve(build_problem("telephone", "gossip", Network.from_spec("cycle:4"), {"period": "min"}))
    assert result_figure(result).get_suptitle().endswith("proven on both sides")
    hopeless = solve(build_problem("telephone", "gossip", Network.from_spec("star:5"), {"period": 2}))
    with pytest.raises(ValueError, match="no schedule to draw"):
        result_figure(hopeless)


def test_a_false_name_is_no_layout() -> None:
    """A cycle that calls itself a tree is drawn by its shape."""
    cycle = Network(7, tuple((v, (v + 1) % 7) if v < 6 else (0, 6) for v in range(7)), name="tree:2,2")
    assert len(layout_of(cycle).points) == 7


def test_a_period_names_the_colours_that_it_has() -> None:
    """One-way calls have no colour for both, two-way calls no other."""
    captions = {}
    for model in ("telegraph", "telephone"):
        problem = build_problem(model, "gossip", Network.from_spec("path:3"), period=4)
        axes = result_figure(solve(problem), "period").axes
        captions[model] = axes[0].get_xlabel().partition("; ")[2]
    assert captions == {"telegraph": "red: sends, green: receives", "telephone": "blue: both"}


def test_names_of_messages_do_not_touch() -> None:
    """Where they have no room side by side they stand upright."""
    network = Network.from_spec("fat-tree:16")
    figure = result_figure(solve(build_problem("routing", "deliver", network, pattern="random")), "knowledge")
    figure.canvas.draw()
    boxes = [tick.get_window_extent() for tick in figure.axes[0].get_xticklabels() if tick.get_text()]
    assert len(boxes) == 16
    assert not any(one.overlaps(other) for one, other in combinations(boxes, 2))
