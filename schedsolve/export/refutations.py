"""The refutations of a result as files for any other checker of proofs.

The plain formula as DIMACS, with the names of its variables, and its proof in the text forms of DRAT and,
with hints, of LRAT.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from schedsolve.certify.lower_side import Claim, claim_of, evidence_of
from schedsolve.certify.problem_named import problem_words
from schedsolve.certify.saved_files import read_file
from schedsolve.certify.saved_result import SavedResult, read_saved_result
from schedsolve.export.hints import HintedLemma, hinted_lemmas
from schedsolve.modelkit.formulas.cnf import Cnf
from schedsolve.modelkit.formulas.cubes import joined_proof, proofs_by_cube
from schedsolve.modelkit.formulas.dimacs import dimacs_text, name_comments
from schedsolve.modelkit.formulas.proof import proof_lines
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Bound
from schedsolve.models import model_of
from schedsolve.runtime.errors import ClaimError, InputError, RetiredEvidenceError
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.runtime.limits.budget import BUDGET, longer, naming, within
from schedsolve.solving.refuting import refuted

SECONDS = 60.0
"""CPU time for which a refutation is sought where the file has none."""


@dataclass(frozen=True)
class Refutation:
    """A refutation in a certificate.

    Attributes
    ----------
    name
        What it proves, as a folder's name.
    problem
        The one whose formula is refuted.
    evidence
        As it stands in the file.
    """

    name: str
    problem: Problem
    evidence: Mapping[str, Any]


def export_refutations(file: str, folder: str, seconds: float = SECONDS) -> list[str]:
    """Write formula.cnf, proof.drat and proof.lrat for every refutation in a result.

    They are in the folder itself when there is one refutation, else in a folder each. The names of the files
    written. Where the file has none, one is sought for so many seconds of CPU time.

    Raises InputError when the file is no result, holds no refutation or one that does not go through (which
    shows with proof.lrat, the last to be written), or the folder cannot be written.
    """
    with within(longer(BUDGET, seconds)), naming(file):
        found = list(refutations(read_saved_result(read_file(file)), seconds))
        written = []
        for refutation in found:
            place = Path(folder) if len(found) == 1 else Path(folder) / refutation.name
            for name, text in refutation_texts(refutation):
                make_folder(place)
                write_whole(text.encode(), place / name)
                written.append(str(place / name))
    return written


def make_folder(place: Path) -> None:
    """Make a folder, and those around it.

    Raises
    ------
    InputError
        If it cannot be made.
    """
    try:
        place.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"cannot make the folder {place}: {error.strerror}") from None


def refutations(saved: SavedResult, seconds: float = SECONDS) -> Iterator[Refutation]:
    """Yield the refutations in a result's certificate, those for shorter periods too.

    A certificate without one gets a refutation here, if one is found in so many seconds of CPU time.

    Raises
    ------
    InputError
        If there is none.
    """
    problem, certificate = saved.problem, saved.certificate
    if certificate is None:
        raise InputError("the result has no certificate, so no refutation either")
    free = problem.with_parameters(period=None) if problem.period == "min" else problem
    parts = [("", free, certificate.lower)]
    for period, bounds in certificate.shorter_periods.items():
        parts.append((f"period-{period}-", problem.with_parameters(period=period), bounds))
    kinds, names = [], set()
    for name, asked, bounds in parts:
        for bound in bounds:
            try:
                at, kind, evidence = evidence_of(asked, bound)
            except RetiredEvidenceError:
                continue
            kinds.append(kind)
            if kind == "refutation":
                wanted = f"{name}refuted-{_natural(evidence.get('rounds'))}"
                unique = next(
                    n
                    for n in (wanted, *(f"{wanted}-{i}" for i in range(2, len(kinds) + 2)))
                    if n not in names
                )
                names.add(unique)
                yield Refutation(unique, at, evidence)
    if not names:
        found = sought(saved, seconds)
        if found is None:
            rest = ", ".join(dict.fromkeys(kinds)) or "nothing"
            raise InputError(
                f"the result holds no refutation, and none was found in {seconds:g} CPU seconds"
                f" (--time-limit); its lower bounds rest on {rest}"
            )
        at, bound = found
        evidence = bound.evidence or {}
        yield Refutation(f"refuted-{_natural(evidence.get('rounds'))}", at, evidence)


def sought(saved: SavedResult, seconds: float) -> tuple[Problem, Bound] | None:
    """Seek a refutation that proves what the lower side of a result claims.

    Of the worst source or root it is one for a node for which the certificate proves the bound.

    Returns
    -------
    tuple[Problem, Bound] or None
        What is refuted, and the bound with the refutation; None if none is found in so many seconds of CPU.
    """
    claim, problem = claim_of(saved), saved.problem
    if claim.least is None or claim.follows_from(0) or saved.certificate is None or problem.period == "min":
        return None
    for bound in saved.certificate.lower:
        if claim.follows_from(bound.value):
            at, kind, evidence = evidence_of(problem, bound)
            place = proven_place(at, kind, evidence, claim)
            found = refuted(place, claim.least if claim.beyond else claim.least - 1, seconds)
            return (place, found) if found is not None and claim.follows_from(found.value) else None
    return None


def proven_place(at: Problem, kind: str, evidence: Mapping[str, Any], claim: Claim) -> Problem:
    """Return the problem for which evidence proves a claim: of the worst node that of a node with this bound.

    Raises
    ------
    ClaimError
        If it proves the claim for none.
    """
    proves = model_of(at).claims.get(kind)
    nodes = [at.at_node(v) for v in range(at.network.node_count)] if at.choice == "max" else [at]
    place = next((p for p in nodes if proves is None or claim.follows_from(proves(p, evidence))), None)
    if place is None:
        raise ClaimError(f"its evidence does not prove the lower bound {claim}")
    return place


def _natural(value: Any) -> int:
    if type(value) is not int or value < 0:
        raise ClaimError("a refutation says how many rounds it refutes")
    return value


def refutation_texts(refutation: Refutation) -> Iterator[tuple[str, str]]:
    """Yield the files of a refutation with their names.

    The formula as DIMACS text, built again from the problem, the proof as DRAT text, and, once it has been
    replayed, as LRAT text.
    """
    problem, evidence = refutation.problem, refutation.evidence
    model = model_of(problem)
    lines = joined_proof(proofs_by_cube(evidence)) if "cubes" in evidence else proof_lines(evidence)
    proof = list(_ending_empty(lines))
    proven, cnf = model.refutation(problem, evidence)
    amount = model.objective.quantity(evidence["rounds"])
    head = [
        problem_words(problem),
        f"if {amount} sufficed, this formula would have a model",
        "proof.drat, and proof.lrat with hints, show that it has none,",
        f"so the optimum is at least {proven}",
        *_node_comments(problem),
        *name_comments(_all_names(cnf)),
    ]
    yield "formula.cnf", dimacs_text(cnf, head)
    yield "proof.drat", "\n".join(proof) + "\n"
    lemmas = hinted_lemmas(cnf.clauses, cnf.variable_count, proof)
    yield "proof.lrat", "\n".join(lrat_lines(lemmas)) + "\n"


def lrat_lines(lemmas: Sequence[HintedLemma]) -> Iterator[str]:
    """Yield a proof with hints as LRAT text; a lemma is deleted behind the one that needs it last."""
    own = {lemma.number for lemma in lemmas}
    last_use = {hint: lemma.number for lemma in lemmas for hint in lemma.hints if hint in own}
    spent: dict[int, list[int]] = {}
    for hint, user in last_use.items():
        spent.setdefault(user, []).append(hint)
    for lemma in lemmas:
        yield " ".join(map(str, (lemma.number, *lemma.clause, 0, *lemma.hints, 0)))
        if lemma.clause and lemma.number in spent:
            yield f"{lemma.number} d {' '.join(map(str, spent[lemma.number]))} 0"


def _node_comments(problem: Problem) -> list[str]:
    """Return what the numbers of nodes in the variables' names stand for, where they are not the labels."""
    labels = problem.network.labels
    if labels == tuple(range(len(labels))):
        return []
    return [f"node {v} is {label}" for v, label in enumerate(labels)]


def _all_names(cnf: Cnf) -> dict[int, str]:
    """Return a name for every variable; those that only help to say something are auxiliary."""
    named = cnf.names()
    return {v: named.get(v, f"auxiliary_{v}") for v in range(1, cnf.variable_count + 1)}


def _ending_empty(lines: Iterator[str]) -> Iterator[str]:
    """Yield the proof with the empty clause as its last lemma."""
    for line in lines:
        if line.strip() == "0":
            break
        yield line
    yield "0"
