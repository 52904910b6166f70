"""Environments with Gymnasium's interface over the episodes of a log: one, and many in one call."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from schedlab.core.jobs import Jobs, Schedule
from schedlab.gym.episodes import Arrays, Batch, Scenario

Observation = dict[str, np.ndarray]


class _Actions(spaces.Discrete):
    """Places of the jobs that are seen, and behind them none; samples are never masked."""

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch.scenario.seen + 1)
        self._mask = batch.observation["mask"]

    def sample(self, mask: np.ndarray | None = None, probability: Any = None) -> np.int64:
        """Return an action that can be taken."""
        if mask is None and probability is None and self._mask.any():
            mask = self._mask[0]
        return super().sample(mask, probability)


def _space(scenario: Scenario) -> spaces.Dict:
    return spaces.Dict(
        {
            name: spaces.Box(0, 1, shape, kind)  # type: ignore[arg-type]
            for name, (shape, kind) in scenario.shapes.items()
        }
    )


class QueueEnv(gymnasium.Env[Observation, np.int64]):
    """The queue of a log, in which each action starts a waiting job or none.

    An observation has the ``jobs`` that are seen, float32 of shape (seen, features), with zeros
    behind the last; the ``mask`` of the actions that can be taken, int8 (seen + 1,); and the state
    of the ``machine``, float32 (6,), see `schedlab.kernels.queue.choices.MACHINE`. Action i chooses
    the i-th job, the last one none until the next job arrives or ends. A decision is only asked for
    if a job that is seen can start. An episode ends when its last job has started; its value of the
    metric is then in ``info["metric"]``.

    Parameters
    ----------
    log : Log or path
        The log.
    render_mode : None
        Nothing is rendered.
    **settings
        See `Scenario`.

    Raises
    ------
    ValueError
        A setting is invalid. In `step`: the action is masked.

    Examples
    --------
    >>> env = QueueEnv(getfixture("small_log"), jobs=3, seen=4)  # doctest: +SKIP
    >>> observation, info = env.reset(seed=1)  # doctest: +SKIP
    """

    metadata = {"render_modes": []}  # noqa: RUF012  # as Gymnasium declares it

    def __init__(self, log: Any, render_mode: None = None, **settings: Any) -> None:
        self.render_mode = render_mode
        self._batch = Batch(Scenario(log, **settings), 1)
        self.observation_space = _space(self._batch.scenario)
        self.action_space = _Actions(self._batch)

    def _observation(self) -> Observation:
        return {name: array[0].copy() for name, array in self._batch.observation.items()}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode.

        Parameters
        ----------
        seed : int, optional
            Seed of the windows that are drawn.
        options : dict, optional
            ``window``: the places of the first job and behind the last, instead of a random one.
        """
        super().reset(seed=seed)
        window = _option(options, "window")
        scenario = self._batch.scenario
        window = scenario.draw(self.np_random) if window is None else scenario.checked(window)
        self._batch.begin(0, window)
        return self._observation(), {"window": window}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Choose a job or none; see `gymnasium.Env.step`."""
        over = bool(self._batch.step(np.array([action])))
        if over:
            _clear(self._batch.observation, 0)
        info = {"metric": float(self._batch.value[0])} if over else {}
        return self._observation(), float(self._batch.reward[0]), over, False, info

    def schedule(self) -> tuple[Jobs, Schedule]:
        """Return the jobs of the episode that is over, and their schedule; times are the log's."""
        return self._batch.schedule(0)


class QueueVectorEnv(gymnasium.vector.VectorEnv[Observation, np.ndarray, np.ndarray]):
    """Many queues of a log in one call; see `QueueEnv`.

    An episode that is over is followed by a new one in the same step, so that the returned
    observation is always that of a decision. Where ``info["_final_info"]`` is true,
    ``info["final_info"]["metric"]`` is the metric of the episode that is over, and
    ``info["window"]`` the window of the new one. Actions that can be taken are drawn by
    ``envs.action_space.sample(mask=tuple(observation["mask"]))``.

    Parameters
    ----------
    log : Log or path
        The log.
    num_envs : int
        Number of episodes at a time.
    threads : int, default 1
        Threads of a step; results do not depend on it.
    copy : bool, default True
        Whether each step returns copies of the observations. Without, it returns the arrays that
        the next step overwrites, which costs no time.
    out : mapping of str to ndarray, optional
        Arrays that observations are written into, such as views of pinned memory; see `Batch`.
    **settings
        See `Scenario`.

    Raises
    ------
    ValueError
        A setting is invalid. In `step`: an action is masked, and no episode has changed.
    """

    metadata = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self,
        log: Any,
        num_envs: int = 1,
        threads: int = 1,
        copy: bool = True,
        out: Arrays | None = None,
        render_mode: None = None,
        **settings: Any,
    ) -> None:
        self.num_envs, self.render_mode, self._copy = num_envs, render_mode, copy
        self._batch = Batch(Scenario(log, **settings), num_envs, threads, out)
        self.single_observation_space = _space(self._batch.scenario)
        self.single_action_space = spaces.Discrete(self._batch.scenario.seen + 1)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def _observation(self) -> Observation:
        arrays = self._batch.observation
        return {name: array.copy() for name, array in arrays.items()} if self._copy else arrays

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin all episodes.

        Parameters
        ----------
        seed : int, optional
            Seed of the windows that are drawn.
        options : dict, optional
            ``windows``: a window for each episode, instead of random ones.
        """
        super().reset(seed=seed)
        windows, scenario = _option(options, "windows"), self._batch.scenario
        if windows is None:
            windows = [scenario.draw(self.np_random) for _ in range(self.num_envs)]
        if len(windows) != self.num_envs:
            raise ValueError(f"there are {len(windows)} windows, must be {self.num_envs}")
        for place, window in enumerate([scenario.checked(window) for window in windows]):
            self._batch.begin(place, window)
        return self._observation(), self._begun(np.ones(self.num_envs, bool))

    def _begun(self, places: np.ndarray) -> dict[str, Any]:
        """Return the windows of episodes that have begun, as `info` has them."""
        return {"window": np.array(self._batch.windows), "_window": places}

    def step(
        self, actions: np.ndarray
    ) -> tuple[Observation, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Choose a job or none in each queue; see `gymnasium.vector.VectorEnv.step`."""
        batch, info = self._batch, {}
        over = batch.step(actions)
        reward = batch.reward.copy()
        ended = batch.over.astype(bool)
        if over:
            last = {"metric": np.where(ended, batch.value, 0.0), "_metric": ended}
            zeros = np.full(self.num_envs, None)
            for place in np.flatnonzero(ended).tolist():
                zeros[place] = {
                    name: np.zeros(*form) for name, form in batch.scenario.shapes.items()
                }
                batch.begin(place, batch.scenario.draw(self.np_random))
            info = {"final_info": last, "final_obs": zeros} | self._begun(ended)
            info |= {"_final_info": ended, "_final_obs": ended}
        return self._observation(), reward, ended, np.zeros(self.num_envs, bool), info

    def close_extras(self, **kwargs: Any) -> None:
        """End the threads."""
        self._batch.close()


def _option(options: dict[str, Any] | None, name: str) -> Any:
    """Return an option of `reset`; raise ValueError if there are others."""
    if others := set(options or {}) - {name}:
        raise ValueError(f"unknown option '{others.pop()}' of reset, must be {name}")
    return (options or {}).get(name)


def _clear(observation: Observation, place: int) -> None:
    """Show no job and no action: the episode is over."""
    for array in observation.values():
        array[place] = 0
