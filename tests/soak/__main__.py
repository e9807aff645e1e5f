"""`python -m tests.soak`: mutants, forgeries, brute force, relations, broken input for some minutes, in turn.

Every case has a seed of its own; what is found is printed with the line that repeats it.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable
from itertools import cycle
from random import Random
from typing import NamedTuple

from tests.forgeries.random_forgeries import try_forgery
from tests.soak.alterations import try_alteration
from tests.soak.altered_networks import try_network, try_transplant
from tests.soak.collectives import try_collective
from tests.soak.differences import try_problem
from tests.soak.forged_bundles import try_bundle
from tests.soak.formulas import try_formula
from tests.soak.fuzz import try_command
from tests.soak.mutants import try_mutant
from tests.soak.one_store import try_two_processes
from tests.soak.programs import try_program
from tests.soak.referees import try_referees
from tests.soak.relations import try_relation
from tests.soak.relations_collectives import try_collective_relation


class Campaign(NamedTuple):
    """What tries a case, and how many cases follow one another."""

    try_case: Callable[[Random], tuple[str, str]]
    turns: int


CAMPAIGNS = {
    "mutants": Campaign(try_mutant, 6),
    "forgeries": Campaign(try_forgery, 20),
    "alterations": Campaign(try_alteration, 6),
    "altered-networks": Campaign(try_network, 10),
    "transplants": Campaign(try_transplant, 10),
    "one-store": Campaign(try_two_processes, 1),
    "programs": Campaign(try_program, 20),
    "referees": Campaign(try_referees, 4),
    "forged-bundles": Campaign(try_bundle, 100),
    "brute-force": Campaign(try_problem, 4),
    "formulas": Campaign(try_formula, 1),
    "relations": Campaign(try_relation, 2),
    "collectives": Campaign(try_collective, 4),
    "collective-relations": Campaign(try_collective_relation, 2),
    "broken-input": Campaign(try_command, 1),
}
MOST_SHOWN = 20


def run_case(campaign: str, seed: int, number: int) -> tuple[str, str]:
    """What came of a case, and a finding, "" when there is none; an exception is a finding."""
    try:
        return CAMPAIGNS[campaign].try_case(Random(f"{campaign} {seed} {number}"))
    except Exception:
        return "traceback", traceback.format_exc()


def soak(seconds: float, seed: int) -> int:
    """Run the campaigns in turn for so many seconds, and print what came of them; the number of findings."""
    counts = {name: Counter[str]() for name in CAMPAIGNS}
    found: Counter[str] = Counter()
    end = time.monotonic() + seconds
    turns = [name for name, campaign in CAMPAIGNS.items() for _ in range(campaign.turns)]
    for name in cycle(turns):
        if time.monotonic() >= end:
            break
        number = counts[name].total()
        outcome, finding = run_case(name, seed, number)
        counts[name][outcome] += 1
        if finding:
            found[outcome] += 1
            if found[outcome] <= MOST_SHOWN:
                print(f"{outcome}: {finding.strip()}")
                print(f"  repeat with: make soak CASE={name}:{seed}:{number}", flush=True)
    print_summary(counts, found, seed)
    return found.total()


def print_summary(counts: dict[str, Counter[str]], found: Counter[str], seed: int) -> None:
    """How many cases of each campaign were tried, what came of them, and what was found."""
    for name, counted in counts.items():
        outcomes = ", ".join(f"{outcome} {count}" for outcome, count in sorted(counted.items()))
        print(f"{name}: {counted.total()} cases ({outcomes})")
    other = found.total() - sum(found[kind] for kind in ("false", "disagreement", "traceback"))
    print(
        f"seed {seed}: {sum(counted.total() for counted in counts.values())} cases,"
        f" {found['false']} false acceptances, {found['disagreement']} disagreements,"
        f" {found['traceback']} tracebacks, {other} other findings"
    )


def main() -> int:
    """Run the command; 1 when anything was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, help="of all cases (default: from the clock)")
    parser.add_argument("--case", metavar="CAMPAIGN:SEED:NUMBER", help="one case again")
    given = parser.parse_args()
    if given.case is not None:
        campaign, seed, number = given.case.split(":")
        outcome, finding = run_case(campaign, int(seed), int(number))
        print(f"{outcome}\n{finding}")
        return 1 if finding else 0
    return 1 if soak(60 * given.minutes, time.time_ns() % 10**6 if given.seed is None else given.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
