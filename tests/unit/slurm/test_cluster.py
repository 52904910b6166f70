"""A started Slurm is kept apart from a site's and cleans up; tested without Slurm."""

import subprocess

import pytest

from schedlab.slurm import cluster, database, settings
from schedlab.slurm.cluster import (
    RunningSlurm,
    SlurmError,
    UnavailableError,
    faketime_prefix,
    speed,
)


@pytest.fixture
def place(monkeypatch, tmp_path):
    """As root where nothing is installed; Slurm's place for settings, empty."""
    place = tmp_path / "etc"
    monkeypatch.setattr(settings, "SETTINGS", place)
    monkeypatch.setattr(cluster, "SETTINGS", place)
    monkeypatch.setattr(cluster, "POLICY_RC_D", tmp_path / "policy-rc.d")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda command: None)
    monkeypatch.delenv("SLURM_CONF", raising=False)
    place.mkdir()
    return place


@pytest.fixture
def commands_run(monkeypatch):
    """Commands that are run, of which none does anything."""
    commands = []

    def run(*command, **options):
        commands.append(command)
        return ""

    monkeypatch.setattr(cluster, "run", run)
    monkeypatch.setattr(database, "run", run)
    monkeypatch.setattr(cluster, "start", lambda *_: give_up("a reason to start"))
    return commands


def give_up(what, *_):
    raise SlurmError(f"no sign of {what}")


@pytest.mark.parametrize(
    ("text", "of_another"),
    [
        (None, False),
        ("ClusterName=schedlab\n", False),
        ("# a comment\nclustername = schedlab \nSlurmctldPort=1\n", False),
        ("ClusterName=schedlab2\n", True),
        ("#ClusterName=schedlab\nClusterName=site\n", True),
        ("Include elsewhere.conf\n", True),
        ("", True),
    ],
)
def test_settings_belong_to_another_cluster_unless_they_name_this_one(place, text, of_another):
    if text is not None:
        (place / "slurm.conf").write_text(text)
    assert settings.of_another() == of_another


def test_settings_that_are_put_in_place_are_known_again(place, tmp_path):
    with settings.settings_in_place(tmp_path, settings.SMALL):
        assert not settings.of_another()


def test_no_package_is_installed_on_a_site(place, commands_run):
    (place / "slurm.conf").write_text("ClusterName=site\n")
    with pytest.raises(UnavailableError, match=r"munged.*slurm\.conf.*install it yourself"):
        cluster.install()
    assert commands_run == []


def test_services_are_kept_while_packages_are_installed(place, monkeypatch):
    answers = []

    def run(*command, **options):
        answers.append(subprocess.run([cluster.POLICY_RC_D, "slurmctld", "start"]).returncode)

    monkeypatch.setattr(cluster, "run", run)
    cluster.install()
    assert answers == [101, 101]
    assert not cluster.POLICY_RC_D.exists()


def test_services_are_let_go_when_an_installation_fails(place, monkeypatch):
    monkeypatch.setattr(cluster, "run", lambda *command, **options: give_up("network"))
    with pytest.raises(UnavailableError):
        cluster.install()
    assert not cluster.POLICY_RC_D.exists()


def test_policy_of_an_administrator_is_kept(place, commands_run):
    cluster.POLICY_RC_D.write_text("another's")
    cluster.install()
    assert len(commands_run) == 2
    assert cluster.POLICY_RC_D.read_text() == "another's"


def test_settings_of_a_site_that_does_not_answer_are_kept(place, commands_run, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda command: f"/bin/{command}")
    (place / "slurm.conf").write_text("ClusterName=site\n")
    with pytest.raises(SlurmError, match="of another Slurm"), cluster.running():
        pass
    assert (place / "slurm.conf").read_text() == "ClusterName=site\n"
    assert commands_run == []


def test_settings_elsewhere_are_refused(place, commands_run, monkeypatch):
    monkeypatch.setenv("SLURM_CONF", "/opt/slurm.conf")
    with pytest.raises(SlurmError, match=r"SLURM_CONF is /opt/slurm\.conf"), cluster.running():
        pass
    assert commands_run == []


def test_environment_has_no_variables_of_slurm(monkeypatch):
    told = ["SLURM_CONF", "SLURM_CLUSTERS", "SBATCH_PARTITION", "SQUEUE_USERS", "SCANCEL_USER"]
    kept = ["SCHEDLAB_SLURM", "MY_SLURM_CONF", "SINFORMATION"]
    for name in told + kept:
        monkeypatch.setenv(name, "x")
    assert {name for name in told + kept if name in cluster.clean_environment()} == set(kept)


@pytest.fixture
def cluster_and_events(place, commands_run, monkeypatch, tmp_path):
    """A cluster whose daemons are names, what is started and ended, and nothing to wait for."""
    happened = []
    monkeypatch.setattr(cluster, "end", lambda daemon: happened.append(f"end {daemon}"))
    monkeypatch.setattr(database, "end", lambda daemon: happened.append(f"end {daemon}"))

    def start(folder, name, *command):
        happened.append(f"start {name}")
        return name

    for module in (cluster, database):
        monkeypatch.setattr(module, "start", start)
        monkeypatch.setattr(module, "wait_until", lambda *_: None)
        monkeypatch.setattr(module, "install", lambda *_: None)
    return RunningSlurm(tmp_path, {"slurmctld": "slurmctld"}), happened


def test_controller_settings_are_restored_after_an_error(cluster_and_events, place):
    one, happened = cluster_and_events
    with pytest.raises(KeyError), one.under(["PriorityType=priority/basic"]):
        raise KeyError
    assert happened == ["end slurmctld", "start slurmctld"] * 2
    assert not (place / "slurm.conf").exists()


def test_controller_without_an_answer_is_listed_with_the_daemons(cluster_and_events, monkeypatch):
    one, _ = cluster_and_events
    monkeypatch.setattr(cluster, "wait_until", give_up)
    one.daemons["slurmctld"] = "the one before"
    with pytest.raises(SlurmError):
        one.restart()
    assert one.daemons == {"slurmctld": "slurmctld"}


@pytest.mark.parametrize("silent", ["the storage", "slurmdbd"])
def test_database_that_fails_to_start_is_stopped(cluster_and_events, monkeypatch, silent):
    one, happened = cluster_and_events

    def wait_until(what, *_):
        if what == silent:
            give_up(what)

    monkeypatch.setattr(database, "wait_until", wait_until)
    with pytest.raises(SlurmError, match=silent), database.with_database(one, []):
        pass
    begun = ["mariadb", "slurmdbd"][: 1 + (silent == "slurmdbd")]
    assert happened == [f"start {name}" for name in begun] + [
        f"end {name}" for name in reversed(begun)
    ]


def test_database_is_ended_after_the_controller_has_left_it(cluster_and_events):
    one, happened = cluster_and_events
    with database.with_database(one, []):
        pass
    assert happened[-4:] == ["end slurmctld", "start slurmctld", "end slurmdbd", "end mariadb"]


@pytest.mark.parametrize(("said", "factor"), [("+0 x60", 60), ("+0 x1.5", 1.5)])
def test_speed_is_that_of_faketime(monkeypatch, said, factor):
    monkeypatch.setenv("FAKETIME", said)
    assert speed() == factor


def test_clocks_run_as_time_passes_without_it(monkeypatch):
    monkeypatch.delenv("FAKETIME", raising=False)
    assert speed() == 1


@pytest.mark.parametrize("said", ["+0", "-1d", "+1 x60", "@2020-01-01 x2"])
def test_unsupported_faketime_is_rejected(monkeypatch, said):
    monkeypatch.setenv("FAKETIME", said)
    with pytest.raises(ValueError, match="must be '\\+0 x' and a factor"):
        speed()


def test_command_that_makes_them_is_understood(monkeypatch):
    command = faketime_prefix(60)
    assert command[:2] == ["faketime", "-f"]
    monkeypatch.setenv("FAKETIME", command[2])
    assert speed() == 60
