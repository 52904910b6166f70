"""A policy learned from the first half of a log."""

import pytest

from schedlab.comparison.comparing import compare
from schedlab.comparison.learned_policy import DAYS, LEARNED, OTHERS, compare_learned, learn
from schedlab.comparison.tuned_policy import halves
from schedlab.core.splitting import middle
from schedlab.policies import get
from schedlab.workbench.log import load_log
from site_case import site_log


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    """Two months of jobs that wait for each other."""
    path = tmp_path_factory.mktemp("learned") / "busy.swf"
    return load_log(site_log(path, jobs=1500, runtime=40_000, days=62))


def test_halves_part_the_log_at_the_middle_of_its_time(log):
    early, late = halves(log)
    assert len(early) + len(late) == len(log)
    middle = (int(log.jobs.submit[-1]) + 1) / 2
    assert log.jobs.submit[len(early) - 1] <= middle <= log.jobs.submit[len(early)] + 1
    assert early.jobs.submit[0] == late.jobs.submit[0] == 0
    assert late.frame["number"].tolist() == late.jobs.number.tolist()


@pytest.mark.slow
def test_a_policy_is_learned_from_contended_tuples(log):
    found = learn(log, tuples=3, trials=1024)
    assert len(found.draws.tuples) == 3
    assert found.tasks == 3 * 32
    assert 0 < found.effective <= found.tasks
    assert found.policy == found.fits["policy"].iloc[0]
    assert learn(log, tuples=3, trials=1024).policy == found.policy
    assert learn(log, tuples=3, trials=1024, seed=1).policy != found.policy


@pytest.mark.slow
def test_policy_is_tested_on_the_second_half_in_one_run_of_the_log(log):
    found = learn(log, tuples=3, trials=1024)
    test = compare_learned(log, found)
    begin = middle(log.jobs.submit)
    expected = compare(log, [*OTHERS, get(found.policy, label=LEARNED)], days=DAYS, begin=begin)
    assert test.windows.equals(expected.windows)
    # half of 62 days has two windows of 15: too few to say anything
    assert len(test.windows) == 2
    assert test.table.loc[LEARNED, "verdict"] == "too few windows"


@pytest.mark.slow
@pytest.mark.parametrize("allowed", [False, True])
def test_functions_that_favor_young_jobs_are_kept_only_if_allowed(log, monkeypatch, allowed):
    fits = learn(log, tuples=3, trials=1024).fits["policy"]
    monkeypatch.setattr(
        "schedlab.comparison.learned_policy.prefers_youth",
        lambda policy, _: policy.expression in set(fits[:2]),
    )
    found = learn(log, tuples=3, trials=1024, youth=allowed)
    assert found.policy == fits[0 if allowed else 2]
    assert found.refused == (0 if allowed else 2)


@pytest.mark.slow
def test_no_policy_is_learned_if_every_function_favors_young_jobs(log, monkeypatch):
    monkeypatch.setattr("schedlab.comparison.learned_policy.prefers_youth", lambda *_: True)
    with pytest.raises(ValueError, match="every function that was fitted puts younger jobs first"):
        learn(log, tuples=3, trials=1024)


def test_too_few_jobs_are_an_error_that_names_the_log(tmp_path):
    log = load_log(site_log(tmp_path / "few.swf", jobs=60))
    with pytest.raises(ValueError, match=r"few.swf: \d+ of 60 jobs are in the first half"):
        learn(log)


def test_policy_cannot_be_learned_if_no_job_waits(tmp_path):
    log = load_log(site_log(tmp_path / "idle.swf", jobs=400, processors=4000))
    with pytest.raises(ValueError, match="in none of 4 tuples drawn does a job wait on 4,000"):
        learn(log)


@pytest.mark.slow
def test_learned_policy_is_tested_in_a_dialect(log):
    found = learn(log, tuples=3, trials=1024)
    cell = "slurm+bf_interval=300"
    policies = [*OTHERS, get(found.policy, label=LEARNED)]
    begin = middle(log.jobs.submit)
    expected = compare(log, policies, days=DAYS, begin=begin, dialect=cell)
    assert compare_learned(log, found, dialect=cell).windows.equals(expected.windows)
    assert not compare_learned(log, found).windows["FCFS"].equals(expected.windows["FCFS"])
