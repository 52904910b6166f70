"""Score distributions: resumed where they stopped, the same on any number of threads."""

import gzip

import numpy as np
import pandas as pd
import pytest

from schedlab.core.jobs import Jobs
from schedlab.core.streams import generator
from schedlab.learning import distributions, scores
from schedlab.learning.tuples import draw_tuples
from schedlab.traces.cleaning import clean
from schedlab.traces.swf import read_swf
from schedlab.workloads import lublin

PROCESSORS, TRIALS = 256, 2000
KEY = ("carastan2017", "trials", "test")


@pytest.fixture(scope="module")
def jobs() -> Jobs:
    return Jobs.from_frame(lublin.generate(2000, PROCESSORS, generator("test", "scores")))


@pytest.fixture(scope="module")
def tuples(jobs):
    return draw_tuples(jobs, 5, *KEY, "places")


@pytest.fixture
def part(tmp_path):
    return tmp_path / "scores.part"


@pytest.fixture
def simulated(monkeypatch) -> list[int]:
    """Seeds of the tuples that are simulated."""
    seeds = []
    simulate = scores.simulate_trials

    def watched(tuples, processors, trials, its, *rest):
        seeds.extend(its)
        return simulate(tuples, processors, trials, its, *rest)

    monkeypatch.setattr(scores, "simulate_trials", watched)
    return seeds


def run(tuples, part, sampler="uniform", threads=1, trials=TRIALS):
    return scores.score_distribution(tuples, PROCESSORS, trials, sampler, KEY, part, threads)


def published(frame) -> pd.DataFrame:
    return frame.drop(columns="count")


@pytest.mark.parametrize("sampler", scores.SAMPLERS)
def test_scores_of_a_tuple_add_up_to_one(tuples, part, sampler):
    frame = run(tuples, part, sampler)
    assert frame.groupby("tuple")["score"].sum().to_numpy() == pytest.approx(np.ones(5))
    assert (frame.groupby("tuple")["count"].sum() == TRIALS).all()


def test_rows_are_the_last_32_jobs_of_each_tuple(tuples, part):
    frame = run(tuples, part)
    assert list(frame.columns) == list(distributions.COLUMNS)
    for number, tasks in frame.groupby("tuple"):
        for field in ("runtime", "procs", "submit"):
            assert np.array_equal(tasks[field], getattr(tuples[number], field)[16:])


def test_more_tuples_do_not_change_the_first_ones(jobs, tuples, tmp_path):
    few = draw_tuples(jobs, 2, *KEY, "places")
    first = run(few, tmp_path / "few")
    pd.testing.assert_frame_equal(first, run(tuples, tmp_path / "all").iloc[: len(first)])


def test_finished_tuples_are_not_simulated_again(tuples, part, tmp_path, simulated):
    run(tuples[:3], part)
    simulated.clear()
    resumed = run(tuples, part, threads=2)
    assert len(simulated) == 2
    pd.testing.assert_frame_equal(resumed, run(tuples, tmp_path / "at once"))


@pytest.mark.parametrize("other", [{"sampler": "artefact"}, {"trials": TRIALS + 1}])
def test_part_of_another_run_is_not_used(tuples, part, simulated, other):
    run(tuples, part)
    simulated.clear()
    run(tuples, part, **other)
    assert len(simulated) == 5


def test_no_tuples_give_an_empty_distribution_of_the_same_types(tuples, part, tmp_path):
    empty = run([], part)
    assert empty.empty
    assert (empty.dtypes == run(tuples, tmp_path / "other").dtypes).all()


def test_scores_settle_with_the_square_root_of_trials(tuples):
    deviations = scores.convergence(
        tuples[0], PROCESSORS, [1000, 16000], 10, "artefact", (*KEY, "convergence"), threads=2
    )
    few, many = deviations.groupby("trials")["deviation"].mean()
    assert few / many == pytest.approx(4, rel=0.3)
    # counting alone: the square root of 32 over the trials
    assert many == pytest.approx(np.sqrt(32 / 16000), rel=0.3)


def test_published_file_is_read_by_tuples(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("10.0,4.0,27541.0,0.027\n" * 64)
    frame = distributions.read_published(path)
    assert list(frame["tuple"].unique()) == [0, 1]
    assert frame.iloc[33].to_list() == [1, 1, 10, 4, 27541, 0.027]


def test_stand_in_of_a_published_file_has_no_tuples(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("; Note: not available\n")
    assert distributions.read_published(path).empty


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,1,1,0.1\n" * 31, "31 lines"),
        ("1,1,1,0.1\n" * 31 + "1.5,1,1,0.1\n", "line 32: field 'runtime' is not whole"),
        ("1,1,1,x\n" * 32, "not four numbers a line"),
        ("1,1,1\n" * 32, "not four numbers a line"),
    ],
)
def test_damaged_published_file_is_rejected_with_its_position(tmp_path, text, message):
    path = tmp_path / "scores.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        distributions.read_published(path)


def test_published_tuples_are_found_in_their_workload(jobs, tuples, part):
    found = distributions.locate(published(run(tuples, part)), jobs)
    for computed, reference in zip(found, tuples, strict=True):
        for field in ("runtime", "procs", "submit"):
            assert np.array_equal(getattr(computed, field), getattr(reference, field))


def test_published_tuple_of_another_workload_is_named(jobs, tuples, part):
    frame = published(run(tuples, part))
    frame.loc[frame.index[-1], "submit"] += 1
    with pytest.raises(ValueError, match="tuple 4 is not in the workload"):
        distributions.locate(frame, jobs)


@pytest.mark.slow
def test_correction_takes_the_bias_of_the_shuffle_out(tuples, tmp_path):
    trials = 40000
    uniform = run(tuples, tmp_path / "uniform", "uniform", 2, trials)
    artefact = run(tuples, tmp_path / "artefact", "artefact", 2, trials)
    joined = distributions.join_published(published(artefact), uniform, artefact)
    pooled = distributions.correlations(joined).set_index(["simulated", "published"])["pooled"]
    assert pooled["uniform", "corrected"] > 0.9 > pooled["uniform", "published"]
    assert pooled["artefact", "published"] == pytest.approx(1)
    assert joined["p_first"].groupby(joined["tuple"]).sum().to_numpy() == pytest.approx(np.ones(5))


def test_no_published_tuples_have_no_correlation():
    empty = pd.DataFrame(columns=list(distributions.COLUMNS)).astype(distributions.COLUMNS)
    joined = distributions.join_published(published(empty), empty, empty)
    assert joined.empty
    assert distributions.correlations(joined)["median"].isna().all()


def test_examples_go_from_flat_to_steep(tuples, tmp_path):
    uniform = run(tuples, tmp_path / "uniform")
    shown = distributions.examples(uniform, run(tuples, tmp_path / "artefact", "artefact"), count=3)
    own = shown[shown["sampler"] == "uniform"]
    assert own.groupby("tuple", sort=False)["score"].std().is_monotonic_increasing
    assert own["tuple"].nunique() == 3


@pytest.mark.logs
def test_published_scores_are_reproduced_with_the_artefact_shuffle(raw_log, part, tmp_path):
    """The spec's figures, from ten tuples and a tenth of the trials; all 216 lie in the file."""
    log = clean(read_swf(raw_log("lublin-256-train10k")).jobs, "sc17_actual", "train")[0]
    source = raw_log("score-distribution")
    reference = distributions.read_published(unpacked(source, tmp_path / "scores.csv"))
    found = distributions.locate(reference, Jobs.from_frame(log))
    assert len(found) == 216
    computed = {name: run(found[:10], part, name, 2, 25600) for name in scores.SAMPLERS}
    joined = distributions.join_published(reference[reference["tuple"] < 10], **computed)
    by_pair = distributions.correlations(joined).set_index(["simulated", "published"])["median"]
    assert by_pair["uniform", "published"] < 0.4
    assert by_pair["uniform", "corrected"] > 0.95
    assert by_pair["artefact", "published"] > 0.95


def unpacked(path, target):
    """Return the plain text of an archive's file, compressed or not."""
    content = path.read_bytes()
    target.write_bytes(gzip.decompress(content) if path.suffix == ".gz" else content)
    return target
