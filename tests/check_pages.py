"""Check rendered pages: short sentences, commands that run, accessible, and not too long.

usage: PYTHONPATH=tests python tests/check_pages.py [--documentation | --names] PAGE...

The text of documentation is not checked here. Pages are opened in Chromium, if it and axe-core are
installed (see axe_case). On a run on models, no page may name a log above a model's numbers. With
--names nothing else is checked, of pages of such a run and of its figures as PDF.
"""

import re
import shutil
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path

from axe_case import AXE, DESKTOP, PHONE, height, show, violations, width
from chromium import NAMES, Page
from prose_case import sentences_of, too_long
from stand_in_case import MODELS, bare_names, bare_names_in_pdf
from unit.test_language import BANNED

#: pixels of a page of details on a desktop
LONGEST = 6000
#: beginnings of the shown blocks of code with lines that do not fit
CUT = """[...document.querySelectorAll("pre, pre > code")]
  .filter(code => code.getClientRects().length && code.scrollWidth > code.clientWidth)
  .map(code => code.textContent.trim().slice(0, 60))"""
#: British spelling; names of files may have it
BRITISH = re.compile(r"utilisation(?!\.\w)")


def faults_of(markup: str) -> list[str]:
    """Return what is wrong with the sentences of a page."""
    banned = [
        f"'{match[0]}', write {better}: {sentence}"
        for sentence in sentences_of(markup)
        for phrase, better in BANNED.items()
        for match in re.finditer(phrase, sentence, re.IGNORECASE)
    ]
    banned += [f"'utilisation' in: {one}" for one in sentences_of(markup) if BRITISH.search(one)]
    names = bare_names(markup) if MODELS in markup else []
    return too_long(markup) + banned + names + shared_titles(markup) + loose_commands(markup)


def names_in(path: str) -> list[str]:
    """Return the logs' names above numbers of models, in a page or a PDF of a run on models."""
    if path.endswith(".pdf"):
        return bare_names_in_pdf(path)
    return bare_names(Path(path).read_text(encoding="utf-8"))


def loose_commands(markup: str) -> list[str]:
    """Return the commands of a page that do not run as copied: their program has no path."""
    code = re.findall(r"<(code|pre)\b[^>]*>(.*?)</\1>", markup, re.DOTALL)
    lines = [unescape(line).strip() for _, text in code for line in text.splitlines()]
    return [
        f"command without a path: {line}"
        for line in lines
        if re.match(r"(snakemake|schedlab) \S", line) and not shutil.which(line.split()[0])
    ]


def shared_titles(markup: str) -> list[str]:
    """Return the titles that two figures of a page or of its gallery share, and missing ones."""
    pictures = "".join(re.findall(r"<figure.*?</figure>", markup, re.DOTALL))
    faults = []
    for titles in (
        re.findall(r'<img[^>]* alt="(.*?)"', pictures),
        re.findall(r'<li><a href="[^"]*"><img[^>]*>(?:<b>.*?</b> )?(.*?)</a>', markup),
    ):
        faults += [
            f"{count} figures have the title {unescape(title)!r}"
            for title, count in Counter(titles).items()
            if count > 1 or not title
        ]
    return faults


def faults_in_browser(paths: list[Path]) -> dict[str, list[str]]:
    """Return what axe-core finds by page, and pages of details that are too long or too wide."""
    with ThreadPoolExecutor() as pool:
        of_sizes = list(pool.map(lambda size: faults_of_size(paths, size), (DESKTOP, PHONE)))
    return {str(path): [line for of in of_sizes for line in of[path]] for path in paths}


def faults_of_size(paths: list[Path], size: int) -> dict[Path, list[str]]:
    """Return the faults of pages in a window `size` pixels wide."""
    faults = {}
    with Page(size, 900) as page:
        for path in paths:
            show(page, path)
            lines = violations(page)
            if size == DESKTOP:
                lines += [f"code is cut: {start}" for start in page.value(CUT)]
            if width(page) > size:
                lines.append(f"{width(page)} pixels wide in a window of {size}")
            if size == DESKTOP and is_detail(path) and height(page) > LONGEST:
                lines.append(f"{height(page)} pixels long, of at most {LONGEST}")
            faults[path] = lines
    return faults


def is_detail(path: Path) -> bool:
    """Return whether a page is in the folder of a paper, next to the first page of the paper."""
    return path.parent.with_suffix(".html").is_file()


if __name__ == "__main__":
    pages = [word for word in sys.argv[1:] if not word.startswith("--")]
    faults = {page: [] for page in pages}
    if "--names" in sys.argv:
        faults = {page: names_in(page) for page in pages}
    elif "--documentation" not in sys.argv:
        faults = {page: faults_of(Path(page).read_text(encoding="utf-8")) for page in pages}
    in_browser = "--names" not in sys.argv
    if in_browser and AXE.is_file() and any(map(shutil.which, NAMES)):
        for page, lines in faults_in_browser([Path(page) for page in faults]).items():
            faults[page] += lines
    elif in_browser:
        print("not opened in a browser: Chromium or axe-core is not installed", file=sys.stderr)
    for page, lines in faults.items():
        for line in lines:
            print(f"{page}: {line}")
    if not faults:
        sys.exit("no page is given")
    sys.exit(any(faults.values()))
