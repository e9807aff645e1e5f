"""`schedsolve time`: times computed by hand, rivals, the proven optimum, the chart, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from schedsolve.machines.known_costs import known_costs
from schedsolve.network.graph import Network
from schedsolve.network.named.families import family_network
from tests.command_line import Cli, json_of, refused

COSTS = "--alpha 5e-6 --beta 4e-11 --size 1000000"


def test_a_dgx1(cli: Cli) -> None:
    """(2, 2, 3): 2 alpha + 3/2 L beta, on every link as the steps say."""
    assert cli("solve synchronous allgather dgx1 --steps 2 --output r.json").status == 0
    said = json_of(cli(f"time r.json {COSTS} --json"))
    assert said["seconds"] == pytest.approx(2 * 5e-6 + 1.5 * 4e-5)
    assert said["seconds_by_rounds"] == pytest.approx(said["seconds"])
    assert sum(step["seconds"] for step in said["steps"]) == pytest.approx(said["seconds"])
    assert said["ratio_to_optimum"] == pytest.approx(70 / (7 / 6 * 40))
    assert said["busbw"] == pytest.approx(said["algbw"] * 7 / 8) == pytest.approx(100)
    assert said["rivals"]["rings on the links"]["seconds"] == pytest.approx(7 * (5e-6 + 4e-5 / 6))
    assert set(said["textbook"]) == {"ring", "recursive doubling", "Bruck"}
    assert said["textbook"]["ring"]["seconds"] == pytest.approx(7 * (5e-6 + 4e-5 / 2))
    sent = sum(count for _, _, count, _ in said["links"])
    assert sent >= 8 * 7 * 2
    text = cli(f"time r.json {COSTS} -o t.svg").out
    assert "total 70 us: 2 steps, by dependencies, algbw 114.3 GB/s, busbw 100 GB/s" in text
    assert "1.5 times the lower bound 7/6, which counts no latency, at which busbw would be 150 GB/s" in text
    assert "rings on the links: 81.67 us, 7 steps" in text
    assert "ring: 175 us, 7 steps" in text
    assert "2.50 times as long" in text
    assert Path("t.svg").read_bytes().startswith(b"<?xml")


def test_more_bandwidth_never_hurts(cli: Cli) -> None:
    """A step takes as long as its busiest link, which its rounds may exceed: 3 chunks over bandwidth 2."""
    Path("n.txt").write_text("0 1 2\n")
    assert (
        cli("solve synchronous broadcast n.txt --steps 1 --chunks 3 --source 0 --output r.json").status == 0
    )
    said = json_of(cli("time r.json --alpha 0 --beta 1 --size 6 --json"))
    assert (said["seconds"], said["seconds_by_rounds"]) == (3, 4)
    Path("n.txt").write_text("0 1 3\n")
    assert (
        cli("solve synchronous broadcast n.txt --steps 1 --chunks 3 --source 0 --output r.json").status == 0
    )
    assert json_of(cli("time r.json --alpha 0 --beta 1 --size 6 --json"))["seconds"] == 2


def test_other_models(cli: Cli) -> None:
    """Rounds of calls, and pipelined schedules with a number of chunks: with more of them it takes less."""
    assert cli("solve telephone gossip cycle:4 --output g.json").status == 0
    assert json_of(cli("time g.json --alpha 1 --beta 1 --size 2 --json"))["seconds"] == 2 * 1 + (1 + 2) * 2
    assert "by the rounds" not in cli("time g.json --alpha 1 --beta 1 --size 2 --clock steps").out
    assert cli("solve pipelined broadcast path:4 --output p.json").status == 0
    times = [
        json_of(cli(f"time p.json --alpha 0 --beta 1 --size 1 --chunks {c} --json"))["seconds"]
        for c in (1, 2, 10)
    ]
    assert times == pytest.approx([3, 2, 1.2])


def test_what_is_refused(cli: Cli) -> None:
    """Costs that are none, other endings, and files without a schedule."""
    assert cli("solve telephone gossip cycle:4 --output g.json").status == 0
    for options, words in (
        ("--alpha x --beta 1 --size 2", "--alpha takes seconds from 0 on, such as 5e-6, not 'x'"),
        ("--alpha 1 --beta -1 --size 2", "--beta takes seconds"),
        ("--alpha 1 --beta 1/0 --size 2", "--beta takes seconds"),
        ("--alpha 1e999999 --beta 1 --size 2", "--alpha takes seconds"),
        ("--alpha 1 --beta 1 --size 0", "--size is bytes from 1 on"),
        (f"{COSTS} -o t.pdf", "a chart's name ends in .svg or .png"),
        ("--alpha 1 --beta 1 --size 10M", "--size is bytes from 1 on"),
        (f"{COSTS} --chunks 0", "--chunks takes a number from 1 on"),
    ):
        assert words in refused(cli(f"time g.json {options}")), options
    assert "cannot be read" in refused(cli(f"time nothing.json {COSTS}"))
    assert "(assumed, as this machine is not known" in cli("time g.json --size 10MB").out


def test_the_two_clocks(cli: Cli) -> None:
    """In steps everybody waits for the busiest link; by dependencies a pipeline does not."""
    assert cli("solve pipelined allreduce torus:3x3 --output m.json").status == 0
    dependencies, steps = (
        json_of(cli(f"time m.json --alpha 0 --beta 1e-9 --size 1GB --clock {clock} --json"))
        for clock in ("dependencies", "steps")
    )
    assert 1 <= dependencies["ratio_to_optimum"] <= 1.05
    assert steps["ratio_to_optimum"] > 1.5
    assert steps["seconds"] == pytest.approx(sum(step["seconds"] for step in steps["steps"]))
    assert "times the optimum 4/9 (by the file)" in cli("time m.json --alpha 0 --beta 1e-9 --size 1GB").out


def test_sizes_and_costs_of_machines(cli: Cli) -> None:
    """Sizes have units; a machine with a name has costs; a file with that name has none."""
    assert cli("solve synchronous allgather dgx1 --steps 2 --output r.json").status == 0
    times = [
        json_of(cli(f"time r.json --alpha 5e-6 --size {size} --json"))["seconds"]
        for size in ("1MB", "1000KB", "1000000", "1MiB")
    ]
    assert times[0] == times[1] == times[2] == pytest.approx(7e-5)
    assert times[3] == pytest.approx(1e-5 + 6e-5 * 1.048576)
    assert "bandwidth 1 is 25 GB/s" in cli("time r.json --size 1MB").out
    assert known_costs(Network(3, ((0, 1), (1, 2)), name="dgx1")) is None
    assert known_costs(family_network("a100:2")) != known_costs(family_network("a100:1"))
