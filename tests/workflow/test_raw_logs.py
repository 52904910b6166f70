"""A verified raw log is never deleted, and an altered one is never used."""

import json

import pytest

RAW, RECORD = "resources/raw/CTC-SP2.swf", "resources/raw/CTC-SP2.json"
CLEAN = "results/traces/clean/CTC-SP2.sc17_actual.parquet"


@pytest.fixture
def site(new_project, tmp_path):
    return new_project(tmp_path)


@pytest.fixture
def fetched(snakemake, site, raw_log):
    """Copy of the project with a raw log, and without an archive."""
    (site / "with_archive.yaml").write_text(
        f"archive: {raw_log('CTC-SP2').parent}\ndownload: {{offline: true}}\n"
    )
    run = snakemake(site, CLEAN, "--configfile", "with_archive.yaml")
    assert run.returncode == 0, run.stdout
    assert json.loads((site / RECORD).read_text())["status"] == "available"
    (site / "offline.yaml").write_text("download: {offline: true}\n")
    return site


@pytest.mark.logs
@pytest.mark.parametrize(
    "source", ["src/schedlab/traces/download.py", "workflow/scripts/traces/fetch_log.py"]
)
def test_log_is_kept_when_its_fetch_code_is_edited(snakemake, fetched, source):
    text, size = fetched / RAW, (fetched / RAW).stat().st_size
    edited = next(fetched.rglob(source.rpartition("/")[2]))
    edited.write_text(edited.read_text() + "\n# edited\n")
    run = snakemake(fetched, CLEAN, "--configfile", "offline.yaml")
    assert run.returncode == 0, run.stdout
    assert text.stat().st_size == size
    assert json.loads((fetched / RECORD).read_text())["status"] == "available"


@pytest.mark.logs
def test_log_is_kept_in_a_forced_fetch_without_archive_and_network(snakemake, fetched):
    before = json.loads((fetched / RECORD).read_text())
    run = snakemake(fetched, RAW, "--configfile", "offline.yaml", "--force")
    assert run.returncode == 0, run.stdout
    assert "Fetching CTC-SP2" in run.stdout
    assert json.loads((fetched / RECORD).read_text()) == before


@pytest.mark.logs
def test_edited_checksum_refetches_and_edited_acknowledgement_does_not(snakemake, fetched):
    sheet = fetched / "config/traces.tsv"
    for old, new, is_fetched in (
        ("Cornell Theory Center", "Cornell University", False),
        ("cite the archive", "cite it", False),
        ("8e33a9b597e1", "8e33a9b597e2", True),
    ):
        sheet.write_text(sheet.read_text().replace(old, new))
        run = snakemake(fetched, CLEAN, "--configfile", "offline.yaml", "-n")
        assert run.returncode == 0, run.stdout
        assert ("Fetching CTC-SP2" in run.stdout) is is_fetched


@pytest.mark.logs
def test_altered_log_is_an_error_wherever_it_is_read(snakemake, fetched):
    text = fetched / RAW
    text.write_text(text.read_text().replace("  1  ", "  2  "))
    run = snakemake(fetched, CLEAN, "--configfile", "offline.yaml")
    assert run.returncode != 0
    assert f"{RAW}: altered since it was fetched: sha256 " in run.stdout
    assert "Delete both files and run the same command again" in run.stdout
