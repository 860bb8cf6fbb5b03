//! Answers to requests about files.

use crate::error::CliError;
use crate::models::{model_for, test_files};
use crate::options::TestArgs;
use crate::output::CommandEstimates;
use crate::parallel::{self, WithBar};
use crate::progress::ProgressBars;
use crate::strata::StratifiedTable;
use std::borrow::Cow;
use std::path::PathBuf;
use truecount::multiclass::MulticlassModel;
use truecount::{Error, Model};
use truecount_analysis::output::ClassShareOutput;
use truecount_analysis::request::{EstimateRequest, class_method};
use truecount_analysis::rows::TestRows;
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::groups::{FileRows, Keys, TestFiles};
use truecount_tables::input;

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

/// Reads labelled and test probabilities of several classes, and estimates their shares in the groups.
pub fn estimate_classes(
    test_args: &TestArgs,
    paths: &[PathBuf],
    request: &EstimateRequest,
) -> Result<ClassShareOutput<Keys>, CliError> {
    let train = &test_args.source.train;
    let Some(path) = &train.labelled.path else {
        return Err(CliError::usage("there are no labelled scores", "add them with --train FILE"));
    };
    let method = class_method(train.typed_methods())?;
    input::check_used_once(test_args.source.paths().chain(paths))?;
    let (label, columns) = ([train.labelled.label.clone()], test_args.columns.get());
    let labelled_path = [path.clone()];
    let labelled_columns = test_args.source.train_columns.for_labelled_table(columns);
    let labelled = TestFiles::new(&labelled_path, labelled_columns, &label, &ProgressBars);
    let labelled = TestFiles { required: &label, ..labelled };
    let output = parallel::pool(test_args.threads)?.install(|| {
        let classes = labelled.class_columns(&request.class_scores)?;
        let labelled = labelled.read_labelled_classes(&classes, &train.labelled.classes())?;
        let rows = FileRows { files: test_files(test_args, paths, columns), request };
        let model = MulticlassModel::fit(&labelled, method)?;
        let estimates = request.run_classes(&WithBar("classes"), &model, rows.read_classes(&classes)?)?;
        Ok::<_, Error>(ClassShareOutput::new(&model, estimates))
    });
    Ok(output?)
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
