"""`python -m tests.docs.trusted_files`: the files of ours that a check runs, by the kind of evidence, made by
tracing what checks execute.

Each result of the catalogue of evidence, which has one for every kind of evidence of every model, is checked
in a process of its own, in which nothing was computed before. A file is listed when a function of it ran. The
list by kinds is what `check` reads; the table of all files stands in docs/trusted-files.md.
"""

from __future__ import annotations

import ast
import cProfile
import gc
import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/trusted-files.md"
LIST = ROOT / "schedsolve/certify/trusted_files.json"
HEADER = "| file | what it does |\n|---|---|\n"
KERNELS = ("schedsolve/certify/propagation.py", "schedsolve/modelkit/formulas/proof.py")

Traced = tuple[str, str, frozenset[str]]
"""A model's title or a file's format, a kind of evidence, and the files that a check of such evidence ran; or
NETWORKS, how a file gives the network, and the files that this takes."""
NETWORKS = "networks"


def checked_results() -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Titles, kinds and results: the catalogue, with the links of the networks, an answer of `explore
    periods`, designs of two models, fastest networks of two classes, and designs by degree.
    """
    import schedsolve
    from schedsolve.experiments.designs.degrees import degree_frontier
    from schedsolve.models import read_problem
    from schedsolve.models.systolic.bounds.tree_periods import heights_of
    from schedsolve.models.systolic.command import rows_to_json
    from schedsolve.network.links import links_to_json
    from tests.evidence.catalogue import entries

    for entry in entries():
        data = entry.data
        data["problem"]["links"] = links_to_json(read_problem(data["problem"]).network)
        yield entry.title, entry.kind, data
    periods = rows_to_json(2, True, {8: heights_of(2, True, 8)})
    yield periods["format"], "types", periods
    for design in (
        schedsolve.design("telephone", "broadcast", 4, every=True),
        schedsolve.design("line", "gossip", 5, ports=2),
        schedsolve.design("telephone", "gossip", 13, rounds=5, edges=13),
    ):
        data = design.to_json()
        yield data["format"], data["evidence"]["kind"], data
    for fastest in (
        schedsolve.fastest_network("pipelined", "alltoall", 8, regular=3),
        schedsolve.fastest_network("pipelined", "alltoall", 7, max_degree=3),
    ):
        data = fastest.to_json()
        yield data["format"], data["evidence"]["kind"], data
    by_degree = degree_frontier("synchronous", "allgather", 8, range(2, 4)).to_json()
    yield by_degree["format"], "designs", by_degree


def read_networks(results: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, Callable[[], object]]]:
    """How files give networks that do not stand in them as links, and what a check does with such a one: it
    reads node-link JSON, and makes a network from its name or compares its links with it. Of the families
    those of the results, a random graph, a machine and a graph6 string.
    """
    from schedsolve.certify.problem_named import check_name
    from schedsolve.certify.report import CheckReport
    from schedsolve.modelkit.problem import Problem
    from schedsolve.network.files.node_link import network_to_json
    from schedsolve.network.graph import Network
    from schedsolve.network.named.spec import network_from_data

    named = {data["problem"]["network"] for data in results if "problem" in data}
    for name in sorted(named | {"random-tree:9", "a100:1", "graph6:Bw"}):
        network = Network.from_spec(name)
        yield "node-link", partial(network_from_data, network_to_json(network))
        yield "name", partial(network_from_data, name)
        yield "name", partial(check_name, CheckReport(), Problem("", "", network))


def traced() -> list[Traced]:
    """What checks of the results ran, in one fresh process that forks for each."""
    command = [sys.executable, "-m", "tests.docs.trusted_files", "--trace"]
    printed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [(title, kind, frozenset(files)) for title, kind, files in json.loads(printed)]


def trace() -> None:
    """Check every result in a fork of this process, all but the name of its network, and print which files'
    functions ran; then how networks are read otherwise.
    """
    from schedsolve.certify import check
    from schedsolve.models import models

    models()
    results = list(checked_results())
    networks = list(read_networks(data for _, _, data in results))
    gc.freeze()
    vars(check)["check_name"] = lambda *_: None
    found = [
        [title, kind, _in_a_fork(partial(_files_of, partial(_check, check.check_data, result)))]
        for title, kind, result in results
    ]
    found += [[NETWORKS, way, _files_of(read)] for way, read in networks]
    print(json.dumps(found))


def _check(check: Callable[[Any], Any], result: Mapping[str, Any]) -> None:
    report = check(result)
    assert report.complete, report.text


def _in_a_fork(function: Callable[[], list[str]]) -> list[str]:
    """What the function gives in a child of this process."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with os.fdopen(write, "w") as file:
            json.dump(function(), file)
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as file:
        text = file.read()
    os.waitpid(child, 0)
    files: list[str] = json.loads(text)
    return files


def _files_of(run: Callable[[], object]) -> list[str]:
    """The files of ours of which a function runs."""
    profile = cProfile.Profile(builtins=False)
    profile.runcall(run)
    ran = [entry.code for entry in profile.getstats() if not isinstance(entry.code, str)]
    # A module's or a class's own lines run when it is imported; they are no functions.
    files = {code.co_filename for code in ran if code.co_flags & inspect.CO_OPTIMIZED}
    resolved = {Path(file).resolve() for file in files if Path(file).is_absolute()}
    ours = {file.relative_to(ROOT).as_posix() for file in resolved if file.is_relative_to(ROOT)}
    return sorted(file for file in ours if file.startswith(("schedsolve/", "models/")))


def by_kind(found: Iterable[Traced]) -> dict[str, Any]:
    """For each title the files that every check of it runs, and those that each kind of evidence adds; under
    NETWORKS those of each way to give a network.
    """
    kinds: dict[str, dict[str, frozenset[str]]] = {}
    for title, kind, files in found:
        of_title = kinds.setdefault(title, {})
        of_title[kind] = of_title.get(kind, frozenset()) | files
    networks = kinds.pop(NETWORKS)
    common = {title: frozenset.intersection(*of_title.values()) for title, of_title in kinds.items()}
    checks: dict[str, Any] = {
        title: {
            "every": sorted(common[title]),
            "kinds": {kind: sorted(files - common[title]) for kind, files in sorted(of_title.items())},
        }
        for title, of_title in sorted(kinds.items())
    }
    return {**checks, NETWORKS: {way: sorted(files) for way, files in sorted(networks.items())}}


def table(found: Iterable[Traced]) -> str:
    """The table of all files, the judge's first, then the models' by model, with what each does."""
    return _rows({file for title, _, ran in found if title != NETWORKS for file in ran})


def table_for_names(found: Iterable[Traced]) -> str:
    """The table of the files that only networks need which do not stand in the file as links."""
    found = list(found)
    others = {file for title, _, ran in found if title != NETWORKS for file in ran}
    return _rows({file for title, _, ran in found if title == NETWORKS for file in ran} - others)


def _rows(files: Iterable[str]) -> str:
    return HEADER + "".join(map(_row, sorted(files, key=_place)))


def _place(file: str) -> tuple[int, str]:
    layers = ("schedsolve/certify/", "models/")
    return next((i for i, layer in enumerate(layers) if file.startswith(layer)), len(layers)), file


def _row(file: str) -> str:
    text = (ROOT / file).read_text(encoding="utf-8")
    words = " ".join((ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].split())
    sentence = words.split(". ")[0].split("; ")[0].rstrip(".")
    return f"| `{file}` | {sentence.replace('|', '/')} |\n"


def listed() -> list[str]:
    """The two tables as they stand on the page."""
    parts = PAGE.read_text(encoding="utf-8").split(HEADER)[1:]
    return [HEADER + part[: part.index("\n\n") + 1] for part in parts]


def main() -> None:
    """Write the list and the tables."""
    if sys.argv[1:] == ["--trace"]:
        trace()
        return
    found = traced()
    LIST.write_text(json.dumps(by_kind(found), indent=1) + "\n", encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    for old, new in zip(listed(), (table(found), table_for_names(found)), strict=True):
        text = text.replace(old, new)
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
