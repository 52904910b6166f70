"""Jobs of a live queue: reasons, states, components, numbers without a value, long arrays."""

import pytest

from queue_case import LINES, RUNS, WAITS, jsons, shape, start_of_the_first, texts
from schedlab.files.io import DamagedError
from schedlab.traces.slurm import slurm_json, squeue_text
from schedlab.traces.slurm.queue_entries import QueueError
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.workbench.queue_state import load_queue
from schedlab.workbench.whatif import what_if


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        ("QOSMaxWallDurationPerJobLimit", "above a limit on each job, QOSMaxWallDuration"),
        ("AssocMaxCpuPerNode", "above a limit on each job"),
        ("QOSMinCpuNotSatisfied", "below a minimum for each job"),
        ("AccountNotAllowed", "not allowed in its partition"),
        ("NodeDown", "a node that it needs is down"),
        ("launch_failed_requeued_held", "held after a failure, launch failed"),
        ("user_env_retrieval_failed_requeued_held", "held after a failure, user env"),
        ("BurstBufferOperation", "its burst buffer operation failed"),
    ],
)
def test_reasons_that_do_not_end(reason, why, tmp_path):
    present = load_queue(*texts(tmp_path, LINES.replace("(null)|Priority", f"(null)|{reason}")))
    assert why in present.stuck.set_index("id").loc["3", "why"]


@pytest.mark.parametrize("state", ["REQUEUE_HOLD", "RH", "SPECIAL_EXIT"])
def test_state_holds_a_job(state, tmp_path):
    present = load_queue(*texts(tmp_path, LINES.replace("3|PENDING", f"3|{state}")))
    assert present.stuck.to_dict("records") == [{"id": "3", "why": "held since its requeue"}]


def test_older_form_of_unavailable_nodes(tmp_path):
    lines = LINES.replace("Resources", "ReqNodeNotAvail(Unavailable:n1)")
    assert load_queue(*texts(tmp_path, lines)).jobs["held_by"].str.startswith("ReqNode").any()


def test_unknown_reason_is_named(tmp_path):
    lines = LINES.replace("Resources", "NewInSlurm99").replace("|Priority", "|QOSGrpCpuLimit")
    present = load_queue(*texts(tmp_path, lines))
    said = "reasons: 1 of 3 jobs wait for a reason that schedlab does not know (NewInSlurm99): "
    assert any(note.startswith(said) for note in present.notes)
    assert present.jobs["held_by"].tolist() == ["", "QOSGrpCpuLimit", ""]


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize(
    ("content", "error", "words"),
    [
        (b"\xfd7zXZ\x00", DamagedError, "damaged xz file"),
        (b"\x04\x22\x4d\x18", QueueError, "is compressed by lz4; unpack it with lz4 -d"),
        (LINES.encode("utf-16-le"), QueueError, "is no text, or text in UTF-16"),
    ],
)
def test_files_that_are_no_text_are_named(content, error, words, place, tmp_path):
    paths = texts(tmp_path)
    paths[place].write_bytes(content)
    with pytest.raises(error, match=f"^{paths[place]}: {words}"):
        load_queue(*paths)


def test_an_invalid_time_of_a_run_is_not_the_present_time(tmp_path):
    lines = LINES.replace("|1:30|", "|INVALID|")
    assert lines != LINES
    present = load_queue(*texts(tmp_path, lines))
    assert any(note.startswith("present time: taken from") for note in present.notes)


def test_short_and_unknown_states_of_jobs(tmp_path):
    short = LINES.replace("RUNNING", "R").replace("PENDING", "PD")
    long = load_queue(*texts(tmp_path))
    assert shape(load_queue(*texts(tmp_path, short)))[:4] == shape(long)[:4]
    # it retains its processors
    stopped = load_queue(*texts(tmp_path, LINES.replace("RUNNING", "STOPPED")), at="2026-11-22")
    assert stopped.standing.running.procs.tolist() == [2]
    for over in ("CD", "CANCELLED by 1001", "REVOKED"):
        lines = LINES.replace("3|PENDING", f"3|{over}")
        assert "3" not in load_queue(*texts(tmp_path, lines)).jobs["id"].tolist()
    with pytest.raises(QueueError, match="line 3: field STATE 'WAITS' is no state of a job"):
        load_queue(*texts(tmp_path, LINES.replace("3|PENDING", "3|WAITS")))
    with pytest.raises(QueueError, match=r"job 2: field job_state \["):
        load_queue(*jsons(tmp_path, [WAITS | {"job_state": ["WAITS"]}]))


COMPONENTS = """\
1|RUNNING|4|10:00|1:30|2026-11-22T12:00:00|2026-11-22T11:59:00|ann|main|5|(null)|None
20+0|PENDING|4|5:00|0:00|N/A|2026-11-22T11:59:10|bob|main|9|(null)|Resources
20+1|PENDING|4|6:00|0:00|N/A|2026-11-22T11:59:10|bob|wide|9|(null)|Resources
30|PENDING|1|1:00|0:00|N/A|2026-11-22T11:59:20|bob|wide|8|afterok:20(unfulfilled)|Dependency
31|PENDING|1|1:00|0:00|N/A|2026-11-22T11:59:20|bob|wide|8|afterok:21(unfulfilled)|Dependency
"""


def test_components_start_together(tmp_path):
    paths = texts(tmp_path, COMPONENTS, "a|main|allocated|4/0/0/4\nb|wide|idle|0/4/0/4\n")
    present = load_queue(*paths)
    assert present.jobs["id"].tolist() == ["20", "30", "31"]
    assert present.jobs["procs"].tolist() == [8, 1, 1]
    starts = what_if(present, ["fcfs"]).starts["FCFS"] - present.source.now
    assert starts.to_dict() == {"20": 510, "30": 510 + 360, "31": 510 + 360}
    assert any("1 of 1 have components with other limits" in note for note in present.notes)
    wide = load_queue(*paths, partition="wide")
    assert "1 have components in other partitions" in wide.notes[0]
    assert wide.jobs["procs"].tolist() == [4, 1, 1]
    # a component that cannot start keeps the others waiting
    lines = COMPONENTS.replace("wide|9|(null)|Resources", "wide|9|(null)|JobHeldUser")
    assert load_queue(*texts(tmp_path, lines)).stuck["id"].tolist() == ["20", "30", "31"]
    # components that run: both must end
    lines = "".join(
        line.replace("PENDING", "RUNNING").replace("N/A", "2026-11-22T12:01:30")
        if line.startswith("20+")
        else line
        for line in COMPONENTS.splitlines(keepends=True)[1:]
    )
    present = load_queue(*texts(tmp_path, lines), at="2026-11-22T12:01:30")
    assert present.standing.after.tolist() == [[2, 0], [2, 1], [3, 1]]


def test_components_in_json(tmp_path):
    jobs = [
        WAITS | {"job_id": 20 + place, "het_job_id": 20, "het_job_offset": place}
        for place in (0, 1)
    ]
    present = load_queue(*jsons(tmp_path, [RUNS, *jobs], state=["IDLE"]))
    assert present.jobs["id"].tolist() == ["20"]
    assert start_of_the_first(present) == 500


@pytest.mark.parametrize(
    "none", [2**32 - 2, 2**32 - 1, 2**64 - 2, 2**64 - 1, float(2**64), float("inf"), float("nan")]
)
def test_numbers_that_mean_no_value(none, tmp_path):
    fields = {"time_limit": none, "eligible_time": none, "array_task_id": none, "priority": none}
    present = load_queue(*jsons(tmp_path, [RUNS, WAITS | fields | {"array_job_id": 0}]))
    assert present.standing.waiting.estimate.tolist() == [YEAR]
    assert present.jobs["priority"].tolist() == [-1]
    assert present.notes == ("time limits: 1 of 2 jobs have none: taken as a year, as Slurm does",)
    with pytest.raises(QueueError, match=r"squeue.json: job 2: field cpus .* says nothing"):
        load_queue(*jsons(tmp_path, [RUNS, WAITS | {"cpus": none}]))


def test_numbers_that_mean_no_value_in_text(tmp_path):
    lines = LINES.replace("|9|(null)", f"|{2**32 - 2}|(null)").replace("|5:00|", f"|{2**32 - 1}|")
    present = load_queue(*texts(tmp_path, lines))
    assert present.jobs["priority"].tolist() == [-1, 7, 8]
    assert present.standing.waiting.estimate.tolist() == [YEAR, 60, 120]
    assert any("1 of 3 jobs have none: the site's order" in note for note in present.notes)


@pytest.mark.parametrize("time", ["1970-01-01T09:00:00", "9999-12-31T00:00:00", str(2**32 - 2)])
def test_time_that_is_not_set_or_too_late(time, tmp_path):
    lines = LINES.replace("2026-11-22T11:59:10", time)
    with pytest.raises(QueueError, match=r"line 2: field SUBMIT_TIME .* is no time"):
        load_queue(*texts(tmp_path, lines))


def test_job_that_is_listed_twice_counts_once(tmp_path):
    present = load_queue(*texts(tmp_path, LINES + LINES.splitlines()[2]))
    assert present.jobs["id"].tolist() == ["2", "3", "4"]
    assert present.notes[0] == "jobs: 1 are listed again: only their first lines count"


@pytest.mark.parametrize("tasks", ["1-4000000", "1-150000,1-150000", "5-3", "1-5:0", "", "1-x"])
def test_list_of_tasks_is_bounded(tasks, tmp_path):
    with pytest.raises(QueueError, match="line 2: field JOBID '2_"):
        load_queue(*texts(tmp_path, LINES.replace("2|PENDING", f"2_[{tasks}]|PENDING")))
    array = WAITS | {"array_task_string": tasks or ","}
    with pytest.raises(QueueError, match="job 2: field array_task_string"):
        load_queue(*jsons(tmp_path, [RUNS, array]))


def test_number_of_jobs_is_bounded(tmp_path, monkeypatch):
    for module in (squeue_text, slurm_json):
        monkeypatch.setattr(module, "MOST_JOBS", 3)
    with pytest.raises(QueueError, match="line 4: field JOBID '4' is beyond 3 jobs"):
        load_queue(*texts(tmp_path))
    with pytest.raises(QueueError, match=r"job 1: field array_task_string null goes beyond 3 jobs"):
        load_queue(*jsons(tmp_path, [RUNS] * 4))
