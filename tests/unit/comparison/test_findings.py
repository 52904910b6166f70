"""The arena's findings follow from its results."""

from math import nan

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE, NO_LOSERS, results_of
from schedlab.comparison.choice import choose, rule_of, why_not
from schedlab.comparison.findings import (
    facts_of_choice,
    guard_exceeded,
    overloaded,
    who_loses,
    worst_case,
)
from schedlab.comparison.standing import compare_by_metric
from schedlab.comparison.tables import (
    losers_table,
    metric_table,
    recorded_means,
    survivors,
    windows_table,
    with_choice,
    youth_of,
)
from schedlab.core.metrics import METRICS, window_metrics
from schedlab.files.stand_ins import kind_of
from schedlab.workbench.results import RECORDED
from words_case import text_of


def recorded_rows(log, values):
    """Rows of what a log has recorded, one a window, alike by every metric."""
    return pd.DataFrame(
        {"experiment": log, "scheduler": RECORDED, "window": range(1, len(values) + 1)}
        | dict.fromkeys(METRICS, values)
    )


BASE = [2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0, 9.0, 1.0, 2.5]
DAYS_2 = 2 * 86_400.0
LABELS = {"a": "Log A", "b": "Log B"}
FACTS = pd.DataFrame(
    {"experiment": list(LABELS), "overload": False, "backlog_before": 0.5, "backlog_after": 0.7}
)
#: facts of an answer without a candidate
ANSWER = {"windows": 1, "logs": 1, "others": 1, "kind": "logs", "first": None, "candidates": 0}
ANSWER |= {"worst": {}, "usual": {}, "overloads": []}


def results_with(**ratios):
    """Results where each scheduler has a fixed ratio to EASY by each metric; EASY's longest 2 d."""
    longest = {name: DAYS_2 * own.get("max_wait", 1.0) for name, own in ratios.items()}
    found = results_of([1.0, *BASE], log="a", **ratios)
    return found.assign(max_wait=found["scheduler"].map({"fcfs": DAYS_2} | longest))


def findings(standings, table, choice, results, labels, losers, facts=FACTS):
    answer = facts_of_choice(standings, table, choice) | {"kind": kind_of(labels.values())}
    answer["worst"] = worst_case(choice, results, labels, losers, facts)
    answer["overloads"] = overloaded(facts, labels)
    return text_of("arena", "findings", answer)


def survivors_and_text(youth=(), losers=NO_LOSERS, advice=ADVICE, **ratios):
    """Return the table of survivors and the text of the findings."""
    results = results_with(**ratios)
    standings = {metric: compare_by_metric(results, metric) for metric in window_metrics()}
    table = survivors(standings, advice["most_loss"])
    choice = choose(standings, table, results, frozenset(youth), LABELS, advice)
    said = findings(standings, table, choice, results, LABELS, losers)
    return table, said, choice


def test_the_candidate_of_the_least_wait_and_slowdown_is_run():
    table, said, _ = survivors_and_text(
        saf={"bsld": 0.5, "response": 1.2}, spf={"bsld": 0.8, "wait": 0.9}
    )
    assert said.startswith(
        "Recommendation: run SPF (shortest requested time first). On 10 windows of 1 log, SPF has "
        "0.90 times (95 % CI 0.90 to 0.90) EASY's mean wait and 0.80 times (95 % CI 0.80 to 0.80) "
        "its mean bounded slowdown. It is better than EASY by 2 of 6 metrics and worse by none."
    )
    assert "SPF is the only candidate." in said
    assert "alone, the choice would be SAF" in said
    assert (
        "However, it is better than EASY by 1 metric and worse by 1 and it is worse by "
        "area-weighted response time (1.20 times EASY's), beyond the allowed 10%." in said
    )
    assert table.set_index("name")["survives"].to_dict() == {"fcfs": "", "saf": "no", "spf": "yes"}


@pytest.mark.slow
@pytest.mark.parametrize(("loss", "name"), [(1.09, "SAF"), (1.11, "SPF")])
def test_losses_within_the_bound_are_stated_and_exclude_no_scheduler(loss, name):
    said = survivors_and_text(
        saf={"bsld": 0.5, "p95_wait": 0.5, "response": loss}, spf={"bsld": 0.8}
    )[1]
    assert f"run {name}" in said
    worse = "worse by area-weighted response time (1.09 times (95 % CI 1.09 to 1.09))" in said
    assert worse == (name == "SAF")


@pytest.mark.slow
@pytest.mark.parametrize(("utilisation", "lost"), [(0.92, 0), (0.9, 1)])
def test_a_loss_of_utilisation_is_the_other_way_round(utilisation, lost):
    table = survivors_and_text(saf={"bsld": 0.5, "utilisation": utilisation})[0].set_index("name")
    assert table.loc["saf", ["utilisation", "lost"]].tolist() == ["worse", lost]


@pytest.mark.slow
@pytest.mark.parametrize(("times", "name"), [(3.0, "SAF"), (3.01, "SPF")])
def test_a_longest_wait_beyond_the_bound_forbids_a_scheduler(times, name):
    _, said, choice = survivors_and_text(
        saf={"wait": 0.5, "bsld": 0.5, "max_wait": times}, spf={"wait": 0.9}
    )
    assert f"run {name}" in said
    assert set(choice.forbidden) == (set() if name == "SAF" else {"saf"})
    assert ("its longest wait is 6.0 days, beyond 3 times EASY's 2.0" in said) == (name == "SPF")
    days = f"{2 * times if name == 'SAF' else 2:.1f}"
    assert f"The longest wait is {days} days, compared with 2.0 under EASY." in said


@pytest.mark.slow
def test_runner_up_is_significant_if_its_interval_excludes_one():
    said = survivors_and_text(spf={"bsld": 0.8, "wait": 0.8}, saf={"bsld": 0.9, "wait": 0.5})[1]
    assert "run SAF" in said
    assert (
        "The difference to the runner-up is significant: "
        "the combined ratio of mean wait and mean bounded slowdown is 0.839 times "
        "(95 % CI 0.839 to 0.839)" in said
    )
    assert "that of SPF. 100% of resampled windows choose SAF among 2 candidates." in said


def test_runner_up_that_is_not_significantly_different_has_no_share_of_windows():
    """An equal runner-up: resampled windows all choose the first, which means nothing."""
    same = {"bsld": 0.8, "wait": 0.8}
    _, said, choice = survivors_and_text(spf=same, saf=same)
    assert choice.share == 1
    assert "The difference to the runner-up is not significant: the combined" in said
    assert "These windows do not decide between the two." in said
    assert "of resampled windows" not in said


@pytest.mark.slow
def test_class_of_jobs_that_loses_most_is_stated():
    lost = {"experiment": "a", "scheduler": "spf", "longer": 0.25, "group": "5–16 processors"}
    lost |= {"jobs": 12, "wait": 7200.0, "easy_wait": 3600.0}
    lost |= {"user": 3, "user_wait": 1.0, "user_easy_wait": 0.5}
    said = survivors_and_text(losers=pd.DataFrame([lost]), spf={"bsld": 0.8})[1]
    assert (
        "25% of the jobs wait longer than under EASY. The class that loses most, 5–16 processors "
        "(12 jobs), waits 2.0 instead of 1.0 hours on average."
    ) in said
    assert "No class of jobs waits longer on average" in survivors_and_text(spf={"bsld": 0.8})[1]


def test_easy_is_kept_if_every_scheduler_loses_something():
    _, said, choice = survivors_and_text(saf={"bsld": 0.5, "wait": 2.0}, spf={"utilisation": 0.5})
    assert "keep EASY. On 10 windows of 1 log, none of 2 other schedulers meets all" in said
    assert "runner-up" not in said
    assert choice.order == ()


def test_findings_state_that_no_scheduler_is_before_easy():
    assert "no scheduler is better than EASY" in survivors_and_text(saf={"bsld": 1.5})[1]


def test_orders_by_every_metric_are_counted():
    better = dict.fromkeys(METRICS, 0.5) | {"utilisation": 1.5}
    table = survivors_and_text(saf=better)[0].set_index("name")
    assert table.loc["saf", "beats"] == 1
    assert table.loc["fcfs", "beaten"] == 1


def test_findings_without_results_are_marked():
    empty = pd.DataFrame(columns=["experiment", "scheduler", "window", *METRICS])
    standings = {metric: compare_by_metric(empty, metric) for metric in window_metrics()}
    table = survivors(standings, 0.1)
    choice = choose(standings, table, empty, frozenset(), {}, ADVICE)
    said = findings(standings, table, choice, empty, {}, NO_LOSERS)
    assert said == "No scheduler was compared: no log is available."
    assert rule_of(choice)["clauses"] == []
    assert why_not(choice, standings, table).empty


def test_table_shows_why_a_scheduler_is_excluded():
    ratios = {"saf": {"wait": 0.5, "max_wait": 4.0}, "spf": {"wait": 0.9}, "lcfs": {"wait": 0.7}}
    table, _, choice = survivors_and_text(["lcfs"], **ratios)
    shown = with_choice(table, choice).set_index("name")
    assert shown["waits too long"].to_dict() == {"fcfs": 0, "saf": 1, "spf": 0, "lcfs": 0}
    assert shown["youth first"].to_dict() == {"fcfs": "", "saf": "", "spf": "", "lcfs": "yes"}
    assert shown["place"].dropna().to_dict() == {"spf": 1.0}


def test_youth_is_read_from_the_facts_of_every_log():
    facts = pd.DataFrame({"youth": ["lcfs sexp", "", None, "lcfs l2"]})
    assert youth_of(facts) == {"lcfs", "sexp", "l2"}


def standings_of(**ratios):
    results = results_with(**ratios)
    return {metric: compare_by_metric(results, metric) for metric in window_metrics()}


@pytest.mark.parametrize(("metric", "first"), [("bsld", "SAF"), ("utilisation", "EASY")])
def test_tables_begin_with_the_best_ratio(metric, first):
    standings = standings_of(saf={"bsld": 0.5, "utilisation": 0.5})
    table = metric_table(standings[metric], {"a": "Log A"})
    assert list(table["scheduler"]) == sorted(["EASY", "SAF"], key=lambda name: name != first)
    assert list(table.columns[:2]) == ["scheduler", "Log A"]


def test_recorded_schedule_is_last_without_a_ratio():
    standings = standings_of(saf={"wait": 0.5})
    rows = pd.concat([recorded_rows("a", [8.0, 4.0]), recorded_rows("b", [1.0])])
    last = metric_table(standings["wait"], {"a": "Log A", "b": "B"}, rows).iloc[-1]
    assert last[["scheduler", "Log A", "against EASY"]].tolist() == [RECORDED, 6.0, ""]
    assert last[["ratio", "low", "high", "chance", "rank"]].isna().all()


def test_log_with_an_unknown_window_has_no_recorded_mean():
    """Of log b one window is not known; of log c one has no job to count."""
    rows = pd.concat(
        [
            recorded_rows("a", [8.0, 4.0]),
            recorded_rows("b", [8.0, nan]),
            recorded_rows("c", [8.0, nan]),
        ]
    )
    rows["utilisation"] = [1.0, 1.0, 1.0, nan, 1.0, 1.0]
    assert recorded_means(rows, "wait").to_dict() == {"a": 6.0, "c": 8.0}


def test_weights_are_shown_with_four_digits():
    facts = pd.DataFrame({"experiment": ["a", "b"], "weights": [WEIGHTS, ""], "jobs": [3, 0]})
    shown = windows_table(facts, {"a": "Log A", "b": "B"})
    assert shown["log"].tolist() == ["Log A", "B"]
    assert shown["weights"].tolist() == ["-0.07692 * (n / 17.44) + 1 * (r / 110000) - 0.5 * r2", ""]


WEIGHTS = "-0.07692307692307693 * (n / 17.441868) + 1.0 * (r / 109981.0186) - 0.5 * r2"


@pytest.mark.slow
def test_the_rank_of_a_scheduler_is_the_mean_over_metrics():
    """SAF is first by the bounded slowdown and shares both ranks by the five other metrics."""
    table = survivors_and_text(saf={"bsld": 0.5})[0].set_index("name")
    assert table.loc["saf", "rank"] == pytest.approx((1 + 5 * 1.5) / 6)
    assert table.loc["fcfs", "rank"] == pytest.approx((2 + 5 * 1.5) / 6)


def lost_on(log, wait, easy_wait, group="5–16 processors", scheduler="spf"):
    """A row of losers; waits in hours."""
    row = {"experiment": log, "scheduler": scheduler, "longer": 0.25, "group": group, "jobs": 12}
    row |= {"wait": wait * 3600.0, "easy_wait": easy_wait * 3600.0, "user": 3}
    return row | {"user_wait": 7200.0, "user_easy_wait": 1800.0}


@pytest.mark.parametrize(("wait", "log"), [(11.5, "Log A"), (12.5, "Log B")])
def test_the_class_that_loses_most_is_of_the_log_of_the_largest_increase(wait, log):
    """On log a jobs wait 3 h in place of 1 h; on log b they wait longest under EASY already."""
    losers = pd.DataFrame([lost_on("a", 3.0, 1.0), lost_on("b", wait, 10.0)])
    found = who_loses(losers, "spf", {"a": "Log A", "b": "Log B"})
    assert (found["log"], found["longer"]) == (log, 0.25)


def test_waits_of_losers_are_in_hours():
    found = who_loses(pd.DataFrame([lost_on("a", 200.0, 100.06)]), "spf", {"a": "Log A"})
    assert (found["wait"], found["easy_wait"], found["log"]) == (200.0, pytest.approx(100.06), "")


def test_the_table_of_losers_is_in_per_cent_and_hours_and_without_easy():
    losers = pd.DataFrame([lost_on("a", 2.0, 1.0), lost_on("a", 1.0, 1.0, scheduler="fcfs")])
    table = losers_table(losers, {"a": "Log A"})
    assert table[["log", "scheduler", "longer"]].to_numpy().tolist() == [["Log A", "SPF", 25.0]]
    hours = ["wait", "easy_wait", "user_wait", "user_easy_wait"]
    assert table.loc[0, hours].tolist() == [2.0, 1.0, 2.0, 0.5]
    assert "index" not in table


@pytest.mark.parametrize(("step", "differs"), [(0.01, "significant"), (0.02, "not significant")])
def test_interval_of_the_ratio_to_the_runner_up_is_from_resamples(monkeypatch, step, differs):
    """Measured 0.5; of 39 resampled ratios from 0.6 on the interval leaves none out."""
    drawn = 0.6 + step * np.arange(39)
    changes = pd.DataFrame({"spf": np.log([0.5, *drawn]), "saf": 0.0})
    monkeypatch.setattr("schedlab.comparison.choice._over_logs", lambda *_: changes)
    same = {"bsld": 0.8, "wait": 0.8}
    _, said, choice = survivors_and_text(spf=same, saf=same)
    assert choice.order == ("spf", "saf")
    assert choice.versus["saf"] == pytest.approx((0.5, 0.6, drawn[-1]))
    assert f"The difference to the runner-up is {differs}: " in said


@pytest.mark.parametrize(("overload", "load"), [(False, "not overloaded."), (True, "overloaded: ")])
@pytest.mark.parametrize(
    ("easy", "others"), [(2.1, "waits exceed 2 days there too"), (2.0, "Under EASY no job of this")]
)
def test_longest_wait_beyond_a_guard_is_explained(easy, others, overload, load):
    facts = {"overload": overload, "backlog_before": 0.5, "backlog_after": 0.7}
    worst = {"log": "", "days": 2.1, "easy": easy, "guard": 2.0, "load": facts, "lost": {}}
    said = text_of("arena", "findings", ANSWER | {"worst": worst})
    assert "under EASY. The guard of 2 days orders the queue; it frees no processor." in said
    assert others in said
    assert f"The workload is {load}" in said
    assert ("the backlog grows from 0.5 to 0.7 days" in said) == overload


@pytest.mark.parametrize(
    ("name", "days", "guard"),
    [("saf_2d", 2.1, 2.0), ("saf_2d", 2.0, 0), ("saf", 9.0, 0), ("mine", 9.0, 0)],
)
def test_guard_is_exceeded_by_longer_waits_alone(name, days, guard):
    assert guard_exceeded(name, days) == guard


@pytest.mark.slow
def test_the_guard_is_explained_next_to_the_longest_wait():
    said = survivors_and_text(saf_2d={"bsld": 0.5, "wait": 0.5, "max_wait": 1.5})[1]
    assert "is 3.0 days, compared with 2.0 under EASY. The guard of 2 days orders" in said


MODEL = {"a": "model, 100 processors (stands in for KTH-SP2)"}


@pytest.mark.parametrize("ratios", [{"saf": {"wait": 0.5, "bsld": 0.5}}, {"saf": {"wait": 2.0}}])
def test_models_give_a_demonstration_and_no_recommendation(ratios):
    results = results_with(**ratios)
    standings = {metric: compare_by_metric(results, metric) for metric in window_metrics()}
    table = survivors(standings, 0.1)
    choice = choose(standings, table, results, frozenset(), LABELS, ADVICE)
    on_log, on_model = (
        findings(standings, table, choice, results, labels, NO_LOSERS)
        for labels in ({"a": "Log A"}, MODEL)
    )
    assert on_log.startswith("Recommendation: ")
    selected = on_log.removeprefix("Recommendation: ").partition(".")[0]
    assert f"It recommends nothing. Here the rule selects: {selected}." in on_model
    assert "windows of 1 model workload, " in on_model
    assert "Recommendation" not in on_model


def test_overload_is_said_by_workload():
    facts = pd.DataFrame({
        "experiment": ["a", "b"], "load": [1.057, 0.7], "overload": [True, False],
        "backlog_before": [1.04, 0.0], "backlog_after": [20.0, 0.1],
    })  # fmt: skip
    (row,) = overloaded(facts, MODEL)
    assert (row["label"], row["backlog_after"]) == (MODEL["a"], 20.0)
    said = text_of("arena", "findings", ANSWER | {"overloads": [row]})
    assert said.split("\n")[-1] == (
        f"Overload: the queue of {MODEL['a']} grows without end under EASY, from 1.0 to 20.0 days "
        "of work of the whole machine (offered load 1.06). Waits depend on the length of the run."
    )
