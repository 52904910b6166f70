"""Programs of others read a crate and its Data Package; uv fetches these programs."""

import json
import shutil

import pytest

from crate_case import small_crate
from schedlab.report.crate import METADATA, PACKAGE

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("install")]
VALIDATOR, READER = "roc-validator==0.13.0", "frictionless==5.21.0"
PROFILES = ("process-run-crate-0.5", "workflow-run-crate-0.5")


@pytest.fixture
def check(uv, root):
    folder = root / "tests/release"
    return lambda crate: uv(
        *("tool", "run", "--from", VALIDATOR, "python", folder / "check_crate.py"),
        *(crate, folder / "terms.json", *PROFILES),
    )


def test_crate_conforms_to_the_profiles_of_runs(check, tmp_path):
    for line in check(small_crate(tmp_path)).splitlines()[:2]:
        assert json.loads(line)["checks"] > 40


def test_a_crate_without_its_workflow_does_not_conform(check, tmp_path):
    crate = small_crate(tmp_path)
    text = (crate / METADATA).read_text()
    (crate / METADATA).write_text(text.replace('"mainEntity"', '"mentions"'))
    with pytest.raises(AssertionError, match="ro-crate"):
        check(crate)


def test_data_package_is_valid(uv, tmp_path):
    crate = small_crate(tmp_path)
    read = ("tool", "run", "--from", READER, "frictionless", "validate", crate / PACKAGE)
    uv(*read)
    # a file that was changed afterwards is found
    shutil.copy(crate / "scoreboard.csv", tmp_path / "copy.csv")
    (crate / "scoreboard.csv").write_text((tmp_path / "copy.csv").read_text() + "F4,1,1,match\n")
    with pytest.raises(AssertionError, match="hash"):
        uv(*read)
