//! Estimates of samples drawn from a labelled pool with several classes.

use super::EvaluateArgs;
use super::pool::print_warnings;
use crate::error::CliError;
use crate::options::TrainColumnArgs;
use crate::output;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::requests::{ClassSource, with_class_model};
use truecount::Error;
use truecount::evaluation::SamplingProtocol;
use truecount::multiclass::ClassProbabilities;
use truecount_analysis::AnalysisProblem;
use truecount_analysis::evaluation::{SampleEstimates, overlap_warning_for, warnings_by_kind};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::request::predicted_class;
use truecount_analysis::rows::GroupCells;
use truecount_tables::groups::{Keys, TestFiles};
use truecount_tables::{LabelClasses, LabelValue, input};

/// The rows of a pool, sorted by class, and the number of rows of each class.
type ClassPool = (ClassProbabilities, Vec<usize>);

pub fn estimates(args: &EvaluateArgs) -> Result<Vec<SampleEstimates>, CliError> {
    let (request, classes, labelled) = (args.request(), args.class_request(), &args.train.labelled);
    let (_, samples, _) = request.sampling()?;
    let paths = [args.pool.clone().expect("--class-scores excludes --estimates")];
    let typed = args.train.typed_methods();
    let methods = if typed.is_empty() { vec![typed] } else { typed.chunks(1).collect() };
    let (mut models, mut pool) = (Vec::new(), None);
    for methods in methods {
        let files = TestFiles::new(&[], args.columns.get(), &[], &ProgressBars);
        let train_columns = &TrainColumnArgs::default();
        let source = ClassSource { labelled, train_columns, methods, files, threads: args.threads };
        models.push(with_class_model(&source, &paths, &classes, |model, read| {
            if pool.is_none() {
                pool = Some(class_pool(&read(&paths)?, (model.names(), model.verdicts().len()), &labelled.classes())?);
            }
            Ok(model.clone())
        })?);
    }
    let (rows, counts) = pool.expect("there are models");
    let names: Vec<String> = models.iter().map(|model| model.method().to_string()).collect();
    request.reference_index(names.iter())?;
    let (name, size) = (input::name(&paths[0]), request.size);
    let words: Vec<String> = models[0].names().iter().map(|class| format!("rows of class '{class}'")).collect();
    let words: Vec<(usize, &str)> = counts.iter().copied().zip(words.iter().map(String::as_str)).collect();
    if let Some(warning) = overlap_warning_for(&words, "rows", args.protocol, size) {
        output::print_message(&format!("warning: {name}: {warning} (--size)"));
    }
    let result = parallel::pool(args.threads)?
        .install(|| request.evaluate_classes(&WithBar("samples"), &models, (&rows, counts)))
        .map_err(|error| error.in_file(&name))?;
    let shares = match args.protocol {
        SamplingProtocol::Natural => "simple random samples of the pool",
        _ => "shares uniform on the simplex",
    };
    let rows = rows.len();
    output::print_message(&format!(
        "evaluated on {samples} samples of {size} rows, drawn from the {rows} rows in {name}: {shares}"
    ));
    let warnings = warnings_by_kind(&result.estimates, |estimate| &estimate.warnings).into_iter();
    print_warnings(&names, warnings.map(|(method, warning, place)| (method, format!("{place}{warning}"))));
    Ok(result.evaluated)
}

/// Returns the rows of a pool, whose groups have one label each, for these classes.
fn class_pool(
    cells: &GroupCells<ClassProbabilities, Keys>,
    (names, verdicts): (&[String], usize),
    labels: &LabelClasses,
) -> Result<ClassPool, Error> {
    let texts = cells.names.reader();
    let (mut tables, mut counts) = (Vec::new(), vec![0; names.len()]);
    for (table, group) in cells.contents.iter().zip(&cells.groups) {
        let label = texts.text(*group as usize, 0);
        match predicted_class(&label, names) {
            Some(class) => {
                counts[class] += table.expanded().len();
                tables.push((class, table));
            }
            None if labels.is_ignored(&LabelValue::new(&label)) => (),
            None => {
                let problem = format!("{{--pool}} has rows with the label '{label}', but {{--train}} has none");
                return Err(AnalysisProblem::option_conflict(problem, "leave these rows out with {--ignore-label}"));
            }
        }
    }
    tables.sort_by_key(|(class, _)| *class);
    let tables: Vec<&ClassProbabilities> = tables.into_iter().map(|(_, table)| table).collect();
    let rows = if tables.is_empty() {
        ClassProbabilities::new(&[], verdicts)?
    } else {
        ClassProbabilities::concat(&tables).expanded().into_owned()
    };
    Ok((rows, counts))
}
