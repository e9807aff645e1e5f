"""Programs of strangers that are broken in some way: a verdict or one line, never a traceback."""

from __future__ import annotations

import copy
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedsolve import build_problem, check, solve, write_program
from schedsolve.runtime.errors import InputError
from tests.machines.msccl.algorithms import KEPT

NUMBERS = ("-1", "0", "1", "3", "65", "1000000000", str(2**63), "9" * 400, "1.5", "", "x", "i", "rcs", "٣")
VALUES: tuple[Any, ...] = (
    0,
    -1,
    1,
    3,
    65,
    2**63,
    10**400,
    True,
    None,
    "",
    "x",
    "o",
    1.5,
    float("inf"),
    [],
    {},
    [[]],
    [0, 0],
)


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a.xml and p.json, an allreduce on a ring of four for both executors."""
    folder = tmp_path_factory.mktemp("programs")
    result = solve(build_problem("pipelined", "allreduce", "cycle:4"))
    shutil.copy(KEPT / "allreduce-cycle-4.xml", folder / "a.xml")
    write_program(result, folder / "p.json", target="mscclpp")
    return folder


def judged(file: Path, text: str) -> str:
    """Return what the checker says of a text: "right", "wrong", or the line with which it refuses it."""
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    try:
        said = "wrong" if check(file).failed else "right"
    except InputError as error:
        said = str(error)
    assert "\n" not in said
    return said


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_texts_cut_and_doubled(programs: Path, data: st.DataObject) -> None:
    """Truncated, with a part missing or twice, with characters that do not belong there."""
    name = data.draw(st.sampled_from(["a.xml", "p.json"]))
    text = (programs / name).read_text(encoding="utf-8")
    i, j = sorted(data.draw(st.tuples(*[st.integers(0, len(text))] * 2)))
    middle = data.draw(st.sampled_from(["", text[i:j] * 2, "<", '"', "\x00", "9" * 5000, "[" * 5000]))
    rest = text[j:] if data.draw(st.booleans()) else ""
    judged(programs / f"broken-{name}", text[:i] + middle + rest)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_attributes_exchanged(programs: Path, data: st.DataObject) -> None:
    """Up to three attributes of an XML algorithm with other values."""
    text = (programs / "a.xml").read_text(encoding="utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        found = data.draw(st.sampled_from(list(re.finditer(r'\w+="([^"]*)"', text))))
        text = text[: found.start(1)] + data.draw(st.sampled_from(NUMBERS)) + text[found.end(1) :]
    judged(programs / "broken.xml", text)


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the ways to all values below the top of JSON data."""
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    found = [(*path, key) for key, _ in below]
    return found + [place for key in found for place in places(_at(data, key[len(path) :]), key)]


def _at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_values_exchanged(programs: Path, data: st.DataObject) -> None:
    """A value of a plan missing, twice, of another type, nested deeply, or that of another place."""
    plan = json.loads((programs / "p.json").read_text(encoding="utf-8"))
    everywhere = places(plan)
    *path, key = data.draw(st.sampled_from(everywhere))
    holder = _at(plan, tuple(path))
    match data.draw(st.sampled_from(["missing", "twice", "value", "other", "deep"])):
        case "missing":
            del holder[key]
        case "twice" if isinstance(holder, list):
            holder.append(holder[key])
        case "other":
            holder[key] = copy.deepcopy(_at(plan, data.draw(st.sampled_from(everywhere))))
        case "deep":
            holder[key] = json.loads("[" * 300 + "]" * 300)
        case _:
            holder[key] = data.draw(st.sampled_from(VALUES))
    judged(programs / "broken.json", json.dumps(plan))


def test_a_wait_for_one_channel_twice(programs: Path) -> None:
    """It takes two signals: where only one is raised, the plan never ends."""
    plan = json.loads((programs / "p.json").read_text(encoding="utf-8"))
    operations = plan["gpus"][1]["threadblocks"][2]["ops"]
    wait = next(one for one in operations if one["name"] == "wait")
    assert judged(programs / "twice.json", json.dumps(plan)) == "right"
    wait["channel_ids"] *= 2
    assert judged(programs / "twice.json", json.dumps(plan)) == "wrong"
    assert "deadlock" in check(programs / "twice.json").text


def test_errors_in_sums_are_named(programs: Path) -> None:
    """A step of the XML that copies where it is to add ends with a wrong result, by that reason."""
    text = (programs / "a.xml").read_text(encoding="utf-8")
    changed = text.replace('type="rrc"', 'type="r"', 1).replace('type="rrs"', 'type="rcs"', 1)
    assert changed != text
    (programs / "copies.xml").write_text(changed, encoding="utf-8")
    report = check(programs / "copies.xml")
    assert report.failed
    assert re.search(r"FAILED .*out of place", report.text)
