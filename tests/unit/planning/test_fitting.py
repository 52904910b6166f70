"""The clusters a job fits on, and the reason if it fits on none."""

import re

import numpy as np
import pytest

from planning_case import machine_of_clusters
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.planning.fitting import fitting, spreads
from schedlab.planning.requests import Requests, ranks, shares
from schedlab.planning.settings import Limits, Planning, Search

MACHINE = machine_of_clusters(("wide", 2, 8, 100), ("small", 3, 4, 40))
NODES = Planning(mode="nodes")


def request(procs=1, estimate=10, **columns) -> Requests:
    jobs = Jobs([77], [0], [estimate], [estimate], [procs])
    return Requests(jobs, [5], **{name: [value] for name, value in columns.items()})


def clusters_of(asked: Requests, settings: Planning) -> int:
    """The clusters that the job may use, as bits."""
    return int(fitting(asked, MACHINE, settings)[0][0])


@pytest.mark.parametrize(
    ("columns", "nodes"),
    [
        ({"procs": 4}, [1, 1]),
        ({"procs": 5}, [1, 2]),
        ({"procs": 12}, [2, 3]),
        ({"procs": 13}, [2, 0]),
        ({"procs": 3, "memory": 40}, [1, 1]),
        ({"procs": 3, "memory": 41}, [1, 2]),
        ({"procs": 3, "memory": 100}, [1, 3]),
        ({"procs": 3, "memory": 120}, [2, 3]),
        ({"procs": 3, "memory": 121}, [2, 0]),
        ({"procs": 1, "memory": 41}, [1, 0]),
        ({"procs": 2, "nodes": 2}, [2, 2]),
        ({"procs": 2, "nodes": 3}, [0, 0]),
        ({"procs": 3, "nodes": 3}, [0, 3]),
    ],
)
def test_job_takes_the_fewest_sufficient_nodes(columns, nodes):
    """By its processors, its memory in equal shares, and what it asked for."""
    assert spreads(request(**columns), MACHINE)[0, :, 0].tolist() == nodes


def test_processors_and_memory_are_spread_evenly():
    """11 processors over three nodes are 4, 4 and 3; 101 KB over three are 34 each at most."""
    found = spreads(request(procs=11, memory=101, exclusive=True), MACHINE)[0].tolist()
    assert found == [[2, 6, 1, 1, 51], [3, 4, 2, 1, 34]]
    # memory that is not counted takes no node more
    uncounted = machine_of_clusters(("a", 4, 4))
    assert spreads(request(procs=4, memory=10**12), uncounted).tolist() == [[[1, 4, 1, 0, 0]]]


@pytest.mark.parametrize(
    ("columns", "settings", "message"),
    [
        ({"procs": 17}, Planning(), r"procs 17 is more than any cluster has .*wide 16, small 12"),
        ({"procs": 13, "clusters": 2}, Planning(), "procs 13 is more than any cluster"),
        ({"clusters": 4}, Planning(), "clusters 4 names none"),
        ({"procs": 5}, Planning(limits=Limits(user=4)), r"procs 5 is more than a user may hold"),
        (
            {"procs": 13, "estimate": 101},
            Planning(limits=Limits(long=100, share=0.75)),
            "procs 13 is more than the 0.75 of a cluster that jobs of more than 100 s",
        ),
        ({"procs": 4, "nodes": 4}, NODES, "nodes 4 cannot be had of any cluster"),
        ({"procs": 2, "memory": 201}, NODES, "memory 201 KB fit in the nodes of no cluster"),
    ],
)
def test_job_that_can_never_run_is_rejected_with_its_field(columns, settings, message):
    allowed, refused = fitting(request(**columns), MACHINE, settings)
    assert allowed.tolist() == [0]
    (row,) = refused
    assert (row.place, row.number) == (0, 77)
    assert re.match(message, f"{row.field} {row.value} {row.why}")


@pytest.mark.parametrize(
    ("columns", "settings", "bits"),
    [
        ({"procs": 12}, Planning(), 3),
        ({"procs": 13}, Planning(), 1),
        ({"procs": 16}, Planning(), 1),
        ({"procs": 4}, Planning(limits=Limits(user=4)), 3),
        ({"procs": 12, "estimate": 101}, Planning(limits=Limits(long=100, share=0.75)), 1),
        ({"procs": 9, "estimate": 101}, Planning(limits=Limits(long=100, share=0.75)), 3),
        ({"procs": 13, "estimate": 100}, Planning(limits=Limits(long=100, share=0.75)), 1),
        ({"procs": 2, "memory": 200}, Planning(), 3),
        ({"procs": 2, "memory": 200}, NODES, 1),
        ({"procs": 2, "memory": 80}, NODES, 3),
    ],
)
def test_job_that_just_fits_may_run(columns, settings, bits):
    assert clusters_of(request(**columns), settings) == bits


def test_the_share_of_long_jobs_is_rounded_down_but_for_rounding():
    assert [Limits(long=1, share=0.7).long_most(most) for most in (9, 10, 11)] == [6, 7, 7]
    assert Limits(share=0.7).long_most(10) == 10


def test_the_dominant_share_is_of_memory_where_that_is_more():
    """The machine has 28 processors and 320 KB: a processor's part is 80 / 7 KB."""
    used = [shares(request(procs=1, memory=memory), MACHINE)[0] for memory in (0, 11, 12)]
    assert used == pytest.approx([1, 1, 12 * 28 / 320])
    assert shares(request(procs=3, memory=10**6), Machine.of_processors(4)).tolist() == [3]


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: request(memory=-1), "job 77: memory is -1 KB"),
        (lambda: request(nodes=-1), "job 77: nodes is -1"),
        (lambda: request(clusters=0), "job 77: clusters is 0: it may use none"),
        (lambda: request(estimate=0), "job 77: estimate is 0 s, a plan needs at least 1 s"),
        (
            lambda: Requests(Jobs([3], [0], [10], [9], [1]), [1]),
            "job 3: estimate is 9 s, and it runs longer",
        ),
        (
            lambda: Requests(Jobs([3], [0], [10], [10], [1]), [1, 2]),
            "field 'user' has the shape",
        ),
        (lambda: Limits(user=0), "limits: user is 0, must be at least 1"),
        (lambda: Limits(long=0), "limits: long is 0, must be at least 1"),
        (lambda: Limits(share=0), "limits: share is 0, must be more than 0"),
        (lambda: Limits(share=1.01), "limits: share is 1.01"),
        (lambda: Search(iterations=-1), "search: iterations is -1, must be at least 0"),
        (lambda: Search(every=0), "search: every is 0, must be at least 1"),
        (lambda: Search(tau=0.5), "search: tau is 0.5, must be at least 1"),
        (lambda: Search(wait=-1), "search: weight of wait is -1"),
        (lambda: Search(fairness="10"), "search: fairness is '10', must be a number"),
        (
            lambda: Search(scope="cluster", rule="tabu"),
            "search: scope is 'cluster', rule is 'tabu'",
        ),
        (lambda: Planning("easy"), "planning: scheduler is 'easy', must be one of plan-rs"),
        (lambda: Planning(mode="core"), "planning: mode is 'core', must be one of aggregate"),
        (lambda: Planning(half_life=0), "planning: half_life is 0 s"),
        (lambda: Planning(cycle=(0, 0)), r"planning: cycle is .* s, must be at least 1 s"),
        (lambda: Planning(cycle=(5, -1)), r"planning: cycle is .* s, must be at least 1 s"),
        (lambda: Search(rule="best"), "rule is 'best', must be one of first, annealing, tabu"),
        (lambda: Search(choose="first"), "choose is 'first', must be one of uniform, worst"),
    ],
)
def test_requests_and_settings_out_of_range_are_refused_by_their_name(make, message):
    with pytest.raises(ValueError, match=message):
        make()
    assert (Planning().half_life, Planning(half_life=1).half_life) == (259_200, 1)


def test_a_job_is_in_the_shortest_queue_that_takes_it():
    estimate = np.array([1, 7200, 7201, 86400, 86401])
    assert ranks(estimate, [7200, 86400]).tolist() == [0, 0, 1, 1, 2]


@pytest.mark.parametrize("limits", [[0], [5, 5], [6, 5]])
def test_limits_go_up_from_one(limits):
    with pytest.raises(ValueError, match="must go up from 1"):
        ranks(np.array([1]), limits)
    assert ranks(np.array([1]), [1]).tolist() == [0]
