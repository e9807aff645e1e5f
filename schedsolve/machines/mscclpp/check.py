"""Checking an execution plan of MSCCL++: limits, deadlock, races, the result, and the links."""

from __future__ import annotations

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_file
from schedsolve.machines.msccl.check import at_its_root, check_links, report_one, report_result, require_gpus
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted
from schedsolve.runtime.limits.budget import naming, within

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
    require_gpus(network, len(plan.gpus), f"the plan is for {counted(len(plan.gpus), 'gpu')}")
    report = CheckReport(f"{plan.name}: {plan.collective} of {counted(len(plan.gpus), 'gpu')}, for MSCCL++")
    reasons = list(refusals(plan))
    for reason in reasons:
        report.fail(f"executor: {reason}")
    if not reasons:
        report.confirm("executor: all numbers are within its limits")
    plan, run = at_its_root(plan, rooted=plan.rooted, run=replay, wrong=lambda run: run.memory.wrong())
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
    left = f"the next call begins with wrong counters: {run.left}" if run.left else None
    report_one(report, where, left, "signals and semaphores are at the end as they were at first")
    if run.shared:
        report.doubt("that all orders of the blocks are alike", f"several blocks wait for {run.shared}")
    _check_order(report, run, where)
    if run.memory.changed:
        report.fail(f"{where}: {run.memory.changed}")
    if plan.layout is None:
        report.doubt(f"what {plan.collective} results in", "the plan does not say what it should be")
        return
    report_result(report, where, plan.layout, run.memory.wrong())


def _check_order(report: CheckReport, run: Run, where: str) -> None:
    if not run.races:
        report.doubt("that no two blocks race", "the plan is too large for it")
        return
    early = f"{run.early} before that gpu's call has begun" if run.early else None
    race = f"race: {run.memory.race}" if run.memory.race else None
    for fault, claim in (
        (race, "nothing is read or written while another block may write it"),
        (run.late, "no gpu's call ends before others have used its buffers"),
        (early, "no gpu uses the buffers of another before its call has begun"),
    ):
        report_one(report, where, fault, claim)
