"""Packs the browser page's module for npm, installs the package in a new folder, and uses it in Node,
from TypeScript, and in a page.

    python make.py MODULE FOLDER VERSION      writes FOLDER/truecount-VERSION.tgz

The first estimate must be that of the README, and the page's estimates those of Node.
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
sys.path.append(str(ROOT / "xtask/browser"))

import chromium

COPIES = ("LICENSE-MIT", "LICENSE-APACHE", "crates/truecount-cli/NOTICES.txt")

TABLES = ("train.csv", "weeks.csv")
TYPESCRIPT = ("typescript@7.0.2", "@types/node@20")

USE = """
import { load, type Request } from "truecount";
import { readFileSync } from "node:fs";

const [train, weeks] = process.argv.slice(2).map((file) => readFileSync(file));
const truecount = await load();
const request: Request = { ask: "estimates", train: "train.csv", test: ["weeks.csv"], by: ["week"] };
const { answer } = truecount.ask(request, { "train.csv": train!, "weeks.csv": weeks! });
// @ts-expect-error: no such request
const wrong: Request = { ask: "estimate" };
console.log(JSON.stringify(answer.text));
"""

WORKER = """
import { load } from "./index.js";
onmessage = ({ data: [request, files] }) =>
  load().then((truecount) => postMessage(truecount.ask(request, files)))
    .catch((error) => postMessage({ error: String(error) }));
"""

# Asks a worker, as the package's README says.
USE_IN_PAGE = """
(message) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.onmessage = ({ data }) => (data.error ? reject(new Error(data.error)) : resolve(data.answer.text));
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.postMessage(message);
})
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


def text_in_node(user):
    """The table of estimates in Node, from a program that is checked with the package's types."""
    (user / "use.mts").write_text(USE, encoding="utf-8")
    check = ["--strict", "--noUncheckedIndexedAccess", "--module", "nodenext", "--types", "node", "use.mts"]
    subprocess.run(["node_modules/.bin/tsc", *check], cwd=user, check=True)
    use = ["node", "use.mjs", *(str(ROOT / "data/spam" / name) for name in TABLES)]
    return json.loads(subprocess.run(use, cwd=user, check=True, stdout=subprocess.PIPE, text=True).stdout)


def text_in_page(package):
    """The table of estimates in a page of Chromium that has the package's files."""
    (package / "worker.js").write_text(WORKER, encoding="utf-8")
    (package / "index.html").write_text("<title>truecount</title>", encoding="utf-8")
    request = {"ask": "estimates", "train": TABLES[0], "test": [TABLES[1]], "by": ["week"]}
    files = {name: (ROOT / "data/spam" / name).read_text(encoding="utf-8") for name in TABLES}
    with chromium.launch() as browser:
        page = browser.new_page()
        page.route("**/*", lambda route: route.fulfill(path=package / Path(route.request.url).name))
        page.goto("http://localhost/index.html")
        return page.evaluate(USE_IN_PAGE, [request, files])


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
        npm("install", "--no-save", str(archive), *TYPESCRIPT, folder=user)
        text = text_in_node(user)
        if text_in_page(user / "node_modules/truecount") != text:
            sys.exit("a page has other estimates than Node")
    print("\n".join(text.splitlines()[:3]))
    (row,) = (row for row in csv.DictReader(io.StringIO(text)) if row["week"] == "2026-W01")
    if f"{float(row['prevalence']):.3f}" != "0.354":
        sys.exit(f"the README has 0.354 for this week: {row}")
    print(f"{archive}: {archive.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
