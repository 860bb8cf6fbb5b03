//! The imports of a crate: every path that begins with `crate`, `self` or `super`, in a `use` or in the code, followed
//! through re-exports. Tests at the end of a file do not count.

use super::{Import, Module, Sources};
use std::collections::BTreeMap;

/// The names that each module re-exports from elsewhere.
type Names = BTreeMap<Module, BTreeMap<String, Module>>;

/// A path in the code, and the name it is given there.
struct Used {
    path: Module,
    name: String,
    line: usize,
}

pub fn imports(sources: &Sources) -> Vec<Import> {
    let folders = ["lib", "main", "mod"];
    let files: Vec<_> = sources.modules(&folders).map(|(module, path, text)| (module, path, code(text))).collect();
    let modules: Vec<&Module> = files.iter().map(|(module, ..)| module).collect();
    let mut names = Names::new();
    for (module, _, text) in &files {
        let own = names.entry(module.clone()).or_default();
        let below = |path: &Module| modules.contains(&&[module.as_slice(), &path[..1]].concat());
        for used in uses(text) {
            if let Some(path) = absolute(&used.path, module)
                .or_else(|| below(&used.path).then(|| [module.as_slice(), &used.path].concat()))
            {
                own.insert(used.name, path);
            }
        }
    }
    let mut imports = Vec::new();
    for (from, path, text) in &files {
        for Used { path: used, line, .. } in paths(text) {
            if let Some(absolute) = absolute(&used, from) {
                let to = followed(&absolute, &modules, &names);
                imports.push(Import { from: from.clone(), to, place: format!("{}:{line}", path.display()) });
            }
        }
    }
    imports
}

/// Where a path leads: through modules as far as there are any, then through re-exports.
fn followed(path: &[String], modules: &[&Module], names: &Names) -> Module {
    let mut place = Module::new();
    let mut rest = path.to_vec();
    // A re-export may lead to another one, but not to itself; after this many steps it must be a cycle.
    for _ in 0..32 {
        let Some(next) = rest.first().cloned() else { break };
        let below = [place.as_slice(), std::slice::from_ref(&next)].concat();
        if modules.contains(&&below) {
            place = below;
            rest.remove(0);
        } else if let Some(elsewhere) = names.get(&place).and_then(|names| names.get(&next)) {
            rest = [elsewhere.as_slice(), &rest[1..]].concat();
            place = Module::new();
        } else {
            break;
        }
    }
    place
}

/// The path from the root of the crate, if it is a path within this crate.
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

/// Every `use`, split into its paths.
fn uses(text: &str) -> Vec<Used> {
    let starts = text.match_indices("use ").filter(|(at, _)| {
        let before = text[..*at].trim_end_matches(' ');
        before.is_empty() || before.ends_with(['\n', ')']) || before.ends_with("pub")
    });
    starts.flat_map(|(at, word)| tree(text, at + word.len())).collect()
}

/// Every path that begins with `crate`, `self` or `super`.
fn paths(text: &str) -> Vec<Used> {
    let mut found = Vec::new();
    for word in ["crate::", "self::", "super::"] {
        for (at, _) in text.match_indices(word) {
            let before = text[..at].chars().next_back();
            // In the middle of a path, it belongs to a path already found.
            if !before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':')) {
                found.extend(tree(text, at));
            }
        }
    }
    found
}

/// The paths of the `use` tree that begins there.
fn tree(text: &str, at: usize) -> Vec<Used> {
    let line = 1 + text[..at].matches('\n').count();
    let mut found = Vec::new();
    branch(&mut text[at..].chars().peekable(), &Module::new(), line, &mut found);
    found
}

fn branch(text: &mut std::iter::Peekable<std::str::Chars>, above: &Module, line: usize, found: &mut Vec<Used>) {
    let mut path = above.clone();
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
                branch(text, &path, line, found);
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
            let mut other = String::new();
            while let Some(c) = text.next_if(|c| c.is_alphanumeric() || *c == '_') {
                other.push(c);
            }
            name = Some(other);
            break;
        } else {
            break;
        }
    }
    if path != *above || found.is_empty() {
        let name = name.or_else(|| path.last().cloned()).unwrap_or_default();
        found.push(Used { path, name, line });
    }
}

/// The code without comments, string literals and the tests at its end; line numbers stay the same.
fn code(text: &str) -> String {
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
    use crate::layers::circles::circles;
    use std::path::PathBuf;

    fn found(files: &[(&str, &str)]) -> Vec<String> {
        let files = files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned()));
        circles(&imports(&Sources(files.collect())))
    }

    #[test]
    fn names_are_followed_to_where_they_come_from() {
        let below = "pub use deep::Below;\nmod deep;\npub struct Own;\n";
        let files = [("lib.rs", "mod a;\nmod b;\npub use b::Below as Known;\n"), ("b/mod.rs", below)];
        let straight =
            [("b/deep.rs", "// use crate::a::A;\npub struct Below;\n"), ("a.rs", "use crate::Known;\npub struct A;\n")];
        assert!(found(&[files.as_slice(), &straight].concat()).is_empty());
        let back =
            [("b/deep.rs", "pub struct Below(super::super::a::A);\n"), ("a.rs", "use crate::Known;\npub struct A;\n")];
        assert_eq!(
            found(&[files.as_slice(), &back].concat()),
            ["\n  a imports b in a.rs:1\n  b imports a in b/deep.rs:1"]
        );
    }

    #[test]
    fn every_branch_counts_and_tests_do_not() {
        let a = "use crate::{\n    b::{self, Two},\n    c::Three as Other,\n};\n\n#[cfg(test)]\nmod tests {\n    use crate::d::Four;\n}\n";
        let own: Vec<Module> = imports(&Sources(
            [("a.rs", a), ("b.rs", ""), ("c.rs", ""), ("d.rs", "")].map(|(p, t)| (p.into(), t.to_owned())).into(),
        ))
        .into_iter()
        .map(|import| import.to)
        .collect();
        assert_eq!(own, [["b"], ["b"], ["c"]]);
    }
}
