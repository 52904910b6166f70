"""A simulation that goes on from a state has the starts of the whole one."""

import numpy as np
import pytest

from schedlab.core.slurm_site import Priorities
from schedlab.queue.slurm_site import Phases, kernel_of
from site_problem_case import arrays, main, site_of

PHASES = Phases(passes=tuple(range(30, 20_000, 30)))
SITE = site_of(main(), priorities=Priorities(age=5000, qos=300, max_age=3600, calc_period=60))


def jobs_of(seed: int) -> list[dict]:
    """Forty jobs of two users, whose priority is age and QOS; some depend or begin later."""
    rng = np.random.default_rng(seed)
    submits = np.sort(rng.integers(0, 2000, 40)).tolist()
    jobs = []
    for k, submit in enumerate(submits):
        limit = int(rng.integers(2, 20)) * 60
        sizes = {"procs": int(rng.integers(1, 5)), "memory": int(rng.integers(50, 400))}
        owner = {"user": str(rng.choice(["u", "v"])), "account": "lab"}
        times = {"estimate": limit, "runtime": int(rng.integers(1, limit)), "submit": submit}
        begin = {"begin": 1500 if k % 9 == 0 else -1, "after": str(100 + k) if k % 7 == 6 else ""}
        jobs.append(sizes | owner | times | begin | {"qos": str(rng.choice(["normal", "high"]))})
    return jobs


@pytest.mark.parametrize("seed", range(6))
def test_later_starts_are_those_of_the_whole_simulation(seed):
    jobs, now = jobs_of(seed), 1200 + seed * 60
    whole = kernel_of(arrays(*jobs, site=SITE), PHASES)
    whole.advance(10**6, now + 1)
    start, until = whole.starts(), whole.ends()[0]
    _, first, count, rows = whole.places()
    # jobs that have ended are no part of a queue
    kept = np.flatnonzero((start < 0) | (until > now)).tolist()
    number = {str(101 + job): str(101 + place) for place, job in enumerate(kept)}
    rest = [jobs[job] | {"after": number.get(jobs[job]["after"], "")} for job in kept]
    again = kernel_of(arrays(*rest, site=SITE), PHASES)
    for place, job in enumerate(kept):
        if start[job] >= 0:
            where = dict(rows[first[job] :][: count[job]].tolist())
            again.put(place, where, int(start[job]))
    again.resume(now, np.array([whole.ages(job)[1] for job in kept], dtype=np.int64))
    for kernel in (whole, again):
        while kernel.advance(1000):
            pass
    assert again.starts().tolist() == whole.starts()[kept].tolist()
    assert (again.starts() > now).sum() > 5
