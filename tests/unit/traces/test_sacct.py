"""The conversion of the lines of a dump to jobs and ledger."""

from datetime import UTC, datetime

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
    assert log.jobs.columns.tolist() == [*FIELDS, *FURTHER]
    assert log.jobs.dtypes.to_dict() == DTYPES | dict.fromkeys(FURTHER, "int64")
    assert log.jobs.iloc[0].astype(int).to_dict() == dict.fromkeys(FIELDS, -1) | {
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


def test_user_who_cancelled_a_job_is_ignored(tmp_path):
    assert read(tmp_path, job(State="CANCELLED by 1000")).jobs["status"].tolist() == [5]


@pytest.mark.parametrize("state", sorted(ALIVE))
def test_job_that_has_not_ended_is_dropped(tmp_path, state):
    log = read(tmp_path, job(1, State=state, End="Unknown"), job(2))
    assert log.jobs["number"].tolist() == [2]
    assert rules(log) == ["not_ended"]


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


def test_a_dump_without_states_has_jobs_of_unknown_status(tmp_path):
    log = read(tmp_path, job(1), job(2, End="Unknown"), without=("State",))
    assert log.jobs["number"].tolist() == [1]
    assert log.jobs["status"].tolist() == [-1]
    assert rules(log, 3) == ["not_ended"]


@pytest.mark.parametrize("start", ["None", "Unknown"])
def test_a_job_that_was_cancelled_while_waiting_ran_for_no_time(tmp_path, start):
    cells = {"Start": start, "End": at("11:00:00"), "Elapsed": "00:00:00", "NCPUS": "0"}
    log = read(tmp_path, job(State="CANCELLED by 7", **cells))
    assert log.jobs[["wait", "runtime", "procs", "status"]].values.tolist() == [[3600, 0, 0, 5]]
    assert fate(log) == "imported"


def test_cancelled_job_with_equal_start_and_end_waited_until_then(tmp_path):
    cells = {"Start": at("11:00:00"), "End": at("11:00:00"), "Elapsed": "00:00:00"}
    log = read(tmp_path, job(State="CANCELLED", **cells))
    assert log.jobs[["wait", "runtime"]].values.tolist() == [[3600, 0]]


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


def test_submission_and_eligibility_of_a_held_job_are_in_the_ledger(tmp_path):
    row = read(tmp_path, job(Eligible=at("10:00:01"))).ledger.iloc[0]
    assert (row["before"], row["after"]) == (str(TEN), str(TEN + 1))


def test_job_with_an_unknown_submission_is_dropped(tmp_path):
    log = read(tmp_path, job(1, Submit="Unknown"), job(2))
    assert (log.jobs["number"].tolist(), rules(log)) == ([2], ["submit_unknown"])


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


def test_without_elapsed_times_the_time_between_is_the_run_time(tmp_path):
    log = read(tmp_path, job(), without=("Elapsed",))
    assert (log.jobs["runtime"].tolist(), fate(log)) == ([14400], "imported")


def test_steps_are_counted_and_left_out(tmp_path):
    step = dict.fromkeys(JOB, "") | {"JobID": "100_4.batch", "JobIDRaw": "100.batch"}
    log = read(tmp_path, job(), step, step | {"JobID": "100.0", "JobIDRaw": "100.0"})
    assert len(log.jobs) == 1
    assert rules(log, 3) == rules(log, 4) == ["step"]


def test_tasks_of_an_array_are_jobs_with_their_raw_ids(tmp_path):
    tasks = [job(JobID=f"100_{task}", JobIDRaw=str(100 + task)) for task in (1, 2)]
    log = read(tmp_path, *tasks, job(JobID="100_3", JobIDRaw="100"))
    assert log.jobs["number"].tolist() == [100, 101, 102]
    assert set(log.ledger["fate"]) == {"imported"}


@pytest.mark.parametrize(
    ("state", "rule"), [("PENDING", "not_ended"), ("CANCELLED by 7", "array_unstarted")]
)
@pytest.mark.parametrize("tasks", ["[5-9%2]", "[1,3,5-9:2]", "[7]"])
def test_a_line_of_tasks_that_never_started_is_dropped(tmp_path, state, rule, tasks):
    cells = {"State": state, "Start": "None", "Elapsed": "00:00:00", "JobID": f"100_{tasks}"}
    log = read(tmp_path, job(**cells), job(7))
    assert (log.jobs["number"].tolist(), rules(log)) == ([7], [rule])


def test_without_raw_ids_tasks_have_numbers_after_all_others(tmp_path):
    tasks = [job(JobID="100_1"), job(JobID="100_2")]
    log = read(tmp_path, *tasks, job(JobID="300"), without=("JobIDRaw",))
    assert log.jobs["number"].tolist() == [300, 301, 302]
    assert rules(log, 2) == rules(log, 3) == ["number_given"]
    assert rules(log, 4) == [""]


@pytest.mark.parametrize(
    "cells",
    [
        *({"JobID": text} for text in ("x7", "7_", "7_[1", "7 8")),
        *({"JobIDRaw": text} for text in ("7_1", "")),
    ],
)
def test_invalid_job_id_is_named(tmp_path, cells):
    check_unreadable(tmp_path, "is not a job id; ids are like", **cells)


def test_components_of_a_heterogeneous_job_are_one_job(tmp_path):
    one = job(JobID="100+0", JobIDRaw="100", Timelimit="02:00:00")
    two = job(JobID="100+1", JobIDRaw="101", NCPUS="3", NNodes="1", Elapsed="05:00:00", User="x")
    log = read(tmp_path, two, one, job(102))
    assert log.jobs["number"].tolist() == [100, 102]
    found = log.jobs.loc[0, ["procs", "requested_procs", "nodes", "runtime", "requested_time"]]
    assert found.tolist() == [11, 16, 3, 5 * 3600, 86400]
    assert log.jobs.loc[0, "line"] == 3
    assert rules(log, 2) == ["het_component"]
    assert rules(log, 3) == ["het_whole"] * 5


def test_a_component_without_a_limit_leaves_the_whole_without_one(tmp_path):
    two = job(JobID="100+1", JobIDRaw="101", Timelimit="UNLIMITED")
    log = read(tmp_path, job(JobID="100+0"), two)
    assert log.jobs["requested_time"].tolist() == [-1]


def test_components_of_two_jobs_stay_apart(tmp_path):
    parts = [
        job(JobID=f"{whole}+{part}", JobIDRaw=str(whole + part))
        for whole in (100, 200)
        for part in (0, 1)
    ]
    log = read(tmp_path, *parts)
    assert log.jobs[["number", "procs"]].values.tolist() == [[100, 16], [200, 16]]


def test_single_component_is_a_job(tmp_path):
    log = read(tmp_path, job(JobID="100+1", JobIDRaw="101"))
    assert (log.jobs["number"].tolist(), fate(log)) == ([101], "imported")


@pytest.mark.parametrize("state", ["NODE_FAIL", "PREEMPTED", "BOOT_FAIL"])
def test_a_run_that_the_system_broke_off_is_dropped_if_the_job_ran_again(tmp_path, state):
    later = {"Submit": at("12:00:00"), "Eligible": at("12:00:00"), "Start": at("13:00:00")}
    first = job(1, State=state, Elapsed="01:50:00", End=at("12:00:00"))
    log = read(tmp_path, job(1, **later), first)  # whichever stands first
    assert log.jobs["line"].tolist() == [2]
    assert rules(log, 3) == ["run_again"]
    assert fate(read(tmp_path, first)) == "imported"
    assert fate(read(tmp_path, first, job(2))) == "imported"


def test_the_last_run_stays_even_if_the_system_broke_it_off(tmp_path):
    runs = [
        job(1, State="PREEMPTED", Submit=at(clock), Eligible=at(clock), Start=at(clock))
        for clock in ("10:00:00", "11:00:00", "12:00:00")
    ]
    log = read(tmp_path, *runs)
    assert log.jobs["line"].tolist() == [4]


def test_a_run_is_dropped_also_if_the_job_waits_again(tmp_path):
    waits = {"State": "PENDING", "Start": "Unknown", "End": "Unknown"}
    log = read(tmp_path, job(1, State="NODE_FAIL"), job(1, **waits), job(2))
    assert (rules(log), rules(log, 3)) == (["run_again"], ["not_ended"])


def test_an_id_that_is_used_again_is_two_jobs(tmp_path):
    later = {"Submit": at("10:00:00", 9), "Eligible": "Unknown", "Start": at("11:00:00", 9)}
    log = read(tmp_path, job(5), job(5, **later), job(6))
    assert log.jobs["number"].tolist() == [5, 6, 7]
    row = log.ledger[log.ledger["line"] == 3].iloc[0]
    assert (row["rule"], row["number"], row["before"], row["after"]) == (
        "number_given",
        7,
        "5",
        "7",
    )


def test_repeated_line_counts_once(tmp_path):
    log = read(tmp_path, job(1), job(1), job(2))
    assert log.jobs["number"].tolist() == [1, 2]
    assert rules(log, 3) == ["line_repeated"]


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
    assert log.jobs.dtypes.to_dict() == DTYPES | dict.fromkeys(FURTHER, "int64")
    assert log.ledger.empty


def test_a_dump_of_which_no_line_is_a_job_is_an_empty_log(tmp_path):
    log = read(tmp_path, job(State="RUNNING"))
    assert log.jobs.empty
    assert rules(log) == ["not_ended"]


def test_the_ledger_has_the_columns_of_the_cleaning_ledger(tmp_path):
    ledger = read(tmp_path, job()).ledger
    assert ledger.columns.tolist() == [*LEDGER_DTYPES, "line", "fate"]
    assert ledger["log"].tolist() == ["site.txt"]


def test_the_file_is_named_where_it_is_damaged(tmp_path):
    path = write(tmp_path, job())
    path.write_bytes(b"\x1f\x8b" + path.read_bytes())
    with pytest.raises(ValueError, match=r"site.txt: damaged gzip file"):
        read_sacct(path, timezone="UTC")


def test_component_without_a_run_time_does_not_change_that_of_the_job(tmp_path):
    """Its end is unknown; the whole ran at least as long as the component that is known."""
    one = job(JobID="100+0", JobIDRaw="100", Elapsed="03:00:00")
    two = job(JobID="100+1", JobIDRaw="101", Elapsed="", End="Unknown", State="FAILED")
    for lines in ((one, two), (two, one)):
        assert read(tmp_path, *lines).jobs["runtime"].tolist() == [3 * 3600]


@pytest.mark.parametrize(
    ("state", "status"),
    [
        *(("COMPLETED", 1), ("FAILED", 0), ("TIMEOUT", 0), ("OUT_OF_MEMORY", 0)),
        *(("NODE_FAIL", 0), ("BOOT_FAIL", 0), ("DEADLINE", 0), ("CANCELLED", 5)),
        ("PREEMPTED", 5),
    ],
)
def test_states_are_the_formats_statuses(tmp_path, state, status):
    log = read(tmp_path, job(State=state))
    assert (log.jobs["status"].tolist(), fate(log)) == ([status], "imported")
