"""What happened to nodes, as dated rows."""

from datetime import UTC
from zoneinfo import ZoneInfo

import pandas as pd
import pytest

from schedlab.core.machine import Change, Machine, NodeKind
from schedlab.files.config_files import ConfigError
from schedlab.traces.slurm.node_changes import COLUMNS, Clock, changes_of, read_rows

MACHINE = Machine.of_nodes({"c1": NodeKind(4), "c2": NodeKind(4), "g1": NodeKind(8)})
MAINTENANCE = frozenset({"MAINT"})
CLOCK = Clock(1_736_121_600, UTC)
ROW = {"from": "2025-01-06T01:00", "until": "2025-01-06T02:00", "nodes": "c[1-2]"}


def changes(clock=CLOCK, **cells):
    rows = pd.DataFrame([ROW | cells]).reindex(columns=list(COLUMNS))
    return changes_of(rows, MACHINE, clock, "mine.csv")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        ({}, (Change(3600, "drain", (0, 1)), Change(7200, "resume", (0, 1)))),
        ({"until": ""}, (Change(3600, "drain", (0, 1)),)),
        ({"from": "60", "until": "90", "nodes": "g1"},
         (Change(60, "drain", (2,)), Change(90, "resume", (2,)))),
        ({"from": "2025-01-05T01:00"},
         (Change(0, "drain", (0, 1)), Change(7200, "resume", (0, 1)))),
        ({"from": "2025-01-05", "until": "2025-01-05T09:00"}, ()),
        ({"nodes": "all", "effect": "reservation", "known": "2025-01-06T00:30"},
         (Change(3600, "reservation", (0, 1, 2), 7200, 1800, "change1", flags=MAINTENANCE),)),
    ],
)  # fmt: skip
def test_rows_are_changes_on_the_clock_of_the_log(cells, expected):
    assert changes(**cells) == expected


def test_dates_without_a_zone_are_those_of_the_site():
    (first, _) = changes(Clock(1_736_121_600, ZoneInfo("Europe/Paris")))
    assert first.time == 0
    assert (
        changes(Clock(1_736_121_600, ZoneInfo("Europe/Paris")), until="2025-01-06T03:00")[1].time
        == 7200
    )


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"from": ""}, "row 1: from is empty"),
        ({"from": "soon"}, "row 1: from: 'soon'"),
        ({"until": "2025-01-06T01:00"}, "is not after from"),
        ({"nodes": "c3"}, "no node 'c3'"),
        ({"nodes": "c[2-1]"}, "row 1: nodes: host list"),
        ({"effect": "down"}, "effect: 'down' is not one of drain, reservation"),
    ],
)
def test_a_mistake_is_named_with_its_row(cells, message):
    with pytest.raises(ConfigError, match=r"mine\.csv: row 1") as error:
        changes(**cells)
    assert message in str(error.value)


def test_a_log_without_dates_needs_seconds():
    with pytest.raises(ConfigError, match="states no dates: write seconds"):
        changes(Clock())
    assert changes(Clock(), **{"from": "5", "until": ""}) == (Change(5, "drain", (0, 1)),)


@pytest.mark.parametrize(
    ("text", "message"),
    [("from,until,node\n", "no column 'node'; did you mean 'nodes'"), ("from,until\n", "nodes is")],
)
def test_a_table_without_its_columns_is_refused(tmp_path, text, message):
    (tmp_path / "a.csv").write_text(text)
    with pytest.raises(ConfigError, match=message):
        read_rows(tmp_path / "a.csv")


def test_a_table_is_read_as_texts(tmp_path):
    (tmp_path / "a.csv").write_text("from,until,nodes\n60,,c1\n")
    rows = read_rows(tmp_path / "a.csv")
    assert rows.iloc[0].tolist() == ["60", "", "c1", "", "", "", ""]
