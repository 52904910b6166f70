"""The first page's story of each paper: sentences whose numbers follow from its tables."""

import re
from io import StringIO

import numpy as np
import pandas as pd
import pytest

from schedlab.report.pages import function_of
from schedlab.report.story import Teller
from words_case import words_of

CLAIMS = "claim,where,trace,experiment,artefact,computed,result,found\n"
CLAIMS += "said,section 1,a,b,holds,fails,holds,1 of 2\n"


def table(text):
    """Read a table as pages do, every cell text."""
    return pd.read_csv(StringIO(text), dtype=str, keep_default_na=False)


def story_of(paper):
    words = words_of(paper)["story"]
    story = function_of(f"schedlab.studies.{paper}", "story")
    return lambda tables, models: story(tables, models, Teller(words))


PAPERS = ["carastan2017", "legrand2018", "kellari2025", "klusacek2016", "souza2020"]
carastan2017, legrand2018, kellari2025, klusacek2016, souza2020 = map(story_of, PAPERS)
SHARED = {"claims": table(CLAIMS)}

TABLE4 = "experiment,dialect,policy,published,computed,ratio,verdict\n" + "".join(
    f'"{row}, actual runtimes r",{dialect},{policy},{printed},{computed},1.0,{verdict}\n'
    for row, verdict in (("Workload model", "match"), ("Other", "log not available"))
    for dialect, best in (("artefact", 10), ("full", 50))
    for policy, printed, computed in (
        *((name, 100, 100) for name in ("FCFS", "WFP", "UNI", "SPT")),
        *((name, 10, best) for name in ("F4", "F3", "F2", "F1")),
    )
)
SAMPLERS = "simulated,published,tuples,median\nuniform,published,9,0.1\nuniform,corrected,9,0.99\n"


def test_carastan2017_story_uses_runs_on_its_data():
    """100 over 10 as printed and with the window, 100 over 50 without; one row of two counts."""
    tables = {"table4_comparison": table(TABLE4), "fig_samplers": table(SAMPLERS)}
    told = carastan2017(tables | SHARED, models=True)
    assert (
        "ad-hoc policy by × 10.0 as published (median of 2 experiments). In the 1 that ran: × 10.0 "
        "with the window of 32 tasks, × 2.00 with the whole queue visible." in told.finding
    )
    assert not told.models
    window, seeds, shuffle = told.discoveries
    assert (
        window.headline == "A hidden window of 32 tasks changes the advantage from × 2.00 to × 10.0"
    )
    assert "median of 1 experiments" in window.text
    assert "8 of 8 numbers" in seeds.headline
    assert "r = 0.10, corrected 0.99" in shuffle.headline


def test_carastan2017_story_omits_stand_ins():
    waiting = table(TABLE4.replace(",match", ",log not available"))
    samplers = table(
        "simulated,published,tuples,median\nuniform,published,0,\nuniform,corrected,0,\n"
    )
    tables = {"table4_comparison": waiting, "fig_samplers": samplers}
    told = carastan2017(tables | SHARED, models=True)
    assert (told.finding, told.discoveries) == ("", ())
    assert told.claim_counts == "1 of 1 claims hold, 0 fail, 0 are undecided"


COMPARED = "row,column,published,computed,verdict\na,x,1,1,{}\na,y,1,2,{}\n"
CONCLUSIONS = "trace,best,best_text\nA,SAF,SAF\nB,SAF,SQF\nC,SAF,SPF\n"
RANKS = """table,column,printed,kendall
table3,x,as printed,1.0
table3,y,as printed,0.4
table3,y,by owner,1.0
"""
ONLINE = """trace,ran_on,chosen,outcome,ratio,low,high
A,A,True,lower,0.9,0.8,0.99
A,A,False,lower,0.5,0.4,0.6
B,model,True,undecided,1.1,0.9,1.3
"""


def legrand_tables(first="match", second="differs"):
    tables = {f"table{n}_comparison": table(COMPARED.format(first, second)) for n in range(3, 7)}
    tables |= {"conclusions": table(CONCLUSIONS), "ranks": table(RANKS), "online": table(ONLINE)}
    return tables | SHARED


def test_legrand2018_story_states_digits_and_results_of_the_text():
    told = legrand2018(legrand_tables(), models=False)
    assert told.finding == (
        "4 of 8 numbers of Tables 3 to 6 match to the last digit, with rules that the text does "
        "not state. With the rules that the text states, the best policy changes in 2 of 3 columns."
    )
    names, online = told.discoveries
    assert names.headline.startswith("1 published column sorted without")
    assert "τ = 0.40 as published, 1.00 corrected" in names.headline
    assert online.headline.startswith(
        "Online learning beats the best fixed choice on 1 of 2 logs (A); 1 is undecided"
    )
    assert [bar.shown for bar in online.bars] == ["0.90 [0.80, 0.99]", "1.10 [0.90, 1.30]"]
    assert [bar.label for bar in online.bars] == ["A", "model"]


def test_legrand2018_story_on_models_has_no_comparison_with_the_paper():
    waiting = ("log not available",) * 2
    tables = legrand_tables(*waiting) | {"ranks": table(RANKS.split("\n")[0] + "\n")}
    told = legrand2018(tables, models=True)
    assert told.finding.startswith("Tables 3 to 6 are not compared with the paper here.")
    assert told.models
    assert [found.models for found in told.discoveries] == [True]


def test_legrand2018_story_has_no_learners_if_all_are_undecided():
    open_ = table(ONLINE.replace("lower", "undecided"))
    told = legrand2018(legrand_tables() | {"online": open_}, models=False)
    assert [each.csv for each in told.discoveries] == ["ranks.csv"]


MEANS = """scheduler,metric,computed,low,high,verdict,reason
One,makespan speedup,1.2,1.1,1.3,match,
Two,makespan speedup,0.95,0.9,0.99,consistent,
Three,makespan speedup,1.0,1.0,1.0,match,"the same on every workload, by definition"
Two,mean slowdown,9.0,8.0,10.0,differs,
"""
PRICING = "scheduler,tariff,more\nOne,plain,10.0\nTwo,plain,20.4\nOne,discount,0.0\n"
ARRIVALS = """setting,scheduler,slowdown_high_against_EASY
all at the start,EASY,
all at the start,One,-0.1
all at the start,Two,-0.1
Poisson,EASY,
Poisson,One,-3.0
Poisson,Two,0.0
gaps of a log,log not available,
"""


def kellari_tables(arrivals=ARRIVALS):
    texts = {
        "table6_comparison": MEANS, "beyond_pricing": PRICING, "beyond_arrivals": arrivals
    }  # fmt: skip
    return {item: table(text) for item, text in texts.items()}


def test_kellari2025_story_states_gains_and_losses():
    told = kellari2025(kellari_tables() | SHARED, False)
    assert told.finding == (
        "1 of 3 schedulers shorten the makespan (95 % interval of the speedup above 1), 1 lengthen "
        "it. The largest speedup is 1.20 under One (1.10–1.30), the smallest 0.95 under Two "
        "(0.90–0.99). 2 of 3 published means match or are consistent with newly drawn workloads, "
        "alone and jointly."
    )
    assert told.claim_counts == "0 of 1 claims hold, 1 fails, 0 are undecided"
    pricing, _ = told.discoveries
    assert "up to 20 % of the jobs pay more than alone; none does under discount" in (
        pricing.headline
    )


@pytest.mark.parametrize(
    ("cell", "value", "headline"),
    [
        ("Poisson,One,-3.0", "-3.0", "One has a lower mean slowdown than EASY in 2 of 2 settings"),
        (
            "Poisson,Two,0.0",
            "-0.0001",
            "One and Two have a lower mean slowdown than EASY in 2 of 2",
        ),
        ("Poisson,One,-3.0", "0.0", "One and Two have a lower mean slowdown than EASY in 1 of 2"),
    ],
)
def test_kellari2025_story_counts_settings_with_an_interval_below_zero(cell, value, headline):
    """An interval that ends at 0 does not count, nor does a setting without its log."""
    changed = ARRIVALS.replace(cell, ",".join([*cell.split(",")[:2], value]))
    _, arrivals = kellari2025(kellari_tables(changed) | SHARED, False).discoveries
    assert arrivals.headline.startswith(headline)
    assert [bar.label for bar in arrivals.bars] == ["One", "Two"]


def test_kellari2025_story_names_no_scheduler_if_none_is_lower():
    same = ARRIVALS.replace("-0.1", "0.1").replace("-3.0", "0.1")
    _, arrivals = kellari2025(kellari_tables(same) | SHARED, False).discoveries
    assert arrivals.headline == (
        "No scheduler has a lower mean slowdown than EASY in any of 2 settings of arrivals"
    )
    header = ARRIVALS.split("\n")[0] + "\n"
    assert len(kellari2025(kellari_tables(header) | SHARED, False).discoveries) == 1


PERIODS = """log,column,intervals,change,better,median low,median high
mine,WT,6,-2.0,4,-3,-1
A,WT,40,-24.2,35,-30,-20
A,SD,40,-13.0,24,-18,-8
B,WT,40,-16.1,33,-20,-0.6
B,SD,40,-9.0,23,-20,4
"""
SEARCH = """plans,iterations,rule,gain,difference,p
old,300,Random Search,0.05,,
old,300,tabu search,0.06,0.0011,0.05
new,300,Random Search,0.15,,
new,300,tabu search,0.14,-0.001,0.01
new,1000,tabu search,0.14,0.1,0.01
"""
WAITS = """log,what,iterations,to none
A,mean wait,0,1.0
A,mean wait,10,0.56
A,mean wait,30,0.545
A,mean wait,300,0.5
A,mean slowdown,10,0.1
B,mean wait,0,1.0
B,mean wait,10,1.1
B,mean wait,30,0.8
B,mean wait,300,0.8
C,mean wait,30,0.9
C,mean wait,300,1.0
"""


def klusacek_tables(periods=PERIODS, waits=WAITS):
    texts = {"table1_periods": periods, "beyond_search": SEARCH, "beyond_waits": waits}
    return {item: table(text) for item, text in texts.items()}


def test_klusacek2016_story_uses_the_intervals_of_its_logs():
    told = klusacek2016(klusacek_tables() | SHARED, models=False)
    assert told.finding == (
        "Planning with Random Search lowers the mean wait in 35 of 40 busy intervals of A (median "
        "−24 %, 95 % CI −30 to −20) and 33 of 40 busy intervals of B (median −16 %, 95 % CI −20 to "
        "−1). Planning lowers the mean slowdown in 24 of 40 busy intervals of A (median −13 %, "
        "95 % CI −18 to −8)."
    )
    search, _ = told.discoveries
    assert search.headline.endswith("differs from other searches in 1 of 2 comparisons")
    assert [bar.label for bar in search.bars] == ["Random Search", "tabu search"]


@pytest.mark.parametrize("end", ["0.0", "3.0", "inf", ""])
def test_klusacek2016_story_has_only_logs_whose_interval_is_below_zero(end):
    periods = PERIODS.replace("-20\n", f"{end}\n").replace("-0.6\n", f"{end}\n")
    finding = klusacek2016(klusacek_tables(periods) | SHARED, models=False).finding
    assert finding.startswith("Planning lowers the mean slowdown in 24 of 40 busy intervals of A")
    nothing = klusacek_tables(periods.replace("-8\n", f"{end}\n"))
    assert klusacek2016(nothing | SHARED, models=False).finding == ""


@pytest.mark.parametrize("low", [-0.02, -np.inf, np.nan])
def test_klusacek2016_story_bounds_differences_that_are_not_significant(low):
    """Without ends of the intervals, comparisons that are not significant are no result."""
    searches = table(SEARCH).replace({"0.05": "0.06", "0.01": "0.07"})
    searches["difference_low"], searches["difference_high"] = f"{low}", "0.004"
    discoveries = klusacek2016(
        klusacek_tables() | {"beyond_search": searches} | SHARED, models=False
    ).discoveries
    limits = [each.headline for each in discoveries if "the same within" in each.headline]
    expected = ["With 300 iterations, Random Search and other searches gain the same within 0.02 "
                "(2 95 % CIs)"]  # fmt: skip
    assert limits == (expected if np.isfinite(low) else [])


def test_klusacek2016_story_has_no_searches_without_a_test():
    untested = table(re.sub(r",[\d.]*$", ",", SEARCH, flags=re.MULTILINE))
    told = klusacek2016(klusacek_tables() | {"beyond_search": untested} | SHARED, models=False)
    assert [each.csv for each in told.discoveries] == ["beyond_waits.csv"]


def test_klusacek2016_story_states_how_few_iterations_suffice():
    """10 reach 88 % on A, 30 reach 91 %; B gains nothing after 30; nothing is gained on C."""
    _, waits = klusacek2016(klusacek_tables() | SHARED, models=True).discoveries
    assert waits.headline == (
        "90 % of the decrease of the mean wait with 300 iterations takes at most 30 on A "
        "and 30 on B"
    )
    assert [bar.shown for bar in waits.bars] == ["91 %", "100 %"]
    assert waits.models
    higher = klusacek_tables(waits=WAITS.replace("A,mean wait,10,0.56", "A,mean wait,10,0.549"))
    assert (
        "takes at most 10 on A and"
        in klusacek2016(higher | SHARED, models=True).discoveries[1].headline
    )
    for nothing in (
        WAITS.split("\n")[0],
        "\n".join([WAITS.split("\n")[0], *WAITS.split("\n")[-3:]]),
    ):
        told = klusacek2016(klusacek_tables(waits=f"{nothing}\n") | SHARED, models=True)
        assert len(told.discoveries) == 1


FOLLOWED = """item,row,column,published,computed,verdict,reason
averages,a,x,5,5,match,
averages,a,y,5,9,differs,cut
percentages,a,x,5,9,differs,unexplained
percentages left out,a,x,at most 1,0.5,match,
"""
ABSTRACT = "claim,where,result,found\nASA's makespan is at most 2% above Big Job's,6,{},+0.5%\n"


@pytest.mark.parametrize("result", ["holds", "fails", "undecided", "log not available"])
def test_souza2020_reports_what_follows_from_its_tables(result):
    """And the abstract's claim if it is decided, with its interval."""
    claims = {"claims": table(ABSTRACT.format(result))}
    told = souza2020({"arithmetic_comparison": table(FOLLOWED)} | claims, models=False)
    start = "1 of 3 published percentages and averages follow from the paper’s own Table 1."
    abstract = (
        f"{start} On a log in the place of its private queues, ASA’s makespan compared with Big "
        "Job’s is +0.5% (95 % CI). The paper reports at most 2 % above."
    )
    assert told.finding == (abstract if result in ("holds", "fails") else start)
    (odd,) = told.discoveries
    assert odd.headline.startswith("2 of 3 published percentages")
    assert "For 1 of the others the table gives the reason" in odd.text
    assert "1 are unexplained" in odd.text


TOGGLES = """words,toggle,says,median_percent,largest_percent,factor
a window,window,the new value,30.0,40.0,1.3
"""


def test_stories_name_the_choice_with_the_largest_effect():
    tables = {"table4_comparison": table(TABLE4), "fig_samplers": table(SAMPLERS)}
    choices = {"toggles": table(TOGGLES)}
    told = carastan2017(tables | SHARED | choices, models=True).discoveries[-1]
    assert told.headline.startswith(
        "Why does it differ? Largest effect on Table 4: a window (median factor"
    )
    assert (told.rule, told.models) == ("toggle_table4", False)
    told = legrand2018(legrand_tables() | choices, models=True).discoveries[-1]
    assert "on Tables 3 to 6 and the pure policies of Table 2: a window" in told.headline
    assert (told.rule, told.models) == ("toggle_sums", True)


UNTESTED = {"claims": table(CLAIMS.replace("holds", "").replace("fails", ""))}


@pytest.mark.parametrize("claims", [SHARED, UNTESTED], ids=["claims tested", "no claim tested"])
@pytest.mark.parametrize(
    ("story", "tables"),
    [(kellari2025, kellari_tables()), (klusacek2016, klusacek_tables())],
    ids=["kellari2025", "klusacek2016"],
)
def test_stories_have_three_findings_with_and_without_tested_claims(story, tables, claims):
    findings = [finding.text for finding in story(tables | claims, True).findings]
    assert len(set(findings)) == 3
    assert findings[-1].endswith("are undecided.") == (claims is SHARED)


@pytest.mark.parametrize("paper", PAPERS)
def test_sections_of_discoveries_are_on_the_pages_of_the_paper(paper):
    words = words_of(paper)
    texts = "".join(part["text"] for part in words["parts"])
    sections = [told["section"] for name, told in words["story"].items() if name != "finding"]
    assert sections
    for section in sections:
        assert f'id="{section}"' in texts or f'drawn("{section}")' in texts or "toggled(" in texts
