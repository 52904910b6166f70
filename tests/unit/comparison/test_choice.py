"""The recommended scheduler follows from the rule; each better-looking one has true reasons."""

import re
from functools import cache

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE
from schedlab.comparison.choice import CHOSEN, RANKED_BY, choose, rule_of, why_not
from schedlab.comparison.conditions import Condition
from schedlab.comparison.schedulers import REFERENCE, SCHEDULERS, labels_of
from schedlab.comparison.standing import BETTER, WORSE, compare_by_metric
from schedlab.comparison.tables import YES, survivors
from schedlab.core.metrics import CONTEST, METRICS, shown_in, window_metrics
from schedlab.core.windows import WHOLE
from words_case import text_of

LABELS = {"a": "Log A", "b": "Log B"}
NAMES = [REFERENCE, *("spf", "saf", "f1", "lcfs", "saf_2d", "conservative", "plan_rs", "easy_pp")]
DAY = 86_400
SCORED = list(shown_in(CONTEST))
#: tables with many candidates, one and none
SEEDS = (0, 1, 5, 9, 11, 12, 14, 23)
SLURM = Condition("can run in Slurm", {"plan_rs": "Slurm cannot run it", REFERENCE: "it is first"})


def random_results(stream):
    """Rows of one or two logs: random ratios to EASY, longest waits, and schedulers that lack."""
    rows = []
    for log in list(LABELS)[: stream.integers(1, 3)]:
        base = stream.lognormal(3, 0.6, 8)
        lacking = stream.choice([*NAMES[1:], ""], 2)
        for name in NAMES:
            if name in lacking:
                continue
            level = {metric: stream.choice([0.5, 0.9, 1, 1, 1.05, 1.3]) for metric in SCORED}
            spread = stream.lognormal(0, 0.15, (len(base), len(SCORED)))
            level, spread = ({}, spread * 0 + 1) if name == REFERENCE else (level, spread)
            for window, value in enumerate(base):
                row = {
                    metric: value * level.get(metric, 1.0) * spread[window, place]
                    for place, metric in enumerate(SCORED)
                }
                longest = DAY * stream.choice([0.2, 1.9, 2.1, 6.5, 20])
                row["max_wait"] = 2.0 * DAY if name == REFERENCE else longest
                ids = {"experiment": log, "scheduler": name, "window": window, "jobs": 9}
                rows.append(ids | row)
    return pd.DataFrame(rows)


def chosen_from(results, youth, advice, further):
    standings = {metric: compare_by_metric(results, metric) for metric in window_metrics()}
    table = survivors(standings, advice["most_loss"])
    choice = choose(standings, table, results, youth, LABELS, advice, further)
    return standings, table, choice


def true_obstacles(name, results, standings, youth, advice, further):
    """Recompute which conditions a scheduler lacks, as words that its reason must contain."""
    found = []
    logs = results["experiment"].unique()
    rows = results[results["scheduler"] == name]
    if set(rows["experiment"]) != set(logs):
        found.append("did not run on")
    verdicts = {metric: one.ratios.loc[name, "verdict"] for metric, one in standings.items()}
    ratios = {metric: one.ratios.loc[name, "ratio"] for metric, one in standings.items()}
    if list(verdicts.values()).count(BETTER) <= list(verdicts.values()).count(WORSE):
        found.append("compared with" if name == REFERENCE else "better than EASY by")
    lost = [
        METRICS[metric].label
        for metric, verdict in verdicts.items()
        if verdict == WORSE and (ratios[metric] < 1 / 1.1 if METRICS[metric].more else
                                 ratios[metric] > 1.1)
    ]  # fmt: skip
    if lost:
        found.append(f"is worse by {lost[0]} ({ratios_words(standings, name, lost[0])} times")
    whole = rows[rows["window"] == WHOLE]
    if (whole["max_wait"] > 3 * 2.0 * DAY).any():
        found.append(f"is {whole['max_wait'].max() / DAY:.1f} days, beyond 3 times EASY's 2.0")
    if name in youth and not advice["allow_youth"]:
        found.append("puts younger jobs first")
    return found + [one.reasons[name] for one in further if name in one.reasons]


def ratios_words(standings, name, label):
    metric = next(one for one in window_metrics() if METRICS[one].label == label)
    return f"{standings[metric].ratios.loc[name, 'ratio']:.2f}"


@cache
def case(seed):
    """A random table, the settings of the rule, and the choice."""
    stream = np.random.default_rng(seed)
    results = random_results(stream)
    youth = frozenset(stream.choice(NAMES[1:], 2))
    advice = ADVICE | {"allow_youth": bool(stream.integers(2))}
    further = (SLURM,) if stream.integers(2) else ()
    return results, youth, advice, further, *chosen_from(results, youth, advice, further)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_better_looking_scheduler_is_listed_with_all_its_true_reasons(seed):
    results, youth, advice, further, standings, table, choice = case(seed)
    rows = table.set_index("name")
    obstacles = {
        name: true_obstacles(name, results, standings, youth, advice, further)
        for name in rows.index
    }
    # the recommended one is what the rule gives
    combined = (standings["wait"].ratios["ratio"] * standings["bsld"].ratios["ratio"]) ** 0.5
    candidates = [name for name in rows.index if not obstacles[name]]
    assert list(choice.order) == sorted(candidates, key=combined.get)
    recommended = choice.order[0] if candidates else REFERENCE
    # the table lists those that look better, and no other
    numbers = pd.DataFrame({metric: standings[metric].ratios["ratio"] for metric in RANKED_BY})
    numbers["gains"] = -rows["better"]
    ahead = (numbers < numbers.loc[recommended]).any(axis=1)
    labels = labels_of(list(rows.index))
    shown = why_not(choice, standings, table).set_index("scheduler")
    assert set(shown.index) == {labels[name] for name in {*ahead[ahead].index, recommended}}
    assert list(shown["why"] == CHOSEN) == [True] + [False] * (len(shown) - 1)
    assert shown.index[0] == labels[recommended]
    for name in ahead[ahead].index:
        row = shown.loc[labels[name]]
        assert row[list(RANKED_BY)].tolist() == numbers.loc[name, list(RANKED_BY)].tolist()
        assert row[["better", "worse"]].tolist() == rows.loc[name, ["better", "worse"]].tolist()
        for words in obstacles[name]:
            assert words in row["why"]
        assert row["why"] == "; ".join(choice.reasons(name))
        if obstacles[name]:
            assert len(choice.reasons(name)) == len(obstacles[name])
        else:
            match = re.match(
                rf"the combined ratio of {labels[recommended]} is (.+) times", row["why"]
            )
            assert float(match[1]) == pytest.approx(
                combined[recommended] / combined[name], abs=5e-4
            )
            assert float(match[1]) <= 1


def test_random_tables_have_each_obstacle_and_candidates_that_are_behind():
    seen = " ".join(
        text for seed in SEEDS for text in why_not(case(seed)[-1], *case(seed)[4:6])["why"]
    )
    words = ["did not run on Log B", "better than EASY by", "is worse by", "beyond 3 times"]
    words += ["younger", "Slurm cannot", "combined ratio of", CHOSEN]
    assert [word for word in words if word not in seen] == []


def test_rule_has_a_line_per_condition_and_the_limits_of_the_configuration():
    results = random_results(np.random.default_rng(1))
    advice = ADVICE | {"longest_wait": 2.5, "most_loss": 0.2}
    choice = chosen_from(results, frozenset(), advice, (SLURM,))[2]
    first, *conditions = text_of("arena", "rule", rule_of(choice)).split("\n")
    assert "geometric mean of its ratios to EASY by mean wait and mean bounded slowdown" in first
    assert len(conditions) == len(choice.conditions)
    text = " ".join(conditions)
    assert "2.5 times EASY's longest one" in text
    assert "by more than 20%" in text
    assert "It does not put younger jobs first." in text
    assert "It can run in Slurm." in text
    allowed = chosen_from(results, frozenset(), advice | {"allow_youth": True}, ())[2]
    assert "younger" not in " ".join(rule_of(allowed)["clauses"])


def test_candidates_are_the_survivors_without_a_long_wait():
    results = random_results(np.random.default_rng(2))
    advice = ADVICE | {"longest_wait": 1000, "allow_youth": True}
    _, table, choice = chosen_from(results, frozenset(), advice, ())
    assert set(choice.order) == set(table.loc[table["survives"] == YES, "name"])
    assert set(SCHEDULERS) >= set(choice.order)
