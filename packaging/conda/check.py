"""Evaluates the conda recipe with rattler-build, and runs its script and tests in a new Python
environment.

    python check.py RECIPE SDIST

The environment has what the recipe lists under `host`, and numpy. The build is not optimised, which
takes a third of the time.
"""

import os
import subprocess
import sys
import tarfile
import tempfile
import venv
from pathlib import Path

from rattler_build import Stage0Recipe, VariantConfig

# The variant of conda-forge that has a package for every later Python.
VARIANT = {
    "python": ["3.10.* *_cpython"],
    "python_min": ["3.10"],
    "is_abi3": [True],
    "is_python_min": [True],
    "c_compiler": ["gcc"],
    "c_stdlib": ["sysroot"],
    "rust_compiler": ["rust"],
}

# Packages of conda-forge that Python's environment replaces.
PYTHON = ("python", "python-abi3")


def main():
    # The project's address may not be decided yet.
    text = Path(sys.argv[1]).read_text(encoding="utf-8").replace("@ADDRESS@", "https://truecount.invalid")
    (variant,) = Stage0Recipe.from_yaml(text).render(VariantConfig(VARIANT))
    recipe = variant.recipe.to_dict()
    with tempfile.TemporaryDirectory() as temporary:
        with tarfile.open(sys.argv[2]) as archive:
            archive.extractall(temporary, filter="data")
        (project,) = Path(temporary).iterdir()
        environment = Path(temporary, "environment")
        venv.create(environment, with_pip=True)
        variables = {
            **os.environ,
            "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "MATURIN_PEP517_ARGS": "--profile dev",
        }

        def run(line):
            subprocess.run(line, shell=True, cwd=project, env=variables, check=True)

        requirements = recipe["requirements"]
        packages = [name.replace(" ", "") for name in requirements["host"] + requirements["run"] if name not in PYTHON]
        run("python -m pip install --quiet " + " ".join(f"'{name}'" for name in packages))
        run(recipe["build"]["script"].replace("${{ PYTHON }}", "python"))
        for test in recipe["tests"]:
            run(test.get("script", "true"))
            for name in test.get("python", {}).get("imports", []):
                run(f"cd / && python -c 'import {name}'")
        licences = recipe["about"]["license_file"]
        if missing := [name for name in licences if not (project / name).is_file()]:
            sys.exit(f"the source distribution has no {missing}")
    print("the recipe's script and tests pass")


if __name__ == "__main__":
    main()
