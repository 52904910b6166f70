"""A sixth paper: a package, a folder of rules, a sheet with its schema, a line of papers.smk."""

import pandas as pd
import pytest

FILES = {
    "src/schedlab/papers/toy2026/__init__.py": '"""A toy paper."""\n',
    "src/schedlab/papers/toy2026/sheet.py": '''"""Its sheet."""

from schedlab.sheets import QueueExperiment, read_rows


def read(path, schema_path):
    """Read the sheet."""
    lists = ("policies", "skip")
    return [
        QueueExperiment(**row | {name: tuple(row[name]) for name in lists})
        for row in read_rows(path, schema_path)
    ]


def as_run(rows, config):
    """Run every row as it stands."""
    return list(rows)
''',
    "workflow/rules/toy2026/paper.smk": '''"""What is made of the toy paper."""

TOY = "toy2026"
PAGES[TOY] = {
    "title": "A toy",
    "authors": "N. N.",
    "venue": "nowhere",
    "summary": "One table.",
    "tables": ["table1"],
    **{kind: [] for kind in ("unshown", "figures", "texts", "elsewhere", "results", "logs")},
    "captions": {},
}


rule toy_table:
    input:
        f"<results>/simulations/{TOY}/{SHEET}/one_row.parquet",
    output:
        csv=f"<results>/figures/{TOY}/table1.csv",
        md=f"<results>/figures/{TOY}/table1.md",
    script:
        "../../scripts/toy2026/toy_table.py"


rule toy2026:
    input:
        files_of_paper(TOY),
''',
    "workflow/scripts/toy2026/toy_table.py": '''"""The toy paper's table."""

from schedlab.io import read_parquet
from schedlab.report.tables import write_csv, write_markdown

job = snakemake
table = read_parquet(job.input[0]).groupby("policy", as_index=False)["avebsld"].median()
write_csv(table, job.output.csv)
write_markdown(table, job.output.md, "Table 1", "")
''',
    "workflow/report/toy2026/page.html.j2": """{% extends "base.html.j2" %}
{% block main %}<p>{{ tables["table1"] | length }} policies</p>{% endblock %}
""",
    "config/experiments/toy2026.tsv": None,
    "workflow/schemas/toy2026.schema.yaml": None,
}
COLUMNS = [
    *("experiment", "label", "source", "standin", "processors", "cleaning", "split", "pieces"),
    *("skip", "decisions", "backfill", "policies", "dialect", "tau", "head"),
]


@pytest.fixture
def house(new_project, tmp_path):
    """Copy of the project with a sixth paper, and the one line that it takes."""
    folder = new_project(tmp_path)
    sheet = (folder / "config/experiments/carastan2017.tsv").read_text().splitlines()
    header, row = (line.split("\t") for line in sheet[:2])
    cells = dict(zip(header, row, strict=True))
    cells |= {"experiment": "one_row", "source": "lublin_quick_256", "cleaning": "none"}
    cells |= {"pieces": "2", "policies": "fcfs,spt,f1"}
    schema = (folder / "workflow/schemas/carastan2017.schema.yaml").read_text()
    for column in ("item", "figure"):
        schema = schema.replace(f"  - {column}\n", "")
    for name, text in FILES.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith(".tsv"):
            text = "\n".join("\t".join(line) for line in (COLUMNS, [cells[c] for c in COLUMNS]))
        path.write_text(text or schema)
    registry = folder / "workflow/rules/papers.smk"
    registry.write_text(registry.read_text().replace('"souza2020"]', '"souza2020", "toy2026"]'))
    return folder


def test_a_sixth_paper_makes_its_table_and_its_page(snakemake, house):
    page = "results/quick/report/toy2026.html"
    run = snakemake(house, "toy2026", page, "--configfile", "config/quick.yaml")
    assert run.returncode == 0, run.stdout
    table = pd.read_csv(house / "results/quick/figures/toy2026/table1.csv")
    assert table["policy"].tolist() == ["f1", "fcfs", "spt"]
    assert "3 policies" in (house / page).read_text()


def test_a_paper_whose_sheet_names_an_unknown_model_is_refused(snakemake, house):
    sheet = house / "config/experiments/toy2026.tsv"
    sheet.write_text(sheet.read_text().replace("lublin_published_256\t256\t", "lublin_quik\t256\t"))
    run = snakemake(house, "toy2026", "-n", "--configfile", "config/quick.yaml")
    assert "toy2026.tsv: experiment 'one_row': 'lublin_quik' is not in" in run.stdout
