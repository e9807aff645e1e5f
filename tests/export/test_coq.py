"""Results as theorems of Coq: what is written, without Coq (`make theory` has it accepted), and what is
refused.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from schedsolve.export.coq import refutations as coq_refutations
from schedsolve.export.coq.bounds import LEMMAS as REFUTED_BY
from schedsolve.export.coq.claim_file import claim_text
from schedsolve.export.coq.distant_pairs import renumbered
from schedsolve.export.coq.proof import LONGEST_TEXT
from schedsolve.export.coq.refutations import Choice, Question, Saved, refutation_for, refuted_formula
from schedsolve.export.coq.theorem import theorem_text
from schedsolve.export.hints import HintedLemma
from schedsolve.modelkit.result import result_to_json
from schedsolve.models import build_problem, read_problem
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.escapes import in_coq_comment
from schedsolve.solving.solve import solve
from tests.command_line import Cli, refused
from tests.reference.lrat_checker import refutes

from .saved_theorems import by_pairs, result, saved_text

THEORY = Path(__file__).parents[2] / "theory"
STATEMENTS = {
    "telephone gossip petersen": "petersen_gossip : optimal (gossip telephone petersen) 4.",
    "telegraph gossip path:3": "path_3_gossip : optimal (gossip telegraph path_3) 4.",
    "telephone gossip petersen --rounds 3": "petersen_gossip : ~ gossip telephone petersen 3.",
    "telephone gossip path:1": "path_1_gossip : optimal (gossip telephone path_1) 0.",
    "telephone broadcast cycle:5 --source 2": (
        "cycle_5_broadcast : optimal (broadcast telephone cycle_5 [2]) 3."
    ),
    "telegraph broadcast star:4 --source min": (
        "star_4_broadcast : optimal (from_best star_4 (fun v => broadcast telegraph star_4 [v])) 3."
    ),
    "telegraph accumulation star:4 --root max": (
        "star_4_accumulation : optimal (from_worst star_4 (fun v => accumulation telegraph star_4 v)) 3."
    ),
    "telephone multicast path:5 --source 1 --targets 3,4": (
        "path_5_multicast : optimal (multicast telephone path_5 [1] [3; 4]) 3."
    ),
}
LEMMAS = {
    "telephone gossip petersen": "doubling_refuted",
    "telephone gossip cycle:5": "odd_order_refuted",
    "telephone gossip path:4": "distance_refuted",
    "telephone gossip random-regular:3,8": "gossip_refuted",
    "telegraph gossip cycle:5": "gossip_refuted",
    "telegraph gossip complete:6": "prices_refuted",
    "telephone broadcast star:5 --source 0": "broadcast_refuted",
    "telegraph broadcast star:5 --source min": "best_broadcast_refuted",
    "telephone multicast star:5 --source 0 --targets 1,2,3": "multicast_refuted",
    "telegraph accumulation path:6 --root min": "best_refuted_by",
}


@pytest.mark.parametrize("line", STATEMENTS)
def test_the_statement(line: str) -> None:
    """The theorem says of the problem what the result found, and its assumptions are printed last."""
    text = theorem_text(result(line))
    assert f"Theorem {STATEMENTS[line]}\n" in text
    name = STATEMENTS[line].split()[0]
    assert text.endswith(f"Print Assumptions {name}.\n")
    assert max(map(len, text.splitlines())) <= LONGEST_TEXT + 40


@pytest.mark.parametrize("line", LEMMAS)
def test_the_lemma(line: str) -> None:
    """Counting and distance decide where they can; what they do not decide takes a refutation."""
    text = theorem_text(result(line))
    steps = re.findall(r"refine \((\w+)", text[text.index("Lemma lower") :])
    assert steps == [LEMMAS[line]]
    assert ("proof_0" in text) == ("_refuted" in steps[0] and "Definition images" in text)


@pytest.mark.parametrize("model", ["telephone", "telegraph"])
def test_the_lemma_on_trees(model: str) -> None:
    """In a tree a gossip takes twice the rounds of a broadcast, two-way one less; stars too."""
    for tree, broadcast in (("star:7", 6), ("tree:2,2", 4), ("star:5", 4)):
        text = theorem_text(result(f"{model} gossip {tree}"))
        rounds = 2 * broadcast - (2 if model == "telephone" else 1)
        name = tree.replace(":", "_").replace(",", "_")
        assert f"apply (tree_refuted {model} {name} {broadcast - 1} {rounds});" in text


def numbers_of(text: str) -> Iterator[int]:
    """The numbers of the proof in a file, read as theory/Checker.v reads them."""
    above = 0
    for digits in re.findall('^Definition proof_[0-9]+ : text := "(.*)"%proof', text, re.MULTILINE):
        assert len(digits) % 8 == 0
        for character in digits.rstrip(" "):
            digit = ord(character) - ord("0")
            above = 32 * above + digit % 32
            if digit < 32:
                yield above
                above = 0


def lrat(numbers: Iterator[int], clause_count: int) -> Iterator[str]:
    """The same proof as LRAT text."""
    number = clause_count
    for first in numbers:
        number += 1
        words, x = [], first
        while x:
            words.append(str(x // 2 if x % 2 == 0 else -(x // 2)))
            x = next(numbers)
        hints = []
        while back := next(numbers):
            hints.append(str(number - back))
        yield " ".join([str(number), *words, "0", *hints, "0"])


@pytest.mark.parametrize(
    "line",
    ["telegraph gossip cycle:6", "telephone gossip grid:2x4 --rounds 3", "telegraph gossip complete:5"],
)
def test_the_proof(line: str) -> None:
    """The proof in the text refutes the formula, with the automorphisms that stand in the text."""
    text = theorem_text(result(line))
    if "Definition images" not in text:
        assert "_refuted" in text
        return
    images = json.loads(text.split("images : list (list node) :=")[1].split("].")[0].replace(";", ",") + "]")
    rounds = int(re.search(r"Lemma lower : ~ gossip \w+ \w+ (\d+)\.", text)[1])  # type: ignore[index]
    model, task, network, *_ = line.split()
    problem = build_problem(model, task, Network.from_spec(network), {})
    question = Question(problem, model, "", model == "telephone", rounds)
    choice = next((c for c, name in REFUTED_BY.items() if name in text), Choice.ANY)
    cnf = refuted_formula(question, images, choice)
    formula = "\n".join(" ".join(map(str, [*clause, 0])) for clause in cnf.clauses)
    proof = list(lrat(numbers_of(text), len(cnf.clauses)))
    assert refutes(formula, "\n".join(proof))
    assert not refutes(formula, "\n".join(proof[:-1]))


@pytest.mark.parametrize("choice", Choice)
def test_all_formulas_of_one_way_gossip(choice: Choice, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each refutation of cycle:6 in five rounds, found alone, is a lemma, and a claim that names it."""
    monkeypatch.setattr(coq_refutations, "FORMULAS_OF_ONE_WAY_GOSSIP", (choice,))
    data = result("telegraph gossip cycle:6")
    assert f"{REFUTED_BY.get(choice, 'gossip_refuted telegraph')} cycle_6 5" in theorem_text(data)
    assert f"task {choice}" in claim_text(data).splitlines()


@pytest.mark.parametrize(("model", "spec"), [("telephone", "cycle:7"), ("telegraph", "cycle:6")])
def test_a_refutation_by_pairs(model: str, spec: str) -> None:
    """It is the one in the file, with the numbers of Coq's formula, and the claim names the pairs."""
    data = by_pairs(model, spec)
    text, name = theorem_text(data), spec.replace(":", "_")
    evidence = data["certificate"]["lower"][0]["evidence"]
    rounds, pairs = evidence["rounds"], [(i, j) for i, j in evidence["pairs"]]
    assert f"(distant_pairs_refuted {model} {name} {rounds} distant (numbers_of proof) _)" in text
    assert "images" not in text
    problem = read_problem(data["problem"])
    network, (_, cnf) = problem.network, refuted(problem, evidence)
    links = len(network.edges if model == "telephone" else network.arcs)
    lemmas = [HintedLemma(k, tuple(clause), ()) for k, clause in enumerate(cnf.clauses)]
    clauses = [x.clause for x in renumbered(lemmas, network, links, rounds, pairs)]
    formula = "\n".join(" ".join(map(str, [*clause, 0])) for clause in clauses)
    proof = list(lrat(numbers_of(text), len(clauses)))
    assert refutes(formula, "\n".join(proof))
    assert not refutes(formula, "\n".join(proof[:-1]))
    assert "task gossip by pairs 0 1 0 2 " in claim_text(data)


def test_a_model_by_inner_rounds_is_no_gossip(monkeypatch: pytest.MonkeyPatch) -> None:
    """On star:4 it leaves five rounds open, and the plain formula is searched next."""
    problem = build_problem("telegraph", "gossip", Network.from_spec("star:4"), {})
    question = Question(problem, "telegraph", "star_4", False, 5, seconds=20)
    choices = (Choice.INNER_ROUNDS, Choice.ANY)
    monkeypatch.setattr(coq_refutations, "FORMULAS_OF_ONE_WAY_GOSSIP", choices)
    assert refutation_for(question, Saved((), {}))[1].choice is Choice.ANY
    monkeypatch.setattr(coq_refutations, "FORMULAS_OF_ONE_WAY_GOSSIP", choices[:1])
    with pytest.raises(InputError, match="no refutation of 5 rounds was found"):
        refutation_for(question, Saved((), {}))


def test_the_command(cli: Cli) -> None:
    """`export FILE -o gossip.v` writes the text, and says so."""
    Path("r.json").write_text(saved_text("telephone gossip petersen"))
    seen = cli("export r.json -o gossip.v")
    assert (seen.status, seen.out, seen.err) == (0, "gossip.v\n", "")
    assert "petersen_gossip" in Path("gossip.v").read_text()
    for option in ("--bundle", "--chunks 2"):
        refused(cli(f"export r.json -o other.v {option}"))
    assert not Path("other.v").exists()
    assert "Coq takes my-gossip.v for no name" in refused(cli("export r.json -o my-gossip.v"))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("line gossip star:4 --ports 1", "no lemmas on line"),
        ("telegraph gossip path:4 --period 4", "telegraph with a period"),
        ("synchronous allgather cycle:4 --steps 2", "no lemmas on synchronous"),
    ],
)
def test_what_has_no_theory_is_refused_by_name(line: str, said: str) -> None:
    """A model that theory/ does not know is named."""
    with pytest.raises(InputError, match=said):
        theorem_text(result(line))


def test_what_has_no_lemma_is_refused_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evidence without a lemma is named, where no plain refutation is found in the time given."""
    monkeypatch.setattr("schedsolve.backends.sat.FIRST_SLICE", 1)
    for text_of in (theorem_text, claim_text):
        with pytest.raises(InputError, match=r"for cycle gossip and origins and dest.* in 0 CPU sec"):
            text_of(result("telegraph gossip cycle:6"), 0.0)


def test_an_open_result_is_refused() -> None:
    """Bounds that do not meet are no theorem."""
    data = {**result("telephone gossip petersen"), "lower_bound": 3}
    with pytest.raises(InputError, match="neither proven optimal nor infeasible; its bounds are 3, 4"):
        theorem_text(data)


def test_a_schedule_that_breaks_a_rule_is_refused() -> None:
    """The referee replays the schedule before it is written."""
    data = json.loads(saved_text("telephone gossip petersen"))
    data["schedule"]["rounds"][0].append({"between": [0, 5]})
    with pytest.raises(InputError, match="the schedule does not hold"):
        theorem_text(data)


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("petersen", "petersen"),
        ("cycle:9", "cycle_9"),
        ("gossip", "gossip_network"),
        ("Set", "Set_network"),
        ("3x3", "given_network_3x3"),
        ('"*) Axiom a : False. (*', "Axiom_a_False"),
        ("", "given_network"),
    ],
)
def test_names(name: str, found: str) -> None:
    """Whatever a network is called, Coq gets a name that is free, and no text of it outside of a comment."""
    network = Network(2, ((0, 1),), name=name)
    text = theorem_text(result_to_json(solve(build_problem("telephone", "gossip", network, {}))))
    assert f"Theorem {found}_gossip : optimal (gossip telephone {found}) 1.\n" in text
    comment, *_ = text.split("*)")
    assert "Axiom a" not in text[len(comment) :]


def test_comments() -> None:
    """Nothing ends the comment, opens another or a text."""
    for text in ("*)", "(*", '"', "(*)", "**))", "((**", "(*(*"):
        assert not re.search(r"\(\*|\*\)|\"", in_coq_comment(text)), text


def test_nothing_is_assumed() -> None:
    """No file of theory/ assumes anything, and what a sceptic has to read is short."""
    words = re.compile(r"\b(Axioms?|Admitted|admit|Parameters?|Conjecture|Hypothesis|Abort)\b")
    files = sorted(THEORY.glob("*.v"))
    assert len(files) >= 12
    listed = (THEORY / "_CoqProject").read_text().split()
    assert sorted(file.name for file in files) == sorted(name for name in listed if name.endswith(".v"))
    for file in files:
        text = file.read_text()
        # What a section supposes is a premise of its theorems.
        found = {word for word in words.findall(text) if word != "Hypothesis"}
        assert not found, file.name
    assert len((THEORY / "Definitions.v").read_text().splitlines()) <= 200


def test_a_claim_for_the_extracted_checker(cli: Cli, tmp_path: Path) -> None:
    """It holds the network, the schedule and the numbers of a refutation, the lemmas forgotten after use."""
    file, out = tmp_path / "cycle.json", tmp_path / "cycle.claim"
    file.write_text(saved_text("telegraph gossip cycle:5"))
    assert cli(f"export {file} -o {out}").status == 0
    lines = out.read_text().splitlines()
    assert lines[:5] == [
        "schedsolve-claim/1",
        "mode telegraph",
        "network undirected 5",
        "links 0 1 0 4 1 2 2 3 3 4",
        "task gossip",
    ]
    numbers = [int(word) for line in lines[lines.index("proof") + 1 :] for word in line.split()]
    assert 1 in numbers
    assert numbers[-1] == 0


@pytest.mark.parametrize(
    "line", ["telephone broadcast cycle:5 --source min", "telephone gossip petersen --rounds 3"]
)
def test_what_the_extracted_checker_does_not_take(line: str, cli: Cli, tmp_path: Path) -> None:
    """Sources left open, and what is not proven optimal."""
    file = tmp_path / "given.json"
    file.write_text(saved_text(line))
    assert "given sources" in refused(cli(f"export {file} -o {tmp_path / 'x.claim'}"))


def test_the_protocol_of_the_counterexample_is_the_shipped_one() -> None:
    """conjecture_31.v has the messages of the result in instances/, in their order, and as many packets."""
    folder = THEORY.parent / "instances"
    with gzip.open(folder / "unequal-costs-2-5-8.json.gz", "rt") as file:
        schedule = json.load(file)["schedule"]
    text = (folder / "theorems" / "conjecture_31.v").read_text()
    start = text.index(":=", text.index("Definition numbers")) + 2
    numbers = json.loads(text[start : text.index("].\n", start) + 1].translate(str.maketrans("();", "[],")))
    assert numbers == [
        [[call["from"], call["to"], call["packets"]] for call in calls] for calls in schedule["rounds"]
    ]
    count = schedule["packet_count"]
    assert f"sizes : list Q := repeat (1#{count}) {count}." in text
