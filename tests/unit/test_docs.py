"""The documentation builds without a warning, and everything it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pandas as pd
import pytest
import typer
import yaml
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from typer.testing import CliRunner

from chromium import Page
from docs_case import PAGES, ROOT, calls_of, lines_of_shell, spans
from howto_case import follow
from schedlab.cli import app
from schedlab.report.items import Group, Item
from schedlab.traces.readers import READERS
from schedlab.traces.site_yaml import read_yaml_site
from site_case import site_log

FOLDERS = ("src", "tests", "docs", "config", "workflow", "resources", "bench", "profiles")
API = ROOT / "docs/api/index.md"
MADE_LATER = ("resources/raw",)
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src"}


def name_of(page):
    return str(page.relative_to(ROOT))


pages = pytest.mark.parametrize("page", PAGES, ids=name_of)


@pages
def test_files_that_a_page_names_are_there(page):
    for span in spans(page):
        path = span.rstrip("/").split(":")[0]
        if path.split("/")[0] not in FOLDERS or "/" not in path or " " in path:
            continue
        pattern = re.sub(r"<\w+>|\{[^}]*\}", "*", path)
        assert any(ROOT.glob(pattern)) or path.startswith(MADE_LATER), f"{page}: {span}"


def test_links_of_the_readme_lead_to_files():
    links = re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    here = [link for link in links if "://" not in link]
    # pages of the repository's host, not files: runs of a workflow
    runs = {link.split("/")[4] for link in here if link.startswith("../../actions/workflows/")}
    assert runs <= {path.name for path in (ROOT / ".github/workflows").iterdir()}
    here = [link for link in here if not link.startswith("../../actions/")]
    assert len(here) > 5
    assert [link for link in here if not (ROOT / link).is_file()] == []


def test_addresses_of_the_papers_in_the_readme_are_those_to_cite():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    papers = {row.split("`")[1] for row in re.findall(r"^\| `\w+20\d\d` .*$", text, re.M)}
    assert len(citation["references"]) == len(papers) == 5
    for paper in citation["references"]:
        assert paper["title"].split(" – ")[0] in text
        address = f"https://doi.org/{paper['doi']}" if "doi" in paper else paper.get("url", "")
        assert address in text


@pages
def test_names_of_the_package_on_a_page_can_be_imported(page):
    for span in spans(page):
        name = span.partition("(")[0]
        if not re.fullmatch(r"schedlab(\.\w+)+", name) or name.endswith(".py"):
            continue
        module, _, attribute = name.rpartition(".")
        try:
            import_module(name)
        except ModuleNotFoundError:
            assert hasattr(import_module(module), attribute), f"{page}: {name}"


@pytest.mark.slow
@pages
def test_commands_on_a_page_are_known_with_their_options(page):
    for arguments in calls_of(page, "schedlab"):
        command = typer.main.get_command(app)
        words = list(arguments)
        while words and hasattr(command, "commands") and not words[0].startswith("-"):
            assert words[0] in command.commands, f"{page}: schedlab {' '.join(arguments)}"
            command = command.commands[words.pop(0)]
        known = {option for one in command.params for option in (*one.opts, *one.secondary_opts)}
        known |= {"--help", "--install-completion"}
        used = {word for word in words if word.startswith("--")}
        assert used <= known, f"{page}: schedlab {' '.join(arguments)}"


#: of the shell, of every system, or of what a page is about: Slurm, conda, Debian
PROGRAMS = {"cd", "cp", "cut", "export", "git", "head", "make", "mkdir", "printf", "sed"}
PROGRAMS |= {
    "apt-get",
    "conda",
    "pip",
    "sacct",
    "sacctmgr",
    "sbatch",
    "scontrol",
    "sprio",
    "sshare",
}


@pytest.mark.parametrize("page", [*PAGES, ROOT / "CONTRIBUTING.md"], ids=name_of)
def test_commands_on_a_page_start_with_something_that_exists(page):
    for line in lines_of_shell(page):
        program = line.split()[0]
        if program in PROGRAMS:
            continue
        assert "/" in program, f"{page}: {line}"
        place = program.rpartition(".venv/bin/")[2]
        folder = Path(sys.executable).parent if place != program else ROOT
        assert (folder / place).exists(), f"{page}: {line}"


@pages
def test_make_targets_on_a_page_are_in_the_makefile(page):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for arguments in calls_of(page, "make"):
        assert {word for word in arguments if "=" not in word} <= set(targets), page


#: one process builds the site for its tests
BUILT_ONCE = pytest.mark.xdist_group("docs")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site, that of ``make docs`` if no file is newer; a warning fails."""
    sources = [*(path for name in ("docs", "src", "config") for path in (ROOT / name).rglob("*.*"))]
    newest = max(path.stat().st_mtime for path in (ROOT / "mkdocs.yml", *sources))
    made = ROOT / "build/site/sitemap.xml"
    if made.is_file() and made.stat().st_mtime > newest:
        return made.parent
    folder = tmp_path_factory.mktemp("docs") / "site"
    build = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert build.returncode == 0, build.stderr
    return folder


@BUILT_ONCE
@pytest.mark.slow
def test_pages_load_no_file_from_another_host(site):
    """Links may lead there; scripts, styles and pictures come from the site."""
    loaded = []

    class Loads(HTMLParser):
        def handle_starttag(self, tag, attributes):
            values = dict(attributes)
            if tag == "link" and values.get("rel") != "canonical":
                loaded.append(values.get("href"))
            loaded.append(values.get(LOADS.get(tag)))

    for page in site.rglob("*.html"):
        Loads().feed(page.read_text(encoding="utf-8"))
    for style in site.rglob("*.css"):
        loaded += re.findall(r"(?:url\(|@import )[\"']?([^\"')]+)", style.read_text("utf-8"))
    assert len(loaded) > 100
    assert not [one for one in loaded if one and re.match(r"(https?:)?//", one)]


EXAMPLES = ("simulate", "compare", "explain", "gantt", "tune", "learn", "policies", "import-log")
EXAMPLES += ("explore", "export-batsim", "export-schedule", "export-slurm", "site init", "whatif")


@BUILT_ONCE
@pytest.mark.slow
@pytest.mark.parametrize("command", EXAMPLES)
def test_examples_of_commands_are_shown_with_their_output(site, command):
    text = re.sub("<[^>]+>", "", (site / "commands.html").read_text(encoding="utf-8"))
    call, printed = re.search(rf"^\$ (schedlab {command}\b.*)\n(.*)$", text, re.MULTILINE).groups()
    assert printed.strip(), call


@BUILT_ONCE
@pytest.mark.slow
def test_output_of_commands_is_that_of_a_terminal_and_fits_into_the_page(site, made):
    page = (site / "commands.html").read_text(encoding="utf-8")
    outputs = re.findall(r'<div class="language-\w+ wide highlight">(.*?)</div>', page, re.DOTALL)
    assert len(outputs) > 2 * len(EXAMPLES)
    lines = unescape(re.sub("<[^>]+>", "", "\n".join(outputs))).splitlines()
    assert any(line.startswith("│ FCFS  ") for line in lines)
    # what a reader copies stays in one line
    assert not [line for line in lines if len(line) > made.WIDTH and "schedlab " not in line]
    assert not [line for line in lines if "\x1b" in line or ("0:00:00" in line and "━" in line)]
    assert not re.search(r"^[┏┃┡│].*\n… and", "\n".join(lines), re.MULTILINE)


@BUILT_ONCE
@pytest.mark.slow
def test_examples_show_tables_with_rows(site):
    for page in ("recipes.html", "commands.html"):
        text = (site / page).read_text(encoding="utf-8")
        assert "Empty DataFrame" not in text
    assert "runtime_positive      6" in (site / "recipes.html").read_text(encoding="utf-8")


@BUILT_ONCE
@pytest.mark.slow
def test_search_box_of_every_page_has_a_name(site):
    for page in site.rglob("*.html"):
        assert '<div class="md-search" data-md-component="search" role="dialog" aria-label=' in (
            page.read_text(encoding="utf-8")
        ), page


@BUILT_ONCE
@pytest.mark.slow
def test_every_table_has_a_caption_of_its_own(site):
    """The heading above it, without the sign that links to the heading."""
    tables = 0
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        captions = re.findall(r"<table[^>]*><caption[^>]*>([^<¶]+)</caption>", text)
        assert len(captions) == len(set(captions)) == text.count("<table"), page
        tables += len(captions)
    assert tables > 40


#: what new users search for, and the page that answers it
SOUGHT = {"tournament": "", "GPU": "faq.html", "conda": "faq.html", "pip install": "faq.html"}
SOUGHT |= {"glossary": "glossary.html", "PBS": "faq.html", "gallery": "papers/gallery.html"}


@BUILT_ONCE
@pytest.mark.slow
@pytest.mark.parametrize(("words", "answer"), SOUGHT.items())
def test_search_answers_from_the_file_system(site, words, answer):
    with Page() as page:
        page.send("Page.navigate", url=(site / "index.html").as_uri())
        page.wait_for("document.querySelector('[data-md-component=search-query]') !== null")
        page.wait_for("document.readyState === 'complete'")
        page.value(
            f"(f => {{f.focus(); f.value = '{words}'; f.dispatchEvent(new Event('keyup'))}})"
            "(document.querySelector('[data-md-component=search-query]'))"
        )
        page.wait_for("document.querySelectorAll('.md-search-result__item').length > 0")
        links = page.value(
            "[...document.querySelectorAll('.md-search-result__link')].map(one => one.href).join()"
        )
        assert f"/{answer}" in links
        assert not page.errors
        assert all(url.startswith(("file:", "about:", "data:")) for url in page.requests)


GALLERIES = ("carastan2017", "legrand2018", "kellari2025", "klusacek2016", "souza2020", "arena")


@pytest.fixture(scope="module")
def made():
    """The module that makes parts of pages."""
    spec = spec_from_file_location("made", ROOT / "docs/made.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("paper", GALLERIES)
def test_gallery_has_caption_command_and_source_of_every_figure(made, paper):
    groups = made.groups_of(paper)
    figures = [item for group in groups for item in group.items if "figure" in item.kinds]
    page = (ROOT / f"docs/papers/{paper}.md").read_text(encoding="utf-8")
    (shown,) = re.findall(rf"<!-- made: figure {paper}/(\w+) -->", page)
    assert shown in [item.name for item in figures]
    parts = made.gallery_of(paper, groups, "no results").split("\n### ")
    assert len(parts) == len(figures) > 3
    for item in figures:
        (part,) = [each for each in parts if f"{{ #{paper}-{item.name} }}" in each]
        assert item.caption in part
        assert ".png\n```" in part
        assert f"results/figures/{paper}/{item.name}.png" in part
        assert "<img" not in part
    places = re.findall(r"in `(src/[^`]+)`, lines (\d+)–(\d+)", "".join(parts))
    assert places
    for file, first, last in places:
        lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
        assert lines[int(first) - 1].startswith(("def ", "@")), (file, first)
        assert int(last) <= len(lines)


def test_gallery_shows_a_small_picture_of_a_figure_that_was_made(made, monkeypatch, tmp_path):
    monkeypatch.setattr(made, "ROOT", tmp_path)
    monkeypatch.setattr(made, "places_of", lambda module: [])
    folder = tmp_path / "results/quick/figures/one"
    folder.mkdir(parents=True)
    facts = PngInfo()
    facts.add_text("Title", 'It is "best"')
    Image.new("RGB", (1400, 700), "white").save(folder / "fig2.png", pnginfo=facts)
    items = [Item("fig10", "figure", "Ten."), Item("fig2", "figure", "Two."), Item("table1")]
    text = made.gallery_of("one", [Group("draw_all", "One", items)])
    assert text.index("### Figure 2") < text.index("### Figure 10")
    assert text.count("<img") == 1
    assert 'alt="It is &quot;best&quot;" loading="lazy" src="data:image/png;base64,' in text
    assert "table1" not in text


def test_page_of_a_paper_shows_its_figure_if_it_was_made(made, monkeypatch, tmp_path):
    monkeypatch.setattr(made, "ROOT", tmp_path)
    marker = "<!-- made: figure one/fig2 -->"
    assert made.on_page_markdown(marker) == ""
    folder = tmp_path / "results/quick/figures/one"
    folder.mkdir(parents=True)
    facts = PngInfo()
    facts.add_text("Title", 'It is "best"')
    Image.new("RGB", (1400, 700), "white").save(folder / "fig2.png", pnginfo=facts)
    text = made.on_page_markdown(marker)
    assert text.startswith('<img alt="It is &quot;best&quot;" loading="lazy" src="data:image/png')
    assert "(gallery.md#one-fig2)" in text


def test_page_of_differences_has_the_totals_and_leads_to_every_paper(made):
    text = made.on_page_markdown((ROOT / "docs/papers/index.md").read_text(encoding="utf-8"))
    assert "<!-- made" not in text
    assert "\n| all computed" in text
    for paper in ("carastan2017", "kellari2025", "klusacek2016", "legrand2018", "souza2020"):
        assert f"- [{paper}]({paper}.md#verdicts), " in text
        assert "## Verdicts" in (ROOT / f"docs/papers/{paper}.md").read_text(encoding="utf-8")


def test_page_of_slurm_keys_has_every_key_with_what_it_is(made):
    text = made.on_page_markdown((ROOT / "docs/slurm_keys.md").read_text(encoding="utf-8"))
    _, refused, left, modeled, rest = re.split("^## .*$", text, flags=re.MULTILINE)
    assert "| `PreemptMode=GANG`; `PreemptMode=SUSPEND` " in refused
    assert "`PriorityFlags`, other values" in left
    assert "`KillWait`;" in modeled
    assert "`SlurmdPort`;" in rest
    assert "SchedulerParameters=bf_window`" in modeled


def test_page_of_logs_has_every_format_of_the_registry(made):
    text = made.on_page_markdown((ROOT / "docs/howto/log.md").read_text(encoding="utf-8"))
    for reader in READERS:
        cells = (reader.name, reader.reads, reader.leaves, f"`{reader.export}`")
        assert re.search(r"\| +".join(["", *(re.escape(cell) + " +" for cell in cells)]), text)


def test_tables_of_the_api_have_the_pages_of_the_navigation():
    listed = re.findall(r"\| (Use|Internals) \|.*\n((?:\|.*\n)+)", API.read_text(encoding="utf-8"))
    pages = {name: re.findall(r"\((\w+\.md)\)", rows) for name, rows in listed}
    part = r"      - (Use|Internals):\n((?:          - .*\n)+)"
    nav = re.findall(part, (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    assert pages == {name: re.findall(r"api/(\w+\.md)", rows) for name, rows in nav}
    assert set(pages) == {"Use", "Internals"}


def test_following_the_page_on_training_runs_episodes_and_a_policy(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    site_log(tmp_path / "site.swf.gz", processors=128)
    calls = follow(ROOT / "docs/howto/train.md", tmp_path)
    results = [CliRunner().invoke(app, arguments) for _, *arguments in calls]
    assert [result.exit_code for result in results] == [0, 0], results
    assert all("policy.npz" in result.output for result in results)


def test_gallery_page_has_every_paper_with_items():
    page = (ROOT / "docs/papers/gallery.md").read_text(encoding="utf-8")
    assert re.findall(r"<!-- made: gallery (\w+) -->", page) == list(GALLERIES)
    papers = {path.parent.name for path in ROOT.glob("resources/*/scored.tsv")}
    assert papers < set(GALLERIES)


def test_following_the_page_of_your_own_slurm_gives_starts_and_nodes(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    calls = follow(ROOT / "docs/howto/slurm.md", tmp_path)
    for _, *arguments in calls:
        result = CliRunner().invoke(app, arguments)
        assert result.exit_code == 0, result.output
        if arguments[0] != "explain":
            assert "job 4 never starts: its limit of 5400 s exceeds MaxTime" in result.output
    assert len(calls) == 6
    assert (tmp_path / "nodes.png").stat().st_size > 10_000
    starts = pd.read_csv(tmp_path / "starts.csv")
    assert starts["ran_on"].tolist() == ["g1", "c1 c2 g1", "g1"]
    assert read_yaml_site(tmp_path / "site.yaml").machine.processors == 96 * 4 + 4 * 32
