"""The simulators compared with a real Slurm, by hand."""

import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.studies.referee.simulators import (
    CONSERVATIVE,
    EASY,
    PHASES,
    SLURM,
    STOPPING,
    phases_of,
    simulate_window,
)


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
