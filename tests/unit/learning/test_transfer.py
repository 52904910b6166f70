"""Resampled ratios of a policy to references: their pairing, and the three answers."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.intervals import LEVEL, interval, resampled_places
from schedlab.core.streams import generator
from schedlab.learning import transfer
from schedlab.learning.regimes import REFERENCES
from schedlab.learning.transfer import ALL_TUPLES, NO, OPEN, YES

WINDOWS = 8
# Windows as different as those of a log.
BUSY = 10.0 ** np.arange(WINDOWS)


def replicates_of(values, policies, resamples, site="one"):
    """Results of one regime on one site, by expression."""
    rows = [
        (text, "actual", window, value)
        for text, row in values.items()
        for window, value in enumerate(row)
    ]
    measured = pd.DataFrame(rows, columns=["policy", "regime", "window", "avebsld"])
    known = pd.concat([transfer.references(), policies])
    return transfer.Replicates(known, {site: measured}, resamples, ["test"])


def policies_of(site, numbers, texts):
    return pd.DataFrame({"trained": site, "resample": numbers, "policy": texts})


def test_in_a_resample_all_policies_meet_the_same_windows():
    values = {name: BUSY for name in REFERENCES} | {"mine": 0.9 * BUSY}
    found = replicates_of(values, policies_of("one", [ALL_TUPLES], ["mine"]), 200)
    assert found.ratios("actual", "one", "one") == pytest.approx([0.9] * 200)


def test_resample_of_tuples_is_paired_with_one_of_windows():
    """Policy b of the resamples is worth b + 1 times the others, in every window."""
    numbers = [ALL_TUPLES, *range(50)]
    texts = [f"mine {number}" for number in numbers]
    values = {name: BUSY for name in REFERENCES}
    values |= {text: (number + 1.0) * BUSY for text, number in zip(texts, numbers, strict=True)}
    values["mine -1"] = 0.5 * BUSY
    found = replicates_of(values, policies_of("one", numbers, texts), 50)
    assert found.ratios("actual", "one", "one") == pytest.approx(np.arange(50) + 1.0)
    assert found.median("actual", "one", "one") == 0.5 * np.median(BUSY)
    assert found.is_own("one", "one")


def test_policy_of_another_site_is_not_resampled():
    numbers = [ALL_TUPLES, *range(50)]
    values = {name: BUSY for name in REFERENCES} | {"other": 2 * BUSY}
    elsewhere = policies_of("two", numbers, ["other", *(f"not run {b}" for b in range(50))])
    found = replicates_of(values, elsewhere, 50)
    assert not found.is_own("one", "two")
    assert found.ratios("actual", "one", "two") == pytest.approx([2] * 50)


def test_policies_of_resamples_run_only_on_their_site():
    listed = policies_of("one", [ALL_TUPLES, 0, 1], ["all", "first", "second"])
    assert transfer.tested_on(listed, "one").tolist() == ["all", "first", "second"]
    assert transfer.tested_on(listed, "two").tolist() == ["all"]


def test_the_best_is_the_lowest_of_the_medians_in_every_resample():
    """F1 has 4, F2 to F4 have 8: the ratio of 2 is 0.5, and 0.25 to F2 alone."""
    values = {name: np.full(WINDOWS, 8.0) for name in REFERENCES}
    values |= {"f1": np.full(WINDOWS, 4.0), "mine": np.full(WINDOWS, 2.0)}
    found = replicates_of(values, policies_of("one", [ALL_TUPLES], ["mine"]), 5)
    assert found.ratios("actual", "one", "one").tolist() == [0.5] * 5
    assert found.ratios("actual", "one", "one", ["f2"]).tolist() == [0.25] * 5
    assert found.best_of("actual", "one") == 4


def test_a_sites_policy_is_its_best_function_that_has_an_expression():
    fit = pd.DataFrame({"policy": ["", "best", "next"], "rank": [1, 2, 3]})
    alone = transfer.policies_of("one", fit)
    assert alone.to_dict("list") == {
        "trained": ["one"],
        "resample": [ALL_TUPLES],
        "policy": ["best"],
    }
    resampled = pd.DataFrame({"resample": [0, 1], "policy": ["x", "y"], "function": ["f", "g"]})
    both = transfer.policies_of("one", fit, resampled)
    assert both.index.tolist() == [0, 1, 2]
    assert both.to_dict("list") == {
        "trained": ["one"] * 3,
        "resample": [ALL_TUPLES, 0, 1],
        "policy": ["best", "x", "y"],
    }
    assert transfer.policies_of("one", fit.head(1)).empty


def test_references_are_registered_then_user_policies_without_resamples():
    listed = transfer.references({"mine": "r * n"})
    assert listed.to_dict("list") == {
        "trained": ["FCFS", "SPT", "F4", "F3", "F2", "F1", "mine"],
        "resample": [ALL_TUPLES] * 7,
        "policy": ["fcfs", "spt", "f4", "f3", "f2", "f1", "r * n"],
    }


def test_trained_and_measured_policies_are_listed_once():
    values = {name: BUSY for name in REFERENCES} | {"mine": BUSY, "again": BUSY}
    found = replicates_of(values, policies_of("two", [ALL_TUPLES, 0], ["mine", "again"]), 3)
    assert found.trained() == [*REFERENCES.values(), "two"]
    assert found.is_available("actual", "one")
    assert not found.is_available("actual", "two")
    assert not found.is_available("backfill", "one")
    assert found.count("actual", "one") == WINDOWS
    # Its tuples were resampled, but it is not on its own log; a reference policy has no log.
    assert not found.is_own("one", "two")
    assert found.is_own("two", "two")
    assert not found.is_own("F1", "F1")


def test_medians_are_of_the_windows_as_they_were_drawn():
    """Of resampled places the ratio of medians; a window without a number is passed over."""
    slow = np.array([1.0, 5, 2, 9, 4, 7, 3, np.nan])
    values = {name: np.arange(1.0, 9) for name in REFERENCES} | {"mine": slow}
    found = replicates_of(values, policies_of("one", [ALL_TUPLES], ["mine"]), 30)
    places = resampled_places(WINDOWS, 30, generator("test", "one"))
    expected = [np.nanmedian(slow[row]) / np.median(row + 1.0) for row in places]
    assert found.ratios("actual", "one", "one") == pytest.approx(expected)
    assert len(set(expected)) > 5
    assert found.median("actual", "one", "one") == 4


def test_the_best_of_several_is_the_least_of_their_medians():
    """SPT's 1 is not among those that it is chosen from, unless it is named."""
    values = {name: np.full(WINDOWS, 8.0) for name in REFERENCES}
    values |= {"f2": np.full(WINDOWS, 3.0), "spt": np.full(WINDOWS, 1.0)}
    found = replicates_of(values, policies_of("one", [ALL_TUPLES], ["fcfs"]), 5)
    assert found.best_of("actual", "one") == 3
    assert found.best_of("actual", "one", ["f1", "f4"]) == 8
    assert found.best_of("actual", "one", ["f1", "spt"]) == 1


def share(below, value, other, resamples=1000):
    """Resampled ratios of which `below` are `value` and the others `other`."""
    return np.concatenate([np.full(below, value), np.full(resamples - below, other)])


@pytest.mark.parametrize(
    ("best", "fixed", "said"),
    [
        # better than the best in 976 of 1,000 resamples, and in 975
        (share(976, 0.9, 1.1), share(1000, 0.8, 0.8), YES),
        (share(975, 0.9, 1.1), share(1000, 0.8, 0.8), OPEN),
        # as good as the best is not better
        (share(1000, 1.0, 1.0), share(1000, 0.8, 0.8), OPEN),
        # worse than the policy chosen beforehand in 976 of 1,000 resamples, and in 975
        (share(1000, 1.2, 1.2), share(976, 1.1, 0.9), NO),
        (share(1000, 1.2, 1.2), share(975, 1.1, 0.9), OPEN),
        # worse than the best with hindsight alone
        (share(1000, 1.2, 1.2), share(1000, 1.0, 1.0), OPEN),
    ],
)
def test_answer_is_pays_does_not_pay_or_undecided(best, fixed, said):
    assert transfer.answer(best, fixed) == said
    assert (transfer.chance(best, fixed) <= 1 - LEVEL) is (said != OPEN)


def test_p_value_is_that_of_the_nearer_side():
    better, worse = share(1000, 0.5, 0.5), share(1000, 2.0, 2.0)
    assert transfer.chance(better, better) == pytest.approx(2 / 1001)
    assert transfer.chance(worse, worse) == pytest.approx(2 / 1001)
    assert transfer.chance(worse, better) == 1
    assert interval(better) == (0.5, 0.5)
