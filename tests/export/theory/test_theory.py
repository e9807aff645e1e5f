"""What Coq says: theory/ and exported theorems rest on no axiom, forged ones are refused, and the formulas
and the referee of theory/ are those of the package. Run by `make theory`.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from schedsolve.export.coq import refutations as coq_refutations
from schedsolve.export.coq.busy_ends import settled_clauses
from schedsolve.export.coq.fewest_calls import waiting_clauses
from schedsolve.export.coq.refutations import Choice
from schedsolve.export.coq.terms import network_term, numbers, schedule_term, table, task_term
from schedsolve.export.coq.theorem import theorem_text
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import result_to_json
from schedsolve.modelkit.schedule import Schedule
from schedsolve.models import build_problem, model_of
from schedsolve.network.automorphisms import automorphisms
from schedsolve.network.graph import Network
from schedsolve.network.named.spec import network_from_spec
from schedsolve.solving.solve import solve
from tests.export.saved_theorems import result
from tests.export.theory.coqc import THEORY, closed, compiled, needs_coq

pytestmark = needs_coq

SHIPPED = sorted((THEORY.parent / "instances" / "theorems").glob("*.v"))
IMPORTS = """From Coq Require Import List NArith PArith.
Import ListNotations.
From Schedsolve Require Import Definitions Replay Checker Variables ItemsFormula BroadcastFormula Refutation.
From Schedsolve Require Import FewestCalls SettledRounds BusyEnds.
"""
LINES = (
    "telephone gossip petersen",
    "telephone gossip petersen --rounds 3",
    "telephone gossip path:1",
    "telephone gossip cycle:5",
    "telephone gossip star:5",
    "telephone gossip star:9",
    "telegraph gossip star:9",
    "telegraph gossip tree:2,2",
    "telephone gossip path:2",
    "telegraph gossip complete:5",
    "telegraph gossip hypercube:3",
    "telegraph broadcast cycle:7 --source min",
    "telephone broadcast star:6 --source max",
    "telegraph broadcast star:5 --source 0,3",
    "telegraph accumulation path:6 --root min",
    "telephone accumulation star:5 --root max",
    "telegraph accumulation star:5 --root 1",
    "telephone multicast star:6 --source 1 --targets 2,3,4",
    "telephone multicast path:6 --source 1,2 --targets 0,5",
)


@pytest.mark.parametrize("line", LINES)
def test_exported_theorems(line: str, tmp_path: Path) -> None:
    """Each form of a theorem, and each lemma, is accepted and closed."""
    assert closed(theorem_text(result(line)), tmp_path)


@pytest.mark.parametrize("seed", range(4))
def test_theorems_on_networks_kept_back(seed: int, tmp_path: Path) -> None:
    """So are those on random networks, directed ones too."""
    rng = Random(seed)
    n, directed = rng.randint(5, 7), seed % 2 == 1
    arcs = {(v, (v + 1) % n) for v in range(n)} | {(rng.randrange(n), rng.randrange(n)) for _ in range(n)}
    links = {(u, v) if directed or u < v else (v, u) for u, v in arcs if u != v}
    network = Network(n, tuple(links), directed=directed, name="kept back")
    for task in ("gossip", "broadcast"):
        options = {} if task == "gossip" else {"source": rng.randrange(n)}
        problem = build_problem("telegraph" if directed else "telephone", task, network, options)
        assert closed(theorem_text(result_to_json(solve(problem))), tmp_path), (seed, task)


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_shipped_theorems(file: Path, tmp_path: Path) -> None:
    """So are those of instances/theorems/."""
    assert closed(file.read_text(), tmp_path)


def test_a_forged_schedule_is_refused(tmp_path: Path) -> None:
    """With a call taken out, moved to where there is no edge, or doubled, the schedule does not do it."""
    text = theorem_text(result("telephone gossip petersen"))
    head, tail = text.split("the_schedule : schedule :=", 1)
    first = re.search(r"\(\d+, \d+\); ", tail)
    assert first is not None
    for other in ("", "(0, 2); ", 2 * first[0]):
        forged = head + "the_schedule : schedule :=" + tail.replace(first[0], other, 1)
        assert not compiled(forged, tmp_path).accepted, other


def test_a_forged_value_is_refused(tmp_path: Path) -> None:
    """Neither is a round less or more optimal."""
    text = theorem_text(result("telephone gossip star:5"))
    for line in ("optimal (gossip telephone star_5) 6", "optimal (gossip telephone star_5) 8"):
        forged = re.sub(r"optimal \(gossip telephone star_5\) \d+", line, text)
        assert forged != text
        assert not compiled(forged, tmp_path).accepted


def test_a_changed_edge_is_refused(tmp_path: Path) -> None:
    """With an edge more there is a faster gossip, and with one less the schedule breaks a rule; an edge that
    stands there twice changes nothing.
    """
    text = theorem_text(result("telephone gossip star:5"))
    assert closed(text.replace("(0, 1)", "(0, 2); (0, 1)", 1), tmp_path)
    for change in ("(0, 1); (1, 2); ", ""):
        assert not compiled(text.replace("(0, 1); ", change, 1), tmp_path).accepted, change


def test_the_theorem_on_trees_is_exact(tmp_path: Path) -> None:
    """It refutes no round more, and says nothing where an edge is no bridge or goes one way only."""
    goals = []
    for network, directed, k, rounds, value in (
        ("star:5", False, 3, {"telephone": 6, "telegraph": 7}, True),
        ("star:5", False, 3, {"telephone": 7, "telegraph": 8}, False),
        ("star:5", True, 3, {"telephone": 6, "telegraph": 7}, False),
        ("cycle:4", False, 2, {"telephone": 3, "telegraph": 3}, False),
        ("path:1", False, 0, {"telephone": 0, "telegraph": 0}, False),
    ):
        given = network_from_spec(network)
        asked = Network(given.node_count, given.edges, directed=directed)
        goals += [
            f"Goal tree_refutes {mode} ({network_term(asked)}) {k} {M} = {str(value).lower()}.\n"
            "Proof. vm_compute. reflexivity. Qed.\n"
            for mode, M in rounds.items()
        ]
    text = IMPORTS + "From Schedsolve Require Import Trees.\n" + "\n".join(goals)
    outcome = compiled(text, tmp_path)
    assert outcome.accepted, outcome.said[-400:]


def lemmas_of(text: str) -> list[str]:
    """The parts of a file's proof that stand for a lemma each."""
    joined = "".join(re.findall('^Definition proof_[0-9]+ : text := "(.*)"%proof', text, re.MULTILINE))
    words = re.findall("[P-o]*[0-O]", joined.replace(" ", ""))
    parts, zeros = [""], 0
    for word in words:
        parts[-1] += word
        zeros += word == "0"
        if word == "0" and zeros % 2 == 0:
            parts.append("")
    return parts[:-1]


def with_proof(text: str, parts: Sequence[str]) -> str:
    """The file with another proof."""
    proof = "".join(parts)
    proof = proof.ljust(-(-len(proof) // 8) * 8)
    text = re.sub("^Definition proof_[0-9]+ .*\n", "", text, flags=re.MULTILINE)
    start, end = text.split("proof : list text := ")
    rest = end[end.index("\n") :]
    return f'{start}proof : list text := ["{proof}"%proof].{rest}'


def test_a_dropped_lemma_is_refused(tmp_path: Path) -> None:
    """A proof falls with any of its lemmas, with its last one, and with nothing left of it."""
    text = theorem_text(result("telephone gossip star:5"))
    parts = lemmas_of(text)
    assert len(parts) > 10
    assert closed(with_proof(text, parts), tmp_path)
    for at in (0, len(parts) // 2, len(parts) - 1):
        assert not compiled(with_proof(text, [*parts[:at], *parts[at + 1 :]]), tmp_path).accepted, at
    assert not compiled(with_proof(text, ["00"]), tmp_path).accepted


def test_a_permutation_that_is_no_automorphism_is_refused(tmp_path: Path) -> None:
    """The images are tested, whatever the refutation makes of them."""
    text = theorem_text(result("telephone gossip star:5"))
    forged = re.sub(r"\[\[0; [^]]*\]", "[[1; 0; 2; 3; 4]", text, count=1)
    assert forged != text
    assert not compiled(forged, tmp_path).accepted


FORMULAS = (
    ("telephone gossip cycle:4", 3, True),
    ("telegraph gossip path:4", 4, True),
    ("telegraph gossip directed", 3, False),
    ("telegraph broadcast grid:2x3 --source 1", 2, True),
    ("telephone broadcast directed --source 0", 2, False),
    ("telephone broadcast star:4 --source min", 2, True),
    ("telegraph accumulation directed --root 2", 3, False),
    ("telephone multicast cycle:5 --source 0,1 --targets 2,4", 2, False),
)


def posed(line: str) -> Problem:
    """The problem of a line; `directed` is a network of five arcs."""
    model, task, network, *options = line.split()
    asked = (
        Network(4, ((0, 1), (1, 2), (2, 3), (3, 0), (0, 2)), directed=True)
        if network == "directed"
        else network_from_spec(network)
    )
    model = "telegraph" if network == "directed" else model
    names = [name.removeprefix("--") for name in options[::2]]
    return build_problem(model, task, asked, dict(zip(names, options[1::2], strict=True)))


def clause_term(clause: Sequence[int]) -> str:
    """A clause in Coq."""
    return f"[{'; '.join(f'({str(x > 0).lower()}, {abs(x)}%positive)' for x in clause)}]"


@pytest.mark.parametrize(("line", "rounds", "symmetric"), FORMULAS)
def test_the_formula_is_the_packages(line: str, rounds: int, symmetric: bool, tmp_path: Path) -> None:
    """Clause for clause, with the clauses for automorphisms, in the same order and numbers."""
    problem = posed(line)
    fixing = () if problem.task == "gossip" or problem.choice else (problem.sources, problem.targets)
    images = [list(x) for x in automorphisms(problem.network, fixing=fixing, limit=5)] if symmetric else []
    _, cnf = model_of(problem).refutation(problem, {"rounds": rounds, "symmetries": images})
    clauses = "; ".join(map(clause_term, cnf.clauses))
    turned = problem.network.reversed() if problem.task == "accumulation" else problem.network
    if problem.task == "gossip":
        made = f"items_formula {problem.model} G (gossip_task G) {rounds} {rounds}"
        full = f"full_formula {problem.model} G {turned.node_count}"
    else:
        origin = "at_most_one_source" if problem.choice else f"(given {numbers(problem.sources)})"
        made = f"one_item_formula G {origin} {numbers(problem.targets)} {rounds}"
        full = "full_formula telegraph G 1"
    text = f"""{IMPORTS}
Definition G := {network_term(turned)}.
Definition written : list clause := [{clauses}].
Goal {full} {rounds} {rounds} ({made}) {table(images) if images else "[]"} = written.
Proof. vm_compute. reflexivity. Qed.
"""
    seen = compiled(text, tmp_path)
    assert seen.accepted, seen.said[-400:]


@pytest.mark.parametrize(
    ("line", "rounds"),
    [("telegraph gossip path:4", 4), ("telegraph gossip cycle:4", 3), ("telegraph gossip directed", 3)],
)
@pytest.mark.parametrize(("spared", "choice"), [(0, Choice.FEWEST_CALLS), (1, Choice.BUSY_ENDS)])
def test_the_clauses_of_a_choice_are_the_packages(
    line: str, rounds: int, spared: int, choice: Choice, tmp_path: Path
) -> None:
    """So are those that a gossip with the fewest calls, or with busy ends, adds."""
    network = posed(line).network
    written = [*waiting_clauses(network, rounds, spared)]
    if choice is Choice.BUSY_ENDS:
        written += [*settled_clauses(network, 1), *settled_clauses(network, rounds)]
    clauses = "; ".join(map(clause_term, written))
    made = f"waiting {spared} G {rounds}"
    if choice is Choice.BUSY_ENDS:
        made += f" ++ settled_clauses G 0 ++ settled_clauses G {rounds - 1}"
    text = f"""{IMPORTS}
Definition G := {network_term(network)}.
Definition written : list clause := [{clauses}].
Goal map (numbered {rounds}%N (N.of_nat (length (callable telegraph G))) {network.node_count}%N
  {network.node_count}%N) ({made}) = written.
Proof. vm_compute. reflexivity. Qed.
"""
    seen = compiled(text, tmp_path)
    assert seen.accepted, seen.said[-400:]


def test_refutations_with_busy_ends(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One is accepted and closed; with a lemma less, of a round more, or on other edges it is not."""
    monkeypatch.setattr(coq_refutations, "FORMULAS_OF_ONE_WAY_GOSSIP", (Choice.BUSY_ENDS,))
    text = theorem_text(result("telegraph gossip cycle:6"))
    assert "busy_ends_refuted cycle_6 5" in text
    assert closed(text, tmp_path)
    edge = text.replace("(0, 1); ", "(0, 1); (0, 3); ", 1)
    assert not compiled(edge, tmp_path).accepted
    lemma = re.sub(r'(proof_0 : text := ").{8}', r"\1", text)
    more = text.replace("busy_ends_refuted cycle_6 5", "busy_ends_refuted cycle_6 6").replace("} 5.", "} 6.")
    for forged in (lemma, more):
        assert forged != text
        assert not compiled(forged, tmp_path).accepted


def random_schedule(network: Network, two_way: bool, rng: Random) -> Schedule:
    """Rounds of calls most of which share no node; now and then one does, or goes where there is no arc."""
    rounds = []
    for _ in range(rng.randint(1, 7)):
        free, calls = set(range(network.node_count)), []
        for u, v in rng.sample(network.arcs, len(network.arcs)):
            if ({u, v} <= free and rng.random() < 0.8) or rng.random() < 0.005:
                free -= {u, v}
                calls.append((u, v))
        rounds.append(calls)
    if rng.random() < 0.1:
        rounds[0].append((0, network.node_count - 1))
    return Schedule.two_way(rounds) if two_way else Schedule.one_way(rounds)


def test_the_referees_agree(tmp_path: Path) -> None:
    """Replay in Coq says of random schedules what the package's referee says."""
    rng, goals, seen = Random(7), list[str](), set[tuple[str, bool]]()
    while len(goals) < 200:
        line = rng.choice(
            [
                "telephone gossip path:3",
                "telegraph gossip complete:3",
                "telephone gossip cycle:4",
                "telephone broadcast grid:2x3 --source 2",
                "telegraph broadcast directed --source 0",
                "telephone multicast cycle:5 --source 0,1 --targets 2,4",
                "telegraph gossip directed",
            ]
        )
        problem = posed(line)
        schedule = random_schedule(problem.network, problem.model == "telephone", rng)
        right = model_of(problem).replay(problem, schedule).violation is None
        seen.add((line, right))
        network = network_term(problem.network)
        task = task_term(problem, "G")
        goals.append(
            f"Goal let G := {network} in replay {problem.model} G ({task}) {schedule_term(schedule)} ="
            f" {str(right).lower()}.\nProof. vm_compute. reflexivity. Qed.\n"
        )
    assert len(seen) == 14, "each problem has right and wrong schedules"
    outcome = compiled(IMPORTS + "\n".join(goals), tmp_path)
    assert outcome.accepted, outcome.said[-600:]


def test_coqchk_agrees() -> None:
    """The checker of compiled files finds no axiom."""
    modules = [f"Schedsolve.{file.stem}" for file in sorted(THEORY.glob("*.v"))]
    run = subprocess.run(
        ["coqchk", "-silent", "-o", "-Q", str(THEORY), "Schedsolve", *modules],
        capture_output=True,
        text=True,
        timeout=1200,
        check=True,
    )
    assert re.search(r"\* Axioms: <none>", run.stdout + run.stderr)
