"""Rows and shades of a chart of a site's nodes."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from schedlab.core.machine import Change, Machine, NodeKind, Partition
from schedlab.report.figures.style import save_one
from schedlab.workbench.site_gantt import away_of, bars_of_nodes, rows_of
from slurm_site_case import result_of

MACHINE = Machine(
    (NodeKind(4),),
    np.zeros(4, dtype=np.int32),
    ("a", "b", "c", "d"),
    (Partition("all", (0, 1, 2)), Partition("few", (1,))),
)


def test_nodes_are_in_the_rows_of_their_smallest_partition():
    rows, groups = rows_of(MACHINE)
    assert rows.tolist() == [0, 2, 1, 3]
    assert groups == [("all", 0, 2), ("few", 2, 3), ("", 3, 4)]


def test_shades_last_from_a_drain_to_its_end():
    changes = (
        Change(50, "resume", (1,)),
        Change(10, "drain", (1,)),
        Change(20, "down", (2,)),
        Change(5, "reservation", (0,), 30, flags=frozenset({"MAINT"})),
        Change(40, "reservation", (0,), None),
        Change(500, "drain", (0,)),
    )
    machine = replace(MACHINE, changes=changes)
    found = away_of(machine, rows_of(machine)[0], (8, 100))
    assert found.sort_values(["row", "start"]).to_numpy().tolist() == [
        [0, 5, 30, "maintenance"],
        [0, 40, 100, "reserved"],
        [1, 20, 100, "down"],
        [2, 10, 50, "drained"],
    ]


def test_bars_are_shares_of_nodes(tmp_path):
    """Job 3 has the four processors of c1; jobs 2 and 5 have one of the eight of g1."""
    result = result_of(tmp_path)
    machine = result.site.machine
    bars = bars_of_nodes(
        result.log.jobs, result.schedule, result.waits, machine, rows_of(machine)[0]
    )
    of_job = {
        place: part[["low", "high"]].to_numpy().tolist() for place, part in bars.groupby("job")
    }
    assert of_job == {
        0: [[0, 1], [1, 2], [2, 3]],
        1: [[2, 2.125]],
        2: [[0, 1]],
        3: [[2, 2.125]],
    }
    figure = result.gantt(job=5)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == ["c1", "c2", "g1"]
    save_one(figure, tmp_path / "g.pdf")
    with pytest.raises(ValueError, match="no job runs between 5000 s and 6000 s"):
        result.gantt(5000, 6000)
