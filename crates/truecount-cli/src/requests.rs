//! Answers to requests about files.

use crate::error::CliError;
use crate::models::{model_for, test_files};
use crate::options::{LabelledArgs, ModelArgs, TestArgs, TrainColumnArgs};
use crate::output::{CommandEstimates, print_wrapped_message};
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::strata::StratifiedTable;
use std::borrow::Cow;
use std::path::PathBuf;
use truecount::multiclass::{ClassProbabilities, MulticlassMethod, MulticlassModel};
use truecount::{Error, Model};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::groups::MAX_CHECKED_GROUPS;
use truecount_analysis::output::{ClassCheckOutput, ClassShareOutput, GroupBlocks};
use truecount_analysis::request::{CompareRequest, EstimateRequest, class_method};
use truecount_analysis::rows::{GroupCells, TestRows};
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::groups::{FileRows, Keys, ScoreColumns, TestFiles};
use truecount_tables::input;
use truecount_tables::parallel::AllThreads;

/// Reads test scores and the models of a request, and estimates the groups.
pub fn estimate(
    test_args: &TestArgs,
    paths: &[PathBuf],
    request: &EstimateRequest,
) -> Result<CommandEstimates<'static>, CliError> {
    let pool = parallel::pool(test_args.threads)?;
    if let Some(column) = &request.model_stratum {
        return pool.install(|| estimate_by_stratum(test_args, paths, request, column));
    }
    let model = model_for(test_args, paths)?;
    let rows = file_rows(test_args, paths, request, &model);
    let estimates = pool.install(|| request.run(&WithBar("bootstrap"), &rows, &model))?;
    let resamples = request.resampling()?.map(|resampling| resampling.resamples);
    Ok(CommandEstimates::new(Cow::Owned(model), estimates, resamples))
}

/// Tallies test scores and estimates groups that need [only their tallies](EstimateRequest::needs_only_tallies).
/// Returns blocks if there are more than 20,000 groups.
pub fn estimate_tallies(
    test_args: &TestArgs,
    paths: &[PathBuf],
    request: &EstimateRequest,
) -> Result<Result<CommandEstimates<'static>, GroupBlocks<Keys>>, CliError> {
    let pool = parallel::pool(test_args.threads)?;
    let model = model_for(test_args, paths)?;
    let counting = request.counting_model(&model).unwrap_or_else(|| model.clone());
    let (rows, options) = (file_rows(test_args, paths, request, &model), request.interval_options()?);
    Ok(pool.install(|| {
        let groups = rows.files.tally(&counting)?;
        if groups.contents.len() > MAX_CHECKED_GROUPS {
            return GroupBlocks::new(&AllThreads, &counting, groups, options).map(Err);
        }
        let estimates = request.answer(&counting, groups.estimate(&AllThreads, &counting, &options)?)?;
        Ok::<_, Error>(Ok(CommandEstimates::new(Cow::Owned(model), estimates, None)))
    })?)
}

/// Reads labelled and test probabilities of several classes, and estimates their shares in the groups.
pub fn estimate_classes(
    test_args: &TestArgs,
    paths: &[PathBuf],
    request: &EstimateRequest,
) -> Result<ClassShareOutput<Keys>, CliError> {
    with_class_model(&ClassSource::new(test_args), paths, request, |model, read| {
        Ok(ClassShareOutput::new(model, request.run_classes(&WithBar("classes"), model, read(paths)?)?))
    })
}

/// Compares the shares of several classes in groups with each other, or with those of other files.
pub fn compare_classes(
    test_args: &TestArgs,
    [paths, others]: [&[PathBuf]; 2],
    request: &CompareRequest,
) -> Result<ClassShareOutput<Keys>, CliError> {
    if others.is_empty() {
        return Ok(estimate_classes(test_args, paths, &request.of_groups())?.only_differences());
    }
    let all = [paths, others].concat();
    let source = ClassSource::new(test_args);
    let (output, messages) = with_class_model(&source, &all, &request.estimate, |model, read| {
        let [own_name, name] = [&test_args.test, &others.to_vec()].map(|paths| input::title(paths));
        request.run_class_samples(&WithBar("classes"), model, [read(paths)?, read(others)?], [&own_name, &name])
    })?;
    for message in &messages {
        print_wrapped_message(message);
    }
    Ok(output.only_differences())
}

/// Tests whether the rows of groups are a mix of the labelled classes.
pub fn check_classes(
    source: &ClassSource,
    paths: &[PathBuf],
    request: &EstimateRequest,
) -> Result<ClassCheckOutput<Keys>, CliError> {
    with_class_model(source, paths, request, |model, read| {
        // `check` names no method, so `ac` means predicted classes.
        if model.method() == MulticlassMethod::Ac && model.verdicts().len() == model.names().len() {
            return Err(AnalysisProblem::option_conflict(
                "predicted classes alone do not show whether the rows are a mix of the labelled classes",
                "name columns of probabilities in {--class-scores}",
            ));
        }
        Ok(ClassCheckOutput::new(model, request.run_classes(&WithBar("classes"), model, read(paths)?)?))
    })
}

/// Reads labelled probabilities of several classes, and fits the method.
pub fn class_model(
    ModelArgs { train, train_columns, .. }: &ModelArgs,
    columns: ScoreColumns,
    request: &EstimateRequest,
) -> Result<MulticlassModel, CliError> {
    let (methods, files) = (train.typed_methods(), TestFiles::new(&[], columns, &[], &ProgressBars));
    let source = ClassSource { labelled: &train.labelled, train_columns, methods, files, threads: None };
    with_class_model(&source, &[], request, |model, _| Ok(model.clone()))
}

/// The labelled table with probabilities of several classes, and the columns and groups of the new rows.
pub struct ClassSource<'a> {
    pub labelled: &'a LabelledArgs,
    pub train_columns: &'a TrainColumnArgs,
    pub methods: &'a [String],
    pub files: TestFiles<'a>,
    pub threads: Option<u16>,
}

impl<'a> ClassSource<'a> {
    pub fn new(test_args: &'a TestArgs) -> Self {
        let TestArgs { source: ModelArgs { train, train_columns, .. }, threads, .. } = test_args;
        let files = test_files(test_args, &[], test_args.columns.get());
        Self { labelled: &train.labelled, train_columns, methods: train.typed_methods(), files, threads: *threads }
    }
}

/// Reads the rows of files with the probabilities of several classes.
pub type ReadClasses<'a> = &'a dyn Fn(&[PathBuf]) -> Result<GroupCells<ClassProbabilities, Keys>, Error>;

/// Checks the options of labelled rows with several classes.
pub fn check_class_options(train: &LabelledArgs, request: &EstimateRequest) -> Result<(), CliError> {
    if train.label_file.is_some() {
        let hint = "join the labels to the rows of --train by --id, and write them into its column --label";
        return Err(CliError::usage("--label-file cannot be used with --class-scores", hint));
    }
    if request.class_count.is_some() && train.label_weight.is_some() {
        let hint = "write each labelled row into a line of its own, with its weight, and leave out --class-count";
        return Err(CliError::usage("--class-count cannot be used with --label-weight", hint));
    }
    Ok(())
}

/// Reads labelled probabilities of several classes, fits the method, and analyses the rows of these files.
pub fn with_class_model<T: Send>(
    source: &ClassSource,
    paths: &[PathBuf],
    request: &EstimateRequest,
    analyse: impl FnOnce(&MulticlassModel, ReadClasses) -> Result<T, Error> + Send,
) -> Result<T, CliError> {
    let ClassSource { labelled: train, train_columns, files, .. } = source;
    let Some(path) = &train.path else {
        return Err(CliError::usage("there are no labelled scores", "add them with --train FILE"));
    };
    check_class_options(train, request)?;
    input::check_used_once(train.paths().chain(paths))?;
    let labelled = train.file(path, train_columns.for_labelled_table(files.columns), None);
    Ok(parallel::pool(source.threads)?.install(|| {
        let columns = (&request.class_scores[..], request.class_count.as_deref());
        let (classes, labelled) = labelled.read_classes(columns, &ProgressBars)?;
        let model = MulticlassModel::fit(&labelled, class_method(source.methods, classes.len() == 1)?)?;
        analyse(&model, &|paths| {
            FileRows { files: TestFiles { paths, ..*files }, request }.read_classes(&classes, &model)
        })
    })?)
}

/// Returns the rows of a request to be read with this model.
pub fn file_rows<'a>(
    test_args: &'a TestArgs,
    paths: &'a [PathBuf],
    request: &'a EstimateRequest,
    model: &Model,
) -> FileRows<'a> {
    FileRows { files: test_files(test_args, paths, test_args.columns.get().for_model(model)), request }
}

/// Reads labelled and test scores, fits a model to each stratum, and estimates the groups.
fn estimate_by_stratum(
    test_args: &TestArgs,
    paths: &[PathBuf],
    request: &EstimateRequest,
    column: &str,
) -> Result<CommandEstimates<'static>, CliError> {
    let table = StratifiedTable::read(test_args, column)?;
    let rows = FileRows { files: test_files(test_args, paths, test_args.columns.get()), request };
    let rows = rows.read(table.unit_interval())?;
    let models = table.fit(&rows.parts.model_strata, request.small_strata)?;
    let estimates: (Keys, GroupEstimates) = request.run_by_stratum(&WithBar("strata"), &rows, &models)?.0;
    Ok(CommandEstimates::new_stratified(estimates, models.strata, column))
}
