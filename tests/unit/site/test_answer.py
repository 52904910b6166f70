"""The two sentences say what was found, and no more."""

import pandas as pd
import pytest

from schedlab.arena.measures import METRICS
from schedlab.arena.tables import survivors
from schedlab.arena.windows import windows_of
from schedlab.site.answer import answer, chosen, own_policies, said_of_arena, weeks_needed
from schedlab.site.contest import standings
from schedlab.site.training import COLUMNS
from schedlab.workbench.results import RECORDED

FIXED = {"FCFS": (1.0, ""), "SPT": (0.9, "open"), "SAF": (0.95, "open")}
BASE = [2.0, 4.0, 6.0, 8.0, 3.0, 5.0, 7.0, 9.0]


def held(verdicts, weeks=8, best="open"):
    """Held-out rows of policies with a verdict, their ratio in the middle of its interval."""
    rows = [
        ("slowdown", weeks, name, ratio, 1.0, ratio, ratio - 0.1, ratio + 0.1, verdict, best)
        for name, (ratio, verdict) in (FIXED | verdicts).items()
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


BOTH = held({"learned": (0.7, "better"), "tuned": (1.0, "open")})


class Settings:
    """What is asked of a site's settings."""

    windows, days, warm_up = 10, 7, 2
    dialect = "full"


def judged(held_out=BOTH, windows=8, **ratios):
    """What is said where each scheduler has a fixed ratio to EASY by each metric."""
    rows = [
        {"experiment": "site", "scheduler": name, "window": window, "jobs": 10}
        | {metric: value * own.get(metric, own.get("all", 1.0)) for metric in METRICS}
        for name, own in {"fcfs": {}, **ratios}.items()
        for window, value in enumerate(BASE[:windows])
    ]
    simulated, beside = standings(pd.DataFrame(rows))
    found = survivors(simulated)
    return answer(simulated, beside, found, held_out, Settings), chosen(simulated, found)


def test_the_best_order_is_named_with_what_the_site_ran():
    said, names = judged(spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": 1.25}})
    assert names == ["spf"]
    assert said.startswith("On 8 windows of 1 log run SPF: of 1 others it alone is better")
    assert "Its mean wait is 0.40 times (95 % 0.40 to 0.40) what the site recorded" in said
    assert "(0.70 times EASY's mean bounded slowdown, 95 % 0.60 to 0.80)" in said
    assert "a tuned policy stays open (1.00 times" in said


def test_where_nothing_beats_what_they_run_it_is_said():
    said, names = judged(spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": 0.4}})
    assert names == ["spf"]
    assert "It would be worse than what the site ran: SPF's mean wait is" in said
    assert "cannot be told" not in said
    assert "1.25 times (95 % 1.25 to 1.25) the recorded one" in said


def test_as_good_as_what_they_run_is_not_better():
    said, _ = judged(spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": 0.5}})
    assert "That it would be better than what the site ran cannot be told" in said


def test_where_nobody_waited_no_ratio_is_told():
    said, _ = judged(spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": 0.0}})
    assert (
        "Nobody waited in the log's windows: no order would be better than what it ran; on 8"
        in said
    )
    assert "nan" not in said


def test_where_nobody_is_better_than_easy_it_stays():
    said, names = judged(spf={"bsld": 0.5, "wait": 2.0}, **{RECORDED: {"wait": 0.9}})
    assert names == []
    assert "stay with EASY" in said
    assert "EASY's mean wait is 1.11 times" in said
    assert "neither its slowdown" not in said


@pytest.mark.parametrize(("record", "told"), [(1.99, False), (2.01, True)])
def test_waits_that_no_order_decides_are_told(record, told):
    said, _ = judged(spf={"bsld": 0.5, "wait": 0.5}, **{RECORDED: {"wait": record}})
    assert ("is not in the order of the queue" in said) == told


def test_a_best_order_that_is_told_better_by_neither_slowdown_nor_wait_is_no_promise():
    said, names = judged(spf={"worst_user": 0.5}, **{RECORDED: {"wait": 1.5}})
    assert names == ["spf"]
    assert "neither its slowdown nor its wait can be told to be less than EASY's" in said
    said, _ = judged(spf={"wait": 0.5}, **{RECORDED: {"wait": 1.5}})
    assert "neither its slowdown" not in said


@pytest.mark.parametrize(("windows", "tells"), [(5, False), (6, True)])
def test_fewer_than_six_windows_say_nothing(windows, tells):
    said, names = judged(windows=windows, spf={"bsld": 0.5})
    assert bool(names) == tells
    assert said.startswith("On 6 windows") == tells
    if not tells:
        assert "it has 5 whole windows of 7 days, and 6 are the fewest" in said
        assert "Export more of the accounting, 13 weeks or longer, and make" in said


@pytest.mark.parametrize(("windows", "told"), [(5, True), (6, False)])
def test_windows_that_are_set_too_few_are_told(monkeypatch, windows, told):
    monkeypatch.setattr(Settings, "windows", windows)
    said, _ = judged(windows=5, spf={"bsld": 0.5})
    assert ("set site.windows to 6 or more" in said) == told


@pytest.mark.parametrize(("days", "warm_up", "weeks"), [(7, 2, 13), (15, 5, 19), (30, 5, 36)])
def test_weeks_that_are_asked_for_are_enough_and_of_long_windows_no_more(days, warm_up, weeks):
    assert weeks_needed(days, warm_up) == weeks
    found = [
        len(windows_of([0, one * 7 * 86_400], 10, days, warm_up)) for one in (weeks - 1, weeks)
    ]
    assert found[1] >= 6
    assert days == 7 or found[0] == 5


def test_without_recorded_waits_what_the_site_ran_is_not_known():
    assert "What the site ran is not known" in judged(spf={"bsld": 0.5})[0]


@pytest.mark.parametrize(("weeks", "tells"), [(5, False), (6, True)])
def test_fewer_than_six_held_out_weeks_say_nothing(weeks, tells):
    said = own_policies(held({"learned": (0.7, "better")}, weeks, "better"))
    assert said.startswith("on 6 held-out weeks a learned policy pays") == tells
    assert ("6 are the fewest" in said) != tells


def test_a_policy_that_is_worse_or_was_not_made_is_told():
    said = own_policies(held({"tuned": (1.4, "worse")}))
    assert "no policy could be learned and a tuned policy is worse than EASY (1.40 times" in said


@pytest.mark.parametrize("best", ["open", "worse"])
def test_a_policy_pays_where_it_is_better_than_the_best_of_the_others(best):
    rows = {"learned": (0.7, "better"), RECORDED: (0.1, "better")}
    assert "a learned policy pays: it is better than SPT, the best of the others (0.70 times" in (
        own_policies(held(rows, best="better"))
    )
    said = own_policies(held(rows, best=best))
    assert "a learned policy is better than EASY but not told to be better than SPT" in said
    assert "pays" not in said


def test_no_held_out_week_says_nothing():
    assert "for 0 weeks are held out" in own_policies(held({})[:0])


FACTS = {"windows": 8, "days": 90.0, "load": 0.8, "learning": 2, "weights": "", "absent": ""}


def arena(facts, windows=8):
    rows = [
        {"experiment": "site", "scheduler": name, "window": window, "jobs": 1}
        | dict.fromkeys(METRICS, value)
        for name in ("fcfs", "spf")
        for window, value in enumerate(BASE[:windows])
    ]
    simulated, _ = standings(pd.DataFrame(rows))
    return said_of_arena(pd.Series(FACTS | facts), Settings(), simulated, survivors(simulated))


def test_windows_load_weights_and_absent_are_told():
    facts = {"weights": "0.12345678 * (n / 2.0)", "absent": "L1: no such function was fitted"}
    said = arena(facts)
    assert "8 windows of 7 days" in said
    assert "ask for 80.0% of the machine" in said
    assert "0.1235 * (n / 2)" in said
    assert "Could not run: L1: no such function was fitted." in said
    assert "By mean bounded slowdown alone" in said


def test_of_few_windows_the_usual_metric_says_nothing():
    assert "By mean bounded slowdown alone" not in arena({}, windows=5)


def test_a_log_without_a_window_is_told():
    said = arena({"windows": 0, "days": 3.2})
    assert said.startswith("The log's 3.2 days of submissions have no whole window of 7 days")


def test_the_dialect_is_said_and_what_easy_stands_for_in_it():
    rows = pd.DataFrame(
        {"experiment": "site", "scheduler": name, "window": window, "jobs": 10}
        | dict.fromkeys(METRICS, 1.0)
        for name in ("fcfs", "spf")
        for window in range(8)
    )
    simulated, _ = standings(rows)
    facts = pd.Series(
        {"windows": 8, "load": 0.5, "weights": "", "absent": "WFP3: moves", "days": 9}
    )
    settings = Settings()
    said = said_of_arena(facts, settings, simulated, survivors(simulated))
    assert "dialect" not in said
    settings.dialect = "slurm+interval=300"
    said = said_of_arena(facts, settings, simulated, survivors(simulated))
    assert "Every scheduler runs in the dialect slurm+interval=300. It is Slurm's: EASY is" in said
    assert "Could not run: WFP3: moves." in said
