"""States of tasks: who gets which task, and what a lost worker means for its attempts."""

import pytest

from schedlab.slurm.pool.board import ATTEMPTS, BUNDLE, BUNDLE_S, MARGIN_S, RECALL_S, Board, Worker
from schedlab.slurm.tasks import Task, TaskMark, TaskMarks, count_tasks

NOW = 1000.0


def board_of(tmp_path, *tasks, settle=0.0, workers=()):
    marks = TaskMarks(tmp_path)
    marks.prepare("s")
    board = Board({"s": tasks}, marks, settle)
    board.open("s")
    for worker in workers:
        board.join(worker)
    return board


def worker(job=7, cores=2, end=NOW + 1000, memory=None):
    return Worker(f"{job}.0", job, cores, end, memory, f"tls://{job}")


def placed(board, now=NOW):
    return [(entry.task.name, found.job) for bundle, found in board.place(now) for entry in bundle]


def bundles(board, now=NOW):
    return ["".join(entry.task.name for entry in bundle) for bundle, _ in board.place(now)]


def finish(board, names, now):
    entries = [entry_of(board, name) for name in names]
    board.finish(entries, entries[0].bundle, now)


def entry_of(board, name):
    return board._stages["s"].entries[name]


def claim(board, name, job=7, attempt=1):
    assert board.marks.claim("s", name, TaskMark(job, attempt, NOW))


def never(job):
    return False


def test_tasks_fill_cores_and_follow_those_before_them(tmp_path):
    board = board_of(
        tmp_path, Task("a", ":", 9), Task("b", ":", 9, after=("a",)), Task("c", ":", 9),
        workers=[worker()],
    )  # fmt: skip
    assert placed(board) == [("a", 7), ("c", 7)]
    assert placed(board) == []
    board.succeed(entry_of(board, "c"))
    assert placed(board) == []
    board.succeed(entry_of(board, "a"))
    assert placed(board) == [("b", 7)]
    assert not board.is_done("s")
    board.succeed(entry_of(board, "b"))
    assert board.is_done("s")
    assert [entry.task.name for entry in board.succeeded] == ["c", "a", "b"]


@pytest.mark.parametrize(("late", "given"), [(0, True), (1, False)])
def test_allocation_must_outlive_the_limit_of_a_task(tmp_path, late, given):
    end = NOW + 60 + MARGIN_S - late
    board = board_of(tmp_path, Task("a", ":", 60), workers=[worker(end=end)])
    assert board.needs_worker("s", NOW) is not given
    assert placed(board) == ([("a", 7)] if given else [])


@pytest.mark.parametrize(("memory", "given"), [(500, 2), (499, 1), (None, 2)])
def test_memory_is_shared_out_where_it_is_known(tmp_path, memory, given):
    tasks = [Task(name, ":", 9, 1, 250) for name in "ab"]
    board = board_of(tmp_path, *tasks, workers=[worker(memory=memory)])
    assert len(placed(board)) == given
    assert not board.needs_worker("s", NOW)


def test_wide_and_long_tasks_come_first_and_short_ones_go_where_the_end_is_near(tmp_path):
    board = board_of(
        tmp_path, Task("short", ":", 5), Task("long", ":", 500), Task("wide", ":", 5, 2),
        workers=[worker(1, 2, NOW + 100), worker(2, 3, NOW + 1000)],
    )  # fmt: skip
    assert placed(board) == [("wide", 1), ("long", 2), ("short", 2)]


def test_lost_attempt_without_a_claim_is_made_again_with_the_same_number(tmp_path):
    board = board_of(tmp_path, Task("a", ":", 9), workers=[worker()])
    placed(board)
    entry = entry_of(board, "a")
    assert entry.attempt == 1
    board.leave("tls://7")
    board.lose(entry)
    board.join(worker(8))
    assert placed(board) == [("a", 8)]
    assert entry.attempt == 1
    assert board.interrupted == []


def test_claimed_attempt_is_held_until_its_job_has_ended_and_marks_had_time(tmp_path):
    board = board_of(tmp_path, Task("a", ":", 9), settle=60, workers=[worker(), worker(8)])
    placed(board)
    claim(board, "a")
    board.leave("tls://7")
    entry = entry_of(board, "a")
    board.lose(entry)
    board.look(never, NOW + 5000)
    assert entry.state == "held"
    for now, state in ((6000, "held"), (6059, "held"), (6060, "waits")):
        board.look(lambda job: job == 7, NOW + now)
        assert entry.state == state
    assert placed(board) == [("a", 8)]
    assert (entry.attempt, board.interrupted) == (2, [entry])


def test_mark_that_appears_while_held_counts(tmp_path):
    board = board_of(tmp_path, Task("a", ":", 9), settle=60, workers=[worker()])
    placed(board)
    claim(board, "a")
    board.lose(entry_of(board, "a"))
    board.marks.finish("s", "a", TaskMark(7, 1, NOW, NOW + 1))
    board.look(lambda job: True, NOW)
    assert board.is_done("s")
    assert board.interrupted == []


def test_job_that_has_ended_loses_its_workers_and_assignments_at_once(tmp_path):
    """A dead node closes no connection: distributed would notice minutes later."""
    board = board_of(tmp_path, Task("a", ":", 9), Task("b", ":", 9), workers=[worker()])
    placed(board)
    claim(board, "a")
    assert not board.needs_worker("s", NOW)
    board.look(lambda job: job == 7, NOW)
    assert board.workers == {}
    assert board.needs_worker("s", NOW)
    assert [entry_of(board, name).state for name in "ab"] == ["waits", "waits"]
    assert [entry.task.name for entry in board.interrupted] == ["a"]


def test_worker_that_joins_again_keeps_cores_for_its_attempts_in_progress(tmp_path):
    board = board_of(tmp_path, *(Task(name, ":", 9) for name in "abc"), workers=[worker()])
    assert len(placed(board)) == 2
    claim(board, "a")
    board.leave("tls://7")
    for name in "ab":
        board.lose(entry_of(board, name))
    board.join(worker())
    assert board.workers["7.0"].used_cores == 1
    assert placed(board) == [("b", 7)]
    board.marks.finish("s", "a", TaskMark(7, 1, NOW, NOW + 1))
    board.look(never, NOW)
    assert placed(board) == [("c", 7)]


def test_task_that_ends_its_workers_fails_after_some_attempts(tmp_path):
    board = board_of(tmp_path, Task("a", ":", 9))
    entry = entry_of(board, "a")
    for attempt in range(1, ATTEMPTS + 1):
        assert board.failed == []
        board.join(worker(attempt))
        assert placed(board) == [("a", attempt)]
        claim(board, "a", attempt, attempt)
        board.look(lambda job: True, NOW)
    assert board.failed == [entry]
    assert len(board.interrupted) == ATTEMPTS


def test_board_begins_from_the_marks(tmp_path):
    marks = TaskMarks(tmp_path)
    marks.prepare("s")
    for name, job in (("a", 7), ("b", 7), ("c", 8)):
        marks.claim("s", name, TaskMark(job, 1, NOW))
    marks.finish("s", "a", TaskMark(7, 1, NOW, NOW + 1))
    tasks = [
        *(Task(name, ":", 9) for name in "abc"),
        Task("d", ":", 9, after=("a",)),
        Task("e", ":", 9, after=("b",)),
    ]
    board = board_of(tmp_path, *tasks)
    states = {name: entry_of(board, name).state for name in "abcde"}
    assert states == {"a": "done", "b": "held", "c": "held", "d": "waits", "e": "waits"}
    assert board.has_begun("s")
    board.join(worker(cores=9))
    assert placed(board) == [("d", 7)]
    marks.fail("s", "c", TaskMark(8, 1, NOW, NOW + 1, code=3))
    board = board_of(tmp_path, *tasks)
    states = {name: entry_of(board, name).state for name in "abcde"}
    assert states == {"a": "done", "b": "held", "c": "failed", "d": "waits", "e": "waits"}
    counts = count_tasks(tasks, "s", marks)
    assert (counts.done, counts.running, counts.waiting, counts.failed) == (1, 1, 2, 1)
    assert str(counts) == "1 of 5 done, 1 run, 2 wait, 1 failed; 0 attempts interrupted"


def test_closed_stage_gets_no_worker_and_what_runs_keeps_its_cores(tmp_path):
    own = (*(Task(name, ":", 9) for name in "abc"), Task("after a", ":", 9, after=("a",)))
    tasks = {"s": own, "t": (Task("d", ":", 9),)}
    for is_open in (True, False):  # also if another client opened it
        marks = TaskMarks(tmp_path / str(is_open))
        marks.prepare("s")
        marks.prepare("t")
        board = Board(tasks, marks)
        if is_open:
            board.open("s")
            board.join(worker(cores=1))
            assert placed(board) == [("a", 7)]
            marks.claim("s", "a", TaskMark(7, 1, NOW))
            board.close("s")
        else:
            marks.claim("s", "a", TaskMark(7, 1, NOW, cores=1))
            board.close("s")
            entry_of(board, "a").worker = "7.0"
            board.join(worker(cores=1))
        assert placed(board) == []
        assert not board.needs_worker("s", NOW)
        board.open("t")
        assert placed(board) == []  # a has the core
        assert board.needs(7, None, NOW)
        assert board.holds(7)
        board.succeed(entry_of(board, "a"))
        assert placed(board) == [("d", 7)]
        board.succeed(board._stages["t"].entries["d"])
        assert not board.needs(7, None, NOW)


def test_failed_task_closes_its_stage_at_once(tmp_path):
    tasks = [Task("a", ":", 9), Task("b", ":", 9)]
    for code in (0, 3):
        marks = TaskMarks(tmp_path / str(code))
        marks.prepare("s")
        board = Board({"s": tasks}, marks)
        board.open("s")
        board.join(worker(cores=1))
        assert placed(board) == [("a", 7)]
        marks.claim("s", "a", TaskMark(7, 1, NOW))
        (marks.fail if code else marks.finish)("s", "a", TaskMark(7, 1, NOW, NOW + 1, code=code))
        board.lose(entry_of(board, "a"))
        assert placed(board) == ([] if code else [("b", 7)])


def test_allocation_is_needed_for_its_own_stage_and_for_what_is_ready(tmp_path):
    marks = TaskMarks(tmp_path)
    tasks = {"s": (Task("a", ":", 100),), "t": (Task("b", ":", 300),)}
    board = Board(tasks, marks)
    board.join(worker(end=NOW + 300 + MARGIN_S))
    assert board.needs(7, "t", NOW)  # not open yet
    assert not board.needs(7, "t", NOW + 1)  # b would not fit any more
    assert not board.needs(7, None, NOW)
    marks.prepare("s")
    board.open("s")
    assert board.needs(7, None, NOW)
    assert placed(board) == [("a", 7)]
    assert board.needs(7, None, NOW + 299)
    board.succeed(board._stages["s"].entries["a"])
    assert not board.needs(7, None, NOW)
    assert not board.needs(8, "t", NOW)  # no worker


def test_resting_worker_gets_nothing_for_a_while(tmp_path):
    board = board_of(tmp_path, Task("a", ":", 9), workers=[worker()])
    board.rest("7.0", NOW + 10)
    assert placed(board, NOW + 9) == []
    assert not board.needs_worker("s", NOW + 9)
    assert placed(board, NOW + 10) == [("a", 7)]


def board_with_pace(tmp_path, names, seconds, **options):
    """Return a board on which the first task took some seconds, with the other names left."""
    board = board_of(tmp_path, *(Task(name, ":", 9) for name in names), **options)
    board.join(worker(cores=1))
    assert bundles(board) == [names[0]]
    finish(board, names[0], NOW + seconds)
    return board


@pytest.mark.parametrize(
    ("seconds", "size"),
    [(BUNDLE_S / 4, 4), (BUNDLE_S / 3.99, 3), (BUNDLE_S / 2, 2), (BUNDLE_S / 1.99, 1), (60, 1)],
)
def test_bundle_takes_a_second_at_the_pace_of_such_tasks(tmp_path, seconds, size):
    board = board_with_pace(tmp_path, "abcdefghijkl", seconds)
    assert bundles(board, NOW + 60) == ["bcdef"[:size]]


def test_bundles_become_small_so_that_the_last_tasks_are_spread(tmp_path):
    """Two workers have three cores in all; each bundle leaves twice as many as each would get."""
    names = "abcdefghijklmnopqrstuvwxyz"
    board = board_with_pace(tmp_path, names, 0.001)
    board.join(worker(8, cores=2))
    assert bundles(board) == ["bcde", "fgh", "ijk"]  # 25 / 6, 21 / 6, 18 / 6
    for done in ("bcde", "fgh", "ijk"):
        finish(board, done, NOW + 0.001)
    assert bundles(board) == ["lm", "no", "p"]  # 15 / 6, 13 / 6, 11 / 6


def test_bundle_has_a_largest_size_and_equal_needs(tmp_path):
    tasks = [Task(f"t{number:03}", ":", 9) for number in range(BUNDLE * 2 + 10)]
    board = board_of(tmp_path, *tasks, Task("other", ":", 8), workers=[worker(cores=1)])
    assert placed(board) == [("t000", 7)]
    board.finish([entry_of(board, "t000")], entry_of(board, "t000").bundle, NOW)
    assert len(placed(board)) == BUNDLE


def test_cores_are_used_until_the_whole_bundle_has_ended(tmp_path):
    board = board_with_pace(tmp_path, "abcdefg", 0.001)
    assert bundles(board) == ["bcd"]
    joined = board.workers["7.0"]
    for name in "bc":
        board.succeed(entry_of(board, name))
        assert joined.used_cores == 1
    board.succeed(entry_of(board, "d"))
    assert joined.used_cores == 0


def test_lost_bundle_is_decided_task_by_task(tmp_path):
    """Done, in progress, and not begun."""
    board = board_with_pace(tmp_path, "abcdefgh", 0.001)
    assert bundles(board) == ["bcd"]
    board.leave("tls://7")
    claim(board, "b")
    claim(board, "c")
    board.marks.finish("s", "b", TaskMark(7, 1, NOW, NOW + 1))
    for name in "bcd":
        board.lose(entry_of(board, name))
    assert [entry_of(board, name).state for name in "bcd"] == ["done", "held", "waits"]
    board.join(worker(cores=2))
    assert board.workers["7.0"].used_cores == 1
    assert placed(board)[0] == ("d", 7)
    board.look(lambda job: True, NOW)
    assert [entry.task.name for entry in board.interrupted] == ["c"]


def test_worker_that_joins_again_keeps_cores_once_for_each_bundle(tmp_path):
    board = board_with_pace(tmp_path, "abcdefgh", 0.001)
    assert bundles(board) == ["bcd"]
    board.leave("tls://7")
    board.join(worker(cores=2))
    assert board.workers["7.0"].used_cores == 1


@pytest.mark.parametrize(("late", "recalled"), [(0, True), (-0.1, False)])
def test_tasks_behind_a_long_one_are_given_to_others(tmp_path, late, recalled):
    board = board_with_pace(tmp_path, "abcdefghi", 0.001)
    assert bundles(board) == ["bcde"]
    shared = entry_of(board, "b").bundle
    claim(board, "b")
    board.marks.finish("s", "b", TaskMark(7, 1, NOW, NOW + 1))
    claim(board, "c")
    board.look(never, NOW + RECALL_S + late)
    states = ["done", "assigned", "waits", "waits"] if recalled else ["assigned"] * 4
    assert [entry_of(board, name).state for name in "bcde"] == states
    assert board.workers["7.0"].used_cores == 1
    if not recalled:
        return
    board.join(worker(8, cores=1))
    ((name, job),) = placed(board, NOW + RECALL_S)
    assert (name in "de", job) == (True, 8)
    # its former worker reports the bundle at last: the task is another's now
    board.finish([entry_of(board, name) for name in "bcde"], shared, NOW + 20)
    states = {"b": "done", "c": "done", "d": "waits", "e": "waits", name: "assigned"}
    assert {name: entry_of(board, name).state for name in "bcde"} == states
    assert [one.used_cores for one in board.workers.values()] == [0, 1]
