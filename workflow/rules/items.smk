"""Items of the studies, as their lists say: results/figures/<study>/, a rule a group."""

from dataclasses import replace

from schedlab.flow.items import KINDS, REPORTED


def placed(paths):
    """Return paths of a group as rules have them: what comes with the workflow is found beside it."""
    if not isinstance(paths, str):
        return [placed(path) for path in paths]
    inside = paths.removeprefix("<workflow>/")
    return paths if inside == paths else of_workflow(inside)


def placed_inputs(inputs):
    """Return the inputs of a group by name, as rules have them."""
    return {name: placed(paths) for name, paths in inputs.items()}


def inputs_of_items(group):
    """Return the inputs that are known only when a job is asked for, where there are some."""
    if not callable(group.inputs):
        return []
    return [
        unpack(lambda wildcards: placed_inputs(group.inputs(wildcards.get("item", ""))))
    ]


def inputs_of_group(group):
    """Return the inputs that every item of a group has, known at once."""
    return {} if callable(group.inputs) else placed_inputs(group.inputs)


def arguments_of_group(group):
    """Return what is told to what makes a group."""
    if not callable(group.params):
        return group.params
    return lambda wildcards: group.params(wildcards.item)


def told_of_group(study, group):
    """Return what captions know of the items of a group: of the item if each, or of the first."""
    told = PAGES[study].get("told", {})
    if group.each:
        return lambda wildcards: told.get(wildcards.item, {})
    return told.get(next(iter(group.items)).name, {})


def reported_item(study, group, item, kind, path, above):
    """Return a file with its place in Snakemake's report, and its caption where there is one.

    Captions are looked for from the folder of the rule's file, `above` which lies workflow/.
    """
    caption = f"report/{study}/{item.caption or item.name}.rst"
    return report(
        path,
        caption=(
            f"{above}/{caption}" if of_workflow_if_any(f"workflow/{caption}") else None
        ),
        category=study,
        subcategory=group.section,
        labels={kind: item.name},
    )


def files_of_group(study, group, above=".."):
    """Name the files that a job of a group makes, by item and suffix; if each, its item is "item"."""
    files = {}
    first = next(iter(group.items))
    shared = replace(first, name="{item}", caption=first.caption or first.name)
    for item in [shared] if group.each else group.items:
        name = "item" if group.each else item.name
        for kind in item.kinds:
            for suffix in KINDS[kind]:
                path = f"<results>/figures/{study}/{item.name}.{suffix}"
                if kind in REPORTED and suffix == KINDS[kind][0]:
                    path = reported_item(study, group, item, kind, path, above)
                files.setdefault(f"{name}_{suffix}", path)
    return files


def files_of_rule(study, name):
    """Name the files that a rule makes which is written out in the folder of a study."""
    (group,) = (group for group in GROUPS[study] if group.name == name)
    return files_of_group(study, group, "../..")


for study, groups in GROUPS.items():
    for group in groups:
        if group.written_out:
            continue

        job = f"{group.name}/{{item}}" if group.each else group.name

        rule:
            name:
                group.name
            input:
                *inputs_of_items(group),
                **inputs_of_group(group),
            output:
                **files_of_group(study, group),
            log:
                f"<logs>/{job}.log",
            benchmark:
                f"<benchmarks>/{job}.tsv"
            wildcard_constraints:
                item=one_of(item.name for item in group.items),
            group:
                "figures"
            conda:
                "../../environment.yml"
            resources:
                **measured(group.name, group.memory, group.minutes),
            params:
                maker=f"{module_of(study)}.items.{group.module}",
                arguments=arguments_of_group(group),
                told=told_of_group(study, group),
            message:
                group.message.replace("{item}", "{wildcards.item}")
            script:
                "../scripts/make_items.py"


for study in GROUPS:

    rule:
        name:
            study
        input:
            files_of_paper(study),
            PAGES[study].get("also", []),
