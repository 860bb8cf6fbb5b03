"""Packs the browser page's module for npm, installs the package in a new folder and uses it in Node.

    python make.py MODULE FOLDER VERSION      writes FOLDER/truecount-VERSION.tgz

The first estimate must be that of the README.
"""

import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COPIES = ("LICENSE-MIT", "LICENSE-APACHE", "crates/truecount-cli/NOTICES.txt")

USE = """
import { load } from "truecount";
import { readFileSync } from "node:fs";

const [train, weeks] = process.argv.slice(2).map((file) => readFileSync(file));
const truecount = await load();
const request = { ask: "estimates", train: "train.csv", test: ["weeks.csv"], by: ["week"] };
const { answer } = truecount.ask(request, { "train.csv": train, "weeks.csv": weeks });
console.log(JSON.stringify(answer.text));
"""


def write_package(module, folder, version):
    texts = [HERE / "index.head.js", ROOT / "web/wasi.js", HERE / "index.tail.js"]
    script = "".join(file.read_text(encoding="utf-8") for file in texts)
    (folder / "index.js").write_text(script, encoding="utf-8", newline="\n")
    manifest = (HERE / "package.json").read_text(encoding="utf-8").replace("@VERSION@", version)
    (folder / "package.json").write_text(manifest, encoding="utf-8")
    for file in (module, HERE / "index.d.ts", HERE / "README.md", *(ROOT / name for name in COPIES)):
        shutil.copy(file, folder)


def npm(*words, folder):
    return subprocess.run(["npm", "--silent", *words], cwd=folder, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    module, out, version = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve(), sys.argv[3]
    out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as temporary:
        package, user = Path(temporary, "package"), Path(temporary, "user")
        package.mkdir()
        user.mkdir()
        write_package(module, package, version)
        archive = out / npm("pack", "--pack-destination", str(out), folder=package).strip()
        npm("init", "--yes", folder=user)
        npm("install", "--no-save", str(archive), folder=user)
        (user / "use.mjs").write_text(USE, encoding="utf-8")
        tables = [ROOT / "data/spam" / name for name in ("train.csv", "weeks.csv")]
        use = ["node", "use.mjs", *map(str, tables)]
        text = json.loads(subprocess.run(use, cwd=user, check=True, stdout=subprocess.PIPE, text=True).stdout)
    print("\n".join(text.splitlines()[:3]))
    (row,) = (row for row in csv.DictReader(io.StringIO(text)) if row["week"] == "2026-W01")
    if f"{float(row['prevalence']):.3f}" != "0.354":
        sys.exit(f"the README has 0.354 for this week: {row}")
    print(f"{archive}: {archive.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
