"""Invariants of every imported dump."""

from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from zoneinfo import ZoneInfo

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sacct_case import JOB, read, write
from schedlab.traces.cleaning import clean
from schedlab.traces.slurm.sacct import read_sacct
from schedlab.traces.slurm.sacct_ids import STATUS, UNFINISHED
from schedlab.traces.slurm.sacct_ledger import RULES
from schedlab.traces.slurm.sacct_lines import XDMOD
from schedlab.traces.swf import FIELDS, read_swf, write_swf

TEN = int(datetime(2024, 3, 1, 10, tzinfo=UTC).timestamp())


def clock_of(second: int, zone: str) -> str:
    return datetime.fromtimestamp(second, ZoneInfo(zone)).strftime("%Y-%m-%dT%H:%M:%S")


def span_of(seconds: int) -> str:
    days, rest = divmod(seconds, 86400)
    text = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    return f"{days}-{text}" if days else text


# in zones of one offset: of local times that come twice the first and the second look the same
TRUE_JOBS = st.lists(
    st.fixed_dictionaries(
        {
            "entered": st.integers(TEN, TEN + 10**7),
            "held": st.integers(0, 10**5),
            "wait": st.integers(0, 10**6),
            "runtime": st.integers(0, 10**6),
            "procs": st.integers(1, 5000),
            "limit": st.integers(1, 10**6),
            "state": st.sampled_from(sorted(STATUS)),
            "step": st.booleans(),
        }
    ),
    min_size=1,
    max_size=12,
)


def line_of(number: int, true: dict, zone: str | None) -> dict[str, str]:
    """Return the cells of XDMoD's list for a job."""
    times = {"Submit": true["entered"]}
    times["Eligible"] = times["Submit"] + true["held"]
    times["Start"] = times["Eligible"] + true["wait"]
    times["End"] = times["Start"] + true["runtime"]
    told = {
        name: str(time) if zone is None else clock_of(time, zone) for name, time in times.items()
    }
    ids = {"JobID": str(number), "JobIDRaw": str(number)}
    counts = {"NCPUS": str(true["procs"]), "ReqCPUS": str(true["procs"]), "NNodes": "1"}
    spans = {"Elapsed": span_of(true["runtime"]), "Timelimit": span_of(true["limit"])}
    return (
        dict.fromkeys(XDMOD.split("|"), "") | ids | told | counts | spans | {"State": true["state"]}
    )


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(TRUE_JOBS, st.sampled_from(["UTC", "Asia/Tokyo", None]), st.booleans())
def test_a_dump_is_read_as_it_was_written_and_so_is_its_log(true_jobs, zone, named):
    rows = []
    for number, true in enumerate(true_jobs, start=1):
        rows.append(line_of(number, true, zone))
        if true["step"]:
            rows.append(
                dict.fromkeys(rows[-1], "") | {"JobID": f"{number}.0", "JobIDRaw": f"{number}.0"}
            )
    texts = ["|".join(row.values()) for row in rows]
    with TemporaryDirectory() as folder:
        path = Path(folder, "dump.txt")
        path.write_text("".join(f"{text}\n" for text in ([XDMOD] if named else []) + texts))
        log = read_sacct(path, timezone=zone)
        swf = Path(folder, "log.swf.gz")
        write_swf(swf, log.jobs, log.header)
        back = read_swf(swf)
    found = log.jobs.set_index("number").sort_index()
    zero = log.header.integer("UnixStartTime")
    for number, true in enumerate(true_jobs, start=1):
        assert found.loc[number, "entered"] + zero == true["entered"]
        assert found.loc[number, "submit"] + zero == true["entered"] + true["held"]
        assert found.loc[number, "requested_time"] == true["limit"]
        assert found.loc[number, "status"] == STATUS[true["state"]]
        for name in ("wait", "runtime", "procs"):
            assert found.loc[number, name] == true[name]
    assert len(found) == len(true_jobs)
    pd.testing.assert_frame_equal(back.jobs, log.jobs[list(FIELDS)])
    assert back.header == log.header
    assert back.notes == ()
    assert (log.ledger["rule"] == "step").sum() == sum(true["step"] for true in true_jobs)


CLOCKS = st.sampled_from(
    [
        *("Unknown", "None", "2024-10-27T02:10:00", "2024-10-27T02:50:00", "2024-03-31T02:30:00"),
        *("2024-03-01T10:00:00", "2024-03-01T11:00:00", "2024-03-02T10:00:00"),
    ]
)
ODD_JOBS = st.fixed_dictionaries(
    {
        "JobID": st.sampled_from(["1", "2", "1_1", "1_[2-3]", "1+0", "1+1", "5+0", "1.batch"]),
        "JobIDRaw": st.sampled_from(["1", "2", "3"]),
        "Submit": CLOCKS,
        "Eligible": CLOCKS,
        "Start": CLOCKS,
        "End": CLOCKS,
        "Elapsed": st.sampled_from(["00:00:00", "01:00:00", "INVALID"]),
        "State": st.sampled_from([*STATUS, *UNFINISHED, "RUNNING", "CANCELLED by 7", "ODD", ""]),
        "NCPUS": st.sampled_from(["0", "4", ""]),
        "Timelimit": st.sampled_from(["Partition_Limit", "UNLIMITED", "01:00:00"]),
    }
)


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(ODD_JOBS, max_size=8))
def test_every_line_of_any_dump_is_a_job_or_dropped(cells):
    with TemporaryDirectory() as folder:
        log = read(Path(folder), *(JOB | row for row in cells), timezone="Europe/Paris")
    fates = log.ledger.groupby("line")["fate"].agg(["first", "nunique"])
    assert fates.index.tolist() == list(range(2, 2 + len(cells)))
    assert (fates["nunique"] == 1).all()
    kept = fates.index[fates["first"] != "dropped"]
    assert sorted(log.jobs["line"]) == kept.tolist()
    assert log.jobs["number"].is_unique
    assert (log.jobs["number"] >= 0).all()
    assert log.jobs[["submit", "entered"]].min(axis=None) == 0 or log.jobs.empty
    assert (log.jobs[["wait", "runtime", "procs", "requested_time"]] >= -1).all(axis=None)
    dropped = log.ledger["fate"] == "dropped"
    assert log.ledger.loc[dropped, "after"].isna().all()
    assert log.ledger.loc[~dropped, "after"].notna().all()
    for rule, rows in log.ledger.groupby("rule"):
        if rule:
            assert (rows["fate"] == "dropped").all() == RULES[rule].drops
    numbers = log.jobs.set_index("line")["number"]
    named = log.ledger[~dropped]
    assert (named["line"].map(numbers) == named["number"]).all()
    clean(log.jobs, "klusacek2016", "site")  # which keeps most fields


@pytest.mark.slow
@settings(max_examples=25, deadline=None)
@given(st.lists(ODD_JOBS, max_size=8), st.sampled_from([None, "secret"]))
def test_a_dump_in_parts_is_the_dump_as_a_whole(cells, salt):
    rows = [JOB | row | {"JobName": f'a, "{place}"\nrest, "of"'} for place, row in enumerate(cells)]
    with TemporaryDirectory() as folder:
        path = write(Path(folder), *rows, rows[0] if rows else JOB)
        options = {"timezone": "Europe/Paris", "salt": salt}
        log = read_sacct(path, **options)
        parts = read_sacct(path, **options, size=400)
        assert len(parts.fates.parts) > len(cells) // 4
        ledger = Path(folder, "ledger.csv")
        parts.fates.write(ledger)
        assert ledger.read_text() == log.ledger.to_csv(index=False)
    pd.testing.assert_frame_equal(parts.jobs, log.jobs)
    pd.testing.assert_frame_equal(parts.ledger, log.ledger)
    pd.testing.assert_frame_equal(parts.lost, log.lost)
    assert (parts.header, parts.gpu_jobs, parts.dumped) == (log.header, log.gpu_jobs, log.dumped)
    assert parts.fates.counts() == log.fates.counts()
    rules = log.ledger[log.ledger["rule"] != ""]
    by_rule = rules.groupby("rule", sort=False)["line"].nunique()
    changed = log.ledger.loc[log.ledger["fate"] == "changed", "line"].nunique()
    assert log.fates.counts() == (log.ledger["line"].nunique(), changed, by_rule.to_dict())
