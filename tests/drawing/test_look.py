"""Titles, sizes and nodes of pictures, and pictures as TikZ."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.drawing.pictures.look import Look
from schedsolve.drawing.pictures.panel_grid import grid_of
from schedsolve.drawing.pictures.pictures import figure
from schedsolve.drawing.pictures.planar import has_crossings, planar_points
from schedsolve.drawing.pictures.tikz import tikz_text
from schedsolve.drawing.traces.of_problem import trace_of
from schedsolve.models import build_problem
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.solving.solve import solve
from tests.command_line import Cli


def words_of(file: str) -> str:
    """All texts of a picture."""
    return "".join(ElementTree.parse(file).getroot().itertext())


def test_titles(cli: Cli) -> None:
    """One of one's own in place of the problem, or none; the panels keep theirs."""
    assert cli("solve telephone gossip cycle:5 -o r.json -q").status == 0
    assert cli("draw r.json -o r.svg --view rounds --title Figure$1").status == 0
    assert "Figure$1" in words_of("r.svg")
    assert "gossip" not in words_of("r.svg")
    assert cli("draw r.json -o r.svg --view rounds --no-title").status == 0
    assert "gossip" not in words_of("r.svg")
    assert "round 1" in words_of("r.svg")


def test_sizes(cli: Cli) -> None:
    """The width in inches, or both, are those of the file (72 points an inch)."""
    assert cli("solve telephone gossip cycle:5 -o r.json -q").status == 0
    for size, wanted in (("3.4", (244.8, None)), ("7x5", (504.0, 360.0))):
        assert cli(f"draw r.json -o r.svg --view rounds --size {size}").status == 0
        root = ElementTree.parse("r.svg").getroot()
        width, height = (float(root.attrib[side].removesuffix("pt")) for side in ("width", "height"))
        assert width == pytest.approx(wanted[0])
        assert wanted[1] is None or height == pytest.approx(wanted[1])


def test_panels_on_paper() -> None:
    """However narrow the picture, its panels are wide enough for arrows, and TikZ fits a column of text."""
    problem = build_problem("telephone", "gossip", "petersen")
    schedule = solve(problem).indexed
    assert schedule is not None
    trace = trace_of(problem, schedule)
    layout = layout_of(problem.network)
    sides = {width: grid_of(trace, layout, Look(width=width)).side for width in (1.0, 3.4, 5.0, 7.0)}
    assert sides == {1.0: 1, 3.4: 2, 5.0: 2, 7.0: 4}
    text = tikz_text(trace, "", Look(title=""))
    scale = re.search(r"x=([\d.]+)cm", text)
    places = [float(x) for x in re.findall(r"\\node\[partly\] \(\w+\) at \(([-\d.]+)", text)]
    shifts = [float(x) for x in re.findall(r"shift=\{\(([\d.]+)", text)]
    assert scale
    assert (max(shifts) + max(places) - min(places)) * float(scale[1]) < 4.7 * 2.54


def test_nodes(cli: Cli) -> None:
    """Names, numbers, or nothing in the nodes."""
    network = Path(__file__).parents[2] / "instances" / "nsfnet.json"
    assert cli(f"solve telephone gossip {network} -o r.json -q").status == 0
    for nodes, inside in (("names", "WA"), ("numbers", "13"), ("dots", None)):
        assert cli(f"draw r.json -o r.svg --view rounds --nodes {nodes} --no-title").status == 0
        words = words_of("r.svg")
        assert ("WA" in words) == (inside == "WA")
        assert ("13" in words) == (inside == "13")


def test_dots_need_less_room_than_names(cli: Cli) -> None:
    """The map of nsfnet has three rounds in a row of a column of text; with names it has one."""
    network = Path(__file__).parents[2] / "instances" / "nsfnet.json"
    assert cli(f"solve telephone gossip {network} -o r.json -q").status == 0
    for nodes, in_a_row in (("names", 1), ("dots", 3)):
        assert cli(f"draw r.json -o r.tikz --nodes {nodes}").status == 0
        shifts = re.findall(r"shift=\{\(([\d.]+),(-?[\d.]+)", Path("r.tikz").read_text())
        assert len({across for across, _ in shifts}) == in_a_row


def test_pdfs_have_truetype_fonts(cli: Cli) -> None:
    """Type 42, which journals take; matplotlib's own choice is Type 3."""
    assert cli("solve telephone gossip cycle:5 -o r.json -q").status == 0
    assert cli("draw r.json -o r.pdf").status == 0
    seen = Path("r.pdf").read_bytes()
    assert b"/CIDFontType2" in seen
    assert b"/Type3" not in seen


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("draw r.json -o r.svg --size 0", "width in inches"),
        ("draw r.json -o r.svg --size 3x4x5", "width in inches"),
        ("draw r.json -o r.svg --size wide", "width in inches"),
        ("draw r.json -o r.tex --size 3x4", "give its width alone"),
        ("draw r.json -o r.tex --view knowledge", "TikZ has the rounds only"),
        ("draw r.json -o r.html --no-title", "a page shows everything"),
        ("draw r.json -o r.svg --alpha 1", "only a frontier is drawn with --alpha"),
        ("draw f.json -o f.svg --nodes dots", "only a schedule is drawn with --nodes"),
        ("draw f.json -o f.tex", "a frontier is drawn as one chart"),
    ],
)
def test_bad_input(cli: Cli, line: str, words: str) -> None:
    """One line that says what was wrong, and exit status 2."""
    assert cli("solve telephone gossip path:3 -o r.json -q").status == 0
    assert cli("frontier telephone gossip path:3 --period 2..3 -o f.json").status == 0
    seen = cli(line)
    assert (seen.status, seen.err.count("\n")) == (2, 1)
    assert words in seen.err


@pytest.mark.parametrize(
    "line",
    [
        "telephone gossip hypercube:3",
        "line broadcast grid:3x4",
        "telegraph broadcast kautz:2,2",
        "synchronous broadcast leaf-spine:1,3,1 --steps 2",
    ],
)
def test_tikz(cli: Cli, line: str) -> None:
    """Braces balance, every node that a line names is defined, and each call is drawn once for each of its
    links.
    """
    assert cli(f"solve {line} -o r.json -q").status == 0
    assert cli("draw r.json -o r.tex").status == 0
    text = Path("r.tex").read_text(encoding="utf-8")
    assert text.count("{") == text.count("}")
    assert text.count("\\begin{scope}") == text.count("\\end{scope}") > 0
    defined = re.findall(r"^\\node\[\w+\] \((\w+)\)", text, re.MULTILINE)
    assert len(set(defined)) == len(defined)
    assert set(re.findall(r"\((r\d+n\d+)\)", text)) == set(defined)
    colours = set(re.findall(r"\\definecolor\{(\w+)\}", text))
    assert set(re.findall(r"draw=(\w+)", text)) - {"none"} <= colours


def test_tikz_of_every_call() -> None:
    """As many arrows as the schedule has calls along one link each."""
    problem = build_problem("telephone", "gossip", "petersen")
    schedule = solve(problem).indexed
    assert schedule is not None
    trace = trace_of(problem, schedule)
    text = tikz_text(trace, "", Look(title=""))
    calls = sum(len(step.transfers) for step in trace.steps)
    assert len(re.findall(r"\\draw\[call, \{Stealth\}-\{Stealth\}\]", text)) == calls
    assert "petersen" not in "".join(line for line in text.splitlines() if not line.startswith("%"))


def test_hostile_names_are_plain_text_in_tikz() -> None:
    """No name is a command."""
    network = Network(2, ((0, 1),), labels=("\\input{x}", "$%#&_"), name="\\bye")
    problem = build_problem("telephone", "gossip", network)
    schedule = solve(problem).indexed
    assert schedule is not None
    text = tikz_text(trace_of(problem, schedule), "\\stop\n\\x", Look())
    assert "\\input" not in text
    assert all(line.startswith("%") for line in text.splitlines() if "\\bye" in line or "\\stop" in line)
    assert "\\$\\%\\#\\&\\_" in text


def test_the_legend_has_what_is_shown() -> None:
    """In the last round of a broadcast nobody knows a part, and nobody nothing."""
    problem = build_problem("telephone", "broadcast", "path:2")
    schedule = solve(problem).indexed
    assert schedule is not None
    drawn = figure(trace_of(problem, schedule), "rounds")
    (legend,) = drawn.subfigs[0].legends
    assert [text.get_text() for text in legend.get_texts()] == ["knows all it must"]


def test_planar_networks_have_no_crossings() -> None:
    """All connected planar graphs of up to six nodes, but K_5 and K_{3,3} and what holds them."""
    planar = 0
    for network in networks_of("graphs:4..6"):
        points = planar_points(network)
        planar += points is not None
        assert points is None or not has_crossings(network, points), network.name
    # Connected graphs: 6 + 21 + 112 with 4 to 6 nodes; planar: 6 + 20 + 99 (OEIS A003094).
    assert planar == 6 + 20 + 99
    assert planar_points(Network.from_spec("complete:5")) is None
    assert planar_points(Network(4, ((0, 1), (2, 3)))) is None
