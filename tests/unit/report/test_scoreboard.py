"""The scoreboard: one row per published number of every table."""

import pandas as pd
import pytest

from schedlab.report.cards import totals
from schedlab.report.minutes import Made, minutes_of
from schedlab.report.scoreboard import (
    COLUMNS,
    board_of,
    counted,
    counts_by_kind,
    files_of,
    of_the_paper,
    read_board,
    read_compared,
    read_scored,
)
from schedlab.report.tables import write_csv
from schedlab.report.verdicts import NOT_AVAILABLE

SCORED = "file\tcells\tlabel\tcomputed\tkind\tbasis\theadline\n"
ARITHMETIC = ["arithmetic_comparison", "text"]
ROW = "table1_comparison\t\tTable 1\tcomputed\treproduced\tthe logs\tyes\n"
TABLE = """set,dialect,ran_on,policy,published,computed,verdict,reason
a,artefact,KTH,F1,2,2.1,match,
a,artefact,KTH,F2,4.0,3.0,differs,unexplained
a,artefact,KTH,F3,0,1.0,same ranking,another rule
b,artefact,model,F1,7,9.0,log not available,
a,full,KTH,F1,2,9.9,differs,unexplained
"""


@pytest.fixture
def board(tmp_path):

    def make(table=TABLE, scored=SCORED + ROW, **minutes):
        (tmp_path / "scored.tsv").write_text(scored)
        path = tmp_path / "table1_comparison.csv"
        path.write_text(table)
        (tmp_path / "fig1.csv").write_text("x,y\n1,2\n")
        known = {path.as_posix(): value for value in minutes.values()}
        files = [path, tmp_path / "fig1.csv"]
        return board_of("one", files, read_scored(tmp_path / "scored.tsv"), "make {} -q", known)

    return make


def test_every_number_of_the_papers_dialect_is_a_row(board):
    made = board()
    assert made["cell"].tolist() == ["a | F1", "a | F2", "a | F3", "b | F1"]
    assert made["item"].eq("table1").all()
    assert made["verdict"].tolist() == ["match", "differs", "same ranking", "log not available"]
    assert made["explained"].tolist() == ["", "no", "yes", ""]


def test_differences_are_of_compared_numbers(board):
    """-1 of 4 is a quarter; of a printed 0 no part can be said."""
    made = board()
    assert made["difference"].round(6).tolist()[:3] == [0.1, -1.0, 1.0]
    assert made["relative"].round(6).tolist()[:2] == [0.05, -0.25]
    assert made["relative"].isna().tolist() == [False, False, True, True]
    assert pd.isna(made["difference"].iloc[3])


def test_a_relative_difference_has_the_sign_of_the_difference(board):
    made = board("row,published,computed,verdict\na,-10,-12,differs\n")
    assert made["relative"].tolist() == [-0.2]


def test_texts_have_no_difference(board):
    made = board("row,published,computed,verdict\na,sqrt(r),sqrt(r),match\n")
    assert made["difference"].isna().all()
    assert made["reason"].tolist() == [""]


def test_number_without_its_log_has_no_kind(board):
    assert board()["kind"].tolist() == ["reproduced", "reproduced", "reproduced", ""]


def test_numbers_named_by_a_line_of_the_sheet_have_its_provenance(board):
    line = ROW.replace("\t\t", "\t.* \\| F[12]\t").replace("reproduced", "arithmetic on print")
    made = board(scored=SCORED + ROW + line.replace("the logs", "Table 9"))
    assert len(made) == 4
    assert made["kind"].tolist() == [*["arithmetic on print"] * 2, "reproduced", ""]
    assert made["basis"].tolist() == ["Table 9", "Table 9", "the logs", "ran on model"]


def test_a_file_with_several_lines_is_listed_once(root):
    sheet = read_scored(root / "resources/souza2020/scored.tsv")
    assert len(sheet) == 6
    assert files_of(sheet) == [*(f"table{n}_comparison" for n in (1, 2)), *ARITHMETIC]


@pytest.mark.parametrize(
    ("table", "basis"),
    [
        ("a,published,computed,verdict,reason\nx,1,2,log not available,ran on Z\n", "ran on Z"),
        ("a,published,computed,verdict,reason\nx,1,2,log not available,\n", "the logs"),
        ("a,published,computed,verdict\nx,1,log not available,log not available\n", NOT_AVAILABLE),
    ],
)
def test_a_number_that_was_not_compared_states_what_ran(board, table, basis):
    assert board(table)["basis"].tolist() == [basis]


def test_totals_count_computed_numbers_and_the_other_kinds_apart(board):
    line = ROW.replace("\t\t", "\ta \\| F1\t").replace("reproduced", "blank in the paper")
    made = board(scored=SCORED + ROW + line)
    assert list(counts_by_kind(made)) == ["computed", "blank in the paper"]
    assert totals(made) == {
        "computed": "0 of 2 computed numbers match; 1 has the same ranking; 1 differs, not "
        "explained.",
        "blank in the paper": "1 of 1 cells that are blank in the paper match.",
    }


def test_command_and_minutes_are_of_the_file(board):
    made = board(minutes=1.5)
    assert made["minutes"].eq(1.5).all()
    assert made["command"].str.fullmatch("make .*table1_comparison.csv -q").all()
    assert board()["minutes"].isna().all()


def test_computed_values_may_be_in_another_column(board):
    row = ROW.replace("\tcomputed\t", "\trecomputed\t")
    made = board("row,published,recomputed,computed,verdict\na,2,2.0,9,match\n", SCORED + row)
    assert made["computed"].tolist() == ["2.0"]


def test_grades_are_counted(board):
    found = {grade: count for grade, count in counted(board()).items() if count}
    assert found == {"match": 1, "same ranking": 1, "unexplained": 1, "log not available": 1}


def test_a_scoreboard_is_read_as_it_was_written(board, tmp_path):
    made = board()
    write_csv(made, tmp_path / "board.csv")
    read = read_board(tmp_path / "board.csv")
    assert list(read) == COLUMNS
    assert read["published"].tolist() == ["2", "4.0", "0", "7"]
    assert read["difference"].isna().tolist() == [False, False, False, True]


def test_a_paper_without_such_tables_has_no_rows(board):
    assert board(scored=SCORED).empty


def test_without_dialects_all_of_a_comparison_is_the_papers():
    frame = pd.DataFrame({"a": [1, 2]})
    assert of_the_paper(frame) is frame


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("file\tlabel\n", "columns must be"),
        (SCORED + ROW.replace("reproduced", "repeated"), "line 2: kind must be one of"),
        (SCORED + ROW.replace("\tyes", "\tperhaps"), "line 2: headline must be one of"),
        (SCORED + ROW + ROW, "line 3: this file is listed already"),
        (SCORED + ROW.replace("\t\t", "\ta.*\t"), "line 2: the table's own line must come first"),
        (SCORED + ROW + ROW.replace("\t\t", "\ta(\t"), r"line 3: cells 'a\(': missing"),
    ],
)
def test_a_sheet_with_a_mistake_is_refused_with_its_line(tmp_path, text, said):
    path = tmp_path / "scored.tsv"
    path.write_text(text)
    with pytest.raises(ValueError, match=f"scored.tsv: .*{said}"):
        read_scored(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,published\n1,2\n", "no column verdict"),
        ("a,published,verdict\n1,2,nearly\n", "line 2: verdict 'nearly'"),
    ],
)
def test_a_table_that_is_no_comparison_is_refused(tmp_path, text, said):
    path = tmp_path / "table1.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=said):
        read_compared(path)


def test_a_board_of_other_columns_is_refused(tmp_path):
    (tmp_path / "board.csv").write_text("a\n1\n")
    with pytest.raises(ValueError, match="columns must be"):
        read_board(tmp_path / "board.csv")


def test_jobs_that_two_files_need_count_once_for_each_of_them():
    made = {
        "table": Made("table", ["a", "b"], [6.0]),
        "a": Made("both", ["raw"], [60.0]),
        "b": Made("both", ["raw"], [60.0]),
        "other": Made("other", ["a"], []),
    }
    assert minutes_of(["table", "other", "raw"], made.get) == {"table": 1.1, "other": 1.0}


def test_tables_are_read_as_text(tmp_path):
    path = tmp_path / "one_comparison.csv"
    path.write_text("policy,published,computed,verdict,reason\nNA,2,2.1,match,\n")
    assert read_compared(path).iloc[0].tolist() == ["NA", "2", "2.1", "match", ""]
    (tmp_path / "scored.tsv").write_text(SCORED + ROW)
    scored = read_scored(tmp_path / "scored.tsv")
    assert scored.loc["table1_comparison", "file"] == "table1_comparison"
