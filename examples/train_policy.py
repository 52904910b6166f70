"""Train a policy by PPO, write it as a file for schedlab, and compare it on held-out windows.

    pip install 'schedlab[gym,learners]'
    python examples/train_policy.py                        # Lublin's log, or a model workload
    python examples/train_policy.py site.swf.gz --minutes 9

The log is split in two. Episodes are windows of the first half; windows of the second half, which
the learner never sees, decide. All policies run in the dialect full with EASY backfilling. The
method is PPO (Schulman et al., 2017); the network scores each waiting job alone, with the layers of
RLScheduler (Zhang et al., SC'20), so that the order of jobs in an observation does not matter.
"""

from __future__ import annotations

import argparse
import itertools
import tempfile
import time
from pathlib import Path

import numpy as np

try:
    import torch
    from torch import nn
except ModuleNotFoundError:
    raise SystemExit(
        "torch is not installed, which this needs: pip install 'schedlab[gym,learners]'"
    ) from None

from schedlab.core.intervals import interval, ratios_of_means, resampled_shares
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.core.streams import generator
from schedlab.gym import QueueVectorEnv
from schedlab.gym.episodes import FEATURES
from schedlab.policies import get
from schedlab.policies.neural import from_npz, write_npz
from schedlab.policies.pure import Policy
from schedlab.queue.simulation import Run, simulate
from schedlab.traces.archive import archive_folders
from schedlab.traces.swf import FIELDS, Header, write_swf
from schedlab.workbench.log import Log, load_log
from schedlab.workloads import lublin

SEEN = 128  # waiting jobs that the network sees
JOBS = 256  # jobs of an episode
TRAINING_WINDOWS = 500  # from which episodes are drawn
EPISODES = 64  # at a time
STEPS = 128  # decisions of each episode between two updates
EPOCHS, MINIBATCHES = 4, 8  # of an update
CLIP, LAMBDA, ENTROPY, RATE = 0.2, 0.97, 0.01, 1e-3
BASELINES = {"FCFS": "fcfs", "SJF": "spt", "F1": "f1", "SAF": "saf"}
#: settings of the environment. A neural policy sees the jobs with the smallest estimates first, so
#: the episodes show them in this order, too.
SETTINGS = {"seen": SEEN, "order": "spt", "features": FEATURES, "dialect": "full", "metric": "bsld"}


def open_log(arguments: argparse.Namespace) -> Log:
    """Return the log that was named; else Lublin's from SCHEDLAB_ARCHIVE; else a model workload."""
    if arguments.log:
        return load_log(arguments.log, arguments.rules, arguments.processors)
    for folder in archive_folders():
        for path in folder.glob("lublin_256.swf*"):
            # it has no estimates: schedulers see the run times
            return load_log(path, "rr9212_ran", 256)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.swf"
        jobs = lublin.generate(20_000, 256, seed=1).reindex(columns=FIELDS, fill_value=-1)
        write_swf(path, jobs, Header((" MaxProcs: 256",)))
        return load_log(path, "rr9212_ran", 256)


def run_window(log: Log, policy: Policy, window: tuple[int, int]) -> tuple[float, float]:
    """Return mean bounded slowdown and longest wait of a window's jobs, on an empty machine."""
    jobs = log.jobs.take(slice(*window))
    run = Run(jobs, log.processors, policy, reservations="head")
    schedule = simulate(run)
    return average_bounded_slowdown(jobs, schedule), float((schedule.start - jobs.submit).max())


class Agent(nn.Module):
    """An actor that scores each job alone, and a critic of the whole state."""

    def __init__(self, inputs: int, machine: int) -> None:
        super().__init__()
        sizes = (inputs, 32, 16, 8)
        layers: list[nn.Module] = []
        for wide, narrow in itertools.pairwise(sizes):
            layers += [nn.Linear(wide, narrow), nn.ReLU()]
        self.actor = nn.Sequential(*layers, nn.Linear(8, 1))
        self.critic = nn.Sequential(nn.Linear(machine + inputs, 64), nn.Tanh(), nn.Linear(64, 1))

    def forward(
        self, jobs: torch.Tensor, mask: torch.Tensor, machine: torch.Tensor
    ) -> tuple[torch.distributions.Categorical, torch.Tensor]:
        """Return the distribution of the choices, and the values, of a batch of states."""
        # the last action, to choose no job, is one that an exported policy does not have
        can = mask[:, :-1].bool()
        # only the jobs that can be chosen pass through the network: few of 128, most of the time
        logits = jobs.new_full(can.shape, -1e9).masked_scatter(can, self.actor(jobs[can]))
        mean = (jobs * can[:, :, None]).sum(1) / can.sum(1, keepdim=True)
        value = self.critic(torch.cat([machine, mean], dim=1)).squeeze(1)
        return torch.distributions.Categorical(logits=logits), value

    def layers(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Return kernel and bias of each layer of the actor, as `write_npz` takes them."""
        linear = [layer for layer in self.actor if isinstance(layer, nn.Linear)]
        return [
            (layer.weight.detach().cpu().numpy().T, layer.bias.detach().cpu().numpy())
            for layer in linear
        ]


def advantages_of(
    reward: torch.Tensor, over: torch.Tensor, value: torch.Tensor, last: torch.Tensor
) -> torch.Tensor:
    """Return generalized advantages of steps, shape (steps, episodes); rewards are not discounted.

    An episode that is over is followed by a new one, whose value does not count.
    """
    advantage = torch.zeros_like(reward)
    later = torch.zeros_like(last)
    for step in reversed(range(len(reward))):
        goes_on = 1 - over[step]
        following = value[step + 1] if step + 1 < len(value) else last
        later = reward[step] + goes_on * (following + LAMBDA * later) - value[step]
        advantage[step] = later
    return advantage


def update(agent: Agent, optimizer: torch.optim.Optimizer, steps: dict, entropy: float) -> None:
    """Change the network by the steps that were taken."""
    count = len(steps["action"])
    for _ in range(EPOCHS):
        for part in torch.randperm(count, device=steps["action"].device).chunk(MINIBATCHES):
            of = {name: values[part] for name, values in steps.items()}
            choices, value = agent(of["jobs"], of["mask"], of["machine"])
            ratio = (choices.log_prob(of["action"]) - of["log_prob"]).exp()
            advantage = of["advantage"]
            advantage = (advantage - advantage.mean()) / (advantage.std() + 1e-8)
            clipped = ratio.clamp(1 - CLIP, 1 + CLIP)
            gain = torch.min(ratio * advantage, clipped * advantage).mean()
            error = (value - of["return"]).square().mean()
            loss = 0.5 * error - gain - entropy * choices.entropy().mean()
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
            optimizer.step()


def train(log: Log, end: int, seconds: float, seed: int) -> Agent:
    """Return an agent that has learned from windows before job `end`."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.manual_seed(seed)
    # the network is so small that threads would wait for each other
    torch.set_num_threads(1)
    first = np.random.default_rng(seed).integers(0, end - JOBS + 1, TRAINING_WINDOWS)
    windows = [(place, place + JOBS) for place in first.tolist()]
    # Slowdowns of windows differ by orders of magnitude, so that few windows would decide. Rewards
    # are divided by what SJF has in the same window: an episode as good as SJF returns -1.
    reference = {window: run_window(log, get("spt"), window)[0] for window in windows}

    # The kernel writes observations into these tensors. For a GPU they are of pinned memory.
    shapes = {"jobs": (SEEN, len(FEATURES)), "mask": (SEEN + 1,), "machine": (6,)}
    seen = {
        name: torch.zeros(
            (EPISODES, *shape),
            dtype=torch.int8 if name == "mask" else torch.float32,
            pin_memory=device.type == "cuda",
        )
        for name, shape in shapes.items()
    }
    out = {name: tensor.numpy() for name, tensor in seen.items()}
    envs = QueueVectorEnv(log, EPISODES, windows=windows, copy=False, out=out, **SETTINGS)
    agent = Agent(len(FEATURES), 6).to(device)
    optimizer = torch.optim.Adam(agent.parameters(), RATE, eps=1e-5)
    steps = {
        name: torch.zeros((STEPS, *tensor.shape), dtype=tensor.dtype, device=device)
        for name, tensor in seen.items()
    }
    for name in ("log_prob", "value", "reward", "over"):
        steps[name] = torch.zeros((STEPS, EPISODES), device=device)
    steps["action"] = torch.zeros((STEPS, EPISODES), dtype=torch.int64, device=device)

    _, info = envs.reset(seed=seed)
    scale = np.array([1 / reference[tuple(window)] for window in info["window"].tolist()])
    begin = report = time.perf_counter()
    decisions, ratios = 0, []
    while (passed := (time.perf_counter() - begin) / seconds) < 1:
        optimizer.param_groups[0]["lr"] = RATE * (1 - passed)
        for step in range(STEPS):
            state = {}
            for name, tensor in seen.items():
                steps[name][step].copy_(tensor)
                state[name] = steps[name][step]
            with torch.no_grad():
                choices, value = agent(**state)
                action = choices.sample()
            _, reward, over, _, info = envs.step(action.cpu().numpy())
            steps["action"][step], steps["value"][step] = action, value
            steps["log_prob"][step] = choices.log_prob(action)
            steps["reward"][step] = torch.from_numpy(reward * scale)
            steps["over"][step] = torch.from_numpy(over)
            for place in np.flatnonzero(over).tolist():
                ratios.append(info["final_info"]["metric"][place] * scale[place])
                scale[place] = 1 / reference[tuple(info["window"][place].tolist())]
        decisions += STEPS * EPISODES
        with torch.no_grad():
            last = agent(**{name: tensor.to(device) for name, tensor in seen.items()})[1]
        advantage = advantages_of(steps["reward"], steps["over"], steps["value"], last)
        taken = {name: steps[name].flatten(0, 1) for name in (*seen, "action", "log_prob")}
        taken |= {
            "advantage": advantage.flatten(),
            "return": (advantage + steps["value"]).flatten(),
        }
        update(agent, optimizer, taken, ENTROPY * (1 - passed))
        if ratios and time.perf_counter() - report > 10:
            report = time.perf_counter()
            print(
                f"{(report - begin) / 60:.1f} min, {decisions:,} decisions: in the median of "
                f"{len(ratios)} episodes, {np.median(ratios):.3f} of SJF's slowdown",
                flush=True,
            )
            ratios.clear()
    rate = decisions / (time.perf_counter() - begin)
    print(f"{decisions:,} decisions, {rate:,.0f} steps/s with learning, on {device.type}")
    envs.close()
    return agent


def random_slowdowns(log: Log, windows: list[tuple[int, int]], seed: int) -> np.ndarray:
    """Return the mean bounded slowdown of each window if any job that can be chosen is."""
    envs = QueueVectorEnv(log, len(windows), **SETTINGS)
    rng, values = np.random.default_rng(seed), np.full(len(windows), np.nan)
    observation, _ = envs.reset(options={"windows": windows})
    while np.isnan(values).any():
        can = observation["mask"][:, :-1]
        observation, _, over, _, info = envs.step((can * rng.uniform(1, 2, can.shape)).argmax(1))
        if over.any():
            first = over & np.isnan(values)
            values[first] = info["final_info"]["metric"][first]
    return values


def compare(log: Log, learned: Policy, windows: list[tuple[int, int]], seed: int) -> None:
    """Print the mean of each policy over the windows, and the learned one's ratio to it."""
    policies = [learned, *map(get, BASELINES.values())]
    results = np.array([[run_window(log, one, window) for window in windows] for one in policies])
    names = ["learned", *BASELINES, "random"]
    values = np.column_stack([*results[:, :, 0], random_slowdowns(log, windows, seed)])
    longest = [f"{wait / 3600:7.1f} h" for wait in results[:, :, 1].max(axis=1)] + [" " * 9]
    # the same windows are drawn for all policies: the intervals are paired
    shares = resampled_shares(len(windows), generator("train_policy", seed))
    print(f"{len(windows)} held-out windows of {JOBS} jobs, under EASY: mean bounded slowdown,")
    print("longest wait, and the ratio of mean slowdowns, learned to other, with 95 % interval")
    better, equal, worse = [], [], []
    for place, name in enumerate(names):
        text = f"{name:>8} {values[:, place].mean():9.2f} {longest[place]}"
        if place:
            ratio = ratios_of_means(values, shares, place)[:, 0]
            low, high = interval(ratio[1:])
            text += f"  {ratio[0]:6.3f} ({low:.3f} to {high:.3f})"
            (better if high < 1 else worse if low > 1 else equal).append(name)
        print(text)
    print(
        f"With seed {seed}, the learned policy is better than {', '.join(better) or 'none'}, worse "
        f"than {', '.join(worse) or 'none'}, and not distinguishable from "
        f"{', '.join(equal) or 'none'}."
    )


def main() -> None:
    """Train, write and compare."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("log", nargs="?", help="log of any format that schedlab reads")
    parser.add_argument("--rules", default="full_estimate", help="rule set of its cleaning")
    parser.add_argument("--processors", type=int, help="of the machine, if the log has none")
    parser.add_argument("--minutes", type=float, default=8, help="of training")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="policy.npz", help="file of the policy")
    arguments = parser.parse_args()
    log = open_log(arguments)
    half = len(log) // 2
    if half < 2 * JOBS:
        parser.error(f"the log has {len(log)} jobs, must have {4 * JOBS} or more")
    print(log)
    agent = train(log, half, 60 * arguments.minutes, arguments.seed)
    write_npz(arguments.out, agent.layers(), FEATURES, SEEN)
    windows = [(place, place + JOBS) for place in range(half, len(log) - JOBS + 1, JOBS)]
    compare(log, from_npz(arguments.out, "learned").of_log(log.frame), windows, arguments.seed)
    print(f"{arguments.out}: a policy for schedlab simulate --policy {arguments.out}")


if __name__ == "__main__":
    main()
