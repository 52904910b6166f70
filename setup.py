"""Builds the Cython kernels; everything else about the package is in pyproject.toml.

``SCHEDLAB_DEBUG=1`` builds the kernels with bounds checks on, for the debug run of the tests.
"""

import os
from pathlib import Path

import numpy
from Cython.Build import cythonize
from setuptools import Extension, setup

DEBUG = os.environ.get("SCHEDLAB_DEBUG") == "1"
FLAGS = ["-O1", "-g"] if DEBUG else ["-O3"]
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
        f"schedlab.kernels.{source.stem}",
        [str(source)],
        include_dirs=[numpy.get_include()],
        define_macros=[("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION")],
        extra_compile_args=[*FLAGS, "-ffp-contract=off"],
    )
    for source in sorted(Path("src/schedlab/kernels").glob("*.pyx"))
]

setup(
    ext_modules=cythonize(kernels, build_dir="build/cython", compiler_directives=DIRECTIVES)
    if kernels
    else []
)
