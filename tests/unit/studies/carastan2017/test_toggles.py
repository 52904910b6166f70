"""Toggles of Table 4: cells that the sheet accepts, changed one at a time."""

import pytest

from schedlab.studies.carastan2017.toggles import TOGGLES, numbers_of, read_printed
from sheet_case import rows_of, schema_of
from toggles_case import Pieces, check_toggles

PUBLISHED = "resources/carastan2017/published.tsv"


@pytest.fixture
def rows():
    return [row for row in rows_of("carastan2017").values() if row.item == "table4"]


def test_every_toggle_has_rows_and_changes_one_cell_of_each(rows):
    check_toggles(TOGGLES, rows, schema_of("carastan2017"))


def pieces(jobs):
    """Two sequences of three jobs that do not wait, of a log that has them or not."""
    return Pieces([(n, 1000 * n, 100, 100, 1, 1, 1, 1, n % 2) for n in range(jobs)])


@pytest.fixture
def row(rows):
    small = {"pieces": 2, "head": 0, "tau": 10, "skip": (), "policies": ("fcfs", "f1")}
    return rows[0].__class__(**vars(rows[0]) | small)


def test_numbers_are_medians_under_the_papers_names(row):
    found = numbers_of(row, pieces(6))
    assert found["policy"].tolist() == ["FCFS", "F1"]
    assert found["column"].tolist() == ["", ""]
    # a dispatch of 2.6 ms, on a run of 100 s
    assert found["value"].to_numpy() == pytest.approx([1, 1], abs=1e-4)
    assert (found["value"] > 1).all()


def test_a_log_that_is_not_available_has_no_numbers(row):
    assert numbers_of(row, pieces(0)).empty


def test_published_numbers_belong_to_rows_on_the_papers_data(rows, root):
    table = read_printed(rows, root / PUBLISHED, models=False)
    assert len(table) == 18 * 8
    assert table["lublin256_actual_artefact", "", "FCFS"] == "5846.87"
    drawn = rows[0].__class__(**vars(rows[0]) | {"drawn": True})
    models = read_printed([drawn, rows[1]], root / PUBLISHED, models=True)
    assert set(models.index.get_level_values(0)) == {drawn.experiment}
