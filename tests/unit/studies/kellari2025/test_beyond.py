"""Sentences beyond the thesis follow their numbers in both directions."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.kellari2025 import beyond
from schedlab.studies.kellari2025.beyond import gaps

LABELS = {"base": "as it was", "new": "changed"}


def runs(factor, scatter=0.01, workloads=20):
    """Runs of two schedulers in two settings; the second setting multiplies slowdowns."""
    stream = np.random.default_rng(3)
    rows = []
    for workload in range(workloads):
        for experiment in LABELS:
            for scheduler, level in (("EASY", 60.0), ("Filler", 50.0)):
                value = level * (1 + scatter * stream.normal())
                value *= factor if experiment == "new" and scheduler == "Filler" else 1
                rows.append((experiment, scheduler, workload, value))
    frame = pd.DataFrame(rows, columns=["experiment", "scheduler", "workload", "slowdown"])
    return frame.assign(slowed=1.0, utilisation=0.9, job_speedup=1.0, makespan_speedup=1.05)


@pytest.mark.parametrize(
    ("factor", "words"),
    [(1.3, r"rises for Filler \(\+\d+.\d %\)"), (0.7, r"falls for Filler \(-\d+.\d %\)")],
)
def test_significant_change_is_worded_by_its_direction(factor, words):
    said = beyond.sentences(beyond.by_setting(runs(factor), LABELS))
    assert said[0].startswith("changed, against as it was: mean slowdown")
    assert pd.Series(said[:1]).str.contains(words).all()
    assert "does not change significantly for EASY" in said[0]


def test_change_within_the_scatter_is_not_reported_as_a_change():
    table = beyond.by_setting(runs(1.01, scatter=0.2), LABELS)
    assert "rises" not in beyond.sentences(table)[0]
    assert "falls" not in beyond.sentences(table)[0]


def test_one_workload_gives_no_significant_change():
    said = beyond.sentences(beyond.by_setting(runs(2.0, workloads=1), LABELS))
    assert "does not change significantly" in said[0]
    assert "rises" not in said[0]


def test_single_setting_has_no_comparison():
    table = beyond.by_setting(runs(1.3), {"base": "as it was"})
    assert beyond.headline(table) == "There is nothing to compare with as it was."
    assert beyond.sentences(table) == []


def test_setting_without_its_log_is_marked():
    own = runs(1.3)
    labels = LABELS | {"log": "gaps of a log"}
    table = beyond.by_setting(own, labels)
    assert table["scheduler"].iloc[-1] == "log not available"
    assert "gaps of a log: log not available." in beyond.sentences(table)
    assert "gaps of a log: log not available." in beyond.against(
        gaps(own, labels, "EASY"), labels, "EASY"
    )


@pytest.mark.parametrize(
    ("factor", "words"),
    [
        (0.7, "lower than EASY's for Filler"),
        (1.6, "higher than EASY's for Filler"),
        (1.2, "not distinguishable from EASY's for Filler"),
    ],
)
def test_sentence_states_which_scheduler_beats_the_base(factor, words):
    scatter = 0.2 if factor == 1.2 else 0.01
    changes = gaps(runs(factor, scatter), LABELS, "EASY")
    assert words in beyond.against(changes, LABELS, "EASY")[1]


def prices(more):
    rows = [("EASY", 0.0), ("Filler", more), ("EASY-Co", more / 2)]
    frame = pd.DataFrame(rows, columns=["scheduler", "more"])
    return frame.assign(tariff="plain", income=[100.0, 95.0, 96.0], overcharge=7.0)


def test_sentence_states_the_share_of_jobs_that_pay_more_or_that_none_does():
    assert "10.0 % (EASY-Co) to 20.0 % (Filler)" in beyond.price_sentences(prices(20.0))[0]
    assert "no job pays more than alone" in beyond.price_sentences(prices(0.0))[0]
    assert "95.0 to 96.0 %" in beyond.price_sentences(prices(0.0))[0]


def test_first_sentence_is_the_median_change_of_each_setting_and_its_ends():
    table = beyond.by_setting(runs(1.3, scatter=0), LABELS | {"log": "gaps of a log"})
    assert beyond.headline(table) == (
        "Change of mean slowdown against as it was. Changed: +15.0 %, median of 2 schedulers "
        "(+0.0 % for EASY to +30.0 % for Filler)."
    )
    same = beyond.by_setting(runs(1.0, scatter=0), LABELS)
    assert beyond.headline(same).endswith("Changed: no change.")


def test_first_sentence_counts_the_settings_in_which_each_beats_the_base():
    labels = LABELS | {"log": "gaps of a log"}
    said = beyond.headline_against(gaps(runs(1.6), labels, "EASY"), "EASY")
    assert said == "Mean slowdown is lower than EASY's in some settings for Filler (1)."
    said = beyond.headline_against(gaps(runs(0.7), labels, "EASY"), "EASY")
    assert said.endswith("in all 2 settings for Filler.")


def test_first_sentence_states_the_share_that_pays_more_by_tariff():
    assert beyond.price_headline(prices(20.0)).endswith("10.0 to 20.0 % (plain).")
    assert beyond.price_headline(prices(0.0)).endswith("none (plain).")


def test_half_an_interval_is_students_quantile_times_the_standard_error():
    """Four values of standard deviation 2 (n - 1): 3.182446 * 2 / sqrt(4)."""
    values = pd.Series([-np.sqrt(3), np.sqrt(3), -np.sqrt(3), np.sqrt(3)]) + 7
    assert beyond.half_width(values) == pytest.approx(3.182446, rel=1e-6)
    assert beyond.half_width(values.iloc[:1]) == np.inf


def pairs_of(*changes, base=50.0):
    """Runs of one scheduler whose slowdown changes by the given percent, workload by workload."""
    rows = [
        (experiment, "Filler", workload, base * 3**workload * factor)
        for workload, change in enumerate(changes)
        for experiment, factor in (("base", 1.0), ("new", 1 + change / 100))
    ]
    frame = pd.DataFrame(rows, columns=["experiment", "scheduler", "workload", "slowdown"])
    return frame.assign(slowed=1.0, utilisation=0.9, job_speedup=1.0, makespan_speedup=1.05)


@pytest.mark.parametrize(
    ("middle", "word"),
    # 1, 2, 3, 4, 5 about their middle: 2.776445 * sqrt(2.5) / sqrt(5) = 1.963243
    [(1.97, "rises"), (1.96, "not change"), (-1.96, "not change"), (-1.97, "falls")],
)
def test_rise_is_reported_only_if_the_interval_excludes_0(middle, word):
    found = beyond.by_setting(pairs_of(*(middle + np.arange(-2.0, 3))), LABELS)
    row = found[found["setting"] == "changed"].iloc[0]
    assert row["slowdown_change"] == pytest.approx(middle)
    assert row["slowdown_high"] - middle == pytest.approx(1.963243, rel=1e-6)
    assert word in beyond.sentences(found)[0].split(";")[0]


def test_change_is_paired_over_the_common_workloads():
    """Workloads are as different as 1 and 81; a fifth one ran in the new setting alone."""
    own = pairs_of(10, 10, 10, 10, 10)
    own = own[~((own["experiment"] == "base") & (own["workload"] == 4))]
    row = beyond.by_setting(own.sample(frac=1, random_state=1), LABELS).iloc[-1]
    ends = row[["slowdown_low", "slowdown_change", "slowdown_high"]]
    assert ends.tolist() == pytest.approx([10, 10, 10])


def test_workloads_of_one_setting_do_not_narrow_an_interval():
    """Of six workloads three are in both settings: Student's t has two degrees of freedom.

    Changes of 1, 2, 3 %: 4.302653 * 1 / sqrt(3).
    """
    own = pairs_of(1, 2, 3, 4, 5, 6)
    own = own[~((own["experiment"] == "base") & (own["workload"] > 2))]
    row = beyond.by_setting(own, LABELS).iloc[-1]
    assert row["slowdown_change"] == pytest.approx(2)
    assert row["slowdown_high"] - 2 == pytest.approx(4.302653 / np.sqrt(3), rel=1e-6)
