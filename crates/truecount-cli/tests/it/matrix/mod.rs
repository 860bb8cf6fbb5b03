//! A table of inputs (`cases.json`), each read by every command. The answer must equal the answer
//! for a plain file of the same values, or be an error that says what is wrong and where. No run
//! may panic, hang, leave a file behind or change its input.
//!
//! `python/tests/test_matrix.py` passes the same values to Python and SQL.
#![cfg(unix)] // pipes and links

mod cases;
mod encode;
mod input;
mod references;

use cases::{Case, Cases};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use references::References;
use std::collections::HashSet;

#[test]
fn every_command_reads_every_input() {
    let cases = Cases::read();
    let all = cases.all();
    let names: HashSet<&str> = all.iter().map(|case| case.name.as_str()).collect();
    assert!(names.len() == all.len() && all.len() >= 300, "{} names of {} inputs", names.len(), all.len());
    let references = References::new(&cases, &all);
    let mut faults: Vec<String> = references.reference_deviations(&cases, &all);
    let results: Vec<(&Case, Vec<String>)> =
        all.par_iter().map(|case| (case, references.deviations(&cases, case))).collect();
    for (Case { name, pending, .. }, deviations) in results {
        match pending {
            Some(why) if deviations.is_empty() => faults.push(format!("{name}: passes, but is pending ({why})")),
            Some(why) => println!("pending ({why}): {name}: {}", deviations.join("; ")),
            None => faults.extend(deviations.into_iter().map(|deviation| format!("{name}: {deviation}"))),
        }
    }
    assert!(faults.is_empty(), "{} faults in {} inputs:\n{}", faults.len(), all.len(), faults.join("\n"));
    println!("{} inputs", all.len());
}
