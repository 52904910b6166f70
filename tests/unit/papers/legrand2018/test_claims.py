"""The paper's claims, held against what was simulated: those that hold and those that fail."""

import pytest

from period_case import experiment, pure, search, surface, table
from schedlab.papers.legrand2018 import claims
from schedlab.report.verdicts import NOT_AT_HAND
from schedlab.tuning.adaptation import by_period


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


@pytest.mark.parametrize(("saf", "holds"), [(4.0, True), (2.5, False)])
def test_the_optimum_is_far_below_saf_or_is_not(saf, holds):
    assert claims.optimum_is_far_below(evidence(pure(saf=saf)))[1] == holds


@pytest.mark.parametrize(("saf", "holds"), [(2.5, True), (8.0, False)])
def test_what_was_learned_is_about_saf_or_is_not(saf, holds):
    assert claims.trained_is_about_saf(evidence(pure(saf=saf)))[1] == holds


@pytest.mark.parametrize(("others", "holds"), [(4.0, True), (1.0, False)])
def test_what_was_learned_is_among_the_first_two_or_is_not(others, holds):
    runs = pure(saf=others, sqf=others, fcfs=others)
    assert claims.trained_is_first_or_second(evidence(runs))[1] == holds


@pytest.mark.parametrize(("saf", "holds"), [(1.0, True), (8.0, False)])
def test_the_weights_of_the_week_before_are_worse_than_saf_or_are_not(saf, holds):
    assert claims.greedy_is_worse(evidence(pure(saf=saf)))[1] == holds


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


@pytest.mark.parametrize(("factor", "holds"), [(1.0, True), (1.4, False)])
def test_the_search_finds_the_optimum_or_does_not(factor, holds):
    found = search()
    found["value"] *= factor
    assert claims.search_finds_the_optimum(evidence(found=found))[1] == holds


@pytest.mark.parametrize(("six", "holds"), [(1.9, True), (2.1, False), (1.0, False)])
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
    assert claims.count(checked) == "0 of 0 claims hold."
