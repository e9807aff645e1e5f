"""`python -m tests.mutants --minutes 60 --seed 1`: is a change in the code that `check` runs noticed?

Conditions, comparisons, bounds and constants are altered or deleted one at a time, in a sample of every file;
each mutant meets the battery of forgeries and then tests of its folder. Prints a table by folder, and who
survived. Mutants in tests/mutants/survivors.toml that are equivalent do not count.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import tomllib
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from tests.mutants import reach
from tests.mutants.operators import Mutant, mutants_of
from tests.mutants.sampling import interval, sample
from tests.mutants.trials import folder_of, tried

ROOT = Path(__file__).parents[2]
RESULTS = ROOT / "build/mutants/results.jsonl"
SURVIVORS = Path(__file__).with_name("survivors.toml")
MOST_OF_A_FILE = 20
Key = tuple[str, str, str]
"""A mutant whatever its line: its file, its function, and the code before and after."""


def key_of(mutant: Mutant) -> Key:
    """What a mutant is known by while the lines move."""
    return mutant.file, mutant.function, mutant.what


def equivalent() -> dict[Key, str]:
    """The mutants that are known to change nothing that counts, each with the reason."""
    listed = tomllib.loads(SURVIVORS.read_text(encoding="utf-8")).get("mutant", [])
    return {(m["file"], m["function"], m["what"]): m["reason"] for m in listed}


def outdated() -> list[Key]:
    """The entries of the list that name no mutant any more, as their code has changed."""
    listed = equivalent()
    files = {file for file, _, _ in listed}
    sources = {file: ROOT / file for file in files if (ROOT / file).exists()}
    known = {
        key_of(m) for f, path in sources.items() for m in mutants_of(f, path.read_text(encoding="utf-8"))
    }
    return sorted(set(listed) - known)


def warm_up() -> None:
    """Import everything that the children need."""
    import hypothesis
    import networkx
    import numpy
    import ortools.sat.python.cp_model
    import pysat.solvers
    import pytest

    from schedsolve.commands import cli
    from tests.forgeries.battery import battery, titles

    assert all((hypothesis, networkx, numpy, ortools, pysat, pytest, cli))
    for title in titles():
        battery(title)


def results(path: Path) -> dict[tuple[str, int, str], tuple[Mutant, str]]:
    """The outcomes that a file of results holds, by file, number and change."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else []:
        data = json.loads(line)
        outcome = data.pop("outcome")
        mutant = Mutant(**data)
        found[mutant.file, mutant.number, mutant.what] = mutant, outcome
    return found


def table(outcomes: Mapping[tuple[str, int, str], tuple[Mutant, str]]) -> str:
    """A line for every folder: mutants, who caught them, and the share with its confidence interval."""
    left_out = equivalent()
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for mutant, outcome in outcomes.values():
        same = outcome == "survived" and key_of(mutant) in left_out
        for folder in (folder_of(mutant.file), "all"):
            counts[folder]["equivalent" if same else outcome] += 1
    rows = ["| folder | tried | battery | tests | endless | survived | equivalent | caught |"]
    rows.append("|---|---|---|---|---|---|---|---|")
    for folder in sorted(counts, key=lambda name: (name == "all", name)):
        of = counts[folder]
        caught = of["battery"] + of["tests"] + of["endless"]
        low, high = interval(caught, caught + of["survived"])
        share = caught / max(1, caught + of["survived"])
        numbers = (of.total(), of["battery"], of["tests"], of["endless"], of["survived"], of["equivalent"])
        shares = f"{share:.0%} ({low:.0%} to {high:.0%})"
        rows.append(f"| {folder} | {' | '.join(map(str, numbers))} | {shares} |")
    return "\n".join(rows)


def main() -> int:
    """Run the command; 1 when a mutant survived that is not known."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--all", action="store_true", help="every mutant, not a sample")
    parser.add_argument("--results", type=Path, default=RESULTS, help="what was tried already is not again")
    parser.add_argument("--again", action="store_true", help="try the survivors in the results again")
    parser.add_argument("--only", default="", help="files that begin so, or so")
    parser.add_argument("--most", type=int, default=MOST_OF_A_FILE, help="mutants of a file")
    parser.add_argument("--seconds", type=float, default=15.0, help="of tests for a mutant")
    given = parser.parse_args()
    known = results(given.results)
    given.results.parent.mkdir(parents=True, exist_ok=True)
    warm_up()
    reach.find()
    end = time.monotonic() + 60 * given.minutes
    with given.results.open("a", encoding="utf-8") as file:
        for mutant in sample(given.seed, None if given.all else given.most):
            place = mutant.file, mutant.number, mutant.what
            if not mutant.file.startswith(tuple(given.only.split(","))) or time.monotonic() >= end:
                continue
            if place in known and not (given.again and known[place][1] == "survived"):
                continue
            outcome = tried(mutant, given.seconds)
            known[place] = mutant, outcome
            file.write(json.dumps({**asdict(mutant), "outcome": outcome}) + "\n")
            file.flush()
    print(table(known), flush=True)
    left_out = equivalent()
    survived = [m for m, outcome in known.values() if outcome == "survived" and key_of(m) not in left_out]
    for m in sorted(survived, key=lambda m: (m.file, m.line)):
        print(f"survived: {m.file}:{m.line} {m.function}: {m.what}")
    for file, function, what in outdated():
        print(f"in the list, but no mutant any more: {file} {function}: {what}")
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main())
