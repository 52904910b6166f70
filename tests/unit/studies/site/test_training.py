"""A learned and a tuned policy, evaluated on held-out weeks."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from schedlab.comparison.comparing import compare
from schedlab.core.splitting import middle
from schedlab.studies.site.figures import draw_held_out
from schedlab.studies.site.training import _rows, best_of_others, train
from schedlab.workbench.log import load_log
from schedlab.workbench.results import RECORDED
from site_case import site_log

#: what is fixed beforehand, as the registry's labels
FIXED = ["FCFS", "SPT", "SAF", "WFP", "F1"]


@pytest.fixture(scope="module")
def busy(tmp_path_factory):
    """A log on a machine that is never empty, its waits known."""
    path = tmp_path_factory.mktemp("busy") / "busy.swf"
    return load_log(site_log(path, jobs=1500, runtime=40_000, processors=16, days=29, waits=True))


@pytest.mark.slow
def test_learned_and_tuned_policies_run_on_the_same_held_out_weeks(busy):
    found = train(busy, 3, 4, 1024)
    assert found.policies["policy"].tolist() == ["learned", "tuned"]
    assert (found.policies["expression"] != "").all()
    table = found.held_out
    assert table["metric"].unique().tolist() == ["slowdown", "wait"]
    assert table.index.is_unique
    own = table[table["metric"] == "wait"].set_index("policy")
    assert list(own.index) == [*FIXED, "learned", "tuned", RECORDED]
    assert set(own["weeks"]) == {2}
    # of two weeks nothing is concluded
    assert set(own["against EASY"]) == {"", "too few windows"}
    assert set(own.loc[["learned", "tuned"], "against best"]) == {"too few windows"}
    assert set(own["against best"].drop(["learned", "tuned"])) == {""}
    assert (own["longest wait, d"].drop(RECORDED) > 0).all()
    assert np.isnan(own.loc[RECORDED, "longest wait, d"])
    figure = draw_held_out(table)
    labels = [label.get_text() for label in figure.axes[0].get_yticklabels()]
    assert labels == [*FIXED[1:], "learned", "tuned", RECORDED]


@pytest.mark.slow
def test_held_out_weeks_are_those_of_the_second_half_of_one_run(busy):
    table = train(busy, 3, 4, 1024).held_out
    own = table[table["metric"] == "slowdown"].set_index("policy").loc["SPT", "mean"]
    begin = middle(busy.jobs.submit)
    late, whole = (compare(busy, ["fcfs", "spt"], days=7, begin=one) for one in (begin, None))
    assert own == pytest.approx(late.table.loc["SPT", "mean"])
    assert own != pytest.approx(whole.table.loc["SPT", "mean"])


@pytest.mark.slow
def test_missing_tuples_are_reported_in_the_note(busy):
    said = train(busy, 3, 1000, 1024).policies["note"].iloc[0]
    assert "1,000 tuples were requested: treat the policy with caution" in said


@pytest.mark.slow
def test_policy_that_cannot_be_learned_has_a_reason(tmp_path):
    log = load_log(site_log(tmp_path / "a.swf", jobs=60, processors=4000, days=29))
    found = train(log, 3, 4, 1024)
    said = found.policies.set_index("policy")["note"]
    assert said["learned"].startswith("none: ")
    assert str(log.path) not in said["learned"]
    assert "no vector is better, so the policy is first come, first served" in said["tuned"]
    assert "learned" not in set(found.held_out["policy"])


def test_a_log_of_days_has_no_held_out_weeks(tmp_path):
    log = load_log(site_log(tmp_path / "a.swf", jobs=60, days=9))
    found = train(log, 3, 4, 1024)
    assert found.held_out.empty
    assert found.warnings == ()
    assert found.policies.set_index("policy").loc["tuned", "expression"]


@pytest.mark.slow
def test_an_error_of_the_comparison_is_not_taken_for_a_short_log(tmp_path, monkeypatch):
    def fails(*_, **__):
        raise ValueError("something else")

    log = load_log(site_log(tmp_path / "a.swf", jobs=400, days=29))
    monkeypatch.setattr("schedlab.comparison.tuned_policy.compare", fails)
    with pytest.raises(ValueError, match="something else"):
        train(log, 3, 2, 1024)


def test_learned_policy_is_compared_with_the_best_other_by_interval(busy):
    found = compare(busy, ["fcfs", "spt"], days=7)
    base = np.array([2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0])
    windows = pd.DataFrame({"FCFS": 9 * base, "SPT": base, "learned": 2 * base, "tuned": base / 2})
    table = found.table.iloc[[0]].reindex(windows.columns).assign(mean=windows.mean())
    table = table.rename_axis("policy").assign(verdict="better")
    tails = found.tails.iloc[[0]].reindex(windows.columns).assign(max_wait=9.0)
    changed = replace(found, table=table, windows=windows, tails=tails)
    rows = _rows(changed).set_index("policy")
    assert rows["against best"].tolist() == ["", "", "worse", "better"]
    assert set(rows["against EASY"]) == {"better"}


def test_best_of_the_others_excludes_learned_policies_and_the_record():
    means = pd.Series({"FCFS": 5.0, "SPT": 3.0, "learned": 2.0, "tuned": 1.0, RECORDED: 0.5})
    assert best_of_others(means, means * 0 + 1) == "SPT"


@pytest.mark.parametrize(("days", "best"), [(6.0, "SPT"), (6.1, "FCFS")])
def test_the_best_of_the_others_keeps_its_longest_wait_in_bounds(days, best):
    means = pd.Series({"FCFS": 5.0, "SPT": 3.0})
    assert best_of_others(means, pd.Series({"FCFS": 2.0, "SPT": days})) == best
