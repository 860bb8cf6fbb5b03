//! One table of inputs (`cases.json`), each through every door of the command: the answer is that of the same values written plainly,
//! or an error that says what is wrong and where. No run panics, hangs, leaves a file behind or changes its input.
//!
//! `python/tests/test_matrix.py` asks Python and SQL for the same values.
#![cfg(unix)] // pipes and links

mod doors;
mod given;
mod table;
mod written;

use doors::References;
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::collections::HashSet;
use table::{Case, Cases};

#[test]
fn every_input_through_every_door() {
    let cases = Cases::read();
    let all = cases.all();
    let names: HashSet<&str> = all.iter().map(|case| case.name.as_str()).collect();
    assert!(names.len() == all.len() && all.len() >= 300, "{} names of {} inputs", names.len(), all.len());
    let references = References::new(&cases, &all);
    let mut faults: Vec<String> = references.promised(&cases, &all);
    let answered: Vec<(&Case, Vec<String>)> =
        all.par_iter().map(|case| (case, references.wrong(&cases, case))).collect();
    for (Case { name, pending, .. }, wrong) in answered {
        match pending {
            Some(why) if wrong.is_empty() => faults.push(format!("{name}: is right, and marked as pending ({why})")),
            Some(why) => println!("pending ({why}): {name}: {}", wrong.join("; ")),
            None => faults.extend(wrong.into_iter().map(|fault| format!("{name}: {fault}"))),
        }
    }
    assert!(faults.is_empty(), "{} faults in {} inputs:\n{}", faults.len(), all.len(), faults.join("\n"));
    println!("{} inputs", all.len());
}
