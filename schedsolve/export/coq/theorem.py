"""A result as a theorem of Coq.

Its network, its schedule, its proof, and one theorem that says what is optimal, or what does not suffice.

What the words of the theorem mean stands in theory/Definitions.v; its proof rests on the lemmas of theory/,
and Coq computes everything again: nothing that is said here is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from schedsolve.certify.problem_named import problem_words
from schedsolve.certify.saved_files import placed, read_file
from schedsolve.certify.saved_result import read_saved_result
from schedsolve.export.bundles.of_problem import bundle_parts
from schedsolve.export.coq.bounds import COMPUTED, Lemma, lemma_for
from schedsolve.export.coq.refutations import SECONDS, Question, Saved, saved_evidence
from schedsolve.export.coq.terms import (
    identifier,
    network_term,
    numbers,
    pairs_term,
    schedule_term,
    table,
    task_term,
)
from schedsolve.kernel.rounds import replay_rounds
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import RESULT_FORMAT, Status, value_from_json
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import model_of, read_problem
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_coq_comment
from schedsolve.runtime.files.whole_file import write_whole
from schedsolve.runtime.limits.budget import BUDGET, longer, naming, within

THEOREM_BUDGET = replace(BUDGET, seconds=600)
"""A refutation is looked for here, and its hints, which takes longer than reading a file."""
_TAKEN = {
    "accumulation", "apply", "as", "at", "best_by_schedule", "bool", "broadcast", "by_schedule", "cofix",
    "distances", "distant", "else", "end", "exact", "exists", "false", "fix", "for", "forall", "from_best",
    "from_worst", "fun", "gossip", "if", "images", "in", "intros", "let", "list", "lower", "match", "mod",
    "multicast", "nat", "network", "node", "nth", "optimal", "optimal_by", "optimal_none", "prices", "prod",
    "proof", "prop", "refine", "return", "reverse", "schedule", "schedules", "set", "sprop",
    "suffices_lasting", "text", "the_schedule", "then", "true", "type", "upper", "using", "where", "with",
}  # fmt: skip
"""Words of Coq, and those that the file uses, that a network might have as its name."""


@dataclass(frozen=True)
class Statement:
    """What a theorem is about.

    Attributes
    ----------
    asked
        The problem as the file has it.
    two_way
        Whether calls go both ways.
    name
        Of the network in Coq.
    """

    asked: Problem
    two_way: bool
    name: str

    @property
    def mode(self) -> str:
        """Coq's name of the mode, which is that of the model."""
        return self.asked.model

    def proposition(self) -> str:
        """Return the property of numbers of rounds that the theorem is about."""
        problem, place = self.asked, f"{self.mode} {self.name}"
        if problem.choice:
            at = "v" if problem.task == "accumulation" else "[v]"
            which = "best" if problem.choice == "min" else "worst"
            return f"from_{which} {self.name} (fun v => {problem.task} {place} {at})"
        if problem.task == "gossip":
            return f"gossip {place}"
        if problem.task == "accumulation":
            return f"accumulation {place} {problem.sources[0]}"
        ends = numbers(problem.sources)
        return f"{problem.task} {place} {ends}" + (
            f" {numbers(problem.targets)}" if problem.task == "multicast" else ""
        )

    def task(self, source: str | None = None) -> str:
        """Return the term of the task; source: the node's term, where it is left open."""
        if self.asked.task == "accumulation":
            return f"accumulation_task {self.name} {source or self.asked.sources[0]}"
        return task_term(self.asked, self.name, source)


def export_theorem(file: str, out: str, seconds: float = SECONDS) -> list[str]:
    """Write a saved result as a theorem of Coq.

    Return the name of the file written. A refutation that the file lacks is sought for so many seconds of CPU
    time.

    Raises
    ------
    InputError
        If the file is no result, it is neither proven optimal nor infeasible, theory/ knows no such problem,
        or it has no lemma for the lower bound.
    OverBudgetError
        If the file asks for too much.
    """
    with within(longer(THEOREM_BUDGET, seconds)):
        return written_from_result(file, out, lambda data: theorem_text(data, seconds))


def written_from_result(file: str, out: str, text_of: Callable[[Any], str]) -> list[str]:
    """Write the text that a function makes of the JSON data of a saved file.

    Return the name of the file written.

    Raises
    ------
    InputError
        With the file's name, if the function refuses the data.
    OverBudgetError
        If the file asks for too much.
    """
    with naming(file):
        text = text_of(read_file(file))
    write_whole(text.encode(), out)
    return [out]


def theorem_text(data: Any, seconds: float = SECONDS) -> str:
    """Return the file of Coq for the JSON data of a result.

    Raises
    ------
    InputError
        And ClaimError as `export_theorem` does.
    """
    return "\n".join(_lines(statement_in(data), data, seconds)) + "\n"


def statement_in(data: Any) -> Statement:
    """Return what a theorem about the result in JSON data is about.

    Raises
    ------
    InputError
        If it is no result, and as `statement_of` does.
    """
    if not isinstance(data, Mapping) or data.get("format") != RESULT_FORMAT:
        raise InputError("no schedsolve result")
    return statement_of(read_problem(data.get("problem")))


def statement_of(problem: Problem) -> Statement:
    """Return what a theorem about the problem is about.

    Raises
    ------
    InputError
        For a model without theory.
    """
    bundle = None if problem.period is not None else bundle_parts(problem)
    if bundle is None or bundle.replay is not replay_rounds:
        what = f"{problem.model} with a period" if problem.period is not None else problem.model
        raise InputError(
            f"theory/ has no lemmas on {what} yet: they are on calls in rounds that share no node"
        )
    name = identifier(problem.network.name, "given_network")
    if name.lower() in _TAKEN or name.endswith("_refuted") or name == problem.model:
        name += "_network"
    return Statement(problem, bundle.claim["two_way"], name)


def _lines(statement: Statement, data: Mapping[str, Any], seconds: float) -> Iterator[str]:
    """Yield the file, paragraph by paragraph."""
    asked, name, proposition = statement.asked, statement.name, statement.proposition()
    certificate = read_saved_result(data).certificate
    saved = saved_evidence(asked, () if certificate is None else certificate.lower)
    theorem = f"{name}_{asked.task}"
    value = proven_value(asked, data)
    refuted = asked.rounds if value is None else value - 1
    assert refuted is not None
    yield f"(* {in_coq_comment(problem_words(asked))}"
    yield "   Check it with: make theory && coqc -Q theory Schedsolve THIS_FILE *)"
    yield "From Coq Require Import List.\nImport ListNotations."
    yield "From Schedsolve Require Import Definitions Checker Theorems Reversal."
    yield "From Schedsolve Require Import Counting Prices FewestCalls BusyEnds InnerRefutation."
    yield "From Schedsolve Require Import DistantPairs Trees.\n"
    yield f"Definition {name} : network :=\n  {network_term(asked.network)}.\n"
    if value is not None:
        yield from _upper(statement, data, value)
    if refuted >= 0:
        yield from _lower(statement, data, saved, refuted, seconds)
    if value is None:
        yield f"Theorem {theorem} : ~ {proposition} {refuted}.\nProof. exact lower. Qed.\n"
    else:
        yield f"Theorem {theorem} : optimal ({proposition}) {value}."
        yield f"Proof. {'exact (optimal_none _ upper).' if value == 0 else _both(statement)} Qed.\n"
    yield f"Print Assumptions {theorem}."


def proven_value(problem: Problem, data: Mapping[str, Any]) -> int | None:
    """Return the optimum that the result claims; None when it claims that the asked rounds do not suffice."""
    value, lower = (value_from_json(data.get(name), name) for name in ("value", "lower_bound"))
    if data.get("status") == Status.INFEASIBLE and problem.rounds is not None:
        return None
    if data.get("schedule") is None or value is None or value != lower:
        raise InputError(
            f"the result is neither proven optimal nor infeasible; its bounds are {lower}, {value}"
        )
    return int(value)


def _both(statement: Statement) -> str:
    lasting = "intros; apply suffices_lasting"
    choice = statement.asked.choice
    if choice:
        lasting = f"apply from_{'best' if choice == 'min' else 'worst'}_lasting; {lasting}"
    return f"apply optimal_by; [{lasting}|exact upper|exact lower]."


def _upper(statement: Statement, data: Mapping[str, Any], value: int) -> Iterator[str]:
    """Yield the schedule, and that so many rounds suffice."""
    asked, place = statement.asked, f"{statement.mode} {statement.name}"
    if asked.choice == "max":
        rows = [schedule_term(schedule) for schedule in _schedules(asked, data)]
        yield "Definition schedules : list schedule :=\n  [" + ";\n   ".join(rows) + "].\n"
        by = f"worst_by_schedules {place} (fun v => {statement.task('v')}) schedules {value} _"
    else:
        schedule = saved_schedule(placed(asked, data), data)
        yield f"Definition the_schedule : schedule :=\n  {schedule_term(schedule)}.\n"
        if asked.choice:
            node = placed(asked, data).sources[0]
            tasks = f"(fun v => {statement.task('v')})"
            by = f"best_by_schedule {statement.name} {tasks} {statement.mode} {node} the_schedule {value} _"
        else:
            by = f"by_schedule {place} ({statement.task()}) the_schedule {value} _"
    yield f"Lemma upper : {statement.proposition()} {value}."
    yield f"Proof.\n  refine ({by}).\n  {COMPUTED}\nQed.\n"


def saved_schedule(problem: Problem, data: Mapping[str, Any]) -> Schedule:
    """Return the schedule in the data, which solves the problem."""
    model = model_of(problem)
    schedule = model.form.read(data.get("schedule"), problem.network)
    seen = model.replay(problem, schedule)
    if seen.violation or not isinstance(schedule, Schedule):
        raise InputError(f"the schedule does not hold: {seen.violation}")
    return schedule


def _schedules(problem: Problem, data: Mapping[str, Any]) -> list[Schedule]:
    """Return the schedules for all nodes, in their order."""
    entries = data.get("schedules")
    found = {}
    for entry in entries if isinstance(entries, list) else []:
        if isinstance(entry, Mapping):
            at = placed(problem, entry)
            found[at.sources[0]] = saved_schedule(at, entry)
    nodes = range(problem.network.node_count)
    if set(found) != set(nodes):
        raise InputError("the result has no schedule for every node")
    return [found[v] for v in nodes]


def _lower(
    statement: Statement, data: Mapping[str, Any], saved: Saved, rounds: int, seconds: float
) -> Iterator[str]:
    """Yield the lemma that so many rounds do not suffice, and what it uses."""
    asked, name, mode = statement.asked, statement.name, statement.mode
    problem = placed(asked, data) if asked.choice == "max" else asked
    backwards = problem.task == "accumulation"
    network = f"(reverse {name})" if backwards else name
    problem_of = problem.with_parameters(rounds=None)
    question = Question(problem_of, mode, network, statement.two_way, rounds, seconds)
    lemma = lemma_for(question, saved)
    yield from _lists(lemma)
    yield f"Lemma lower : ~ {statement.proposition()} {rounds}.\nProof."
    if asked.choice == "max":
        yield f"  apply (worst_refuted {name} _ {problem.sources[0]}); [{COMPUTED[:-1]}|]."
    if backwards and problem.choice:
        yield f"  apply (best_accumulation_refuted {mode} {name})."
    elif backwards:
        yield f"  apply (accumulation_refuted {mode} {name}); [{COMPUTED[:-1]}|]."
    yield f"  {lemma.step}.\n  {COMPUTED}\nQed.\n"


def _lists(lemma: Lemma) -> Iterator[str]:
    if lemma.proof:
        if lemma.distant:
            yield f"Definition distant : list (node * node) :=\n  {pairs_term(lemma.distant)}.\n"
        else:
            yield f"Definition images : list (list node) :=\n  {table(lemma.images)}.\n"
        # Coq reads one long list slowly.
        for k, text in enumerate(lemma.proof):
            yield f'Definition proof_{k} : text := "{text}"%proof.'
        parts = "; ".join(f"proof_{k}" for k in range(len(lemma.proof)))
        yield f"Definition proof : list text := [{parts}].\n"
    for name, rows in (("distances", lemma.distances), ("prices", lemma.prices)):
        if rows:
            yield f"Definition {name} : list (list nat) :=\n  {table(rows)}.\n"
