"""The documentation builds without a warning, and everything it names exists."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module

import pytest
import typer

from chromium import Page
from docs_case import PAGES, ROOT, calls_of, spans
from schedlab.cli import app

FOLDERS = ("src", "tests", "docs", "config", "workflow", "resources", "bench", "profiles")
MADE_LATER = ("resources/raw",)
LOADS = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src"}


def name_of(page):
    return str(page.relative_to(ROOT))


pages = pytest.mark.parametrize("page", PAGES, ids=name_of)


@pages
def test_files_that_a_page_names_are_there(page):
    """`<paper>` and `{a,b}` match any."""
    for span in spans(page):
        path = span.rstrip("/").split(":")[0]
        if path.split("/")[0] not in FOLDERS or "/" not in path or " " in path:
            continue
        pattern = re.sub(r"<\w+>|\{[^}]*\}", "*", path)
        assert any(ROOT.glob(pattern)) or path.startswith(MADE_LATER), f"{page}: {span}"


def test_links_of_the_readme_lead_to_files():
    """Those of the site are followed when it is built."""
    links = re.findall(r"\]\(([^)#]+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    here = [link for link in links if "://" not in link]
    assert len(here) > 5
    assert [link for link in here if not (ROOT / link).is_file()] == []


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


@pages
def test_make_targets_on_a_page_are_in_the_makefile(page):
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    for arguments in calls_of(page, "make"):
        assert {word for word in arguments if "=" not in word} <= set(targets), page


#: one process builds the site for its tests
BUILT_ONCE = pytest.mark.xdist_group("docs")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The built site; a warning fails."""
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


EXAMPLES = ("simulate", "compare", "explain", "gantt", "tune", "learn", "policies", "import-sacct")
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
def test_search_answers_from_the_file_system(site):
    with Page() as page:
        page.send("Page.navigate", url=(site / "index.html").as_uri())
        page.wait_for("document.querySelector('[data-md-component=search-query]') !== null")
        page.wait_for("document.readyState === 'complete'")
        page.value(
            "(f => {f.focus(); f.value = 'tournament'; f.dispatchEvent(new Event('keyup'))})"
            "(document.querySelector('[data-md-component=search-query]'))"
        )
        page.wait_for("document.querySelectorAll('.md-search-result__item').length > 0")
        assert not page.errors
        assert all(url.startswith(("file:", "about:", "data:")) for url in page.requests)
