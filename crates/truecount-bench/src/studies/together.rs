//! The coverage of nominal 95 % intervals for differences, ratios and totals of groups that share one labelled sample.
//!
//! Six quantities by four methods, all from the same data: the first of four groups, its difference
//! from the second group, their ratio, the mean of the four groups with known weights, and the
//! first group's difference from that mean and from the mean of the other groups.
//!
//! Normal classes of standard deviation 1 whose means differ by d ∈ {1.5, 2.5}, and 30, 100 or 300 labels of each
//! class. Two groups have the prevalences and sizes of the setting; two more have the same sizes and the mean of both
//! prevalences. 4 pairs of prevalences, 3 pairs of sizes, 2 targets: 144 settings. For the target `sample` every group
//! has its share of positives exactly (up to rounding); for `population` the classes are random.

use super::intervals::{ArmEstimate, CoverageDots};
use super::samples::{cross, draw, draw_labelled, draw_population, normal_classes, outcomes, prevalence};
use super::{ArmOutcome, IntervalStudy, StudyResults, StudySummary};
use crate::shared::SERIES;
use rand_chacha::ChaCha8Rng;
use serde::{Serialize, Serializer};
use serde_json::json;
use truecount::compare::{Difference, JointErrors, Overlap};
use truecount::{Error, Estimate, Interval, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

/// The methods, in the order of the arms.
const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::PACC];

/// The known weights of the groups in the total.
const WEIGHTS: [f64; 4] = [4.0, 3.0, 2.0, 1.0];

/// The study of differences, ratios and totals.
#[derive(Debug)]
pub struct TogetherStudy;

/// The quantity that an interval estimates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Quantity {
    /// The prevalence of the first group.
    Group,
    /// The first group − the second group.
    Difference,
    /// The first group / the second group.
    Ratio,
    /// The weighted mean of all groups.
    Total,
    /// The first group − the mean of all groups.
    AgainstTotal,
    /// The first group − the mean of the other groups.
    AgainstRest,
}

impl Quantity {
    /// All quantities with their titles, in the order of the arms.
    pub const ALL: [(Self, &'static str); 6] = [
        (Self::Group, "one group"),
        (Self::Difference, "difference of two groups"),
        (Self::Ratio, "ratio of two groups"),
        (Self::Total, "total of four groups"),
        (Self::AgainstTotal, "group against total"),
        (Self::AgainstRest, "group against rest"),
    ];
}

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointSetting {
    /// Labels of each class.
    pub labels: u32,
    /// The distance between the classes' means.
    pub distance: f64,
    /// The target of inference.
    #[serde(serialize_with = "serialize_name")]
    pub target: Target,
    /// Prevalence of the first group.
    pub first: f64,
    /// Prevalence of the second group.
    pub second: f64,
    /// Size of the first group.
    pub n_first: u32,
    /// Size of the second group.
    pub n_second: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn serialize_name<S: Serializer>(target: &Target, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(target)
}

impl JointSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        let labelled = cross(cross([30, 100, 300], [1.5, 2.5]), [Target::Sample, Target::Population]);
        let prevalences = [(0.02, 0.05), (0.1, 0.1), (0.3, 0.2), (0.9, 0.2)];
        let groups = cross(prevalences, [(100, 100), (50, 1000), (2000, 500)]);
        let setting = |(((labels, distance), target), groups)| {
            let ((first, second), (n_first, n_second)) = groups;
            Self { labels, distance, target, first, second, n_first, n_second }
        };
        cross(labelled, groups).into_iter().map(setting).collect()
    }

    /// Draws the labelled sample, which all groups share.
    fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        draw_labelled(&normal_classes(self.distance, 0.0), 2 * self.labels, 0.5, rng)
    }

    /// Draws the test scores of the four groups.
    fn groups(&self, rng: &mut ChaCha8Rng) -> [Vec<f64>; 4] {
        let classes = normal_classes(self.distance, 0.0);
        self.shares_and_sizes().map(|(share, n)| match self.target {
            Target::Sample => draw(&classes, n, share, rng),
            Target::Population => draw_population(&classes, n, share, rng),
        })
    }

    /// Returns the true prevalences of the four groups.
    fn prevalences(&self) -> [f64; 4] {
        self.shares_and_sizes().map(|(share, n)| match self.target {
            Target::Sample => prevalence(n, share),
            Target::Population => share,
        })
    }

    /// Returns the designed prevalences and the sizes of the four groups.
    fn shares_and_sizes(&self) -> [(f64, u32); 4] {
        let middle = 0.5 * (self.first + self.second);
        [(self.first, self.n_first), (self.second, self.n_second), (middle, self.n_first), (middle, self.n_second)]
    }
}

impl IntervalStudy for TogetherStudy {
    const NAME: &'static str = "together";
    const REPLICATIONS: u32 = 2000;
    #[rustfmt::skip]
    const ARMS: &'static [&'static str] = &[
        "group es", "group o-cs", "group ac", "group pacc",
        "difference es", "difference o-cs", "difference ac", "difference pacc",
        "ratio es", "ratio o-cs", "ratio ac", "ratio pacc",
        "total es", "total o-cs", "total ac", "total pacc",
        "against-total es", "against-total o-cs", "against-total ac", "against-total pacc",
        "against-rest es", "against-rest o-cs", "against-rest ac", "against-rest pacc",
    ];

    type Setting = JointSetting;

    fn replicate(setting: &JointSetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, groups) = (setting.train(rng), setting.groups(rng));
        let options = IntervalOptions::new(0.95, setting.target).expect("a level between 0 and 1");
        let settings = Settings::new(METHODS).with_cutoff(0.5 * setting.distance).available_only();
        let fitted = train.and_then(|train| Model::fit(&train, &settings)).map(Model::without_check);
        let by_method = METHODS.map(|method| {
            let model = fitted.as_ref().map_err(Error::clone)?;
            quantities(model, method, &groups, &options)
        });
        let truths = truths(&setting.prevalences()).into_iter().enumerate();
        let results = |quantity: usize| {
            by_method.each_ref().map(|estimates| estimates.as_ref().map(|all| all[quantity]).map_err(Error::clone))
        };
        truths.flat_map(|(quantity, truth)| outcomes(truth, results(quantity))).collect()
    }

    /// Summarises every method's intervals for every quantity over the settings, with a row of dots in the figure.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        let mut dots = Vec::new();
        for (index, (quantity, title)) in Quantity::ALL.into_iter().enumerate() {
            let methods = METHODS.iter().enumerate().map(|(number, method)| {
                let settings = results.select(arm(index, number), |_| true);
                dots.push(CoverageDots::new(format!("{title}, {method}"), SERIES[index], &settings));
                (method.to_string(), json!({"quantity": quantity, "method": method.to_string()}), settings)
            });
            summary.add_intervals(title, methods);
        }
        summary.add_coverage_figure("together.svg", &dots);
    }
}

/// Returns the index of an arm.
fn arm(quantity: usize, method: usize) -> usize {
    quantity * METHODS.len() + method
}

/// Returns the true quantities, from the groups' prevalences.
fn truths(groups: &[f64; 4]) -> [f64; 6] {
    let (total, rest) = (weighted_mean(&WEIGHTS, groups), weighted_mean(&WEIGHTS[1..], &groups[1..]));
    [groups[0], groups[0] - groups[1], groups[0] / groups[1], total, groups[0] - total, groups[0] - rest]
}

fn weighted_mean(weights: &[f64], values: &[f64]) -> f64 {
    weights.iter().zip(values).map(|(weight, value)| weight * value).sum::<f64>() / weights.iter().sum::<f64>()
}

/// Returns a method's estimate of each quantity.
fn quantities(
    model: &Model,
    method: Method,
    groups: &[Vec<f64>; 4],
    options: &IntervalOptions,
) -> Result<[ArmEstimate; 6], Error> {
    let joint = JointErrors::new(model, method)?;
    let mut estimates: Vec<Estimate> = Vec::new();
    let mut sum = joint.total();
    for (scores, weight) in groups.iter().zip(WEIGHTS) {
        let estimate = model.estimate_with(scores, options)?.by_method(method).expect("a method of the model").clone();
        sum.add(&estimate, weight)?;
        estimates.push(estimate);
    }
    let first = &estimates[0];
    let rest = sum.without(first, WEIGHTS[0])?.estimate(options);
    let total = sum.estimate(options);
    let difference_from = |second: &Estimate| joint.difference(first, second, Overlap::None, options);
    let pair = difference_from(&estimates[1])?;
    let ratio = Interval { lower: pair.ratio.lower, upper: pair.ratio.upper };
    let of_difference = |second: &Estimate, difference: &Difference| {
        ArmEstimate::unclipped(first.raw - second.raw, difference.std_error, difference.interval)
    };
    Ok([
        first.clone().into(),
        of_difference(&estimates[1], &pair),
        ArmEstimate { points: None, std_error: None, interval: Some(ratio), is_rejected: false },
        total.clone().into(),
        of_difference(&total, &sum.difference(first, WEIGHTS[0], &total, options)?),
        of_difference(&rest, &difference_from(&rest)?),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn arms_are_every_quantity_by_every_method() {
        for (index, (quantity, _)) in Quantity::ALL.iter().enumerate() {
            for (method_index, method) in METHODS.iter().enumerate() {
                let (arm_quantity, arm_method) = TogetherStudy::ARMS[arm(index, method_index)].split_once(' ').unwrap();
                assert_eq!(arm_quantity.replace('-', ""), format!("{quantity:?}").to_lowercase());
                assert_eq!(arm_method, method.to_string());
            }
        }
    }

    /// Computed by hand, with weights 4, 3, 2 and 1.
    #[test]
    fn truths_follow_from_the_groups() {
        let truths = truths(&[0.5, 0.25, 0.125, 1.0]);
        let expected = [0.5, 0.25, 2.0, 0.4, 0.1, 0.5 - 1.0 / 3.0];
        assert!(truths.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15), "{truths:?}");
    }

    /// The expected mean score of a group is its prevalence times the distance. Its variance is that of the scores,
    /// plus that of a binomial share for the population. Both agree with the design within four Monte Carlo errors.
    #[test]
    fn simulated_groups_follow_the_design() {
        let replications = 2000.0_f64;
        let mut rng = ChaCha8Rng::seed_from_u64(20_261_124);
        for (target, binomial_variance) in [(Target::Sample, 0.0), (Target::Population, 0.3 * 0.7)] {
            let groups =
                JointSetting { first: 0.3, second: 0.05, n_first: 50, n_second: 100, ..JointSetting::all()[0] };
            let setting = JointSetting { distance: 2.0, target, ..groups };
            let truths = setting.prevalences();
            assert!(truths.iter().zip([0.3, 0.05, 0.175, 0.175]).all(|(a, b)| (a - b).abs() <= 0.01), "{truths:?}");
            let mut means: Vec<f64> = Vec::new();
            for _ in 0..2000 {
                let groups = setting.groups(&mut rng);
                assert_eq!(groups.each_ref().map(Vec::len), [50, 100, 50, 100]);
                means.push(groups[0].iter().sum::<f64>() / 50.0);
            }
            let mean = means.iter().sum::<f64>() / replications;
            let variance = means.iter().map(|m| (m - mean).powi(2)).sum::<f64>() / replications;
            let expected = (1.0 + 4.0 * binomial_variance) / 50.0;
            assert!((mean - 0.6).abs() < 4.0 * (expected / replications).sqrt(), "{target}: {mean}");
            assert!((variance / expected - 1.0).abs() < 4.0 * (2.0 / replications).sqrt(), "{target}: {variance}");
        }
    }
}
