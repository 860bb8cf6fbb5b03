//! What can be typed.

use crate::failure::Failure;
use clap::{ArgGroup, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use truecount::distribution::Family;
use truecount::quantifier::Threshold;
use truecount::sweep::PDelta;
use truecount::{Method, Reporting, Settings, Target};

/// How many positives are there? Prevalence from an imperfect classifier's scores, with a standard error.
#[derive(Parser)]
#[command(version, about, max_term_width = 100)]
pub struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Subcommand)]
pub enum Command {
    /// Estimate the prevalence among unlabelled scores, in all or by group
    Estimate(Estimate),
    /// Fit a model to labelled scores and write it to a file
    Fit(Fit),
}

/// Reads the test scores in one pass and prints one line per group and method.
#[derive(clap::Args)]
#[command(group(ArgGroup::new("source").required(true).args(["train", "model"])))]
pub struct Estimate {
    #[command(flatten)]
    pub train: Train,
    /// Model written by `truecount fit`, instead of --train
    #[arg(long, value_name = "FILE", conflicts_with_all = ["train", "method", "family", "threshold", "cutoff", "label",
        "positive"])]
    pub model: Option<PathBuf>,
    /// Unlabelled scores: CSV or TSV with a header, gzip too; - for standard input
    #[arg(long, value_name = "FILE")]
    pub test: PathBuf,
    /// One estimate for every value of these columns
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub by: Vec<String>,
    /// Column with the scores, in both files
    #[arg(long, value_name = "COL", default_value = "score")]
    pub score: String,
    /// Nominal coverage of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95)]
    level: f64,
    /// Whose prevalence: of these very scores, or of the population they were drawn from
    #[arg(long, value_enum, default_value_t)]
    target: TargetName,
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// Reads labelled scores and writes what `truecount estimate --model` needs.
#[derive(clap::Args)]
pub struct Fit {
    #[command(flatten)]
    pub train: Train,
    /// Column with the scores
    #[arg(long, value_name = "COL", default_value = "score")]
    pub score: String,
    /// File to write
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
}

/// The labelled data and what to fit to it.
#[derive(clap::Args)]
pub struct Train {
    /// Labelled scores: CSV or TSV with a header, gzip too; - for standard input
    #[arg(long, value_name = "FILE")]
    pub train: Option<PathBuf>,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = "label")]
    pub label: String,
    /// The label of a positive
    #[arg(long, value_name = "VALUE", default_value = "1")]
    pub positive: String,
    #[doc = "Methods, separated by commas: o-cs, t-cs, cs (with --threshold), cc, ac, or all [default: o-cs]"]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    method: Vec<String>,
    /// Family of the classes' score distributions
    #[arg(long, value_enum, default_value_t)]
    family: FamilyName,
    /// Threshold of the method cs: optimal, or a number below the largest J [default: optimal]
    #[arg(long, value_name = "optimal|NUMBER")]
    threshold: Option<String>,
    /// Score at or above which cc and ac call a score positive
    #[arg(long, value_name = "SCORE", default_value_t = 0.0, allow_negative_numbers = true)]
    cutoff: f64,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum FamilyName {
    #[default]
    Normal,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum TargetName {
    #[default]
    Sample,
    Population,
}

/// Form of the results.
#[derive(Clone, Copy, Default, ValueEnum)]
pub enum Format {
    /// For reading
    #[default]
    Table,
    /// One object with the model and all estimates
    Json,
    /// One line per estimate
    Csv,
}

impl Estimate {
    pub fn reporting(&self) -> Result<Reporting, Failure> {
        let target = match self.target {
            TargetName::Sample => Target::Sample,
            TargetName::Population => Target::Population,
        };
        Ok(Reporting::new(self.level, target)?)
    }
}

impl Train {
    pub fn settings(&self) -> Result<Settings, Failure> {
        let family = match self.family {
            FamilyName::Normal => Family::Normal,
        };
        Ok(Settings { methods: self.methods()?, family, cutoff: self.cutoff })
    }

    /// The methods asked for, each once, in their order.
    fn methods(&self) -> Result<Vec<Method>, Failure> {
        let threshold = self.threshold()?;
        let names: Vec<&str> = match (self.method.is_empty(), threshold) {
            (false, _) => self.method.iter().map(|name| name.trim()).collect(),
            (true, None) => vec!["o-cs"],
            (true, Some(_)) => vec!["cs"],
        };
        let mut methods = Vec::new();
        for name in names {
            if name == "all" {
                methods.extend(Method::TABLE.map(|(_, method, _)| method));
            } else {
                // `cs` without a threshold is the optimal one, so it has no name of its own.
                let optimal = threshold.or((name == "cs").then_some(Threshold::Optimal));
                methods.push(Method::named(name, optimal)?);
            }
        }
        if let Some(threshold) = threshold
            && !methods.contains(&Method::ContinuousSweep(threshold))
        {
            return Err(Failure::Usage(
                "--threshold belongs to the method cs; o-cs and t-cs have thresholds of their own \
                 (use --method cs, or leave --method out)"
                    .to_owned(),
            ));
        }
        let mut seen = Vec::new();
        methods.retain(|method| !seen.contains(method) && { seen.push(*method); true });
        Ok(methods)
    }

    fn threshold(&self) -> Result<Option<Threshold>, Failure> {
        let Some(text) = &self.threshold else { return Ok(None) };
        if text == "optimal" {
            return Ok(Some(Threshold::Optimal));
        }
        let number = text.parse().map_err(|_| {
            Failure::Usage(format!("--threshold is '{text}'; it must be 'optimal' or a number between 0 and 1"))
        })?;
        Ok(Some(Threshold::Fixed(PDelta::new(number)?)))
    }
}
