"""Run Snakemake as workflow/forked_scripts.py does; a figure with a fault ends its job.

usage: python tests/checked_figures.py [arguments of snakemake]
"""

import runpy
from importlib import import_module
from pathlib import Path

WORKFLOW = Path(__file__).resolve().parents[1] / "workflow/forked_scripts.py"


def check_saved_figures() -> None:
    """Let `save` raise ValueError for a figure with faults, in this process and its copies."""
    picture = import_module("schedlab.report.figures.picture")
    faults_of = import_module("figure_faults").faults_of
    usual = picture.save

    def save(figure, pdf, png):
        usual(figure, pdf, png)
        if found := faults_of(figure, is_drawn=True):
            raise ValueError(f"{png}: {'; '.join(found)}")

    picture.save = save


if __name__ == "__main__":
    run = runpy.run_path(str(WORKFLOW))
    run["import_libraries"]()  # BLAS on one thread, before it is loaded
    check_saved_figures()
    run["main"]()
