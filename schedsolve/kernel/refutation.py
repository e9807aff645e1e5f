"""A refutation: formula.cnf is the expected formula, and proof.lrat proves it unsatisfiable."""

from __future__ import annotations

from typing import Any

from .clauses import Formula
from .network import Network
from .wrong import WrongError, require


def refute(formula: Formula, files: dict[str, str]) -> None:
    """Raise WrongError unless formula.cnf is exactly the formula, and proof.lrat refutes it."""
    lines = [line for line in files["formula.cnf"].splitlines() if line[:1] != "c"]
    own = [f"p cnf {formula.variables} {len(formula.clauses)}"]
    own += [" ".join(map(str, [*clause, 0])) for clause in formula.clauses]
    require(lines[0] == own[0] and len(lines) == len(own), "formula.cnf has another size")
    for number, (line, right) in enumerate(zip(lines, own)):
        require(line == right, f"formula.cnf: clause {number} is {line} and should be {right}")
    replay_proof(formula.clauses, files["proof.lrat"])


def as_given_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes formula.cnf, which is taken as given."""
    require(claim["rests_on"], "formula.cnf stands for nothing that is verified here")
    replay_proof(read_formula(files["formula.cnf"])[1], files["proof.lrat"])
    return int(claim["lower_bound"])


def read_formula(text: str) -> tuple[int, list[list[int]]]:
    """Return the number of variables and the clauses of a DIMACS formula, one clause per line."""
    lines = [line for line in text.splitlines() if line[:1] != "c"]
    p, cnf, variables, count = lines[0].split()
    clauses = [[int(word) for word in line.split()] for line in lines[1:]]
    require((p, cnf) == ("p", "cnf") and int(count) == len(clauses), "formula.cnf is damaged")
    require(all(clause and clause[-1] == 0 for clause in clauses), "formula.cnf is damaged")
    return int(variables), [clause[:-1] for clause in clauses]


def replay_proof(clauses: list[list[int]], proof: str) -> None:
    """Raise WrongError unless the lines of the proof lead from the clauses to the empty clause.

    "7 1 -2 0 3 5 0" says that clause 7, (1 or not 2), follows from the clauses 3 and 5: suppose its
    literals are false; then all literals but one of each named clause are false, so that this one
    is true, and all of the last named clause are false. "7 d 4 0" deletes clause 4.
    """
    known = {number: frozenset(clause) for number, clause in enumerate(clauses, 1)}
    newest = len(clauses)
    for number, line in enumerate(proof.splitlines(), 1):
        name, *words = line.split()
        if words[0] == "d":
            for word in words[1:-1]:
                require(int(word) in known, f"proof.lrat, line {number}: there is no {word}")
                del known[int(word)]
            continue
        numbers = [int(word) for word in words]
        middle = numbers.index(0)
        clause, hints = numbers[:middle], numbers[middle + 1 : -1]
        if numbers[-1] != 0 or int(name) <= newest or not follows(clause, hints, known):
            raise WrongError(f"proof.lrat, line {number}: the lemma does not follow by its hints")
        newest = int(name)
        known[newest] = frozenset(clause)
        if not clause:
            return
    raise WrongError("proof.lrat ends without the empty clause")


def follows(clause: list[int], hints: list[int], known: dict[int, frozenset[int]]) -> bool:
    """Return whether the hints derive a contradiction from the negation of the clause."""
    false = set(clause)
    for place, hint in enumerate(hints, 1):
        left = known[hint] - false if hint in known else ()
        if not left and hint in known:
            return place == len(hints)
        if len(left) != 1:
            return False
        false.update(-literal for literal in left)
    return False
