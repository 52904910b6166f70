"""`schedlab site init`: from a log or a dump to a configuration."""

import gzip

import pytest
import yaml
from typer.testing import CliRunner

from sacct_case import job, write
from schedlab.cli import app, site
from schedlab.files.config import fill_defaults, read_yaml, validate
from schedlab.files.programs import program
from schedlab.studies.site.settings import load_site
from schedlab.workbench.log import load_log
from site_case import site_log
from slurm_site_case import write_site


@pytest.fixture
def init(tmp_path, monkeypatch):
    """Run the command in a separate folder; return its output and the configuration it wrote."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments, code=0):
        done = CliRunner().invoke(app, ["site", "init", *map(str, arguments)])
        assert done.exit_code == code, done.output
        path = tmp_path / "site.yaml"
        return done.output, yaml.safe_load(path.read_text()) if path.exists() else None

    return run


def test_dump_is_imported_next_to_the_configuration(init, tmp_path):
    jobs = [job(number, User=f"u{number}") for number in range(1, 4)]
    dump = write(tmp_path, *jobs, job(4, State="RUNNING", End="Unknown"))
    said, made = init(dump, "--timezone", "Europe/Paris", "--processors", "16", "--name", "Ada's")
    first = said.splitlines()[0]
    assert first == "the import drops 1 job (25.0%) and 32 core-hours (25.0%) of the dump's 4 jobs:"
    assert "export up to a time in the past" in said
    assert f"  {program('snakemake')} --cores 2 site --configfile site.yaml\n" in said
    assert made == {
        "scale": "site_ada_s_da08a1a0",
        "site": {
            "name": "Ada's", "log": "site.parquet", "processors": 16, "rules": "full_estimate",
            "default_limit": None, "drop_wide": False, "timezone": "Europe/Paris",
            "ledger": "site.ledger.csv", "dialect": "full", "changes": None,
        },
    }  # fmt: skip
    log = load_log("site.parquet")
    assert (len(log), log.zone, dict(log.queues)) == (3, "Europe/Paris", {1: "main"})
    assert (tmp_path / "site.ledger.csv").read_text().count("not_ended") == 1


def test_missing_snakemake_is_said_before_the_report_is_made(init, tmp_path, monkeypatch):
    dump = write(tmp_path, job(1))
    said, _ = init(dump, "--timezone", "UTC", "--processors", "16")
    assert "not installed" not in said
    monkeypatch.setattr(site, "find_spec", lambda name: None)
    said, _ = init(dump, "--timezone", "UTC", "--processors", "16", "--force")
    assert "snakemake is not installed, which this needs: pip install 'schedlab[workflow]'" in said


def test_requests_of_jobs_are_kept(init, tmp_path):
    dump = write(tmp_path, job(1, QOS="long", ReqMem="4Gn"), job(2, QOS="short", ReqMem="1Gn"))
    init(dump, "--timezone", "UTC", "--processors", "16")
    requests = load_log("site.parquet").jobs.requests
    assert list(requests.qos.column()) == ["long", "short"]


def test_limits_of_partitions_and_the_rest_are_given_in_the_import(init, tmp_path):
    jobs = [job(1, Timelimit="Partition_Limit"), job(2, Timelimit="", Partition="other")]
    (tmp_path / "partitions.txt").write_text("partition\tmax_time\nmain\t12:00:00\n")
    dump = write(tmp_path, *jobs)
    limits = ("--partitions", "partitions.txt", "--default-limit", "2-0")
    _, made = init(dump, "--timezone", "UTC", "--processors", 8, *limits)
    assert sorted(load_log("site.parquet").jobs.estimate) == [12 * 3600, 48 * 3600]
    assert made["site"]["default_limit"] is None


def test_log_is_used_in_place(init, tmp_path):
    said, made = init(site_log(tmp_path / "wagap.swf.gz", jobs=50))
    assert said.splitlines()[0] == (
        "rules full_estimate drop nothing of the log: 0.0% of jobs and of core-hours"
    )
    assert made["scale"] == "site_wagap"
    assert (made["site"]["log"], made["site"]["processors"]) == ("wagap.swf.gz", 16)
    assert made["site"]["ledger"] is None


def test_a_dialect_is_written_and_a_wrong_one_refused(init, tmp_path):
    log = site_log(tmp_path / "wagap.swf", jobs=50)
    _, made = init(log, "--dialect", "slurm+bf_interval=5m+bf_max_job_test=100")
    assert made["site"]["dialect"] == "slurm+bf_interval=5m+bf_max_job_test=100"
    said, _ = init(log, "--dialect", "slurm+bf_intervl=300", "--force", code=1)
    assert "unknown switch 'bf_intervl'; did you mean 'bf_interval'?" in said


def test_written_configuration_conforms_to_the_schema(init, tmp_path, root):
    _, made = init(site_log(tmp_path / "wagap.swf", jobs=50))
    schema = read_yaml(root / "workflow/schemas/site.config.schema.yaml")
    default = read_yaml(root / "config/config.yaml")["site"]
    validate(fill_defaults(made["site"], default), schema, "site.yaml")


def test_large_losses_are_reported_first_with_a_remedy(init, tmp_path):
    path = tmp_path / "a.swf"
    rows = (
        f"{n} {n} 0 60 1 -1 -1 1 {-1 if n < 3 else 90} -1 1 1 1 -1 1 -1 -1 -1" for n in range(9)
    )
    path.write_text("\n".join(["; MaxProcs: 4", *rows]))
    said, made = init(path)
    assert said.startswith("rules full_estimate drop 3 jobs (33.3%) and 0 core-hours (33.3%)")
    assert "--default-limit 24h" in said
    said, made = init(path, "--default-limit", "1:00:00", "--force")
    assert "drop nothing" in said
    assert made["site"]["default_limit"] == "1h"


def test_a_command_with_a_path_of_two_words_can_be_typed(init, tmp_path):
    log = site_log(tmp_path / "wagap.swf", jobs=50)
    said, _ = init(log, "--out", "my site.yaml")
    command = f"{program('snakemake')} --cores 2 site --configfile 'my site.yaml'\n"
    assert command in said
    assert command in (tmp_path / "my site.yaml").read_text()


def test_unknown_machine_size_is_estimated_from_99_percent_of_the_time(init, tmp_path):
    """Seven for 50 s of 10,000 s, which are no hundredth; five for the widest job."""
    path = tmp_path / "a.swf"
    rows = ["1 0 0 100 3 -1 -1 3 100", "2 50 0 100 4 -1 -1 4 100", "3 150 0 9850 5 -1 -1 5 9850"]
    path.write_text("".join(f"{row} -1 1 1 1 -1 1 -1 -1 -1\n" for row in rows))
    said, made = init(path)
    assert made["site"]["processors"] == 5
    words = "5 processors were enough for 99% of the time and the widest job, 7 ran jobs at most"
    assert words in " ".join(said.split())
    assert init(path, "--processors", "9", "--force")[1]["site"]["processors"] == 9


def test_existing_configuration_is_not_overwritten(init, tmp_path):
    path = site_log(tmp_path / "a.swf", jobs=50)
    init(path)
    said, _ = init(path, code=1)
    assert "site.yaml: is there already; give --force, or another --out" in said


def test_files_of_an_import_are_not_overwritten(init, tmp_path):
    dump = write(tmp_path, job(1), job(2))
    (tmp_path / "site.parquet").write_text("mine")
    options = (dump, "--timezone", "UTC", "--processors", "8")
    said, made = init(*options, code=1)
    assert "site.parquet: is there already; give --force" in said
    assert made is None
    (tmp_path / "site.ledger.csv").write_text("mine")
    said, _ = init(*options, code=1)
    assert "site.parquet, site.ledger.csv: are there already; give --force" in said
    assert (tmp_path / "site.parquet").read_text() == "mine"
    assert (tmp_path / "site.ledger.csv").read_text() == "mine"
    init(*options, "--force")
    assert len(load_log("site.parquet")) == 2


def test_failed_import_removes_its_files(init, tmp_path):
    dump = write(tmp_path, *(job(number) for number in range(1, 4)))
    options = (dump, "--timezone", "Europe/Paris", "--processors", "1")
    said, made = init(*options, code=1)
    assert "site.parquet: " in said
    assert "--drop-wide" in said
    assert made is None
    assert sorted(path.name for path in tmp_path.iterdir()) == [dump.name]
    init(*options[:-1], "16")


def test_failed_import_leaves_an_earlier_one_as_it_was(init, tmp_path):
    dump = write(tmp_path, *(job(number) for number in range(1, 4)))
    options = (dump, "--timezone", "Europe/Paris", "--processors")
    init(*options, "16")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    said, _ = init(*options, "1", "--force", code=1)
    assert "written" not in said
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_log_is_not_overwritten_even_if_forced(init, tmp_path):
    dump = write(tmp_path, job(1))
    options = ("--timezone", "UTC", "--processors", "16", "--force")
    said, _ = init(dump, "--out", dump, *options, code=1)
    assert f"{dump}: is the log that is read" in said
    log = site_log(tmp_path / "a.swf", jobs=50)
    assert "is the log that is read" in init(log, "--out", log, "--force", code=1)[0]
    assert load_log(log)
    assert "|" in dump.read_text()


def test_name_of_a_file_that_is_not_utf_8_is_reported(init, tmp_path):
    said, made = init(site_log(tmp_path / "abc\udce9.swf", jobs=50), code=1)
    assert "abc\\udce9: this name is not UTF-8; rename the file" in said
    assert made is None


@pytest.mark.slow
def test_losses_of_an_import_depend_on_the_given_rules(init, tmp_path):
    dump = write(tmp_path, job(1), job(2, Timelimit=""))
    options = (dump, "--timezone", "UTC", "--processors", "8")
    assert "rules full_estimate will drop 1 job" in init(*options)[0]
    said, made = init(*options, "--rules", "full_actual", "--force")
    assert "will drop" not in said
    assert made["site"]["rules"] == "full_actual"
    assert len(load_log("site.parquet", "full_actual")) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--timezone", "Europe/Pariss"], "Europe/Pariss"),
        (["--default-limit", "soon"], "--default-limit: 'soon' is not a duration"),
        (["--salt", "s"], "is no dump; --partitions and --salt are for dumps"),
        (["--rules", "full"], "unknown rules 'full'; did you mean 'full_actual'?; one of"),
        (["--processors", "4"], "--drop-wide leaves them out"),
    ],
)
def test_mistake_is_one_line_and_no_file_is_written(init, tmp_path, arguments, said):
    output, made = init(site_log(tmp_path / "a.swf", jobs=50), *arguments, code=1)
    assert said in output
    assert made is None


def test_compressed_dump_is_recognized_by_content(init, tmp_path):
    dump = write(tmp_path, job(1), job(2))
    packed = tmp_path / "d.gz"
    packed.write_bytes(gzip.compress(dump.read_bytes()))
    _, made = init(packed, "--timezone", "UTC")
    assert (made["site"]["name"], made["site"]["processors"]) == ("d", 16)


def test_files_of_slurm_decide_processors_rules_and_limits(init, tmp_path):
    _, _, conf, _, accounts = write_site(tmp_path)
    dump = write(tmp_path, job(1, Timelimit="Partition_Limit"), job(2, NCPUS="99", ReqCPUS="99"))
    files = ("--slurm-conf", conf, "--accounts", accounts, "--slurm-set", "bf_interval=60")
    said, made = init(dump, "--timezone", "UTC", *files)
    site = made["site"]
    assert site["dialect"] == "site+slurm_conf=slurm.conf+accounts=accounts.txt+bf_interval=60"
    assert (site["rules"], site["drop_wide"], site["processors"]) == ("sc17_estimate", True, 16)
    assert "limit_partition: 1" in said
    assert "fits_machine: 1 job (50.0%)" in said
    log = load_site({"default_limit": None} | site)
    assert log.jobs.estimate.tolist() == [1800]


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (("--processors", "8"), "--processors: the site's own files have it"),
        (("--dialect", "slurm"), "--dialect: the site's own files have it"),
        (("--slurm-phase", "main=3"), "--slurm-phase: a configuration has none"),
    ],
)
def test_options_that_contradict_the_files_are_refused(init, tmp_path, more, message):
    _, _, conf, _, _ = write_site(tmp_path)
    said, made = init(write(tmp_path, job(1)), "--slurm-conf", conf, *more, code=1)
    assert message in said
    assert made is None


def test_a_log_without_waits_is_announced(init, tmp_path):
    events, *files = write_site(tmp_path)
    said, made = init(events, *files, "--out", "site.yaml")
    assert "nothing recorded, so no calibration" in " ".join(said.split())
    assert made["site"]["drop_wide"] is True
