"""The calibration: targets, the search of loads, the kept load; the sheet under a configuration."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.report.comparison import read_published
from schedlab.studies.souza2020 import calibration
from schedlab.studies.souza2020.calibration import (
    COLUMNS,
    HIGH,
    LOW,
    NOT_REACHED,
    REACHED,
    best,
    big_job_waits,
    collect_searches,
    entering,
    result_of,
    search,
    target,
    verdict,
)
from schedlab.studies.souza2020.figures.lines import draw_calibration
from schedlab.studies.souza2020.runs import Site
from schedlab.studies.souza2020.sheet import READINGS, Practice, WaitSettings, as_run
from schedlab.waits.background import (
    BURN_IN,
    DAY,
    STAY,
    UnknownError,
    last_known_time,
    scale_background,
)
from schedlab.waits.settings import Settings
from schedlab.waits.strategies import STRATEGIES
from sheet_case import rows_of
from souza_case import SHAPES, jobs_of


def search_results(*waits, wanted=100.0, around=20.0):
    """Loads 0.5, 2 and what lies between, each with an interval of `around` on either side."""
    loads = [LOW, HIGH, 1.0, 0.7071, 0.5946]
    rows = [
        (step, load, wait, wait - around, wait + around, wait, wait, wanted, 5)
        for step, (load, wait) in enumerate(zip(loads, waits, strict=False), start=1)
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def site(cores=(320,)):
    settings = WaitSettings("small", "made", 960, cores, 1.0, 2)
    return Site(settings, SHAPES, Settings(), Practice(4, 600, 60))


@pytest.fixture(scope="module")
def jobs():
    return jobs_of(90)


def test_targets_are_medians_of_published_values(root):
    path = root / "resources/souza2020/published.tsv"
    waits = target(read_published(path, "table1"), "table1", (28, 56, 112))
    assert waits == 133  # of 52, 70, 96, 124, 133, 150, 165, 206 and 452
    hours = target(read_published(path, "table2"), "table2", (28, 56, 112))
    assert hours == pytest.approx(1.1 * 3600)  # of 0.4, 1.1 and 1.5 h, three times each


def test_workflows_enter_together_in_table_1_and_in_series_in_table_2():
    batches, lasting = entering(site(), "table1", 3, 7, 5000)
    assert batches == [[("Montage", 0), ("BLAST", 60)]]
    assert lasting == 4 * 600 + 60
    batches, lasting = entering(site(), "table2", 3, 7, 5000)
    assert batches == [[(name, 0), (name, 7), (name, 14)] for name in ("Montage", "BLAST")]
    assert lasting == 4 * 600 + 2 * 5000


@pytest.mark.parametrize("item", ["table1", "table2"])
def test_big_jobs_wait_as_they_do_where_strategies_run(jobs, item):
    batches, lasting = entering(site(), item, 3, 600, 5000)
    session = next(scale_background(jobs, 4, 960, 1.3).at(np.array([15 * DAY]), lasting))
    until = last_known_time(15 * DAY, lasting)
    waits = big_job_waits(site(), session, batches, until)
    assert session.now == 15 * DAY
    expected = []
    for batch in batches:
        twin = session.fork()
        site().warmed(twin, 320, until)
        rows = site().submissions(twin, 320, STRATEGIES["Big Job"], None, batch, until)
        expected += [row["wait"] for row in rows]
    assert waits.tolist() == expected
    assert waits.max() > 0


def searched(monkeypatch, wanted, steps, waits=lambda load: 100 * load):
    """Search with a given function from load to waits."""

    def found(own, background, at, *rest):
        # the last submission tells the load; 0.5 has twice the days of 1
        # three jobs an instant, of which the one in the middle waits so long
        wait = waits(90 * DAY / background.span)
        return np.tile([0.5 * wait, wait, 4 * wait], (len(at), 1))

    monkeypatch.setattr(calibration, "waits_at", found)
    none = np.array([0, 90 * DAY])
    log = Jobs([0, 1], none, [1, 1], [1, 1], [1, 1])
    return search(site(), log, 4, [], 60, wanted, steps, 4, threads=1)


@pytest.mark.slow
def test_search_evaluates_both_ends_then_halves_the_logarithm(monkeypatch):
    found = searched(monkeypatch, 80, 5)
    # the roots of 0.5 times 2, of 0.5 times 1, and of 0.7071 times 1
    assert found["load"].tolist() == [0.5, 2.0, 1.0, 0.7071, 0.8409]
    assert found["wait"].tolist() == pytest.approx([50, 200, 100, 70.71, 84.09], rel=1e-6)
    assert found["step"].tolist() == [1, 2, 3, 4, 5]
    assert set(found["instants"]) == {4}
    assert (found["low"] == found["wait"]).all()
    assert (found["high"] == found["wait"]).all()
    assert (found["lower quartile"] == 0.5 * found["wait"]).all()
    assert (found["upper quartile"] == 4 * found["wait"]).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("wanted", "steps"), [(50, 4), (200, 4), (49.99, 2), (200.01, 2), (0, 2), (1e6, 2)]
)
def test_the_range_is_halved_only_where_an_end_is_not_beyond(monkeypatch, wanted, steps):
    assert len(searched(monkeypatch, wanted, 4)) == steps


@pytest.mark.slow
def test_search_of_two_steps_evaluates_only_the_ends(monkeypatch):
    assert searched(monkeypatch, 80, 2)["load"].tolist() == [LOW, HIGH]


@pytest.mark.slow
def test_load_with_too_long_a_wait_counts_as_above_the_target(monkeypatch):
    def waits(load):
        if load > 0.99:
            raise UnknownError
        return 100 * load

    found = searched(monkeypatch, 80, 4, waits)
    assert found["load"].tolist() == [0.5, 2.0, 1.0, 0.7071]
    assert found["wait"].tolist()[1:3] == [np.inf, np.inf]
    assert best(found) == 0.7071
    # nothing at all is known below the least load: what is wanted is not reached
    assert verdict(searched(monkeypatch, 10, 4, lambda load: waits(1))) == NOT_REACHED


def test_search_without_jobs_is_empty():
    none = Jobs([], [], [], [], [])
    found = search(site(), none, 4, [], 60, 80, 5, 4, threads=1)
    assert found.empty
    assert list(found) == COLUMNS
    assert np.isnan(best(found))
    assert verdict(found) == ""


@pytest.mark.slow
def test_a_search_is_the_same_with_any_threads_and_its_waits_grow(jobs):
    batches, lasting = entering(site(), "table1", 3, 600, 5000)
    one, two = (
        search(site(), jobs, 4, batches, lasting, 2000, 3, 4, threads) for threads in (1, 2)
    )
    assert one.equals(two)
    assert one["wait"].iloc[0] < one["wait"].iloc[1]
    assert (one["low"] <= one["wait"]).all()
    assert (one["wait"] <= one["high"]).all()


def test_a_log_that_is_too_short_is_refused(jobs):
    batches, lasting = entering(site(), "table1", 3, 600, 5000)
    short = jobs.take(slice(0, int(np.searchsorted(jobs.submit, 2 * (BURN_IN + STAY)))))
    with pytest.raises(ValueError, match="do not fit"):
        search(site(), short, 4, batches, lasting, 2000, 3, 4, threads=1)


def test_the_nearest_load_is_best_and_the_first_of_several():
    assert best(search_results(80, 300, 121)) == LOW
    assert best(search_results(79, 300, 120, 80)) == 1.0
    assert np.isnan(best(search_results()))


@pytest.mark.parametrize(
    ("waits", "word"),
    [
        ((50, 200, 120), REACHED),  # its interval ends at 100
        ((50, 200, 120.1), NOT_REACHED),
        ((50, 200, 80), REACHED),
        ((50, 200, 79.9), NOT_REACHED),
        ((100, 200), REACHED),  # an end itself
        ((100.1, 200), NOT_REACHED),
        ((50, 100), REACHED),
        ((50, 99.9), NOT_REACHED),  # beyond the end, though its interval has it
    ],
)
def test_a_wait_is_reached_between_the_ends_and_in_the_interval(waits, word):
    assert verdict(search_results(*waits)) == word


def test_sheet_entry_states_the_result_of_the_search():
    assert (
        result_of(search_results(50, 200, 110))
        == "100 s published; 110 s (90 to 130) computed at 5 instants; reached"
    )
    said = "100 s published; 99 s (79 to 119) computed at 5 instants; not reached"
    assert result_of(search_results(50, 99)) == said


def test_searches_are_listed_with_kept_and_realised_values():
    ran = {"realised": 70.0, "realised low": 60.0, "realised high": 80.0}
    rows = [{"experiment": "a", "kept": 1.1} | ran, {"experiment": "b", "kept": 2.0} | ran]
    found = collect_searches(rows, [search_results(50, 99), search_results(50, 200, 110)])
    assert found["experiment"].tolist() == ["a"] * 2 + ["b"] * 3
    assert found["kept"].tolist() == [1.1] * 2 + [2.0] * 3
    assert found["found"].tolist() == [2.0] * 2 + [1.0] * 3
    assert found["printed wait"].tolist() == [NOT_REACHED] * 2 + [REACHED] * 3
    assert set(found["realised"]) == {70}


def test_vertical_lines_of_the_figure_are_intervals_and_a_triangle_is_the_kept_load():
    ran = {"realised": 70.0, "realised low": 60.0, "realised high": 80.0}
    searches = collect_searches(
        [{"experiment": "a", "kept": 1.1} | ran], [search_results(50, 200, 110)]
    )
    axes, *_ = draw_calibration(searches, "what ran on which data").axes
    (intervals,) = axes.collections
    places = [segment[0, 0] for segment in intervals.get_segments()]
    assert places == sorted(searches["load"])
    upright = [line for line in axes.lines if len(set(line.get_xdata())) == 1]
    assert [line.get_marker() for line in upright] == ["v", "D"]
    assert [line.get_xdata()[0] for line in upright] == [1.1, 1.1]
    assert upright[0].get_label() == "kept load"


def test_sheet_has_100_replicates_of_54_runs_and_a_result_per_load(root):
    rows = [*rows_of("souza2020").values()]
    own = [row for row in rows if row.item == "table1"]
    assert sum(3 * 3 * len(row.cores) for row in own) == 54
    assert all(row.replicates >= 100 for row in own)
    published = root / "resources/souza2020/published.tsv"
    for row in rows:
        if row.item == "waits":
            assert row.evidence == "-"
            continue
        item = "table2" if row.item == "table2" else "table1"
        wanted = target(read_published(published, item), item, row.cores)
        assert row.evidence.startswith(f"{wanted:.0f} s printed")
        assert LOW <= row.load <= HIGH


@pytest.fixture
def rows():
    return [*rows_of("souza2020").values()]


def config(source, replicates=None, logs=None):
    return {"souza2020": {"replicates": replicates, "waits": {"logs": logs}}, "source": source}


def test_all_rows_run_unchanged_at_the_papers_scale(rows):
    assert as_run(rows, config("logs")) == rows


def test_readings_that_differ_only_in_background_are_merged_on_a_model(rows):
    found = as_run(rows, config("models", replicates=2, logs=1))
    readings = [row for row in found if row.item == READINGS]
    asked = {(row.system, row.request, row.accrue) for row in readings}
    assert len(asked) == len(readings)
    # what differs from Table 1's own rows by its background alone does not run again
    assert not asked & {("System 1", "4h", True), ("System 2", "4h", True)}
    assert {(one, "own", True) for one in ("System 1", "System 2")} < asked
    assert {row.source for row in found if row.item != "waits"} == {"lublin_months_256"}
    assert all(row.replicates <= 2 for row in found)


def test_number_of_predicted_logs_follows_the_configuration(rows):
    found = as_run(rows, config("logs", logs=2))
    assert [row.label for row in found if row.item == "waits"] == ["KTH-SP2", "CTC-SP2"]
