//! `truecount._core`: what the Python package leaves to Rust. It takes numpy arrays that its Python face has made of whatever
//! the caller had, releases the GIL, and returns numpy arrays and plain values.

// Arguments come from Python as values, and results go there as tuples.
#![allow(clippy::needless_pass_by_value, clippy::type_complexity)]

mod arrow;
mod audit;
mod audits;
mod check;
mod command;
mod counts;
mod curves;
mod described;
mod error;
mod estimates;
mod evaluation;
mod executor;
mod groups;
mod keys;
mod model;
mod monitor;
mod named;
mod plan;
mod report;
mod summed;
mod tally;
mod text;
mod together;

use pyo3::pymodule;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::arrow::{floats, table};
    #[pymodule_export]
    use crate::audit::audit;
    #[pymodule_export]
    use crate::audits::{audits, draw_audit, plan_audit};
    #[pymodule_export]
    use crate::check::{check, families};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::counts::counts;
    #[pymodule_export]
    use crate::curves::{densities, thresholds, transformed};
    #[pymodule_export]
    use crate::evaluation::{compare, errors, holm, mean, rows_of_samples};
    #[pymodule_export]
    use crate::groups::{number_floats, number_integers, number_pairs, number_values, sorted_by_group};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::monitor::monitor;
    #[pymodule_export]
    use crate::named::{methods_that, names};
    #[pymodule_export]
    use crate::plan::plan;
    #[pymodule_export]
    use crate::report::report;
    #[pymodule_export]
    use crate::tally::Tally;
    #[pymodule_export]
    use crate::text::{align, p_value, truncate, visible, wrap, write_file};
    #[pymodule_export]
    use crate::together::{groups_apart, methods_apart, samples_apart};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
