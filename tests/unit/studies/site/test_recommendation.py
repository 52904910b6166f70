"""The recommendation states what the results show, and no more."""

import numpy as np
import pandas as pd
import pytest

from contest_case import ADVICE, NO_LOSERS, results_of
from schedlab.comparison.choice import choose
from schedlab.comparison.conditions import Condition
from schedlab.comparison.tables import survivors
from schedlab.core.windows import begin_of, windows_of
from schedlab.studies.site.comparison import standings, without_record
from schedlab.studies.site.recommendation import facts_of_answer, own_policies, weeks_needed
from schedlab.studies.site.training import COLUMNS
from schedlab.workbench.results import RECORDED
from words_case import text_of

FIXED = {"FCFS": (1.0, ""), "SPT": (0.9, "open"), "SAF": (0.95, "open")}
BASE = [2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0, 9.0]


def held_out_rows(verdicts, weeks=8, best="open"):
    """Rows of held-out weeks: policies with a verdict, and a ratio at the middle of its CI."""
    rows = [
        ("slowdown", weeks, name, ratio, 1.0, ratio, ratio - 0.1, ratio + 0.1, 1.0, verdict, best)
        for name, (ratio, verdict) in (FIXED | verdicts).items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


BOTH = held_out_rows({"learned": (0.7, "better"), "tuned": (1.0, "open")})


class Settings:
    """The site settings that the text needs."""

    days, dialect = 7, "full"


def rows_of(windows, **ratios):
    return results_of([float(np.mean(BASE[:windows])), *BASE[:windows]], **ratios)


def recommendation_with(windows=8, runs=None, **ratios):
    """Return box, error of the simulation and gains; Slurm runs `runs`, by default all."""
    results = rows_of(windows, **ratios)
    simulated, schedulers = standings(results), without_record(results)
    found = survivors(simulated, 0.1)
    refused = [name for name in ratios if runs is not None and name not in runs]
    slurm = Condition("can run in Slurm", dict.fromkeys(refused, "Slurm cannot run it: it plans"))
    simulated_choice, choice = (
        choose(simulated, found, schedulers, frozenset(), {}, ADVICE, further)
        for further in ((), [slurm])
    )
    facts = facts_of_answer(
        *(simulated, results, found, simulated_choice, choice, NO_LOSERS, LOG_FACTS, Settings),
        weeks=4,
    )
    return tuple(text_of("site", item, facts) for item in ("answer", "simulation_error", "gains"))


def said_of_policies(rows):
    """The text on policies of the site, without its beginning."""
    said = text_of("site", "site_policies", own_policies(rows))
    return said.removeprefix("Site policies: ")


def test_box_is_followed_by_gain_losses_and_certainty():
    box, error, text = recommendation_with(
        spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": 1.25}}
    )
    assert box == "Recommendation: run SPF (shortest requested time first)."
    assert error == (
        "Simulated mean wait of the site's current order: 6 s, 0.80 times the recorded 7 s."
    )
    lines = text.split("\n")
    assert lines[0].startswith("On 8 windows of 1 log, SPF has 0.50 times")
    assert "The mean wait under SPF is 0.40 times the recorded one" in lines[0]
    assert lines[1].startswith("The longest wait is 0.0 days, compared with 0.0 under EASY. No")
    assert lines[2:] == ["SPF is the only candidate."]


def test_site_policies_have_ratios_with_intervals():
    said = said_of_policies(BOTH)
    assert "(0.70 times EASY's mean bounded slowdown, 95 % CI 0.60 to 0.80)" in said
    assert "A tuned policy is undecided (1.00 times" in said


@pytest.mark.parametrize(("record", "near"), [(1.33, True), (1.34, False)])
def test_ratio_to_recorded_waits_needs_a_close_simulation(record, near):
    said = recommendation_with(spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": record}})[2]
    assert ("times the recorded one" in said) == near
    assert ("No gain over the recorded waits is stated" in said) != near


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "waited"), [(0.0, False), (1.0, True)])
def test_answer_without_recorded_waits_gives_no_ratio(seconds, waited):
    """EASY's mean wait is 5.5 s, too far from the recorded one in either case."""
    box, error, said = recommendation_with(
        spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": seconds / 5.5}}
    )
    assert ("No job waited in the log, so no order can be better" in said) != waited
    assert error.endswith("6 s, 5.50 times the recorded 1 s." if waited else "; recorded 0 s.")
    assert "nan" not in box + error + said


def test_missing_recorded_waits_are_reported():
    _, error, said = recommendation_with(spf={"bsld": 0.5})
    assert error == "The log does not have all waits, so simulated waits cannot be checked."
    assert "Nothing is compared with the recorded schedule." in said


def test_easy_is_kept_if_no_scheduler_is_better():
    box, _, said = recommendation_with(spf={"bsld": 0.5, "wait": 2.0})
    assert box == "Recommendation: keep EASY."
    assert "none of 1 other schedulers meets all conditions of the rule" in said
    assert "Slurm" not in box + said


TWO = {"conservative": {"bsld": 0.5, "wait": 0.5}, "spf": {"bsld": 0.8, "wait": 0.8}}


@pytest.mark.slow
def test_box_recommends_what_slurm_can_run_and_one_line_names_what_is_better():
    box, _, said = recommendation_with(runs=["spf"], **TWO)
    first, second = box.split("\n")
    assert first.startswith("Recommendation: run SPF (shortest")
    assert second == (
        "In simulations Conservative comes first, with 0.50 times (95 % CI 0.50 to 0.50) EASY's "
        "mean wait, but Slurm cannot run it: it plans."
    )
    # gain and certainty are of what the box recommends
    assert "SPF has 0.80 times (95 % CI 0.80 to 0.80) EASY's mean wait" in said
    assert "SPF is the only candidate." in said


@pytest.mark.slow
def test_nothing_that_slurm_can_run_keeps_easy_and_the_best_needs_no_second_line():
    box = recommendation_with(runs=[], **TWO)[0]
    assert box.startswith("Recommendation: keep EASY.\nIn simulations Conservative comes first")
    assert recommendation_with(**TWO)[0].startswith("Recommendation: run Conservative")
    assert "\n" not in recommendation_with(**TWO)[0]


@pytest.mark.parametrize(("windows", "tells"), [(5, False), (6, True)])
def test_fewer_than_six_windows_give_no_recommendation(windows, tells):
    box, _, said = recommendation_with(windows=windows, spf={"bsld": 0.5})
    assert ("On 6 windows" in said) == tells
    if not tells:
        assert "it has 5 whole windows of 7 days; at least 6 are needed" in box
        assert "Export at least 12 weeks of accounting and rebuild the report." in box
        assert said == ""


@pytest.mark.parametrize(("days", "weeks"), [(7, 12), (15, 18), (30, 35)])
def test_required_weeks_give_six_windows(days, weeks):
    assert weeks_needed(days) == weeks
    found = []
    for one in (weeks - 1, weeks):
        submit = np.array([0, one * 7 * 86_400])
        found.append(len(windows_of(submit, days, begin_of(submit))))
    assert found[1] >= 6
    assert days == 7 or found[0] == 5


@pytest.mark.parametrize(("weeks", "tells"), [(5, False), (6, True)])
def test_fewer_than_six_held_out_weeks_decide_nothing_about_user_policies(weeks, tells):
    said = said_of_policies(held_out_rows({"learned": (0.7, "better")}, weeks, "better"))
    assert said.startswith("on 6 test weeks, a learned policy pays") == tells
    assert ("6 test weeks are needed" in said) != tells


def test_policy_that_is_worse_or_missing_is_reported():
    said = said_of_policies(held_out_rows({"tuned": (1.4, "worse")}))
    assert "no policy could be learned. A tuned policy is worse than EASY (1.40 times" in said


@pytest.mark.parametrize("best", ["open", "worse"])
def test_a_policy_pays_where_it_is_better_than_the_best_of_the_others(best):
    rows = {"learned": (0.7, "better"), RECORDED: (0.1, "better")}
    assert "a learned policy pays: it is better than SPT, the best of the others (0.70 times" in (
        said_of_policies(held_out_rows(rows, best="better"))
    )
    said = said_of_policies(held_out_rows(rows, best=best))
    assert "a learned policy is better than EASY but not significantly better than SPT" in said
    assert "pays" not in said


@pytest.mark.parametrize(("days", "told"), [(6.0, False), (6.1, True)])
def test_learned_policy_with_too_long_a_wait_is_not_recommended(days, told):
    rows = held_out_rows({"learned": (0.7, "better")}, best="better")
    rows["longest wait, d"] = np.where(rows["policy"] == "FCFS", 2.0, 9.0)
    rows.loc[rows["policy"] == "learned", "longest wait, d"] = days
    said = said_of_policies(rows)
    assert ("compared with 2.0 under EASY: do not run it without a guard" in said) == told


def test_zero_held_out_weeks_are_reported():
    assert "and the log has 0" in said_of_policies(held_out_rows({})[:0])


FACTS = {"windows": 8, "days": 90.0, "load": 0.8, "learning": 200, "weights": "", "absent": ""}
FACTS |= {"backlog_before": 0.5, "backlog_after": 0.7, "overload": False}


LOG_FACTS = pd.DataFrame([FACTS | {"experiment": "site"}])


def arena(facts, windows=8):
    results = rows_of(windows, spf={})
    simulated = standings(results)
    found = survivors(simulated, 0.1)
    choice = choose(simulated, found, results, frozenset(), {}, ADVICE)
    facts_of_run = LOG_FACTS.assign(**facts)
    answer = facts_of_answer(
        *(simulated, results, found, choice, choice, NO_LOSERS, facts_of_run, Settings), weeks=4
    )
    return text_of("site", "arena_said", answer)


def test_summary_states_windows_load_weights_and_absent_schedulers():
    facts = {"weights": "0.12345678 * (n / 2.0)", "absent": "L1: no such function was fitted"}
    said = arena(facts)
    assert "the 8 windows of 7 days after it are evaluated" in said
    assert "offered load is 80.0% of the machine" in said
    assert "0.1235 * (n / 2)" in said
    assert "Could not run: L1: no such function was fitted." in said
    assert "By mean bounded slowdown alone" in said
    assert "backlog" not in said


def test_an_overload_is_named():
    said = arena({"overload": True, "backlog_after": 9.04})
    assert "under EASY the backlog grows from 0.5 to 9.0 days of the whole machine" in said


def test_few_windows_give_no_statement_on_bounded_slowdown():
    assert "By mean bounded slowdown alone" not in arena({}, windows=5)


def test_log_without_a_window_is_reported():
    said = arena({"windows": 0, "days": 3.2})
    assert said.startswith("The log has 3.2 days of submissions and no whole window of 7 days")


@pytest.mark.slow
def test_summary_states_the_dialect_and_the_meaning_of_easy(monkeypatch):
    assert "dialect" not in arena({})
    monkeypatch.setattr(Settings, "dialect", "slurm+bf_interval=300")
    said = arena({"absent": "WFP3: moves"})
    assert "runs in the dialect slurm+bf_interval=300. It imitates Slurm: EASY is" in said
    assert "Could not run: WFP3: moves." in said
