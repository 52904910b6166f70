"""Items of the studies, from their lists: results/figures/<study>/, one rule a group."""


def placed(paths):
    """Return paths of a group as rules have them: what comes with the workflow is found in its folder."""
    if not isinstance(paths, str):
        return [placed(path) for path in paths]
    inside = paths.removeprefix("<workflow>/")
    return paths if inside == paths else of_workflow(inside)


def placed_inputs(inputs):
    """Return the inputs of a group by name, for rules."""
    return {name: placed(paths) for name, paths in inputs.items()}


def inputs_of_items(group):
    """Return the inputs that depend on the item, as a function for Snakemake."""
    if not callable(group.inputs):
        return []
    return [
        unpack(lambda wildcards: placed_inputs(group.inputs(wildcards.get("item", ""))))
    ]


def inputs_of_group(group):
    """Return the inputs that all items of a group share."""
    return {} if callable(group.inputs) else placed_inputs(group.inputs)


def arguments_of_group(group):
    """Return the arguments for the maker of a group."""
    if not callable(group.params):
        return group.params
    return lambda wildcards: group.params(wildcards.item)


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
                **files_of_group(study, group, ".."),
            log:
                f"<logs>/{job}.log",
            benchmark:
                f"<benchmarks>/{job}.tsv"
            wildcard_constraints:
                item=one_of(item.name for item in group.items),
            group:
                "figures"
            resources:
                **measured(group.name, group.memory, group.minutes),
            params:
                maker=group.maker,
                arguments=arguments_of_group(group),
                words=group.words,
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
        message:
            f"Everything of {study} is made"
