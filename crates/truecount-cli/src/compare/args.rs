//! What can be typed behind `compare`.

use crate::failure::Failure;
use crate::options::{Checked, INTERVALS, Origin, Sorted, Strata, Summed, Tested, one_of};
use crate::output::Output;
use crate::whole::reference;
use std::path::PathBuf;
use truecount::Reporting;
use truecount_analysis::compared::Reference;

const AFTER: &str = "\
Examples:
  truecount compare --train labelled.csv --test scores.csv --by week
  truecount compare --train labelled.csv --test scores.csv --by site,month --against previous
  truecount compare --train labelled.csv --test before.csv --other-test after.csv
  truecount compare --train labelled.csv --test scores.csv --method es,ac
  truecount compare --train labelled.csv --test scores.csv --score old --other-score new";

/// Tells how far prevalences are apart: of groups, samples, methods or classifiers. Estimates that rest on the same labelled scores
/// err together, which is taken into account. An interval for the difference and for the ratio, a p-value for no difference, and the
/// same adjusted for all differences (Holm).
#[derive(clap::Args)]
#[command(after_help = AFTER)]
pub struct Compare {
    #[command(flatten)]
    pub tested: Tested,
    #[command(flatten)]
    pub reported: Checked,
    /// How the intervals that a difference is made of follow from the variance
    #[arg(long, value_parser = one_of(&INTERVALS), default_value = "wilson")]
    interval: Origin,
    /// What groups are compared with: the one before (previous), all together (total), the others (rest), each with every other
    /// (all), or with the group of this value. The last --by column is compared, those before it stay the same [default: previous
    /// where groups are dates, else total]
    #[arg(long, value_name = "AGAINST", value_parser = reference)]
    pub against: Option<Reference>,
    /// Tables of unlabelled scores to compare with, group by group; other scores than those of --test
    #[arg(long, value_name = "FILE", num_args = 1.., conflicts_with = "against")]
    pub other_test: Vec<PathBuf>,
    /// Column with another classifier's scores of the same labelled and unlabelled items
    #[arg(long, value_name = "COL", conflicts_with = "against")]
    pub other_score: Option<String>,
    /// Table of labelled scores, other ones than those of --train, for what is compared with
    #[arg(long, value_name = "FILE", conflicts_with_all = ["against", "other_model"])]
    pub other_train: Option<PathBuf>,
    /// Model of other labelled scores, for what is compared with
    #[arg(long, value_name = "FILE", conflicts_with = "against")]
    pub other_model: Option<PathBuf>,
    #[command(flatten)]
    pub strata: Strata,
    #[command(flatten)]
    pub summed: Summed,
    #[command(flatten)]
    pub sorted: Sorted,
    #[command(flatten)]
    pub output: Output,
}

impl Compare {
    pub fn reporting(&self) -> Result<Reporting, Failure> {
        match self.interval {
            Origin::Formula(interval) => self.reported.with(interval),
            Origin::Bootstrap => {
                Err(Failure::Usage("a comparison has formulas of its own: leave out --interval bootstrap".to_owned()))
            }
        }
    }

    /// Whether something else than groups is compared with.
    pub fn has_other(&self) -> bool {
        let Self { other_test, other_score, other_train, other_model, .. } = self;
        !other_test.is_empty() || other_score.is_some() || other_train.is_some() || other_model.is_some()
    }

    /// Every file that is read besides those of --test.
    pub fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        let labelled = self.tested.source.path().into_iter().chain(&self.other_train).chain(&self.other_model);
        labelled.chain(self.summed.paths())
    }
}
