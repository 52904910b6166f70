"""The findings follow from the results."""

import pandas as pd
import pytest

from referee_case import RUNS, compare_windows, run, summarized
from schedlab.studies.referee.findings import findings
from schedlab.studies.referee.simulators import CONSERVATIVE, EASY, REAL, SLURM
from words_case import text_of


def said_of(summaries, rankings=None):
    rankings = compare_windows()[2] if rankings is None else rankings
    return text_of("referee", "findings", findings(summaries, rankings))


RANKINGS = pd.DataFrame(
    [
        (log, scheduler, same, agreeing, 3)
        for log, facts in {
            "A": {REAL: (True, 3), SLURM: (True, 3), EASY: (False, 0), CONSERVATIVE: (0, 0)},
            "B": {REAL: (True, 2), SLURM: (True, 3), EASY: (True, 1), CONSERVATIVE: (0, 0)},
        }.items()
        for scheduler, (same, agreeing) in facts.items()
    ],
    columns=["log", "scheduler", "same", "agreeing", "runs"],
).astype({"same": bool})


def test_deviations_are_compared_with_the_spread_of_the_real_slurm_and_rankings_counted():
    said = said_of(compare_windows()[1], RANKINGS)
    assert said == (
        "On 2 windows under 2 orders, the dialect slurm deviates from a real Slurm by 3.3 % (at "
        "most 3.3 %) in mean wait and 0.0 % (at most 0.0 %) in makespan. Textbook EASY deviates by "
        "20.0 % (at most 20.0 %) and 9.5 % (at most 9.5 %), textbook conservative backfilling by "
        "2.2 % (at most 2.2 %) and 4.8 % (at most 4.8 %). Repetitions on the real Slurm differ by "
        "13.3 % (at most 13.3 %) and 9.5 % (at most 9.5 %). The dialect is within that spread "
        "in all of 4 cases by mean wait, and within that spread in all of 4 cases by makespan. "
        "Published Slurm simulators deviate by 1.7 % to 7.3 % from the machine that they imitate. "
        "Same ranking by mean wait as the real Slurm, of 2 windows: the dialect slurm on 2, "
        "textbook EASY on 1, textbook conservative backfilling on 0. Repetitions on the real Slurm "
        "agree with their mean in 5 of 6 runs."
    )


def summaries_with(*starts):
    """Summaries of windows on which the dialect starts the three jobs so."""
    tables = [
        summarized(RUNS | {(SLURM, 0): run(*start), (SLURM, 5): run(*start)}).reset_index()
        for start in starts
    ]
    return pd.concat(
        [table.assign(log=str(at), setting="fcfs") for at, table in enumerate(tables)],
        ignore_index=True,
    )


INSIDE, OUTSIDE = (0, 100, 170), (0, 100, 171)


@pytest.mark.parametrize(
    ("starts", "words"),
    [
        ((INSIDE, INSIDE), "The dialect is within that spread in all of 2 cases by mean wait"),
        ((INSIDE, OUTSIDE), "The dialect is within that spread in 1 of 2 cases by mean wait"),
        (
            (OUTSIDE, OUTSIDE),
            "The dialect is outside of that spread in all of 2 cases by mean wait",
        ),
        ((OUTSIDE,), "outside of that spread in all of 1 case by makespan. Published"),
    ],
)
def test_within_or_outside_is_decided_by_a_second(starts, words):
    assert words in said_of(summaries_with(*starts))


def test_deviations_to_either_side_do_not_cancel():
    """5 s below 75 and 10 s above: 6.7 % and 13.3 %; their own mean is 3.3 %."""
    said = said_of(summaries_with((0, 90, 150), (0, 105, 180)))
    assert "the dialect slurm deviates from a real Slurm by 10.0 % (at most 13.3 %)" in said


def test_largest_spread_of_real_runs_is_shown_with_the_mean():
    summaries = compare_windows()[1]
    real = summaries.index[summaries["scheduler"] == REAL]
    summaries.loc[real, "wait_spread"] = [1.0, 2.0, 3.0, 10.0]
    assert "Repetitions on the real Slurm differ by 4.0 % (at most 10.0 %) and 9.5 %" in said_of(
        summaries
    )
