//! The imports of a crate: every path that begins with `crate`, `self` or `super`, in a `use` or in
//! the code, resolved through re-exports. Tests at the end of a file do not count.

use super::{Import, Module, Sources};
use std::collections::BTreeMap;

/// The names that each module re-exports from elsewhere.
type ReExports = BTreeMap<Module, BTreeMap<String, Module>>;

/// A path in the code.
struct PathUse {
    path: Module,
    /// The name that the path gets in the module.
    name: String,
    line: usize,
}

pub fn imports(sources: &Sources) -> Vec<Import> {
    let folder_files = ["lib", "main", "mod"];
    let files: Vec<_> =
        sources.modules(&folder_files).map(|(module, path, text)| (module, path, strip_non_code(text))).collect();
    let modules: Vec<&Module> = files.iter().map(|(module, ..)| module).collect();
    let mut re_exports = ReExports::new();
    for (module, _, text) in &files {
        let names = re_exports.entry(module.clone()).or_default();
        let is_submodule = |path: &Module| modules.contains(&&[module.as_slice(), &path[..1]].concat());
        for PathUse { path, name, .. } in use_paths(text) {
            if let Some(path) =
                absolute(&path, module).or_else(|| is_submodule(&path).then(|| [module.as_slice(), &path].concat()))
            {
                names.insert(name, path);
            }
        }
    }
    let mut imports = Vec::new();
    for (from, file, text) in &files {
        for PathUse { path, line, .. } in crate_paths(text) {
            if let Some(absolute) = absolute(&path, from) {
                let to = resolve(&absolute, &modules, &re_exports);
                imports.push(Import { from: from.clone(), to, location: format!("{}:{line}", file.display()) });
            }
        }
    }
    imports
}

/// Returns the module that a path leads to, through submodules and re-exports.
fn resolve(path: &[String], modules: &[&Module], re_exports: &ReExports) -> Module {
    let mut module = Module::new();
    let mut rest = path.to_vec();
    // A chain of re-exports that is longer than this must be a cycle.
    for _ in 0..32 {
        let Some(next) = rest.first().cloned() else { break };
        let submodule = [module.as_slice(), std::slice::from_ref(&next)].concat();
        if modules.contains(&&submodule) {
            module = submodule;
            rest.remove(0);
        } else if let Some(origin) = re_exports.get(&module).and_then(|names| names.get(&next)) {
            rest = [origin.as_slice(), &rest[1..]].concat();
            module = Module::new();
        } else {
            break;
        }
    }
    module
}

/// Returns the path from the crate's root, or `None` if the path leads out of the crate.
fn absolute(path: &[String], from: &Module) -> Option<Module> {
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([from.as_slice(), &path[1..]].concat()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            let above = from.get(..from.len().checked_sub(ups)?)?;
            Some([above, &path[ups..]].concat())
        }
        _ => None,
    }
}

/// Returns the paths of every `use`.
fn use_paths(text: &str) -> Vec<PathUse> {
    let starts = text.match_indices("use ").filter(|(at, _)| {
        let before = text[..*at].trim_end_matches(' ');
        before.is_empty() || before.ends_with(['\n', ')']) || before.ends_with("pub")
    });
    starts.flat_map(|(at, word)| parse_tree(text, at + word.len())).collect()
}

/// Returns every path that begins with `crate`, `self` or `super`.
fn crate_paths(text: &str) -> Vec<PathUse> {
    let mut paths = Vec::new();
    for word in ["crate::", "self::", "super::"] {
        for (at, _) in text.match_indices(word) {
            let before = text[..at].chars().next_back();
            // In the middle of a path, the word belongs to a path that is already in the list.
            if !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                paths.extend(parse_tree(text, at));
            }
        }
    }
    paths
}

/// Returns the paths of the `use` tree that begins at byte `at`.
fn parse_tree(text: &str, at: usize) -> Vec<PathUse> {
    let line = 1 + text[..at].matches('\n').count();
    let mut paths = Vec::new();
    parse_branch(&mut text[at..].chars().peekable(), &Module::new(), line, &mut paths);
    paths
}

/// Appends the paths of a branch of a `use` tree, which begins with the path `prefix`.
fn parse_branch(
    text: &mut std::iter::Peekable<std::str::Chars>,
    prefix: &Module,
    line: usize,
    paths: &mut Vec<PathUse>,
) {
    let mut path = prefix.clone();
    let mut name = None;
    loop {
        while text.next_if(|c| c.is_whitespace()).is_some() {}
        let mut word = String::new();
        while let Some(c) = text.next_if(|c| c.is_alphanumeric() || *c == '_') {
            word.push(c);
        }
        if !word.is_empty() {
            // `{self}` is the path itself.
            if word != "self" || path.is_empty() {
                path.push(word);
            }
        } else if text.next_if_eq(&'{').is_some() {
            loop {
                parse_branch(text, &path, line, paths);
                while text.next_if(|c| c.is_whitespace()).is_some() {}
                if text.next_if_eq(&',').is_none() {
                    text.next_if_eq(&'}');
                    return;
                }
                while text.next_if(|c| c.is_whitespace()).is_some() {}
                if text.next_if_eq(&'}').is_some() {
                    return;
                }
            }
        } else {
            break;
        }
        let mut ahead = text.clone();
        let rest: String = ahead.by_ref().take(4).collect();
        if rest.starts_with("::") {
            text.nth(1);
        } else if rest == " as " {
            text.nth(3);
            let mut alias = String::new();
            while let Some(c) = text.next_if(|c| c.is_alphanumeric() || *c == '_') {
                alias.push(c);
            }
            name = Some(alias);
            break;
        } else {
            break;
        }
    }
    if path != *prefix || paths.is_empty() {
        let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
        paths.push(PathUse { path, name, line });
    }
}

/// Removes comments, string literals and the tests at the end. Line numbers stay the same.
fn strip_non_code(text: &str) -> String {
    let tests = text.find("\n#[cfg(test)]\nmod ").unwrap_or(text.len());
    let mut code = String::with_capacity(tests);
    for line in text[..tests].lines() {
        let mut quoted = false;
        let mut last = ' ';
        for c in line.chars() {
            match c {
                '"' if last != '\\' && last != '\'' => quoted = !quoted,
                '/' if last == '/' && !quoted => {
                    code.pop();
                    break;
                }
                _ if !quoted => code.push(c),
                _ => {}
            }
            last = c;
        }
        code.push('\n');
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::cycles::import_cycles;
    use std::path::PathBuf;

    fn cycles(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
        import_cycles(&imports(&Sources(files.collect())))
    }

    #[test]
    fn re_exported_names_are_resolved_to_their_modules() {
        let below = "pub use deep::Below;\nmod deep;\npub struct Own;\n";
        let files = [("lib.rs", "mod a;\nmod b;\npub use b::Below as Known;\n"), ("b/mod.rs", below)];
        let acyclic =
            [("b/deep.rs", "// use crate::a::A;\npub struct Below;\n"), ("a.rs", "use crate::Known;\npub struct A;\n")];
        assert!(cycles(&[files.as_slice(), &acyclic].concat()).is_empty());
        let cyclic =
            [("b/deep.rs", "pub struct Below(super::super::a::A);\n"), ("a.rs", "use crate::Known;\npub struct A;\n")];
        assert_eq!(
            cycles(&[files.as_slice(), &cyclic].concat()),
            ["\n  a imports b in a.rs:1\n  b imports a in b/deep.rs:1"]
        );
    }

    #[test]
    fn every_branch_of_a_use_tree_counts_and_tests_do_not() {
        let a = "use crate::{\n    b::{self, Two},\n    c::Three as Other,\n};\n\n\
            #[cfg(test)]\nmod tests {\n    use crate::d::Four;\n}\n";
        let targets: Vec<Module> = imports(&Sources(
            [("a.rs", a), ("b.rs", ""), ("c.rs", ""), ("d.rs", "")].map(|(p, t)| (p.into(), t.to_owned())).into(),
        ))
        .into_iter()
        .map(|import| import.to)
        .collect();
        assert_eq!(targets, [["b"], ["b"], ["c"]]);
    }
}
