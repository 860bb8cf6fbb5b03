//! Estimates of samples drawn from a labelled pool with several classes.

use super::EvaluateArgs;
use super::pool::{check_other_file, print_warnings, same_scores};
use crate::error::CliError;
use crate::output;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::requests::check_class_options;
use truecount::Error;
use truecount::evaluation::SamplingProtocol;
use truecount_analysis::evaluation::{SampleEstimates, samples_in_words, warnings_by_kind};
use truecount_analysis::request::{EstimateRequest, fit_class_methods};
use truecount_tables::input;

/// Draws samples and estimates them. `classes` has the columns of the classes.
pub fn estimates(args: &EvaluateArgs, classes: &EstimateRequest) -> Result<Vec<SampleEstimates>, CliError> {
    if args.output.is_some() || args.figures.is_some() {
        let hint = "leave them out; --format json has the errors of every class";
        return Err(CliError::usage("--output and --figures cannot be used with --class-scores", hint));
    }
    let request = args.request();
    let (_, samples, _) = request.sampling()?;
    let (labelled, columns) = (&args.train.labelled, args.columns.get());
    check_class_options(labelled, classes)?;
    let (train, pool) = labelled.path.as_ref().zip(args.pool.as_ref()).expect("--pool requires --train");
    input::check_used_once([train, pool])?;
    check_other_file(labelled, pool)?;
    let threads = parallel::pool(args.threads)?;
    let (models, is_training_data, rows) = threads.install(|| {
        let typed = (&classes.class_scores[..], classes.class_count.as_deref());
        let (class_columns, rows) = labelled.file(train, columns, None).read_classes(typed, &ProgressBars)?;
        let (models, omitted) = fit_class_methods(&rows, args.train.typed_methods(), class_columns.len() == 1)?;
        for error in &omitted {
            output::print_message(&format!("warning: left out: {error}"));
        }
        let pool =
            labelled.file(pool, columns, None).read_class_pool(&class_columns, &models[0], classes, &ProgressBars)?;
        Ok::<_, Error>((models, rows.has_rows(&pool.rows, &pool.counts), pool))
    })?;
    if is_training_data {
        return Err(same_scores());
    }
    let names: Vec<String> = models.iter().map(|model| model.method().to_string()).collect();
    request.reference_index(names.iter())?;
    let (name, size) = (input::name(pool), request.size);
    let result = threads
        .install(|| request.evaluate_classes(&WithBar("samples"), &models, &rows))
        .map_err(|error| error.in_file(&name))?;
    if let Some(warning) = rows.overlap_warning(args.protocol, size) {
        output::print_message(&format!("warning: {name}: {warning} (--size)"));
    }
    let shares = match args.protocol {
        SamplingProtocol::Natural => "simple random samples of the pool",
        _ => "shares uniform on the simplex",
    };
    let n = rows.rows.len();
    output::print_message(&format!(
        "evaluated on {} of {size} rows, drawn from the {n} rows in {name}: {shares}",
        samples_in_words(samples as usize)
    ));
    let warnings = warnings_by_kind(&result.estimates, |estimate| &estimate.warnings).into_iter();
    print_warnings(&names, warnings.map(|(method, warning, place)| (method, format!("{place}{warning}"))));
    Ok(result.evaluated)
}
