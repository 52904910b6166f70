"""The nodes kernel against its Python twin, saved schedules and the laws of sharing nodes."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.machine import Machine
from schedlab.cosched.machine import ARIS, share, shared_nodes
from schedlab.cosched.pool import read_pool
from schedlab.cosched.schedulers import (
    ALLOCATIONS,
    BACKFILLS,
    KEY_TIMES,
    KEYS,
    ORDERS,
    SCHEDULERS,
    CoScheduler,
    register_order,
)
from schedlab.cosched.simulation import CoJobs, CoRun, simulate, simulate_many
from schedlab.cosched.speeds import NODE_ORDERS, pair_speedups, speed_alone
from twins import nodes as twin

SAVED = Path(__file__).parents[1] / "oracles" / "cosched"

register_order("test-oldest-widest", lambda waiting: waiting.procs - waiting.submit)


@st.composite
def pools(draw) -> np.ndarray:
    """Speedups of few applications (or many), with ties and pairs that were not measured."""
    apps = draw(st.one_of(st.integers(1, 6), st.sampled_from([33, 70, 130])))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    speedup = rng.uniform(0.6, 1.8, (apps, apps))
    if draw(st.booleans()):
        speedup = speedup.round(1)
    unknown = rng.random((apps, apps)) < draw(st.sampled_from([0.0, 0.2, 0.6]))
    speedup[unknown | unknown.T] = np.nan
    return speedup


@st.composite
def works(draw, most: int = 30) -> tuple[CoJobs, Machine, np.ndarray]:
    """Few jobs on few nodes; many ties of time, some jobs longer than their wall time."""
    speedup = draw(pools())
    cluster = shared_nodes(
        draw(st.integers(2, 12)), draw(st.integers(1, 2)), draw(st.integers(2, 5))
    )
    count = draw(st.integers(1, most))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    app = rng.integers(0, len(speedup), count)
    widest = len(cluster) * share(cluster)
    if draw(st.booleans()):  # processes and times belong to the applications, as in a pool
        procs = rng.integers(1, widest + 1, len(speedup))[app]
        time = rng.integers(1, 40, len(speedup))[app] * draw(st.sampled_from([1.0, 0.37]))
    else:
        procs = rng.integers(1, widest + 1, count)
        time = rng.uniform(0.5, 40, count)
    submit = np.cumsum(rng.integers(0, draw(st.sampled_from([0, 2, 15])) + 1, count))
    wall = time * draw(st.sampled_from([1.0, 1.4])) * rng.choice([1.0, 0.6, 2.0], count)
    jobs = CoJobs(np.arange(count) + 5, submit, app, procs, time, wall, rng.permutation(wall))
    return jobs, cluster, speedup


@st.composite
def own_schedulers(draw) -> CoScheduler:
    """Any combination of the switches that has a meaning."""
    backfill = draw(st.sampled_from(BACKFILLS))
    plan, packed = backfill == "textbook", backfill in ("textbook", "conservative")
    orders = [*ORDERS, "test-oldest-widest"]
    return CoScheduler(
        "any",
        "Any",
        order="fcfs" if plan else draw(st.sampled_from(orders)),
        nodes=draw(st.sampled_from(list(NODE_ORDERS))),
        allocation="compact" if packed else draw(st.sampled_from(ALLOCATIONS)),
        backfill=backfill,
        repeat=draw(st.booleans()),
        depth=draw(st.sampled_from([None, 0, 1, 4, 100])),
        queue_depth=draw(st.sampled_from([None, None, 1, 3])),
        key_time=draw(st.sampled_from(KEY_TIMES)),
        keys=draw(st.sampled_from(KEYS)),
        threshold=draw(st.sampled_from([1.0, 1.2])),
        compact_below=draw(st.integers(0, 5)),
        backfill_allocation=draw(st.sampled_from([None, "compact", "spread"]))
        if backfill == "easy"
        else None,
    )


def assert_same_schedule(computed, reference) -> None:
    """See that two schedules are one, to the last bit."""
    for field in ("start", "end", "nodes", "compact", "cores"):
        assert getattr(computed, field).tolist() == getattr(reference, field).tolist(), field
    for field in ("first", "node", "job", "time", "speed"):
        mine, other = getattr(computed.allocation, field), getattr(reference.allocation, field)
        assert mine.tolist() == other.tolist(), field


@settings(max_examples=500)
@given(works(), st.sampled_from(list(SCHEDULERS.values())), st.booleans(), st.sampled_from(KEYS))
def test_named_schedulers_equal_the_twins(work, scheduler, repeat, keys):
    scheduler = replace(scheduler, repeat=repeat, keys=keys)
    assert_same_schedule(simulate(*work, scheduler, True), twin.simulate(*work, scheduler, True))


@settings(max_examples=1000)
@given(works(), own_schedulers())
def test_any_scheduler_equals_the_twins(work, scheduler):
    assert_same_schedule(simulate(*work, scheduler, True), twin.simulate(*work, scheduler, True))


@settings(max_examples=300)
@given(
    works(most=12),
    st.sampled_from(["filler", "sjf-filler", "pop-filler", "pop-filler-ascending"]),
    st.sampled_from(KEYS),
    st.sampled_from([None, 3]),
)
def test_keys_that_tie_or_nearly_do_equal_the_twins(work, order, keys, seen):
    """Few jobs that differ in processes make many equal fractions."""
    scheduler = CoScheduler("any", "Any", order, queue_depth=seen, keys=keys)
    assert_same_schedule(simulate(*work, scheduler, True), twin.simulate(*work, scheduler, True))


def first_on_nodes(jobs: CoJobs, cluster: Machine, scheduler: CoScheduler) -> int:
    """Which job was given node 0: the first that started; the twin agrees."""
    computed, reference = (
        run(jobs, cluster, np.ones((1, 1)), scheduler, True) for run in (simulate, twin.simulate)
    )
    assert_same_schedule(computed, reference)
    assert computed.start[:2].tolist() == [0, 0]
    return int(computed.allocation.nodes(1)[0] == 0)


@pytest.mark.parametrize(("keys", "first"), [("double", 1), ("exact", 0)])
def test_filler_breaks_ties_of_fractions_as_doubles_round(keys, first):
    """Of 1,000 jobs, 256 processes come first and 512 second: the fractions are the same."""
    assert (1 - (8400 - 256) / 8400) / (1 / 1000) == 30.476190476190435
    assert (1 - (8400 - 512) / 8400) / (2 / 1000) == 30.47619047619049
    procs = [256, 512, *[1] * 998]
    jobs = CoJobs(np.arange(1000), np.zeros(1000), np.zeros(1000), procs, *np.ones((2, 1000)))
    scheduler = CoScheduler("any", "Any", "filler", backfill="easy", keys=keys)
    assert first_on_nodes(jobs, ARIS, scheduler) == first


@pytest.mark.parametrize("order", ["sjf-filler", "pop-filler", "pop-filler-ascending"])
@pytest.mark.parametrize(("keys", "first"), [("double", 1), ("exact", 0)])
def test_sums_of_gap_and_index_round_as_well(order, keys, first):
    """7 of 12 cores at index 0 of 2 and 1 of 12 at index 1 are 7 / 12, the second rounded up."""
    assert 1 - (12 - 7) / 12 < (1 - (12 - 1) / 12) + 1 / 2
    jobs = CoJobs([1, 2], [0, 0], [0, 0], [7, 1], [20, 10], [20, 10])
    scheduler = CoScheduler("any", "Any", order, keys=keys)
    assert first_on_nodes(jobs, shared_nodes(3, 1, 4), scheduler) == first


def test_two_jobs_by_hand():
    """B joins A on both of its nodes at 10, slows it down, and leaves first."""
    speedup = np.array([[1.25, 0.8], [1.1, 1.5]])
    jobs = CoJobs([1, 2], [0, 10], [0, 1], [20, 20], [100, 110], [140, 154])
    schedule = simulate(jobs, shared_nodes(2), speedup, SCHEDULERS["easy-co"], True)
    # A: 12.5 done by 10, 80 more by 110 when B has done its 110 at 1.1; the other 7.5 at 1.25
    assert schedule.end == pytest.approx([116, 110])
    assert schedule.allocation.speed.tolist() == [1.25, 0.8, 1.1, 1.25]
    assert schedule.cores.tolist() == [20, 20]


def test_unknown_pairs_run_at_the_mean_of_the_row():
    """The mean is over what is known; unknown rows run as if alone on whole nodes."""
    speedup = np.array([[1.2, 1.0, np.nan], [1.0, 0.9, np.nan], [np.nan, np.nan, np.nan]])
    assert pair_speedups(speedup)[0].tolist() == [1.2, 1.0, pytest.approx(1.1)]
    assert pair_speedups(speedup)[2].tolist() == speed_alone(speedup)[2:].tolist() * 3 == [1.0] * 3


@pytest.mark.parametrize(
    ("allocation", "nodes", "expected"),
    [
        ("compact", "lowest", [[0], [1]]),
        ("spread", "idle", [[0, 1], [2, 3]]),
        ("spread", "occ", [[0, 1], [0, 1]]),
        ("striped", "occ", [[0, 1], [0, 1]]),
    ],
)
def test_allocation_methods_of_figure_3_1(allocation, nodes, expected):
    """Two jobs of 16 processes on nodes of two sockets of 8 cores."""
    jobs = CoJobs([1, 2], [0, 0], [0, 0], [16, 16], [10, 10], [14, 14])
    scheduler = CoScheduler("any", "Any", "fcfs", nodes, allocation)
    schedule = simulate(jobs, shared_nodes(4, 2, 8), [[1.0]], scheduler, True)
    assert [schedule.allocation.nodes(k).tolist() for k in (0, 1)] == expected


def test_striped_jobs_never_mix():
    """One occupied node and one idle node do not make two of a kind."""
    jobs = CoJobs([1, 2], [0, 0], [0, 0], [1, 4], [10, 10], [14, 14])
    spread = CoScheduler("any", "Any", "fcfs", "occ", "spread")
    striped = replace(spread, allocation="striped")
    cluster = shared_nodes(2, 1, 4)
    assert simulate(jobs, cluster, [[1.0]], spread).start.tolist() == [0, 0]
    assert simulate(jobs, cluster, [[1.0]], striped).start.tolist() == [0, 10]


def test_user_order_is_called_once_per_pass():
    calls = []

    def smallest(waiting):
        calls.append((waiting.place.tolist(), waiting.free_cores, waiting.now))
        return -waiting.procs

    register_order("test-smallest", smallest)
    scheduler = CoScheduler("any", "Any", "test-smallest", repeat=False)
    jobs = CoJobs([1, 2, 3], [0, 0, 1], [0, 0, 0], [4, 2, 2], [10, 5, 1], [14, 7, 2])
    schedule = simulate(jobs, shared_nodes(1, 2, 2), [[1.0]], scheduler)
    assert schedule.start.tolist() == [6, 0, 5]
    assert calls == [([0, 1], 4, 0.0), ([0, 2], 4, 5.0), ([0], 4, 6.0)]


def test_user_order_that_fails_is_an_error():
    jobs = CoJobs([1], [0], [0], [4], [10], [14])
    register_order("test-short", lambda waiting: waiting.procs[:0])
    with pytest.raises(ValueError, match=r"order 'test-short' gave keys of shape \(0,\)"):
        simulate(jobs, shared_nodes(1), [[1.0]], CoScheduler("any", "Any", "test-short"))
    register_order("test-broken", lambda waiting: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        simulate(jobs, shared_nodes(1), [[1.0]], CoScheduler("any", "Any", "test-broken"))


def test_results_do_not_depend_on_threads():
    rng = np.random.default_rng(5)
    app = rng.integers(0, 4, 200)
    time = rng.uniform(1, 50, 4)[app]
    jobs = CoJobs(np.arange(200), np.zeros(200), app, [20, 50, 110, 400] * 50, time, 1.4 * time)
    speedup = rng.uniform(0.7, 1.6, (4, 4))
    runs = [CoRun(jobs, shared_nodes(60), speedup, scheduler) for scheduler in SCHEDULERS.values()]
    one, three = simulate_many(runs), simulate_many(runs, threads=3)
    for first, second in zip(one, three, strict=True):
        assert first.end.tolist() == second.end.tolist()


def saved_workload(names: list[str]) -> CoJobs:
    """The workload of the saved schedules: 1,000 jobs at time 0."""
    frame = pd.read_csv(SAVED / "aris-nas-1000-w0.csv")
    return CoJobs(
        frame["Job Number"],
        frame["Submit Time"],
        frame["Executable Number"].map(names.index),
        frame["Requested Number of Processors"],
        frame["Run Time"],
        frame["Requested Time"],
    )


def assert_saved_schedule(
    name: str, jobs: CoJobs, speedup: np.ndarray, scheduler: CoScheduler
) -> None:
    """See that a schedule is the saved one, job by job; it was saved with six decimals."""
    saved = pd.read_csv(SAVED / f"{name}.csv")
    computed = simulate(jobs, ARIS, speedup, scheduler)
    np.testing.assert_allclose(computed.start, saved["start"], rtol=0, atol=1e-6)
    np.testing.assert_allclose(computed.end, saved["finish"], rtol=0, atol=1e-6)
    assert computed.nodes.tolist() == saved["nodes"].tolist()


@pytest.mark.parametrize("name", ["fcfs", "easy", "conservative", "sjf", "ljf"])
def test_saved_schedules_on_whole_nodes(name):
    names = sorted(pd.read_csv(SAVED / "aris-nas-1000-w0.csv")["Executable Number"].unique())
    unknown = np.full((len(names), len(names)), np.nan)
    jobs = saved_workload(names)
    assert_saved_schedule(f"era-{name}", jobs, unknown, SCHEDULERS[name])
    if name in ("fcfs", "easy", "conservative"):
        assert_saved_schedule(
            f"head-{name}", jobs, unknown, replace(SCHEDULERS[name], repeat=False)
        )


@pytest.mark.parametrize(
    ("name", "scheduler"),
    [
        ("era-easy-co", SCHEDULERS["easy-co"]),
        ("era-sjf-co", SCHEDULERS["sjf-co"]),
        ("head-random-ranks", replace(SCHEDULERS["easy-co"], backfill=None, repeat=False)),
    ],
)
def test_saved_schedules_on_shared_nodes(name, scheduler, raw_pool):
    """The same on the measured heatmap, which is looked for in SCHEDLAB_ARCHIVE."""
    pool = read_pool(raw_pool("aris-nas"))
    assert_saved_schedule(name, saved_workload(list(pool.names)), pool.speedup, scheduler)


def columns(**changed) -> dict:
    """Two good jobs, but for what is changed."""
    good = {
        "number": [7, 9],
        "submit": [0, 1],
        "app": [0, 0],
        "procs": [1, 2],
        "time": [3, 4],
        "wall": [5, 6],
    }
    return good | changed


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"submit": [1, 0]}, "job 9 is submitted before the job in front of it"),
        ({"submit": [-1, 0]}, "job 7: submit is -1.0, must be at least 0"),
        ({"time": [3, 0]}, "job 9: time is 0.0, must be above 0"),
        ({"wall": [np.nan, 1]}, "job 7: wall is nan, must be above 0"),
        ({"procs": [0, 1]}, "job 7: procs is 0, must be at least 1"),
        ({"procs": [1]}, "fields differ in length"),
    ],
)
def test_bad_jobs_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        CoJobs(**columns(**changed))


@pytest.mark.parametrize(
    ("scheduler", "changed", "message"),
    [
        ("fcfs", {"procs": [1, 81]}, "job 9: procs is 81, compact over 5 nodes; the machine has 4"),
        (
            "easy-co",
            {"procs": [1, 41]},
            "job 9: procs is 41, spread over 5 nodes; the machine has 4",
        ),
        ("fcfs", {"app": [0, 2]}, "job 9: app is 2, the pool has 2 applications"),
    ],
)
def test_jobs_that_cannot_run_are_refused(scheduler, changed, message):
    jobs = CoJobs(**columns(**changed))
    with pytest.raises(ValueError, match=message):
        simulate(jobs, shared_nodes(4), np.ones((2, 2)), SCHEDULERS[scheduler])


@pytest.mark.parametrize("value", [0.0, -1.0, np.inf])
def test_bad_speedups_are_refused(value):
    jobs = CoJobs(**columns())
    with pytest.raises(ValueError, match="speedups: row 0, column 1 is"):
        simulate(jobs, shared_nodes(4), [[1.0, value], [1.0, 1.0]], SCHEDULERS["fcfs"])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"order": "poplarity"}, "did you mean 'popularity'"),
        ({"nodes": "zzz"}, "nodes is 'zzz', must be one of lowest, occ, idle"),
        ({"keys": "doubles"}, "keys is 'doubles'; did you mean 'double'"),
        ({"depth": -1}, "depth is -1"),
        ({"backfill": "textbook", "allocation": "spread"}, "textbook conservative backfilling"),
        ({"backfill": "conservative", "allocation": "hybrid"}, "conservative backfilling is for"),
        ({"backfill_allocation": "spread"}, "backfill_allocation is for EASY"),
    ],
)
def test_bad_schedulers_are_refused(changed, message):
    with pytest.raises(ValueError, match=message):
        CoScheduler("any", "Any", **changed)


def test_no_jobs():
    schedule = simulate(CoJobs(*[[]] * 6), shared_nodes(4), [[1.0]], SCHEDULERS["popularity"], True)
    assert len(schedule.start) == len(schedule.allocation.node) == 0
