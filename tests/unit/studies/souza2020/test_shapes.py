"""Shapes of workflows, derived from the published tables."""

import pandas as pd
import pytest

from schedlab.report.comparison import read_published
from schedlab.studies.souza2020 import shapes as module
from schedlab.studies.souza2020.shapes import (
    big_job_of,
    core_hours,
    read_shapes,
    readings,
    typical_seconds,
    workflow_of,
)
from souza_case import printed

MONTAGE = {"Montage 28": [150, 1287, 9, 258, 1408, 7, 132, 1277, 7]}


def shapes(rows, **percent):
    """Shapes of rows, with the percentages next to Big Job's core-hours that some have."""
    names = {name.replace("_", " "): value for name, value in percent.items()}
    percentages = pd.DataFrame({"Big Job CH": names}, dtype=object)
    return module.shapes(printed(rows), percentages)


def test_time_is_makespan_minus_wait_and_core_hours_give_the_parallel_part():
    row = shapes(MONTAGE).iloc[0]
    # of Big Job, and of Per-Stage
    assert (row["big_job"], row["seconds"]) == (1137, 1150)
    # 7 h on cores: 28 t + (1150 - t) = 25200
    assert row["parallel"] == round((25_200 - 1150) / 27) == 891
    assert row["parallel_low"] == round((23_400 - 1150) / 27)
    assert row["parallel_high"] == round((27_000 - 1150) / 27)


def hours(own, asa, percent):
    """Core-hours of Per-Stage in print, cut; Big Job has 36 h exactly."""
    cells = {"Big Job makespan": "3600", "Big Job TWT": "0"}
    cells |= {"Per-Stage CH": str(own), "ASA CH": str(asa)}
    return core_hours(cells, 36, "cut", percent)


def test_percentages_narrow_core_hours_if_per_stage_has_the_least():
    assert hours(20, 20, None) == (20, 21)
    # 36 h are 74 % more than 36 / 1.745 up to 36 / 1.735
    assert hours(20, 20, "74") == pytest.approx((36 / 1.745, 36 / 1.735))
    assert hours(20, 21, "74") == hours(20, 20, "74")
    # one end beyond what is printed: 36 / 1.805 is below 20
    assert hours(20, 20, "80") == pytest.approx((20, 36 / 1.795))


def test_percentages_give_only_one_limit_if_asa_has_the_least():
    assert hours(20, 19, "74") == pytest.approx((36 / 1.745, 21))
    assert hours(21, 20, "74") == (21, 22)


def test_a_percentage_that_contradicts_the_core_hours_is_left_out():
    assert hours(20, 20, "50") == (20, 21)


def test_percentages_tighten_the_sheet():
    row = shapes(MONTAGE, Montage_28="24").iloc[0]
    low, high = (1137 * 28 / (1 + share) for share in (0.245, 0.235))
    assert row["parallel_low"] == round((low - 1150) / 27)
    assert row["parallel_high"] == round((high - 1150) / 27)
    assert row["parallel"] == round(((low + high) / 2 - 1150) / 27)


def single_workflow(makespan, big_job, per_stage=20):
    """A workflow on 36 cores, 100 s of which are an hour, printed with these core-hours."""
    return {"BLAST 36": [0, makespan, big_job, 0, makespan, per_stage, 0, makespan, per_stage]}


@pytest.mark.parametrize(
    ("makespan", "big_job", "reading"),
    [
        (2050, 20, "cut"),
        (2099, 20, "cut"),
        (2050, 21, "rounded"),
        (1950, 20, "rounded"),
        (2049, 20, "cut"),
        (2100, 20, "cut"),
        (1949, 20, "cut"),
    ],
)
def test_core_hours_of_a_big_job_show_truncation_or_rounding(makespan, big_job, reading):
    """20.5 h and up to 21 h are cut to 20; 19.5 h and up to 20.5 h rounded; else both fail."""
    assert readings(printed(single_workflow(makespan, big_job))) == {"BLAST": reading}


def test_most_scales_decide_how_core_hours_were_made_whole():
    rows = {
        "BLAST 36": single_workflow(2050, 21)["BLAST 36"],
        "BLAST 360": single_workflow(205, 20)["BLAST 36"],
    }
    assert readings(printed(rows)) == {"BLAST": "cut"}
    rows["BLAST 72"] = single_workflow(1025, 21)["BLAST 36"]
    assert readings(printed(rows)) == {"BLAST": "rounded"}


def test_truncated_core_hours_are_taken_at_their_midpoint():
    """10 h cut: 36 t + (2050 - t) = 10.5 h, from 10 h up to 11 h."""
    row = shapes(single_workflow(2050, 20, per_stage=10)).iloc[0]
    assert row["parallel"] == round((37_800 - 2050) / 35)
    assert row["parallel_low"] == round((36_000 - 2050) / 35)
    assert row["parallel_high"] == round((39_600 - 2050) / 35)


def test_in_print_only_montage_is_rounded(root):
    published = read_published(root / "resources/souza2020/published.tsv", "table1")
    assert readings(published) == {"Montage": "rounded", "BLAST": "cut", "Statistics": "cut"}


def test_parallel_time_is_no_more_than_all():
    row = shapes({"BLAST 56": [133, 1476, 20, 153, 1508, 22, 111, 1477, 22]}).iloc[0]
    assert row["parallel"] == row["seconds"] == 1355


def test_the_sheet_is_that_of_the_printed_table(root):
    folder = root / "resources/souza2020"
    items = ("table1", "percentages")
    derived = module.shapes(*(read_published(folder / "published.tsv", one) for one in items))
    assert derived.equals(read_shapes(folder / "shapes.tsv"))


def test_groups_share_their_time_evenly():
    shape = shapes(MONTAGE).iloc[0].to_dict()
    stages = workflow_of(shape).stages
    assert [(one.cores, one.seconds) for one in stages] == [
        (28, 446),
        (1, 130),
        (28, 445),
        (1, 129),
    ]
    # as one job it takes as long as Big Job did
    assert [(one.cores, one.seconds) for one in big_job_of(shape).stages] == [(28, 1137)]


def test_typical_times_are_means_over_stages():
    assert typical_seconds(shapes(MONTAGE), 28) == {28: 446, 1: 130}


@pytest.mark.parametrize(("parallel", "bad"), [(1150, False), (1151, True)])
def test_a_shape_with_more_parallel_time_than_time_is_refused(tmp_path, parallel, bad):
    frame = shapes(MONTAGE).assign(parallel=parallel)
    path = tmp_path / "shapes.tsv"
    frame.to_csv(path, sep="\t", index=False)
    if not bad:
        assert len(read_shapes(path)) == 1
        return
    with pytest.raises(
        ValueError, match=r"shapes.tsv: line 2: .*Montage on 28 cores has 1151 s of"
    ):
        read_shapes(path)


def test_a_sheet_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "shapes.tsv"
    path.write_text("workflow\tcores\nMontage\t28\n")
    with pytest.raises(ValueError, match="line 1: columns must be"):
        read_shapes(path)
