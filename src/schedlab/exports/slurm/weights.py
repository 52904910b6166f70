"""Policies as weights of Slurm's multifactor priority, if its factors can express them.

References
----------
Slurm 22.05, "Multifactor Priority Plugin" and slurm.conf(5); the job size factor and that of TRES
as the real thing computes them, see tests/slurm.
"""

from dataclasses import dataclass

from schedlab.exports.slurm.sums import ONE, static_equivalent, terms

#: weights are whole numbers of 32 bits, and so is their sum, the priority
BUDGET = 4 * 10**9
MAX_AGE_DAYS = 365
DAY = 86400
#: smallest priority difference if nothing else uses the budget; it leaves space for --nice
ROOMY = 1000
S, N, R_BY_N = (0, 0, 1, 0), (0, 1, 0, 0), (1, -1, 0, 0)


@dataclass(frozen=True)
class Weights:
    """Lines ``Key=value`` of slurm.conf that express a policy.

    `exact`: the order is the policy's, under the conditions in `says`, which also has resolution
    and ties.
    """

    lines: tuple[str, ...]
    exact: bool
    says: str


def weights_of(expression: str, processors: int) -> Weights | None:
    """Return the weights that order jobs as a policy does, or None if there are none.

    `processors` are Slurm's CPUs of all nodes, and of each partition.
    """
    resting = static_equivalent(expression)
    coefficients = None if resting is None else terms(resting)
    if coefficients is None:
        return None
    coefficients.pop(ONE, None)
    if set(coefficients) == {S} and coefficients[S] > 0:
        return Weights(
            ("PriorityType=priority/basic",),
            True,
            "Each job gets a priority one below that of the job submitted before it. Weights that "
            "say the same, PriorityType=priority/multifactor with PriorityWeightAge, need "
            "slurmdbd.",
        )
    if set(coefficients) == {N}:
        return _size(coefficients[N], min(ROOMY * processors, BUDGET // 2))
    if set(coefficients) == {R_BY_N}:
        return _relative(coefficients[R_BY_N])
    if set(coefficients) == {S, N} and coefficients[S] > 0:
        return _age_and_size(coefficients[S], coefficients[N], processors)
    return None


def _size(weight: float, span: int) -> Weights:
    """Return weights for narrowest, or widest, first; span is the priority of all processors."""
    if weight < 0:
        return Weights(
            (*multifactor("TRES"), f"PriorityWeightTRES=CPU={span}"),
            True,
            f"{_OF_TRES} Jobs of one width start in the order of submission.",
        )
    return Weights(
        (*multifactor("JobSize"), f"PriorityWeightJobSize={2 * span}", "PriorityFavorSmall=YES"),
        True,
        f"{_OF_SIZE} Jobs of one width start in the order of submission.",
    )


def _relative(weight: float) -> Weights:
    """Return weights for smallest, or largest, r / n first, approximately."""
    favor = "NO" if weight > 0 else "YES"
    return Weights(
        (
            *multifactor("JobSize"),
            f"PriorityWeightJobSize={BUDGET}",
            f"PriorityFavorSmall={favor}",
            "PriorityFlags=SMALL_RELATIVE_TO_TIME",
        ),
        False,
        "The factor is processors by minutes of the time limit, by the processors of all nodes: a "
        "job narrower than a node counts as a node, and one that asks for nodes (-N) as all of "
        f"those nodes. It is kept in steps of 1 / {BUDGET}: long, narrow jobs on a large machine "
        "may share one and then start in the order of submission.",
    )


def _age_and_size(age: float, size: float, processors: int) -> Weights:
    """Return weights for a weighted sum of wait and width, the smallest first."""
    wait, width = age * MAX_AGE_DAYS * DAY, abs(size) * processors
    factor = 2 if size > 0 else 1  # processors are one half of the size factor
    scale = BUDGET / (wait + factor * width)
    second = age * scale
    lines = [
        *multifactor("Age", "JobSize" if size > 0 else "TRES"),
        f"PriorityWeightAge={int(wait * scale)}",
        f"PriorityMaxAge={MAX_AGE_DAYS}-0",
        "PriorityCalcPeriod=1",
    ]
    if size > 0:
        lines += [f"PriorityWeightJobSize={int(2 * width * scale)}", "PriorityFavorSmall=YES"]
    else:
        lines.append(f"PriorityWeightTRES=CPU={int(width * scale)}")
    return Weights(
        tuple(lines),
        False,
        "PriorityWeightAge needs slurmdbd: without it Slurm ignores it, and size alone orders. "
        f"A second of waiting is {second:.4g} of priority, a processor {abs(size) * scale:.4g}: "
        "scores that are closer than one of priority may be tied and then start in the order of "
        "submission. Ages are updated each minute (PriorityCalcPeriod), so that what has just "
        f"been submitted may stand up to a minute too high; they grow for {MAX_AGE_DAYS} days, "
        "from when a job could start, not while it is held or depends on others. "
        f"{_OF_SIZE if size > 0 else _OF_TRES}",
    )


def multifactor(*but: str) -> tuple[str, ...]:
    """Return the lines that disable all weights except some that are set elsewhere."""
    off = dict.fromkeys(("Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS"), "0")
    off["TRES"] = "CPU=0"  # a list of weights; missing ones are 0
    weights = (f"PriorityWeight{name}={none}" for name, none in off.items() if name not in but)
    return ("PriorityType=priority/multifactor", *weights)


_OF_SIZE = (
    "Half of Slurm's job size factor is the nodes that a job asks for (-N), which the order must "
    "be thought without: it holds among jobs that ask for no nodes, or where none that asks for "
    "more processors asks for fewer nodes."
)
_OF_TRES = "The factor is the processors asked for by those of the partition: one size of all."
