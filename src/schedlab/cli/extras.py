"""What to install if a library is missing that an extra of the package brings."""

import re
from importlib.metadata import requires

from schedlab.flow.build import OTHERWISE_NAMED

_OF_EXTRA = re.compile(r"([\w.-]+)[^;]*;.*\bextra == ['\"]([\w-]+)['\"]")


def libraries_of_extras() -> dict[str, str]:
    """Return the extra of each library, as distributions are named; the first that has it."""
    extras: dict[str, str] = {}
    for requirement in requires("schedlab") or []:
        if optional := _OF_EXTRA.match(requirement):
            extras.setdefault(*optional.groups())
    return extras


def remedy(module: str | None) -> str:
    """Return a line with what to install for a missing module; empty if no extra has it."""
    package = (module or "").partition(".")[0]
    library = OTHERWISE_NAMED.get(package, package)
    extra = libraries_of_extras().get(library)
    if not extra:
        return ""
    return f"{library} is not installed, which this needs: pip install 'schedlab[{extra}]'"
