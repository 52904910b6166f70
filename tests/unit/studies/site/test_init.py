"""The heading of a site's report."""

import pytest

from schedlab.studies.site.init import heading_of, name_of


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("KTH-SP2", "KTH-SP2"),
        ("site", "this site"),
        ("Site", "this site"),
        (" ", "this site"),
        (None, "this site"),
        (name_of("/.gz"), "this site"),
        (name_of("dumps/site.swf.gz"), "this site"),
        (name_of("dumps/kth.swf.gz"), "kth"),
    ],
)
def test_heading_without_a_name_uses_this_site(name, called):
    assert heading_of(name) == f"Which order should {called} run?"
