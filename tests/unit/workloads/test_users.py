"""Users for a model's jobs: their number, their shares, and their sessions."""

import numpy as np
import pytest

from schedlab.traces.cleaning_rules import NUMBERS, RULE_SETS, TEXTS
from schedlab.workloads.lublin import generate
from schedlab.workloads.users import STAYS, with_users

N = 50_000


@pytest.fixture(scope="module")
def many_jobs():
    """Many jobs, each as good as any other, dealt out to four users."""
    jobs = generate(100, 16, seed=1)
    jobs = jobs.iloc[np.arange(N) % 100].reset_index(drop=True)
    return with_users(jobs, 4, np.random.default_rng(1))["user"].to_numpy()


def test_the_same_stream_deals_the_same_users_and_changes_nothing_else():
    jobs = generate(200, 16, seed=1)
    one, same, other = (with_users(jobs, 5, np.random.default_rng(seed)) for seed in (1, 1, 2))
    assert one.equals(same)
    assert not one["user"].equals(other["user"])
    columns = [name for name in jobs if name != "user"]
    assert one[columns].equals(jobs[columns])
    assert one["requested_time"].equals(jobs["estimate"].rename("requested_time"))
    unknown = {*NUMBERS} & {*RULE_SETS["klusacek2016"].keeps} - {"requested_time"}
    assert len(unknown) > 1
    assert (one[[*unknown]] == -1).all(axis=None)
    assert (one[[*TEXTS]] == "").all(axis=None)
    assert {"wait", "requested_memory"} <= {*NUMBERS}
    assert {"queue_name", "node_spec"} <= {*TEXTS}
    for seed in range(20):  # also the first job, where no user has a session yet
        few = with_users(jobs.head(3), 2, np.random.default_rng(seed))
        assert set(few["user"]) <= {1, 2}


def test_users_have_jobs_by_zipfs_law(many_jobs):
    """1, 1/2, 1/3 and 1/4 of 25/12: 48, 24, 16 and 12 % of all jobs."""
    shares = np.bincount(many_jobs)[1:] / N
    assert shares == pytest.approx(np.array([12, 6, 4, 3]) / 25, abs=0.02)


def test_a_user_stays_for_the_next_job_four_times_in_five(many_jobs):
    """Or comes again by chance, which is the sum of the squares of the shares."""
    again = STAYS + (1 - STAYS) * (12**2 + 6**2 + 4**2 + 3**2) / 25**2
    assert np.mean(many_jobs[1:] == many_jobs[:-1]) == pytest.approx(again, abs=0.01)


def test_one_user_has_all_jobs_and_no_jobs_have_no_user():
    jobs = generate(10, 16, seed=1)
    assert with_users(jobs, 1, np.random.default_rng(1))["user"].tolist() == [1] * 10
    nothing = with_users(jobs.iloc[:0], 3, np.random.default_rng(1))
    assert nothing.empty
    assert "requested_time" in nothing


@pytest.mark.parametrize("users", [0, -1])
def test_there_must_be_users(users):
    with pytest.raises(ValueError, match=f"users is {users}, must be at least 1"):
        with_users(generate(10, 16, seed=1), users, np.random.default_rng(1))
