"""Pages in a browser: addresses of the earlier single page open the pages of details."""

import pytest

from axe_case import PHONE, show, width
from chromium import Page
from table4_case import printed_values


@pytest.mark.slow
@pytest.mark.parametrize(
    ("anchor", "name"), [("toggles", "why"), ("fig4", "figures"), ("glance", "carastan2017")]
)
def test_old_address_of_a_section_opens_the_page_that_has_it(levels, anchor, name):
    first, *_ = levels(printed_values())
    with Page() as page:
        page.send("Page.navigate", url=f"{first.resolve().as_uri()}#{anchor}")
        page.wait_for(f"location.href.endsWith('/{name}.html#{anchor}')")
        page.wait_for(f"document.getElementById('{anchor}') !== null")
        assert not page.errors


@pytest.mark.slow
def test_first_page_fits_the_width_of_a_phone(home, tmp_path):
    home()
    with Page(PHONE, 900) as page:
        show(page, tmp_path / "index.html")
        assert width(page) <= PHONE
