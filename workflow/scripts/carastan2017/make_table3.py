"""Table 3: the four best functions, from the artefact's distribution and from ours."""

from collections.abc import Mapping, Sequence

from schedlab.files.io import read_parquet
from schedlab.files.logs import logged
from schedlab.report import comparison, tables, verdicts
from schedlab.studies.carastan2017.tables import table3
from schedlab.studies.carastan2017.tables.digits import in_digits

NOTE = (
    "Fitted as the paper did, to the artefact's score distribution. K: the merged coefficient "
    "c3 / (c1 c2) before log10(s); rank_error: equation 5."
)
OWN_NOTE = "Fitted exactly. c0: the intercept; the paper's functions have none."
INTERCEPT_NOTE = (
    "The four best functions without an intercept, fitted without and with one. rank: among the "
    "400 distinct functions."
)
DIGITS = dict.fromkeys(("rank_error", "c_submit", "c0"), ".9f")
DECIMALS = {"K": 0, "rank_error": 7, "c0": 6, "c_submit": 7, "ratio": 4}


def make_table3(
    fits: Sequence[str],
    labels: Sequence[str],
    published: str,
    reasons: str,
    out: Mapping[str, str],
) -> None:
    """Write Table 3 of the first fit with its comparison, and what all fits say beside it."""
    by_label = {label: read_parquet(path) for label, path in zip(labels, fits, strict=True)}
    first = by_label[labels[0]]
    table = table3.table3(first[first["fitter"] == "paper"])
    compared = table3.compare_table3(
        comparison.read_published(published, "table3"),
        table,
        comparison.read_reasons(reasons, "table3"),
    )
    own = table3.table3_own(by_label)
    intercept = table3.table3_intercept(by_label)
    title = "Table 3: the four best functions"
    for name, frame, words, note in (
        ("table3", table, title, NOTE),
        ("comparison", compared, f"{title}, published and ours", verdicts.told()),
        ("own", own, f"{title}, by distribution", OWN_NOTE),
        ("intercept", intercept, f"{title}, and an intercept", INTERCEPT_NOTE),
    ):
        tables.write_csv(in_digits(frame, DIGITS), out[f"{name}_csv"])
        tables.write_markdown(frame, out[f"{name}_md"], words, note, DECIMALS)


if __name__ == "__main__":
    job = snakemake  # noqa: F821
    with logged(job.log[0]):
        make_table3(
            fits=job.input.fits,
            labels=job.params.labels,
            published=job.input.published,
            reasons=job.input.reasons,
            out=dict(job.output.items()),
        )
