"""Contents of the papers' pages: one entry of PAGES each, from the lists of items.

The texts of a page are in resources/<paper>/words.yaml; workflow/report has the templates that all
share, and blocks.html.j2 of a paper what only its page has.

- title, authors, venue and summary are shown at the top and on the first page.
- tables, figures and texts are items: results/figures/<paper>/<item>.csv (with a .md), .png
  (with .pdf and .csv) and .txt. A text has them as tables[item] (rows, dicts of text),
  figures[item] and texts[item]; of every table named <item>_comparison the verdicts are counted, here
  and on the first page.
- unshown are tables that are made and not shown.
- elsewhere are paths of further files, shown by their names.
- also, where there are some, are files that the study's target makes and its page does not show.
- further, where there is some, are further values for the texts: paper.further.
- names, where there are some, are names of models that replace logs, by what tables have in their
  place; by default those of the study's rows.
- explored, where there is one, is the label of every page of schedules, by its address from the page;
  the pages themselves are among elsewhere.
- story_tables, where there are some, are the .csv that the first page tells the paper by: story of
  schedlab.studies.<paper>.page, in the words of words.yaml; thumbnail, where there is one, is the best figure of the paper: the
  first page shows it next to the story, and the paper's page at its top.
- results are files of the jobs that computed: the first page tells what versions these ran with.
- logs are those of the registries of logs and pools whose origin is shown.
- what a page makes of its tables beyond showing them is schedlab.studies.<paper>.page.context, where
  there is one.

schedlab.report.pages.render documents the variables of a text.
"""

from snakemake.io import flag

from schedlab.report.items import (
    KINDS,
    REPORTED,
    Item,
    experiments_of,
    heading_of,
    maker_of,
    names_of,
)
from schedlab.report.scoreboard import files_of, read_scored


def page_of(study):
    """Return the contents of a study's page, from its list of items."""
    groups = GROUPS[study]
    listed = {
        f"{kind}s": names_of(groups, kind) for kind in ("table", "figure", "text")
    }
    listed |= {"unshown": names_of(groups, "unshown"), "elsewhere": []}
    listed |= {"results": [], "logs": []}
    return listed | heading_of(STUDIES[study]) | LISTED_PAGES[study]


PAGES = {study: page_of(study) for study in GROUPS}


def is_linked(path, target):
    """Return whether pages may link to a file: it exists, or the command asks for its target."""
    return os.path.exists(path) or target in requested_targets()


# Further pages of the menu: words by their address from the first page.
LINKED = {
    os.path.relpath(path, f"{RESULTS}/report"): words
    for path, words, target in (
        (f"{RESULTS}/report/arena.html", "Arena", "arena"),
        (f"{RESULTS}/report/explore.html", "Explore", "arena"),
        (f"{RESULTS}/report/zhang2020.html", "Trial", "zhang2020"),
        ("build/site/papers/referee.html", "Referee", "documentation"),
        ("build/site/index.html", "Documentation", "documentation"),
    )
    if is_linked(path, target)
}
# The sheets that name a paper's tables with published numbers.
SCORED = {
    paper: path
    for paper in PAPERS
    if (path := of_workflow_if_any(f"resources/{paper}/scored.tsv"))
}
TABLE, FIGURE, TEXT = ("csv", "md"), ("pdf", "png", "csv"), ("txt",)


def files_of_paper(paper):
    """Return all files of a paper: the inputs of its target rule."""
    page = PAGES[paper]
    kinds = {
        "tables": TABLE,
        "unshown": TABLE,
        "figures": FIGURE,
        "texts": TEXT,
    }
    files = [
        f"<results>/figures/{paper}/{item}.{suffix}"
        for kind, suffixes in kinds.items()
        for item in page[kind]
        for suffix in suffixes
    ]
    return [*files, *page["elsewhere"]]


def files_of_page(paper):
    """Return the files that a page shows."""
    kinds = {"tables": "csv", "figures": "png", "texts": "txt"}
    return [
        f"<results>/figures/{paper}/{item}.{suffix}"
        for kind, suffix in kinds.items()
        for item in PAGES[paper][kind]
    ] + PAGES[paper]["elsewhere"]


def captions_of_page(paper):
    """Return the caption of every item that has one."""
    every = [item for group in GROUPS[paper] for item in group.items]
    return {item.name: item.caption for item in every if item.caption}


def made_of_numbers(paper):
    """Return how the tables with published numbers are made, by item: rule, module and sheet rows."""
    study, groups, made = STUDIES[paper], GROUPS[paper], {}
    lines = lines_of_sheet(paper)
    rows = {row.experiment: row for row in study.sheet}
    for path in files_scored().get(paper, ()):
        name = Path(path).stem
        group = maker_of(groups, name)
        made[name] = {
            "rule": group.name,
            "maker": group.maker,
            "sheet": [
                {
                    "experiment": experiment,
                    "label": rows[experiment].label,
                    "dialect": str(getattr(rows[experiment], "dialect", "")),
                    "line": lines.get(experiment, 0),
                }
                for experiment in experiments_of(study, groups, name)
            ],
        }
    return made


def lines_of_sheet(paper):
    """Return the line of every experiment in the sheet of a paper."""
    with open(sheet_of(paper), encoding="utf-8") as lines:
        return {line.partition("\t")[0]: number for number, line in enumerate(lines, 1)}


def heading_of_page(paper):
    """Return a page's heading, and the items that it shows."""
    cells = "title authors venue summary tables figures".split()
    optional = {"further": {}, "explored": {}, "thumbnail": ""}
    papers = [{"key": key} for key in PAPERS]
    return (
        {"key": paper, "papers": papers, "linked": LINKED}
        | {"names": PAGES[paper].get("names", STUDIES[paper].names)}
        | {cell: PAGES[paper].get(cell, empty) for cell, empty in optional.items()}
        | {cell: PAGES[paper][cell] for cell in cells}
    )


def story_tables(paper):
    """Return the tables that the first page summarizes a paper by, by item."""
    items = PAGES[paper].get("story_tables", ())
    return {item: f"<results>/figures/{paper}/{item}.csv" for item in items}


def code_of_page(paper):
    """Return a digest of the code of a paper's page module."""
    page = PACKAGE.joinpath(*module_of(paper).split(".")[1:]) / "page"
    files = [
        path
        for path in (page.with_suffix(".py"), page / "__init__.py")
        if path.exists()
    ]
    return imported_by(*files).digest


def blocks_of_page(study):
    """Return the template of what only this study's page has, if there is one."""
    blocks = of_workflow_if_any(f"workflow/report/{study}/blocks.html.j2")
    return [blocks] if blocks else []


def records_of_logs(*papers):
    """Return the fetch records of the logs that these pages name."""
    logs = dict.fromkeys(log for paper in papers for log in PAGES[paper]["logs"])
    return [record_of_pool(log) if log in POOLS else record_of_log(log) for log in logs]


def group_of_rule(study, name):
    """Return the group of items that a rule makes."""
    (group,) = (group for group in GROUPS[study] if group.name == name)
    return group


def words_of_rule(study, name):
    """Return title and note of the tables that a rule makes, by item."""
    return group_of_rule(study, name).words


def reported(study, group, path, above="../.."):
    """Return a table or figure with its place in Snakemake's report, and its caption if it has one.

    All items share the template workflow/report/caption.rst; it finds the captions among the flags of
    the file. `group` is a group or the name of its rule; `above` leads from the folder of the rule's
    file to workflow/.
    """
    if isinstance(group, str):
        group = group_of_rule(study, group)
    shown = report(
        path,
        caption=f"{above}/report/caption.rst" if group.captions else None,
        category=study,
        subcategory=group.section,
        labels={"figure" if path.endswith(".png") else "table": Path(path).stem},
    )
    return flag(shown, "captions", group.captions)


def files_of_group(study, group, above="../.."):
    """Return the files that a job of a group makes, by item and suffix.

    If a group has one job an item, the item is "item".
    """
    files = {}
    shared = Item("{item}", next(iter(group.items)).kind)
    for item in [shared] if group.each else group.items:
        name = "item" if group.each else item.name
        for kind in item.kinds:
            for suffix in KINDS[kind]:
                path = f"<results>/figures/{study}/{item.name}.{suffix}"
                if kind in REPORTED and suffix == KINDS[kind][0]:
                    path = reported(study, group, path, above)
                files.setdefault(f"{name}_{suffix}", path)
    return files


def files_of_rule(study, name):
    """Return the files of a group whose rule is written in a study's folder."""
    return files_of_group(study, group_of_rule(study, name))


def as_written(path):
    """Return the path of a result file."""
    return path.replace("<results>", RESULTS)


@functools.cache
def files_scored():
    """Return the files with published and computed numbers by paper, in the papers' order."""
    made = {paper: files_of_paper(paper) for paper in SCORED}
    named = {
        paper: [
            f"<results>/figures/{paper}/{file}.csv"
            for file in files_of(read_scored(path))
        ]
        for paper, path in SCORED.items()
    }
    return {
        paper: [path for path in named[paper] if path in made[paper]]
        for paper in SCORED
    }
