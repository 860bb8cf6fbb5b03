"""Runs the script and the tests of the conda recipe in a new Python environment.

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

import yaml


def main():
    recipe = yaml.safe_load(Path(sys.argv[1]).read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as temporary:
        with tarfile.open(sys.argv[2]) as archive:
            archive.extractall(temporary, filter="data")
        (project,) = Path(temporary).iterdir()
        environment = Path(temporary, "environment")
        venv.create(environment, with_pip=True)
        variables = {
            **os.environ,
            "PATH": f"{environment / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "MATURIN_PEP517_ARGS": "--profile quick",
        }

        def run(line):
            subprocess.run(line, shell=True, cwd=project, env=variables, check=True)

        requirements = recipe["requirements"]
        packages = [name.replace(" ", "") for name in requirements["host"] + requirements["run"] if name != "python"]
        run("python -m pip install --quiet " + " ".join(f"'{name}'" for name in packages))
        run(recipe["build"]["script"])
        for test in recipe["tests"]:
            for line in test.get("script", []):
                run(line)
            for name in test.get("python", {}).get("imports", []):
                run(f"cd / && python -c 'import {name}'")
        licences = recipe["about"]["license_file"]
        if missing := [name for name in licences if not (project / name).is_file()]:
            sys.exit(f"the source distribution has no {missing}")
    print("the recipe's script and tests pass")


if __name__ == "__main__":
    main()
