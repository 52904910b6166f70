"""Make the items of a group, and write them."""

from schedlab.files.logs import logged
from schedlab.report.items import make
from schedlab.report.parts import write_items

if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        item = getattr(job.wildcards, "item", None)
        values = dict(job.input.items()) | job.params.arguments | {"words": job.params.words}
        values |= {"item": item} if item else {}
        made, outputs = make(job.params.maker, values), dict(job.output.items())
        # a function with a single item returns it alone
        name = item or next(iter(outputs)).rpartition("_")[0]
        items = made if isinstance(made, dict) else {name: made}
        write_items(items, outputs, item, job.params.words)
