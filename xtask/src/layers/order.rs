//! The order of the modules of the Python package, which a table in CONTRIBUTING.md declares: each
//! module imports only modules above it.

use super::{Import, Module, Sources, python};
use std::collections::BTreeSet;

/// The heading above the table.
const HEADING: &str = "### Modules of the Python package\n";

/// Describes each import that leads upwards, and each difference between the table and the modules.
pub fn violations(contributing: &str, sources: &Sources) -> Vec<String> {
    let order = table(contributing);
    let place = |module: &Module| order.iter().position(|name| Some(name) == module.first());
    let mut violations = Vec::new();
    for Import { from, to, location } in python::imports(sources) {
        // The package itself imports its public names lazily, and may import every module.
        if from.is_empty() || from.first() == to.first() {
            continue;
        }
        if place(&to) >= place(&from) || to.is_empty() {
            let name = |module: &Module| module.first().cloned().unwrap_or_else(|| python::PACKAGE.to_owned());
            violations.push(format!("{} imports {} upwards in {location}", name(&from), name(&to)));
        }
    }
    let listed: BTreeSet<&String> = order.iter().collect();
    let compiled = python::COMPILED.to_owned();
    let modules: Vec<Module> = sources.modules(&python::FOLDER_FILES).map(|(module, ..)| module).collect();
    let existing: BTreeSet<&String> = modules.iter().filter_map(|module| module.first()).chain([&compiled]).collect();
    violations.extend(existing.difference(&listed).map(|name| format!("the table has no module {name}")));
    violations.extend(listed.difference(&existing).map(|name| format!("there is no module {name} of the table")));
    violations
}

/// Returns the modules in the first column of the table, from top to bottom.
fn table(contributing: &str) -> Vec<String> {
    let (_, section) = contributing.split_once(HEADING).unwrap_or_default();
    let rows = section.lines().skip_while(|line| !line.starts_with('|')).take_while(|line| line.starts_with('|'));
    rows.filter_map(|row| Some(row.strip_prefix("| `")?.split_once('`')?.0.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str = "# A\n\n### Modules of the Python package\n\nText.\n\n| module | what |\n|---|---|\n\
        | `_core` | a |\n| `_low` | b |\n| `plot` | c |\n\n| `other` | table |\n";

    fn check(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| (path.into(), (*text).to_owned()));
        violations(TABLE, &Sources(files.collect()))
    }

    #[test]
    fn modules_import_only_those_above_them() {
        let low = ("_low.py", "from truecount import _core\n");
        let files = [
            ("__init__.py", "from truecount.plot import a\n"),
            low,
            ("plot/__init__.py", "from truecount import _low as low\nfrom truecount.plot._a import A\n"),
            ("plot/_a.py", "from truecount._low import (\n    f,\n)\n"),
        ];
        assert!(check(&files).is_empty());
    }

    #[test]
    fn an_import_upwards_is_reported_with_its_line() {
        let low = "import sys\n\nif TYPE_CHECKING:\n    from truecount.plot._a import A\n\n\ndef f():\n    from truecount import g\n";
        let violations = check(&[("__init__.py", ""), ("_low.py", low), ("plot/_a.py", "")]);
        let expected = ["_low imports plot upwards in _low.py:4", "_low imports truecount upwards in _low.py:8"];
        assert_eq!(violations, expected);
    }

    #[test]
    fn the_table_has_all_modules_and_no_others() {
        let violations = check(&[("__init__.py", ""), ("_high.py", ""), ("plot.py", "")]);
        assert_eq!(violations, ["the table has no module _high", "there is no module _low of the table"]);
    }
}
