"""What `make report` prints, with programs that only record their calls."""

import os
import runpy
import select
import shutil
import signal
import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
STAMP = ".venv/ready.stamp"
#: as Snakemake prints two jobs, a missing log and an error
PRINTED = """\
Building DAG of jobs...
Select jobs to execute...
Execute 2 jobs...

[Thu Nov 26 14:08:38 2026]
Job 38: Drawing one

[Thu Nov  6 14:08:38 2026]
Job 7: Fetching LOG
LOG is not available: no good copy of log.swf was found.
Folders of SCHEDLAB_ARCHIVE, searched with their subfolders:
  none is set
Addresses tried:
  none, working offline
What to do: put log.swf into a folder, name that folder in SCHEDLAB_ARCHIVE
and run the same command again.
It is the right file if it has: jobs 3.
Without it everything is made but table4
[Thu Nov 26 14:08:39 2026]
Finished jobid: 38 (Rule: draw)
1 of 3 steps (33%) done
Select jobs to execute...
Execute 1 jobs...

[Thu Nov 26 14:08:39 2026]
Job 0: Drawing two & three
Error in rule draw:
    message: Drawing two
  What to do: put it right
3 of 3 steps (100%) done
"""


def test_a_job_is_one_line_and_errors_are_whole(root):
    command = [sys.executable, "workflow/line_a_job.py"]
    done = subprocess.run(
        command, cwd=root, input=PRINTED, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines() == [
        "Building DAG of jobs...",
        "Drawing one",
        "Fetching LOG",
        "LOG is not available: no good copy of log.swf was found.",
        "1 of 3 done: Drawing two & three",
        "Error in rule draw:",
        "    message: Drawing two",
        "  What to do: put it right",
        "3 of 3 steps (100%) done",
    ]


@pytest.mark.parametrize(
    ("done", "seconds", "shown"),
    [
        (9, 100, ""),  # less than a tenth of the steps
        (10, 19, ""),  # less than 20 s
        (10, 20, ", about 3 min left"),  # 2 s a step: 180 s
        (10, 20.2, ", about 4 min left"),  # 181.8 s
        (99, 99, ", about 1 min left"),
    ],
)
def test_time_left_is_that_of_steps_like_those_before(root, done, seconds, shown):
    clock = iter([0, seconds]).__next__
    functions = runpy.run_path(str(root / "workflow" / "line_a_job.py"))
    lines = [f"{done} of 100 steps ({done}%) done", "Job 5: Drawing one"]
    printed = list(functions["lines_of"](lines, clock))
    assert printed == [f"{done} of 100 done{shown}: Drawing one"]


def test_a_line_is_shown_when_snakemake_prints_it(root):
    command = [sys.executable, "workflow/line_a_job.py"]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        command, cwd=root, env=environment,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        print("Job 38: Drawing one", file=process.stdin, flush=True)
        assert select.select([process.stdout], [], [], 30)[0]
        assert process.stdout.readline() == "Drawing one\n"
        process.stdin.close()


@pytest.mark.slow
def test_last_messages_of_an_interrupted_run_are_printed(root, tmp_path):
    program = tmp_path / "python"
    program.write_text(
        "#!/bin/sh\ntrap 'sleep 1; echo released the lock; exit 130' INT\n"
        "echo started; while :; do sleep 0.1; done\n"
    )
    program.chmod(0o755)
    process = subprocess.Popen(
        ["make", "-o", STAMP, "report", f"BIN={tmp_path}"],
        cwd=root, stdout=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    lines = iter(process.stdout.readline, "")
    assert any("started" in line for line in lines)
    os.killpg(process.pid, signal.SIGINT)
    assert "released the lock\n" in list(lines)
    assert process.wait(30) != 0
