"""Builds the package from its vendored sources without a network, and runs the installed command.

    python check.py FOLDER      FOLDER is the output of make.py

The build cannot use the repository, cargo's home or a registry: cargo finds sources only in the
archive, and pip finds no packages. numpy is missing as well, which the command does not need.
The tutorial has the expected output.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "packaging"))

from tutorial import check_command  # noqa: E402


def run(*command, **options):
    return subprocess.run(command, check=True, **options)


def main():
    (archive,) = Path(sys.argv[1]).resolve().glob("*-vendored.tar.xz")
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        offline = {
            **os.environ,
            "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
            "CARGO_HOME": str(folder / "cargo"),
            "CARGO_NET_OFFLINE": "true",
            "MATURIN_PEP517_ARGS": "--profile dev",
            "PIP_NO_INDEX": "true",
        }
        pip = [sys.executable, "-m", "pip", "--quiet"]
        run(*pip, "wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, archive, cwd=folder, env=offline)
        (wheel,) = folder.glob("*.whl")
        environment = folder / "fresh"
        venv.create(environment)
        python = environment / "bin/python"
        run(*pip, "--python", python, "install", "--no-deps", wheel, env=offline)
        check_command(environment / "bin/truecount")
        print(f"{archive.name} builds without a network; its command answers as the tutorial has it")


if __name__ == "__main__":
    main()
