"""What is written: whole or not at all, the result before anything is printed, and every failure names the
file.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from schedsolve.network.files.any_format import write_network
from schedsolve.network.graph import Network
from schedsolve.runtime.errors import InputError
from schedsolve.runtime.files.whole_file import write_whole
from tests.command_line import Cli
from tests.needs import needs

SOLVE = "solve telephone gossip cycle:4"


def full_disk(_: int) -> None:
    """What a full disk says when what was written is to reach it."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize(
    ("line", "file"),
    [
        (f"{SOLVE} --output x.json", "x.json"),
        (f"{SOLVE} --output x.json.gz", "x.json.gz"),
        ("construct telephone gossip cycle:4 --output x.json", "x.json"),
        ("compare telephone gossip cycle:4 --output x.md", "x.md"),
        pytest.param("draw given.json -o x.svg", "x.svg", marks=needs("drawing")),
        pytest.param("draw given.json -o x.png", "x.png", marks=needs("drawing")),
        pytest.param("draw given.json -o x.html", "x.html", marks=needs("drawing")),
        ("formulate telephone gossip cycle:4 --rounds 3 -o x.cnf", "x.cnf"),
        ("explore f --ports 1 --dimension 2 --extra-rounds 0..1 --plot x.svg", "x.svg"),
        ("explore f --ports 1 --dimension 2 --extra-rounds 0..1 --output x.json", "x.json"),
    ],
)
def test_a_full_disk_destroys_nothing(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, line: str, file: str
) -> None:
    """On a full disk every command that writes leaves what was there, and nothing else beside it; its one
    line names the file.
    """
    assert cli(f"{SOLVE} --output given.json").status == 0
    Path(file).write_text("old")
    before = sorted(os.listdir())
    monkeypatch.setattr("os.fsync", full_disk)
    seen = cli(line)
    assert (seen.status, seen.err.count("\n")) == (2, 1)
    assert f"cannot write {file}: No space left" in seen.err
    assert Path(file).read_text() == "old"
    assert sorted(os.listdir()) == before


def test_networks_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is a network's file."""
    file = tmp_path / "x.edges"
    file.write_text("old")
    monkeypatch.setattr("os.fsync", full_disk)
    with pytest.raises(InputError, match="No space left"):
        write_network(Network.from_spec("cycle:4"), file)
    assert file.read_text() == "old"


def test_an_interrupt_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while a file is written leaves the old one, and no other."""

    def interrupted(_: int) -> None:
        raise KeyboardInterrupt

    file = tmp_path / "x"
    file.write_text("old")
    monkeypatch.setattr("os.fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(b"new", file)
    assert (file.read_text(), os.listdir(tmp_path)) == ("old", ["x"])


def test_links_and_modes_are_kept(tmp_path: Path) -> None:
    """A link still leads to the file, which keeps its mode; a new file gets the usual one."""
    (tmp_path / "real").write_text("old")
    (tmp_path / "real").chmod(0o600)
    (tmp_path / "link").symlink_to("real")
    write_whole(b"new", tmp_path / "link")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "real").stat().st_mode) == 0o600
    (tmp_path / "plain").write_text("")
    write_whole(b"", tmp_path / "fresh")
    assert (tmp_path / "fresh").stat().st_mode == (tmp_path / "plain").stat().st_mode


@pytest.mark.parametrize("file", ["/dev/full", "nowhere/x.json", "x" * 300])
def test_failures_name_the_file(cli: Cli, file: str) -> None:
    """A full device, a missing folder and a name that is too long end with 2 and name the file."""
    seen = cli(f"{SOLVE} --output {file}")
    assert (seen.status, seen.err.count("\n")) == (2, 1)
    assert f"cannot write {file[:60]}" in seen.err


def shell(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """A shell line, with schedsolve as $S."""
    command = f"S='{sys.executable} -m schedsolve'; set -o pipefail; {line}"
    return subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, check=False, timeout=100
    )


def test_the_result_is_saved_though_nobody_reads(tmp_path: Path) -> None:
    """With standard output closed the result is saved all the same; with a full one, too, and the line names
    it; a failed check still ends with 1.
    """
    seen = shell(f"$S {SOLVE} --output x.json | true", tmp_path)
    assert (seen.returncode, seen.stderr) == (0, "")
    assert json.loads((tmp_path / "x.json").read_text())["value"] == 2
    seen = shell(f"$S {SOLVE} --output y.json > /dev/full", tmp_path)
    assert (seen.returncode, seen.stderr) == (
        2,
        "schedsolve: cannot write standard output: No space left on device\n",
    )
    assert json.loads((tmp_path / "y.json").read_text())["value"] == 2
    (tmp_path / "x.json").write_text((tmp_path / "x.json").read_text().replace('"value": 2', '"value": 1'))
    assert shell("$S check x.json | true", tmp_path).returncode == 1
