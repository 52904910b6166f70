"""Time copies of a session, or one that is driven job by job; print the record as JSON.

usage: python bench/fork_case.py WORK RESERVATIONS POLICY REPEATS

WORK is a copy (jobs copied a second, from a session in which 10,000 jobs wait or run; the record
says how long a copy takes); planned (predicted starts per second, of the last of 100 waiting jobs,
in a copy each time); or driven (300,000 model jobs a second, with 1000 stops at each of which the
start of the last arrival is predicted).
"""

from __future__ import annotations

import statistics
import sys
import time
from dataclasses import replace

import numpy as np
from record import print_record
from works import crowd, model

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.sessions import QueueSession

CROWDED = 100  # processors of `crowd`
MODELED = 256
STOPS = 1000


def crowded(count: int, reservations: str, policy: str) -> QueueSession:
    """A session in which so many jobs wait or run."""
    session = QueueSession(CROWDED, get(policy), reservations=reservations)
    jobs = crowd(count)
    session.submit_jobs(replace(jobs, submit=np.zeros(count, dtype=np.int64)))
    session.advance(0)
    return session


def drive(jobs: Jobs, reservations: str, policy: str) -> None:
    """Run all jobs; predict the start of the last arrival now and then."""
    session = QueueSession(MODELED, get(policy), reservations=reservations)
    handles = session.submit_jobs(jobs)
    for job in range(0, len(jobs), len(jobs) // STOPS):
        session.advance(int(jobs.submit[job]))
        session.planned(handles[job])
    session.advance()


def main(work: str, reservations: str, policy: str, repeats: str) -> None:
    """Run the case and print its record."""
    count = {"copy": 10_000, "planned": 100, "driven": 300_000}[work]
    seconds = []
    if work == "driven":
        jobs = model(count, MODELED)
    else:
        session = crowded(count, reservations, policy)
    for _ in range(int(repeats)):
        begin = time.perf_counter()
        if work == "copy":
            session.fork()
        elif work == "planned":
            session.planned(count - 1)
        else:
            drive(jobs, reservations, policy)
        seconds.append(time.perf_counter() - begin)
    done = 1 if work == "planned" else count
    print_record(
        f"session {reservations} {policy}, {'starts ' * (work == 'planned')}{work}",
        f"{count} jobs, {statistics.median(seconds) * 1e3:.2f} ms",
        count,
        1,
        [done / second for second in seconds],
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
