//! `truecount compare`: differences between prevalences.

mod samples;

use crate::error::CliError;
use crate::groups::GroupRequest;
use crate::models::{model_for, test_files};
use crate::options::{
    CheckedIntervalArgs, INTERVALS, IntervalSource, SortArgs, StrataArgs, TestArgs, TotalArgs, named_reference, one_of,
};
use crate::output::{self, CommandEstimates, FileRoles, OutputArgs};
use crate::{parallel, strata};
use samples::OtherSample;
use std::path::PathBuf;
use truecount::{IntervalOptions, Model};
use truecount_analysis::compare::{ReferenceOption, method_differences};
use truecount_analysis::results::{DifferenceRow, describe_table};
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::groups::{Keys, TestFiles};
use truecount_tables::input;

const AFTER: &str = "\
Examples:
  truecount compare --train labelled.csv --test scores.csv --by week
  truecount compare --train labelled.csv --test scores.csv --by site,month --reference previous
  truecount compare --train labelled.csv --test before.csv --other-test after.csv
  truecount compare --train labelled.csv --test before.csv --other-test after.csv --cluster person
  truecount compare --train labelled.csv --test scores.csv --method es,ac
  truecount compare --train labelled.csv --test scores.csv --score old --other-score new";

/// Tells how far prevalences are apart: of groups, samples, methods or classifiers. Estimates that
/// rest on the same labelled scores err together, which is taken into account. An interval for the
/// difference and for the ratio, a p-value for no difference, and the same adjusted for all
/// differences (Holm).
#[derive(clap::Args)]
#[command(after_help = AFTER, mut_arg("train_score", |score| score.conflicts_with("other_score")))]
pub struct CompareArgs {
    #[command(flatten)]
    test_args: TestArgs,
    #[command(flatten)]
    intervals: CheckedIntervalArgs,
    /// Intervals of the prevalences from which the interval of a difference is made
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: IntervalSource,
    /// Reference group: previous, total, rest, all, or a value [default: previous for dates, else
    /// total]
    ///
    /// The group before (previous), all rows (total), the other groups (rest), all pairs (all),
    /// or the group with this value. Groups of the last --by column are compared; the columns
    /// before it stay the same.
    #[arg(long, value_name = "REFERENCE", value_parser = named_reference)]
    reference: Option<ReferenceOption>,
    /// Tables of other unlabelled scores to compare with, group by group
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "reference")]
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
    sort_args: SortArgs,
    #[command(flatten)]
    output: OutputArgs,
}

impl CompareArgs {
    fn interval_options(&self) -> Result<IntervalOptions, CliError> {
        match self.interval {
            IntervalSource::Formula(interval) => self.intervals.interval_options(interval),
            IntervalSource::Bootstrap => Err(CliError::usage(
                "a comparison cannot be used with --interval bootstrap, as it has formulas of its own",
                "leave out --interval bootstrap",
            )),
        }
    }

    /// Returns whether the reference is another sample, classifier or model instead of a group.
    fn has_other_sample(&self) -> bool {
        let Self { other_test, other_score, other_train, other_model, .. } = self;
        !other_test.is_empty() || other_score.is_some() || other_train.is_some() || other_model.is_some()
    }

    /// Returns an error if the options exclude each other; called before any file is read.
    fn check(&self) -> Result<(), CliError> {
        let TotalArgs { total, total_weights, population, design } = &self.totals;
        let (problem, hint) = match (self.has_other_sample(), &self.strata.model_stratum) {
            (true, Some(_)) => {
                let hint = "leave out --model-stratum, or the --other- options";
                ("--model-stratum cannot be used with another sample", hint)
            }
            (true, None) if design.implies_population() => {
                let hint = "leave them out, or the --other- options";
                ("--stratum and --replicates cannot be used with another sample", hint)
            }
            (true, None) if *total || total_weights.is_some() || population.is_some() => {
                let hint = "leave them out, or the --other- options";
                ("--total, --total-weights and --population cannot be used with another sample", hint)
            }
            (true, None) if design.cluster.is_some() && self.other_test.is_empty() => {
                ("--cluster cannot be used with two scores of the same rows", "leave it out, or name --other-test")
            }
            (true, None)
                if self.other_score.is_some() && self.test_args.source.model.is_some() && !self.has_other_model() =>
            {
                ("--other-score needs labelled scores", "use --train instead of --model, or add --other-model")
            }
            (true, None) => return Ok(()),
            (false, None) if self.reference.is_none() && self.test_args.by.is_empty() => return Ok(()),
            (false, _) => return self.totals.check(&self.test_args.by, true, &self.strata),
        };
        Err(CliError::usage(problem, hint))
    }

    /// Returns whether the other sample has labelled scores or a model of its own.
    fn has_other_model(&self) -> bool {
        self.other_train.is_some() || self.other_model.is_some()
    }

    /// Returns all input files except the test tables.
    fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let labelled = self.test_args.source.path().into_iter().chain(&self.other_train).chain(&self.other_model);
        labelled.chain(self.totals.paths())
    }
}

pub fn run(args: &CompareArgs) -> Result<(), CliError> {
    let test_args = &args.test_args;
    let interval_options = args.totals.with_implied_target(args.interval_options()?);
    let format = args.output.format()?;
    output::check_by(&test_args.by, format, &describe_table::<DifferenceRow>().columns)?;
    let sort = args.sort_args.sort::<DifferenceRow>(&test_args.by)?;
    args.check()?;
    let paths = input::expand_patterns(&test_args.test)?;
    let others = input::expand_patterns(&args.other_test)?;
    let inputs = args.inputs().chain(&paths).chain(&others);
    FileRoles::reading(inputs).writing("--output", args.output.file()).check()?;
    let pool = parallel::pool(test_args.threads)?;
    let reference = args.reference.as_ref().unwrap_or(&ReferenceOption::Auto);
    let request =
        GroupRequest { totals: &args.totals, reference: Some(reference), interval_options: &interval_options };
    let print = |output: CommandEstimates| {
        let output = output.only_differences().sorted_differences(&sort);
        output::print_with_warnings(&args.output.shown(output.results(), format), format, args.output.file())
    };
    if let Some(stratum) = &args.strata.model_stratum {
        return pool.install(|| {
            let estimates = strata::estimate(test_args, &paths, (stratum, args.strata.small_strata), &request)?;
            print(CommandEstimates::new_stratified(estimates, stratum))
        });
    }
    let model = model_for(test_args, &paths)?;
    let files = test_files(test_args, &paths, test_args.columns.get().for_model(&model));
    pool.install(|| {
        let estimates = if args.has_other_sample() {
            OtherSample::new(args, &model, &paths, &others)?.differences(&files, &model, &interval_options)?
        } else if args.reference.is_some() || !test_args.by.is_empty() && model.quantifiers().len() == 1 {
            request.estimate(&files, &model)?
        } else if model.quantifiers().len() > 1 && !args.totals.is_empty() {
            return Err(CliError::usage(
                "methods cannot be compared with --total, --total-weights, --population, --cluster, --stratum or \
                 --replicates",
                "leave these options out, or fit one method and compare groups",
            ));
        } else if model.quantifiers().len() > 1 {
            compare_methods(&files, &model, &interval_options)?
        } else {
            return Err(CliError::usage(
                "there is nothing to compare",
                "name groups with --by, other scores with --other-test, another classifier's with --other-score, or \
                 several methods with --method",
            ));
        };
        print(CommandEstimates::new(&model, estimates, None))
    })
}

/// Compares every method with the first method on the same scores.
fn compare_methods(
    files: &TestFiles,
    model: &Model,
    interval_options: &IntervalOptions,
) -> Result<(Keys, GroupEstimates), CliError> {
    let (keys, estimates) = GroupEstimates::from_estimates(model, files.estimate(model, interval_options)?)?;
    let differences = method_differences(model, &estimates.groups, interval_options)?;
    Ok((keys, GroupEstimates { differences: Some(differences), ..estimates }))
}
