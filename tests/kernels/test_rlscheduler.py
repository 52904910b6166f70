"""RLScheduler's replay in plain Python gives the means that an independent replay measured."""

import numpy as np
import pytest

from oracles.rlscheduler import by_score, replay
from rlscheduler_case import choice, jobs_of, mean_slowdowns, read_case, windows
from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate

EXPRESSIONS = {
    "FCFS": "s",
    "SJF": "r",
    "F1": "log10(r) * n + 870 * log10(max(s + {zero}, 1))",
    "WFP3": "-(w / r)**3 * n",
}


#: means over 40 random windows of 1,024 jobs that an independent replay measured; how it drew the
#: windows is unknown
MEASURED = {
    "lublin": {"FCFS": 250, "SJF": 71.5, "F1": 69.5, "RL": 64.2},
    "sdsc": {"FCFS": 85.6, "SJF": 59.9, "F1": 41.9, "RL": 85.0},
    "phantoms": {"FCFS": 361, "SJF": 313, "F1": 339, "RL": 469},
    "hpc2n": {"FCFS": 68.3, "SJF": 78.0, "F1": 66.0, "RL": 70.3},
}
#: few windows of HPC2N decide its means
WINDOWS = {"lublin": 60, "sdsc": 60, "phantoms": 100, "hpc2n": 250}


def test_the_simulator_commits_to_a_job():
    """Job 2 waits for all processors; only jobs that end before its shadow time of 10 s start."""
    jobs = [(0, 10, 10, 2), (0, 5, 5, 4), (1, 8, 8, 1), (1, 9, 9, 1), (2, 1, 1, 1)]
    starts = replay(jobs, 4, by_score(jobs, lambda job, wait: job[0]))
    assert starts == [0, 10, 1, 15, 2]


def test_the_shadow_time_is_found_once():
    """Job 1 ends at 2 s, not at its estimate of 10 s; job 4 then delays job 2."""
    jobs = [(0, 2, 10, 3), (0, 5, 5, 4), (0, 1, 1, 1), (0, 4, 4, 1)]
    assert replay(jobs, 4, by_score(jobs, lambda job, wait: 0)) == [0, 5, 0, 1]


@pytest.mark.logs
@pytest.mark.long
@pytest.mark.parametrize("case", MEASURED)
def test_means_are_those_measured(case, raw_log):
    frame, policy, processors = read_case(case, raw_log)
    count = WINDOWS[case]
    for name, measured in MEASURED[case].items():
        means = mean_slowdowns(name, frame, policy, processors, count)
        spread = np.std(means) * np.sqrt(1 / 40 + 1 / count)
        assert abs(means.mean() - measured) < 3 * spread, (name, means.mean(), spread)


@pytest.mark.logs
@pytest.mark.parametrize("case", ["lublin", "phantoms", "hpc2n"])
@pytest.mark.parametrize("name", ["FCFS", "SJF", "F1", "WFP3", "RL"])
def test_the_kernel_gives_these_schedules(case, name, raw_log):
    frame, policy, processors = read_case(case, raw_log)
    for window in windows(frame, 6):
        jobs, zero = jobs_of(window)
        expected = replay(jobs, processors, choice(name, window, policy, processors))
        run = Run(
            Jobs.from_frame(window).rebased(),
            processors,
            policy if name == "RL" else get(EXPRESSIONS[name].format(zero=zero)),
            dialect=DIALECTS["rlscheduler"],
            reservations="head",
        )
        assert simulate(run).start.tolist() == expected
