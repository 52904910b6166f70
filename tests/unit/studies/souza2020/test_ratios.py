"""Ratios of waits compared with the published ones, by hand."""

import numpy as np
import pandas as pd
import pytest

from schedlab.studies.souza2020.tables.ratios import (
    AGREES,
    COLUMNS,
    DIFFERS,
    OPEN,
    UNPRINTED,
    headline,
    outcome_of_ratio,
    ratios,
)
from souza_case import printed

ROW = {"experiment": "x", "system": "System 2", "source": "LOG", "request": "4h"}
ROW |= {"accrue": True, "load": 0.9, "cores": (320,)}
WAITS = {"Big Job": 100, "Per-Stage": 150, "ASA": 120, "All at once": 110}
#: printed waits of one scale: Per-Stage 1.5 times, ASA 0.8 times that
PRINT = printed(
    {
        f"{name} 320": [100, 0, 0, 150, 0, 0, 120, 0, 0]
        for name in ("Montage", "BLAST", "Statistics")
    }
)


def runs(waits=WAITS, instants=8, factors=None):
    """Runs whose waits are those times a factor by instant."""
    factors = factors or [1] * instants
    rows = [
        (replicate, 320, strategy, "ASA" if strategy == "ASA" else "-", workflow, wait * factor)
        for replicate, factor in enumerate(factors)
        for strategy, wait in waits.items()
        for workflow in ("Montage", "BLAST", "Statistics")
    ]
    columns = ["replicate", "scale", "strategy", "estimator", "workflow", "twt"]
    return pd.DataFrame(rows, columns=columns)


def overall_ratios(table):
    return table[table["of"] == "all"].set_index("ratio")


def test_ratios_are_of_sums_over_instants():
    table = ratios([ROW], {"x": runs()}, PRINT)
    assert list(table) == COLUMNS
    found = overall_ratios(table)
    assert found["computed"].tolist() == pytest.approx([1.5, 0.8, 1.2, 110 / 150])
    assert found["printed"].tolist()[:3] == pytest.approx([1.5, 0.8, 1.2])
    assert found["outcome"].tolist() == [AGREES] * 3 + [UNPRINTED]
    assert found[["above", "below"]].to_numpy().tolist() == [[8, 0], [0, 8], [8, 0], [0, 8]]
    assert found["p"].tolist() == pytest.approx([2 / 2**8] * 4)
    wide = table.iloc[-1]
    assert (wide["of"], wide["computed"], wide["printed"], wide["outcome"]) == (
        "320 cores",
        1,
        1,
        AGREES,
    )


def test_instants_with_the_most_waiting_are_trimmed():
    """Of ten instants one has nearly all waiting, and a ratio of 3; the others have one of 1.5."""
    frame = runs(factors=[1] * 9 + [1000])
    crowded = (frame["replicate"] == 9) & (frame["strategy"] == "Per-Stage")
    frame.loc[crowded, "twt"] *= 2
    found = overall_ratios(ratios([ROW], {"x": frame}, PRINT)).loc["Per-Stage ÷ Big Job"]
    assert found["computed"] == pytest.approx((9 * 150 + 300_000) / (9 * 100 + 100_000))
    assert found["trimmed"] == pytest.approx(1.5)


def test_zero_waits_have_a_ratio_of_one():
    found = overall_ratios(ratios([ROW], {"x": runs(dict.fromkeys(WAITS, 0))}, PRINT))
    assert found["computed"].tolist() == [1, 1, 1, 1]
    assert found[["above", "below", "p"]].to_numpy().tolist() == [[0, 0, 1]] * 4


def test_single_instant_is_undecided():
    found = overall_ratios(ratios([ROW], {"x": runs(instants=1)}, PRINT)).iloc[0]
    assert (found["low"], found["high"], found["outcome"]) == (-np.inf, np.inf, OPEN)


@pytest.mark.parametrize(
    ("printed_ratio", "low", "high", "outcome"),
    [
        (1.5, 1.5, 2.0, AGREES),
        (1.5, 1.501, 2.0, DIFFERS),
        (1.5, 1.2, 1.499, DIFFERS),
        (1.5, 1.2, 1.5, AGREES),
        (1.5, 1.001, 1.8, AGREES),
        (1.5, 1.0, 1.8, OPEN),  # 1 lies inside, and 1.8 is 1.2 times as much
        (1.0, 0.91, 1.1, AGREES),  # 1 lies inside, but nothing is 1.1 times off
        (1.0, 0.909, 1.1, OPEN),
        (1.0, 0.91, 1.101, OPEN),
        (np.nan, 1.2, 1.3, UNPRINTED),
    ],
)
def test_ratio_agrees_only_with_an_informative_interval(printed_ratio, low, high, outcome):
    assert outcome_of_ratio(printed_ratio, low, high, 1) == outcome


@pytest.mark.parametrize(
    ("printed_ratio", "low", "high", "outcome"),
    [
        (1.02, 1.0, 1.1, AGREES),
        (1.02, 1.0, 1.101, OPEN),
        (1.02, 1.101, 1.2, DIFFERS),
        (5.0, 1.0, 1.1, DIFFERS),
        (5.0, 1.101, 1.2, AGREES),
    ],
)
def test_waits_of_one_scale_are_equal_on_the_same_side_as_in_print(
    printed_ratio, low, high, outcome
):
    assert outcome_of_ratio(printed_ratio, low, high, 1.1) == outcome


def test_background_with_most_ratios_is_first():
    other = ROW | {"experiment": "y", "source": "OTHER", "request": "own", "accrue": False}
    flat = dict.fromkeys(WAITS, 100)
    table = ratios([other, ROW], {"x": runs(), "y": runs(flat)}, PRINT)
    said = headline(table)
    assert said.startswith("Each system has 13 published ratios of waits. LOG, all request 4h")
    assert (
        "(System 2): 13 agree, 0 differ, 0 undecided, joint p = 1. OTHER, jobs request their"
        in said
    )
    assert said.endswith(
        "do not accrue age (System 2): 1 agree, 12 differ, 0 undecided, joint p = 0.0001."
    )


def test_printed_ratios_are_tested_together_on_the_same_resamples():
    """Where waits of Big Jobs scatter all ratios to them do, those of ASA to Per-Stage do not."""
    frame = runs(instants=9)
    frame["twt"] = frame["twt"].astype(float)
    own = frame["strategy"] == "Big Job"
    frame.loc[own, "twt"] *= 1 + 0.1 * (frame.loc[own, "replicate"] - 4) / 4
    table = ratios([ROW], {"x": frame}, PRINT)
    assert table["joint"].nunique() == 1
    assert table["joint"].iloc[0] > 0.05
    worse = PRINT.assign(**{"ASA TWT": "121"})
    found = ratios([ROW], {"x": frame}, worse)
    # 121 / 150 is no ratio of any resample, and 121 / 100 is one of many
    assert found["joint"].iloc[0] < 0.05
    assert np.isnan(ratios([ROW], {"x": runs(instants=1)}, PRINT)["joint"]).all()


def test_without_runs_there_are_no_ratios():
    table = ratios([ROW], {"x": runs(instants=0).iloc[:0]}, PRINT)
    assert table.empty
    assert headline(table).startswith("Nothing ran")
