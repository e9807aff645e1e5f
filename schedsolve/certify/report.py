"""What a check found, claim by claim, and what that rests on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Literal

from schedsolve.network.assumptions import Assumption, as_read, assumptions_to_json
from schedsolve.runtime.errors import counted, echoing_little, one_line

CHECK_FORMAT = "schedsolve-check/1"
TRUSTED_FILES = Path(__file__).with_name("trusted_files.json")
"""For each model, by title, and each format besides results: the files of the package that every check runs,
and those that each kind of evidence adds. Under "networks" those that a network takes that does not stand in
the file as links: as node-link JSON, or by its name."""

NetworkForm = Literal["links", "node-link", "name"]
"""How a file gives a network."""


@dataclass(repr=False)
class CheckReport:
    """A line for everything that a file claims: verified, not verified, or failed.

    Attributes
    ----------
    problem
        What the claims are about.
    lines
        In the order of the check.
    unverified
        The claims that were not verified.
    failures
        How many claims do not hold.
    verified
        How many do.
    title
        Of the model, or the format of a file that is not a result.
    evidence
        Models' titles and the kinds of their evidence from which bounds were computed.
    network
        How the file gives the network: "links", "node-link" or "name".
    compared
        Whether links were compared with a name.
    assumptions
        What the reader of the network's file left out or assumed.
    """

    problem: str = ""
    lines: list[str] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)
    failures: int = 0
    verified: int = 0
    title: str = ""
    evidence: set[tuple[str, str]] = field(default_factory=set)
    network: NetworkForm = "links"
    compared: bool = False
    assumptions: Sequence[Assumption] = ()

    @property
    def failed(self) -> bool:
        """Whether a claim does not hold."""
        return self.failures > 0

    @property
    def complete(self) -> bool:
        """Whether everything that the file claims was verified."""
        return not self.failures and not self.unverified

    def confirm(self, line: str) -> None:
        """Note a claim that holds."""
        self.lines.append(f"ok       {one_line(line)}")
        self.verified += 1

    def note(self, line: str) -> None:
        """Note what the file does not claim, though a reader might think so."""
        self.lines.append(f"note     {one_line(line)}")

    def rest_on(self, assumptions: Sequence[Assumption]) -> None:
        """Note what was left out or assumed of the network, on which everything else rests."""
        self.assumptions = (*self.assumptions, *assumptions)
        for assumption in assumptions:
            self.note(f"network as read, {assumption}")

    def doubt(self, claim: str, why: str) -> None:
        """Note a claim that was not verified."""
        self.lines.append(f"not sure {echoing_little(f'{claim}: {why}', ())}")
        self.unverified.append(claim)

    def fail(self, line: str) -> None:
        """Note a claim that does not hold."""
        self.lines.append(f"FAILED   {echoing_little(line, ())}")
        self.failures += 1

    def take(self, name: str, inner: CheckReport, *, whole: bool = False) -> bool:
        """Note what was found of a part of the file, as claims of the file; return whether all of it holds.

        What holds is told line by line if `whole`, else by a number.
        """
        self.lines += [line for line in inner.lines if whole or not line.startswith("ok ")]
        self.verified += inner.verified
        self.failures += inner.failures
        self.unverified += [f"{name}: {claim}" for claim in inner.unverified]
        self.evidence |= inner.evidence
        self.assumptions = (*self.assumptions, *inner.assumptions)
        if inner.complete and not whole:
            self.confirm(f"{name}, {counted(inner.verified, 'claim')}")
        return inner.complete

    def doubt_unexamined(self, entries: Iterable[str]) -> None:
        """Note entries that no check reads."""
        for entry in entries:
            self.doubt(f"what {entry} says", "not examined, a check knows no such entry")

    @property
    def files(self) -> list[str]:
        """The files of the package on which the verdict rests, as paths in the sources.

        Without those in `files_for_the_name`; none where they are not listed.
        """
        listed = _listed()
        titles = {self.title, *(title for title, _ in self.evidence)} & set(listed)
        files = {file for title in titles for file in listed[title]["every"]}
        files.update(
            *(listed[title]["kinds"].get(kind, ()) for title, kind in self.evidence if title in titles)
        )
        return sorted(files.union(listed["networks"].get(self.network, ()) if files else ()))

    @property
    def files_for_the_name(self) -> list[str]:
        """The files on which nothing rests but that the network is the one that its name stands for."""
        files = self.files if self.compared else []
        return sorted(set(_listed()["networks"]["name"]).difference(files)) if files else []

    @property
    def kinds(self) -> list[str]:
        """The kinds of evidence that were used."""
        return sorted({kind for _, kind in self.evidence})

    def to_json(self) -> dict[str, Any]:
        """Return the report as the JSON object that `check --json` prints."""
        return {
            "format": CHECK_FORMAT,
            "problem": one_line(self.problem),
            "claims": self.lines,
            "verified": self.verified,
            "failed": self.failures,
            "not_verified": self.unverified,
            "complete": self.complete,
            "evidence": self.kinds,
            "files": self.files,
            "files_for_the_name": self.files_for_the_name,
            **assumptions_to_json(self.assumptions),
        }

    def __repr__(self) -> str:
        return f"<CheckReport {one_line(self.problem)}: {self.summary}>"

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The whole report: the problem, the lines, the summary."""
        return "\n".join([f"problem  {one_line(self.problem)}", *self.lines, self.summary])

    @property
    def summary(self) -> str:
        """How much was verified, and what was not, in one line."""
        claims, read = self.verified + self.failures + len(self.unverified), as_read(self.assumptions)
        if self.complete:
            return f"verified {claims} of {counted(claims, 'claim')}: everything that the file claims{read}"
        rest = [f"{self.failures} failed"] if self.failures else []
        if self.unverified:
            named = ", ".join(self.unverified[:3])
            more = len(self.unverified) - 3
            rest.append(f"not verified: {named}" + (f" and {more} more" if more > 0 else ""))
        return echoing_little(
            f"verified {self.verified} of {counted(claims, 'claim')}; {'; '.join(rest)}{read}", ()
        )

    @property
    def trust(self) -> str:
        """The kinds of evidence that were used, and how many files the verdict rests on, in one line."""
        kinds = f"evidence: {', '.join(self.kinds)}; " if self.kinds else ""
        names = len(self.files_for_the_name)
        name = f", and {names} for the network's name" if names else ""
        return f"{kinds}{counted(len(self.files), 'file')} of schedsolve ran{name} (--json names them)"


@cache
def _listed() -> Any:
    return json.loads(TRUSTED_FILES.read_text(encoding="utf-8"))
