"""Reading a site's queue: from a real Slurm, newer ones, two logs, and with mistakes."""

import json
import os
import time
from datetime import UTC, datetime
from pathlib import Path

import pytest

from queue_case import LINES, NODES, RUNS, WAITS, jsons, shape, start_of_the_first, texts
from schedlab.traces.slurm.queue_entries import QueueError, QueueFile, entries_of, instant
from schedlab.traces.slurm.sacct_limits import YEAR
from schedlab.traces.slurm.squeue_text import NAMES, read_squeue_text
from schedlab.workbench.queue_state import load_queue

SLURM = Path(__file__).parent / "slurm-22.05"
SQUEUE, SINFO = SLURM / "squeue.txt", SLURM / "sinfo.txt"
TAKEN = "1795351397"


@pytest.mark.parametrize(("ran", "now"), [("1:29", "30"), ("1:30", "30"), ("1:31", "31")])
def test_now_is_the_latest_time_of_a_running_job(tmp_path, ran, now):
    """The first has run for 90 s at 12:01:30; the other began with it, whichever line is first."""
    first = LINES.splitlines(keepends=True)[0]
    other = first.replace("1|", "9|", 1).replace("1:30", ran)
    for lines in (first + other, other + first):
        found = read_squeue_text(texts(tmp_path, lines)[0])
        assert found.stamp(found.now) == f"2026-11-22T12:01:{now}"


@pytest.mark.parametrize(
    ("told", "seconds"),
    [
        ("364-23:59:59", YEAR - 1),
        ("365-00:00:00", -1),
        ("365-00:00:01", -1),
        ("0:00", 1),
        ("UNLIMITED", -1),
        ("Partition_Limit", -1),
    ],
)
def test_limit_of_a_year_counts_as_unlimited(tmp_path, told, seconds):
    queue, _ = texts(tmp_path, LINES.replace("|5:00|", f"|{told}|"))
    assert read_squeue_text(queue).entries.set_index("id").loc["2", "limit"] == seconds


def test_text_and_json_of_one_queue_are_the_same():
    one = load_queue(SQUEUE, SINFO)
    two = load_queue(SLURM / "squeue.json", SLURM / "sinfo.json", at=TAKEN)
    assert shape(one)[:4] == shape(two)[:4]
    assert shape(one)[4].tolist() == shape(two)[4].tolist() == [[7, 0]]
    assert one.jobs.equals(two.jobs)
    assert one.stuck.equals(two.stuck)
    assert one.stuck.to_dict("records") == [
        {"id": "9", "why": "held by its user"},
        {"id": "11", "why": "its partition does not allow it"},
    ]
    assert one.jobs["id"].tolist() == ["3", "4", "5", "6", "7", "8", "10_1", "10_2", "12"]
    assert one.standing.processors == 32
    moment = datetime.fromtimestamp(int(TAKEN), UTC).replace(tzinfo=None).isoformat()
    assert one.source.stamp(one.source.now) == moment


def test_output_of_newer_slurms_is_read_the_same(tmp_path):
    """Numbers are objects, states are lists, and the file says when it was written."""
    content = json.loads((SLURM / "squeue.json").read_text())
    for job in content["jobs"]:
        job["job_state"] = [job["job_state"]]
        for name in ("cpus", "submit_time", "start_time", "priority"):
            job[name] = {"set": True, "infinite": False, "number": job[name]}
        job["time_limit"] = {"set": True, "infinite": False, "number": job["time_limit"]}
        job["array_task_id"] = {"set": False, "infinite": False, "number": 0}
    content["last_update"] = {"set": True, "infinite": False, "number": int(TAKEN)}
    nodes = json.loads((SLURM / "sinfo.json").read_text())
    for node in nodes["nodes"]:
        node["state"] = [node["state"].upper()]
    for name, what in (("squeue.json", content), ("nodes.json", nodes)):
        (tmp_path / name).write_text(json.dumps(what))
    new = load_queue(tmp_path / "squeue.json", tmp_path / "nodes.json")
    assert shape(new)[:4] == shape(load_queue(SQUEUE, SINFO))[:4]
    content["jobs"][0]["time_limit"] = {"set": True, "infinite": True, "number": 0}
    (tmp_path / "squeue.json").write_text(json.dumps(content))
    assert any("year" in note for note in load_queue(*sorted(tmp_path.iterdir())[::-1]).notes)


def test_two_logs(tmp_path):
    """Of a log: number submit wait ... requested processors and time ... preceding."""
    rest = "-1 -1 {procs} {limit} -1 -1 1 1 1 {queue} 1 {after} -1"
    runs = rest.format(procs=2, limit=600, queue=1, after=-1)
    waits = [
        rest.format(procs=procs, limit=limit, queue=queue, after=after)
        for procs, limit, queue, after in ((3, 300, 1, -1), (1, 60, 1, -1), (1, -1, 2, 2))
    ]
    (tmp_path / "a.swf").write_text(f"; MaxProcs: 4\n1 0 60 -1 2 {runs}\n")
    (tmp_path / "b.swf").write_text(
        "".join(f"{job} {10 * job} -1 -1 -1 {one}\n" for job, one in enumerate(waits, 2))
    )
    present = load_queue(tmp_path / "a.swf", tmp_path / "b.swf", at="150")
    assert present.standing.now == 150
    assert present.standing.started.tolist() == [60]
    assert present.standing.waiting.submit.tolist() == [20, 30, 40]
    assert present.standing.waiting.estimate.tolist() == [300, 60, YEAR]
    assert present.standing.after.tolist() == [[3, 1]]
    assert not present.has_priorities
    assert present.source.stamp(150) == "150"
    assert load_queue(tmp_path / "a.swf", tmp_path / "b.swf").standing.now == 60
    assert load_queue(tmp_path / "a.swf", tmp_path / "b.swf", "2").jobs["id"].tolist() == []
    (tmp_path / "a.swf").write_text(f"1 0 -1 -1 2 {runs}\n")
    with pytest.raises(QueueError, match=r"a.swf: job 1: field wait \(3\) is unknown; submit and"):
        load_queue(tmp_path / "a.swf", tmp_path / "b.swf")
    (tmp_path / "a.swf").write_text(f"2 0 1 -1 2 {runs}\n")
    with pytest.raises(QueueError, match=r"b.swf: job 2 is in .*a.swf too"):
        load_queue(tmp_path / "a.swf", tmp_path / "b.swf")
    (tmp_path / "a.swf").write_text(f"1 0 1 -1 2 {runs}\n")
    with pytest.raises(QueueError, match=r"a.swf: the header has no MaxProcs; give --processors"):
        load_queue(tmp_path / "a.swf", tmp_path / "b.swf")


def test_partitions(tmp_path):
    paths = texts(tmp_path)
    whole = load_queue(*paths)
    assert whole.standing.processors == 8
    assert whole.standing.now == 12 * 3600 + 90 - (11 * 3600 + 59 * 60)
    assert "partitions: main, wide are taken as one pool" in whole.notes[0]
    assert whole.standing.after.tolist() == [[3, 1]]
    main = load_queue(*paths, partition="main")
    assert (main.standing.processors, main.jobs["id"].tolist()) == (4, ["2", "3"])
    wide = load_queue(*paths, partition="wide")
    assert (wide.standing.processors, len(wide.standing.running)) == (4, 0)
    assert wide.stuck["why"].tolist() == [
        "waits for job 2, which is not in the queue that was read"
    ]
    with pytest.raises(
        QueueError, match=r"sinfo.txt: field PARTITION: no 'gpu' in it; it has main"
    ):
        load_queue(*paths, partition="gpu")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("|7|(null)|Priority", "|0|(null)|Priority"), "held (its priority is 0)"),
        (("(null)|Priority", "(null)|JobHeldAdmin"), "held by an administrator"),
        (("3|PENDING|1", "3|PENDING|5"), "needs 5 processors, there are 4"),
        (("3|PENDING", "3|SUSPENDED"), "suspended"),
        (("(null)|Priority", "afterok:9(unfulfilled)|Dependency"), "waits for job 9, which is not"),
        (("(null)|Priority", "afterok:2(failed)|Dependency"), "waits for job 2, which has failed"),
        (("(null)|Priority", "afterok:4|Dependency"), "which was submitted later"),
        (("(null)|Priority", "singleton(unfulfilled)|Dependency"), "waits for 'singleton"),
        (("(null)|Priority", "afterany:1?afterany:2|Dependency"), "waits for any of"),
    ],
)
def test_job_that_cannot_start_is_named_with_the_reason(change, why, tmp_path):
    lines = LINES.replace(*change).replace("afterany:2(unf", "afterany:3(unf")
    present = load_queue(*texts(tmp_path, lines, "a|main|mixed|2/2/0/4"))
    assert present.stuck["id"].tolist() == ["3", "4"]
    assert why in present.stuck["why"][0]
    assert present.stuck["why"][1] == "waits for job 3, which cannot start"
    assert present.jobs["id"].tolist() == ["2"]
    assert len(present.standing.after) == 0


def test_job_as_wide_as_the_machine_can_start(tmp_path):
    lines = LINES.replace("3|PENDING|1", "3|PENDING|4")
    assert not len(load_queue(*texts(tmp_path, lines, "a|main|mixed|2/2/0/4")).stuck)


def test_assumptions_about_waiting_jobs_are_noted(tmp_path):
    lines = (
        LINES.replace("|1:00|0:00", "|UNLIMITED|0:00")
        .replace("(null)|Priority", "(null)|QOSMaxCpuPerUserLimit")
        .replace("N/A|2026-11-22T11:59:10", "2026-11-22T13:00:00|2026-11-22T11:59:10")
        .replace("Resources", "BeginTime")
    )
    present = load_queue(*texts(tmp_path, lines, "a|main|mixed|2/2/0/4"))
    assert [note.rpartition(":")[0] for note in present.notes] == [
        "time limits: 1 of 4 jobs have none",
        "begin times: 1 of 2 jobs come later",
    ]
    # the one that comes later has become the last; who depends on it would come before it
    assert present.jobs["id"].tolist() == ["3", "2"]
    assert "submitted later" in present.stuck["why"][0]


def test_tasks_of_arrays(tmp_path):
    together = LINES.replace("3|PENDING", "3_[1,4-5%1]|PENDING").replace(
        "afterany:2", "afterany:3_*"
    )
    present = load_queue(*texts(tmp_path, together))
    assert present.jobs["id"].tolist() == ["2", "3_1", "3_4", "3_5", "4"]
    assert present.standing.after.tolist() == [[5, 2], [5, 3], [5, 4]]


def test_unix_times_and_an_explicit_time_are_read(tmp_path):
    lines = "1|PENDING|1|5:00|0:00|N/A|1000|ann|main|7|(null)|Priority\n"
    paths = texts(tmp_path, lines)
    assert load_queue(*paths, at="1100").standing.now == 100
    assert load_queue(*paths).source.now == int(paths[0].stat().st_mtime)
    with pytest.raises(QueueError, match="'noon' is no time: give it like 2026"):
        load_queue(*paths, at="noon")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("|None", ""), r"squeue.txt: line 1: 11 cells, must be 12 or 13; write it with squeue -h"),
        (("|3|5:00", "|three|5:00"), "line 2: field CPUS 'three' is no number of processors"),
        (("|3|5:00", "|3|soon"), "line 2: field TIME_LIMIT 'soon' is no time limit"),
        (("11:59:10", "noon"), "line 2: field SUBMIT_TIME '2026-11-22Tnoon' is no time like"),
        (("2026-11-22T12:00:00", "N/A"), "line 1: field START_TIME 'N/A' is no time; jobs that"),
        (("2026-11-22T11:59:10", "N/A"), "line 2: field SUBMIT_TIME 'N/A' is no time; jobs in"),
        (("|9|(null)", "|high|(null)"), "line 2: field PRIORITY 'high' is no priority"),
        (("2|PENDING", "2_[1-x]|PENDING"), r"line 2: field JOBID '2_\[1-x\]' is no list of tasks"),
        (("RUNNING|2", "RUNNING|9"), "field CPUS: 9 processors are in use, but .* has 8"),
    ],
)
def test_mistakes_name_the_line_and_the_field(change, message, tmp_path):
    with pytest.raises(QueueError, match=message):
        load_queue(*texts(tmp_path, LINES.replace(*change, 1)))


@pytest.mark.parametrize(
    ("name", "change", "message"),
    [
        ("squeue.json", ('"cpus": 16', '"cpus": "x"'), r'job \d+: field cpus "x" is not a whole'),
        ("squeue.json", ('"cpus": 16', '"cpus": null'), r"job \d+: field cpus null says nothing"),
        ("squeue.json", ('"jobs"', '"jabs"'), "squeue.json: field jobs is missing; write it again"),
        ("squeue.json", ('"jobs"', "jobs"), "squeue.json: is no JSON"),
        ("squeue.json", ('"errors": []', '"errors": ["down"]'), "Slurm could not say: down"),
        ("squeue.json", ('"1-2"', '"1-2,..."'), 'array_task_string "1-2,..." is no list of tasks'),
        (
            "sinfo.json",
            ('"nodes"', '"sinfo"'),
            "field nodes is missing; write it again with scon",
        ),
        ("sinfo.json", ('"cpus": 8', '"cpus": null'), "node n1: field cpus null says nothing"),
    ],
)
def test_mistakes_in_json_name_the_job_and_the_field(name, change, message, tmp_path):
    paths = []
    for each in ("squeue.json", "sinfo.json"):
        text = (SLURM / each).read_text()
        assert name != each or change[0] in text
        paths.append(tmp_path / each)
        paths[-1].write_text(text.replace(*change, 1) if name == each else text)
    with pytest.raises(QueueError, match=message):
        load_queue(*paths, at=TAKEN)


def test_mistakes_in_the_machine(tmp_path):
    for nodes, message in (
        ("a|main|idle\n", "sinfo.txt: line 1: 3 cells, must be 4; write it with sinfo -h"),
        ("a|main|idle|4\n", r"line 1: field CPUS\(A/I/O/T\) '4' is not like 8/24/0/32"),
        ("\n", "sinfo.txt: there is no node in it"),
    ):
        with pytest.raises(QueueError, match=message):
            load_queue(*texts(tmp_path, nodes=nodes))


@pytest.mark.parametrize(
    "state",
    [
        ["COMPLETING"],
        ["COMPLETED", "COMPLETING"],
        ["CANCELLED", "COMPLETING"],
        ["COMPLETED", "STAGE_OUT"],
        "COMPLETING",
    ],
)
def test_completing_job_is_over_in_a_second(state, tmp_path):
    present = load_queue(*jsons(tmp_path, [RUNS | {"job_state": state}, WAITS]))
    assert (present.standing.processors, present.notes) == (4, ())
    assert present.standing.running.procs.tolist() == [2]
    assert start_of_the_first(present) == 1
    # with more than 8 minutes left to who runs
    assert start_of_the_first(load_queue(*jsons(tmp_path, [RUNS, WAITS]))) == 500


def test_completing_job_may_have_no_start(tmp_path):
    lines = LINES.replace("3|PENDING|1", "3|PENDING|4").splitlines()[::2]
    one = lines[0].replace("RUNNING", "COMPLETING")
    for line in (one, one.replace("2026-11-22T12:00:00", "N/A")):
        paths = texts(tmp_path, f"{line}\n{lines[1]}\n", "a|main|mixed|2/2/0/4")
        present = load_queue(*paths, at="2026-11-22T12:01:30")
        assert start_of_the_first(present) == 1
        assert present.origin == instant("2026-11-22T11:59:00", "local")
    job = RUNS | {"job_state": ["COMPLETING"], "start_time": 0}
    present = load_queue(*jsons(tmp_path, [job, WAITS]))
    assert (present.origin, start_of_the_first(present)) == (900, 1)
    with pytest.raises(QueueError, match="job 1: field start_time 0 says nothing"):
        load_queue(*jsons(tmp_path, [RUNS | {"start_time": 0}, WAITS]))


def test_assumed_current_time_is_noted(tmp_path):
    paths = jsons(tmp_path, [RUNS, WAITS], told=None)
    os.utime(paths[0], (1100, 1100))
    dated = "present time: taken from the file's date (give --at)"
    present = load_queue(*paths)
    assert (present.source.now, present.notes) == (1100, (dated,))
    assert load_queue(*paths, at="1100").notes == ()
    waits = LINES.splitlines()[1]
    assert dated in load_queue(*texts(tmp_path, waits)).notes
    assert dated not in load_queue(*texts(tmp_path, waits), at="2026-11-22T12:00:00").notes
    assert dated not in load_queue(*texts(tmp_path)).notes


def test_jobs_past_their_limit_are_counted(tmp_path):
    said = "time limits: 1 of 1 running jobs have exceeded their limit: taken as over in a second"
    for now, notes, start in ((1599, (), 1), (1600, (said,), 1), (1598, (), 2), (9999, (said,), 1)):
        present = load_queue(*jsons(tmp_path, [RUNS, WAITS], told=now))
        assert (present.notes, start_of_the_first(present)) == (notes, start)


def test_bars_in_the_header_of_a_log_make_it_no_squeue(tmp_path):
    line = "1 0 60 -1 2 -1 -1 2 600 -1 -1 1 1 1 1 1 -1 -1\n"
    (tmp_path / "a.swf").write_text(f"; Note: a | b\n\n ; MaxProcs: 4\n{line}")
    (tmp_path / "b.swf").write_text(line.replace("1 0 60", "2 0 -1"))
    assert load_queue(tmp_path / "a.swf", tmp_path / "b.swf").jobs["id"].tolist() == ["2"]
    (tmp_path / "a.swf").write_text("")
    alone = load_queue(tmp_path / "a.swf", tmp_path / "b.swf", processors=4)
    assert (len(alone.standing.running), len(alone.jobs)) == (0, 1)


@pytest.mark.parametrize("nodes", [NODES, "", '{"nodes": []}'])
def test_empty_queue_is_an_error(nodes, tmp_path):
    with pytest.raises(QueueError, match=r"squeue.txt: no job runs and none waits"):
        load_queue(*texts(tmp_path, "\n", nodes))


def test_tasks_that_their_array_lets_wait_are_counted(tmp_path):
    together = LINES.replace("3|PENDING", "3_[1,4-5%1]|PENDING")
    said = "arrays: 3 tasks that wait are of arrays that run only so many at once: taken as if all"
    notes = load_queue(*texts(tmp_path, together)).notes
    assert [note.startswith(said) for note in notes].count(True) == 1
    assert not any("arrays" in note for note in load_queue(*texts(tmp_path)).notes)
    array = WAITS | {"array_job_id": 2}
    jobs = [array | {"array_task_string": "1-2%2"}, array | {"job_id": 3, "array_task_id": 3}]
    jobs[1]["array_max_tasks"] = 2
    running = RUNS | {"array_job_id": 2, "array_task_id": 0, "array_max_tasks": 2}
    notes = load_queue(*jsons(tmp_path, [running, *jobs])).notes
    assert [note.startswith(said) for note in notes] == [True]
    jobs[1]["array_max_tasks"] = 0
    assert "arrays: 2 tasks" in load_queue(*jsons(tmp_path, [running, *jobs])).notes[0]


def test_times_may_be_counted_from_0(tmp_path):
    """As a simulated Slurm writes them: a job that started at once has run for 90 s."""
    line = LINES.splitlines()[0]
    line = line.replace("2026-11-22T12:00:00", "0").replace("2026-11-22T11:59:00", "0")
    found = read_squeue_text(texts(tmp_path, line)[0])
    assert found.now == 90
    assert found.entries[["submit", "start"]].to_numpy().tolist() == [[0, 0]]


@pytest.mark.parametrize(
    ("clock", "said"),
    [
        ("unix", "2026-11-22T21:00:00"),
        ("local", "2026-11-22T12:00:00"),
        ("seconds", "1795348800"),
    ],
)
def test_unix_times_are_written_in_the_time_zone_of_the_machine(clock, said, monkeypatch):
    """Noon of UTC is nine in the evening in Tokyo; local times are written as they were read."""
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    time.tzset()
    try:
        assert QueueFile("a", entries_of([]), 0, clock).stamp(1_795_348_800) == said
    finally:
        monkeypatch.undo()
        time.tzset()


def test_cells_are_counted_from_the_first_job_on(tmp_path):
    lines = [line.rpartition("|")[0] for line in ("|".join(NAMES[:12]), *LINES.splitlines())]
    with pytest.raises(QueueError, match=r"squeue.txt: line 2: 11 cells, must be 12 or 13; w"):
        read_squeue_text(texts(tmp_path, "\n".join(lines))[0])
