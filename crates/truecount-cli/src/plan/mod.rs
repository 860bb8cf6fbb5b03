//! `truecount plan`: the sample sizes that reach a precision or a power, from a pilot or published rates.

mod allocation;
mod results;

use crate::error::CliError;
use crate::figure::FigureArgs;
use crate::models;
use crate::options::{ClassScoreArgs, ColumnNames, LevelAndTargetArgs, ModelArgs, one_of, share};
use crate::output::{self, OutputArgs};
use crate::parallel::WithBar;
use crate::requests::class_model;
use allocation::{AllocationRow, AllocationTable};
use clap::ArgGroup;
use indexmap::IndexMap;
use truecount::Settings;
use truecount::counts::Rate;
use truecount::inference::IntervalKind;
use truecount_analysis::advice::{Message, format_error};
use truecount_analysis::plan::{LabelledCounts, OmittedPlan, Pilot, Plans};
use truecount_analysis::request::{EstimateRequest, PlanRequest};
use truecount_analysis::results::{PlanRow, TableDescription, describe_table};
use truecount_analysis::spelling::Interface;
use truecount_report::charts;
use truecount_tables::FileRoles;

const AFTER: &str = "\
Examples:
  truecount plan --train pilot.csv --half-width 0.02 --unlabelled 5000
  truecount plan --train pilot.csv --difference 0.03 --prevalence 0.2
  truecount plan --train pilot.csv --above 1% --prevalence 0.04 --unlabelled 200
  truecount plan --sensitivity 0.9 --specificity 0.95 --prevalence 0.2 --half-width 0.05";

/// Takes the labelled scores as a pilot and tells which sizes reach a standard error or an
/// interval, find a difference, or raise an alarm.
///
/// With neither --unlabelled nor --labelled: a table of sizes that reach it. With one of them: how
/// many of the other are needed. With both, and neither --se nor --half-width: what to expect of
/// them. `--method all` stands for all methods whose variance has a formula.
#[derive(clap::Args)]
#[command(
    after_help = AFTER,
    group(ArgGroup::new("goal").args(["se", "half_width", "difference", "above", "below"])),
    mut_group("source", |source| source.arg("sensitivity")),
    mut_arg("class_scores", |classes| classes.conflicts_with_all(["sensitivity", "allocate", "figure"])),
    mut_arg("figure", |figure| {
        let figure = figure.help("SVG or PNG file: labelled scores needed for each number of unlabelled scores");
        figure.conflicts_with_all(["difference", "above", "below", "sensitivity"])
    })
)]
pub struct PlanArgs {
    #[command(flatten)]
    source: ModelArgs,
    #[command(flatten)]
    columns: ColumnNames,
    #[command(flatten)]
    class_scores: ClassScoreArgs,
    /// Largest standard error
    #[arg(long, value_name = "NUMBER", value_parser = share, allow_negative_numbers = true)]
    se: Option<f64>,
    /// Largest half-width of the interval
    #[arg(long, value_name = "NUMBER", value_parser = share, allow_negative_numbers = true)]
    half_width: Option<f64>,
    /// Difference to find between two groups, at --prevalence and above it by this number
    ///
    /// The number of unlabelled scores of each group, or with --unlabelled the power. The labels are
    /// those of the pilot, unless --labelled gives another number.
    #[arg(long, value_name = "NUMBER", value_parser = share, allow_hyphen_values = true)]
    difference: Option<f64>,
    /// Probability of finding the difference in a two-sided test [default: 0.8]
    #[arg(long, value_name = "SHARE", value_parser = share, requires = "difference")]
    power: Option<f64>,
    /// Each group has labels of its own, as with --other-train of compare
    #[arg(long, requires = "difference")]
    separate_labels: bool,
    /// How soon `monitor` raises an alarm above this share, with --unlabelled scores in each period
    #[arg(long, value_name = "SHARE", value_parser = share)]
    above: Option<f64>,
    /// How soon `monitor` raises an alarm below this share
    #[arg(long, value_name = "SHARE", value_parser = share)]
    below: Option<f64>,
    /// Published sensitivity, as in `counts`, to plan the number of tests without a pilot
    #[arg(long, value_name = "SHARE", value_parser = rate, requires = "specificity")]
    sensitivity: Option<String>,
    /// Published specificity
    #[arg(long, value_name = "SHARE", value_parser = rate, requires = "sensitivity")]
    specificity: Option<String>,
    /// Prevalence to plan for [default: the one that needs the most scores]
    #[arg(long, value_name = "SHARE", value_parser = share, allow_negative_numbers = true)]
    prevalence: Option<f64>,
    /// Design effect of the unlabelled scores, which --columns deff of estimate shows
    ///
    /// The variance with the clusters or weights of these scores, over that of as many independent scores.
    #[arg(long, value_name = "NUMBER", default_value = "1", allow_negative_numbers = true)]
    design_effect: f64,
    /// Number of unlabelled scores; of each group or period, if these are planned
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_SCORES))]
    unlabelled: Option<u64>,
    /// Number of labelled scores: a total, or positives,negatives
    #[arg(long, value_name = "N|N,N", value_parser = counts)]
    labelled: Option<LabelledCounts>,
    /// Probability of reaching the goal in spite of the pilot's sampling error, such as 0.8
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    assurance: Option<f64>,
    #[command(flatten)]
    intervals: LevelAndTargetArgs,
    /// Type of the interval with the half-width
    #[arg(long, value_parser = one_of(IntervalKind::TABLE), default_value = "wilson")]
    interval: IntervalKind,
    /// Allocate the next labels by score (Neyman allocation), instead of sizes
    ///
    /// The table has intervals of the score, the share of the labels to draw in each interval,
    /// and the weight of the rows that are labelled there. Write the weight into a column of the
    /// labelled table and name it with --label-weight.
    #[arg(long, conflicts_with_all = ["goal", "sensitivity", "unlabelled", "labelled", "assurance", "figure"])]
    allocate: bool,
    #[command(flatten)]
    output: OutputArgs,
    #[command(flatten)]
    figure: FigureArgs,
}

/// Largest number of scores that can be typed; integers up to this one are exact in a double.
const MAX_SCORES: u64 = 1 << 53;

/// Returns the text of a published rate.
fn rate(typed: &str) -> Result<String, String> {
    typed.parse::<Rate>().map(|_| typed.to_owned()).map_err(|error| error.to_string())
}

/// Parses numbers of labelled scores.
fn counts(typed: &str) -> Result<LabelledCounts, String> {
    let number = |text: &str| match text.trim().parse() {
        Ok(n) if n <= MAX_SCORES / 2 => Ok(n),
        _ => Err("it must be a whole number, or two with a comma between them".to_owned()),
    };
    match typed.split_once(',') {
        None => Ok(LabelledCounts::Total(number(typed)?)),
        Some((positive, negative)) => Ok(LabelledCounts::PerClass(number(positive)?, number(negative)?)),
    }
}

impl PlanArgs {
    fn request(&self) -> PlanRequest {
        let (level, target) = self.intervals.names();
        PlanRequest {
            se: self.se,
            half_width: self.half_width,
            difference: self.difference,
            power: self.power,
            separate_labels: self.separate_labels,
            above: self.above,
            below: self.below,
            sensitivity: self.sensitivity.clone(),
            specificity: self.specificity.clone(),
            prevalence: self.prevalence,
            unlabelled: self.unlabelled,
            labelled: self.labelled,
            assurance: self.assurance,
            design_effect: Some(self.design_effect),
            level: Some(level),
            target,
            interval: Some(self.interval.to_string()),
        }
    }
}

/// Describes the result tables.
pub fn tables() -> Vec<TableDescription> {
    vec![describe_table::<PlanRow>(), describe_table::<AllocationRow>()]
}

pub fn run(args: &PlanArgs) -> Result<(), CliError> {
    args.output.format()?;
    FileRoles::reading(args.source.paths())
        .writing("--output", args.output.file())
        .writing("--figure", args.figure.file())
        .check()?;
    let model = || models::model(&args.source, &settings(&args.source)?, &args.columns.get());
    if args.allocate {
        return args.output.print(AllocationTable::new(&model()?, args.prevalence)?.results());
    }
    let request = args.request();
    let class_request = args.class_scores.add_to(EstimateRequest::default());
    let has_classes = !class_request.class_scores.is_empty();
    let options = if has_classes { request.class_options()? } else { request.options()? };
    args.figure.check()?;
    if args.figure.file().is_some() && options.question.goal().is_none() {
        return Err(CliError::usage("--figure shows the sizes that reach a goal", "add --se or --half-width"));
    }
    if has_classes {
        let model = class_model(&args.source, args.columns.get(), &class_request)?;
        return print(&request.run(&WithBar("plan"), Pilot::Classes(&model))?, args);
    }
    let model = args.sensitivity.is_none().then(model).transpose()?;
    print(&request.run(&WithBar("plan"), model.as_ref().map_or(Pilot::Rates, Pilot::Scores))?, args)
}

/// Prints plans, with their figure, the omitted plans and the warnings.
fn print(plans: &Plans, args: &PlanArgs) -> Result<(), CliError> {
    report_omitted_plans(plans)?;
    if let Some(path) = args.figure.file() {
        let Some(figure) = charts::plan::draw(plans, args.figure.size) else {
            return Err(CliError::usage(
                "there is nothing to draw, as no number of rows reaches the goal",
                "leave out --figure, or choose a larger --se or --half-width",
            ));
        };
        args.figure.write(&figure)?;
        output::print_message(&format!("wrote {}", path.display()));
    }
    args.output.print(results::results(plans, args.output.percent))?;
    warn(plans);
    Ok(())
}

/// Returns the settings. With `--method all`, only methods that can be planned for are kept.
fn settings(source: &ModelArgs) -> Result<Settings, CliError> {
    let mut settings = source.train.settings()?;
    if settings.skip_unavailable {
        settings.methods.retain(|method| method.check_precision().is_ok());
    }
    settings.methods.iter().try_for_each(|method| method.check_precision())?;
    Ok(settings)
}

/// Prints a warning for each omitted plan, or returns an error if all are omitted.
fn report_omitted_plans(plans: &Plans) -> Result<(), CliError> {
    let reason = |(name, error): &OmittedPlan| match error.code() {
        "plan-not-possible" => format_error(error),
        _ => format_error(error).at(name),
    };
    let mut reasons = plans.omitted.iter().map(reason);
    if plans.rows.is_empty() {
        let Message { mut problem, hint } = reasons.next().expect("a plan is made or left out");
        reasons.for_each(|other| problem = format!("{problem}; {}", other.problem));
        return Err(CliError::Data(Message { problem, hint }));
    }
    reasons.for_each(|reason| output::print_message(&format!("warning: left out: {reason}")));
    Ok(())
}

fn warn(plans: &Plans) {
    plans.small_pilot().for_each(|sentence| output::print_message(&format!("warning: {sentence}")));
    let mut warnings: IndexMap<String, Vec<&str>> = IndexMap::new();
    for (name, _, message, _) in plans.warnings(Interface::Shell) {
        warnings.entry(message).or_default().push(name);
    }
    for (warning, names) in warnings {
        output::print_message(&format!("warning: {}: {warning}", names.join(", ")));
    }
}
