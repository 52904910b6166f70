"""Table frames and their rendering."""

import re
from itertools import product

import numpy as np
import pandas as pd
import pytest
import yaml

from schedlab.files.io import write_parquet
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.figures.boxplots import boxes_of
from schedlab.studies.carastan2017.names import LEARNED_COLUMNS, POLICY_COLUMNS
from schedlab.studies.carastan2017.tables import table4 as tables_experiments
from schedlab.studies.carastan2017.tables.table3 import table2
from schedlab.studies.carastan2017.tables.table4 import (
    BEAT,
    DO_NOT_BEAT,
    LEARNED,
    UNDECIDED,
    _regime,
    by_workload,
    over_rows,
    own,
    shown,
    sign_test,
    standing,
    workload_of,
)
from schedlab.studies.carastan2017.tables.table5 import log_facts
from schedlab.traces.swf import read_swf
from table4_case import LOG_ON_MODEL, LOG_ROW, MODEL_ROW, experiments, printed_values, sequences
from words_case import words_of

SENTENCE = words_of("carastan2017")["sentences"]["rank"]


def sentence(table, stand_in=(), further=LEARNED):
    return tables_experiments.sentence(table, SENTENCE, stand_in, further)


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


COLUMNS = [*POLICY_COLUMNS.values(), *LEARNED_COLUMNS]
# FCFS to F1, then L4 to L1; the best of F1-F4 is 10.
ADHOC_AND_F = [80.0, 70.0, 60.0, 50.0, 40.0, 30.0, 20.0, 10.0]


@pytest.fixture
def sheet_of():
    return tables_experiments.sheet_frame(experiments())


def values(sheet_of, *best):
    """Return medians of every row of the sheet_of, whose best learned policy is as given."""
    rows = [[*ADHOC_AND_F, 45.0, 55.0, 65.0, one] for one in best]
    return pd.DataFrame(rows, index=sheet_of.index, columns=COLUMNS)


def test_row_that_was_not_run_has_no_rank_and_is_marked(sheet_of):
    table = standing(sheet_of, values(sheet_of, 5, np.nan, 20, 20))
    assert table.loc[1, COLUMNS].isna().all()
    assert (shown(table).loc[1, [*COLUMNS, "ratio"]] == NOT_AVAILABLE).all()
    assert over_rows(table)["rows"].tolist() == [1, 1, 2, 2]


def test_a_row_has_its_ranks_the_two_best_medians_and_their_ratio(sheet_of):
    """The best of F1-F4 is 10 in every row, the best of L1-L4 as given."""
    table = standing(sheet_of, values(sheet_of, 5, 40, 20, 10))
    assert list(table) == [
        *("experiment", "dialect", "regime", *COLUMNS, "best_F", "best_L", "ratio")
    ]
    rows = table.to_numpy().tolist()
    # FCFS 80 ... F4 40, F3 30, F2 20, F1 10, then L4 45, L3 55, L2 65 and L1.
    assert rows[0][1:] == [
        *("artefact", "actual run times", 12, 11, 9, 7, 5, 4, 3, 2, 6, 8, 10, 1, 10, 5, 0.5)
    ]
    assert rows[1][3:] == [12, 11, 9, 7, 4, 3, 2, 1, 6, 8, 10, 4, 10, 40, 4]
    assert rows[2][1:3] == ["full", "actual run times"]
    assert rows[3][3:] == [12, 11, 9, 7, 5, 4, 3, 1, 6, 8, 10, 1, 10, 10, 1]


def regimes_of(sheet_of, *rows):
    """Return a sheet_of and medians of rows of one dialect: regime, best learned median."""
    one = sheet_of.iloc[0]
    pairs = {"actual": ("actual", "none"), "estimate": ("estimate", "none")}
    pairs["backfilling"] = ("estimate", "easy")
    frame = pd.DataFrame(
        [
            {**one, "label": f"Log {place}, {regime}", "decisions": pairs[regime][0]}
            | {"backfill": pairs[regime][1]}
            for place, (regime, _) in enumerate(rows)
        ]
    )
    return frame, values(frame, *[best for _, best in rows])


def test_medians_are_by_regime_and_overall_and_ties_count_for_neither(sheet_of):
    """Ratios 0.5, 1 and 9 with actual run times, 1 and 2 with estimates, 0.9 with backfilling."""
    rows = regimes_of(
        sheet_of,
        *(("actual", 5), ("actual", 10), ("estimate", 10), ("actual", 90)),
        *(("backfilling", 9), ("estimate", 20)),
    )
    summary = over_rows(standing(*rows))
    assert list(summary) == [
        *("experiment", "dialect", "regime", *COLUMNS, "ratio", "rows", "better", "worse")
    ]
    shown_columns = ["regime", "ratio", "rows", "better", "worse"]
    assert summary[shown_columns].to_numpy().tolist() == [
        ["actual run times", 1, 3, 1, 1],
        ["user estimates", 1.5, 2, 0, 1],
        ["backfilling", 0.9, 1, 1, 0],
        ["all regimes", 1, 6, 2, 2],
    ]
    assert summary["experiment"].iloc[0] == "median over 3 rows; L lower in 1"
    # L1 is the first, shares the first rank and is the last of twelve; F1 second, first, first.
    assert summary["L1"].tolist()[0] == 1
    assert summary["F1"].tolist()[0] == 1


def test_dialects_regimes_and_workloads_are_in_the_order_of_the_rows(sheet_of):
    """The last of the alphabet first."""
    table = standing(sheet_of, values(sheet_of, 5, 5, 20, 20)).iloc[::-1]
    labels = ["Z log, r", "Y log, r", "B log, r", "A log, r"]
    table = table.assign(experiment=labels, regime=["user estimates", "actual run times"] * 2)
    assert by_workload(table)["workload"].tolist() == ["Z log", "Y log", "B log", "A log"]
    assert over_rows(table)[["dialect", "regime"]].to_numpy().tolist() == [
        ["full", "user estimates"],
        ["full", "actual run times"],
        ["full", "all regimes"],
        ["artefact", "user estimates"],
        ["artefact", "actual run times"],
        ["artefact", "all regimes"],
    ]
    said = sentence(table)
    assert said.startswith("With the whole queue")
    first, second = said.split(". With the window of 32 tasks")
    assert "2 workloads (Z log; Y log)" in first
    assert "2 workloads (B log; A log)" in second


def test_shown_table_has_integer_ranks_and_no_medians_of_medians(sheet_of):
    table = shown(standing(sheet_of, values(sheet_of, 5, np.nan, 20, 40)))
    assert list(table) == [
        *("experiment", "dialect", "regime", *COLUMNS, "best_F", "best_L", "ratio")
    ]
    assert table.index.tolist() == list(range(8))
    assert table["ratio"].tolist() == [0.5, NOT_AVAILABLE, 2, 4, 0.5, 0.5, 3, 3]
    assert table["best_L"].tolist()[:4] == [5, NOT_AVAILABLE, 20, 40]
    assert table["best_F"].tolist()[:4] == [10, NOT_AVAILABLE, 10, 10]
    assert table["F1"].tolist() == [2, NOT_AVAILABLE, 1, 1, 2, 2, 1, 1]
    assert isinstance(table["F1"][0], int)
    assert table["experiment"].tolist()[-2:] == ["median over 2 rows; L lower in 0"] * 2
    assert table[["best_F", "best_L"]].iloc[4:].isna().all(axis=None)


def on_workloads(sheet_of, count):
    """Return the sheet_of of so many workloads, each in two regimes and both dialects."""
    rows = []
    for dialect, given in sheet_of.groupby("dialect", sort=False):
        row = given.iloc[0]
        for place in range(count):
            for words, decisions in (("r", "actual"), ("e", "estimate")):
                label = f"Model {place}, nmax = 2, {words}"
                rows.append({**row, "label": label, "decisions": decisions, "dialect": dialect})
    return pd.DataFrame(rows)


def standing_of(sheet_of, *ratios):
    """Return the table of workloads with the given ratios, in both dialects and regimes."""
    rows = on_workloads(sheet_of, len(ratios))
    return standing(rows, values(rows, *[10 * ratio for ratio in ratios for _ in range(2)] * 2))


def test_rows_of_a_workload_count_once(sheet_of):
    table = standing_of(sheet_of, 0.5, 2.0)
    table.loc[0, "ratio"] = 4.0  # of two rows, the other of 0.5
    found = by_workload(pd.concat([table, table.iloc[:1]]))  # the median is no mean
    assert found["workload"].tolist() == ["Model 0, nmax = 2", "Model 1, nmax = 2"] * 2
    assert found["ratio"].tolist() == [4, 2, 0.5, 2]
    assert workload_of("mine") == "mine"
    assert by_workload(table.assign(ratio=np.nan)).empty


@pytest.mark.parametrize(
    ("ratios", "said", "chance"),
    [
        # all on one side: six workloads have p = 2 / 64, five 2 / 32
        ([0.9] * 6, BEAT, 0.03125),
        ([0.9] * 5, UNDECIDED, 0.0625),
        ([1.1] * 6, DO_NOT_BEAT, 0.03125),
        ([1.1] * 5, UNDECIDED, 0.0625),
        # eight of nine, 2 * 10 / 512, and seven of nine
        ([0.9] * 8 + [1.1], BEAT, 20 / 512),
        ([0.9] * 7 + [1.1] * 2, UNDECIDED, 92 / 512),
        ([1.1] * 8 + [0.9], DO_NOT_BEAT, 20 / 512),
        ([1.1] * 7 + [0.9] * 2, UNDECIDED, 92 / 512),
        # the nearest to one in twenty: 13 of 17, and 22 of 32
        ([0.9] * 13 + [1.1] * 4, BEAT, 0.049042),
        ([0.9] * 22 + [1.1] * 10, UNDECIDED, 0.050102),
        ([1.1] * 13 + [0.9] * 4, DO_NOT_BEAT, 0.049042),
        ([1.1] * 22 + [0.9] * 10, UNDECIDED, 0.050102),
        # one workload far off moves the mean to the other side, and decides nothing
        ([0.9] * 8 + [9.0], BEAT, 20 / 512),
        ([1.1] * 8 + [0.01], DO_NOT_BEAT, 20 / 512),
        # equal workloads say nothing of the side, and where most are equal no policy beats another
        ([0.9] * 6 + [1.0] * 5, BEAT, 0.03125),
        ([0.9] * 6 + [1.0] * 7, UNDECIDED, 0.03125),
        ([1.1] * 6 + [1.0] * 5, DO_NOT_BEAT, 0.03125),
        ([1.1] * 6 + [1.0] * 7, UNDECIDED, 0.03125),
        ([1.0] * 9, UNDECIDED, 1.0),
    ],
)
def test_sign_test_gives_beat_do_not_beat_or_undecided(ratios, said, chance):
    assert sign_test(ratios) == (said, pytest.approx(chance, abs=1e-6))


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        (0.5, "With the window of 32 tasks L1–L4 beat F1–F4. "),
        (3.0, "With the window of 32 tasks L1–L4 do not beat F1–F4. "),
        (1.0, "With the window of 32 tasks it is undecided whether L1–L4 beat F1–F4. "),
    ],
)
def test_sentence_states_the_outcome_of_the_sign_test(sheet_of, ratio, words):
    said = sentence(standing_of(sheet_of, *[ratio] * 6))
    assert said.startswith(words)
    assert f"the median ratio to the best of F1–F4 is {ratio:.2f} " in said
    assert f"({ratio:.2f} with actual run times, {ratio:.2f} with user estimates)" in said
    assert ". With the whole queue" in said
    assert "too few" not in said


def test_sentence_names_the_workloads_and_that_five_cannot_decide(sheet_of):
    said = sentence(standing_of(sheet_of, 0.5, 0.8, 1.0, 1.5, 2.0)).split(". With the whole")[0]
    names = "; ".join(f"Model {place}, nmax = 2" for place in range(5))
    assert said == (
        "With the window of 32 tasks it is undecided whether L1–L4 beat F1–F4. The best policy of "
        "each group, chosen in hindsight, is compared. The best of L1–L4 has the lower median in 4 "
        "of 10 rows (higher in 4). Over the rows, the median ratio to the best of F1–F4 is 1.00 "
        f"(1.00 with actual run times, 1.00 with user estimates). The rows cover 5 workloads "
        f"({names}); rows of one workload are not independent. By workload, the median ratio is "
        "below 1 in 2 of 5 (sign test: p = 1; too few workloads to decide, even full agreement has "
        "p = 0.062)"
    )


def test_sentence_states_that_rows_ran_on_stand_ins(sheet_of):
    said = sentence(standing(sheet_of, values(sheet_of, 5, 5, 5, 5)), stand_in=[True])
    assert said.startswith("On model stand-ins, with the window of 32 tasks")


def test_sentence_without_rows_states_that_no_row_was_run(sheet_of):
    table = standing(sheet_of, values(sheet_of, *[np.nan] * 4))
    assert sentence(table).startswith("No row ran")
    assert (shown(table)["ratio"] == NOT_AVAILABLE).all()


def test_user_policies_are_ranked_and_named_as_user_defined(sheet_of):
    mine = own(["mine"])
    numbers = values(sheet_of, 5, 5, 20, 20).rename(columns={"L1": "mine"})
    numbers = numbers[[*POLICY_COLUMNS.values(), "mine"]]
    table = standing(sheet_of, numbers, mine)
    assert table["mine"].tolist() == [1, 1, 2, 2]
    assert table["best_own"].tolist() == [5, 5, 20, 20]
    assert "own lower in 2" in shown(table, mine)["experiment"].iloc[4]
    words = "it is undecided whether user-defined policies (mine) beat F1–F4"
    assert words in sentence(table, further=mine)


def test_rows_on_stand_ins_are_counted_in_mixed_tables(sheet_of):
    none = standing(sheet_of, values(sheet_of, *[np.nan] * 4))
    mixed, models, logs = (sentence(none, rows) for rows in ([1, 0, 1], [1, 1], [0, 0]))
    assert mixed == f"{logs} 2 of these 3 rows ran on model stand-ins."
    assert models == logs


def test_every_regime_that_a_sheet_may_have_is_named(root):
    """Decisions by two kinds of times, backfilling of five kinds."""
    schema = yaml.safe_load((root / "workflow/schemas/carastan2017.schema.yaml").read_text())
    cells, kinds = schema["properties"], ("none", "fit", "easy", "3", "conservative")
    assert all(re.fullmatch(cells["backfill"]["pattern"], kind) for kind in kinds)
    names = {_regime(*pair) for pair in product(cells["decisions"]["enum"], kinds)}
    assert len(names) == 10
    assert {"first fit by actual run times", "backfilling with 3 reservations"} < names
