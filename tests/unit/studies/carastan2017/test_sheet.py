"""The experiment sheet of carastan2017."""

from dataclasses import replace

import pytest

from docs_case import ROOT
from schedlab.files.config import ConfigError
from schedlab.files.sheets import with_drawn
from schedlab.studies.carastan2017.sheet import PAPER, as_run
from schedlab.traces.registry import read_registry
from sheet_case import rows_after, rows_of, rows_with, schema_of


@pytest.fixture(scope="module")
def experiments():
    return rows_of("carastan2017")


@pytest.mark.parametrize("cell", ["fit", "3"])
def test_a_row_may_have_any_number_of_reservations(tmp_path, cell):
    name = "lublin256_actual_artefact"
    assert rows_with("carastan2017", tmp_path, name, backfill=cell)[name].backfill == cell


def test_a_missing_file_of_a_sites_slurm_is_an_error_with_row_column_and_line(tmp_path):
    cell = "site+slurm_conf=/no/slurm.conf"
    words = (
        r"sheet\.tsv: experiment 'lublin256_actual_full': column 'dialect': .*"
        r"/no/slurm\.conf: No such file or directory \(line \d+\)"
    )
    with pytest.raises(ConfigError, match=words) as caught:
        rows_with("carastan2017", tmp_path, "lublin256_actual_full", dialect=cell)
    line = int(str(caught.value).split("(line ")[1].strip(")"))
    lines = (tmp_path / "sheet.tsv").read_text().splitlines()
    assert lines[line - 1].startswith("lublin256_actual_full\t")


def test_both_dialects_differ_only_in_item_dialect_and_cleaning(experiments):
    fields = ("label", "figure", "source", "processors", "numbers", "decisions", "backfill")
    for name, row in experiments.items():
        if row.dialect == "artefact":
            twin = experiments[name.replace("artefact", "full")]
            assert [getattr(row, field) for field in fields] == [
                getattr(twin, field) for field in fields
            ]


def test_policies_are_in_the_papers_order(experiments):
    assert {row.policies for row in experiments.values()} == {
        ("fcfs", "wfp3", "unicef", "spt", "f4", "f3", "f2", "f1")
    }


def test_curie_leaves_sequences_0_and_7_of_twelve_out(experiments):
    assert experiments["curie_actual_artefact"].numbers == (1, 2, 3, 4, 5, 6, 8, 9, 10, 11)


def test_stand_in_model_has_every_piece(experiments):
    row = experiments["curie_actual_artefact"].on_model()
    assert (row.source, row.is_model, row.numbers) == ("lublin_quick_93312", True, tuple(range(10)))


def test_limit_never_adds_pieces(experiments):
    row = experiments["ctc_actual_artefact"]
    assert (row.limited(3).numbers, row.limited(99).numbers) == ((0, 1, 2), row.numbers)


@pytest.fixture(scope="module")
def registered(experiments):
    """Experiments as the workflow has them: they know which logs models draw."""
    logs = read_registry(ROOT / "config/traces.tsv", schema_of("traces"))
    return with_drawn(experiments.values(), {name: log.model for name, log in logs.items()})


def quick(rows, source="models"):
    """Experiments by name, as the quick scale runs them."""
    config = {"source": source, PAPER: {"pieces_limit": 3, "generated": True}}
    return {row.experiment: row for row in as_run(rows, config)}


def test_only_the_model_rows_of_table4_are_replaced_by_their_own_jobs(registered):
    drawn = {row.experiment for row in registered if row.drawn}
    assert len(drawn) == 12
    assert {name.split("_")[0] for name in drawn} == {"lublin256", "lublin1024"}


def test_quick_scale_runs_published_workloads_whole_and_cuts_stand_ins(registered):
    rows = quick(registered)
    published, stand_in = rows["lublin256_backfill_full"], rows["ctc_backfill_full"]
    assert (published.source, published.numbers) == ("lublin_published_256_est", tuple(range(10)))
    assert (stand_in.source, stand_in.numbers) == ("lublin_quick_338", (0, 1, 2))


def test_pieces_of_published_workloads_are_those_of_the_sheet(registered):
    row = next(row for row in registered if row.drawn)
    assert replace(row, skip=(0, 2)).on_model().numbers == (1, *range(3, 12))


def test_limit_on_logs_applies_to_every_experiment(registered):
    rows = quick(registered, source="logs")
    assert {row.numbers[-1] for row in rows.values() if "curie" not in row.experiment} == {2}


def test_drawn_log_with_a_different_stand_in_is_a_stand_in(registered):
    row = replace(next(row for row in registered if row.drawn), standin="lublin_quick_256")
    (row,) = with_drawn([row], {"lublin-256": "lublin_published_256"})
    assert not row.drawn
    assert quick([row])[row.experiment].numbers == (0, 1, 2)


def test_every_panel_of_figures_4_to_9_has_a_row(experiments):
    drawn = {row.figure for row in experiments.values() if row.item == "table4"}
    models = {f"fig{number}{panel}" for number in (4, 5, 6) for panel in "ab"}
    logs = {f"fig{number}{panel}" for number in (7, 8, 9) for panel in "abcd"}
    assert drawn == models | logs


def test_experiment_named_twice_is_an_error(tmp_path):
    with pytest.raises(ConfigError, match="'lublin256_actual_artefact' appears twice"):
        rows_after("carastan2017", tmp_path, ("lublin1024_actual", "lublin256_actual"))


def test_misspelled_cell_is_reported_with_the_nearest_value(tmp_path):
    with pytest.raises(ConfigError, match=r"tsv:2: column 'cleaning': .*mean 'sc17_actual'"):
        rows_after("carastan2017", tmp_path, ("sc17_actual", "sc17_actua"))
