"""Claims of a paper, as its claims.tsv has them."""

from functools import cache
from importlib import import_module
from pathlib import Path

from schedlab.report.claims import read_claims

RESOURCES = Path(__file__).parents[1] / "resources"


@cache
def claims_of(paper):
    statistics = import_module(f"schedlab.studies.{paper}.statistics")
    return read_claims(RESOURCES / paper / "claims.tsv", statistics)


def claim_of(paper, start, on=None):
    """Return the claim, of a kind, whose words are or begin so."""
    claims = [claim for claim in claims_of(paper) if on in (None, claim.on)]
    same = [claim for claim in claims if claim.text == start]
    (claim,) = same or [claim for claim in claims if claim.text.startswith(start)]
    return claim
