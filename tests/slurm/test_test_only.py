"""What `sbatch --test-only` predicts on a real Slurm, compared with schedlab's rule for it."""

import re
from datetime import datetime

import numpy as np
import pytest

from schedlab.slurm.cluster import run, wait_until
from schedlab.waits.lookahead import slurm_test_wait

pytestmark = [pytest.mark.slurm, pytest.mark.whole]
#: seconds from a start to when it is asked, and of rounding
LATE = 8
SMALL = ("--output=/dev/null", "--mem-per-cpu=10")


def submit(cores: int, minutes: int) -> str:
    """Submit a job that requests so much; return its id."""
    size = (f"-n{cores}", f"--time={minutes}")
    return run("sbatch", "--parsable", *SMALL, *size, "--wrap", "sleep 60").strip()


def printed(cores: int) -> float:
    """Return the wait of a job of five minutes, as Slurm prints it."""
    test = f"sbatch --test-only {' '.join(SMALL)} -n{cores} --time=5 --wrap=true 2>&1"
    start = re.search(r"to start at (\S+)", run("sh", "-c", test))[1]
    return (datetime.fromisoformat(start) - datetime.now()).total_seconds()


@pytest.fixture
def queue(slurm):
    """Of 32 processors 16 are busy for ten minutes; two jobs wait that request 40 more."""
    jobs = [submit(16, 10)]
    wait_until("a running job", lambda: run("squeue", "-h", "-t", "R", "-o", "%i").count("\n") == 1)
    jobs += [submit(32, 30), submit(32, 10)]
    yield
    run("scancel", *jobs, check=False)


@pytest.mark.parametrize(("cores", "expected"), [(16, 2400), (32, 3000)])
def test_slurm_adds_the_requested_work_of_waiting_jobs(queue, cores, expected):
    work = 32 * 2400
    rule = slurm_test_wait(0, np.array([600]), np.array([16]), work, cores, 32)
    assert rule == expected
    assert printed(cores) == pytest.approx(rule, abs=LATE)
