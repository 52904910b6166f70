"""Published and computed columns, with numbers that belong to other rows."""

import pandas as pd
import pytest

from schedlab.report import columns
from schedlab.report.comparison import REASON_COLUMNS, UNEXPLAINED
from schedlab.report.verdicts import DIFFERS, MATCH, NOT_AVAILABLE, SAME_RANKING

ROWS = ["SAF", "SEXP", "FCFS"]
PRINTED = pd.DataFrame({"none": ["10.00", "20.00", "30.00"], "tight": ["11.00", "30.00", "31.00"]})
PRINTED.index = ROWS
OWNERS = pd.DataFrame(
    [("table3", "tight", "SEXP", "FCFS"), ("table3", "tight", "FCFS", "SEXP")],
    columns=columns.OWNER_COLUMNS,
)
REASONS = pd.DataFrame([("table3", "*", "SAF", "none", "50.00", "known")], columns=REASON_COLUMNS)


def computed(none=(10.0, 20.0, 30.0), tight=(11.0, 31.0, 30.0), ran_on="SITE"):
    frame = pd.DataFrame({"trace": "SITE", "ran_on": ran_on, "policy": ROWS})
    return frame.assign(none=none, tight=tight).set_index("policy", drop=False)


def compare_columns(table, ordered=True):
    missing = columns.why_missing(table, PRINTED)
    rows = columns.compare_columns(PRINTED, OWNERS, table, missing, REASONS, ordered)
    return rows.set_index(["row", "column"])


def test_numbers_are_compared_with_their_owners():
    """The rows of the second column were printed in the order of the first."""
    rows = compare_columns(computed()).xs("tight", level="column")
    assert rows["verdict"].tolist() == [MATCH] * 3
    assert rows["published"].to_dict() == {"SAF": "11.00", "SEXP": "31.00", "FCFS": "30.00"}
    assert rows["printed_as"].to_dict() == {"SAF": "", "SEXP": "FCFS", "FCFS": "SEXP"}


def test_a_number_that_is_not_its_owners_differs():
    rows = compare_columns(computed(tight=(11.0, 30.0, 31.0))).xs("tight", level="column")
    assert rows["verdict"].tolist() == [MATCH, DIFFERS, DIFFERS]


def test_the_order_is_that_of_the_column():
    rows = compare_columns(computed(none=(9.0, 21.0, 99.0)))
    assert set(rows.xs("none", level="column")["verdict"]) == {SAME_RANKING}
    rows = compare_columns(computed(none=(50.0, 21.0, 99.0)))
    assert set(rows.xs("none", level="column")["verdict"]) == {DIFFERS}


def test_facts_have_no_ranking():
    table = computed(none=(9.0, 21.0, 99.0))
    rows = compare_columns(table, ordered=False)
    assert set(rows.xs("none", level="column")["verdict"]) == {DIFFERS}
    assert rows["kendall"].isna().all()


def test_same_ranking_needs_all_rows():
    table = computed(none=(9.0, 21.0, 99.0)).drop("SEXP")
    rows = compare_columns(table).xs("none", level="column")
    assert rows["verdict"].tolist() == [DIFFERS, NOT_AVAILABLE, DIFFERS]
    assert rows["kendall"].isna().all()


def test_kendalls_tau_is_repeated_for_the_numbers_of_a_column():
    rows = compare_columns(computed(none=(50.0, 21.0, 99.0)))
    assert rows.xs("none", level="column")["kendall"].tolist() == pytest.approx(
        [1 / 3] * 3, abs=1e-4
    )


def test_every_number_has_a_row_with_verdict_and_reason():
    """FCFS is not there: the column ranks nothing, and SAF is off by more than its reason says."""
    missing = {"FCFS": "nothing to run"}
    table = computed(none=(49.0, 20.0, 30.0)).drop("FCFS")
    rows = columns.compare_columns(
        PRINTED[["none"]], OWNERS.assign(column="none"), table, missing, REASONS, True
    )
    said = f"{UNEXPLAINED}: the reason that is known explains 50.00, not this"
    nan = pytest.approx(float("nan"), nan_ok=True)
    assert rows.to_dict("records") == [
        {
            "row": row,
            "column": "none",
            "published": published,
            "printed_as": printed_as,
            "computed": own,
            "ratio": ratio,
            "kendall": nan,
            "verdict": verdict,
            "reason": reason,
        }
        for row, published, printed_as, own, ratio, verdict, reason in [
            ("SAF", "10.00", "", 49.0, 4.9, DIFFERS, said),
            ("SEXP", "30.00", "FCFS", 20.0, 0.6667, DIFFERS, UNEXPLAINED),
            ("FCFS", "20.00", "SEXP", NOT_AVAILABLE, nan, NOT_AVAILABLE, "nothing to run"),
        ]
    ]


def test_stand_in_is_never_compared_with_the_published_number():
    rows = compare_columns(computed(ran_on="lublin_site"))
    assert set(rows["verdict"]) == {NOT_AVAILABLE}
    assert set(rows["reason"]) == {"ran on the model lublin_site, not on SITE"}
    assert rows.loc[("SAF", "none"), "computed"] == 10


@pytest.mark.parametrize("table", [computed().iloc[:0], computed(none=[NOT_AVAILABLE] * 3)])
def test_numbers_that_were_not_run_are_marked(table):
    rows = compare_columns(table)
    assert set(rows["verdict"]) == {NOT_AVAILABLE}
    assert set(rows["reason"]) == {"nothing to run"}


def test_ranks_are_correlated_as_printed_and_by_owner():
    table = computed(tight=(11.0, 31.0, 29.0))
    ranks = columns.rank_columns(PRINTED, OWNERS, table, {})
    assert ranks["column"].tolist() == ["none", "tight", "tight"]
    assert ranks["printed"].tolist() == ["as printed", "as printed", "by owner"]
    assert ranks["kendall"].tolist() == pytest.approx([1, 1 / 3, 1], abs=1e-4)
    assert ranks["our_order"].tolist() == ["SAF SEXP FCFS", "SAF FCFS SEXP", "SAF FCFS SEXP"]


def test_sorted_columns_are_counted_for_any_names():
    ranks = columns.rank_columns(PRINTED, OWNERS, computed(tight=(31.0, 11.0, 29.0)), {})
    assert ranks["equal"].tolist() == [3, 2, 2]


def test_numbers_that_were_not_run_are_not_ranked():
    missing = columns.why_missing(computed().iloc[:0], PRINTED)
    ranks = columns.rank_columns(PRINTED, OWNERS, computed().iloc[:0], missing)
    assert set(ranks["our_order"]) == {NOT_AVAILABLE}
    assert ranks["kendall"].isna().all()


def test_equal_ranks_count_half_and_correlations_have_four_digits():
    """Ranks 1.5, 1.5, 3 and 4 next to 1 to 4: tau-b is 5 / sqrt(30), rho 4.5 / sqrt(22.5)."""
    printed = pd.DataFrame({"none": ["1", "2", "3", "4"]}, index=list("abcd"))
    table = pd.DataFrame({"none": [5.0, 5.0, 6.0, 7.0]}, index=list("abcd"))
    found = columns.rank_columns(printed, OWNERS.iloc[:0], table, {})
    assert found[["kendall", "spearman"]].to_numpy().tolist() == [[0.9129, 0.9487]]
    assert found["printed"].tolist() == ["as printed"]
    assert found["published_order"].tolist() == ["a b c d"]


def test_row_is_compared_only_if_complete_on_the_papers_log():
    table = computed(tight=("11.0", NOT_AVAILABLE, "30.0")).astype({"ran_on": object})
    table.loc["FCFS", "ran_on"] = "model"
    assert columns.why_missing(table, PRINTED) == {
        "SEXP": "nothing to run",
        "FCFS": "ran on the model model, not on SITE",
    }
    assert columns.why_missing(computed(), PRINTED) == {}


def test_computed_table_is_read_by_its_rows(tmp_path):
    """Names such as 12 and NA are texts, and what is missing says so in words."""
    path = tmp_path / "table3.csv"
    path.write_text("trace,policy,none\nNA,12,1.5\nNA,NA,log not available\n")
    table = columns.read_ours(path, "policy")
    assert table.index.tolist() == table["policy"].tolist() == ["12", "NA"]
    assert table["trace"].tolist() == ["NA", "NA"]
    assert table["none"].tolist() == ["1.5", "log not available"]


def test_owners_of_a_column_are_its_rows(tmp_path):
    path = tmp_path / "owners.tsv"
    header = "\t".join(columns.OWNER_COLUMNS)
    path.write_text(f"{header}\nt\tc\tA\tB\nt\tc\tB\tA\nu\tc\tA\tB\n")
    with pytest.raises(ValueError, match="line 4: u, c"):
        columns.read_owners(path, "t")
    path.write_text(f"{header}\nu\tz\tA\tA\nu\tc\tA\tB\nu\tc\tB\tB\nt\ta\tA\tB\n")
    with pytest.raises(ValueError, match="line 3: u, c"):
        columns.read_owners(path, "t")
    path.write_text(f"{header}\nu\tc\tNA\tNA\nt\tc\tA\tB\nt\tc\tB\tA\n")
    assert columns.read_owners(path, "t").reset_index().to_numpy().tolist() == [
        [0, "t", "c", "A", "B"],
        [1, "t", "c", "B", "A"],
    ]
    assert columns.read_owners(path, "u")["owner"].tolist() == ["NA"]
    path.write_text(f"{header}\nt\tc\tA\tB\nt\tc\tB\tA\n")
    assert columns.read_owners(path, "u").empty
    path.write_text("item\trow\n")
    with pytest.raises(ValueError, match="columns must be"):
        columns.read_owners(path, "t")
