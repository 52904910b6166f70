"""Kernels that compute the bounded slowdown themselves, against its one definition."""

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.machine import Machine
from schedlab.core.metrics import slowdown_of
from schedlab.kernels.queue.trials import LANES, run_trials
from schedlab.planning.requests import Requests
from schedlab.planning.sessions import PlanSession
from schedlab.planning.settings import Planning
from schedlab.policies import get
from schedlab.policies.mixed import mixed_policy
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.mixed import MixedQueue
from schedlab.queue.simulation import Run, simulate
from site_case import log_of

#: 48 jobs, of which each takes the machine: below, at and above the bound, with and without a wait
RUNTIME = np.resize([200, 3, 10, 1, 9, 40, 11, 2], 48)
SUBMIT = np.concatenate([np.repeat(range(0, 150, 10), 2), np.arange(18) * 500 + 3000])


def waits_in(order):
    """Return the wait of each job, if all run one by one in this order."""
    wait, now = np.zeros(48), 0
    for job in order:
        now = max(now, SUBMIT[job])
        wait[job] = now - SUBMIT[job]
        now += RUNTIME[job]
    return wait


def in_trials(lanes):
    each, orders = np.empty(20), np.empty((20, 32), dtype=np.uint8)
    total, count = np.zeros(32), np.zeros(32, dtype=np.int64)
    columns = (RUNTIME, np.ones(48, dtype=np.int64), SUBMIT)
    run_trials(*columns, 1, 20, 1, False, total, count, each, orders, lanes)
    waits = np.array([waits_in([*range(16), *(16 + order)]) for order in orders.astype(int)])
    return each, slowdown_of(waits, RUNTIME)[:, 16:].mean(axis=1)


def in_mixed_queue():
    jobs = Jobs(range(48), SUBMIT, RUNTIME, RUNTIME, [1] * 48)
    weights, scales = np.array([[0.5, 0.0, 0.5]]), np.ones(3)
    order = mixed_policy(weights[0], scales)
    run = Run(jobs, 1, order, get("fcfs"), DIALECTS["ocs_in_order"])
    wait = simulate(run).start - SUBMIT
    return MixedQueue(run, scales).totals(weights)[0], slowdown_of(wait, RUNTIME).sum()


def in_plan():
    """The criteria are of the planned jobs, without the one that runs."""
    jobs = Jobs(range(9), [0] * 9, RUNTIME[:9], RUNTIME[:9], [1] * 9)
    session = PlanSession(Machine.of_processors(1), Planning(), ("test",))
    session.submit(Requests(jobs, user=range(9)))
    session.advance(0)
    start = np.array([session.kernel.start(job) for job in range(9)])
    return session.criteria()["slowdown"], slowdown_of(start, RUNTIME[:9])[1:].mean()


def in_episode():
    """The rewards of an episode with some choices of none."""
    from schedlab.gym import QueueEnv  # of an extra

    env = QueueEnv(log_of(Jobs(range(48), SUBMIT, RUNTIME, RUNTIME, [1] * 48), 1), jobs=48)
    observation, _ = env.reset(seed=1)
    total, over, step = 0.0, False, 0
    while not over:
        step += 1
        declines = step % 3 == 0 and observation["mask"][-1]
        action = env.action_space.n - 1 if declines else observation["mask"].argmax()
        observation, reward, over, *_ = env.step(action)
        total -= reward
    jobs, schedule = env.schedule()
    return total, slowdown_of(schedule.start - jobs.submit, RUNTIME).mean()


COPIES = {
    "trials": lambda: in_trials(1),
    "trials side by side": lambda: in_trials(LANES),
    "mixed": in_mixed_queue,
    "plan": in_plan,
    "episode": in_episode,
}


@pytest.mark.parametrize("copy", COPIES)
def test_every_copy_equals_the_definition(copy):
    found, expected = COPIES[copy]()
    assert found == pytest.approx(expected, rel=1e-12)
