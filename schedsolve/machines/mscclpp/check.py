"""Checking an execution plan of MSCCL++: limits, deadlock, races, the result, and the links."""

from __future__ import annotations

from dataclasses import replace

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_file
from schedsolve.errors import InputError
from schedsolve.limits.budget import naming, within
from schedsolve.machines.msccl.check import check_links
from schedsolve.modelkit.collectives import ROOTED
from schedsolve.network.graph import Network

from .limits import refusals
from .plan import Plan
from .reader import read_plan
from .replay import Run, replay


def check_plan_file(path: str, network: Network | None) -> CheckReport:
    """Check a file.

    Parameters
    ----------
    path
        The file.
    network
        On which it is to run; gpu i is the i-th compute node.

    Raises
    ------
    InputError
        If the file cannot be read, is no plan, has operations that are not replayed, or is for another number
        of gpus than the network has compute nodes.
    """
    with within(), naming(path):
        return check_plan(read_plan(read_file(path)), network)


def check_plan(plan: Plan, network: Network | None) -> CheckReport:
    """Check what `check_plan_file` checks, of a plan that was read."""
    if network is not None and len(network.compute_nodes) != len(plan.gpus):
        nodes = len(network.compute_nodes)
        raise InputError(f"the plan is for {len(plan.gpus)} gpus, and the network has {nodes} compute nodes")
    report = CheckReport(f"{plan.name}: {plan.collective} of {len(plan.gpus)} gpus, for MSCCL++")
    reasons = list(refusals(plan))
    for reason in reasons:
        report.fail(f"executor: {reason}")
    if not reasons:
        report.confirm("executor: all numbers are within its limits")
    plan, run = _at_its_root(plan)
    _check_run(report, plan, run)
    if run.deadlock is None:
        check_links(report, network, run.sent, run.chain, plan.layout.chunks if plan.layout else 1)
    return report


def _check_run(report: CheckReport, plan: Plan, run: Run) -> None:
    where = "in place" if plan.in_place else "out of place"
    if run.deadlock:
        report.fail(f"{where}: deadlock: {run.deadlock}")
        return
    report.confirm(f"{where}: it ends")
    if run.left:
        report.fail(f"{where}: the next call begins with wrong counters: {run.left}")
    else:
        report.confirm(f"{where}: signals and semaphores are at the end as they were at first")
    if run.shared:
        report.doubt("that all orders of the blocks are alike", f"several blocks wait for {run.shared}")
    _check_order(report, run, where)
    if run.memory.changed:
        report.fail(f"{where}: {run.memory.changed}")
    if plan.layout is None:
        report.doubt(f"what {plan.collective} results in", "the plan does not say what it should be")
        return
    wrong = run.memory.wrong()
    if wrong:
        report.fail(f"{where}: {wrong}")
    else:
        root = f", root {plan.layout.root}" if plan.layout.collective in ROOTED else ""
        report.confirm(f"{where}: every gpu gets what the {plan.layout.collective} gives it{root}")


def _check_order(report: CheckReport, run: Run, where: str) -> None:
    if not run.races:
        report.doubt("that no two blocks race", "the plan is too large for it")
        return
    if run.memory.race:
        report.fail(f"{where}: race: {run.memory.race}")
    else:
        report.confirm(f"{where}: nothing is read or written while another block may write it")
    if run.late:
        report.fail(f"{where}: {run.late}")
    else:
        report.confirm(f"{where}: no gpu's call ends before others have used its buffers")
    if run.early:
        report.fail(f"{where}: {run.early} before that gpu's call has begun")
    else:
        report.confirm(f"{where}: no gpu uses the buffers of another before its call has begun")


def _at_its_root(plan: Plan) -> tuple[Plan, Run]:
    """Return the plan with the root for which its result is right, where it does not name it, and its run."""
    run, layout = replay(plan), plan.layout
    if layout is None or layout.collective not in ROOTED or plan.rooted:
        return plan, run
    for root in range(layout.ranks):
        moved = replace(plan, layout=replace(layout, root=root))
        rooted = replay(moved)
        if rooted.memory.wrong() is None:
            return moved, rooted
    return plan, run
