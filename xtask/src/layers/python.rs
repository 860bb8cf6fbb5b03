//! The imports of a Python package: every `from package.module import name`, including those for type checkers only.

use super::{Import, Module, Sources};

const PACKAGE: &str = "truecount";

pub fn imports(sources: &Sources) -> Vec<Import> {
    let folders = ["__init__"];
    let known: Vec<Module> = sources.modules(&folders).map(|(module, ..)| module).collect();
    let mut imports = Vec::new();
    for (from, path, text) in sources.modules(&folders) {
        for (number, line) in text.lines().enumerate() {
            let Some((module, names)) =
                line.trim_start().strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
            else {
                continue;
            };
            let mut parts = module.split('.').map(str::to_owned);
            if parts.next().as_deref() != Some(PACKAGE) {
                continue;
            }
            let module: Module = parts.collect();
            for name in names.trim_matches(['(', ')']).split(',') {
                let below = [module.as_slice(), &[name.trim().to_owned()]].concat();
                let to = if known.contains(&below) { below } else { module.clone() };
                imports.push(Import { from: from.clone(), to, place: format!("{}:{}", path.display(), number + 1) });
            }
        }
    }
    imports
}
