"""Slurm's schedulers on equal processors: kernel against twin, and rules worked out by hand.

The kernel and its twin are those of a site's Slurm; `test_site.py` compares them on random sites.
"""

from dataclasses import fields, replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from predicted_case import predicted_start
from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.core.requests import Requests
from schedlab.core.slurm_site import Priorities, Scheduling, Site
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, ranks, simulate
from schedlab.queue.site_problem import problem_of
from schedlab.queue.site_requests import time_limits
from schedlab.queue.slurm import SlurmSettings, problem_of_processors, scheduling_of
from schedlab.queue.slurm_site import Phases, kernel_of
from twins.site_nodes import Asked, Node, choose
from twins.slurm_site import Controller

SLURM = DIALECTS["slurm"]


def switched(backfill=0, stopping=1, **changes):
    """Return the dialect with its first pass at a time, and other parameters."""
    settings = SlurmSettings(Scheduling(**changes), Phases(backfill=backfill), stopping)
    return replace(SLURM, slurm=settings)


def general_problem(run):
    """Return the arrays of a run as those of a site."""
    settings = run.dialect.slurm
    scheduling = scheduling_of(settings.scheduling, run.reservations)
    site = Site(
        Machine.of_processors(run.processors),
        Priorities(multifactor=False),
        scheduling,
        memory_counts=False,
    )
    requests = Requests.from_frame(pd.DataFrame(index=range(len(run.jobs))))
    points = len(run.jobs) - ranks(run.policy, run.jobs)[1].astype(float)
    return problem_of(site, run.jobs, requests, points, settings.stopping)


def twin(run):
    """Return the start times of the twin."""
    return Controller(general_problem(run), run.dialect.slurm.phases).simulate()


@st.composite
def runs(draw):
    processors = draw(st.sampled_from([1, 3, 8, 64, 65]))
    count = draw(st.integers(1, 25))
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
    dialect = switched(
        backfill=draw(st.sampled_from([0, 13])),
        stopping=draw(st.sampled_from([0, 2, 50])),
        # passes of the twin take long
        bf_interval=draw(st.sampled_from([1, 7, 30] if scale == 1 else [30, 60, 100])),
        bf_resolution=draw(st.sampled_from([1, 60, 100])),
        bf_window=draw(st.sampled_from([120, 86_400])),
        bf_max_job_test=draw(st.sampled_from([0, 1, 3, 500])),
        bf_max_job_start=draw(st.sampled_from([0, 0, 1])),
        bf_node_space_size=draw(st.sampled_from([0, 0, 4])),
        bf_window_linear=draw(st.sampled_from([0, 0, 45])),
        bf_min_age_reserve=draw(st.sampled_from([0, 0, 120])),
        default_queue_depth=draw(st.sampled_from([1, 100])),
        sched_interval=draw(st.sampled_from([60, 7] if scale == 1 else [60, 90])),
        batch_sched_delay=draw(st.sampled_from([3, 0])),
        defer=draw(st.booleans()),
    )
    return Run(
        jobs,
        processors,
        get(draw(st.sampled_from(["fcfs", "sqf", "spt"]))),
        dialect=dialect,
        reservations=draw(st.sampled_from(["none", "head", "3", "every"])),
    )


@given(runs())
def test_kernel_schedules_as_its_twin(run):
    assert simulate(run).start.tolist() == twin(run)


def crowded(seed):
    """A queue of many jobs on few processors, and phases of the controller."""
    random = np.random.default_rng(seed)
    processors, count = int(random.choice([3, 8, 20, 64, 100])), int(random.integers(5, 200))
    length, load = int(random.choice([60, 600, 3600])), random.choice([0.7, 1.0, 1.5, 4])
    width = (random.pareto(1.0, count) * random.choice([1, 3])).astype(int)
    procs = np.minimum(1 + width, processors)
    if random.random() < 0.3:
        procs = random.integers(1, processors + 1, count)
    estimate = np.maximum(random.exponential(length, count).astype(int) // 60 * 60, 60)
    if random.random() < 0.3:
        estimate = random.choice([60, 120, 600, 1800], count)
    share = random.random(count) ** random.choice([0.3, 1, 3])
    runtime = np.maximum((estimate * share).astype(int), 1)
    span = int((procs * runtime).sum() / processors / load) + 1
    jobs = Jobs(
        np.arange(count), np.sort(random.integers(0, span + 1, count)), runtime, estimate, procs
    )
    choices = {
        "bf_interval": [1, 7, 30, 60, 600], "bf_resolution": [1, 30, 60, 300],
        "bf_window": [600, 3600, 86_400], "bf_max_job_test": [0, 3, 20, 500],
        "bf_min_age_reserve": [0, 0, 0, 100], "bf_job_part_count_reserve": [0, 0, 1, 3],
    }  # fmt: skip
    scheduling = Scheduling(**{name: int(random.choice(of)) for name, of in choices.items()})
    shuffled = random.random() < 0.7
    points = count - (random.permutation(count) if shuffled else np.arange(count)).astype(float)
    stopping = int(random.integers(0, 3))
    problem = problem_of_processors(processors, jobs, points, scheduling, stopping)
    if random.random() < 0.4:
        age, period = int(random.choice([600, 3600])), int(random.choice([30, 60, 300]))
        moving = Priorities(age=1000, jobsize=300, max_age=age, calc_period=period)
        problem = replace(problem, site=replace(problem.site, priorities=moving))
    phases = [int(random.integers(0, most)) for most in (30, 60, 60, 60)]
    return problem, Phases(*phases)


# of 2,500 seeds, the last four are those in which each bound of `valid` matters
@pytest.mark.parametrize("seed", [*range(40), 41, 236, 714, 1837])
def test_passes_that_are_left_out_start_nothing(seed):
    """A site on which a node returns at the end has all passes, and the general plan."""
    plain, phases = crowded(seed)
    change = {"change_times": np.array([[10**9, 1]]), "change_nodes": plain.members[:1]}
    starts = []
    for problem in (plain, replace(plain, **change)):
        kernel = kernel_of(problem, phases, keeps_places=bool(seed % 2))
        while kernel.advance(10**6):
            pass
        starts.append(kernel.starts().tolist())
    assert starts[0] == starts[1]


@given(runs())
def test_sites_of_equal_processors_are_as_their_twin(run):
    """Priorities move, and places are kept."""
    general = general_problem(run)
    weights = Priorities(age=1000, jobsize=300, max_age=3600, calc_period=60)
    problem = replace(general, site=replace(general.site, priorities=weights))
    kernel = kernel_of(problem, run.dialect.slurm.phases)
    while kernel.advance(10**5):
        pass
    controller = Controller(problem, run.dialect.slurm.phases)
    assert kernel.starts().tolist() == controller.simulate()
    _, first, count, rows = kernel.places()
    for job, on in enumerate(controller.on):
        assert rows[first[job] : first[job] + count[job], 0].tolist() == sorted(on)


@given(runs())
def test_arrays_of_equal_processors_are_those_of_a_site(run):
    """Classes of requests may have another order."""
    general = general_problem(run)
    points = general.points
    slurm = run.dialect.slurm
    problem = problem_of_processors(
        run.processors, run.jobs, points, general.site.scheduling, slurm.stopping
    )
    assert problem.site.scheduling == general.site.scheduling
    by_class = {"numbers", "class_gres", "class_static"}
    for name in (each.name for each in fields(problem)):
        one, other = getattr(problem, name), getattr(general, name)
        if name in by_class:
            one, other = one[problem.pair_class], other[general.pair_class]
        if name not in {"pair_class", "site"}:
            assert np.array_equal(one, other), name
            assert not hasattr(one, "dtype") or one.dtype == other.dtype, name


def starts(rows, processors, reservations="every", policy="fcfs", **changes):
    """Start times of jobs of (submit, runtime, estimate, procs), by kernel and twin."""
    jobs = Jobs(np.arange(len(rows)), *np.array(rows).T)
    run = Run(jobs, processors, get(policy), dialect=switched(**changes), reservations=reservations)
    found = simulate(run).start.tolist()
    assert found == twin(run)
    return found


# two of four processors run until 600; the second job needs all
BLOCKED = [(0, 600, 600, 2), (0, 60, 60, 4)]
#: from 600 on, four of eight processors each have the four in the middle
FOUR = [(0, 600, 600, 7), *[(0, 60, 60, 2)] * 4]
#: of five processors two are free from 300 and two from 600 on, when the third is to have four
TWO_AND_TWO = [(0, 300, 300, 2), (0, 600, 600, 2), (1, 60, 60, 4), (2, 300, 300, 3)]
#: the head can start at 630
LATE = [(30, 600, 600, 2), (30, 60, 60, 4), (33, 540, 540, 1)]


def ends(last):
    """The head needs three of four processors; two are free at 600, and one more at `last`."""
    return [(0, 600, 600, 2), (0, last, last, 1), (0, 60, 60, 3), (3, 600, 600, 1)]


@pytest.mark.parametrize(
    ("rows", "processors", "switches", "last"),
    [
        # the main scheduler starts a job that fits at its arrival
        ([(0, 10, 60, 1), (5, 10, 60, 1)], 2, {}, 5),
        ([(0, 10, 60, 1), (5, 10, 60, 1), (7, 10, 60, 2)], 2, {"stopping": 1}, 16),
        # or three seconds later, if it is told to defer
        ([(1, 10, 60, 1)], 1, {"defer": True, "backfill": 9}, 2),
        ([(1, 10, 60, 1), (3, 10, 60, 1)], 2, {"defer": True, "backfill": 9}, 5),
        # a job behind a blocked one starts at the first pass after its arrival
        ([*BLOCKED, (3, 60, 60, 1)], 4, {}, 30),
        ([*BLOCKED, (3, 60, 60, 1)], 4, {"backfill": 4}, 4),
        ([*BLOCKED, (3, 60, 60, 1)], 4, {"backfill": 4, "bf_interval": 7}, 4),
        ([*BLOCKED, (5, 60, 60, 1)], 4, {"backfill": 4, "bf_interval": 7}, 11),
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
        # until 599 next to a reservation from 600 on, or until 600
        ([*BLOCKED, (3, 540, 540, 1)], 4, {"backfill": 59}, 59),
        ([*BLOCKED, (3, 540, 540, 1)], 4, {"backfill": 60}, 660),
        # a reservation is rounded down, by default to the minute
        (LATE, 4, {"backfill": 60}, 690),
        (LATE, 4, {"backfill": 60, "bf_resolution": 1}, 60),
        # from 60 on, 630 is within 570 s; the plan ends at a minute, and its last one begins at 600
        (LATE, 4, {"backfill": 60, "bf_window": 600}, 690),
        (LATE, 4, {"backfill": 60, "bf_window": 599}, 60),
        # half a minute after the next half minute behind 600 is 660
        (ends(660), 4, {}, 30),
        (ends(720), 4, {}, 660),
        # past its limit, at the pass of 61, the first job's processor is held until 62
        ([(0, 60, 60, 1)] * 2, 1, {"stopping": 2, "backfill": 60}, 62),
        ([(0, 60, 60, 1)] * 2, 1, {"stopping": 2, "backfill": 61}, 62),
        # at the pass of 30 the head's start at 600 is in the plan if that has the minute from 600
        ([*BLOCKED, (3, 900, 900, 1)], 4, {"backfill": 30, "bf_window": 630}, 660),
        ([*BLOCKED, (3, 900, 900, 1)], 4, {"backfill": 30, "bf_window": 629}, 30),
        # a limited number of jobs is looked at, and so many stretches of time end a pass
        ([*BLOCKED, (2, 600, 600, 4), (3, 60, 60, 1)], 4,
         {"bf_max_job_test": 3, "bf_node_space_size": 9}, 30),
        ([*BLOCKED, (2, 600, 600, 4), (3, 60, 60, 1)], 4,
         {"bf_max_job_test": 2, "bf_node_space_size": 9}, 1260),
        ([*BLOCKED, (2, 600, 600, 4), (3, 60, 60, 1)], 4, {"bf_node_space_size": 3}, 1260),
        # with a reservation for the head alone, the third waits for the last
        *(
            ([(0, 600, 600, 6), (1, 300, 300, 7), (2, 300, 300, 8), (3, 1200, 1200, 1)], 8, *case)
            for case in (({}, 1200), ({"reservations": "head"}, 30))
        ),
    ],
)  # fmt: skip
def test_the_last_job_starts_as_worked_out_by_hand(rows, processors, switches, last):
    assert starts(rows, processors, **({"stopping": 0} | switches))[-1] == last


def test_a_job_may_start_after_a_reservation_of_its_processors():
    """The fourth is to have the fourth processor from 1200 on, so that the fifth waits."""
    rows = [(0, 1200, 1200, 1), (0, 600, 600, 2), (0, 600, 600, 2), (1, 900, 900, 2)]
    found = starts([*rows, *[(1, 1200, 1200, 1)] * 2], 4, stopping=0)
    assert found == [0, 0, 600, 1200, 600, 1200]


def test_processors_of_a_reservation_have_names():
    """The third has two named processors at 300, one free at 120; counts start the last there."""
    rows = [(0, 120, 120, 1), (0, 300, 300, 2), (0, 420, 420, 2), (0, 540, 540, 1)]
    assert starts(rows, 3, stopping=0, bf_interval=1, bf_resolution=1) == [0, 0, 300, 300]
    jobs = Jobs(np.arange(4), *np.array(rows).T)
    counts = simulate(Run(jobs, 3, get("fcfs"), reservations="every"))
    assert counts.start.tolist() == [0, 0, 300, 120]


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


LEAST = {"bf_interval": 1, "bf_resolution": 1, "bf_window": 1, "stopping": 0}


@pytest.mark.parametrize(("name", "least"), LEAST.items())
def test_settings_have_a_least_value(name, least):
    switched(**{name: least})
    with pytest.raises(ValueError, match=f"{name} is {least - 1}, must be at least {least}"):
        switched(**{name: least - 1})


@pytest.mark.parametrize(
    ("ends", "start"),
    [
        # 610 is followed by the half minute at 630, and 30 s on it is 660
        ([(610, 1), (660, 1)], 660),
        ([(610, 1), (661, 1)], 610),
        ([(600, 1), (660, 1)], 660),
        ([(600, 1), (661, 1)], 600),
        # too few at 600: the next group ends at 630 and a power of two of half minutes, so that
        # it has the next end
        ([(600, 1), (900, 2), (1110, 1)], 1110),
        ([(600, 1), (900, 2), (1111, 1)], 900),
        ([(600, 1), (900, 1), (1200, 1), (1590, 1)], 1590),
        ([(600, 1), (900, 1), (1200, 1), (1591, 1)], 1200),
        # who frees nothing of use is passed by, and who comes then is taken whenever it ends
        ([(600, 1), (650, 0), (5000, 1)], 5000),
        ([(600, 1), (661, 0), (5000, 1)], 600),
    ],
)
def test_ends_leave_in_groups(ends, start):
    needed = {600: 1, 610: 1, 660: 1, 900: 3, 1110: 3, 1200: 3, 1590: 3, 5000: 1}[start]
    assert predicted_start(0, needed, ends, 0) == start


def test_limits_are_whole_minutes():
    assert time_limits([0, 1, 60, 61]).tolist() == [60, 60, 60, 120]


@pytest.mark.parametrize(
    ("free", "procs", "where"),
    [
        ({0, 1, 3, 4, 5, 7}, 1, {7}),
        ({0, 1, 3, 4, 5, 7}, 2, {0, 1}),
        ({0, 1, 3, 4, 5, 7}, 3, {3, 4, 5}),
        # no stretch suffices: all of the longest, and then of the smallest that does
        ({0, 1, 3, 4, 5, 7}, 4, {3, 4, 5, 7}),
        ({0, 1, 3, 4, 5, 7}, 5, {3, 4, 5, 0, 1}),
        ({0, 1, 3, 4, 5, 7}, 6, {0, 1, 3, 4, 5, 7}),
        # of equal stretches the first
        ({0, 1, 3, 4}, 2, {0, 1}),
        ({0, 1, 3, 4}, 3, {0, 1, 3}),
    ],
)
def test_processors_are_those_of_the_smallest_stretch_that_suffices(free, procs, where):
    asked = Asked(0, 1, procs, procs, 1, 0, 0, False, (), frozenset(range(8)))
    assert choose(asked, [Node(1, 0, [], 1) for _ in range(8)], free).keys() == where
