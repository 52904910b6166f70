"""Many busy intervals of a log give the results of separate runs."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from plans_case import clean_jobs, settings
from schedlab.core.intervals import tail
from schedlab.core.machine import Machine
from schedlab.report.verdicts import REJECTED
from schedlab.studies.klusacek2016.runs import COLUMNS, Workload, run_periods
from schedlab.studies.klusacek2016.tables.sets import all_fall, changes, fisher, joint_tail

DAY = 86_400
MACHINE = Machine.of_processors(2)
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


def test_a_tail_is_two_sided_and_counts_the_number_itself():
    others = np.arange(39)
    assert tail(-1, others) == tail(39, others) == 2 / 40
    assert tail(0, others) == tail(38, others) == 4 / 40
    assert tail(19, others) == 1


def test_fishers_statistic_adds_the_tails_of_both_changes():
    others = np.stack([np.arange(39), np.arange(39)], axis=1)
    assert fisher(np.array([-1, 19]), others) == pytest.approx(-2 * np.log(0.05))
    assert fisher(np.array([-1, -1]), others) == pytest.approx(-4 * np.log(0.05))


def test_joint_test_rejects_numbers_outside_the_intervals_only():
    rng = np.random.default_rng(1)
    many = {log: rng.normal(size=(40, 2)) for log in ("a", "b")}
    inside = {log: np.array([[0.5, -0.5], [1, 0]]) for log in many}
    outside = {log: np.array([[0.5, -4], [1, -4]]) for log in many}
    assert joint_tail(inside, many) > 0.5
    assert joint_tail(outside, many) < REJECTED


def test_drawn_intervals_are_rejected_at_the_nominal_rate():
    """Two of 12 intervals are compared with the other ten, all 66 pairs of them."""
    own = np.random.default_rng(2).normal(size=(12, 2))
    chances = [
        joint_tail({"a": own[[i, j]]}, {"a": np.delete(own, [i, j], axis=0)})
        for i, j in product(range(12), repeat=2)
        if i < j
    ]
    assert 0.05 <= np.mean(np.array(chances) <= 0.2) <= 0.35
    assert 0.35 <= np.mean(np.array(chances) <= 0.5) <= 0.65


def test_changes_that_depend_on_each_other_do_not_count_twice():
    """Where slowdown repeats wait, an interval that is out by both is as rare as by one."""
    one = np.arange(40.0)
    both = {"a": np.stack([one, one], axis=1)}
    apart = {"a": np.stack([one, np.random.default_rng(3).permutation(one)], axis=1)}
    printed = {"a": np.array([[1.0, 1.0]])}
    assert joint_tail(printed, both) == pytest.approx(0.1, abs=0.03)
    assert joint_tail(printed, apart) < 0.05


@pytest.mark.parametrize("count", [0, 1, 2])
def test_joint_test_needs_more_intervals_than_published_numbers(count):
    printed = {"a": np.zeros((2, 2))}
    assert np.isnan(joint_tail(printed, {"a": np.zeros((count, 2))}))
    assert np.isnan(joint_tail(printed, {}))


def test_all_changes_fall_in_drawn_intervals_of_every_log():
    own = np.array([[-1, -1], [-1, -1], [-1, 1], [1, -1]])
    printed = {"a": own[:1], "b": own[:2]}
    assert all_fall(printed, {"a": own, "b": own}) == pytest.approx(2 / 4 * (2 / 4 * 1 / 3))
    assert np.isnan(all_fall(printed, {"a": own, "b": own[:1]}))
