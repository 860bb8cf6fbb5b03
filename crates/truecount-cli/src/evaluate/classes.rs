//! Estimates of samples drawn from a labelled pool with several classes.

use super::EvaluateArgs;
use super::pool::{check_other_file, print_warnings, same_scores};
use crate::error::CliError;
use crate::output;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::requests::check_class_options;
use indexmap::IndexSet;
use std::slice;
use truecount::Error;
use truecount::evaluation::SamplingProtocol;
use truecount::model::SampledRows;
use truecount::multiclass::{ClassProbabilities, MulticlassMethod, MulticlassModel};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::evaluation::{SampleEstimates, overlap_warning_for, warnings_by_kind};
use truecount_analysis::groups::{GroupNames, NamedGroups};
use truecount_analysis::request::{EstimateRequest, class_method, predicted_class};
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
        let methods = args.train.typed_methods();
        let methods = if methods.is_empty() { vec![methods] } else { methods.chunks(1).collect() };
        let methods = methods.into_iter().map(|method| class_method(method, class_columns.len() == 1));
        let methods: IndexSet<MulticlassMethod> = methods.collect::<Result<_, _>>()?;
        let models = methods.into_iter().map(|method| MulticlassModel::fit(&rows, method));
        let models: Vec<MulticlassModel> = models.collect::<Result<_, _>>()?;
        let by = slice::from_ref(&labelled.label);
        let files = TestFiles { required: by, ..TestFiles::new(slice::from_ref(pool), columns, by, &ProgressBars) };
        let groups = files.with_class_files(|files| files.read(&class_columns, &models[0], classes))?;
        let pool = sort_by_class(&groups, &models[0], &labelled.classes())?;
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
        "evaluated on {samples} samples of {size} rows, drawn from the {n} rows in {name}: {shares}"
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
                let problem = format!("{{--pool}} has rows with the label '{label}', but {{--train}} has none");
                return Err(AnalysisProblem::option_conflict(problem, "leave these rows out with {--ignore-label}"));
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
