"""Online learning: learners that choose each period's policy from the periods before.

Every learner processes the periods in order. It chooses before it sees a period's losses, that is
the average bounded slowdowns. Afterwards full-information learners see the losses of all policies,
a bandit only that of its choice. In the first period nothing is known, so losses count from the
second period on, for every learner and for its reference.

The reference of a learner is a fixed choice of its kind, found in the same way. For a learner of
pure policies it is the policy with the smallest sum over the training periods. For a learner of
weights it is the weights of the same space with the smallest sum. Both are tested on the testing
periods, and so is the learner with the smallest sum over the training periods. The best choice on
the testing periods themselves is hindsight, and is labeled so.

Intervals resample blocks of neighboring periods: learners have memory, and a busy month spans
several weeks. A block has three periods, the cube root of 23 to 36 periods.

Exponential weights need bounded losses, but losses have no bound. They are divided by the largest
loss that the learner has seen so far. Learners use only what a scheduler knows at that time.

References
----------
legrand2018, section 12, asks; Cesa-Bianchi and Lugosi, Prediction, Learning, and Games (2006),
chapter 2 (Hedge); Bubeck and Cesa-Bianchi, Regret Analysis of Stochastic and Nonstochastic
Multi-armed Bandit Problems (2012), section 3.1 (EXP3 with rates that need no horizon).
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy.special import softmax

from schedlab.core.intervals import (
    LEVEL,
    chance_above,
    chance_below,
    holm,
    interval,
    resampled_places,
)
from schedlab.core.streams import generator
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import filled
from schedlab.studies.legrand2018.adaptation import TRAINED, after, best_places, trained
from schedlab.studies.legrand2018.periods import Surface

HEDGE, EXP3, FOLLOW = "Hedge", "EXP3", "follow the leader"
POLICIES, WEIGHTS = "policies", "weights"
LOWER, HIGHER, EQUAL, UNDECIDED = "lower", "higher", "equal", "undecided"
BLOCK = 3  # periods that are drawn together
# With fewer than six blocks a resampled interval is far too narrow: no verdict is given.
FEWEST = 6 * BLOCK
COMPARED = ["learner", "chooses", "chosen", "periods", "sum", "deviation", "fixed", "fixed_sum",
            "ratio", "low", "high", "outcome", "adjusted", "regret_fixed",
            "regret_optimum"]  # fmt: skip
COLUMNS = {"learner": "str", "repetition": "int64", "piece": "int64", "avebsld": "float64"}


def hedge(losses: np.ndarray, stream: np.random.Generator) -> np.ndarray:
    """Draw a policy a period with exponential weights over all policies' losses.

    `losses` has shape (p, k): k policies in p periods. Returns the policy chosen in each period,
    shape (p,). The rate in the t-th period is sqrt(8 ln k / t).
    """
    rounds, policies = losses.shape
    chosen = np.empty(rounds, dtype=np.int64)
    total, largest = np.zeros(policies), 1.0
    for place in range(rounds):
        rate = np.sqrt(8 * np.log(policies) / (place + 1))
        chosen[place] = stream.choice(policies, p=softmax(-rate * total / largest))
        total += losses[place]
        largest = max(largest, losses[place].max())
    return chosen


def exp3(losses: np.ndarray, stream: np.random.Generator) -> np.ndarray:
    """Draw a policy a period with exponential weights over the losses of the drawn policies.

    As `hedge`, but an observed loss is divided by the probability of its policy, and the rate is
    sqrt(ln k / (k t)).
    """
    rounds, policies = losses.shape
    chosen = np.empty(rounds, dtype=np.int64)
    total, largest = np.zeros(policies), 1.0
    for place in range(rounds):
        rate = np.sqrt(np.log(policies) / (policies * (place + 1)))
        chance = softmax(-rate * total / largest)
        policy = chosen[place] = stream.choice(policies, p=chance)
        total[policy] += losses[place, policy] / chance[policy]
        largest = max(largest, losses[place, policy])
    return chosen


def follow_the_leader(losses: np.ndarray) -> np.ndarray:
    """Return the loss of the policy whose sum over the periods before is smallest.

    Shape (p,): mean over the policies that lead together; nan in the first period.
    """
    suffered = np.full(len(losses), np.nan)
    total = np.zeros(losses.shape[1])
    for place in range(1, len(losses)):
        total += losses[place - 1]
        suffered[place] = losses[place, best_places(total)].mean()
    return suffered


def learn_online(
    surface: Surface,
    pure: pd.DataFrame,
    windows: Sequence[int],
    repetitions: int,
    key: Sequence[str | int],
) -> pd.DataFrame:
    """Run every learner over the periods of a trace; its loss counts from the second period on."""
    losses, pieces = pure.to_numpy(dtype=float), pure.index.to_numpy()
    runs = [
        (name, repetition, losses[np.arange(len(losses)), draw(losses, stream)])
        for name, draw in ((HEDGE, hedge), (EXP3, exp3))
        for repetition in range(repetitions)
        for stream in [generator(*key, name, repetition)]
    ]
    runs.append((FOLLOW, 0, follow_the_leader(losses)))
    names = {window: f"w_train, last {window}" if window > 1 else "w_greedy" for window in windows}
    runs += [(names[window], 0, after(surface, window)) for window in windows]
    frames = [
        pd.DataFrame({"learner": name, "repetition": repetition, "piece": pieces, "avebsld": loss})
        for name, repetition, loss in runs
    ]
    frame = pd.concat(frames).astype(COLUMNS)
    return frame[frame["piece"] > pieces[:1].sum()].reset_index(drop=True)


def chooses(learner: str) -> str:
    """Return whether a learner chooses pure policies (`POLICIES`) or weights (`WEIGHTS`)."""
    return POLICIES if learner in (HEDGE, EXP3, FOLLOW) else WEIGHTS


@dataclass(frozen=True)
class Ranges:
    """First and last period, both included, of training and of testing."""

    train: tuple[int, int]
    test: tuple[int, int]


def compare(
    online: pd.DataFrame,
    surface: Surface,
    pure: pd.DataFrame,
    ranges: Ranges,
    resamples: int,
    stream: np.random.Generator,
) -> pd.DataFrame:
    """Compare the learners with the fixed policy and the fixed weights on the testing periods."""
    if online.empty:
        return pd.DataFrame(columns=COMPARED)
    tested, worth = pure.loc[slice(*ranges.test)], surface.between(*ranges.test).values
    policy = str(pure.loc[slice(*ranges.train)].sum().idxmin())
    fixed = {
        POLICIES: (
            policy,
            tested[policy].to_numpy(dtype=float),
            min(tested[name].to_numpy(dtype=float).sum() for name in tested),
        ),
        WEIGHTS: (TRAINED, worth[:, trained(surface, *ranges.train)], worth.sum(axis=0).min()),
    }
    by_period = online.pivot_table(index="piece", columns="learner", values="avebsld")
    place = resampled_places(len(tested), resamples, stream, BLOCK)
    sums = _sums(online, *ranges.test)
    rows, chances = [], []
    for learner in online["learner"].unique():
        kind = chooses(learner)
        name, against, hindsight = fixed[kind]
        loss = by_period.loc[slice(*ranges.test), learner].to_numpy(dtype=float)
        ratios = loss[place].sum(axis=1) / against[place].sum(axis=1)
        outcome, low, high = outcome_of(ratios, len(tested))
        chances.append(min(chance_below(ratios, 1), chance_above(ratios, 1)))
        rows.append(
            {
                "learner": learner,
                "chooses": kind,
                "periods": len(tested),
                "sum": loss.sum(),
                "deviation": sums[learner].std(ddof=0),
                "fixed": name,
                "fixed_sum": against.sum(),
                "ratio": loss.sum() / against.sum(),
                "low": low,
                "high": high,
                "outcome": outcome,
                "regret_fixed": loss.sum() - hindsight,
                "regret_optimum": loss.sum() - worth.min(axis=1).sum(),
            }
        )
    table = pd.DataFrame(rows)
    training = _sums(online, *ranges.train).groupby(level="learner", sort=False).mean()
    table["chosen"] = (table["learner"] == training.idxmin()).to_numpy()
    sure = (holm(np.array(chances)) <= 1 - LEVEL) | (table["outcome"] == EQUAL)
    table["adjusted"] = table["outcome"].where(sure, UNDECIDED)
    return table[COMPARED]


def outcome_of(ratios: np.ndarray, periods: int) -> tuple[str, float, float]:
    """Return on which side of 1 a ratio lies, with the ends of its 95 % interval."""
    if periods < FEWEST:
        return UNDECIDED, np.nan, np.nan
    low, high = interval(ratios)
    if (ratios == 1).all():
        return EQUAL, low, high
    if high < 1:
        return LOWER, low, high
    return HIGHER if low > 1 else UNDECIDED, low, high


def _sums(online: pd.DataFrame, first: int, last: int) -> pd.Series:
    """Return the sums of the losses of the periods `first` to `last`: index learner, repetition."""
    within = online[online["piece"].between(first, last)]
    return within.groupby(["learner", "repetition"], sort=False)["avebsld"].sum()


def regret_paths(online: pd.DataFrame, surface: Surface, pure: pd.DataFrame) -> pd.DataFrame:
    """Return the cumulative regret against the best fixed choice, period by period."""
    values = ["regret", "low", "high"]
    relative = ["relative", "relative_low", "relative_high"]
    columns = ["learner", "chooses", "piece", *values, *relative]
    if online.empty:
        return pd.DataFrame(columns=columns)
    later, worth = pure.iloc[1:], surface.values[1:]
    fixed = pd.DataFrame(
        {
            POLICIES: later[later.sum().idxmin()].cumsum(),
            WEIGHTS: worth[:, worth.sum(axis=0).argmin()].cumsum(),
        },
        index=later.index,
    )
    total = online.groupby(["learner", "repetition"])["avebsld"].cumsum()
    choices = online.assign(chooses=online["learner"].map(chooses))
    best = fixed.stack().loc[list(zip(choices["piece"], choices["chooses"], strict=True))]
    regret = choices.assign(regret=total - best.to_numpy())
    grouped = regret.groupby(["learner", "chooses", "piece"], sort=False)["regret"]
    paths, deviation = grouped.mean().reset_index(), grouped.std(ddof=0).to_numpy()
    paths = paths.assign(low=paths["regret"] - deviation, high=paths["regret"] + deviation)
    best = fixed.stack().loc[list(zip(paths["piece"], paths["chooses"], strict=True))].to_numpy()
    paths[relative] = 100 * paths[values].div(best, axis=0)
    return paths[columns]


def verdict(learners: pd.DataFrame, label: str, ranges: Ranges, text: str) -> str:
    """Fill the sentences on the results of the learners of a trace."""
    if learners.empty:
        return f"{label}: {NOT_AVAILABLE}."
    chosen = learners[learners["chosen"]].iloc[0]
    named = {
        outcome: learners.loc[learners["outcome"] == outcome, "learner"].tolist()
        for outcome in (LOWER, HIGHER, EQUAL, UNDECIDED)
    }
    sure = learners.loc[learners["adjusted"].isin([LOWER, HIGHER]), "learner"].tolist()
    facts = {"chosen": chosen, "best": learners.loc[learners["sum"].idxmin()], "named": named}
    facts |= {"optimum": chosen["sum"] - chosen["regret_optimum"], "sure": sure}
    facts |= {"train": ranges.train, "test": ranges.test, "few": chosen["periods"] < FEWEST}
    wrong = (1 - LEVEL) * len(learners)
    return filled(text, facts | {"label": label, "count": len(learners), "wrong": wrong})


def how(resamples: int) -> str:
    """Return sentences on how the intervals are computed."""
    return (
        f"Intervals: {resamples:,} bootstrap resamples of the testing weeks, in blocks of {BLOCK} "
        "because neighboring weeks depend on each other. All learners of a trace share the "
        "resamples."
    )
