"""Requests of jobs in partitions: nodes, processors, memory, generic resources, features."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from schedlab.core.machine import Machine, NodeKind, Partition
from schedlab.core.slurm_site import Association, Limits, Priorities, Qos
from schedlab.queue.site_problem import SiteJobError
from schedlab.queue.site_requests import ALL_MEMORY, MOST, NO_MEMORY, PER_CPU, PER_NODE, parse_gres
from site_problem_case import arrays, main, site_of

FIELDS = ("partition", "nodes", "most_nodes", "cpus", "per_task", "memory", "mode", "exclusive")


def asked(job: dict, *partitions: Partition, **fields) -> dict[str, int]:
    """Return the numbers of the class of a job."""
    problem = arrays(job, site=site_of(*partitions, **fields))
    assert problem.never == ()
    return dict(zip(FIELDS, problem.numbers[0].tolist(), strict=True))


@pytest.mark.parametrize(
    ("job", "rules", "site", "expected"),
    [
        ({}, {}, {}, (0, ALL_MEMORY)),
        ({"memory": 0}, {"memory_per_cpu": 7}, {}, (0, ALL_MEMORY)),
        ({"memory": 0, "per_cpu": True}, {}, {}, (0, ALL_MEMORY)),
        ({"memory": 9}, {"memory_per_cpu": 7}, {}, (9, PER_NODE)),
        ({"memory": 9, "per_cpu": True}, {}, {}, (9, PER_CPU)),
        ({}, {"memory_per_cpu": 7}, {"default_memory_per_node": 3}, (7, PER_CPU)),
        ({}, {"memory_per_node": 7}, {"default_memory_per_cpu": 3}, (7, PER_NODE)),
        ({}, {}, {"default_memory_per_cpu": 3}, (3, PER_CPU)),
        ({}, {}, {"default_memory_per_node": 3}, (3, PER_NODE)),
        ({"memory": 9}, {}, {"memory_counts": False}, (0, NO_MEMORY)),
        ({"memory": 2**62}, {}, {}, (MOST, PER_NODE)),
    ],
)
def test_memory(job, rules, site, expected):
    numbers = asked(job, main(**rules), **site)
    assert (numbers["memory"], numbers["mode"]) == expected


@pytest.mark.parametrize(
    ("job", "rules", "expected"),
    [
        ({"procs": 6}, {}, (1, 6, 6, 1)),
        ({"procs": 6, "cpus_per_task": 4}, {}, (1, 2, 8, 4)),
        ({"procs": 6, "nodes": 2}, {}, (2, 2, 6, 1)),
        ({"procs": 2, "nodes": 3}, {}, (3, 3, 3, 1)),
        ({"procs": 6, "nodes": 3, "cpus_per_task": 2}, {}, (3, 3, 6, 2)),
        ({"procs": 4, "nodes": 3, "cpus_per_task": 2}, {}, (3, 3, 6, 2)),
        ({"procs": 6, "cpus_per_task": 0}, {}, (1, 6, 6, 1)),
        ({"procs": 6, "tasks": 4}, {}, (1, 4, 4, 1)),
        ({"procs": 6, "tasks": 4, "cpus_per_task": 3}, {}, (1, 4, 12, 3)),
        ({"tasks": 4, "most_nodes": 2}, {}, (1, 2, 4, 1)),
        ({"tasks": 4, "nodes": 2, "most_nodes": 3}, {}, (2, 3, 4, 1)),
        ({"tasks": 4, "nodes": 2, "most_nodes": 1}, {}, (2, 2, 4, 1)),
        ({"tasks": 4}, {"max_nodes": 3}, (1, 3, 4, 1)),
        ({"tasks": 1}, {"min_nodes": 2}, (2, 2, 1, 1)),
        ({"tasks": MOST, "cpus_per_task": MOST}, {}, (1, MOST, MOST, MOST)),
    ],
)
def test_nodes_and_processors(job, rules, expected):
    numbers = asked(job, main(**rules))
    names = ("nodes", "most_nodes", "cpus", "per_task")
    assert tuple(numbers[name] for name in names) == expected


@pytest.mark.parametrize("of_job", [False, True])
@pytest.mark.parametrize("of_partition", [False, True])
def test_exclusive(of_job, of_partition):
    numbers = asked({"exclusive": of_job}, main(exclusive=of_partition))
    assert numbers["exclusive"] == (of_job or of_partition)


@pytest.mark.parametrize(
    ("job", "nodes"),
    [
        ({"procs": 4, "memory": 1000}, [0, 1, 2]),
        ({"procs": 4, "memory": 1001}, [0]),
        ({"procs": 4, "memory": 250, "per_cpu": True}, [0, 1, 2]),
        ({"procs": 5, "nodes": 1, "memory": 1}, [0]),
        ({"procs": 5, "memory": 1}, [0, 1, 2]),
        ({"procs": 2, "nodes": 1, "memory": 501, "per_cpu": True}, [0]),
        ({"procs": 2, "memory": 501, "per_cpu": True}, [0, 1, 2]),
        ({"features": "ib"}, [0, 1]),
        ({"features": "IB & fast"}, [0]),
        ({"features": "ib,fast"}, [0]),
        ({"features": "fast|ib"}, [0, 1]),
        ({"features": "slow"}, []),
        ({"gres": "gpu:1"}, [0, 1, 2]),
        ({"partition": "some"}, [1, 2]),
    ],
)
def test_nodes_that_can_have_a_share(job, nodes):
    problem = arrays(job, site=site_of(main(), Partition("some", (1, 2))))
    assert np.flatnonzero(problem.static[0]).tolist() == nodes


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("", {}),
        ("gpu", {"gpu": 1}),
        ("gpu:2", {"gpu": 2}),
        ("gres:gpu:2", {"gpu": 2}),
        ("gres/gpu=2", {"gpu": 2}),
        ("gpu:V100:2", {"gpu": 2, "gpu:V100": 2}),
        ("gpu:1g.5gb:3", {"gpu": 3, "gpu:1g.5gb": 3}),
        ("gpu:a:1,gpu:b:2,shard:4", {"gpu": 3, "gpu:a": 1, "gpu:b": 2, "shard": 4}),
        (f"gpu:{10**30}", {"gpu": MOST}),
    ],
)
def test_gres(text, amounts):
    assert parse_gres(text) == amounts


def test_gres_per_class_and_node():
    problem = arrays({"gres": "gpu:V100:1"}, {"gres": "gpu:2"})
    assert problem.gres_names == ("gpu", "gpu:V100")
    assert problem.class_gres.tolist() == [[1, 1], [2, 0]]
    assert problem.gres.tolist() == [[2, 2], [0, 0], [0, 0]]


@pytest.mark.parametrize(
    "fields",
    [
        {"qos": (Qos("normal", limits=Limits(grp_tres={"gres/gpu": 1})),)},
        {"associations": (Association("root", limits=Limits(max_tres_pj={"gres/gpu": 1})),)},
        {"priorities": Priorities(tres={"GRES/gpu": 1.0})},
    ],
)
def test_gres_that_are_counted(fields):
    assert arrays({}, site=site_of(**fields)).gres_names == ("gpu",)
    assert arrays({}).gres_names == ()
    assert arrays({}, site=site_of(main(billing={"gres/gpu:V100": 2}))).gres_names == ("gpu:V100",)


def test_memory_that_is_not_counted_on_a_node_never_lacks():
    machine = Machine.of_nodes({"a": NodeKind(4)})
    problem = arrays({"memory": 10**9}, site=replace(site_of(), machine=machine))
    assert problem.static.all()
    assert problem.memory.min() > 10**9


@pytest.mark.parametrize(
    ("job", "message"),
    [
        ({"gres": "tape:1"}, "no node has gres 'tape'"),
        ({"gres": "gpu:a100:1"}, "no node has gres 'gpu:a100'"),
        ({"gres": "gpu:2:3"}, "gres 'gpu:2:3' is not like gpu:2 or gpu:v100:2"),
        ({"features": "[a|b]"}, "constraint '[a|b]': only names joined by & or |"),
        ({"features": "a*2"}, "constraint 'a*2': only names joined by & or |"),
        ({"partition": "main,x"}, "partition 'x' is not in slurm.conf"),
        ({"qos": "x"}, "QOS 'x' is not in the files of sacctmgr"),
        ({"account": "x", "user": "u"}, "account 'x' of user 'u' is not in the files of sacctmgr"),
        ({"account": ""}, "account '' of user '' is not in the files of sacctmgr"),
    ],
)
def test_a_job_that_asks_for_what_there_is_not_never_starts(job, message):
    usual = {"account": "lab"}
    site = site_of(enforce=frozenset({"associations"}))
    problem = arrays(usual, usual | job, usual | job, usual, site=site)
    assert [place for place, _ in problem.never] == [1, 2]
    assert all(why.startswith(message) for _, why in problem.never)
    assert np.diff(problem.pair_of).tolist() == [1, 0, 0, 1]


def test_an_unknown_reservation_is_an_error_with_the_job():
    with pytest.raises(SiteJobError, match="job 102: there is no reservation 'x'"):
        arrays({}, {"reservation": "x"})
