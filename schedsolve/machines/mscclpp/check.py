"""Checking an execution plan of MSCCL++: limits, deadlock, races, the result, and the links."""

from __future__ import annotations

from schedsolve.certify.report import CheckReport
from schedsolve.certify.saved_files import read_file
from schedsolve.machines.program_report import ProgramReport, at_its_root, require_gpus
from schedsolve.machines.symbolic_run import Outcome
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import counted
from schedsolve.runtime.limits.budget import naming, within

from .limits import refusals
from .plan import Plan
from .reader import read_plan
from .replay import replay


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
    report = ProgramReport(f"{plan.name}: {plan.collective} of {counted(len(plan.gpus), 'gpu')}, for MSCCL++")
    report.refusals("executor", refusals(plan), "all numbers are within its limits")
    plan, run = at_its_root(plan, rooted=plan.rooted, run=replay)
    _check_run(report, plan, run)
    if run.deadlock is None:
        report.links(network, run.sent, run.chain, plan.layout)
    return report


def _check_run(report: ProgramReport, plan: Plan, run: Outcome) -> None:
    where = "in place" if plan.in_place else "out of place"
    if run.deadlock:
        report.fail(f"{where}: deadlock: {run.deadlock}")
        return
    report.confirm(f"{where}: it ends")
    left = None
    if run.left:
        counter, raised, taken = run.left
        left = (
            f"the next call begins with wrong counters: {counter}: raised {raised} times, and waited for"
            f" {taken} times"
        )
    report.settle(left, "signals and semaphores are at the end as they were at first", where)
    if run.shared:
        report.doubt("that all orders of the blocks are alike", f"several blocks wait for {run.shared}")
    _check_order(report, run, where)
    if run.memory.changed:
        report.fail(f"{where}: {run.memory.changed}")
    if plan.layout is None:
        report.doubt(f"what {plan.collective} results in", "the plan does not say what it should be")
        return
    report.result(plan.layout, run.memory.wrong(), where)


def _check_order(report: ProgramReport, run: Outcome, where: str) -> None:
    report.races(run, where)
    if run.races:
        early = f"{run.early} before that gpu's call has begun" if run.early else None
        report.settle(run.late, "no gpu's call ends before others have used its buffers", where)
        report.settle(early, "no gpu uses the buffers of another before its call has begun", where)
