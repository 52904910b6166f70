"""Slurm's schedulers: the kernel against its twin, and rules in schedules worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.queue.slurm import SlurmSwitches
from twins import slurm as twin

SLURM = DIALECTS["slurm"]


def switched(**changes):
    return replace(SLURM, slurm=replace(SLURM.slurm, **changes))


@st.composite
def runs(draw):
    processors = draw(st.sampled_from([1, 3, 8, 64, 65, 130]))
    count = draw(st.integers(1, 40))
    scale = draw(st.sampled_from([1, 20, 300]))
    numbers = st.integers(0, 1)
    rows = []
    for number in range(count):
        runtime = draw(st.integers(0, 20)) * scale // 2
        estimate = max(runtime + draw(st.integers(0, 10)) * scale // 3, 1)
        wide = draw(numbers)
        procs = draw(st.integers(1, processors if wide else min(processors, 4)))
        rows.append((number, draw(st.integers(0, 15)) * scale, runtime, estimate, procs))
    rows.sort(key=lambda row: row[1])
    jobs = Jobs(np.arange(count), *np.array([row[1:] for row in rows]).T)
    switches = SlurmSwitches(
        interval=draw(st.sampled_from([1, 7, 30])),
        resolution=draw(st.sampled_from([1, 60, 100])),
        window=draw(st.sampled_from([120, 86_400])),
        max_test=draw(st.sampled_from([1, 3, 500])),
        close=draw(st.sampled_from([0, 5, 30])),
        minutes=draw(st.booleans()),
        stopping=draw(st.sampled_from([0, 2])),
        phase=draw(st.sampled_from([0, 13])),
    )
    return Run(
        jobs,
        processors,
        get(draw(st.sampled_from(["fcfs", "sqf", "spt"]))),
        dialect=replace(SLURM, slurm=switches),
        reservations=draw(st.sampled_from(["none", "head", "3", "every"])),
    )


@given(runs())
def test_kernel_schedules_as_its_twin(run):
    assert simulate(run).start.tolist() == twin.simulate(run)


def starts(rows, processors, reservations="every", policy="fcfs", **changes):
    """Start times of jobs of (submit, runtime, estimate, procs), by kernel and twin."""
    jobs = Jobs(np.arange(len(rows)), *np.array(rows).T)
    run = Run(jobs, processors, get(policy), dialect=switched(**changes), reservations=reservations)
    found = simulate(run).start.tolist()
    assert found == twin.simulate(run)
    return found


# two of four processors run until 600; the second job needs all
BLOCKED = [(0, 600, 600, 2), (0, 60, 60, 4)]


#: switches with which times are as they look
EXACT = {"stopping": 0, "minutes": False, "close": 0}
#: from 600 on, four of eight processors each have the four in the middle
FOUR = [(0, 600, 600, 7), *[(0, 60, 60, 2)] * 4]
#: of five processors two are free from 300 and two from 600 on, when the third is to have four
TWO_AND_TWO = [(0, 300, 300, 2), (0, 600, 600, 2), (1, 60, 60, 4), (2, 300, 300, 3)]
#: the head needs three; two are free at 600
ENDS = [(0, 600, 600, 2), (0, 660, 660, 1), (0, 60, 60, 3), (3, 590, 590, 1)]
#: the head can start at 630
LATE = [(0, 630, 630, 2), (0, 60, 60, 4), (3, 590, 590, 1)]


@pytest.mark.parametrize(
    ("rows", "processors", "switches", "last"),
    [
        # the main pass starts a job that fits at its arrival
        ([(0, 10, 60, 1), (5, 10, 60, 1)], 2, {}, 5),
        ([(0, 10, 60, 1), (5, 10, 60, 1), (7, 10, 60, 2)], 2, {"stopping": 1}, 16),
        # a job behind a blocked one starts at the first pass after its arrival
        ([*BLOCKED, (3, 60, 60, 1)], 4, {}, 30),
        ([*BLOCKED, (3, 60, 60, 1)], 4, {"phase": 4}, 4),
        ([*BLOCKED, (3, 60, 60, 1)], 4, {"phase": 4, "interval": 7}, 4),
        ([*BLOCKED, (5, 60, 60, 1)], 4, {"phase": 4, "interval": 7}, 11),
        # without backfilling no job overtakes; the head has its reservation
        ([*BLOCKED, (3, 60, 60, 1)], 4, {"reservations": "none"}, 660),
        ([*BLOCKED, (3, 599, 599, 1)], 4, {"reservations": "head"}, 660),
        ([*BLOCKED, (3, 60, 60, 1)], 4, {"reservations": "head"}, 30),
        # stopping keeps processors busy
        ([(0, 10, 60, 1), (0, 10, 60, 1)], 1, {"stopping": 3}, 13),
        # every job has one reservation: the last job would keep one of the four in the middle
        ([*FOUR, (3, 700, 700, 1)], 8, {}, 660),
        ([*FOUR, (3, 60, 60, 1)], 8, {}, 30),
        # the fourth is to have three from 300 to 600, so that the last may not take the fifth at
        # 30; with a limit of a minute less it begins with the pass at 30 all the same
        ([*TWO_AND_TWO, (3, 400, 400, 1)], 5, {}, 600),
        ([*TWO_AND_TWO, (3, 240, 240, 1)], 5, {}, 30),
        # limits are whole minutes: 541 s are 600, beyond the reservation at 600
        *(([*BLOCKED, (3, limit, limit, 1)], 4, {}, 30) for limit in (510, 540)),
        ([*BLOCKED, (3, 541, 541, 1)], 4, {}, 660),
        ([*BLOCKED, (3, 541, 541, 1)], 4, {"minutes": False}, 30),
        # from 30 on: until 599 next to a reservation from 600 on, or until 600
        ([*BLOCKED, (3, 569, 569, 1)], 4, {"minutes": False}, 30),
        ([*BLOCKED, (3, 570, 570, 1)], 4, {"minutes": False}, 660),
        # a reservation is rounded down, by default to the minute
        (LATE, 4, EXACT, 690),
        (LATE, 4, EXACT | {"resolution": 1}, 30),
        # from 30 on, 630 is 600 s ahead, at the end of the window; its reservation begins at 600
        (LATE, 4, EXACT | {"phase": 30, "window": 600}, 690),
        (LATE, 4, EXACT | {"phase": 30, "window": 599}, 30),
        # limits until 630, and 30 s more, are one
        (ENDS, 4, EXACT | {"resolution": 1, "close": 30}, 30),
        (ENDS, 4, EXACT | {"resolution": 1, "close": 29}, 660),
        (ENDS, 4, EXACT | {"resolution": 1}, 660),
        # past its limit, at the pass of 61, the first job's processor is held until 62
        ([(0, 60, 60, 1)] * 2, 1, {"stopping": 2, "phase": 60}, 62),
        ([(0, 60, 60, 1)] * 2, 1, {"stopping": 2, "phase": 61}, 62),
        # at the pass of 30 the head's start at 600 is within 571 s, and beyond 570
        ([*BLOCKED, (3, 900, 900, 1)], 4, {"phase": 30, "window": 571}, 660),
        ([*BLOCKED, (3, 900, 900, 1)], 4, {"phase": 30, "window": 570}, 30),
        # a limited number of jobs is looked at
        ([*BLOCKED, (2, 600, 600, 4), (3, 60, 60, 1)], 4, {"max_test": 3}, 30),
        ([*BLOCKED, (2, 600, 600, 4), (3, 60, 60, 1)], 4, {"max_test": 2}, 1260),
        # with a reservation for the head alone, the third waits for the last
        *(
            ([(0, 600, 600, 6), (1, 300, 300, 7), (2, 300, 300, 8), (3, 1200, 1200, 1)], 8, *case)
            for case in (({}, 1200), ({"reservations": "head"}, 30))
        ),
    ],
)
def test_the_last_job_starts_as_worked_out_by_hand(rows, processors, switches, last):
    assert starts(rows, processors, **({"stopping": 0} | switches))[-1] == last


def test_start_after_a_reservation_uses_the_free_processors():
    """The fourth is to have the fourth processor from 1200 on, so that the fifth waits."""
    rows = [(0, 1200, 1200, 1), (0, 600, 600, 2), (0, 600, 600, 2), (1, 900, 900, 2)]
    found = starts([*rows, *[(1, 1200, 1200, 1)] * 2], 4, **EXACT)
    assert found == [0, 0, 600, 1200, 600, 1200]


@pytest.mark.parametrize(("end", "head", "last"), [(780, 720, 30), (781, 700, 760)])
def test_more_distant_ends_are_merged_when_twice_as_close(end, head, last):
    """Too few are free at 600; from 700 on, limits until 720 and 60 s more are one."""
    rows = [(0, 600, 600, 1), (0, 700, 700, 1), (0, end, end, 1), (0, 60, 60, 3), (3, 690, 690, 1)]
    found = starts(rows, 4, stopping=0, minutes=False, resolution=1, close=30)
    assert found == [0, 0, 0, head, last]


def test_processors_of_a_reservation_have_names():
    """The third has two named processors at 300, one free at 100; counts start the last there."""
    rows = [(0, 100, 100, 1), (0, 300, 300, 2), (0, 400, 400, 2), (0, 500, 500, 1)]
    exact = {"stopping": 0, "interval": 1, "resolution": 1, "close": 0, "minutes": False}
    assert starts(rows, 3, **exact) == [0, 0, 300, 300]
    jobs = Jobs(np.arange(4), *np.array(rows).T)
    counts = simulate(Run(jobs, 3, get("fcfs"), reservations="every"))
    assert counts.start.tolist() == [0, 0, 300, 100]


def test_options_that_slurm_lacks_are_rejected():
    def run(runtime=60, order="fcfs", dialect=SLURM, reservations="every", **options):
        jobs = Jobs([7], [0], [runtime], [60], [1])
        return Run(jobs, 1, get(order), dialect=dialect, reservations=reservations, **options)

    run()
    for options, message in (
        ({"runtime": 61}, "job 7: runs 61 s, its limit is 60 s"),
        ({"order": "wfp3"}, "static orders, 'wfp3' moves while jobs wait"),
        ({"backfill": get("sqf"), "reservations": None}, "order of the queue, 'sqf' is another"),
        ({"compression": "instant"}, "no plan to compress, compression is instant"),
        ({"head": 1}, "does not support head"),
        ({"dialect": replace(SLURM, window=5)}, "no other switches"),
        ({"threshold": 60}, "no starvation threshold"),
    ):
        with pytest.raises(ValueError, match=message):
            run(**options)


LEAST = {"interval": 1, "resolution": 1, "window": 1, "max_test": 1}
LEAST |= {"close": 0, "stopping": 0, "phase": 0}


@pytest.mark.parametrize(("name", "least"), LEAST.items())
def test_switches_have_a_least_value(name, least):
    SlurmSwitches(**{name: least})
    with pytest.raises(ValueError, match=f"{name} is {least - 1}, must be at least {least}"):
        SlurmSwitches(**{name: least - 1})


@pytest.mark.parametrize(
    ("ends", "start"),
    [
        # 610 is followed by the half minute at 630, and 30 s on it is 660
        ([(610, 1), (660, 1)], 660),
        ([(610, 1), (661, 1)], 610),
        ([(600, 1), (660, 1)], 660),
        ([(600, 1), (661, 1)], 600),
        # too few at 600: the next ones are close within 60 s, of the half minute at 930
        ([(600, 1), (900, 2), (990, 1)], 990),
        ([(600, 1), (900, 2), (991, 1)], 900),
        # and then within 120
        ([(600, 1), (900, 1), (1200, 1), (1350, 1)], 1350),
        ([(600, 1), (900, 1), (1200, 1), (1351, 1)], 1200),
        # who gives nothing is close, and what comes after it is taken however late
        ([(600, 1), (650, 0), (5000, 1)], 5000),
        ([(600, 1), (661, 0), (5000, 1)], 600),
    ],
)
def test_ends_are_close_from_the_next_half_minute_on(ends, start):
    needed = {600: 1, 610: 1, 660: 1, 900: 3, 990: 3, 1200: 3, 1350: 3, 5000: 1}[start]
    running = [(end, set(range(k * 10, k * 10 + given))) for k, (end, given) in enumerate(ends)]
    assert twin.predicted(set(), needed, running, 30, 0)[0] == start


def test_default_switches_are_those_of_slurm():
    """slurm.conf(5): bf_interval, bf_resolution, bf_window of a day, bf_max_job_test."""
    slurm = SlurmSwitches()
    assert (slurm.interval, slurm.resolution, slurm.window, slurm.max_test) == (30, 60, 86_400, 500)
    assert (slurm.close, slurm.minutes, slurm.stopping, slurm.phase) == (30, True, 1, 0)
    assert slurm.limit([0, 1, 60, 61]).tolist() == [60, 60, 60, 120]
    assert replace(slurm, minutes=False).limit([0, 1, 61]).tolist() == [1, 1, 61]


@pytest.mark.parametrize(
    ("procs", "where"),
    [
        (1, {7}),
        (2, {0, 1}),
        (3, {3, 4, 5}),
        # no stretch suffices: all of the longest, and then of the smallest that does
        (4, {3, 4, 5, 7}),
        (5, {3, 4, 5, 0, 1}),
        (6, {0, 1, 3, 4, 5, 7}),
    ],
)
def test_processors_are_those_of_the_smallest_stretch_that_suffices(procs, where):
    assert twin.chosen({0, 1, 3, 4, 5, 7}, procs) == where


def test_of_equal_stretches_the_first_is_chosen():
    assert twin.chosen({0, 1, 3, 4}, 2) == {0, 1}
    assert twin.chosen({0, 1, 3, 4}, 3) == {0, 1, 3}
