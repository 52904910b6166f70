"""Policies inside a site's own Slurm, as points of priority."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Priorities, Site
from schedlab.exports.slurm import slurm_export
from schedlab.policies import get
from schedlab.policies.functions import from_function
from schedlab.queue.dialects import Dialect
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.site_dialect import USUAL_POINTS, AsConfigured, Points, SiteSlurm, usual_points
from schedlab.queue.site_problem import problem_of
from schedlab.queue.site_run import simulate_site
from schedlab.queue.slurm_site import Phases, kernel_of
from twins.slurm_site import Controller

PRIORITIES = Priorities(fairshare=1000)


def problem_and_jobs(rows: list[tuple[int, ...]], priorities: Priorities = PRIORITIES, array=-1):
    """Rows of submit, runtime, estimate and processors, on a machine of four."""
    frame = pd.DataFrame(rows, columns=["submit", "runtime", "estimate", "procs"])
    frame = frame.sort_values("submit", kind="stable", ignore_index=True)
    frame["number"], frame["array"] = range(1, len(frame) + 1), array
    jobs = Jobs.from_frame(frame)
    site = Site(Machine.of_processors(4), priorities)
    return site, problem_of(site, jobs, Requests.from_frame(frame)), jobs


def script_of(policy: str, points: int) -> dict:
    """Names of the script that `export-slurm --points` writes, with submissions from 0 on."""
    files = slurm_export(policy, processors=4, points=points, origin=0).files
    names: dict = {"__name__": "script"}
    exec(files["slurm_priority.py"], names)
    return names


jobs_of = st.lists(
    st.tuples(
        st.integers(0, 400), st.integers(1, 300), st.integers(60, 400), st.integers(1, 4)
    ),
    min_size=1,
    max_size=12,
)  # fmt: skip


@given(jobs_of, st.sampled_from(["spt", "wfp3", "r * n - w"]), st.integers(1, 40), st.booleans())
def test_points_are_those_of_the_exported_script(rows, policy, most, is_array):
    _, problem, jobs = problem_and_jobs(rows, array=7 if is_array else -1)
    waiting, now = np.arange(len(jobs)), 500
    given = Points(problem, jobs, get(policy), most).of(waiting, now)
    number = [7] * len(jobs) if is_array else jobs.number.tolist()
    if is_array:  # tasks of an array differ in nothing
        waiting = waiting[:1]
    lines = [
        f"{number[k]}|{jobs.procs[k]}|{problem.limit[k] // 60}:00|{jobs.submit[k]}|Priority"
        for k in waiting
    ]
    wanted = script_of(policy, most)["places"](lines, now)
    assert [int(given[k]) for k in waiting] == [wanted[number[k]] for k in waiting]


@given(jobs_of, st.sampled_from(["spt", "wfp3"]), st.integers(0, 299))
def test_kernel_with_points_is_twin(rows, policy, phase):
    site, problem, jobs = problem_and_jobs(rows, Priorities(age=50, max_age=600, calc_period=60))
    phases, points = Phases(priority=phase), Points(problem, jobs, get(policy), 100)
    twin = Controller(problem, phases)
    twin.points = lambda waiting, now: points.of(np.array(waiting, dtype=np.int64), now).tolist()
    starts = twin.simulate()
    found = simulate_site(site, jobs, phases, policy=get(policy), points=100)
    assert found.start.tolist() == starts


def order(policy, priorities: Priorities = PRIORITIES, **options) -> list[int]:
    """Order in which three jobs of the whole machine start that wait for a first one."""
    rows = [(0, 500, 600, 4), (1, 90, 300, 4), (2, 90, 200, 4), (3, 90, 100, 4)]
    site, _, jobs = problem_and_jobs(rows, priorities)
    dialect = Dialect("small", site=SiteSlurm(site, **options))
    run = Run(jobs, 4, policy, dialect=dialect, reservations="every")
    return (np.argsort(simulate(run).start) + 1).tolist()


def test_policies_reorder_the_queue_at_the_period_of_priorities():
    assert order(AsConfigured()) == [1, 2, 3, 4]
    assert order(get("spt")) == [1, 4, 3, 2]
    # no calculation before the first job ends: new jobs have no points
    assert order(get("spt"), replace(PRIORITIES, calc_period=5000)) == [1, 2, 3, 4]


def test_points_are_added_to_what_the_site_has():
    aged = Priorities(age=100_000, max_age=600, calc_period=60)
    assert order(get("spt"), aged, most=100) == [1, 2, 3, 4]
    assert order(get("spt"), aged, most=1_000_000) == [1, 4, 3, 2]


def test_changed_settings_are_a_site_of_their_own():
    site, _, _ = problem_and_jobs([(0, 1, 60, 1)])
    weights = Priorities(jobsize=1000, favor_small=False, calc_period=60)
    assert order(AsConfigured(changed=replace(site, priorities=weights))) == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("weights", "points"),
    [
        (Priorities(fairshare=7, qos=9), 7),
        (Priorities(age=3, qos=9), 9),
        (Priorities(), USUAL_POINTS),
    ],
)
def test_usual_points_have_the_range_of_fair_share(weights, points):
    assert usual_points(Site(Machine.of_processors(1), weights)) == points


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"policy": from_function(lambda waiting: waiting.estimate)}, "is a Python function"),
        ({"reservations": "head", "backfill": get("spt")}, "backfill is spt, leave it out"),
        ({"threshold": 60}, "threshold is 60, leave it out"),
        ({"reservations": "none"}, "reservations is none, leave it out"),
        ({"head": 2}, "head is 2, leave it out"),
    ],
)
def test_what_cannot_be_points_is_refused(settings, problem):
    site, _, jobs = problem_and_jobs([(0, 1, 60, 1)])
    dialect = Dialect("small", site=SiteSlurm(site))
    options = {"policy": get("fcfs"), "dialect": dialect, "reservations": "every"} | settings
    with pytest.raises(ValueError, match=problem):
        Run(jobs, 4, **options)
    with pytest.raises(ValueError, match="changes of nodes are of a site's own files"):
        Run(jobs, Machine.of_processors(4), get("fcfs"), dialect=dialect, reservations="every")
    basic = replace(site, priorities=Priorities(multifactor=False))
    with pytest.raises(ValueError, match="PriorityType=priority/basic reads none"):
        Run(jobs, 4, get("spt"), dialect=Dialect("small", site=SiteSlurm(basic)))


def test_a_watched_job_changes_no_start_and_its_plan_is_seen():
    rows = [(0, 500, 600, 3), (1, 90, 300, 4), (2, 90, 100, 1)]
    _, problem, _ = problem_and_jobs(rows)
    plain, watched = kernel_of(problem), kernel_of(problem, watched=1)
    while plain.advance(1):
        pass
    seen = set()
    while watched.advance(1):
        seen.add(watched.seen()[1])
    assert plain.starts().tolist() == watched.starts().tolist()
    assert 600 in seen
    assert watched.limit_of(1)[0] == -1
