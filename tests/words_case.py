"""Captions and texts of a study's items from its words.yaml."""

from docs_case import ROOT
from schedlab.report.items import Group, Item, Study, read_words, with_words
from schedlab.report.words import filled, in_lines


def located(path):
    return str(ROOT / path)


def captions_of(key, config, items, facts=lambda _: {}):
    study = Study(key, (), config, located)
    (group,) = with_words([Group("", "", [Item(item, "figure") for item in items])], study, facts)
    return {item.name: item.caption for item in group.items}


def text_of(key, item, facts):
    return in_lines(filled(read_words(key, located)["texts"][item], facts))
