"""Your policies add their simulations and files, and change no other job."""

import re
from collections import Counter

import pytest

QUICK = ("--configfile", "config/quick.yaml")
SIMULATIONS = {"simulate_experiment": 36, "simulate_own_on_site": 3}
FILES = {"make_table4": 1, "rank_own": 1, "draw_boxplots": 6, "make_sites_own": 1}
FILES |= {"draw_sites": 1}
MINE, OTHER = "mine: r * n", "other: r + 0.5 * s"


@pytest.fixture(scope="module")
def jobs(snakemake, project):
    """Count the jobs of carastan2017 by rule, given user-defined policies."""

    def count(*policies):
        settings = ("--config", f"policies={{{', '.join(policies)}}}")
        run = snakemake(project, "carastan2017", "-n", "--quiet", "rules", *QUICK, *settings)
        assert run.returncode == 0, run.stdout
        rows = re.findall(r"^(\w+) +(\d+)$", run.stdout, re.MULTILINE)
        return Counter({rule: int(number) for rule, number in rows if rule != "total"})

    return count


def test_first_user_policy_adds_its_simulations_and_files(jobs):
    assert jobs(MINE) - jobs() == Counter(SIMULATIONS | FILES)


def test_second_user_policy_adds_only_its_simulations(jobs):
    assert jobs(MINE, OTHER) - jobs(MINE) == Counter(SIMULATIONS)
