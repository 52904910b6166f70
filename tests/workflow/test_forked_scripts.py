"""Scripts in forked processes write, print and exit as in plain Snakemake."""

import os
import runpy
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

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


def start(program, folder, *arguments, **variables):
    command = [sys.executable, *program, "--cores", "2", *arguments]
    environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
    return subprocess.Popen(
        command, cwd=folder, env=environment | {"FROM_OUTSIDE": "seen"} | variables, text=True,
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


def test_run_goes_on_when_the_process_that_starts_scripts_is_killed(folder):
    place = folder("killed")
    run = start(FORKED, place)
    # its only child until the first script starts
    while not (children := psutil.Process(run.pid).children()):
        time.sleep(0.01)
    children[0].kill()
    printed, _ = run.communicate(timeout=100)
    assert run.returncode == 0, printed
    assert (place / "made.txt").exists()
    assert printed.count("was killed: scripts run as in plain Snakemake") == 1


def test_script_fails_when_the_process_that_waits_for_it_is_killed(folder):
    place = folder(
        "lost", "Path('begun').touch(); os.kill(os.getppid(), 9); import time; time.sleep(9)"
    )
    run = start(FORKED, place)
    printed, _ = run.communicate(timeout=100)
    assert run.returncode == 1
    assert "died with <Signals.SIGKILL: 9>" in printed
    assert not members(run.pid)


def test_long_folder_of_temporary_files_is_no_error(folder):
    place = folder("long")
    temporary = place / ("t" * 120)
    temporary.mkdir()
    run = start(FORKED, place, TMPDIR=str(temporary))
    printed, _ = run.communicate(timeout=100)
    assert run.returncode == 0, printed
    assert "plain Snakemake" not in printed


@pytest.mark.parametrize(
    "changed", ["def execute_script(self, path): ...", "def __init__(self): ..."]
)
def test_other_versions_of_snakemake_run_scripts_themselves(tmp_path, changed):
    """The method or what it needs has changed: nothing is replaced, and one line says so."""
    program = tmp_path / "program.py"
    program.write_text(f"""
import runpy, sys
module = runpy.run_path({str(FORKED[0])!r})
class Script:
    def execute_script(self, fname, edit=False): ...
    {changed}
print(module["_fits"](Script))
""")
    answer = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert answer.stdout == "False\n"


@pytest.mark.parametrize("named", ["conda_env", "container_img", "env_modules"])
def test_script_with_an_environment_of_its_own_is_started_as_usual(named):
    """It has another Python; nothing listens at the address."""
    job = SimpleNamespace(conda_env=None, container_img=None, env_modules=None)
    setattr(job, named, "env")
    started = []
    replacement = runpy.run_path(str(FORKED[0]))["_run_at"](
        "no address", lambda *call: started.append(call)
    )
    replacement(job, "make.py")
    assert started == [(job, "make.py", False)]
