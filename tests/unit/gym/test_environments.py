"""Gymnasium's interface: spaces, seeds, resets, copies, threads, wrappers."""

import copy
import pickle
import sys
import time
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector.utils import batch_space
from gymnasium.wrappers import RecordEpisodeStatistics
from gymnasium.wrappers.vector import DictInfoToList
from gymnasium.wrappers.vector import RecordEpisodeStatistics as RecordAll

from schedlab.core.jobs import Jobs
from schedlab.gym import QueueEnv, QueueVectorEnv, Scenario
from schedlab.gym.episodes import LEARNED
from schedlab.policies.features import FEATURES
from schedlab.workbench.bench_workloads import model
from schedlab.workbench.log import load_log
from site_case import log_of

NAME = "schedlab/Queue-v0"
SETTINGS = (
    {},
    {"seen": 1, "jobs": 5},
    {"seen": 3, "jobs": 1, "metric": "utilisation"},
    {"dialect": "rlscheduler", "features": tuple(FEATURES), "order": "spt"},
    {"dialect": "lifo", "reservations": "none", "metric": "response"},
    {"windows": np.array([[3, 9], [100, 180]]), "metric": "p95_wait", "order": "f1"},
)


@pytest.fixture(scope="module")
def log():
    return log_of(model(600), 256)


@pytest.fixture
def path(tmp_path):
    lines = [f"{k} {k} 0 {9 * k} 2 -1 -1 2 {10 * k} -1 1 1 1 -1 -1 -1 -1 -1" for k in range(1, 9)]
    path = tmp_path / "log.swf"
    path.write_text("\n".join(("; MaxProcs: 4", *lines, "")))
    return path


def first(observation):
    """The first action that can be taken, in each episode."""
    return observation["mask"].argmax(axis=-1)


def run(env, window, rng):
    """Rewards and observations of an episode of random actions."""
    observation, _ = env.reset(options={"window": window})
    rewards, seen, actions, over = [], [observation], [], False
    while not over:
        actions.append(int(rng.choice(np.flatnonzero(observation["mask"]))))
        observation, reward, over, truncated, info = env.step(actions[-1])
        assert not truncated
        rewards.append(reward)
        seen.append(observation)
    return actions, rewards, seen, info["metric"]


def equal(one, other):
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_checker_of_gymnasium_finds_nothing(log, settings):
    env = gymnasium.make(NAME, log=log, **({"jobs": 20} | settings)).unwrapped
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env)


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_random_episodes_stay_within_the_spaces(log, settings):
    env = QueueEnv(log, **({"jobs": 40} | settings))
    observation, info = env.reset(seed=3)
    env.action_space.seed(4)
    over, none = False, env.action_space.n - 1
    while not over:
        assert observation in env.observation_space
        action = env.action_space.sample()
        assert observation["mask"][action] == 1
        last = action
        observation, reward, over, *_ = env.step(action)
        assert np.isfinite(reward)
    assert last != none
    assert observation in env.observation_space
    assert not any(array.any() for array in observation.values())
    jobs, schedule = env.schedule()
    assert len(jobs) == np.subtract(*info["window"][::-1])
    assert (schedule.start >= jobs.submit).all()


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("threads", [1, 3])
def test_many_episodes_are_the_single_ones(log, settings, threads):
    settings = {"jobs": 30} | settings
    windows = [(k * 40, k * 40 + 25 + k) for k in range(7)]
    rng = np.random.default_rng(1)
    env = QueueEnv(log, **settings)
    single = [run(env, window, rng) for window in windows]
    envs = QueueVectorEnv(log, 7, threads=threads, **settings)
    observation, info = envs.reset(seed=0, options={"windows": windows})
    assert info["window"].tolist() == [list(window) for window in windows]
    for step in range(max(len(actions) for actions, *_ in single)):
        going = [k for k in range(7) if step < len(single[k][0])]
        for k in going:
            assert equal(
                single[k][2][step], {name: array[k] for name, array in observation.items()}
            )
        actions = first(observation)
        actions[going] = [single[k][0][step] for k in going]
        observation, reward, over, truncated, info = envs.step(actions)
        assert not truncated.any()
        assert reward[going].tolist() == [single[k][1][step] for k in going]
        for k in going:
            assert over[k] == (step == len(single[k][0]) - 1)
            if over[k]:
                assert info["final_info"]["metric"][k] == single[k][3]
                assert equal(info["final_obs"][k], single[k][2][-1])
                assert info["_final_info"][k]
    envs.close()


def test_an_episode_that_is_over_is_followed_by_another_in_the_same_step(log):
    windows = [(0, 1), (5, 7)]
    envs = QueueVectorEnv(log, 4, windows=windows)
    observation, info = envs.reset(seed=5)
    fresh = {}
    single = QueueEnv(log, windows=windows)
    for window in windows:
        fresh[window] = single.reset(options={"window": window})[0]
    count = 0
    for _ in range(60):
        observation, _, over, _, info = envs.step(first(observation))
        assert observation["mask"].any(axis=1).all()
        assert (("window" in info) and info["_window"].tolist()) == (over.any() and over.tolist())
        for k in np.flatnonzero(over):
            count += 1
            begun = fresh[tuple(info["window"][k].tolist())]
            assert equal(begun, {name: array[k] for name, array in observation.items()})
    assert count > 40


def test_seeds_determine_the_windows(log):
    env, envs = QueueEnv(log, jobs=9), QueueVectorEnv(log, 5, jobs=9)

    def drawn(seed):
        windows = [env.reset(seed=seed)[1]["window"], *(env.reset()[1]["window"] for _ in "1234")]
        assert envs.reset(seed=seed)[1]["window"].tolist() == [list(one) for one in windows]
        assert all(end - begin == 9 and 0 <= begin <= 591 for begin, end in windows)
        return windows

    assert drawn(1) == drawn(1) != drawn(2)
    assert len(set(drawn(1))) > 1


def test_copies_stay_and_arrays_of_the_caller_are_written_into(log):
    envs = QueueVectorEnv(log, 3, jobs=20)
    before, _ = envs.reset(seed=1)
    kept = copy.deepcopy(before)
    after, reward, *_ = envs.step(first(before))
    assert equal(before, kept)
    assert not equal(before, after)
    kept, rewards, observation, others = copy.deepcopy(after), reward.tolist(), after, set()
    for _ in range(20):
        observation, other, *_ = envs.step(first(observation))
        others.add(tuple(other))
    assert others != {tuple(rewards)}
    assert reward.tolist() == rewards
    assert equal(after, kept)

    shapes = Scenario(log).shapes
    memory = {name: np.full((4, *shape), 7, kind)[1:] for name, (shape, kind) in shapes.items()}
    for make in (QueueVectorEnv, lambda *_, **more: gymnasium.make_vec(NAME, 3, log=log, **more)):
        zero = make(log, 3, jobs=20, copy=False, out=memory)
        observation, _ = zero.reset(seed=1)
        assert all(np.shares_memory(observation[name], memory[name]) for name in memory)
        assert equal(memory, before)
        returned = zero.step(first(before))[0]
        assert equal(memory, after)
        assert all(returned[name] is observation[name] for name in memory)


def test_wrappers_of_gymnasium_know_the_environments(log):
    env = RecordEpisodeStatistics(gymnasium.make(NAME, log=log, jobs=12))
    observation, _ = env.reset(seed=1)
    total, over = 0.0, False
    while not over:
        observation, reward, over, _, info = env.step(first(observation))
        total += reward
    assert info["episode"]["r"] == pytest.approx(total) == pytest.approx(-info["metric"])
    assert info["episode"]["l"] >= 12

    envs = DictInfoToList(RecordAll(gymnasium.make_vec(NAME, num_envs=6, log=log, jobs=3)))
    observation, _ = envs.reset(seed=1)
    ended = 0
    for _ in range(30):
        actions = envs.action_space.sample(mask=tuple(observation["mask"]))
        observation, _, over, _, infos = envs.step(actions)
        for info, one in zip(infos, over, strict=True):
            assert one == ("episode" in info) == ("final_info" in info)
            if one:
                ended += 1
                assert info["episode"]["r"] == pytest.approx(-info["final_info"]["metric"])
    assert ended > 6


@pytest.mark.parametrize("mode", ["sync", "vector_entry_point"])
def test_a_path_is_a_log(path, mode):
    envs = gymnasium.make_vec(NAME, 2, mode, log=path, jobs=4, seen=5)
    assert envs.reset(seed=1)[0] in envs.observation_space
    assert envs.single_action_space == QueueEnv(path, jobs=4, seen=5).action_space
    assert batch_space(envs.single_action_space, 2) == envs.action_space
    envs.close()
    one, other = QueueEnv(str(path), jobs=4), QueueEnv(load_log(path), jobs=4)
    assert equal(one.reset(seed=1)[0], other.reset(seed=1)[0])


def test_environments_are_neither_copied_nor_pickled(log):
    env = QueueEnv(log, jobs=4)
    for action in (copy.deepcopy, pickle.dumps, copy.copy):
        with pytest.raises(TypeError, match="same settings, and reset it"):
            action(env._batch)
    with pytest.raises(TypeError, match="same settings, and reset it"):
        copy.deepcopy(env)
    assert pickle.loads(pickle.dumps(Scenario(log))).shapes == Scenario(log).shapes


@pytest.mark.parametrize(
    ("rows", "jobs"),
    [
        ([(7, 5, 8)], 1),
        ([(0, 0, 8)] * 5, 5),
        ([(3, 9, 8)] * 200, 200),
        ([(3, 0, 1), (3, 4, 8), (3, 0, 8)] * 2, 3),
    ],
    ids=["one job", "no run time", "all at one instant", "mixed"],
)
@pytest.mark.parametrize("dialect", LEARNED)
def test_odd_logs_run_to_their_end(rows, jobs, dialect):
    submit, runtime, procs = zip(*rows, strict=True)
    made = Jobs(range(len(rows)), submit, runtime, runtime, procs)
    env = QueueEnv(log_of(made), jobs=jobs, dialect=dialect)
    rng = np.random.default_rng(1)
    for window in ((0, 1), (0, len(rows))):
        assert np.isfinite(run(env, window, rng)[3])
    actions, rewards, *_ = run(env, (0, jobs), rng)
    assert len(actions) >= jobs
    assert sum(rewards) <= -1


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"seen": 0}, "seen is 0 jobs, must be an integer from 1 to 128"),
        ({"seen": 129}, "seen is 129 jobs"),
        ({"seen": 2.0}, "seen is 2.0 jobs"),
        ({"jobs": 0}, "jobs is 0, must be an integer from 1 to 600"),
        ({"jobs": 601}, "jobs is 601"),
        ({"jobs": 2.5}, "jobs is 2.5"),
        ({"features": ("wait", "waist")}, "unknown feature 'waist'; did you mean 'wait'"),
        ({"features": ()}, "no feature"),
        ({"features": ("wait", "wait")}, "'wait' comes twice"),
        ({"metric": "bsdl"}, "metric is 'bsdl'; did you mean 'bsld'"),
        ({"order": "wfp3"}, "order is 'wfp3', must be a policy that does not change"),
        ({"order": "nothing here"}, "nothing here"),
        ({"dialect": "artefact"}, "dialect is 'artefact'.*full, lifo, rlscheduler"),
        ({"reservations": "every"}, "reservations is 'every'.*head, none"),
        ({"dialect": "rlscheduler", "reservations": "none"}, "dialect rlscheduler.*head"),
        ({"windows": []}, "windows is empty"),
        ({"windows": [(0, 601)]}, r"window \(0, 601\).*within the 600 jobs"),
        ({"windows": [(3, 3)]}, r"window \(3, 3\)"),
        ({"windows": [(-1, 3)]}, r"window \(-1, 3\)"),
        ({"windows": [(0.5, 3)]}, r"window \(0.5, 3\).*integer"),
        ({"windows": [(1, 2, 3)]}, r"window \(1, 2, 3\)"),
        ({"windows": [5]}, "window 5"),
    ],
    ids=str,
)
def test_invalid_settings(log, settings, words):
    with pytest.raises(ValueError, match=words):
        QueueEnv(log, **settings)


def test_a_job_that_is_wider_than_the_machine():
    with pytest.raises(ValueError, match="256"):
        QueueEnv(log_of(model(600), 255), jobs=2)


def test_actions_that_cannot_be_taken(log):
    envs = QueueVectorEnv(log, 2, jobs=5, seen=4)
    with pytest.raises(ValueError, match="episode 0 is over, or has not begun: call reset"):
        envs.step(np.array([0, 0]))
    before, _ = envs.reset(seed=1)
    for actions, words in (
        ([0, 5], "episode 1: action 5 is not from 0 to 4"),
        ([-1, 0], "episode 0: action -1 is not from 0 to 4"),
        ([0, 3], "episode 1: action 3 is masked: 1 waiting jobs are seen"),
        ([0], r"shape \(1,\), must be \(2,\)"),
        ([[0], [0]], r"shape \(2, 1\)"),
        ([0.0, 0.0], "actions are float64, must be integers"),
        ([True, False], "actions are bool"),
        (["0", "0"], "actions are <U1"),
        (np.array([0, 2**64 - 1], np.uint64), "episode 1: action -1"),
    ):
        with pytest.raises(ValueError, match=words):
            envs.step(np.array(actions))
        assert equal(before, envs._batch.observation)
    envs.step(np.array([0, 0], np.uint8))


def test_threads_of_an_interrupted_step_have_ended(log, monkeypatch):
    """Ctrl-C in a step leaves no thread that goes on with the episodes."""
    envs = QueueVectorEnv(log, 6, threads=3, jobs=5, seen=4)
    envs.reset(seed=1)
    ended, batch = [], envs._batch

    class Slow:
        def step(self, chosen, first, last):
            if not first:
                raise KeyboardInterrupt
            time.sleep(0.05)
            ended.append(first)
            return 0

        find_faulty = batch.kernel.find_faulty

    monkeypatch.setattr(batch, "kernel", Slow())
    with pytest.raises(KeyboardInterrupt):
        envs.step(np.zeros(6, int))
    assert sorted(ended) == [2, 4]
    envs.close()


def test_steps_after_the_threads_have_ended(log):
    envs = QueueVectorEnv(log, 2, threads=2, jobs=5, seen=4)
    envs.reset(seed=1)
    for _ in range(2):
        envs.close()
    assert envs.step([0, 0])[1].shape == (2,)


def test_reasons_of_masks():
    """Job 2 needs the machine; job 3 would delay it, job 4 would not; at last job 2 is alone."""
    jobs = Jobs([1, 2, 3, 4], [0, 0, 0, 0], [9, 9, 99, 2], [9, 9, 99, 2], [4, 8, 2, 2])
    env = QueueEnv(log_of(jobs), jobs=4, seen=5)
    env.reset(seed=1)
    env.step(0)
    observation, *_ = env.step(0)
    assert observation["mask"].tolist() == [0, 0, 1, 0, 0, 1]
    assert observation["machine"].tolist()[:3] == [0.5, 0, 1]
    with pytest.raises(ValueError, match="job 2 would delay the reservation or does not fit"):
        env.step(0)
    with pytest.raises(ValueError, match="not over"):
        env.schedule()
    env.step(2)
    while env._batch.kernel.now(0) < 18:
        observation, *_ = env.step(0)
    over = False
    with pytest.raises(ValueError, match="nothing happens later: choose a job"):
        env.step(5)
    while not over:
        over = env.step(0)[2]
    with pytest.raises(ValueError, match="call reset"):
        env.step(0)
    assert env.schedule()[1].start.tolist() == [0, 9, 18, 0]
    env.reset()
    with pytest.raises(ValueError, match="not over"):
        env.schedule()


def test_invalid_options_and_counts(log):
    env, envs = QueueEnv(log, jobs=5), QueueVectorEnv(log, 2, jobs=5)
    for window in ((0, 601), (4, 4), (-3, 4), "ab", (0, 2**40)):
        with pytest.raises(ValueError, match="within the 600 jobs"):
            env.reset(options={"window": window})
        with pytest.raises(ValueError, match="within the 600 jobs"):
            envs.reset(options={"windows": [(0, 5), window]})
    for options, words in (
        ({"windows": [(0, 5)]}, "there are 1 windows, must be 2"),
        ({"window": (0, 5)}, "unknown option 'window' of reset, must be windows"),
        ({"reset_mask": np.ones(2, bool)}, "unknown option 'reset_mask'"),
    ):
        with pytest.raises(ValueError, match=words):
            envs.reset(options=options)
    for settings in ({"num_envs": 0}, {"threads": 0}):
        with pytest.raises(ValueError, match="must be 1 or more"):
            QueueVectorEnv(log, **settings)


def test_invalid_arrays_of_the_caller(log):
    def arrays():
        shapes = Scenario(log).shapes.items()
        return {name: np.zeros((2, *shape), kind) for name, (shape, kind) in shapes}

    frozen = arrays()["jobs"]
    frozen.flags.writeable = False
    for change, words in (
        ({"jobs": np.zeros((3, 128, 7), np.float32)}, r"out\['jobs'\] is float32 of \(3, 128, 7\)"),
        ({"mask": np.zeros((2, 129), np.uint8)}, r"out\['mask'\] is uint8.*int8 of \(2, 129\)"),
        ({"machine": np.zeros((6, 2), np.float32).T}, r"out\['machine'\].*contiguous"),
        ({"jobs": frozen}, r"out\['jobs'\].*writeable"),
        ({"jobs": arrays()["jobs"].tolist()}, r"out\['jobs'\] is list"),
    ):
        with pytest.raises(ValueError, match=words):
            QueueVectorEnv(log, 2, out=arrays() | change)
    with pytest.raises(ValueError, match=r"out\['machine'\] is missing"):
        QueueVectorEnv(log, 2, out={key: arrays()[key] for key in ("jobs", "mask")})


def test_without_gymnasium_one_line_says_what_to_install(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("schedlab.gym")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'schedlab\[gym\]'") as caught:
        __import__("schedlab.gym")
    assert caught.value.name == "gymnasium"
    assert "\n" not in str(caught.value)


def test_a_mask_that_the_caller_has_changed_allows_nothing_more(log):
    envs = QueueVectorEnv(log, 2, jobs=50, copy=False)
    observation, _ = envs.reset(seed=1)
    observation["mask"][:] = 1
    with pytest.raises(ValueError, match="episode 0: action 100 is masked: 1 waiting jobs"):
        envs.step(np.array([100, 100]))
