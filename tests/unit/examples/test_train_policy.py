"""The example that trains a policy: it ends, and what it writes chooses as in its episodes."""

import itertools
import os
import subprocess
import sys

import numpy as np
import pytest

from schedlab.core.jobs import Jobs
from schedlab.gym import QueueEnv
from schedlab.gym.episodes import FEATURES
from schedlab.policies.neural import from_npz, write_npz
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.workbench.bench_workloads import model
from site_case import log_of
from twins.choices import logits


@pytest.mark.slow
def test_example_trains_writes_and_compares(root, tmp_path):
    pytest.importorskip("torch")
    command = [sys.executable, str(root / "examples/train_policy.py"), "--minutes", "0.02"]
    environment = os.environ | {"SCHEDLAB_ARCHIVE": "", "OMP_NUM_THREADS": "1"}
    printed = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert "steps/s with learning, on" in printed
    assert "39 held-out windows of 256 jobs, under EASY" in printed
    assert "With seed 1, the learned policy is better than" in printed
    rows = {line.split()[0]: line for line in printed.splitlines() if line.startswith(" ")}
    assert rows.keys() == {"learned", "FCFS", "SJF", "F1", "SAF", "random"}
    assert all(" to " in row for name, row in rows.items() if name != "learned")
    policy = from_npz(tmp_path / "policy.npz")
    assert [kernel.shape for kernel, _ in policy.layers] == [(7, 32), (32, 16), (16, 8), (8, 1)]
    assert policy.features == FEATURES


@pytest.mark.parametrize("dialect", ["full", "lifo", "rlscheduler"])
@pytest.mark.parametrize("seen", [5, 128])
def test_best_logit_gives_the_schedule_of_the_written_policy(tmp_path, dialect, seen):
    """Also if more jobs wait than are seen, and with features that are shares of the whole log."""
    rng = np.random.default_rng(seen)
    features = (*FEATURES, "estimate", "user")
    # learners have their weights transposed
    layers = [
        (rng.normal(size=(b, a)).astype("f4").T, rng.normal(size=b).astype("f4"))
        for a, b in itertools.pairwise((len(features), 32, 16, 8, 1))
    ]
    path = tmp_path / "policy.npz"
    write_npz(path, layers, features, seen)
    jobs = model(900)
    log = log_of(Jobs(jobs.number, jobs.submit // 40, jobs.runtime, jobs.estimate, jobs.procs), 256)
    log.frame["user"] = rng.integers(0, 40, len(jobs))
    env = QueueEnv(log, seen=seen, order="spt", features=features, dialect=dialect)
    observation, _ = env.reset(options={"window": (100, 800)})
    over, full = False, 0
    while not over:
        score = logits(layers, observation["jobs"])
        score[observation["mask"][:-1] == 0] = -np.inf
        full += bool(observation["jobs"][-1].any())
        observation, _, over, *_ = env.step(score.argmax())
    assert full > 20 or seen == 128
    window, schedule = env.schedule()
    policy = from_npz(path).of_log(log.frame)
    run = Run(window, 256, policy, dialect=DIALECTS[dialect], reservations="head")
    assert schedule.start.tolist() == simulate(run).start.tolist()
