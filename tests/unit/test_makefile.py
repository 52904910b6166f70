"""What `make report` prints, with programs that only record their calls."""

import os
import shutil
import signal
import subprocess

import pytest

pytestmark = pytest.mark.skipif(not shutil.which("make"), reason="make is not installed")
STAMP = ".venv/run.stamp"


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
