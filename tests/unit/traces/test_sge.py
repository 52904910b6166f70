"""Grid Engine's accounting becomes the same log, ledger and losses as that of Slurm."""

import pytest

from formats_case import JOB, sge_line, times, write
from schedlab.traces.readers import reader_of
from schedlab.traces.sge import is_sge

SUBMIT, START, END = times(JOB)


def read(folder, *lines, **options):
    path = write(folder / "accounting", "".join(lines))
    reader = reader_of(path)
    assert reader.name == "Grid Engine"
    return reader.read_jobs(path, **options)


def test_a_line_is_a_job(tmp_path):
    log = read(tmp_path, "# a remark\n", "\n", sge_line(JOB, project="deep"), "x\n")
    (job,) = log.jobs.to_dict("records")
    expected = {"number": 1, "wait": 600, "runtime": 3600, "procs": 8, "requested_time": 7200}
    expected |= {"status": 1, "user": 1, "group": 1, "queue": 1, "account": 1, "line": 3}
    assert {name: job[name] for name in expected} == expected
    assert log.header.integer("UnixStartTime") == SUBMIT
    assert log.ledger["line"].tolist() == [3]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        # milliseconds, as Univa's versions write them
        ({"submission_time": SUBMIT * 1000 + 999, "start_time": START * 1000 + 999,
          "end_time": END * 1000 + 999}, {"wait": 600, "runtime": 3600}),
        ({"category": "-l h_rt=3600"}, {"requested_time": 3600}),
        ({"category": "-l mem=1G,h_rt=24:00:00 -pe x 8"}, {"requested_time": 86_400}),
        ({"category": "-l s_rt=60"}, {"requested_time": -1}),
        ({"category": "NONE"}, {"requested_time": -1}),
        ({"exit_status": 1}, {"status": 0}),
        ({"exit_status": 137}, {"status": 5}),
        ({"exit_status": 137, "failed": 100, "category": "-l h_rt=3600"}, {"status": 0}),
        ({"failed": 26}, {"status": 0}),
        ({"start_time": 0, "end_time": 0, "failed": 1}, {"runtime": 0}),
        ({"project": "NONE", "account": "grant7"}, {"account": 1}),
        ({"task_number": 3}, {"request.array": 1}),
        ({"ar_submission_time": "0:cl1:-:1:2:3"}, {"procs": 8}),
    ],
)  # fmt: skip
def test_values_are_those_of_the_line(tmp_path, values, expected):
    if "start_time" in values and not values["start_time"]:
        values = values | {"end_time": END}
    jobs = read(tmp_path, sge_line(JOB, **values)).jobs
    assert {name: jobs[name].iloc[0] for name in expected} == expected


def test_runs_that_are_no_jobs_are_rows_of_the_ledger(tmp_path):
    two = JOB | {"number": 2}
    log = read(
        tmp_path,
        sge_line(JOB, failed=25, exit_status=1),
        sge_line(JOB | {"wait": 5000}),
        sge_line(two),
        sge_line(two, pe_taskid="1.n2", submission_time=0),
        sge_line(two, pe_taskid="2.n2", category="-l h_rt=1:00:00", submission_time=0),
        sge_line(JOB | {"number": 3}, job_number="x"),
        sge_line(JOB | {"number": 4}, submission_time="then"),
        sge_line(JOB | {"number": 5})[:100] + "\n",
        sge_line(JOB | {"number": 6}, slots=""),
    )
    rows = log.ledger.set_index("line")
    assert rows["rule"].to_dict() == {
        1: "requeued", 2: "", 3: "", 4: "record_other", 5: "record_other",
        **dict.fromkeys((6, 7, 8, 9), "line_unreadable"),
    }  # fmt: skip
    assert rows.loc[6, "before"] == "job_number 'x' is not a whole number"
    assert rows.loc[7, "before"] == "submission_time 'then' is not a whole number"
    assert "values, but 40 or more are needed; the line is cut" in rows.loc[8, "before"]
    assert rows.loc[9, "before"] == "slots '' is not a whole number"
    assert log.jobs["number"].tolist() == [1, 2]


def test_lines_most_of_which_cannot_be_read_are_an_error_with_the_line(tmp_path):
    bad = sge_line(JOB, slots="many")
    with pytest.raises(ValueError, match=r"accounting: line 2: slots 'many' is not a whole number"):
        read(tmp_path, sge_line(JOB), bad, bad)


@pytest.mark.parametrize(
    "head", ["a:b:c:d:e:7:\n", ":" * 60, "1|1|" + "|" * 23 + "a:" * 60, "", "# Version: 6.2\n"]
)
def test_other_texts_with_colons_are_no_accounting(head):
    assert not is_sge(head.encode())
