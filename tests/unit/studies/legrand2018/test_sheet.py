"""The experiment sheet of legrand2018."""

from pathlib import Path

import pandas as pd
import pytest

from period_case import experiment
from schedlab.core.jobs import jobs_by_piece
from schedlab.core.splitting import split
from schedlab.files.config import ConfigError
from schedlab.learning.weights.mixed import evaluate_pure
from schedlab.studies.legrand2018 import sheet as periods
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf
from sheet_case import rows_after, rows_of

ROOT = Path(__file__).parents[4]


@pytest.fixture(scope="module")
def traces():
    return rows_of("legrand2018")


def test_legrand2018_has_four_traces_by_weeks_and_by_months(traces):
    weeks = {row.label: row.pieces for row in traces.values() if row.split == "log_weeks"}
    assert weeks == {"SDSC-SP2": 100, "SDSC-BLUE": 100, "CTC-SP2": 45, "KTH-SP2": 45}
    months = {row.label: row.train for row in traces.values() if row.split == "log_months"}
    assert months == {
        "SDSC-SP2": (1, 10),
        "SDSC-BLUE": (1, 10),
        "CTC-SP2": (1, 5),
        "KTH-SP2": (1, 5),
    }


def test_sdsc_sp2_is_trained_and_tested_on_the_papers_weeks(traces):
    row = traces["sdsc_sp2_weeks"]
    assert (row.train, row.test, row.space) == ((28, 64), (65, 100), (70, 73))
    assert row.thresholds == (604_800, 200_000, 72_000)


def test_each_trace_is_run_as_it_was_and_as_the_text_reads(traces):
    """Of the text the pure policies alone."""
    settings = {
        (row.dialect, row.cleaning, row.tau, row.thresholds[0], row.split)
        for row in traces.values()
        if row.unit == "weeks"
    }
    assert settings == {
        ("ocs", "rr9212", 60, 604_800, "log_weeks"),
        ("lifo", "rr9212_weeks", 10, None, "weeks"),
    }
    text = [row for row in traces.values() if row.dialect == "lifo"]
    assert [[*row.items.values()] for row in text] == [
        ["table3_text"],
        ["table4_text"],
        ["table6_text"],
        ["table5_text"],
    ]
    assert not any(row.is_own for row in traces.values())


def test_weights_are_searched_in_the_dialect_of_their_kernel():
    with pytest.raises(ConfigError, match="'mixed_item': weights are searched in the dialect ocs"):
        experiment(dialect="lifo", search_item=None, space_item=None, sensitivity=False)
    alone = {"mixed_item": None, "search_item": None, "space_item": None, "space": None}
    assert experiment(dialect="lifo", **alone).dialect == "lifo"


def test_stand_in_is_split_without_a_clock():
    assert experiment().on_model().split == "weeks"


def test_every_figure_of_legrand2018_has_a_row(traces):
    cells = ("best_item", "mixed_item", "search_item", "space_item", "months_item")
    drawn = [item for row in traces.values() for cell in cells if (item := getattr(row, cell))]
    assert sorted(drawn) == sorted(
        [f"fig{number}" for number in range(2, 15)] + [f"fig15{panel}" for panel in "abcd"]
    )


def test_fewer_periods_are_halved_and_the_last_four_drawn():
    row = experiment(pieces=20, space=(9, 12)).limited(10)
    assert (row.pieces, row.train, row.test, row.space) == (10, (1, 5), (6, 10), (7, 10))
    assert row.limited(99) is row


def test_a_range_outside_the_periods_is_an_error():
    with pytest.raises(ConfigError, match=r"^column 'test': 5-9 does not lie within"):
        experiment(test=(5, 9))


def test_threshold_must_be_one_of_the_thresholds():
    with pytest.raises(ConfigError, match="column 'thresholds' lacks 5"):
        experiment(threshold=5)


def test_thresholds_with_the_same_name_are_rejected():
    """The paper calls a week none: next to none it would be lost, a second less is not."""
    with pytest.raises(ConfigError, match="'thresholds': none and 604800 would stand in one row"):
        experiment(threshold=5, thresholds=(None, 604_800, 5))
    assert experiment(threshold=5, thresholds=(None, 604_799, 5)).thresholds[1] == 604_799


def test_wrong_range_is_reported_with_file_line_and_column(tmp_path):
    with pytest.raises(ConfigError, match=r"sheet\.tsv:2: column 'train'"):
        rows_after("legrand2018", tmp_path, ("28-64", "28 to 64"))


@pytest.mark.parametrize(
    ("cell", "written", "words"),
    [
        ("saf,spf,", "spf,", r"sheet\.tsv: .*'sdsc_sp2_weeks': column 'policies' lacks saf"),
        ("saf,spf,", "saf,spff,", r"sheet\.tsv:2: column 'policies': .* did you mean 'spf'"),
        ("65-100", "60-100", "column 'test': 60-100 and the training weeks 28-64 overlap"),
        ("weeks\tSDSC-BLUE", "weeks\tSDSC-SP2", r"'label': two rows are of SDSC-SP2 by log_weeks"),
    ],
)
def test_cells_that_do_not_go_together_are_errors(tmp_path, cell, written, words):
    with pytest.raises(ConfigError, match=words):
        rows_after("legrand2018", tmp_path, (cell, written), count=1)


OWN = {
    "label": "MINE",
    "thresholds_item": "table_mine",
    "best_item": "fig_mine_best",
    "mixed_item": None,
    "space": None,
    "space_item": None,
    "search_item": None,
    "sensitivity": False,
}


def test_trace_without_numbered_items_is_a_user_trace():
    assert experiment(**OWN).is_own
    assert not experiment(**OWN | {"best_item": "fig2"}).is_own
    assert not experiment().is_own


def test_trace_by_months_is_a_panel_of_figure_15_or_a_separate_figure():
    rows = [experiment(months_item=item) for item in ("fig15b", "fig_mine_months", None)]
    assert [(row.months_figure, row.panel) for row in rows] == [
        ("fig15", "b"),
        ("fig_mine_months", ""),
        (None, ""),
    ]


@pytest.mark.parametrize("item", ["fig1", "fig15", "fig_online", "fig2_own", "fig_mine_comparison"])
def test_item_named_like_another_rule_is_rejected(item):
    with pytest.raises(ConfigError, match=f"column 'best_item': '{item}' is the name of"):
        experiment(best_item=item)


def test_an_item_of_two_rows_is_an_error(tmp_path):
    words = r"sheet\.tsv: experiment 'sdsc_blue_weeks': column 'best_item': 'fig2' .* twice"
    with pytest.raises(ConfigError, match=words):
        rows_after("legrand2018", tmp_path, ("fig6", "fig2"))


def test_user_traces_are_accepted_with_the_drawn_trace():
    config = {"source": "logs", "legrand2018": {"weeks": None, "months": None}}
    rows = [experiment(), experiment(**OWN | {"space": (1, 4), "space_item": "fig_mine_space"})]
    periods.check(rows, "sheet.tsv", config)
    with pytest.raises(ConfigError, match=r"'space_item': one trace by weeks .* 0 rows have"):
        periods.check(rows[1:], "sheet.tsv", config)


# log, policy, week, mean: from plain Python that reads the logs and shares no line with the project
ORACLE = Path(__file__).parents[3] / "oracles/rr9212_weeks.tsv"
PROCESSORS = {"KTH-SP2": 100, "CTC-SP2": 338, "SDSC-SP2": 128, "SDSC-BLUE": 1152}
POLICIES = ("saf", "lexp")
THRESHOLD = 72_000
EVERY = ("saf", "spf", "lexp", "sqf", "sexp", "lrf", "srf", "fcfs", "lcfs", "lpf", "lqf", "laf")


@pytest.mark.logs
@pytest.mark.parametrize("name", PROCESSORS)
def test_every_week_has_the_mean_of_the_oracle(raw_log, name):
    jobs, _ = clean(read_swf(raw_log(name)).jobs, "rr9212", name)
    weeks = jobs_by_piece(split(jobs, "log_weeks"))
    oracle = pd.read_csv(ORACLE, sep="\t").query("log == @name")
    wanted = oracle.pivot(index="week", columns="policy", values="mean")
    assert len(wanted) == {"KTH-SP2": 45, "CTC-SP2": 45}.get(name, 100)
    for week, row in wanted.iterrows():
        found = evaluate_pure(weeks[week], PROCESSORS[name], POLICIES, THRESHOLD, tau=60)
        assert found.tolist() == pytest.approx(row[list(POLICIES)].tolist(), abs=2e-9), week


@pytest.mark.logs
@pytest.mark.parametrize("name", PROCESSORS)
def test_sums_in_log_order_differ_by_at_most_0_2_percent(raw_log, name):
    """What the page and the captions of the mixed policies say."""
    jobs, _ = clean(read_swf(raw_log(name)).jobs, "rr9212", name)
    weeks = jobs_by_piece(split(jobs, "log_weeks"))
    last = 45 if name in ("KTH-SP2", "CTC-SP2") else 100
    exact, in_order = (
        sum(
            evaluate_pure(weeks[week], PROCESSORS[name], EVERY, 200_000, tau=60, dialect=dialect)
            for week in range(1, last + 1)
        )
        for dialect in ("ocs", "ocs_in_order")
    )
    off = abs(in_order / exact - 1).max()
    assert 0 < off <= 0.002
