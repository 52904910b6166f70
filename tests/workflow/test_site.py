"""The report of a site from its log, in seconds, and the errors without one."""

import re

import pandas as pd
import pytest
import yaml

from site_case import site_log

#: a coarse look, and learned policies from a few trials
SMALL = {
    "site": {"days": 7, "points": 3, "tuples": 2, "trials": 1024},
    "arena": {"points": 3},
    "carastan2017": {"learning": {"tuples": 24, "trials": 1024}},
}


def configured(folder, **site):
    """Write a site.yaml; its path from the folder."""
    small = SMALL | {"scale": "site_a", "site": SMALL["site"] | {"forks": 20} | site}
    (folder / "site.yaml").write_text(yaml.safe_dump(small))
    return ("--configfile", "config/quick.yaml", "site.yaml")


@pytest.mark.xdist_group("site")
def test_site_report_needs_only_its_log(snakemake, new_project, tmp_path):
    project = new_project(tmp_path)
    site_log(project / "a.swf", jobs=600, runtime=40_000, days=52, waits=True)
    files = configured(project, name="A", log="a.swf")
    run = snakemake(project, "site", *files, timeout=900)
    assert run.returncode == 0, run.stdout
    made = project / "results/site_a"
    page = (made / "report/site.html").read_text()
    assert "<h1>Which order should A run?</h1>" in page
    assert "This log is too short to recommend an order" in page
    recommendation = page[
        page.index('<section id="answer">') : page.index('<section id="workload">')
    ]
    assert "Not modeled: partitions, GPUs, memory, " in recommendation
    order = [page.index(f'id="{part}"') for part in (
        "answer", "workload", "lost", "arena", "own", "waits", "slurm",
    )]  # fmt: skip
    assert order == sorted(order)
    # alone and offline: no picture, style or script from elsewhere
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', page)
    assert page.count(' src="data:image/png;base64,') == 6
    assert page.count(' srcset="data:image/png;base64,') == 6
    assert "stand-ins" not in page
    arena = pd.read_csv(made / "figures/site/wait.csv")
    assert arena["scheduler"].tolist().count("as in the log") == 1
    assert len(arena) == 43
    for item in ("fig_workload", "fig_ratios", "fig_held_out", "fig_waits"):
        for suffix in ("pdf", "png", "csv"):
            assert (made / f"figures/site/{item}.{suffix}").stat().st_size


def test_target_site_has_few_jobs_and_is_not_in_target_all(snakemake, project):
    site_log(project / "a.swf", jobs=50)
    files = configured(project, log="a.swf")
    run = snakemake(project, "-n", "site", "--quiet", "rules", *files)
    assert run.returncode == 0, run.stdout
    assert int(re.search(r"^total\s+(\d+)$", run.stdout, re.MULTILINE)[1]) < 20
    run = snakemake(project, "-n", "--quiet", "rules", "--configfile", "config/quick.yaml", "--")
    assert "compare_on_site" not in run.stdout


def test_missing_log_setting_is_reported_with_the_command_to_type(snakemake, project):
    run = snakemake(project, "-n", "site", "--configfile", "config/quick.yaml")
    assert run.returncode != 0
    assert "key 'site.log': no log is named; make a site.yaml of your log by" in run.stdout


def test_a_wrong_key_is_named_with_file_and_the_nearest(snakemake, project):
    files = configured(project, log="a.swf", processor=4)
    run = snakemake(project, "-n", "site", *files)
    assert run.returncode != 0
    assert "site.yaml: key 'site': unknown key 'processor'; did you mean 'processors'" in run.stdout
