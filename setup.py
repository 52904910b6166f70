"""Builds the Cython kernels; everything else about the package is in pyproject.toml.

``SCHEDLAB_DEBUG=1`` builds the kernels with bounds checks on, for `make bounds`.
How they were built is recorded in kernels/build.json: results depend on it.
"""

import hashlib
import json
import os
import platform
import subprocess
from pathlib import Path

import Cython
import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

DEBUG = os.environ.get("SCHEDLAB_DEBUG") == "1"
KERNELS = Path("src/schedlab/kernels")
# faults of pointers, which Cython does not check, and of integers end the process
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"] if DEBUG else []
FLAGS = ["-O1", "-g", *SANITIZERS] if DEBUG else ["-O3", "-g0"]
# the instruction that counts bits: each processor has it that NumPy's wheels run on
COUNTS = ["-mpopcnt"] if platform.machine() == "x86_64" else []
DIRECTIVES = {
    "language_level": 3,
    "boundscheck": DEBUG,
    "wraparound": False,
    "initializedcheck": DEBUG,
    "cdivision": True,
    "freethreading_compatible": True,
}

kernels = [
    Extension(
        ".".join(source.relative_to("src").with_suffix("").parts),
        [str(source)],
        include_dirs=[numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=[*FLAGS, *COUNTS, "-ffp-contract=off"],
        extra_link_args=SANITIZERS,
    )
    for source in sorted(KERNELS.rglob("*.pyx"))
]
# Cython's code for memoryviews, compiled once and not in every kernel
SHARED = "schedlab.kernels.cython_shared"


class BuildAndRecord(build_ext):
    """Build the kernels and record how in kernels/build.json."""

    def finalize_options(self):
        """Compile several kernels at a time, by default one per processor."""
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()

    def run(self):
        """Build, then record compiler, flags, directives and versions."""
        super().run()
        if not self.extensions:
            return
        command = self.compiler.compiler_so
        said = subprocess.run(
            [command[0], "--version"], capture_output=True, text=True, check=False
        )
        record = {
            "compiler": said.stdout.partition("\n")[0],
            "command": command,
            "flags": self.extensions[0].extra_compile_args,
            "directives": DIRECTIVES,
            "cython": Cython.__version__,
            "numpy": numpy.__version__,
            "setup": hashlib.sha256(Path(__file__).read_bytes()).hexdigest(),
        }
        library = Path(self.get_ext_fullpath("schedlab.kernels.build"))
        text = json.dumps(record, indent=2, sort_keys=True)
        library.with_name("build.json").write_text(text + "\n", encoding="utf-8")


setup(
    cmdclass={"build_ext": BuildAndRecord},
    ext_modules=cythonize(
        [*kernels, Extension(SHARED, [])],
        shared_utility_qualified_name=SHARED,
        # of each kind its own: Cython makes C again for other sources, but not for other directives
        build_dir="build/bounds/cython" if DEBUG else "build/cython",
        compiler_directives=DIRECTIVES,
        nthreads=os.cpu_count() or 1,
    )
    if kernels
    else [],
)
