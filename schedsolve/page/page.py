"""A schedule as one HTML page that plays it: no network access, nothing beside the file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Template
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import any_schedule_of, read_file, read_result
from schedsolve.draw.broken_story import story_up_to_break
from schedsolve.draw.layouts import layout_of
from schedsolve.errors import InputError
from schedsolve.escapes import in_html, json_in_html
from schedsolve.modelkit.story import Story
from schedsolve.models import model_of, read_problem, replay
from schedsolve.page.inline import policy, text_of
from schedsolve.report.text import problem_line, result_lines, verdict_line
from schedsolve.result import RESULT_FORMAT, Bound, Objective, Result, Value, result_to_json, value_to_json
from schedsolve.schedule import AnySchedule
from schedsolve.whole_file import write_whole

MOST_NODES = 2000
MOST_ARRIVALS = 2_000_000
"""Nodes times items up to which a page holds who knows what when."""
MOST_EDGES = 20_000
"""Edges up to which the network is drawn beneath the calls."""
FRAME_PIXELS = 760
"""The height of a page's frame in a notebook."""
SCRIPTS = ("page_story.js", "page_network.js", "page_charts.js", "page.js")
"""The page's script, in the order in which its parts need each other."""


def write_page(path: str, out: str) -> None:
    """Check a saved result or a schedule file, and write a page that plays its schedule.

    Raises InputError when the file cannot be read, holds no schedule to play, is too large, or when the page
    cannot be written.
    """
    try:
        page = page_of(read_file(path))
    except InputError as error:
        raise InputError(f"{path}: {error}") from None
    write_whole(page.encode("utf-8"), out)


def page_of(data: Mapping[str, Any]) -> str:
    """The page of a result or schedule, given as the JSON data of its file; an illegal schedule is played up
    to the call that breaks a rule.

    Raises InputError when there is no schedule to play, or one too large.
    """
    problem, schedule = any_schedule_of(data)
    n = problem.network.node_count
    if n > MOST_NODES:
        raise InputError(f"a page plays schedules of up to {MOST_NODES} nodes, not {n}")
    seen = replay(problem, schedule)
    if seen.violation and not seen.legal:
        story = story_up_to_break(problem, schedule, seen.violation)
    else:
        story = model_of(problem).story(problem, schedule)
    if n * len(story.items) > MOST_ARRIVALS:
        raise InputError(
            f"a page keeps up to {MOST_ARRIVALS} pairs of node and item, not {n} x {len(story.items)}"
        )
    return page_text(story, schedule, check_data(data), data)


def result_in_frame(result: Result) -> str:
    """The page of a result in a frame, for notebooks; the lines of the command line, where it has no schedule
    or one too large to play.
    """
    try:
        page = page_of(json.loads(json.dumps(result_to_json(result))))
    except InputError:
        return f"<pre>{in_html(chr(10).join(result_lines(result)))}</pre>"
    style = f"width: 100%; height: {FRAME_PIXELS}px; border: 0"
    return f'<iframe srcdoc="{in_html(page)}" sandbox="allow-scripts" style="{style}"></iframe>'


def page_text(story: Story, schedule: AnySchedule, report: CheckReport, claims: Mapping[str, Any]) -> str:
    """The page of a story, with its schedule, what a check of its file found and what the file claims (its
    JSON data).
    """
    model, problem = model_of(story.problem), read_problem(claims["problem"])
    value = None if story.broken else model.replay(story.problem, schedule).value
    claimed = read_result(claims) if claims["format"] == RESULT_FORMAT else None
    script = "\n".join(text_of(name) for name in SCRIPTS)
    style = text_of("colours.css") + text_of("page.css")
    title = problem_line(problem)
    tone, badge = _tone(report)
    return Template(text_of("page.html")).substitute(
        policy=policy(script, style),
        title=in_html(title),
        style=style,
        tone=tone,
        badge=badge,
        verdict=in_html(
            f"it breaks a rule: {story.broken}"
            if value is None
            else _verdict(value, report, claimed, model.objective)
        ),
        bounds=_bounds_html(claimed),
        certificate="".join(_check_line_html(line) for line in report.lines),
        remarks="".join(f"<p>{in_html(remark)}</p>" for remark in _remarks(story, claims)),
        data=json_in_html(story_data(story)),
        script=script,
    )


def story_data(story: Story) -> dict[str, Any]:
    """A story as the JSON data that the page's script plays.

    arrivals: for every node and item the number of the frame after which the node holds it, 0 at the start,
    -1 for never. must: for every node 1 when it must hold all items, 0 when none, else their list. strokes:
    their nodes, 1 for two-way, their text, and the number of their colour where it means something.
    broken: why the last stroke of the last frame breaks a rule, empty when it does not.
    """
    network, layout = story.problem.network, layout_of(story.problem.network)
    everything = (1 << len(story.items)) - 1
    return {
        "labels": [str(label) for label in network.labels],
        "points": [[round(x, 3), round(y, 3)] for x, y in layout.points],
        "order": list(layout.order),
        "directed": network.directed,
        "edges": [list(edge) for edge in network.edges] if len(network.edges) <= MOST_EDGES else [],
        "items": list(story.items),
        "columns": list(layout.order)
        if story.of_nodes and not story.relays
        else list(range(len(story.items))),
        "packets": story.parts,
        "noun": story.noun,
        "clocked": story.clocked,
        "period": story.period or 0,
        "broken": story.broken or "",
        "arrivals": [[-1 if when is None else when for when in row] for row in story.arrivals()],
        "must": [1 if goal == everything else _bits(goal) if goal else 0 for goal in story.goal],
        "relays": sorted(story.relays),
        "colours": list(story.colours),
        "frames": [
            {
                "title": frame.title,
                "strokes": [
                    [
                        list(stroke.nodes),
                        int(stroke.two_way),
                        stroke.text,
                        *([] if stroke.colour is None else [stroke.colour]),
                    ]
                    for stroke in frame.strokes
                ],
                "loads": [[load.name, load.load, load.capacity] for load in frame.loads],
                "largest": frame.largest,
                "number": frame.number,
            }
            for frame in story.frames
        ],
    }


def _bits(mask: int) -> list[int]:
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


def _tone(report: CheckReport) -> tuple[str, str]:
    """How the check ended: as a style, and in words."""
    if report.failed:
        return "failed", "check FAILED"
    if report.unverified:
        return "unsure", "checked in part"
    return "ok", "checked"


def _verdict(value: Value, report: CheckReport, claimed: Result | None, objective: Objective) -> str:
    """What the file says of its schedule, in one line. value: of the schedule, replayed. claimed: the result
    in the file; None when it makes no claims.
    """
    if claimed is None:
        worth = objective.quantity(value)
        return f"a schedule of {worth}" + (
            ", incomplete" if report.failed else "; nothing is claimed of its optimality"
        )
    return f"the file claims: {verdict_line(claimed)}" if report.failed else verdict_line(claimed)


def _bounds_html(claimed: Result | None) -> str:
    """A table of the best bound of either side, and one of all others to unfold; on each side the best
    first.
    """
    listed = claimed.bounds if claimed is not None else ()
    bounds = sorted(listed, key=lambda b: (b.side, -b.value if b.side == "lower" else b.value))
    best = {side: next((b for b in bounds if b.side == side), None) for side in ("lower", "upper")}
    first = [bound for bound in best.values() if bound is not None]
    others = [bound for bound in bounds if all(bound is not b for b in first)]
    if not first:
        return "<p>The file lists no bounds.</p>"
    more = (
        f"<details><summary>{len(others)} more bounds</summary>{_table_html(others)}</details>"
        if others
        else ""
    )
    return _table_html(first) + more


def _table_html(bounds: list[Bound]) -> str:
    rows = "".join(
        f'<tr><th scope="row">{b.side}</th><td'
        f' class="number">{in_html(str(value_to_json(b.value)))}</td><td>{in_html(b.reason)}</td></tr>'
        for b in bounds
    )
    head = '<tr><th scope="col">side</th><th scope="col">value</th><th scope="col">reason</th></tr>'
    return f'<table class="bounds"><thead>{head}</thead><tbody>{rows}</tbody></table>'


def _check_line_html(line: str) -> str:
    """A line of the check with its outcome set apart."""
    outcome, text = line[:8].strip(), line[8:].strip()
    tone = {"ok": "ok", "not sure": "unsure", "note": "note"}.get(outcome, "failed")
    return f'<li><span class="mark {tone}">{in_html(outcome)}</span> <span>{in_html(text)}</span></li>'


def _remarks(story: Story, claims: Mapping[str, Any]) -> list[str]:
    """What is said beside the picture: that a network is directed, which node a schedule is for, and what is
    not drawn.
    """
    remarks = (
        ["The network is directed: a call goes along an edge in its direction only."]
        if story.problem.network.directed
        else []
    )
    problem = read_problem(claims["problem"])
    if problem.choice and not story.problem.choice:
        remarks.append(
            f"The schedule is for {problem.node_parameter}"
            f" {story.problem.parameters[problem.node_parameter]}."
        )
    if len(story.problem.network.edges) > MOST_EDGES:
        remarks.append(f"The {len(story.problem.network.edges)} edges of the network are not drawn.")
    return remarks
