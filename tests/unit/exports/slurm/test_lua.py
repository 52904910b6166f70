"""The job_submit.lua in a real Lua, compared with the scores."""

import shutil
import subprocess

import numpy as np
import pytest

from schedlab.exports.slurm import slurm_export
from schedlab.exports.slurm.export import HORIZON, LUA
from schedlab.exports.slurm.levels import TOP, levels_of
from schedlab.policies import get

LUAS = [name for name in ("lua5.1", "lua5.3", "lua5.4", "lua") if shutil.which(name)]
ORIGIN, NOW = 1_767_225_600, 1_770_000_000
NO_VAL, INFINITE, NO_VAL16 = 4294967294, 4294967295, 65534
pytestmark = pytest.mark.skipif(not LUAS, reason="no Lua interpreter here (Debian: lua5.4)")
PARTITIONS = """{
  main = {flag_default = 1, default_time = 50, max_time = 100},
  long = {flag_default = 0, default_time = 4294967294, max_time = 300},
  endless = {flag_default = 0, default_time = 4294967294, max_time = 4294967295},
}"""


def site_factors(policy, jobs, **settings):
    """Submit jobs (Lua tables) in a Lua in place of Slurm's; the site factors set."""
    export = slurm_export(policy, origin=ORIGIN, means="submit", **settings)
    calls = "\n".join(
        f"job = {{{job}}} assert(slurm_job_submit(job, {PARTITIONS}, 0) == 0)\n"
        'print(string.format("%.0f", job.site_factor))'
        for job in jobs
    )
    before = f"slurm = {{SUCCESS = 0}} os.time = function() return {NOW} end\n"
    code = before + export.files[LUA].replace("\nreturn slurm.SUCCESS\n", "\n") + calls
    done = subprocess.run([LUAS[0], "-"], input=code, capture_output=True, text=True)
    assert not done.stderr, done.stderr
    return [int(line) for line in done.stdout.split()]


def sbatch_options(minutes, tasks):
    """Return the options of a job as for sbatch -n TASKS -t MINUTES."""
    return f"time_limit = {minutes}, num_tasks = {tasks}, min_cpus = {tasks}, cpus_per_task = 65534"


@pytest.mark.parametrize("name", LUAS)
def test_every_lua_loads_it(name, tmp_path):
    path = tmp_path / LUA
    path.write_text(slurm_export("f1", processors=64).files[LUA])
    code = f"slurm = {{SUCCESS = 0}} assert(dofile({str(path)!r}) == 0)"
    assert subprocess.run([name, "-e", code]).returncode == 0


@pytest.mark.parametrize(
    "policy",
    [
        *("spt", "saf", "laf", "lcfs", "srf", "f1", "f2", "f3", "f4"),
        "0.2 * (n / 9.5) + 0.3 * (r / 4000.0) + 0.5 * (s / 20.0)",
        "exp(r / 3600) * cbrt(n - 9)",
        "-log2(n) ** 3 + sqrt(abs(r - 700)) / log(r)",
        "max(n, r / 60) - min(n, 5) + 1e-20",
    ],
)
def test_site_factors_are_the_levels_of_the_scores(policy):
    draw = np.random.default_rng(3)
    minutes, tasks = draw.integers(1, 3000, 40), draw.integers(1, 512, 40)
    found = site_factors(
        policy, map(sbatch_options, minutes, tasks), processors=512, longest=180_000
    )
    levels = levels_of(get(policy).expression, 512, 180_000, HORIZON)
    s = np.full(40, NOW - ORIGIN)
    score = get(policy).program.scores(minutes * 60, tasks, s)
    # the last bit of a logarithm or root may fall on the other side of a step
    np.testing.assert_allclose(found, levels.place(score), atol=1 + 1e-7 * TOP * ("**" in policy))
    assert len(set(found)) > 30 or policy == "lcfs"


@pytest.mark.parametrize(
    ("job", "minutes"),
    [
        ("time_limit = 20", 20),
        ("time_limit = 0", 1),
        (f"time_limit = {INFINITE}", 1000),
        (f"time_limit = {NO_VAL}", 50),
        (f'time_limit = {NO_VAL}, partition = "main"', 50),
        (f'time_limit = {NO_VAL}, partition = "long"', 300),
        (f'time_limit = {NO_VAL}, partition = "main,long"', 300),
        (f'time_limit = {NO_VAL}, partition = "endless"', 1000),
        (f'time_limit = {NO_VAL}, partition = "other"', 1000),
        ('time_limit = 20, partition = "long"', 20),
    ],
)
def test_time_limits_by_hand(job, minutes):
    one, other = site_factors("spt", [job, f"time_limit = {minutes}"], processors=8, longest=60_000)
    assert one == other


@pytest.mark.parametrize(
    ("job", "processors"),
    [
        (f"num_tasks = {NO_VAL}, min_cpus = 1, min_nodes = {NO_VAL}", 1),
        ("num_tasks = 6, min_cpus = 6, min_nodes = 1", 6),
        ("num_tasks = 3, cpus_per_task = 4, min_cpus = 12", 12),
        (f"num_tasks = 5, cpus_per_task = {NO_VAL16}, min_cpus = {NO_VAL}", 5),
        (f"num_tasks = {NO_VAL}, min_nodes = 4, min_cpus = 4", 4),
        (f"num_tasks = {NO_VAL}, min_nodes = 4, ntasks_per_node = 3", 12),
        (f"num_tasks = {NO_VAL}, min_nodes = 4, ntasks_per_node = {NO_VAL16}", 4),
        ("num_tasks = 3, cpus_per_task = 4", 12),
        ("num_tasks = 2, min_nodes = 4", 4),
        ("min_cpus = 9", 9),
    ],
)
def test_processors_by_hand(job, processors):
    computed, expected = site_factors("sqf", [job, f"min_cpus = {processors}"], processors=64)
    assert computed == expected
    assert expected == levels_of("n", 64, 1209600, HORIZON).place(np.array([processors]))[0]


def test_a_score_that_is_no_number_is_last():
    found = site_factors(
        "sqrt(n - 5) + r", [sbatch_options(1, 2), sbatch_options(900, 6)], processors=64
    )
    assert found[0] == 1
    assert found[1] > 1


def test_a_job_before_the_origin_is_the_first_one():
    export = slurm_export("lcfs", processors=8, origin=NOW + 900)
    assert "math.max(1, os.time() - ORIGIN)" in export.files[LUA]


@pytest.mark.parametrize(
    ("policy", "jobs"),
    [
        # by hand: what comes back to a middling score is no middling job
        ("abs(r - 1000)", [(9, 1), (10, 1), (11, 1), (25, 1), (9000, 1)]),
        ("abs(n - 10)", [(5, 7), (5, 8), (5, 9), (5, 12), (5, 900)]),
    ],
)
def test_jobs_beyond_the_bounds_are_placed_at_the_bounds(policy, jobs):
    calls = [sbatch_options(*job) for job in jobs]
    below, at, *beyond = site_factors(policy, calls, processors=8, longest=600)
    assert below < at
    assert beyond == [at] * 3


@pytest.mark.parametrize("policy", ["s * s * s * r", "r * r * r * n * n * n"])
def test_products_beyond_whole_numbers_of_64_bits_are_floats(policy):
    """By hand: s is 2.8 million and r 1.2 million, n 512: over 10**24 where 10**19 is the bound."""
    jobs = [(20_000, 512), (19_000, 500), (15_000, 400)]
    found = site_factors(policy, (sbatch_options(*job) for job in jobs), processors=512)
    minutes, n = np.array(jobs, float).T
    levels = levels_of(policy, 512, 1209600, HORIZON)
    s = np.full(len(jobs), float(NOW - ORIGIN))
    expected = levels.place(get(policy).program.scores(minutes * 60, n, s))
    np.testing.assert_allclose(found, expected, atol=1)
    assert found == sorted(set(found))
