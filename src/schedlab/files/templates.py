"""Templates of HTML pages."""

from jinja2 import BaseLoader, Environment, StrictUndefined


def page_templates(loader: BaseLoader) -> Environment:
    """Return the templates of pages: values are escaped, a missing one is an error."""
    return Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
