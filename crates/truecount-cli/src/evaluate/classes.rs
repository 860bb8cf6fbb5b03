//! Estimates of samples drawn from a labelled pool with several classes.

use super::EvaluateArgs;
use super::pool::{check_other_file, print_warnings, same_scores};
use crate::error::CliError;
use crate::output;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::requests::check_class_options;
use std::slice;
use truecount::Error;
use truecount::error::ErrorLocation;
use truecount::evaluation::SamplingProtocol;
use truecount::model::SampledRows;
use truecount::multiclass::{ClassProbabilities, MulticlassModel};
use truecount_analysis::TableProblem;
use truecount_analysis::evaluation::{SampleEstimates, overlap_warning_for, samples_in_words, warnings_by_kind};
use truecount_analysis::groups::{GroupNames, NamedGroups};
use truecount_analysis::request::{EstimateRequest, fit_class_methods, predicted_class};
use truecount_tables::groups::{Keys, TestFiles};
use truecount_tables::{LabelClasses, LabelValue, input};

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
    let (models, is_training_data, (rows, counts)) = threads.install(|| {
        let typed = (&classes.class_scores[..], classes.class_count.as_deref());
        let (class_columns, rows) = labelled.file(train, columns, None).read_classes(typed, &ProgressBars)?;
        let (models, omitted) = fit_class_methods(&rows, args.train.typed_methods(), class_columns.len() == 1)?;
        for error in &omitted {
            output::print_message(&format!("warning: left out: {error}"));
        }
        let by = slice::from_ref(&labelled.label);
        let files = TestFiles { required: by, ..TestFiles::new(slice::from_ref(pool), columns, by, &ProgressBars) };
        let groups = files.with_class_files(|files| files.read(&class_columns, &models[0], classes))?;
        let in_pool = |error: Error| error.or_location(ErrorLocation::file(input::name(pool)).column(&labelled.label));
        let pool = sort_by_class(&groups, &models[0], &labelled.classes()).map_err(in_pool)?;
        Ok::<_, Error>((models, rows.has_rows(&pool.0, &pool.1), pool))
    })?;
    if is_training_data {
        return Err(same_scores());
    }
    let names: Vec<String> = models.iter().map(|model| model.method().to_string()).collect();
    request.reference_index(names.iter())?;
    let (name, size) = (input::name(pool), request.size);
    let with_words = |(n, class): (&usize, &String)| (*n, format!("rows of class '{class}'"));
    let class_rows: Vec<(usize, String)> = counts.iter().zip(models[0].names()).map(with_words).collect();
    let result = threads
        .install(|| request.evaluate_classes(&WithBar("samples"), &models, (&rows, &counts)))
        .map_err(|error| error.in_file(&name))?;
    if let Some(warning) = overlap_warning_for(&class_rows, "rows", args.protocol, size) {
        output::print_message(&format!("warning: {name}: {warning} (--size)"));
    }
    let shares = match args.protocol {
        SamplingProtocol::Natural => "simple random samples of the pool",
        _ => "shares uniform on the simplex",
    };
    let n = rows.len();
    output::print_message(&format!(
        "evaluated on {} of {size} rows, drawn from the {n} rows in {name}: {shares}",
        samples_in_words(samples as usize)
    ));
    let warnings = warnings_by_kind(&result.estimates, |estimate| &estimate.warnings).into_iter();
    print_warnings(&names, warnings.map(|(method, warning, place)| (method, format!("{place}{warning}"))));
    Ok(result.evaluated)
}

/// Returns the rows of groups with a label each, sorted by class, and the number of rows of each class.
fn sort_by_class(
    groups: &NamedGroups<ClassProbabilities, Keys>,
    model: &MulticlassModel,
    labels: &LabelClasses,
) -> Result<(ClassProbabilities, Vec<usize>), Error> {
    let texts = groups.keys.reader();
    let (mut tables, mut counts) = (Vec::new(), vec![0; model.names().len()]);
    for (group, table) in groups.contents.iter().enumerate() {
        let label = texts.text(group, 0);
        match predicted_class(&label, model.names()) {
            Some(class) => {
                counts[class] += usize::try_from(table.n()).expect("a row in memory");
                tables.push((class, table));
            }
            None if labels.is_ignored(&LabelValue::new(&label)) => (),
            None => {
                let verdicts = model.names().to_vec();
                return Err(TableProblem::VerdictUnknown { value: label, verdicts }.into());
            }
        }
    }
    tables.sort_by_key(|(class, _)| *class);
    let tables: Vec<&ClassProbabilities> = tables.into_iter().map(|(_, table)| table).collect();
    let rows = if tables.is_empty() {
        ClassProbabilities::new(&[], model.verdicts().len())?
    } else {
        ClassProbabilities::concat(&tables).expanded().into_owned()
    };
    Ok((rows, counts))
}
