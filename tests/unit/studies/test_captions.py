"""Captions of all studies: finished, short, and one for each item."""

import re
from importlib import import_module

import pytest

from docs_case import ROOT
from schedlab.files.config import fill_defaults, read_sheet, read_yaml
from schedlab.files.sheets import on_models, read, with_drawn
from schedlab.files.stand_ins import with_stand_ins
from schedlab.report.items import REPORTED, Study
from schedlab.traces.registry import read_registry

PAPERS = ("carastan2017", "legrand2018", "kellari2025", "klusacek2016", "souza2020", "arena")
SCALES = ("papers", "quick")
#: processors of the models
SIZES = {
    row["model"]: int(row["processors"])
    for row in read_sheet(
        ROOT / "config/models.tsv", ROOT / "workflow/schemas/models.schema.yaml"
    ).to_dict("records")
}
#: most words of a caption, and of a sentence
LONGEST, LONGEST_SENTENCE = 100, 35
#: items of a study that share a caption
SHARED = {
    "carastan2017": [
        {"toggles", "fig_toggles"},
        {"sites", "sites_own", "fig_sites", "fig_sites_own"},
    ],
    "legrand2018": [{"toggles", "fig_toggles"}],
}


def config_of(scale):
    """Return the configuration of a scale, with a policy of yours."""
    base = read_yaml(ROOT / "config/config.yaml")
    quick = fill_defaults(read_yaml(ROOT / "config/quick.yaml"), base)
    config = quick if scale == "quick" else base
    return config | {"policies": {"mine": "r"}}


def rows_of(key, config):
    """Return the rows of a study as they run."""
    schema = ROOT / "workflow/schemas"
    logs = read_registry(ROOT / "config/traces.tsv", schema / "traces.schema.yaml")
    drawn = {name: log.model for name, log in logs.items() if log.model}
    sheet = import_module(f"schedlab.studies.{key}.sheet")
    path = ROOT / f"config/experiments/{key}.tsv"
    rows = with_drawn(read(sheet.ROW, path, schema / f"{key}.schema.yaml"), drawn)
    run = getattr(sheet, "as_run", on_models)(rows, config)
    return rows, with_stand_ins(run, rows, SIZES)


def captions_of(key, scale):
    """Return the captions of a study by item."""
    config = config_of(scale)
    sheet, rows = rows_of(key, config) if key in PAPERS else ((), ())
    locate = lambda path: str(ROOT / path)  # noqa: E731
    study = Study(key, tuple(rows), config, locate, tuple(sheet), SIZES)
    groups = import_module(f"schedlab.studies.{key}.items.index").groups(study)
    items = [item for group in groups for item in group.items]
    return {item.name: item.caption for item in items if not {*REPORTED}.isdisjoint(item.kinds)}


@pytest.fixture(scope="module", params=[*PAPERS, "site", "referee"])
def key(request):
    return request.param


@pytest.fixture(scope="module", params=SCALES)
def captions(request, key):
    return captions_of(key, request.param)


def test_every_table_and_figure_has_a_finished_caption(captions):
    assert captions
    unfinished = [
        item
        for item, text in captions.items()
        if not text.endswith(".") or re.search(r"[{}]|\bNone\b|  |\n", text)
    ]
    assert not unfinished


def test_captions_and_their_sentences_are_short(captions):
    long = {}
    for item, text in captions.items():
        sentences = re.split(r"(?<=\.) ", text)
        longest = max(sentences, key=lambda sentence: len(sentence.split()))
        if sum(len(s.split()) for s in sentences) > LONGEST:
            long[item] = len(text.split())
        if len(longest.split()) > LONGEST_SENTENCE:
            long[item] = longest
    assert not long


def test_items_share_a_caption_only_if_they_show_the_same(key, captions):
    items = {}
    for item, text in captions.items():
        items.setdefault(text, set()).add(item)
    shared = [same for same in items.values() if len(same) > 1]
    assert all(any(same <= allowed for allowed in SHARED.get(key, ())) for same in shared), shared
