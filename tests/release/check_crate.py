"""Validate an RO-Crate without a network, in an environment of roc-validator.

usage: uv tool run --from roc-validator==0.13.0 python check_crate.py CRATE TERMS PROFILE...

TERMS is a JSON file with the terms of the crate and what they mean; it answers for both contexts
that a crate names by address. Each problem is printed; the exit code is 1 if there is any.
"""

import json
import sys
from pathlib import Path

import requests
from rocrate_validator import services
from rocrate_validator.models import ValidationSettings
from rocrate_validator.utils.http import HttpRequester

crate, terms, *profiles = sys.argv[1:]
CONTEXTS = ("w3id.org/ro/crate/1.1/context", "w3id.org/ro/terms/workflow-run/context")


def answer(self, url, *arguments, **settings):
    """Return the terms for a context, and for every other address that it is not there."""
    response = requests.Response()
    response.url, response.status_code = url, 404
    if str(url).partition("://")[2].startswith(CONTEXTS):
        response.status_code = 200
        response._content = Path(terms).read_bytes()
        response.headers["Content-Type"] = "application/ld+json"
    return response


HttpRequester.get = HttpRequester.head = answer
problems = []
for profile in profiles:
    settings = ValidationSettings(
        rocrate_uri=crate, profile_identifier=profile, skip_availability_check=True
    )
    result = services.validate(settings)
    print(json.dumps({"profile": profile, "checks": len(result.executed_checks)}))
    problems += [
        f"{profile}: {issue.check.identifier}: {issue.message}" for issue in result.get_issues()
    ]
print("\n".join(problems))
sys.exit(bool(problems))
