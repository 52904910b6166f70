"""Words of a study from its words.yaml, and captions and texts of its items."""

from docs_case import ROOT
from schedlab.files.config import read_yaml
from schedlab.report.items import Group, Item, Study, read_words, with_words
from schedlab.report.words import filled, in_lines


def located(path):
    return str(ROOT / path)


def words_of(key):
    return read_yaml(ROOT / "resources" / key / "words.yaml")


def captions_of(key, config, items, facts=lambda _: {}):
    study = Study(key, (), config, located)
    (group,) = with_words([Group("", "", [Item(item, "figure") for item in items])], study, facts)
    return {item.name: item.caption for item in group.items}


def text_of(key, item, facts):
    return in_lines(filled(read_words(key, located)["texts"][item], facts))
