"""Runs, tables, claims and figure of the trial of published policies."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.metrics import bounded_slowdown
from schedlab.policies.neural import RLSCHEDULER, NeuralPolicy
from schedlab.queue.dialects import DIALECTS
from schedlab.queue.simulation import Run, simulate
from schedlab.report.comparison import read_published, read_reasons
from schedlab.studies.zhang2020.runs import BASE, RL, VARIANTS, first_job, run_trials
from schedlab.studies.zhang2020.sheet import PolicyTrial, as_run
from schedlab.studies.zhang2020.statistics import check_trial
from schedlab.studies.zhang2020.tables import change_choices, compare_means, weigh_phantoms

ROW = PolicyTrial(
    "lublin_256", "Lublin-256", "x", "m", "zhang2020", 8, 4, "rl_lublin256", 8, 40, 10.0
)
RESOURCES = "resources/zhang2020"


class Log:
    """Jobs by cleaning, in place of a source: those of every tenth number never ran."""

    def __init__(self, count=400, phantoms=True):
        stream = np.random.default_rng(3)
        self.frame = pd.DataFrame(
            {
                "number": np.arange(1, count + 1),
                "submit": np.cumsum(stream.integers(0, 60, count)),
                "runtime": stream.integers(10, 300, count),
                "procs": stream.integers(1, 9, count),
                "user": stream.integers(0, 9, count),
                "group": 1,
                "queue": -1,
            }
        )
        self.frame["estimate"] = self.frame["runtime"] + stream.integers(0, 90, count)
        self.ran = self.frame["number"] % 10 > 0 if phantoms else self.frame["number"] > 0
        self.frame.loc[~self.ran, "runtime"] = 10

    def jobs(self, cleaning):
        return self.frame[self.ran] if cleaning == "zhang2020_ran" else self.frame


def network(weights):
    """Return a policy whose logit is a weighted sum of the inputs."""
    kernel = np.array([[weights.get(name, 0)] for name in RLSCHEDULER], "f4")
    layers = ((kernel, np.zeros(1, "f4")),)
    return NeuralPolicy("net", "net", "net", layers=layers, features=RLSCHEDULER)


@pytest.fixture(scope="module")
def runs():
    return run_trials(ROW, Log(), network({"estimate": -1.0, "user": -0.2}))


def test_a_window_is_run_as_published(runs):
    log, place = Log(), runs[(runs["variant"] == BASE) & (runs["policy"] == RL)].iloc[0]
    policy = network({"estimate": -1.0, "user": -0.2}).of_log(log.frame)
    means = []
    for begin in range(len(log.frame) - ROW.length):
        window = log.frame.iloc[begin : begin + ROW.length]
        jobs = Jobs.from_frame(window).rebased()
        run = Run(jobs, 8, policy, dialect=DIALECTS["rlscheduler"], reservations="head")
        values = bounded_slowdown(jobs, simulate(run))
        never = (window["number"] % 10 == 0).to_numpy()
        means.append((values.mean(), values[never].sum() / values.sum(), values[~never].mean()))
    expected = (place["slowdown"], place["phantom_share"], place["ran_slowdown"])
    assert np.isclose(means, expected).all(axis=1).any()


def test_variants_change_what_they_name(runs):
    means = runs.groupby(["variant", "policy"], sort=False)["slowdown"].mean().unstack()
    assert list(means.index) == [variant.name for variant in VARIANTS]
    heuristics = means.columns.drop(RL)
    for name in ("shuffled", "sampled"):
        assert (means.loc[name, heuristics] == means.loc[BASE, heuristics]).all()
        assert means.at[name, RL] != means.at[BASE, RL]
    assert (means.loc["easy"] != means.loc[BASE]).all()
    assert means.at["exact", "FCFS"] != means.at[BASE, "FCFS"]
    counts = runs.groupby("variant")["jobs"].max()
    assert counts["length_256"] == 256
    assert counts["length_4096"] == 400
    assert runs.loc[runs["variant"] == "ran", "phantoms"].eq(0).all()


def test_variants_that_change_nothing_are_left_out():
    log = Log(phantoms=False)
    log.frame = log.frame.assign(estimate=log.frame["runtime"], user=-1)
    found = run_trials(replace(ROW, windows=2), log, network({"procs": 1.0}))
    assert set(found["variant"]) == {BASE, "easy", "sampled", "length_256", "length_4096"}


def test_heuristics_run_without_weights_and_nothing_without_a_log():
    assert RL not in set(run_trials(replace(ROW, windows=1), Log(), None)["policy"])
    log = Log()
    log.frame = log.frame[:0]
    log.ran = log.ran[:0]
    assert run_trials(ROW, log, None).empty


def test_a_configuration_limits_windows():
    rows = as_run([ROW], {"source": "logs", "zhang2020": {"windows": 3}})
    assert (rows[0].windows, rows[0].processors) == (3, 8)
    rows = as_run([ROW], {"source": "models", "zhang2020": {"windows": None}})
    assert (rows[0].windows, rows[0].processors) == (8, 4)


def compared(root, row, runs):
    published = read_published(root / RESOURCES / "published.tsv", "means")
    reasons = read_reasons(root / RESOURCES / "reasons.tsv", "means")
    table = compare_means([row], [runs], published, reasons).rows
    return table.set_index("policy")


def test_published_means_are_compared(root, runs):
    """235 is published for FCFS; only an interval that contains it is consistent."""
    table = compared(root, ROW, runs)
    assert table.at["FCFS", "published"] == "235"
    assert table.at["FCFS", "verdict"] == "differs"
    assert table.at["WFP3", "verdict"] == ""
    near = runs.assign(slowdown=235 + runs["window"] - 2.1)
    assert compared(root, ROW, near).at["FCFS", "verdict"] == "consistent"
    values = 245 + 60 * np.sin(np.arange(200))  # 235 is 3 standard errors away, 1.5 of 40 windows
    many = pd.DataFrame({"window": range(200), "slowdown": values, "variant": BASE})
    assert compared(root, ROW, many.assign(policy="FCFS")).at["FCFS", "verdict"] == "consistent"
    model = replace(ROW, stand_in="model, 8 processors (stands in for x)")
    assert compared(root, model, near).at["FCFS", "verdict"] == "log not available"
    alone = runs[runs["policy"] != RL]
    assert compared(root, ROW, alone).at[RL, "verdict"] == "log not available"


def test_ratios_have_intervals(runs):
    words = {"choices": {"sentence": "The policy beats F1 in {{ better }} of {{ cases }} settings"}}
    made = change_choices([ROW], [runs], words)
    rows = made["choices"].rows.set_index("variant")
    base = runs[runs["variant"] == BASE].pivot(index="window", columns="policy", values="slowdown")
    assert rows.at[BASE, "to_F1"] == pytest.approx(base[RL].mean() / base["F1"].mean())
    assert rows.at[BASE, "F1_low"] < rows.at[BASE, "to_F1"] < rows.at[BASE, "F1_high"]
    empty = change_choices([ROW], [runs[runs["policy"] != RL]], words)
    assert "log not available" in empty["fig_choices"].figure.texts[0].get_text()


def test_shares_of_jobs_that_never_ran():
    """Two windows of two jobs, one of which never ran: sums 2 + 18 and 10, of which 18 and 5."""
    cells = [(BASE, "F1", 0, 2, 10.0, 1, 0.9, 2.0), (BASE, "F1", 1, 2, 5.0, 1, 0.5, 5.0)]
    names = ["variant", "policy", "window", "jobs", "slowdown", "phantoms", "phantom_share"]
    runs = pd.DataFrame(cells, columns=[*names, "ran_slowdown"])
    row = weigh_phantoms([ROW], [runs]).rows.iloc[0]
    assert row["phantom_share"] == pytest.approx(23 / 30)
    assert (row["jobs_share"], row["largest_share"], row["ran_mean"]) == (0.5, 1, 3.5)


def test_claims_are_decided_by_resampled_windows(root, runs):
    claims = root / RESOURCES / "claims.tsv"
    better = "in its own simulator the policy is better than FCFS"
    for slowdown, result in ((1, "holds"), (1e6, "fails")):
        changed = runs.assign(slowdown=np.where(runs["policy"] == RL, slowdown, runs["slowdown"]))
        table = check_trial([ROW], [changed], claims)[0].rows.set_index("claim")["result"]
        assert table[better] == result
    model = replace(ROW, stand_in="model, 8 processors (stands in for x)")
    for row, table in ((ROW, runs[runs["policy"] != RL]), (model, runs)):
        assert set(check_trial([row], [table], claims)[0].rows["result"]) == {"log not available"}


def test_windows_begin_where_the_published_program_draws_them():
    assert [first_job(place, 10_000, 1024) for place in (0.0, 0.5, 0.99999)] == [1024, 4999, 8974]
    # a log that is too short for that is used whole
    assert [first_job(place, 20, 10) for place in (0.0, 0.5, 0.99999)] == [0, 5, 9]
    assert first_job(0.5, 8, 10) == 0
