"""The paper's claims, held against what was simulated: those that hold and those that fail."""

import pandas as pd
import pytest

from period_case import experiment, pure, search, surface, table
from schedlab.papers.legrand2018 import claims
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.tuning.adaptation import GREEDY, OPTIMUM, TRAINED, by_period


def evidence(runs=None, found=None, space=None):
    """Put a trace's simulations together."""
    runs = pure() if runs is None else runs
    space = surface() if space is None else space
    rows = by_period(space, runs, 200_000, (2, 4))
    return claims.Evidence(experiment(), rows, runs, space, search() if found is None else found)


def test_every_claim_says_what_was_measured():
    checked = claims.check(evidence())
    assert len(checked) == len(claims.CLAIMS) >= 9
    assert checked["holds"].isin([claims.YES, claims.NO]).all()
    assert checked["measured"].str.contains(r"\d").all()


@pytest.mark.parametrize(("saf", "holds"), [(2.0, True), (5.0, False)])
def test_saf_is_best_or_is_not(saf, holds):
    measured, found = claims.saf_is_best(evidence(pure(saf=saf)))
    assert found is holds
    assert measured.startswith("best SAF" if holds else "best SQF")


def sums_of(**values):
    """Evidence in which policies have these sums over all periods and over the testing ones."""
    names = {"optimum": OPTIMUM, "trained": TRAINED, "greedy": GREEDY}
    table = pd.DataFrame({names.get(name, name): [value / 6] * 6 for name, value in values.items()})
    table.index += 1
    return claims.Evidence(experiment(), table, pure(), surface(), search())


@pytest.mark.parametrize(("optimum", "holds"), [(54.99, True), (55.01, False)])
def test_far_below_saf_is_at_55_percent_of_it_or_less(optimum, holds):
    """Table 2 prints 376.67 of 691.10 and 357.51 of 721.54: 0.545 and 0.495."""
    assert claims.FAR_BELOW >= 376.67 / 691.10
    assert claims.optimum_is_far_below(sums_of(saf=100.0, optimum=optimum))[1] == holds


@pytest.mark.parametrize(
    ("trained", "holds"), [(109.99, True), (110.01, False), (90.01, True), (89.99, False)]
)
def test_about_saf_is_within_a_tenth_of_it(trained, holds):
    """Table 2 prints 778.44 beside 721.54: 1.079."""
    assert claims.ABOUT >= 778.44 / 721.54 - 1
    assert claims.trained_is_about_saf(sums_of(saf=100.0, trained=trained))[1] == holds


@pytest.mark.parametrize(
    ("trained", "place", "holds"),
    [(1.5, 1, True), (2.5, 2, True), (4.5, 3, False), (8.5, 4, False)],
)
def test_best_or_second_best_is_place_one_or_two(trained, place, holds):
    found = claims.trained_is_first_or_second(sums_of(saf=2, sqf=4, fcfs=8, trained=trained))
    assert found == (f"place {place} of 4", holds)


@pytest.mark.parametrize(("greedy", "holds"), [(100.01, True), (99.99, False)])
def test_the_weights_of_the_week_before_are_worse_than_saf_or_are_not(greedy, holds):
    assert claims.greedy_is_worse(sums_of(saf=100.0, greedy=greedy))[1] == holds


@pytest.mark.parametrize(("value", "holds"), [(7.0, True), (20.0, False)])
def test_a_threshold_pulls_to_fcfs_or_does_not(value, holds):
    runs = pure()
    tight = runs["threshold"].eq(72_000).fillna(False)
    runs.loc[tight & (runs["policy"] != "fcfs"), "avebsld"] = value
    assert claims.thresholds_pull_to_fcfs(evidence(runs))[1] == holds


def test_smallest_first_is_better_or_is_not():
    space = surface()
    assert claims.smallest_first_is_better(evidence())[1]
    space.values[:] = 10 - space.values
    assert not claims.smallest_first_is_better(evidence(space=space))[1]


@pytest.mark.parametrize(("factor", "holds"), [(1.0199, True), (1.0201, False), (0.5, True)])
def test_the_search_finds_the_optimum_or_does_not(factor, holds):
    found = search()
    found["value"] = 2.5 * factor  # the best that the space holds in every week
    assert claims.search_finds_the_optimum(evidence(found=found))[1] == holds


@pytest.mark.parametrize(
    ("six", "holds"), [(1.901, True), (1.899, False), (1.999, True), (2.001, False)]
)
def test_six_features_add_little_or_do_not(six, holds):
    found = search()
    found.loc[found["features"] == 6, "value"] = six
    assert claims.six_features_add_little(evidence(found=found))[1] == holds


def test_a_claim_that_fails_is_told_with_its_figure():
    checked = claims.check(evidence(pure(saf=5.0)))
    assert claims.NO in set(checked["holds"])
    assert "SITE, SAF is the best pure policy in the mean (best SQF" in claims.count(checked)


def test_without_periods_nothing_is_claimed():
    nothing = claims.Evidence(experiment(), table(0), pure(0), surface(0), search(0))
    checked = claims.check(nothing)
    assert set(checked["holds"]) == {NOT_AT_HAND}
    assert claims.count(checked) == "No claim was tested: nothing ran on the paper's logs."


def test_on_a_stand_in_nothing_is_held_against_the_paper():
    """What was measured is shown, and that it says nothing of the paper's logs."""
    model = claims.Evidence(
        experiment(source="lublin_quick_site"), table(), pure(), surface(), search()
    )
    checked = claims.check(model)
    assert set(checked["holds"]) == {NOT_AT_HAND}
    assert checked["measured"].str.contains(r"\d").all()
    assert claims.count(checked) == "No claim was tested: nothing ran on the paper's logs."
