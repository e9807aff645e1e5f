"""Levels decided in parts, by several workers, with a store, and what `check` says of their files."""

from __future__ import annotations

import json
import sqlite3
import zlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from schedsolve import design
from schedsolve.certify.check import check_data
from schedsolve.experiments.designs import shared
from schedsolve.experiments.designs.check_design import _again
from schedsolve.experiments.designs.levels import Level, Question, decided, joined
from schedsolve.experiments.designs.shared import SharedLevels, level_name
from schedsolve.experiments.designs.wanted import wanted
from schedsolve.modelkit.result import Status
from schedsolve.network.classes.geng import geng_program
from schedsolve.network.classes.network_class import NetworkClass
from schedsolve.runtime.errors import InputError, WorkError
from schedsolve.runtime.executors.jobs import Done
from schedsolve.runtime.limits.budget import trusting
from schedsolve.solving.store import Store
from tests.command_line import Cli, json_of, refused


def asked(nodes: int, limit: int) -> Question:
    return wanted("telephone", "gossip", NetworkClass(nodes)).question(limit)


@pytest.mark.parametrize(("limit", "graphs", "suffice"), [(3, 31, False), (4, 107, True)])
def test_parts_make_up_the_level(limit: int, graphs: int, suffice: bool) -> None:
    """All graphs with seven nodes and nine links that a gossip of so many rounds may take."""
    question = asked(7, limit)
    whole = decided(question, 9)
    parts = [decided(question, 9, residue=residue, modulus=5) for residue in range(5)]
    together = joined(parts)
    assert (together.graphs, together.digest) == (whole.graphs, whole.digest)
    assert whole.graphs == graphs
    assert sorted(whole.found) == list(together.found)
    assert bool(whole.found) == suffice
    assert max(part.graphs for part in parts) < graphs


def test_workers_decide_what_one_does() -> None:
    """Two processes; with seven nodes and nine links there are 16 parts."""
    question, told = asked(7, 3), list[int]()
    with SharedLevels("telephone", workers=2) as levels:
        level = levels(question, 9, watch=told.append)
        whole = decided(question, 9)
        assert (level.graphs, level.digest, level.found) == (whole.graphs, whole.digest, whole.found)
        assert len(level.parts) == 16
        assert told
        first = levels(asked(7, 4), 9, first=True)
        assert first.found
        assert asked(7, 4).holds_for(first.found[0])


class Kept:
    """A store in memory that fails, as a full disk does, once it has so many parts."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.held: dict[tuple[str, int], str] = {}

    def parts(self, level: str) -> dict[int, Any]:
        return {residue: json.loads(data) for (name, residue), data in self.held.items() if name == level}

    def add_part(self, level: str, residue: int, data: Any) -> None:
        if len(self.held) == self.most:
            raise OSError("full")
        self.held[level, residue] = json.dumps(data)


class Here:
    """An executor that does jobs in this process and counts them."""

    def __init__(self) -> None:
        self.jobs: list[tuple[Any, Callable[..., Any], tuple[Any, ...]]] = []
        self.done = 0

    def submit(self, key: Any, function: Callable[..., Any], *arguments: Any) -> None:
        self.jobs.append((key, function, arguments))

    def completed(self, seconds: float) -> Any:
        while self.jobs:
            key, function, arguments = self.jobs.pop(0)
            self.done += 1
            yield Done(key, function(*arguments))

    def close(self) -> None:
        self.jobs.clear()


def test_a_search_that_was_cut_short_resumes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is stored is not decided again, whatever the workers; other levels are not mixed up."""
    workers: list[Here] = []

    def opened(*_: Any) -> Here:
        workers.append(Here())
        return workers[-1]

    monkeypatch.setattr(shared, "executor", opened)
    monkeypatch.setattr(SharedLevels, "_drawn", lambda *_: set())
    question, store = asked(7, 3), Kept(10)
    with pytest.raises(OSError, match="full"), SharedLevels("telephone", store=store) as levels:
        levels(question, 9)
    store.most = 1000
    with SharedLevels("telephone", workers=3, store=store) as levels:
        level = levels(question, 9)
        assert workers[-1].done == 6
        assert levels(question, 9) == level
        assert workers[-1].done == 6
        levels(asked(7, 2), 9)
        assert workers[-1].done == 22
    whole = decided(question, 9)
    assert (level.graphs, level.digest) == (whole.graphs, whole.digest)


def test_a_network_in_the_store_is_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the first one found is wanted; the workers stop at it, too."""
    workers = Here()
    monkeypatch.setattr(shared, "executor", lambda *_: workers)
    store = Kept(1000)
    with SharedLevels("telephone", store=store) as levels:
        found = levels(asked(7, 4), 9, first=True).found
        done = workers.done
        assert 0 < done < 16
        assert levels(asked(7, 4), 9, first=True).found == found
        assert workers.done == done


def altered_parts(store: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change every stored part."""
    with closing(sqlite3.connect(store)) as kept:
        for level, residue, packed in kept.execute("select * from parts").fetchall():
            data = json.loads(zlib.decompress(packed))
            change(data)
            row = (zlib.compress(json.dumps(data).encode()), level, residue)
            kept.execute("update parts set outcome = ? where level = ? and residue = ?", row)
        kept.commit()


def poisoned(data: dict[str, Any]) -> None:
    """Seven links do not suffice, in whatever part."""
    data.update(found=[] if data["edges"] == 7 else data["found"])


@pytest.mark.parametrize(
    "change",
    [
        poisoned,
        lambda data: data.update(found=[[2, 5, 10, 20, 40, 80, 32]]),
        lambda data: data.update(found=[[-1] * 7]),
        lambda data: data.update(found=[data["found"]]),
        lambda data: data.update(digest="0" * 64),
        lambda data: data.update(digest="none"),
        lambda data: data.update(graphs=data["graphs"] + 1),
        lambda data: data.update(graphs=True),
        lambda data: data.update(edges=data["edges"] + 1),
        lambda data: data.pop("limit"),
    ],
)
def test_an_altered_store_is_refused(change: Callable[[Any], object], cli: Cli, tmp_path: Path) -> None:
    """A small level is decided again; whatever the store says otherwise, it is named in one line."""
    store = tmp_path / "s.db"
    line = f"design telephone gossip --nodes 7 --store {store} -q"
    assert cli(line).out == cli(line).out == "optimal: 7 links, 4 rounds, proven\n"
    altered_parts(store, change)
    assert "the store says otherwise" in refused(cli(line))


def test_what_cannot_be_read_is_refused(cli: Cli, tmp_path: Path) -> None:
    """Neither bytes that are not packed nor a part beyond the last one ends in a traceback."""
    for number, column in enumerate(("outcome = 'x'", "outcome = x'00'", "residue = 99", "residue = 'x'")):
        store = tmp_path / f"{number}.db"
        line = f"design telephone gossip --nodes 6 --store {store} -q"
        cli(line)
        with closing(sqlite3.connect(store)) as kept:
            kept.execute(f"update parts set {column} where rowid = 1")
            kept.commit()
        assert "altered or damaged" in refused(cli(line))


def test_what_is_not_decided_again_is_said(cli: Cli, tmp_path: Path) -> None:
    """Parts too large to be decided again leave the verdict unproven, in words and in data."""
    store = tmp_path / "s.db"
    line = f"design telephone gossip --nodes 7 --store {store}"
    cli(line)
    altered_parts(store, poisoned)
    altered_parts(store, lambda data: data.update(graphs=10**9))
    assert cli(f"{line} -q").out == (
        "optimal: 8 links, 4 rounds; 2 of 6 parts of what was decided taken from the store, not recomputed\n"
    )
    assert json_of(cli(f"{line} --json"))["taken_from_store"] == {"parts": 2, "of": 6}


def test_a_share_of_a_large_level_is_decided_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """One in sixteen of its networks, and others in every run."""
    large = {residue: Level(4, 30, 2, 10**6, "") for residue in range(64)}
    drawn = [SharedLevels("telephone")._drawn(large) for _ in range(20)]
    assert {len(one) for one in drawn} == {4}
    assert len(set(map(frozenset, drawn))) > 1


def test_a_part_that_fails_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """It never counts as excluded."""

    class Failing(Here):
        def completed(self, seconds: float) -> Any:
            yield Done(0, error="MemoryError")

    monkeypatch.setattr(shared, "executor", lambda *_: Failing())
    with pytest.raises(WorkError, match="MemoryError"), SharedLevels("telephone") as levels:
        levels(asked(7, 3), 9)


@pytest.fixture(name="saved", scope="module")
def saved_fixture() -> str:
    """B(9) = 10, in four parts a level."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shared, "executor", lambda *_: Here())
        patch.setattr(shared, "part_count", lambda *_: 4)
        found = design("telephone", "broadcast", 9, workers=2)
    assert (found.status, found.sides.edges) == (Status.OPTIMAL, 10)
    return json.dumps(found.to_json())


def test_the_file_has_the_parts(saved: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A check decides them all again; with too many networks for it, some, and then it verifies no bound."""
    data = json.loads(saved)
    assert [len(level["parts"]) for level in data["evidence"]["levels"]] == [4, 4]
    assert check_data(data).complete
    most = 47 + max(graphs for graphs, _ in data["evidence"]["levels"][1]["parts"])
    monkeypatch.setattr("schedsolve.experiments.designs.check_design.MOST_NETWORKS", most)
    report = check_data(data)
    assert not report.failed
    assert not report.complete
    assert any("of 4 parts agree" in line for line in report.lines)


@pytest.mark.parametrize("most", [30_000, 110])
@pytest.mark.parametrize(
    "change",
    [
        lambda parts: parts[0].__setitem__(0, parts[0][0] + 1),
        lambda parts: parts[0].__setitem__(1, "00"),
        lambda parts: parts.reverse(),
        lambda parts: parts.pop(),
    ],
)
def test_altered_parts_fail(
    saved: str, change: Callable[[Any], object], most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether all parts are decided again or the first ones only."""
    monkeypatch.setattr("schedsolve.experiments.designs.check_design.MOST_NETWORKS", most)
    data = json.loads(saved)
    change(data["evidence"]["levels"][1]["parts"])
    assert check_data(data).failed


def test_a_forged_part_with_a_network_that_suffices_is_seen() -> None:
    """Its number and digest are right, and yet the level is not without a network."""
    question = asked(7, 4)
    level = joined([decided(question, 9, residue=residue, modulus=5) for residue in range(5)])
    saved = Level(3, 9, level.least_degree, level.graphs, level.digest, parts=level.parts)
    assert _again(question, saved).found == level.found != ()


@pytest.mark.parametrize("parts", [3, [1], [[1]], [[-1, "00"]], [["1", "00"]], [[1, 0]]])
def test_what_is_no_list_of_parts_is_refused(saved: str, parts: Any, cli: Cli, tmp_path: Path) -> None:
    """In one line."""
    data = json.loads(saved)
    data["evidence"]["levels"][1]["parts"] = parts
    file = tmp_path / "design.json"
    file.write_text(json.dumps(data))
    assert "part" in refused(cli(f"check {file}"))


def test_the_command_with_workers_and_a_store(cli: Cli, tmp_path: Path) -> None:
    """The second run takes everything from the store, which other verbs read as a store, too."""
    store = tmp_path / "parts.db"
    line = f"design telephone gossip --nodes 6 --all --store {store}"
    first, second = json_of(cli(f"{line} --workers 2 --json")), json_of(cli(f"{line} --json"))
    assert first["networks"] == second["networks"]
    assert first["evidence"]["levels"] == second["evidence"]["levels"]
    with Store(str(store)) as opened:
        assert opened.rows(["n"]) == []
    assert "--workers" in refused(cli(f"{line} --workers 0"))


def test_regular_networks_are_one_part() -> None:
    """Their generation is not divided: each part would generate them all."""
    regular = wanted("synchronous", "allgather", NetworkClass(8, regular=3), steps=2).question(2)
    assert shared.part_count(regular, 12) == 1 < shared.part_count(asked(7, 3), 9)


@pytest.mark.skipif(geng_program() is None, reason="nauty is not installed")
def test_levels_of_geng() -> None:
    """The same networks in other parts; `check` generates them by code of its own."""
    question = asked(10, 4)
    own, other = decided(question, 11), decided(question, 11, geng=True)
    assert (own.graphs, own.digest, own.found) == (other.graphs, other.digest, other.found)
    assert other.to_json() == {**own.to_json(), "geng": True}
    found = design("telephone", "gossip", 10, workers=2)
    data = json.loads(json.dumps(found.to_json()))
    last = data["evidence"]["levels"][-1]
    assert last["geng"]
    assert len(last["parts"]) == 16
    report = check_data(data)
    assert report.complete
    assert any("as geng generated them" in line for line in report.lines)
    assert level_name("telephone", question, 11, False, geng=True) != level_name(
        "telephone", question, 11, False
    )
    last["geng"] = 1
    with pytest.raises(InputError, match="true or false"):
        check_data(data)


@pytest.mark.skipif(geng_program() is None, reason="nauty is not installed")
def test_many_networks_are_generated_by_geng_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """And in its parts, as far as the budget goes, if they are not trusted."""
    data = json.loads(json.dumps(design("telephone", "gossip", 10, workers=2).to_json()))
    monkeypatch.setattr("schedsolve.experiments.designs.check_design.MOST_NETWORKS", 100)
    with trusting():
        report = check_data(data)
    assert report.complete
    assert any("generated by geng" in line for line in report.lines)
    assert any("parts agree" in line for line in check_data(data).lines)
    data["evidence"]["levels"][-1]["parts"][3][1] = "0" * 64
    with trusting():
        assert check_data(data).failed
