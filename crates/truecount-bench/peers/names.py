"""Checks that the book's page for users of other packages names every quantifier of each package.

    python names.py

The names are parsed from the sources of the installed packages, which are not imported, because some modules
need libraries that are not installed. A quantifier is a subclass of the package's `BaseQuantifier`, an alias of
one, or a function that returns one. The package's section below "Names" must contain its name. So the check
fails if a new release adds a quantifier.
"""

import ast
import re
import sys
from importlib.util import find_spec
from pathlib import Path

PAGE = Path("docs/how-to/from/python-packages.md")
PACKAGES = "quapy", "mlquantify", "quantificationlib"
ROOT = "BaseQuantifier"
# Abstract base classes.
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
    """Returns the statements of all modules of a package, without its tests."""
    folder = Path(find_spec(package).submodule_search_locations[0])
    files = (file for file in sorted(folder.rglob("*.py")) if "tests" not in file.relative_to(folder).parts)
    modules = (ast.parse(file.read_text(encoding="utf-8")) for file in files)
    return [statement for module in modules for statement in module_statements(module)]


def module_statements(tree):
    """Yields the statements of a module, including conditional ones."""
    for statement in tree.body:
        yield statement
        if isinstance(statement, (ast.If, ast.Try)):
            yield from module_statements(statement)
            yield from module_statements(ast.Module(statement.orelse, []))


def parts(expression):
    """Returns the names in `a.b.c`, of which the last or the last but one may be a class."""
    if isinstance(expression, ast.Attribute):
        return [*parts(expression.value), expression.attr]
    return [expression.id] if isinstance(expression, ast.Name) else []


def definition(statement):
    """Returns the names that a statement defines, and the names that they derive from."""
    if isinstance(statement, ast.ClassDef):
        return [statement.name], [parts(base)[-1:] for base in statement.bases]
    if isinstance(statement, ast.FunctionDef):
        returns = (node.value for node in ast.walk(statement) if isinstance(node, ast.Return))
        return [statement.name], [parts(value.func)[-1:] for value in returns if isinstance(value, ast.Call)]
    if isinstance(statement, ast.Assign):
        return [name for target in statement.targets for name in parts(target)], [parts(statement.value)[-2:]]
    return [], []


def quantifiers(package):
    """Returns the public names of a package's quantifiers."""
    definitions = [
        (defined, {name for names in origins for name in names})
        for defined, origins in map(definition, statements(package))
    ]
    known, before = {ROOT}, set()
    while known != before:
        before = set(known)
        known.update(name for defined, origins in definitions if origins & before for name in defined)
    return {name for name in known - ABSTRACT if not name.startswith(("_", "Base"))}


def page_names(text, package):
    """Returns the names of a package on the page: the inline code in its section below "Names".

    Of tables, only the first column has the package's names; the other columns have ours.
    """
    section = re.search(rf"^### {package}\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL | re.IGNORECASE)
    theirs = re.sub(r"^(\|[^|\n]*\|).*", r"\1", section[1], flags=re.MULTILINE)
    return {name for code in re.findall(r"`([^`\n]+)`", theirs) for name in re.findall(r"\w+", code)}


def main():
    """Fails if a name is missing."""
    text = PAGE.read_text(encoding="utf-8")
    missing = {package: sorted(quantifiers(package) - page_names(text, package)) for package in PACKAGES}
    for package, names in missing.items():
        if names:
            print(f"{PAGE} does not name these of {package}: {', '.join(names)}")
    if any(missing.values()):
        sys.exit("say what they are called here, or why they are not")
    print("every quantifier of", ", ".join(PACKAGES), "is named")


if __name__ == "__main__":
    main()
