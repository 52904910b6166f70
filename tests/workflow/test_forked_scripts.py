"""Scripts in forked processes write, print and exit as in plain Snakemake."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

RULES = """
rule all:
    input: "made.txt"

rule make:
    output: "made.txt"
    params: text="quiet"
    benchmark: "made.tsv"
    threads: 2
    resources: tmpdir="temporary"
    script: "make.py"
"""
SCRIPT = """
import os, sys, tempfile
from pathlib import Path

print(snakemake.params.text)
facts = [__name__, snakemake.rule, snakemake.threads, os.environ["OMP_NUM_THREADS"],
         os.environ["FROM_OUTSIDE"], Path(tempfile.gettempdir()).name, Path.cwd().name]
{end}
Path(snakemake.output[0]).write_text(repr(facts))
"""
PLAIN = ("-m", "snakemake")
FORKED = (Path(__file__).parents[2] / "workflow/forked_scripts.py",)


@pytest.fixture
def folder(tmp_path):
    """Folder with a workflow of one script, which `end` may end early."""

    def make(name, end=""):
        place = tmp_path / name / "work"
        (place / "temporary").mkdir(parents=True)
        (place / "Snakefile").write_text(RULES)
        (place / "make.py").write_text(SCRIPT.format(end=end))
        return place

    return make


def start(program, folder):
    command = [sys.executable, *program, "--cores", "2"]
    return subprocess.Popen(
        command, cwd=folder, env=os.environ | {"FROM_OUTSIDE": "seen"}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    )  # fmt: skip


def test_forked_script_has_the_environment_of_plain_snakemake(folder):
    made = {}
    for program in (PLAIN, FORKED):
        place = folder(Path(program[-1]).stem)
        run = start(program, place)
        printed, _ = run.communicate(timeout=100)
        assert run.returncode == 0, printed
        assert "quiet\n" in printed
        header, numbers = (place / "made.tsv").read_text().splitlines()
        made[program] = ((place / "made.txt").read_text(), header)
        assert float(numbers.split("\t")[0]) > 0
    assert made[PLAIN] == made[FORKED]
    assert made[FORKED][0] == repr(["__main__", "make", 2, "2", "seen", "temporary", "work"])


@pytest.mark.parametrize(
    ("end", "said"),
    [
        ("sys.exit('no data')", "no data"),
        ("sys.exit(3)", "non-zero exit status 3"),
        ("raise ValueError('not a log')", "ValueError: not a log"),
        ("os.kill(os.getpid(), 9)", "died with <Signals.SIGKILL: 9>"),
    ],
)
def test_a_script_that_fails_fails_its_job(folder, end, said):
    place = folder("failed", end)
    run = start(FORKED, place)
    printed, _ = run.communicate(timeout=100)
    assert run.returncode == 1
    assert said in printed
    assert "Error in rule make" in printed
    assert not (place / "made.txt").exists()


def members(group):
    """Processes of a process group that have not ended."""
    found = []
    for process in psutil.process_iter():
        with suppress(ProcessLookupError, psutil.NoSuchProcess):
            if os.getpgid(process.pid) == group and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_stopped_run_leaves_no_process(folder, number):
    """Ctrl-C goes to all processes of a terminal, kill to one; a script may end its work."""
    place = folder("stopped", "Path('begun').touch(); __import__('time').sleep(2)")
    run = start(FORKED, place)
    while not (place / "begun").exists():
        time.sleep(0.1)
    (os.killpg if number == signal.SIGINT else os.kill)(run.pid, number)
    run.communicate(timeout=100)
    assert run.returncode != 0
    late = time.monotonic() + 60
    while left := members(run.pid):
        assert time.monotonic() < late, left
        time.sleep(0.1)
    # Ctrl-C ends the script too
    assert number != signal.SIGINT or not (place / "made.txt").exists()
