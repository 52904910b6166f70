"""Metrics and tables of a schedule."""

import numpy as np
import pandas as pd
import pytest

import schedlab
from schedlab.core.metrics import summary_metrics
from schedlab.workbench.results import size_classes
from site_case import jobs_of, log_of, site_log

# On 4 processors, first come, first served: job 2 waits for 1 until 10, job 3 fills in at once.
THREE = jobs_of((0, 10, 3), (5, 20, 4), (6, 4, 1))


def test_measures_by_hand():
    """Waits 0, 5 and 0; slowdowns 1, 25 / 20 and 1; 3 of 4 processors until the last job came."""
    result = schedlab.simulate(log_of(THREE, 4))
    assert result.waits.tolist() == [0, 5, 0]
    assert result.slowdowns.tolist() == [1, 1.25, 1]
    found = result.summary()
    assert found["jobs"] == 3
    assert found["mean_wait"] == pytest.approx(5 / 3)
    assert (found["median_wait"], found["p95_wait"], found["max_wait"]) == (0, 4.5, 5)
    assert found["mean_slowdown"] == pytest.approx(3.25 / 3)
    assert found["utilisation"] == pytest.approx(18 / 24)
    assert found["makespan"] == 30
    assert "3 jobs wait 2 s on average (median 0 s)" in repr(result)


def test_utilisation_of_jobs_submitted_at_once_is_that_of_the_makespan():
    """Three processors for 10 s, a fourth for 4 s of these, then four for 20 s."""
    bag = schedlab.simulate(log_of(jobs_of((0, 10, 3), (0, 20, 4), (0, 4, 1)), 4))
    assert (bag.makespan, bag.utilisation) == (30, pytest.approx((30 + 80 + 4) / 120))
    assert np.isnan(schedlab.simulate(log_of(jobs_of((0, 0, 1), (0, 0, 1)))).utilisation)


def test_groups_add_up_to_all_jobs(tmp_path):
    result = schedlab.simulate(site_log(tmp_path / "site.swf"), "spt")
    for group in ("size", "user", "queue"):
        table = result.by(group)
        assert table["jobs"].sum() == 1500
        jobs = result.log.jobs
        assert table["core_hours"].sum() == pytest.approx((jobs.procs * jobs.runtime).sum() / 3600)
        mean = np.average(table["mean_wait"], weights=table["jobs"])
        assert mean == pytest.approx(result.summary()["mean_wait"])
        assert list(table.columns) == ["jobs", "core_hours", *summary_metrics(groups=True)]
    assert result.by("size").index.tolist() == ["1", "2–4", "5–16"]
    assert result.by("user")["core_hours"].is_monotonic_decreasing
    with pytest.raises(ValueError, match="cannot group by 'color'; by size, user, queue"):
        result.by("color")


@pytest.mark.parametrize(
    ("procs", "name"),
    [(1, "1"), (2, "2–4"), (4, "2–4"), (5, "5–16"), (1024, "257–1024"), (1025, "1025–")],
)
def test_size_classes_end_at_powers_of_four(procs, name):
    assert size_classes(np.array([procs])).tolist() == [name]


def test_a_table_of_starts_is_written_and_read_back(tmp_path):
    result = schedlab.simulate(log_of(THREE, 4))
    for name in ("starts.csv", "starts.csv.gz"):
        result.to_csv(tmp_path / name)
        table = pd.read_csv(tmp_path / name)
        assert table["number"].tolist() == [1, 2, 3]
        assert table["start"].tolist() == [0, 10, 6]
        assert table["end"].tolist() == [10, 30, 10]
        assert table["slowdown"].tolist() == [1, 1.25, 1]


def test_options_are_those_of_the_queue(tmp_path):
    """Strict order lets job 3 wait; a larger machine lets no job wait."""
    log = log_of(THREE, 4)
    assert schedlab.simulate(log, reservations="none").waits.tolist() == [0, 5, 24]
    assert schedlab.simulate(log, "fcfs", reservations="every").waits.tolist() == [0, 5, 0]
    larger = schedlab.simulate(log, processors=8)
    assert larger.processors == 8
    assert larger.waits.tolist() == [0, 0, 0]
    with pytest.raises(ValueError, match=r"made.swf: job 1 needs 3 processors, the machine has 2"):
        schedlab.simulate(log, processors=2)


def test_recorded_schedule_is_measured_like_any_other(tmp_path):
    log = schedlab.load_log(site_log(tmp_path / "site.swf", waits=True))
    result = schedlab.as_recorded(log)
    assert result.waits.tolist() == [number % 700 for number in range(1, 1501)]
    assert result.label == "as in the log"
