"""Captions of a study's items from its words.yaml."""

from docs_case import ROOT
from schedlab.report.items import Group, Item, Study, with_words


def captions_of(key, config, items, facts=lambda _: {}):
    study = Study(key, (), config, lambda path: str(ROOT / path))
    (group,) = with_words([Group("", "", [Item(item, "figure") for item in items])], study, facts)
    return {item.name: item.caption for item in group.items}
