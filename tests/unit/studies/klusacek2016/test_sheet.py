"""The experiment sheet of klusacek2016."""

from functools import partial

import pytest

from schedlab.files.config import ConfigError
from schedlab.planning.settings import Search
from schedlab.studies.klusacek2016 import sheet
from sheet_case import rows_of, rows_with

read = partial(rows_with, "klusacek2016")


@pytest.fixture(scope="module")
def rows():
    return rows_of("klusacek2016")


def test_table_1_has_two_sets_of_each_log_and_four_replacing_zewura(rows):
    own = [row for row in rows.values() if row.item == "table1"]
    assert [row.label for row in own] == [
        *(f"wagap set {number}" for number in range(1, 5)),
        *(f"{log} set {number}" for log in ("HPC2N", "KTH-SP2") for number in (1, 2)),
    ]
    assert [row.piece for row in own] == [1, 2, 3, 4, 1, 2, 1, 2]
    settings = {(row.users, row.mode, row.fairness, row.queues, row.factor) for row in own}
    assert settings == {("recorded", "aggregate", 0, "arrival", 1)}
    assert {row.intervals for row in own} == {"simulated"}


def switches(row):
    cells = ("queues", "factor", "intervals", "cycle", "iterations", "scope")
    return tuple(getattr(row, cell) for cell in cells)


def test_every_reading_is_of_sets_of_table_1_and_changes_something(rows):
    sets = {row.label: row for row in rows.values() if row.item == "table1"}
    readings = [row for row in rows.values() if row.item == "readings"]
    for row in readings:
        own = sets[f"{row.label} 1"]
        assert (row.source, row.machine) == (own.source, own.machine)
        assert row.piece >= 2
        assert switches(row) != switches(own)
    assert len({(row.source, *switches(row)) for row in readings}) == len(readings)


def test_baselines_are_the_whole_logs_in_every_other_order(rows):
    own = [row for row in rows.values() if row.item == "means"]
    assert {row.queues for row in own} == {"marking"}
    for row in own:
        others = {
            other.queues
            for other in rows.values()
            if other.item == "baselines" and (other.users, other.mode) == (row.users, row.mode)
        }
        assert others == {"arrival", "limits", "one"}


def test_budget_rows_have_source_piece_and_queues_of_the_periods(rows):
    for log in ("hpc2n", "kth"):
        own = [row for row in rows.values() if row.item == "budgets" and row.machine == log]
        assert [row.iterations for row in own] == [0, 10, 30, 100, 300]
        periods = rows[f"{log}_periods"]
        assert {(row.label, row.piece, row.queues) for row in own} == {
            (periods.source, periods.piece, periods.queues)
        }


def test_whole_logs_are_run_with_users_of_both_kinds_in_both_modes(rows):
    own = [row for row in rows.values() if row.item == "means"]
    assert {(row.users, row.mode) for row in own} == {
        (users, mode) for users in ("recorded", "reacting") for mode in ("nodes", "aggregate")
    }
    assert {(row.intervals, row.piece, row.fairness, row.factor) for row in own} == {
        (None, None, 10, 1)
    }


def test_all_rows_have_the_papers_budget_unless_they_vary_it(rows):
    for row in rows.values():
        assert row.every == 60
        if row.item in ("table1", "means"):
            assert (row.schedulers, row.seeds) == (("orig-bf", "plan-rs"), 20)
        if row.item not in ("readings", "budgets"):
            assert row.iterations == 300
    assert {row.iterations for row in rows.values() if row.item == "readings"} == {30, 300}


def test_deterministic_scheduler_runs_once(rows):
    row = rows["kth_1"].limited(3)
    assert row.runs == [("orig-bf", 0), ("plan-rs", 0), ("plan-rs", 1), ("plan-rs", 2)]


def test_row_sets_the_planning_of_its_schedulers(rows):
    planning = rows["cerit_recorded_nodes"].planning("orig-bf")
    assert (planning.scheduler, planning.mode) == ("orig-bf", "nodes")
    assert planning.search == Search(iterations=300, every=60, fairness=10)
    assert rows["kth_1"].planning("plan-rs").search.fairness == 0
    assert (planning.marks, planning.cycle) == (True, None)
    assert not rows["cerit_recorded_nodes"].planning("plan-rs").marks
    production = rows["kth_production"]
    assert production.planning("orig-bf").cycle == (30, 2)
    assert production.planning("plan-rs").cycle == (5, 0)
    search = Search(iterations=30, every=60, fairness=0, scope="cluster")
    assert production.planning("plan-rs").search == search


def test_settings_exclude_label_item_machine_and_cleaning(rows):
    settings = rows["wagap_1"].settings
    assert sheet.PlanSettings(**settings).runs == rows["wagap_1"].runs
    assert not {"label", "item", "machine", "standin", "cleaning"} & settings.keys()
    assert settings["memory"] == "job bytes"


def test_no_more_seeds_are_run_than_there_are(rows):
    assert [rows["kth_1"].limited(seeds).seeds for seeds in (19, 20, 21)] == [19, 20, 20]


def test_stand_in_is_a_model_without_memory_requests(rows):
    row = rows["wagap_1"]
    model = row.on_model()
    assert (row.is_model, model.is_model) == (False, True)
    assert (model.source, model.memory, model.midnight) == ("lublin_users_2176", None, 0)
    assert (model.experiment, model.piece, model.machine) == ("wagap_1", 1, "cerit")
    assert row.needs() == [("traces", "wagap-2013"), ("models", "lublin_users_2176")]
    assert model.needs() == [("models", "lublin_users_2176")] * 2


@pytest.mark.parametrize(
    ("source", "seeds", "ran"),
    [
        ("logs", None, ("KTH-SP2", 20)),
        ("logs", 2, ("KTH-SP2", 2)),
        ("models", 2, ("lublin_users_100", 2)),
        ("models", None, ("lublin_users_100", 20)),
    ],
)
def test_source_and_seeds_of_rows_follow_the_configuration(rows, source, seeds, ran):
    config = {"source": source, "klusacek2016": {"seeds": seeds}}
    (row,) = sheet.as_run([rows["kth_1"]], config)
    assert (row.source, row.seeds) == ran


REACTS = "column 'users': who reacts needs a whole log"
MANY = "column 'intervals': many intervals are those"


@pytest.mark.parametrize(
    ("experiment", "words", "cells"),
    [
        ("kth_1", "column 'piece': one of the intervals", {"intervals": "-"}),
        ("cerit_recorded_nodes", "column 'piece': one of the intervals", {"piece": "1"}),
        ("kth_1", REACTS, {"users": "reacting"}),
        ("cerit_reacting_nodes", REACTS, {"factor": "7"}),
        ("kth_periods", MANY, {"intervals": "recorded"}),
        ("kth_periods", MANY, {"intervals": "-", "piece": "-"}),
        ("kth_iterations30", "rows of 'budgets' run plan-rs", {"schedulers": "orig-bf,plan-rs"}),
        ("cerit_recorded_nodes_one", "run orig-bf", {"schedulers": "orig-bf,plan-rs"}),
        ("cerit_reacting_nodes", "'cycle': a scheduler that polls needs", {"cycle": "polling"}),
    ],
)
def test_cells_that_do_not_go_together_are_errors(tmp_path, experiment, words, cells):
    with pytest.raises(ConfigError, match=rf"sheet\.tsv: experiment '{experiment}': .*{words}"):
        read(tmp_path, experiment, **cells)


def test_repeated_experiment_is_rejected(tmp_path):
    with pytest.raises(ConfigError, match=r"column 'experiment': 'kth_1' appears twice"):
        read(tmp_path, "kth_2", experiment="kth_1")


def test_many_intervals_may_begin_with_a_backlog(tmp_path):
    assert read(tmp_path, "kth_periods", intervals="backlog")["kth_periods"].piece > 1


@pytest.mark.parametrize("experiment", ["kth_1", "kth_one", "cerit_recorded_nodes"])
@pytest.mark.parametrize("scheduler", ["orig-bf", "plan-rs"])
def test_single_scheduler_is_allowed_only_in_user_rows(tmp_path, experiment, scheduler):
    words = rf"sheet\.tsv: experiment '{experiment}': column 'schedulers': rows of '\w+' run orig"
    with pytest.raises(ConfigError, match=words):
        read(tmp_path, experiment, schedulers=scheduler)
    row = read(tmp_path, experiment, schedulers=scheduler, item="own")[experiment]
    assert row.schedulers == (scheduler,)


def test_both_schedulers_may_be_in_any_order(tmp_path):
    row = read(tmp_path, "kth_1", schedulers="plan-rs,orig-bf")["kth_1"]
    assert row.schedulers == ("plan-rs", "orig-bf")


@pytest.mark.parametrize("cells", [{"machine": "hpc2n"}, {"memory": "processor KB"}])
def test_a_log_has_one_machine_and_one_memory(tmp_path, cells):
    words = r"sheet\.tsv: experiment 'kth_2': column 'machine': 'kth_1' has KTH-SP2 on another"
    for changed in ("kth_2", "kth_1"):
        with pytest.raises(ConfigError, match=words):
            read(tmp_path, changed, **cells)
    row = read(tmp_path, "kth_2", source="CTC-SP2", **cells)["kth_2"]
    assert (row.source, row.machine) == ("CTC-SP2", cells.get("machine", "kth"))


def test_times_of_recorded_users_may_be_divided(tmp_path):
    assert read(tmp_path, "cerit_recorded_nodes", factor="7")["cerit_recorded_nodes"].factor == 7


@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("queues", "two"),
        ("intervals", "busy"),
        ("mode", "node"),
        ("users", "real"),
        ("memory", "bytes"),
        ("schedulers", "orig-bf,easy"),
        ("seeds", "0"),
        ("piece", "0"),
        ("factor", "0"),
        ("iterations", "-1"),
        ("cycle", "5"),
        ("scope", "node"),
        ("fairness", "-1"),
        ("item", "table2"),
    ],
)
def test_unknown_value_is_reported_with_file_line_and_column(tmp_path, column, cell):
    with pytest.raises(ConfigError, match=rf"sheet\.tsv:2: column '{column}'"):
        read(tmp_path, "wagap_1", **{column: cell})
