"""What the claims of the matching models refuse, condition by condition: each change of evidence that proves
something makes it prove nothing, and says why.
"""

from __future__ import annotations

from typing import Any

import pytest

from schedsolve.modelkit.problem import Problem
from schedsolve.models.matching.bounds.prices_between import shipped_prices
from schedsolve.models.matching.claims.covering import covering_claim
from schedsolve.models.matching.claims.formula import refutation_formula
from schedsolve.models.matching.claims.informed_sets import informed_sets_claim
from schedsolve.models.matching.claims.prices_between import prices_between_claim
from schedsolve.models.matching.claims.refutations import refuted
from schedsolve.runtime.errors import ClaimError
from tests.models.matching.problems import posed

Json = dict[str, Any]

PATH = posed("telegraph", "broadcast", "path:4", source=0)
OPEN = posed("telegraph", "broadcast", "path:4", source="min")
WORST = posed("telegraph", "broadcast", "path:4", source="max")
SOME = posed("telegraph", "multicast", "path:4", source=0, targets=[2])
GOSSIP = posed("telegraph", "gossip", "path:4")
STAR = posed("telegraph", "broadcast", "star:4", source=1)
FEW_LEAVES = posed("telegraph", "multicast", "star:4", source=1, targets=[2])
COVERING = {"weights": [0, 0, 0, 1], "rounds": 2}
GOSSIP_COVERING = {**COVERING, "source": "0"}
GARBAGE = "gives an integer weight"


def test_a_covering() -> None:
    """The last node of a path is three steps away, in a broadcast and in a gossip."""
    assert covering_claim(PATH, COVERING) == 3
    assert covering_claim(GOSSIP, GOSSIP_COVERING) == 3
    assert covering_claim(SOME, {"weights": [0, 0, 1, 0], "rounds": 1}) == 2


@pytest.mark.parametrize(
    ("problem", "change", "says"),
    [
        (PATH, {"weights": None}, GARBAGE),
        (PATH, {"weights": [0, 0, 0, 1.0]}, GARBAGE),
        (PATH, {"weights": [0, 0, 0, True]}, GARBAGE),
        (PATH, {"rounds": None}, GARBAGE),
        (PATH, {"rounds": True}, GARBAGE),
        (PATH, {"rounds": -1}, "fewer rounds than"),
        (PATH, {"rounds": 4}, "fewer rounds than"),
        (PATH, {"rounds": 3}, "can reach a weight of 1, which is all"),
        (PATH, {"weights": [0, 0, 0, 0]}, "can reach a weight of 0, which is all"),
        (PATH, {"weights": [0, 0, 1]}, "weight"),
        (PATH, {"weights": [0, 0, -1, 2]}, "weight"),
        (OPEN, {}, "for a given source"),
        (WORST, {}, "for a given source"),
        (SOME, {}, "that need not be informed"),
        (GOSSIP, {"source": [0]}, "names one node"),
        (GOSSIP, {"source": "x"}, "no node|unknown|is not a node"),
        (GOSSIP, {}, "no node|unknown|is not a node"),
    ],
)
def test_coverings_that_are_refused(problem: Problem, change: Json, says: str) -> None:
    """Garbage, an open source, too many rounds, and weights that prove nothing."""
    with pytest.raises(ClaimError, match=says):
        covering_claim(problem, {**COVERING, **change})


LEAF = {"informed": [0], "weights": [0, 0, 0, 1]}
TREE = {"rounds": 2, "symmetries": [], "levels": [[{"informed": [0]}], [{"informed": [0, 1], "weights": 0}]]}
BRANCHED = {**TREE, "weights": [[0, 0, 0, 1]]}
LEVELS = "has levels, lists of states"
STATE = "a state has informed nodes"
BEGINS = "begins with the sources"
LEAVES = {
    "rounds": 2,
    "symmetries": [[0, 1, 3, 2]],
    "levels": [
        [{"informed": [1]}],
        [{"informed": [0, 1]}],
        [{"informed": [0, 1, 2], "weights": [0, 0, 0, 1]}],
    ],
}


def test_a_tree_of_informed_sets() -> None:
    """A leaf alone, a branch before it, and a branch that a symmetry makes of another."""
    assert informed_sets_claim(PATH, {"rounds": 2, "symmetries": [], "levels": [[LEAF]]}) == 3
    assert informed_sets_claim(PATH, BRANCHED) == 3
    assert informed_sets_claim(STAR, LEAVES) == 3
    leaf = {"informed": [0], "weights": [0, 0, 1, 0]}
    assert informed_sets_claim(SOME, {"rounds": 1, "symmetries": [], "levels": [[leaf]]}) == 2


@pytest.mark.parametrize(
    ("problem", "change", "says"),
    [
        (GOSSIP, {"levels": [[{"informed": [0, 1], "weights": 0}]]}, BEGINS),
        (GOSSIP, {"levels": [[{"informed": []}]]}, BEGINS),
        (GOSSIP, {"levels": [[LEAF, {"informed": [1]}]]}, BEGINS),
        (OPEN, {}, "for one message from given sources"),
        (PATH, {"symmetries": [[1, 0, 2, 3]]}, "no automorphism"),
        (PATH, {"levels": None}, LEVELS),
        (PATH, {"levels": [{}]}, LEVELS),
        (PATH, {"levels": [[[]]]}, LEVELS),
        (PATH, {"levels": []}, BEGINS),
        (PATH, {"levels": [[{"informed": [1]}]]}, BEGINS),
        (PATH, {"levels": [[{"informed": [0]}, {"informed": [1]}]]}, BEGINS),
        (PATH, {"levels": [[LEAF], [], [], []]}, BEGINS),
        (PATH, {"weights": None}, "that states share are a list"),
        (PATH, {"weights": []}, STATE),
        (PATH, {"levels": [[{"informed": [0], "weights": -1}]]}, STATE),
        (PATH, {"levels": [[{"informed": [0], "weights": [0, 0, 0, "1"]}]]}, STATE),
        (PATH, {"levels": [[{"informed": 0}]]}, STATE),
        (PATH, {"levels": [[{"informed": [False]}]]}, STATE),
        (PATH, {"levels": [[{"informed": [0]}], [{"informed": [0, 4]}]]}, "outside the network"),
        (PATH, {"levels": [[{"informed": [0]}]]}, "a branch is left out: round 1 may inform 1"),
        (PATH, {"rounds": 1, "levels": [[{"informed": [0]}], [{"informed": [0, 1]}]]}, "branch is left out"),
        (PATH, {"weights": [[0, 0, 1, 0]]}, "proves nothing"),
        (PATH, {"weights": [[0, 0, 0]]}, "weight"),
        (SOME, {}, "that need not be informed"),
    ],
)
def test_trees_that_are_refused(problem: Problem, change: Json, says: str) -> None:
    """Other problems, garbage, a wrong root, a branch left out, leaves that prove nothing."""
    with pytest.raises(ClaimError, match=says):
        informed_sets_claim(problem, {**BRANCHED, **change})


def test_symmetries_of_a_tree() -> None:
    """They are needed where a branch is left out for them, and keep the targets."""
    with pytest.raises(ClaimError, match="a branch is left out: round 2 may inform 3"):
        informed_sets_claim(STAR, {**LEAVES, "symmetries": []})
    with pytest.raises(ClaimError, match="moves a target away"):
        informed_sets_claim(FEW_LEAVES, LEAVES)


def test_a_round_that_informs_too_many_sets(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not enumerated."""
    monkeypatch.setattr("schedsolve.models.matching.claims.informed_sets.MOST_BASES", 1)
    with pytest.raises(ClaimError, match="may inform more than 1 sets"):
        informed_sets_claim(STAR, LEAVES)


BETWEEN = shipped_prices()[0]
CUBIC = posed("telegraph", "gossip", "harary:3,16")
BETWEEN_SAID = 'prices between say "degree"'


def test_prices_between() -> None:
    """The smallest of those shipped."""
    assert prices_between_claim(CUBIC, BETWEEN) == BETWEEN["rounds"] + 1


@pytest.mark.parametrize(
    ("spec", "change", "says"),
    [
        ("cycle:16", {name: value}, BETWEEN_SAID)
        for name in ("degree", "rounds", "wanted")
        for value in (None, 0, True, 1.0)
    ]
    + [
        ("cycle:16", {"rounds": 2}, BETWEEN_SAID),
        ("cycle:16", {"tags": None}, BETWEEN_SAID),
        ("cycle:16", {"degree": 13}, "looked at up to"),
        ("cycle:16", {"rounds": 13}, "looked at up to"),
        ("cycle:16", {"prices": None}, "a price is given as"),
        ("cycle:16", {"prices": [1]}, "a price is given as"),
        ("cycle:16", {"prices": [[1, 0, 1]]}, "a price is given as"),
        ("cycle:16", {"prices": [[1, 0, 1, 1.5]]}, "a price is given as"),
        ("cycle:16", {"prices": []}, "there is no price"),
        ("cycle:16", {"prices": [[1, 0, 1, 10**10]]}, "prices are at most"),
        ("cycle:16", {"prices": [[1, 0, 1, -(10**10)]]}, "prices are at most"),
        ("cycle:16", {"wanted": 9}, "at least 17 nodes"),
        ("cycle:16", {"wanted": 7}, "the prices allow 7 rounds"),
        ("cycle:14", {}, "at least 15 nodes"),
        ("complete:16", {}, "a node has degree 15"),
    ],
)
def test_prices_between_that_are_refused(spec: str, change: Json, says: str) -> None:
    """Garbage, limits, other networks."""
    with pytest.raises(ClaimError, match=says):
        prices_between_claim(posed("telegraph", "gossip", spec), {**BETWEEN, **change})


def test_prices_of_many_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are not gone through."""
    monkeypatch.setattr("schedsolve.models.matching.claims.market.MOST_MOVES", 10)
    with pytest.raises(ClaimError, match="too many cases to look at"):
        prices_between_claim(CUBIC, BETWEEN)


@pytest.mark.parametrize("problem", [PATH, posed("telephone", "gossip", "cycle:16")])
def test_prices_are_for_one_way_gossip(problem: Problem) -> None:
    """Neither a broadcast nor a two-way gossip has them."""
    with pytest.raises(ClaimError, match="for one-way gossip"):
        prices_between_claim(problem, BETWEEN)


@pytest.mark.parametrize(
    ("problem", "evidence", "says"),
    [
        (PATH, {"rounds": 8}, "fewer rounds than twice"),
        (WORST, {"rounds": 2}, "for a given or the best source"),
        (PATH, {"rounds": 2, "symmetries": [[1, 0, 2, 3]]}, "automorphism|symmetry"),
        (PATH, {"rounds": 2, "symmetries": [[3, 2, 1, 0]]}, "automorphism|symmetry|source"),
        (PATH, {"rounds": 2, "premise": "luck"}, "a premise that there is not"),
        (PATH, {"rounds": 2, "premise": 0}, "a premise that there is not"),
        (PATH, {"rounds": 2, "premise": ["luck"]}, "a premise that there is not"),
    ],
)
def test_refutations_that_are_refused(problem: Problem, evidence: Json, says: str) -> None:
    """More rounds than a formula is written for, an open worst source, symmetries, an unknown premise."""
    with pytest.raises(ClaimError, match=says):
        refuted(problem, {"symmetries": [], **evidence})


def test_the_bound_of_a_refutation() -> None:
    """One round more than those of the formula, up to twice the nodes."""
    for rounds in (0, 2, 7):
        assert refutation_formula(PATH, {"rounds": rounds, "symmetries": []})[0] == rounds + 1
    assert refutation_formula(OPEN, {"rounds": 1, "symmetries": []})[0] == 2
