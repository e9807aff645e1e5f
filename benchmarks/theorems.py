"""Theorems of Coq for all connected networks with few nodes: both gossips, and broadcasts from the best and
the worst source.

`python -m benchmarks.theorems [--nodes 2..6] [--output FILE]`

Every result is solved, exported and compiled over theory/, which `make theory` has compiled; a row of the
table says what came of it. Run again, it goes on where it stopped.
"""

from __future__ import annotations

import argparse
import csv
import re
import resource
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from schedsolve.export.coq.theorem import theorem_text
from schedsolve.modelkit.result import result_to_json
from schedsolve.models import build_problem
from schedsolve.network.classes.sets import networks_of
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.limits.budget import within
from schedsolve.solving.solve import solve

THEORY = Path(__file__).parents[1] / "theory"
COLUMNS = ("network", "model", "task", "source", "value", "lemma", "outcome", "seconds")
BATCH = 24
"""Theorems in a file; Coq takes a second to load theory/."""
PROBLEMS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("telephone", "gossip", {}),
    ("telegraph", "gossip", {}),
    ("telephone", "broadcast", {"source": "min"}),
    ("telephone", "broadcast", {"source": "max"}),
    ("telegraph", "broadcast", {"source": "min"}),
    ("telegraph", "broadcast", {"source": "max"}),
)

Key = tuple[str, str, str, str]
Row = dict[str, Any]


def rows(nodes: str, done: set[Key]) -> Iterator[tuple[Row, str]]:
    """Yield for every problem that is not done what is known of it, and the text of its theorem, empty where
    there is none.
    """
    for network in networks_of(f"graphs:{nodes}"):
        for model, task, options in PROBLEMS:
            key = (network.name, model, task, options.get("source", ""))
            if key not in done:
                yield _row(network, key, options)


def _row(network: Network, key: Key, options: dict[str, Any]) -> tuple[Row, str]:
    row: Row = dict(zip(COLUMNS, key, strict=False))
    solved = solve(build_problem(key[1], key[2], network, options))
    try:
        with within():
            text = theorem_text(result_to_json(solved))
    except InputError as error:
        return row | {"value": solved.value, "lemma": "", "outcome": str(error)}, ""
    lemmas = re.findall(r"refine \((\w+_refuted\w*)", text)
    return row | {"value": solved.value, "lemma": lemmas[-1] if lemmas else "", "outcome": ""}, text


def compiled(texts: Sequence[str]) -> list[bool]:
    """Whether Coq accepts each of the theorems, and finds them closed; those of a file that it refuses are
    compiled one by one.
    """
    if not texts:
        return []
    modules = (f"Module M{k}.\n{_body(text)}\nEnd M{k}.\n" for k, text in enumerate(texts))
    head = "\n".join(line for line in texts[0].splitlines() if line.startswith(("From", "Import")))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "batch.v"
        file.write_text(head + "\n" + "\n".join(modules))
        run = subprocess.run(
            ["coqc", "-Q", str(THEORY), "Schedsolve", str(file)], capture_output=True, text=True, check=False
        )
    accepted = run.returncode == 0 and run.stdout.count("Closed under the global context") == len(texts)
    if accepted or len(texts) == 1:
        return [accepted] * len(texts)
    return [compiled([text])[0] for text in texts]


def _body(text: str) -> str:
    return "\n".join(line for line in text.splitlines() if not line.startswith(("From", "Import")))


def _cpu_seconds() -> float:
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in used)


def main() -> None:
    """Add to the table what is missing in it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", default="2..6")
    parser.add_argument("--output", type=Path, default=Path("build/theorems.csv"))
    arguments = parser.parse_args()
    table: Path = arguments.output
    table.parent.mkdir(parents=True, exist_ok=True)
    before = list(csv.DictReader(table.open(encoding="utf-8"))) if table.exists() else []
    missing = rows(arguments.nodes, {(r["network"], r["model"], r["task"], r["source"]) for r in before})
    with table.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        if not before:
            writer.writeheader()
        start = _cpu_seconds()
        while batch := list(islice(missing, BATCH)):
            exported = [(row, text) for row, text in batch if text]
            for (row, _), closed in zip(exported, compiled([t for _, t in exported]), strict=True):
                row["outcome"] = "closed" if closed else "refused by Coq"
            now = _cpu_seconds()
            seconds, start = round((now - start) / len(batch), 2), now
            writer.writerows(row | {"seconds": seconds} for row, _ in batch)
            file.flush()


if __name__ == "__main__":
    main()
