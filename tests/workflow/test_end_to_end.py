"""Small complete runs of the workflow, from nothing to a table."""

import json
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from PIL import Image

from schedlab.files.io import read_parquet

SHEET = "config/experiments/carastan2017.tsv"
TABLE = "results/figures/carastan2017/table4.csv"
MODEL = "lublin_quick_256 [model]"
DIALECTS = ("artefact", "full")
OFFLINE = ("--configfile", "config/offline.yaml")


def keep_rows(folder, *experiments):
    """Leave only these experiments in the sheet of a copy of the project, and fetch nothing."""
    header, *rows = (folder / SHEET).read_text().splitlines()
    kept = [row for row in rows if row.split("\t")[0] in experiments]
    (folder / SHEET).write_text("\n".join([header, *kept, ""]))
    (folder / OFFLINE[1]).write_text("download: {offline: true}\n")
    return folder


@pytest.fixture
def site(new_project, tmp_path):
    """Copy of the project whose sheet has one row: CTC SP2 with backfilling, as the artefact."""
    return keep_rows(new_project(tmp_path), "ctc_backfill_artefact")


def test_models_replace_logs_when_the_source_is_models(snakemake, site):
    run = snakemake(site, TABLE, "--config", "source=models", "carastan2017={pieces_limit: 2}")
    assert run.returncode == 0, run.stdout
    (row,) = pd.read_csv(site / TABLE).to_dict("records")
    name = "model, 338 processors (stands in for CTC-SP2), aggressive backfilling"
    assert row.pop("experiment") == name
    assert all(value >= 1 for value in row.values())


def test_a_window_to_explore_names_the_model_that_ran(snakemake, new_project, tmp_path):
    site = keep_rows(new_project(tmp_path), "ctc_backfill_full")
    page = "results/report/explore/ctc_backfill_full.html"
    run = snakemake(site, page, "--config", "source=models", "carastan2017={pieces_limit: 2}")
    assert run.returncode == 0, run.stdout
    (heading,) = re.findall("<h1>(.*?)</h1>", (site / page).read_text())
    assert heading.startswith("Table 4, model, 338 processors (stands in for CTC-SP2), ")
    assert "workload trace" not in heading


def test_user_policy_is_a_further_column_of_table4(snakemake, site):
    settings = ("source=models", "carastan2017={pieces_limit: 2}", "policies={mine: r * n}")
    target = "results/figures/carastan2017/table4_own.csv"
    run = snakemake(site, target, "--config", *settings)
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(site / target)
    assert list(table)[-3:] == ["F2", "F1", "mine"]
    assert table["mine"].ge(1).all()


def test_learned_policies_are_further_columns_of_table4(snakemake, site):
    target = "results/figures/carastan2017/table4_learned.csv"
    learning = "learning: {source: lublin_quick_256, tuples: 4, trials: 1024}"
    settings = f"carastan2017: {{{learning}, pieces_limit: 2}}\n"
    (site / "small.yaml").write_text(f"{settings}source: models\n")
    run = snakemake(site, target, "--configfile", "small.yaml")
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(site / target)
    assert list(table)[-5:] == ["F1", "L4", "L3", "L2", "L1"]
    assert table[["L4", "L3", "L2", "L1"]].ge(1).all(axis=None)
    policies = pd.read_csv(site / "results/policies/learned.csv")
    assert policies["name"].tolist() == ["L1", "L2", "L3", "L4"]


def test_missing_log_is_reported_with_its_folder_and_the_run_succeeds(snakemake, site):
    run = snakemake(site, TABLE, *OFFLINE)
    assert run.returncode == 0, run.stdout
    assert re.search(r"put CTC-SP2-1996-3\.1-cln\.swf or .*\.gz", run.stdout)
    assert (pd.read_csv(site / TABLE).iloc[0, 1:] == "log not available").all()


MODEL_ROWS = [
    f"lublin{processors}_{regime}_artefact"
    for processors in (256, 1024)
    for regime in ("actual", "estimate", "backfill")
]


def verdicts(path):
    """Verdicts of a comparison, by the first words of its rows."""
    table = pd.read_csv(path)
    return table.groupby([table["experiment"].str.split().str[0], "verdict"]).size().to_dict()


def test_quick_scale_matches_48_numbers_and_compares_no_stand_in(
    snakemake, new_project, tmp_path, root
):
    """Ten sequences of workloads by their seeds, three of CTC SP2's stand-in, held to nothing."""
    site = keep_rows(new_project(tmp_path), *MODEL_ROWS, "ctc_backfill_artefact")
    target = "results/quick/figures/carastan2017/table4_comparison.csv"
    run = snakemake(site, target, "--configfile", "config/quick.yaml")
    assert run.returncode == 0, run.stdout
    assert verdicts(site / target) == {("Workload", "match"): 48, ("CTC", "log not available"): 8}
    simulations = site / "results/quick/simulations/carastan2017/sheet"
    pieces = {path.stem: read_parquet(path)["piece"].nunique() for path in simulations.iterdir()}
    assert pieces == dict.fromkeys(MODEL_ROWS, 10) | {"ctc_backfill_artefact": 3}
    assert not (site / "resources/raw").exists()
    assert "48 numbers, and all 48 match" in (root / "README.md").read_text()


def test_figure_in_the_documentation_equals_the_rebuilt_one(snakemake, new_project, tmp_path, root):
    """The picture up to how its text is drawn, the numbers next to it to the last digit."""
    rows = [f"lublin{size}_actual_{dialect}" for size in (256, 1024) for dialect in DIALECTS]
    site = keep_rows(new_project(tmp_path), *rows)
    target = "results/quick/figures/carastan2017/fig4.png"
    run = snakemake(site, target, "--configfile", "config/quick.yaml")
    assert run.returncode == 0, run.stdout
    drawn, shown = (site / target).with_suffix(""), root / "docs/fig4"
    assert Path(f"{drawn}.csv").read_bytes() == Path(f"{shown}.csv").read_bytes()
    new, old = (
        np.asarray(Image.open(f"{path}.png").convert("L"), float) for path in (drawn, shown)
    )
    assert new.shape == old.shape
    assert np.abs(new - old).mean() < 1


def test_workload_whose_file_is_missing_is_drawn_from_its_seed(snakemake, new_project, tmp_path):
    site = keep_rows(new_project(tmp_path), "lublin256_backfill_artefact", "ctc_backfill_artefact")
    target = TABLE.replace("table4", "table4_comparison")
    run = snakemake(site, target, *OFFLINE)
    assert run.returncode == 0, run.stdout
    assert verdicts(site / target) == {("Workload", "match"): 8, ("CTC", "log not available"): 8}
    record = json.loads((site / "resources/raw/lublin-256-est.json").read_text())
    assert (record["status"], record["jobs"]) == ("drawn from its seed", 20000)
    clean = site / "results/traces/clean/lublin-256-est.sc17_estimate"
    assert len(read_parquet(f"{clean}.parquet")) == 20000
    assert read_parquet(f"{clean}.ledger.parquet").empty
    assert "Nothing to be done" in snakemake(site, target, *OFFLINE).stdout


@pytest.mark.logs
def test_file_of_a_generated_workload_gives_the_same_numbers(
    snakemake, new_project, tmp_path, raw_log
):
    site = keep_rows(new_project(tmp_path), "lublin256_backfill_artefact")
    archive, numbers = f"archive={raw_log('lublin-256-est').parent}", []
    for settings in ((), ("--config", archive)):
        run = snakemake(site, TABLE, *OFFLINE, *settings)
        assert run.returncode == 0, run.stdout
        numbers.append((site / TABLE).read_text())
    record = json.loads((site / "resources/raw/lublin-256-est.json").read_text())
    assert record["status"] == "available"
    assert numbers[0] == numbers[1]


def test_scores_of_a_workload_are_the_same_by_its_file_and_by_its_model(snakemake, site):
    """The model's tuples are drawn from the streams of the log that it draws."""
    names = ("lublin-256-train10k", "lublin_published_256_train10k")
    targets = [f"results/scores/{name}.uniform.parquet" for name in names]
    (site / "small.yaml").write_text("carastan2017: {learning: {tuples: 3, trials: 1024}}\n")
    run = snakemake(site, *targets, "--configfile", OFFLINE[1], "small.yaml")
    assert run.returncode == 0, run.stdout
    of_log, of_model = (read_parquet(site / target) for target in targets)
    pd.testing.assert_frame_equal(of_log, of_model)
    assert len(of_log) == 3 * 32


def test_log_that_an_unknown_model_draws_is_refused(snakemake, site):
    sheet = site / "config/traces.tsv"
    sheet.write_text(sheet.read_text().replace("lublin_published_256\n", "lublin_publised_256\n"))
    run = snakemake(site, TABLE, "-n")
    assert run.returncode != 0
    assert (
        "config/traces.tsv: column 'model': log 'lublin-256': 'lublin_publised_256' is"
        in run.stdout
    )
    assert "did you mean 'lublin_published_256'?" in run.stdout


@pytest.mark.logs
def test_missing_log_that_turns_up_is_taken(snakemake, site, raw_log):
    log, record = raw_log("CTC-SP2"), site / "resources/raw/CTC-SP2.json"
    snakemake(site, TABLE, *OFFLINE)
    run = snakemake(site, TABLE, *OFFLINE, "--config", f"archive={log.parent}")
    assert run.returncode == 0, run.stdout
    assert json.loads(record.read_text())["status"] == "available"
    # as published, Table 4: CTC SP2 workload trace, aggressive backfilling, F1
    assert pd.read_csv(site / TABLE)["F1"][0] == pytest.approx(14.07, abs=0.011)


def test_site_without_its_log_does_not_stop_other_sites(snakemake, new_project, tmp_path):
    site, target = new_project(tmp_path), "results/quick/figures/carastan2017/sites.csv"
    (site / OFFLINE[1]).write_text(
        "download: {offline: true}\n"
        "carastan2017: {learning: {sites: {names: [lublin_quick_256, KTH-SP2], tuples: 4, "
        "fewest: 2, trials: 1024, resamples: 39}}}\n"
    )
    figure = target.replace("sites.csv", "fig_sites.png")
    run = snakemake(site, figure, "--configfile", "config/quick.yaml", OFFLINE[1])
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(site / target).set_index(["regime", "trained", "tested"])
    assert (table.loc[("actual", MODEL, MODEL), "median"]) >= 1
    assert table.loc[("actual", "KTH-SP2", MODEL), "status"] == "log not available"
    assert table.loc[("backfill", "F1", "KTH-SP2"), "status"] == "log not available"
    assert "a site's policy has" in (site / target.replace(".csv", ".md")).read_text()


PERIODS = "config/experiments/legrand2018.tsv"
SMALL = {
    "weeks": 4,
    "months": 2,
    "points": {"weeks": 6, "months": 4},
    "search": {"evaluations": 20, "penalty": 1.0, "population": 10, "sigma": 0.5},
    "variations": {"sigma": [1.0]},
    "online": {"windows": [1, 2], "repetitions": 2, "resamples": 39},
}


@pytest.fixture
def trace(new_project, tmp_path):
    """Copy of the project whose sheet of legrand2018 has one trace, by weeks and by months."""
    folder = new_project(tmp_path)
    header, *rows = (folder / PERIODS).read_text().splitlines()
    kept = [row for row in rows if row.startswith("sdsc_sp2_")]
    (folder / PERIODS).write_text("\n".join([header, *kept, ""]))
    settings = {"download": {"offline": True}, "legrand2018": SMALL}
    (folder / OFFLINE[1]).write_text(yaml.safe_dump(settings))
    return folder


def test_weeks_of_a_model_replace_those_of_a_log(snakemake, trace):
    figures = "results/figures/legrand2018"
    targets = [f"{figures}/{item}.csv" for item in ("table2", "claims", "online", "fig4", "fig15")]
    run = snakemake(trace, *targets, *OFFLINE, "--config", "source=models")
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(trace / targets[0])
    assert set(table["ran_on"]) == {"lublin_quick_128"}
    best = table.set_index("policy")["Testing"]
    assert best["w*"] <= best.drop("w*").min()
    claims = pd.read_csv(trace / targets[1])
    assert claims["result"].eq("log not available").all()
    assert claims["found"].str.contains(r"\d").all()
    sentences = (trace / f"{figures}/online.txt").read_text()
    assert "model, 128 processors (stands in for SDSC-SP2): " in sentences
    again = snakemake(trace, *targets, *OFFLINE, "--config", "source=models")
    assert "Nothing to be done" in again.stdout


def test_weeks_of_a_missing_log_are_marked_not_available(snakemake, trace):
    figures = "results/figures/legrand2018"
    targets = [f"{figures}/{item}.csv" for item in ("table2", "claims", "fig4")]
    run = snakemake(trace, *targets, *OFFLINE)
    assert run.returncode == 0, run.stdout
    assert pd.read_csv(trace / targets[0])["Testing"].eq("log not available").all()
    assert pd.read_csv(trace / targets[1])["result"].eq("log not available").all()


THESIS = "config/experiments/kellari2025.tsv"
MEANS = "results/figures/kellari2025/table6_comparison.csv"


@pytest.fixture
def thesis(new_project, tmp_path):
    """Copy of the project whose co-scheduled workloads are three of forty jobs."""
    folder = new_project(tmp_path)
    header, *rows = [line.split("\t") for line in (folder / THESIS).read_text().splitlines()]
    jobs = header.index("jobs")
    for row in rows:
        row[jobs] = "40"
    (folder / THESIS).write_text("".join("\t".join(row) + "\n" for row in [header, *rows]))
    (folder / "config/small.yaml").write_text(
        "download: {offline: true}\nkellari2025: {workloads_limit: 3}\n"
    )
    return folder


def test_missing_pool_is_replaced_by_a_stand_in_and_reported(snakemake, thesis):
    run = snakemake(thesis, MEANS, "--configfile", "config/small.yaml")
    assert run.returncode == 0, run.stdout
    assert "put lm-aris.compute-NAS.json" in run.stdout
    table = pd.read_csv(thesis / MEANS)
    assert set(table["verdict"]) == {"log not available"}
    assert table["reason"].str.contains("Table 4.1, other pairs by row and column effects").all()


@pytest.mark.logs
def test_available_pool_is_compared_with_the_thesis(snakemake, thesis, raw_pool):
    archive = raw_pool("aris-nas").parent
    settings = ("--configfile", "config/small.yaml", "--config", f"archive={archive}")
    run = snakemake(thesis, MEANS, *settings)
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(thesis / MEANS)
    assert "log not available" not in set(table["verdict"])
    assert len(table) == 91


@pytest.mark.parametrize("place", ["mine.py:narrow_first", "mine.py:wide_first"])
def test_user_order_and_user_rows_give_a_table_of_their_settings(snakemake, thesis, place):
    """The example of config/README.md: a function in a file, named in a row of item own."""
    (thesis / "mine.py").write_text(
        "def narrow_first(waiting):\n"
        "    return -waiting.procs - waiting.time / (1 + waiting.time.max())\n"
    )
    (thesis / "mine.yaml").write_text(
        f"orders:\n  narrow: {place}\nsheets:\n  kellari2025: mine.tsv\n"
    )
    header, *rows = [line.split("\t") for line in (thesis / THESIS).read_text().splitlines()]
    base = next(row for row in rows if row[0] == "matching_occ")
    for cells in (
        {"experiment": "own_thesis", "label": "as in the thesis", "item": "own"},
        {"experiment": "own_narrow", "label": "narrow first", "item": "own", "order": "narrow"},
    ):
        rows.append([cells.get(name, cell) for name, cell in zip(header, base, strict=True)])
    (thesis / "mine.tsv").write_text("".join("\t".join(row) + "\n" for row in [header, *rows]))
    own = "results/figures/kellari2025/own.csv"
    run = snakemake(thesis, own, "--configfile", "config/small.yaml", "mine.yaml")
    if place.endswith("wide_first"):
        assert "key 'orders': order 'narrow': mine.py:wide_first: no function" in run.stdout
        return
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(thesis / own)
    assert set(table["setting"]) == {"as in the thesis", "narrow first"}
    changed = table.set_index(["setting", "scheduler"])["slowdown"].unstack(0)
    assert (changed["narrow first"] != changed["as in the thesis"]).drop("Conservative").all()
