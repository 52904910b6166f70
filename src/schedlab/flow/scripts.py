"""Run the function of a rule's script with the files and settings of its job.

A script defines one function, and its last lines are::

    if __name__ == "__main__":
        run_script(simulate_experiment, snakemake)
"""

import hashlib
import inspect
import json
from collections.abc import Callable
from typing import Any

from schedlab.files.logs import logged


def run_script(function: Callable[..., None], job: Any) -> None:
    """Call a function with the values that a job has under the names of its parameters.

    Of equal names, a setting (``params``) comes before an input, a wildcard and an output. ``code``
    is a digest of what computes the result. Messages and errors go to the job's first log file.
    """
    with logged(job.log[0]):
        function(**arguments_of(function, job))


def arguments_of(function: Callable[..., None], job: Any) -> dict[str, Any]:
    """Return the values of a job for the parameters of a function."""
    outputs = dict(job.output.items())
    values = outputs | dict(job.wildcards.items()) | dict(job.input.items())
    values |= dict(job.params.items()) | {"threads": job.threads, "outputs": outputs}
    parameters = inspect.signature(function).parameters
    if "code" in parameters:
        facts = [values["environment"], values["code"]]
        values["code"] = hashlib.sha256(json.dumps(facts).encode()).hexdigest()
    return {
        each.name: values[each.name]
        for each in parameters.values()
        if each.default is each.empty or values.get(each.name, []) != []
    }
