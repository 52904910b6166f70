"""What the tests of a release share: uv, with the index of pip."""

import os
import re
import sys
from pathlib import Path

import pytest

from uv_case import run


@pytest.fixture(scope="session")
def uv():
    """Run uv with the index of pip, whose settings it does not read."""
    settings = run(sys.executable, "-m", "pip", "config", "list")
    index = re.findall(r"\.index-url='(.*)'", settings)
    environment = os.environ | ({"UV_DEFAULT_INDEX": index[-1]} if index else {})
    return lambda *arguments: run(
        Path(sys.executable).with_name("uv"), "--quiet", *arguments, env=environment
    )
