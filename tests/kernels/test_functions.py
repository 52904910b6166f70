"""Schedulers that are Python functions: equal to the kernels job by job, and refused when wrong."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from schedlab.core.jobs import Jobs
from schedlab.policies import get
from schedlab.policies.functions import SchedulerError, from_function
from schedlab.queue import functions
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate, simulate_many
from strategies import LINEAR, with_exact_estimates, workloads

PROCESSORS = 8
#: expressions, and the same as functions
SCORES = {
    "s": lambda jobs: jobs.submit,
    "r": lambda jobs: jobs.estimate,
    "r * n": lambda jobs: jobs.estimate * jobs.procs,
    "-n": lambda jobs: -jobs.procs,
    "n": lambda jobs: jobs.procs.tolist(),
    "r - 0.3 * w": lambda jobs: jobs.estimate - 0.3 * jobs.wait,
    "max(r, 20) / (1 + w)": lambda jobs: np.maximum(jobs.estimate, 20) / (1 + jobs.wait),
    "-w * n": lambda jobs: -jobs.wait * jobs.procs,
}


#: the same as functions of an expression's variables, in any order
FORMULAS = {
    "s": lambda s: s,
    "r": lambda r: r,
    "r * n": lambda n, r: r * n,
    "-n": lambda n, scale=1: -scale * n,
    "n": lambda *, n: n,
    "r - 0.3 * w": lambda w, r: r - 0.3 * w,
    "max(r, 20) / (1 + w)": lambda w, s, r, n: np.maximum(r, 20) / (1 + w),
    "-w * n": lambda n, w: -w * n,
}


@st.composite
def runs(draw) -> Run:
    """Expressions under every kind of reservations, plain dialects, thresholds and heads."""
    reservations = draw(st.sampled_from(["none", "head", "every"]))
    jobs = draw(workloads(PROCESSORS))
    options = {}
    if reservations == "every":
        jobs = with_exact_estimates(jobs)
        options["compression"] = draw(st.sampled_from(["none", "completion", "instant"]))
    else:
        options["threshold"] = draw(st.sampled_from([None, None, 0, 15]))
        options["head"] = draw(st.sampled_from([0, 0, 3]))
    if reservations == "head":
        options["backfill"] = get(draw(st.sampled_from([*SCORES, *LINEAR])))
    return Run(
        jobs,
        PROCESSORS,
        get(draw(st.sampled_from(list(SCORES)))),
        dialect=DIALECTS[draw(st.sampled_from(["full", "lifo"]))],
        reservations=reservations,
        **options,
    )


def as_function(policy, functions=SCORES):
    """The function of an expression; a policy that has none is left."""
    function = functions.get(policy.expression)
    return from_function(function, policy.name) if function else policy


@settings(max_examples=800, deadline=None)
@given(runs(), st.sampled_from([SCORES, FORMULAS]))
def test_score_functions_equal_expressions(run, functions):
    second = run.backfill and as_function(run.backfill, functions)
    function = replace(run, policy=as_function(run.policy, functions), backfill=second)
    assert simulate(function).start.tolist() == simulate(run).start.tolist()


def test_functions_of_variables_get_floats_and_may_have_a_pole():
    """As an expression has: log10(s) of the first job."""
    jobs = few_jobs(6, [3, 2, 1, 3, 2, 1])
    for function in (lambda s: np.log10(s), lambda r, n: r**9 * n**9 * 10.0**9):
        expression = get("log10(s)" if "s" in function.__code__.co_varnames else "r**9*n**9*1e9")
        starts = simulate(Run(jobs, 4, from_function(function))).start.tolist()
        assert starts == simulate(Run(jobs, 4, expression)).start.tolist()


@pytest.mark.parametrize(
    ("function", "said"),
    [
        (lambda r, procs: r, "argument 'procs' is unknown; did you mean 'n'"),
        (lambda runtime, cores: cores, "argument 'runtime' is unknown; did you mean 'r'"),
        (lambda estimate: estimate, "argument 'estimate' is unknown; did you mean 'r'"),
        (lambda n, submitt: n, "argument 'submitt' is unknown; did you mean 's'"),
        (lambda N: N, "argument 'N' is unknown; did you mean 'n'"),
        (lambda r, waiting_tme: r, "argument 'waiting_tme' is unknown; did you mean 'w'"),
        (lambda r, q: r, "argument 'q' is unknown: it must take any of r, n, s and w"),
    ],
)
def test_other_names_of_variables_are_errors(function, said):
    with pytest.raises(ValueError, match="scheduler 'mine': " + re.escape(said)):
        from_function(function, "mine")


def test_variables_are_a_class_s_too():
    class Area:
        def __call__(self, r, n):
            return r * n

    jobs = few_jobs(6, [3, 2, 1, 3, 2, 1])
    starts = simulate(Run(jobs, 4, from_function(Area))).start.tolist()
    assert starts == simulate(Run(jobs, 4, get("r * n"))).start.tolist()


@settings(max_examples=100, deadline=None)
@given(runs().filter(lambda run: run.reservations == "head"))
def test_backfilling_order_can_be_a_function_by_itself(run):
    mixed = replace(run, policy=get("wfp3"), backfill=as_function(run.backfill))
    plain = replace(run, policy=get("wfp3"))
    assert simulate(mixed).start.tolist() == simulate(plain).start.tolist()


def in_order(key):
    """Strict order by a key, restated as a decision."""

    def decide(waiting, machine):
        starts, free = [], machine.free
        order = np.argsort(getattr(waiting, key), kind="stable")
        for job in order:
            if waiting.procs[job] > free:
                break
            free -= waiting.procs[job]
            starts.append(waiting.number[job])
        return starts

    return from_function(decide, key)


def easy(waiting, machine):
    """EASY in order of arrival, written as a decision."""
    starts, free, place = [], machine.free, 0
    procs, estimate, number = waiting.procs, waiting.estimate, waiting.number
    while place < len(waiting) and procs[place] <= free:
        free -= procs[place]
        starts.append(int(number[place]))
        place += 1
    if place == len(waiting):
        return starts
    shadow, extra = machine.reservation(procs[place], starts)
    for job in range(place + 1, len(waiting)):
        in_time = machine.now + estimate[job] <= shadow
        if procs[job] <= free and (in_time or procs[job] <= extra):
            free -= procs[job]
            extra -= 0 if in_time else procs[job]
            starts.append(int(number[job]))
    return starts


class Easy:
    """The same as a class."""

    def __call__(self, waiting, machine):
        return np.array(easy(waiting, machine), dtype=np.int32)


@settings(max_examples=300, deadline=None)
@given(workloads(PROCESSORS))
def test_decisions_equal_the_kernels(jobs):
    for decision, kernel in (
        (in_order("submit"), Run(jobs, PROCESSORS, get("fcfs"))),
        (in_order("estimate"), Run(jobs, PROCESSORS, get("r"))),
        (from_function(easy), Run(jobs, PROCESSORS, get("fcfs"), reservations="head")),
        (from_function(Easy), Run(jobs, PROCESSORS, get("fcfs"), reservations="head")),
    ):
        found = simulate(Run(jobs, PROCESSORS, decision))
        assert found.start.tolist() == simulate(kernel).start.tolist()
        assert (found.end - found.start).tolist() == jobs.runtime.tolist()


@settings(max_examples=50, deadline=None)
@given(workloads(PROCESSORS))
def test_runs_are_the_same_again_and_over_threads(jobs):
    class Counting:
        made = 0

        def __init__(self):
            self.calls = 0
            Counting.made += 1

        def __call__(self, waiting):
            self.calls += 1
            return (waiting.number * self.calls) % 7

    made = Counting.made
    each = [Run(jobs, PROCESSORS, from_function(Counting), reservations="head")] * 4
    found = [schedule.start.tolist() for schedule in simulate_many(each, threads=2)]
    assert Counting.made == made + 4
    assert found == [simulate(each[0]).start.tolist()] * 4


def few_jobs(count=3, procs=(3, 3, 3)) -> Jobs:
    """Jobs 11, 12, ... that arrive a second apart and run for 10 s."""
    times = np.arange(count)
    return Jobs(11 + times, times, np.full(count, 10), np.full(count, 20), list(procs))


def test_functions_see_columns_and_no_run_times():
    seen = []

    def look(waiting, machine):
        seen.append((waiting, machine, machine.reservation(4)))
        return waiting.number[:1] if machine.free >= 3 else []

    frame = pd.DataFrame({"number": [12, 11], "user": [7, 6], "queue": [2, 1], "account": [5, 4]})
    policy = from_function(look).of_log(frame)
    assert simulate(Run(few_jobs(), 4, policy)).start.tolist() == [0, 10, 20]
    waiting, machine, reservation = seen[1]
    assert (machine.now, machine.free, machine.processors, waiting.now) == (1, 1, 4, 1)
    assert [waiting.number.tolist(), waiting.submit.tolist()] == [[12], [1]]
    assert [waiting.estimate.tolist(), waiting.procs.tolist()] == [[20], [3]]
    columns = (waiting.user, waiting.queue, waiting.account, waiting.group, waiting.wait)
    assert [column.tolist() for column in columns] == [[7], [2], [5], [-1], [0]]
    running = machine.running
    assert [running.number.tolist(), running.start.tolist()] == [[11], [0]]
    assert (running.expected_end.tolist(), reservation) == ([20], (20, 0))
    last = seen[2][0]
    assert (last.user.tolist(), last.wait.tolist()) == ([7, -1], [1, 0])
    with pytest.raises(AttributeError, match="no column 'runtime'; there are number, submit"):
        _ = waiting.runtime


def test_conservative_sees_all_that_wait_where_several_arrive():
    """Of those that come at one instant the function puts the last first; one waits already."""
    seen = []

    def last_first(waiting):
        seen.append(waiting.number.tolist())
        return -waiting.number

    jobs = Jobs([1, 2, 3, 4], [0, 1, 5, 5], [10] * 4, [10] * 4, [2, 2, 2, 2])
    for compression in ("none", "completion"):
        seen.clear()
        run = Run(jobs, 2, from_function(last_first), reservations="every", compression=compression)
        assert simulate(run).start.tolist() == [0, 10, 30, 20]
        assert seen[0] == [2, 3, 4]


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (lambda q, m: [99], "returned job 99, which is in no log"),
        (lambda q, m: [13], "returned job 13, which does not wait"),
        (lambda q, m: [11], "returned job 11, which does not wait"),
        (lambda q, m: [[11], [11, 12]], "ValueError: setting an array element"),
        (lambda q, m: [11, 11], "returned job 11, which was returned twice"),
        (lambda q, m: None, "returned NoneType None, must return a sequence of job numbers"),
        (lambda q, m: 11, "returned int 11, must return a sequence"),
        (lambda q, m: "11", "returned str '11', must return a sequence"),
        (lambda q, m: [11.0], r"returned list \[11.0\], must be whole numbers"),
        (lambda q, m: q.procs == 3, r"must be whole numbers of jobs; of a mask return waiting.num"),
        (lambda q, m: [[11]], "must be whole numbers"),
        (lambda q, m: [] if m.now < 1 else q.number, "job 12 needs 3 processors, 1 of 4 are free"),
        (lambda q, m: 1 / 0, r"ZeroDivisionError: division by zero \(test_functions.py, line \d+"),
        (lambda q, m: exit(), "SystemExit: None"),
        (lambda q, m: q.runtime, r"no column 'runtime'.*\(test_functions.py, line \d+\)"),
        (lambda q, m: [m.reservation(5)], "ValueError: 5 processors: the machine has 4"),
        (lambda q, m: m.reservation(4, [77]), "ValueError: there is no job 77"),
    ],
)
def test_decisions_that_cannot_be_are_errors(returned, said):
    policy = from_function(returned, "mine.py:decide")
    with pytest.raises(SchedulerError, match=said) as raised:
        simulate(Run(few_jobs(), 4, policy))
    text = str(raised.value)
    assert text.startswith("scheduler 'mine.py:decide' at ")
    assert re.search(r"waiting, the first is job 1[12]\): ", text)


@pytest.mark.parametrize(
    ("returned", "said"),
    [
        (lambda q: [1.0, 2.0, 3.0], r"array of shape \(3,\) for 1 waiting jobs, must be \(1,\)"),
        (lambda q: None, "returned NoneType None, must return a number for each"),
        (lambda q: [[1], [1, 2]], "ValueError: setting an array element"),
        (lambda q: q.number * np.nan, "the score of job 12 is nan"),
        (lambda q: ["a"], "must return a number for each waiting job"),
        (lambda q: 5, r"array of shape \(\) for 1 waiting"),
        (lambda q: 1 // 0, "ZeroDivisionError"),
        (lambda q: exit(), "SystemExit"),
    ],
)
@pytest.mark.parametrize("reservations", ["none", "head", "every"])
def test_scores_that_cannot_be_are_errors(returned, said, reservations):
    def score(waiting):
        return waiting.number if waiting.now < 1 or len(waiting) > 2 else returned(waiting)

    jobs = Jobs([11, 12, 13], [0, 1, 30], [5, 10, 10], [20, 20, 20], [3, 3, 3])
    with pytest.raises(SchedulerError, match=said) as raised:
        simulate(Run(jobs, 4, from_function(score, "mine.py:score"), reservations=reservations))
    assert "scheduler 'mine.py:score' at " in str(raised.value)
    assert "the first is job 12)" in str(raised.value)


def test_a_job_that_needs_one_processor_too_many_is_named():
    run = Run(few_jobs(2, [3, 2]), 4, from_function(lambda q, m: q.number))
    with pytest.raises(SchedulerError, match="job 12 needs 2 processors, 1 of 4 are free for it"):
        simulate(run)


def test_reservation_gives_the_processors_left_next_to_the_job():
    """Job 11 holds 2 of 4 processors and is expected to end at 20; job 12 is about to start."""
    seen = []

    def look(waiting, machine):
        if waiting.now == 1:
            starting = [machine.reservation(procs, [12]) for procs in (1, 2, 3, 4)]
            seen.extend([machine.reservation(1), machine.reservation(2), *starting])
        return waiting.number[waiting.procs <= machine.free]

    simulate(Run(few_jobs(2, [2, 1]), 4, from_function(look)))
    assert seen == [(1, 1), (1, 0), (1, 0), (20, 1), (20, 0), (21, 0)]


def test_ctrl_c_is_passed_on():
    def stop(*_):
        raise KeyboardInterrupt

    for policy in (from_function(lambda q: stop()), from_function(lambda q, m: stop())):
        with pytest.raises(KeyboardInterrupt):
            simulate(Run(few_jobs(), 4, policy))


def test_idle_machine_with_waiting_jobs_is_an_error(monkeypatch):
    """With nothing left to happen at once; with jobs to come after so many decisions."""
    idle = from_function(lambda waiting, machine: [], "lazy")
    with pytest.raises(SchedulerError, match=r"at 2 s \(3 waiting.*idle since 0 s, asked 3 times"):
        simulate(Run(few_jobs(), 4, idle))
    monkeypatch.setattr(functions, "IDLE_DECISIONS", 5)
    with pytest.raises(SchedulerError, match=r"at 4 s \(5 waiting.*idle since 0 s, asked 5 times"):
        simulate(Run(few_jobs(9, [1] * 9), 4, idle))
    full = Jobs(np.arange(20), np.arange(20), [99] + [1] * 19, [99] * 20, [1] * 20)
    one = from_function(lambda q, m: q.number if len(m.running) == 0 else [])
    assert simulate(Run(full, 20, one)).start.tolist() == [0] + [99] * 19
    patient = from_function(lambda q, m: q.number[:4] if len(q) > 3 or m.now > 7 else [])
    assert simulate(Run(few_jobs(9, [1] * 9), 4, patient)).start.tolist()[:4] == [3, 3, 3, 3]


def test_classes_that_cannot_be_made_are_errors():
    class Bad:
        def __init__(self):
            raise SystemExit(0)

        def __call__(self, waiting):
            return waiting.number

    with pytest.raises(SchedulerError, match=r"scheduler '.*Bad': SystemExit: 0"):
        simulate(Run(few_jobs(), 4, from_function(Bad)))


@pytest.mark.parametrize("function", [lambda: 0, lambda a, b, c: 0, max, dict, Exception])
def test_functions_of_other_arguments_are_refused(function):
    with pytest.raises(ValueError, match=r"one argument .* or two|no method __call__"):
        from_function(function, "mine")


def test_unsupported_options_of_a_decision_are_rejected():
    policy, jobs = from_function(easy), few_jobs()
    for options, said in (
        ({"reservations": "every"}, "reservations is every"),
        ({"reservations": "head"}, "reservations is head"),
        ({"threshold": 5}, "threshold is 5"),
        ({"head": 2}, "head is 2"),
        ({"dialect": DIALECTS["slurm"]}, "dialect slurm knows no functions"),
        ({"dialect": DIALECTS["artefact"]}, "dialect artefact knows no functions"),
    ):
        with pytest.raises(ValueError, match=f"{said}"):
            Run(jobs, 4, policy, **options)
    with pytest.raises(ValueError, match="'easy' decides which jobs start: it is no order"):
        Run(jobs, 4, get("fcfs"), backfill=policy)
    with pytest.raises(ValueError, match="job 11 has an estimate of 0 s"):
        Run(replace(jobs, estimate=jobs.estimate * 0), 4, policy)
    with pytest.raises(ValueError, match="job number 11 comes twice"):
        simulate(Run(replace(jobs, number=[11, 11, 12]), 4, policy))
    frame = pd.DataFrame({"number": [11, 11], "user": [1, 2]})
    with pytest.raises(ValueError, match="job number 11 comes twice"):
        simulate(Run(jobs, 4, policy.of_log(frame)))
    with pytest.raises(ValueError, match="is a Python function: it has no expression"):
        _ = policy.program
    with pytest.raises(ValueError, match="is a Python function, which a session cannot call"):
        QueueSession(4, policy)


def test_session_without_a_policy_starts_the_given_jobs():
    session = QueueSession(4, None)
    jobs = session.submit_jobs(few_jobs())
    session.advance(2)
    assert session.handles("waiting").tolist() == jobs.tolist()
    session.start_jobs(jobs[2])
    twin = session.fork()
    assert (session.start(2), session.next_event()) == (2, 12)
    with pytest.raises(ValueError, match="job 0 needs 3 processors, 1 are free"):
        session.start_jobs([0])
    with pytest.raises(ValueError, match="job 2 cannot start: it is running"):
        twin.start_jobs([2])
    with pytest.raises(IndexError):
        session.start_jobs([7])
    twin.advance()
    assert (twin.now, twin.free, twin.handles("waiting").tolist()) == (12, 4, [0, 1])
    with pytest.raises(ValueError, match="has a policy"):
        QueueSession(4, get("fcfs")).start_jobs([0])
    with pytest.raises(ValueError, match="without a policy starts no job: threshold has"):
        QueueSession(4, None, threshold=3)
