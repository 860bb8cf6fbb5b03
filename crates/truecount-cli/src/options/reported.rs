//! Level and target of intervals, and what misfit does to them.

use super::one_of;
use crate::failure::Failure;
use truecount::inference::Interval;
use truecount::{OnMisfit, Reporting, Target};

/// Level of the intervals.
#[derive(clap::Args)]
pub struct Level {
    /// Nominal coverage of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, allow_hyphen_values = true)]
    level: f64,
}

impl Level {
    /// With this target.
    pub fn of(&self, target: Target) -> Result<Reporting, Failure> {
        Ok(Reporting::new(self.level, target)?)
    }
}

/// Level and target of the intervals.
#[derive(clap::Args)]
pub struct Reported {
    #[command(flatten)]
    level: Level,
    /// Whose prevalence the standard error and interval are for
    #[arg(long, value_parser = one_of(Target::TABLE), default_value = "sample")]
    target: Target,
}

impl Reported {
    /// With this kind of interval.
    pub fn with(&self, interval: Interval) -> Result<Reporting, Failure> {
        Ok(self.level.of(self.target)?.with_interval(interval))
    }
}

/// The same of intervals beside which the assumption is checked.
#[derive(clap::Args)]
pub struct Checked {
    #[command(flatten)]
    reported: Reported,
    /// What to do where the test scores are no mixture of the labelled classes
    #[arg(long, value_parser = one_of(OnMisfit::TABLE), default_value = "widen")]
    misfit: OnMisfit,
}

impl Checked {
    /// With this kind of interval.
    pub fn with(&self, interval: Interval) -> Result<Reporting, Failure> {
        Ok(self.reported.with(interval)?.on_misfit(self.misfit))
    }
}
