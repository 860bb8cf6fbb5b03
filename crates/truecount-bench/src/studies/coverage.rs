//! The coverage of nominal 95 % intervals for the sample, over the settings of the paper's Study 2 and two variants.
//!
//! Four arms analyse the same data: Continuous Sweep (`o-cs`) and Efficient Sweep (`es`) with their defaults, Efficient
//! Sweep with the rates of the fitted family (`es family`), and Continuous Sweep with the fitted classes treated as
//! known (`o-cs test only`: the paper's Theorem 2, which ignores the sampling error of the fit).
//!
//! Study 2 of Kloos et al.: classes with means 1 and 0 and standard deviations σ⁺, σ⁻ ∈ {0.5, 1,
//! 1.5}; α ∈ {0.3, 0.5, 0.9}, n ∈ {100, 1000}, n_train ∈ {100, 1000}, α_train ∈ {0.4, 0.5, 0.6}:
//! 324 settings. Test and training set have exactly αn and α_train n_train positives. The two
//! variants have skew-normal classes with shape −k for the positives and k for the negatives, so
//! that their long tails overlap, and α_train = 0.5: 108 settings each.

use super::intervals::CoverageDots;
use super::paper::estimated::EstimatedSetting;
use super::samples::{draw, draw_labelled, fit_and_estimate, normal, outcomes};
use super::{ArmOutcome, IntervalStudy, StudyResults, StudySummary};
use crate::shared::{BLUE, GREEN, VERMILION};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
use truecount::distribution::{Family, ScoreDistribution, SkewNormal};
use truecount::quantifier::{ContinuousSweep, RateSource, Threshold};
use truecount::scores::{Class, PerClass};
use truecount::sweep::Separation;
use truecount::{Error, Estimate, IntervalOptions, LabelledScores, Method, Settings};

/// The study of the coverage of intervals.
#[derive(Debug)]
pub struct CoverageStudy;

/// The classes' distributions, and the family fitted to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Scenario {
    /// Normal classes, normal fitted: Study 2.
    Normal,
    /// Skew-normal classes of shapes −2 and 2, skew-normal fitted.
    SkewNormal,
    /// Skew-normal classes of shapes −4 and 4, normal fitted.
    WrongFamily,
}

impl Scenario {
    /// Every scenario, in the order of the results.
    pub const ALL: [Self; 3] = [Self::Normal, Self::SkewNormal, Self::WrongFamily];

    fn family(self) -> Family {
        match self {
            Self::Normal | Self::WrongFamily => Family::Normal,
            Self::SkewNormal => Family::SkewNormal,
        }
    }

    /// Returns a class's distribution; `sign` is the sign of its shape.
    fn class(self, mean: f64, sd: f64, sign: f64) -> ScoreDistribution {
        let skewed = |shape: f64| SkewNormal::centred(mean, sd, sign * shape).expect("a mean and sd of the design");
        match self {
            Self::Normal => normal(mean, sd),
            Self::SkewNormal => skewed(2.0).into(),
            Self::WrongFamily => skewed(4.0).into(),
        }
    }
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CoverageSetting {
    /// The classes' distributions, and the family fitted to them.
    pub scenario: Scenario,
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

impl CoverageSetting {
    /// Returns all settings of all scenarios.
    pub fn all() -> Vec<Self> {
        Scenario::ALL.into_iter().flat_map(Self::in_scenario).collect()
    }

    /// Returns all settings of a scenario.
    pub fn in_scenario(scenario: Scenario) -> Vec<Self> {
        let has_setting = |setting: &EstimatedSetting| scenario == Scenario::Normal || setting.alpha_train == 0.5;
        let setting = |setting| {
            let EstimatedSetting { sd_pos, sd_neg, alpha, n, n_train, alpha_train } = setting;
            Self { scenario, sd_pos, sd_neg, alpha, n, n_train, alpha_train }
        };
        EstimatedSetting::all().into_iter().filter(has_setting).map(setting).collect()
    }

    fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        draw_labelled(&self.classes(), self.n_train, self.alpha_train, rng)
    }

    fn test(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        draw(&self.classes(), self.n, self.alpha, rng)
    }

    fn classes(&self) -> PerClass<ScoreDistribution> {
        let class = |mean, sd, sign| self.scenario.class(mean, sd, sign);
        PerClass { positive: class(1.0, self.sd_pos, -1.0), negative: class(0.0, self.sd_neg, 1.0) }
    }
}

impl IntervalStudy for CoverageStudy {
    const NAME: &'static str = "coverage";
    const REPLICATIONS: u32 = 2000;
    const ARMS: &'static [&'static str] = &["o-cs", "o-cs test only", "es", "es family"];

    type Setting = CoverageSetting;

    fn replicate(setting: &CoverageSetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, test) = (setting.train(rng), setting.test(rng));
        let results = match &train {
            Ok(train) => arms(train, setting.scenario.family(), &test),
            Err(inverted) => std::array::from_fn(|_| Err(inverted.clone())),
        };
        outcomes(setting.alpha, results)
    }

    /// Summarises every arm in each scenario, with a row of dots in the figure.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        let mut dots = Vec::new();
        for (scenario, title, name, colour) in [
            (Scenario::Normal, "normal classes, normal fitted", "normal", BLUE),
            (Scenario::SkewNormal, "skew-normal classes of shape 2, skew-normal fitted", "skew-normal", GREEN),
            (Scenario::WrongFamily, "skew-normal classes of shape 4, normal fitted", "wrong family", VERMILION),
        ] {
            let arms: Vec<_> = results.arms(|s| s.scenario == scenario).collect();
            dots.extend(arms.iter().map(|(arm, s)| CoverageDots::new(format!("{name}, {arm}"), colour, s)));
            let row = |(arm, settings)| (arm, json!({"scenario": scenario, "arm": arm}), settings);
            summary.add_intervals(title, arms.into_iter().map(row));
        }
        summary.add_coverage_figure("coverage.svg", &dots);
    }
}

fn arms(train: &LabelledScores, family: Family, test: &[f64]) -> [Result<Estimate, Error>; 4] {
    // The methods of one model share the fitted classes.
    let in_family = Settings::default().with_family(family).with_rates(RateSource::Family);
    let [o_cs, es_model] = fit_and_estimate(train, &[Method::O_CS, Method::ES], &in_family, test);
    let [es] = fit_and_estimate(train, &[Method::ES], &Settings::default(), test);
    let test_only = || {
        let positive = family.fit(Class::Positive, train.positive())?;
        let negative = family.fit(Class::Negative, train.negative())?;
        let known = ContinuousSweep::new(&Separation::new(positive, negative)?, Threshold::Optimal)?;
        known.estimate(test, &IntervalOptions::default())
    };
    [o_cs, test_only(), es, es_model]
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    /// Mean and standard deviation agree with the design within four Monte Carlo errors, the
    /// skewness has the right sign, and exactly αn rows are positive.
    #[test]
    fn simulated_data_follow_the_design() {
        const N: u32 = 100_000;
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_123);
        for scenario in Scenario::ALL {
            let setting = CoverageSetting { scenario, sd_neg: 1.5, n_train: N, ..CoverageSetting::all()[0] };
            let train = setting.train(&mut rng).unwrap();
            assert_eq!((train.positive().len(), train.negative().len()), (40_000, 60_000));
            assert_eq!(setting.test(&mut rng).len(), 100);
            for (scores, mean, sd, sign) in [(train.positive(), 1.0, 0.5, -1.0), (train.negative(), 0.0, 1.5, 1.0)] {
                let n = scores.len() as f64;
                let moment = |k| scores.iter().map(|s| ((s - mean) / sd).powi(k)).sum::<f64>() / n;
                // These classes have an excess kurtosis below 1, so the squares have a variance below 3.
                assert!(moment(1).abs() < 4.0 / n.sqrt(), "{scenario:?} {}", moment(1));
                assert!((moment(2) - 1.0).abs() < 4.0 * (3.0 / n).sqrt(), "{scenario:?} {}", moment(2));
                let skewness = sign * moment(3);
                // Azzalini (1985): (4−π)/2 m³/(1−m²)^{3/2}, m = √(2/π) k/√(1+k²): 0.454 for k = 2 and 0.784 for k = 4.
                let expected = match scenario {
                    Scenario::Normal => 0.0,
                    Scenario::SkewNormal => 0.454,
                    Scenario::WrongFamily => 0.784,
                };
                assert!((skewness - expected).abs() < 0.06, "{scenario:?} {skewness}");
            }
        }
    }
}
