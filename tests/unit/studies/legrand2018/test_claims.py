"""The paper's claims, tested on simulations: those that hold and those that fail."""

import numpy as np
import pandas as pd
import pytest

from claim_case import claim_of, claims_of
from period_case import ON_MODEL, experiment, pure, search, surface, table
from schedlab.report.claims import check_results, count
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.legrand2018 import statistics
from schedlab.studies.legrand2018.adaptation import GREEDY, OPTIMUM, TRAINED, by_period
from schedlab.studies.legrand2018.periods import Surface
from schedlab.studies.legrand2018.statistics import Evidence
from schedlab.studies.legrand2018.tables import about

CLAIMS = claims_of("legrand2018")
LEARNED = "weights learned from the training periods"


def claim(start):
    return claim_of("legrand2018", start).test


def check(evidence):
    return check_results(CLAIMS, statistics.kinds(evidence), about(evidence.experiment))


def evidence(runs=None, found=None, space=None):
    runs = pure() if runs is None else runs
    space = surface() if space is None else space
    rows = by_period(space, runs, 200_000, (2, 4))
    return Evidence(experiment(), rows, runs, space, search() if found is None else found)


@pytest.fixture(autouse=True)
def few_resamples(monkeypatch):
    """Draw 199 times, so that 4 resamples may disagree and not 5."""
    monkeypatch.setattr(statistics, "RESAMPLES", 199)


def long_evidence(**values):
    """Put simulations of 40 weeks together, 20 to learn from and 20 to test on."""
    runs, space = pure(40, **values), surface(40)
    trace = experiment(pieces=40, train=(1, 20), test=(21, 40))
    rows = by_period(space, runs, 200_000, (1, 20))
    return Evidence(trace, rows, runs, space, search(40))


@pytest.mark.slow
def test_every_claim_states_its_resampled_share():
    checked = check(long_evidence())
    assert len(checked) == len(CLAIMS) >= 9
    assert checked["result"].isin(["holds", "fails"]).all()
    assert checked["found"].str.contains(r"true of (?:100|0).0% of resamples").all()


def test_six_weeks_decide_no_claim():
    checked = check(evidence())
    assert set(checked["result"]) == {"undecided"}
    assert checked["found"].str.endswith("too few windows to decide").all()
    assert [statistics.blocks(weeks) for weeks in (5, 6, 16, 17, 18, 20)] == [2, 3, 5, 5, 6, 6]


def test_drawn_weeks_are_shared_by_all_and_keep_training_and_testing_apart():
    given = long_evidence()
    trace = experiment(pieces=40, train=(3, 20), test=(21, 38))
    given = Evidence(trace, given.table, given.pure, given.surface, given.search)
    assert [len(part) for part in statistics.parts_of(given)] == [18, 18, 4]
    drawn = list(statistics.resampled(given))
    weeks = np.array([one.weeks for one in drawn])
    assert len(drawn) == 199
    for part in (np.arange(3, 21), np.arange(21, 39), np.array([1, 2, 39, 40])):
        assert set(weeks[:, part - 1].ravel()) == set(part)
    one = drawn[0]
    own = list(one.weeks)
    assert one.all()["saf"] == pytest.approx(given.table.loc[own, "saf"].sum())
    assert one.test()[OPTIMUM] == pytest.approx(given.table.loc[own[20:38], OPTIMUM].sum())
    assert one.space().values == pytest.approx(given.surface.values[np.array(own) - 1])
    assert one.under(72_000)["sqf"] == given.under(72_000)["sqf"] == 160
    ten = given.search.assign(value=given.search["piece"])
    other = Evidence(trace, given.table, given.pure, given.surface, ten, one.weeks)
    assert other.searched(3) == sum(own)


@pytest.mark.parametrize(
    ("saf", "measured", "holds"),
    [
        (2.0, "best SAF 12.00, then SQF 24.00", True),
        (4.0, "best SAF 24.00, then SQF 24.00", True),
        (4.5, "best SQF 24.00, then SAF 27.00", False),
        (9.0, "best SQF 24.00, then FCFS 48.00", False),
    ],
)
def test_saf_is_best_or_is_not(saf, measured, holds):
    """Of policies that are best together the one that stands first is named."""
    assert claim("SAF has the lowest")(evidence(pure(saf=saf))) == (measured, holds)


def sums_of(**values):
    """Evidence in which policies have these sums over all periods and over the testing ones."""
    names = {"optimum": OPTIMUM, "trained": TRAINED, "greedy": GREEDY}
    table = pd.DataFrame(
        {names.get(name, name): [0, 0, 0, 0, value, 0] for name, value in values.items()}
    )
    table.index += 1
    return Evidence(experiment(), table, pure(), surface(), search())


@pytest.mark.parametrize(
    ("start", "name", "training", "sums"),
    [
        ("the best weights of each", OPTIMUM, 40.0, "60.00, SAF 100.00: ratio 0.600"),
        (f"{LEARNED} are", TRAINED, 1.0, "20.00, SAF 16.00: ratio 1.250"),
        ("the best weights of the previous", GREEDY, 99.0, "20.00, SAF 16.00: ratio 1.250"),
    ],
)
def test_optimum_uses_all_weeks_and_learned_policies_the_test_weeks(start, name, training, sums):
    """Weeks 5 and 6 are to test on: SAF has 10 and 6 there, and 84 in the others."""
    weeks = {"saf": [84.0, 0, 0, 0, 10, 6], name: [0, 0, 0, training, 12, 8]}
    given = Evidence(
        experiment(), pd.DataFrame(weeks, index=range(1, 7)), pure(), surface(), search()
    )
    assert claim(start)(given)[0] == f"{name} {sums}"


@pytest.mark.parametrize(("optimum", "holds"), [(11.0, True), (11.001, False)])
def test_exactly_55_percent_is_far_below(optimum, holds):
    assert claim("the best weights of each")(sums_of(saf=20.0, optimum=optimum))[1] == holds


@pytest.mark.parametrize(
    ("trained", "holds"), [(109.99, True), (110.01, False), (90.01, True), (89.99, False)]
)
def test_about_saf_is_within_a_tenth_of_it(trained, holds):
    """Table 2 prints 778.44 next to 721.54: 1.079."""
    assert claim(f"{LEARNED} are")(sums_of(saf=100.0, trained=trained))[1] == holds


@pytest.mark.parametrize(
    ("trained", "place", "holds"),
    [(1.5, 1, True), (2.5, 2, True), (4.5, 3, False), (8.5, 4, False)],
)
def test_best_or_second_best_is_place_one_or_two(trained, place, holds):
    found = claim(f"{LEARNED} rank")(sums_of(saf=2, sqf=4, fcfs=8, trained=trained))
    assert found == (f"place {place} of 4", holds)


@pytest.mark.parametrize(("greedy", "holds"), [(100.01, True), (100.0, False), (99.99, False)])
def test_the_weights_of_the_week_before_are_worse_than_saf_or_are_not(greedy, holds):
    assert claim("the best weights of the previous")(sums_of(saf=100.0, greedy=greedy))[1] == holds


@pytest.mark.parametrize(
    ("value", "away", "holds"),
    # with the loosest threshold they are 75, 50 and 10 % away: 45 %
    [(7.0, "12.5%", True), (4.4, "45.0%", False), (11.5, "43.8%", True), (20.0, "150.0%", False)],
)
def test_a_threshold_pulls_to_fcfs_or_does_not(value, away, holds):
    """FCFS has 8 a week; above and below it are as far away from it."""
    runs = pure(laf=8.8)
    tight = runs["threshold"].eq(72_000).fillna(False)
    runs.loc[tight & (runs["policy"] != "fcfs"), "avebsld"] = value
    words = f"mean distance from FCFS 45.0% with no threshold, {away} with 20 hours"
    assert claim("a low threshold")(evidence(runs)) == (words, holds)


def test_no_threshold_is_the_loosest_in_any_order():
    runs = pure()
    loosest = runs["threshold"].eq(604_800).fillna(False)
    runs.loc[loosest & (runs["policy"] != "fcfs"), "avebsld"] = 7.0
    runs["threshold"] = runs["threshold"].mask(loosest)
    for thresholds in [(None, 72_000, 200_000), (200_000, 72_000, None)]:
        given = Evidence(experiment(thresholds=thresholds), table(), runs, surface(), search())
        words = "mean distance from FCFS 12.5% with no threshold, 62.5% with 20 hours"
        assert claim("a low threshold")(given) == (words, False)


HALVES = np.array([[q, 1 - abs(q), 0] for q in (-1.0, -0.5, -0.3, 0, 0.2, 0.6, 1)])


@pytest.mark.parametrize(
    ("last", "words", "holds"),
    [
        ([2, 3, 4], "mean 12.00 over q >= 0, 12.00 over q <= 0; lower or equal in 75%", False),
        ([0, 1, 2], "mean 10.00 over q >= 0, 12.00 over q <= 0; lower or equal in 100%", True),
    ],
)
def test_smallest_first_is_better_or_is_not(last, words, holds):
    """Means of three vectors on either side: 5 and 3, 3 and 3, 3 and 3, 1 and that of the last.

    The vector without q is on both sides and in neither mean.
    """
    weeks = [[3, 4, 8, 100, 1, 2, 6], [2, 2, 5, 100, 3, 3, 3], [2, 2, 5, 100, 3, 3, 3]]
    weeks.append([1, 1, 1, 100, *last])
    space = Surface(HALVES, np.arange(1, 5), np.array(weeks, dtype=float))
    given = Evidence(experiment(), table(), pure(), space, search())
    assert claim("the half of the space")(given) == (f"{words} of the periods", holds)


def searches(three, six=()):
    """Searches that find these numbers, a week each, with three and with six features."""
    rows = [
        (week, features, value, 10, *[1 / 6] * 6)
        for features, values in ((3, three), (6, six))
        for week, value in enumerate(values, start=1)
    ]
    return pd.DataFrame(rows, columns=list(search())).astype(search().dtypes)


@pytest.mark.parametrize(
    ("found", "words", "holds"),
    [
        ([21.0, 30.0], "xNES 51.00, coverage 50.00", True),
        ([21.0, 30.01], "xNES 51.01, coverage 50.00", False),
        ([1.0, 2.0], "xNES 3.00, coverage 50.00", True),
    ],
)
def test_the_search_finds_the_optimum_or_does_not(found, words, holds):
    """The best of the first week is 20, of the second 30: 51 is 2 % above their sum."""
    space = Surface(np.eye(3), np.arange(1, 3), np.array([[20.0, 70, 90], [80, 30, 30]]))
    given = Evidence(experiment(), table(), pure(), space, searches(found, [9.0]))
    assert claim("xNES finds")(given) == (words, holds)


@pytest.mark.parametrize(
    ("six", "words", "holds"),
    [
        ([9.0, 10.0], "six 19.00, three 20.00", True),
        ([9.0, 9.99], "six 18.99, three 20.00", False),
        ([9.0, 11.0], "six 20.00, three 20.00", True),
        ([9.0, 11.01], "six 20.01, three 20.00", False),
    ],
)
def test_six_features_add_little_or_do_not(six, words, holds):
    given = Evidence(experiment(), table(), pure(), surface(), searches([5.0, 15.0], six))
    assert claim("six features")(given) == (words, holds)


def test_every_claim_is_tested_on_its_section():
    """Each with its section, in the order of the paper's sections that say it first.

    Tests of the weeks as they are; resamples of so few decide nothing.
    """
    weeks = {OPTIMUM: 1.0, TRAINED: 2.5, GREEDY: 2.0, "saf": 2.0, "fcfs": 8.0, "sqf": 4.0}
    space = Surface(HALVES, np.arange(1, 2), np.array([[3.0, 4, 8, 1, 4, 5, 6]]))
    rows = pd.DataFrame(weeks, index=range(1, 7))
    given = Evidence(experiment(), rows, pure(), space, searches([1.0], [0.9]))
    assert list(check(evidence())) == ["trace", "ran_on", "claim", "where", "found", "result"]
    found = check_results(CLAIMS, {"": given}, {})
    assert found[["where", "found", "result"]].to_numpy().tolist() == [
        ["section 6.1", "best SAF 12.00, then SQF 24.00", "holds"],
        ["section 7.1", "w* 6.00, SAF 12.00: ratio 0.500", "holds"],
        ["section 7.2.1", "w*_train 5.00, SAF 4.00: ratio 1.250", "fails"],
        ["section 9", "place 2 of 4", "holds"],
        ["section 7.2.2", "w_greedy 4.00, SAF 4.00: ratio 1.000", "fails"],
        [
            "section 10",
            "mean distance from FCFS 62.5% with no threshold, 62.5% with 20 hours",
            "fails",
        ],
        [
            "section 7.3",
            "mean 5.00 over q >= 0, 5.00 over q <= 0; lower or equal in 100% of the periods",
            "fails",
        ],
        ["section 8.1.2", "xNES 1.00, coverage 1.00", "holds"],
        ["section 8.1.2", "six 0.90, three 1.00", "fails"],
    ]


def test_claims_without_periods_are_not_available():
    nothing = Evidence(experiment(), table(0), pure(0), surface(0), search(0))
    checked = check(nothing)
    assert set(checked["result"]) == {NOT_AVAILABLE}
    assert count(checked) == "No claim was tested: nothing ran on the paper's logs."


def test_claims_are_not_tested_on_a_stand_in():
    """What was measured is shown, and that it says nothing of the paper's logs."""
    model = Evidence(experiment(**ON_MODEL), table(), pure(), surface(), search())
    checked = check(model)
    assert set(checked["result"]) == {NOT_AVAILABLE}
    assert checked["found"].str.contains(r"\d").all()
    assert count(checked) == "No claim was tested: nothing ran on the paper's logs."
