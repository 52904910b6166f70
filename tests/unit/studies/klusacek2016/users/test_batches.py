"""Sessions and batches of a log."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.studies.klusacek2016.users.batches import SESSION_GAP, Batches, batches_of


def of(*jobs: tuple[int, int, int]) -> Batches:
    return batches_of(*np.array(jobs, dtype=np.int64).T)


def test_jobs_that_overlap_are_one_batch():
    assert of((1, 0, 100), (1, 50, 60), (1, 99, 300)).batch.tolist() == [0, 0, 0]


def test_a_job_submitted_when_the_batch_ends_begins_another():
    assert of((1, 0, 100), (1, 99, 100), (1, 100, 120)).batch.tolist() == [0, 0, 1]
    assert of((1, 0, 100), (1, 99, 101), (1, 100, 120)).batch.tolist() == [0, 0, 0]


def test_a_batch_lasts_until_its_last_job_to_end_has_ended():
    found = of((1, 0, 500), (1, 10, 20), (1, 499, 600), (1, 600, 601))
    assert found.batch.tolist() == [0, 0, 0, 1]
    assert found.submit.tolist() == [0, 600]
    assert found.end.tolist() == [600, 601]


def test_a_session_ends_with_a_gap_of_more_than_an_hour():
    assert of((1, 0, 1), (1, 3600, 3601), (1, 7201, 7202)).session.tolist() == [0, 0, 1]
    assert of((1, 0, 1), (1, 3600, 3601), (1, 7201, 7202)).closed.tolist() == [3600, 7201]


def test_a_batch_does_not_reach_into_the_next_session():
    """The first job runs over night: the one of the morning comes after its arrival only."""
    found = of((1, 0, 90_000), (1, 80_000, 80_100))
    assert found.batch.tolist() == [0, 1]
    assert found.after_arrival(1).tolist() == [0]
    assert found.after_completion(1).tolist() == []
    assert found.release.tolist() == [-1, -1]


def test_batch_follows_the_batches_that_had_completed_at_its_arrival():
    """Of three nights, the first ends at the instant the third comes, the second a second later."""
    day = 86_400
    found = of(
        (1, 0, 2 * day), (1, day, 2 * day + 1), (1, 2 * day, 2 * day + 5), (1, 3 * day, 3 * day)
    )
    assert found.after_completion(2).tolist() == [0]
    assert found.after_arrival(2).tolist() == [1]
    assert found.after_completion(3).tolist() == [0, 1, 2]
    assert found.release.tolist() == [2, 3, 3, -1]


def test_batches_of_users_are_independent():
    found = of((9, 0, 100), (4, 10, 20), (9, 50, 60), (4, 55, 70))
    assert found.batch.tolist() == [2, 0, 2, 1]
    assert found.user.tolist() == [4, 9]
    assert found.session.tolist() == [0, 0, 1]
    assert found.release.tolist() == [1, -1, -1]
    assert found.opened.tolist() == [10, 0]
    assert found.jobs(2).tolist() == [0, 2]


def test_job_without_run_time_is_a_separate_batch():
    assert of((1, 5, 5), (1, 5, 5), (1, 5, 6)).batch.tolist() == [0, 1, 2]


def test_unknown_users_are_refused_with_log_and_field():
    with pytest.raises(ValueError, match=r"SITE: field 12 \(user\) of the job at place 1 is -1"):
        batches_of([0, -1], [0, 1], [2, 3], "SITE")
    with pytest.raises(ValueError, match=r"SITE: no job with field 12 \(user\)"):
        batches_of([], [], [], "SITE")


@pytest.mark.parametrize(
    ("submit", "end", "message"),
    [
        ([0, 5], [0, 4], "the log: the job at place 1 ends before it is submitted"),
        ([6, 5], [6, 5], "the log: the job at place 1 is submitted before the job in front of it"),
    ],
)
def test_impossible_times_are_rejected_with_the_job(submit, end, message):
    with pytest.raises(ValueError, match=message):
        batches_of([1, 1], submit, end)


days = st.integers(0, 3 * SESSION_GAP)


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 3), days, days), min_size=1, max_size=25))
def test_batches_are_those_of_the_definition(drawn):
    """Told job by job; and each job is in one batch, of one session, in the order it came."""
    user = np.array([one for one, _, _ in drawn])
    submit = np.cumsum([gap for _, gap, _ in drawn])
    end = submit + [length for _, _, length in drawn]
    found = batches_of(user, submit, end)
    assert sorted(found.order.tolist()) == list(range(len(drawn)))
    told = []  # (user, session, jobs) of each batch
    for one in sorted(set(user.tolist())):
        last = session = None
        for job in np.flatnonzero(user == one).tolist():
            if last is None or submit[job] - last > SESSION_GAP:
                session = (one, job)
                told.append((session, [job]))
            elif submit[job] < max(end[told[-1][1]]):
                told[-1][1].append(job)
            else:
                told.append((session, [job]))
            last = submit[job]
    assert [found.jobs(k).tolist() for k in range(len(found))] == [jobs for _, jobs in told]
    sessions = list(dict.fromkeys(session for session, _ in told))
    assert found.session.tolist() == [sessions.index(session) for session, _ in told]
    for k, (session, jobs) in enumerate(told):
        earlier = [(e, other) for e, (s, other) in enumerate(told[:k]) if s[0] == session[0]]
        done = [e for e, other in earlier if max(end[other]) <= submit[jobs[0]]]
        assert found.after_completion(k).tolist() == done
        assert found.after_arrival(k).tolist() == [e for e, _ in earlier if e not in done]
        # those it is released by, and those that batches before it were, are all it waits for
        assert done == [e for e, _ in earlier if 0 <= found.release[e] <= k]
