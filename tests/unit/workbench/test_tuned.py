"""Tuning a mixed policy on the first half of a log."""

from __future__ import annotations

import numpy as np
import pytest

import schedlab
from schedlab.metrics import average_bounded_slowdown
from schedlab.policies import get
from schedlab.queue.dialect_cells import dialect_of
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.comparing import windows_of
from schedlab.workbench.tuned import PURE, halves
from site_case import jobs_of, log_of, site_log


@pytest.mark.parametrize("points", [4, 5])
def test_the_best_vector_is_no_worse_than_pure_ones_on_the_weeks_it_was_tuned_on(tmp_path, points):
    """Whether the grid has those (of an odd number of points) or not."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    found = schedlab.tune(log, points=points)
    assert found.training["tuned"] == min(found.training.values())
    assert found.windows == 4
    assert found.tried == {4: 11, 5: 18}[points]
    assert np.abs(list(found.weights.values())).sum() == pytest.approx(1)
    assert found.test.table.index.tolist()[: len(PURE)] == ["FCFS", "SPT", "SAF", "WFP"]
    assert "tuned" in found.test.table.index
    # what is printed is what was tuned
    assert get(found.policy.expression).order == "static"


def test_a_log_whose_second_half_has_no_window_is_tuned_and_not_tested():
    """Submissions on days 0 to 7.9, and on days 10 to 16: seven whole days, and six."""
    log = log_of(jobs_of(*((round(day * 86_400), 60, 1) for day in (0, 1, 7.9, 10, 16))))
    assert schedlab.tune(log, days=7, points=3).test is None
    assert schedlab.tune(log, days=6, points=3).test is not None
    with pytest.raises(ValueError, match="no whole window of 8 days; give fewer --days"):
        schedlab.tune(log, days=8, points=3)


def test_weights_are_searched_and_tested_in_the_dialect(tmp_path):
    """In Slurm's there is one order, and no policy that moves; means are those of single runs."""
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    found = schedlab.tune(log, points=3, dialect="slurm+interval=300")
    assert found.backfill is None
    assert found.test.table.index.tolist() == ["FCFS", "SPT", "SAF", "tuned"]
    assert found.training["tuned"] == min(found.training.values())
    early, rest = halves(log)
    pieces = [early.jobs.take(places).rebased() for places in windows_of(early, 7)]
    runs = [
        Run(jobs, 16, get("fcfs"), dialect=dialect_of("slurm+interval=300"), reservations="every")
        for jobs in pieces
    ]
    means = [average_bounded_slowdown(run.jobs, simulate(run)) for run in runs]
    assert found.training["FCFS"] == pytest.approx(np.mean(means))
    again = schedlab.compare(rest, ["fcfs", "spt"], days=7, dialect="slurm+interval=300")
    assert found.test.windows["SPT"].equals(again.windows["SPT"])
    textbook = schedlab.tune(log, points=3)
    assert textbook.backfill == "spt"
    assert textbook.training["FCFS"] != found.training["FCFS"]


def test_other_dialects_keep_the_order_of_backfilling(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf"))
    found = schedlab.tune(log, points=3, dialect="lifo")
    assert found.backfill == "spt"
    assert found.test.table.index.tolist()[:4] == ["FCFS", "SPT", "SAF", "WFP"]
    with pytest.raises(ValueError, match="dialect artefact has no starvation threshold"):
        schedlab.tune(log, points=3, threshold=60, dialect="artefact")
