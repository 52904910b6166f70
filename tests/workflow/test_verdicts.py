"""Every verdict on a published number, and every number that matches, at the papers' scale.

All tables of comparisons are made from the raw logs, one to two minutes a paper on two quiet cores.
Claims, orderings, figures and the sites' policies are in no such table: they need searches over all
logs and a thousand workloads.

A table whose inputs are those of computed.tsv is not made again: the same code, rows, logs and
versions, with the same flags of the kernels, give the same numbers. One table is made in any case,
the next one with every commit. After a change, `make verdicts` makes what is affected and records
its inputs.
"""

import hashlib
import os
import re
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import pandas as pd
import pytest
from filelock import FileLock

from schedlab.files.io import write_text
from schedlab.flow.build import imported_by
from schedlab.report.comparison import UNEXPLAINED, unexplained
from schedlab.report.drift import read_expected
from schedlab.report.scoreboard import COMPARISON
from schedlab.report.verdicts import NOT_AVAILABLE
from schedlab.studies.carastan2017.page import advantage
from schedlab.studies.souza2020.tables.runs import BLANKS
from schedlab.traces.archive import archive_folders
from verdict_pins import PINS, counts, pinned, scored

LOGS = (
    *("KTH-SP2", "CTC-SP2", "SDSC-SP2", "SDSC-BLUE", "CEA-Curie", "HPC2N", "score-distribution"),
    *("wagap-2013", "RICC"),
    *("lublin-256", "lublin-256-est", "lublin-1024", "lublin-1024-est", "lublin-256-train10k"),
)
#: digests of the inputs of the checks that passed, by name
COMPUTED = Path(__file__).with_name("computed.tsv")
#: a table with numbers in the documentation that are not scored
PERIODS = ("klusacek2016", "table1_periods")
MADE = re.compile(r"results/figures/\w+/\w+_comparison\.csv")
TABLE4 = pytest.mark.xdist_group("table4")  # made once, where processes share the tests
BUSY = pytest.mark.xdist_group("busy intervals")
RENEW = (
    "if that is meant, make everything (docs/howto/reproduce.md), renew the "
    "pins with python tests/verdict_pins.py results/figures, and change docs/papers with them"
)


@pytest.fixture(scope="session")
def pins():
    return read_expected(PINS)


@pytest.fixture(scope="session")
def documentation(root):
    """The documentation of the papers, in one line."""
    pages = sorted((root / "docs/papers").glob("*.md"))
    return " ".join(" ".join(page.read_text(encoding="utf-8") for page in pages).split())


@pytest.fixture(scope="session")
def offline_project(new_project, tmp_path_factory, raw_log, raw_pool):
    """Copy of the project with every log of the archive and no network; made once a process."""
    for log in LOGS:
        raw_log(log)
    raw_pool("aris-nas")
    folder = new_project(tmp_path_factory.mktemp("verdicts"))
    archive = os.pathsep.join(str(path.resolve()) for path in archive_folders())
    (folder / "offline.yaml").write_text(f"archive: {archive}\ndownload: {{offline: true}}\n")
    return folder


@pytest.mark.logs
def test_every_comparison_is_pinned(snakemake, offline_project, project, pins):
    plan = snakemake(project, "all", "-n", "--configfile", offline_project / "offline.yaml")
    named = {(paper, file) for paper, file in scored() if file.endswith(COMPARISON)}
    made = {f"results/figures/{paper}/{file}.csv" for paper, file in named}
    assert set(MADE.findall(plan.stdout)) == made, RENEW
    items = {(paper, file.removesuffix(COMPARISON)) for paper, file in scored()}
    assert set(pins[["paper", "item"]].itertuples(index=False, name=None)) == items, RENEW


@pytest.fixture(scope="session")
def inputs(root, offline_project, pins, inputs_digests):
    """Digest of what decides each table of comparisons, by paper and file."""
    made = [*scored(), PERIODS]
    targets = {f"{paper}/{file}": [target(paper, file)] for paper, file in made}
    found = inputs_digests(offline_project, "offline.yaml", targets)
    # the checks themselves, and what they import
    checks = [root / "tests/verdict_pins.py", Path(__file__)]
    own = [imported_by(*checks).digest, *(path.read_text(encoding="utf-8") for path in checks)]
    expected = {key: rows.to_csv(index=False) for key, rows in pins.groupby(["paper", "item"])}
    return {
        (paper, file): digest_of(
            found[f"{paper}/{file}"],
            *own,
            expected.get((paper, file.removesuffix(COMPARISON)), ""),
        )
        for paper, file in made
    }


@pytest.fixture(scope="session")
def made_anyway(root):
    """Paper and file of the table that is made at this commit in any case; none without git."""
    command = ["git", "-C", str(root), "rev-list", "--count", "HEAD"]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    tables = sorted(scored())
    return tables[int(run.stdout) % len(tables)] if run.returncode == 0 else ()


def target(paper, file):
    return f"results/figures/{paper}/{file}.csv"


def digest_of(*texts):
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:16]


def recorded():
    """Return the digest of the inputs of every check that passed, by its name."""
    return dict(line.split("\t") for line in COMPUTED.read_text(encoding="utf-8").splitlines()[1:])


def keep(digests):
    """Record checks that passed, if that is wanted."""
    if os.environ.get("SCHEDLAB_VERDICTS") != "record":
        return
    with FileLock(Path(tempfile.gettempdir()) / "schedlab-verdicts.lock"):
        rows = sorted((recorded() | digests).items())
        write_text("\n".join(["check\tinputs", *map("\t".join, rows)]), COMPUTED)


@pytest.mark.long
@pytest.mark.logs
@pytest.mark.parametrize(
    "paper",
    [
        pytest.param("carastan2017", marks=TABLE4),
        pytest.param("klusacek2016", marks=BUSY),
        *("kellari2025", "legrand2018", "souza2020"),
    ],
)
def test_verdicts_are_those_that_were_pinned(
    snakemake, offline_project, pins, inputs, made_anyway, paper
):
    """Number by number, in every dialect; what is not available anywhere need not be made."""
    own = pins[pins["paper"] == paper]
    made = own.groupby("item")["verdict"].transform(lambda found: (found != NOT_AVAILABLE).any())
    needed = set(own["item"][made])
    digests = {
        file: inputs[paper, file]
        for key, file in scored()
        if key == paper and file.removesuffix(COMPARISON) in needed
    }
    known = recorded()
    files = [
        file
        for file, digest in digests.items()
        if known.get(f"{paper}/{file}") != digest or (paper, file) == made_anyway
    ]
    if not files:
        pytest.skip(f"computed before from the same inputs: {', '.join(digests)}")
    targets = [target(paper, file) for file in files]
    run = snakemake(offline_project, *targets, "--configfile", "offline.yaml", timeout=1800)
    assert run.returncode == 0, run.stdout
    items = {file.removesuffix(COMPARISON) for file in files}
    found = pinned(offline_project / "results/figures")
    found = found[(found["paper"] == paper) & found["item"].isin(items)]
    expected = own[own["item"].isin(items)]
    assert found.reset_index(drop=True).equals(expected.reset_index(drop=True)), RENEW
    keep({f"{paper}/{file}": digest for file, digest in digests.items()})


@TABLE4
@pytest.mark.logs
def test_documentation_states_the_results_of_table4(
    snakemake, offline_project, inputs, documentation
):
    """And no reason is of a number that has changed since."""
    target4 = target("carastan2017", "table4_comparison")
    digests = {
        "docs table 4": digest_of(inputs["carastan2017", "table4_comparison"], documentation)
    }
    if recorded().items() >= digests.items() and not (offline_project / target4).exists():
        pytest.skip("compared before with the same table")
    run = snakemake(offline_project, target4, "--configfile", "offline.yaml", timeout=1800)
    assert run.returncode == 0, run.stdout
    compared = pd.read_csv(
        offline_project / target4, keep_default_na=False, dtype={"published": str}
    )
    compared["computed"] = pd.to_numeric(compared["computed"])
    for regime in advantage(compared)["regimes"]:
        assert regime["sentence"] in documentation
    own = compared[compared["dialect"] == "artefact"]
    assert f"({unexplained(own).sum()} of them unexplained)" in documentation
    stale = compared["reason"].str.startswith(f"{UNEXPLAINED}: the reason that is known")
    assert not stale.any(), compared[stale].to_string()
    keep(digests)


@BUSY
@pytest.mark.logs
def test_documentation_states_the_counts_of_busy_intervals(
    snakemake, offline_project, inputs, documentation
):
    """And the reasons of Table 1 of klusacek2016 are of its numbers."""
    compared_in = ("klusacek2016", "table1_comparison")
    made = [target(*PERIODS), target(*compared_in)]
    digests = {
        "docs busy intervals": digest_of(inputs[PERIODS], inputs[compared_in], documentation)
    }
    if recorded().items() >= digests.items() and not (offline_project / made[1]).exists():
        pytest.skip("compared before with the same table")
    run = snakemake(offline_project, *made, "--configfile", "offline.yaml", timeout=1800)
    assert run.returncode == 0, run.stdout
    periods, compared = (pd.read_csv(offline_project / path) for path in made)
    better = periods[periods["column"] == "WT"].set_index("log")[["better", "intervals"]]
    counted = {log: f"{row.better:.0f} of {row.intervals}" for log, row in better.iterrows()}
    sentence = f"in {counted['HPC2N']} on HPC2N and in {counted['KTH-SP2']} on KTH-SP2"
    assert sentence in documentation
    assert not compared["reason"].fillna("").str.startswith(UNEXPLAINED).any()
    keep(digests)


#: numbers that begin a sentence
COUNTS = ("None", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight")


def test_documentation_states_the_counts_of_pinned_verdicts(documentation, pins):
    """Its sentences with the pinned counts in them stand in docs/papers, word for word."""
    table4 = counts(pins, "carastan2017", "table4", "artefact")
    sums = [counts(pins, "legrand2018", f"table{number}") for number in range(3, 7)]
    table2 = counts(pins, "legrand2018", "table2")
    table6 = counts(pins, "kellari2025", "table6")
    table1 = counts(pins, "klusacek2016", "table1")
    blank = pins["cell"].str.startswith(f"{BLANKS} | ")
    followed, blanks = (counts(pins[of], "souza2020", "arithmetic") for of in (~blank, blank))
    searched, by_definition = 6, 16
    expected = [
        f"Of the {table4.total()} numbers of Table 4, {table4['match']} have the published digits, "
        f"{table4['differs'] + table4['same ranking']} have not",
        f"and {table4['log not available']} need the ANL-Intrepid log",
        f"All {sum(sums, Counter()).total()} numbers of Tables 3 to 6 have the published digits",
        f"{table2['match']} of the {table2.total() - searched} sums of pure policies in Table 2",
        f"Of the {table6.total()} means of tables 6.1 and 6.2, {by_definition} are 0 or 1 by "
        "definition",
        f"Of the other {table6.total() - by_definition} means {table6['match'] - by_definition} "
        f"have the published digits and {table6['consistent']} are consistent",
        f"of the {table6['differs']} that differ",
        f"Of the {table1.total()} numbers of Table 1, {table1['log not available']} need the "
        f"Zewura log. {COUNTS[table1['consistent']]} are consistent",
        f"{COUNTS[table1['differs']]} differ",
        f"Of {followed.total()} published percentages and averages of Table 1, {followed['match']} "
        f"follow from its numbers. The paper leaves {blanks.total()} more out and states that they "
        f"are at most 1 %; {blanks['match']} of them are",
    ]
    assert sum(each["match"] for each in sums) == sum(sums, Counter()).total()
    assert [sentence for sentence in expected if sentence not in documentation] == []
