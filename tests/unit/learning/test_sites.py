"""Site policies: contended tuples, resampled fits, and whether they pay."""

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs, jobs_by_piece
from schedlab.core.metrics import average_bounded_slowdown
from schedlab.core.splitting import DAY, middle, split
from schedlab.kernels.queue import trials as kernel
from schedlab.learning import transfer, tuples
from schedlab.learning.regimes import REFERENCES, REGIMES, SPLIT
from schedlab.learning.regression import distinct_functions, fit_exact, form_of
from schedlab.learning.resampling import best_of_weighted, resampled_policies
from schedlab.learning.scores import score_distribution
from schedlab.learning.sites import draw_contended, first_half, is_contended
from schedlab.learning.tuples import TASKS, TASKS_OF_QUEUE, TaskTuple
from schedlab.learning.windows import run_on_windows
from schedlab.policies import get
from schedlab.queue.simulation import Run, simulate
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.report.words import filled
from schedlab.studies.carastan2017.figures.sites import draw_sites
from schedlab.studies.carastan2017.tables import sites
from words_case import words_of

WORDS = words_of("carastan2017")
COEFFICIENTS = ["c1", "c2", "c3"]
PROCESSORS = 16


def log_of(count=1500, seed=3):
    """Jobs of some 60 days on 16 processors, busy at times."""
    rng = np.random.default_rng(seed)
    submit = np.sort(rng.integers(0, 62 * DAY, count))
    runtime = rng.integers(1, 20_000, count)
    estimate = runtime + rng.integers(0, 5000, count)
    return Jobs(np.arange(1, count + 1), submit, runtime, estimate, rng.integers(1, 9, count))


@pytest.fixture(scope="module")
def distribution(tmp_path_factory):
    """Scores of some tuples of the log."""
    tuples = draw_contended(log_of(), PROCESSORS, 6, "test").tuples
    part = tmp_path_factory.mktemp("scores") / "part"
    return score_distribution(tuples, PROCESSORS, 2048, "uniform", ["test"], part)


def test_a_tuple_that_is_not_contended_runs_the_same_under_every_policy():
    """What makes it say nothing: there is never a choice."""
    jobs, processors, seen = log_of(), 32, 0
    for place in range(0, 1400, 48):
        part = jobs.take(slice(place, place + TASKS)).rebased()
        if is_contended(TaskTuple(part.runtime, part.procs, part.submit), processors):
            continue
        if (simulate(Run(part, processors, get("fcfs"))).start > part.submit).any():
            continue  # a task of S waits
        seen += 1
        for policy in REFERENCES:
            start = simulate(Run(part, processors, get(policy), get(policy))).start
            np.testing.assert_array_equal(start, part.submit)
    assert seen


def test_tuples_of_a_site_are_disjoint_and_cover_all_but_the_last_jobs():
    count = 3 * TASKS + 47
    submit, ones = np.arange(count), np.ones(count, int)
    jobs = Jobs(submit + 1, submit, submit + 1, submit + 1, ones)
    drawn = list(tuples.shuffled_tuples(jobs, "key"))
    runtimes = np.concatenate([one.runtime for one in drawn])
    assert sorted(runtimes) == list(range(1, 3 * TASKS + 1))
    orders = {
        tuple(one.runtime[0] for one in tuples.shuffled_tuples(jobs, number)) for number in range(9)
    }
    assert len(orders) > 1
    assert tuples.TASKS_OF_STATE == kernel.TASKS_OF_STATE
    assert tuples.TASKS_OF_QUEUE == kernel.TASKS_OF_QUEUE
    assert len(list(tuples.shuffled_tuples(jobs.take(slice(0, 48)), "key"))) == 1
    with pytest.raises(ValueError, match="there are 47"):
        list(tuples.shuffled_tuples(jobs.take(slice(0, 47)), "key"))


def test_too_few_jobs_or_too_wide_a_job_is_an_error():
    with pytest.raises(ValueError, match="a tuple takes 48 jobs, there are 10"):
        draw_contended(log_of(10), PROCESSORS, 5, "key")
    with pytest.raises(ValueError, match="processors, the machine has 2"):
        draw_contended(log_of(), 2, 5, "key")
    jobs = log_of()
    late = Jobs(jobs.number + 1000, jobs.submit, jobs.runtime, jobs.estimate, jobs.procs)
    with pytest.raises(ValueError, match=r"job 1\d{3} needs"):
        draw_contended(late, 2, 5, "key")


def test_halves_share_no_job_and_windows_are_whole():
    jobs = log_of()
    early, windows = first_half(jobs), split(jobs.to_frame(), SPLIT)
    assert early.submit[-1] < middle(jobs.submit) <= windows["submit"].min()
    assert windows["piece"].nunique() == 2
    assert first_half(jobs.take(slice(0, 0))).submit.size == 0


def test_every_tuple_once_gives_the_exact_fit(distribution):
    fit = distinct_functions(fit_exact(distribution)).iloc[0]
    (found,) = best_of_weighted(distribution, np.ones((1, 6), int)).to_dict("records")
    assert found["function"] == form_of(fit).name
    assert found["rank_error"] == pytest.approx(fit["rank_error"], rel=1e-9)
    np.testing.assert_allclose(
        [found[c] for c in COEFFICIENTS], fit[COEFFICIENTS].to_numpy(float), rtol=1e-6
    )


@pytest.mark.slow
def test_resamples_are_the_exact_fits_of_their_tuples(distribution):
    counts = np.array([[2, 0, 1, 3, 0, 0], [0, 1, 1, 1, 1, 2], [6, 0, 0, 0, 0, 0]])
    found = best_of_weighted(distribution, counts)
    blocks = [distribution.iloc[32 * k : 32 * (k + 1)] for k in range(6)]
    for weights, computed in zip(counts, found.to_dict("records"), strict=True):
        drawn = pd.concat([blocks[k] for k in np.repeat(np.arange(6), weights)])
        fit = distinct_functions(fit_exact(drawn.reset_index(drop=True))).iloc[0]
        assert computed["rank_error"] == pytest.approx(fit["rank_error"], rel=1e-6)
        assert computed["function"] == form_of(fit).name
        assert computed["formula"] == fit["formula"]


def test_resampled_policies_run_and_are_reproducible(distribution):
    found = resampled_policies(distribution, 7, "key")
    assert found["resample"].tolist() == list(range(7))
    assert all(get(text).order == "static" for text in found["policy"])
    pd.testing.assert_frame_equal(found, resampled_policies(distribution, 7, "key"))
    assert resampled_policies(distribution.iloc[:0], 7, "key").empty
    assert len(distribution) % TASKS_OF_QUEUE == 0


def test_measure_is_table_4s_metric_in_both_regimes():
    pieces = split(log_of().to_frame(), SPLIT)
    found = run_on_windows(["spt", "r * n", "spt"], pieces, PROCESSORS, threads=2)
    assert len(found) == 2 * len(REGIMES) * pieces["piece"].nunique()
    for row in found.itertuples():
        actual = row.regime == "actual"
        jobs = jobs_by_piece(pieces, clairvoyant=actual)[row.window]
        policy = get(row.policy)
        run = Run(jobs, PROCESSORS, policy, None if actual else policy, head=16)
        assert row.avebsld == average_bounded_slowdown(jobs, simulate(run), skip=16)
    assert run_on_windows(["spt"], pieces.iloc[:0], PROCESSORS).empty


def test_tuples_table_gives_the_reason_for_a_missing_policy():
    draws = pd.DataFrame(
        {
            "site": ["busy", "quiet", "absent"],
            "processors": 16,
            "jobs": [100, 100, 0],
            "drawn": [10, 40, 0],
            "contended": [8, 2, 0],
        }
    )
    table = sites.tuple_table(draws, fewest=5)
    assert table["status"].tolist() == ["", transfer.NO_POLICY, NOT_AVAILABLE]
    assert table["share_dropped"].tolist()[:2] == [pytest.approx(0.2), pytest.approx(0.95)]
    assert sites.quiet_sites(table) == ["quiet (95%)"]
    assert "At every site" in filled(WORDS["notes"]["sites_tuples"], {"quiet": []})


def sentence_on(summary):
    return sites.sentence(summary, WORDS["sentences"]["sites"])


def replicates(learned, resamples=39, sites=("one", "two"), scatter=0.0, windows=6):
    """Made-up results: F1 to F4 have 10 in every window, learned policies `learned` times that."""
    policies = [transfer.references()]
    for site in sites:
        numbers = [transfer.ALL_TUPLES, *range(resamples)]
        texts = [f"{site} {number}" for number in numbers]
        policies.append(pd.DataFrame({"trained": site, "resample": numbers, "policy": texts}))
    policies = pd.concat(policies)
    rng, measured = np.random.default_rng(1), {"absent": pd.DataFrame({"regime": []})}
    for site in sites:
        rows = [
            (
                text,
                regime.name,
                window,
                10 * (1 if text in REFERENCES else learned + scatter * rng.normal()),
            )
            for text in policies["policy"]
            for regime in REGIMES
            for window in range(windows[site] if isinstance(windows, dict) else windows)
        ]
        measured[site] = pd.DataFrame(rows, columns=["policy", "regime", "window", "avebsld"])
    return transfer.Replicates(policies, measured, resamples, ["test"])


def test_each_regime_resamples_its_own_windows():
    """One regime with five windows and one with two: all five of the first are drawn from."""
    policies = pd.concat([transfer.references(), pd.DataFrame(
        {"trained": "one", "resample": [transfer.ALL_TUPLES, *range(200)], "policy": "mine"}
    )])  # fmt: skip
    # In the last windows of the first regime the learned policy is far better.
    rows = [
        (text, regime.name, window, 1.0 if text == "mine" and window > 1 else 10.0)
        for text in policies["policy"].unique()
        for regime, count in zip(REGIMES, (5, 2), strict=True)
        for window in range(count)
    ]
    measured = pd.DataFrame(rows, columns=["policy", "regime", "window", "avebsld"])
    found = transfer.Replicates(policies, {"one": measured}, 200, ["test"])
    assert [found.count(regime.name, "one") for regime in REGIMES] == [5, 2]
    assert found.ratios("actual", "one", "one").min() == pytest.approx(0.1)
    assert (found.ratios("backfill", "one", "one") == 1).all()
    table = sites.matrix(found, {"one": ""}).set_index(["regime", "trained"])
    assert table.loc[("actual", "one"), "windows"] == 5
    assert table.loc[("backfill", "one"), "windows"] == 2
    assert sites.summary(found, ["one"])["windows"].tolist() == [5, 2]


@pytest.mark.parametrize(
    ("learned", "scatter", "pays", "words"),
    [
        (0.8, 0.01, "yes", "Site policies pay with actual run times"),
        (1.3, 0.01, "no", "Site policies do not pay with actual run times"),
        (1.0, 0.3, "open", "It is undecided whether site policies pay with actual run times"),
    ],
)
def test_the_sentence_follows_the_interval(learned, scatter, pays, words):
    found = sites.summary(replicates(learned, scatter=scatter), ["one", "two", "absent"])
    assert found["pays"].tolist() == [pays] * 2
    assert found["sites"].tolist() == [2, 2]
    sentence = sentence_on(found)
    assert words in sentence
    assert "too few" not in sentence
    columns = {"yes": "better", "no": "worse"}
    assert found[columns.get(pays, "undecided")].tolist() == ["one, two"] * 2
    assert len(sentence.splitlines()) == len(REGIMES) + 2
    assert "Each of these 4 verdicts on a single site is at 95%" in sentence
    assert "0.2 of them would be wrong on average" in sentence


def test_too_few_windows_are_undecided():
    found = sites.summary(replicates(0.5, windows=5), ["one", "two"])
    assert found["pays"].tolist() == ["open"] * 2
    assert found["undecided"].tolist() == ["one, two"] * 2
    assert found["verdicts"].tolist() == [0, 0]
    sentence = sentence_on(found)
    assert "at least 5 windows, too few for a verdict." in sentence
    assert sentence.endswith("No single site has enough windows for a verdict.")
    nothing = sites.summary(replicates(1.0, sites=()), ["absent"])
    assert "Site policies were not evaluated" in sentence_on(nothing)
    table = sites.matrix(replicates(0.5, windows=5), {"one": "", "two": ""})
    cells = [text.get_text() for text in draw_sites(table).axes[0].texts]
    assert all("*" in text for text in cells)


@pytest.mark.parametrize(
    ("resamples", "kept"),
    # of four verdicts Holm multiplies 2 / (B + 1) by 4: below 5 % from B = 159 on
    [(158, "none"), (159, "one, two")],
)
def test_holm_is_for_the_verdicts_of_all_sites_and_regimes(resamples, kept):
    found = sites.summary(replicates(0.5, resamples), ["one", "two"])
    assert found["better"].tolist() == ["one, two"] * 2
    assert found["adjusted"].tolist() == [kept] * 2
    words = {
        "none": "none is significant after Holm's correction.",
        "one, two": "Holm's correction: one, two (regime actual); one, two (regime backfill).",
    }
    assert words[kept] in sentence_on(found)


def test_an_undecided_site_is_not_decided_by_holm():
    found = sites.summary(replicates(1.0, 159, scatter=0.3), ["one", "two"])
    assert found["adjusted"].tolist() == ["none"] * 2
    assert sentence_on(found).endswith("wrong on average. Result: none is decided.")


@pytest.mark.parametrize(
    ("windows", "pays", "verdicts", "better"),
    [(6, "yes", 2, "one, two"), ({"one": 5, "two": 6}, "open", 1, "two")],
)
def test_six_windows_decide_a_site(windows, pays, verdicts, better):
    found = sites.summary(replicates(0.5, windows=windows), ["one", "two"])
    assert found["pays"].tolist() == [pays] * 2
    assert found["verdicts"].tolist() == [verdicts] * 2
    assert found["better"].tolist() == [better] * 2


def test_matrix_has_every_pair_and_marks_missing_ones():
    statuses = {"one": "", "two": "", "quiet": transfer.NO_POLICY, "absent": NOT_AVAILABLE}
    table = sites.matrix(replicates(0.5), statuses)
    assert len(table) == len(REGIMES) * (len(REFERENCES) + 4) * 4
    cell = table.set_index(["regime", "trained", "tested"])
    own = cell.loc[("actual", "one", "two")]
    assert (own["median"], own["ratio"], own["low"], own["high"]) == (5, 0.5, 0.5, 0.5)
    assert (own["windows"], own["resampled"]) == (6, "windows")
    assert cell.loc[("actual", "one", "one")]["resampled"] == "tuples and windows"
    assert cell.loc[("backfill", "F1", "one")]["ratio"] == 1
    assert cell.loc[("actual", "quiet", "one")]["status"] == transfer.NO_POLICY
    assert cell.loc[("actual", "one", "absent")]["status"] == NOT_AVAILABLE
    assert cell.loc[("actual", "absent", "one")]["status"] == NOT_AVAILABLE
    readable = sites.shown(table)
    assert list(readable) == ["regime", "trained", *statuses]
    row = readable[(readable["regime"] == "actual") & (readable["trained"] == "one")].iloc[0]
    assert row["two"] == "5.00 = 0.50 [0.50, 0.50]"
    assert row["absent"] == NOT_AVAILABLE


def test_user_policies_are_listed_with_the_reference_policies():
    policies = transfer.references({"mine": "r * n"})
    assert policies["trained"].tolist() == [*REFERENCES.values(), "mine"]
    rows = [
        (text, regime.name, window, 5.0 if text == "r * n" else 10.0)
        for text in policies["policy"]
        for regime in REGIMES
        for window in range(6)
    ]
    measured = pd.DataFrame(rows, columns=["policy", "regime", "window", "avebsld"])
    found = transfer.Replicates(policies, {"one": measured}, 39, ["test"])
    table = sites.matrix(found, {"one": transfer.NO_POLICY}, ["mine"])
    own = table.set_index(["regime", "trained"]).loc[("actual", "mine")]
    assert (own["policy"], own["ratio"], own["high"]) == ("r * n", 0.5, 0.5)
    figure = draw_sites(table)
    labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
    assert labels == ["one", *REFERENCES.values(), "mine"]
    assert figure.get_suptitle().startswith("No policy learned on a site’s log is compared")


def test_figure_shows_each_ratio_and_drops_logs_that_are_not_available():
    table = sites.matrix(replicates(0.5), {"one": "", "two": "", "absent": NOT_AVAILABLE})
    figure = draw_sites(table)
    texts = [text.get_text() for text in figure.axes[0].texts]
    assert texts.count("0.50\n[0.50, 0.50]") == 4
    assert texts.count("1.00\n[1.00, 1.00]") == 12
    assert NOT_AVAILABLE not in texts
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == ["one", "two"]


def test_only_ratios_significantly_different_from_one_are_tinted():
    table = sites.matrix(replicates(0.5), {"one": "", "two": ""})
    table.loc[table["ratio"] == 1, ["low", "high"]] = [1.0, 1.5]
    cells = [patch for patch in draw_sites(table).axes[0].patches if patch.get_fill()]
    white = [patch.get_facecolor()[:3] == (1, 1, 1) for patch in cells]
    assert (sum(white), len(white) - sum(white)) == (12, 4)


def test_figure_without_any_log_is_marked():
    table = sites.matrix(replicates(1.0, sites=()), {"absent": NOT_AVAILABLE})
    assert NOT_AVAILABLE in draw_sites(table).texts[0].get_text()


def test_best_functions_of_every_site_are_listed(distribution):
    fits = {
        "one": distinct_functions(fit_exact(distribution)),
        "absent": fit_exact(distribution.iloc[:0]),
    }
    table = sites.policy_table(fits)
    assert table["rank"].tolist() == [1, 2, 3, 4]
    assert table["site"].tolist() == ["one"] * 4
    assert distinct_functions(fits["absent"]).empty
    assert sites.policy_table({"absent": fits["absent"]}).empty
    policies = transfer.policies_of("one", fits["one"], resampled_policies(distribution, 2, "k"))
    assert policies["resample"].tolist() == [transfer.ALL_TUPLES, 0, 1]
    empty = resampled_policies(distribution.iloc[:0], 2, "k")
    assert transfer.policies_of("absent", distinct_functions(fits["absent"]), empty).empty
