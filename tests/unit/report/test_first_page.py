"""The first page: what was reproduced, on what, and how to get the rest."""

import re

import numpy as np

from page_case import FETCHED
from schedlab.report.verdicts import NOT_AT_HAND


def test_the_first_page_tells_the_versions_of_what_computed_and_not_its_own(home):
    text = home()
    assert "1.0.99" in text
    assert "3.0.99" in text
    assert np.__version__ not in text


def test_the_first_page_leads_to_the_papers_with_their_verdicts(home):
    text = home()
    assert '<a href="carastan2017.html">A title</a>' in text
    assert "Table 4, artefact" in text
    assert re.search(r"16\s+match", text)
    assert "1 of 1 are at hand" in text


def test_the_first_page_says_which_logs_are_missing_and_where_to_put_them(home):
    missing = FETCHED | {"status": NOT_AT_HAND, "source": "", "message": "put it here"}
    text = home(fetched=missing)
    assert "0 of 1 are at hand" in text
    assert "put it here" in text


def test_the_first_page_tells_stand_ins_and_loads_nothing(home):
    text = home(source="models")
    assert "not from the papers’ data" in text
    assert not re.search(r"<link|<script|@import|url\(|\bsrc=", text)


def test_the_first_page_says_what_ran_on_a_papers_own_data_where_logs_did_not(home):
    assert "<b>Model rows as published.</b>" in home(source="drawn")
    assert "Model rows as published" not in home()


def test_logs_drawn_from_their_seeds_are_neither_at_hand_nor_missing(home):
    drawn = FETCHED | {"status": "drawn from its seed", "source": "model lublin_published_256"}
    text = home(fetched=drawn)
    assert "0 of 1 are at hand, 1 is drawn job by job from its seed." in text
    assert "Logs that are not at hand" not in text
    assert "model lublin_published_256" in text


def test_the_first_screen_says_what_was_reproduced_what_ran_on_models_and_how_to_get_the_rest(home):
    text = home()
    assert text.index("What this run shows") < text.index("<h2>Papers</h2>")
    assert "<b>carastan2017, Table 4: 16 of 16 numbers match</b>." in text
    assert "Not held against them" not in text
    text = home(source="models")
    assert "Nothing: no number of this run comes from a paper’s own data." in text
    assert "Not held against them: 16 printed numbers" in text
    assert "16 numbers; in their place ran lublin_quick_ctc, lublin_quick_model" in text
    assert "SCHEDLAB_ARCHIVE" in text
