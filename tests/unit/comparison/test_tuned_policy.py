"""Tuning a mixed policy on the first half of a log."""

import numpy as np
import pytest

import schedlab
from schedlab.comparison.tuned_policy import PURE, halves
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.core.splitting import middle
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from site_case import jobs_of, log_of, site_log


@pytest.mark.parametrize("points", [4, 5])
def test_best_vector_is_no_worse_than_pure_ones_on_its_training_half(tmp_path, points):
    """Whether the grid has those (of an odd number of points) or not."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    found = schedlab.tune(log, points=points, longest_wait=1e9)
    assert found.training["tuned"] == min(found.training.values())
    assert found.jobs == (log.jobs.submit < middle(log.jobs.submit)).sum()
    assert found.tried == {4: 7, 5: 13}[points]
    assert np.abs(list(found.weights.values())).sum() == pytest.approx(1)
    assert found.test.table.index.tolist()[: len(PURE)] == ["FCFS", "SPT", "SAF", "WFP"]
    assert "tuned" in found.test.table.index
    # what is printed is what was tuned
    assert get(found.policy.expression).order == "static"


def test_weights_that_favor_young_jobs_need_youth(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    assert schedlab.tune(log, points=5).weights["wait"] >= 0
    assert schedlab.tune(log, points=5, youth=True).tried == 18


def test_vectors_that_let_a_job_wait_too_long_are_left_out(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", jobs=1500, runtime=40_000))
    free = schedlab.tune(log, points=7, longest_wait=1e9)
    assert free.refused == 0
    bound = schedlab.tune(log, points=7, longest_wait=1.0)
    assert bound.refused > 0
    assert bound.training["tuned"] >= free.training["tuned"]


@pytest.mark.slow
def test_the_test_is_one_run_over_the_whole_log(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    found = schedlab.tune(log, points=3, days=7).test
    begin = middle(log.jobs.submit)
    whole = schedlab.compare(log, PURE, backfill="spf", days=7, begin=begin)
    assert found.windows["SAF"].equals(whole.windows["SAF"])


def test_log_without_a_window_in_its_second_half_is_tuned_but_not_tested():
    """Submissions on days 0 to 7.9, and on days 10 to 16: eight whole days behind the middle."""
    log = log_of(jobs_of(*((round(day * 86_400), 60, 1) for day in (0, 1, 7.9, 10, 16))))
    assert schedlab.tune(log, days=8, points=3).test is not None
    assert schedlab.tune(log, days=9, points=3).test is None


@pytest.mark.slow
def test_weights_are_searched_and_tested_in_the_dialect(tmp_path):
    """In Slurm's there is one order, and no policy that moves; means are those of one run."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    cell = "slurm+bf_interval=300"
    found = schedlab.tune(log, points=3, dialect=cell, longest_wait=1e9)
    assert found.backfill is None
    assert found.test.table.index.tolist() == ["FCFS", "SPT", "SAF", "tuned"]
    assert found.training["tuned"] == min(found.training.values())
    early, _ = halves(log)
    run = Run(early.jobs, 16, get("fcfs"), dialect=dialect_of(cell), reservations="every")
    mean = average_bounded_slowdown(early.jobs, simulate(run))
    assert found.training["FCFS"] == pytest.approx(mean)
    begin = middle(log.jobs.submit)
    again = schedlab.compare(log, ["fcfs", "spt"], days=7, dialect=cell, begin=begin)
    assert found.test.windows["SPT"].equals(again.windows["SPT"])
    textbook = schedlab.tune(log, points=3)
    assert textbook.backfill == "spf"
    assert textbook.training["FCFS"] != found.training["FCFS"]


def test_other_dialects_keep_the_order_of_backfilling(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    found = schedlab.tune(log, points=3, dialect="lifo")
    assert found.backfill == "spf"
    assert found.test.table.index.tolist()[:4] == ["FCFS", "SPT", "SAF", "WFP"]
    with pytest.raises(ValueError, match="dialect artefact has no starvation threshold"):
        schedlab.tune(log, points=3, threshold=60, dialect="artefact")
