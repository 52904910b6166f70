"""Arrays of a site and its jobs: pairs, jobs that never start, accounts, changes, order."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Change, Machine, Partition
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Association, Priorities, Site
from schedlab.queue import site_problem
from schedlab.queue.site_problem import FOREVER, PLENTY, SiteJobError, problem_of
from schedlab.queue.slurm_site import Phases, kernel_of
from site_problem_case import ALL, TREE, arrays, main, site_of
from twins.slurm_site import Controller

ENFORCED = frozenset({"associations"})


@pytest.mark.parametrize(
    ("partition", "places"),
    [("", [1]), ("first", [0]), ("last,first", [2, 0]), ("first,,main", [0, 1])],
)
def test_partitions_of_a_job(partition, places):
    site = site_of(Partition("first", (0,)), main(), Partition("last", (1,)))
    problem = arrays({"partition": partition}, {}, site=site)
    assert problem.pair_partition.tolist() == [*places, 1]
    assert problem.pair_of.tolist() == [0, len(places), len(places) + 1]
    assert problem.members.tolist() == [[True, False, False], [True] * 3, [False, True, False]]


def test_first_partition_is_the_default_if_none_is():
    site = site_of(Partition("first", (0,)), Partition("last", (1,), tier=7))
    problem = arrays({}, site=site)
    assert (problem.pair_partition.tolist(), problem.tier.tolist()) == ([0], [1, 7])


def test_site_without_partitions_and_associations():
    problem = arrays({}, site=Site(Machine.of_processors(3), associations=()))
    assert (problem.static.tolist(), problem.parent.tolist()) == ([[True] * 3], [-1])
    assert problem.memory.tolist() == [PLENTY] * 3


@pytest.mark.parametrize(
    ("job", "rules", "why"),
    [
        ({"estimate": 3601}, {"max_time": 3600}, "limit of 3660 s exceeds MaxTime of partition p"),
        ({"nodes": 3}, {"max_nodes": 2}, "3 nodes exceed MaxNodes of partition p"),
        ({"nodes": 1}, {"min_nodes": 2}, "2 nodes exceed MaxNodes of partition p"),
    ],
)
@pytest.mark.parametrize("enforce", ["NO", "ALL"])
def test_jobs_that_never_start(job, rules, why, enforce):
    """Other jobs, and other partitions of the job, are as they were."""
    site = site_of(Partition("p", ALL, default=True, **rules), Partition("free", ALL),
                   enforce_part_limits=enforce)  # fmt: skip
    problem = arrays({}, job, job | {"partition": "p,free"}, site=site)
    assert problem.never == ((1, f"its {why}"),)
    assert np.diff(problem.pair_of).tolist() == [1, 0, 1]
    assert problem.pair_partition.tolist() == [0, 1]


def test_largest_values_are_allowed():
    rules = {"max_time": 3600, "max_nodes": 2}
    assert arrays({"estimate": 3600, "nodes": 2}, site=site_of(main(**rules))).never == ()


@pytest.mark.parametrize(
    ("job", "place"),
    [
        ({"account": "lab", "user": "u"}, 2),
        ({"account": "lab", "user": "new"}, 1),
        ({"account": "lab"}, 1),
        ({"user": "u"}, 2),
        ({"user": "u", "account": "root"}, 0),
        ({"account": "lab", "user": "v"}, 3),
        ({"account": "lab", "user": "v", "partition": "gpu"}, 4),
        ({"account": "lab", "user": "u", "partition": "gpu"}, 2),
    ],
)
def test_association(job, place):
    site = site_of(main(), Partition("gpu", (0,)), default_accounts={"u": "lab"}, enforce=ENFORCED)
    assert arrays(job, site=site).association.tolist() == [place]


def test_unknown_accounts_count_to_the_root_unless_enforced():
    assert arrays({"account": "x"}).association.tolist() == [0]
    root = site_of(associations=TREE[:1], enforce=ENFORCED)
    assert arrays({"account": "x"}, site=root).association.tolist() == [0]


def test_tree_and_usage_at_the_beginning():
    tree = (Association("root"), Association("lab", "", 0, 3), Association("lab", "u", 1, 4))
    site = site_of(associations=tree, usage={("lab", ""): 5.0, ("lab", "u"): 2.5, ("x", "y"): 1.0})
    problem = arrays({}, site=site)
    assert problem.usage.tolist() == [0, 5, 2.5]
    assert problem.parent.tolist() == [-1, 0, 1]
    assert problem.shares.tolist() == [1, 3, 4]
    assert problem.is_user.tolist() == [0, 0, 1]


def test_times():
    jobs = ({"submit": 10, "begin": 90}, {"submit": 20, "begin": 5, "estimate": 61, "runtime": 7})
    problem = arrays(*jobs, stopping=3)
    assert problem.submit.tolist() == [10, 20]
    assert problem.begin.tolist() == [90, 20]
    assert problem.limit.tolist() == [600, 120]
    assert problem.holds.tolist() == [63, 10]


def test_limits_are_whole_minutes_of_32_bits():
    estimates = (0, 1, 60, 61, 2**62)
    problem = arrays(*({"estimate": seconds} for seconds in estimates))
    assert problem.limit.tolist() == [60, 60, 60, 120, (2**31 - 1) * 60]


def test_numbers_of_arrays_are_small():
    problem = arrays({"array": 10**12}, {}, {"array": 7}, {"array": 10**12})
    assert problem.array.tolist() == [1, -1, 0, 1]
    assert arrays({"array": 5}, {"array": 5}).array.tolist() == [0, 0]


def test_users_have_numbers():
    assert arrays({"user": "b"}, {}, {"user": "a"}, {"user": "b"}).user.tolist() == [0, 1, 2, 0]


def test_jobs_wait_for_jobs_that_are_there():
    problem = arrays({}, {"after": "101,7,103"}, {}, {"after": "102"})
    assert problem.after_of.tolist() == [0, 0, 2, 2, 3]
    assert problem.after.tolist() == [0, 2, 1]
    assert arrays({}, {}).after_of.tolist() == [0, 0, 0]


def test_leaf_switches():
    assert arrays({}, site=site_of(switches=((2,), (1, 2)))).leaf.tolist() == [2, 1, 0]
    assert len(arrays({}).leaf) == 0


def test_changes_and_reservations():
    """A reservation is known from its beginning on, and lasts, unless told."""
    changes = (
        Change(5, "drain", (0,)),
        Change(6, "down", (1, 2)),
        Change(7, "reservation", (2,), name="r"),
        Change(8, "resume", (0,)),
        Change(9, "reservation", (0, 1), 0, 1, "m", flags=frozenset({"MAINT"})),
    )
    problem = arrays({}, {"reservation": "r"}, site=site_of(changes=changes))
    assert problem.change_times.tolist() == [[5, 0], [6, -1], [8, 1]]
    assert [np.flatnonzero(row).tolist() for row in problem.change_nodes] == [[0], [1, 2], [0]]
    assert problem.reserved_times.tolist() == [[7, 7, FOREVER, 0], [1, 9, 0, 1]]
    assert [np.flatnonzero(row).tolist() for row in problem.reserved_nodes] == [[2], [0, 1]]
    assert problem.reservation.tolist() == [-1, 0]


def test_of_reservations_of_a_name_a_job_has_the_next_to_end():
    changes = [Change(at, "reservation", (0,), at + 10, name="daily") for at in (200, 0, 100)]
    jobs = [{"submit": at, "reservation": "daily"} for at in (5, 10, 105, 205, 999)]
    problem = arrays(*jobs, site=site_of(changes=changes))
    assert problem.reservation.tolist() == [1, 2, 2, 0, 0]


def test_a_part_of_a_log_needs_only_what_its_jobs_ask_for():
    """Texts keep the names of all jobs."""
    frame = pd.DataFrame(
        {"number": [1, 2], "submit": 0, "runtime": 9, "estimate": 9, "procs": 1}
        | {"gres": ["", "x:1"], "reservation": ["", "y"], "partition": ["", "z"]}
    )
    jobs, requests = Jobs.from_frame(frame), Requests.from_frame(frame)
    first = np.array([0])
    assert problem_of(site_of(), jobs.take(first), requests.take(first)).never == ()
    with pytest.raises(SiteJobError, match="job 2"):
        problem_of(site_of(), jobs, requests)


def test_jobs_that_differ_in_anything_have_their_own_pairs():
    changed = ({"procs": 2}, {"nodes": 2}, {"most_nodes": 2}, {"tasks": 3}, {"cpus_per_task": 4},
               {"memory": 5}, {"memory": 5, "per_cpu": True}, {"exclusive": True},
               {"gres": "gpu:1"}, {"features": "ib"}, {"partition": "p"})  # fmt: skip
    site = site_of(main(), Partition("p", ALL))
    problem = arrays({}, *changed, {}, {"estimate": 9}, site=site)
    assert len(set(problem.pair_class.tolist())) == len(changed) + 1
    assert problem.pair_class[[0, -2, -1]].tolist() == [0, 0, 0]
    owners = ({"qos": "high"}, {"account": "lab"}, {"account": "lab", "user": "u"})
    assert arrays({}, *owners, {}).pair_group.tolist() == [0, 1, 2, 3, 0]


def test_priorities_end_at_32_bits():
    """Of two jobs beyond, the first starts first; the job without points is last."""
    site = site_of(priorities=Priorities())
    wide = {"procs": 16}
    problem = arrays(wide, wide, wide, site=site, points=np.array([0, 5e9, 9e12]))
    kernel, twin = kernel_of(problem), Controller(problem, Phases())
    while kernel.advance(10**6):
        pass
    assert kernel.starts().tolist() == twin.simulate()
    assert np.argsort(kernel.starts()).tolist() == [1, 2, 0]


def test_ten_times_the_jobs_of_the_same_kinds_take_no_more_steps(monkeypatch):
    """Requests are looked at once per kind, not once per job."""
    calls = []
    real = site_problem.asked_of
    monkeypatch.setattr(site_problem, "asked_of", lambda *given: calls.append(1) or real(*given))
    jobs = [{"procs": 1 + k % 3, "user": "uv"[k % 2]} for k in range(300)]
    arrays(*jobs)
    assert len(calls) == 3
