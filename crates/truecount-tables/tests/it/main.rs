//! Integration tests of `truecount-tables`, in one program, so that dependencies are linked only once.

mod common;
mod damage;
mod groups;
mod input_files;
mod output_files;
mod rows;
mod side_tables;
mod tallies;
mod types;
mod writers;
