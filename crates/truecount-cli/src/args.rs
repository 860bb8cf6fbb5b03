//! What can be typed.

use crate::bootstrap::Resampling;
use crate::check::Check;
use crate::completions::Completions;
use crate::evaluate::Evaluate;
use crate::failure::Failure;
use crate::input::Columns;
use crate::lequa::Lequa;
use crate::man::Manual;
use crate::output::Output;
use crate::plan::Plan;
use crate::reference::Reference;
use crate::report::Report;
use crate::sql::Sql;
use crate::study::Study;
use crate::tally::{Finish, Tally};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgGroup, Parser, Subcommand};
use std::path::PathBuf;
use truecount::distribution::Family;
use truecount::inference::Interval;
use truecount::{Anchor, Error, Method, Reporting, Request, Resamples, Settings, Target, Transform};

const AFTER: &str = "\
Example:
  truecount estimate --train labelled.csv --test unlabelled.csv --by week

Exit status: 0 done, 1 the data or a file is wrong, 2 the command line is wrong,
130 interrupted.";

/// How many positives are there? Prevalence from an imperfect classifier's scores, with a standard error.
///
/// Scores are numbers, higher meaning more positive. Tables are CSV, TSV or semicolon-separated text with a header, also
/// packed with gzip or zstd, Parquet, or Arrow files and streams, told apart by their first bytes. In text, spaces around cells
/// and empty lines do not count, but an empty line between the rows of a single column is a missing score.
#[derive(Parser)]
#[command(name = "truecount", version, max_term_width = 100, after_help = AFTER)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Estimate the prevalence among unlabelled scores, in all or by group
    Estimate(Estimate),
    /// Write one page with figures about the estimates, to hand on
    Report(Report),
    /// Tally unlabelled scores into a file, for `finish` to estimate from
    Tally(Tally),
    /// Estimate the prevalence from tallies, of any number of files
    Finish(Finish),
    /// Fit a model to labelled scores and write it to a file
    Fit(Fit),
    /// Plan how many labelled and unlabelled scores a standard error or an interval needs
    Plan(Plan),
    /// Print a query that computes the estimates in a database
    Sql(Sql),
    /// Rerun a simulation study of the methods
    #[command(subcommand)]
    Study(Study),
    /// Check whether only the prevalence has changed, and whether the families fit
    Check(Check),
    /// Measure how far estimates are off, on samples whose prevalence is known
    Evaluate(Evaluate),
    /// Solve the LeQua competition's binary task: from features to prevalences
    Lequa(Lequa),
    /// Print a script that completes commands and options in a shell
    Completions(Completions),
    /// Write manual pages
    Man(Manual),
    /// Write the pages of the command's reference
    #[command(hide = true)]
    Reference(Reference),
}

/// Reads the test scores in one pass and prints one line per group and method, groups in order of appearance.
#[derive(clap::Args)]
pub struct Estimate {
    #[command(flatten)]
    pub estimated: Estimated,
    #[command(flatten)]
    pub output: Output,
}

/// What is estimated, of which scores, and how far off it may be.
#[derive(clap::Args)]
pub struct Estimated {
    #[command(flatten)]
    pub tested: Tested,
    #[command(flatten)]
    pub reported: Reported,
    /// Where standard errors and intervals come from
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: Origin,
    /// Resamples of the bootstrap [default: 1000]
    #[arg(long, value_name = "N")]
    resamples: Option<u32>,
    /// Seed of the bootstrap; the same seed gives the same results, whatever the number of threads [default: 1]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

/// Reads labelled scores and writes what `truecount estimate --model` needs.
#[derive(clap::Args)]
pub struct Fit {
    #[command(flatten)]
    pub train: Train,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// File to write; - for standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// A model, and the test scores it is for.
#[derive(clap::Args)]
pub struct Tested {
    #[command(flatten)]
    pub source: Source,
    /// Tables of unlabelled scores, or a pattern such as 'scores/*.parquet'; - for standard input
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    pub test: Vec<PathBuf>,
    /// One estimate for every combination of values of these columns
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub by: Vec<String>,
    #[command(flatten)]
    pub columns: ColumnNames,
    /// Column of the test file with survey weights; only their ratios count, and rows of weight 0 count for nothing
    #[arg(long, value_name = "COL")]
    pub weight: Option<String>,
    /// Threads that read, and resample; the results are the same to the last digit [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
}

/// Where the model comes from.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["train", "model"])))]
pub struct Source {
    #[command(flatten)]
    pub train: Train,
    /// Model written by `truecount fit`, instead of --train; - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "method", "family", "transform", "anchor",
        "threshold", "cutoff", "label", "positive"])]
    pub model: Option<PathBuf>,
}

/// Level and target of the intervals.
#[derive(clap::Args)]
pub struct Reported {
    /// Nominal coverage of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_hyphen_values = true)]
    level: f64,
    /// Whose prevalence the standard error and interval are for
    #[arg(long, value_parser = one_of(Target::TABLE), default_value = "sample")]
    target: Target,
}

/// What is read of every file.
#[derive(clap::Args)]
pub struct ColumnNames {
    /// Column with the scores
    #[arg(long, value_name = "COL", default_value = "score")]
    score: String,
    /// Column with a classifier's probabilities of being positive
    #[arg(long, value_name = "COL")]
    prob: Option<String>,
}

/// The labelled data.
#[derive(clap::Args)]
pub struct Labelled {
    /// Table of labelled scores; - for standard input
    #[arg(long = "train", value_name = "FILE", id = "train")]
    pub path: Option<PathBuf>,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = "label")]
    pub label: String,
    /// The label of a positive
    #[arg(long, value_name = "VALUE", default_value = "1", allow_hyphen_values = true)]
    pub positive: String,
}

/// The labelled data and what to fit to it.
#[derive(clap::Args)]
pub struct Train {
    #[command(flatten)]
    pub labelled: Labelled,
    /// Methods, separated by commas, or all [default: o-cs]
    #[arg(long, value_name = "NAME", value_delimiter = ',', long_help = methods())]
    method: Vec<String>,
    /// Family of the classes' score distributions, for the methods that fit one
    #[arg(long, value_parser = one_of(Family::TABLE), default_value = "normal")]
    family: Family,
    /// What to do to the scores before the family is fitted; prevalence does not change, families may fit better
    #[arg(long, value_parser = one_of(Transform::TABLE), default_value = "none")]
    transform: Transform,
    /// Where the sweeps take their rates from [default: model for cs, sample for es]
    #[arg(long, value_parser = one_of(Anchor::TABLE))]
    anchor: Option<Anchor>,
    /// Threshold of the method cs: optimal, or a number below the largest J [default: optimal]
    #[arg(long, value_name = "optimal|NUMBER", allow_hyphen_values = true)]
    threshold: Option<String>,
    /// Score at or above which cc and ac call a score positive
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, allow_negative_numbers = true)]
    cutoff: f64,
}

/// Where standard errors and intervals come from.
#[derive(Clone, Copy)]
pub enum Origin {
    Formula(Interval),
    Bootstrap,
}

pub const INTERVALS: [(&str, Origin, &str); 3] = {
    let [(wilson, by_wilson, is_wilson), (wald, by_wald, is_wald)] = Interval::TABLE else { panic!("two intervals") };
    [
        (wilson, Origin::Formula(*by_wilson), is_wilson),
        (wald, Origin::Formula(*by_wald), is_wald),
        ("bootstrap", Origin::Bootstrap, "resamples of both samples; for every method, but slow"),
    ]
};

/// The values of a table: their names can be typed, their descriptions stand in the help.
pub fn one_of<T: Copy + Send + Sync + 'static>(
    table: &'static [(&'static str, T, &'static str)],
) -> impl TypedValueParser<Value = T> {
    let names = table.iter().map(|(name, _, what)| PossibleValue::new(*name).help(*what));
    PossibleValuesParser::new(names).map(|typed| {
        let found = table.iter().find(|(name, ..)| *name == typed);
        found.map(|(_, value, _)| *value).expect("only names of the table pass")
    })
}

fn methods() -> String {
    let line = |method: &Method| format!("\n- {method}: {}", method.summary());
    let lines: String = Method::ALL.iter().map(line).collect();
    format!("Methods, separated by commas, or all [default: o-cs]\n{lines}\n- cs: Continuous Sweep, --threshold")
}

impl Estimated {
    pub fn reporting(&self) -> Result<Reporting, Failure> {
        self.reported.with(match self.interval {
            Origin::Formula(interval) => interval,
            Origin::Bootstrap => Interval::default(),
        })
    }

    /// The bootstrap asked for, if it is.
    pub fn resampling(&self) -> Result<Option<Resampling>, Failure> {
        if let Origin::Formula(_) = self.interval {
            let given = [("--resamples", self.resamples.is_some()), ("--seed", self.seed.is_some())];
            return match given.iter().find(|(_, given)| *given) {
                Some((option, _)) => Err(Failure::Usage(format!("{option} belongs to --interval bootstrap"))),
                None => Ok(None),
            };
        }
        let number = self.resamples.map_or(Resamples::DEFAULT, u64::from);
        let weighted = self.tested.weight.is_some();
        let resamples = Resamples::new(number, weighted, &self.reporting()?).map_err(typed)?;
        Ok(Some(Resampling { resamples, seed: self.seed.unwrap_or(1), threads: self.tested.threads }))
    }
}

impl Reported {
    /// With this kind of interval.
    pub fn with(&self, interval: Interval) -> Result<Reporting, Failure> {
        Ok(Reporting::new(self.level, self.target)?.with_interval(interval))
    }
}

impl Source {
    /// The file it is learnt from.
    pub fn path(&self) -> Option<&PathBuf> {
        self.train.labelled.path.as_ref().or(self.model.as_ref())
    }
}

impl ColumnNames {
    pub fn get(&self) -> Columns<'_> {
        Columns { score: &self.score, probability: self.prob.as_deref() }
    }
}

impl Train {
    pub fn settings(&self) -> Result<Settings, Failure> {
        let Self { family, transform, anchor, cutoff, .. } = *self;
        let threshold = self.threshold.as_deref().map(str::parse).transpose().map_err(typed)?;
        let request = Request { methods: self.method.clone(), threshold, family, transform, anchor, cutoff };
        request.settings().map_err(typed)
    }

    /// The methods as typed.
    pub fn typed_methods(&self) -> &[String] {
        &self.method
    }
}

/// What does not go together, in the words of the options.
fn typed(error: Error) -> Failure {
    match error {
        Error::FamilyOfBareScores => {
            Failure::Usage("--family beta is for the scores as they are: leave out --transform".to_owned())
        }
        Error::ThresholdUnused => Failure::Usage(
            "--threshold belongs to the method cs, which is not asked for; o-cs and t-cs have thresholds of their \
             own (use --method cs, or leave --method out)"
                .to_owned(),
        ),
        Error::UnknownThreshold { .. } => Failure::Usage(format!("--{error}")),
        Error::BootstrapOfWeighted => Failure::Usage(
            "--interval bootstrap and --weight do not go together: drawing weighted scores anew would not imitate the \
             survey; leave out one of them"
                .to_owned(),
        ),
        Error::TooFewResamples { resamples, level, least } => Failure::Usage(format!(
            "--resamples is {resamples}; an interval of level {level} needs at least {least}, and many more to be exact"
        )),
        error => error.into(),
    }
}
