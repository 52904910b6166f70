"""Episodes against simulations: the best job of a policy, and the metric as a sum of rewards."""

import itertools
from dataclasses import replace

import numpy as np
import pytest

from schedlab.core.metrics import METRICS, Counted, utilisation_of
from schedlab.gym import QueueEnv, QueueVectorEnv
from schedlab.policies import get
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.bench_workloads import model
from site_case import log_of

COUNT, PROCESSORS = 1500, 256
#: no more jobs than what is seen
WINDOW = (300, 427)


@pytest.fixture(scope="module")
def log():
    jobs = model(COUNT)
    made = log_of(replace(jobs, submit=jobs.submit // 20), PROCESSORS)
    user = np.random.default_rng(1).integers(0, 20, COUNT)
    made.frame["user"] = user
    return made


def best_first(env, window=WINDOW):
    """Take the first job that can be taken; return the jobs, their schedule, and the rewards."""
    observation, _ = env.reset(options={"window": window})
    rewards, over = [], False
    while not over:
        assert not observation["jobs"][-1].any(), "the queue is longer than what is seen"
        observation, reward, over, *_ = env.step(observation["mask"].argmax())
        rewards.append(reward)
    return *env.schedule(), rewards


def simulated(jobs, policy, dialect, reservations):
    run = Run(jobs, PROCESSORS, get(policy), dialect=DIALECTS[dialect], reservations=reservations)
    return simulate(run)


@pytest.mark.parametrize("policy", ["fcfs", "spt", "saf", "f1", "lqf"])
@pytest.mark.parametrize(
    ("dialect", "reservations"),
    [*itertools.product(["full", "lifo"], ["head", "none"]), ("rlscheduler", "head")],
)
def test_first_seen_job_gives_the_schedule_of_the_order(log, policy, dialect, reservations):
    env = QueueEnv(log, order=policy, dialect=dialect, reservations=reservations)
    jobs, schedule, _ = best_first(env)
    expected = simulated(jobs, policy, dialect, reservations)
    assert schedule.start.tolist() == expected.start.tolist()
    assert schedule.end.tolist() == expected.end.tolist()
    assert (schedule.start > jobs.submit).sum() > 60


@pytest.mark.parametrize("policy", ["wfp3", "unicef", "r - 0.3 * w"])
@pytest.mark.parametrize("dialect", ["full", "lifo", "rlscheduler"])
def test_best_seen_job_gives_the_schedule_of_a_policy_that_changes(log, policy, dialect):
    env = QueueEnv(log, dialect=dialect)
    observation, _ = env.reset(options={"window": WINDOW})
    over, sign = False, -1 if dialect == "lifo" else 1
    while not over:
        places = env._batch.kernel.waiting(0)
        assert len(places) < 128
        waiting = log.jobs.take(places)
        score = get(policy).scores(waiting, wait=env._batch.kernel.now(0) - waiting.submit)
        allowed = np.flatnonzero(observation["mask"][: len(places)])
        best = min(allowed, key=lambda place: (score[place], sign * places[place]))
        observation, _, over, *_ = env.step(best)
    jobs, schedule = env.schedule()
    expected = simulated(jobs, policy, dialect, "head")
    assert schedule.start.tolist() == expected.start.tolist()


def test_strict_order_needs_to_see_one_job(log):
    env = QueueEnv(log, order="spt", reservations="none", seen=1)
    env.reset(options={"window": (0, COUNT)})
    over = False
    while not over:
        over = env.step(0)[2]
    jobs, schedule = env.schedule()
    assert schedule.start.tolist() == simulated(jobs, "spt", "full", "none").start.tolist()


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("dialect", ["full", "rlscheduler"])
def test_rewards_of_an_episode_add_up_to_its_metric(log, metric, dialect):
    env = QueueEnv(log, order="spt", metric=metric, dialect=dialect)
    jobs, _, rewards = best_first(env)
    schedule = simulated(jobs, "spt", dialect, "head")
    users = log.frame["user"].to_numpy()[slice(*WINDOW)]
    time = jobs.submit[0], jobs.submit[-1] + 1
    in_use = utilisation_of(jobs, schedule, PROCESSORS, *time)
    value = METRICS[metric].function(Counted(jobs, users, schedule, in_use))
    sign = 1 if METRICS[metric].more else -1
    assert value > 0
    assert sum(rewards) == pytest.approx(sign * value, rel=1e-9)
    # rewards of sums come with each start, others at the end
    assert (np.count_nonzero(rewards) > 1) == (metric in ("bsld", "wait", "response"))


def test_metric_in_info_is_that_of_the_rewards(log):
    envs = QueueVectorEnv(log, 9, jobs=30, threads=2)
    observation, _ = envs.reset(seed=2)
    total, ended = np.zeros(9), 0
    for _ in range(120):
        observation, reward, over, _, info = envs.step(observation["mask"].argmax(axis=1))
        total += reward
        for place in np.flatnonzero(over):
            assert info["final_info"]["metric"][place] == pytest.approx(-total[place])
            total[place], ended = 0, ended + 1
    assert ended > 9
    envs.close()


def test_a_metric_without_a_value_rewards_nothing(log):
    unknown = log_of(log.jobs, PROCESSORS)
    unknown.frame["user"] = -1
    assert sum(best_first(QueueEnv(unknown, metric="worst_user"), (0, 20))[2]) == 0
    short = log_of(replace(model(5), runtime=np.zeros(5, dtype=int)), PROCESSORS)
    assert sum(best_first(QueueEnv(short, jobs=5, metric="response"), (0, 5))[2]) == 0
