"""The part of priorities that does not change, and weights of usage."""

from __future__ import annotations

import numpy as np
import pytest

from schedlab.core.machine import Partition
from schedlab.core.slurm_site import Association, Priorities, Qos
from site_problem_case import ALL, TREE, arrays, main, site_of

#: the site has 3 nodes, 16 processors, 4000 MB and 2 GPUs, its partition small 8 processors
SMALL = Partition("small", (1, 2), job_factor=4)


def points(job: dict, site=None, **weights) -> float:
    """Return the fixed points of a job of a minute."""
    fields = {"qos": (Qos("normal", 3), Qos("high", 12)), "priorities": Priorities(**weights)}
    site = site_of(main(job_factor=2), SMALL, **(fields | (site or {})))
    return arrays({"account": "lab", "user": "u"} | job, site=site).points[0]


@pytest.mark.parametrize(
    ("job", "weights", "expected"),
    [
        ({"procs": 4}, {}, (1 / 3 + 4 / 16) / 2),
        ({"procs": 4, "nodes": 3}, {}, (1 + 4 / 16) / 2),
        ({"procs": 40, "nodes": 6}, {}, 1),
        ({"procs": 4}, {"favor_small": True}, 1 - (1 / 3 + 4 / 16) / 2),
        ({"procs": 8}, {"flags": frozenset({"SMALL_RELATIVE_TO_TIME"})}, 8 / 10 / 16),
        ({"nodes": 2}, {"flags": frozenset({"SMALL_RELATIVE_TO_TIME"})}, 2 * 16 / 3 / 10 / 16),
        (
            {"procs": 8},
            {"flags": frozenset({"Small_Relative_To_Time"}), "favor_small": True},
            1 - 8 / 10 / 16,
        ),
    ],
)
def test_size(job, weights, expected):
    assert points(job, jobsize=1000, **weights) == pytest.approx(1000 * expected)


@pytest.mark.parametrize(
    ("job", "weights", "expected"),
    [
        ({}, {"partition": 100}, 50),
        ({"partition": "small"}, {"partition": 100}, 100),
        ({}, {"partition": 100, "flags": frozenset({"NO_NORMAL_PART"})}, 200),
        ({}, {"qos": 100}, 25),
        ({"qos": "high"}, {"qos": 100}, 100),
        ({"qos": "high"}, {"qos": 100, "flags": frozenset({"NO_NORMAL_QOS"})}, 1200),
        ({}, {"assoc": 100}, 50),
        ({"user": "v"}, {"assoc": 100}, 100),
        ({}, {"assoc": 100, "flags": frozenset({"NO_NORMAL_ASSOC"})}, 500),
        ({}, {"assoc": 1, "qos": 1, "flags": frozenset({"NO_NORMAL_ALL"})}, 8),
        ({"nice": 30}, {"qos": 100}, -5),
        ({"nice": 30}, {"multifactor": False}, 0),
    ],
)
def test_partition_qos_association_and_nice(job, weights, expected):
    assert points(job, **weights) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("job", "tres", "expected"),
    [
        ({"procs": 4}, "cpu", 4 / 16),
        ({"procs": 4, "partition": "small"}, "cpu", 4 / 8),
        ({"nodes": 2}, "Node", 2 / 3),
        ({"memory": 100, "nodes": 2}, "mem", 200 / 4000),
        ({"memory": 100, "per_cpu": True, "procs": 5}, "Mem", 500 / 4000),
        ({"nodes": 2}, "mem", 2 * 2000 / 4000),
        ({"gres": "gpu:V100:1", "nodes": 2}, "gres/gpu", 1),
        ({"gres": "gpu:V100:1"}, "GRES/gpu:v100", 1 / 2),
        ({"gres": "gpu:1", "partition": "small"}, "gres/gpu", 1),
        ({}, "license/x", 0),
    ],
)
def test_tres(job, tres, expected):
    assert points(job, tres={tres: 100.0}) == pytest.approx(100 * expected)


def test_raw_tres():
    flags = frozenset({"NO_NORMAL_TRES"})
    assert points({"procs": 4}, tres={"cpu": 10.0}, flags=flags) == 40


def test_equal_priorities_of_all_qos_and_none():
    assert points({"qos": "a"}, {"qos": (Qos("a"), Qos("b"))}, qos=100) == 0
    assert points({"qos": "a"}, {"qos": ()}, qos=100) == 0


def test_qos_by_default_is_that_of_limits():
    """The nearest association's, above it, else normal."""
    tree = (
        Association("root", default_qos="high"),
        Association("lab", "", 0),
        Association("lab", "u", 1, default_qos="low"),
        Association("lab", "v", 1),
    )
    qos = (Qos("normal", 1), Qos("low", 2), Qos("high", 4))
    site = site_of(associations=tree, qos=qos, priorities=Priorities(qos=4),
                   preempt_type="preempt/qos")  # fmt: skip
    jobs = [{"account": "lab", "user": user} for user in ("u", "v")]
    problem = arrays(*jobs, jobs[0] | {"qos": "normal"}, site=site)
    assert problem.points.tolist() == [2, 4, 1]
    assert problem.pair_rank.tolist() == [1, 2, 0]


def test_points_are_added():
    assert arrays({}, {}, points=np.array([7.0, 8.0])).points.tolist() == [7, 8]


def test_billing():
    weights = {"CPU": 0.5, "mem": 0.25, "node": 3.0, "GRES/gpu:v100": 9.0, "license/x": 1.0}
    site = site_of(main(), Partition("p", ALL, billing=weights), associations=TREE)
    assert arrays({}, site=site).billing.tolist() == [[0, 1, 0, 0, 0], [0, 0.5, 0.25, 3, 9]]
