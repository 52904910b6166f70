"""Dumps that are read in several parts, and numbers and texts of any size."""

import tracemalloc

import pytest

from sacct_case import check_unreadable, job, read, write
from schedlab.traces.slurm.sacct import read_sacct


def before(log, rule):
    """Return field and old text of what a rule did, by line."""
    rows = log.ledger[log.ledger["rule"] == rule]
    return dict(zip(rows["line"], zip(rows["field"], rows["before"], strict=True), strict=True))


@pytest.mark.parametrize("size", [250, 1 << 20])
def test_ids_in_the_ledger_are_as_in_the_dump(tmp_path, size):
    """Whether the lines of a job are read at a time or not."""
    task = job(JobID="70_3", JobIDRaw="73")
    lines = [
        *(task, task, job(JobID="007", JobIDRaw="7"), job(JobID="007", JobIDRaw="7")),
        *(job(JobID="100+0", JobIDRaw="100"), job(JobID="100+1", JobIDRaw="0101")),
        *(job(JobID="9_[1-2]", JobIDRaw="9"), job(JobID="8", JobIDRaw="73")),
    ]
    path = write(tmp_path, *lines)
    log = read_sacct(path, timezone="UTC", size=size)
    assert before(log, "line_repeated") == {3: ("JobID", "70_3"), 5: ("JobID", "007")}
    assert before(log, "het_component") == {7: ("JobID", "100+1")}
    assert before(log, "array_unstarted") == {8: ("JobID", "[1-2]")}
    assert before(log, "number_given") == {9: ("JobIDRaw", "73")}
    assert log.jobs.set_index("line")["number"].to_dict() == {2: 73, 4: 7, 6: 100, 9: 101}
    without_raw = write(tmp_path, *lines, without=("JobIDRaw",))
    log = read_sacct(without_raw, timezone="UTC", size=size)
    given = {2: ("JobID", "70_3"), 6: ("JobID", "100+0")}
    assert before(log, "number_given") == given


def test_losses_are_in_jobs_and_core_hours_of_the_dump(tmp_path):
    """The repeated line and the step are no jobs, and the second component is part of one."""
    log = read(
        tmp_path,
        *(job(1), job(1), job(2, State="REQUEUED", Elapsed="01:00:00", NCPUS="3")),
        *(job(JobID="5+0", JobIDRaw="5"), job(JobID="5+1", JobIDRaw="6")),
        *(job(JobID="1.batch", JobIDRaw="1.batch"), job(7, NCPUS="0", ReqCPUS="0")),
    )
    assert log.dumped == 4
    assert log.lost["jobs"].to_dict() == {"requeued": 1}
    assert log.lost["core_hours"].to_dict() == {"requeued": 3}
    assert log.lost["hours_share"].to_dict() == {"requeued": 3 / (3 + 3 * 8 * 4)}
    note = "lines that are no job or none that ended: "
    assert log.notes == (
        f"{note}line_repeated 1, requeued 1, het_component 1, step 1 (schedlab import-log)",
    )
    again = read(tmp_path, job(1), job(2, State="REQUEUED"), job(1), job(1))
    assert again.notes == (f"{note}line_repeated 2, requeued 1 (schedlab import-log)",)
    assert read(tmp_path, job(1)).notes == ()


@pytest.mark.parametrize("field", ["Elapsed", "NCPUS", "Timelimit", "Submit", "JobID"])
def test_one_invalid_value_among_others_is_named(tmp_path, field):
    check_unreadable(tmp_path, "", **{field: "x y"})


def test_memory_is_unknown_without_its_field(tmp_path):
    assert read(tmp_path, job(), without=("ReqMem",)).jobs["requested_memory"].tolist() == [-1]


def test_numbers_of_any_size_are_exact(tmp_path):
    """The types of columns grow with their numbers, and sums do not overflow them."""
    small = job(1, NCPUS="100", Elapsed="00:01:40")
    wide = job(2, NCPUS="30000", Elapsed="24855-03:14:07", JobIDRaw="9" * 17, JobID="9" * 17)
    log = read_sacct(write(tmp_path, small, wide), timezone="UTC", size=300)
    jobs = log.jobs.set_index("line")
    assert jobs["number"].to_dict() == {2: 1, 3: int("9" * 17)}
    assert jobs["runtime"].to_dict() == {2: 100, 3: 2**31 - 1}
    assert jobs["procs"].to_dict() == {2: 100, 3: 30000}
    parts = [job(JobID=f"5+{k}", JobIDRaw=str(5 + k), NCPUS="100", ReqCPUS="30000") for k in (0, 1)]
    merged = read(tmp_path, *parts).jobs
    assert (merged["procs"].tolist(), merged["requested_procs"].tolist()) == ([200], [60000])


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("NCPUS", str(10**17)),
        ("NCPUS", "9300000000000000000"),
        ("Elapsed", "1157407407408-00:00:00"),
        ("Timelimit", "99999999999999999-00:00:00"),
    ],
)
def test_a_number_that_nothing_has_is_named(tmp_path, field, text):
    check_unreadable(tmp_path, "", **{field: text})


def test_a_long_text_does_not_take_memory_in_each_row(tmp_path):
    """Sites may record the whole list of an array's tasks."""
    steps = [job(1) | {"JobID": f"1.{k}", "JobIDRaw": f"1.{k}"} for k in range(3000)]
    array = job(2, JobID=f"9_[{','.join(map(str, range(10_000)))}]", State="CANCELLED by 1")
    path = write(tmp_path, *steps, array)
    tracemalloc.start()
    try:
        assert len(read_sacct(path, timezone="UTC").fates.frame()) == 3001
        assert tracemalloc.get_traced_memory()[1] < 1e8  # 6e8 with its length in each row
    finally:
        tracemalloc.stop()


def test_a_job_has_gpus_if_a_component_has(tmp_path):
    path = tmp_path / "dump.txt"
    lines = ["5+0|5|cpu=4", "5+1|6|cpu=1,gres/gpu=2", "7|7|cpu=2"]
    tail = "|2024-03-01T10:00:00|01:00:00|4"
    path.write_text(
        "JobID|JobIDRaw|AllocTRES|Submit|Elapsed|NCPUS\n"
        + "".join(f"{line}{tail}\n" for line in lines)
    )
    assert read_sacct(path, timezone="UTC").gpu_jobs == 1


def test_a_part_without_jobs_widens_no_column(tmp_path):
    steps = [job(1) | {"JobID": f"1.{k}", "JobIDRaw": f"1.{k}"} for k in range(9)]
    path = write(tmp_path, job(1), *steps, job(2))
    parts, whole = (read_sacct(path, timezone="UTC", size=size) for size in (300, 1 << 20))
    assert parts.records.dtypes.to_dict() == whole.records.dtypes.to_dict()
    assert {kind.kind for kind in whole.records.dtypes} == {"i"}
    empty = read_sacct(write(tmp_path), timezone="UTC").records
    assert {kind.kind for kind in empty.dtypes} == {"i"}
