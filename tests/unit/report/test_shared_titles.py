"""The check of pages finds figures that have the same title, or none."""

import pytest

from check_pages import shared_titles


def page(*titles, gallery=()):
    """Markup of figures with titles, and of a gallery that links to them."""
    figures = [f'<figure id="f"><img src="a" alt="{title}" width="1"></figure>' for title in titles]
    links = [f'<li><a href="#f"><img src="a" alt="">{title}</a></li>' for title in gallery]
    return "\n".join([*figures, *links])


@pytest.mark.parametrize(
    ("titles", "gallery", "faults"),
    [
        (("SAF is best", "FCFS is best"), (), []),
        (("SAF is best", "SAF is best"), (), ["2 figures have the title 'SAF is best'"]),
        (("SAF is best", ""), (), ["1 figures have the title ''"]),
        (("SAF is best",), ("<b>Figure 1</b> SAF is best",), []),
        ((), ("<b>Figure 1</b> A &amp; B", "<b>Figure 2</b> A &amp; B", "<b>Figure 3</b> A"),
         ["2 figures have the title 'A & B'"]),
        ((), ("<b>Figure 1</b> ",), ["1 figures have the title ''"]),
    ],
)  # fmt: skip
def test_titles_that_figures_share_are_found(titles, gallery, faults):
    assert shared_titles(page(*titles, gallery=gallery)) == faults
