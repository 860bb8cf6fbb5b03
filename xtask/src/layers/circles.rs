//! Import cycles among the modules of one folder.

use super::Import;
use std::collections::{BTreeMap, BTreeSet};

/// Which modules of a folder import which, each with one place where they do.
type Folder<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

/// Describes the shortest cycle through each group of modules that import each other.
pub fn circles(imports: &[Import]) -> Vec<String> {
    let mut folders: BTreeMap<&[String], Folder> = BTreeMap::new();
    for Import { from, to, place } in imports {
        let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // A folder and the modules in it may import each other.
        if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
            let folder = folders.entry(&from[..shared]).or_default();
            folder.entry(a).or_default().entry(b).or_insert(place);
        }
    }
    let mut found = Vec::new();
    for (folder, modules) in &folders {
        let mut told = BTreeSet::new();
        for module in modules.keys().filter(|module| !module.is_empty()) {
            if told.contains(module) {
                continue;
            }
            if let Some(circle) = circle(modules, module) {
                let steps = circle.iter().zip(circle.iter().cycle().skip(1));
                let steps = steps.map(|(from, to)| format!("  {from} imports {to} in {}", modules[from][to]));
                let place = if folder.is_empty() { String::new() } else { format!("in {}, ", named(folder)) };
                found.push(format!("{place}\n{}", steps.collect::<Vec<_>>().join("\n")));
                told.extend(circle);
            }
        }
    }
    found
}

fn named(folder: &[String]) -> String {
    folder.join("/")
}

/// The shortest path of imports from a module back to itself.
fn circle<'a>(modules: &Folder<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut ways = vec![vec![start]];
    let mut seen = BTreeSet::new();
    while !ways.is_empty() {
        let mut longer = Vec::new();
        for way in ways {
            let last = way.last().expect("a way begins somewhere");
            for next in modules.get(last).into_iter().flat_map(BTreeMap::keys) {
                if *next == start {
                    return Some(way);
                }
                if seen.insert(*next) {
                    longer.push([way.as_slice(), &[*next]].concat());
                }
            }
        }
        ways = longer;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Module;

    fn import(from: &str, to: &str) -> Import {
        let module = |path: &str| -> Module { path.split('/').map(str::to_owned).collect() };
        Import { from: module(from), to: module(to), place: format!("{from}.rs:1") }
    }

    #[test]
    fn a_circle_is_found_through_other_modules_and_files() {
        let straight = [import("a/one", "b/one"), import("b/two", "c"), import("a/two", "c"), import("a", "a/one")];
        assert!(circles(&straight).is_empty());
        let mut back = Vec::from(straight);
        back.push(import("c", "a/two"));
        let found = circles(&back);
        assert_eq!(found[0], "\n  a imports c in a/two.rs:1\n  c imports a in c.rs:1", "the shortest way");
        assert_eq!(found[1], "\n  b imports c in b/two.rs:1\n  c imports a in c.rs:1\n  a imports b in a/one.rs:1");
    }

    #[test]
    fn folders_have_circles_of_their_own() {
        let found = circles(&[import("a/one", "a/two"), import("a/two/deep", "a/one"), import("a/one", "a")]);
        assert_eq!(found, ["in a, \n  one imports two in a/one.rs:1\n  two imports one in a/two/deep.rs:1"]);
    }
}
