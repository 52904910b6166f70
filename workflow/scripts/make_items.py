"""Make the items of a group, and write them."""

from importlib import import_module

from schedlab.files.logs import logged
from schedlab.report.parts import write_items

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        maker = import_module(job.params.maker)
        item = getattr(job.wildcards, "item", None)
        values = dict(job.input.items()) | job.params.arguments | ({"item": item} if item else {})
        write_items(maker.make(**values), dict(job.output.items()), item, job.params.words)
