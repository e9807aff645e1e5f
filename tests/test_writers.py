"""Every writer, with hostile labels, names and titles, read back."""

from __future__ import annotations

import ast
import csv
import html
import json
import sqlite3
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from schedsolve import InputError, Network, build_problem, formulation, solve, write_program
from schedsolve.drawing.page.networks_page import write_networks_page
from schedsolve.drawing.page.page import page_of
from schedsolve.drawing.pictures.frontier_chart import draw_frontier
from schedsolve.drawing.pictures.networks_sheet import draw_networks
from schedsolve.drawing.pictures.pictures import picture_bytes, result_figure
from schedsolve.drawing.pictures.time_chart import times_figure
from schedsolve.experiments.sweeps.hypotheses import Question, hypothesis_table
from schedsolve.experiments.sweeps.results import read_table
from schedsolve.experiments.sweeps.table_file import TableFile
from schedsolve.export.refutations import Refutation, refutation_texts
from schedsolve.machines.times import times
from schedsolve.modelkit.formulas import program_files
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.network.files.any_format import read_network, write_network
from schedsolve.runtime.errors import one_line
from schedsolve.runtime.files.escapes import encodable
from schedsolve.solving.comparison import (
    Comparison,
    Comparisons,
    groups_to_csv,
    groups_to_html,
    groups_to_markdown,
)
from schedsolve.solving.formulation_files import COMMENT, read_formulation
from schedsolve.solving.frontier_files import Curve, FrontierPoint
from schedsolve.solving.many import solve_many
from schedsolve.solving.store import Store
from schedsolve.solving.tables import WRITERS, Table
from tests.runtime.files.hostile import PRINTABLE, TEXTS, Page, words

SHORT = ("a$b$", '"', "\\", "-->", "<i>", "_x")
NAME = '""")\n-->]]></title></script>\\end{x}$\\frac$%(prog)s|`=1 1 0\x1b\ud800\u202e\\'
NAMES = [ascii(text)[:40] for text in TEXTS]


def in_page(text: str) -> str:
    """What a reader of a page sees of a text."""
    return "".join(c if c in "\n\t" else one_line(c) for c in text)


def star(labels: tuple[str, ...], name: str = NAME, hub: str = "hub") -> Network:
    return Network.from_labels([hub, *labels], [(hub, label) for label in labels], name=name)


@pytest.fixture(scope="module")
def result() -> Result:
    """A broadcast from a node in the middle to nodes with all printable names."""
    return solve(build_problem("line", "broadcast", star(PRINTABLE), source="hub"), certify=True)


def written_program(network: Network, folder: Path) -> ast.Module:
    solved = solve(build_problem("line", "broadcast", network, source="hub"))
    write_program(solved, folder / "p.py")
    return ast.parse((folder / "p.py").read_text())


@pytest.mark.parametrize("file", ['""";x.py', "$(x) \\.py"])
def test_names_of_programs(file: str, tmp_path: Path) -> None:
    """What stands in a program about itself is a docstring or a comment."""
    few = solve(build_problem("line", "broadcast", star(SHORT), source="hub"))
    write_program(few, tmp_path / file)
    said = ast.get_docstring(ast.parse((tmp_path / file).read_text())) or ""
    assert file.removesuffix(".py") in said.replace("'", "")


def test_a_program_says_all_names_and_does_nothing_else(tmp_path: Path) -> None:
    """But for its docstring it is the program of a network with plain names."""
    hostile = written_program(star(TEXTS), tmp_path)
    plain = written_program(star(tuple(f"n{i}" for i in range(len(TEXTS)))), tmp_path)
    said = words(ast.get_docstring(hostile, clean=False) or "")
    for text in TEXTS:
        assert words(text)[:60] in said
    assert list(map(ast.dump, hostile.body[1:])) == list(map(ast.dump, plain.body[1:]))


def test_pages(result: Result) -> None:
    """Titles and labels are text; the data in the script are the labels; a notebook holds the same page."""
    text = page_of(json.loads(json.dumps(result_to_json(result))))
    plain = solve(build_problem("line", "broadcast", star(tuple("abc")), source="hub"))
    page, other = Page(text), Page(page_of(json.loads(json.dumps(result_to_json(plain)))))
    assert not page.comments
    assert {name for name, _ in page.elements} == {name for name, _ in other.elements}
    assert one_line(NAME) in page.texts["title"][0]
    data, _ = page.texts["script"]
    assert json.loads(data)["labels"] == ["hub", *PRINTABLE]
    frame = Page(result._repr_html_())
    assert [name for name, _ in frame.elements] == ["iframe"]
    assert Page(str(frame.elements[0][1]["srcdoc"])).texts["title"] == page.texts["title"]


def texts_of(svg: bytes) -> str:
    return " ".join(
        "".join(e.itertext()) for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("text")
    )


def test_pictures(tmp_path: Path) -> None:
    """Every view; a $ begins no formula, and what looks like an attribute stays text."""
    from matplotlib import rc_context

    solved = solve(build_problem("telephone", "broadcast", star(SHORT, '$\\frac$ id="x"\0'), source="hub"))
    with rc_context({"svg.fonttype": "none"}):
        said = texts_of(picture_bytes(result_figure(solved), "svg"))
    assert '$\\frac$ id="x"\\x00' in said
    for text in SHORT:
        assert text[:5] in said
    draw_networks([star(("a",), "$\\frac$")], ["$\\frac$"], str(tmp_path / "n.svg"), "'$\\frac$' id=\"x\"")
    assert "'$\\frac$' id=\"x\"" in texts_of((tmp_path / "n.svg").read_bytes())
    curve = Curve("m$", "t", "_$\\frac$", "steps", (FrontierPoint(1, 2, 2, {"steps": 1}),))
    draw_frontier([curve], str(tmp_path / "f.svg"), None, "rounds")
    assert "t on _$\\frac$" in texts_of((tmp_path / "f.svg").read_bytes())


def test_a_chart_of_times() -> None:
    solved = solve(
        build_problem("synchronous", "broadcast", star(SHORT[:4], "$\\frac$"), source="hub", steps=1)
    )
    chart = times_figure(times(solved, alpha="1", beta="1", size=1))
    assert picture_bytes(chart, "svg").startswith(b"<?xml")


@pytest.mark.parametrize("ending", COMMENT)
def test_formulations(ending: str, tmp_path: Path) -> None:
    """They are read again, by us and by another solver, and say the same as with plain names."""
    problem = build_problem(
        "telephone", "broadcast", star((*PRINTABLE[:6], "data| {}")), source="hub", rounds=3
    )
    plain = build_problem("telephone", "broadcast", star(tuple("abcdefg")), source="hub", rounds=3)
    file, twin = tmp_path / f"f{ending}", tmp_path / f"g{ending}"
    for target, asked in ((file, problem), (twin, plain)):
        target.write_text(formulation(asked).text(ending), encoding="utf-8")
    assert read_formulation(str(file)).request.problem == problem
    mark = COMMENT[ending]
    bare = [
        [line for line in one.read_text().split("\n") if not line.startswith(mark)] for one in (file, twin)
    ]
    assert bare[0] == bare[1]


@pytest.mark.parametrize("ending", [".lp", ".mps", ".opb"])
def test_long_formulations_are_joined_in_parts(ending: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The text is the same, however many lines are joined at a time, and ends with its last line."""
    asked = formulation(build_problem("telephone", "gossip", "path:3"), 3)
    text = asked.text(ending)
    assert text.endswith({".lp": "End\n", ".mps": "ENDATA\n", ".opb": ";\n"}[ending])
    for joined in (1, 7, text.count("\n")):
        monkeypatch.setattr(program_files, "JOINED", joined)
        assert asked.text(ending) == text


def test_another_solver_reads_them(tmp_path: Path) -> None:
    problem = build_problem("telephone", "broadcast", star(PRINTABLE), source="hub", rounds=2)
    asked = formulation(problem)
    files = [tmp_path / "f.lp", tmp_path / "f.mps"]
    for file in files:
        file.write_text(asked.text(file.suffix), encoding="utf-8")
    code = (
        "import highspy, sys\nfor file in sys.argv[1:]:\n h = highspy.Highs()\n"
        " h.setOptionValue('output_flag', False)\n assert h.readModel(file) == highspy.HighsStatus.kOk\n"
        " print(h.getNumCol(), h.getNumRow())"
    )
    command = [sys.executable, "-c", code, *map(str, files)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    program = asked.integer.program
    assert said == f"{len(program.variables)} {program.row_count}\n" * 2


def test_refutations() -> None:
    """No name adds a clause."""
    network = Network.from_labels(
        ["a\n1 0", "b", "c", "d"], [("a\n1 0", "b"), ("b", "c"), ("c", "d")], name=NAME
    )
    solved = solve(build_problem("telegraph", "gossip", network), certify="refutation")
    (bound,) = [b for b in solved.certificate if (b.evidence or {}).get("kind") == "refutation"]
    texts = dict(refutation_texts(Refutation("r", solved.problem, bound.evidence or {})))
    lines = [line for line in texts["formula.cnf"].splitlines() if not line.startswith("c ")]
    assert lines[0].split()[:2] == ["p", "cnf"]
    assert len(lines) - 1 == int(lines[0].split()[3])


def test_comparisons(result: Result, tmp_path: Path) -> None:
    rows = Comparisons([Comparison(result.problem, {}, result)])
    groups = [(title, rows) for title in TEXTS]
    (tmp_path / "c.csv").write_bytes(groups_to_csv(groups).encode())
    with (tmp_path / "c.csv").open(newline="", encoding="utf-8") as file:
        header, *lines = csv.reader(file, strict=True)
    assert len(lines) == len(TEXTS)
    assert {len(line) for line in lines} == {len(header)}
    page = Page(groups_to_html(groups))
    assert page.texts["h2"] == list(map(in_page, TEXTS))
    assert {name for name, _ in page.elements} <= {
        "html", "head", "meta", "title", "style", "body", "h1", "h2", "div", "table", "thead", "tbody", "tr",
        "th", "td",
    }  # fmt: skip
    assert in_page(NAME) in Page(rows._repr_html_()).texts["td"]
    headings = [line for line in groups_to_markdown(groups).split("\n") if line.startswith("## ")]
    assert len(headings) == len([text for text in TEXTS if text])


def test_tables(tmp_path: Path) -> None:
    """A cell a text, in every format of a table; CSV is read again by us as it was."""
    columns = ("network", "model", "task", "parameters", "status", "value", "title")
    table = Table(columns, [(text, "m", "t", "", "optimal", -3, text) for text in TEXTS])
    for ending in (".csv", ".md", ".html", ".tex"):
        (tmp_path / f"t{ending}").write_bytes(WRITERS[ending](table))
    read = TableFile(str(tmp_path / "t.csv")).rows(["network", "value"])
    assert read == [(encodable(text).replace("\r", "\\r"), -3) for text in TEXTS]
    page = Page((tmp_path / "t.html").read_text(encoding="utf-8"))
    assert page.texts["td"][:: len(columns)] == list(map(in_page, TEXTS))
    assert len((tmp_path / "t.md").read_text(encoding="utf-8").splitlines()) == len(TEXTS) + 2
    tex = (tmp_path / "t.tex").read_text(encoding="utf-8")
    assert tex.count("\\end{") == tex.count("\\begin{") == 1
    assert len(tex.splitlines()) == len(TEXTS) + 7


def test_a_store_and_its_page(tmp_path: Path) -> None:
    """Names with halves of surrogates are spelled out in SQLite; the page of networks holds them as data."""
    store = str(tmp_path / "s.db")
    names = [NAME, "'; drop table results; --", "</script>"]
    problems = [
        build_problem("telephone", "gossip", Network(n, tuple((i, i + 1) for i in range(n - 1)), name=name))
        for n, name in enumerate(names, 2)
    ]
    assert len(list(solve_many(problems, workers=1, store=store))) == 3
    with sqlite3.connect(store) as connection:
        assert {row[0] for row in connection.execute("select network from networks")} == set(
            map(encodable, names)
        )
    connection.close()
    with Store(store) as source:
        assert len(read_table(source).rows) == len(hypothesis_table(source).rows) == 3
    write_networks_page(store, str(tmp_path / "n.html"))
    page = Page((tmp_path / "n.html").read_text(encoding="utf-8"))
    data = json.loads(page.texts["script"][0])
    assert encodable(NAME) in data["values"][0]


@pytest.mark.parametrize("ending", [".edges", ".txt", ".graphml", ".json", ".topo"])
def test_network_files(ending: str, tmp_path: Path) -> None:
    """A label is read again as it was, or refused in one line and nothing is written."""
    written = 0
    for number, text in enumerate(TEXTS):
        file = tmp_path / f"{number}{ending}"
        network = Network.from_labels(["a b" if ending == ".json" else "a", text], [], name=NAME)
        try:
            write_network(network, file)
        except InputError:
            assert not file.exists()
        else:
            written += 1
            assert set(read_network(file).labels) == set(network.labels)
    assert written >= 15


def test_commands_to_copy() -> None:
    """No word of a table becomes a command, and no parameter an option that the task does not have."""
    asked = Question("telephone", "broadcast", "source=$(x) output=y ;=z rounds=`w`")
    assert (
        asked.command("'; x")
        == "schedsolve solve telephone broadcast ''\"'\"'; x' --source '$(x)' --rounds '`w`'"
    )
    assert html.escape(asked.options) == "--source &#x27;$(x)&#x27; --rounds &#x27;`w`&#x27;"
