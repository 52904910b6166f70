"""What tests of `schedlab asa` share."""

import pytest

from asa_command_case import WORKFLOW


@pytest.fixture
def here(tmp_path, monkeypatch):
    """A folder with the file of a workflow, which is the working directory."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "flow.yaml").write_text(WORKFLOW)
    return tmp_path
