"""First page of a paper and its pages of details: addresses, anchors of earlier reports."""

import pytest

from schedlab.report.levels import Part, address_links, pages_of_anchors

FIRST = '<section id="glance"><h2>At a glance</h2></section>'
PARTS = [
    Part(
        "one",
        "One",
        '<section id="a"><h2>A</h2><figure id="fig1"></figure></section>'
        '<section id="b" class="wide">\n<h2>B</h2></section>',
    ),
    Part("two", "Two", '<section id="c"><h2>C</h2></section>'),
]


def test_sections_and_anchors_of_a_page():
    assert PARTS[0].sections == [("a", "A"), ("b", "B")]
    assert PARTS[0].anchors == ["a", "fig1", "b"]


@pytest.mark.parametrize(
    ("page", "link", "address"),
    [
        ("", "#a", "key/one.html#a"),
        ("", "#glance", "#glance"),
        ("", "index.html", "index.html"),
        ("", "key/two.html", "key/two.html"),
        ("one", "#a", "#a"),
        ("one", "#c", "two.html#c"),
        ("one", "#glance", "../key.html#glance"),
        ("one", "key/two.html", "two.html"),
        ("one", "key.html", "../key.html"),
        ("one", "../figures/key/fig1.png", "../../figures/key/fig1.png"),
        ("one", "https://site.org/a", "https://site.org/a"),
        ("one", "//site.org/a", "//site.org/a"),
    ],
)
def test_links_have_the_address_of_their_page(page, link, address):
    html = next((part.body for part in PARTS if part.name == page), FIRST)
    places = pages_of_anchors(PARTS)
    assert f'href="{address}"' in address_links(f'{html}<a href="{link}">', page, "key", places)


def test_anchor_that_the_first_page_repeats_leads_to_the_details():
    places = pages_of_anchors([Part("one", "One", '<figure id="fig1">')])
    html = '<li id="fig1"><a href="#fig1">'
    assert 'href="key/one.html#fig1"' in address_links(html, "", "key", places)


def test_place_that_no_page_has_becomes_text():
    places = pages_of_anchors([Part("one", "One", '<figure id="fig1">')])
    html = '<a class="place" href="#fig1">fig 1</a><a class="place" href="#fig2">fig 2</a>'
    shown = address_links(html, "", "key", places)
    assert shown == '<a class="place" href="key/one.html#fig1">fig 1</a>fig 2'
