"""Workloads mixed from a pool."""

import numpy as np
import pytest

from schedlab.core.streams import generator
from schedlab.cosched import workloads
from schedlab.cosched.machine import ARIS, shared_nodes
from schedlab.cosched.pool import PoolError, read_pool


@pytest.fixture(scope="module")
def pool(root):
    return read_pool(root / "resources/kellari2025/table4_1.tsv")


def test_applications_depend_on_the_key_and_not_on_arrivals_or_estimates(pool):
    plain, other = (workloads.random_workload(pool, ARIS, 50, (key,)) for key in ("a", "b"))
    arrivals = workloads.Arrivals("weibull", 30.0)
    varied = workloads.random_workload(pool, ARIS, 50, ("a",), arrivals, "factor")
    assert plain.app.tolist() == varied.app.tolist() != other.app.tolist()
    assert not plain.submit.any()


def test_jobs_have_their_applications_processes_times_and_walls(pool):
    jobs = workloads.workload(pool, pool.index(["ep.E.512", "sp.C.64"]), np.zeros(2), ARIS)
    assert jobs.procs.tolist() == [512, 64]
    assert jobs.time.tolist() == [72.89, 20.12]
    assert jobs.wall.tolist() == pytest.approx([1.4 * 72.89, 1.4 * 20.12], abs=1e-12)


def test_frequencies_are_relative_and_the_rest_does_not_occur(pool):
    drawn = workloads.by_frequencies(
        pool, 4000, generator("tests"), {"bt.D.64": 3, "ep.E.512": 1, "is.E.256": 0}
    )
    shares = {pool.names[place]: np.mean(drawn == place) for place in np.unique(drawn)}
    assert set(shares) == {"bt.D.64", "ep.E.512"}
    assert shares["bt.D.64"] == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize("kind", ["constant", "random", "poisson", "weibull"])
def test_arrivals_start_at_0_never_go_back_and_keep_their_mean(kind):
    times = workloads.Arrivals(kind, 10.0).draw(20_000, generator("tests", kind))
    assert times[0] == 0
    assert (np.diff(times) >= 0).all()
    assert np.diff(times).mean() == pytest.approx(10, rel=0.1)


def test_weibull_gaps_are_bursty_and_those_of_a_log_scaled():
    gaps = np.diff(workloads.Arrivals("weibull", 10.0, 0.5).draw(20_000, generator("tests")))
    assert gaps.std() > 1.5 * gaps.mean()
    log = [0.0, 1.0, 4.0]
    gaps = np.diff(workloads.Arrivals("log", 10.0, submit=log).draw(7, generator("tests")))
    assert len(set(np.round(gaps, 9))) == 2
    assert max(gaps) == pytest.approx(3 * min(gaps))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": "posson"}, "'posson' is not one of constant, random"),
        ({"gap": -1.0}, "mean gap is -1 s"),
        ({"gap": float("inf")}, "mean gap is inf s"),
        ({"kind": "weibull", "shape": 0.0}, "shape is 0, must be above 0"),
        ({"kind": "log", "gap": 1.0}, "a log of two jobs"),
    ],
)
def test_impossible_arrivals_are_errors(settings, message):
    with pytest.raises(ValueError, match=message):
        workloads.Arrivals(**settings)


def test_application_larger_than_the_machine_is_named(pool):
    with pytest.raises(PoolError, match=r"'bt.E.1024' asks for 1024.*100 nodes of 20 cores"):
        workloads.workload(pool, pool.index(["bt.E.1024"]), np.zeros(1), shared_nodes(100))


@pytest.mark.parametrize("how", ["wall", "factor", "tsafrir"])
def test_estimates_are_never_below_the_compact_run_time(pool, how):
    time = pool.compact[workloads.choose_applications(pool, 300, generator("tests"))]
    wall = workloads.requested_wall_times(time, how, generator("tests", how))
    assert (wall >= time).all()
    assert wall.max() <= max(3600, 5 * time.max())


def test_cell_of_a_sheet_is_all_a_list_or_frequencies(pool):
    def drawn(*cell):
        places = workloads.choose_applications(pool, 50, generator("tests"), cell)
        return [pool.names[place] for place in places]

    assert len(set(drawn())) > 10
    assert drawn("ep.E.512", "bt.D.64") == ["ep.E.512", "bt.D.64"] * 25
    assert set(drawn("ep.E.512=1", "bt.D.64=0.5")) == {"ep.E.512", "bt.D.64"}
    assert set(drawn("ep.E.512=1", "bt.D.64=0")) == {"ep.E.512"}
    with pytest.raises(PoolError, match=r"'xx\.D\.64' is not in the pool"):
        drawn("bt.D.64", "xx.D.64")
    for frequency in (-1.0, float("nan")):
        with pytest.raises(ValueError, match=r"frequency of 'bt.D.64'"):
            workloads.by_frequencies(pool, 3, generator("x"), {"bt.D.64": frequency})


@pytest.mark.parametrize("cell", [("ep.E.512=1", "bt.D.64"), ("ep.E.512=x",)])
def test_frequency_that_is_no_number_is_named(pool, cell):
    with pytest.raises(ValueError, match=r"the frequency of '.*' is '.*', must be a number"):
        workloads.choose_applications(pool, 5, generator("tests"), cell)


def test_mean_gap_is_that_of_the_jobs_that_are_drawn(pool):
    work = dict(zip(pool.names, pool.procs * pool.compact / ARIS.processors, strict=True))
    one, other = work["ep.E.512"], work["bt.D.64"]
    for cell, gap in (
        (["ep.E.512"], one),
        (["ep.E.512", "bt.D.64", "bt.D.64"], (one + 2 * other) / 3),
        (["ep.E.512=3", "bt.D.64=1"], (3 * one + other) / 4),
        ([], sum(work.values()) / len(work)),
    ):
        assert workloads.mean_gap(pool, ARIS, 0.5, cell) == pytest.approx(gap / 0.5)
