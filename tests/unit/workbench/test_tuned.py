"""Tuning a mixed policy on the first half of a log."""

from __future__ import annotations

import numpy as np
import pytest

import schedlab
from schedlab.policies import get
from schedlab.workbench.tuned import PURE
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
