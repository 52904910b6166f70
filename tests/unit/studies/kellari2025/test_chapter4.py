"""Chapter 4 of kellari2025 as tables."""

import pandas as pd
import pytest

from schedlab.cosched.pool import STAND_IN, read_pool
from schedlab.report.comparison import read_published, read_reasons
from schedlab.studies.kellari2025.tables import chapter4

PUBLISHED = "resources/kellari2025/published.tsv"
REASONS = "resources/kellari2025/reasons.tsv"


@pytest.fixture(scope="module")
def pool(root):
    return read_pool(root / "resources/kellari2025/table4_1.tsv", STAND_IN)


@pytest.fixture(scope="module")
def compare(root):
    def against(pool):
        printed = read_published(root / PUBLISHED, "table4_1")
        reasons = read_reasons(root / REASONS, "table4_1")
        return chapter4.compare_table4_1(printed, chapter4.table4_1(pool), pool.label, reasons)

    return against


def test_table4_1_is_every_pair_of_one_application(pool):
    table = chapter4.table4_1(pool)
    assert len(table) == 31
    assert set(table["name_A"]) == {"bt.D.256"}
    assert table["co_A_B"].isna().sum() == table["co_B_A"].isna().sum() == 4


def test_table4_1_is_not_compared_with_itself(pool, compare):
    assert set(compare(pool)["verdict"]) == {"log not available"}


@pytest.mark.logs
def test_published_part_of_the_heatmap_follows_from_the_pool(raw_pool, compare):
    table = compare(read_pool(raw_pool("aris-nas"), "aris-nas"))
    assert len(table) == 31 + 2 * 27
    other = table[table["verdict"] != "match"]
    assert set(other["name_B"]) == {"bt.D.256"}
    assert other["reason"].str.contains("two copies").all()


def test_problem_sizes_have_their_exponents_and_applications_are_counted(root, pool):
    sizes = pd.read_csv(root / "resources/kellari2025/table4_2.tsv", sep="\t", dtype=str)
    table = chapter4.table4_2(sizes, pool).set_index(["benchmark", "parameter"])
    assert table.at[("EP", "no. of random-number pairs"), "class_d"] == "2^36"
    assert table.at[("IS", "no. of keys"), "class_e"] == "2^35"
    assert table.loc["BT", "applications_d"].tolist() == [3, 3, 3]
    assert table.loc["EP", "applications_d"].tolist() == [0]


def test_pairs_are_grouped_by_the_next_power_of_two(pool):
    groups = chapter4.by_processes(pool).drop_duplicates("name_A").set_index("name_A")["processes"]
    assert groups["bt.D.512"] == 512
    assert groups["bt.E.2048"] == 2048
    assert set(groups) == {64, 128, 256, 512, 1024, 2048}
