"""Claims of klusacek2016, each with runs of which it just holds and of which it just fails."""

import numpy as np
import pandas as pd
import pytest

from plans_case import evidence, nothing
from schedlab.papers.klusacek2016 import claims
from schedlab.report.verdicts import NOT_AT_HAND

BY_TEXT = {claim.text: claim for claim in claims.CLAIMS}


def holds(words, *found):
    """Whether the one claim that is said so, or begins so, holds of each of these."""
    begin = [text for text in BY_TEXT if text.startswith(words)]
    (text,) = [words] if words in BY_TEXT else begin
    return [bool(BY_TEXT[text].test(one)[1]) for one in found]


def of_set(before, after, label="a", source="HPC2N", **columns):
    return evidence(before, after, row={"label": label, "source": source}, **columns)


def test_every_claim_is_said_once():
    assert len(BY_TEXT) == len(claims.CLAIMS) == 20


@pytest.mark.parametrize("measure", ["wait", "slowdown"])
@pytest.mark.parametrize(
    ("words", "logs"), [("HPC2N and KTH-SP2", ("HPC2N", "KTH-SP2")), ("CERIT-SC", ("wagap-2013",))]
)
def test_a_measure_is_lower_in_every_set_of_the_logs(measure, words, logs):
    """99 s of 100 s is lower, 100 s is not; on other logs it may rise."""
    other = of_set([100], [500], source="SDSC")
    for log in logs:
        lower = [of_set([100], [99], "b", one) for one in logs]
        same = of_set([100], [100], "c", log)
        text = f"Plan-RS lowers the mean {measure} in every set of {words}"
        assert holds(text, [other, *lower], [*lower, same], [other]) == [True, False, False]


def test_sets_of_table_1_are_told_one_by_one():
    sets = [of_set([100], [99], "a"), of_set([0], [0], "b", "KTH-SP2"), of_set([1], [2], "c")]
    test = BY_TEXT["Plan-RS lowers the mean wait in every set of HPC2N and KTH-SP2"].test
    assert test(sets) == ("a -1.0%, b nobody waits, c +100.0%", False)
    assert holds("Plan-RS lowers the mean wait in every set of HPC2N", sets[:2]) == [False]


def test_slowdown_may_fall_where_the_mean_wait_rises():
    """10 s less for a job of 10 s, 11 more for one of 1000."""
    one = of_set([10, 100], [0, 111], runtime=[10, 1000])
    assert holds("Plan-RS lowers the mean slowdown in every set of HPC2N", [one]) == [True]
    assert holds("Plan-RS lowers the mean wait in every set of HPC2N", [one]) == [False]


def test_utilisation_rises_where_the_last_job_ends_a_second_earlier():
    found = [evidence([50], [after]) for after in (49, 50)]
    assert holds("Plan-RS raises utilisation", *found) == [True, False]
    assert claims.utilisation_rises(found[1])[0] == (
        "utilisation: Orig-BF 0.0667, Plan-RS 0.0667: +0.0%"
    )


@pytest.mark.parametrize(
    ("words", "before", "after", "same"),
    [
        ("Plan-RS lowers the mean wait", [100, 0], [99, 0], [0, 100]),
        ("Plan-RS lowers the deviation of waits", [0, 100], [1, 100], [50, 150]),
        ("Plan-RS lowers the mean bounded slowdown", [100, 0], [99, 0], [0, 100]),
        ("Plan-RS lowers the deviation of slowdowns", [0, 100], [1, 100], [50, 150]),
        ("Plan-RS lowers the mean NUWT", [100, 0], [99, 0], [0, 100]),
        ("Plan-RS lowers the deviation of NUWT", [0, 100], [1, 100], [50, 150]),
        # 100 s are put up with
        ("Plan-RS has fewer users who complain", [101, 101], [101, 100], [200, 300]),
        ("Plan-RS has fewer complaints", [101, 101], [101, 100], [200, 300]),
        ("Plan-RS has smaller complaints", [102, 0], [101, 0], [0, 102]),
    ],
)
def test_a_measure_is_lower_or_just_not(words, before, after, same):
    found = [evidence(before, waits) for waits in (after, same)]
    assert holds(words, *found) == [True, False]


def test_fewer_users_complain_though_there_are_more_complaints():
    """Two jobs of one user after another, or one of each of two users."""
    columns = {"user": [1, 1, 2], "submit": [0, 10_000, 0]}
    one = evidence([101, 0, 101], [101, 101, 0], **columns)
    assert holds("Plan-RS has fewer users who complain", one) == [True]
    assert holds("Plan-RS has fewer complaints", one) == [False]


def test_what_is_said_has_the_numbers_of_both_and_the_interval_over_the_seeds():
    test = BY_TEXT["Plan-RS lowers the mean wait"].test
    assert test(evidence([1000], [900], [700])) == (
        "s: Orig-BF 1,000, Plan-RS 800: -20.0% (-30.0 to -10.0)",
        True,
    )
    assert test(evidence([1000], [1100])) == ("s: Orig-BF 1,000, Plan-RS 1,100: +10.0%", False)
    assert test(evidence([0], [1])) == ("s: Orig-BF 0, Plan-RS 1", False)


@pytest.mark.parametrize(
    ("plans", "found"),
    [([1100], True), ([1101], False), ([1000, 1200], True), ([1000, 1201], False), ([9], True)],
)
def test_fairness_is_close_to_ten_per_cent_more(plans, found):
    """A NUWT of 1, and 1.1 at most, of the mean over the seeds."""
    one = evidence([1000], *([wait] for wait in plans), runtime=1000)
    assert holds("fairness is very close or better", one) == [found]


@pytest.mark.parametrize("above", [4, 5, 6])
@pytest.mark.parametrize("scheduler", [0, 1])
def test_about_97_per_cent_are_95_under_both(above, scheduler):
    """Users with a NUWT of 1, which is not below it."""
    waits = [[99] * 100, [99] * 100]
    waits[scheduler] = [100] * above + [99] * (100 - above)
    assert holds("about 97% of users have a NUWT below 1", evidence(*waits)) == [above <= 5]


def test_shares_of_users_are_means_over_the_seeds():
    found = [
        evidence([0] * 100, *([100] * above + [0] * (100 - above) for above in seeds))
        for seeds in ((2, 8), (2, 9))
    ]
    assert holds("about 97% of users", *found) == [True, False]
    assert claims.most_users_are_treated_fairly(found[1])[0] == "Orig-BF 100.0%, Plan-RS 94.5%"


@pytest.mark.parametrize(("lower", "found"), [(3, True), (2, False)])
def test_nuwt_falls_for_more_than_half_of_those_who_wait(lower, found):
    """Four users wait, and the fifth does not; equal is not lower."""
    one = evidence([50] * 4 + [0], [49] * lower + [50] * (4 - lower) + [0])
    assert claims.nuwt_falls_across_users(one) == (f"{lower} of 4 users who wait", found)


def test_who_waits_under_one_scheduler_waits_and_seeds_are_averaged():
    """50 s to 40 and 58; 0 to 0 and 1; 50 to none."""
    one = evidence([50, 0, 50], [40, 0, 0], [58, 1, 0])
    assert claims.nuwt_falls_across_users(one) == ("2 of 3 users who wait", True)


@pytest.mark.parametrize(
    ("shorter", "found"), [(47, False), (48, True), (50, True), (52, True), (53, False)]
)
def test_shares_of_shorter_waits_are_within_2_points(shorter, found):
    """Under Plan-RS half of a hundred jobs waits less than 100 s, their mean."""
    one = evidence([99] * shorter + [100] * (100 - shorter), [0] * 50 + [200] * 50)
    assert claims.shorter_waits_are_alike(one) == (
        f"wait less than 100 s: Orig-BF {shorter}.0%, Plan-RS 50.0%",
        found,
    )


def moves(wait, fairness):
    return pd.DataFrame({"wait": wait, "fairness": fairness}, dtype=float)


def test_more_than_half_of_the_moves_are_for_fairness():
    words = "moves are mostly accepted for fairness"
    most, half = moves([0] * 3, [1e-9, 0.1, 0]), moves([0] * 4, [0.1, 0.1, 0, -0.1])
    assert holds(words, most, half) == [True, False]
    assert claims.most_moves_are_for_fairness(half)[0] == "50.0% of 4 accepted moves"


@pytest.mark.parametrize("criterion", ["wait", "fairness"])
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([0.0199, 0.0199, 0.02], True),
        ([0.0199, 0.02], False),
        # what does not improve is not counted, neither for nor against
        ([0.0199, 0.0199, 0.02, 0, -0.01, -1], True),
        ([0.0199, 0.02, 0, -0.01, -1], False),
    ],
)
def test_more_than_half_of_the_improvements_are_below_2_per_cent(criterion, changes, found):
    columns = {"wait": [0.01] * len(changes), "fairness": [0.01] * len(changes)}
    kept = moves(**columns | {criterion: changes})
    assert holds("most improvements by accepted moves are below 2%", kept) == [found]


def better(**row):
    """Plan-RS is better at everything, for one job of each of 40 users."""
    before = np.arange(40) * 20
    return evidence(before.tolist(), (before * 0.99).astype(int).tolist(), runtime=1000, row=row)


def test_claims_are_held_against_every_experiment():
    sets = [of_set([100], [99], log, log) for log in ("HPC2N", "KTH-SP2", "wagap-2013")]
    logs = [better(experiment="a", label="A"), better(experiment="b", label="B", source="L")]
    kept = {"b": moves([0.01], [0.01])}
    checked = claims.check(sets, logs, kept)
    assert list(checked) == ["experiment", "ran_on", "claim", "where", "measured", "holds"]
    count = checked.groupby("experiment", sort=False).size().to_dict()
    assert count == {"sets of Table 1": 4, "A": 14, "B": 16}
    assert checked.drop_duplicates("experiment")["ran_on"].tolist() == [
        "HPC2N, KTH-SP2, wagap-2013",
        "HPC2N",
        "L",
    ]
    failed = checked[checked["holds"] != "yes"]
    # nobody complains at all
    assert set(failed["claim"]) == {
        "Plan-RS has fewer users who complain",
        "Plan-RS has fewer complaints",
        "Plan-RS has smaller complaints: the sum of their sizes",
    }
    assert (failed["holds"] == "no").all()
    assert claims.count(checked).startswith(
        "28 of 34 claims hold. Those that fail: A, Plan-RS has fewer users who complain "
        "(users: Orig-BF 0.00, Plan-RS 0.00); A, "
    )


def test_on_a_stand_in_what_was_found_is_shown_and_nothing_is_held():
    one = better(is_model=True, source="lublin")
    checked = claims.check([one], [one], {})
    assert (checked["holds"] == NOT_AT_HAND).all()
    assert checked["measured"].iloc[4:].ne("").all()
    assert claims.count(checked) == "No claim was tested: nothing ran on the paper's logs."


def test_one_stand_in_among_the_sets_is_enough_to_hold_none():
    sets = [of_set([100], [99], log, log) for log in ("HPC2N", "KTH-SP2", "wagap-2013")]
    sets.append(evidence([1], [1], row={"is_model": True}))
    assert (claims.check(sets, [], {})["holds"] == NOT_AT_HAND).all()


def test_of_a_log_that_is_not_at_hand_nothing_is_said():
    checked = claims.check([better(), nothing()], [nothing()], {"toy": moves([], [])})
    assert (checked["holds"] == NOT_AT_HAND).all()
    assert (checked["measured"] == "").all()


def test_all_claims_that_hold_are_counted():
    checked = pd.DataFrame({"holds": ["yes", NOT_AT_HAND, "yes"]})
    assert claims.count(checked) == "2 of 2 claims hold."
