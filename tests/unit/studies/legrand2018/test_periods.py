"""Policies, spaces and searches over periods."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import jobs_by_piece
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.core.splitting import split
from schedlab.core.streams import generator
from schedlab.files.io import write_parquet
from schedlab.learning.weights.mixed import evaluate, evaluate_pure, grid, scales_of
from schedlab.policies import get
from schedlab.policies.mixed import mixed_policy
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.studies.legrand2018 import periods
from schedlab.studies.legrand2018.periods import PURE_COLUMNS
from schedlab.studies.legrand2018.search import SearchSettings, search_weights
from schedlab.workloads import lublin

PROCESSORS, THRESHOLD, CODE = 16, 20_000, "digest of the sources"
SETTINGS = SearchSettings(evaluations=12, penalty=1.0, population=4, sigma=0.5)


@pytest.fixture(scope="module")
def weeks():
    jobs = lublin.generate(1200, PROCESSORS, generator("test", "periods"))
    pieces = split(jobs, "weeks")
    return jobs_by_piece(pieces[pieces["piece"] <= 2])


@pytest.fixture(scope="module")
def scales(weeks):
    return scales_of(list(weeks.values()), PROCESSORS)


def test_periods_are_read_by_number_and_a_missing_one_is_an_error(weeks, tmp_path):
    path = tmp_path / "pieces.parquet"
    frames = [jobs.to_frame().assign(piece=number) for number, jobs in weeks.items()]
    write_parquet(pd.concat(frames), path)
    assert list(periods.read_periods(path, [2])) == [2]
    with pytest.raises(ValueError, match=r"pieces\.parquet.* there are no jobs in piece 3"):
        periods.read_periods(path, [2, 3])
    write_parquet(frames[0].iloc[:0], path)
    assert periods.read_periods(path, [1, 2]) == {}


def test_a_log_that_ends_too_early_is_named_with_its_last_piece(weeks, tmp_path):
    """As one without a checksum does that was cut at a line end."""
    path = tmp_path / "SITE-1.2.rr9212_weeks.weeks.parquet"
    frames = [jobs.to_frame().assign(piece=number) for number, jobs in weeks.items()]
    write_parquet(pd.concat(frames), path)
    wanted = (
        r"cut from resources/raw/SITE-1\.2\.swf: there are no jobs in piece 3, the last piece is 2"
    )
    with pytest.raises(ValueError, match=wanted):
        periods.read_periods(path, [1, 2, 3])


def test_pure_policies_run_under_every_threshold_on_every_period(weeks):
    names = ["saf", "lexp"]
    policies = dict(zip(names, names, strict=True))
    frame = periods.simulate_pure(weeks, PROCESSORS, policies, [None, THRESHOLD])
    assert frame.dtypes.astype(str).to_dict() == PURE_COLUMNS
    assert len(frame) == 8
    own = frame[frame["threshold"].eq(THRESHOLD).fillna(False) & (frame["piece"] == 2)]
    wanted = evaluate_pure(weeks[2], PROCESSORS, names, THRESHOLD)
    assert own["avebsld"].tolist() == wanted.tolist()


def test_space_has_every_vector_of_the_grid_in_every_period(weeks, scales, tmp_path):
    part = tmp_path / "space.part"
    surface = periods.cover_space(weeks, PROCESSORS, scales[:3], THRESHOLD, 4, part, CODE)
    assert surface.pieces.tolist() == [1, 2]
    wanted = evaluate(weeks[2], PROCESSORS, grid(4), scales[:3], THRESHOLD).mean
    assert np.array_equal(surface.values[1], wanted)


def test_finished_periods_are_not_covered_again(weeks, scales, tmp_path, monkeypatch):
    part = tmp_path / "space.part"
    first = {1: weeks[1]}
    periods.cover_space(first, PROCESSORS, scales[:3], THRESHOLD, 4, part, CODE)
    covered = []

    def counted(jobs, *rest):
        covered.append(jobs)
        return evaluate(jobs, *rest)

    monkeypatch.setattr(periods, "evaluate", counted)
    periods.cover_space(weeks, PROCESSORS, scales[:3], THRESHOLD, 4, part, CODE)
    assert covered == [weeks[2]]
    periods.cover_space(weeks, PROCESSORS, scales[:3], None, 4, part, CODE)
    assert len(covered) == 3
    periods.cover_space(weeks, PROCESSORS, scales[:3], None, 4, part, "other sources")
    assert len(covered) == 5


@pytest.mark.parametrize("threads", [1, 3])
def test_searches_do_not_depend_on_the_threads(weeks, scales, tmp_path, threads):
    def search(name, count):
        settings = (THRESHOLD, (3, 6), SETTINGS, ["test"], tmp_path / name, CODE, count)
        return search_weights(weeks, PROCESSORS, scales, *settings)

    found = search("one.part", threads)
    pd.testing.assert_frame_equal(found, search("other.part", 1))
    assert found[["piece", "features"]].to_numpy().tolist() == [[1, 3], [1, 6], [2, 3], [2, 6]]
    assert found[["q", "p", "wait", "ratio", "exp", "area"]].abs().sum(axis=1).to_numpy() == (
        pytest.approx(1.0)
    )
    assert (found.loc[found["features"] == 3, ["ratio", "exp", "area"]] == 0).all(axis=None)


def test_no_periods_give_no_rows(tmp_path):
    ones = np.ones(6)
    one, other = tmp_path / "a.part", tmp_path / "b.part"
    assert periods.simulate_pure({}, 1, {"saf": "saf"}, [None]).empty
    assert len(periods.cover_space({}, 1, ones[:3], None, 4, one, CODE)) == 0
    nothing = search_weights({}, 1, ones, None, [3], SETTINGS, ["x"], other, CODE)
    assert nothing.empty


def slowdown(jobs, policy, tau):
    """Average bounded slowdown of one run, by the metric's own definition."""
    run = Run(jobs, PROCESSORS, policy, get("spf"), DIALECTS["ocs"], threshold=THRESHOLD)
    return average_bounded_slowdown(jobs, simulate(run), tau)


def test_pure_runs_take_the_tau_of_the_row(weeks):
    """A bound of 60 s gives other numbers than the usual one, those of the metric."""
    policies = {"saf": "saf", "mine": "r * n - 2 * w"}
    usual = periods.simulate_pure(weeks, PROCESSORS, policies, [THRESHOLD])
    found = periods.simulate_pure(weeks, PROCESSORS, policies, [THRESHOLD], tau=60)
    assert found["policy"].tolist() == ["saf", "mine"] * 2
    assert found["avebsld"].tolist() == [
        slowdown(jobs, get(text), 60) for jobs in weeks.values() for text in policies.values()
    ]
    assert (found["avebsld"] < usual["avebsld"]).all()


def test_spaces_and_searches_take_the_tau_of_the_row(weeks, scales, tmp_path):
    """A bound of 60 s gives what the metric says of the same vectors."""
    settings = (weeks, PROCESSORS, scales[:3], THRESHOLD, 4, tmp_path / "space", CODE)
    surface = periods.cover_space(*settings, tau=60)
    wanted = [slowdown(weeks[2], mixed_policy(row, scales[:3]), 60) for row in surface.weights]
    assert surface.values[1].tolist() == pytest.approx(wanted, rel=1e-12)
    settings = (weeks, PROCESSORS, scales, THRESHOLD, [6], SETTINGS, ["x"], tmp_path / "xnes", CODE)
    for found in search_weights(*settings, tau=60).itertuples(index=False):
        policy = mixed_policy(found[-6:], scales)
        assert found.value == pytest.approx(slowdown(weeks[found.piece], policy, 60), rel=1e-12)
