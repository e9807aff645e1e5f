"""A schedule as one standalone HTML page that plays it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from string import Template
from typing import Any

from schedsolve.certify.check import check_data
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import any_schedule_of, read_file
from schedsolve.certify.saved_result import SavedResult, read_saved
from schedsolve.certify.text.text import problem_line, result_lines, verdict_line
from schedsolve.drawing.page.inline import policy, text_of
from schedsolve.drawing.pictures.broken_trace import trace_up_to_break
from schedsolve.drawing.pictures.layouts import layout_of
from schedsolve.drawing.traces.of_problem import trace_of
from schedsolve.drawing.traces.trace import Trace, Transfer
from schedsolve.modelkit.result import Bound, Objective, Result, Value, result_to_json, value_to_json
from schedsolve.modelkit.schedule import AnySchedule
from schedsolve.modelkit.task import items_in
from schedsolve.models import model_of, read_problem, replay
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_html, json_in_html
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.runtime.limits.budget import naming

MOST_NODES = 2000
MOST_ARRIVALS = 2_000_000
"""The product of nodes and items up to which a page records when each node learns each item."""
MOST_EDGES = 20_000
"""The number of edges up to which the network is drawn beneath the calls."""
FRAME_PIXELS = 760
"""The height of a page's frame in a notebook."""
SCRIPTS = ("page_trace.js", "page_network.js", "page_charts.js", "page.js")
"""The files of the page's script, each after those that it needs."""


def write_page(path: str, out: str, data: Any = None) -> None:
    """Check a saved result or a schedule file, and write a page that plays its schedule.

    Parameters
    ----------
    path
        The file.
    out
        The page.
    data
        The JSON data of the file, if they have been read.

    Raises
    ------
    InputError
        If the file cannot be read, holds no schedule to play or is too large, or if the page cannot be
        written.
    """
    with naming(path):
        page = page_of(read_file(path) if data is None else data)
    write_whole(page.encode("utf-8"), out)


def page_of(data: Mapping[str, Any]) -> str:
    """Return the page of a result or schedule, given as the JSON data of its file.

    An illegal schedule is played up to the call that breaks a rule.

    Raises
    ------
    InputError
        If there is no schedule to play, or if it is too large.
    """
    problem, schedule = any_schedule_of(data)
    n = problem.network.node_count
    if n > MOST_NODES:
        raise InputError(f"a page plays schedules of up to {MOST_NODES} nodes, not {n}")
    seen = replay(problem, schedule)
    if seen.violation and not seen.legal:
        trace = trace_up_to_break(problem, schedule, seen.violation)
    else:
        trace = trace_of(problem, schedule)
    if n * len(trace.items) > MOST_ARRIVALS:
        raise InputError(
            f"a page keeps up to {MOST_ARRIVALS} pairs of node and item, not {n} x {len(trace.items)}"
        )
    return page_text(trace, schedule, check_data(data), data)


def result_in_frame(result: Result) -> str:
    """Return the page of a result in a frame, for notebooks.

    Without a schedule, or with one too large to play, it is the output of the command line.
    """
    try:
        page = page_of(json.loads(json.dumps(result_to_json(result))))
    except InputError:
        return f"<pre>{in_html(chr(10).join(result_lines(result)))}</pre>"
    style = f"width: 100%; height: {FRAME_PIXELS}px; border: 0"
    frame = f'class="player" sandbox="allow-scripts" style="{style}"'
    return f'<iframe srcdoc="{in_html(page)}" {frame}></iframe>'


def page_text(trace: Trace, schedule: AnySchedule, report: CheckReport, claims: Mapping[str, Any]) -> str:
    """Return the page of a trace.

    Parameters
    ----------
    trace
        The trace.
    schedule
        Its schedule.
    report
        What a check of the file found.
    claims
        The JSON data of the file.
    """
    model, problem = model_of(trace.problem), read_problem(claims["problem"])
    value = None if trace.broken else model.replay(trace.problem, schedule).value
    saved = read_saved(claims)
    claimed = saved.claimed if isinstance(saved, SavedResult) else None
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
            f"it breaks a rule: {trace.broken}"
            if value is None
            else _verdict(value, report, claimed, model.objective)
        ),
        bounds=_bounds_html(claimed),
        certificate="".join(_check_line_html(line) for line in report.lines),
        remarks="".join(f"<p>{in_html(remark)}</p>" for remark in _remarks(trace, claims)),
        data=json_in_html(trace_data(trace)),
        script=script,
    )


def trace_data(trace: Trace) -> dict[str, Any]:
    """Return a trace as the JSON data that the page's script plays.

    "arrivals" has for every node and item the number of the step after which the node holds it, 0 at the
    start, -1 for never. "must" has for every node 1 if it must hold all items, 0 if none, else their list.
    "transfers" have their nodes, 1 for two-way, their text, and the number of their color if it has a
    meaning. "broken" is why the last transfer of the last step breaks a rule, or empty.
    """
    network, layout = trace.problem.network, layout_of(trace.problem.network)
    everything = (1 << len(trace.items)) - 1
    made: dict[Transfer, list[Any]] = {}
    return {
        "labels": [str(label) for label in network.labels],
        "points": [[round(x, 3), round(y, 3)] for x, y in layout.points],
        "order": list(layout.order),
        "directed": network.directed,
        "edges": [list(edge) for edge in network.edges] if len(network.edges) <= MOST_EDGES else [],
        "items": list(trace.items),
        "columns": list(layout.order)
        if trace.of_nodes and not trace.relays
        else list(range(len(trace.items))),
        "packets": trace.parts,
        "noun": trace.noun,
        "clocked": trace.clocked,
        "period": trace.period or 0,
        "broken": trace.broken or "",
        "arrivals": [[-1 if when is None else when for when in row] for row in trace.arrivals()],
        "must": [1 if goal == everything else list(items_in(goal)) if goal else 0 for goal in trace.goal],
        "relays": sorted(trace.relays),
        "colours": list(trace.colours),
        "steps": [
            {
                "title": step.title,
                "transfers": [_transfer_data(transfer, made) for transfer in step.transfers],
                "loads": [[load.name, load.load, load.capacity] for load in step.loads],
                "largest": step.largest,
                "number": step.number,
            }
            for step in trace.steps
        ],
    }


def _transfer_data(transfer: Transfer, made: dict[Transfer, list[Any]]) -> list[Any]:
    """Return a transfer as JSON data; one list serves all steps, as many are repeated."""
    data = made.get(transfer)
    if data is None:
        colour = [] if transfer.colour is None else [transfer.colour]
        data = [list(transfer.nodes), int(transfer.two_way), transfer.text, *colour]
        made[transfer] = data
    return data


def _tone(report: CheckReport) -> tuple[str, str]:
    """Return how the check ended, as a style and in words."""
    if report.failed:
        return "failed", "check FAILED"
    if report.unverified:
        return "unsure", "checked in part"
    return "ok", "checked"


def _verdict(value: Value, report: CheckReport, claimed: Result | None, objective: Objective) -> str:
    """Return what the file claims of its schedule, in one line.

    Parameters
    ----------
    value
        The value of the schedule, replayed.
    report
        What a check of the file found.
    claimed
        The result in the file; None if it makes no claims.
    objective
        What the value counts.
    """
    if claimed is None:
        worth = objective.quantity(value)
        return f"a schedule of {worth}" + (
            ", incomplete" if report.failed else "; nothing is claimed of its optimality"
        )
    return f"the file claims: {verdict_line(claimed)}" if report.failed else verdict_line(claimed)


def _bounds_html(claimed: Result | None) -> str:
    """Return a table of the best bound of either side, and an expandable table of the others."""
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
    """Return a line of the check with its outcome marked."""
    outcome, text = line[:8].strip(), line[8:].strip()
    tone = {"ok": "ok", "not sure": "unsure", "note": "note"}.get(outcome, "failed")
    return f'<li><span class="mark {tone}">{in_html(outcome)}</span> <span>{in_html(text)}</span></li>'


def _remarks(trace: Trace, claims: Mapping[str, Any]) -> list[str]:
    """Return the notes next to the picture.

    They say that a network is directed, which node a schedule is for, and what is not drawn.
    """
    remarks = (
        ["The network is directed: a call goes along an edge in its direction only."]
        if trace.problem.network.directed
        else []
    )
    problem = read_problem(claims["problem"])
    if problem.choice and not trace.problem.choice:
        remarks.append(
            f"The schedule is for {problem.node_parameter}"
            f" {trace.problem.parameters[problem.node_parameter]}."
        )
    if len(trace.problem.network.edges) > MOST_EDGES:
        remarks.append(f"The {len(trace.problem.network.edges)} edges of the network are not drawn.")
    return remarks
