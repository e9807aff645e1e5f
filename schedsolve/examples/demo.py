"""A demonstration: one problem of every model, and a page with all the pictures.

Each is solved, certified, checked and drawn.

Run as `python -m schedsolve.examples.demo FOLDER`.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from schedsolve.certify.check import check_data
from schedsolve.draw.pictures import picture_bytes, result_figure
from schedsolve.escapes import in_html
from schedsolve.modelkit.search import Options
from schedsolve.models import build_problem
from schedsolve.network.graph import Network
from schedsolve.page.page import write_page
from schedsolve.report.output_files import write_text
from schedsolve.report.text import problem_line, verdict_line
from schedsolve.result import Result, result_to_json
from schedsolve.solving.solve import solve
from schedsolve.whole_file import write_whole

EXAMPLES: tuple[tuple[str, str, dict[str, str | int]], ...] = (
    (
        "How fast can all 14 nodes of a backbone exchange what they know?",
        "telephone gossip instances/nsfnet.edges",
        {},
    ),
    ("And when a call goes one way only, on a ring?", "telegraph gossip cycle:8", {}),
    ("What does it cost to repeat the same six rounds for ever?", "telegraph gossip path:7", {"period": 6}),
    ("And with long-distance calls along paths that share no edge?", "line broadcast grid:5x5", {}),
    (
        "A message cut into packets: the cheapest broadcast with three extra rounds",
        "linear-cost broadcast complete:16",
        {"extra_rounds": 3},
    ),
    (
        "A broadcast on a fat-tree whose channels have capacities",
        "fat-tree broadcast fat-tree:16",
        {"capacity": "sqrt"},
    ),
    (
        "Messages to random nodes through the routers of a fat-tree",
        "routing deliver fat-tree:16",
        {"pattern": "random"},
    ),
)
"""A question, the model, task and network, and the options of every example."""
TIME_LIMIT = 30.0
STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 64rem; margin: 2rem auto; padding: 0 1rem }
:root { color-scheme: light dark; --ink: #222; --ground: #fff; --panel: #f4f4f4; --link: #1f5fae }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eaec; --ground: #15181b; --panel: #1e2226; --link: #7db4f5 }
}
body { color: var(--ink); background: var(--ground); overflow-wrap: anywhere }
a { color: var(--link) }
.picture { overflow-x: auto; border-radius: 8px }
/* Pictures are drawn on white. */
@media (prefers-color-scheme: dark) { .picture img { filter: invert(.9) hue-rotate(180deg) } }
img { display: block; width: 100%; min-width: 42rem; height: auto }
pre { background: var(--panel); padding: .6rem; overflow-x: auto; overflow-wrap: normal }
section { margin: 3rem 0 }
.verdict { font-weight: 600 }
"""


@dataclass(frozen=True)
class Shown:
    """An example that was solved.

    The question, the command that does the same, its result, the check's lines, and the files with the
    picture and the page that plays it.
    """

    question: str
    command: str
    result: Result
    checks: tuple[str, ...]
    picture: str
    page: str


def run(folder: Path) -> Path:
    """Solve, check and draw all examples; gives the page with all pictures.

    Raises
    ------
    InputError
        If the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    shown = [_show(folder, number, *example) for number, example in enumerate(EXAMPLES, 1)]
    page = folder / "index.html"
    write_text(_page(shown), str(page))
    return page


def _show(folder: Path, number: int, question: str, what: str, options: dict[str, str | int]) -> Shown:
    model, task, network = what.split()
    problem = build_problem(model, task, _network(network), options)
    result = solve(problem, Options(time_limit=TIME_LIMIT, certify=True))
    data = result_to_json(result)
    stem = folder / f"{number}-{model}"
    write_text(json.dumps(data) + "\n", f"{stem}.json")
    write_page(f"{stem}.json", f"{stem}.html")
    flags = "".join(f" --{name.replace('_', '-')} {value}" for name, value in options.items())
    print(f"{problem_line(problem)}\n  {verdict_line(result)}", flush=True)
    write_whole(picture_bytes(result_figure(result, "rounds"), "svg"), f"{stem}.svg")
    checks = tuple(check_data(data).lines)
    return Shown(
        question, f"schedsolve solve {what}{flags}", result, checks, f"{stem.name}.svg", f"{stem.name}.html"
    )


def _network(spec: str) -> Network:
    """Return the network of an example; a file of instances/ comes with the package."""
    folder, _, name = spec.rpartition("/")
    return Network.from_spec(str(files("schedsolve.examples") / name) if folder else spec)


def _page(shown: list[Shown]) -> str:
    """Return the page; the pictures and the pages that play a schedule are files beside it."""
    sections = []
    for each in shown:
        text = in_html(problem_line(each.result.problem))
        commands = "\n".join(
            [f"$ {each.command} --output result.json", "$ schedsolve check result.json", *each.checks]
        )
        sections.append(
            f"<section><h2>{in_html(each.question)}</h2>\n<p>{text}</p>\n<p"
            f" class='verdict'>{in_html(verdict_line(each.result))}</p>\n"
            f'<p class="picture"><img alt="{text}, round by round"'
            f' src="{in_html(each.picture)}" loading="lazy"></p>\n'
            f'<p><a href="{in_html(each.page)}">Play it round by round</a></p>\n'
            f"<pre>{in_html(commands)}</pre></section>"
        )
    head = (
        '<meta charset="utf-8"><meta name="viewport"'
        ' content="width=device-width,initial-scale=1"><title>schedsolve</title>'
    )
    title = "<h1>Optimal communication schedules, one of each model</h1>"
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{STYLE}</style></head><body>{title}\n'
        + "\n".join(sections)
        + "\n</body></html>\n"
    )


if __name__ == "__main__":
    print(f"\nall pictures on one page: {run(Path(sys.argv[1] if len(sys.argv) > 1 else 'out/demo'))}")
