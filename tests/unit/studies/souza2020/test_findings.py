"""Titles of souza2020's figures follow their numbers in both directions."""

import pandas as pd
import pytest

from schedlab.studies.souza2020.figures import beyond
from schedlab.studies.souza2020.figures.diagrams import core_hours, done
from schedlab.studies.souza2020.figures.lines import bounds, late_hits, reached
from schedlab.studies.souza2020.figures.makespans import sooner


def test_core_hours_and_ends_are_those_of_each_strategy():
    table = pd.DataFrame(
        [("Big Job", 10, 0, 3600), ("ASA", 10, 0, 1800), ("ASA", 10, 1800, 2400)],
        columns=["strategy", "cores", "start", "end"],
    )
    assert core_hours(table) == "Core-hours allocated: 10 (Big Job) and 7 (ASA)"
    assert done(table) == "Workflow ends after 60 min (Big Job) and 40 min (ASA)"


def test_late_hits_are_those_of_the_last_twenty():
    rows = [("Greedy", case, float(case >= 10)) for case in range(30)]
    curves = pd.DataFrame(rows, columns=["policy", "case", "hit"])
    assert late_hits(curves) == "Hit rate of the last 20 estimates: 100 % (Greedy)"
    curves.loc[10, "hit"] = 0
    assert "95 % (Greedy)" in late_hits(curves)
    curves.loc[9, "hit"] = 1
    assert "95 % (Greedy)" in late_hits(curves)


@pytest.mark.parametrize(("makespan", "count"), [(1.99, 1), (2.0, 0)])
def test_scales_are_counted_where_asa_is_done_before(makespan, count):
    rows = [(28, "ASA", makespan), (28, "ASA", makespan), (28, "Per", 2.0)]
    stacks = pd.DataFrame(rows, columns=["scale", "bar", "makespan"])
    text = sooner(stacks, "BLAST")
    assert text.startswith("BLAST: ")
    assert f"at {count} of 1 scales" in text


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("holds", "1 of 1 games hold, 0 fail, 0 are"),
        ("fails", "0 of 1 games hold, 1 fails, 0 are"),
        ("undecided", "0 of 1 games hold, 0 fail, 1 is"),
    ],
)
def test_games_are_counted_as_by_the_claim_on_the_bound(outcome, words):
    keys = {"losses": "l", "alternatives": 4, "learner": "ASA"}
    kept = [keys | {"delta": 0.05, "result": "holds"}, keys | {"delta": 0.5, "result": outcome}]
    text = bounds(pd.DataFrame(kept))
    assert text == f"Bound of theorem 1: {words} undecided"


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [(0.0, 1.0, "up in 0, down in 0"), (0.01, 1.0, "up in 1, down in 0"),
     (-1.0, 0.0, "up in 0, down in 0"), (-1.0, -0.01, "up in 0, down in 1")],
)  # fmt: skip
def test_differences_are_reported_if_the_interval_excludes_zero(low, high, words):
    table = pd.DataFrame({"change low": [low], "change high": [high]})
    assert words in beyond.moved(table, "change", "it")


def test_backgrounds_count_once():
    rows = [("a", "reached"), ("a", "reached"), ("b", "not reached")]
    tried = pd.DataFrame(rows, columns=["experiment", "printed wait"])
    assert reached(tried) == "1 of 2 backgrounds reach the published wait"
