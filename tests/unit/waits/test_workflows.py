"""Workflows: chains and other graphs of stages."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from schedlab.waits.workflows import GROUPS, Stage, Workflow, of_groups, parallel_seconds


@pytest.fixture
def diamond():
    """One stage, two in parallel, and one more, given in another order."""
    return Workflow(
        "diamond",
        (
            Stage("last", 2, 5, ("wide", "long")),
            Stage("first", 1, 10),
            Stage("wide", 8, 20, ("first",)),
            Stage("long", 3, 30, ("first",)),
        ),
    )


def test_a_graph_by_hand(diamond):
    assert diamond.before == ((2, 3), (), (1,), (1,))
    assert diamond.order in ((1, 2, 3, 0), (1, 3, 2, 0))
    assert diamond.earliest == (45, 10, 30, 40)
    assert diamond.seconds == 45
    assert diamond.core_seconds == 10 + 10 + 160 + 90
    assert diamond.peak == 11
    assert diamond.merged().stages == (Stage("all", 11, 45),)
    assert diamond.merged().name == "diamond"


def test_cores_of_an_ending_stage_are_free_for_a_beginning_one():
    """A stage of no length needs its cores all the same."""
    chain = Workflow("chain", (Stage("a", 5, 3), Stage("b", 7, 3, ("a",))))
    assert chain.peak == 7
    parallel = Workflow("parallel", (Stage("a", 5, 4), Stage("b", 1, 3), Stage("c", 7, 3, ("b",))))
    assert parallel.peak == 12
    assert Workflow("short", (Stage("a", 5, 0),)).peak == 5
    between = (Stage("a", 2, 3), Stage("b", 9, 0, ("a",)), Stage("c", 2, 3, ("b",)))
    workflow = Workflow("between", between)
    assert (workflow.seconds, workflow.peak) == (6, 9)


@pytest.mark.parametrize(
    ("stages", "message"),
    [
        ((), "workflow w: no stages"),
        ((*[Stage("b", 1, 1)] * 2, *[Stage("a", 2, 2)] * 2), "more than one stage is named 'b'"),
        ((Stage("a", 0, 1),), "stage 'a': cores is 0, must be a whole number from 1 on"),
        ((Stage("a", 1.5, 1),), "cores is 1.5"),
        ((Stage("a", True, 1),), "cores is True"),
        ((Stage("a", 1, -1),), "seconds is -1, must be a whole number from 0 on"),
        ((Stage("a", 1, 1, ("b", "c")),), "stage 'a' comes after 'b', which is none of its stages"),
        ((Stage("a", 1, 1, ("a",)),), "stages in a circle: 'a' after 'a'"),
        (
            (Stage("a", 1, 1, ("b",)), Stage("b", 1, 1, ("c",)), Stage("c", 1, 1, ("b",))),
            "stages in a circle: '[bc]' after '[bc]' after '[bc]'",
        ),
    ],
)
def test_invalid_workflow_is_rejected(stages, message):
    with pytest.raises(ValueError, match=message):
        Workflow("w", stages)


def test_circular_dependency_is_reported_in_its_direction():
    stages = (Stage("a", 1, 1, ("c",)), Stage("b", 1, 1, ("a",)), Stage("c", 1, 1, ("b",)))
    with pytest.raises(ValueError, match="circle: ") as caught:
        Workflow("w", stages)
    told = re.findall("'(.)' after '(.)'", str(caught.value).replace(" after ", " after ", 1))
    after = {"a": "c", "b": "a", "c": "b"}
    assert told
    assert all(after[one] == other for one, other in told)


def test_stages_and_the_whole_must_fit(diamond):
    diamond.check_fits(11)
    with pytest.raises(ValueError, match="stage 'all' needs 11 cores, the machine has 10"):
        diamond.check_fits(10)
    with pytest.raises(ValueError, match="workflow diamond: stage 'wide' needs 8 cores"):
        diamond.check_fits(7)


def test_a_chain_of_groups():
    chain = of_groups("Montage", GROUPS["Montage"], 28, 891, 246)
    assert chain.stages[:2] == (
        Stage("parallel 1", 28, 446),
        Stage("sequential 1", 1, 123, ("parallel 1",)),
    )
    assert [stage.seconds for stage in chain.stages] == [446, 123, 445, 123]
    assert chain.before == ((), (0,), (1,), (2,))
    assert chain.seconds == 1137
    assert chain.peak == 28
    assert chain.core_seconds == 28 * 891 + 246
    statistics = of_groups("s", GROUPS["Statistics"], 9, 2, 2)
    assert [stage.cores for stage in statistics.stages] == [1, 9, 1, 9]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        ("PZXS", "groups are 'PZXS': 'X' is no P or S"),
        ("PP", "workflow w: 7 s of kind S, groups are 'PP'"),
        ("S", "5 s of kind P"),
        ("", "no stages"),
    ],
)
def test_invalid_groups_are_rejected(groups, message):
    with pytest.raises(ValueError, match=message):
        of_groups("w", groups, 4, 5 * bool(groups), 7 * bool(groups))


def test_parallel_time_from_core_hours_by_hand():
    """10 cores for 100 s and one for 260 s are 1260 core-seconds: 0.35 core-hours."""
    assert parallel_seconds(360, 0.35, 10) == pytest.approx(100)
    assert parallel_seconds(360, 0.1, 10) == 0
    assert parallel_seconds(360, 1, 10) == 360
    assert parallel_seconds(360, 1.1, 10) == 360
    assert parallel_seconds(360, 0.09, 10) == 0
    with pytest.raises(ValueError, match="cores is 1"):
        parallel_seconds(360, 1, 1)


@given(
    st.text("PS", min_size=1, max_size=7),
    st.integers(2, 50),
    st.integers(0, 900),
    st.integers(0, 900),
)
def test_chains_use_the_given_times(groups, cores, parallel, sequential):
    parallel, sequential = parallel * ("P" in groups), sequential * ("S" in groups)
    chain = of_groups("w", groups, cores, parallel, sequential)
    assert chain.seconds == parallel + sequential
    assert chain.core_seconds == cores * parallel + sequential
    hours = chain.core_seconds / 3600
    assert parallel_seconds(chain.seconds, hours, cores) == pytest.approx(parallel, abs=1e-6)
    for kind in "PS":
        lengths = [s.seconds for s, k in zip(chain.stages, groups, strict=True) if k == kind]
        assert not lengths or max(lengths) - min(lengths) <= 1
