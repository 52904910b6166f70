"""Claims of klusacek2016, each with runs for which it just holds and just fails."""

import numpy as np
import pandas as pd
import pytest

from claim_case import claim_of, claims_of
from plans_case import evidence, missing_evidence
from schedlab.report.claims import count
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.klusacek2016.statistics import check_claims


def claim(start):
    return claim_of("klusacek2016", start).test


def check(sets, logs, moves, costs=None):
    return check_claims(claims_of("klusacek2016"), sets, logs, moves, costs or {})


def holds(words, *found):
    """Whether the claim that begins with these words holds for each of these."""
    return [bool(claim(words)(one)[1]) for one in found]


def of_set(before, after, label="a", source="HPC2N", **columns):
    return evidence(before, after, row={"label": label, "source": source}, **columns)


@pytest.mark.parametrize("measure", ["wait", "slowdown"])
def test_a_measure_is_lower_in_every_set(measure):
    """99 s of 100 s is lower, 100 s is not."""
    lower = [of_set([100], [99], log, log) for log in ("HPC2N", "KTH-SP2")]
    text = f"Plan-RS lowers the mean {measure} in every set"
    for log in ("HPC2N", "KTH-SP2"):
        same = of_set([100], [100], "c", log)
        assert holds(text, lower, [*lower, same], [same, *lower]) == [True, False, False]


def test_claim_about_every_set_lists_each_set():
    sets = [of_set([100], [99], "a"), of_set([0], [0], "b", "KTH-SP2"), of_set([1], [2], "c")]
    test = claim("Plan-RS lowers the mean wait in every set")
    assert test(sets) == ("a -1.0%, b no job waits, c +100.0%", False)
    assert holds("Plan-RS lowers the mean wait in every set", sets[:2]) == [False]


def test_slowdown_may_fall_where_the_mean_wait_rises():
    """10 s less for a job of 10 s, 11 more for one of 1000."""
    one = of_set([10, 100], [0, 111], runtime=[10, 1000])
    assert holds("Plan-RS lowers the mean slowdown in every set", [one]) == [True]
    assert holds("Plan-RS lowers the mean wait in every set", [one]) == [False]


def test_utilisation_rises_with_a_second_of_work_before_the_last_arrival():
    """50 s of the first job until 100, or 51, or 49; who runs after it says nothing."""
    found = [evidence([50, 9], [after, 9], submit=[0, 100]) for after in (49, 50, 51)]
    found.append(evidence([50, 9], [50, 0], submit=[0, 100]))
    assert holds("Plan-RS raises utilization", *found) == [True, False, False, False]
    assert claim("Plan-RS raises utilization")(found[0])[0] == (
        "utilization: Orig-BF 0.0500, Plan-RS 0.0510: +2.0%"
    )
    assert claim("Plan-RS raises utilization")(found[1])[0] == (
        "utilization: Orig-BF 0.0500, Plan-RS 0.0500: +0.0%"
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
        # 100 s are acceptable
        ("Plan-RS has fewer users who complain", [101, 101], [101, 100], [200, 300]),
        ("Plan-RS has fewer complaints", [101, 101], [101, 100], [200, 300]),
        ("Plan-RS has a smaller sum of complaint sizes", [102, 0], [101, 0], [0, 102]),
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


def test_finding_has_the_values_of_both_schedulers_and_the_interval():
    test = claim("Plan-RS lowers the mean wait")
    assert test(evidence([1000], [900], [700])) == (
        "s: Orig-BF 1,000, Plan-RS 800: -20.0% (-30.0 to -10.0)",
        True,
    )
    assert test(evidence([1000], [1100])) == ("s: Orig-BF 1,000, Plan-RS 1,100: +10.0%", False)
    assert test(evidence([0], [1])) == ("s: Orig-BF 0, Plan-RS 1", None)
    assert test(evidence([1000], [900], [1050])) == (
        "s: Orig-BF 1,000, Plan-RS 975: -2.5% (-10.0 to +5.0)",
        None,
    )
    assert test(evidence([1000], [1100], [1050]))[1] is False


def test_a_claim_inside_its_interval_is_undecided():
    sets = [of_set([100], [99], "a"), evidence([100], [90], [105], row={"label": "b"})]
    test = claim("Plan-RS lowers the mean wait in every set")
    assert test(sets) == ("a -1.0%, b -2.5%", None)
    assert test([*sets, of_set([100], [101], "c")])[1] is False
    assert test([sets[0], of_set([0], [0], "d")])[1] is None
    columns = {"submit": [0, 100]}
    one = evidence([50, 9], [49, 9], [51, 9], **columns)
    assert claim("Plan-RS raises utilization")(one)[1] is None


def test_classes_of_jobs_wait_less_each_with_its_interval():
    """Three classes of processors; of the first the seeds disagree, of the last none waits."""
    one = evidence([50, 50, 0], [40, 40, 0], [60, 40, 0], procs=[1, 2, 3])
    assert claim("most classes of jobs")(one) == ("1 of 3 classes wait less, 0 more", None)
    one = evidence([50, 50, 50], [40, 40, 60], procs=[1, 2, 3])
    assert claim("most classes of jobs")(one) == ("2 of 3 classes wait less, 1 more", True)


@pytest.mark.parametrize(("last", "found"), [(49, True), (50, None), (51, False)])
def test_long_jobs_wait_less_but_for_the_class_that_the_paper_excepts(last, found):
    """Of 4, 6 and 50 hours and of 8 days; the first are not long, the third are of 2 to 7 days."""
    one = evidence(
        [50] * 4, [60, 40, 60, last], requested=[4 * 3600, 6 * 3600, 50 * 3600, 192 * 3600]
    )
    said, decided = claim("jobs that request")(one)
    assert decided is (False if last == 50 else found)
    assert said.startswith("4–12 h -20.0%, 2–7 d +20.0%, > 7 d ")


@pytest.mark.parametrize(("iteration", "found"), [(20, True), (19.9, False)])
def test_an_iteration_takes_two_updates_of_most_plans(iteration, found):
    """Of 60 plans: 40 with those of this time, 20 without."""
    costs = pd.DataFrame({"update": [10.0] * 60, "iteration": [20, iteration, 1] * 20})
    assert claim("for most plans")(costs)[1] is found


def test_three_plans_decide_no_majority():
    costs = pd.DataFrame({"update": [10.0] * 3, "iteration": [20, 20, 20]})
    assert claim("for most plans")(costs) == ("100.0% of 3 plans", None)
    assert claim("for most plans")(costs.iloc[:0]) == ("0.0% of 0 plans", None)


@pytest.mark.parametrize(
    ("plans", "found"),
    [([1100], True), ([1101], False), ([1000, 1200], None), ([1050, 1090], True), ([9], True)],
)
def test_fairness_is_close_to_ten_per_cent_more(plans, found):
    """A NUWT of 1, and 1.1 at most, of the mean over the seeds."""
    one = evidence([1000], *([wait] for wait in plans), runtime=1000)
    assert claim("fairness is very close")(one)[1] is found


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
    # of two seeds the interval reaches from one to the other: 98 to 92, 98 to 91
    decided = [claim("about 97% of users")(one)[1] for one in found]
    assert decided == [None, None]
    assert claim("about 97% of users")(found[1])[0] == "Orig-BF 100.0%, Plan-RS 94.5%"


@pytest.mark.parametrize(
    ("seeds", "found"), [((2, 5), True), ((2, 6), None), ((6, 9), False), ((5, 5), True)]
)
def test_the_interval_over_the_seeds_decides_about_97_per_cent(seeds, found):
    one = evidence([0] * 100, *([100] * above + [0] * (100 - above) for above in seeds))
    assert claim("about 97% of users")(one)[1] is found


@pytest.mark.parametrize(
    ("lower", "found"), [(27, True), (26, None), (20, None), (13, None), (12, False)]
)
def test_nuwt_falls_for_more_than_half_of_the_users_that_wait(lower, found):
    """39 users wait, and another does not; equal is not lower.

    A sign test of 27 of 39 has p = 0.024, of 26 p = 0.053.
    """
    one = evidence([50] * 39 + [0], [49] * lower + [50] * (39 - lower) + [0])
    assert claim("Plan-RS lowers the NUWT of most users")(one) == (
        f"{lower} of 39 users whose jobs wait",
        found,
    )


def test_users_that_wait_under_one_scheduler_count_and_seeds_are_averaged():
    """50 s to 40 and 58; 0 to 0 and 1; 50 to none."""
    one = evidence([50, 0, 50], [40, 0, 0], [58, 1, 0])
    assert claim("Plan-RS lowers the NUWT of most users")(one) == (
        "2 of 3 users whose jobs wait",
        None,
    )


@pytest.mark.parametrize(
    ("shorter", "found"), [(47, False), (48, True), (50, True), (52, True), (53, False)]
)
def test_shares_of_shorter_waits_are_within_2_points(shorter, found):
    """Under Plan-RS half of a hundred jobs waits less than 100 s, their mean."""
    one = evidence([99] * shorter + [100] * (100 - shorter), [0] * 50 + [200] * 50)
    assert claim("equal shares of jobs")(one) == (
        f"wait less than 100 s: Orig-BF {shorter}.0%, Plan-RS 50.0%",
        found,
    )


@pytest.mark.parametrize(
    ("seeds", "found"),
    [((48, 52), True), ((47, 52), None), ((48, 53), None), ((53, 54), False), ((46, 47), False)],
)
def test_interval_over_the_seeds_decides_whether_shares_are_similar(seeds, found):
    """Half of the jobs under Orig-BF waits less than 200 s, as many under Plan-RS as are named."""
    plans = [[0] * shorter + [400] * (100 - shorter) for shorter in seeds]
    one = evidence([0] * 50 + [400] * 50, *plans)
    assert claim("equal shares of jobs")(one)[1] is found


def moves(wait, fairness, gain=None):
    """Return moves whose gain is by default that of wait and ten times that of fairness."""
    found = pd.DataFrame({"wait": wait, "fairness": fairness}, dtype=float)
    return found.assign(gain=found["wait"] + 10 * found["fairness"] if gain is None else gain)


@pytest.mark.parametrize(
    ("fairness", "gain", "larger"),
    [
        # ten times a half is 5: of less than twice as much it is the larger part
        (0.5, 9.999, True),
        (0.5, 10, False),
        (0.5, 10.001, False),
        # all else is worse, or fairness itself
        (0.5, 0.1, True),
        (-0.5, 0.1, False),
        (0, 0.1, False),
    ],
)
def test_a_move_is_for_fairness_where_it_is_the_larger_part_of_the_gain(fairness, gain, larger):
    one = moves([0] * 6, [fairness] * 6, [gain] * 6)
    assert claim("most moves are accepted")(one)[1] is larger


def test_more_than_half_of_the_moves_are_for_fairness():
    """That it improves is not enough: the third one gains 0.1 by it, and as much by the wait."""
    most = moves([0, 0, 0.1] * 20, [1e-9, 0.1, 0.01] * 20)
    half = moves([0, 0, 0.1, 2], [0.1, 0.1, 0.01, -0.1])
    assert claim("most moves are accepted")(most)[1] is True
    assert claim("most moves are accepted")(half) == ("50.0% of 4 accepted moves", None)
    assert claim("most moves are accepted")(half.iloc[:0]) == ("0.0% of 0 accepted moves", None)


@pytest.mark.parametrize("criterion", ["wait", "fairness"])
@pytest.mark.parametrize(
    ("changes", "found"),
    [
        ([0.0199, 0.0199, 0.02], True),
        ([0.0199, 0.02], None),
        ([0.0199, 0.02, 0.02], False),
        # what does not improve is not counted, neither for nor against
        ([0.0199, 0.0199, 0.02, 0, -0.01, -1], True),
        ([0.0199, 0.02, 0, -0.01, -1], None),
    ],
)
def test_more_than_half_of_the_improvements_are_below_2_per_cent(criterion, changes, found):
    """Twenty times each, of which 40 of 60 are most."""
    columns = {"wait": [0.01] * 20 * len(changes), "fairness": [0.01] * 20 * len(changes)}
    kept = moves(**columns | {criterion: 20 * changes})
    assert claim("most improvements by")(kept)[1] is found


def better(**row):
    """Plan-RS is better at everything, for one job of each of 40 users."""
    before = np.arange(40) * 20
    after = (before * 0.99).astype(int)
    recorded = np.arange(40) * 25
    return evidence(before.tolist(), after.tolist(), runtime=1000, recorded=recorded, row=row)


def of_logs(**others):
    """Sets of every log in which Plan-RS is better, unless another is given for a log."""
    own = {"HPC2N": "HPC2N set 1", "KTH-SP2": "KTH-SP2 set 1", "wagap-2013": "wagap set 1"}
    sets = {log: of_set([100], [99], label, log) for log, label in own.items()}
    return list((sets | {log.replace("_", "-"): one for log, one in others.items()}).values())


@pytest.mark.slow
def test_claims_are_tested_on_every_experiment():
    sets = of_logs()
    logs = [better(experiment="a", label="A"), better(experiment="b", label="B", source="L")]
    kept = {"b": moves([0.01] * 6, [0.01] * 6)}
    costs = {"b": pd.DataFrame({"update": [1.0] * 6, "iteration": [2.0] * 6})}
    checked = check(sets, logs, kept, costs)
    assert list(checked) == ["experiment", "ran_on", "claim", "where", "found", "result"]
    sizes = checked.groupby("experiment", sort=False).size().to_dict()
    assert sizes == {"sets of Table 1": 2, "sets in place of those of Zewura": 2, "A": 16, "B": 19}
    assert checked.drop_duplicates("experiment")["ran_on"].tolist() == [
        "HPC2N, KTH-SP2",
        "wagap-2013",
        "HPC2N",
        "L",
    ]
    failed = checked[checked["result"] != "holds"]
    # no user complains at all, and no job asks for more than 4 h
    assert set(failed["claim"]) == {
        "jobs that request more than 4 h wait less, except those of 2 to 7 days",
        "Plan-RS has fewer users who complain",
        "Plan-RS has fewer complaints",
        "Plan-RS has a smaller sum of complaint sizes",
    }
    assert (failed["result"] == "undecided").all()
    assert count(checked) == "31 of 39 claims hold, 0 fail, 8 are undecided."
    words = count(checked.replace({"result": {"undecided": "fails"}}))
    assert words.startswith("31 of 39 claims hold, 8 fail, 0 are undecided. Those that fail: A, ")


def test_claims_on_a_stand_in_show_findings_without_a_verdict():
    one = better(is_model=True, source="lublin")
    checked = check([one], [one], {})
    assert (checked["result"] == NOT_AVAILABLE).all()
    assert checked["found"].ne("").all()
    assert count(checked) == "No claim was tested: nothing ran on the paper's logs."


OWN, REPLACED = "sets of Table 1", "sets in place of those of Zewura"


def results_by_sets(sets):
    checked = check(sets, [], {}).groupby("experiment", sort=False)["result"]
    return {body: set(found) for body, found in checked}


@pytest.mark.slow
def test_sets_of_table_1_and_those_replacing_zewura_are_tested_separately():
    """A set in which Plan-RS is no better fails its own body, and no other."""
    same = of_set([100], [100], "KTH-SP2 set 1", "KTH-SP2")
    added = of_set([100], [100], "wagap set 4", "wagap-2013")
    assert results_by_sets(of_logs()) == {OWN: {"holds"}, REPLACED: {"holds"}}
    assert results_by_sets(of_logs(KTH_SP2=same)) == {OWN: {"fails"}, REPLACED: {"holds"}}
    assert results_by_sets(of_logs(wagap_2013=added)) == {OWN: {"holds"}, REPLACED: {"fails"}}
    assert results_by_sets(of_logs()[:2]) == {OWN: {"holds"}}
    assert results_by_sets(of_logs()[2:]) == {REPLACED: {"holds"}}


@pytest.mark.parametrize("gone", [False, True])
def test_stand_in_or_missing_log_leaves_the_other_sets_tested(gone):
    def instead(label):
        row = {"label": label, "is_model": not gone}
        return missing_evidence(**row) if gone else evidence([100], [99], row=row)

    assert results_by_sets(of_logs(HPC2N=instead("HPC2N set 1"))) == {
        OWN: {NOT_AVAILABLE},
        REPLACED: {"holds"},
    }
    assert results_by_sets(of_logs(wagap_2013=instead("wagap set 1"))) == {
        OWN: {"holds"},
        REPLACED: {NOT_AVAILABLE},
    }


def test_claims_on_an_unavailable_log_have_no_finding():
    checked = check([better(), missing_evidence()], [missing_evidence()], {"toy": moves([], [])})
    assert (checked["result"] == NOT_AVAILABLE).all()
    assert (checked["found"] == "").all()


def test_evidence_on_models_names_the_models():
    name = "model, 240 processors (stands in for HPC2N), set 1"
    one = better(is_model=True, source="lublin", name=name)
    checked = check([one], [], {})
    found = checked.loc[checked["found"].str.contains("set 1"), "found"]
    assert len(found) > 0
    assert found.str.startswith(f"{name} ").all()
