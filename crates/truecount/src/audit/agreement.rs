//! The agreement of people who label the same audited items, and what their errors mean for the prevalence.
//!
//! Item i has k labels, and m_r is the mean product of r different labels of an item, as a weighted
//! mean over the items with enough labels. Two labels agree with probability
//!
//! ```text
//! A = 1 − 2(m₁ − m₂),    κ = (A − E)/(1 − E)
//! ```
//!
//! where E is the agreement by chance: p₁p₂ + (1 − p₁)(1 − p₂) for two people with shares p₁ and p₂ of
//! positives (Cohen 1960), and p² + (1 − p)² for more people with the share p (Fleiss 1971).
//!
//! # Errors of labels
//!
//! If people err independently of each other, all with the sensitivity s and the false positive rate
//! f, then m_r = πs^r + (1 − π)f^r for the prevalence π, and the audit's estimate p of the mean label
//! gives
//!
//! ```text
//! π = (p − f)/(s − f)
//! ```
//!
//! (Rogan and Gladen 1978). Two labels give m₁ and m₂ and leave one of π, s and f open. π is largest if
//! all errors are missed positives, f = 0 and s = m₂/m₁, and smallest if all are false positives, s = 1
//! and f = (m₁ − m₂)/(1 − m₁). Equal error rates e of both classes lie between, with
//! 1 − 2e = √(1 − 4(m₁ − m₂)). Three labels determine both rates, as the roots of x² + c₁x + c₀:
//!
//! ```text
//! c₁ = (m₁m₂ − m₃)/(m₂ − m₁²),    c₀ = −m₂ − c₁m₁
//! ```
//!
//! # Standard errors
//!
//! All estimates are smooth functions of weighted means. Their variance is that of the mean of the linearised values z
//! under the sampling design, with replacement: Σ_h k_h Σ_{c in h} (Σ_{i in c} u(z − z̄_h))². It includes the chance of
//! each label. For a simple random sample κ has the standard error of Fleiss, Cohen and Everitt (1969).

use super::item_labels::ItemLabels;
use super::sample::AuditSample;
use crate::choice::choice;
use crate::inference::{EstimateDistribution, Interval, IntervalOptions, Quadratic, student_quantile};

/// The agreement of people who labelled the same audited items.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LabelAgreement {
    /// The number of people.
    pub people: u64,
    /// The number of audited items with at least two labels.
    pub items: u64,
    /// The share of pairs of labels of an item that agree, in [0, 1].
    pub agreement: f64,
    /// κ of Cohen for two people, of Fleiss for more, in [−1, 1]; `None` if all labels are equal.
    pub kappa: Option<Kappa>,
    /// The prevalence under each assumption about the errors of labels.
    pub corrected: Vec<CorrectedPrevalence>,
}

/// An estimate of κ.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Kappa {
    /// κ, in [−1, 1].
    pub value: f64,
    /// The standard error.
    pub std_error: f64,
    /// The interval, of Wald's type, clipped to [−1, 1].
    pub interval: Interval,
}

/// The prevalence for labels with errors, under an assumption about the errors.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CorrectedPrevalence {
    /// The assumption.
    pub errors: LabelErrors,
    /// The share of positives that people label as positive, clipped to [0, 1].
    pub sensitivity: f64,
    /// The share of negatives that people label as negative, clipped to [0, 1].
    pub specificity: f64,
    /// The estimator as defined, which may lie outside [0, 1].
    pub raw: f64,
    /// `raw`, clipped to [0, 1].
    pub prevalence: f64,
    /// The standard error.
    pub std_error: f64,
    /// The interval.
    pub interval: Interval,
}

/// An assumption about the errors of labels. People err independently of each other, all with the same rates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LabelErrors {
    /// Positives have correct labels.
    FalsePositives,
    /// Both classes have the same error rate.
    Symmetric,
    /// Negatives have correct labels.
    FalseNegatives,
    /// Each class has its own error rate, estimated from items with at least three labels.
    ByClass,
}

impl LabelErrors {
    /// All assumptions: name, assumption, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("false positives", Self::FalsePositives, "all errors are false positives, which gives the lowest share"),
        ("symmetric", Self::Symmetric, "people err in both classes alike"),
        ("missed positives", Self::FalseNegatives, "all errors are missed positives, which gives the highest share"),
        ("by class", Self::ByClass, "each class has its own error rate, from rows with three labels or more"),
    ];

    /// The number of labels of an item that the assumption needs.
    fn order(self) -> u32 {
        if self == Self::ByClass { 3 } else { 2 }
    }
}

choice!(LabelErrors, "errors");

/// The estimate of the mean label that errors are allowed for.
pub(crate) struct MeanLabel<'a> {
    pub(crate) raw: f64,
    /// y − λf of each item.
    pub(crate) residuals: &'a [f64],
    /// The variance in addition to that of the audit with replacement.
    pub(crate) added_variance: f64,
    /// The number of items of the target.
    pub(crate) n: f64,
}

impl LabelAgreement {
    /// Compares the labels of `people`. Returns `None` if no item has two labels.
    pub(crate) fn new(
        sample: &AuditSample,
        people: usize,
        label: &MeanLabel,
        options: &IntervalOptions,
    ) -> Option<Self> {
        let moments = LabelMoments::new(sample, 2)?;
        let LabelMoments { mean: [m1, m2, _], .. } = moments;
        let agreement = 1.0 - 2.0 * (m1 - m2);
        let corrected = LabelErrors::TABLE.iter().filter_map(|(_, errors, _)| correct(sample, *errors, label, options));
        Some(Self {
            people: people as u64,
            items: moments.deviations.iter().flatten().count() as u64,
            agreement,
            kappa: kappa(sample, &moments, people, options),
            corrected: corrected.collect(),
        })
    }
}

/// Mean products of labels over the items with enough labels.
struct LabelMoments {
    /// m₁, m₂ and m₃; m₃ is 0 for items with two labels.
    mean: [f64; 3],
    /// The products of each item less their means, divided by the share of the items with enough labels;
    /// `None` for other items.
    deviations: Vec<Option<[f64; 3]>>,
    /// The share of the items with enough labels.
    share: f64,
}

impl LabelMoments {
    /// Averages over the items with at least `order` labels, 2 or 3; `None` without such items.
    fn new(sample: &AuditSample, order: u32) -> Option<Self> {
        let products = |labels: &ItemLabels| {
            labels.mean_product(order)?;
            Some([1, 2, 3].map(|r| if r <= order { labels.mean_product(r).expect("enough labels") } else { 0.0 }))
        };
        let products: Vec<Option<[f64; 3]>> = sample.item_labels().map(products).collect();
        let share = sample.mean_with(&products, |_| 1.0);
        if share == 0.0 {
            return None;
        }
        let mean = [0, 1, 2].map(|r| sample.mean_with(&products, |product| product[r]) / share);
        let deviation = |product: [f64; 3]| std::array::from_fn(|r| (product[r] - mean[r]) / share);
        Some(Self { mean, deviations: products.into_iter().map(|item| item.map(deviation)).collect(), share })
    }

    /// Returns a linear function of each item's deviations; 0 for items with too few labels.
    fn linearised(&self, value: impl Fn([f64; 3]) -> f64) -> Vec<f64> {
        self.deviations.iter().map(|item| item.map_or(0.0, &value)).collect()
    }
}

/// Returns κ; `None` if all labels are equal.
fn kappa(sample: &AuditSample, moments: &LabelMoments, people: usize, options: &IntervalOptions) -> Option<Kappa> {
    let [p, m2, _] = moments.mean;
    // The shares of positives of the first and of the second person, and the first person's deviations.
    let has_pair = moments.deviations.iter().zip(sample.item_labels());
    let first: Vec<Option<f64>> =
        has_pair.map(|(item, labels)| item.map(|_| f64::from(u8::from(labels.first)))).collect();
    let first_share = if people == 2 { sample.mean_with(&first, |label| *label) / moments.share } else { p };
    let second_share = 2.0 * p - first_share;
    let chance = first_share * second_share + (1.0 - first_share) * (1.0 - second_share);
    if chance >= 1.0 {
        return None;
    }
    let value = (1.0 - 2.0 * (p - m2) - chance) / (1.0 - chance);
    let mut values = moments.linearised(|[d1, d2, _]| -2.0 * (d1 - d2));
    for ((z, item), first) in values.iter_mut().zip(&moments.deviations).zip(first) {
        let Some([d, ..]) = item else { continue };
        let first = first.filter(|_| people == 2).map_or(*d, |label| (label - first_share) / moments.share);
        let of_chance = (2.0 * second_share - 1.0) * first + (2.0 * first_share - 1.0) * (2.0 * d - first);
        *z = (*z - (1.0 - value) * of_chance) / (1.0 - chance);
    }
    let std_error = sample.variance_with_replacement(&sample.centred(&values)).sqrt();
    let margin = student_quantile(options.quantile(), sample.dof(&values)) * std_error;
    let interval = Interval { lower: (value - margin).max(-1.0), upper: (value + margin).min(1.0) };
    Some(Kappa { value, std_error, interval })
}

/// Returns the prevalence under an assumption about the errors; `None` if the labels contradict it, or
/// if too few items have enough labels.
fn correct(
    sample: &AuditSample,
    errors: LabelErrors,
    label: &MeanLabel,
    options: &IntervalOptions,
) -> Option<CorrectedPrevalence> {
    let moments = LabelMoments::new(sample, errors.order())?;
    let [m1, m2, m3] = moments.mean;
    // The rates s and f, and their linearised values.
    let (s, f, rates): (f64, f64, Vec<[f64; 2]>) = match errors {
        LabelErrors::FalsePositives => {
            let f = (m1 - m2) / (1.0 - m1);
            let values = moments.linearised(|[d1, d2, _]| (d1 - d2 + f * d1) / (1.0 - m1));
            (1.0, f, values.into_iter().map(|f| [0.0, f]).collect())
        }
        LabelErrors::FalseNegatives => {
            let s = m2 / m1;
            let values = moments.linearised(|[d1, d2, _]| (d2 - s * d1) / m1);
            (s, 0.0, values.into_iter().map(|s| [s, 0.0]).collect())
        }
        LabelErrors::Symmetric => {
            let root = (1.0 - 4.0 * (m1 - m2)).sqrt();
            let values = moments.linearised(|[d1, d2, _]| (d1 - d2) / root);
            (0.5 * (1.0 + root), 0.5 * (1.0 - root), values.into_iter().map(|e| [-e, e]).collect())
        }
        LabelErrors::ByClass => {
            let variance = m2 - m1 * m1;
            let c1 = (m1 * m2 - m3) / variance;
            let c0 = -m2 - c1 * m1;
            let root = (c1 * c1 - 4.0 * c0).sqrt();
            let (s, f) = (0.5 * (root - c1), -0.5 * (root + c1));
            let value = |x: f64, sign: f64| {
                moments.linearised(|[d1, d2, d3]| {
                    let d_c1 = (m1 * d2 + m2 * d1 - d3 - c1 * (d2 - 2.0 * m1 * d1)) / variance;
                    let d_c0 = -d2 - d_c1 * m1 - c1 * d1;
                    -sign * (x * d_c1 + d_c0) / root
                })
            };
            (s, f, value(s, 1.0).into_iter().zip(value(f, -1.0)).map(|(s, f)| [s, f]).collect())
        }
    };
    let slope = s - f;
    let raw = (label.raw - f) / slope;
    if !(slope > 0.0 && raw.is_finite()) {
        return None;
    }
    let z = label.residuals.iter().zip(rates).map(|(r, [s, f])| (r - (1.0 - raw) * f - raw * s) / slope);
    let z = sample.centred(&z.collect::<Vec<f64>>());
    let variance = sample.variance_with_replacement(&z) + label.added_variance / (slope * slope);
    // V is proportional to the variance of a label, whose mean is f + α(s − f).
    let binomial = |alpha: f64| {
        let mean = (f + alpha * slope).clamp(0.0, 1.0);
        mean * (1.0 - mean)
    };
    let side = match binomial(raw.clamp(0.0, 1.0)) {
        0.0 => Quadratic::binomial(sample.variance_with_replacement(&vec![1.0; sample.len()]).recip()),
        scale => Quadratic::through(binomial(0.0), binomial(0.5), binomial(1.0)).times(variance / scale),
    };
    let estimate = EstimateDistribution::of_share(raw, label.n, variance, side, 1.0)
        .with_dof(sample.dof(&z))
        .interval_estimate(options);
    Some(CorrectedPrevalence {
        errors,
        sensitivity: s.clamp(0.0, 1.0),
        specificity: (1.0 - f).clamp(0.0, 1.0),
        raw,
        prevalence: raw.clamp(0.0, 1.0),
        std_error: estimate.std_error,
        interval: estimate.interval(),
    })
}
