"""The table of docs/formulations.md: what it says is so, and every file gives the optimum."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest

from schedsolve.modelkit.search import Options
from schedsolve.models import replay
from schedsolve.runtime.errors import InputError
from schedsolve.solving.formulation_files import Formulation, formulation
from schedsolve.solving.solution_files import read_solution
from schedsolve.solving.solve import solve
from tests.docs.formulation_matrix import ENDINGS, PAGE, Row, asked, refusals, rows, table
from tests.solving.test_round_trips import cbc, cpsat, highs, pseudo_boolean, sat

SOLVER = {".lp": cbc, ".mps": highs, ".opb": pseudo_boolean, ".cnf": sat, ".pbtxt": cpsat}


MINIMISED = (".lp", ".mps", ".opb")
"""The forms that can ask for the least value; the others decide."""


def promised_times(file: Path) -> int:
    """How many times the value the objective is, by the head of a file."""
    asks = next(line for line in file.read_text().splitlines() if " asks for the least " in line)
    times = re.search(r"; the objective is (\d+) times that$", asks)
    return int(times[1]) if times else 1


def objective(answer: Path) -> Fraction:
    """What a solver's answer says of the objective."""
    told = re.search(r"(?:[Oo]bjective(?: value)?|^o) (\S+)", answer.read_text(), re.MULTILINE)
    assert told, answer.read_text()[:200]
    return Fraction(told[1]).limit_denominator(10**6)


def test_the_table_is_that_of_the_page() -> None:
    """`python -m tests.docs.formulation_matrix` writes it."""
    assert table() in PAGE.read_text(encoding="utf-8")


def test_every_printed_rule_is_a_sentence() -> None:
    """A file prints the rules of its constraints, the docstrings of the functions that yield the rows."""
    made = [asked(row) for row in rows() if ".lp" not in refusals(row)]
    made += [formulation(of.request.problem, 4, packets=of.request.packets) for of in made]
    rules = {family.rule for of in made for family in of.integer.program.families}
    assert len(rules) > 50
    assert not [rule for rule in rules if not re.fullmatch(r"(?!Yield|Return|Require)[A-Z].*\w\.", rule)]


@pytest.mark.parametrize("row", list(rows()), ids=lambda row: row.name)
def test_every_file_gives_the_optimum(row: Row, tmp_path: Path) -> None:
    """Another solver reads each form, and its answer comes back as a schedule of the value of `solve`."""
    refused = refusals(row)
    optimum = solve(row.problem, Options(time_limit=60)).value
    assert optimum is not None
    value = Fraction(optimum)

    @cache
    def made(value: Fraction, minimise: bool) -> Formulation:
        return formulation(row.problem, value, minimise=minimise, packets=row.packets)

    for ending in (ending for ending in ENDINGS if ending not in refused):
        file, answer = tmp_path / f"asked{ending}", tmp_path / f"answer{ending}"
        minimise = ending in MINIMISED
        file.write_text(made(value, minimise).text(ending))
        SOLVER[ending]([(file, answer)])
        if minimise:
            promised = objective(answer) / promised_times(file)
            is_bound = row.problem.model == "linear-cost" and row.packets is None
            assert promised <= value if is_bound else promised == value, ending
        if row.problem.model == "linear-cost" and row.packets is None:
            with pytest.raises(InputError, match="no schedule"):
                read_solution(str(answer), str(file))
            continue
        seen = replay(*read_solution(str(answer), str(file)))
        assert (seen.violation, seen.value) == (None, value)
        if not minimise:
            file.write_text(made(value - least_step(row), False).text(ending))
            SOLVER[ending]([(file, answer)])
            assert re.search(r"UNSATISFIABLE|\bINFEASIBLE", answer.read_text()), ending


def least_step(row: Row) -> Fraction:
    """How far a value is from the next."""
    if row.packets is not None:
        return Fraction(1, row.packets)
    return Fraction(row.problem.value_step if row.problem.model == "synchronous" else 1)
