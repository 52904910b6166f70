"""Collected runs, and the change from one scheduler to the other."""

import numpy as np
import pytest

from plans_case import SHOWN, evidence, missing_evidence
from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.files.io import write_parquet
from schedlab.studies.klusacek2016.evidence import compute_metrics, read_evidence, runs_of


def test_change_is_in_percent_of_orig_bf_with_an_interval_over_seeds():
    """1000 s to 900 and 700: with two seeds a quarter of all resamples lies on either end."""
    change = evidence([1000], [900], [700]).change("wait")
    assert change == pytest.approx((-20, -30, -10))


def test_a_change_may_be_for_the_worse():
    assert evidence([10], [15], [15]).change("wait") == pytest.approx((50, 50, 50))


def test_of_one_seed_the_interval_is_without_ends():
    assert evidence([10], [5]).change("wait") == (-50, -np.inf, np.inf)


def test_change_from_zero_is_undefined():
    assert np.isnan(evidence([0], [5], [0]).change("wait")).all()
    assert evidence([1], [0], [0]).change("wait") == (-100, -100, -100)


def test_interval_draws_from_one_stream_per_experiment_and_metric():
    waits = [100, 200, 400, 800, 1600, 3200]
    one = evidence([1000], *([wait] for wait in waits), row={"experiment": "mine"})
    changes = np.array(waits) / 10 - 100
    stream = generator("klusacek2016", "change", "mine", "wait")
    assert one.change("wait") == pytest.approx((5, *mean_interval(changes, stream)))


def test_means_are_over_the_seeds():
    one = evidence([10], [5], [7])
    assert (one.mean("orig-bf", "wait"), one.mean("plan-rs", "wait")) == (10, 6)
    assert one.of("plan-rs", "wait").tolist() == [5, 7]
    assert [ran.wait.tolist() for ran in one.runs["plan-rs"]] == [[5], [7]]
    assert len(one.runs["orig-bf"]) == 1


def test_only_jobs_that_count_are_counted():
    assert len(evidence([1, 2, 3], [1, 2, 3], counted=[False, True, True])) == 2


def test_evidence_counts_only_if_the_papers_log_ran():
    assert evidence([1], [1]).on_log
    assert not evidence([1], [1], row={"is_model": True}).on_log
    assert not missing_evidence().on_log
    assert len(missing_evidence()) == 0


def test_files_are_read_in_the_order_of_their_rows(tmp_path):
    paths = []
    for name, wait in (("a", 3), ("b", 4)):
        one = evidence([wait], [wait])
        for kind in ("jobs", "starts"):
            write_parquet(getattr(one, kind), tmp_path / f"{name}.{kind}")
        paths.append([tmp_path / f"{name}.jobs", tmp_path / f"{name}.starts"])
    rows = [SHOWN | {"experiment": name} for name in "ab"]
    found = read_evidence(rows, *zip(*paths, strict=True))
    assert [(one.row["experiment"], one.mean("orig-bf", "wait")) for one in found] == [
        ("a", 3),
        ("b", 4),
    ]
    with pytest.raises(ValueError, match="shorter"):
        read_evidence(rows, *zip(*paths[:1], strict=True))


def measure_first_run(one, scheduler="orig-bf"):
    rows = compute_metrics(one.jobs, one.starts, one.row["processors"])
    return rows[rows["scheduler"] == scheduler].iloc[0].to_dict()


def test_two_jobs_by_hand():
    """On 4 processors: 2 of them for 100 s from 50 on, one for 5 s from 30 on."""
    one = evidence(
        [50, 20],
        [0, 0],
        submit=[0, 10],
        recorded=[0, 100],
        procs=[2, 1],
        runtime=[100, 5],
        row={"processors": 4},
    )
    found = measure_first_run(one)
    assert found["jobs"] == 2
    assert (found["wait"], found["wait_sd"]) == (35, 15)
    # 150 of 100, and 25 of 10: a job of less than 10 s counts as one of 10
    assert (found["slowdown"], found["slowdown_sd"]) == (2, 0.5)
    # until the last one came, as recorded, 50 s of the first and all of the second
    assert found["utilisation"] == pytest.approx(105 / (4 * 100))
    # 50 s for 200 processor seconds, 20 s for 5
    assert (found["nuwt"], found["nuwt_sd"]) == (2.125, 1.875)
    # 20 s where 5 s are acceptable
    assert (found["complaints"], found["complaining"], found["size"]) == (1, 1, 4)


@pytest.mark.parametrize(("wait", "slowdown"), [(0, 1), (5, 1), (6, 1.1)])
def test_slowdown_is_never_below_1(wait, slowdown):
    assert measure_first_run(evidence([wait], [0], runtime=5))["slowdown"] == slowdown


@pytest.mark.parametrize(
    ("start", "inside"),
    [(0, 0), (1, 1), (9, 9), (10, 10), (395, 10), (396, 9), (404, 1), (405, 0), (999, 0)],
)
def test_utilisation_covers_first_to_last_recorded_submission(start, inside):
    """In 10 to 405: 300 s of a job, so much of 10 s on 3 processors, and nothing of the last."""
    one = evidence(
        [95, start, 9],
        [0, 0, 0],
        submit=[5, 0, 405],
        recorded=[10, 200, 405],
        runtime=[300, 10, 80],
        procs=[1, 3, 1],
    )
    assert measure_first_run(one)["utilisation"] == pytest.approx((300 + 3 * inside) / (10 * 395))


def test_utilisation_is_of_the_same_time_under_every_scheduler():
    """Who reacts submits later, and ends far behind the last recorded submission."""
    one = evidence([0, 0], [100, 9000], submit=[0, 200])
    assert measure_first_run(one)["utilisation"] == pytest.approx(100 / (10 * 200))
    assert measure_first_run(one, "plan-rs")["utilisation"] == pytest.approx(100 / (10 * 200))
    later = evidence([0, 0], [101, 9000], submit=[0, 200])
    assert measure_first_run(later, "plan-rs")["utilisation"] == pytest.approx(99 / (10 * 200))


@pytest.mark.parametrize(("last", "used"), [(0, np.nan), (1, 2 / 10)])
def test_utilisation_is_undefined_for_a_single_submission_time(last, used):
    found = measure_first_run(evidence([0, 0], [0, 0], recorded=[0, last]))
    assert found["utilisation"] == pytest.approx(used, nan_ok=True)


def test_nuwt_is_of_users_and_not_of_jobs():
    one = evidence([50, 30, 60], [0] * 3, user=[7, 7, 9], runtime=40)
    assert measure_first_run(one)["nuwt"] == pytest.approx((1 + 1.5) / 2)


def test_nuwt_takes_the_usage_that_is_given():
    assert measure_first_run(evidence([50], [0], usage=[500.0]))["nuwt"] == pytest.approx(0.1)


@pytest.mark.parametrize(("wait", "count"), [(3600, 0), (3601, 1)])
def test_users_complain_when_a_job_waits_longer_than_it_may_take(wait, count):
    """One processor, one hour: an hour is acceptable."""
    found = measure_first_run(evidence([wait], [0], requested=3600))
    assert (found["complaints"], found["complaining"]) == (count, count)
    assert found["size"] == pytest.approx(count * wait / 3600)


def test_user_with_two_complaints_counts_once():
    """The second job comes a day after the first has started."""
    one = evidence([7200, 10800], [0, 0], user=4, submit=[0, 100_000], requested=3600)
    found = measure_first_run(one)
    assert (found["complaints"], found["complaining"], found["size"]) == (2, 1, 5)


def test_unstarted_jobs_and_those_already_running_are_not_counted():
    counted, recorded = [False, True, True, True], [0, 50, 20, 120]
    one = evidence([90, -1, 10, 30], [0] * 4, counted=counted, recorded=recorded)
    found = measure_first_run(one)
    assert (found["jobs"], found["wait"]) == (2, 20)
    # of 20 to 120 one runs until 110, and one from 30 on
    assert found["utilisation"] == pytest.approx(180 / (10 * 100))


def test_every_run_has_a_row_in_the_order_they_were_run():
    one = evidence([5], [6], [7], [8])
    found = compute_metrics(one.jobs, one.starts, 10)
    assert found["scheduler"].tolist() == ["orig-bf"] + ["plan-rs"] * 3
    assert found["seed"].tolist() == [0, 0, 1, 2]
    assert found["wait"].tolist() == [5, 6, 7, 8]


def test_run_keeps_the_fields_of_its_jobs():
    """By place: what starts belong to are the rows of the jobs, not their numbers."""
    one = evidence([5, 6], [0, 0], user=[3, 8])
    one.jobs["job"] = [20, 10]
    _, _, ran = next(runs_of(one.jobs, one.starts, 10))
    assert ran.jobs[["job", "user", "start"]].to_numpy().tolist() == [[20, 3, 5], [10, 8, 6]]


def test_metrics_without_runs_are_empty():
    one = evidence([5], [6])
    found = compute_metrics(one.jobs.iloc[:0], one.starts.iloc[:0], 10)
    assert found.empty
    assert list(found) == list(compute_metrics(one.jobs, one.starts, 10))
