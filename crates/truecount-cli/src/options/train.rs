//! What to learn from, and what to fit to it.

use super::labelled::Labelled;
use super::one_of;
use crate::failure::Failure;
use truecount::distribution::Family;
use truecount::{Anchor, Method, Request, Settings, Transform};

/// The labelled data and what to fit to it.
#[derive(Clone, clap::Args)]
pub struct Train {
    #[command(flatten)]
    pub labelled: Labelled,
    /// Methods, separated by commas, or all [default: es]
    #[arg(long, value_name = "NAME", value_delimiter = ',', long_help = methods())]
    method: Vec<String>,
    /// Family of the classes' score distributions, for the methods that fit one [default: normal]
    #[arg(long, value_parser = one_of(Family::TABLE))]
    family: Option<Family>,
    /// What to do to the scores before the family is fitted; prevalence does not change, families may fit better [default: none]
    #[arg(long, value_parser = one_of(Transform::TABLE))]
    transform: Option<Transform>,
    /// Where the sweeps take their rates from [default: model for cs, sample for es]
    #[arg(long, value_parser = one_of(Anchor::TABLE))]
    anchor: Option<Anchor>,
    /// Threshold of the method cs: optimal, or a number below the largest J [default: optimal]
    #[arg(long, value_name = "optimal|NUMBER", allow_hyphen_values = true)]
    threshold: Option<String>,
    /// Score at or above which cc and ac call a score positive [default: 0.5 if all labelled scores lie in [0, 1], else 0]
    #[arg(long, value_name = "SCORE", allow_negative_numbers = true)]
    cutoff: Option<f64>,
}

fn methods() -> String {
    let line = |method: &Method| format!("\n- {method}: {}", method.summary());
    let lines: String = Method::ALL.iter().map(line).collect();
    format!("Methods, separated by commas, or all [default: es]\n{lines}\n- cs: Continuous Sweep, --threshold")
}

impl Train {
    pub fn settings(&self) -> Result<Settings, Failure> {
        let Self { family, transform, anchor, cutoff, .. } = *self;
        let threshold = self.threshold.as_deref().map(str::parse).transpose()?;
        let request = Request { methods: self.method.clone(), threshold, family, transform, anchor, cutoff };
        Ok(request.settings()?)
    }

    /// The methods as typed.
    pub fn typed_methods(&self) -> &[String] {
        &self.method
    }
}
