"""A demonstration: one problem of every model, and a page with all the pictures.

Each is solved, certified, checked and drawn.

Run as `python -m schedsolve.drawing.demonstration.demo FOLDER`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from schedsolve.certify.check import check_data
from schedsolve.certify.text.output_files import write_text
from schedsolve.certify.text.text import problem_line, verdict_line
from schedsolve.drawing.page.inline import text_of
from schedsolve.drawing.page.page import write_page
from schedsolve.drawing.pictures.pictures import picture_bytes, result_figure
from schedsolve.extensions import ask, installed
from schedsolve.modelkit.result import Result, result_to_json
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.runtime.files.escapes import in_html
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.solving.solve import solve


@dataclass(frozen=True)
class Example:
    """A problem of the demonstration.

    Attributes
    ----------
    question
        The heading.
    solve
        Model, task and network.
    options
        Of the problem.
    size
        Bytes of a unit, where the schedule is timed on its machine.
    """

    question: str
    solve: str
    options: Mapping[str, str | int] = field(default_factory=dict)
    size: str = ""


EXAMPLES: tuple[Example, ...] = (
    Example(
        "How fast can all 14 nodes of a backbone exchange what they know?",
        "telephone gossip instances/nsfnet.json",
    ),
    Example("And when a call goes one way only, on a ring?", "telegraph gossip cycle:8"),
    Example(
        "What does it cost to repeat the same six rounds for ever?", "telegraph gossip path:7", {"period": 6}
    ),
    Example("And with long-distance calls along paths that share no edge?", "line broadcast grid:5x5"),
    Example(
        "A message cut into packets: the cheapest broadcast with three extra rounds",
        "linear-cost broadcast complete:16",
        {"extra_rounds": 3},
    ),
    Example(
        "A broadcast on a fat-tree whose channels have capacities",
        "fat-tree broadcast fat-tree:16",
        {"capacity": "sqrt"},
    ),
    Example(
        "Messages to random nodes through the routers of a fat-tree",
        "routing deliver fat-tree:16",
        {"pattern": "random"},
    ),
    Example(
        "An allgather on a machine of eight GPUs, in two steps for short messages",
        "synchronous allgather dgx1",
        {"steps": 2},
        "64KB",
    ),
    Example("An allreduce on the same machine for long messages", "pipelined allreduce dgx1", size="1GB"),
)
"""One of every model."""
TIME_LIMIT = 30.0
LINES_OF_TIMES = 8
"""What is quoted of a schedule's times: its own, and its best rivals."""
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem;
  color: var(--ink); background: var(--ground); overflow-wrap: anywhere }
a { color: var(--accent) }
.picture { overflow-x: auto; border-radius: 8px }
/* Pictures are drawn on white. */
@media (prefers-color-scheme: dark) { .picture img { filter: invert(.9) hue-rotate(180deg) } }
img { display: block; width: 100%; min-width: 42rem; height: auto }
pre { background: var(--panel); padding: .6rem; overflow-x: auto; overflow-wrap: normal }
section { margin: 3rem 0 }
.verdict { font-weight: 600 }
.player { width: 100%; height: 46rem; border: 1px solid var(--line); border-radius: 8px }
"""


@dataclass(frozen=True)
class Shown:
    """An example that was solved.

    Attributes
    ----------
    commands
        What does the same, and what the last of them prints.
    stem
        The name of its files, without the ending.
    """

    example: Example
    result: Result
    commands: tuple[str, ...]
    stem: str


def run(folder: Path) -> Path:
    """Solve, check and draw all examples; gives the page with all pictures.

    Raises
    ------
    InputError
        If the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shown = [_show(folder, number, example) for number, example in enumerate(EXAMPLES, 1)]
    page = folder / "index.html"
    write_text(_page(shown), str(page))
    return page


def _show(folder: Path, number: int, example: Example) -> Shown:
    model, task, network = example.solve.split()
    problem = build_problem(model, task, _network(network), example.options)
    result = solve(problem, Options(time_limit=TIME_LIMIT, certify=True))
    data = result_to_json(result)
    stem = folder / f"{number}-{model}"
    write_text(json.dumps(data) + "\n", f"{stem}.json")
    write_page(f"{stem}.json", f"{stem}.html")
    flags = "".join(f" --{name.replace('_', '-')} {value}" for name, value in example.options.items())
    print(f"{problem_line(problem)}\n  {verdict_line(result)}", flush=True)
    write_whole(picture_bytes(result_figure(result, "rounds"), "svg"), f"{stem}.svg")
    commands = (
        f"$ schedsolve solve {example.solve}{flags} -o result.json",
        "$ schedsolve check result.json",
        check_data(data).summary,
        *(_times(result, example.size) if example.size and installed("machines") else ()),
    )
    return Shown(example, result, commands, stem.name)


def _times(result: Result, size: str) -> list[str]:
    lines = ask("machines", "times")(result, size=size).lines()[1 : 1 + LINES_OF_TIMES]
    return ["", f"$ schedsolve time result.json --size {size}", *lines, "..."]


def _network(spec: str) -> Network:
    """Return the network of an example; a file of instances/ comes with the package."""
    folder, _, name = spec.rpartition("/")
    return Network.from_spec(str(files("schedsolve.drawing.demonstration") / name) if folder else spec)


def _page(shown: list[Shown]) -> str:
    """Return the page; the pictures and the pages that play a schedule are files beside it."""
    first = shown[0]
    contents = "\n".join(
        f'<li><a href="#{in_html(each.stem)}">{in_html(each.example.question)}</a></li>' for each in shown
    )
    head = (
        '<meta charset="utf-8"><meta name="viewport"'
        ' content="width=device-width,initial-scale=1"><title>schedsolve: one problem of each model</title>'
    )
    question, style = in_html(first.example.question), text_of("colours.css") + STYLE
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{style}</style>'
        f"<script>{text_of('frames.js')}</script></head><body>\n"
        "<h1>Optimal communication schedules, one of each model</h1>\n"
        f'<iframe class="player" src="{in_html(first.stem)}.html" title="{question}"></iframe>\n'
        f"<ol>{contents}</ol>\n" + "\n".join(map(_section, shown)) + "\n</body></html>\n"
    )


def _section(each: Shown) -> str:
    text = in_html(problem_line(each.result.problem))
    stem = in_html(each.stem)
    return (
        f'<section id="{stem}"><h2>{in_html(each.example.question)}</h2>\n<p>{text}</p>\n'
        f'<p class="verdict">{in_html(verdict_line(each.result))}</p>\n'
        f'<p class="picture"><img alt="{text}, round by round" src="{stem}.svg" loading="lazy"></p>\n'
        f'<p><a href="{stem}.html">Play it round by round</a></p>\n'
        "<pre>" + in_html("\n".join(each.commands)) + "</pre></section>"
    )


if __name__ == "__main__":
    print(f"\nall pictures on one page: {run(Path(sys.argv[1] if len(sys.argv) > 1 else 'out/demo'))}")
