"""Pages in headless Chromium: what axe-core finds, how long they are, and their width.

axe-core is from npm: npm install --no-save --prefix build/axe axe-core
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from chromium import Page

AXE = Path(__file__).parents[1] / "build/axe/node_modules/axe-core/axe.min.js"
#: impacts of violations that no page may have
SERIOUS = ("serious", "critical")
#: widths of a desktop and of a phone, pixels
DESKTOP, PHONE = 1300, 390
#: without lists of the elements that pass, which take a third of the time
_OPTIONS = {"reporter": "no-passes", "resultTypes": ["violations"]}
#: the only rules with answers that differ between light and dark colors
COLORS = ["color-contrast", "link-in-text-block"]


def axe() -> str:
    """The script of axe-core, or a skipped test."""
    if not AXE.is_file():
        pytest.skip(f"no axe-core in {AXE.parent}: .ci/run tests installs it with npm")
    return AXE.read_text(encoding="utf-8")


def color(page: Page, scheme: str) -> None:
    """Show the open page, and those opened later, in "light" or "dark" colors."""
    wanted = [{"name": "prefers-color-scheme", "value": scheme}]
    page.send("Emulation.setEmulatedMedia", features=wanted)


def show(page: Page, path: Path, scheme: str = "light") -> None:
    """Open a file in "light" or "dark" colors, and wait until it is loaded."""
    color(page, scheme)
    page.send("Page.navigate", url=path.resolve().as_uri())
    page.wait_for(f"document.readyState === 'complete' && location.href.includes({path.name!r})")


def violations(page: Page, **options: list[str]) -> list[str]:
    """What axe-core finds on the open page from `SERIOUS` on, one line an element."""
    page.value(axe() + ";0")
    run = f"axe.run(document, {json.dumps(_OPTIONS | options)})"
    return [
        f"{each['id']}: {node['target'][0]} {node['html'][:120]}"
        for each in json.loads(page.value(f"{run}.then(found => JSON.stringify(found.violations))"))
        for node in each["nodes"]
        if node["impact"] in SERIOUS
    ]


def height(page: Page) -> int:
    return page.value("document.documentElement.scrollHeight")


def width(page: Page) -> int:
    """Width of the open page in pixels; more than its window if something sticks out."""
    return page.value("document.documentElement.scrollWidth")
