"""What the page of a site's settings lists."""

from schedlab.studies.site.settings_page import left_out
from schedlab.traces.slurm.site_files import read_site
from slurm_site_case import ACCOUNTS, write_site


def test_limits_that_are_left_out_are_listed_as_a_simulation_lists_them(tmp_path):
    write_site(tmp_path)
    accounts = ACCOUNTS.replace("MaxTRESPerUser=cpu=6", "MaxTRESPerUser=cpu=6 MaxSubmitJobsPU=20")
    (tmp_path / "accounts.txt").write_text(accounts)
    site = read_site(tmp_path / "slurm.conf", [tmp_path / "accounts.txt"])
    listed = [(one.key, one.value, one.note) for one in left_out(site)]
    assert ("max_submit_pu", "20", "limit") in listed
    assert {(one.key, one.value, one.note) for one in site.not_modeled} < set(listed)
