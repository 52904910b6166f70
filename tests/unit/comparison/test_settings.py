"""Settings that the rows of several sheets share."""

import pytest

from schedlab.comparison.settings import check_cell
from schedlab.files.config import ConfigError


def test_a_sheets_cell_is_refused_by_its_column():
    check_cell("artefact+window=16")
    with pytest.raises(ConfigError, match="column 'dialect': unknown dialect 'artefct'; did you"):
        check_cell("artefct")
