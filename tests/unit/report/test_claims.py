"""What papers say in words: every claim is held against what there is, by its kind of evidence."""

from schedlab.markers import NOT_AT_HAND
from schedlab.report.claims import Claim, check

CLAIMS = [
    Claim("it is above one", "1.2", lambda value: (f"{value}", value > 1)),
    Claim(
        "it has three", "2, figure 1", lambda values: (f"{len(values)}", len(values) == 3), "many"
    ),
]


def test_claims_are_tested_on_every_body_of_evidence_that_has_their_kind():
    table = check(CLAIMS, {"printed": {"": 0}, "ours": {"": 2, "many": "abc"}}, "ours")
    assert list(table.columns) == ["claim", "where", "printed", "ours", "found"]
    assert table["where"].tolist() == ["section 1.2", "section 2, figure 1"]
    assert table["printed"].tolist() == ["fails", ""]
    assert table["ours"].tolist() == ["holds", "holds"]
    assert table["found"].tolist() == ["2", "3"]


def test_claim_without_evidence_is_said_to_be_untested():
    table = check(CLAIMS, {"holds": {}}, "holds", ("yes", "no"), NOT_AT_HAND)
    assert table["holds"].tolist() == [NOT_AT_HAND] * 2
    assert table["found"].tolist() == ["", ""]


def test_what_stands_in_no_section_is_named_as_it_is():
    abstract = Claim("it is", "abstract", lambda value: ("", True))
    assert check([abstract], {"ours": {"": 1}}, "ours")["where"].tolist() == ["abstract"]


def test_a_number_at_the_end_of_a_name_makes_it_no_section():
    table_4 = Claim("it is", "Table 4", lambda value: ("", False))
    found = check([table_4], {"ours": {"": 1}}, "ours", ("yes", "no"))
    assert found.to_dict("records") == [
        {"claim": "it is", "where": "Table 4", "ours": "no", "found": ""}
    ]
