"""Help, completion, and complaints that name what is near."""

from __future__ import annotations

import io
import re
import subprocess

import pytest

from schedsolve.certify.text.colour import painted, painted_findings
from schedsolve.commands.cli import all_verbs
from schedsolve.commands.completion import SHELLS
from schedsolve.models import MODULES, models, verb_summaries
from tests.command_line import Cli, refused
from tests.needs import needs

EXAMPLES = [example for entry in MODULES for example in entry.examples]


def test_two_examples_of_every_model() -> None:
    """In the registry, two for every entry."""
    assert all(len(entry.examples) == 2 for entry in MODULES)


@pytest.mark.usefixtures("short_constructions")
@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_are_problems(cli: Cli, example: str) -> None:
    """Each can be posed, and has a bound."""
    assert cli(f"bounds {example} --quiet").status == 0


def test_options_stand_in_groups_by_model(cli: Cli) -> None:
    """The whole help names the models of each group; the help for one model has its options only."""
    whole, one = cli("solve --help").out, cli("solve routing --help").out
    assert "options of fat-tree:" in whole
    assert "options of telegraph, telephone:" in whole
    assert "options of routing:" in one
    assert "--capacity" not in one
    assert all(f"  schedsolve solve {example}" in whole for example in EXAMPLES)


@pytest.mark.parametrize(
    ("line", "near"),
    [
        ("sovle telegraph gossip path:3", "solve"),
        ("solve telegraf gossip path:3", "telegraph"),
        ("solve telegraph gosip path:3", "gossip"),
        ("solve telegraph gossip pth:3", "path"),
        ("solve telegraph gossip path:3 --perod 4", "--period"),
        ("solve line broadcast path:3 --ports 1 --extra-round 4", "--extra-rounds"),
        ("construct telephone gossip path:3 --algorithm path-matching", "path-matchings"),
        pytest.param("draw nothing.json --vew rounds -o x.svg", "--view", marks=needs("drawing")),
    ],
)
def test_what_was_meant_is_named(cli: Cli, line: str, near: str) -> None:
    """One line and exit status 2, with the nearest word."""
    seen = cli(line)
    assert (seen.status, seen.err.count("\n")) == (2, 1)
    assert f"did you mean {near}?" in seen.err


@pytest.mark.parametrize("shell", SHELLS)
def test_completion_knows_verbs_models_and_options(cli: Cli, shell: str) -> None:
    """A script for the shell; bash reads its own."""
    script = cli(f"completion {shell}").out
    assert all(word in script for word in ("frontier", "extra-rounds", *(m.name for m in models().values())))
    if shell == "bash":
        assert subprocess.run(["bash", "-n"], check=False, input=script, text=True).returncode == 0


def test_names_of_collectives_for_tasks_of_the_papers(cli: Cli) -> None:
    """Where a model has no task of that name, allgather is gossip; where it has one, it is that."""
    assert "telegraph gossip on path:3" in cli("bounds telegraph allgather path:3").out
    assert "fat-tree prefix on fat-tree:4" in cli("bounds fat-tree scan fat-tree:4").out
    assert "pipelined allgather on path:3" in cli("bounds pipelined allgather path:3").out


def test_an_edge_list_on_standard_input(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The network "-"; names are separated by blanks or commas."""
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"1,2\n2, 3\n3 4\n")))
    assert "optimal: 2 rounds" in cli("solve telephone broadcast - --source 2").out


def test_endings_of_results(cli: Cli) -> None:
    """A picture is no result."""
    seen = cli("solve telephone gossip path:3 -o x.svg")
    assert (seen.status, "not in .svg" in seen.err) == (2, True)
    assert cli("solve telephone gossip path:3 -o x.json.gz").status == 0


def test_colour_on_a_terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where standard output is a terminal, and NO_COLOR is not set."""
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert painted("optimal", "green") == "optimal"
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert painted("optimal", "green") == "\x1b[32moptimal\x1b[0m"
    assert painted_findings("problem  x\nok       y") == "problem  x\n\x1b[32mok \x1b[0m      y"
    monkeypatch.setenv("NO_COLOR", "1")
    assert painted("optimal", "green") == "optimal"


@pytest.mark.usefixtures("short_constructions")
def test_the_commands_stand_in_groups(cli: Cli) -> None:
    """Each once, with an example a group that runs; older names are not listed."""
    whole = cli("--help").out
    listed = re.findall(r"^  ([a-z]+) ", whole, re.MULTILINE)
    assert len(listed) == len(set(listed))
    assert {*all_verbs(), *verb_summaries(), "list", "completion"} - {"steps"} == set(listed)
    assert "`schedsolve help solve telephone gossip`" in whole
    for example in re.findall("example: *schedsolve (.*)", whole):
        assert cli(example).status == 0
    assert cli("").status == 2


def test_lists(cli: Cli) -> None:
    """By `list` and by their own names; those of one model."""
    for name in ("models", "networks", "algorithms"):
        assert cli(f"list {name}").out == cli(name).out
    of_one = cli("list algorithms telephone").out
    assert of_one.startswith("telephone:")
    assert "telegraph:" not in of_one
    of_all = cli("algorithms").out
    assert "telegraph, telephone:" in of_all
    assert of_all.count("  knodel (gossip): ceil") == 2
    assert cli("list networks path:3 -o path.json").out == cli("networks path:3").out
    assert "did you mean telephone" in refused(cli("list algorithms telefone"))
    assert cli("list").status == 2
    assert cli("list stars").status == 2


@needs("drawing")
def test_short_options_and_the_other_spelling(cli: Cli) -> None:
    cli("solve telegraph gossip path:4 -q -o result.json")
    assert cli("analyze result.json").out == cli("analyse result.json").out
    assert "--help" not in cli("analyze --help").err


def test_help_is_a_command_too(cli: Cli) -> None:
    """`help` alone, of a verb, and of a verb with a model and a task."""
    assert cli("help").out == cli("--help").out
    assert cli("help export").out == cli("export --help").out
    assert cli("help solve telephone gossip").out == cli("solve telephone gossip --help").out
    assert "unknown command" in refused(cli("help nonsense"))


def test_a_summary_is_one_sentence() -> None:
    """`explore` has a subject for each question; its summary does not run theirs together."""
    assert all(";" not in summary for summary in verb_summaries().values())
    assert {"explore", "simulate"} <= set(verb_summaries())
