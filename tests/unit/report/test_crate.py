"""The crate of a run: which files it has, and what it says of them."""

import hashlib
import json
from pathlib import Path

import pytest

from crate_case import TABLE, small_crate
from schedlab.report.crate import METADATA, PACKAGE, WORKFLOW


@pytest.fixture
def crate(tmp_path):
    return small_crate(tmp_path)


@pytest.fixture
def entities(crate):
    graph = json.loads((crate / METADATA).read_text())["@graph"]
    assert len({entity["@id"] for entity in graph}) == len(graph)
    return {entity["@id"]: entity for entity in graph}


def keys(references):
    return [one["@id"] for one in references]


def test_every_file_of_the_folder_is_a_part_with_its_checksum(crate, entities):
    files = {str(path.relative_to(crate)) for path in crate.rglob("*") if path.is_file()}
    parts = set(keys(entities["./"]["hasPart"]))
    assert files - {METADATA} == parts - {"https://example.org/a.swf"}
    for name in files - {METADATA, WORKFLOW}:
        content = (crate / name).read_bytes()
        assert entities[name]["sha256"] == hashlib.sha256(content).hexdigest()
        assert entities[name]["contentSize"] == str(len(content))


def test_the_run_names_what_it_read_and_made(entities):
    run = entities["#run"]
    assert keys(run["object"]) == ["sheets/p.tsv", "https://example.org/a.swf", "#log-Theta"]
    assert keys(run["result"]) == ["tables/p/table.csv", "scoreboard.csv", PACKAGE]
    assert (run["startTime"], run["endTime"]) == (
        "2026-11-29T08:00:00+00:00",
        "2026-11-29T09:30:00+00:00",
    )
    assert "abc123" in run["description"]
    values = {
        entities[key]["name"]: entities[key]["value"] for key in keys(run["additionalProperty"])
    }
    assert values["published numbers: match"] == 1
    assert values["published numbers: explained"] == 1
    assert values["published numbers: unexplained"] == 0


def test_a_result_has_its_rule_those_before_and_minutes(entities):
    made = entities["#make-tables/p/table.csv"]
    assert made["description"] == "rule compare, after read, 1.25 minutes in all"
    assert made["instrument"] == {"@id": "#rule-compare"}
    assert entities["#make-scoreboard.csv"]["description"] == "rule make_scoreboard"
    assert "#make-sheets/p.tsv" not in entities


def test_a_log_has_checksum_terms_and_all_addresses(entities):
    log = entities["https://example.org/a.swf"]
    assert log["sha256"] == "f" * 64
    assert log["sameAs"] == ["https://example.org/b.swf"]
    assert log["conditionsOfAccess"] == "terms: cite"
    assert "sha256" not in entities["#log-Theta"]
    assert entities["#log-Theta"]["@type"] == "CreativeWork"


def test_every_reference_and_every_term_is_known(crate, entities, root):
    terms = json.loads((root / "tests/release/terms.json").read_text())["@context"]
    for entity in entities.values():
        types = entity["@type"] if isinstance(entity["@type"], list) else [entity["@type"]]
        assert {*types, *entity} - {"@id", "@type"} <= terms.keys()
        for value in entity.values():
            for one in value if isinstance(value, list) else [value]:
                if isinstance(one, dict):
                    known = one["@id"] in entities or one["@id"].startswith("https://w3id.org/")
                    assert known, one


def test_data_package_has_columns_types_and_checksums(crate):
    package = json.loads((crate / PACKAGE).read_text())
    resources = {resource["path"]: resource for resource in package["resources"]}
    assert list(resources) == ["tables/p/table.csv", "scoreboard.csv", "sheets/p.tsv"]
    table = resources["tables/p/table.csv"]
    assert table["hash"] == f"sha256:{hashlib.sha256(TABLE.encode()).hexdigest()}"
    types = {field["name"]: field["type"] for field in table["schema"]["fields"]}
    assert types == {
        "item": "string",
        "published": "number",
        "computed": "number",
        "verdict": "string",
    }
    sheet = resources["sheets/p.tsv"]
    assert sheet["dialect"] == {"delimiter": "\t"}
    assert [field["type"] for field in sheet["schema"]["fields"]] == ["string", "integer"]
    assert all(Path(path).suffix in (".csv", ".tsv") for path in resources)


def test_files_of_an_earlier_crate_are_gone(tmp_path):
    (tmp_path / "crate").mkdir()
    (tmp_path / "crate/old.csv").write_text("a\n")
    assert not (small_crate(tmp_path) / "old.csv").exists()
