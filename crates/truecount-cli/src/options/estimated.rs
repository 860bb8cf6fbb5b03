//! What is estimated, and where its standard error comes from.

use super::one_of;
use super::origin::{INTERVALS, Origin};
use super::reported::Checked;
use super::tested::Tested;
use crate::failure::Failure;
use truecount::inference::Interval;
use truecount::{Reporting, Resamples};
use truecount_analysis::estimates::Resampling;

/// What is estimated, of which scores, and how far off it may be.
#[derive(clap::Args)]
pub struct Estimated {
    #[command(flatten)]
    pub tested: Tested,
    #[command(flatten)]
    pub reported: Checked,
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
        let resamples = Resamples::new(number, weighted, &self.reporting()?)?;
        Ok(Some(Resampling { resamples, seed: self.seed.unwrap_or(1) }))
    }
}
