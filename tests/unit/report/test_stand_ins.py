"""No page names a log above a model's numbers, and a check of pages finds where one does."""

import pandas as pd

from check_pages import MODELS, faults_of
from schedlab.report.cards import tables_of
from schedlab.report.pages import read_story, read_table
from schedlab.report.scoreboard import COLUMNS
from schedlab.report.story import Finding, Teller
from schedlab.studies.klusacek2016.page import _summarize_intervals
from words_case import words_of

NAME = "model, 100 processors (stands in for KTH-SP2)"
WORDS = words_of("klusacek2016")


def test_only_pages_of_models_have_no_bare_names_of_logs():
    assert faults_of("<p>KTH-SP2</p>") == []
    (fault,) = faults_of(f"<p>KTH-SP2</p><td>{NAME}</td><p>{MODELS}</p>")
    assert "KTH-SP2" in fault


def test_tables_show_names_in_whole_cells_only(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("trace,found,value\nKTH-SP2,on KTH-SP2,1.50\nCTC-SP2,x,2\n")
    shown = read_table(path, {"KTH-SP2": NAME})
    assert shown.to_numpy().tolist() == [[NAME, "on KTH-SP2", "1.50"], ["CTC-SP2", "x", "2"]]
    assert read_table(path).loc[0, "trace"] == "KTH-SP2"


def test_story_is_told_with_the_names_of_models(tmp_path):
    periods = "log,column,intervals,change,median low,median high,better,low,high"
    (tmp_path / "periods.csv").write_text(f"{periods}\nlublin_users_100,WT,40,-9,-12,-5,30,,\n")
    for name, columns in (
        ("search", "iterations,gain,rule,plans,p,difference"),
        ("waits", "log,what,iterations,to none"),
        ("claims", "experiment,claim,where,found,result"),
    ):
        (tmp_path / f"{name}.csv").write_text(f"{columns}\n")
    tables = {"table1_periods": "periods", "beyond_search": "search", "beyond_waits": "waits"}
    paths = {
        item: tmp_path / f"{file}.csv" for item, file in (tables | {"claims": "claims"}).items()
    }
    names = {"lublin_users_100": NAME}
    story = read_story("schedlab.studies.klusacek2016", WORDS, paths, True, names)
    assert "30 of 40 busy intervals of model, 100 proc. (median" in story.finding
    assert story.findings[0] == Finding(story.finding, models=True)


def card_of(cell, basis, names):
    """Return a table of cards with the card of a number."""
    row = dict.fromkeys(COLUMNS, "") | dict.fromkeys(("difference", "relative", "minutes"), None)
    row |= {"paper": "p", "file": "table1.csv", "cell": cell, "basis": basis}
    board = pd.DataFrame([row | {"verdict": "log not available"}])
    (table,) = tables_of(board, names=names)
    return table, table["cards"][0]


def test_card_states_which_model_ran_for_its_number():
    names = {"KTH-SP2 set 1": f"{NAME}, set 1", "ran on lublin_users_100": f"ran on {NAME}"}
    table, card = card_of("KTH-SP2 set 1 | WT", "ran on lublin_users_100", names)
    assert card["ran"] == f"{NAME}, set 1"
    assert card["basis"] == f"ran on {NAME}"
    assert table["bases"] == {f"ran on {NAME}": 1}


def test_card_of_a_number_on_the_log_names_no_model():
    _, card = card_of("KTH-SP2 set 1 | WT", "the logs of the paper", {})
    assert (card["ran"], card["basis"]) == ("", "the logs of the paper")


def test_changes_on_logs_are_one_sentence_and_on_models_one_each():
    columns = ["log", "better", "intervals", "change", "median low", "median high"]
    rows = [("A", "4", "5", "-9", "-12", "-5"), ("B", "3", "5", "-8", "-11", "-4")]
    logs = pd.DataFrame(rows, columns=columns)
    for own, count in ((logs, 1), (logs.assign(log=NAME), 2)):
        said = _summarize_intervals(own.assign(column="WT"), Teller(WORDS["story"]))
        assert said.count("Planning with Random Search lowers") == count
