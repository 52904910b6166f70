"""The commit that results and benchmarks record."""

import subprocess

from schedlab.flow.commit import commit_of


def test_commit_says_whether_files_differ_from_it(tmp_path):
    def git(*arguments):
        subprocess.run(["git", "-C", tmp_path, *arguments], check=True, capture_output=True)

    assert commit_of(tmp_path) == ""
    git("init")
    (tmp_path / "a").write_text("1")
    git("add", "a")
    git("-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-m", "Add a")
    clean = commit_of(tmp_path)
    assert clean.isalnum()
    (tmp_path / "a").write_text("2")
    assert commit_of(tmp_path) == f"{clean}, with changes"
    assert commit_of(tmp_path, "-changed") == f"{clean}-changed"
