"""A result as a folder that verifies itself.

Its network, its schedule, its proof, what is claimed, and a program that needs nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from schedsolve.certify.lower_side import claim_of, evidence_of, limits
from schedsolve.certify.saved_files import read_file
from schedsolve.certify.saved_result import SavedResult, read_saved_result
from schedsolve.export.bundles.of_problem import bundle_parts
from schedsolve.export.bundles.program_text import FUTURE, WIDEST, literal, program
from schedsolve.export.bundles.record import Proof
from schedsolve.export.refutations import Refutation, make_folder, proven_place, refutation_texts, sought
from schedsolve.kernel.verdict import claim_text, judge, main, said
from schedsolve.kernel.wrong import WrongError
from schedsolve.modelkit.form import TOTAL
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound, Status, value_to_json
from schedsolve.models import model_of
from schedsolve.network.bandwidths import bandwidth_to_data
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.runtime.limits.budget import BUDGET, longer, naming, within

LINKS, SCHEDULE, EVIDENCE = "network.edges", "schedule.json", "evidence.json"
CLAIM, PROGRAM = "claim.md", "verify.py"
REFUTATION = ("formula.cnf", "proof.lrat")
FILES = (LINKS, SCHEDULE, EVIDENCE, *REFUTATION, CLAIM, PROGRAM)
LONGEST_PROGRAM = 500
"""Lines of a program."""
SECONDS = 10.0
"""CPU time for which a refutation is sought where the program verifies no bound of the file wholly."""


def export_bundle(
    file: str, folder: str, seconds: float = SECONDS, tell: Callable[[str], None] = lambda _: None
) -> list[str]:
    """Write the bundle of a saved result into a folder. The names of the files written.

    The program's functions verify the bundle first: one that does not hold is not written.

    Parameters
    ----------
    file
        The result's.
    folder
        Where the bundle goes.
    seconds
        CPU time for which a refutation is sought where the program verifies no bound of the file wholly.
    tell
        Called with a line that says what the claim rests on, if it is not verified wholly.

    Raises
    ------
    InputError
        If the file is no result, its model has no bundles, or something in it does not hold.
    """
    with within(longer(BUDGET, seconds)), naming(file):
        contents = bundle_of(read_file(file), seconds, tell)
        foreign = [name for name in FILES if name not in contents and (Path(folder) / name).exists()]
        if foreign:
            raise InputError(f"{folder} holds a file {foreign[0]}, which is no part of this bundle")
        make_folder(Path(folder))
        for name, content in contents.items():
            write_whole(content, Path(folder) / name)
    return [str(Path(folder) / name) for name in contents]


def bundle_of(
    data: Any, seconds: float = SECONDS, tell: Callable[[str], None] = lambda _: None
) -> dict[str, bytes]:
    """Return the files of a result's bundle by name; `seconds` and `tell` as for `export_bundle`.

    Raises
    ------
    InputError
        And ClaimError as `export_bundle` does.
    """
    saved = read_saved_result(data)
    asked = saved.problem
    if asked.period == "min":
        raise InputError(
            "the least period rests on a proof for every shorter one, and a bundle holds one proof; solve"
            " with that --period for a bundle of the rounds that it takes"
        )
    problem, bound, proof = _chosen(saved, seconds)
    if proof.rests_on and not proof.refutes:
        tell(f"the claim rests on {' and '.join(proof.rests_on)}{_unfound(saved.problem, seconds)}")
    bundle = bundle_parts(problem)
    claim = {**common_claim(problem), **bundle.claim, **_claimed(saved)}
    if asked.choice:
        claim["open" if asked.choice == "min" else "worst"] = True
    contents = {LINKS: _links(problem.network), SCHEDULE: _schedule(saved)}
    if bound is not None:
        claim["lower_bound"] = value_to_json(bound.value)
    if proof.evidence:
        contents[EVIDENCE] = (json.dumps(proof.evidence) + "\n").encode()
    if proof.refutes and bound is not None:
        texts = dict(
            refutation_texts(
                Refutation("", problem if asked.choice == "max" else asked, bound.evidence or {})
            )
        )
        contents |= {name: texts[name].encode() for name in REFUTATION}
    claim["how"] = said(proof.lower_bound)[0]
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


def _unfound(problem: Problem, seconds: float) -> str:
    """Return what a search for a refutation came to, of problems of which there are any."""
    if not any(decision.refutes for decision in model_of(problem).decisions):
        return ""
    return f"; no refutation was found in {seconds:g} CPU seconds (--time-limit)"


def common_claim(problem: Problem) -> dict[str, Any]:
    """Return what every claim says of its problem: the task, and the size and kind of the network."""
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


def _claimed(saved: SavedResult) -> dict[str, Any]:
    """Return what a result says: its value, and the lower bound that it means."""
    said, most = saved.claimed, limits(saved.problem)
    value = None if saved.schedule is None else said.value
    claimed: dict[str, Any] = {"value": value_to_json(value), "lower_bound": value_to_json(said.lower_bound)}
    if said.status is Status.INFEASIBLE:
        if not most:
            raise InputError("the result calls infeasible what can be done")
        claimed["lower_bound"] = value_to_json(min(most) + saved.problem.value_step)
        claimed["impossible"] = min(most) == model_of(saved.problem).horizon(saved.problem)
    if claimed["value"] is None and claimed["lower_bound"] is None:
        raise InputError("the result claims neither a value, with its schedule, nor a lower bound")
    return claimed


def _links(network: Network) -> bytes:
    """Return the links by the numbers of their ends, with bandwidths where there are any.

    Labels and assumptions are comments.
    """
    lines = [f"# as read, {assumption}" for assumption in network.assumptions]
    for v, label in enumerate(network.labels):
        if label != v:
            lines.append(f"# node {v} is {json.dumps(label)}")
    linked = {v for edge in network.edges for v in edge}
    lines += [str(v) for v in range(network.node_count) if v not in linked]
    widths = [f" {bandwidth_to_data(b)}" for b in network.bandwidths] or [""] * len(network.edges)
    lines += [f"{u} {v}{width}" for (u, v), width in zip(network.edges, widths, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def _schedule(saved: SavedResult) -> bytes:
    """Return the schedule, in the numbers of the nodes; for the worst node a list of those of all nodes."""
    if saved.schedule is None:
        return b"null\n"
    nodes = range(saved.problem.network.node_count)
    said: Any = _all_rounds(saved.schedule.to_json(nodes))
    if saved.problem.choice == "max":
        if set(saved.claimed.indexed_schedules) != set(nodes):
            raise InputError("the result does not hold a schedule for every node")
        said = [_all_rounds(saved.claimed.indexed_schedules[v].to_json(nodes)) for v in nodes]
    return (json.dumps(said) + "\n").encode()


def _all_rounds(schedule: dict[str, Any]) -> dict[str, Any]:
    """Return the data of a schedule with all its rounds listed, as the kernel reads them."""
    if TOTAL not in schedule:
        return schedule
    listed = schedule["rounds"]
    rounds = [listed[t % len(listed)] for t in range(schedule[TOTAL])]
    return {name: value for name, value in schedule.items() if name != TOTAL} | {"rounds": rounds}


def _chosen(saved: SavedResult, seconds: float) -> tuple[Problem, Bound | None, Proof]:
    """Return the problem, the bound and the proof of which verify.py checks most.

    Of several such proofs one without a refutation is preferred. Where none is checked wholly, a refutation
    is sought for `seconds`. For the worst node, the problem is that of a node for which the bound holds.
    """
    claim = claim_of(saved)
    if claim.least is None or claim.follows_from(0):
        return saved.at, None, Proof()
    if saved.certificate is None:
        raise InputError("the result's lower bound is not certified; solve with --output certifies it")
    found: list[tuple[Problem, Bound, Proof]] = []
    for bound in saved.certificate.lower:
        if claim.follows_from(bound.value):
            at, kind, evidence = evidence_of(saved.problem, bound)
            place = proven_place(at, kind, evidence, claim)
            told = place if saved.problem.choice == "max" else saved.at
            found.append((told, bound, _proof(told, bound)))
    if not found:
        raise InputError(f"the certificate holds no bound of {claim}")
    if all(proof.rests_on for _, _, proof in found) and (more := sought(saved, seconds)) is not None:
        told = more[0] if saved.problem.choice == "max" else saved.at
        found.append((told, more[1], _proof(told, more[1])))
    return min(found, key=lambda each: (len(each[2].rests_on), each[2].refutes))


def _proof(told: Problem, bound: Bound) -> Proof:
    """Return how the program proves a bound; where it does not, it names the evidence."""
    evidence = bound.evidence or {}
    proof = bundle_parts(told).proof(evidence)
    return proof or Proof(rests_on=(evidence["kind"].replace("-", " "),))


def program_of(claim: Mapping[str, Any], functions: Sequence[Callable[..., Any] | None]) -> str:
    """Return the text of verify.py.

    Parameters
    ----------
    claim
        What the bundle proves.
    functions
        Of the kernel, for the words, the replay and the lower bound; the last None where none is proven.
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
    """Yield the program line by line: what is claimed, what verifies it, and the start."""
    yield "#!/usr/bin/env python3"
    yield '"""Verifies what claim.md claims of the files beside it; needs Python 3.9 or newer."""'
    yield f"{FUTURE}\nimport sys\n"
    yield 'if __name__ == "__main__" and not getattr(sys.flags, "safe_path", sys.flags.isolated):'
    yield "    del sys.path[0]  # What lies beside is data, no modules."
    yield imports.replace(", sys\n", "\n")
    yield f"\nCLAIM = {literal(claim)}\n\n{definitions}\n"
    names = ", ".join("None" if f is None else f.__name__ for f in functions)
    yield f"FUNCTIONS = ({names})"
    yield 'if __name__ == "__main__":'
    yield "    sys.exit(main(CLAIM, Path(__file__).resolve().parent, *FUNCTIONS))"
