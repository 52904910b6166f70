"""Files are written whole or not at all."""

import pandas as pd
import pytest

from schedlab.io import whole, write_parquet


def names(folder) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_file_appears_when_the_block_ends_well(tmp_path):
    with whole(tmp_path / "new" / "note.txt") as part:
        part.write_text("done")
        assert names(tmp_path / "new") == [part.name]
    assert names(tmp_path / "new") == ["note.txt"]


def test_the_temporary_file_keeps_the_suffixes(tmp_path):
    with whole(tmp_path / "log.swf.gz") as part:
        assert part.suffixes[-2:] == [".swf", ".gz"]
        part.touch()


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    (tmp_path / "note.txt").write_text("old")

    def fail():
        with whole(tmp_path / "note.txt") as part:
            part.write_text("half")
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fail()
    assert names(tmp_path) == ["note.txt"]
    assert (tmp_path / "note.txt").read_text() == "old"


def test_a_frame_without_rows_keeps_its_types_in_parquet(tmp_path):
    frame = pd.DataFrame({"number": pd.Series(dtype="int64"), "after": pd.Series(dtype="Int64")})
    write_parquet(frame, tmp_path / "empty.parquet")
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "empty.parquet"), frame)
    assert names(tmp_path) == ["empty.parquet"]
