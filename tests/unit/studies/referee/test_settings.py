"""Orders in slurm.conf and in the simulators, and these compared with a real Slurm by hand."""

import pytest

from referee_case import JOBS
from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.studies.referee.settings import BACKFILL, SETTINGS
from schedlab.studies.referee.simulators import (
    CONSERVATIVE,
    EASY,
    PHASES,
    SLURM,
    STOPPING,
    phases_of,
    simulate_window,
)


def test_every_order_has_configuration_lines_that_end_with_backfill():
    for setting in SETTINGS.values():
        assert all("=" in line for line in setting.lines)
        assert setting.lines[-1] == BACKFILL
    assert SETTINGS["fcfs"].lines[0] == "PriorityType=priority/basic"


def test_orders_that_age_have_a_database():
    ages = {name for name, one in SETTINGS.items() if _weight(one.lines, "Age")}
    assert ages == {name for name, one in SETTINGS.items() if one.database} == {"mixed"}


def _weight(lines, factor):
    """Return a weight that lines give; 0 where they do not."""
    said = dict(line.split("=", 1) for line in lines)
    return int(said.get(f"PriorityWeight{factor}", 0))


@pytest.mark.parametrize(("n", "s", "first"), [(2, 0, 2), (2, 99, 2), (2, 101, 1)])
def test_a_processor_more_is_a_hundred_seconds_in_the_mixed_order(n, s, first):
    """Against a job of one processor submitted a hundred seconds later than a wider one."""
    policy = SETTINGS["mixed"].policy
    jobs = Jobs([1, 2], [0, s], [10, 10], [10, 10], [n, 1])
    wide, narrow = policy.scores(jobs)
    assert (narrow < wide) == (s < 100)


def test_textbook_schedulers_run_without_changes():
    policy = get("sqf")
    for how, kept in ((EASY, "head"), (CONSERVATIVE, "every")):
        expected = simulate(Run(JOBS, 32, policy, reservations=kept))
        assert simulate_window(JOBS, 32, policy, how).start.tolist() == expected.start.tolist()
        assert phases_of(how) == (0,)


def test_the_dialect_is_run_at_every_phase():
    """The second job is behind one that does not fit: a pass of backfilling starts it."""
    jobs = Jobs([1, 2, 3], [0, 1, 2], [100, 50, 10], [100, 60, 60], [31, 32, 1])
    begun = [
        simulate_window(jobs, 32, get("fcfs"), SLURM, phase).start[2].item()
        for phase in phases_of(SLURM)
    ]
    # the pass at 0 s comes before the job, which has the next one
    assert phases_of(SLURM) == PHASES == (0, 5, 10, 15, 20, 25)
    assert begun == [30, 5, 10, 15, 20, 25]


@pytest.mark.parametrize(("how", "starts"), [(EASY, 3), (CONSERVATIVE, 720)])
def test_easy_reserves_for_the_head_and_conservative_for_every_job(how, starts):
    """Two of four processors are free until 600; then three are wanted for 60 s, then all.

    The last of 660 s fits next to the first and the head, and not before the third.
    """
    times = [600, 60, 60, 660]
    jobs = Jobs([1, 2, 3, 4], [0, 0, 0, 3], times, times, [2, 3, 4, 1])
    found = simulate_window(jobs, 4, get("fcfs"), how).start.tolist()
    assert (found[:2], found[3]) == ([0, 600], starts)


def test_only_the_dialect_has_phases_and_three_seconds_of_cleanup():
    assert phases_of(SLURM) == PHASES == (0, 5, 10, 15, 20, 25)
    assert phases_of(EASY) == phases_of(CONSERVATIVE) == (0,)
    assert STOPPING == 3
    two = Jobs([1, 2], [0, 0], [100, 9], [120, 60], [4, 4])
    assert simulate_window(two, 4, get("fcfs"), SLURM).start.tolist() == [0, 103]
    assert simulate_window(two, 4, get("fcfs"), EASY).start.tolist() == [0, 100]
