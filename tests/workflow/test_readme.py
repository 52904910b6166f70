"""What the README says of the papers' numbers is what comes out of the logs."""

import os
import re

import pandas as pd
import pytest

from schedlab.papers.carastan2017.page import advantage
from schedlab.report.comparison import UNEXPLAINED, unexplained

TARGET = "results/figures/carastan2017/table4_comparison.csv"
LOGS = ("CTC-SP2", "SDSC-BLUE", "CEA-Curie")
LOGS += ("lublin-256", "lublin-256-est", "lublin-1024", "lublin-1024-est")


@pytest.mark.logs
def test_readme_tells_table4_as_it_is(snakemake, new_project, tmp_path, root, raw_log):
    folders = dict.fromkeys(str(raw_log(name).parent) for name in LOGS)
    site = new_project(tmp_path)
    (site / "archive.yaml").write_text(
        f"archive: {os.pathsep.join(folders)}\ndownload: {{offline: true}}\n"
    )
    run = snakemake(site, TARGET, "--configfile", "archive.yaml", timeout=1200)
    assert run.returncode == 0, run.stdout
    compared = pd.read_csv(site / TARGET, keep_default_na=False, dtype={"published": str})
    compared["ours"] = pd.to_numeric(compared["ours"])
    said = re.sub(r"\s+", " ", (root / "README.md").read_text(encoding="utf-8"))
    for regime in advantage(compared)["regimes"]:
        assert regime["said"] in said
    own = compared[compared["dialect"] == "artefact"]
    counts = own["verdict"].value_counts()
    matching, missing = counts["match"], counts["log not at hand"]
    assert (
        f"Of the {len(own)} numbers of Table 4, {matching} have the printed digits, "
        f"{len(own) - matching - missing} have not ({unexplained(own).sum()} of them unexplained), "
        f"and {missing} need the ANL Intrepid log"
    ) in said
    stale = compared["reason"].str.startswith(f"{UNEXPLAINED}: the reason that is known")
    assert not stale.any(), compared[stale].to_string()
