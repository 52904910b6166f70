"""Collected runs, and the change from one scheduler to the other."""

import numpy as np
import pytest

from plans_case import SHOWN, evidence, missing_evidence
from schedlab.core.intervals import mean_interval
from schedlab.core.streams import generator
from schedlab.files.io import write_parquet
from schedlab.studies.klusacek2016.evidence import read_evidence


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
