"""A site's own settings on its log, compared with the recorded waits."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.queue.site_dialect import SiteSlurm
from schedlab.studies.site.calibration import (
    WEEK,
    NothingRecordedError,
    calibrate,
    clock_of,
    compare,
    order_of,
    with_changes,
)
from schedlab.studies.site.calibration_figure import draw_calibration
from schedlab.studies.site.calibration_items import FACTS, parts_of, parts_without
from schedlab.studies.site.example import make_example
from schedlab.traces.slurm.node_changes import COLUMNS
from schedlab.traces.slurm.site_files import read_site
from schedlab.workbench.log import load_log
from schedlab.workbench.site_results import RULES, simulate_site

BOUNDS = {"median": 0.25, "high": 1.0}
NONE = pd.DataFrame(columns=list(COLUMNS))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("example")
    make_example(folder, seed=2, days=28, jobs=2500)
    return folder


@pytest.fixture(scope="module")
def log(folder):
    return load_log(folder / "log.parquet", RULES)


@pytest.fixture(scope="module")
def slurm(folder):
    return SiteSlurm(read_site(folder / "slurm.conf", folder / "accounts.txt"))


@pytest.fixture(scope="module")
def calibration(log, slurm):
    return calibrate(log, slurm, BOUNDS)


def test_the_maintenance_is_found_within_hours(calibration, folder):
    truth = pd.read_csv(folder / "truth.csv").iloc[0]
    row = calibration.changes.iloc[0]
    assert (row["nodes"], row["effect"], row["processors"]) == ("all", "reservation", 1216)
    for name in ("from", "until"):
        distance = pd.Timestamp(row[name]) - pd.Timestamp(truth[name], tz="UTC")
        assert abs(distance) < pd.Timedelta(hours=3)
    assert len(calibration.changes) == 1


def test_every_job_is_in_a_group_of_each_kind(calibration, log):
    jobs = calibration.groups.groupby("kind")["jobs"].sum()
    assert jobs.to_dict() == dict.fromkeys(["week", "partition", "qos", "size"], len(log))


def test_weeks_of_the_second_half_decide(calibration, log):
    weeks = calibration.weeks
    assert weeks["is_held_out"].tolist() == [False, False, True, True]
    np.testing.assert_array_equal(weeks["begin"], np.arange(4) * WEEK)
    errors = weeks["error"][2:]
    assert calibration.median_error == errors.median()
    assert calibration.high_error == pytest.approx(errors.quantile(0.9))
    frame = log.frame[log.jobs.submit // WEEK == 2]
    assert weeks["recorded"][2] == pytest.approx(frame["wait"].mean())


@pytest.mark.parametrize(
    ("median", "high", "is_met"), [(1, 1, True), (0.99, 1, False), (1, 0.99, False)]
)
def test_both_errors_must_be_within_the_bounds(calibration, log, median, high, is_met):
    bounds = {"median": median * calibration.median_error, "high": high * calibration.high_error}
    assert compare(log, calibration.result, bounds, NONE).is_met == is_met


def test_rows_of_a_person_are_taken_as_they_are(log, slurm):
    day = clock_of(log).text(10 * 86_400)
    rows = pd.DataFrame([{"from": day, "until": "", "nodes": "g[01-08]"}])
    calibration = calibrate(log, slurm, BOUNDS, rows.reindex(columns=list(COLUMNS)))
    assert calibration.changes["processors"].tolist() == [256]
    gpu = calibration.result.names["user"]
    assert len(gpu) == len(log)
    assert set(calibration.result.never["why"].str[:7]) == {"a limit"}


def test_a_change_moves_starts(log, slurm):
    rows = NONE.copy()
    rows.loc[0] = ["0", "86400", "all", "", "drain", "", ""]
    result = simulate_site(log, with_changes(slurm, rows, log))
    assert result.schedule.start.min() >= 86_400


def test_a_log_without_waits_is_not_calibrated(log, slurm):
    unknown = replace(log, frame=log.frame.assign(wait=-1))
    with pytest.raises(NothingRecordedError, match="nothing recorded, so no calibration"):
        calibrate(unknown, slurm, BOUNDS)


def test_missing_columns_are_named_with_what_stands_in(log, slurm, calibration):
    assert calibration.notes == ()
    requests = log.jobs.requests
    empty = replace(requests.qos, code=np.zeros(len(log), np.int32), names=("",))
    bare = replace(log, unix_start=None,
                   jobs=replace(log.jobs, requests=replace(requests, qos=empty)))  # fmt: skip
    notes = compare(bare, simulate_site(bare, slurm), BOUNDS, NONE).notes
    assert notes == (
        "the log has no qos of all jobs: they have the default QOS of its user",
        "the log states no dates: times are seconds from its first submission",
    )


@pytest.mark.parametrize(
    ("simulated", "order"), [((1, 2, 3), 1.0), ((3, 2, 1), 0.0), ((1, 3, 2), 2 / 3)]
)
def test_the_order_of_groups_is_a_share_of_pairs(simulated, order):
    rows = pd.DataFrame({"kind": "qos", "recorded": [10, 20, 30], "simulated": simulated})
    week = pd.DataFrame({"kind": "week", "recorded": [1, 2], "simulated": [2, 1]})
    assert order_of(pd.concat([rows, week])) == pytest.approx(order)


def test_items_have_the_numbers_of_the_calibration(calibration):
    parts = parts_of(calibration)
    facts = parts["calibration_facts"].rows.iloc[0]
    assert facts["median_error"] == calibration.median_error
    assert parts.keys() == parts_without("none", NONE).keys()
    assert list(parts_without("none", NONE)["calibration_facts"].rows) == FACTS


def test_the_figure_states_the_error(calibration):
    figure = draw_calibration(
        calibration.weeks, calibration.changes, calibration.clock, calibration.median_error
    )
    title = figure.texts[0].get_text() if figure.texts else figure.get_suptitle()
    assert f"{100 * calibration.median_error:.0f}\u00a0%" in title
