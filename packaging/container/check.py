"""Builds the image with buildah, and estimates a share in its file system.

python check.py TRUECOUNT FOLDER

The estimate reads its unlabelled scores from standard input, as `docker run -i … estimate -` does.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
IMAGE = "truecount:check"


def output(*command, **options):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, **options).stdout.strip()


def main():
    command, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copy(command, folder / "truecount")
    # Without an isolated process, which a machine may not allow.
    isolation = ["--storage-driver", "vfs"]
    output(
        "buildah", *isolation, "build", "--isolation", "chroot", "--tag", IMAGE, "--file", HERE / "Dockerfile", folder
    )
    container = output("buildah", *isolation, "from", IMAGE)
    try:
        mount = output("buildah", *isolation, "mount", container)
        shutil.copy(ROOT / "data/spam/train.csv", Path(mount) / "data")
        with open(ROOT / "data/spam/weeks.csv", encoding="utf-8") as table:
            estimate = output(
                "/truecount",
                *["estimate", "--train", "train.csv", "--test", "-"],
                stdin=table,
                preexec_fn=lambda: (os.chroot(mount), os.chdir("/data")),
            )
        print(estimate)
        files = [str(file.relative_to(mount)) for file in Path(mount).rglob("*") if file.is_file()]
        print(f"{IMAGE}: {sorted(files)}")
    finally:
        output("buildah", *isolation, "rm", container)
        output("buildah", *isolation, "rmi", IMAGE)


if __name__ == "__main__":
    main()
