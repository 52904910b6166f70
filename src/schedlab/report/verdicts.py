"""The four words that are said of a published number beside ours."""

from schedlab.markers import NOT_AT_HAND

MATCH = "match"
ORDERING_HOLDS = "ordering holds"
DIFFERS = "differs"
VERDICTS = (MATCH, ORDERING_HOLDS, DIFFERS, NOT_AT_HAND)


def verdict_of(equal: bool, holds: bool) -> str:
    """Return the verdict on a number: whether it is equal, and whether its row's order holds."""
    if equal:
        return MATCH
    return ORDERING_HOLDS if holds else DIFFERS
