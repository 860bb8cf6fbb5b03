//! Study 3: skew-normal classes, to which Continuous Sweep fits both skew-normals and normals.
//!
//! Means 1 and 0, σ⁺, σ⁻ ∈ {0.5, 1.5}; positives have shape −k and negatives shape k, so that their long tails overlap,
//! k ∈ {1, 2, 4}; α ∈ {0.3, 0.5, 0.9}, n ∈ {100, 1000}, and 1000 labelled scores, half of them positive: 24 settings
//! for each k. (The paper only says "skew" k; the signs and means are our interpretation.) `dys`, `sld`, Median Sweep
//! and `es` are as in Study 2, with normals if they fit a family; arms with "skew" in their name fit skew-normals.

use super::{Claim, FITTED, PaperStudy, TrueClasses, errors, fit_separation, likelihood_methods, summary, sweep};
use crate::studies::samples::{cross, fit_and_estimate, outcomes};
use crate::studies::{ArmOutcome, Statistics, Study, StudyResults, StudySummary};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::{Family, SkewNormal};
use truecount::quantifier::Threshold;
use truecount::scores::PerClass;
use truecount::sweep::MinSeparation;
use truecount::{Batch, Estimate, Settings};

const N_TRAIN: u32 = 1000;
const ALPHA_TRAIN: f64 = 0.5;

/// Study 3.
#[derive(Debug)]
pub struct MisfitStudy;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MisfitSetting {
    /// k: the shape of the negatives; the positives have shape −k.
    pub shape: f64,
    /// σ⁺.
    pub sd_pos: f64,
    /// σ⁻.
    pub sd_neg: f64,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
}

impl MisfitSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let classes = cross([1.0, 2.0, 4.0], cross([0.5, 1.5], [0.5, 1.5]));
        let settings = cross(classes, cross([0.3, 0.5, 0.9], [100, 1000])).into_iter();
        settings.map(|((shape, (sd_pos, sd_neg)), (alpha, n))| Self { shape, sd_pos, sd_neg, alpha, n }).collect()
    }
}

impl Study for MisfitStudy {
    const NAME: &'static str = "3";
    const REPLICATIONS: u32 = 10_000;
    #[rustfmt::skip]
    const ARMS: &'static [&'static str] = &[
        "o-cs skew", "t-cs skew", "o-cs normal", "t-cs normal", "o-ms", "t-ms", "dys", "sld", "es", "es skew family",
        "sld skew fitted",
    ];

    type Setting = MisfitSetting;
    type Shared = TrueClasses;
    type Outcome = ArmOutcome;

    fn prepare(setting: &MisfitSetting, _: &mut ChaCha8Rng) -> TrueClasses {
        let class = |mean, sd, shape| SkewNormal::centred(mean, sd, shape).expect("values of the design").into();
        let MisfitSetting { shape, sd_pos, sd_neg, .. } = *setting;
        let classes = PerClass { positive: class(1.0, sd_pos, -shape), negative: class(0.0, sd_neg, shape) };
        TrueClasses::new(classes, ALPHA_TRAIN)
    }

    fn replicate(setting: &MisfitSetting, truth: &TrueClasses, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let train = truth.draw(N_TRAIN, ALPHA_TRAIN, rng);
        let test = truth.draw(setting.n, setting.alpha, rng);
        let train = match truth.labelled(&train, N_TRAIN, ALPHA_TRAIN) {
            Ok(train) => train,
            Err(inverted) => return outcomes(setting.alpha, vec![Err::<Estimate, _>(inverted); Self::ARMS.len()]),
        };
        let probabilities = truth.posteriors.posteriors(&test);
        let batch = Batch::new(&test).with_probabilities(&probabilities).expect("a probability for each score");
        let [o_cs, others @ ..] = fit_and_estimate(&train, &FITTED, &Settings::default(), batch);
        let [skewed, normals] = [Family::SkewNormal, Family::Normal].map(|family| fit_separation(family, &train));
        let traditional = Threshold::Fixed(MinSeparation::TRADITIONAL);
        let sweeps = [
            sweep(&skewed, Threshold::Optimal, &test),
            sweep(&skewed, traditional, &test),
            o_cs,
            sweep(&normals, traditional, &test),
        ];
        let likelihood = likelihood_methods(&skewed, ALPHA_TRAIN, &test);
        outcomes(setting.alpha, sweeps.into_iter().chain(others).chain(likelihood))
    }

    fn statistics(arm: &[&ArmOutcome], first: &[&ArmOutcome]) -> Statistics {
        errors::statistics(arm, first)
    }

    fn summary(results: &StudyResults<Self>) -> StudySummary {
        summary::summary(results)
    }
}

impl PaperStudy for MisfitStudy {
    const TITLE: &'static str = "Study 3: skew-normal classes";

    #[rustfmt::skip]
    const CLAIMS: &'static [Claim] = &[
        Claim::new(
            "o-cs skew best, but for t-cs skew", &["o-cs skew"], &["o-cs normal", "t-cs normal", "o-ms", "t-ms"], "24",
        ),
        Claim::new(
            "t-cs skew best, but for o-cs skew", &["t-cs skew"], &["o-cs normal", "t-cs normal", "o-ms", "t-ms"], "24",
        ),
        Claim::new("o-cs skew ahead of o-cs normal", &["o-cs skew"], &["o-cs normal"], "24"),
        Claim::new("o-cs normal ahead of o-ms and t-ms", &["o-cs normal"], &["o-ms", "t-ms"], "if k = 1"),
        Claim::new("o-cs skew ahead of t-cs skew", &["o-cs skew"], &["t-cs skew"], "most"),
        Claim::new("o-cs normal ahead of t-cs normal", &["o-cs normal"], &["t-cs normal"], "most"),
        Claim::new("o-ms ahead of t-ms", &["o-ms"], &["t-ms"], "most"),
        Claim::new(
            "sld best of the paper's methods",
            &["sld"], &["o-cs skew", "t-cs skew", "o-cs normal", "t-cs normal", "o-ms", "t-ms", "dys"], "24",
        ),
        Claim::new("o-cs skew ahead of dys", &["o-cs skew"], &["dys"], "some"),
        Claim::new("es ahead of o-cs normal", &["es"], &["o-cs normal"], ""),
    ];

    fn part(setting: &MisfitSetting) -> String {
        format!("shape {}", setting.shape)
    }
}
