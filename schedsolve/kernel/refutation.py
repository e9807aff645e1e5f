"""A refutation: formula.cnf is the formula, clause by clause, and proof.lrat proves that it has
no model.
"""

from __future__ import annotations

from typing import Any

from .clauses import Formula
from .network import Network
from .wrong import WrongError, require


def refute(formula: Formula, files: dict[str, str]) -> None:
    """Raise WrongError unless formula.cnf holds just the formula, and proof.lrat refutes it."""
    variables, clauses = read_formula(files["formula.cnf"])
    sizes = variables, len(clauses)
    require(sizes == (formula.variables, len(formula.clauses)), "formula.cnf has another size")
    for number, (clause, own) in enumerate(zip(clauses, formula.clauses), 1):
        require(clause == own, f"formula.cnf: clause {number} is {clause} and should be {own}")
    replay_proof(formula.clauses, files["proof.lrat"])


def as_given_refuted(claim: dict[str, Any], network: Network, files: dict[str, str]) -> int:
    """proof.lrat refutes formula.cnf, which is taken as it stands."""
    require(claim["rests_on"], "formula.cnf stands for nothing that is verified here")
    replay_proof(read_formula(files["formula.cnf"])[1], files["proof.lrat"])
    return int(claim["lower_bound"])


def read_formula(text: str) -> tuple[int, list[list[int]]]:
    """The number of variables and the clauses of a formula in DIMACS, one on a line."""
    lines = [line for line in text.splitlines() if line[:1] != "c"]
    p, cnf, variables, count = lines[0].split()
    clauses = [[int(word) for word in line.split()] for line in lines[1:]]
    require((p, cnf) == ("p", "cnf") and int(count) == len(clauses), "formula.cnf is damaged")
    require(all(clause and clause[-1] == 0 for clause in clauses), "formula.cnf is damaged")
    return int(variables), [clause[:-1] for clause in clauses]


def replay_proof(clauses: list[list[int]], proof: str) -> None:
    """Raise WrongError unless the lines of the proof lead from the clauses to the empty clause.

    "7 1 -2 0 3 5 0" says that clause 7, (1 or not 2), follows by the clauses 3 and 5: suppose that
    its literals are false; of each clause named all literals but one are false then, so that one is
    true; of the last clause named all are false. "7 d 4 0" says that clause 4 is used no more.
    """
    known = dict(enumerate(clauses, 1))
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
        known[newest] = clause
        if not clause:
            return
    raise WrongError("proof.lrat ends without the empty clause")


def follows(clause: list[int], hints: list[int], known: dict[int, list[int]]) -> bool:
    """Whether the hints lead from the negation of the clause to a clause with nothing true left."""
    true = {-literal for literal in clause}
    for place, hint in enumerate(hints, 1):
        left = [literal for literal in known.get(hint, ()) if -literal not in true]
        if not left and hint in known:
            return place == len(hints)
        if len(set(left)) != 1:
            return False
        true.add(left[0])
    return False
