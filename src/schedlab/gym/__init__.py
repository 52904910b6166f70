"""Environments in which a learner schedules the queue of a log, with Gymnasium's interface.

    import gymnasium, schedlab.gym
    env = gymnasium.make("schedlab/Queue-v0", log="site.swf.gz")
    envs = gymnasium.make_vec("schedlab/Queue-v0", num_envs=256, log="site.swf.gz")

`QueueEnv` and `QueueVectorEnv` are the classes behind these names.
"""

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "gymnasium is not installed, which this needs: pip install 'schedlab[gym]'", name=error.name
    ) from None

from schedlab.gym.environments import QueueEnv, QueueVectorEnv
from schedlab.gym.episodes import Scenario

__all__ = ["QueueEnv", "QueueVectorEnv", "Scenario"]

gymnasium.register(
    "schedlab/Queue-v0",
    entry_point="schedlab.gym:QueueEnv",
    vector_entry_point="schedlab.gym:QueueVectorEnv",
)
