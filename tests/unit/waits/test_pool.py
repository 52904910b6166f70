"""A pool of allocations: by hand with two allocations, and second by second like its twin."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.waits.pool import NONE, Pool, StageTasks, Tasks, divide, keep_whole
from schedlab.waits.workflows import Stage, Workflow
from twins.pool import PoolTwin, TaskTwin

#: twelve seconds on two cores, four on one, six on two
CHAIN = Workflow("chain", (Stage("a", 2, 12), Stage("b", 1, 4, ("a",)), Stage("c", 2, 6, ("b",))))


def tasks_of(workflow, parts):
    return [
        keep_whole(stage) if stage.cores == 1 else divide(stage, parts) for stage in workflow.stages
    ]


def run_pool(workflow, tasks, arrivals, until, watch=lambda pool, now: None):
    """Run a pool for (stage, cores, begin, longest time); return it, ends and idling."""
    pool, gone, ends = Pool(workflow, tasks), {}, {}
    now = 0
    while now <= until:
        # an end is read before a start, and both before tasks begin
        for job in [job for job, end in ends.items() if end == now]:
            gone[job] = now, pool.leave(job, now)
            del ends[job]
        for job, (stage, cores, begin, lasts) in enumerate(arrivals):
            if begin == now:
                pool.join(job, stage, cores, now, now + lasts)
                ends[job] = now + lasts
        for job in pool.step(now):
            gone[job] = now, pool.leave(job, now)
            del ends[job]
        watch(pool, now)
        begins = [begin for _, _, begin, _ in arrivals if begin > now]
        tasks_end = [pool.next_end()] if pool.next_end() is not None else []
        now = min([*begins, *ends.values(), *tasks_end, until + 1])
    return pool, gone


def times(pool):
    return [(stage.begin, stage.end) for stage in pool.stages]


def test_tasks_share_the_run_time_of_a_core():
    assert divide(Stage("p", 3, 10), 4) == StageTasks(1, (Tasks(6, 3, 3), Tasks(6, 2, 2)))
    assert divide(Stage("p", 3, 8), 4) == StageTasks(1, (Tasks(12, 2, 2),))
    assert divide(Stage("p", 3, 8), 1) == StageTasks(1, (Tasks(3, 8, 8),))
    # no task is shorter than a second, but a stage may be
    assert divide(Stage("p", 3, 2), 4) == StageTasks(1, (Tasks(6, 1, 1),))
    assert divide(Stage("p", 3, 0), 4) == StageTasks(1, (Tasks(3, 0, 0),))
    assert keep_whole(Stage("p", 3, 10)) == StageTasks(3, (Tasks(1, 10, 10),))
    for parts in (1, 4, 7):
        assert divide(Stage("p", 3, 10), parts).core_seconds == 30


def test_early_allocation_works_on_the_present_stage():
    """Two allocations of two cores: the second comes at 3, and 24 core-seconds are done at 8."""
    arrivals = [(0, 2, 0, 20), (2, 2, 3, 40)]
    pool, gone = run_pool(CHAIN, tasks_of(CHAIN, 4), arrivals, 100)
    # tasks of 3 s: two at 0, four at 3, and the last two at 6 in the allocation that is needed
    # anyway; the first one is released when it has no more tasks
    assert times(pool) == [(0, 9), (9, 13), (13, 19)]
    # while b runs on one core of the second allocation, the other core idles
    assert gone == {0: (6, 0), 1: (19, 4)}


def test_whole_stage_needs_all_its_cores_in_one_allocation():
    whole = [keep_whole(stage) for stage in CHAIN.stages]
    # two allocations of one core do not make one of two
    arrivals = [(1, 1, 0, 50), (1, 1, 0, 50), (0, 2, 7, 20)]
    pool, gone = run_pool(CHAIN, whole, arrivals, 100)
    assert times(pool)[:2] == [(7, 19), (19, 23)]
    assert times(pool)[2] == (NONE, NONE)
    # of the two idle ones the first runs b, and the second is not needed then
    assert gone == {2: (19, 0), 1: (19, 19), 0: (23, 19)}


@pytest.mark.parametrize(("lasts", "runs"), [(3, True), (2, False)])
def test_task_goes_to_an_allocation_that_outlives_its_limit(lasts, runs):
    pool, gone = run_pool(CHAIN, tasks_of(CHAIN, 4), [(0, 2, 0, lasts)], 100)
    assert (pool.stages[0].begin == 0) is runs
    assert pool.stages[0].left == (6 if runs else 8)
    assert pool.stages[0].reruns == 0
    # an allocation that has too little time is released at once
    assert gone == {0: (3 if runs else 0, 0)}


def test_last_end_is_known_when_no_task_waits():
    pool = Pool(CHAIN, tasks_of(CHAIN, 2))
    pool.join(0, 0, 2, 0, 50)
    pool.step(0)
    assert (pool.last_end(0), pool.next_end()) == (None, 6)
    pool.step(6)
    assert pool.last_end(0) == 12
    pool.step(12)
    assert pool.last_end(0) is None
    assert not pool.holds(1)


@st.composite
def pools(draw):
    """A small workflow with its tasks, and allocations with their times."""
    count = draw(st.integers(1, 4))
    stages, tasks = [], []
    for number in range(count):
        names = [stage.name for stage in stages]
        after = draw(st.lists(st.sampled_from(names), unique=True)) if names else []
        cores, seconds = draw(st.integers(1, 4)), draw(st.integers(0, 9))
        stages.append(Stage(f"s{number}", cores, seconds, tuple(after)))
        kind = draw(st.sampled_from(["whole", "divided", "limits"]))
        if kind == "whole":
            tasks.append(keep_whole(stages[-1]))
        elif kind == "divided":
            tasks.append(divide(stages[-1], draw(st.integers(1, 4))))
        else:
            width = draw(st.integers(1, cores))
            three = st.tuples(st.integers(1, 4), st.integers(0, 6), st.integers(0, 8))
            own = draw(st.lists(three, min_size=1, max_size=2))
            tasks.append(StageTasks(width, tuple(Tasks(*one) for one in own)))
    arrival = st.tuples(
        st.integers(0, count - 1), st.integers(1, 6), st.integers(0, 25), st.integers(1, 25)
    )
    return Workflow("w", tuple(stages)), tasks, draw(st.lists(arrival, max_size=7))


@settings(deadline=None)
@given(pools())
def test_pool_equals_its_twin_second_by_second(case):
    workflow, tasks, arrivals = case
    single = [
        TaskTwin(stage, place, own.cores, one.seconds, one.limit)
        for stage, own in enumerate(tasks)
        for place, one in enumerate(own.tasks)
        for _ in range(one.count)
    ]
    twin = PoolTwin(workflow.before, workflow.order, single, arrivals)
    state = {"now": 0}

    def watch(pool, now):
        while state["now"] <= now:
            twin.second(state["now"])
            state["now"] += 1
        stages = [stage for stage in range(len(tasks)) if twin.free(stage)]
        assert stages == [stage for stage in range(len(tasks)) if pool.is_free(stage)]
        for stage in stages:
            assert pool.is_short(stage, now) is twin.short(stage, now)

    pool, gone = run_pool(workflow, tasks, arrivals, 60, watch)
    assert times(pool) == list(zip(twin.begin, twin.end, strict=True))
    assert [stage.reruns for stage in pool.stages] == twin.reruns
    assert [stage.lost for stage in pool.stages] == twin.lost
    assert gone == {job: (one.left, twin.idle(job)) for job, one in twin.gone.items()}
    for stage, own in zip(pool.stages, tasks, strict=True):
        if stage.end != NONE:
            assert (stage.left, sum(stage.waiting)) == (0, 0)
            assert own.core_seconds >= 0
