"""Which jobs may preempt others, in which order, and what a preempted job meets."""

from __future__ import annotations

import pytest

from schedlab.core.machine import Partition
from schedlab.core.slurm_site import Qos
from schedlab.queue.site_preemption import CANCELLED, KEEPS, REQUEUED
from site_problem_case import arrays, main, site_of

QOS = (
    Qos("low", 1, grace=30),
    Qos("high", 5, preempts=frozenset({"low", "high"})),
    Qos("top", 9, preempts=frozenset({"high", "low"}), preempt="OFF"),
)
BY_QOS = {"preempt_type": "preempt/qos", "preempt_mode": "REQUEUE"}
BY_TIER = {"preempt_type": "preempt/partition_prio", "preempt_mode": "CANCEL"}


def allowed(problem) -> set[tuple[int, int]]:
    return set(zip(*(axis.tolist() for axis in problem.may_preempt.nonzero()), strict=True))


def test_by_qos():
    """No QOS preempts itself or jobs that keep their nodes; jobs without QOS have a rank, too."""
    problem = arrays({"qos": "high"}, {"qos": "low"}, {}, site=site_of(qos=QOS, **BY_QOS))
    assert problem.pair_rank.tolist() == [1, 0, 3]
    assert allowed(problem) == {(1, 0), (2, 0), (2, 1)}
    assert problem.rank_level.tolist() == [0, 1, 2, 0]
    assert problem.rank_order.tolist() == [1, 5, 9, 0]
    assert problem.rank_grace.tolist() == [30, 0, 0, 0]
    assert problem.rank_mode.tolist() == [REQUEUED, REQUEUED, KEEPS, REQUEUED]


def test_by_tier():
    """A partition of a higher tier preempts in those that share nodes, unless they are off."""
    parts = (
        main(tier=2),
        Partition("low", (0, 1), tier=1, grace=60),
        Partition("off", (0, 1), tier=1, preempt="OFF"),
        Partition("other", (2,), tier=3),
        Partition("alike", (2,), tier=3),
    )
    problem = arrays({"partition": "low,main"}, site=site_of(*parts, **BY_TIER))
    assert problem.pair_rank.tolist() == [1, 0]
    assert allowed(problem) == {(0, 1), (3, 0), (4, 0)}
    assert problem.rank_level.tolist() == [1, 0, 0, 2, 2]
    assert problem.rank_order.tolist() == [2, 1, 1, 3, 3]
    assert problem.rank_grace.tolist() == [0, 60, 0, 0, 0]


def test_none():
    problem = arrays({}, site=site_of(main(tier=2), qos=QOS, preempt_mode="REQUEUE"))
    assert (problem.pair_rank.tolist(), allowed(problem)) == ([0], set())


def test_circles_end():
    qos = (Qos("a", preempts=frozenset("b")), Qos("b", preempts=frozenset("a")))
    problem = arrays({"qos": "a"}, site=site_of(qos=qos, **BY_QOS))
    assert allowed(problem) == {(0, 1), (1, 0)}
    assert max(problem.rank_level) <= 3


@pytest.mark.parametrize(
    ("own", "cluster", "requeue", "mode"),
    [
        ("", "REQUEUE", True, REQUEUED),
        ("", "REQUEUE", False, CANCELLED),
        ("", "CANCEL", True, CANCELLED),
        ("", "OFF", True, KEEPS),
        ("", "SUSPEND,GANG", True, KEEPS),
        ("requeue", "OFF", True, REQUEUED),
        ("CANCEL", "REQUEUE", True, CANCELLED),
        ("OFF", "REQUEUE", False, KEEPS),
        ("GANG,REQUEUE", "OFF", True, REQUEUED),
        ("cluster", "CANCEL", True, CANCELLED),
    ],
)
def test_mode(own, cluster, requeue, mode):
    site = site_of(qos=(Qos("q", preempt=own),), preempt_type="preempt/qos", preempt_mode=cluster,
                   requeue=requeue)  # fmt: skip
    assert arrays({"qos": "q"}, site=site).rank_mode[0] == mode


@pytest.mark.parametrize("kind", ["", "preempt/qos", "preempt/partition_prio"])
def test_without_jobs_or_qos(kind):
    problem = arrays(
        {"estimate": 10**6}, site=site_of(main(max_time=60), qos=(), preempt_type=kind)
    )
    assert (len(problem.pair_rank), len(problem.may_preempt)) == (0, 1)
