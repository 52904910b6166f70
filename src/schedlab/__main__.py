"""``python -m schedlab`` is the command ``schedlab``."""

from schedlab.cli import app

app(prog_name="schedlab")
