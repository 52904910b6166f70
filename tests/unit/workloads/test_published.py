"""Workloads as the models' programs generate them, compared with the project's own models."""

import hashlib
from dataclasses import asdict

import numpy as np
import pandas as pd
import pytest
from scipy.stats import chi2_contingency, ks_2samp

from schedlab.files.config import read_sheet
from schedlab.traces.cleaning import as_log, clean
from schedlab.traces.cleaning_rules import RULE_SETS
from schedlab.traces.swf import read_swf
from schedlab.workloads import lublin, published, tsafrir
from schedlab.workloads.lublin import TYPES
from schedlab.workloads.published import Rand, Rand48
from twins import lublin as lublin_program
from twins import tsafrir as tsafrir_program
from twins.introsort import introsort

HOUR = 3600
LONGEST = 162_754
#: hashes of the published files' jobs
DIGESTS = {
    "lublin-256": "fb634081edeabfe5ba38340fd68bc031d3dd8ae0e7e25be0b540ed81941e62d6",
    "lublin-256-est": "5749f8ea2fa6399d8f8534d2f8fa6c6ac67a73862c1a1055e3dd51837018ad20",
    "lublin-1024": "d47fdae53366092e2a452a10ebafdafb48d3d6c7125572627082d4ffab5e1dda",
    "lublin-1024-est": "3765f28863bdd5f9c5c8633fa4bf0ebaecbe4b22faf6f88bb155a3821ff36f15",
    "lublin-256-train10k": "f4a4a6dbf4db47aac7229818e2d99be02b999d8264870675c5cbfaf5b51e31f9",
}
PROGRAM_TYPES = {
    "typeless": [lublin_program.TYPELESS],
    "batch": [lublin_program.BATCH],
    "interactive": [lublin_program.INTERACTIVE],
    "batch+interactive": [lublin_program.INTERACTIVE, lublin_program.BATCH],
}


def digest(jobs: pd.DataFrame) -> str:
    """Hash of the fields of `Jobs`, row by row."""
    fields = jobs[["number", "submit", "runtime", "estimate", "procs"]].to_numpy(dtype="<i8")
    return hashlib.sha256(np.ascontiguousarray(fields).tobytes()).hexdigest()


@pytest.fixture(scope="module")
def published_workloads(root):
    """The five published workloads, drawn from their rows of the model sheet."""
    schema = root / "workflow/schemas/models.schema.yaml"
    sheet = read_sheet(root / "config/models.tsv", schema).set_index("model")
    found = {}
    for log in DIGESTS:
        row = sheet.loc[log.replace("-", "_").replace("lublin_", "lublin_published_")]
        jobs = published.generate(row["jobs"], row["processors"], row["seed"], row["type"])
        if row["estimates"] == "tsafrir":
            jobs = published.with_estimates(jobs, row["max_estimate"], row["estimates_seed"])
        found[log] = jobs
    return found


@pytest.mark.parametrize("log", DIGESTS)
def test_published_workloads_are_those_of_the_files(published_workloads, log):
    assert digest(published_workloads[log]) == DIGESTS[log]


@pytest.mark.logs
@pytest.mark.parametrize("log", DIGESTS)
@pytest.mark.parametrize("rules", ["sc17", "full"])
def test_cleaning_a_published_file_gives_the_jobs_drawn(raw_log, published_workloads, log, rules):
    """A file, cleaned, and its seed give the same jobs in all columns; no rule has work to do."""
    decisions = "estimate" if log.endswith("est") else "actual"
    jobs, ledger = clean(read_swf(raw_log(log)).jobs, f"{rules}_{decisions}", log)
    pd.testing.assert_frame_equal(jobs, published_workloads[log])
    assert ledger.empty


@pytest.mark.logs
@pytest.mark.parametrize("log", DIGESTS)
@pytest.mark.parametrize("rules", [name for name in RULE_SETS if RULE_SETS[name].clock == "log"])
def test_every_rule_set_cleans_generated_jobs_like_the_file(
    raw_log, published_workloads, log, rules
):
    """Jobs and ledger: without requested times a rule set on them drops or raises all of either."""
    log_drawn = as_log(published_workloads[log], estimated=log.endswith("est"))
    of_file, of_model = (
        clean(jobs, rules, log) for jobs in (read_swf(raw_log(log)).jobs, log_drawn)
    )
    for computed, published_ones in zip(of_model, of_file, strict=True):
        pd.testing.assert_frame_equal(computed, published_ones)


@pytest.mark.parametrize("types", TYPES)
@pytest.mark.parametrize("processors", [4, 256, 1024])
def test_jobs_equal_the_program_written_out(types, processors):
    jobs = published.generate(600, processors, 11, types)
    kinds = [lublin_program.on(kind, processors) for kind in PROGRAM_TYPES[types]]
    queues = [lublin.INTERACTIVE_QUEUE, lublin.BATCH_QUEUE]
    queues = queues if len(kinds) > 1 else [lublin.BATCH_QUEUE * (types == "batch")]
    program = lublin_program.draw_jobs(kinds, 11, 600)
    expected = [(*job, queues[place]) for *job, place in program]
    columns = jobs[["submit", "runtime", "procs", "queue"]]
    assert list(columns.itertuples(index=False, name=None)) == expected


def test_example_of_the_program_is_reproduced():
    """Batch jobs on all of 128 processors, interactive ones on a part of it."""
    jobs = published.generate(600, 128, 3, (lublin.BATCH, lublin.INTERACTIVE))
    program = lublin_program.draw_jobs(PROGRAM_TYPES["batch+interactive"], 3, 600)
    columns = jobs[["submit", "runtime", "procs", "queue"]]
    assert list(columns.itertuples(index=False, name=None)) == list(program)


@pytest.mark.parametrize("seed", [0, 2**32 - 1])
def test_least_workload_is_a_job_on_two_processors_from_any_seed(seed):
    assert len(published.generate(1, 2, seed)) == 1


def test_two_hundred_jobs_have_only_the_twenty_round_times():
    """The least that the program takes: as many different estimates as round times."""
    bins = published.draw_bins(200, LONGEST, Rand48(1))
    assert bins.time.tolist() == sorted(tsafrir.head_times(LONGEST), reverse=True)
    with pytest.raises(ValueError, match=r"180 jobs .* 20 round times and 19 different estimates"):
        published.draw_bins(180, LONGEST, Rand48(1))


def test_default_seed_of_the_program_is_0():
    jobs = published.generate(500, 256, 1)
    drawn, told, other = (
        published.with_estimates(jobs, LONGEST, *seed)["estimate"].tolist()
        for seed in ((), (0,), (1,))
    )
    assert drawn == told != other


@pytest.mark.parametrize("processors", [256, 1024])
@pytest.mark.parametrize("kind", PROGRAM_TYPES)
def test_computed_sizes_equal_the_programs_from_the_same_draws(kind, processors):
    """Each of 20,000 sizes is what the program makes of the same three numbers."""
    for computed, program in zip(TYPES[kind][::-1], PROGRAM_TYPES[kind], strict=True):
        sizes = lublin._sizes(computed.on(processors), 20_000, np.random.default_rng(5))
        draws = np.random.default_rng(5).random((3, 20_000)).T.tolist()
        spread = lublin_program.on(program, processors)
        expected = [lublin_program.size_of(iter(draw).__next__, spread) for draw in draws]
        assert sizes.tolist() == expected


@pytest.mark.parametrize(
    ("kind", "program"),
    [
        (lublin.BATCH, lublin_program.BATCH),
        (lublin.INTERACTIVE, lublin_program.INTERACTIVE),
        (lublin.TYPELESS, lublin_program.TYPELESS),
    ],
)
def test_constants_of_a_job_type_are_the_programs(kind, program):
    computed = asdict(kind)
    assert {name: computed[name] for name in program} == program


@pytest.mark.parametrize("count", [0, 1, 2, 15, 16, 17, 18, 40, 1000, 20_000])
@pytest.mark.parametrize("values", [1, 2, 30, 10**6])
def test_sorting_leaves_ties_as_introsort_does(count, values):
    key = np.random.default_rng([count, values]).integers(0, values, count)
    order = published.sorted_descending(key).tolist()
    keys = key.tolist()
    assert order == introsort(list(range(count)), lambda x, y: keys[x] > keys[y])
    assert [keys[place] for place in order] == sorted(keys, reverse=True)


def test_sorting_beyond_introsort_is_an_error():
    """Values made against the median of three (McIlroy 1999) are an error, not a guess."""
    count, solid, candidate = 4096, 0, -1
    value = [10**9] * count  # decided only where two of them meet

    def before(x, y):
        nonlocal solid, candidate
        if value[x] == value[y] == 10**9:
            value[x if x == candidate else y] = solid = solid + 1
        candidate = x if value[x] == 10**9 else y if value[y] == 10**9 else candidate
        return value[x] < value[y]

    with pytest.raises(NotImplementedError):
        introsort(list(range(count)), before)
    with pytest.raises(ValueError, match="4096 values make std::sort go over to heapsort"):
        published.sorted_descending(-np.array(value))


def test_streams_are_those_of_the_c_libraries():
    rand = Rand()
    assert [rand() for _ in range(5)] == [
        1804289383, 846930886, 1681692777, 1714636915, 1957747793,
    ]  # fmt: skip
    assert Rand48(0).integers(3).tolist() == [366850414, 1610402240, 206956554]
    whole, split = Rand48(7), Rand48(7)
    # After an odd number of draws the last bit of the state is set, and counts.
    assert whole.integers(50).tolist() == [*split.integers(21), *split.integers(29)]
    program = lublin_program.Rand48(2**32 - 1)
    assert Rand48(2**32 - 1).integers(99).tolist() == [program.integer() for _ in range(99)]


@pytest.mark.parametrize(("count", "longest"), [(1000, 36 * HOUR), (9000, LONGEST)])
def test_estimates_equal_the_program_written_out(count, longest):
    jobs = published.generate(count, 256, 2)
    drawn = published.with_estimates(jobs, longest, 4)
    runtime = jobs["runtime"].clip(upper=longest).tolist()
    assert drawn["runtime"].tolist() == runtime
    assert drawn["estimate"].tolist() == tsafrir_program.estimates(runtime, longest, 4)


@pytest.mark.parametrize("jobs", [500, 20_000, 123_456, 10**9, 10**12])
@pytest.mark.parametrize("longest", [5 * HOUR, LONGEST, 1000 * HOUR])
def test_counts_equal_the_program_written_out(jobs, longest):
    """Of a billion jobs each digit of the shares' constants counts."""
    bins = published.draw_bins(jobs, longest, Rand48(1))
    program = tsafrir_program.counts(jobs, longest, lublin_program.Rand48(1))
    assert dict(zip(bins.time.tolist(), bins.count.tolist(), strict=True)) == program


def test_number_of_bins_equals_the_program_written_out():
    """One bin more exactly where the program's table says."""
    program = [tsafrir_program.number_of_bins(jobs) for jobs in range(251_000)]
    more = np.flatnonzero(np.diff(program))
    for jobs in (*more, *(more + 1), 250_999, 10**7):
        expected = tsafrir_program.number_of_bins(int(jobs))
        assert tsafrir.number_of_bins(int(jobs)) == expected, jobs


def test_head_times_equal_the_program_written_out():
    """The round times below any limit from an hour to 1,000 hours."""
    for longest in range(HOUR, 1000 * HOUR, 50 * 60):
        assert tsafrir.head_times(longest) == tsafrir_program.head_times(longest), longest


@pytest.mark.parametrize("bins", [60, 132, 340, 565])
def test_tail_times_equal_the_program_written_out(bins):
    for longest in (HOUR, 3 * HOUR + 30, LONGEST, 36 * HOUR, 500 * HOUR):
        head = tsafrir_program.head_times(longest)
        computed = sorted(tsafrir.tail_times(bins, head, longest))
        assert computed == tsafrir_program.tail_times(bins, head, longest), longest


@pytest.mark.parametrize("bins", [0, 1, 112, 545])
def test_shares_equal_the_program_written_out(bins):
    """Head and tail, to eleven digits."""
    head = tsafrir_program.head_shares()
    assert tsafrir.head_shares().tolist() == pytest.approx(head, rel=1e-11)
    tail = tsafrir_program.tail_shares(bins)
    assert tsafrir.tail_shares(bins).tolist() == pytest.approx(tail, rel=1e-11)


def test_popularity_ranks_equal_the_program_written_out():
    rand, program = Rand(), tsafrir_program.Rand()
    for seed in range(100):
        expected = tsafrir_program.popularity_ranks(program, lublin_program.Rand48(seed))
        assert published.popularity_ranks(rand, Rand48(seed)) == expected


@pytest.mark.slow
def test_computed_popularity_ranks_have_the_programs_distribution():
    """A hundred times row and rank: chi-squared finds no difference to the published program."""
    head, rng = tsafrir.head_times(LONGEST), np.random.default_rng(1)
    rand, stream = Rand(), Rand48(1)
    computed = np.array([tsafrir._popularity_ranks(head, {}, rng) for _ in range(2000)])
    published_ones = np.array([published.popularity_ranks(rand, stream) for _ in range(2000)])
    for row in range(1, 20):
        table = np.array(
            [np.bincount(each[:, row], minlength=21) for each in (computed, published_ones)]
        )
        table = table[:, table.sum(axis=0) > 0]
        if table.shape[1] > 1:
            assert chi2_contingency(table).pvalue > 1e-4, row


@pytest.mark.parametrize("jobs", [10_000, 20_000, 50_000, 250_000, 1_500_000])
def test_computed_bins_equal_the_programs(jobs):
    """But for what rounding leaves over: a job may be in the next bin."""
    computed = tsafrir.draw_bins(jobs, LONGEST, 3)
    published_ones = published.draw_bins(jobs, LONGEST, Rand48(3))
    assert sorted(computed.time.tolist()) == sorted(published_ones.time.tolist())
    assert np.abs(np.sort(computed.count) - np.sort(published_ones.count)).max() <= (jobs > 50_000)
    largest = np.argsort(-published_ones.count)[: tsafrir.HEAD_BINS]
    assert set(computed.time[: tsafrir.HEAD_BINS]) == set(published_ones.time[largest])


def test_computed_estimates_are_assigned_like_the_programs(published_workloads):
    """The same estimates dealt out again: the shares that jobs use cannot be distinguished."""
    for log in ("lublin-256-est", "lublin-1024-est"):
        runtime = published_workloads[log]["runtime"].to_numpy()
        published_ones = published_workloads[log]["estimate"].to_numpy()
        computed = tsafrir._assigned(runtime, published_ones, np.random.default_rng(0))
        assert ks_2samp(runtime / computed, runtime / published_ones).pvalue > 0.01


@pytest.fixture(scope="module", params=["typeless", "batch", "interactive", "batch+interactive"])
def large(request):
    """Return 300,000 computed jobs, and as many of the published program."""
    computed = lublin.generate(300_000, 256, 10, request.param)
    return computed, published.generate(300_000, 256, 10, request.param)


def distributions(jobs):
    """What the model draws, one by one and by size, with what follows from the order of arrival."""
    log_size = np.log2(jobs["procs"])
    return {
        "size": jobs["procs"],
        "run time": jobs["runtime"],
        "run time of serial jobs": jobs.loc[jobs["procs"] == 1, "runtime"],
        "run time of small jobs": jobs.loc[jobs["procs"].between(2, 15), "runtime"],
        "run time of large jobs": jobs.loc[jobs["procs"] >= 16, "runtime"],
        "size of other jobs": jobs.loc[log_size % 1 != 0, "procs"],
        "gap": np.diff(jobs["submit"]),
        "gap of two": np.diff(jobs["submit"], n=2),
        "queue": jobs["queue"],
    }


@pytest.mark.slow
def test_computed_jobs_have_the_programs_distribution(large):
    """Kolmogorov-Smirnov on 300,000 jobs each finds no difference to the published program."""
    computed, published_ones = map(distributions, large)
    for name, ours_drawn in computed.items():
        assert ks_2samp(ours_drawn, published_ones[name]).pvalue > 1e-3, name


@pytest.mark.slow
def test_computed_daily_cycle_matches_the_programs(large):
    """Arrivals by half hour of the day, day by day: no hour differs by more than chance."""
    shares = [by_hour(jobs["submit"].to_numpy()) for jobs in large]
    mean = [share.mean(axis=0) for share in shares]
    error = np.sqrt(sum(share.var(axis=0) / len(share) for share in shares))
    assert np.abs((mean[0] - mean[1]) / error).max() < 4


def by_hour(submit):
    """Jobs in each hour of each whole day of the first 15; the clock drifts later."""
    hours = np.bincount(submit // HOUR)
    return hours[: hours.size // 24 * 24].reshape(-1, 24)


def test_no_gap_is_longer_than_the_program_allows(large):
    """A gap's logarithm is at most 13: with the night that is less than six days."""
    gaps = [np.diff(jobs["submit"]).max() for jobs in large]
    assert max(gaps) < 6 * 24 * HOUR


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 256, 1), "jobs is 0"),
        ((10, 1, 1), "processors is 1, must be a power of two"),
        ((10, 100, 1), "processors is 100, must be a power of two"),
        ((10, 256, -1), "seed is -1"),
        ((10, 256, 2**32), "seed is 4294967296, must be 0 to 4294967295"),
        ((10, 256, 1, (lublin.BATCH, lublin.INTERACTIVE, lublin.TYPELESS)), "3 job types"),
        ((10, 256, 1, "typless"), "unknown type 'typless'"),
    ],
)
def test_arguments_outside_the_programs_range_are_rejected(arguments, message):
    with pytest.raises(ValueError, match=message):
        published.generate(*arguments)


def test_estimates_without_twenty_round_times_are_refused():
    jobs = published.generate(1000, 256, 1)
    with pytest.raises(ValueError, match="1000 jobs of at most 3600 s have 12 round times"):
        published.with_estimates(jobs, HOUR)
    with pytest.raises(ValueError, match=r"10 jobs .* 5 different estimates"):
        published.with_estimates(jobs.head(10), LONGEST)
    with pytest.raises(tsafrir.Infeasible, match="longest jobs run 162754 s or more"):
        published.with_estimates(pd.DataFrame({"runtime": [LONGEST] * 1000}), LONGEST)
