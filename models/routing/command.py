"""The command `schedsolve simulate routing`: Monte Carlo runs of random routing."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from schedsolve.modelkit.verb import JSON, CliContext, Verb, add_options, natural
from schedsolve.runtime.errors import InputError

if TYPE_CHECKING:
    from .simulation.clock import Backoff
    from .simulation.experiment import Experiment, Summary

SIMULATION_FORMAT = "schedsolve-simulation/1"
TAIL_PROBABILITY = 0.99
LARGEST_BACKOFF_LIMIT = 30
CHOICES = {
    "system": (("routers", "model-1", "model-2"), "the network itself, or balls and bins: Model I, Model II"),
    "retry": (
        ("rounds", "immediate", "backoff"),
        "rejected messages are sent again in the next round, a clock cycle after the rejection, or after a"
        " random wait that doubles",
    ),
    "winner": (
        ("random", "first"),
        "which message gets a wire that several want in a round: a random one, or the first to arrive",
    ),
    "losers": (
        ("hold", "release"),
        "whether a rejected message keeps others from the wires that it had got, until the end of the round",
    ),
    "bins": (("corollary", "lemma"), "collision bins: 2 n / lg n, or the inverse of the exact probability"),
    "clock": (
        ("round-trip", "one-way"),
        "cycles are divided by the time of one message with or without its acknowledgment",
    ),
}
"""The choices that the paper leaves open: for each option its values, the default first, and their meaning.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the verb's arguments to a parser."""
    parser.add_argument("model", metavar="MODEL", help="routing")
    add_options(parser, {"--nodes N": "processing nodes, a power of two"}, type=natural)
    messages = {
        "--messages M|FILE": "how many sources send (default: all), or a file of lines SOURCE DESTINATION",
        "--pattern P": "random, shift:K, transpose, bit-reversal or all-to-one (default: random)",
    }
    add_options(parser, messages)
    add_options(parser, {"--runs R": "how many runs (default 100)"}, type=natural, default=100)
    seed = {"--seed S": "the same seed gives the same result (default 0)"}
    add_options(parser, seed, type=natural, default=0)
    add_options(parser, {"--workers W": "processes that share the runs (default 1)"}, type=natural, default=1)
    for name, (values, text) in CHOICES.items():
        parser.add_argument(f"--{name}", choices=values, help=f"{text} (default {values[0]})")
    backoff = {
        "--backoff-slot C": "cycles of a slot of --retry backoff (default: one message across the network"
        " with its acknowledgment, 3 (2 lg n - 1))",
        "--backoff-limit K": "after the k-th rejection a message waits 0..2^min(k, K) - 1 slots (default 10)",
    }
    add_options(parser, backoff, type=natural)
    add_options(parser, JSON)


def run(arguments: argparse.Namespace, context: CliContext) -> int:
    """Run the verb and return the exit status; raise InputError for bad input."""
    if arguments.model != "routing":
        raise InputError(f"simulate is for routing, not for '{arguments.model:.40}'")
    if arguments.workers < 1 or arguments.runs == 0:
        raise InputError("--workers and --runs take a number of 1 or more")
    given = {name: getattr(arguments, name) for name in CHOICES if getattr(arguments, name) is not None}
    if arguments.nodes is None:
        raise InputError("simulate needs --nodes N, the number of processing nodes")
    found = simulate(
        arguments.model,
        arguments.nodes,
        arguments.messages,
        pattern=arguments.pattern,
        runs=arguments.runs,
        seed=arguments.seed,
        workers=arguments.workers,
        backoff_slot=arguments.backoff_slot,
        backoff_limit=arguments.backoff_limit,
        progress=lambda done: context.progress(f"{done} of {arguments.runs} runs"),
        **given,
    )
    context.progress("")
    if arguments.json:
        context.print_json(simulation_to_json(found))
    else:
        print(found)
    return 0


@dataclass(frozen=True)
class Simulation:
    """Runs of random routing or of a model of it: `asked` is what was simulated, `summary` the results."""

    asked: Experiment
    summary: Summary
    seed: int

    @property
    def mean(self) -> float:
        """The mean over the runs, in delivery rounds, or in transmission times unless `retry` is "rounds"."""
        return self.summary.mean

    @property
    def counts(self) -> dict[float, int]:
        """The number of runs that had each value, by increasing value."""
        return self.summary.counts

    @property
    def collision_probability(self) -> Fraction:
        """The probability that two random messages collide (Lemma 1)."""
        from .simulation.collision_model import collision_probability

        return collision_probability(self.asked.n)

    @property
    def fitted_rounds(self) -> float:
        """The paper's fit of the number of delivery rounds (Fig. 5)."""
        from .simulation.collision_model import fitted_rounds

        return fitted_rounds(self.asked.n, self.asked.message_count)

    def promised_rounds(self, probability: float = TAIL_PROBABILITY) -> int:
        """Return rounds within which Model I delivers all messages with a given probability (Theorem 1)."""
        from .simulation.collision_model import rounds_with_probability

        return rounds_with_probability(self.asked.n, self.asked.message_count, 1 - probability)

    def __str__(self) -> str:
        """Return the text that the command line prints."""
        return "\n".join(simulation_lines(simulation_to_json(self)))


def simulate(
    model: str,
    nodes: int,
    messages: str | int | list[tuple[int, int]] | None = None,
    *,
    pattern: str | None = None,
    runs: int = 100,
    seed: int = 0,
    workers: int = 1,
    backoff_slot: int | None = None,
    backoff_limit: int | None = None,
    progress: Callable[[int], None] = lambda _: None,
    **choices: str,
) -> Simulation:
    """Simulate random routing on a fat-tree, or the balls-and-bins models of it, in many random runs.

    The model is "routing", and `nodes` is the number of processing nodes, a power of two. `messages` is the
    number of sources that send (default: all), a list of pairs of source and destination, or a file of such
    pairs. `pattern` is "random", "shift:K", "transpose", "bit-reversal" or "all-to-one". `choices` are
    system, retry, winner, losers, bins and clock, as on the command line; each defaults to its first value in
    `CHOICES`.

    Raises
    ------
    InputError
        If the arguments are invalid or do not fit together.
    """
    from .simulation.experiment import experiment, run_experiment
    from .simulation.simulation import Rules

    if model != "routing":
        raise InputError(f"simulate is for routing, not for '{model:.40}'")
    if workers < 1 or runs < 1:
        raise InputError("--workers and --runs take a number of 1 or more")
    _refuse_unknown(choices)
    _refuse_idle(choices)
    backoff = _backoff(backoff_slot, backoff_limit, used=choices.get("retry") == "backoff")
    chosen: dict[str, Any] = {name: choices.get(name, values[0]) for name, (values, _) in CHOICES.items()}
    asked = experiment(
        nodes,
        pattern,
        messages,
        system=chosen["system"],
        retry=chosen["retry"],
        rules=Rules(chosen["winner"], chosen["losers"]),
        bins=chosen["bins"],
        unit=chosen["clock"],
        backoff=backoff,
    )
    try:
        return Simulation(asked, run_experiment(asked, runs, seed, workers, progress), seed)
    except InputError as error:
        raise error.with_traceback(None) from None


def _refuse_unknown(choices: Mapping[str, str]) -> None:
    for name, value in choices.items():
        values = CHOICES[name][0] if name in CHOICES else ()
        if value not in values:
            known = (
                f"takes {', '.join(values)}"
                if values
                else f"there is no such option; the options are {', '.join(CHOICES)}"
            )
            raise InputError(f"--{name}: {known}; not {value!r:.40}")


def _backoff(slot: int | None, limit: int | None, *, used: bool) -> Backoff:
    """Return the requested back-off; raise InputError if it is invalid or not used."""
    from .simulation.clock import Backoff

    if not used and (slot is not None or limit is not None):
        raise InputError("--backoff-slot and --backoff-limit are for --retry backoff")
    if slot == 0 or (limit or 0) > LARGEST_BACKOFF_LIMIT:
        raise InputError(
            f"--backoff-slot takes a number of 1 or more, --backoff-limit one up to {LARGEST_BACKOFF_LIMIT}"
        )
    return Backoff(slot) if limit is None else Backoff(slot, limit)


def _refuse_idle(given: dict[str, str]) -> None:
    """Raise InputError for an option that has no effect in combination with the others."""
    system, retry = given.get("system", "routers"), given.get("retry", "rounds")
    means = {
        "winner": system == "routers" and retry == "rounds",
        "losers": system == "routers" and retry == "rounds",
        "bins": system != "routers",
        "clock": retry != "rounds",
    }
    where = {"bins": "--system model-1 and model-2", "clock": "--retry immediate and backoff"}
    for name, applies in means.items():
        if name in given and not applies:
            raise InputError(f"--{name} is for {where.get(name, 'delivery rounds of the routers')}")


def simulation_to_json(found: Simulation) -> dict[str, Any]:
    """Return the results as a JSON object, with collision probability, tail bound and fit if they apply."""
    from .simulation.clock import transmission_cycles

    asked, summary = found.asked, found.summary
    whole = asked.retry == "rounds"
    interval = summary.confidence_interval
    data: dict[str, Any] = {
        "format": SIMULATION_FORMAT,
        "model": "routing",
        "nodes": asked.n,
        "pattern": asked.pattern,
        "messages": asked.message_count,
        "system": asked.system,
        "retry": asked.retry,
        "unit": "delivery rounds" if whole else "transmission times of one message",
        "runs": len(summary.values),
        "seed": found.seed,
        "mean_rounds": summary.mean,
        "min_rounds": int(summary.least) if whole else summary.least,
        "max_rounds": int(summary.greatest) if whole else summary.greatest,
        "confidence_interval": None if interval is None else list(interval),
    }
    if asked.system == "routers" and whole:
        data |= {"winner": asked.rules.winner, "losers": asked.rules.losers}
    if asked.system != "routers":
        data["bins"] = asked.bins
    if whole:
        data["runs_by_rounds"] = {str(int(value)): count for value, count in summary.counts.items()}
    else:
        data["clock"] = asked.unit
    if asked.retry == "backoff":
        data["backoff"] = {
            "slot": asked.backoff.slot or transmission_cycles(asked.n.bit_length() - 1),
            "limit": asked.backoff.limit,
        }
    if asked.pattern == "random":
        data["collision_probability"] = str(found.collision_probability)
    if asked.pattern == "random" and asked.message_count > 0 and whole:
        data["fitted_rounds"] = found.fitted_rounds
        data["tail_bound"] = {"probability": TAIL_PROBABILITY, "rounds": found.promised_rounds()}
    return data


def simulation_lines(data: dict[str, Any]) -> list[str]:
    """Return the lines that the terminal shows of the results."""
    messages = (
        f"{data['pattern']}, {data['messages']} messages"
        if data["pattern"]
        else f"{data['messages']} given messages"
    )
    options = ", ".join(
        str(data[name]) for name in ("system", "retry", "winner", "losers", "bins", "clock") if name in data
    )
    lines = [
        (
            f"random routing on {data['nodes']} processing nodes: {messages}; {data['runs']} runs, seed"
            f" {data['seed']}"
        ),
        f"  {options}",
    ]
    if "backoff" in data:
        slot, limit = data["backoff"]["slot"], data["backoff"]["limit"]
        lines[-1] += f", slots of {slot} cycles, doubled up to {limit} times"
    interval = data["confidence_interval"]
    between = (
        ""
        if interval is None
        else f", expected with a confidence of 95 % within {interval[0]:.4f}..{interval[1]:.4f}"
    )
    lines.append(f"  mean {data['mean_rounds']:.4f} {data['unit']}{between}")
    lines.append(f"  least {data['min_rounds']:.6g}, greatest {data['max_rounds']:.6g}")
    if "runs_by_rounds" in data:
        lines.append(
            "  runs by rounds: "
            + ", ".join(f"{rounds}: {count}" for rounds, count in data["runs_by_rounds"].items())
        )
    if "fitted_rounds" in data:
        lines.append(f"  the paper's fit: {data['fitted_rounds']:.2f} rounds")
        lines.append(
            f"  Theorem 1, for Model I: at most {data['tail_bound']['rounds']} rounds with probability"
            f" {TAIL_PROBABILITY}"
        )
    if "collision_probability" in data:
        lines.append(
            f"  two random messages collide with probability {data['collision_probability']} (Lemma 1)"
        )
    return lines


SIMULATE = Verb("simulate", "Monte Carlo runs of random routing", add_arguments, run, simulate)

VERBS = (SIMULATE,)
