"""Submissions of event files."""

import gzip

import pytest

from schedlab.core.requests import DEFAULTS, Requests
from schedlab.traces.slurm.site_events import COLUMNS, read_events

LINE = (
    "-dt  10.75 -e submit_batch_job | -sim-walltime  84805.00 --uid=u1 -J jobid_1 -N 2 -n  32 "
    "-t 3-00:00:00 -q normal -p main --mem=500G --gres=gpu:2 --constraint=ib&big --exclusive job.sh"
)


def read(folder, *lines):
    path = folder / "week.events.gz"
    path.write_bytes(gzip.compress("".join(f"{line}\n" for line in lines).encode()))
    return read_events(path)


def test_columns_of_a_job(tmp_path):
    jobs, ledger = read(tmp_path, LINE)
    (job,) = jobs.to_dict("records")
    expected = DEFAULTS | {"number": 1, "submit": 10, "runtime": 84_805, "estimate": 259_200}
    expected |= {"procs": 32, "nodes": 2, "most_nodes": 2, "tasks": 32, "memory": 512_000}
    expected |= {"exclusive": True, "gres": "gpu:2", "features": "ib&big"}
    expected |= {"partition": "main", "qos": "normal", "user": "u1"}
    assert job == expected
    assert tuple(jobs.columns) == COLUMNS
    assert ledger.empty
    assert Requests.from_frame(jobs).gres[0] == "gpu:2"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ("-sim-walltime -1 -t 30", {"runtime": 1800, "estimate": 1800}),
        ("-sim-walltime 5.5", {"runtime": 6, "estimate": -1, "procs": 1, "tasks": 0}),
        ("-sim-walltime 5 -t UNLIMITED", {"estimate": -1}),
        ("-sim-walltime 5 -N 3", {"nodes": 3, "most_nodes": 3, "procs": 3}),
        ("-sim-walltime 5 --nodes=2-4", {"nodes": 2, "most_nodes": 4}),
        ("-sim-walltime 5 -n 4 -c 2", {"tasks": 4, "cpus_per_task": 2, "procs": 8}),
        ("-sim-walltime 5 --mem-per-cpu=2G", {"memory": 2048, "per_cpu": True}),
        ("-sim-walltime 5 --mem=0", {"memory": 0, "per_cpu": False}),
        ("-sim-walltime 5", {"memory": -1, "account": ""}),
        ("-sim-walltime 5 -A a --nice=7", {"account": "a", "nice": 7}),
    ],
)
def test_options(tmp_path, options, expected):
    jobs, ledger = read(tmp_path, f"-dt 1 -e submit_batch_job | {options} job.sh")
    assert ledger.empty
    assert {name: jobs[name][0] for name in expected} == expected


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        (
            LINE.replace("submit_batch_job", "cancel_job"),
            "event cancel_job is not submit_batch_job",
        ),
        (LINE.replace("-dt  10.75", ""), "has no submit time"),
        (LINE.replace("84805.00", "nan"), "-sim-walltime nan has no meaning"),
        (LINE.replace("-n  32", "-n x"), "-n x has no meaning"),
        (LINE.replace("-n  32", "-n 0"), "has no processor, or a submit time below 0"),
        (LINE.replace("10.75", "-1"), "has no processor, or a submit time below 0"),
        (LINE.replace("--exclusive", "--array=1-9"), "option --array is not read"),
        (LINE.replace("-t 3-00:00:00", "").replace("84805.00", "-1"), "has no limit"),
    ],
)
def test_bad_line_is_a_row_of_the_ledger(tmp_path, line, reason):
    jobs, ledger = read(tmp_path, "# events", LINE, line, "", LINE)
    assert jobs["number"].tolist() == [2, 5]
    ((number, text, why),) = ledger.itertuples(index=False)
    assert (number, text) == (3, line.strip())
    assert why.endswith(reason)


def test_file_without_jobs_has_all_columns(tmp_path):
    jobs, ledger = read(tmp_path, "-dt 1")
    assert (len(jobs), tuple(jobs.columns), len(ledger)) == (0, COLUMNS, 1)
    assert len(Requests.from_frame(jobs)) == 0
