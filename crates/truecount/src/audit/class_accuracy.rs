//! The share of each of several classes, and the accuracy of predicted classes.
//!
//! From the N_h items of stratum h, m_h are drawn at random and labelled. Strata may be the predicted classes
//! (Olofsson et al. 2014) or others (Stehman 2014). Every measure is a ratio R = Y/X of two totals:
//!
//! ```text
//! R                             y is 1 for                  x is 1 for
//! share of class k              items of k                  all items
//! overall accuracy              correct predictions         all items
//! user's accuracy of k          correct predictions of k    items predicted as k
//! producer's accuracy of k      correct predictions of k    items of k
//! ```
//!
//! with Y = Σ N_h ȳ_h over the strata, and likewise X. Its variance is that of the mean of N(y − Rx)/X under
//! the sampling design (`sample`; Stehman 2014, equation 28):
//!
//! ```text
//! V = Σ N_h² (1 − m_h/N_h) (s²_y + R² s²_x − 2R s_xy)/m_h / X²
//! ```
//!
//! For the population that the items were drawn from, 1 − m_h/N_h is left out (Olofsson et al. 2014,
//! equations 5 to 10). Intervals are those of the difference estimator: V is proportional to R(1 − R), with
//! half an error more. A stratum without an item of a class may have some: above a share R, V(p) is larger by
//! w(p − R), w the largest weight N_h/(N m_h) of these strata, as for a Poisson count of 0; below it likewise for
//! strata with items of this class alone. A large stratum may have items of a rare class although none was drawn; the
//! standard error alone would understate the uncertainty of the producer's accuracy.

use super::item_labels::ItemLabels;
use super::sample::{AuditSample, BinnedItem, StratumSize};
use crate::choice::choice;
use crate::inference::{EstimateDistribution, Interval, IntervalOptions, Quadratic, Target};
use crate::numeric::sum::CompensatedSum;
use crate::problem::check_result_size;
use crate::{Error, Problem};

/// A variance that is due to rounding.
const ROUNDING: f64 = 1e-28;

/// The number of audited items of a stratum with the same label and the same prediction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConfusionCount {
    /// The index of the stratum.
    pub stratum: usize,
    /// The index of the labelled class.
    pub label: usize,
    /// The index of the predicted class.
    pub prediction: usize,
    /// The number of audited items.
    pub n: u64,
}

/// A measure of classes and of their predictions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccuracyMeasure {
    /// The share of the items that are of the class.
    Share,
    /// The share of the items with a correct prediction.
    Overall,
    /// The share of correct predictions among the items predicted as the class (precision).
    User,
    /// The share of correct predictions among the items of the class (recall).
    Producer,
}

impl AccuracyMeasure {
    /// All measures: name, measure, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("share", Self::Share, "the share of the class"),
        ("overall", Self::Overall, "the share of all rows that are predicted correctly"),
        (
            "user",
            Self::User,
            "user's accuracy, or precision: of the rows predicted as a class, the share that are of it",
        ),
        (
            "producer",
            Self::Producer,
            "producer's accuracy, or recall: of the rows of a class, the share predicted as it",
        ),
    ];
}

choice!(AccuracyMeasure, "measure");

/// An estimated share or accuracy.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct AccuracyEstimate {
    /// The measure.
    pub measure: AccuracyMeasure,
    /// The index of the class; `None` for the overall accuracy.
    pub class: Option<usize>,
    /// The number of audited items that it is a share of.
    pub n: u64,
    /// The estimate, in [0, 1].
    pub value: f64,
    /// The standard error.
    pub std_error: f64,
    /// The interval.
    pub interval: Interval,
}

impl AccuracyEstimate {
    /// Estimates all measures of `classes` classes: their shares, the overall accuracy, and the accuracy of each
    /// class that was labelled or predicted. `sizes` has the size of each stratum. For the target
    /// [`Population`](Target::Population) only the ratios of the sizes count, so that they may be areas.
    ///
    /// # Errors
    /// Returns [`Problem::AuditEmpty`] without audited items, [`Problem::AuditStratumTooSmall`] for a stratum
    /// with fewer than two, [`Problem::SmallPopulation`] for a stratum with fewer items than audited ones
    /// unless the target is the population, and [`Problem::ResultTooLarge`] for more than 10 million items.
    pub fn all(
        counts: &[ConfusionCount],
        sizes: &[f64],
        classes: usize,
        options: &IntervalOptions,
    ) -> Result<Vec<Self>, Error> {
        let audited =
            |stratum: usize| counts.iter().filter(|count| count.stratum == stratum).map(|count| count.n).sum();
        check_result_size("audited rows", counts.iter().map(|count| count.n).fold(0, u64::saturating_add))?;
        if counts.iter().all(|count| count.n == 0) {
            return Err(Problem::AuditEmpty.into());
        }
        let total = sizes.iter().copied().collect::<CompensatedSum>().value();
        let target_items = if options.target() == Target::Sample { total } else { f64::INFINITY };
        let mut strata = Vec::with_capacity(sizes.len());
        for (number, size) in sizes.iter().enumerate() {
            let audited = audited(number);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a number of items
            let n = size.round() as u64;
            if options.target() == Target::Sample && n < audited {
                return Err(Error::from(Problem::SmallPopulation { n: audited, size: n }).in_set(number));
            }
            // The audited items are a fraction of 0 if the population has no end.
            let target_n = if options.target() == Target::Sample { n } else { u64::MAX };
            if audited < target_n.min(2) {
                return Err(Error::from(Problem::AuditStratumTooSmall { n, audited }).in_set(number));
            }
            strata.push(StratumSize {
                number: u32::try_from(number).expect("few strata"),
                n: target_n,
                share: size / total,
            });
        }
        let item = |count: &ConfusionCount| {
            let labels = ItemLabels { number: 1, positive: 0, first: false };
            let stratum = strata[count.stratum].number;
            let item = BinnedItem { bin: 0, labels, sampling_weight: 1.0, item_weight: 1.0, stratum, cluster: None };
            (item, count.stratum)
        };
        let items: Vec<_> = each(counts, item).collect();
        let sample = AuditSample::new(&items, &strata, true)?;
        let estimate = |measure, class| Self::new(measure, class, (&sample, counts), target_items, options);
        let of_classes = |measure| (0..classes).filter_map(move |class| estimate(measure, Some(class)));
        Ok(of_classes(AccuracyMeasure::Share)
            .chain(estimate(AccuracyMeasure::Overall, None))
            .chain(of_classes(AccuracyMeasure::User))
            .chain(of_classes(AccuracyMeasure::Producer))
            .collect())
    }

    /// Estimates a measure of a target with this number of items; `None` if no audited item counts for it.
    fn new(
        measure: AccuracyMeasure,
        class: Option<usize>,
        (sample, counts): (&AuditSample, &[ConfusionCount]),
        target_items: f64,
        options: &IntervalOptions,
    ) -> Option<Self> {
        let is_class = |other: usize| class.is_none_or(|class| class == other);
        let is_counted = |count: &ConfusionCount| match measure {
            AccuracyMeasure::Share | AccuracyMeasure::Overall => true,
            AccuracyMeasure::User => is_class(count.prediction),
            AccuracyMeasure::Producer => is_class(count.label),
        };
        let is_hit = |count: &ConfusionCount| {
            is_class(count.label) && (measure == AccuracyMeasure::Share || count.label == count.prediction)
        };
        let indicator = |value: &dyn Fn(&ConfusionCount) -> bool| -> Vec<f64> {
            each(counts, |count| f64::from(u8::from(value(count)))).collect()
        };
        let n = counts.iter().filter(|count| is_counted(count)).map(|count| count.n).sum();
        if n == 0 {
            return None;
        }
        let (hits, counted) = (indicator(&is_hit), indicator(&is_counted));
        let share = sample.mean(&counted);
        let value = sample.mean(&hits) / share;
        let residuals: Vec<f64> = hits.iter().zip(&counted).map(|(y, x)| (y - value * x) / share).collect();
        // Rounding leaves a variance where no item differs from its stratum.
        let variance = sample.variance(&sample.centred(&residuals));
        let variance = if variance < ROUNDING { 0.0 } else { variance };
        // A missed item of a class may be in any stratum, and a false prediction where the class is predicted.
        let of_error = |mean: &f64| if measure != AccuracyMeasure::User || *mean > 0.0 { share.recip() } else { 0.0 };
        let of_strata: Vec<f64> = sample.stratum_means(&counted).iter().map(of_error).collect();
        let unseen = sample.unseen_variance(&sample.scaled(&vec![1.0; sample.len()], &of_strata));
        let unit = sample.scaled(&counted, &of_strata);
        let (unit, of_population) = (sample.variance(&unit), sample.variance_with_replacement(&unit));
        let binomial = value * (1.0 - value);
        let factor = match measure {
            _ if binomial > 0.0 => (variance + unseen) / binomial,
            // Each missed item counts for as many as its stratum has for an audited one.
            AccuracyMeasure::Producer => unit.max((2.0 * unseen).sqrt()),
            _ => unit,
        };
        let (side, fraction) = (Quadratic::binomial(factor.recip()), factor / (factor + of_population - unit));
        // An item that is unlike all audited ones of its stratum moves a share by its weight.
        let means = sample.stratum_means(&hits);
        let unseen_weight = |mean: f64| match measure {
            AccuracyMeasure::Share | AccuracyMeasure::Overall if binomial > 0.0 => {
                sample.largest_weight(|stratum| means[stratum] == mean)
            }
            _ => 0.0,
        };
        let linear = |slope: f64| Quadratic::through(-slope * value, slope * (0.5 - value), slope * (1.0 - value));
        let estimate = EstimateDistribution::of_share(value, share * target_items, variance, side, fraction)
            .with_sides([linear(-unseen_weight(1.0)), linear(unseen_weight(0.0))])
            .with_dof(sample.dof(&sample.centred(&residuals)))
            .interval_estimate(options);
        Some(Self { measure, class, n, value, std_error: estimate.std_error, interval: estimate.interval() })
    }
}

/// Returns a value for each audited item.
fn each<T: Clone>(counts: &[ConfusionCount], value: impl Fn(&ConfusionCount) -> T) -> impl Iterator<Item = T> {
    counts
        .iter()
        .flat_map(move |count| std::iter::repeat_n(value(count), usize::try_from(count.n).expect("items in memory")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::RngExt;
    use std::collections::BTreeMap;

    const Z: f64 = 1.96;

    fn options(target: Target) -> IntervalOptions {
        IntervalOptions::new(0.95, target).unwrap()
    }

    fn find(estimates: &[AccuracyEstimate], measure: AccuracyMeasure, class: Option<usize>) -> AccuracyEstimate {
        *estimates.iter().find(|estimate| (estimate.measure, estimate.class) == (measure, class)).unwrap()
    }

    /// Counts of a matrix with a row for each stratum, which is the predicted class.
    fn confusion_matrix(rows: &[[u64; 4]; 4]) -> Vec<ConfusionCount> {
        let count = |stratum: usize, label: usize| ConfusionCount {
            stratum,
            label,
            prediction: stratum,
            n: rows[stratum][label],
        };
        (0..4).flat_map(|stratum| (0..4).map(move |label| count(stratum, label))).collect()
    }

    /// The forty items of Stehman (2014), table 2: stratum, prediction and label.
    fn stehman() -> (Vec<ConfusionCount>, [f64; 4]) {
        let strata = "AAAAAAAAAABBBBBBBBBBCCCCCCCCCCDDDDDDDDDD";
        let predictions = "AAAAAAABBBABBBBBBBBBBBCCCCCCBBDDDDDDDDDD";
        let labels = "AAAAACBABCABBBBBAABBCCCCCDDBBADDDDDDDCCB";
        let [strata, predictions, labels] =
            [strata, predictions, labels].map(|names| names.bytes().map(|name| usize::from(name - b'A')));
        let item = |((stratum, prediction), label)| ConfusionCount { stratum, label, prediction, n: 1 };
        (strata.zip(predictions).zip(labels).map(item).collect(), [40_000.0, 30_000.0, 20_000.0, 10_000.0])
    }

    /// Olofsson et al. (2014), Remote Sensing of Environment 148, tables 8 and 9 and section 5.2: areas in pixels
    /// and accuracies, each with 1.96 standard errors. The half-widths of two producer's accuracies are those of
    /// equation 7; the paper prints .23 and .01.
    #[test]
    fn land_change_of_olofsson() {
        let counts = confusion_matrix(&[[66, 0, 5, 4], [0, 55, 8, 12], [1, 0, 153, 11], [2, 1, 9, 313]]);
        let sizes = [200_000.0, 150_000.0, 3_200_000.0, 6_450_000.0];
        let estimates = AccuracyEstimate::all(&counts, &sizes, 4, &options(Target::Population)).unwrap();
        let hectares = [(21_158.0, 6_158.0), (11_686.0, 3_756.0), (285_770.0, 15_510.0), (581_386.0, 16_282.0)];
        for (class, (area, half_width)) in hectares.into_iter().enumerate() {
            let share = find(&estimates, AccuracyMeasure::Share, Some(class));
            let scale = 0.09 * sizes.iter().sum::<f64>();
            assert!((scale * share.value - area).abs() < 0.5 && (scale * Z * share.std_error - half_width).abs() < 0.5);
        }
        let users =
            [(0.88, 0.07), (0.73, 0.10), (0.93, 0.04), (0.96, 0.02)].map(|printed| (AccuracyMeasure::User, printed));
        let producers = [(0.75, 0.21), (0.85, 0.25), (0.93, 0.03), (0.96, 0.02)]
            .map(|printed| (AccuracyMeasure::Producer, printed));
        let numbered = users.into_iter().zip(0..).chain(producers.into_iter().zip(0..));
        let all = numbered.map(|((measure, printed), class)| (measure, Some(class), printed));
        for (measure, class, printed) in all.chain([(AccuracyMeasure::Overall, None, (0.95, 0.02))]) {
            let estimate = find(&estimates, measure, class);
            let errors = [estimate.value - printed.0, Z * estimate.std_error - printed.1];
            assert!(errors.iter().all(|error| error.abs() < 0.005), "{measure} {class:?} {errors:?}");
        }
    }

    /// Stehman (2014), International Journal of Remote Sensing 35:4923, whose strata are not the predicted
    /// classes. A script of its equations 25 and 28 gave the digits; the paper prints .63 (.085) for the overall
    /// accuracy, and .35 (.082) for the share of A.
    #[test]
    fn strata_of_stehman() {
        use AccuracyMeasure::{Overall, Producer, Share, User};
        let (counts, sizes) = stehman();
        let estimates = AccuracyEstimate::all(&counts, &sizes, 4, &options(Target::Sample)).unwrap();
        for (measure, class, value, std_error) in [
            (Overall, None, 0.63, 0.084_642_188_062_454_99),
            (Share, Some(0), 0.35, 0.082_247_796_323_062_67),
            (Share, Some(2), 0.2, 0.064_279_770_448_321_37),
            (User, Some(0), 23.0 / 31.0, 0.164_542_017_606_227_6),
            (User, Some(1), 27.0 / 47.0, 0.124_782_247_240_141_63),
            (Producer, Some(1), 27.0 / 34.0, 0.116_547_913_524_169_61),
            (Producer, Some(3), 7.0 / 11.0, 0.162_279_671_466_285_86),
        ] {
            let estimate = find(&estimates, measure, class);
            assert!((estimate.value - value).abs() < 1e-14, "{estimate:?}");
            assert!((estimate.std_error - std_error).abs() < 1e-14, "{estimate:?}");
        }
    }

    /// Samples from the map of Olofsson et al. with the errors that were found there: intervals cover, while 1.96
    /// standard errors may miss the accuracy of a rare class in nine of ten samples.
    #[test]
    fn intervals_cover() {
        let shares = [
            [0.88, 0.0, 0.067, 0.053],
            [0.0, 0.733, 0.107, 0.16],
            [0.006, 0.0, 0.927, 0.067],
            [0.006, 0.003, 0.028, 0.963],
        ];
        let sizes = [2e5, 1.5e5, 3.2e6, 6.45e6];
        let sum = |value: &dyn Fn(usize) -> f64| (0..4).map(|h| sizes[h] * value(h)).sum::<f64>();
        let (mut random, mut covered) = (stream(7, 0), BTreeMap::<_, [f64; 2]>::new());
        for _ in 0..1000 {
            let mut rows = [[0; 4]; 4];
            for (h, audited) in [25, 25, 50, 100].into_iter().enumerate() {
                for _ in 0..audited {
                    let mut rest: f64 = random.random();
                    let is_passed = |share: &&f64| {
                        rest -= **share;
                        rest >= 0.0
                    };
                    rows[h][shares[h][..3].iter().take_while(is_passed).count()] += 1;
                }
            }
            let estimates = AccuracyEstimate::all(&confusion_matrix(&rows), &sizes, 4, &options(Target::Population));
            for AccuracyEstimate { measure, class, value, std_error, interval, .. } in estimates.unwrap() {
                let k = class.unwrap_or(0);
                let truth = match measure {
                    AccuracyMeasure::Share => sum(&|h| shares[h][k]) / sum(&|_| 1.0),
                    AccuracyMeasure::Overall => sum(&|h| shares[h][h]) / sum(&|_| 1.0),
                    AccuracyMeasure::User => shares[k][k],
                    AccuracyMeasure::Producer => sizes[k] * shares[k][k] / sum(&|h| shares[h][k]),
                };
                let [ours, wald] = covered.entry((measure as usize, class)).or_default();
                *ours += f64::from(u8::from(interval.contains(truth))) / 1000.0;
                *wald += f64::from(u8::from((value - truth).abs() <= Z * std_error)) / 1000.0;
            }
        }
        let least = |place: usize| covered.values().map(|shares| shares[place]).fold(1.0, f64::min);
        println!("least coverage {:.3}, with 1.96 standard errors {:.3}", least(0), least(1));
        assert!(least(0) > 0.93 && least(1) < 0.3, "{covered:?}");
    }

    #[test]
    fn extremes() {
        let matrix = confusion_matrix(&[[20, 0, 0, 0], [0, 20, 0, 0], [0, 0, 20, 0], [0, 0, 0, 20]]);
        let sizes = [100.0, 200.0, 300.0, 20.0];
        let estimates = AccuracyEstimate::all(&matrix, &sizes, 5, &options(Target::Sample)).unwrap();
        // Nothing is labelled or predicted as the fifth class, and all of the fourth stratum was audited.
        assert_eq!(estimates.len(), 5 + 1 + 4 + 4);
        let fifth = find(&estimates, AccuracyMeasure::Share, Some(4));
        assert!(fifth.value == 0.0 && fifth.std_error == 0.0 && fifth.interval.upper > 0.01, "{fifth:?}");
        let users = |class| find(&estimates, AccuracyMeasure::User, Some(class));
        assert!(users(0).value == 1.0 && users(0).interval.lower > 0.8 && users(0).interval.lower < 0.95);
        assert!(users(3).interval.lower > 0.97, "{:?}", users(3));
        let error = |counts: &[ConfusionCount], sizes: &[f64]| {
            AccuracyEstimate::all(counts, sizes, 4, &options(Target::Sample)).unwrap_err().problem().cloned()
        };
        assert_eq!(error(&matrix, &[100.0, 10.0, 300.0, 20.0]), Some(Problem::SmallPopulation { n: 20, size: 10 }));
        assert_eq!(error(&matrix[..12], &sizes), Some(Problem::AuditStratumTooSmall { n: 20, audited: 0 }));
        assert_eq!(error(&[], &sizes), Some(Problem::AuditEmpty));
    }
}
