//! Study 1: the classes' distributions are known.
//!
//! Normal classes with means 1 and 0 and σ⁺, σ⁻ ∈ {0.5, 1, 1.5}; α ∈ {0.3, 0.5, 0.9}, n ∈ {100,
//! 1000}: 54 settings. The threshold is optimal for the true α: the paper's text says ½, but its
//! counts are reproduced with the true α. Posterior probabilities use the prior ½. DyS uses the
//! exact probabilities of its bins, where the paper uses the shares of 10⁷ scores.

use super::{Claim, PaperStudy, errors, normal_classes, separation, summary};
use crate::studies::samples::{cross, draw, each_arm, outcomes};
use crate::studies::{ArmOutcome, Statistics, Study, StudyResults, StudySummary};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::ScoreDistribution;
use truecount::model::KnownDistributions;
use truecount::scores::PerClass;
use truecount::{IntervalOptions, Method};

/// The methods, in the order of the arms.
const METHODS: [Method; 7] =
    [Method::O_CS, Method::T_CS, Method::O_MS, Method::T_MS, Method::DYS, Method::SLD, Method::ES];

/// Study 1.
#[derive(Debug)]
pub struct KnownParametersStudy;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KnownSetting {
    /// σ⁺.
    pub sd_pos: f64,
    /// σ⁻.
    pub sd_neg: f64,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
}

impl KnownSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let classes = cross([0.5, 1.0, 1.5], [0.5, 1.0, 1.5]);
        let settings = cross(classes, cross([0.3, 0.5, 0.9], [100, 1000])).into_iter();
        settings.map(|((sd_pos, sd_neg), (alpha, n))| Self { sd_pos, sd_neg, alpha, n }).collect()
    }
}

/// The classes, and the quantifiers that know them.
#[derive(Debug)]
pub struct KnownShared {
    classes: PerClass<ScoreDistribution>,
    quantifiers: KnownDistributions,
}

impl Study for KnownParametersStudy {
    const NAME: &'static str = "1";
    const REPLICATIONS: u32 = 10_000;
    const ARMS: &'static [&'static str] = &["o-cs", "t-cs", "o-ms", "t-ms", "dys", "sld", "es"];

    type Setting = KnownSetting;
    type Shared = KnownShared;
    type Outcome = ArmOutcome;

    fn prepare(setting: &KnownSetting, _: &mut ChaCha8Rng) -> KnownShared {
        let classes = normal_classes(setting.sd_pos, setting.sd_neg);
        let quantifiers = KnownDistributions::new(&separation(&classes), &METHODS, 0.5, setting.alpha);
        KnownShared { classes, quantifiers: quantifiers.expect("every threshold is reached") }
    }

    fn replicate(setting: &KnownSetting, shared: &KnownShared, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let scores = draw(&shared.classes, setting.n, setting.alpha, rng);
        let estimates = shared.quantifiers.estimate(&scores, &IntervalOptions::default());
        outcomes(setting.alpha, each_arm(METHODS.len(), estimates))
    }

    fn statistics(arm: &[&ArmOutcome], first: &[&ArmOutcome]) -> Statistics {
        errors::statistics(arm, first)
    }

    fn summary(results: &StudyResults<Self>) -> StudySummary {
        summary::summary(results)
    }
}

impl PaperStudy for KnownParametersStudy {
    const TITLE: &'static str = "Study 1: known parameters, normal classes";

    const CLAIMS: &'static [Claim] = &[
        Claim::new("o-cs best of the sweeps", &["o-cs"], &["t-cs", "o-ms", "t-ms"], "54"),
        Claim::new("sld best of the paper's methods", &["sld"], &["o-cs", "t-cs", "o-ms", "t-ms", "dys"], "54"),
        Claim::new("o-cs ahead of dys", &["o-cs"], &["dys"], "9"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_the_methods() {
        assert!(KnownParametersStudy::ARMS.iter().eq(METHODS.map(|method| method.to_string()).iter()));
    }
}
