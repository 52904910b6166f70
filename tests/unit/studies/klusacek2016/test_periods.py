"""Many busy intervals of a log give the results of separate runs."""

import numpy as np
import pandas as pd
import pytest

from plans_case import clean_jobs, settings
from schedlab.planning.machine import Machine
from schedlab.studies.klusacek2016.runs import COLUMNS, Workload, run_periods
from schedlab.studies.klusacek2016.tables.sets import changes

DAY = 86_400
MACHINE = Machine.plain(2)
ROW = settings(intervals="recorded", piece=3)


def log():
    """Two crowds ten days apart, the second the larger, and a job long after."""
    first, second = [0, 1, 2], [10 * DAY + second for second in range(2, 6)]
    submit = [*first, *second, 15 * DAY + 6]
    runtime = [100, 200, 300, 100, 200, 300, 400, 5]
    return clean_jobs(submit, runtime, procs=2, user=range(8), wait=[500] * 3 + [900] * 4 + [0])


def test_every_interval_has_a_row_per_run_with_the_means_of_its_jobs():
    found = run_periods(ROW, log(), MACHINE, None, 1)
    assert {name: str(dtype) for name, dtype in found.dtypes.items()} == COLUMNS
    # a third one has no room
    assert found["piece"].tolist() == [1] * 3 + [2] * 3
    assert found["scheduler"].tolist() == ["orig-bf", "plan-rs", "plan-rs"] * 2
    assert found["seed"].tolist() == [0, 0, 1] * 2
    assert found["jobs"].tolist() == [4] * 3 + [3] * 3
    # 0 to 100, 200 and 300: the others wait 99 and 298 s
    assert found["wait"].iloc[3] == pytest.approx((0 + 99 + 298) / 3)
    slowdown = (1 + 299 / 200 + 598 / 300) / 3
    assert found["slowdown"].iloc[3] == pytest.approx(slowdown)


def test_interval_equals_its_separate_run():
    found = run_periods(ROW, log(), MACHINE, None, 1)
    alone = Workload.of(settings(intervals="recorded", piece=1), log(), MACHINE)
    for row in found[found["piece"] == 1].itertuples():
        submit, start, _ = alone.run(row.scheduler, row.seed)
        assert row.wait == pytest.approx(np.mean(start - submit))


def test_results_do_not_depend_on_threads_and_progress_counts_every_run():
    done = []
    two = run_periods(ROW, log(), MACHINE, None, 2, lambda: done.append(1))
    assert two.equals(run_periods(ROW, log(), MACHINE, None, 1))
    assert len(done) == 3


def test_a_log_that_is_not_available_has_no_intervals():
    found = run_periods(ROW, log().iloc[:0], MACHINE, None, 1)
    assert found.empty
    assert list(found) == list(COLUMNS)


def test_changes_are_of_means_over_seeds_and_skip_intervals_without_waits():
    rows = [
        (1, "orig-bf", 0, 5, 100.0, 4.0), (1, "plan-rs", 0, 5, 50.0, 3.0),
        (1, "plan-rs", 1, 5, 90.0, 4.0), (2, "orig-bf", 0, 5, 0.0, 1.0),
        (2, "plan-rs", 0, 5, 5.0, 2.0), (3, "orig-bf", 0, 5, 10.0, 2.0),
        (3, "plan-rs", 0, 5, 20.0, 3.0),
    ]  # fmt: skip
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    assert changes(table, "wait").tolist() == pytest.approx([-30, 100])
    assert changes(table, "slowdown").tolist() == pytest.approx([-12.5, 50])
