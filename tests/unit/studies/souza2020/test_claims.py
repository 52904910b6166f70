"""Claims: a case on either side of every limit."""

import pandas as pd
import pytest

from claim_case import claim_of, claims_of
from schedlab.report.claims import StandIn, check_results, count, outcomes
from schedlab.report.comparison import read_published
from schedlab.studies.souza2020 import statistics
from schedlab.waits.backtest_predictors import ASA, FALLING
from souza_case import runs


def claim(start):
    """Return the test of the claim whose words begin so."""
    return claim_of("souza2020", start).test


BIG, STAGES, ASA_RUN = ("Big Job", "-"), ("Per-Stage", "-"), ("ASA", "ASA")
HUNDRED = (100, 100)


def hours(other, asa):
    """Runs of two replicates with core-hours of ASA, and 100 of another strategy."""
    keys = {other: HUNDRED, ASA_RUN: asa}
    return runs(keys, hours=keys)


def of_scales(workflow, made, scales):
    """Evidence of one workflow: results of each strategy at the last scale, and at the others."""
    parts = [
        runs({key: both[scale != scales[-1]] for key, both in made.items()}, scale, workflow)
        for scale in scales
    ]
    return pd.concat(parts, ignore_index=True)


def of_blast(asa):
    """Makespans of BLAST at two scales, and another workflow's."""
    keys = {BIG: HUNDRED, STAGES: HUNDRED, ASA_RUN: asa}
    other = runs({BIG: [1, 1], ASA_RUN: [9, 9]})
    return pd.concat([*(runs(keys, scale, "BLAST") for scale in (28, 56)), other])


def growing(last):
    """Waits of Montage that grow with every scale up to the last; 10 on 320 cores."""
    scales = (*statistics.SYSTEMS[1], *statistics.SYSTEMS[2])
    waits = [(10,) * 2 if scale == 320 else (step,) * 2 for step, scale in enumerate(scales)]
    waits[-1] = last
    steps = zip(scales, waits, strict=True)
    return pd.concat([runs({BIG: own}, scale, waits={BIG: own}) for scale, own in steps])


def naive(waits, used):
    other = ("ASA Naive", "ASA")
    waited, core_hours = {other: waits, ASA_RUN: (10, 10)}, {other: used, ASA_RUN: (7, 7)}
    return runs({other: (1, 1), ASA_RUN: (1, 1)}, 112, waits=waited, hours=core_hours)


#: by claim: evidence from values, and values for which it holds, fails or is undecided; of two
#: replicates every interval reaches from one to the other
CASES = {
    "ASA's makespan is at most": (
        lambda asa: runs({BIG: HUNDRED, ASA_RUN: asa, ("ASA", "last wait"): [900, 900]}),
        {(102, 102): True, (102.1, 102.1): False, (102, 102.1): None, (90, 102): True},
    ),
    "ASA's core-hours are within": (
        lambda asa: hours(STAGES, asa),
        {(100.19, 100.19): True, (99.81, 100.19): True, (100.21, 100.21): False}
        | {(99.79, 99.79): False, (100.19, 100.21): None, (99.79, 100): None},
    ),
    "ASA's core-hours are about": (
        lambda asa: hours(BIG, asa),
        {(62, 62): True, (52, 62): True, (62.1, 62.1): False, (51.9, 51.9): False}
        | {(61.9, 62.1): None, (51.9, 52.1): None},
    ),
    "on System 2 ASA makes Montage": (
        lambda asa: of_scales(
            "Montage", {STAGES: (HUNDRED,) * 2, ASA_RUN: (asa, (90, 90))}, statistics.SYSTEMS[2]
        ),
        {(99, 99): True, (100, 100): False, (99, 101): None, (99, 100): None},
    ),
    "Montage takes longer": (
        lambda own: pd.concat(
            of_scales("Montage", {BIG: (HUNDRED,) * 2, STAGES: (own, own)}, scales)
            for scales in ((28, 56, 112), (160, 320, 640))
        ),
        {(101, 101): True, (100, 100): False, (99, 101): None, (90, 99): False},
    ),
    # in the mean over two scales, of one of which ASA is as far above as of the other
    "the makespans of BLAST": (
        of_blast,
        {(102, 102): True, (102.1, 102.1): False, (101.9, 102.1): None, (100, 102): True},
    ),
    "Statistics on 320": (
        lambda own: of_scales(
            "Statistics", {BIG: (HUNDRED,) * 2, STAGES: (own, (150, 150))}, (320, 640)
        ),
        {(201, 201): True, (199, 199): False, (199, 202): None, (200, 200): False},
    ),
    "waits of Montage grow": (
        growing,
        {(11, 11): True, (10, 10): False, (9, 12): None, (9, 9): False},
    ),
    "without dependencies": (
        lambda both: naive(*both),
        {((11, 12), (8, 9)): True, ((10, 12), (8, 9)): None, ((9, 10), (8, 9)): False}
        | {((11, 12), (7, 7)): False, ((10, 12), (7, 7)): False, ((11, 12), (6, 9)): None},
    ),
}


@pytest.mark.parametrize(
    ("start", "values", "holds"),
    [(start, *case) for start, (_, cases) in CASES.items() for case in cases.items()],
)
def test_claim_about_runs_holds_fails_or_is_undecided(start, values, holds):
    evidence, _ = CASES[start]
    assert claim(start)(evidence(values))[1] is holds


def test_makespans_are_of_all_runs_of_an_instant():
    found = [
        runs({BIG: HUNDRED, ASA_RUN: made}, workflow=workflow)
        for workflow, made in (("Montage", [110, 90]), ("BLAST", [90, 110]))
    ]
    one = pd.concat(found)
    assert claim("ASA's makespan is at most")(one) == ("+0.00%, +0.00 to +0.00", True)


@pytest.mark.slow
def test_of_blast_the_strategy_farthest_above_decides():
    """Another one is above at one scale, and so 1.5 % above in the mean over both."""
    keys = {
        ("Big Job", "-"): [103, 103],
        ("Per-Stage", "-"): [100, 100],
        ("ASA", "ASA"): [100, 100],
    }
    flat = {key: [100, 100] for key in keys}
    more = {("All at once", "-"): [900, 900]}
    scales = ((28, keys | more), (56, flat | more))
    parts = [runs(own, scale=scale, workflow="BLAST") for scale, own in scales]
    said, holds = claim("the makespans of BLAST")(pd.concat(parts, ignore_index=True))
    assert (said, holds) == (
        "Big Job +1.50%, Per-Stage +0.00%, ASA +0.00%; the most +1.50 to +1.50",
        True,
    )
    alone = pd.concat([part[part["replicate"] == 0] for part in parts])
    assert claim("the makespans of BLAST")(alone)[1] is None


def print_of(root, item):
    return read_published(root / "resources/souza2020/published.tsv", item)


def test_claims_that_contradict_the_published_tables_fail(root):
    printed = print_of(root, "table1")
    assert claim("in Table 1, ASA")(printed) == ("ASA 1280 s, Big Job 1261 s", False)
    assert claim("in Table 1, Statistics")(printed) == ("at most 1.85 times", False)
    assert claim("in Table 1, Big Job")(printed) == ("in 11 of 18 runs", False)
    assert claim("stages use fewer")(printed)[1] is False
    said = "69 and 89% are no shares of 60; all are shares of 120"
    assert claim("hits are shares")(print_of(root, "table2")) == (said, False)


def test_claims_about_published_tables_hold_if_the_numbers_do(root):
    printed = print_of(root, "table1")
    printed.loc["Montage 56", "ASA makespan"] = "1260"
    assert claim("in Table 1, ASA")(printed)[1] is True
    printed.loc["Montage 56", "ASA makespan"] = "1261"
    assert claim("in Table 1, ASA")(printed)[1] is False
    printed.loc["Statistics 28", ["Per-Stage makespan", "Big Job makespan"]] = ["200", "100"]
    assert claim("in Table 1, Statistics")(printed)[1] is True
    printed["Big Job CH"] = "999"
    assert claim("in Table 1, Big Job")(printed)[1] is True
    sixty = pd.DataFrame({"hit": ["100", "68", "87"]})
    assert claim("hits are shares")(sixty)[1] is True


def series():
    rows = [
        {"run": f"Montage {scale}", "PWT": 1.0, "WT": 1.0, "WT ahead": 2.0}
        for scale in (28, 56, 112, 160, 320, 640)
    ]
    # no stage of it is submitted ahead on all cores
    rows += [{"run": f"BLAST {scale}", "WT": 1.0} for scale in (28, 112, 640)]
    table = pd.DataFrame(rows).assign(spacing="a minute apart")
    missed = table["run"].str.startswith("Montage")
    for column in ("miss", "miss low", "miss high"):
        table.loc[missed, column] = 0.0
    for end in ("low", "high"):
        table.loc[missed, f"WT ahead less PWT {end}"] = 1.0
    return table


def table2_with(*cells):
    table = series()
    for run, column, value in cells:
        table.loc[table["run"] == run, column] = value
    return table


@pytest.mark.parametrize(("miss", "holds"), [(0, True), (0.1, False)])
def test_no_misses_claim_holds_only_at_zero(miss, holds):
    assert claim("no stage is")(table2_with(("Montage 640", "miss", miss)))[1] == holds


@pytest.mark.parametrize(
    ("few", "many", "holds"),
    [
        ((3, 5), (1, 2.9), True),
        ((3, 5), (1, 3), None),
        ((3, 5), (4.9, 6), None),
        ((3, 5), (5, 6), False),
    ],
)
def test_misses_fall_if_intervals_of_28_and_112_cores_do_not_overlap(few, many, holds):
    cells = [
        (f"Montage {cores}", f"miss {end}", value)
        for cores, ends in ((28, few), (112, many))
        for end, value in zip(("low", "high"), ends, strict=True)
    ]
    assert claim("larger jobs have")(table2_with(*cells))[1] is holds


@pytest.mark.parametrize(
    ("low", "high", "holds"), [(0.1, 1, True), (0, 1, None), (-1, 0.1, None), (-1, 0, False)]
)
def test_perceived_waits_are_less_everywhere(low, high, holds):
    """In all other runs they are by an hour, and of BLAST nothing is known."""
    cells = (
        ("Montage 320", "WT ahead less PWT low", low),
        ("Montage 320", "WT ahead less PWT high", high),
    )
    assert claim("perceived waits are")(table2_with(*cells))[1] is holds


def steps(tuned=(0.6, 0.6), default=(0.1, 0.1), greedy=(0.9, 0.0), early=(0.2, 0.1)):
    rows = []
    for policy, late, first in (
        ("tuned", tuned, early[0]),
        ("default", default, early[1]),
        ("Greedy", greedy, 0.0),
    ):
        rows += [(policy, step, wait, first, late[step]) for step, wait in enumerate((100, 50))]
    table = pd.DataFrame(rows, columns=["policy", "step", "wait", "early", "late"])
    # every interval reaches 0.04 to either side
    for name in ("early", "late"):
        table[f"{name} low"], table[f"{name} high"] = table[name] - 0.04, table[name] + 0.04
    return table


@pytest.mark.parametrize(
    ("late", "holds"), [(0.541, True), (0.539, None), (0.461, None), (0.459, False)]
)
def test_policy_converges_if_more_than_half_of_the_late_cases_hit(late, holds):
    assert claim("the tuned policy converges to every")(steps(tuned=(0.9, late)))[1] is holds
    fails = None if holds is None else not holds
    assert claim("the greedy policy")(steps(greedy=(0.9, late)))[1] is fails


@pytest.mark.parametrize(
    ("early", "holds"),
    [((0.181, 0.1), True), ((0.179, 0.1), None), ((0.1, 0.179), None), ((0.1, 0.181), False)],
)
def test_tuned_is_faster(early, holds):
    assert claim("the tuned policy converges to a new")(steps(early=early))[1] is holds


def games(*rows):
    """Games of theorem 1: losses, alternatives, delta, holds; with rates as configured, and of 1.

    Those of 1 hold as the others do, but where a row says otherwise.
    """
    names = ["losses", "alternatives", "delta", "result"]
    played = [row[:4] for row in rows], [(*row[:3], row[-1]) for row in rows]
    made = [
        pd.DataFrame(own, columns=names).assign(learner=name)
        for name, own in zip((ASA, FALLING), played, strict=True)
    ]
    return pd.concat(made, ignore_index=True)


@pytest.mark.parametrize(
    ("word", "falling", "holds"),
    [
        ("holds", "holds", True),
        ("fails", "holds", False),
        ("holds", "fails", False),
        ("undecided", "holds", None),
        ("holds", "undecided", None),
        ("undecided", "fails", False),
    ],
)
def test_bound_claim_needs_all_games_each_counted_once(word, falling, holds):
    played = [
        ("constant", 4, 0.05, "holds"),
        ("constant", 53, 0.05, word, falling),
        ("constant", 53, 0.5, "holds"),
    ]
    said = (
        f"as configured, {outcomes(['holds', word], 'games')}; with falling rates, "
        f"{outcomes(['holds', falling], 'games')}"
    )
    assert claim("regret is within")(games(*played)) == (said, holds)


def test_on_a_model_only_claims_about_the_learner_are_decided():
    kinds = {"curves": steps(), "games": games(("constant", 4, 0.5, "holds"))}
    series = {"series": StandIn(table2_with(("Montage 28", "miss high", 1)))}
    checked = check_results(claims_of("souza2020"), kinds | series, {})
    assert count(checked) == "4 of 4 claims hold, 0 fail, 0 are undecided."
    assert (checked["found"] != "").sum() == 7
