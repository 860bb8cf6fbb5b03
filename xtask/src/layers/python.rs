//! The imports of a Python package: every `from package.module import name`, including those for
//! type checkers only.

use super::{Import, Module, Sources};

pub const PACKAGE: &str = "truecount";

/// The compiled module, which has no Python file.
pub const COMPILED: &str = "_core";

pub const FOLDER_FILES: [&str; 1] = ["__init__"];

pub fn imports(sources: &Sources) -> Vec<Import> {
    let mut modules: Vec<Module> = sources.modules(&FOLDER_FILES).map(|(module, ..)| module).collect();
    modules.push(vec![COMPILED.to_owned()]);
    let mut imports = Vec::new();
    for (from, path, text) in sources.modules(&FOLDER_FILES) {
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
                let name = name.split(" as ").next().unwrap_or_default().trim();
                let submodule = [module.as_slice(), &[name.to_owned()]].concat();
                let to = if modules.contains(&submodule) { submodule } else { module.clone() };
                imports.push(Import { from: from.clone(), to, location: format!("{}:{}", path.display(), number + 1) });
            }
        }
    }
    imports
}
