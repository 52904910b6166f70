"""Several workflows that share one pool, on a Slurm in memory: help, failures, dead clients."""

import json
from contextlib import suppress

import pytest

from asa_case import estimator_by_stage
from killed_case import Client, Killed
from pool_case import PoolSlurm, use_memory
from schedlab.slurm.client import SlurmError
from schedlab.slurm.joined_workflows import join_workflows
from schedlab.slurm.journal import Journal
from schedlab.slurm.run import WorkflowsFailedError, prepare_run, resume_workflow
from schedlab.slurm.status import read_status
from schedlab.slurm.tasks import Task, TaskMarks
from schedlab.slurm.workflow_file import WorkflowFile
from schedlab.waits.workflows import Stage, Workflow
from slurm_case import Fate

#: the second stage's allocation is too narrow for the tasks of the first one
FIRST = WorkflowFile(
    Workflow(
        "first",
        (Stage("make", 4, 60), Stage("check", 2, 60, ("make",)), Stage("join", 1, 20, ("check",))),
    ),
    {"make": 300, "check": 300, "join": 600},
    {"join": "true"},
    tasks={
        "make": tuple(Task(f"m{number}", ":", 60, 4) for number in range(3)),
        "check": (Task("c1", ":", 60), Task("c2", ":", 60, 1, 0, ("c1",))),
    },
)
SECOND = WorkflowFile(
    Workflow("second", (Stage("scan", 3, 40), Stage("sum", 1, 20, ("scan",)))),
    {"scan": 300, "sum": 600},
    {"sum": "true"},
    tasks={"scan": tuple(Task(f"s{number}", ":", 60) for number in range(6))},
)
#: a workflow whose stages have commands
PLAIN = WorkflowFile(
    Workflow(
        "plain",
        (Stage("load", 5, 30), Stage("side", 6, 90), Stage("last", 7, 20, ("load", "side"))),
    ),
    {"load": 600, "side": 600, "last": 600},
    {"load": "true", "side": "true", "last": "true"},
)
LENGTHS = dict.fromkeys(("m0", "m1", "m2"), 40.0) | dict.fromkeys(("c1", "c2"), 15.0)
LENGTHS |= {f"s{number}": 20.0 for number in range(6)}
#: by stage: the allocation of second.scan comes late, that of first.check early
WAITS = {"first.make": 5, "first.check": 10, "second.scan": 500}


class ByStage(PoolSlurm):
    """A Slurm in memory whose jobs have the fates of their stages, one after the other."""

    def __init__(self, fates=None, waits=None) -> None:
        super().__init__([Fate()], LENGTHS)
        self.fates = {stage: Fate(wait=wait) for stage, wait in (WAITS | (waits or {})).items()}
        self.fates |= fates or {}

    def submit(self, request):
        """Submit a job with the fate of its stage."""
        stage = request.name.partition(".")[2]
        fate = self.fates.get(stage, Fate(wait=3, run=20))
        self._last = fate.pop(0) if isinstance(fate, list) else fate
        self._fates = iter(())
        return super().submit(request)

    def jobs_of(self, stage):
        return [number for number, job in self.by_number.items() if job.stage == stage]


def run(folder, monkeypatch, slurm, files, moments=(), gap=0.0, said=None):
    """Run workflows with a client killed at each moment; return outcome or error, and moments."""
    use_memory(monkeypatch, slurm)
    described = join_workflows(files)
    told = estimator_by_stage(described.workflow, [60] * len(described.workflow.stages))
    prepare_run(described, "Pool", folder, 2.0, slurm=slurm)
    tell = (lambda words: None) if said is None else said.append
    for moment in [*moments, None]:
        client = Client(slurm, moment)
        with suppress(Killed), client.alive(told):
            try:
                return resume_workflow(folder, told, tell, slurm), client.count
            except SlurmError as error:
                return error, client.count
        slurm.sleep(gap)
    raise AssertionError


def check_once(slurm, folder, described):
    """Check that every task of a workflow has succeeded once, by its marks and its attempts."""
    marks = TaskMarks(folder)
    for stage, tasks in described.tasks.items():
        name = f"{described.workflow.name}.{stage}"
        assert marks.scan(name)[0] == {task.name for task in tasks}
        for task in tasks:
            own = [a for a in slurm.attempts if (a.stage, a.task) == (name, task.name)]
            assert [one.state for one in own if one.state != "interrupted"] == ["done"]
            assert marks.done(name, task.name).job == own[-1].job
    names = [f"{described.workflow.name}.{stage}" for stage in described.commands]
    assert [stage for stage in slurm.ran if stage in names] == names


def test_early_allocation_of_one_workflow_works_on_another(tmp_path, monkeypatch):
    slurm, said, folder = ByStage(), [], tmp_path / "run"
    outcome, _ = run(folder, monkeypatch, slurm, [FIRST, SECOND], said=said)
    check_once(slurm, folder, FIRST)
    check_once(slurm, folder, SECOND)
    assert slurm.left == []
    marks = TaskMarks(folder)
    jobs = {marks.done("second.scan", f"s{number}").job for number in range(6)}
    assert jobs == set(slurm.jobs_of("first.check"))
    last = max(marks.done("second.scan", f"s{number}").end for number in range(6))
    assert last < max(marks.done("first.make", f"m{number}").end for number in range(3))
    # what waited for tasks that are done was cancelled
    (own,) = slurm.jobs_of("second.scan")
    assert slurm.by_number[own].state == "CANCELLED"
    assert slurm.by_number[own].start is None
    assert outcome.workflow == "first+second"
    first, second = outcome.workflows
    assert list(second.stages["stage"]) == ["second.scan", "second.sum"]
    assert outcome.perceived == first.perceived + second.perceived
    assert outcome.core_hours == pytest.approx(first.core_hours + second.core_hours)
    assert second.core_hours == pytest.approx((6 * 20 + 20) / 3600)
    assert second.makespan < first.makespan == outcome.makespan
    assert [one["workflow"] for one in outcome.as_dict()["workflows"]] == ["first", "second"]
    assert outcome.as_dict()["workflows"][1]["makespan"] == second.makespan
    status = read_status(folder, slurm)
    assert status.sentences()[-3:] == [
        "workflow first: all stages have ended",
        "workflow second: all stages have ended",
        "all stages have ended",
    ]
    again = resume_workflow(folder, None, lambda words: None, slurm)
    assert again.as_dict() == outcome.as_dict()


def test_one_workflow_alone_keeps_its_names_and_its_record(tmp_path, monkeypatch):
    slurm, folder = PoolSlurm([Fate(wait=5)], LENGTHS), tmp_path / "run"
    outcome, _ = run(folder, monkeypatch, slurm, [SECOND])
    assert list(outcome.stages["stage"]) == ["scan", "sum"]
    assert "workflows" not in outcome.as_dict()
    assert "members" not in Journal.read(folder).about["workflow"]
    assert "workflows" not in read_status(folder, slurm).as_dict()
    assert not any("workflow" in line for line in read_status(folder, slurm).sentences())


def test_failed_task_gives_its_workflow_up_and_the_other_ends(tmp_path, monkeypatch):
    slurm, said, folder = ByStage(), [], tmp_path / "run"
    slurm.codes["m0"] = 7
    error, _ = run(folder, monkeypatch, slurm, [FIRST, SECOND], said=said)
    assert isinstance(error, WorkflowsFailedError)
    (make,) = slurm.jobs_of("first.make")
    message = (
        f"workflow first: stage 'make': task 'm0' ended with exit code 7 in job {make}; its "
        f"output is {folder}/output/first.make.m0.1.txt"
    )
    assert str(error) == message
    check_once(slurm, folder, SECOND)
    # the next wide task was not given, and nothing of the workflow was submitted any more
    assert [a.task for a in slurm.attempts if a.stage == "first.make"] == ["m0"]
    assert slurm.jobs_of("first.join") == []
    assert slurm.left == []
    assert any(
        line.endswith(f"first: is given up, other workflows go on: {message}") for line in said
    )
    assert error.outcome.workflow == "second"
    assert list(error.outcome.stages["stage"]) == ["second.scan", "second.sum"]
    record = json.loads((folder / "record.json").read_text())
    assert (record["error"], record["workflow"]) == (message, "first+second")
    assert [row["stage"] for row in record["stages"]] == ["second.scan", "second.sum"]
    status = read_status(folder, slurm)
    assert not status.resumable
    assert status.error == message
    states = {job.stage: job.state for job in status.jobs}
    assert (states["first.join"], states["second.sum"]) == ("not run", "ended")
    assert states["first.make"] == "taken back"
    written = (folder / "stages.csv").read_text().splitlines()[1:]
    assert [line.partition(",")[0] for line in written] == ["second.scan", "second.sum"]
    assert [str(one) for one in status.workflows] == [
        message.replace("first: ", "first: failed: ", 1),
        "workflow second: all stages have ended",
    ]
    with pytest.raises(SlurmError, match="the run has ended: workflow first: stage 'make'"):
        resume_workflow(folder, None, lambda words: None, slurm)
    assert Journal.read(folder).last("finished")["error"] == message


def test_allocations_of_a_failed_workflow_work_for_the_other(tmp_path, monkeypatch):
    """The first task of the first workflow fails before most of the second one's are given."""
    slurm, folder = ByStage(), tmp_path / "run"
    slurm.codes["m0"] = 1
    monkeypatch.setitem(LENGTHS, "m0", 8.0)
    slurm.lengths = dict(LENGTHS)
    run(folder, monkeypatch, slurm, [FIRST, SECOND])
    check_once(slurm, folder, SECOND)
    fails = next(a.start for a in slurm.attempts if a.task == "m0") + 8.0
    later = [a for a in slurm.attempts if a.stage == "second.scan" and a.start > fails + 4]
    assert later
    helpers = {slurm.by_number[a.job].stage for a in later}
    assert helpers <= {"first.make", "first.check"}


def test_allocations_of_a_failed_workflow_end_when_no_other_needs_them(tmp_path, monkeypatch):
    """Tasks of their own stages wait, but are not to be given."""
    slurm = ByStage({"second.sum": Fate(wait=3, run=300)})
    slurm.codes["m0"] = 7
    run(tmp_path / "run", monkeypatch, slurm, [FIRST, SECOND])
    last = max(a.start + LENGTHS[a.task] for a in slurm.attempts)
    for stage in ("first.make", "first.check"):
        (number,) = slurm.jobs_of(stage)
        assert last - 10 < slurm.by_number[number].end < last + 10
    assert slurm.ran == ["second.sum"]


@pytest.mark.parametrize("losses", [2, 3])
def test_lost_allocations_of_a_failed_workflow_do_not_count(tmp_path, monkeypatch, losses):
    """Its allocation is lost while it works for the other, whose own ones are lost too."""
    lost = Fate(wait=25, run=4, state="NODE_FAIL")
    fates = {
        "first.make": Fate(wait=5, run=17, state="NODE_FAIL"),
        "first.check": Fate(wait=900),
        "second.scan": [*[lost] * losses, Fate(wait=25)],
    }
    slurm, folder = ByStage(fates), tmp_path / "run"
    slurm.codes["m0"] = 1
    slurm.lengths = LENGTHS | {"m0": 4.0}
    error, _ = run(folder, monkeypatch, slurm, [FIRST, SECOND])
    (make,) = slurm.jobs_of("first.make")
    assert [a.job for a in slurm.attempts if a.state == "interrupted"].count(make) == 4
    if losses == 2:
        assert str(error).startswith("workflow first: stage 'make': task 'm0' ended with exit")
        check_once(slurm, folder, SECOND)
    else:
        assert "workflow second: stage 'scan': 3 allocations have ended before a" in str(error)


def test_running_attempts_of_a_failed_workflow_end_by_themselves(tmp_path, monkeypatch):
    narrow = {"make": tuple(Task(f"m{number}", ":", 60) for number in range(3))}
    first = WorkflowFile(
        Workflow("first", (Stage("make", 4, 60),)), {"make": 300}, {}, tasks=narrow
    )
    slurm, folder = ByStage(waits={"second.scan": 60}), tmp_path / "run"
    slurm.lengths = LENGTHS | {"m0": 4.0}
    slurm.codes["m0"] = 1
    run(folder, monkeypatch, slurm, [first, SECOND])
    check_once(slurm, folder, SECOND)
    states = {a.task: a.state for a in slurm.attempts if a.stage == "first.make"}
    assert states == {"m0": "failed", "m1": "done", "m2": "done"}


@pytest.mark.parametrize(
    ("fate", "how"),
    [
        (Fate(wait=3, run=5, code=9), "FAILED, exit code 9"),
        (Fate(wait=3, run=5, state="TIMEOUT"), "TIMEOUT, exit code 0:0"),
    ],
    ids=["code", "limit"],
)
def test_failed_command_gives_its_workflow_up_and_the_other_ends(tmp_path, monkeypatch, fate, how):
    slurm = ByStage({"plain.load": fate, "plain.side": Fate(wait=3, run=90)})
    folder = tmp_path / "run"
    error, _ = run(folder, monkeypatch, slurm, [SECOND, PLAIN])
    (load,) = slurm.jobs_of("plain.load")
    assert str(error) == (
        f"workflow plain: stage 'load': job {load} ended as {how}; its output is "
        f"{folder}/output/plain.load.{load}.txt"
    )
    check_once(slurm, folder, SECOND)
    # its other jobs are cancelled at once: the running one, and the early one that idles
    (side,) = slurm.jobs_of("plain.side")
    assert slurm.by_number[side].state == "CANCELLED"
    assert slurm.by_number[side].end - slurm.by_number[load].end < 10
    assert "plain.last" not in slurm.ran
    assert slurm.left == []
    assert error.outcome.workflow == "second"


def test_given_up_are_the_stages_that_are_not_over(tmp_path, monkeypatch):
    """Also a parallel one whose running attempts succeed afterwards."""
    one = WorkflowFile(
        Workflow("one", (*FIRST.workflow.stages, Stage("side", 8, 60, ("make",)))),
        FIRST.limits | {"side": 300},
        FIRST.commands,
        tasks=FIRST.tasks | {"side": (Task("q", ":", 100),)},
    )
    slurm, folder = ByStage({"second.sum": Fate(wait=3, run=400)}), tmp_path / "run"
    slurm.codes["c1"] = 7
    slurm.lengths = LENGTHS | {"q": 60.0}
    run(folder, monkeypatch, slurm, [one, SECOND])
    records = Journal.read(folder).records
    (failed,) = [record for record in records if record.get("event") == "workflow_failed"]
    assert failed["stages"] == ["one.check", "one.join", "one.side"]
    assert {a.task: a.state for a in slurm.attempts}["q"] == "done"
    ended = [record["stage"] for record in records if record.get("event") == "stage_ended"]
    assert sorted(ended) == ["one.make", "second.scan"]
    assert [one.ended for one in read_status(folder, slurm).workflows] == [1, 2]


@pytest.mark.parametrize(("stage", "ends_all"), [("plain.side", False), ("second.scan", True)])
def test_requeued_job_ends_its_workflow_and_a_requeued_worker_the_run(
    tmp_path, monkeypatch, stage, ends_all
):
    slurm = ByStage({"plain.side": Fate(wait=3, run=90)}, {"second.scan": 5})

    def put_back():
        (number,) = slurm.jobs_of(stage)
        slurm.by_number[number].state = "PENDING"

    slurm._at(20, put_back)
    error, _ = run(tmp_path / "run", monkeypatch, slurm, [PLAIN, SECOND])
    assert "had begun and is PENDING now: it was put back into the queue" in str(error)
    assert isinstance(error, WorkflowsFailedError) != ends_all
    records = Journal.read(tmp_path / "run").records
    failed = [one["workflow"] for one in records if one.get("event") == "workflow_failed"]
    assert failed == ([] if ends_all else ["plain"])
    if not ends_all:
        check_once(slurm, tmp_path / "run", SECOND)
    assert slurm.left == []


def test_refused_submission_gives_its_workflow_up(tmp_path, monkeypatch):
    slurm, folder = ByStage(), tmp_path / "run"
    slurm.refuses["plain.load"] = "Requested node configuration is not available"
    error, _ = run(folder, monkeypatch, slurm, [PLAIN, SECOND])
    assert str(error).startswith("workflow plain: stage 'load': not submitted: sbatch: error: Req")
    check_once(slurm, folder, SECOND)
    assert slurm.left == []


def test_run_ends_at_once_if_all_workflows_fail(tmp_path, monkeypatch):
    slurm, folder = ByStage(), tmp_path / "run"
    slurm.codes |= {"m0": 7, "s0": 8}
    error, _ = run(folder, monkeypatch, slurm, [FIRST, SECOND])
    assert isinstance(error, WorkflowsFailedError)
    assert error.outcome is None
    assert "task 's0' ended with exit code 8" in str(error)
    assert "task 'm0' ended with exit code 7" in str(error)
    assert slurm.ran == []
    assert slurm.left == []


def test_lost_allocations_end_the_run_of_all(tmp_path, monkeypatch):
    lost = {name: Fate(wait=5, run=1, state="FAILED") for name in (*WAITS, "second.scan")}
    error, _ = run(tmp_path / "run", monkeypatch, ByStage(lost), [FIRST, SECOND])
    assert not isinstance(error, WorkflowsFailedError)
    assert "3 allocations have ended before a task has succeeded" in str(error)


@pytest.mark.parametrize("gap", [0.0, 30.0])
@pytest.mark.slow
def test_killed_client_is_resumed_after_a_failure(tmp_path, monkeypatch, gap):
    """Also in the middle of giving up: the resumed run makes the same decisions."""

    def slurm_of():
        slurm = ByStage({"plain.load": Fate(wait=3, run=15, code=9)})
        slurm.codes["m1"] = 7
        return slurm

    files = [FIRST, SECOND, PLAIN]
    _, count = run(tmp_path / "whole", monkeypatch, slurm_of(), files)
    records = Journal.read(tmp_path / "whole").records
    failed = [one["workflow"] for one in records if one.get("event") == "workflow_failed"]
    assert failed == ["plain", "first"]
    for moment in range(2, count, max(1, count // 40)):
        slurm, folder = slurm_of(), tmp_path / str(moment)
        error, _ = run(folder, monkeypatch, slurm, files, [moment], gap)
        is_over = "the run has ended: " in str(error)  # killed after its last line but one
        assert isinstance(error, WorkflowsFailedError) != is_over, error
        check_once(slurm, folder, SECOND)
        assert slurm.left == []
        assert "plain.last" not in slurm.ran
        assert "first.join" not in slurm.ran
        assert "'load'" in str(error)
        assert "task 'm1'" in str(error)
        events = [one for one in Journal.read(folder).records if one.get("event")]
        ends = [one["workflow"] for one in events if one["event"] == "workflow_failed"]
        assert sorted(ends) == ["first", "plain"]


@pytest.mark.slow
def test_attempts_of_a_failed_workflow_keep_their_cores_after_a_resume(tmp_path, monkeypatch):
    """The board of the next client counts what runs, though it gives no more of that stage."""
    slurm, folder = ByStage(), tmp_path / "run"
    narrow = {"make": tuple(Task(f"m{number}", ":", 60) for number in range(4))}
    first = WorkflowFile(
        Workflow("first", (Stage("make", 4, 60),)), {"make": 300}, {}, tasks=narrow
    )
    slurm.lengths = LENGTHS | {"m0": 4.0, "m1": 55.0, "m2": 55.0, "m3": 55.0}
    slurm.codes["m0"] = 1
    use_memory(monkeypatch, slurm)
    _, count = run(tmp_path / "whole", monkeypatch, slurm, [first, SECOND])
    found = 0
    for moment in range(0, count, max(1, count // 30)):
        slurm_again, folder = ByStage(), tmp_path / str(moment)
        slurm_again.lengths, slurm_again.codes = slurm.lengths, {"m0": 1}
        run(folder, monkeypatch, slurm_again, [first, SECOND], [moment])
        for attempt in slurm_again.attempts:
            length = slurm_again.lengths[attempt.task]
            others = [
                other
                for other in slurm_again.attempts
                if other.job == attempt.job
                if other.start <= attempt.start < other.start + slurm_again.lengths[other.task]
            ]
            cores = slurm_again.by_number[attempt.job].request.cores
            assert len(others) <= cores, (moment, length)
            found += 1
        states = {a.task: a.state for a in slurm_again.attempts if a.stage == "first.make"}
        assert states["m0"] == "failed"
    assert found
