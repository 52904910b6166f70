"""Limits of QOS and associations: levels, hiding, counters, and what is only listed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from schedlab.core.slurm_site import Association, Limits, Qos
from schedlab.queue.site_limits import CPU, FIRST_GRES, JOBS, MEMORY, NODES, OF_JOB
from schedlab.queue.site_problem import SiteProblem
from site_problem_case import TREE, arrays, main, site_of

NONE = Limits()
ENFORCED = frozenset({"limits", "associations"})
JOB = {"account": "lab", "user": "u", "qos": "q"}


def checks(problem: SiteProblem, job: int = 0) -> list[tuple[int, int, int]]:
    """Return amount, most and whether it is early of a job's limits."""
    group = problem.pair_group[problem.pair_of[job]]
    rows = problem.checks[problem.check_of[group] : problem.check_of[group + 1]]
    return [tuple(row[1:]) for row in rows.tolist()]


def counters(problem: SiteProblem, job: int = 0, name: str = "check") -> list[int]:
    """Return the counters that a job checks, or adds to ("addition")."""
    group = problem.pair_group[problem.pair_of[job]]
    of = getattr(problem, f"{name}_of")
    return sorted(getattr(problem, f"{name}s")[of[group] : of[group + 1], 0].tolist())


def limited(
    qos: Limits = NONE,
    user: Limits = NONE,
    account: Limits = NONE,
    root: Limits = NONE,
    of_partition: Limits = NONE,
    flags: tuple[str, ...] = (),
    **fields,
):
    tree = list(TREE)
    for place, limits in ((0, root), (1, account), (2, user)):
        tree[place] = replace(tree[place], limits=limits)
    levels = (Qos("q", limits=qos, flags=frozenset(flags)), Qos("p", limits=of_partition))
    usual = {"enforce": ENFORCED, "associations": tuple(tree), "qos": levels}
    return site_of(main(qos="p"), **(usual | fields))


def cpus(most: int) -> Limits:
    return Limits(max_tres_pj={"cpu": most}, max_wall=most * 600)


@pytest.mark.parametrize(
    ("site", "most"),
    [
        (limited(), []),
        (limited(cpus(1), enforce=frozenset({"associations"})), []),
        (limited(cpus(1), enforce=frozenset({"safe"})), [1]),
        (limited(cpus(2), of_partition=cpus(1)), [1]),
        (limited(cpus(2), of_partition=cpus(1), flags=("OverPartQOS",)), [2]),
        (limited(cpus(2), of_partition=cpus(1), flags=("OVERPARTQOS",)), [2]),
        (limited(cpus(2), cpus(1)), [2]),
        (limited(user=cpus(3), account=cpus(1), root=cpus(2)), [3]),
        (limited(account=cpus(4), root=cpus(2)), [4]),
        (limited(root=cpus(2)), [2]),
    ],
)
def test_nearest_level_counts(site, most):
    """Of MaxTRES and of MaxWall: a job of more than that many ten minutes never starts."""
    limit = most[0] if most else 9
    problem = arrays(JOB, JOB | {"estimate": limit * 600}, JOB | {"estimate": limit * 600 + 1},
                     site=site)  # fmt: skip
    assert checks(problem) == [(CPU, each, False) for each in most]
    why = f"its limit of {limit * 600 + 60} s exceeds MaxWall of its QOS or association"
    assert problem.never == (((2, why),) if most else ())


def test_group_limits_of_all_associations_count_unless_a_qos_hides_them():
    group = Limits(grp_tres={"cpu": 5}, grp_jobs=6)
    site = limited(user=group, account=group, root=Limits(grp_tres={"mem": 7}))
    every = [(CPU, 5, False), (JOBS, 6, True)] * 2 + [(MEMORY, 7, False)]
    assert checks(arrays(JOB, site=site)) == every
    assert len(set(counters(arrays(JOB, site=site)))) == 5
    hides = limited(Limits(grp_tres={"cpu": 9}), user=group, account=group)
    found = checks(arrays(JOB, site=hides))
    assert found == [(CPU, 9, False), (JOBS, 6, True), (JOBS, 6, True)]


@pytest.mark.parametrize(
    ("limits", "tres"),
    [
        (Limits(grp_tres={"node": 3}), NODES),
        (Limits(max_tres_pu={"cpu": 3}), CPU),
        (Limits(max_tres_pa={"mem": 3}), MEMORY),
        (Limits(max_tres_pj={"gres/gpu": 3}), FIRST_GRES),
        (Limits(max_tres_pj={"GRES/GPU": 3}), FIRST_GRES),
        (Limits(grp_jobs=3), JOBS),
        (Limits(max_jobs_pu=3), JOBS),
        (Limits(max_jobs_pa=3), JOBS),
    ],
)
def test_limits_of_a_qos(limits, tres):
    assert checks(arrays(JOB, site=limited(limits))) == [(tres, 3, tres == JOBS)]


OTHERS = (JOB, JOB | {"user": "v"}, JOB | {"account": "root", "user": "x"}, JOB | {"qos": "r"})


@pytest.mark.parametrize(
    ("limits", "same"),
    [
        (Limits(grp_jobs=3), (1, 1, 0)),
        (Limits(max_jobs_pu=3), (0, 0, 0)),
        (Limits(max_jobs_pa=3), (1, 0, 0)),
    ],
)
def test_counters_of_a_qos(limits, same):
    """Whether another user, another account, another QOS has the counter of the first job."""
    site = limited(limits)
    problem = arrays(*OTHERS, site=replace(site, qos=(*site.qos, Qos("r", limits=limits))))
    shared = [counters(problem, job) == counters(problem) for job in range(1, 4)]
    assert tuple(shared) == tuple(map(bool, same))
    for job in range(4):
        assert counters(problem, job, "addition") == counters(problem, job)


def test_max_jobs_of_an_account_holds_for_each_user():
    site = limited(account=Limits(max_jobs=3), root=Limits(max_jobs=1))
    problem = arrays(JOB, JOB | {"user": "v"}, site=site)
    assert checks(problem) == checks(problem, 1) == [(JOBS, 3, True)]
    assert counters(problem) != counters(problem, 1)
    assert checks(arrays(JOB, site=limited(Limits(max_jobs_pu=9), Limits(max_jobs=3)))) == [
        (JOBS, 9, True)
    ]


def test_account_by_default_counts():
    """A job that names no account has that of its user, also for limits per account."""
    site = limited(Limits(max_jobs_pa=1), default_accounts={"u": "lab"})
    problem = arrays(JOB, JOB | {"account": ""}, site=site)
    assert problem.association.tolist() == [2, 2]
    assert counters(problem, 1) == counters(problem)


def test_limits_of_a_job_need_no_counter():
    problem = arrays(JOB, site=limited(cpus(1)))
    assert (counters(problem), counters(problem, name="addition")) == ([OF_JOB], [])
    assert problem.counters == 1


def test_running_jobs_add_to_what_others_check():
    """A job whose limit is hidden adds to the counter of a level, too."""
    site = limited(account=Limits(grp_tres={"cpu": 5}))
    hiding = Qos("h", limits=Limits(grp_tres={"cpu": 9}))
    problem = arrays(JOB, JOB | {"qos": "h"}, site=replace(site, qos=(*site.qos, hiding)))
    assert set(counters(problem)) < set(counters(problem, 1, "addition"))
    assert problem.additions[:, 1].tolist() == [CPU] * 3
    assert problem.counters == 3


def test_qos_of_job_and_partition_counts_once():
    problem = arrays(JOB | {"qos": "p"}, site=limited(of_partition=Limits(grp_jobs=3)))
    assert checks(problem) == [(JOBS, 3, True)]
    assert counters(problem, name="addition") == counters(problem)


@pytest.mark.parametrize("tres", ["gres/tape", "gres/gpu:a100", "license/x"])
def test_resources_of_no_node_have_neither_limit_nor_counter(tres):
    problem = arrays(JOB, site=limited(Limits(grp_tres={tres: 0}), Limits(grp_tres={tres: 0})))
    assert (len(problem.checks), len(problem.additions)) == (0, 0)
    listed = [each[2:] for each in problem.not_modeled]
    assert listed == ([("grp limit", "license/x=0", "limit")] if tres == "license/x" else [])


@pytest.mark.parametrize(
    ("limits", "listed"),
    [
        (Limits(grp_tres_mins={"cpu": 1}), ("grp_tres_mins", "{'cpu': 1}")),
        (Limits(max_jobs_accrue=0), ("max_jobs_accrue", "0")),
        (Limits(max_submit_pu=9), ("max_submit_pu", "9")),
    ],
)
def test_limits_that_are_only_listed(limits, listed):
    for site in (limited(limits), limited(account=limits)):
        problem = arrays(JOB, site=site)
        assert [each[2:] for each in problem.not_modeled] == [(*listed, "limit")]
        assert len(problem.checks) == 0
    assert arrays(JOB, site=replace(site, enforce=frozenset())).not_modeled == ()


def test_partition_without_qos_and_job_without_qos_table():
    tree = (Association("root", limits=Limits(grp_jobs=2)),)
    site = site_of(enforce=ENFORCED, qos=(), associations=tree)
    assert checks(arrays({"qos": "any"}, site=site)) == [(JOBS, 2, True)]
    assert checks(arrays({}, site=replace(site, associations=()))) == []
