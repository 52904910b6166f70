"""`schedlab why`: text, JSON, page, a live Slurm, mistakes."""

import json
import shlex
import stat

import pytest
from typer.testing import CliRunner

from docs_case import ROOT, blocks
from howto_case import follow
from schedlab.cli import app
from schedlab.workbench.live_queue import COMMANDS
from site_queue_case import LINES, write

FILES = "--queue squeue.txt --slurm-conf slurm.conf --accounts accounts.txt --runs 4 --days 2"


@pytest.fixture
def site(tmp_path, monkeypatch):
    write(tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def call(text):
    return CliRunner().invoke(app, ["why", *shlex.split(text)], env={"COLUMNS": "80"})


def test_answer_is_text_in_the_order_of_the_questions(site):
    result = call(f"4 {FILES}")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0].startswith("job 4 (user bob, account biology, QOS normal, partition gpu")
    assert lines[1] == "Job 3 (by QOS) is ahead of it. Partition gpu is short of gpu for it."
    assert lines[2] == "Slurm's own reason: Priority"
    assert lines[3] == "1 job with its nodes is ahead: 1 by QOS. The largest:"
    assert lines[4] == "  job 3 of ada: 8 processors for 0:30:00, priority 995, by QOS"
    assert lines[5] == "Points of its priority: QOS 100, nice 60"
    assert lines[6].startswith("It starts at about 2026-11-22T1")
    assert "51 to 58 % of the starts were within such an interval" in lines[6]
    assert lines[7].startswith("If all jobs run until their limits, and none is submitted: 2026-11")
    assert lines[-1] == "Nothing that you can change helps."


def test_what_helps_is_printed_with_its_command(site):
    (site / "squeue.txt").write_text(LINES.replace("main,gpu", "main"))
    text = call(f"3 {FILES}").stdout
    assert "  1 node in place of 2, with 4 tasks: 0:" in text
    assert "    scontrol update JobId=3 NumNodes=1 NumTasks=4\n" in text
    (site / "squeue.txt").write_text(LINES.replace("|Resources|", "|JobHeldUser|"))
    text = call(f"3 {FILES}").stdout
    assert "It cannot start: held by its user.\n" in text
    assert text.endswith("  release it\n    scontrol release 3\n")


def test_json_and_page(site):
    result = call(f"4 {FILES} --json --html page.html")
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["reason"].startswith("Job 3 (by QOS) is ahead of it.")
    assert answer["starts"].keys() == {"low", "median", "high", "limits", "slurm"}
    assert answer["by_factor"] == {"QOS": 1}
    assert "<svg" in (site / "page.html").read_text()


def test_past_jobs_decide_run_times(site):
    numbers = range(1, 30)
    rows = "".join(f"{k} {k * 60} 0 60 1 -1 -1 1 600 -1 1 1 1 -1 -1 -1 -1 -1\n" for k in numbers)
    (site / "past.swf").write_text("; MaxProcs: 16\n" + rows)
    result = call(f"4 {FILES} --log past.swf")
    assert (
        "run times as of 29 jobs of the log, 0 of them of bob; no job is submitted" in result.stdout
    )


def fake(folder, name, script):
    """Put a command into a folder."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(path.stat().st_mode | stat.S_IEXEC)


def test_without_files_the_commands_of_slurm_are_asked(site, monkeypatch):
    commands = site / "bin"
    commands.mkdir()
    monkeypatch.setenv("PATH", f"{commands}:/bin")
    names = {command.split()[0] for command in COMMANDS.values()}
    assert names == {"squeue", "scontrol", "sacctmgr", "sshare", "sprio"}
    nodes = ["NodeName=g1 CPUAlloc=2 CPUTot=8 RealMemory=2000 Gres=gpu:2 State=MIXED"]
    nodes += [f"NodeName=c{k} CPUAlloc=4 CPUTot=4 RealMemory=1000 State=ALLOCATED" for k in (1, 2)]
    answers = {
        "config": "Configuration data as of 2026-11-22T12:33:20\nSelectType = select/cons_tres\n"
        "SelectTypeParameters = CR_CORE_MEMORY\nPriorityType = priority/multifactor\n",
        "partition": "PartitionName=main Nodes=c[1-2],g1 Default=YES State=UP TotalNodes=3\n\n"
        "PartitionName=gpu Nodes=g1 State=UP TotalNodes=1\n",
        "node": "\n\n".join(nodes),
        "reservation": "No reservations in the system\n",
        "queue": LINES,
    }
    for name, text in answers.items():
        (commands / f"{name}.txt").write_text(text)
    fake(commands, "squeue", f"cat '{commands}/queue.txt'")
    fake(commands, "scontrol", f"cat '{commands}'/$2.txt")
    result = call("4 --runs 2 --days 2 --save kept")
    assert result.exit_code == 0, result.output
    assert "is ahead of it. Partition gpu is short of gpu for it." in result.stdout
    assert "left out: sacctmgr show qos -P: " in result.stderr
    assert not (site / "kept/reservation.txt").exists()
    assert (site / "kept/squeue.txt").read_text() == LINES


def test_following_the_page_gives_its_answer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    page = ROOT / "docs/howto/why.md"
    (_, *arguments), (_, *changes) = follow(page, tmp_path)
    assert CliRunner().invoke(app, changes).exit_code == 0
    result = CliRunner().invoke(app, arguments)
    shown = next(block.text for block in blocks(page) if block.text.startswith("It is first"))
    for line in filter("…".__ne__, shown.splitlines()):
        assert line in result.stdout.splitlines(), result.stdout


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (f"77 {FILES}", "no job 77 waits; 3, 4, 5 do"),
        ("4 --queue squeue.txt", "--slurm-conf: give it, or what scontrol show config prints"),
        ("4 --slurm-conf slurm.conf", "--queue: give the queue as well, or no file at all"),
        (f"4 {FILES} --sprio accounts.txt", "accounts.txt: line 1: no line of names"),
    ],
)
def test_mistakes_end_in_a_line(site, arguments, words):
    result = call(arguments)
    assert result.exit_code == 1
    assert words in result.stderr


def test_a_machine_without_slurm_is_an_error(site, monkeypatch):
    monkeypatch.setenv("PATH", str(site))
    result = call("4")
    assert result.exit_code == 1
    assert "run it on a machine of the cluster, or give the queue as a file" in result.stderr
