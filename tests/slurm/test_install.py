"""Missing parts of Slurm are installed, or reported as unavailable."""

import subprocess

import pytest

from schedlab.slurm import cluster, database, settings


@pytest.fixture
def apt_calls(monkeypatch, tmp_path):
    """As root where nothing is installed, nor set; the calls of apt-get."""
    monkeypatch.setattr(settings, "SETTINGS", tmp_path)
    monkeypatch.setattr(cluster, "POLICY_RC_D", tmp_path / "policy-rc.d")
    calls = []

    def run(command, **options):
        calls.append(command)
        return subprocess.CompletedProcess(command, 0, "", "")

    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr("shutil.which", lambda command: None)
    monkeypatch.setattr("subprocess.run", run)
    return calls


@pytest.mark.parametrize("part", [cluster, database])
def test_lists_are_fetched_before_packages(apt_calls, part):
    cluster.install(part.PACKAGES, part.COMMANDS)
    assert [command[2] for command in apt_calls] == ["update", "install"]
    assert apt_calls[1][-len(part.PACKAGES) :] == part.PACKAGES


def test_available_commands_are_not_installed(apt_calls, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda command: f"/bin/{command}")
    cluster.install(database.PACKAGES, database.COMMANDS)
    assert apt_calls == []


@pytest.mark.parametrize("why", ["no apt-get", "no network"])
def test_failed_installation_is_reported_as_unavailable(apt_calls, monkeypatch, why):
    def run(command, **options):
        if why == "no apt-get":
            raise FileNotFoundError(2, "No such file or directory", command[0])
        return subprocess.CompletedProcess(command, 100, "", why)

    monkeypatch.setattr("subprocess.run", run)
    with pytest.raises(cluster.UnavailableError, match=f"(?s)slurmdbd.*{why.split()[1]}"):
        cluster.install(database.PACKAGES, database.COMMANDS)
