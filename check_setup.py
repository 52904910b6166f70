"""What the set-up needs, looked for before anything is downloaded; run by any Python 3.

Every missing thing is named at once, with the Debian packages that bring it.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig

OLDEST = (3, 11)
# Snakemake starts scripts with the path of Python unquoted, and a colon would end a part of PATH.
UNFIT = r"[\s'\"`$&;:()<>|*?\[\]{}\\]"


def fault_of_folder(folder):
    """Return why a checkout cannot be in a folder; an empty text if it can."""
    sign = re.search(UNFIT, folder)
    if not sign:
        return ""
    fault = "this folder's path has " + repr(sign.group()) + ", where programs split it: " + folder
    return fault + "\nMove the checkout to a path of letters, digits and ._-"


def missing_parts(version, modules, include, compiler):
    """List what is missing: pairs of what it is and the Debian packages that bring it.

    Parameters
    ----------
    version : tuple of int
        Version of this Python.
    modules : sequence of str
        Modules that make a virtual environment.
    include : str
        Folder of Python's headers.
    compiler : str
        Command of the C compiler.

    Returns
    -------
    list of tuple of str
    """
    missing = []
    if tuple(version[:2]) < OLDEST:
        words = "Python {}.{} or newer; this is {}.{}".format(*OLDEST, *version[:2])
        missing.append((words + " (PYTHON=/path/to/python3 names another)", "python3"))
    for module in modules:
        try:
            __import__(module)
        except ImportError:
            missing.append(("Python's module " + module, "python3-venv"))
    command = shlex.split(compiler)
    if not shutil.which(command[0]):
        missing.append(("a C compiler: " + command[0], "gcc libc6-dev"))
    elif not compiles(command, "#include <stdio.h>\n"):
        missing.append(("the C library's headers", "libc6-dev"))
    elif not compiles([*command, "-I" + include], "#include <Python.h>\n"):
        missing.append(("Python's headers: " + os.path.join(include, "Python.h"), "python3-dev"))
    return missing


def compiles(command, source):
    """Return whether a C compiler takes a source."""
    done = subprocess.run(
        [*command, "-fsyntax-only", "-x", "c", "-"],
        input=source.encode(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
    )
    return done.returncode == 0


def main():
    """Say what is missing and what to install, or that the folder is unfit; exit code 1 then."""
    fault = fault_of_folder(os.getcwd())
    if fault:
        sys.exit("Nothing was downloaded yet: " + fault)
    missing = missing_parts(
        sys.version_info,
        ["venv", "ensurepip"],
        sysconfig.get_path("include"),
        # as setuptools chooses it
        os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc",
    )
    if missing:
        packages = dict.fromkeys(name for _, names in missing for name in names.split())
        print("Nothing was downloaded yet. The set-up needs, and does not find:", file=sys.stderr)
        for words, _ in missing:
            print("  " + words, file=sys.stderr)
        print("On Debian and Ubuntu: apt-get install " + " ".join(packages), file=sys.stderr)
        sys.exit(1)


if __name__ == "__main__":
    main()
