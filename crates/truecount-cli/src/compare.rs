//! `truecount compare`: differences between prevalences.

use crate::error::CliError;
use crate::models::{model, model_for, test_files};
use crate::options::{
    CheckedIntervalArgs, ClassScoreArgs, DesignArgs, INTERVALS, ReplicateArgs, SortArgs, StrataArgs, TestArgs,
    TotalArgs, named_reference, names_of,
};
use crate::output::{self, CommandEstimates, OutputArgs};
use crate::requests::{self, file_rows};
use crate::{parallel, tallies};
use std::borrow::Cow;
use std::path::PathBuf;
use truecount::Model;
use truecount::compare::{LabelRelation, Overlap};
use truecount_analysis::compare::SampleRelation;
use truecount_analysis::request::{CompareRequest, EstimateRequest, OtherSample, SampleComparison};
use truecount_analysis::results::{CLASS, DifferenceRow, describe_table};
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::FileRoles;
use truecount_tables::groups::{FileRows, Keys};
use truecount_tables::input;
use truecount_tables::parallel::AllThreads;

const AFTER: &str = "\
Examples:
  truecount compare --train labelled.csv --test scores.csv --by week
  truecount compare --train labelled.csv --test scores.csv --by site,month --reference previous
  truecount compare --train labelled.csv --test before.csv --other-test after.csv
  truecount compare --train labelled.csv --test before.csv --other-test after.csv --cluster person
  truecount compare --train labelled.csv --test scores.csv --method es,ac
  truecount compare --model model.json tallies/*.parquet --reference previous
  truecount compare --train labelled.csv --test scores.csv --score old --other-score new";

/// Tells how far prevalences are apart: of groups, samples, methods or classifiers. Estimates that rest on the same
/// labelled scores err together, which is taken into account. An interval for the difference and for the ratio, a
/// p-value for no difference, and the same adjusted for all differences (Holm).
#[derive(clap::Args)]
#[command(
    after_help = AFTER,
    mut_arg("train_score", |score| score.conflicts_with("other_score")),
    mut_arg("class_scores", |classes| classes.conflicts_with_all(WITHOUT_CLASSES)),
    mut_arg("test", |test| test.required(false).required_unless_present("tallies"))
)]
pub struct CompareArgs {
    /// Files of `truecount tally`, or tables of bins, as `truecount finish` reads them
    #[arg(value_name = "TALLY", conflicts_with_all = ["test", "weight", "every", "band", "other_score", "model_stratum"])]
    tallies: Vec<PathBuf>,
    /// Accept tallies of identical rows, such as shards that happen to be equal
    #[arg(long, requires = "tallies")]
    allow_equal: bool,
    #[command(flatten)]
    test_args: TestArgs,
    #[command(flatten)]
    class_scores: ClassScoreArgs,
    #[command(flatten)]
    intervals: CheckedIntervalArgs,
    /// Intervals of the prevalences from which the interval of a difference is made
    #[arg(long, value_parser = names_of(&INTERVALS), default_value = "wilson")]
    interval: String,
    /// Reference group: previous, total, rest, all, or a value [default: previous for dates, else total]
    ///
    /// The group before (previous), the mean of all groups by their rows (total), that of the other
    /// groups (rest), all pairs (all), or the group with this value. Groups of the last --by column are
    /// compared; the columns before it stay the same.
    #[arg(long, value_name = "REFERENCE", value_parser = named_reference)]
    reference: Option<String>,
    /// Tables of other unlabelled scores to compare with, group by group
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with_all = ["reference", "tallies"])]
    other_test: Vec<PathBuf>,
    /// Column with another classifier's scores of the same rows
    #[arg(long, value_name = "COL", conflicts_with = "reference")]
    other_score: Option<String>,
    /// Table of other labelled scores, for the tables of --other-test
    #[arg(long, value_name = "FILE", conflicts_with_all = ["reference", "other_model"])]
    other_train: Option<PathBuf>,
    /// Model of other labelled scores, for the tables of --other-test
    #[arg(long, value_name = "FILE", conflicts_with = "reference")]
    other_model: Option<PathBuf>,
    #[command(flatten)]
    strata: StrataArgs,
    #[command(flatten)]
    totals: TotalArgs,
    #[command(flatten)]
    design: DesignArgs,
    #[command(flatten)]
    replicates: ReplicateArgs,
    #[command(flatten)]
    sort_args: SortArgs,
    #[command(flatten)]
    output: OutputArgs,
}

/// The options of this command that cannot be used with `--class-scores`.
const WITHOUT_CLASSES: [&str; 9] = [
    "rates", "threshold", "cutoff", "small_strata", "tallies", "allow_equal", "other_score", "other_train",
    "other_model",
];

impl CompareArgs {
    fn request(&self) -> CompareRequest {
        let Self { test_args, reference, other_test, other_score, other_train, other_model, .. } = self;
        let request = self.totals.add_to(self.design.add_to(self.intervals.request(&self.interval)));
        let request = self.replicates.add_to(self.strata.add_to(request));
        CompareRequest {
            estimate: EstimateRequest {
                by: test_args.by.clone(),
                weight: test_args.weight.clone(),
                ..self.class_scores.add_to(request)
            },
            reference: reference.clone(),
            other_test: other_test.clone(),
            other_score: other_score.clone(),
            other_train: other_train.clone(),
            other_model: other_model.clone(),
            model: test_args.source.model.clone(),
        }
    }

    /// Returns all input files except the test tables and those with sizes.
    fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.test_args.source.paths().chain(&self.other_train).chain(&self.other_model)
    }
}

pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    let (test_args, request) = (&args.test_args, args.request());
    let format = args.output.format()?;
    // The grouping columns of tallies are known later.
    if args.tallies.is_empty() {
        request.check()?;
    }
    let paths = input::expand_patterns(if args.tallies.is_empty() { &test_args.test } else { &args.tallies })?;
    let others = input::expand_patterns(&args.other_test)?;
    let inputs = args.inputs().chain(request.estimate.size_tables()).chain(&paths).chain(&others);
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let has_classes = !request.estimate.class_scores.is_empty();
    let check_by = |by: &[String]| {
        let mut columns = describe_table::<DifferenceRow>().columns;
        columns.retain(|column| has_classes || column.name != CLASS);
        output::check_by(by, format, &columns)
    };
    check_by(&test_args.by)?;
    let sort = |by: &[String]| args.sort_args.sort::<DifferenceRow>(by);
    if has_classes {
        let differences = requests::compare_classes(test_args, [&paths, &others], &request)?;
        return args.output.print(differences.sorted_differences(&sort(&test_args.by)?).results());
    }
    let (estimates, sort) = if request.estimate.model_stratum.is_some() {
        (requests::estimate(test_args, &paths, &request.of_groups())?, sort(&test_args.by)?)
    } else {
        let model = model_for(test_args, &paths)?;
        let mut groups = request.estimate.clone();
        let estimates = parallel::pool(test_args.threads)?.install(|| {
            if !args.tallies.is_empty() {
                let rows = tallies::rows(&paths, &mut groups, args.allow_equal, &model)?;
                check_by(&rows.request.by)?;
                let request = CompareRequest { estimate: rows.request.clone(), ..request };
                request.check()?;
                return Ok(request.run(&AllThreads, &rows, &model)?);
            }
            if request.has_other_sample() {
                return compare_samples(args, &request, &model, &paths, &others);
            }
            let of_groups = request.of_groups();
            Ok(request.run(&AllThreads, &file_rows(test_args, &paths, &of_groups, &model), &model)?)
        })?;
        (CommandEstimates::new(Cow::Owned(model), estimates, None), sort(&groups.by)?)
    };
    let estimates = estimates.only_differences().sorted_differences(&sort);
    args.output.print(estimates.results())
}

/// Compares with other scores, another classifier's scores of the same items, or another model's estimates.
fn compare_samples(
    args: &CompareArgs,
    request: &CompareRequest,
    first: &Model,
    paths: &[PathBuf],
    others: &[PathBuf],
) -> Result<(Keys, GroupEstimates), CliError> {
    let CompareArgs { other_score, other_train, other_model, test_args, .. } = args;
    let columns = test_args.columns.with_score(other_score.as_deref());
    let with_source = |train: Option<&PathBuf>, model: Option<&PathBuf>| {
        Some(test_args.source.with_source(train.cloned(), model.cloned()))
    };
    let (source, labelled) = match (other_train, other_model, other_score) {
        (Some(path), ..) => (with_source(Some(path), None), LabelRelation::Independent),
        (None, Some(path), _) => (with_source(None, Some(path)), LabelRelation::Independent),
        (None, None, Some(_)) => {
            (with_source(test_args.source.train.labelled.path.as_ref(), None), LabelRelation::Paired)
        }
        (None, None, None) => (None, LabelRelation::Paired),
    };
    let second = source.map(|source| model(&source, first.settings(), &columns)).transpose()?;
    let (overlap, name) = match (others, other_score) {
        ([], Some(column)) => (Overlap::All, column.clone()),
        ([], None) => (Overlap::All, "other".to_owned()),
        (others, _) => (Overlap::None, input::title(others)),
    };
    let other_paths = if others.is_empty() { paths } else { others };
    let other_columns = columns.for_model(second.as_ref().unwrap_or(first));
    let other = OtherSample {
        rows: &FileRows { files: test_files(test_args, other_paths, other_columns), request: &request.estimate },
        model: second.as_ref(),
        relation: SampleRelation { labelled, overlap },
        name,
        own_name: input::title(&test_args.test),
    };
    let rows = file_rows(test_args, paths, &request.estimate, first);
    let SampleComparison { estimates, messages } = request.run_samples(&AllThreads, &rows, first, &other)?;
    for message in &messages {
        output::print_wrapped_message(message);
    }
    Ok(estimates)
}
