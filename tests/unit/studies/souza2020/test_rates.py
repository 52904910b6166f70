"""Rates of 1 compared with the configured ones: learners and differences."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.souza2020.convergence import convergence, steps
from schedlab.studies.souza2020.figures.rates import (
    TABLE,
    draw_rates,
    headline,
    of_figure,
    of_games,
    of_runs,
    of_series,
)
from schedlab.waits.backtest_predictors import ASA, FALLING, learners_of
from schedlab.waits.settings import Settings
from souza_case import runs

FEW = Settings((10, 100, 1000), repetitions=5)
SYSTEMS = {28: "System 1", 160: "System 2"}


def games(*rows):
    """Games of theorem 1: learner, share that kept the bound, result."""
    made = pd.DataFrame(rows, columns=["learner", "coverage", "result"])
    made = made.assign(losses="constant", alternatives=4, delta=0.05)
    return made.assign(low=made["coverage"] - 0.1, high=made["coverage"] + 0.1)


def submissions_with(**columns):
    """Submissions of Table 2 by learner, one a replicate: hits, the rest 0."""
    parts = []
    for name, hits in ((ASA, columns["asa"]), (FALLING, columns["falling"])):
        part = pd.DataFrame({"hit": hits, "replicate": range(len(hits)), "estimator": name})
        parts.append(part.assign(spacing="a minute apart", workflow="Montage", scale=28))
    zero = dict.fromkeys(["WT", "ASA WT", "miss", "OV", "closest"], 0.0)
    return pd.concat(parts, ignore_index=True).assign(**zero, PWT=np.nan)


def test_one_learner_is_as_configured_and_one_has_falling_rates():
    given = Settings((1, 2), rate=0.5, power=0.75)
    found = learners_of(given)
    assert found[ASA] == given
    assert (found[FALLING].rate, found[FALLING].power) == (1, 0.5)
    assert found[FALLING].alternatives == (1, 2)


def test_hits_are_those_of_figure_5():
    found = of_figure(FEW, 200, 6).set_index(["where", "measure"])
    came = steps(convergence(FEW, 200, 6), 6).groupby("policy")[["early", "late"]].mean()
    assert list(found.columns) == [name for name in TABLE if name not in ("where", "measure")]
    for policy in ("default", "tuned"):
        for when in ("early", "late"):
            row = found.loc[(policy, when)]
            assert row[ASA] == pytest.approx(100 * came.loc[policy, when])
            assert row["change"] == pytest.approx(row[FALLING] - row[ASA])
            assert row["change low"] <= row["change"] <= row["change high"]


def test_games_with_both_rates_are_in_one_row_with_intervals():
    row = of_games(games((ASA, 0.5, "fails"), (FALLING, 0.75, "holds"))).iloc[0]
    assert (row["where"], row["what"], row["measure"]) == ("constant", "m = 4", "δ = 0.05")
    assert (row[ASA], row[FALLING], row["change"]) == (50, 75, 25)
    assert (row[f"{ASA} low"], row[f"{FALLING} high"]) == pytest.approx((40, 85))
    assert np.isnan(row["change low"])


def test_runs_are_compared_at_the_same_instant():
    """Waits differ by 40 between instants, and by 10 between learners at each of them."""
    waits = {("ASA", ASA): [10, 50, 90], ("ASA", FALLING): [0, 40, 80], ("Big Job", "-"): [9] * 3}
    own = runs({key: [100, 200, 300] for key in waits}, waits=waits)
    for systems, where in ((SYSTEMS, "System 1"), (None, "Montage 28")):
        found = of_runs(own, systems).set_index("measure")
        assert set(found["where"]) == {where}
        assert found.index.tolist() == ["TWT", "makespan", "CH"]
        row = found.loc["TWT"]
        assert (row[ASA], row[FALLING]) == (50, 40)
        assert (row["change"], row["change low"], row["change high"]) == (-10, -10, -10)
        assert row[f"{ASA} low"] < 50 < row[f"{ASA} high"]
        assert found.loc["makespan", "change"] == 0


def test_a_system_is_the_mean_over_its_scales_and_workflows():
    both = {("ASA", ASA): [10, 10], ("ASA", FALLING): [20, 20]}
    more = {("ASA", ASA): [10, 10], ("ASA", FALLING): [50, 50]}
    makespans = {key: [1, 1] for key in both}
    own = pd.concat([runs(makespans, waits=both), runs(makespans, workflow="BLAST", waits=more),
                     runs(makespans, scale=160, waits=both)])  # fmt: skip
    found = of_runs(own, SYSTEMS)
    change = found[found["measure"] == "TWT"].set_index("where")["change"]
    assert change.to_dict() == {"System 1": 25, "System 2": 10}
    assert len(of_runs(own)) == 9


def test_series_are_compared_by_replicate_without_missing_measures():
    found = of_series(submissions_with(asa=[0, 100], falling=[50, 100]), SYSTEMS).set_index(
        "measure"
    )
    assert found.index.tolist() == ["ASA WT", "hit", "miss", "OV", "closest"]
    row = found.loc["hit"]
    assert (row[ASA], row[FALLING], row["change"]) == (50, 75, 25)
    assert (row["change low"], row["change high"]) == (0, 50)


def test_headline_states_changed_bounds_and_waits():
    played = games((ASA, 0.5, "fails"), (FALLING, 1, "holds"))
    waits = {("ASA", ASA): [10, 10], ("ASA", FALLING): [8, 6]}
    table = pd.concat(
        [of_figure(FEW, 200, 4), of_games(played),
         of_runs(runs({key: [1000, 3000] for key in waits}, waits=waits), SYSTEMS)]
    )  # fmt: skip
    said = headline(table, played, ["System 1", "System 2"])
    assert " Of 1 bounds in games of theorem 1, 1 hold and 0 fail (0 and 1 as configured). " in said
    assert said.endswith(
        "Changes on System 1: waits under ASA (s) -3 (-4 to -2), makespans (s) +0 (+0 to +0)."
    )
    assert "System 2" not in said


def test_headline_without_a_log_is_about_the_learner_only():
    none = runs({})
    stages = submissions_with(asa=[], falling=[])
    assert of_runs(none, SYSTEMS).empty
    assert of_series(stages, SYSTEMS).empty
    played = games((ASA, 0.5, "fails"), (FALLING, 1, "holds"))
    table = pd.concat([of_figure(FEW, 200, 4), of_games(played)], ignore_index=True)
    assert headline(table, played, ["System 1"]).endswith(" (0 and 1 as configured).")
    assert len(draw_rates(table, "nothing").axes) == 6
