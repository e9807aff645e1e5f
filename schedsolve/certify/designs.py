"""Checking a saved design: the network and its schedule, and the levels of networks that are excluded.

Every level is generated and decided again; its number of networks and the digest of their canonical forms
are compared with the file's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from schedsolve.certify.cubes import sharing
from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_design import SavedDesign, read_design
from schedsolve.limits.budget import HOW_TO_LIFT, limit_of
from schedsolve.modelkit.designs import DESIGN_FORMAT, Level, Question, decided, joined
from schedsolve.models import build_problem, read_problem
from schedsolve.network.canonical_form import canonical_form
from schedsolve.network.design_classes import rows_of
from schedsolve.network.graph import Network
from schedsolve.problem import Problem
from schedsolve.result import Status

MOST_NETWORKS = 30_000
"""More networks than these are generated again only where the size of a file is trusted."""

ResultCheck = Callable[[Mapping[str, Any]], CheckReport]


def check_design(data: Mapping[str, Any], check_result: ResultCheck) -> CheckReport:
    """Check a design that schedsolve saved.

    Parameters
    ----------
    data
        The JSON data of the file.
    check_result
        Checks the results that stand in it.

    Raises
    ------
    InputError
        If it is no design.
    """
    saved = read_design(data)
    _refuse_network(saved)
    report = CheckReport(saved.words, title=DESIGN_FORMAT, evidence={(DESIGN_FORMAT, "generation")})
    check = _Check(saved, report, check_result)
    check.upper_side()
    check.lower_side()
    check.status()
    report.doubt_unexamined(saved.unexamined)
    return report


def _refuse_network(saved: SavedDesign) -> None:
    """Raise InputError where the model poses no such task on networks of the class, such as directed ones."""
    network = _complete_network(saved.members.nodes, directed=saved.members.directed)
    options = {saved.limit_name: 1, **({} if saved.choice is None else {"source": saved.choice})}
    build_problem(saved.model, saved.task, network, options)


def _complete_network(nodes: int, *, directed: bool = False) -> Network:
    links = ((u, v) for v in range(nodes) for u in range(nodes if directed else v) if u != v)
    return Network(nodes, tuple(links), directed)


def _again(question: Question, level: Level) -> Level:
    """Return a level of a file decided again, in its parts, and by several processes where there are."""
    count = len(level.parts)
    if not count:
        return decided(question, level.edges)
    calls = [(question, level.edges, residue, count) for residue in range(count)]
    share = sharing()
    parts = dict(_numbered(*call) for call in calls) if share is None else dict(share(_numbered, calls))
    return joined([parts[residue] for residue in range(count)])


def _numbered(question: Question, edges: int, residue: int, modulus: int) -> tuple[int, Level]:
    return residue, decided(question, edges, residue=residue, modulus=modulus)


@dataclass
class _Check:
    """One check; `reached` says whether the network is confirmed, `excluded` which levels are."""

    saved: SavedDesign
    report: CheckReport
    check_result: ResultCheck
    reached: bool = False

    def __post_init__(self) -> None:
        self.excluded: dict[int, set[int]] = {}
        self.all_confirmed = True
        self.base = 1

    def upper_side(self) -> None:
        """Confirm that the network is in the class and that its schedule takes so few rounds."""
        saved = self.saved
        held = (saved.network, saved.result, saved.reached, saved.edges)
        if all(part is None for part in held):
            return
        if saved.network is None or saved.result is None or saved.reached is None:
            self.report.doubt(
                f"{saved.edges} links, {saved.reached} {saved.limit_name}", "no network shows it"
            )
            return
        if saved.status is Status.INFEASIBLE:
            self.report.fail("an infeasible design has no network")
        why_not = saved.members.why_not(saved.network)
        if why_not:
            self.report.fail(f"the network: {why_not}")
            return
        if len(saved.network.edges) != saved.edges:
            self.report.fail(f"the network has {len(saved.network.edges)} links, not {saved.edges}")
            return
        self.report.confirm(f"the network has {saved.edges} links and is in the class")
        wrong = self._unlike(saved.result, saved.network, saved.reached)
        if wrong:
            self.report.fail(f"the result is for another problem: {wrong}")
        elif saved.result.get("schedule") is None or saved.result.get("status") not in self._decided():
            self.report.fail("the result has no schedule with so few rounds")
        else:
            self.reached = self.report.take(
                "the network's result", self.check_result(saved.result), whole=True
            )

    def _decided(self) -> tuple[str, ...]:
        """Return the statuses of a result whose schedule keeps the limit.

        A number of rounds is decided; a number of steps is a rule, which every legal schedule keeps.
        """
        return ("feasible",) if self.saved.limit_name == "rounds" else ("optimal", "bounded", "feasible")

    def _unlike(self, result: Mapping[str, Any], network: Network, limit: int | None) -> str | None:
        """Return how a result's problem differs from the design's on a network, None if it does not."""
        problem: Problem = read_problem(result.get("problem"))
        saved = self.saved
        if (problem.model, problem.task) != (saved.model, saved.task):
            return f"{problem.model} {problem.task}"
        if problem.network != network:
            return "another network"
        wanted: dict[str, Any] = {} if limit is None else {saved.limit_name: limit}
        if saved.choice is not None:
            wanted["source"] = saved.choice
        return None if dict(problem.parameters) == wanted else f"parameters {dict(problem.parameters)}"

    def lower_side(self) -> None:
        """Decide the levels again, and confirm both lower bounds by them."""
        saved, report = self.saved, self.report
        most = f" with at most {saved.asked_edges} links"
        those = f"in every network of the class{'' if saved.asked_edges is None else most}"
        self.base = self._complete()
        left = None if limit_of("values") is None else MOST_NETWORKS
        for level in saved.levels:
            self._decide(level, left)
            left = None if left is None else max(0, left - level.graphs)
        if saved.least is not None:
            open_limits = [limit for limit in range(self.base, saved.least) if not self._none_with(limit)]
            claim = f"at least {saved.least} {saved.limit_name}"
            if open_limits:
                report.doubt(claim, f"nothing in the file excludes {open_limits[0]} {saved.limit_name}")
                self.all_confirmed = False
            else:
                report.confirm(f"{claim} {those}")
        if saved.lower_bound is not None:
            self._fewest_links(saved.lower_bound)
        if saved.networks is not None:
            self._all_networks()

    def _complete(self) -> int:
        """Return the least limit that the result for the complete network proves."""
        saved = self.saved
        if saved.complete is None:
            return 1
        wrong = self._unlike(saved.complete, _complete_network(saved.members.nodes), None)
        bound = saved.complete.get("lower_bound")
        if wrong or type(bound) is not int:
            self.report.fail(f"the result for the complete network: {wrong or 'it has no lower bound'}")
            return 1
        inner = self.check_result(saved.complete)
        return bound if self.report.take("the complete network", inner, whole=True) else 1

    def _decide(self, level: Level, most: int | None) -> None:
        """Decide a level again; with more networks than `most`, those of its parts that have no more."""
        question = self.saved.question(level.limit)
        if level.edges not in self.saved.members.edge_counts():
            # None at all suffices, and more links than there can be would exclude all networks with fewer.
            self.report.fail(f"no network of the class has {level.edges} links")
            return
        words = f"{level.limit} {self.saved.limit_name}, {level.edges} links"
        if most is not None and level.graphs > most:
            self._decide_parts(question, level, words, most)
            return
        again = _again(question, level)
        found = (again.least_degree, again.graphs, again.digest)
        if found != (level.least_degree, level.graphs, level.digest) or again.parts != level.parts:
            self.report.fail(
                f"{words}: {again.graphs} networks of least degree {again.least_degree}, digest"
                f" {again.digest}; the file says otherwise"
            )
        elif again.found:
            self.report.fail(f"{words} suffice for {len(again.found)} of {again.graphs} networks")
        else:
            self.excluded.setdefault(level.limit, set()).add(level.edges)
            self.report.confirm(f"{words}: {again.graphs} networks generated and decided, none suffices")

    def _decide_parts(self, question: Question, level: Level, words: str, most: int) -> None:
        """Decide as many parts of a level again as have at most so many networks together."""
        count, done = len(level.parts), 0
        if count and sum(graphs for graphs, _ in level.parts) != level.graphs:
            self.report.fail(f"{words}: the parts do not have {level.graphs} networks")
            return
        for residue, (graphs, digest) in enumerate(level.parts):
            if graphs > most:
                continue
            most, done = most - graphs, done + 1
            again = decided(question, level.edges, residue=residue, modulus=count)
            if (again.graphs, again.digest) != (graphs, digest) or again.found:
                self.report.fail(
                    f"{words}, part {residue} of {count}: {again.graphs} networks, digest {again.digest},"
                    f" {len(again.found)} of them suffice; the file says otherwise"
                )
                return
        agree = f"{done} of {count} parts agree, the others" if done else f"{level.graphs} networks"
        self.report.doubt(words, f"{agree} are not generated again ({HOW_TO_LIFT})")

    def _none_with(self, limit: int) -> bool:
        """Whether no network of the class, of those with as many links as asked for, takes so few rounds."""
        return self._are_excluded(limit, self.saved.members.edge_counts(self.saved.asked_edges))

    def _are_excluded(self, limit: int, counts: list[int]) -> bool:
        """Whether no network of the class with one of these numbers of links takes so few rounds."""
        done = self.excluded.get(limit, set())
        if not self.saved.members.limited:
            # A link more helps and does not lead out of the class.
            return not counts or any(m >= counts[-1] for m in done)
        return set(counts) <= done

    def _fewest_links(self, bound: int) -> None:
        """Whether fewer links do not suffice for the rounds reached; without any, for a connected network."""
        saved = self.saved
        below = [m for m in saved.members.edge_counts() if m < bound]
        within = "" if saved.reached is None else f" with {saved.reached} {saved.limit_name}"
        claim = f"at least {bound} links{within}"
        if not below or (saved.reached is not None and self._are_excluded(saved.reached, below)):
            self.report.confirm(f"{claim} in every network of the class")
        else:
            self.report.doubt(claim, "not every level below was confirmed")
            self.all_confirmed = False

    def _all_networks(self) -> None:
        saved = self.saved
        claim = f"these {len(saved.networks or ())} networks are all"
        if saved.reached is None or saved.edges is None:
            self.report.fail(f"{claim}: there is no number of links")
            return
        forms = {
            canonical_form(rows_of(one), directed=saved.members.directed).rows for one in saved.networks or ()
        }
        level = decided(saved.question(saved.reached), saved.edges)
        if set(level.found) == forms and len(forms) == len(saved.networks or ()):
            self.report.confirm(f"{claim} of {level.graphs} with {saved.edges} links")
        else:
            self.report.fail(f"{claim}: {len(level.found)} of {level.graphs} are found")

    def status(self) -> None:
        """Confirm what the file says was proven."""
        saved, report = self.saved, self.report
        claim = f"status {saved.status.value}"
        if saved.status in (Status.BOUNDED, Status.UNKNOWN):
            return
        if saved.status is Status.INFEASIBLE:
            limit = saved.asked_limit
            proven = limit is not None and (limit < self.base or self._none_with(limit))
        else:
            proven = self.reached and self.all_confirmed and self._as_asked()
        if proven:
            report.confirm(claim)
        else:
            report.doubt(claim, "it does not follow from what was confirmed")

    def _as_asked(self) -> bool:
        saved = self.saved
        if saved.reached is None or saved.edges is None:
            return False
        enough = saved.asked_limit is None or saved.reached <= saved.asked_limit
        few = saved.asked_edges is None or saved.edges <= saved.asked_edges
        if saved.status is Status.FEASIBLE:
            return enough and few
        least = saved.reached == (saved.least if saved.asked_limit is None else saved.asked_limit)
        return enough and few and least and saved.edges == saved.lower_bound
