"""The conversion of the lines of a dump to jobs and ledger."""

from datetime import UTC, datetime
from itertools import permutations

import pytest

from sacct_case import JOB, check_unreadable, fate, job, read, rules, write
from schedlab.traces.cleaning import LEDGER_DTYPES
from schedlab.traces.slurm.sacct import FURTHER, read_sacct
from schedlab.traces.slurm.sacct_ids import ALIVE, UNFINISHED
from schedlab.traces.slurm.sacct_lines import SacctError
from schedlab.traces.swf import DTYPES, FIELDS

TEN = int(datetime(2024, 3, 1, 10, tzinfo=UTC).timestamp())


def at(clock: str, day: int = 1) -> str:
    return f"2024-03-{day:02}T{clock}"


def test_line_of_a_dump_is_a_record_with_further_fields(tmp_path):
    log = read(tmp_path, job(7, Eligible=at("10:05:00")))
    assert log.jobs.columns.tolist() == [*FIELDS, *FURTHER, *log.requests]
    further = dict.fromkeys(FURTHER, "int64") | log.requests.dtypes.to_dict()
    assert log.jobs.dtypes.to_dict() == DTYPES | further
    fields = log.jobs[[*FIELDS, *FURTHER]]
    assert fields.iloc[0].astype(int).to_dict() == dict.fromkeys(FIELDS, -1) | {
        "number": 7,
        "submit": 300,  # seconds from the first submission; it could start five minutes later
        "wait": 300,
        "runtime": 4 * 3600,
        "procs": 8,
        "requested_procs": 8,
        "requested_time": 86400,
        "requested_memory": 2 * 1024**2,
        "status": 1,
        "user": 1,
        "group": 1,
        "queue": 1,
        "partition": 1,
        "entered": 0,
        "account": 1,
        "qos": 1,
        "nodes": 2,
        "line": 2,
    }
    assert log.ignored == ("JobName",)


def test_header_states_clock_time_zone_and_partitions(tmp_path):
    jobs = [job(1, Partition="short"), job(2, Partition="long", User="bob")]
    header = read(tmp_path, *jobs, timezone="Europe/Paris", processors=64).header
    assert dict(entry for entry in header.entries if entry[0] != "Note") == {
        "Version": "2.2",
        "Conversion": "from sacct by schedlab",
        "MaxJobs": "2",
        "MaxRecords": "2",
        "UnixStartTime": str(TEN - 3600),
        "TimeZoneString": "Europe/Paris",
        "StartTime": "2024-03-01 10:00:00 CET",
        "EndTime": "2024-03-01 14:10:00 CET",
        "MaxProcs": "64",
        "MaxQueues": "2",
        "Queue": "2 short",
        "MaxPartitions": "2",
        "Partition": "2 short",
    }
    assert header.values("Queue") == ("1 long", "2 short")


def test_the_cluster_is_the_computer_and_there_is_one(tmp_path):
    def dump(*clusters):
        path = tmp_path / "dump.txt"
        lines = [f"{number}|{name}|1700000000|60|4" for number, name in enumerate(clusters)]
        path.write_text("\n".join(["JobIDRaw|Cluster|Submit|ElapsedRaw|NCPUS", *lines, ""]))
        return path

    assert read_sacct(dump("iris", "", "iris")).header.values("Computer") == ("iris",)
    with pytest.raises(SacctError, match=r"line 4: field Cluster 'aion' is another cluster than"):
        read_sacct(dump("iris", "", "aion"))


WAITED = {"State": "CANCELLED", "Elapsed": "00:00:00"}
AGAIN = {"Submit": at("12:00:00"), "Eligible": at("12:00:00"), "Start": at("13:00:00")}
DAYS_LATER = {"Submit": at("10:00:00", 9), "Eligible": "Unknown", "Start": at("11:00:00", 9)}
DAYS_LATER |= {"End": at("14:10:00", 9)}
STEP = dict.fromkeys(JOB, "")
HET = {"JobID": "100+0"}
SECOND = {"JobID": "100+1", "JobIDRaw": "101"}
NONE = "4294967294"
STATUSES = dict.fromkeys(("FAILED", "TIMEOUT", "OUT_OF_MEMORY", "NODE_FAIL", "BOOT_FAIL"), 0)
STATUSES |= {"COMPLETED": 1, "DEADLINE": 0, "CANCELLED": 5, "CANCELLED by 1000": 5, "PREEMPTED": 5}

#: jobs, columns, their values, and the rules that concern each line
CASES = [
    *(([job(State=state)], "status", [[status]], [""]) for state, status in STATUSES.items()),
    # jobs that have not ended, or never started
    *(
        ([job(1, State=state, End="Unknown"), job(2)], "number", [[2]], ["not_ended", ""])
        for state in sorted(ALIVE)
    ),
    ([job(State="RUNNING")], "number", [], ["not_ended"]),
    *(
        (
            [job(**WAITED | {"Start": start, "End": at("11:00:00")})],
            "wait runtime",
            [[3600, 0]],
            [""],
        )
        for start in ("None", "Unknown", at("11:00:00"))
    ),
    (
        *([job(1, Start="None", **WAITED), job(1, Start="None", Account="b", **WAITED)], "wait"),
        *([[15_000]], ["job_repeated", ""]),
    ),
    ([job(1, Submit="Unknown"), job(2)], "number", [[2]], ["submit_unknown", ""]),
    # steps, tasks of an array, components of a heterogeneous job
    (
        *([job(), STEP | {"JobIDRaw": "100.batch"}, STEP | {"JobID": "100_4.0"}], "number"),
        *([[100]], ["", "step", "step"]),
    ),
    (
        [job(JobID="1_1", JobIDRaw="9"), job(JobID="1_2", JobIDRaw="8"), job(JobID="1_3")],
        *("number", [[8], [9], [100]], [""] * 3),
    ),
    (
        [
            job(**SECOND, NCPUS="3", NNodes="1", Elapsed="05:00:00", User="x"),
            *(job(**HET, Timelimit="02:00:00"), job(102)),
        ],
        "number line procs requested_procs nodes runtime requested_time",
        [[100, 3, 11, 16, 3, 5 * 3600, 86400], [102, 4, 8, 8, 2, 4 * 3600, 86400]],
        ["het_component", " ".join(["het_whole"] * 5), ""],
    ),
    (
        *([job(**HET), job(**SECOND, Timelimit="UNLIMITED")], "requested_time procs", [[-1, 16]]),
        [" ".join(["het_whole"] * 4), "het_component"],
    ),
    (
        [job(**HET), job(**SECOND), job(JobID="200+0", JobIDRaw="200"), job(JobID="200+1")],
        *("number procs", [[100, 16], [200, 16]], None),
    ),
    (
        [job(**HET), job(**SECOND), *(job(**one) | DAYS_LATER for one in (HET, SECOND))],
        "procs",
        [[16], [16]],
        None,
    ),
    ([job(**SECOND)], "number", [[101]], [""]),
    *(
        (lines, "runtime", [[3 * 3600]], None)
        for lines in permutations(
            [
                job(**HET, Elapsed="03:00:00"),
                job(**SECOND, Elapsed="", End="Unknown", State="FAILED"),
            ]
        )
    ),
    (
        [
            job(JobID=f"410+{part}", JobIDRaw=str(410 + part), Submit=at(f"10:00:0{part}"))
            for part in range(3)
        ],
        *("procs", [[24]], None),
    ),
    # one job on several lines, and several jobs of one id
    (
        [job(1, State="PREEMPTED"), job(1, State="PREEMPTED", **AGAIN)],
        *("line", [[3]], ["run_again", ""]),
    ),
    (
        [job(1, State="NODE_FAIL"), job(1, State="PENDING", Start="Unknown", End="Unknown")],
        *("line", [], ["run_again", "not_ended"]),
    ),
    (
        [job(1, State="NODE_FAIL", End=at("12:00:00")), job(1, User="bob", **AGAIN)],
        *("line number", [[2, 1], [3, 2]], None),
    ),
    ([job(5), job(5, **DAYS_LATER), job(6)], "number", [[5], [6], [7]], ["", "number_given", ""]),
    ([job(1), job(1), job(2)], "number", [[1], [2]], ["", "line_repeated", ""]),
    *(
        ([job(1), job(1, **renamed), job(2)], "runtime", [[14400]] * 2, ["job_repeated", "", ""])
        for renamed in ({"Account": "chemistry"}, {"User": "ada-2"})
    ),
    # values that are unknown or impossible
    (
        [job(1, Elapsed="-0:00:16"), job(2, Elapsed="-1-00:00:00", End=at("10:00:00"))],
        *("runtime", [[14400], [-1]], ["runtime_negative"] * 2),
    ),
    *(
        ([job(1), job(2) | cells, job(3)], "number", [[1], [3]], ["", "line_unreadable", ""])
        for cells in (
            *({"Elapsed": text} for text in ("99999-00:00:00", "999999999999-00:00:00")),
            *({"Start": "9999-12-31T23:59:59"}, {"Submit": "999999999999"}),
            *({"NCPUS": "8589934592"}, {"NCPUS": "\u0663"}, {"Elapsed": "\u0660\u0660:10:00"}),
        )
    ),
    *(
        (
            [job(1, NCPUS=none, ReqCPUS="8"), job(2, ReqCPUS=none, Timelimit=none)],
            *("procs requested_procs requested_time", [[8, 8, 86_400], [8, -1, -1]], None),
        )
        for none in (NONE, "4294967295", "18446744073709551614")
    ),
    *(
        ([job(Start=never, **WAITED)], "wait", [[15_000]], [""])
        for never in ("4294967295", "2106-02-07T06:28:14", "2106-02-07T07:28:15")
    ),
    *(
        ([job(1), job(2, Start=start)], "wait", [[600], [600]], ["", "start_derived"])
        for start in ("Unknown", "0", NONE)
    ),
]


@pytest.mark.parametrize(("jobs", "columns", "values", "found"), CASES)
def test_lines_become_jobs_by_these_rules(tmp_path, jobs, columns, values, found):
    log = read(tmp_path, *jobs)
    assert log.jobs[columns.split()].values.tolist() == values
    if found is not None:
        assert [" ".join(rules(log, line)) for line in range(2, 2 + len(jobs))] == found


@pytest.mark.parametrize(
    ("jobs", "without", "columns", "values", "found"),
    [
        (
            [job(1), job(2, End="Unknown")],
            *("State", "number status", [[1, -1]], ["", "not_ended"]),
        ),
        ([job()], "Elapsed", "runtime", [[14400]], [""]),
        (
            [job(JobID="100_1"), job(JobID="100_2"), job(JobID="300")],
            *("JobIDRaw", "number", [[300], [301], [302]], ["number_given", "number_given", ""]),
        ),
        ([job(1)], "Start", "wait", [[600]], [""]),
        ([job(1, NCPUS=NONE), job(2)], "ReqCPUS", "procs", [[-1], [8]], ["procs_unknown", ""]),
    ],
)
def test_a_dump_may_lack_a_field(tmp_path, jobs, without, columns, values, found):
    log = read(tmp_path, *jobs, without=(without,))
    assert log.jobs[columns.split()].values.tolist() == values
    assert [" ".join(rules(log, line)) for line in range(2, 2 + len(jobs))] == found


@pytest.mark.parametrize(("state", "rule"), UNFINISHED.items())
def test_line_that_is_not_the_end_of_a_job_is_dropped(tmp_path, state, rule):
    """Whether the dump knows an end of it or not."""
    log = read(tmp_path, job(1, State=state), job(2, State=state, End="Unknown"), job(3))
    assert log.jobs["number"].tolist() == [3]
    assert rules(log) == rules(log, 3) == [rule]


@pytest.mark.parametrize(
    ("state", "end", "jobs", "found"),
    [
        ("LOST", at("14:10:00"), 1, "state_unknown"),
        ("LOST", "Unknown", 0, "not_ended"),
        ("", at("14:10:00"), 1, ""),
        ("", "Unknown", 0, "not_ended"),
        ("FAILED", "Unknown", 1, ""),
    ],
)
def test_a_job_in_a_state_that_is_not_known_has_ended_if_its_end_is(
    tmp_path, state, end, jobs, found
):
    log = read(tmp_path, job(State=state, End=end))
    assert (len(log.jobs), rules(log)) == (jobs, [found])
    assert log.jobs["status"].tolist() == [0 if state == "FAILED" else -1] * jobs


@pytest.mark.parametrize(
    ("eligible", "start", "submit", "wait", "found"),
    [
        (at("10:00:00"), at("10:10:00"), 0, 600, [""]),
        (at("10:00:01"), at("10:10:00"), 1, 599, ["eligible"]),
        (at("10:10:00"), at("10:10:00"), 600, 0, ["eligible"]),
        (at("10:10:01"), at("10:10:00"), 0, 600, ["eligible_late"]),
        (at("09:59:59"), at("10:10:00"), 0, 600, [""]),
        ("Unknown", at("10:10:00"), 0, 600, [""]),
        (at("10:00:00"), at("10:00:00"), 0, 0, [""]),
        (at("10:00:00"), at("09:59:59"), -1, 0, ["start_early"]),
        (at("10:05:00"), at("09:59:59"), -1, 0, ["start_early"]),
    ],
)
def test_job_arrives_when_eligible_but_not_after_its_start(
    tmp_path, eligible, start, submit, wait, found
):
    log = read(tmp_path, job(Eligible=eligible, Start=start))
    zero = log.header.integer("UnixStartTime") - TEN
    assert (log.jobs["submit"][0] + zero, log.jobs["wait"][0]) == (submit, wait)
    assert log.jobs["entered"][0] + zero == 0
    assert rules(log) == found
    if found == ["eligible"]:
        row = log.ledger.iloc[0]
        assert (row["before"], row["after"]) == (str(TEN), str(TEN + submit))


@pytest.mark.parametrize(
    ("elapsed", "start", "end", "runtime", "found"),
    [
        ("03:59:59", at("10:10:00"), at("14:10:00"), 14399, [""]),  # it was suspended for a second
        ("Unknown", at("10:10:00"), at("14:10:00"), 14400, ["runtime_between"]),
        ("INVALID", at("10:10:00"), at("10:10:00"), 0, ["runtime_between"]),
        ("INVALID", at("10:10:00"), at("10:09:59"), -1, ["runtime_unknown"]),
        ("", at("10:10:00"), "Unknown", -1, ["runtime_unknown"]),
        ("", "None", at("14:10:00"), 0, ["runtime_between"]),
        ("", "None", "Unknown", -1, ["runtime_unknown"]),
    ],
)
def test_run_time_is_elapsed_or_end_minus_start(tmp_path, elapsed, start, end, runtime, found):
    log = read(tmp_path, job(Elapsed=elapsed, Start=start, End=end))
    assert (log.jobs["runtime"].tolist(), rules(log)) == ([runtime], found)


@pytest.mark.parametrize(
    ("state", "rule"), [("PENDING", "not_ended"), ("CANCELLED by 7", "array_unstarted")]
)
@pytest.mark.parametrize("tasks", ["[5-9%2]", "[1,3,5-9:2]", "[7]"])
def test_a_line_of_tasks_that_never_started_is_dropped(tmp_path, state, rule, tasks):
    cells = {"State": state, "Start": "None", "Elapsed": "00:00:00", "JobID": f"100_{tasks}"}
    log = read(tmp_path, job(**cells), job(7))
    assert (log.jobs["number"].tolist(), rules(log)) == ([7], [rule])


@pytest.mark.parametrize(
    "cells",
    [
        *({"JobID": text} for text in ("x7", "7_", "7_[1", "7 8")),
        *({"JobIDRaw": text} for text in ("7_1", "")),
    ],
)
def test_invalid_job_id_is_named(tmp_path, cells):
    check_unreadable(tmp_path, "is not a job id; ids are like", **cells)


@pytest.mark.parametrize("state", ["NODE_FAIL", "PREEMPTED", "BOOT_FAIL"])
def test_a_run_that_the_system_broke_off_is_dropped_if_the_job_ran_again(tmp_path, state):
    later = {"Submit": at("12:00:00"), "Eligible": at("12:00:00"), "Start": at("13:00:00")}
    first = job(1, State=state, Elapsed="01:50:00", End=at("12:00:00"))
    log = read(tmp_path, job(1, **later), first)  # whichever stands first
    assert log.jobs["line"].tolist() == [2]
    assert rules(log, 3) == ["run_again"]
    assert fate(read(tmp_path, first)) == "imported"
    assert fate(read(tmp_path, first, job(2))) == "imported"


def test_ambiguous_and_nonexistent_times_are_in_the_ledger(tmp_path):
    clock = {"Submit": "2024-10-27T02:30:00", "Eligible": "2024-03-31T02:30:00"}
    log = read(tmp_path, job(**clock), timezone="Europe/Paris")
    rows = log.ledger[["rule", "field", "before"]].values.tolist()
    assert ["time_ambiguous", "Submit", clock["Submit"]] in rows
    assert ["time_nonexistent", "Eligible", clock["Eligible"]] in rows


def test_imported_log_contains_no_names(tmp_path):
    log = read(tmp_path, job(User="ada.lovelace", Account="engines", Group="countess"), salt="s")
    told = log.jobs.to_csv() + log.ledger.to_csv() + "\n".join(log.header.lines)
    assert not [name for name in ("ada", "engines", "countess") if name in told]
    assert log.jobs[["user", "group", "account"]].nunique(axis=1).tolist() == [3]


def test_a_dump_of_names_only_is_an_empty_log(tmp_path):
    log = read(tmp_path)
    assert log.jobs.empty
    further = dict.fromkeys(FURTHER, "int64") | log.requests.dtypes.to_dict()
    assert log.jobs.dtypes.to_dict() == DTYPES | further
    assert log.ledger.empty


def test_the_ledger_has_the_columns_of_the_cleaning_ledger(tmp_path):
    ledger = read(tmp_path, job()).ledger
    assert ledger.columns.tolist() == [*LEDGER_DTYPES, "line", "fate"]
    assert ledger["log"].tolist() == ["site.txt"]


def test_the_file_is_named_where_it_is_damaged(tmp_path):
    path = write(tmp_path, job())
    path.write_bytes(b"\x1f\x8b" + path.read_bytes())
    with pytest.raises(ValueError, match=r"site.txt: damaged gzip file"):
        read_sacct(path, timezone="UTC")
