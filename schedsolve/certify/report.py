"""What a check found, claim by claim."""

from __future__ import annotations

from dataclasses import dataclass, field

from schedsolve.errors import echoing_little, one_line


@dataclass
class CheckReport:
    """A line for everything that a file claims: verified, not verified, or failed.

    problem: what the claims are about. lines: in the order of the check. unverified: the claims that were not
    verified. failures: how many claims do not hold. verified: how many do.
    """

    problem: str = ""
    lines: list[str] = field(default_factory=list)
    unverified: list[str] = field(default_factory=list)
    failures: int = 0
    verified: int = 0

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

    def doubt(self, claim: str, why: str) -> None:
        """Note a claim that was not verified."""
        self.lines.append(f"not sure {echoing_little(f'{claim}: {why}', ())}")
        self.unverified.append(claim)

    def fail(self, line: str) -> None:
        """Note a claim that does not hold."""
        self.lines.append(f"FAILED   {echoing_little(line, ())}")
        self.failures += 1

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """The whole report: the problem, the lines, the summary."""
        return "\n".join([f"problem  {one_line(self.problem)}", *self.lines, self.summary])

    @property
    def summary(self) -> str:
        """How much was verified, and what was not, in one line."""
        claims = self.verified + self.failures + len(self.unverified)
        if self.complete:
            return f"verified {claims} of {claims} claims: everything that the file claims"
        rest = [f"{self.failures} failed"] if self.failures else []
        if self.unverified:
            named = ", ".join(self.unverified[:3])
            more = len(self.unverified) - 3
            rest.append(f"not verified: {named}" + (f" and {more} more" if more > 0 else ""))
        return echoing_little(f"verified {self.verified} of {claims} claims; {'; '.join(rest)}", ())
