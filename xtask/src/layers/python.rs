//! The imports of a Python package: every `from package.module import name`, including those for
//! type checkers only.

use super::{Import, Module, Sources};

const PACKAGE: &str = "truecount";

pub fn imports(sources: &Sources) -> Vec<Import> {
    let folder_files = ["__init__"];
    let modules: Vec<Module> = sources.modules(&folder_files).map(|(module, ..)| module).collect();
    let mut imports = Vec::new();
    for (from, path, text) in sources.modules(&folder_files) {
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
                let submodule = [module.as_slice(), &[name.trim().to_owned()]].concat();
                let to = if modules.contains(&submodule) { submodule } else { module.clone() };
                imports.push(Import { from: from.clone(), to, location: format!("{}:{}", path.display(), number + 1) });
            }
        }
    }
    imports
}
