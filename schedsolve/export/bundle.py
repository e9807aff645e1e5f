"""A result as a folder that verifies itself: its network, its schedule, its proof, what is claimed, and a
program that needs nothing else.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from schedsolve.certify.lower_side import evidence_of, lower_bounds
from schedsolve.certify.saved_files import placed, read_file
from schedsolve.errors import ClaimError, InputError
from schedsolve.export.formulas import Refutation, make_folder, refutation_texts
from schedsolve.export.program_text import FUTURE, WIDEST, literal, program
from schedsolve.kernel.verdict import claim_text, judge, main
from schedsolve.kernel.wrong import WrongError
from schedsolve.limits.budget import OverBudgetError, within
from schedsolve.modelkit.bundle import Bundle, Proof
from schedsolve.models import model_of, read_problem
from schedsolve.network.bandwidths import bandwidth_to_data
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import RESULT_FORMAT, Status, Value, value_from_json, value_to_json
from schedsolve.whole_file import write_whole

LINKS, SCHEDULE, EVIDENCE = "network.edges", "schedule.json", "evidence.json"
CLAIM, PROGRAM = "claim.md", "verify.py"
REFUTATION = ("formula.cnf", "proof.lrat")
FILES = (LINKS, SCHEDULE, EVIDENCE, *REFUTATION, CLAIM, PROGRAM)
LONGEST_PROGRAM = 500
"""Lines of a program."""


@within()
def export_bundle(file: str, folder: str) -> list[str]:
    """Write the bundle of a saved result into a folder. The names of the files written.

    The program's functions verify the bundle first: one that does not hold is not written. Raises
    InputError when the file is no result, its model has no bundles, or something in it does not hold.
    """
    try:
        contents = bundle_of(read_file(file))
        foreign = [name for name in FILES if name not in contents and (Path(folder) / name).exists()]
        if foreign:
            raise InputError(f"{folder} holds a file {foreign[0]}, which is no part of this bundle")
        make_folder(Path(folder))
        for name, content in contents.items():
            write_whole(content, Path(folder) / name)
    except OverBudgetError:
        raise
    except (InputError, ClaimError) as error:
        raise InputError(f"{file}: {error}") from None
    return [str(Path(folder) / name) for name in contents]


def bundle_of(data: Any) -> dict[str, bytes]:
    """The files of a result's bundle by name. Raises InputError and ClaimError as `export_bundle` does."""
    if not isinstance(data, Mapping) or data.get("format") != RESULT_FORMAT:
        raise InputError("no result of schedsolve")
    asked = read_problem(data.get("problem"))
    if asked.choice == "max" or asked.period == "min":
        raise InputError("a bundle is for a given source or root, or the best one, and a given period")
    problem = placed(asked, data) if data.get("schedule") is not None else asked
    bundle = model_of(problem).bundle(problem)
    claim = {**common_claim(problem), **bundle.claim, **_claimed(asked, data)}
    if asked.choice:
        claim["open"] = True
    contents = {LINKS: _links(problem.network), SCHEDULE: _schedule(problem, data)}
    bound, proof = _chosen(asked, bundle, data, claim["lower_bound"])
    if bound is not None:
        claim["lower_bound"] = bound["value"]
    if proof.evidence:
        contents[EVIDENCE] = (json.dumps(proof.evidence) + "\n").encode()
    if proof.refutes and bound is not None:
        texts = dict(refutation_texts(Refutation("", asked, bound["evidence"])))
        contents |= {name: texts[name].encode() for name in REFUTATION}
    claim["how"] = _said(proof.lower_bound) if proof.lower_bound is not None else ""
    if proof.premises:
        claim["premises"] = list(proof.premises)
    claim["rests_on"] = list(proof.rests_on)
    claim["sha256"] = {name: hashlib.sha256(content).hexdigest() for name, content in contents.items()}
    contents[CLAIM] = claim_text(claim, bundle.in_words).encode()
    functions = (bundle.in_words, bundle.replay, proof.lower_bound)
    try:
        judge(claim, contents, *functions)
    except (WrongError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        raise InputError(f"the program would not verify the result: {error}") from None
    contents[PROGRAM] = program_of(claim, functions).encode()
    return contents


def _said(function: Any) -> str:
    """The first paragraph of a docstring, in one line."""
    return " ".join((inspect.getdoc(function) or "").split("\n\n")[0].split())


def common_claim(problem: Problem) -> dict[str, Any]:
    """What every claim says of its problem: the task, and the size and kind of the network."""
    network = problem.network
    common: dict[str, Any] = {
        "task": problem.task,
        "nodes": network.node_count,
        "links": len(network.edges),
        "directed": network.directed,
    }
    if network.switches:
        common["switches"] = sorted(network.switches)
    return common


def _claimed(problem: Problem, data: Mapping[str, Any]) -> dict[str, Any]:
    """What a result says: its value, and the lower bound that it means."""
    value, lower = (value_from_json(data.get(name), name) for name in ("value", "lower_bound"))
    claimed: dict[str, Any] = {"value": value_to_json(value), "lower_bound": value_to_json(lower)}
    if data.get("schedule") is None:
        claimed["value"] = None
    if data.get("status") == Status.INFEASIBLE:
        horizon = model_of(problem).horizon(problem)
        most = [limit for limit in (problem.asked, horizon) if limit is not None]
        if not most:
            raise InputError("the result calls infeasible what can be done")
        claimed["lower_bound"] = value_to_json(min(most) + problem.value_step)
        claimed["impossible"] = min(most) == horizon
    if claimed["value"] is None and claimed["lower_bound"] is None:
        raise InputError("the result claims neither a value, with its schedule, nor a lower bound")
    return claimed


def _links(network: Network) -> bytes:
    """The links by the numbers of their ends, with bandwidths where there are any; labels as comments."""
    lines = []
    for v, label in enumerate(network.labels):
        if label != v:
            lines.append(f"# node {v} is {json.dumps(label)}")
    linked = {v for edge in network.edges for v in edge}
    lines += [str(v) for v in range(network.node_count) if v not in linked]
    widths = [f" {bandwidth_to_data(b)}" for b in network.bandwidths] or [""] * len(network.edges)
    lines += [f"{u} {v}{width}" for (u, v), width in zip(network.edges, widths, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def _schedule(problem: Problem, data: Mapping[str, Any]) -> bytes:
    """The schedule, in the numbers of the nodes."""
    if data.get("schedule") is None:
        return b"null\n"
    schedule = model_of(problem).form.read(data["schedule"], problem.network)
    numbers = range(problem.network.node_count)
    return (json.dumps(schedule.to_json(numbers)) + "\n").encode()


def _chosen(
    problem: Problem, bundle: Bundle, data: Mapping[str, Any], claimed: Value | str | None
) -> tuple[Mapping[str, Any] | None, Proof]:
    """Of the bounds that prove the claimed one that of which most is verified, rather without a refutation;
    and how.
    """
    if claimed is None or claimed == 0:
        return None, Proof()
    certificate = data.get("certificate")
    if not isinstance(certificate, Mapping):
        raise InputError("the result's lower bound is not certified; solve with --output certifies it")
    least = value_from_json(claimed)
    assert least is not None
    found: list[tuple[Mapping[str, Any], Proof]] = []
    for bound in lower_bounds(certificate):
        value = value_from_json(bound.get("value"))
        if value is not None and value >= least:
            _, kind, evidence = evidence_of(problem, bound)
            if kind != "refutation" and model_of(problem).claims[kind](problem, evidence) < least:
                raise ClaimError(f"its evidence does not prove the lower bound {claimed}")
            proof = bundle.proof(evidence) or Proof(rests_on=(kind.replace("-", " "),))
            found.append((bound, proof))
    if not found:
        raise InputError(f"the certificate holds no bound of {claimed}")
    return min(found, key=lambda each: (len(each[1].rests_on), each[1].refutes))


def program_of(claim: Mapping[str, Any], functions: Sequence[Callable[..., Any] | None]) -> str:
    """The text of verify.py.

    functions: of the kernel, for the words, the replay and the lower bound; the last None where none is
    proven.
    """
    imports, definitions = program([*(f for f in functions if f is not None), main])
    text = "\n".join(_lines(claim, imports, definitions, functions)) + "\n"
    lines = text.splitlines()
    assert all(len(line) <= WIDEST for line in lines), max(lines, key=len)
    if len(lines) > LONGEST_PROGRAM:
        raise InputError(f"the program would have {len(lines)} lines, and may have {LONGEST_PROGRAM}")
    return text


def _lines(
    claim: Mapping[str, Any],
    imports: str,
    definitions: str,
    functions: Sequence[Callable[..., Any] | None],
) -> Iterator[str]:
    """The program line by line: what is claimed, what verifies it, and the start."""
    yield "#!/usr/bin/env python3"
    yield '"""Verifies what claim.md claims of the files beside it; needs Python 3.9 or newer."""'
    yield f"{FUTURE}\nimport sys\n"
    yield 'if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):'
    yield "    del sys.path[0]  # What lies beside is data, no modules."
    yield "\n".join(line for line in imports.splitlines() if line != "import sys")
    yield f"\nCLAIM = {literal(claim)}\n\n{definitions}\n"
    names = ", ".join("None" if f is None else f.__name__ for f in functions)
    yield f"FUNCTIONS = ({names})\n"
    yield 'if __name__ == "__main__":'
    yield "    sys.exit(main(CLAIM, Path(__file__).resolve().parent, *FUNCTIONS))"
