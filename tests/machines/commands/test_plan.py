"""`schedsolve plan`: the best schedule for each size, its program, and what is refused."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any, NoReturn

import pytest

from schedsolve import build_problem
from schedsolve.machines import plan as plans
from schedsolve.machines import plan_candidates, plan_timing
from schedsolve.machines.movement.movement import Movement, MovementStep, Transfer
from schedsolve.machines.movement.saved_schedule import SavedSchedule
from schedsolve.machines.nccl_model import AMPERE, HOPPER, VOLTA, Machine, _times, nccl_seconds
from schedsolve.machines.rivals import rings_on_links, trees_on_links
from schedsolve.machines.timing import Costs, timing
from schedsolve.modelkit.problem import Problem
from schedsolve.modelkit.result import Result, Status
from schedsolve.modelkit.search import Options
from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network
from schedsolve.runtime.errors import InputError
from schedsolve.solving.solve import solve
from tests.command_line import Cli, json_of, refused
from tests.timeouts import work_until_time_is_up

PLANNED: dict[Any, plans.Plan] = {}


@pytest.fixture
def planned_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A collective on a machine is planned once with the same costs and options, for every program."""
    real = plans.plan

    def planned(
        task: str,
        network: Network,
        sizes: Sequence[int],
        costs_of: Callable[[Network, int], tuple[Costs, str]],
        **given: Any,
    ) -> plans.Plan:
        costs = tuple(costs_of(network, size) for size in sizes)
        asked = task, network, tuple(sizes), costs, tuple(sorted(given.items()))
        if asked not in PLANNED:
            PLANNED[asked] = real(task, network, sizes, costs_of, **given)
        return PLANNED[asked]

    monkeypatch.setattr(plans, "plan", planned)


@pytest.mark.usefixtures("planned_once")
def test_short_and_long_messages(cli: Cli) -> None:
    """Few steps for short messages, the optimum for long ones; verdicts first, then the table; the data."""
    text = cli("plan allgather dgx1 --size 1KB,1GB --alpha 5e-6 --beta 4e-11").out
    lines = text.splitlines()
    assert "pipelined allgather on dgx1 (8 nodes): optimal: time 7/6, proven on both sides" in lines[0]
    assert lines[-3].split()[:2] == ["size", "schedule"]
    assert re.match(r"1KB +[0-9]+ steps", lines[-2])
    said = json_of(cli("plan allgather dgx1 --size 1KB,1GB --alpha 5e-6 --beta 4e-11 --json"))
    short, long = said["rows"]
    assert 2 * 5e-6 < short["seconds"] <= (2 * 5e-6 + 1.5 * 125 * 4e-11) * (1 + 1e-9)
    assert long["seconds"] == pytest.approx(7 / 6 * 125e6 * 4e-11, rel=0.01)
    assert 1 <= long["ratio_to_optimum"] < 1.01
    assert long["busbw"] == pytest.approx(150, rel=0.01)
    assert said["optimum"] == "7/6"
    assert short["times_rings"] == pytest.approx((7 * (5e-6 + 125 * 4e-11 / 6)) / short["seconds"])
    assert short["unit_bytes"] == 125


def test_programs_are_written(cli: Cli) -> None:
    """One for a size; of several sizes one each; a result that `check` takes."""
    out = cli("plan broadcast amd4 --node 2 --size 1MB --alpha 1e-6 --beta 1e-9 -o b.py").out
    assert "b.py" in out.splitlines()
    assert "ROOT = 2" in Path("b.py").read_text()
    assert cli("plan allreduce amd4 --size 1KB,1MB --alpha 1e-6 --beta 1e-9 -o a.json").status == 0
    for name in ("a-1KB.json", "a-1MB.json"):
        assert cli(f"check {name} --strict").status == 0


@pytest.mark.usefixtures("planned_once")
def test_programs_for_every_target(cli: Cli) -> None:
    """A machine of two boxes in a file; the programs are checked where there is a checker."""
    Path("two.edges").write_text("0 1 10\n1 2 10\n0 2 10\n3 4 10\n4 5 10\n3 5 10\n0 3 1\n2 5 1\n")
    machine = "plan allreduce two.edges --size 1MB --alpha 1e-6 --beta 1e-9 --time-limit 2"
    for target, file, check in (
        ("torch", "t.py", None),
        ("mpi", "m.py", None),
        ("mscclpp", "p.json", "check p.json --topology two.edges"),
    ):
        run = cli(f"{machine} --for {target} -o {file}")
        assert run.status == 0, run.err
        assert file in run.out.splitlines()
        assert run.out.splitlines()[-1].split(maxsplit=1)[1].startswith("times the ")
        assert check is None or cli(check).status == 0
    assert "init_process_group" in Path("t.py").read_text()
    assert cli(f"{machine} --for chakra -o c.et").status == 0
    assert [Path(f"c.{rank}.et").exists() for rank in range(7)] == [True] * 6 + [False]


@pytest.mark.usefixtures("planned_once")
def test_machine_files(cli: Cli) -> None:
    """Two boxes of a file, whose costs are given; without them it says so."""
    Path("two.edges").write_text("0 1 10\n1 2 10\n0 2 10\n3 4 10\n4 5 10\n3 5 10\n0 3 1\n2 5 1\n")
    line = "plan allreduce two.edges --size 1MB --alpha 1e-6 --beta 1e-9 --time-limit 2 --json -o p.py"
    run = cli(line)
    (row,) = json_of(run)["rows"]
    assert row["busbw"] > 0
    assert row["ratio_to_optimum"] >= 1
    run = cli("plan allreduce two.edges --size 1MB --time-limit 2 -o p.py")
    assert "alpha 3.4 us, beta 1e-09 s a byte (assumed, as this machine is not known" in run.out
    assert "times the optimum" in run.out
    assert "by the file" not in run.out


@pytest.mark.parametrize(
    ("task", "machine"),
    [
        ("allreduce", "dgx1"),
        ("broadcast", "leaf-spine:2,2,2"),
        ("reduce-scatter", "leaf-spine:2,3,1"),
        ("allgather", "mi300x"),
    ],
)
def test_no_slower_than_rivals(task: str, machine: str) -> None:
    """What NCCL could build is a candidate, whatever the size, and even where hardly anything is solved."""
    made = plans.plan(
        task, family_network(machine), [10**3, 10**9], costs_for_1us, options=Options(time_limit=1.0)
    )
    for row in made.rows:
        assert row.rings is not None
        assert row.timing.seconds <= row.rings.seconds
        assert row.chosen is not None
        assert row.timing.seconds <= row.chosen.seconds
        data = plans.row_to_json(row, made.proven)
        assert data["times_rings"] >= 1
        assert data["times_nccl_on_links"] >= 1


def test_rivals_come_before_schedules_are_sought(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rings for all sizes, as a schedule too, and the trees that NCCL would take: a search for schedules that
    takes all of the time leaves them.
    """
    laid: list[plan_timing.LaidRivals] = []

    class Noted(plan_timing.LaidRivals):
        def __init__(self, problem: Problem) -> None:
            super().__init__(problem)
            laid.append(self)

    def sought(*_: object) -> NoReturn:
        (rivals,) = laid
        assert {costs.size for costs in rivals.ring_times} == {10**5, 10**9}
        assert rivals.rings is not None
        monkeypatch.setattr(plan_timing, "laid_on_links", None)
        assert rivals.schedule(plan_timing.RINGS, rivals.rings) is not None
        assert {costs.size for costs, times in rivals._tree_times.items() if len(times) == 4} == {10**5}
        raise InputError("they were there")

    monkeypatch.setattr(plans, "LaidRivals", Noted)
    monkeypatch.setattr(plans, "candidates", sought)
    monkeypatch.setattr(Noted, "takes_trees", lambda _, size, __: size == 10**5)
    with pytest.raises(InputError, match="they were there"):
        plans.plan("allreduce", family_network("amd4"), [10**5, 10**9], costs_for_1us)


def test_trees_in_every_number_of_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The fastest stands for NCCL's choice, though the one before it is slower than the first."""
    real = trees_on_links
    monkeypatch.setattr(plan_timing, "trees_on_links", lambda one: [real(one)[k] for k in (1, 0, 3)])
    monkeypatch.setattr(plan_timing.LaidRivals, "nccl", lambda *_: (1.0, "tree"))
    (row,) = plans.plan("allreduce", family_network("amd4"), [10**9], costs_for_1us).rows
    assert row.chosen is not None
    assert row.chosen.movement.chunks == 128


def test_columns_without_rivals() -> None:
    """An alltoall has no rings, so that the table ends with the optimum."""
    made = plans.plan("alltoall", family_network("amd4"), [10**6], costs_for_1us)
    header, row = str(made).splitlines()
    assert header.endswith("  times the optimum")
    assert float(row.split()[-1]) >= 1


def test_rivals_become_schedules() -> None:
    """Rings that nothing else beats are a schedule in steps that the referee has replayed."""
    network = family_network("dgx2")
    rings = rings_on_links(Movement("allreduce", network, 1, ()))
    assert rings is not None
    made = plan_candidates.laid_on_links(
        "rings", rings, build_problem("synchronous", "allreduce", network, steps=30)
    )
    assert made is not None
    assert made.result.value == Fraction(rings.rounds, rings.chunks)
    relayed = replace(rings, steps=(MovementStep(1, (Transfer(0, 2, (0,), False, (1,)),)),))
    assert plan_candidates.laid_on_links("passes a rank", relayed, made.source.problem) is None


def test_nothing_solved_in_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is constructed for long messages stands in."""

    def unsolved(problem: Problem, options: Options) -> Result:
        found = solve(problem, options)
        return replace(found, status=Status.UNKNOWN, value=None, indexed=None)

    monkeypatch.setattr(plan_candidates, "solve", unsolved)
    made = plans.plan("allgather", family_network("amd4"), [10**9], costs_for_1us)
    names = [one.name for one in made.candidates]
    assert names[0] == "long messages, shortest-ways"
    assert made.rows[0].timing.seconds > 0


def test_rivals_stand_in_for_what_cannot_be_timed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A schedule that takes long to be cut into chunks ends no plan, which has the rings at least."""

    monkeypatch.setattr(plan_timing.SizeSearch, "_time", work_until_time_is_up)
    made = plans.plan(
        "allgather", family_network("dgx1"), [10**9], costs_for_1us, options=Options(time_limit=1.0)
    )
    (row,) = made.rows
    assert row.best.name == "rings on the links"
    assert row.rings is not None
    assert row.timing.seconds == row.rings.seconds


def test_what_never_ends_ends_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the search for rings nor a construction: schedules that were solved for are timed."""

    monkeypatch.setattr(plan_timing, "rings_on_links", work_until_time_is_up)
    monkeypatch.setattr(plan_candidates, "construct", work_until_time_is_up)
    made = plans.plan(
        "allgather", family_network("dgx1"), [10**9], costs_for_1us, options=Options(time_limit=1.0)
    )
    (row,) = made.rows
    assert row.rings is None
    assert made.proven is not None
    assert row.timing.seconds <= Fraction(11, 10) * made.proven.time


@pytest.mark.parametrize(("task", "chunks"), [("allreduce", 30), ("alltoall", 1)])
def test_what_cannot_be_searched_is_cut_all_the_same(
    task: str, chunks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long messages that no time is left to put in order, without rings in their place: trees cross in many
    chunks, flows in one, which is faster.
    """

    monkeypatch.setattr(plan_candidates, "_in_steps", lambda *_: iter(()))
    monkeypatch.setattr(plan_timing, "rings_on_links", lambda _: None)
    monkeypatch.setattr(plan_timing.SizeSearch, "_time", work_until_time_is_up)
    options = Options(time_limit=0.6)
    (row,) = plans.plan(task, family_network("mi250:1"), [10**9], costs_for_1us, options=options).rows
    assert row.best.name == "long messages"
    assert row.timing.movement.chunks >= chunks
    one = timing(row.best.source.movement(1), row.timing.costs)
    assert row.timing.seconds <= (one.seconds if chunks == 1 else one.seconds / 5)


def test_a_busy_machine_changes_no_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    """Time in which others have the processor is not counted."""
    real = plan_candidates.candidates

    def waiting(*given: Any) -> Iterator[Any]:
        time.sleep(0.6)
        yield from real(*given)

    monkeypatch.setattr(plans, "candidates", waiting)
    made = plans.plan(
        "allgather", family_network("amd4"), [10**9], costs_for_1us, options=Options(time_limit=0.5)
    )
    assert made.rows[0].best.name == "long messages"


def test_long_messages_are_cut_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the cut for 1 GB is near the optimum for 900 MB too, it is taken, and no other is sought."""
    asked: list[str] = []
    real = SavedSchedule.movement

    def movement(self: SavedSchedule, *rest: Any, **options: Any) -> Movement:
        asked.append(self.problem.model)
        return real(self, *rest, **options)

    monkeypatch.setattr(SavedSchedule, "movement", movement)
    sizes = [9 * 10**8, 10**9]
    made = plans.plan("allgather", family_network("dgx1"), sizes, costs_for_1us)
    assert [row.size for row in made.rows] == sizes
    assert {row.best.name for row in made.rows} == {"long messages"}
    assert asked.count("pipelined") == 1


def test_long_messages_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A network that is too large for schedules in steps has the one for long messages."""

    def refuses() -> NoReturn:
        raise InputError("there are more than 200000 ways through the switches of the network")

    monkeypatch.setattr(plan_candidates, "_model_of_steps", refuses)
    made = plans.plan("allgather", family_network("dgx1"), [10**9], costs_for_1us)
    assert [one.name for one in made.candidates] == ["long messages"]


def costs_for_1us(network: Network, size: int) -> tuple[Costs, str]:
    """1 us a message, 1 ns a byte."""
    return Costs(Fraction(1, 10**6), Fraction(1, 10**9), size), ""


def test_what_is_refused(cli: Cli) -> None:
    """Sizes and nodes that are none, files that are neither, and collectives that there are not."""
    for arguments, words in (
        ("allgather dgx1 --size 10M", "--size is bytes from 1 on"),
        ("allgather dgx1 --size 1MB --node 3", "--node is for tasks that start or end at one node"),
        ("allgather dgx1 --size 1MB -o a.txt", "a program's name ends in .py or .et; not 'a.txt'"),
        ("allgather dgx1 --size 1MB -o a.txt --for mscclpp", "a program for mscclpp ends in .json"),
        ("allgather dgx1 --size 1MB --for torch", "give its file with --output"),
        ("gossip dgx1 --size 1MB", "has no task 'gossip'"),
        ("allgather nothing --size 1MB", "unknown network 'nothing'"),
    ):
        assert words in refused(cli(f"plan {arguments}")), arguments


def test_the_model_of_nccl() -> None:
    """By hand from its formulas, on one box: a ring of 8 at 150 GB/s, and a tree for a short allreduce."""
    machine = Machine(150.0, 6)
    allgather = Movement("allgather", family_network("dgx1"), 1, ())
    # Simple: 8.4 + 7 * 3.4 us, and the size over 150 * 8 / 7 GB/s.
    seconds, choice = nccl_seconds(allgather, 10**9, machine) or (0.0, "")
    assert seconds == pytest.approx(32.2e-6 + 7 / 1200, rel=1e-6)
    assert choice == "ring"
    allreduce = Movement("allreduce", family_network("dgx1"), 1, ())
    # LL, ring: 6.6 + 14 * 0.6 us, and 1024 bytes over 150 / 4 * 8 / 14 GB/s; LL, tree: 6.8 + 2 * 7 * 0.6 us,
    # over 150 * 0.92 / 3.8 / 2 GB/s, of which 0.9 for the sizes of this power of two.
    ring, tree = 15.0 + 1.024 / (37.5 * 8 / 14), 15.2 + 1.024 / (138 / 7.6 * 0.9)
    seconds, choice = nccl_seconds(allreduce, 1024, machine) or (0.0, "")
    assert ring < tree
    assert seconds == pytest.approx(ring * 1e-6)
    assert choice == "ring"
    many = Movement("allreduce", family_network("a100:8"), 1, ())
    assert (nccl_seconds(many, 10**5, Machine(200.0, 8, 8)) or (0.0, ""))[1] == "tree"
    assert nccl_seconds(Movement("alltoall", family_network("dgx1"), 1, ()), 10**6, machine) is None


@pytest.mark.parametrize(
    ("generation", "microseconds"),
    [
        # Simple, ring of 16 over two boxes: 26 of 30 steps stay inside and take max(3.4, 3 * 1) us, four take
        # 14; with 8.4 that makes 152.8 us, times 1.9; and 1 GB over 200 * 16 / 30 GB/s takes 9375 us.
        (VOLTA, 1.9 * 152.8 + 9375),
        # The steps inside take 3 * 2 us: 220.4 us, times 1.4.
        (AMPERE, 1.4 * 220.4 + 9375),
        (HOPPER, 1.4 * 152.8 + 9375),
    ],
)
def test_the_model_of_nccl_between_boxes(generation: int, microseconds: float) -> None:
    """Worked out by hand: the plateau of long rings is 1.9 below compute capability 8.0, then 1.4."""
    allreduce = Movement("allreduce", family_network("a100:2"), 1, ())
    seconds, choice = nccl_seconds(allreduce, 10**9, Machine(200.0, 8, 2, generation)) or (0.0, "")
    assert choice == "ring"
    assert seconds == pytest.approx(microseconds * 1e-6, rel=1e-9)


@pytest.mark.parametrize(("size", "plateau"), [(8191, 1.0), (8192, 1.4)])
def test_where_the_plateau_of_nccl_begins(size: int, plateau: float) -> None:
    """At 64 bytes for each of 8 channels and 16 ranks; 220.4 us without it, and 106.7 GB/s."""
    *_, simple = _times("ring", "allreduce", 16, size, Machine(200.0, 8, 2, AMPERE))
    assert simple == pytest.approx(plateau * 220.4 + size / (1000 * 200 * 16 / 30), rel=1e-9)
