"""Jobs of `sacct --json` in the layouts of Slurm 21.08 to 24.05."""

import json

import pytest

from formats_case import JOB, OBJECTS, PLAIN, json_job, sacct_json, write
from schedlab.traces.readers import reader_of
from schedlab.traces.slurm.sacct_lines import SacctError


def number(value=None, infinite=False):
    return {"set": value is not None, "infinite": infinite, "number": value or 0}


def read(folder, *objects, **options):
    path = write(folder / "dump.json", json.dumps({"jobs": objects, "errors": []}))
    return reader_of(path).read_jobs(path, **options)


@pytest.mark.parametrize("layout", [PLAIN, OBJECTS])
def test_a_job_has_what_its_object_says(tmp_path, layout):
    path = write(tmp_path / "dump", sacct_json([JOB], layout))
    log = reader_of(path).read_jobs(path)
    (job,) = log.jobs.to_dict("records")
    expected = {"number": 1, "wait": 600, "runtime": 3600, "procs": 8, "requested_procs": 8}
    expected |= {"requested_time": 7200, "status": 1, "nodes": 2, "line": 1, "user": 1, "group": 1}
    assert {name: job[name] for name in expected} == expected
    assert log.header.values("Computer") == ("c",)
    assert log.header.values("Conversion") == ("from sacct JSON by schedlab",)
    texts = {"partition": "main", "qos": "normal", "account": "physics", "user": "ada"}
    assert {name: log.jobs[f"request.{name}"].iloc[0] for name in texts} == texts
    assert log.jobs["request.memory"].tolist() == [1024]
    assert "request.per_cpu" not in log.jobs  # no job has it


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"state": {"current": "TIMEOUT"}}, {"status": 0}),
        ({"state": {"current": ["CANCELLED", "REQUEUED"]}}, {"status": 5}),
        ({"time": {"limit": number(infinite=True)}}, {"requested_time": -1}),
        ({"time": {"limit": number()}}, {"requested_time": -1}),
        ({"time": {"limit": None}}, {"requested_time": -1}),
        ({"time": {"limit": 4294967295}}, {"requested_time": -1}),
        ({"time": {"limit": number(60)}}, {"requested_time": 3600}),
        ({"time": {"start": number(JOB["submit"] + 5)}}, {"wait": 5}),
        ({"time": {"start": 0}, "state": {"current": ["CANCELLED"]}}, {"status": 5, "wait": 600}),
        ({"time": {"eligible": JOB["submit"] + 60}}, {"wait": 540}),
        ({"allocation_nodes": 0, "tres": {"allocated": [{"type": "node", "count": 3},
         {"type": "cpu", "count": 6}]}}, {"nodes": 3, "procs": 6}),
        ({"user": None}, {"user": 1}),
        ({"required": {"memory": 2048, "memory_per_node": None}}, {"request.memory": 2048}),
        *(({"required": {"memory": memory, "memory_per_node": None}},
           {"request.memory": 100, "request.per_cpu": True})
          for memory in ((1 << 63) + 100, -(1 << 63) + 100)),
        ({"required": {"memory_per_cpu": number(100), "memory_per_node": number()}},
         {"request.memory": 100, "request.per_cpu": True}),
        ({"tres": {"requested": [{"type": "gres", "name": "gpu:v100", "count": 4}]}},
         {"request.gres": "gpu:v100:2"}),
        ({"constraints": "big", "reservation": {"name": "r"}}, {"request.features": "big",
                                                                "request.reservation": "r"}),
        ({"submit_line": "sbatch --nice=5 -d afterok:7 a|b"}, {"request.nice": 5}),
    ],
)  # fmt: skip
def test_values_have_any_of_the_layouts(tmp_path, parts, expected):
    job = json_job(JOB)
    for name, part in parts.items():
        job[name] = {**job[name], **part} if isinstance(part, dict) and name in job else part
    log = read(tmp_path, job)
    assert {name: log.jobs[name].iloc[0] for name in expected} == expected


def test_amounts_below_0_are_not_known(tmp_path):
    amounts = [{"type": "gres", "name": "gpu", "count": -2}, {"type": "cpu", "count": 8}]
    log = read(tmp_path, json_job(JOB) | {"tres": {"allocated": amounts, "requested": amounts}})
    assert log.ledger["rule"].tolist() == [""]
    assert (log.gpu_jobs, log.jobs["procs"].tolist()) == (0, [8])


def test_tasks_of_arrays_and_components_of_jobs_are_those_of_sacct(tmp_path):
    task = json_job(JOB | {"number": 21}) | {"array": {"job_id": 20, "task_id": number(4)}}
    plain = json_job(JOB | {"number": 22}) | {"array": {"job_id": 20, "task_id": 5}}
    waits = json_job(JOB | {"number": 20}) | {
        "array": {"job_id": 20, "task_id": number(), "task": "6-9"}
    }
    first = json_job(JOB | {"number": 30}) | {"het": {"job_id": 30, "job_offset": number(0)}}
    second = json_job(JOB | {"number": 31}) | {"het": {"job_id": 30, "job_offset": number(1)}}
    log = read(tmp_path, task, plain, waits, first, second)
    assert log.jobs["number"].tolist() == [21, 22, 30]
    assert log.jobs["request.array"].tolist() == [20, 20, -1]
    assert log.jobs["procs"].tolist() == [8, 8, 16]
    rules = log.ledger.set_index("line")["rule"].to_dict()
    assert rules[3] == "array_unstarted"
    assert rules[5] == "het_component"


@pytest.mark.parametrize(
    ("part", "message"),
    [
        ({"time": {"submission": "soon"}}, 'field submission "soon" is not a whole number'),
        ({"time": {"elapsed": -7}}, "field elapsed -7 is below 0"),
        ({"time": None}, "field time is missing"),
        ({"time": 5}, "field time 5 is no object"),
        ({"state": {"current": [5]}}, "field state [5] is not text"),
        ({"tres": {"allocated": 5}}, "field tres.allocated 5 is no list of objects"),
        ({"partition": 5}, "field partition 5 is not text"),
        ({"job_id": True}, "field job_id true is not a whole number"),
        ({"job_id": None}, "field job_id is missing"),
    ],
)
def test_a_bad_job_is_a_row_of_the_ledger_by_its_place(tmp_path, part, message):
    good = [json_job(JOB | {"number": number}) for number in (1, 4)]
    log = read(tmp_path, good[0], json_job(JOB | {"number": 2}) | part, 5, good[1])
    assert log.jobs["number"].tolist() == [1, 4]
    rows = log.ledger.set_index("line")
    assert rows["rule"].to_dict() == {1: "", 2: "line_unreadable", 3: "line_unreadable", 4: ""}
    assert rows.loc[[2, 3], "before"].tolist() == [message, "is no object"]
    with pytest.raises(SacctError, match=r"dump\.json: job 1: "):
        read(tmp_path, json_job(JOB) | part)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda text: text[:-40], r"line \d+, column \d+: .* after 3 jobs: .* damaged or cut"),
        (lambda text: text[: len(text) // 2], r"line \d+, column \d+: .* after 1 jobs"),
        (
            lambda text: text.replace("},\n    {", "}\n    {", 1),
            r"line \d+.*',' is missing.* 1 jobs",
        ),
        (lambda text: text + "{}", r"line \d+, column \d+: Extra data"),
        (lambda text: text.replace('"jobs": [', '"meta": [', 1), "without a list of jobs"),
        (lambda text: text.replace('"errors": []', '"errors": ["no slurmdbd"]'), "no slurmdbd"),
        (lambda text: '{"jobs": ' + "[" * 100_000, "objects within objects without end"),
        (lambda text: '{"jobs": [{"job_state": "RUNNING", "job_id": 7}]}', "squeue --json"),
        (lambda text: "{}", "without a list of jobs"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_with_the_place(tmp_path, change, message):
    path = write(
        tmp_path / "dump.json", change(sacct_json([JOB | {"number": n} for n in range(3)]))
    )
    reader = reader_of(path)
    assert reader.name == "sacct JSON"
    with pytest.raises(SacctError, match=rf"^{path}: .*{message}"):
        reader.read_jobs(path)


def test_no_job_is_no_error_of_the_format(tmp_path):
    assert read(tmp_path).records.empty
