"""Make the items of a group, and write them."""

from schedlab.files.logs import logged
from schedlab.report.items import make
from schedlab.report.parts import write_items

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        item = getattr(job.wildcards, "item", None)
        values = dict(job.input.items()) | job.params.arguments | ({"item": item} if item else {})
        items = make(job.params.maker, [item] if item else job.params.names, values)
        write_items(items, dict(job.output.items()), item, job.params.words)
