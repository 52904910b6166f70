"""Windows of the logs of RLScheduler, for its replay in plain Python and for kernels."""

import numpy as np
import pytest

from oracles.rlscheduler import HEURISTICS, by_network, by_score, replay, slowdowns
from schedlab.core.markers import NOT_AVAILABLE
from schedlab.core.streams import generator
from schedlab.policies.published import find_published
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf

OWNERS = ["requested_memory", "user", "group", "executable"]
#: policy, log, processors, rules
CASES = {
    "lublin": ("rl_lublin256", "lublin-256-train10k", 256, "zhang2020"),
    "sdsc": ("rl_sdsc_sp2", "SDSC-SP2", 128, "zhang2020_ran"),
    "phantoms": ("rl_sdsc_sp2", "SDSC-SP2", 128, "zhang2020"),
    "hpc2n": ("rl_hpc2n", "HPC2N", 240, "zhang2020"),
}


def policy_or_skip(name):
    """Return a published policy, or skip the test if its weights are not available."""
    try:
        return find_published(name)
    except ValueError as error:
        if NOT_AVAILABLE not in str(error):
            raise
        pytest.skip(str(error))


def read_case(case, raw_log):
    """Return jobs, policy and processors of a case; largest values are those of all jobs."""
    name, log, processors, rules = CASES[case]
    policy, frame = policy_or_skip(name), read_swf(raw_log(log)).jobs
    policy = policy.of_log(clean(frame, "zhang2020", log)[0])
    return clean(frame, rules, log)[0], policy, processors


def windows(frame, count, length=1024):
    """Yield random windows of a log, drawn by a key."""
    stream = generator("tests", "rlscheduler")
    for begin in stream.integers(0, len(frame) - length, count):
        yield frame.iloc[begin : begin + length]


def jobs_of(window):
    """Return the jobs of a window for the replay, from time 0, and the time of the first."""
    zero = int(window["submit"].iloc[0])
    columns = (window["submit"] - zero, window["runtime"], window["estimate"], window["procs"])
    return [tuple(map(int, row)) for row in zip(*columns, strict=True)], zero


def choice(name, window, policy, processors):
    """Return the choice of a heuristic, or of the network (RL)."""
    jobs, zero = jobs_of(window)
    if name in HEURISTICS:
        return by_score(jobs, HEURISTICS[name](zero))
    owners = window[OWNERS].to_numpy().tolist()
    largest = [policy.largest[key] for key in ("estimate", "memory", "user", "group", "executable")]
    return by_network(jobs, owners, largest, policy.layers, processors, policy.window)


def mean_slowdowns(name, frame, policy, processors, count):
    """Return the mean bounded slowdown of each window under a heuristic or the network (RL)."""
    means = []
    for window in windows(frame, count):
        jobs, _ = jobs_of(window)
        starts = replay(jobs, processors, choice(name, window, policy, processors))
        means.append(np.mean(slowdowns(jobs, starts)))
    return np.array(means)
