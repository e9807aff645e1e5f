"""Saved answers of `explore periods` with a place changed each: refused, or nothing false is verified."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from schedsolve.certify.check import check_data
from schedsolve.models import build_problem, models
from schedsolve.models.systolic.bounds.tree_periods import heights_of
from schedsolve.models.systolic.claims.complete_trees import complete_tree
from schedsolve.models.systolic.claims.tree_types import TypeList, verify_types
from schedsolve.models.systolic.command import rows_to_json
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import ClaimError, InputError
from tests.forgeries.alterations import altered

Json = dict[str, Any]


def saved(period: int) -> Json:
    """What `explore periods --arity 2` says of a period."""
    data: Json = json.loads(json.dumps(rows_to_json(2, True, {period: heights_of(2, True, period)})))
    return data


def test_a_row_that_says_less_is_not_complete() -> None:
    """That a period works up to a height is a claim, which nothing in the file proves."""
    data = saved(8)
    assert check_data(data).complete
    row = {"period": 4, "works_up_to": 3, "fails_from": None}
    report = check_data({**data, "rows": [row]})
    assert not report.complete
    assert not report.failed
    assert check_data({**data, "rows": []}).verified == 0


@pytest.mark.parametrize("period", [4, 8])
def test_changed_files(period: int) -> None:
    """No change makes another exception than a refusal, and none that touches a number of a proof goes
    unnoticed in what is said of it.
    """
    data = saved(period)
    lines = check_data(data).lines
    for changed in altered(data, 60):
        try:
            report = check_data(changed)
        except InputError:
            continue
        if report.complete and report.verified:
            assert changed["arity"] == 2 or report.lines != lines


WRONG: tuple[Callable[[Json], object], ...] = (
    lambda data: data.update(arity=1),
    lambda data: data.update(arity=13),
    lambda data: data.update(arity="2"),
    lambda data: data.update(arity=True),
    lambda data: data.update(mode="both"),
    lambda data: data.update(rows={}),
    lambda data: data.update(rows=[1]),
    lambda data: data["rows"][0].update(period=0),
    lambda data: data["rows"][0].update(period=61),
    lambda data: data["rows"][0].update(period="8"),
    lambda data: data["rows"][0].update(root=[[1]]),
    lambda data: data["rows"][0].update(root=["ab"]),
    lambda data: data["rows"][0].update(root={"a": 1}),
    lambda data: data["rows"][0].update(root=[[1, "2"]]),
    lambda data: data["rows"][0].update(root="ab"),
    lambda data: data["rows"][0].update(types=None),
    lambda data: data["rows"][0]["types"][0].update(slack="1"),
    lambda data: data["rows"][0]["types"][0].update(children=[{"0": 1, "1": 2}]),
    lambda data: data["rows"][0].update(fails_from="3"),
    lambda data: data["rows"][0].update(fails_from=3, refutation={"slack": 1}),
)


@pytest.mark.parametrize("change", WRONG)
def test_other_shapes_are_refused(change: Callable[[Json], object]) -> None:
    """In one line."""
    data = saved(8)
    change(data)
    with pytest.raises(InputError):
        check_data(data)


@pytest.mark.parametrize(("arity", "period"), [(1, 8), (2, 0), (0, 0)])
def test_types_are_for_trees(arity: int, period: int) -> None:
    """Of arity 2 or more, and for a period."""
    with pytest.raises(ClaimError, match="arity 2 or more and a period of 1 or more"):
        verify_types(TypeList(arity, True, period, (), {}))


def test_a_complete_tree_whose_root_comes_last() -> None:
    """The root is found by its degree, whatever the numbers of the nodes are."""
    network = Network(7, ((6, 4), (6, 5), (4, 0), (4, 1), (5, 2), (5, 3)))
    found = complete_tree(network)
    assert found is not None
    assert (found.root, found.arity, found.height) == (6, 2, 2)
    problem = build_problem("telephone", "gossip", network, {"period": 3})
    assert models()["telephone --period"].claims["short-tree-period"](problem, {}) == 8
    lopsided = Network(7, ((6, 4), (6, 5), (4, 0), (4, 1), (5, 2), (2, 3)))
    assert complete_tree(lopsided) is None
    assert complete_tree(Network(5, ((0, 1), (0, 2), (3, 4)))) is None
    one = build_problem("telephone", "gossip", "path:1", {"period": 2})
    with pytest.raises(ClaimError):
        models()["telephone --period"].claims["short-tree-period"](one, {})
