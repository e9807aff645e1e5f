"""Formulas as DIMACS text, the form that every SAT solver reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.runtime.files.escapes import in_comment


def dimacs_text(cnf: Cnf, comments: Iterable[str] = ()) -> str:
    """Return the formula as DIMACS text, which begins with the comments.

    ```pycon
    >>> print(dimacs_text(Cnf(2, [[1, -2]]), ["one clause"]), end="")
    c one clause
    p cnf 2 1
    1 -2 0

    ```
    """
    lines = [f"c {in_comment(line)}".rstrip() for line in comments]
    lines.append(f"p cnf {cnf.variable_count} {len(cnf.clauses)}")
    lines += [" ".join(map(str, [*clause, 0])) for clause in cnf.clauses]
    return "\n".join(lines) + "\n"


def name_comments(names: Mapping[int, str]) -> list[str]:
    """Return a comment for every named variable: its number and its name."""
    return [f"{number} = {name}" for number, name in sorted(names.items())]
