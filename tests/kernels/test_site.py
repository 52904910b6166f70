"""The kernel of a site's Slurm gives the schedules of its twin, job by job, on random sites."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Change, Machine, NodeKind, Partition
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import (
    OF_PARENT,
    ROOT,
    VERSIONS,
    Association,
    Limits,
    Priorities,
    Qos,
    Scheduling,
    Site,
)
from schedlab.queue.site_problem import problem_of
from schedlab.queue.slurm_site import Phases, kernel_of
from twins.slurm_site import Controller

MINUTE = 60
few = st.integers(0, 3)


def limits_of(draw) -> Limits:
    """A limit or two, or none."""
    name = draw(st.sampled_from(["", "", "grp_tres", "max_tres_pu", "max_jobs_pu", "grp_jobs"]))
    if not name:
        return Limits()
    most = draw(st.integers(1, 8))
    return Limits(**{name: most if "jobs" in name else {"cpu": most}})


@st.composite
def machines(draw) -> Machine:
    kinds = [
        NodeKind(
            cpus=draw(st.integers(1, 6)),
            memory=draw(st.sampled_from([1000, 4000, 16000])),
            gres={"gpu": 2} if draw(st.booleans()) else {},
            features=frozenset(draw(st.sets(st.sampled_from("ab")))),
            weight=draw(st.integers(1, 2)),
        )
        for _ in range(draw(st.integers(1, 3)))
    ]
    nodes = {f"n{k}": draw(st.sampled_from(kinds)) for k in range(draw(st.integers(1, 9)))}
    machine = Machine.of_nodes(nodes)
    everything = tuple(range(len(machine)))
    partitions = [Partition("all", everything, default=True, memory_per_cpu=500)]
    for name in ("p", "q")[: draw(st.integers(0, 2))]:
        some = draw(st.sets(st.sampled_from(everything), min_size=1))
        partitions.append(
            Partition(
                name,
                tuple(sorted(some)),
                tier=draw(st.integers(1, 2)),
                job_factor=draw(st.integers(1, 3)),
                max_nodes=draw(st.sampled_from([None, 2])),
                memory_per_node=draw(st.sampled_from([None, 800])),
                exclusive=draw(st.booleans()),
            )
        )
    changes = []
    if draw(st.booleans()):
        place = draw(st.sampled_from(everything))
        at = MINUTE * draw(st.integers(0, 20))
        changes.append(Change(at, "drain", (place,)))
        changes.append(Change(at + MINUTE * draw(st.integers(1, 20)), "resume", (place,)))
    if draw(st.booleans()):
        some = draw(st.sets(st.sampled_from(everything), min_size=1))
        at = 30 * draw(st.integers(0, 60))
        flags = frozenset({"MAINT"} if draw(st.booleans()) else ())
        changes.append(
            Change(at, "reservation", tuple(sorted(some)), at + 30 * draw(st.integers(1, 60)),
                   at // 2, "r", flags=flags)
        )  # fmt: skip
    return Machine(machine.kinds, machine.kind, machine.names, tuple(partitions), tuple(changes))


def switches(machine: Machine):
    """Return leaf switches of some nodes, or none."""
    places = st.sampled_from(range(len(machine)))
    some = st.lists(places, unique=True).map(lambda nodes: tuple(sorted(nodes)))
    return st.one_of(st.just(()), st.tuples(some, some))


@st.composite
def sites(draw) -> Site:
    tree = [Association(ROOT), Association(ROOT, "root", 0)]
    for account in ("x", "y"):
        above = len(tree)
        tree.append(Association(account, "", 0, draw(st.integers(0, 3)), limits=limits_of(draw)))
        for user in ("u", "v"):
            shares = draw(st.sampled_from([OF_PARENT, 0, 1, 2]))
            tree.append(Association(account, user, above, shares))
    machine = draw(machines())
    return Site(
        machine,
        Priorities(
            age=draw(st.sampled_from([0, 1000])),
            fairshare=draw(st.sampled_from([0, 1000])),
            jobsize=draw(st.sampled_from([0, 300])),
            partition=draw(st.sampled_from([0, 500])),
            qos=draw(st.sampled_from([0, 700])),
            tres={"gres/gpu": 50.0},
            max_age=3600,
            calc_period=draw(st.sampled_from([60, 300])),
            half_life=draw(st.sampled_from([0, 1200])),
            multifactor=draw(st.booleans()),
            flags=frozenset(draw(st.sets(st.sampled_from(["MAX_TRES", "ACCRUE_ALWAYS"])))),
        ),
        Scheduling(
            default_queue_depth=draw(st.sampled_from([2, 100])),
            bf_interval=draw(st.sampled_from([0, 30, 60])),
            bf_window=MINUTE * draw(st.sampled_from([30, 1440])),
            bf_resolution=draw(st.sampled_from([60, 300])),
            bf_max_job_test=draw(st.sampled_from([3, 500])),
            bf_max_job_user=draw(st.sampled_from([0, 2])),
            bf_max_job_part=draw(st.sampled_from([0, 3])),
            bf_max_job_start=draw(st.sampled_from([0, 1])),
            bf_max_job_array_resv=draw(st.sampled_from([1, 20])),
            bf_window_linear=draw(st.sampled_from([0, 0, 45])),
            bf_node_space_size=draw(st.sampled_from([0, 0, 4])),
            bf_min_prio_reserve=draw(st.sampled_from([0, 0, 300])),
            bf_max_job_assoc=draw(st.sampled_from([0, 2])),
            bf_max_job_user_part=draw(st.sampled_from([0, 2])),
            bf_min_age_reserve=draw(st.sampled_from([0, 120])),
            bf_one_resv_per_job=draw(st.booleans()),
            bf_job_part_count_reserve=draw(st.sampled_from([0, 1])),
            defer=draw(st.booleans()),
        ),
        (
            Qos("normal", 1, limits_of(draw)),
            Qos(
                *("high", 9, limits_of(draw), frozenset({"normal"})),
                grace=draw(st.sampled_from([0, 60])),
            ),
        ),
        tuple(tree),
        draw(st.sampled_from(VERSIONS)),
        frozenset({"associations", "limits", "qos"}),
        memory_counts=draw(st.booleans()),
        switches=draw(switches(machine)),
        preempt_type=draw(st.sampled_from(["", "preempt/qos", "preempt/partition_prio"])),
        preempt_mode=draw(st.sampled_from(["REQUEUE", "CANCEL"])),
        preempt_exempt=draw(st.sampled_from([0, 300])),
        requeue=draw(st.booleans()),
    )


@st.composite
def requested(draw, site: Site) -> pd.DataFrame:
    names = [each.name for each in site.machine.partitions]
    has_reservation = any(each.kind == "reservation" for each in site.machine.changes)
    rows, now = [], 0
    for number in range(1, draw(st.integers(1, 14)) + 1):
        now += draw(st.sampled_from([0, 0, 1, 7, 40, 200]))
        tasks = draw(st.integers(1, 8))
        runtime = draw(st.integers(1, 900))
        rows.append(
            {
                "number": number,
                "submit": now,
                "runtime": runtime,
                "estimate": runtime + draw(st.sampled_from([0, 0, 60, 1000])),
                "procs": tasks,
                "nodes": draw(st.sampled_from([0, 0, 1, 2])),
                "tasks": tasks,
                "cpus_per_task": draw(st.sampled_from([1, 1, 2])),
                "memory": draw(st.sampled_from([-1, 0, 700, 2000])),
                "per_cpu": draw(st.booleans()),
                "exclusive": draw(st.integers(0, 5)) == 0,
                "gres": draw(st.sampled_from(["", "", "gpu:1"])),
                "features": draw(st.sampled_from(["", "", "a", "a|b", "a&b"])),
                "partition": ",".join(draw(st.lists(st.sampled_from(names), unique=True))),
                "qos": draw(st.sampled_from(["", "high"])),
                "account": (account := draw(st.sampled_from("xy"))),
                "user": draw(st.sampled_from("uv")) if account else "",
                "begin": draw(st.sampled_from([-1, -1, now + 100])),
                "array": draw(st.sampled_from([-1, -1, 0, 1])),
                "nice": draw(st.sampled_from([0, 50])),
                "reservation": "r" if has_reservation and draw(st.integers(0, 4)) == 0 else "",
                "after": str(number - 1) if draw(st.integers(0, 5)) == 0 else "",
            }
        )
    return pd.DataFrame(rows)


@st.composite
def problems(draw):
    site = draw(sites())
    frame = draw(requested(site))
    if not any("gpu" in kind.gres for kind in site.machine.kinds):
        frame["gres"] = ""
    return problem_of(site, Jobs.from_frame(frame), Requests.from_frame(frame), stopping=1)


phases = st.builds(
    Phases,
    backfill=st.integers(0, 29),
    main=st.integers(0, 59),
    priority=st.integers(0, 59),
    clock=st.integers(0, 59),
)


@settings(max_examples=1000)
@given(problems(), phases)
def test_kernel_is_twin(problem, phase):
    twin = Controller(problem, phase)
    starts = twin.simulate()
    kernel = kernel_of(problem, phase)
    while kernel.advance(10**5):
        pass
    assert kernel.starts().tolist() == starts
    assert kernel.ends()[1].tolist() == twin.restarts
    _, first, count, rows = kernel.places()
    for job, on in enumerate(twin.on):
        mine = rows[first[job] : first[job] + count[job]].tolist()
        assert sorted(mine) == sorted([place, cpus] for place, (cpus, _, _) in on.items())


def test_more_instants_at_a_time_change_nothing():
    site = Site(Machine.of_processors(4), Priorities(multifactor=False))
    frame = pd.DataFrame(
        {"number": [1, 2, 3], "submit": [0, 5, 9], "runtime": 100, "estimate": 200}
        | {"procs": [3, 4, 1]}
    )
    problem = problem_of(site, Jobs.from_frame(frame), Requests.from_frame(frame))
    one, many = kernel_of(problem), kernel_of(problem)
    while one.advance(1):
        pass
    while many.advance(10**6):
        pass
    assert one.starts().tolist() == many.starts().tolist()
    assert np.all(one.starts() >= 0)


@pytest.mark.parametrize("nodes", [1, 64, 65, 130])
def test_sets_of_nodes_end_at_any_word(nodes):
    frame = pd.DataFrame(
        {"number": [1], "submit": [0], "runtime": [9], "estimate": [60], "procs": [nodes]}
    )
    problem = problem_of(
        Site(Machine.of_processors(nodes)), Jobs.from_frame(frame), Requests.from_frame(frame)
    )
    kernel = kernel_of(problem)
    while kernel.advance(10**6):
        pass
    assert kernel.starts().tolist() == [0]
