"""A policy learned from the first half of a log."""

import numpy as np
import pytest

from schedlab.jobs import jobs_by_piece
from schedlab.learning.regimes import REGIMES, SPLIT
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.splitting import split
from schedlab.workbench.learned import FIXED, LEARNED, learn, tried, verdict
from schedlab.workbench.log import load_log
from schedlab.workbench.tuned import halves
from site_case import site_log


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Two months of jobs that wait for each other."""
    path = tmp_path_factory.mktemp("learned") / "busy.swf"
    return load_log(site_log(path, jobs=1500, runtime=40_000, days=62))


def test_halves_part_the_log_at_the_middle_of_its_time(log):
    early, late = halves(log)
    assert len(early) + len(late) == len(log)
    middle = (int(log.jobs.submit[-1]) + 1) / 2
    assert log.jobs.submit[len(early) - 1] <= middle <= log.jobs.submit[len(early)] + 1
    assert early.jobs.submit[0] == late.jobs.submit[0] == 0
    assert late.frame["number"].tolist() == late.jobs.number.tolist()


def test_a_policy_is_learned_from_contended_tuples(log):
    found = learn(log, tuples=3, trials=1024)
    assert len(found.draws.tuples) == 3
    assert found.tasks == 3 * 32
    assert 0 < found.effective <= found.tasks
    assert found.policy == found.fits["policy"].iloc[0]
    assert learn(log, tuples=3, trials=1024).policy == found.policy
    assert learn(log, tuples=3, trials=1024, seed=1).policy != found.policy


def test_it_is_tried_on_the_second_half_alone(log):
    replicates = tried(log, learn(log, tuples=3, trials=1024))
    regime = REGIMES[1].name
    assert LEARNED in replicates.trained()
    # half of 62 days has two windows of 15: too few to say anything
    assert replicates.count(regime, LEARNED) == 2
    said = verdict(replicates, regime)
    assert said.endswith("2 windows are too few to say whether it pays")
    assert f"{FIXED.upper()}, chosen beforehand" in said


def test_too_few_jobs_are_an_error_that_names_the_log(tmp_path):
    log = load_log(site_log(tmp_path / "few.swf", jobs=60))
    with pytest.raises(ValueError, match=r"few.swf: \d+ of 60 jobs are in the first half"):
        learn(log)


def test_a_machine_on_which_nobody_waits_teaches_nothing(tmp_path):
    log = load_log(site_log(tmp_path / "idle.swf", jobs=400, processors=4000))
    with pytest.raises(ValueError, match="in none of 4 tuples drawn does a job wait on 4,000"):
        learn(log)


def test_the_regime_of_a_site_runs_in_the_dialect(log):
    """The regime of the trials does not; Slurm queues the first jobs as all others."""
    found = learn(log, tuples=3, trials=1024)
    cell = "slurm+interval=300"
    usual, other = tried(log, found), tried(log, found, dialect=cell)
    trials, site = (regime.name for regime in REGIMES)
    assert other.median(trials, LEARNED, "FCFS") == usual.median(trials, LEARNED, "FCFS")
    assert other.median(site, LEARNED, "FCFS") != usual.median(site, LEARNED, "FCFS")
    windows = split(log.frame, SPLIT)
    means = [
        average_bounded_slowdown(
            jobs,
            simulate(
                Run(jobs, log.processors, get("fcfs"), None, dialect_of(cell), reservations="every")
            ),
            skip=16,
        )
        for jobs in jobs_by_piece(windows, clairvoyant=False).values()
    ]
    assert other.median(site, LEARNED, "FCFS") == pytest.approx(np.median(means))
