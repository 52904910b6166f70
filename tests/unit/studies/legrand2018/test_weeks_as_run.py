"""Weeks of the real logs, run as in legrand2018: each mean equals that of a plain oracle."""

from pathlib import Path

import pandas as pd
import pytest

from schedlab.core.jobs import jobs_by_piece
from schedlab.core.splitting import split
from schedlab.learning.weights.mixed import evaluate_pure
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf

# log, policy, week, mean: from plain Python that reads the logs and shares no line with the project
ORACLE = Path(__file__).parents[3] / "oracles/rr9212_weeks.tsv"
PROCESSORS = {"KTH-SP2": 100, "CTC-SP2": 338, "SDSC-SP2": 128, "SDSC-BLUE": 1152}
POLICIES = ("saf", "lexp")
THRESHOLD = 72_000
EVERY = ("saf", "spf", "lexp", "sqf", "sexp", "lrf", "srf", "fcfs", "lcfs", "lpf", "lqf", "laf")


@pytest.mark.logs
@pytest.mark.parametrize("name", PROCESSORS)
def test_every_week_has_the_mean_of_the_oracle(raw_log, name):
    jobs, _ = clean(read_swf(raw_log(name)).jobs, "rr9212", name)
    weeks = jobs_by_piece(split(jobs, "log_weeks"))
    oracle = pd.read_csv(ORACLE, sep="\t").query("log == @name")
    wanted = oracle.pivot(index="week", columns="policy", values="mean")
    assert len(wanted) == {"KTH-SP2": 45, "CTC-SP2": 45}.get(name, 100)
    for week, row in wanted.iterrows():
        found = evaluate_pure(weeks[week], PROCESSORS[name], POLICIES, THRESHOLD, tau=60)
        assert found.tolist() == pytest.approx(row[list(POLICIES)].tolist(), abs=2e-9), week


@pytest.mark.logs
@pytest.mark.parametrize("name", PROCESSORS)
def test_sums_in_log_order_differ_by_at_most_0_2_percent(raw_log, name):
    """What the page and the captions of the mixed policies say."""
    jobs, _ = clean(read_swf(raw_log(name)).jobs, "rr9212", name)
    weeks = jobs_by_piece(split(jobs, "log_weeks"))
    last = 45 if name in ("KTH-SP2", "CTC-SP2") else 100
    exact, in_order = (
        sum(
            evaluate_pure(weeks[week], PROCESSORS[name], EVERY, 200_000, tau=60, dialect=dialect)
            for week in range(1, last + 1)
        )
        for dialect in ("ocs", "ocs_in_order")
    )
    off = abs(in_order / exact - 1).max()
    assert 0 < off <= 0.002
