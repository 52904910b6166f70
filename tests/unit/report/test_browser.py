"""The first page in a browser: its table can be filtered, and nothing is wider than a phone."""

import re
import subprocess

import pytest

from chromium import browser
from table4_case import printed_values

ASK = """<script>
var form = document.querySelector(".filters");
%s
form.dispatchEvent(new Event("input"));
</script></body>"""
WIDTH = """<script>
document.querySelector("output").textContent = "wide " + document.documentElement.scrollWidth;
</script></body>"""


@pytest.fixture
def page_after_script(home, tmp_path):
    """Return the first page as a browser has it once a script at its end has run."""

    def make(script, width=1300):
        values = printed_values()
        values["ctc_artefact"][7] = 400.0
        path = tmp_path / "clicked.html"
        path.write_text(home(values=values).replace("</body>", script))
        options = ["--headless", "--no-sandbox", "--disable-gpu", f"--window-size={width},900"]
        run = subprocess.run(
            [browser(), *options, "--dump-dom", path.as_uri()],
            capture_output=True, text=True, timeout=120, check=True,
        )  # fmt: skip
        return run.stdout

    return make


def filter_count(page):
    """The count of shown numbers in the text of the filters."""
    return re.search(r"<output[^>]*>([^<]*)<", page)[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("script", "count"),
    [
        ("", 16),
        ('form.grade.value = "match";', 15),
        ('form.grade.value = "unexplained";', 1),
        ('form.kind.value = "replicated";', 0),
        ('form.words.value = "ctc F1";', 1),
        ('form.words.value = "ctc"; form.grade.value = "match";', 7),
    ],
)
def test_filter_keeps_the_matching_rows(page_after_script, script, count):
    page = page_after_script(ASK % script)
    assert filter_count(page) == f"{count} of 16 numbers"
    assert '<form class="filters">' in page


@pytest.mark.slow
def test_page_fits_the_width_of_a_phone(page_after_script):
    """Chromium without a head opens no window narrower than 500 pixels."""
    assert int(filter_count(page_after_script(WIDTH, width=500)).removeprefix("wide ")) <= 500
