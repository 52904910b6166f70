"""The key ``site`` of the configuration, the site's clock, its report's heading and items."""

import re
from dataclasses import replace

import pandas as pd
import pytest
import yaml

from schedlab.core.metrics import CONTEST, shown_in
from schedlab.files.config import ConfigError, fill_defaults, read_yaml, validate
from schedlab.files.programs import program
from schedlab.report.items import Study
from schedlab.studies.site.init import heading_of, name_of, scale_of
from schedlab.studies.site.items import groups
from schedlab.studies.site.settings import SiteSettings, last_submission, load_site, local_times
from schedlab.workbench.log import load_log, read_cleaned
from site_case import site_log


@pytest.fixture
def cells(root, tmp_path):
    """The default configuration of a site, its log available."""
    site = read_yaml(root / "config/config.yaml")["site"]
    return site | {"log": site_log(tmp_path / "wagap.swf", jobs=20)}


def test_missing_log_is_reported_with_the_command_for_a_configuration(cells):
    with pytest.raises(ConfigError, match=r"'site.log': no log is named; make a site.yaml"):
        SiteSettings.of(cells | {"log": None})


@pytest.mark.parametrize("key", ["log", "ledger"])
def test_missing_file_is_named_with_its_key(cells, key):
    with pytest.raises(ConfigError, match=rf"'site.{key}': there is no file gone.swf"):
        SiteSettings.of(cells | {key: "gone.swf"})


def test_an_unknown_time_zone_is_named_with_its_key(cells):
    with pytest.raises(ConfigError, match=r"'site.timezone': .*Europe/Pariss"):
        SiteSettings.of(cells | {"timezone": "Europe/Pariss"})


def test_default_and_quick_configurations_keep_the_schema(root):
    schema = read_yaml(root / "workflow/schemas/site.config.schema.yaml")
    default = read_yaml(root / "config/config.yaml")["site"]
    quick = read_yaml(root / "config/quick.yaml")["site"]
    validate(default, schema, "config.yaml")
    validate(fill_defaults(quick, default), schema, "quick.yaml")


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("processors", 0, "site.yaml: key 'processors': 0 is less than the minimum of 1"),
        ("rules", "full_estimates", "did you mean 'full_estimate'"),
        ("timezon", "UTC", "unknown key 'timezon'; did you mean 'timezone'"),
        ("trials", 1023, "key 'trials': 1023 is less than the minimum of 1024"),
    ],
)
def test_a_wrong_value_is_named_with_file_and_key(root, cells, key, value, said):
    schema = read_yaml(root / "workflow/schemas/site.config.schema.yaml")
    with pytest.raises(ConfigError) as error:
        validate(cells | {key: value}, schema, "site.yaml")
    assert said in str(error.value)


def test_log_is_opened_with_the_settings_of_the_key(cells):
    log = load_site(cells | {"processors": 8, "rules": "full_actual"})
    assert (log.processors, log.rules) == (8, "full_actual")
    assert (log.jobs.estimate == log.jobs.runtime).all()


def test_the_order_of_today_is_a_policy(cells):
    assert SiteSettings.of(cells | {"policy": "r * n"}).policy == "r * n"
    with pytest.raises(ConfigError, match=r"'site.policy': no policy is registered as 'fcsf'"):
        SiteSettings.of(cells | {"policy": "fcsf"})


def test_durations_have_units(cells):
    site = SiteSettings.of(cells | {"default_limit": "1-12:00:00"})
    assert site.default_limit == 129_600
    for key, value, message in (
        ("default_limit", 86_400, "key 'site.default_limit': 86400 is a number without a unit"),
        ("default_limit", "0s", "key 'site.default_limit': 0s is too short, the least is 1s"),
    ):
        with pytest.raises(ConfigError, match=message):
            SiteSettings.of(cells | {key: value})


def test_dialect_is_a_setting(cells):
    assert SiteSettings.of(cells).dialect == "full"
    dialect = "slurm+bf_interval=300"
    assert SiteSettings.of(cells | {"dialect": dialect}).dialect == dialect
    with pytest.raises(ConfigError, match=r"key 'site.dialect': .*; did you mean 'bf_interval'\?"):
        SiteSettings.of(cells | {"dialect": "slurm+bf_intervl=300"})


def test_a_site_is_called_after_its_log_where_it_has_no_name(cells):
    assert SiteSettings.of(cells).label == "wagap.swf"
    assert SiteSettings.of(cells | {"name": "Wagap"}).label == "Wagap"


def swf(path, submit, *header):
    lines = [*header, "; MaxProcs: 4", f"1 {submit} 0 60 1 -1 -1 1 60 -1 1 1 1 -1 1 -1 -1 -1"]
    path.write_text("\n".join(lines) + "\n")
    return load_log(path)


ZERO = "; UnixStartTime: 1709287200"  # 2024-03-01 10:00 UTC


@pytest.mark.parametrize(
    ("header", "submit", "zone", "said"),
    [
        ((ZERO,), 3600, None, "2024-03-01 11:00 UTC"),
        ((ZERO,), 3600, "Europe/Paris", "2024-03-01 12:00 Europe/Paris"),
        ((ZERO, "; TimeZoneString: Europe/Athens"), 3600, None, "2024-03-01 13:00 Europe/Athens"),
        ((ZERO, "; TimeZoneString: Mars"), 3600, None, "2024-03-01 11:00 UTC"),
        ((), 1709290800, None, "2024-03-01 11:00 UTC"),
        ((ZERO,), 1709290800, None, "2024-03-01 11:00 UTC"),
        ((), 473_385_600, None, "1985-01-01 00:00 UTC"),
    ],
)
def test_times_are_on_the_sites_clock(tmp_path, header, submit, zone, said):
    times, name = local_times(swf(tmp_path / "a.swf", submit, *header), zone)
    assert f"{times.iloc[0]:%Y-%m-%d %H:%M} {name}" == said


@pytest.mark.parametrize("submit", [0, 473_385_599])
def test_log_without_an_origin_has_no_clock(tmp_path, submit):
    assert local_times(swf(tmp_path / "a.swf", submit), "UTC") == (None, "")


@pytest.mark.parametrize(
    ("header", "submit", "last"),
    [
        ((ZERO,), 3600, 1_709_290_800),
        ((), 1_709_290_800, 1_709_290_800),
        ((), 473_385_600, 473_385_600),
        ((), 473_385_599, None),
        (("; UnixStartTime: 0",), 3600, None),
    ],
)
def test_the_last_submission_is_known_where_the_log_has_a_clock(tmp_path, header, submit, last):
    assert last_submission(swf(tmp_path / "a.swf", submit, *header)) == last


def test_of_several_submissions_it_is_the_last(tmp_path):
    log = load_log(site_log(tmp_path / "a.swf", jobs=20))
    later = replace(log, unix_start=1_709_287_200)
    assert last_submission(later) == 1_709_287_200 + int(log.frame["submit"].max())


def test_configuration_written_by_init_is_read_back(tmp_path, cells):
    from schedlab.studies.site.init import write_site

    given = {key: cells[key] for key in ("log", "processors", "rules", "default_limit", "ledger")}
    given |= {"name": 'a "site": é', "drop_wide": True, "timezone": None, "dialect": "slurm"}
    given |= {"changes": "changes.csv"}
    write_site(tmp_path / "site.yaml", given)
    read = yaml.safe_load((tmp_path / "site.yaml").read_text())
    first = (tmp_path / "site.yaml").read_text().splitlines()[0]
    assert f" {program('snakemake')} --cores 2 site --configfile " in first
    assert read == {"scale": scale_of(given["name"]), "site": given}


@pytest.mark.parametrize(
    ("name", "folder"),
    [
        ("Wagap-2013.swf", "site_wagap_2013_swf_56b4fcf8"),
        ("é1", "site_1_f382f97c"),
        ("kth2", "site_kth2"),
    ],
)
def test_folder_name_of_a_report_is_derived_from_any_site_name(name, folder, root):
    assert scale_of(name) == folder
    schema = yaml.safe_load((root / "workflow/schemas/config.schema.yaml").read_text())
    assert re.search(schema["properties"]["scale"]["pattern"], scale_of(name))


def test_sites_of_different_names_have_different_folders():
    names = ["東京", "大阪", "é", "", "own", "Site A", "site-a", "site_a", "site a", "_site_a"]
    assert len(set(map(scale_of, names))) == len(names)


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("KTH-SP2", "KTH-SP2"),
        ("site", "this site"),
        ("Site", "this site"),
        (" ", "this site"),
        (None, "this site"),
        (name_of("/.gz"), "this site"),
        (name_of("dumps/site.swf.gz"), "this site"),
        (name_of("dumps/kth.swf.gz"), "kth"),
    ],
)
def test_heading_without_a_name_uses_this_site(name, called):
    assert heading_of(name) == f"Which order should {called} run?"


STUDY = Study(
    "site", (), {"site": {"name": "A", "dialect": "full"}, "policies": {}, "advice": {}}, str
)


def test_every_metric_has_a_table():
    names = {item.name for group in groups(STUDY) for item in group.items if item.kind == "table"}
    assert set(shown_in(CONTEST)) <= names


def test_a_cleaned_log_is_read_as_it_was_written(tmp_path):
    site_log(tmp_path / "a.swf", jobs=60, runtime=4000, days=9, waits=True)
    log = load_log(tmp_path / "a.swf", processors=8)
    paths = [str(tmp_path / f"{name}.parquet") for name in ("jobs", "ledger", "lost")]
    log.write(*paths)
    again = read_cleaned(*paths)
    for name in ("frame", "ledger", "lost"):
        pd.testing.assert_frame_equal(getattr(again, name), getattr(log, name))
    assert (again.jobs.submit == log.jobs.submit).all()
    plain = ("path", "rules", "processors", "remedies", "notes", "unix_start", "queues", "zone")
    assert [getattr(again, name) for name in plain] == [getattr(log, name) for name in plain]
    assert repr(again) == repr(log)
