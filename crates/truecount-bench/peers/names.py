"""Does the book say of every quantifier of the peers what it is called here, or why it is not?

    python names.py

The names are read from the sources of the installed packages, which are not run: some of their modules need libraries that are not
installed. A quantifier is a class that descends from the package's `BaseQuantifier`, another name of one, or a function that returns one;
the section "Names" of the page for those who come from the package must have its name. A new release of a package that has one more fails.
"""

import ast
import re
import sys
from importlib.util import find_spec
from pathlib import Path

PAGES = Path("docs/how-to/from")
PACKAGES = "quapy", "mlquantify", "quantificationlib"
ROOT = "BaseQuantifier"
# What the packages derive quantifiers from; it quantifies nothing by itself.
ABSTRACT = {
    "AggregativeCrispQuantifier",
    "AggregativeQuantifier",
    "AggregativeSoftQuantifier",
    "BagTrainedQuantifier",
    "BinaryAggregativeQuantifier",
    "BinaryQuantifier",
    "ImportanceWeightQuantifier",
    "KDEyQuantifier",
    "MatchingHistogramQuantifier",
    "MatchingKernelQuantifier",
    "MatchingScoreQuantifier",
    "ThresholdAdjustment",
    "ThresholdOptimization",
    "UsingClassifiers",
    "WithoutClassifiers",
}


def statements(package):
    """The statements of all its modules, but for its tests."""
    folder = Path(find_spec(package).submodule_search_locations[0])
    files = (file for file in sorted(folder.rglob("*.py")) if "tests" not in file.relative_to(folder).parts)
    return [statement for file in files for statement in of_module(ast.parse(file.read_text(encoding="utf-8")))]


def of_module(tree):
    """Its statements, with those that run only if a library is there."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try)):
            yield from of_module(statement)
            yield from of_module(ast.Module(statement.orelse, []))


def parts(expression):
    """The names in `a.b.c`, of which the last or the one before may be a class."""
    if isinstance(expression, ast.Attribute):
        return [*parts(expression.value), expression.attr]
    return [expression.id] if isinstance(expression, ast.Name) else []


def made_of(statement):
    """What a statement defines, and the names that make a quantifier of it if they are of quantifiers."""
    if isinstance(statement, ast.ClassDef):
        return [statement.name], [parts(base)[-1:] for base in statement.bases]
    if isinstance(statement, ast.FunctionDef):
        returns = (node.value for node in ast.walk(statement) if isinstance(node, ast.Return))
        return [statement.name], [parts(value.func)[-1:] for value in returns if isinstance(value, ast.Call)]
    if isinstance(statement, ast.Assign):
        return [name for target in statement.targets for name in parts(target)], [parts(statement.value)[-2:]]
    return [], []


def quantifiers(package):
    """The public names of its quantifiers."""
    definitions = [
        (defined, {name for of in origins for name in of}) for defined, origins in map(made_of, statements(package))
    ]
    found, before = {ROOT}, set()
    while found != before:
        before = set(found)
        found.update(name for defined, origins in definitions if origins & before for name in defined)
    return {name for name in found - ABSTRACT if not name.startswith(("_", "Base"))}


def named(page):
    """The names in code in the text and in the first cells of the tables of its section "Names"; other cells have ours."""
    section = re.search(r"^## Names\n(.*?)(?=^## |\Z)", page.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    theirs = re.sub(r"^(\|[^|\n]*\|).*", r"\1", section[1], flags=re.MULTILINE)
    return {name for code in re.findall(r"`([^`\n]+)`", theirs) for name in re.findall(r"\w+", code)}


def main():
    """Fails if a name is missing."""
    missing = {package: sorted(quantifiers(package) - named(PAGES / f"{package}.md")) for package in PACKAGES}
    for package, names in missing.items():
        if names:
            print(f"{PAGES / package}.md does not name {', '.join(names)}")
    if any(missing.values()):
        sys.exit("say what they are called here, or why they are not")
    print("every quantifier of", ", ".join(PACKAGES), "is named")


if __name__ == "__main__":
    main()
