"""Words of a study from its words.yaml, and captions of its items."""

from docs_case import ROOT
from schedlab.files.config import read_yaml
from schedlab.report.items import Group, Item, Study, with_words


def words_of(key):
    return read_yaml(ROOT / "resources" / key / "words.yaml")


def captions_of(key, config, items, facts=lambda _: {}):
    study = Study(key, (), config, lambda path: str(ROOT / path))
    (group,) = with_words([Group("", "", [Item(item, "figure") for item in items])], study, facts)
    return {item.name: item.caption for item in group.items}
