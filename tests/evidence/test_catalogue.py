"""The catalogue holds every kind of evidence of every model, and `check` verifies all of each file."""

from __future__ import annotations

import pytest

from schedsolve.certify.check import check_data
from schedsolve.modelkit.record import Model
from schedsolve.models import model_of, models, read_problem
from schedsolve.runtime.errors import ClaimError
from tests.evidence.catalogue import FOLDER, Entry, entries
from tests.evidence.recipes import NEVER

ENTRIES = list(entries())
MOST_BYTES = 1_000_000


def kinds_of(record: Model) -> set[str]:
    """The kinds of evidence that a record knows."""
    refutes = Model.__dataclass_fields__["refutation"].default != record.refutation
    return {*record.claims, *record.existence, *(["refutation"] if refutes else [])}


@pytest.mark.parametrize("title", models())
def test_every_kind_is_there(title: str) -> None:
    """Each kind that a record lists has its result, or a reason why no problem of its can have one."""
    held = {entry.kind for entry in ENTRIES if entry.title == title}
    never = {kind for model, kind in NEVER if model == title}
    assert held | never == kinds_of(models()[title])
    assert not held & never


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.title}, {entry.name}")
def test_every_result_is_verified(entry: Entry) -> None:
    """All of it, and the evidence is of the kind that it is named by. Make it again, where a format has
    changed, by `python -m tests.evidence`.
    """
    data = entry.data
    report = check_data(data)
    assert report.complete, report.text
    assert entry.bound["evidence"]["kind"] == entry.kind
    assert model_of(read_problem(data["problem"])).title == entry.title


def test_what_no_problem_has_is_refused() -> None:
    """A kind without a result proves nothing of any problem in the catalogue."""
    for title, kind in NEVER:
        for entry in ENTRIES:
            if entry.title == title:
                with pytest.raises(ClaimError):
                    models()[title].claims[kind](read_problem(entry.data["problem"]), {"kind": kind})


def test_the_files_are_those_of_the_entries() -> None:
    """No file is left over, and all of them are small."""
    files = set(FOLDER.glob("*/*.json"))
    assert files == {entry.path for entry in ENTRIES}
    assert sum(file.stat().st_size for file in files) < MOST_BYTES
