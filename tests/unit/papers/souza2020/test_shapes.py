"""Shapes of workflows, derived from print."""

import pytest

from schedlab.papers.souza2020.shapes import (
    read_shapes,
    shapes,
    typical_seconds,
    workflow_of,
)
from schedlab.report.comparison import read_published
from souza_case import printed

MONTAGE = {"Montage 28": [150, 1287, 9, 258, 1408, 7, 132, 1277, 7]}


def test_time_is_makespan_less_waiting_and_core_hours_tell_what_is_parallel():
    row = shapes(printed(MONTAGE)).iloc[0]
    assert row["seconds"] == 1137
    # 7 h on cores: 28 t + (1137 - t) = 25200
    assert row["parallel"] == round((25_200 - 1137) / 27) == 891
    assert row["parallel_low"] == round((23_400 - 1137) / 27)
    assert row["parallel_high"] == round((27_000 - 1137) / 27)


def test_parallel_time_is_no_more_than_all():
    row = shapes(printed({"BLAST 56": [133, 1476, 20, 153, 1508, 21, 111, 1477, 21]})).iloc[0]
    assert row["parallel"] == row["seconds"] == 1343


def test_the_sheet_is_that_of_the_printed_table(root):
    folder = root / "resources/souza2020"
    derived = shapes(read_published(folder / "published.tsv", "table1"))
    assert derived.equals(read_shapes(folder / "shapes.tsv"))


def test_groups_share_their_time_evenly():
    shape = shapes(printed(MONTAGE)).iloc[0].to_dict()
    stages = workflow_of(shape).stages
    assert [(one.cores, one.seconds) for one in stages] == [
        (28, 446),
        (1, 123),
        (28, 445),
        (1, 123),
    ]


def test_typical_times_are_means_over_stages():
    assert typical_seconds(shapes(printed(MONTAGE)), 28) == {28: 446, 1: 123}


@pytest.mark.parametrize(("parallel", "bad"), [(1137, False), (1138, True)])
def test_a_shape_with_more_parallel_time_than_time_is_refused(tmp_path, parallel, bad):
    frame = shapes(printed(MONTAGE)).assign(parallel=parallel)
    path = tmp_path / "shapes.tsv"
    frame.to_csv(path, sep="\t", index=False)
    if not bad:
        assert len(read_shapes(path)) == 1
        return
    with pytest.raises(
        ValueError, match=r"shapes.tsv: line 2: .*Montage on 28 cores has 1138 s of"
    ):
        read_shapes(path)


def test_a_sheet_with_other_columns_is_refused(tmp_path):
    path = tmp_path / "shapes.tsv"
    path.write_text("workflow\tcores\nMontage\t28\n")
    with pytest.raises(ValueError, match="line 1: columns must be"):
        read_shapes(path)
