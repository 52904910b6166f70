"""Table 2: the definitions of hit, miss and overhead."""

import pandas as pd
import pytest

from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.souza2020.tables.accuracy import compare, of_submissions, table2
from schedlab.waits.backtest_predictors import FALLING
from souza_case import stage


def found_of(rows, alternatives=(10, 1800, 7200)):
    return of_submissions(pd.DataFrame(rows), alternatives)


def submission(number=0, **later):
    """A stage on all cores, one on one core, and another on all cores."""
    first = stage(number=number, wait=3600, estimate=7200, perceived=3600, hit=False)
    narrow = {"cores": 1, "wait": 0, "estimate": 10, "perceived": 0, "hit": False, "resubmitted": 1}
    second = {"wait": 1800, "estimate": 1800, "perceived": 900, "hit": True}
    return [first, stage(number=number) | narrow, stage(number=number) | second | later]


def test_measures_except_overhead_are_of_stages_on_all_cores():
    found = found_of(submission()).iloc[0]
    assert (found["WT"], found["ASA WT"]) == (0.75, 1.25)
    # the first stage's prediction was too long, and cost nothing; the narrow one's does not count
    assert (found["PWT"], found["WT ahead"]) == (0.25, 0.5)
    assert (found["hit"], found["miss"], found["OV"]) == (100, 0, 0)


@pytest.mark.parametrize(("hit", "share"), [(True, 100), (False, 0)])
def test_hits_are_of_the_first_stage_if_only_it_uses_all_cores(hit, share):
    rows = submission()[:2]
    rows[0]["hit"] = hit
    found = found_of(rows).iloc[0]
    assert (found["WT"], found["hit"]) == (1, share)
    assert found[["PWT", "WT ahead", "miss"]].isna().all()
    row = table2(found_of(rows)).iloc[0]
    assert row[["PWT", "PWT low", "PWT high", "miss", "miss low", "miss high"]].isna().all()


def test_stages_on_all_cores_count_after_a_first_that_is_not():
    rows = [row | {"cores": cores} for row, cores in zip(submission(), (1, 28, 28), strict=True)]
    found = found_of(rows).iloc[0]
    assert (found["WT"], found["WT ahead"], found["PWT"]) == (0.25, 0.25, 0.125)
    assert (found["hit"], found["miss"]) == (50, 50)


def test_miss_is_a_resubmission_and_idle_time_of_any_stage_is_overhead():
    rows = submission(hit=False, resubmitted=1, idle_core_seconds=7200)
    rows[1]["idle_core_seconds"] = 3600
    found = found_of(rows).iloc[0]
    assert (found["hit"], found["miss"], found["OV"]) == (0, 100, 3)


def test_a_prediction_too_long_of_an_allocation_in_time_is_neither():
    found = found_of(submission(hit=False)).iloc[0]
    assert (found["hit"], found["miss"]) == (0, 0)


def test_means_and_deviations_are_over_submissions():
    rows = submission(0) + submission(1, resubmitted=1, hit=False, idle_core_seconds=7200)
    row = table2(found_of(rows)).iloc[0]
    assert (row["run"], row["submissions"]) == ("Montage 28", 2)
    assert (row["hit"], row["miss"], row["OV"], row["OV sd"]) == (50, 50, 1, 1)


def test_waits_of_other_queues_are_not_compared_with_the_paper():
    table = table2(found_of(submission()))
    printed = pd.DataFrame(
        [["1", "2", "0.25", "100", "0", "0"]],
        index=["Montage 28"],
        columns=["WT", "ASA WT", "PWT", "hit", "miss", "OV"],
    )
    found = compare(printed, table).set_index("column")
    assert set(found["verdict"]) == {NOT_AVAILABLE}
    assert found.loc["WT", "computed"] == pytest.approx(0.75)


def test_resubmitted_hit_is_not_a_miss():
    found = found_of(submission(hit=True, resubmitted=1)).iloc[0]
    assert (found["hit"], found["miss"]) == (100, 0)


@pytest.mark.parametrize(
    ("wait", "estimate", "closest", "below"),
    [(9, 10, 100, 100), (10, 10, 100, 0), (15, 10, 100, 0), (15, 20, 100, 0), (14, 20, 0, 0),
     (16, 10, 0, 0), (0, 20, 0, 100), (0, 10, 100, 100), (90, 20, 100, 0)],
)  # fmt: skip
def test_a_prediction_is_closest_where_no_alternative_is_closer(wait, estimate, closest, below):
    """And no hit is possible where the least of them exceeds the wait."""
    rows = submission(wait=wait, estimate=estimate, hit=estimate <= wait)
    found = found_of(rows, (10, 20)).iloc[0]
    assert (found["closest"], found["no hit possible"]) == (closest, below)
    alone = [rows[2], rows[1]]
    found = found_of(alone, (10, 20)).iloc[0]
    assert (found["closest"], found["no hit possible"]) == (closest, below)


def test_table_is_of_the_learner_with_the_configured_rates():
    falling = [row | {"estimator": FALLING} for row in submission(hit=False, resubmitted=1)]
    found = found_of(submission() + falling)
    assert found.set_index("estimator")["hit"].to_dict() == {"ASA": 100, FALLING: 0}
    table = table2(found)
    assert (len(table), table["submissions"].item(), table["hit"].item()) == (1, 1, 100)
