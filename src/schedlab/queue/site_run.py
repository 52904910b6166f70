"""Simulating jobs on a site's own Slurm, to a schedule with nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from schedlab.core.jobs import Schedule
from schedlab.core.requests import Requests
from schedlab.files.progress import counted_and_logged
from schedlab.queue.site_dialect import AsConfigured, Points
from schedlab.queue.site_problem import FOREVER, problem_of
from schedlab.queue.site_requests import ALL_MEMORY, PER_CPU, PER_NODE
from schedlab.queue.slurm_site import AT_ONCE, Phases, kernel_of

if TYPE_CHECKING:
    from schedlab.core.jobs import Jobs
    from schedlab.core.slurm_site import Site
    from schedlab.kernels.site.site import SiteKernel
    from schedlab.policies import Policy
    from schedlab.queue.simulation import Run
    from schedlab.queue.site_dialect import SiteSlurm
    from schedlab.queue.site_problem import SiteProblem

#: instants, or calculations of priorities, between two looks at the progress
PART, CALCULATIONS = 500, 50
#: jobs of a log with these numbers; a look is at all jobs, so larger logs have longer parts
FEW = 50_000
#: numbers of a class of requests (`schedlab.queue.site_requests.Asked`)
_NODES, _CPUS, _MEMORY, _MODE = 1, 3, 5, 6
NO_NODES = "its partitions have too few nodes with what it asks for"
PENDING = "a limit of its QOS or association, or nodes that are not available"


def simulate_run(run: Run) -> Schedule:
    """Simulate a run in the dialect of a site.

    Raises ValueError if a job never starts.
    """
    dialect, policy = run.dialect.site, run.policy
    assert dialect is not None
    schedule = simulate_policy(dialect, run.jobs, policy)
    if (never := np.flatnonzero(schedule.start < 0)).size:
        job, why = int(run.jobs.number[never[0]]), schedule.extras["jobs"]["why"][never[0]]
        raise ValueError(f"job {job} never starts under {policy.label}: {why}")
    return schedule


def simulate_policy(dialect: SiteSlurm, jobs: Jobs, policy: Policy) -> Schedule:
    """Simulate jobs on a site's own Slurm, in which a policy gives points."""
    if isinstance(policy, AsConfigured):
        return simulate_site(policy.changed or dialect.site, jobs, dialect.phases)
    return simulate_site(dialect.site, jobs, dialect.phases, policy=policy, points=dialect.points)


def simulate_site(
    site: Site,
    jobs: Jobs,
    phases: Phases = AT_ONCE,
    stopping: int = 1,
    policy: Policy | None = None,
    points: int = 0,
) -> Schedule:
    """Simulate jobs on a site's own Slurm.

    Parameters
    ----------
    site : Site
        As from `schedlab.traces.slurm.site_files.read_site`.
    jobs : Jobs
        Submit times from 0 on; with requests, if any are known.
    phases : Phases
        When the controller's periodic work begins.
    stopping : int
        Seconds that a job keeps its nodes beyond its run time.
    policy : Policy, optional
        Adds points to the site's priorities, see `schedlab.queue.site_dialect`; `points` are those
        of the first waiting job.

    Returns
    -------
    Schedule
        Start and end -1 for jobs that never start. Its extras are:

        - ``jobs``: a data frame with a row a job: partition in which it ran, qos, account, user,
          what it had (cpu, mem in MB, node, and gres/… by name), how often it was requeued, and
          why it never starts ("" if it does);
        - ``nodes``: int64 of shape (…, 3): job by its place, node by its place in
          `Machine.names`, and its processors there;
        - ``not_modeled``: settings that were left out, see `schedlab.core.slurm_site.NotModeled`.

    Raises
    ------
    schedlab.queue.site_problem.SiteJobError
        A job asks for an advance reservation that there is not; the message names the job.

    Examples
    --------
    >>> from schedlab.core.jobs import Jobs
    >>> from schedlab.core.machine import Machine
    >>> from schedlab.core.slurm_site import Site
    >>> jobs = Jobs([1, 2], [0, 0], [600, 600], [600, 600], [3, 2])
    >>> simulate_site(Site(Machine.of_processors(4)), jobs).end.tolist()
    [600, 1201]
    """
    requests = jobs.requests or unknown(jobs)
    problem = problem_of(site, jobs, requests, stopping=stopping)
    kernel = kernel_of(problem, phases)
    given = Points(problem, jobs, policy, points) if policy else None
    with counted_and_logged("jobs that started", len(jobs)) as advance:
        done, is_left = 0, True
        while is_left:
            is_left = _advance(kernel, given, max(len(jobs) // FEW, 1))
            started = int(np.count_nonzero(kernel.starts() >= 0))
            advance(started - done)
            done = started
    start = kernel.starts()
    pair, first, count, places = kernel.places()
    job = np.repeat(np.arange(len(jobs)), count)
    # the rows of a job are next to each other, jobs are in any order
    within = np.arange(len(job)) - np.repeat(np.cumsum(count) - count, count)
    nodes = np.column_stack([job, places[np.repeat(first, count) + within]])
    had = _had(problem, pair, nodes)
    # a job that was preempted and not requeued ends before its run time
    until, restarts = kernel.ends()
    end = np.where(start >= 0, np.minimum(start + jobs.runtime, until), -1)
    of_jobs = _names(problem, requests, pair).join(had)
    of_jobs = of_jobs.assign(requeued=restarts, why=why_never(problem, jobs, start))
    extras = {"jobs": of_jobs, "nodes": nodes, "not_modeled": problem.not_modeled}
    return Schedule(start, end, extras)


def _advance(kernel: SiteKernel, given: Points | None, parts: int) -> bool:
    """Advance by some instants, or some calculations of priorities; return whether any is left."""
    if given is None:
        return kernel.advance(PART * parts)
    for _ in range(CALCULATIONS * parts):
        if not (kernel.advance(FOREVER, kernel.due) and step(kernel, given)):
            return False
    return True


def step(kernel: SiteKernel, given: Points | None) -> bool:
    """Advance by an instant; first give waiting jobs points if priorities are calculated in it."""
    if given is not None and kernel.next >= kernel.due:
        waiting = kernel.waiting()
        kernel.give(waiting, given.of(waiting, kernel.due))
    return kernel.advance(1)


def unknown(jobs: Jobs) -> Requests:
    """Return the requests of jobs of which nothing is known beyond processors and time."""
    return Requests.from_frame(pd.DataFrame(index=range(len(jobs))))


def _names(problem: SiteProblem, requests: Requests, pair: np.ndarray) -> pd.DataFrame:
    """Return partition, QOS, account and user of each job."""
    partitions = [each.name for each in problem.site.machine.partitions]
    ran_in = np.array([*partitions, ""], dtype=object)
    place = np.full(len(pair), -1)
    place[pair >= 0] = problem.pair_partition[pair[pair >= 0]]
    accounts = np.array([each.account for each in problem.site.associations], dtype=object)
    # without accounts of the site there is the root alone
    account = accounts[problem.association] if len(accounts) > 1 else requests.account.column()
    return pd.DataFrame(
        {"partition": ran_in[place], "qos": problem.qos}
        | {"account": np.asarray(account, dtype=object)}
        | {"user": np.asarray(requests.user.column(), dtype=object)}
    )


def _had(problem: SiteProblem, pair: np.ndarray, nodes: np.ndarray) -> pd.DataFrame:
    """Return the processors, memory, nodes and generic resources that each job had."""
    job, node, cpus = nodes.T
    jobs = len(pair)
    kind = problem.pair_class[pair[job]]
    memory, mode = problem.numbers[kind, _MEMORY], problem.numbers[kind, _MODE]
    modes = [mode == PER_NODE, mode == PER_CPU, mode == ALL_MEMORY]
    has = np.select(modes, [memory, memory * cpus, problem.memory[node]])
    had = {"cpu": cpus, "mem": has, "node": np.ones(len(job))}
    for k, name in enumerate(problem.gres_names):
        had[f"gres/{name}"] = problem.class_gres[kind, k]
    sums = {name: np.bincount(job, amount, jobs) for name, amount in had.items()}
    return pd.DataFrame(sums, dtype=np.int64)


def why_never(problem: SiteProblem, jobs: Jobs, start: np.ndarray) -> list[str]:
    """Return why each job never starts, "" for those that do."""
    why = [""] * len(jobs)
    refused = dict(problem.never)
    for job in np.flatnonzero(start < 0).tolist():
        before = problem.after[problem.after_of[job] : problem.after_of[job + 1]]
        missing = before[start[before] < 0]
        kinds = problem.pair_class[problem.pair_of[job] : problem.pair_of[job + 1]].tolist()
        if job in refused:
            why[job] = refused[job]
        elif len(missing):
            why[job] = f"it waits for job {jobs.number[missing[0]]}, which never starts"
        else:
            why[job] = PENDING if any(_fits(problem, kind) for kind in kinds) else NO_NODES
    return why


def _fits(problem: SiteProblem, kind: int) -> bool:
    """Return whether all nodes together, idle, have what a class of requests asks for."""
    able = problem.static[problem.class_static[kind]] & (
        problem.gres >= problem.class_gres[kind]
    ).all(axis=1)
    asked = problem.numbers[kind]
    return bool(able.sum() >= asked[_NODES] and problem.cpus[able].sum() >= asked[_CPUS])
