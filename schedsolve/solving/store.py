"""A store of results: one SQLite file with one writer at a time and any number of readers.

Every result is committed when it arrives, so no result is lost however a process ends. An operating
system lock on a file next to the store excludes a second writer; the lock ends with its process.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, fields
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Self, TextIO

from schedsolve.modelkit.formulas.cubes import Cube, CubeOutcome, outcome_from_json, outcome_to_json
from schedsolve.modelkit.problem import Problem, problem_id, problem_preimage
from schedsolve.modelkit.search import REFUTATION, Certify
from schedsolve.models import read_problem
from schedsolve.network.assumptions import KEY
from schedsolve.network.classes.invariants import INVARIANTS, invariants
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError, cut
from schedsolve.runtime.files.escapes import encodable
from schedsolve.solving.store_file import APPLICATION_ID, DAMAGED, locked, reading, unpacked

STORE_VERSION = 2
PATIENCE_SECONDS = 30.0
"""How long to wait for a short-lived reader or writer."""

_SCHEMA = f"""
create table networks (
  id integer primary key, digest text not null unique, network text not null, {", ".join(INVARIANTS)}
);
create table results (
  id integer primary key, problem_id text not null, backend text not null, seed integer not null,
  certify integer not null, time_limit real, network_id integer not null references networks,
  model text not null, task text not null, parameters text not null, objective text not null,
  status text not null, value, lower_bound, node, period integer, certified integer not null,
  seconds real not null, unique (problem_id, backend, seed, certify)
);
create table documents (result_id integer primary key references results, document blob not null);
create table algorithms (
  problem_id text not null, seed integer not null, found text not null, primary key (problem_id, seed)
);
"""

_CUBES = """
create table if not exists cubes (
  formula text not null, cube text not null, fate blob not null, primary key (formula, cube)
);
create table if not exists parts (
  level text not null, residue integer not null, outcome blob not null, primary key (level, residue)
);
"""
"""The finished cubes of hard refutations, and parts of designs' levels; older stores lack these tables."""

_SETTLED = "status not in ('bounded', 'unknown')"
_ANSWERS = f"""backend = ? and seed = ? and certify >= ?
and ({_SETTLED} or time_limit is null or time_limit >= ?)"""
"""Whether a row answers a question, whose `_key` supplies the values."""


@dataclass(frozen=True)
class ResultKey:
    """The options on which a result depends, as in `Options`; `time_limit` is in seconds, or None."""

    time_limit: float | None = None
    backend: str | None = None
    seed: int = 0
    certify: Certify = True

    @property
    def certify_level(self) -> int:
        """What a certificate is to have: nothing (0), any evidence (1) or a refutation (2)."""
        return 2 if self.certify == REFUTATION else int(self.certify)


@dataclass(frozen=True)
class Record:
    """What is stored of a result: the columns of its row, and the result itself as compressed JSON.

    `value` and `lower_bound` are as in the JSON of results; `period` is that of the schedule, if it has one;
    `certified` says whether the result holds the proof of its lower bound, and `network_assumptions` counts
    what was assumed of the network; None if nothing was.
    """

    status: str
    objective: str
    value: int | str | None
    lower_bound: int | str | None
    node: int | str | None
    period: int | None
    certified: bool
    seconds: float
    network_assumptions: int | None
    document: bytes

    @property
    def settled(self) -> bool:
        """Whether more time would change nothing."""
        return self.status not in ("bounded", "unknown")

    def data(self) -> dict[str, Any]:
        """Return the result's JSON object."""
        found: dict[str, Any] = json.loads(zlib.decompress(self.document))
        return found


def record_of(data: Mapping[str, Any]) -> Record:
    """Return the record of a result given as its JSON object."""
    return Record(
        status=data["status"],
        objective=data["objective"],
        value=data["value"],
        lower_bound=data["lower_bound"],
        node=data.get("node"),
        period=(data.get("schedule") or {}).get("period"),
        certified=data["certificate"] is not None,
        seconds=data["runtime_seconds"],
        network_assumptions=len(data.get(KEY, ())) or None,
        document=zlib.compress(json.dumps(data).encode()),
    )


def parameters_text(problem: Problem) -> str:
    """Return the parameters in one line: "source=0 period=4"."""
    return " ".join(
        f"{name}={','.join(map(str, value)) if isinstance(value, list) else value}"
        for name, value in problem.parameters.items()
    )


class Store:
    """A store in a file, opened for reading, or with `write` for adding results.

    With `write` the file is created if it does not exist. Every method raises InputError if the file cannot
    be read or written, as on a full disk.

    Raises
    ------
    InputError
        If another process writes to the store, if the file is not a store or has another version, or if it
        cannot be opened.
    """

    def __init__(self, file: str | PathLike[str], *, write: bool = False) -> None:
        self.path = path = fspath(file)
        self._lock: TextIO | None = None
        if write:
            self._lock = locked(path)
        elif not Path(path).is_file():
            raise InputError(f"cannot read {cut(path)}: there is no such store")
        try:
            with self._one_line():
                self._connection = sqlite3.connect(
                    path if write else reading(path),
                    uri=not write,
                    timeout=PATIENCE_SECONDS,
                    isolation_level=None,
                )
            try:
                self._prepare(write)
            except BaseException:
                self._connection.close()
                raise
        except BaseException:
            self._unlock()
            raise

    def _prepare(self, write: bool) -> None:
        with self._one_line():
            (kind,), (version,) = (
                self._connection.execute(f"pragma {name}").fetchone()
                for name in ("application_id", "user_version")
            )
            fresh = not self._connection.execute("select count(*) from sqlite_master").fetchone()[0]
        if fresh and kind == 0 and write:
            with self._one_line():
                self._connection.execute("pragma journal_mode = wal")
                self._connection.executescript(
                    f"begin; pragma application_id = {APPLICATION_ID}; pragma user_version = {STORE_VERSION};"
                    f"{_SCHEMA} commit;"
                )
        elif kind != APPLICATION_ID:
            raise InputError(f"{cut(self.path)} is no store of results")
        elif version != STORE_VERSION:
            raise InputError(
                f"{cut(self.path)} is a store of version {version}; this schedsolve has version"
                f" {STORE_VERSION}"
            )
        if write:
            with self._one_line():
                self._connection.execute("pragma journal_mode = wal")
                self._connection.executescript(_CUBES)
                if not self._counts_assumptions():
                    self._connection.execute(f"alter table results add column {KEY} integer")
                # NORMAL: a commit survives the end of the process; a power failure may take the last ones.
                self._connection.execute("PRAGMA SYNCHRONOUS = 1")

    def _counts_assumptions(self) -> bool:
        """Return whether the rows have the column for assumptions, which older stores lack."""
        return any(name == KEY for _, name, *_ in self._connection.execute("pragma table_info(results)"))

    @contextmanager
    def _one_line(self) -> Iterator[None]:
        """Turn SQLite's exceptions within this context into one-line errors."""
        try:
            yield
        except sqlite3.Error as error:
            if isinstance(error, sqlite3.DatabaseError) and "not a database" in str(error):
                raise InputError(f"{cut(self.path)} is no store of results") from None
            kept = "; what was stored before is kept" if self._lock else ""
            raise InputError(f"cannot use {cut(self.path)}: {error}{kept}") from None

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Store everything that is written within this context, or nothing."""
        with self._one_line():
            self._connection.execute("begin immediate")
            try:
                yield self._connection
                self._connection.execute("commit")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("rollback")
                raise

    def add(self, problem: Problem, asked: ResultKey, record: Record) -> None:
        """Store a result; it replaces one for the same problem and options."""
        digest = _digest(problem)
        with self._transaction() as store:
            found = store.execute("select id from networks where digest = ?", (digest,)).fetchone()
            network = found[0] if found else _add_network(store, digest, problem.network)
            row = {
                "problem_id": problem_id(problem),
                "backend": asked.backend or "",
                "seed": asked.seed,
                "certify": asked.certify_level,
                "time_limit": asked.time_limit,
                "network_id": network,
                "model": problem.model,
                "task": problem.task,
                "parameters": parameters_text(problem),
                **{one.name: getattr(record, one.name) for one in fields(record) if one.name != "document"},
            }
            (result,) = store.execute(
                f"insert into results ({', '.join(row)}) values ({', '.join('?' * len(row))})"
                " on conflict (problem_id, backend, seed, certify) do update set"
                f" {', '.join(f'{name} = excluded.{name}' for name in row)} returning id",
                list(row.values()),
            ).fetchone()
            store.execute("insert or replace into documents values (?, ?)", (result, record.document))

    def answers(self, asked: ResultKey) -> dict[str, bool]:
        """Return the ids of the problems that need no new solve, and whether each is settled.

        These are the problems settled with the same backend and seed, and those that had at least as
        much time; with a certificate if one is asked for.
        """
        with self._one_line():
            rows = self._connection.execute(
                f"select problem_id, max({_SETTLED}) from results where {_ANSWERS} group by problem_id",
                _key(asked),
            ).fetchall()
        return {name: bool(settled) for name, settled in rows}

    def result(self, problem: Problem, asked: ResultKey) -> dict[str, Any] | None:
        """Return the JSON object of the best stored answer to a problem (see `answers`), or None.

        What it claims is not recomputed; InputError if it is for another problem.
        """
        with self._one_line():
            row = self._connection.execute(
                f"select document from results join documents on result_id = id where {_ANSWERS}"
                f" and problem_id = ? order by {_SETTLED} desc, coalesce(time_limit, 1e999) desc",
                (*_key(asked), problem_id(problem)),
            ).fetchone()
        if row is None:
            return None
        found = unpacked(row[0])
        if problem_id(read_problem(found.get("problem"))) != problem_id(problem):
            raise InputError(DAMAGED)
        return found

    def documents(self, results: Iterable[int]) -> Iterator[bytes]:
        """Yield the compressed JSON of the results with these row numbers."""
        with self._one_line():
            for number in results:
                query = "select document from documents where result_id = ?"
                yield self._connection.execute(query, (number,)).fetchone()[0]

    def rows(self, columns: Sequence[str]) -> list[tuple[Any, ...]]:
        """Return these SQL columns of all results, in an order independent of when they were added."""
        with self._one_line():
            if not self._counts_assumptions():
                columns = ["null" if name == KEY else name for name in columns]
            return self._connection.execute(
                f"select {', '.join(columns)} from results join networks on networks.id = network_id"
                " order by n, m, network, model, task, parameters, problem_id, backend, seed, certify"
            ).fetchall()

    def algorithms(self, problem: Problem, seed: int) -> dict[str, Any] | None:
        """Return the algorithms' values that `add_algorithms` stored, or None if they were not run."""
        with self._one_line():
            row = self._connection.execute(
                "select found from algorithms where problem_id = ? and seed = ?", (problem_id(problem), seed)
            ).fetchone()
        return None if row is None else json.loads(row[0])

    def add_algorithms(self, problem: Problem, seed: int, found: Mapping[str, Any]) -> None:
        """Store the values that algorithms reach: JSON values by the algorithms' names."""
        with self._transaction() as store:
            store.execute(
                "insert or replace into algorithms values (?, ?, ?)",
                (problem_id(problem), seed, json.dumps(found)),
            )

    def outcomes(self, formula: str) -> dict[Cube, CubeOutcome]:
        """Return the outcomes of a formula's cubes that `add_outcome` stored."""
        with self._one_line():
            rows = self._connection.execute(
                "select cube, fate from cubes where formula = ?", (formula,)
            ).fetchall()
        with suppress(ClaimError, ValueError, AttributeError):
            cubes = [(tuple(map(int, cube.split())), data) for cube, data in rows]
            return {cube: outcome_from_json(unpacked(data), cube) for cube, data in cubes}
        raise InputError(DAMAGED)

    def add_outcome(self, formula: str, cube: Cube, outcome: CubeOutcome) -> None:
        """Store the outcome of a cube of a formula (`schedsolve.modelkit.formulas.cubes.CubeStore`)."""
        data = json.dumps(outcome_to_json(outcome)).encode()
        with self._transaction() as store:
            store.execute(
                "insert or replace into cubes values (?, ?, ?)",
                (formula, " ".join(map(str, cube)), zlib.compress(data)),
            )

    def parts(self, level: str) -> dict[int, Any]:
        """Return the data of a level's parts that `add_part` stored, by their residues."""
        with self._one_line():
            query = "select residue, outcome from parts where level = ?"
            rows = self._connection.execute(query, (level,)).fetchall()
        return {residue: unpacked(data) for residue, data in rows}

    def add_part(self, level: str, residue: int, data: Any) -> None:
        """Store a part of a level (`schedsolve.experiments.designs.levels.PartStore`)."""
        with self._transaction() as store:
            packed = zlib.compress(json.dumps(data).encode())
            store.execute("insert or replace into parts values (?, ?, ?)", (level, residue, packed))

    def close(self) -> None:
        """Close the file and release the lock."""
        self._connection.close()
        self._unlock()

    def _unlock(self) -> None:
        if self._lock is not None:
            with suppress(OSError):
                Path(f"{self.path}-lock").unlink()
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _key(asked: ResultKey) -> tuple[Any, ...]:
    limit = float("inf") if asked.time_limit is None else asked.time_limit
    return asked.backend or "", asked.seed, asked.certify_level, limit


def _digest(problem: Problem) -> str:
    """Return a hash of what a problem's id says of its network, the same whatever the network's name."""
    preimage = problem_preimage(Problem("", "", problem.network))
    return hashlib.sha256(preimage.encode()).hexdigest()


def _add_network(store: sqlite3.Connection, digest: str, network: Network) -> int:
    found = invariants(network)
    store.execute(
        f"insert into networks (digest, network, {', '.join(found)})"
        f" values (?, ?, {', '.join('?' * len(found))})",
        [digest, encodable(network.name or "a network"), *found.values()],
    )
    (number,) = store.execute("select last_insert_rowid()").fetchone()
    assert isinstance(number, int)
    return number
