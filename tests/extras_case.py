"""Which modules belong to an extra: without its libraries they cannot be imported."""

from pathlib import Path

from schedlab.flow.build import PACKAGE

#: what draws, makes pages, fetches logs, checks YAML, works in a pool or serves learners; papers
#: and their like
MODULES_OF_EXTRAS = (
    "schedlab.comparison.figures",
    "schedlab.comparison.toggles.figures",
    "schedlab.files.schema_problems",
    "schedlab.gym",
    "schedlab.learning.program_search",
    "schedlab.report.figures",
    "schedlab.report.home",
    "schedlab.report.pages",
    "schedlab.report.pictures",
    "schedlab.slurm.pool.worker",
    "schedlab.studies",
    "schedlab.traces.archive",
    "schedlab.traces.download",
    "schedlab.waits.figures",
    "schedlab.workbench.schedules",
    "schedlab.workbench.why_page",
)


def modules() -> list[Path]:
    """Return the modules of the package; adapters run where another simulator is installed."""
    return [path for path in PACKAGE.rglob("*.py") if path.parent.name != "adapters"]


#: imports all modules of the package; prints those that a missing library stops, with its name
IMPORT_ALL = """
import importlib, json, pkgutil, sys
hidden = set(sys.argv[1:])

class Hide:
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hide())
import schedlab
missing = {}
for module in pkgutil.walk_packages(schedlab.__path__, "schedlab.", onerror=lambda name: None):
    if not module.name.endswith("__main__"):
        try:
            importlib.import_module(module.name)
        except ModuleNotFoundError as error:
            missing[module.name] = error.name
print(json.dumps(missing))
"""


def belongs_to_extra(module: str) -> bool:
    """Return whether a module is one of an extra."""
    return any(module == one or module.startswith(f"{one}.") for one in MODULES_OF_EXTRAS)
