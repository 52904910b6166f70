"""Captions of all studies: finished, short, and one for each item."""

import re
from importlib import import_module

import pytest

from docs_case import ROOT
from schedlab.files.config import fill_defaults, read_sheet, read_yaml
from schedlab.files.sheets import on_models, read, with_drawn
from schedlab.files.stand_ins import with_stand_ins
from schedlab.report.items import REPORTED, Study, heading_of
from schedlab.traces.registry import read_registry
from stand_in_case import bare_names

PAPERS = (
    "carastan2017",
    "legrand2018",
    "kellari2025",
    "klusacek2016",
    "souza2020",
    "arena",
    "zhang2020",
)
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
    schema = ROOT / "workflow/schemas"
    logs = read_registry(ROOT / "config/traces.tsv", schema / "traces.schema.yaml")
    drawn = {name: log.model for name, log in logs.items() if log.model}
    sheet = import_module(f"schedlab.studies.{key}.sheet")
    path = ROOT / f"config/experiments/{key}.tsv"
    rows = with_drawn(read(sheet.ROW, path, schema / f"{key}.schema.yaml"), drawn)
    run = getattr(sheet, "as_run", on_models)(rows, config)
    return rows, with_stand_ins(run, rows, SIZES)


def groups_of(key, scale):
    return import_module(f"schedlab.studies.{key}.items").groups(study_of(key, scale))


def study_of(key, scale):
    config = config_of(scale)
    sheet, rows = rows_of(key, config) if key in PAPERS else ((), ())
    locate = lambda path: str(ROOT / path)  # noqa: E731
    return Study(key, tuple(rows), config, locate, tuple(sheet), SIZES)


def captions_of(key, scale):
    items = [item for group in groups_of(key, scale) for item in group.items]
    return {item.name: item.caption for item in items if not {*REPORTED}.isdisjoint(item.kinds)}


@pytest.fixture(scope="module", params=[*PAPERS, "site", "referee", "programs"])
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


@pytest.mark.parametrize("paper", PAPERS)
def test_captions_of_models_name_no_log_as_what_ran(paper):
    """The log is named only as what a model stands in for, or in what is published."""
    texts = captions_of(paper, "quick").values()
    assert [fault for text in texts for fault in bare_names(text)] == []


@pytest.mark.parametrize(("paper", "experiment", "name"), [
    ("carastan2017", "curie_actual_artefact",
     "model, 93,312 processors (stands in for CEA-Curie), actual runtimes r"),
    ("carastan2017", "lublin256_actual_artefact", "Workload model, nmax = 256, actual runtimes r"),
    ("legrand2018", "kth_sp2_weeks", "model, 100 processors (stands in for KTH-SP2)"),
    ("klusacek2016", "wagap_2", "model, 2,176 processors (stands in for wagap-2013), set 2"),
    ("klusacek2016", "hpc2n_marking", "model, 240 processors (stands in for HPC2N)"),
    ("klusacek2016", "kth_periods",
     "model, 100 processors (stands in for KTH-SP2), busy intervals"),
    ("klusacek2016", "cerit_recorded_nodes", "recorded users, by node"),
    ("souza2020", "waits_kth", "model, 100 processors (stands in for KTH-SP2)"),
    ("souza2020", "system1_runs", "System 1, load of Table 1"),
    ("arena", "cea_curie", "model, 1,024 processors (stands in for CEA-Curie)"),
])  # fmt: skip
def test_rows_of_models_have_their_names_and_rows_of_logs_their_labels(paper, experiment, name):
    """Only the quick scale runs on models."""
    sheet, quick = rows_of(paper, config_of("quick"))
    named = {row.experiment: row.name for row in quick}
    assert named[experiment] == name
    labels = {row.experiment: row.label for row in sheet}
    assert {row.experiment: row.name for row in rows_of(paper, config_of("papers"))[1]} == labels


def test_settings_name_the_model_whose_gaps_replace_those_of_a_log():
    (labels,) = (
        group.params("beyond_arrivals")["labels"]
        for group in groups_of("kellari2025", "quick")
        if group.name == "show_settings"
    )
    assert labels["arrivals_log08"] == (
        "gaps of model, 256 processors (stands in for KTH-SP2), load 0.8"
    )
    assert labels["arrivals_poisson08"] == "Poisson, load 0.8"


@pytest.mark.parametrize(("scale", "venue"), [
    ("quick", "on model workloads"), ("papers", "on every available log"),
])  # fmt: skip
def test_arena_states_what_ran(scale, venue):
    heading = heading_of(study_of("arena", scale))
    assert heading["venue"] == venue
    assert ("With logs, a scheduler is recommended" in heading["summary"]) == (scale == "quick")


def test_sets_of_a_log_that_is_not_available_have_names_too():
    page = import_module("schedlab.studies.klusacek2016.items").page
    names = page(study_of("klusacek2016", "quick"))["names"]
    model = "model, 2,176 processors (stands in for wagap-2013)"
    assert names["Zewura set 2"] == f"{model}, for Zewura set 2"
    assert names["wagap set 2"] == f"{model}, set 2"
    assert page(study_of("klusacek2016", "papers"))["names"] == {}


def test_tables_with_your_policies_are_made_from_their_runs_too():
    """The configuration of these tests has one."""
    (group,) = (one for one in groups_of("kellari2025", "quick") if one.name == "make_table6")
    assert group.params("table6_1_own")["own"] == ["mine"]
    runs = group.inputs("table6_1_own")["runs"]
    assert len(runs) == 2 * len(group.inputs("table6_1")["runs"])
    assert sum(".mine." in path for path in runs) * 2 == len(runs)
