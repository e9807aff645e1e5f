"""No field of evidence stays unread: one more, in any object of any result of the catalogue, is refused."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.modelkit.evidence import EvidenceKind, Holds, Kinds, fields, refuse_other_fields
from schedsolve.modelkit.problem import problem_id
from schedsolve.modelkit.record import Model
from schedsolve.models import build_problem, models, read_problem
from schedsolve.runtime.errors import ClaimError
from tests.evidence.catalogue import Entry, entries
from tests.forgeries.alterations import at, paths
from tests.forgeries.verdicts import accepted

ENTRIES = list(entries())
PROBLEM = build_problem("telephone", "gossip", "path:3")
DECLARED = fields(
    "numbers",
    rows=Holds.ROWS,
    inner=Holds.EVIDENCE,
    parts=fields("name"),
)


def objects(data: Any) -> Iterator[dict[str, Any]]:
    """The object, and all those within it."""
    yield data
    yield from (found for path in paths(data) if isinstance(found := at(data, path), dict))


def is_numbered(one: dict[str, Any]) -> bool:
    """Whether the keys are numbers of rows, all of which are read."""
    return bool(one) and all(key.isdecimal() for key in one)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.title}, {entry.name}")
def test_one_more_field_is_refused(entry: Entry) -> None:
    """In the evidence and in each object in it, under a name that nobody knows and under the names that other
    kinds read; the line says which.
    """
    count = len(list(objects(entry.bound["evidence"])))
    side = "upper" if "upper" in entry.data["certificate"] else "lower"
    for number in range(count):
        for name in ("unheard", "cut", "proofs"):
            data = entry.data
            place = list(objects(data["certificate"][side][-1]["evidence"]))[number]
            if name in place:
                continue
            place[name] = 1
            assert not accepted(data), (name, number)
            if not is_numbered(list(objects(entry.bound["evidence"]))[number]):
                report = check_data(data)
                assert any(f"unexpected field '{name}'" in line for line in report.lines), report.text


@pytest.mark.parametrize("title", models())
def test_every_kind_declares_its_fields(title: str) -> None:
    """Those of bounds and of existence, and refutations; and nothing else is declared, but by the variant of
    a record what it reads within.
    """
    record = models()[title]
    refutes = Model.__dataclass_fields__["refutation"].default != record.refutation
    known = {*record.claims, *record.existence, *(["refutation"] if refutes else [])}
    assert known <= set(record.evidence)
    own = {kind.partition(",")[0] for kind in record.evidence}
    within = {kind for other in models().values() if other.name == record.name for kind in other.claims}
    assert own - known <= within | {"refutation"}


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.title}, {entry.name}")
def test_what_is_declared_is_read(entry: Entry) -> None:
    """A field that is there is one whose loss, or whose nonsense, is noticed."""
    side = "upper" if "upper" in entry.data["certificate"] else "lower"
    for name in entry.bound["evidence"]:
        data = entry.data
        data["certificate"][side][-1]["evidence"][name] = {"nonsense": 1}
        assert not accepted(data), name


def test_fields_of_objects_within() -> None:
    """Values hold no objects, rows may have any keys, evidence is of its own kind, also in lists of lists."""
    declared: Kinds = {
        "one": EvidenceKind(DECLARED),
        "two": EvidenceKind(lambda problem, _: fields() if problem.task == "gossip" else fields("numbers")),
        "refutation": EvidenceKind(fields()),
        "refutation, odd": EvidenceKind(fields("more")),
    }
    for good in (
        {},
        {"numbers": [1, [2, "x"], None], "rows": {"1": "2", "y": 0}},
        {"inner": {"kind": "two"}},
        {
            "inner": [
                {"kind": "one", "inner": None},
                {"kind": "refutation", "rounds": 1, "proof": "", "sha256": ""},
            ]
        },
        {"inner": {"kind": "refutation", "premise": "odd", "more": 1, "lemmas": [], "cubes": [{"cube": []}]}},
        {"parts": [[{"name": 1}], []]},
    ):
        refuse_other_fields(PROBLEM, {"kind": "one", **good}, declared)
    for bad, words in (
        ({"other": 1}, "'other'"),
        ({"numbers": {"x": 1}}, "'x'"),
        ({"numbers": [[{"x": 1}]]}, "'x'"),
        ({"inner": {"kind": "two", "numbers": 1}}, "'numbers'"),
        ({"inner": [{"kind": "three"}]}, "'three'"),
        ({"inner": {"numbers": 1}}, "of the kind None"),
        ({"inner": {"kind": "refutation", "lemmas": []}}, "'lemmas'"),
        ({"inner": {"kind": "refutation", "proof": "", "cubes": []}}, "'proof'"),
        ({"inner": {"kind": "refutation", "more": 1}}, "'more'"),
        ({"inner": {"kind": "refutation", "premise": "even"}}, "premise that there is not"),
        ({"inner": {"kind": "refutation", "premise": None}}, "'premise'"),
        ({"parts": [[{"name": 1, "kind": "two"}]]}, "'kind'"),
        ({"parts": {"name": {"y": 1}}}, "'y'"),
    ):
        with pytest.raises(ClaimError, match=words):
            refuse_other_fields(PROBLEM, {"kind": "one", **bad}, declared)


CONDITIONAL: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("telephone", "covering", {"source": 0}),
    ("pipelined", "flows", {"adding": "1", "copying": "1"}),
    ("pipelined", "flows, allreduce", {"time": "1"}),
    ("synchronous", "refutation", {"any_rounds": True}),
    ("synchronous", "refutation, any rounds", {"prices": []}),
    ("synchronous", "refutation, any rounds", {"any_rounds": False}),
    ("telegraph --period", "refutation, horizon", {"premise": "origins and destinations"}),
)
"""What is read of other problems, or with other fields, only."""


@pytest.mark.parametrize(("title", "name", "more"), CONDITIONAL)
def test_what_is_not_read_here_is_refused(title: str, name: str, more: dict[str, Any]) -> None:
    """Fields that the kind declares."""
    data = Entry(title, name).data
    bound = data["certificate"]["upper" if "upper" in data["certificate"] else "lower"][-1]
    assert bound["evidence"]["kind"] == name.partition(",")[0]
    bound["evidence"].update(more)
    data["certificate"]["problem_id"] = problem_id(read_problem(data["problem"]))
    assert check_data(data).failed
