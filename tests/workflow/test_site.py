"""The report of a site from its log, in seconds, and the errors without one."""

import re

import pandas as pd
import pytest
import yaml

from axe_case import axe
from check_pages import faults_in_browser, faults_of
from chromium import browser
from site_case import site_log

#: a coarse look, and learned policies from a few trials
SMALL = {
    "site": {"days": 7, "points": 3, "tuples": 2, "trials": 1024},
    "arena": {"points": 3},
    "carastan2017": {"learning": {"tuples": 24, "trials": 1024}},
}


def configured(folder, **site):
    small = SMALL | {"scale": "site_a", "site": SMALL["site"] | {"forks": 20} | site}
    (folder / "site.yaml").write_text(yaml.safe_dump(small))
    return ("--configfile", "config/quick.yaml", "site.yaml")


def next_pages(pages, path):
    """Name the pages that links to the next page lead to, each with the anchors of its sections."""
    names = []
    while link := re.search(r'<a href="([^"]+)">[^<]* →</a></span></p>', pages[path]):
        path = (path.parent / link[1]).resolve()
        names.append((path.stem, re.findall(r'<section id="([^"]+)"', pages[path])))
    return names


def missing_links(pages):
    """Return the links of pages to files or anchors that do not exist."""
    targets = [
        ((path.parent / file).resolve() if file else path, anchor)
        for path, text in pages.items()
        for file, anchor in re.findall(r'href="(?!data:)([^"#]*)#?([^"]*)"', text)
    ]
    assert len(targets) > 100
    return [
        (path, anchor)
        for path, anchor in targets
        if not path.is_file() or (anchor and f'id="{anchor}"' not in pages[path])
    ]


@pytest.fixture(scope="module")
def made(snakemake, new_project, tmp_path_factory):
    """Results of a site with nothing but its log, which is long enough for a recommendation."""
    project = new_project(tmp_path_factory.mktemp("site"))
    site_log(project / "a.swf", jobs=1200, runtime=40_000, days=104, waits=True)
    files = configured(project, name="A", log="a.swf")
    run = snakemake(project, "site", *files, timeout=900)
    assert run.returncode == 0, run.stdout
    return project / "results/site_a"


@pytest.mark.xdist_group("site")
def test_site_report_needs_only_its_log(made):
    first = made / "report/site.html"
    pages = {path: path.read_text() for path in (first, *(made / "report/site").glob("*.html"))}
    page = pages[first]
    assert "<h1>Which order should A run?</h1>" in page
    recommendation = page[: page.index('<section id="gallery">')]
    box = recommendation[recommendation.index('<div class="finding">') :].partition("</div>")[0]
    scheduler = re.search(r"run (.+?) \(", box)[1]
    assert 'download="slurm-priority.conf"' in recommendation
    assert f"# {scheduler}," in (made / "figures/site/slurm.txt").read_text()
    row = pd.read_csv(made / "figures/site/why_not.csv").iloc[0]
    assert row[["scheduler", "why"]].tolist() == [scheduler, "chosen"]
    assert next_pages(pages, first) == [
        ("workload", ["workload"]),
        ("lost", ["lost"]),
        ("schedulers", ["arena"]),
        ("metrics", ["metrics"]),
        ("own", ["own"]),
        ("waits", ["waits"]),
        ("slurm", ["slurm"]),
        ("made", ["made"]),
    ]
    # alone and offline: no picture, style or script from elsewhere, and no report on papers
    whole = "".join(pages.values())
    assert not re.findall(r'(?:src|href)="(?:https?:)?//', whole)
    assert whole.count(' src="data:image/png;base64,') == 12
    assert "stand-ins" not in whole
    assert not missing_links(pages)
    arena = pd.read_csv(made / "figures/site/wait.csv")
    assert arena["scheduler"].tolist().count("as in the log") == 1
    assert len(arena) == 43
    for item in ("fig_workload", "fig_ratios", "fig_held_out", "fig_waits"):
        for suffix in ("pdf", "png", "csv"):
            assert (made / f"figures/site/{item}.{suffix}").stat().st_size


@pytest.mark.xdist_group("site")
def test_pages_of_a_site_are_plain_accessible_and_not_long(made):
    paths = [made / "report/site.html", *(made / "report/site").glob("*.html")]
    assert len(paths) == 9
    assert not [fault for path in paths for fault in faults_of(path.read_text())]
    axe()
    browser()
    assert not any(faults_in_browser(paths).values())


def test_target_site_has_few_jobs_and_is_not_in_target_all(snakemake, project):
    site_log(project / "a.swf", jobs=50)
    files = configured(project, log="a.swf")
    run = snakemake(project, "-n", "site", "--quiet", "rules", *files)
    assert run.returncode == 0, run.stdout
    assert int(re.search(r"^total\s+(\d+)$", run.stdout, re.MULTILINE)[1]) < 20
    run = snakemake(project, "-n", "--quiet", "rules", "--configfile", "config/quick.yaml", "--")
    assert "compare_on_site" not in run.stdout


def test_missing_log_setting_is_reported_with_the_command_to_type(snakemake, project):
    run = snakemake(project, "site", "--configfile", "config/quick.yaml")
    assert run.returncode == 1
    message = (
        "Error: configuration: key 'site.log': no log is named; make a site.yaml of your log by"
    )
    assert message in run.stdout
    assert 'File "' not in run.stdout
    assert not any((project / ".snakemake/locks").glob("*"))
