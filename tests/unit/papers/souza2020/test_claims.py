"""Claims: a case on either side of every number that decides a word."""

import pandas as pd
import pytest

from schedlab.papers.souza2020 import claims
from schedlab.papers.souza2020.claims import NO, YES, Evidence
from schedlab.papers.souza2020.tables.runs import COLUMNS
from schedlab.report.verdicts import NOT_AT_HAND


def evidence(**rows):
    """Table 1: numbers by run, the rest 100."""
    found = []
    for run, cells in rows.items():
        given = {name.replace("_", " "): value for name, value in cells.items()}
        row = {"run": run.replace("_", " ")} | dict.fromkeys(COLUMNS, 100.0)
        found.append(row | {name.replace("Per ", "Per-"): one for name, one in given.items()})
    return Evidence(pd.DataFrame(found), pd.DataFrame())


@pytest.mark.parametrize(("makespan", "holds"), [(102, True), (102.1, False)])
def test_makespan_is_at_most_two_per_cent_above(makespan, holds):
    one = evidence(Montage_28={"ASA_makespan": makespan})
    assert claims.makespan_near_big_job(one)[1] == holds


@pytest.mark.parametrize(("hours", "holds"), [(100.19, True), (100.21, False), (99.79, False)])
def test_core_hours_are_near_per_stage(hours, holds):
    one = evidence(Montage_28={"ASA_CH": hours})
    assert claims.core_hours_near_optimal(one)[1] == holds


@pytest.mark.parametrize(("hours", "holds"), [(62, True), (62.1, False), (52, True), (51.9, False)])
def test_core_hours_are_43_per_cent_below(hours, holds):
    assert claims.core_hours_below_big_job(evidence(BLAST_28={"ASA_CH": hours}))[1] == (holds)


@pytest.mark.parametrize(("asa", "holds"), [(99, True), (100, False)])
def test_every_scale_of_system_2_must_be_shorter(asa, holds):
    rows = {f"Montage_{scale}": {"ASA_makespan": 90} for scale in (160, 320)}
    one = evidence(**rows, Montage_640={"ASA_makespan": asa}, Montage_28={"ASA_makespan": 200})
    assert claims.shorter_than_per_stage("Montage")(one)[1] == holds


@pytest.mark.parametrize(("makespan", "holds"), [(101, True), (100, False)])
def test_per_stage_is_longer(makespan, holds):
    one = evidence(Montage_28={"Per_Stage_makespan": makespan})
    assert claims.per_stage_is_longer("Montage")(one)[1] == holds


@pytest.mark.parametrize(("makespan", "holds"), [(102, True), (102.1, False)])
def test_blast_differs_by_two_per_cent(makespan, holds):
    one = evidence(BLAST_28={"ASA_makespan": makespan})
    assert claims.blast_is_alike(one)[1] == holds


@pytest.mark.parametrize(("makespan", "holds"), [(200, True), (199, False)])
def test_twice_is_twice(makespan, holds):
    one = evidence(Statistics_320={"Per_Stage_makespan": makespan}, Statistics_640={})
    assert claims.sometimes_twice(one)[1] == holds


@pytest.mark.parametrize(("wait", "holds"), [(101, True), (100, False)])
def test_system_2_waits_longer(wait, holds):
    one = evidence(BLAST_28={}, BLAST_160={"Big_Job_TWT": wait})
    assert claims.system2_waits_longer(one)[1] == holds


@pytest.mark.parametrize(("wait", "holds"), [(100, True), (99, False)])
def test_waits_grow(wait, holds):
    one = evidence(Montage_28={}, Montage_56={"Big_Job_TWT": wait})
    assert claims.waits_grow_with_cores(one)[1] == holds


@pytest.mark.parametrize(
    ("wait", "hours", "holds"), [(11, 8, True), (10, 8, False), (11, 7, False)]
)
def test_naive_waits_longer_and_uses_more(wait, hours, holds):
    rows = [("ASA", 10, 7), ("ASA Naive", wait, hours)]
    means = pd.DataFrame(rows, columns=["strategy", "twt", "core_hours"])
    means = means.assign(workflow="Montage", scale=112, estimator="ASA")
    assert claims.naive_idles(Evidence(pd.DataFrame(), means))[1] == holds


def series():
    rows = [
        {"run": f"Montage {scale}", "miss": 0.0, "PWT": 1.0, "WT": 1.0, "WT ahead": 2.0}
        for scale in (28, 56, 112, 160, 320, 640)
    ]
    # no stage of it is submitted ahead on all cores
    rows += [{"run": f"BLAST {scale}", "WT": 1.0} for scale in (28, 112, 640)]
    return pd.DataFrame(rows).assign(spacing="a minute apart")


def held(*cells):
    table = series()
    for run, column, value in cells:
        table.loc[table["run"] == run, column] = value
    return table


@pytest.mark.parametrize(("miss", "holds"), [(0, True), (0.1, False)])
def test_no_misses_are_none(miss, holds):
    assert claims.no_misses(held(("Montage 640", "miss", miss)))[1] == holds


@pytest.mark.parametrize(("miss", "holds"), [(1, True), (0, False)])
def test_misses_fall_from_28_to_112_cores(miss, holds):
    assert claims.misses_fall(held(("Montage 28", "miss", miss)))[1] == holds


@pytest.mark.parametrize(("perceived", "holds"), [(1.9, True), (2, False)])
def test_perceived_waits_are_less_everywhere(perceived, holds):
    assert claims.perceived_is_less(held(("Montage 320", "PWT", perceived)))[1] == holds


def steps(tuned=(0.6, 0.6), default=(0.1, 0.1), greedy=(0.9, 0.0), early=(0.2, 0.1)):
    rows = []
    for policy, late, first in (
        ("tuned", tuned, early[0]),
        ("default", default, early[1]),
        ("Greedy", greedy, 0.0),
    ):
        rows += [(policy, step, wait, first, late[step]) for step, wait in enumerate((100, 50))]
    return pd.DataFrame(rows, columns=["policy", "step", "wait", "early", "late"])


@pytest.mark.parametrize(("late", "holds"), [(0.51, True), (0.5, False)])
def test_a_policy_comes_to_a_wait_that_more_than_half_hit(late, holds):
    assert claims.tuned_converges(steps(tuned=(0.9, late)))[1] == holds
    assert claims.greedy_fails(steps(greedy=(0.9, late)))[1] != holds


@pytest.mark.parametrize(("early", "holds"), [((0.2, 0.1), True), ((0.1, 0.1), False)])
def test_tuned_is_faster(early, holds):
    assert claims.tuned_is_faster(steps(early=early))[1] == holds


@pytest.mark.parametrize(("word", "holds"), [(YES, True), (NO, False)])
def test_the_bound_holds_in_all_games(word, holds):
    assert claims.bound_holds(pd.DataFrame({"holds": [YES, word]}))[1] == holds


def test_on_a_model_only_the_learner_is_held_against_the_paper():
    kinds = {claims.CURVES: steps(), claims.GAMES: pd.DataFrame({"holds": [YES]})}
    checked = claims.check(kinds, held=False)
    queued = [claim.on in claims.QUEUED for claim in claims.CLAIMS]
    assert set(checked[queued]["holds"]) == {NOT_AT_HAND}
    assert claims.count(checked) == "4 of 4 claims hold."
