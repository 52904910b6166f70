"""Build the text of the report pages from the tables of carastan2017."""

from schedlab.studies.carastan2017.page.story import story
from schedlab.studies.carastan2017.page.table4 import advantage, claims_sentence, context

__all__ = ["advantage", "claims_sentence", "context", "story"]
