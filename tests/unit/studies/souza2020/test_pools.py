"""Beyond the paper: the pool compared with the strategies, and the sentences on it."""

import numpy as np
import pandas as pd
import pytest

from figure_faults import faults_of
from schedlab.report.claims import FEWEST
from schedlab.studies.souza2020.figures import pools as of_pools
from schedlab.studies.souza2020.figures.pools import (
    COMPARED,
    CORE_HOURS,
    LESS,
    MAKESPAN,
    MORE,
    OPEN,
    WORST,
    WORST_RUN,
    draw_pools,
    pooled_runs,
    pools,
    show_pools,
    summary,
)
from schedlab.studies.souza2020.pools import COUPLED, NO_LIMIT, POOLS, Pooling
from schedlab.studies.souza2020.runs import KEYS, OF_RATIOS, POOLED, STAGES
from schedlab.waits.pool import StageTasks, Tasks
from schedlab.waits.pool_submission import POOL
from schedlab.waits.workflows import of_groups
from souza_case import runs, stage
from words_case import words_of

SENTENCE = words_of("souza2020")["sentences"]["beyond_pool"]
SYSTEMS = {28: "System 1", 160: "System 2"}
EQUAL = (100,) * 6


def headline(table):
    return of_pools.headline(table, SENTENCE)


def pooled(pool, other=EQUAL, scale=28, workflow="Montage", hours=(7.0, 7.0), idle=0.0):
    """Runs with a pool, and of everything that it is compared with, by instant."""
    names = [*OF_RATIOS, *POOLED]
    makespans = {one: pool if one[0] == POOL else other for one in names}
    used = {
        one: [hours[0] if one[0] == POOL else hours[1]] * len(values)
        for one, values in makespans.items()
    }
    found = runs(makespans, scale, workflow, hours=used)
    found.loc[found["strategy"] == POOL, "idle_hours"] = idle
    return found.assign(used_hours=found["core_hours"] - found["idle_hours"], reruns=0)


def row_of(table, strategy="Per-Stage"):
    return table.set_index("strategy").loc[strategy]


def test_stages_are_divided_as_read():
    montage = of_groups("Montage", "PS", 3, 8, 5)
    whole, divided = StageTasks(1, (Tasks(1, 5, 5),)), StageTasks(1, (Tasks(12, 2, 2),))
    assert POOLS[POOL].tasks_of(montage) == [divided, whole]
    assert POOLS["Pool, 1 task a core"].tasks_of(montage)[0] == StageTasks(1, (Tasks(3, 8, 8),))
    assert POOLS["Pool, 16 tasks a core"].tasks_of(montage)[0].tasks == (Tasks(24, 1, 1),)
    endless = POOLS["Pool, no limits of tasks"].tasks_of(montage)[0]
    assert endless == StageTasks(1, (Tasks(12, 2, NO_LIMIT),))
    # parallel stages of Statistics are one task on all cores
    statistics = of_groups("Statistics", "PS", 3, 8, 5)
    assert POOLS[POOL].tasks_of(statistics) == [StageTasks(3, (Tasks(1, 8, 8),)), whole]
    assert POOLS["Pool, Statistics divided"].tasks_of(statistics) == [divided, whole]
    assert Pooling().whole == COUPLED == {"Statistics"}


def test_changes_are_paired_and_in_per_cent_of_the_strategys_mean():
    table = pools(pooled([90, 80, 90, 80, 90, 110]), SYSTEMS)
    row = row_of(table)
    assert row[MAKESPAN] == pytest.approx(-10)
    assert row[f"{MAKESPAN} low"] < -10 < row[f"{MAKESPAN} high"]
    assert (row[WORST], row["longer"]) == (10, pytest.approx(100 / 6))
    assert (row["instants"], row["makespan"]) == (6, 100)
    own = row_of(table, POOL)
    assert own["makespan"] == 90
    assert np.isnan(own[MAKESPAN])
    assert list(table["strategy"]) == [*COMPARED, *POOLS]


@pytest.mark.parametrize(
    ("values", "result"),
    [
        ([99] * 6, LESS),
        ([100] * 6, OPEN),
        ([101] * 6, MORE),
        ([99, 99, 99, 101, 101, 101], OPEN),
        # fewer instants than have a 95 % interval
        ([99] * (FEWEST - 1), OPEN),
        ([101] * (FEWEST - 1), OPEN),
    ],
)
def test_result_is_that_of_the_interval(values, result):
    table = pools(pooled(values, [100] * len(values)), SYSTEMS)
    assert row_of(table)[f"{MAKESPAN} result"] == result


@pytest.mark.parametrize(
    ("hours", "result", "text"),
    [
        ((6.9, 7.0), LESS, "Its core-hours are significantly fewer than those of Big Job (-1.43%)"),
        ((7.0, 7.0), OPEN, "core-hours are not significantly different from those of any strategy"),
        ((7.1, 7.0), MORE, "Its core-hours are significantly more than those of Big Job (+1.43%)"),
    ],
)
def test_core_hours_have_their_own_result(hours, result, text):
    table = pools(pooled(EQUAL, hours=hours, idle=0.5), SYSTEMS)
    assert row_of(table)[f"{CORE_HOURS} result"] == result
    assert text in headline(table)
    said = f"A workflow uses {hours[0] - 0.5:.1f} core-hours in the pool, and 0.5 more idle."
    assert said in headline(table)


def test_runs_are_of_the_compared_strategies_with_their_reruns():
    idle = {"core_seconds": 3600, "idle_core_seconds": 1800}
    strategies = [
        stage(strategy=strategy, estimator=estimator, **idle)
        for strategy, estimator in (*OF_RATIOS, ("ASA", "last wait"))
    ]
    parts = [
        stage(strategy=POOL, stage=name, reruns=count, **idle)
        for name, count in (("a", 2), ("b", 3))
    ]
    found = pooled_runs(pd.DataFrame(strategies), pd.DataFrame(parts)).set_index("strategy")
    assert list(found.index) == [*COMPARED, POOL]
    names = ["used_hours", "idle_hours", "core_hours", "reruns"]
    assert found.loc[POOL, names].tolist() == [2, 1, 3, 5]
    assert found.loc["ASA", names].tolist() == [1, 0.5, 1.5, 0]


def test_worst_run_is_named_beside_the_mean():
    better, worse = pooled([80] * 6), pooled([104] * 6, workflow="BLAST")
    table = pools(pd.concat([better, worse]), SYSTEMS)
    row = row_of(table)
    assert row[MAKESPAN] == pytest.approx(-8)
    assert (row[WORST_RUN], row[f"{WORST_RUN} (%)"]) == ("BLAST 28", pytest.approx(4))
    said = headline(table)
    assert "BLAST 28 does worst on average: +4.00% against Big Job." in said
    assert "At the worst instant the mean makespan changes by -8.00% against Big Job." in said


@pytest.mark.parametrize(
    ("values", "said", "readings"),
    [
        ([99] * 6, "makespans are significantly shorter than under Big Job (-1.00%)", True),
        ([100] * 6, "makespans are not significantly different from those of any", False),
        ([101] * 6, "makespans are significantly longer than under Big Job (+1.00%)", True),
    ],
)
def test_sentences_state_what_the_intervals_include(values, said, readings):
    text = headline(pools(pooled(values), SYSTEMS))
    assert f"System 1: with a pool, {said}" in text
    sign = "+" if values[0] < 100 else "-"
    assert (f"changes makespans significantly: 1 task a core ({sign}1.00%)" in text) is readings
    assert ("No other reading of the pool changes makespans significantly." in text) is not readings


def test_finding_counts_the_strategies_of_both_systems():
    both = [pooled([99] * 6, hours=(8.0, 7.0)), pooled([101] * 6, scale=160, hours=(6.0, 7.0))]
    table = pools(pd.concat(both), SYSTEMS)
    found = summary(table)
    assert found == (
        "With a pool, makespans are significantly shorter in 5 and longer in 5 of 10 comparisons "
        "with strategies, core-hours fewer in 5 and more in 5"
    )
    figure = draw_pools(table, "what ran on which data")
    assert " ".join(figure.get_suptitle().split()) == found
    assert not faults_of(figure)
    labels = [text.get_text() for text in figure.legends[0].get_texts()]
    assert labels[-1] == "worst instant"


def test_nothing_ran_without_a_log():
    facts = {"source": "RICC", "workload": "RICC", "system": "System 1", "cores": (28,)}
    nothing, words = pd.DataFrame(columns=[*STAGES, *KEYS]), {"beyond_pool": {"sentence": SENTENCE}}
    table, picture, text = show_pools(nothing, nothing, [facts], words)
    assert table.rows.empty
    assert "log behind the systems is not available" in text
    assert not faults_of(picture.figure)
