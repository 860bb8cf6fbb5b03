//! Estimates of samples drawn from a labelled pool.

use super::{Evaluate, reference};
use crate::failure::CliError;
use crate::parallel::WithBar;
use crate::progress::ProgressBars;
use crate::{models, output, parallel};
use std::path::Path;
use truecount::{Error, Estimates, IntervalOptions, LabelledScores, PerClass, Target};
use truecount_analysis::evaluation::{
    LabelledPool, PoolEvaluation, PoolResult, SampleEstimates, SamplingOptions, describe_sampling, overlap_warning,
};
use truecount_analysis::{AnalysisProblem, ScoreValues};
use truecount_tables::LabelledFile;
use truecount_tables::input::{self, Identity};

/// Scores in a sample, unless given.
const SIZE: u32 = 250;

pub fn estimates(args: &Evaluate) -> Result<SampleEstimates, CliError> {
    IntervalOptions::new(args.level, Target::Sample)?;
    let path = args.pool.as_ref().expect("there are --pool or --estimates");
    let samples = args.samples()?;
    let labelled = &args.train.labelled;
    input::once_each(labelled.path.iter().chain([path]))?;
    let columns = args.columns.get();
    let model = models::train(&args.train, &args.train.settings()?, &columns)?;
    // The pool is what samples are drawn from, row by row: its weights and clusters do not matter.
    let file = labelled.file(path, columns.for_model(&model), model.unit_interval());
    let scores = LabelledFile { weight: None, cluster: None, ..file }.read(&ProgressBars)?;
    if labelled
        .path
        .as_ref()
        .and_then(|train| Identity::from_path(train))
        .is_some_and(|train| Identity::from_path(path) == Some(train))
    {
        return Err(same_scores());
    }
    let (size, [positive, negative]) =
        (args.size.unwrap_or(SIZE) as usize, [scores.positive().len(), scores.negative().len()]);
    let flags: Vec<bool> = (0..positive + negative).map(|row| row < positive).collect();
    let all = rows(&scores);
    let pool = LabelledPool { positive: &flags, sets: vec![all.map(Vec::as_slice)] };
    let drawing = SamplingOptions { protocol: args.protocol, samples: Some(samples), size, seed: args.seed };
    let models = [("", &model)];
    let evaluation = PoolEvaluation::new(&models, &pool, drawing, args.level);
    let evaluation = evaluation.map_err(|error| explain_pool(error, path))?;
    let names: Vec<String> = model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect();
    reference(&names, args.reference.as_deref())?;
    if let Some(warning) = overlap_warning([positive, negative], args.protocol, size) {
        output::say(&format!("warning: {}: {warning} (--size)", input::name(path)));
    }
    let PoolResult { evaluated, estimates } =
        parallel::pool(args.threads)?.install(|| evaluation.run(&WithBar("samples")))?;
    let what = describe_sampling(samples as usize, size, [positive, negative], &input::name(path), args.protocol);
    output::say(&format!("drawn: {what}"));
    for line in output::fit_notes(&model).into_iter().chain(output::diagnostics(&model)) {
        output::say(&line);
    }
    let estimates: Vec<Estimates> = estimates.into_iter().map(Estimates::from_iter).collect();
    output::warn(&model, 0..samples, &estimates);
    Ok(evaluated)
}

/// The columns of a pool, the positives first.
fn rows(scores: &LabelledScores) -> ScoreValues<Vec<f64>> {
    let both = |of: &PerClass<Vec<f64>>| [of.positive.as_slice(), &of.negative].concat();
    ScoreValues { scores: both(scores.scores()), probabilities: scores.probabilities().map(both), weights: None }
}

/// Why no samples can be drawn from the pool in this file.
fn explain_pool(error: Error, path: &Path) -> CliError {
    match error.location().set {
        _ if error.problem() == Some(&AnalysisProblem::PoolLearntFrom) => same_scores(),
        Some(_) => error.into(),
        None => error.in_file(input::name(path)).into(),
    }
}

fn same_scores() -> CliError {
    CliError::Usage(
        "--train and --pool have the same scores: errors on what the methods have learnt from are too small; divide the \
         labelled scores at random into two files, one for each"
            .to_owned(),
    )
}
