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
use truecount::multiclass::{ClassProbabilities, MulticlassModel};
use truecount::{Error, Model};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::groups::{MAX_CHECKED_GROUPS, TextNames};
use truecount_analysis::output::{ClassCheckOutput, ClassShareOutput, GroupBlocks};
use truecount_analysis::request::{ClassColumn, CompareRequest, EstimateRequest, class_method};
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
    with_class_model(&ClassSource::new(test_args), paths, request, |model, classes| {
        let estimates = request.run_classes(&WithBar("classes"), model, classes.read(paths, model)?)?;
        Ok((ClassShareOutput::new(model, estimates), Vec::new()))
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
    let output = with_class_model(&ClassSource::new(test_args), &all, &request.estimate, |model, classes| {
        let samples = [classes.read(paths, model)?, classes.read(others, model)?];
        let [own_name, name] = [&test_args.test, &others.to_vec()].map(|paths| input::title(paths));
        request.run_class_samples(&WithBar("classes"), model, samples, [&own_name, &name])
    })?;
    Ok(output.only_differences())
}

/// Tests whether the rows of groups are a mix of the labelled classes.
pub fn check_classes(
    source: &ClassSource,
    paths: &[PathBuf],
    request: &EstimateRequest,
) -> Result<ClassCheckOutput<Keys>, CliError> {
    with_class_model(source, paths, request, |model, classes| {
        if classes.classes.len() == 1 && model.verdicts().len() == model.names().len() {
            return Err(AnalysisProblem::option_conflict(
                "predicted classes alone do not show whether the rows are a mix of the labelled classes",
                "name columns of probabilities in {--class-scores}",
            ));
        }
        let groups = request.run_classes(&WithBar("classes"), model, classes.read(paths, model)?)?;
        Ok((ClassCheckOutput::new(model, groups), Vec::new()))
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
    with_class_model(&source, &[], request, |model, _| Ok((model.clone(), Vec::new())))
}

/// The shares of all rows together and of the groups, and the population of a total of groups with known sizes.
pub type ClassReport = (ClassShareOutput<TextNames>, Option<ClassShareOutput<Keys>>, Option<String>);

/// Estimates the shares of several classes in all rows together, and in the groups if there are any.
pub fn class_report(args: &TestArgs, paths: &[PathBuf], request: &EstimateRequest) -> Result<ClassReport, CliError> {
    with_class_model(&ClassSource::new(args), paths, request, |model, classes| {
        let request = EstimateRequest { total: !request.by.is_empty(), ..request.clone() };
        let (keys, mut estimates) = request.run_classes(&WithBar("classes"), model, classes.read(paths, model)?)?;
        let notes = std::mem::take(&mut estimates.notes);
        let is_by_set = estimates.standardised.as_ref().is_some_and(|sets| !sets.columns.is_empty());
        let total = if is_by_set { estimates.total.take() } else { estimates.take_total() };
        let overall = total.or_else(|| estimates.groups.pop()).expect("all rows or groups");
        let overall = GroupEstimates { notes, ..vec![overall].into() };
        let groups = request.total.then(|| ClassShareOutput::new(model, (keys, estimates.groups.into())));
        let population = request.population_of_total().filter(|_| !is_by_set);
        Ok(((ClassShareOutput::new(model, (TextNames::none(), overall)), groups, population), Vec::new()))
    })
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
    fn new(test_args: &'a TestArgs) -> Self {
        let TestArgs { source: ModelArgs { train, train_columns, .. }, threads, .. } = test_args;
        let files = test_files(test_args, &[], test_args.columns.get());
        Self { labelled: &train.labelled, train_columns, methods: train.typed_methods(), files, threads: *threads }
    }
}

/// The rows of files with the probabilities of several classes.
struct ClassRows<'a> {
    files: TestFiles<'a>,
    request: &'a EstimateRequest,
    classes: Vec<ClassColumn>,
}

impl ClassRows<'_> {
    /// Reads the rows of these files for a model.
    fn read(&self, paths: &[PathBuf], model: &MulticlassModel) -> Result<GroupCells<ClassProbabilities, Keys>, Error> {
        FileRows { files: TestFiles { paths, ..self.files }, request: self.request }.read_classes(&self.classes, model)
    }
}

/// Reads labelled probabilities of several classes, fits the method, and analyses the rows of these files. Prints
/// the messages of the analysis.
fn with_class_model<T: Send>(
    source: &ClassSource,
    paths: &[PathBuf],
    request: &EstimateRequest,
    analyse: impl FnOnce(&MulticlassModel, &ClassRows) -> Result<(T, Vec<String>), Error> + Send,
) -> Result<T, CliError> {
    let ClassSource { labelled: train, train_columns, files, .. } = source;
    let Some(path) = &train.path else {
        return Err(CliError::usage("there are no labelled scores", "add them with --train FILE"));
    };
    input::check_used_once(train.paths().chain(paths))?;
    let (label, labelled_path) = ([train.label.clone()], [path.clone()]);
    let labelled_columns = train_columns.for_labelled_table(files.columns);
    let labelled = TestFiles::new(&labelled_path, labelled_columns, &label, &ProgressBars);
    let labelled = TestFiles { required: &label, ..labelled };
    let (output, messages) = parallel::pool(source.threads)?.install(|| {
        let count = request.class_count.as_deref();
        let classes = labelled.class_columns(&request.class_scores)?;
        let method = class_method(source.methods, classes.len() == 1)?;
        let labelled = labelled.read_labelled_classes(&classes, count, &train.classes())?;
        analyse(
            &MulticlassModel::fit(&labelled, method)?,
            &ClassRows { files: TestFiles { paths, ..*files }, request, classes },
        )
    })?;
    for message in &messages {
        print_wrapped_message(message);
    }
    Ok(output)
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
