"""Table frames and their rendering."""

import pandas as pd
import pytest

from schedlab.files.io import write_parquet
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.figures.boxplots import boxes_of
from schedlab.studies.carastan2017.tables import table4 as tables_experiments
from schedlab.studies.carastan2017.tables.table3 import table2
from schedlab.studies.carastan2017.tables.table5 import log_facts
from schedlab.traces.swf import read_swf
from table4_case import LOG_ON_MODEL, LOG_ROW, MODEL_ROW, experiments, printed_values, sequences


@pytest.fixture
def sheet() -> pd.DataFrame:
    return tables_experiments.sheet_frame(experiments())


def test_sheet_frame_labels_model_stand_ins():
    frame = tables_experiments.sheet_frame(experiments(), source="models")
    assert frame["stand_in"].all()
    assert frame.loc["ctc_full", "label"] == LOG_ON_MODEL
    assert frame.loc["ctc_full", "row"] == LOG_ROW


def test_sheet_frame_has_no_stand_in_if_the_model_jobs_are_the_papers():
    frame = tables_experiments.sheet_frame(experiments(drawn=True), source="models")
    assert frame["stand_in"].tolist() == [False, True, False, True]
    assert list(frame.index) == ["model_artefact", "ctc_artefact", "model_full", "ctc_full"]
    assert frame.loc["model_full", "label"] == MODEL_ROW


def test_table4_has_the_medians_over_the_sequences(sheet):
    values = tables_experiments.medians(sheet, sequences(printed_values()))
    assert list(values.columns) == ["FCFS", "WFP", "UNI", "SPT", "F4", "F3", "F2", "F1"]
    assert values.loc["model_artefact"].tolist() == printed_values()["model_artefact"]


def test_row_without_its_log_is_marked_and_the_others_are_computed(sheet):
    results = sequences({"model_artefact": printed_values()["model_artefact"]})
    table = tables_experiments.table4(sheet, tables_experiments.medians(sheet, results))
    assert table["FCFS"].tolist() == [5846.87, NOT_AVAILABLE, NOT_AVAILABLE, NOT_AVAILABLE]
    assert table.columns[0] == "experiment"


def test_row_group_states_dialect_and_number_of_sequences(sheet):
    table = tables_experiments.row_group(sheet, sequences(printed_values()))
    assert table["dialect"].tolist() == ["artefact", "artefact", "full", "full"]
    assert table["sequences"].tolist() == [3, 3, 3, 3]
    nothing = sheet.iloc[:0]
    read = tables_experiments.read_sequences(nothing, [])
    table = tables_experiments.row_group(nothing, read)
    assert list(table.columns[:3]) == ["experiment", "dialect", "sequences"]
    assert table.empty


def test_read_sequences_stacks_the_files_of_an_experiment(sheet, tmp_path):
    paths = [tmp_path / "model_artefact.parquet", tmp_path / "more" / "model_artefact.parquet"]
    paths[1].parent.mkdir()
    results = sequences({"model_artefact": printed_values()["model_artefact"]})
    write_parquet(results, paths[0])
    own = results[results["policy"] == "f1"].assign(policy="L1", avebsld=2.0)
    write_parquet(own, paths[1])
    (tmp_path / "other.parquet").touch()
    read = tables_experiments.read_sequences(sheet.iloc[:1], [*paths, tmp_path / "other.parquet"])
    pd.testing.assert_frame_equal(read, pd.concat([results, own], ignore_index=True))
    last = tables_experiments.medians(sheet.iloc[:1], read, ["L1"]).iloc[0, -2:]
    assert last.tolist() == [29.58, 2]


def test_read_sequences_names_the_experiment_whose_file_is_missing(sheet):
    with pytest.raises(ValueError, match="'model_artefact'"):
        tables_experiments.read_sequences(sheet, [])


def test_read_sequences_names_file_and_column_that_it_misses(sheet, tmp_path):
    path = tmp_path / "model_artefact.parquet"
    write_parquet(sequences(printed_values()).drop(columns="avebsld"), path)
    with pytest.raises(ValueError, match=r"model_artefact\.parquet: column 'avebsld'"):
        tables_experiments.read_sequences(sheet.iloc[:1], [path])


def test_boxes_are_quartiles_with_tukey_whiskers(sheet):
    results = pd.DataFrame({"piece": range(5), "avebsld": [4.0, 1.0, 3.0, 2.0, 100.0]})
    results = results.assign(experiment="model_artefact", policy="fcfs")
    box = boxes_of(sheet.iloc[:1], results).iloc[0]
    assert (box["n"], box["q1"], box["median"], box["q3"]) == (5, 2, 3, 4)
    assert (box["whisker_low"], box["whisker_high"]) == (1, 4)
    assert box["outliers"] == "100.000000"
    assert box["values"].split(";")[:2] == ["4.000000", "1.000000"]


def test_boxes_of_further_policies_follow_the_papers(sheet):
    results = sequences({"model_artefact": printed_values()["model_artefact"]})
    own = results[results["policy"] == "f1"].assign(policy="L1")
    drawn = boxes_of(sheet.iloc[:1], pd.concat([results, own]), ["L2", "L1"])
    assert drawn["policy"].tolist()[-2:] == ["F1", "L1"]


HEADER = "; UnixStartTime: 1000000000\n; MaxProcs: 10\n"


def swf(tmp_path, *jobs):
    """Read a log of jobs given as (number, submit, wait, runtime, procs)."""
    path = tmp_path / "log.swf"
    path.write_text(HEADER + "".join(" ".join(map(str, job)) + " -1" * 13 + "\n" for job in jobs))
    return read_swf(path)


def test_log_facts_are_measured_on_the_jobs(tmp_path):
    log = swf(tmp_path, (1, 0, 50, 100, 5), (2, 100, 0, 100, 10), (3, 150, -1, -1, 10))
    facts = log_facts("Site", log)
    assert (facts["year"], facts["cpus"], facts["jobs"]) == (2001, 10, 3)
    assert facts["utilisation"] == pytest.approx(100 * 1500 / (10 * 200))
    assert facts["duration"] == pytest.approx(150 / (365.25 * 86400 / 12))


def test_log_facts_of_an_unavailable_log_are_marked(tmp_path):
    facts = log_facts("Site", swf(tmp_path))
    assert facts.pop("log") == "Site"
    assert set(facts.values()) == {NOT_AVAILABLE}


def test_table2_shows_the_expressions_that_run():
    table = table2()
    assert table["name"].tolist() == ["FCFS", "SPT", "WFP3", "UNICEF"]
    assert table["function"].tolist()[:2] == ["s", "r"]
