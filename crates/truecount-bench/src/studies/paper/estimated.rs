//! Study 2: the classes' distributions are estimated from labelled scores, with the correct family.
//!
//! Study 1's settings, each with `n_train` ∈ {100, 1000} labelled scores, of which a share
//! `alpha_train` ∈ {0.4, 0.5, 0.6} is positive: 324 settings. Continuous Sweep fits normals, and
//! its threshold is optimal for a prevalence of ½. Median Sweep takes its rates from the labelled
//! scores. `dys` and `sld` get posterior probabilities by Bayes' rule with the **true** densities
//! at `alpha_train`, as in the paper; `sld fitted` gets them from the fitted normals. `es` takes
//! its rates from the labelled scores, `es family` from the fitted normals.

use super::known::KnownSetting;
use super::{
    Claim, FITTED, PaperStudy, TrueClasses, errors, fit_separation, likelihood_methods, normal_classes, summary, sweep,
};
use crate::studies::samples::{cross, fit_and_estimate, outcomes};
use crate::studies::{ArmOutcome, Statistics, Study, StudyResults, StudySummary};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::Family;
use truecount::quantifier::Threshold;
use truecount::sweep::MinSeparation;
use truecount::{Batch, Estimate, Settings};

/// Study 2.
#[derive(Debug)]
pub struct EstimatedParametersStudy;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct EstimatedSetting {
    /// σ⁺.
    pub sd_pos: f64,
    /// σ⁻.
    pub sd_neg: f64,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
    /// Size of the training set.
    pub n_train: u32,
    /// Share of positives in the training set.
    pub alpha_train: f64,
}

impl EstimatedSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let settings = cross(KnownSetting::all(), cross([100, 1000], [0.4, 0.5, 0.6])).into_iter();
        let setting = |(known, (n_train, alpha_train))| {
            let KnownSetting { sd_pos, sd_neg, alpha, n } = known;
            Self { sd_pos, sd_neg, alpha, n, n_train, alpha_train }
        };
        settings.map(setting).collect()
    }
}

impl Study for EstimatedParametersStudy {
    const NAME: &'static str = "2";
    const REPLICATIONS: u32 = 10_000;
    const ARMS: &'static [&'static str] =
        &["o-cs", "t-cs", "o-ms", "t-ms", "dys", "sld", "es", "es family", "sld fitted"];

    type Setting = EstimatedSetting;
    type Shared = TrueClasses;
    type Outcome = ArmOutcome;

    fn prepare(setting: &EstimatedSetting, _: &mut ChaCha8Rng) -> TrueClasses {
        TrueClasses::new(normal_classes(setting.sd_pos, setting.sd_neg), setting.alpha_train)
    }

    fn replicate(setting: &EstimatedSetting, truth: &TrueClasses, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let train = truth.draw(setting.n_train, setting.alpha_train, rng);
        let test = truth.draw(setting.n, setting.alpha, rng);
        let train = match truth.labelled(&train, setting.n_train, setting.alpha_train) {
            Ok(train) => train,
            Err(inverted) => return outcomes(setting.alpha, vec![Err::<Estimate, _>(inverted); Self::ARMS.len()]),
        };
        let probabilities = truth.posteriors.posteriors(&test);
        let batch = Batch::new(&test).with_probabilities(&probabilities).expect("a probability for each score");
        let [o_cs, others @ ..] = fit_and_estimate(&train, &FITTED, &Settings::default(), batch);
        let normals = fit_separation(Family::Normal, &train);
        let t_cs = sweep(&normals, Threshold::Fixed(MinSeparation::TRADITIONAL), &test);
        let likelihood = likelihood_methods(&normals, setting.alpha_train, &test);
        outcomes(setting.alpha, [o_cs, t_cs].into_iter().chain(others).chain(likelihood))
    }

    fn statistics(arm: &[&ArmOutcome], first: &[&ArmOutcome]) -> Statistics {
        errors::statistics(arm, first)
    }

    fn summary(results: &StudyResults<Self>) -> StudySummary {
        summary::summary(results)
    }
}

impl PaperStudy for EstimatedParametersStudy {
    const TITLE: &'static str = "Study 2: estimated parameters, normal classes";

    const CLAIMS: &'static [Claim] = &[
        Claim::new("o-cs best of the sweeps", &["o-cs"], &["t-cs", "o-ms", "t-ms"], "211"),
        Claim::new("  where both have estimates", &["o-cs"], &["t-cs", "o-ms", "t-ms"], "").where_both_estimate(),
        Claim::new("o-cs or t-cs best of the sweeps", &["o-cs", "t-cs"], &["o-ms", "t-ms"], "324"),
        Claim::new("sld best of the paper's methods", &["sld"], &["o-cs", "t-cs", "o-ms", "t-ms", "dys"], "324"),
        Claim::new("o-cs ahead of dys", &["o-cs"], &["dys"], "68"),
        Claim::new("o-cs ahead of sld fitted", &["o-cs"], &["sld fitted"], ""),
        Claim::new("es family ahead of o-cs", &["es family"], &["o-cs"], ""),
    ];
}
