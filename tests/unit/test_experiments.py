"""The experiment sheet, and carastan2017's own."""

from pathlib import Path

import pytest

from period_case import experiment
from schedlab.config import ConfigError
from schedlab.papers.carastan2017.sheet import read_experiments
from schedlab.papers.legrand2018.sheet import read_period_experiments

ROOT = Path(__file__).parents[2]
SHEET = ROOT / "config/experiments/carastan2017.tsv"
SCHEMA = ROOT / "workflow/schemas/carastan2017.schema.yaml"
PERIODS = ROOT / "config/experiments/legrand2018.tsv"
PERIODS_SCHEMA = ROOT / "workflow/schemas/legrand2018.schema.yaml"


@pytest.fixture(scope="module")
def experiments():
    """Experiments of carastan2017 by name."""
    return {row.experiment: row for row in read_experiments(SHEET, SCHEMA)}


@pytest.fixture
def changed_sheet(tmp_path):
    """Write the first two rows of the sheet after a replacement; return the path."""

    def write(old, new):
        lines = SHEET.read_text().splitlines()[:3]
        path = tmp_path / "sheet.tsv"
        path.write_text("\n".join(lines).replace(old, new) + "\n")
        return path

    return write


def test_table4_has_the_papers_18_rows_in_both_dialects(experiments):
    for item, dialect in (("table4", "artefact"), ("table4_full", "full")):
        rows = [row for row in experiments.values() if row.item == item]
        assert (len(rows), {row.dialect for row in rows}) == (18, {dialect})


def test_both_dialects_differ_in_item_dialect_and_cleaning_alone(experiments):
    fields = ("label", "figure", "source", "processors", "numbers", "decisions", "backfill")
    for name, row in experiments.items():
        if row.dialect == "artefact":
            twin = experiments[name.replace("artefact", "full")]
            assert [getattr(row, field) for field in fields] == [
                getattr(twin, field) for field in fields
            ]


def test_policies_stand_in_the_papers_order(experiments):
    assert {row.policies for row in experiments.values()} == {
        ("fcfs", "wfp3", "unicef", "spt", "f4", "f3", "f2", "f1")
    }


def test_pieces_are_the_first_ten(experiments):
    assert experiments["ctc_actual_artefact"].numbers == tuple(range(10))


def test_curie_leaves_sequences_0_and_7_of_twelve_out(experiments):
    assert experiments["curie_actual_artefact"].numbers == (1, 2, 3, 4, 5, 6, 8, 9, 10, 11)


def test_stand_in_is_a_model_with_every_piece(experiments):
    row = experiments["curie_actual_artefact"].on_model()
    assert (row.source, row.is_model, row.numbers) == (
        "lublin_quick_93312",
        True,
        tuple(range(10)),
    )


def test_limited_never_adds_pieces(experiments):
    row = experiments["ctc_actual_artefact"]
    assert (row.limited(3).numbers, row.limited(99).numbers) == ((0, 1, 2), row.numbers)


def test_every_panel_of_figures_4_to_9_has_a_row(experiments):
    drawn = {row.figure for row in experiments.values() if row.item == "table4"}
    models = {f"fig{number}{panel}" for number in (4, 5, 6) for panel in "ab"}
    logs = {f"fig{number}{panel}" for number in (7, 8, 9) for panel in "abcd"}
    assert drawn == models | logs


def test_experiment_named_twice_is_an_error(changed_sheet):
    path = changed_sheet("lublin1024_actual", "lublin256_actual")
    with pytest.raises(ConfigError, match="'lublin256_actual_artefact' stands there twice"):
        read_experiments(path, SCHEMA)


def test_typing_error_in_a_cell_is_answered_with_the_nearest_value(changed_sheet):
    path = changed_sheet("sc17_actual", "sc17_actua")
    with pytest.raises(ConfigError, match=r"tsv:2: column 'cleaning': .*mean 'sc17_actual'"):
        read_experiments(path, SCHEMA)


@pytest.fixture(scope="module")
def traces():
    """Experiments of legrand2018 by name."""
    return {row.experiment: row for row in read_period_experiments(PERIODS, PERIODS_SCHEMA)}


def test_legrand2018_has_four_traces_by_weeks_and_by_months(traces):
    weeks = {row.label: row.pieces for row in traces.values() if row.split == "weeks"}
    assert weeks == {"SDSC-SP2": 100, "SDSC-BLUE": 100, "CTC-SP2": 45, "KTH-SP2": 45}
    months = {row.label: row.train for row in traces.values() if row.split == "months"}
    assert months == {
        "SDSC-SP2": (1, 10),
        "SDSC-BLUE": (1, 10),
        "CTC-SP2": (1, 5),
        "KTH-SP2": (1, 5),
    }


def test_sdsc_sp2_is_trained_and_tested_on_the_papers_weeks(traces):
    row = traces["sdsc_sp2_weeks"]
    assert (row.train, row.test, row.space) == ((28, 64), (65, 100), (70, 73))
    assert row.thresholds == (None, 200_000, 72_000)


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
    with pytest.raises(ConfigError, match="'site_weeks': column 'test': 5-9 does not lie within"):
        experiment(test=(5, 9))


def test_the_threshold_must_be_among_those_that_are_run():
    with pytest.raises(ConfigError, match="column 'thresholds' lacks 5"):
        experiment(threshold=5)


def test_a_range_that_is_none_names_file_line_and_column(tmp_path):
    path = tmp_path / "sheet.tsv"
    path.write_text(PERIODS.read_text().replace("28-64", "28 to 64"))
    with pytest.raises(ConfigError, match=r"sheet\.tsv:2: column 'train'"):
        read_period_experiments(path, PERIODS_SCHEMA)


@pytest.mark.parametrize(
    ("cell", "written", "words"),
    [
        ("saf,spf,", "spf,", r"sheet\.tsv: .*'sdsc_sp2_weeks': column 'policies' lacks saf"),
        ("saf,spf,", "saf,spff,", r"sheet\.tsv:2: column 'policies': .* did you mean 'spf'"),
        ("65-100", "60-100", "column 'test': 60-100 and the training weeks 28-64 overlap"),
        ("weeks\tSDSC-BLUE", "weeks\tSDSC-SP2", r"'label': two rows are of SDSC-SP2 by weeks"),
    ],
)
def test_cells_that_do_not_go_together_are_errors(tmp_path, cell, written, words):
    path = tmp_path / "sheet.tsv"
    path.write_text(PERIODS.read_text().replace(cell, written, 1))
    with pytest.raises(ConfigError, match=words):
        read_period_experiments(path, PERIODS_SCHEMA)
