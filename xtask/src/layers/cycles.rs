//! Import cycles among the modules of one folder.

use super::Import;
use std::collections::{BTreeMap, BTreeSet};

/// The imports between the modules of a folder: importer, imported module, and one location.
type Folder<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a str>>;

/// Describes a shortest cycle for each group of modules that import each other.
pub fn import_cycles(imports: &[Import]) -> Vec<String> {
    let mut folders: BTreeMap<&[String], Folder> = BTreeMap::new();
    for Import { from, to, location } in imports {
        let shared = from.iter().zip(to).take_while(|(a, b)| a == b).count();
        // A folder and the modules in it may import each other.
        if let (Some(a), Some(b)) = (from.get(shared), to.get(shared)) {
            let folder = folders.entry(&from[..shared]).or_default();
            folder.entry(a).or_default().entry(b).or_insert(location);
        }
    }
    let mut descriptions = Vec::new();
    for (folder, modules) in &folders {
        let mut described = BTreeSet::new();
        for module in modules.keys().filter(|module| !module.is_empty()) {
            if described.contains(module) {
                continue;
            }
            if let Some(cycle) = shortest_cycle(modules, module) {
                let steps = cycle.iter().zip(cycle.iter().cycle().skip(1));
                let steps = steps.map(|(from, to)| format!("  {from} imports {to} in {}", modules[from][to]));
                let prefix = if folder.is_empty() { String::new() } else { format!("in {}, ", folder.join("/")) };
                descriptions.push(format!("{prefix}\n{}", steps.collect::<Vec<_>>().join("\n")));
                described.extend(cycle);
            }
        }
    }
    descriptions
}

/// Returns the shortest path of imports from a module back to itself.
fn shortest_cycle<'a>(modules: &Folder<'a>, start: &'a str) -> Option<Vec<&'a str>> {
    let mut paths = vec![vec![start]];
    let mut visited = BTreeSet::new();
    while !paths.is_empty() {
        let mut longer = Vec::new();
        for path in paths {
            let last = path.last().expect("a path begins with a module");
            for next in modules.get(last).into_iter().flat_map(BTreeMap::keys) {
                if *next == start {
                    return Some(path);
                }
                if visited.insert(*next) {
                    longer.push([path.as_slice(), &[*next]].concat());
                }
            }
        }
        paths = longer;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layers::Module;

    fn import(from: &str, to: &str) -> Import {
        let module = |path: &str| -> Module { path.split('/').map(str::to_owned).collect() };
        Import { from: module(from), to: module(to), location: format!("{from}.rs:1") }
    }

    #[test]
    fn a_cycle_is_detected_through_other_modules_and_files() {
        let acyclic = [import("a/one", "b/one"), import("b/two", "c"), import("a/two", "c"), import("a", "a/one")];
        assert!(import_cycles(&acyclic).is_empty());
        let mut cyclic = Vec::from(acyclic);
        cyclic.push(import("c", "a/two"));
        let cycles = import_cycles(&cyclic);
        assert_eq!(cycles[0], "\n  a imports c in a/two.rs:1\n  c imports a in c.rs:1", "the shortest cycle");
        assert_eq!(cycles[1], "\n  b imports c in b/two.rs:1\n  c imports a in c.rs:1\n  a imports b in a/one.rs:1");
    }

    #[test]
    fn a_cycle_within_a_folder_is_reported_with_the_folder() {
        let cycles = import_cycles(&[import("a/one", "a/two"), import("a/two/deep", "a/one"), import("a/one", "a")]);
        assert_eq!(cycles, ["in a, \n  one imports two in a/one.rs:1\n  two imports one in a/two/deep.rs:1"]);
    }
}
