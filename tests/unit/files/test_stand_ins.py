"""A model that replaces a log has a name of its own in every row."""

from dataclasses import replace

import pytest

from period_case import experiment
from schedlab.files.sheets import on_models
from schedlab.files.stand_ins import (
    is_stand_in,
    kind_of,
    listed,
    name_of_stand_in,
    short_name,
    size_and_log_of,
    with_stand_ins,
)
from schedlab.report.items import Study
from schedlab.report.words import joined_workloads, listed_workloads
from table4_case import LOG_ON_MODEL, experiments

NAME = "model, 1,024 processors (stands in for CEA-Curie)"
SIZES = {"lublin_quick_site": 64, "lublin_quick_ctc": 256, "lublin_quick_model": 256}
MODELS = {"source": "models"}


def test_name_states_size_and_log():
    assert name_of_stand_in(1024, "CEA-Curie") == NAME
    assert size_and_log_of(f"a) {NAME}, set 1") == ("1,024", "CEA-Curie")
    assert (is_stand_in(NAME), is_stand_in("CEA-Curie")) == (True, False)
    with pytest.raises(ValueError, match="'CEA-Curie' is no name of a model"):
        size_and_log_of("CEA-Curie")


def test_short_name_leaves_logs_and_what_follows():
    assert short_name(f"{NAME}, set 1") == "model, 1,024 proc., set 1"
    assert short_name("CEA-Curie") == "CEA-Curie"


def test_lists_separate_names_with_commas_by_semicolons():
    other = name_of_stand_in(100, "KTH-SP2")
    assert listed(["A", "B"]) == "A, B"
    assert listed(["A", NAME]) == listed_workloads(["A", NAME]) == f"A; {NAME}"
    assert listed_workloads(["A", NAME, other]) == (
        "A; models, 1,024 and 100 processors (stand in for CEA-Curie and KTH-SP2, in this order)"
    )
    assert joined_workloads([NAME, other]) == "those of 1,024 and 100 processors"
    assert joined_workloads(["A", NAME]) == "A and model, 1,024 proc."
    assert joined_workloads([]) == "none"


def test_names_are_of_logs_or_of_models_or_of_both():
    assert kind_of(["A"]) == kind_of([]) == "logs"
    assert kind_of([NAME]) == "model workloads"
    assert kind_of(["A", NAME], "traces") == "traces and model workloads"


def test_row_on_its_log_keeps_its_name():
    (row,) = with_stand_ins([experiment()], [experiment()], {})
    assert (row.stand_in, row.name, row.workload) == ("", "SITE", "SITE")


def test_row_on_a_model_has_the_name_of_the_model():
    (row,) = with_stand_ins(on_models([experiment()], MODELS), [experiment()], SIZES)
    name = "model, 64 processors (stands in for SITE)"
    assert (row.label, row.name, row.workload) == ("SITE", name, name)


def test_only_rows_whose_log_is_replaced_get_a_name():
    log, model = experiment(), experiment(experiment="other", label="OTHER")
    rows = with_stand_ins([log, model.on_model()], [log, model], SIZES)
    assert [row.name for row in rows] == ["SITE", "model, 64 processors (stands in for SITE)"]


def test_model_that_draws_the_jobs_of_the_log_is_no_stand_in():
    rows = experiments(drawn=True)[:2]
    model, log = with_stand_ins(on_models(rows, MODELS), rows, SIZES)
    assert (model.stand_in, model.name) == ("", rows[0].label)
    assert log.name == LOG_ON_MODEL


def test_settings_of_jobs_are_the_same_whatever_the_name():
    row = experiments()[1]
    assert replace(row, stand_in=NAME).settings == row.settings


def study_of(sheet, rows):
    """Return a study with rows of a sheet as they run."""
    run = with_stand_ins(rows, sheet, SIZES)
    return Study("toy", tuple(run), MODELS, str, tuple(sheet), SIZES)


def test_tables_show_the_name_for_label_log_and_model():
    sheet = experiments()[1:2]
    study = study_of(sheet, on_models(sheet, MODELS))
    name = "model, 256 processors (stands in for CTC-SP2)"
    assert study.names == {
        "lublin_quick_ctc": name,
        "CTC-SP2": name,
        sheet[0].label: LOG_ON_MODEL,
        "ran on lublin_quick_ctc": f"ran on {name}",
        "ran on the model lublin_quick_ctc, not on CTC-SP2": f"ran on {name}",
    }
    assert study_of(sheet, sheet).names == {}


def test_model_of_two_logs_names_both():
    sheet = [experiment(), experiment(experiment="b", label="B", source="B")]
    names = study_of(sheet, on_models(sheet, MODELS)).names
    assert names["lublin_quick_site"] == "model, 64 processors (stands in for SITE and B)"
    assert names["B"] == "model, 64 processors (stands in for B)"
