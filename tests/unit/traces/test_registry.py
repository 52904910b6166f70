"""The registries of raw logs and pools."""

import pytest

from schedlab.files.config import ConfigError, read_sheet
from schedlab.traces.registry import PoolEntry, read_registry


def test_registry_is_valid_and_every_tested_log_has_a_checksum(root):
    schema = root / "workflow/schemas/traces.schema.yaml"
    registry = read_registry(root / "config/traces.tsv", schema)
    assert {"KTH-SP2", "CTC-SP2", "SDSC-BLUE", "CEA-Curie", "ANL-Intrepid"} <= set(registry)
    untested = {name for name, log in registry.items() if not (log.sha256 or log.git_blob)}
    assert untested == {"CERIT-SC-2015", "METACENTRUM-2013"}
    assert all(registry[name].urls and registry[name].jobs for name in untested)
    assert registry["ANL-Intrepid"].jobs == 68936
    assert registry["wagap-2013"].jobs is None
    assert (registry["RICC"].processors, registry["RICC"].jobs) == (8192, 447794)
    assert (registry["UniLu-Gaia"].processors, registry["UniLu-Gaia"].jobs) == (2004, 51987)
    theta = registry["Theta-2022"]
    assert (theta.processors, theta.jobs, theta.urls, theta.model) == (4360, 23911, (), None)
    assert registry["CTC-SP2"].urls[0].startswith("https://www.cs.huji.ac.il/labs/parallel/")


@pytest.mark.parametrize(("sheet", "kinds"), [("traces", []), ("pools", [PoolEntry])])
def test_last_address_of_a_known_git_blob_is_its_archive(root, sheet, kinds):
    """Software Heritage keeps contents by this id when a site or a repository is gone."""
    schema = root / f"workflow/schemas/{sheet}.schema.yaml"
    registry = read_registry(root / f"config/{sheet}.tsv", schema, *kinds)
    known = [one for one in registry.values() if one.git_blob and one.urls]
    assert len(known) > 3
    for entry in known:
        assert f"softwareheritage.org/api/1/content/sha1_git:{entry.git_blob}/" in entry.urls[-1]
        assert not any("softwareheritage" in url for url in entry.urls[:-1])


def registry_with(root, tmp_path, change):
    lines = (root / "config/traces.tsv").read_text().splitlines()[:2]
    sheet = tmp_path / "traces.tsv"
    sheet.write_text("\n".join(change(lines)) + "\n")
    return read_registry(sheet, root / "workflow/schemas/traces.schema.yaml")


def test_unknown_column_of_the_registry_is_reported_with_the_nearest(root, tmp_path):
    with pytest.raises(ConfigError, match=r"'sha265'.*'sha256'"):
        registry_with(root, tmp_path, lambda lines: [lines[0].replace("sha256", "sha265")])


def test_log_registered_twice_is_an_error(root, tmp_path):
    with pytest.raises(ConfigError, match=r"KTH-SP2.*twice"):
        registry_with(root, tmp_path, lambda lines: [*lines, lines[1]])


def test_site_may_register_a_log_without_checksum_count_and_address(root, tmp_path):
    row = "mine\tmine.swf\t-\t-\t-\t64\t-\tcomputed\tus"
    mine = registry_with(root, tmp_path, lambda lines: [lines[0], f"{row}\t-"])["mine"]
    assert (mine.urls, mine.sha256, mine.git_blob, mine.jobs) == ((), None, None, None)
    assert mine.model is None


def test_registry_of_a_site_needs_no_column_for_models_that_draw_logs(root, tmp_path):
    row = "mine\tmine.swf\t-\t-\t-\t64\t-\tcomputed\tus"
    without = lambda lines: [lines[0].removesuffix("\tmodel"), row]  # noqa: E731
    assert registry_with(root, tmp_path, without)["mine"].model is None


def test_five_sc17_workloads_have_published_models_of_their_size(root):
    """A log's model draws as many jobs for as large a machine, with estimates where it has them."""
    schemas = root / "workflow/schemas"
    registry = read_registry(root / "config/traces.tsv", schemas / "traces.schema.yaml")
    sheet = read_sheet(root / "config/models.tsv", schemas / "models.schema.yaml")
    models = sheet.set_index("model").to_dict("index")
    drawn = {name: models[log.model] for name, log in registry.items() if log.model}
    assert set(drawn) == {
        f"lublin-{n}" for n in ("256", "256-est", "1024", "1024-est", "256-train10k")
    }
    for name, model in drawn.items():
        assert model["generator"] == "published"
        assert (model["processors"], model["jobs"]) == (
            registry[name].processors,
            registry[name].jobs,
        )
        assert (model["estimates"] == "tsafrir") == name.endswith("-est")


def test_every_registered_pool_has_checksum_machine_licence_and_address(root):
    schema = root / "workflow/schemas/pools.schema.yaml"
    pools = read_registry(root / "config/pools.tsv", schema, PoolEntry)
    assert {"aris-nas", "aris-spec", "grvingt-nas"} <= set(pools)
    assert all(pool.sha256 and pool.git_blob and pool.urls for pool in pools.values())
    aris = pools["aris-nas"]
    assert (aris.nodes, aris.sockets, aris.cores) == (420, 2, 10)
    assert "GPL-3.0" in aris.licence
