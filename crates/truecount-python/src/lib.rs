//! `truecount._core`, the compiled half of the Python package.
//!
//! The package's Python code converts arguments to numpy arrays. The functions here release the
//! GIL, and return numpy arrays and plain values.

// Arguments come from Python as values, and results go there as tuples.
#![allow(clippy::needless_pass_by_value, clippy::type_complexity)]

mod arrow;
mod audit;
mod audited_rows;
mod check;
mod command;
mod counts;
mod curves;
mod differences;
mod error;
mod estimates;
mod evaluation;
mod executor;
mod experiment;
mod groups;
mod keys;
mod model;
mod monitor;
mod multiclass;
mod options;
mod periods;
mod plan;
mod report;
mod request;
mod tables;
mod tally;
mod text;

use pyo3::pymodule;

#[pymodule(gil_used = false)]
mod _core {
    #[pymodule_export]
    use crate::arrow::{arrow_table, floats};
    #[pymodule_export]
    use crate::audit::{audit, audit_classes, draw_audit, plan_audit};
    #[pymodule_export]
    use crate::check::{check, family_test};
    #[pymodule_export]
    use crate::command::command;
    #[pymodule_export]
    use crate::counts::{compare_counts, counts};
    #[pymodule_export]
    use crate::curves::{densities, threshold_variances, transformed_scores};
    #[pymodule_export]
    use crate::differences::{StoredEstimates, compare_groups, compare_methods, compare_samples, estimate_sample};
    #[pymodule_export]
    use crate::evaluation::{draw_samples, evaluate, mean, measure_errors};
    #[pymodule_export]
    use crate::experiment::{experiment, read_samples};
    #[pymodule_export]
    use crate::groups::{factorize_floats, factorize_integers, factorize_pairs, factorize_values, sort_by_group};
    #[pymodule_export]
    use crate::model::Model;
    #[pymodule_export]
    use crate::monitor::monitor;
    #[pymodule_export]
    use crate::multiclass::PyMulticlassModel;
    #[pymodule_export]
    use crate::options::{methods_with, names};
    #[pymodule_export]
    use crate::periods::{dates, periods};
    #[pymodule_export]
    use crate::plan::{plan, plan_curves};
    #[pymodule_export]
    use crate::report::report;
    #[pymodule_export]
    use crate::tally::Tally;
    #[pymodule_export]
    use crate::text::{align, escape_untrusted, format_p_value, truncate, wrap, write_file};

    use pyo3::prelude::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
