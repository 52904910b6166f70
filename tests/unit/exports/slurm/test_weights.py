"""Weights of Slurm's priorities, compared with the scores of the policy."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.exports.slurm.weights import BUDGET, weights_of
from schedlab.policies import get
from schedlab.policies.expression import compile_expression

PER_NODE = 8


def priorities(lines, processors, r, n, age):
    """Priorities as Slurm 22.05 computes them: 20 of 32 processors give 28000 of 64000."""
    said = dict(line.split("=", 1) for line in lines)
    size, nodes = int(said.get("PriorityWeightJobSize", 0)), processors // PER_NODE
    small = said.get("PriorityFavorSmall") == "YES"
    if said.get("PriorityFlags") == "SMALL_RELATIVE_TO_TIME":
        share = np.maximum(processors / nodes, n) / (r / 60) / processors
        factor = 1 - share if small else share
    elif small:
        factor = ((nodes - 1) / nodes + (processors - n) / processors) / 2
    else:
        factor = (1 / nodes + n / processors) / 2
    days = int(said.get("PriorityMaxAge", "7-0").split("-")[0])
    old = np.minimum(age / (days * 86400), 1)
    cpu = int(said.get("PriorityWeightTRES", "CPU=0").removeprefix("CPU="))
    total = size * factor + int(said.get("PriorityWeightAge", 0)) * old + cpu * (n / processors)
    assert (total <= 2**32 - 1).all()
    return np.maximum(total, 1).astype(np.int64)


def test_arithmetic_matches_priorities_of_a_real_slurm():
    n, r = np.array([2, 20]), np.array([600, 600])
    for lines, expected in (
        (["PriorityWeightJobSize=64000"], [10000, 28000]),
        (["PriorityWeightTRES=CPU=32000"], [2000, 20000]),
        (
            ["PriorityWeightJobSize=2000000000", "PriorityFlags=SMALL_RELATIVE_TO_TIME"],
            [50000000, 125000000],
        ),
    ):
        assert priorities(lines, 32, r, n, 0).tolist() == expected


sizes = st.sampled_from([8, 128, 1024, 100_000, 3_000_000])
shares = st.lists(st.floats(0, 1), min_size=2, max_size=30)


@given(sizes, shares, st.sampled_from(["sqf", "lqf", "0.5 * (n / 4) - 3", "-2 * n"]))
def test_other_widths_have_other_priorities_in_the_policys_order(processors, shares, policy):
    n = np.unique(np.rint(1 + np.array(shares) * (processors - 1)))
    n = np.unique(np.minimum(np.concatenate([n, n + 1]), processors))
    found = weights_of(get(policy).expression, processors)
    assert found.exact
    priority = priorities(found.lines, processors, np.full(n.size, 60.0), n, 0)
    score = compile_expression(get(policy).expression).scores(n, n, n)
    assert (np.diff(priority) * np.sign(np.diff(score)) < 0).all()


@given(
    sizes,
    st.lists(st.tuples(st.integers(1, 12), st.integers(1, 3000)), min_size=2, max_size=20),
    st.sampled_from(["srf", "lrf"]),
)
def test_ratios_of_whole_nodes_are_never_the_wrong_way_round(processors, jobs, policy):
    nodes, minutes = np.array(jobs).T
    n, r = np.minimum(nodes * PER_NODE, processors), minutes * 60.0
    found = weights_of(get(policy).expression, processors)
    assert not found.exact
    priority = priorities(found.lines, processors, r, n, 0)
    score = compile_expression(get(policy).expression).scores(r, n, n)
    order = np.argsort(score)
    assert (np.diff(priority[order]) <= 1).all(), "but for the last step's rounding"


@pytest.mark.slow
@given(
    sizes,
    st.lists(st.tuples(st.floats(0, 1), st.integers(0, 360 * 86400)), min_size=2, max_size=20),
    st.tuples(st.floats(0.05, 0.95), st.floats(1, 1e4), st.floats(60, 1e5), st.booleans()),
)
def test_sums_of_wait_and_width_keep_the_order_of_separate_scores(processors, jobs, policy):
    """A step of priority is what the text says: seconds of waiting, processors."""
    share, q, wait, small = policy
    sign = 1 if small else -1
    expression = f"{sign * share!r} * (n / {q!r}) + {1 - share!r} * (s / {wait!r})"
    found = weights_of(expression, processors)
    widths, submit = np.array(jobs).T
    n = np.rint(1 + widths * (processors - 1))
    priority = priorities(found.lines, processors, n, n, 361 * 86400 - submit)
    scale = BUDGET / (
        (1 - share) / wait * 365 * 86400 + (2 if small else 1) * share / q * processors
    )
    score = compile_expression(expression).scores(n, n, submit) * scale
    order = np.argsort(score)
    apart = np.diff(score[order]) > 3  # weights, and the priority, are cut to whole numbers
    assert (np.diff(priority[order])[apart] < 0).all()


@pytest.mark.parametrize(
    ("expression", "line"),
    [
        ("s", "PriorityType=priority/basic"),
        ("3 + 0.5 * (s / 600)", "PriorityType=priority/basic"),
        ("-w", "PriorityType=priority/basic"),
        ("n", "PriorityWeightJobSize=64000"),
        ("-n", "PriorityWeightTRES=CPU=32000"),
        ("r / n", "PriorityFavorSmall=NO"),
        ("-(r / n)", "PriorityFavorSmall=YES"),
        ("n + s", "PriorityFavorSmall=YES"),
        ("n - w", "PriorityCalcPeriod=1"),
        ("s - n", "PriorityMaxAge=365-0"),
    ],
)
def test_lines_by_hand(expression, line):
    lines = weights_of(expression, 32).lines
    assert line in lines
    keys = [each.split("=")[0] for each in lines]
    assert len(keys) == len(set(keys)), "no key twice"


@pytest.mark.parametrize("expression", ["n", "-n", "r / n", "n + s", "s - n"])
def test_every_weight_is_set_explicitly_and_off_where_it_is_not_the_policy(expression):
    lines = weights_of(expression, 32).lines
    every = ("Age", "Assoc", "Fairshare", "JobSize", "Partition", "QOS", "TRES")
    assert {f"PriorityWeight{name}" for name in every} <= {line.split("=")[0] for line in lines}
    of_resources = expression in ("-n", "s - n")
    assert ("PriorityWeightTRES=CPU=0" in lines) is not of_resources
    assert ("PriorityWeightJobSize=0" in lines) is of_resources
    assert ("PriorityWeightAge=0" in lines) is ("s" not in expression)


@pytest.mark.parametrize(
    "expression", ["-s", "r", "r * n", "r / n + s", "n - s", "w / r", "log10(s)", "n - n", "n**2"]
)
def test_policy_that_weights_cannot_express_has_none(expression):
    assert weights_of(expression, 32) is None


@pytest.mark.parametrize(
    ("expression", "factor"),
    [
        ("n", "JobSize"),
        ("-n", "TRES"),
        ("s + 0.5 * n", "JobSize"),
        ("s + n", "JobSize"),
        ("s - 0.5 * n", "TRES"),
    ],
)
def test_requirements_of_the_width_factor_are_stated(expression, factor):
    says = weights_of(expression, 32).says
    assert ("Half of Slurm's job size factor is the nodes" in says) == (factor == "JobSize")
    assert ("by those of the partition: one size of all" in says) == (factor == "TRES")
