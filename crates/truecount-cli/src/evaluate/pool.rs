//! Estimates of samples drawn from a labelled pool.

use super::EvaluateArgs;
use crate::error::CliError;
use crate::options::LabelledArgs;
use crate::parallel::WithBar;
use crate::progress::ProgressBars;
use crate::{models, output, parallel};
use indexmap::IndexMap;
use std::path::Path;
use truecount::Error;
use truecount::scores::PerClass;
use truecount_analysis::advice::format_warning;
use truecount_analysis::evaluation::{
    LabelledPool, PoolEvaluation, SampleEstimates, describe_sampling, overlap_warning,
};
use truecount_analysis::output::method_list;
use truecount_analysis::{AnalysisProblem, ScoreValues};
use truecount_tables::LabelledFile;
use truecount_tables::input::{self, Identity};

pub fn estimates(args: &EvaluateArgs) -> Result<SampleEstimates, CliError> {
    let request = args.request();
    let (_, samples, _) = request.sampling()?;
    let path = args.pool.as_ref().expect("there are --pool or --estimates");
    let labelled = &args.train.labelled;
    input::check_used_once(labelled.paths().chain([path]))?;
    let columns = args.columns.get();
    let model = models::train(&args.train, &args.train.settings()?, &columns)?;
    // The pool has its own labels. Samples are simple draws of its rows, so weights and clusters do not matter.
    let file = labelled.file(path, columns.for_model(&model), model.unit_interval());
    let scores =
        LabelledFile { labels: None, weight: None, cluster: None, label_stratum: None, ..file }.read(&ProgressBars)?;
    check_other_file(labelled, path)?;
    // The positives are first.
    let [positive, negative] = [scores.positive().len(), scores.negative().len()];
    let is_positive: Vec<bool> = (0..positive + negative).map(|row| row < positive).collect();
    let both = |values: &PerClass<Vec<f64>>| [values.positive.as_slice(), &values.negative].concat();
    let probabilities = scores.probabilities().map(both);
    let values = ScoreValues { scores: both(scores.scores()), probabilities, weights: None };
    let pool = LabelledPool { positive: &is_positive, sets: vec![values.map(Vec::as_slice)] };
    let models = [("", &model)];
    let evaluation = PoolEvaluation::new(&models, &pool, &request);
    let evaluation = evaluation.map_err(|error| pool_error(error, path))?;
    let names: Vec<String> = model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect();
    request.reference_index(names.iter())?;
    if let Some(warning) = overlap_warning([positive, negative], args.protocol, request.size) {
        output::print_message(&format!("warning: {}: {warning} (--size)", input::name(path)));
    }
    let result = parallel::pool(args.threads)?.install(|| evaluation.run(&WithBar("samples")))?;
    let sampling =
        describe_sampling(samples as usize, request.size, [positive, negative], &input::name(path), args.protocol);
    output::print_message(&format!("evaluated on {sampling}"));
    for line in output::fit_notes(&model).into_iter().chain(output::diagnostics(&model)) {
        output::print_message(&line);
    }
    let warnings = result.warnings().into_iter();
    print_warnings(&names, warnings.map(|(method, warning, place)| (method, place + &format_warning(warning))));
    Ok(result.evaluated)
}

/// Prints each warning with its methods.
pub fn print_warnings(methods: &[String], warnings: impl Iterator<Item = (usize, String)>) {
    let mut lines: IndexMap<String, Vec<&String>> = IndexMap::new();
    for (method, warning) in warnings {
        lines.entry(warning).or_default().push(&methods[method]);
    }
    for (warning, affected) in lines {
        output::print_message(&format!("warning: {}: {warning}", method_list(&affected, methods.len())));
    }
}

/// Checks that the pool is not the file of the labelled scores.
pub fn check_other_file(labelled: &LabelledArgs, pool: &Path) -> Result<(), CliError> {
    let train = labelled.path.as_ref().and_then(|train| Identity::from_path(train));
    if train.is_some() && train == Identity::from_path(pool) { Err(same_scores()) } else { Ok(()) }
}

/// Converts an error about the pool in this file.
fn pool_error(error: Error, path: &Path) -> CliError {
    match error.location().set {
        _ if error.problem() == Some(&AnalysisProblem::PoolIsTrainingData) => same_scores(),
        Some(_) => error.into(),
        None => error.in_file(input::name(path)).into(),
    }
}

/// Returns the error that the pool has the rows of the labelled table.
pub fn same_scores() -> CliError {
    CliError::usage(
        "the errors would be too small, as --train and --pool have the same scores",
        "divide the labelled scores at random into two files, one for each",
    )
}
