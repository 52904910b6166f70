"""The files of the papers' resources are unchanged."""

import hashlib

RENEW = "(cd resources && sha256sum */*.tsv > checksums.sha256)"


def test_every_file_of_resources_is_the_one_that_was_checked(root):
    """Read every changed number in its paper again before the list is renewed."""
    folder = root / "resources"
    lines = (folder / "checksums.sha256").read_text().splitlines()
    listed = {name: checksum for checksum, name in (line.split(maxsplit=1) for line in lines)}
    found = {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in folder.glob("*/*.tsv")
        if path.parent.name != "raw"
    }
    changed = sorted(name for name in found | listed if found.get(name) != listed.get(name))
    assert not changed, f"changed in resources: {', '.join(changed)}; if that is meant: {RENEW}"


def test_every_file_of_resources_is_a_table_of_a_paper(root):
    tracked = [path for path in (root / "resources").rglob("*") if path.is_file()]
    others = [path for path in tracked if "raw" not in path.parts and path.suffix != ".tsv"]
    assert {path.name for path in others} == {"checksums.sha256", "words.yaml"}
