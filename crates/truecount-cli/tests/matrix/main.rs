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
    let wrong =
        |case: &Case| references.wrong(&cases, case).into_iter().map(|fault| (case.clone(), fault)).collect::<Vec<_>>();
    let mut faults: Vec<String> = references.promised(&cases, &all);
    for (case, fault) in all.par_iter().flat_map_iter(wrong).collect::<Vec<_>>() {
        match &case.pending {
            Some(why) => println!("pending ({why}): {}: {fault}", case.name),
            None => faults.push(format!("{}: {fault}", case.name)),
        }
    }
    assert!(faults.is_empty(), "{} faults in {} inputs:\n{}", faults.len(), all.len(), faults.join("\n"));
    println!("{} inputs", all.len());
}
