"""A score without an order is an error that names the policy and the job."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.policies import ScoreError, get
from schedlab.policies.expression import compile_expression
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.sessions import QueueSession
from schedlab.queue.simulation import Run, simulate

JOBS = Jobs([11, 12, 13, 14], [0, 0, 5, 6], [10, 20, 30, 40], [10, 20, 30, 40], [2, 1, 3, 1])
MEANINGLESS = ["0/0", "log(-r)", "sqrt(-n)", "(1/0)-(1/0)", "r/0", "10**308*10*r", "exp(1000*r)"]


def run(primary, dialect="full", backfill=None, head=0):
    order = backfill and get(backfill)
    return simulate(Run(JOBS, 3, get(primary), order, DIALECTS[dialect], head))


@pytest.mark.parametrize("dialect", ["full", "artefact"])
@pytest.mark.parametrize("policy", MEANINGLESS)
def test_score_without_an_order_is_an_error_in_either_kernel_and_order(policy, dialect):
    with pytest.raises(ScoreError) as caught:
        run(policy, dialect)
    assert f"policy '{policy}': the score of job 11 is " in str(caught.value)
    with pytest.raises(ScoreError, match=r"the score of job 1[1-4] is "):
        run("fcfs", dialect, policy)


@pytest.mark.parametrize(
    ("policy", "words"),
    [
        ("(w - 5) / (w - 5)", r"job 13 is nan \(r = 30, n = 3, s = 5, w = 5\)"),
        ("exp(w) * 10**308", r"job 13 is inf \(r = 30, n = 3, s = 5, w = 5\)"),
    ],
)
def test_score_that_becomes_meaningless_while_a_job_waits_names_the_wait(policy, words):
    with pytest.raises(ScoreError, match=words):
        run(policy)


@pytest.mark.parametrize("dialect", ["full", "artefact"])
@pytest.mark.parametrize("policy", ["log10(s)", "-(w + 1e-20) / (log2(n) * r)", "log(w)", "1 / s"])
def test_infinite_scores_are_accepted(policy, dialect):
    assert len(run(policy, dialect)) == 4


def test_scores_of_jobs_that_start_in_order_anyway_do_not_matter():
    run("log(s - 1)", head=2)
    with pytest.raises(ScoreError, match="job 11"):
        run("log(s - 1)")


def test_score_without_an_order_is_an_error_in_a_session():
    session = QueueSession(4, get("log(100 - r)"))
    session.submit(runtime=50, procs=1)
    with pytest.raises(ScoreError, match="is nan"):
        session.submit(runtime=150, procs=1)


@pytest.mark.parametrize("block", [1, 3, 7, 8])
def test_scores_in_blocks_are_those_of_all_jobs(monkeypatch, block):
    """Seven jobs; log(-1) of the fifth orders nothing, as of the seventh."""
    program = compile_expression("log(s) * r + w")
    r, n, w = np.arange(1, 8), np.ones(7), np.arange(7) / 4
    s = np.array([1, 2, 3, 4, -1, 5, -1])
    whole, faulty = program.checked(r, n, s, w)
    assert faulty == 4
    monkeypatch.setattr("schedlab.policies.expression.BLOCK", block)
    score, place = program.checked(r, n, s, w)
    np.testing.assert_array_equal(score, whole)
    assert place == 4
    assert program.checked(2, 1, 1, 0.5)[0].tolist() == [0.5]
