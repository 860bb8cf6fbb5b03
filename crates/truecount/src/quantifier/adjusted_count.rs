//! Classify & Count and its correction, Adjusted Count, each also with means of posterior
//! probabilities.
//!
//! Classify & Count (Forman 2005) is the share of test scores at or above the cutoff. Its
//! probabilistic form (Bella et al. 2010) is the mean of the posterior probabilities. Both are
//! biased if the classifier errs. The variance of Classify & Count about its biased expectation is
//! V = [α p⁺(1−p⁺) + (1−α) p⁻(1−p⁻)]/n (Kloos et al., §2).
//!
//! Adjusted Count (Forman 2005; Kuha & Skinner 1997) is α̂ = (CC − p⁻)/(p⁺ − p⁻) with the labelled
//! rates p⁺, p⁻ at the cutoff, or at a cut chosen from the labelled scores (`cuts`). Its variants
//! are:
//!
//! * Probabilistic Adjusted Count (Bella et al. 2010): means of the posterior probabilities
//!   instead of rates;
//! * Friedman's method (2014): the rates of posterior probabilities at or above the training
//!   prevalence;
//! * Sample Mean Matching (Hassan, Maletzke & Batista 2020): means of the scores instead of
//!   rates.

use super::Method;
use super::anchored::LinearEstimator;
use super::cuts::{self, Criterion};
use super::linear::Linear;
use super::method::{FamilyUse, MethodRow, VarianceOrigin};
use crate::numeric::sum::CompensatedSum;
use crate::tally::InfluenceFunction;
use crate::training::{InputKind, Training};
use crate::{Class, Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Classify & Count, `cc`: the share of scores at or above the cutoff.
    pub const CC: Self = Self::from_row(&CC);
    /// Probabilistic Classify & Count, `pcc`: the mean posterior probability.
    pub const PCC: Self = Self::from_row(&MethodRow {
        name: "pcc",
        summary: "Probabilistic Classify & Count: mean posterior, uncorrected",
        input: InputKind::Posterior,
        family_use: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(fit_uncorrected(training, InputKind::Posterior, InfluenceFunction::IDENTITY)?)),
        ..CC
    });
    /// Adjusted Count, `ac`: Classify & Count corrected by the labelled rates at the cutoff.
    pub const AC: Self = Self::from_row(&AC);
    /// Adjusted Count at the cut where the labelled rates differ most, `max`.
    pub const MAX: Self = Self::from_row(&MethodRow {
        name: "max",
        summary: "Adjusted Count where the rates differ most",
        takes_label_design: false,
        fit: |training, _| Ok(Arc::new(fit_at_chosen_cut(training, Criterion::LargestDifference)?)),
        ..AC
    });
    /// Adjusted Count at the median of the labelled positives, `t50`.
    pub const T50: Self = Self::from_row(&MethodRow {
        name: "t50",
        summary: "Adjusted Count at the median of the positives",
        takes_label_design: false,
        fit: |training, _| Ok(Arc::new(fit_at_chosen_cut(training, Criterion::HalfOfPositives)?)),
        ..AC
    });
    /// Adjusted Count at the cut with equal labelled error rates, `x`.
    pub const X: Self = Self::from_row(&MethodRow {
        name: "x",
        summary: "Adjusted Count where both error rates are equal",
        takes_label_design: false,
        fit: |training, _| Ok(Arc::new(fit_at_chosen_cut(training, Criterion::EqualErrors)?)),
        ..AC
    });
    /// Probabilistic Adjusted Count, `pacc`.
    pub const PACC: Self = Self::from_row(&MethodRow {
        name: "pacc",
        summary: "Probabilistic Adjusted Count",
        input: InputKind::Posterior,
        family_use: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(fit_probabilistic(training)?)),
        ..AC
    });
    /// Friedman's method, `friedman`: Adjusted Count of posterior probabilities at or above the
    /// training prevalence.
    pub const FRIEDMAN: Self = Self::from_row(&MethodRow {
        name: "friedman",
        aliases: &["fm"],
        summary: "Adjusted Count of probabilities above the labelled share",
        input: InputKind::Posterior,
        family_use: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(fit_at_cut(training, InputKind::Posterior, training.prior())?)),
        ..AC
    });
    /// Sample Mean Matching, `smm`: Adjusted Count with means of scores instead of rates.
    pub const SMM: Self = Self::from_row(&MethodRow {
        name: "smm",
        summary: "Sample Mean Matching: Adjusted Count with means of scores",
        input: InputKind::Transformed,
        fit: |training, _| Ok(Arc::new(fit_mean_matching(training)?)),
        ..AC
    });
}

const CC: MethodRow = MethodRow {
    takes_label_design: true,
    variance: VarianceOrigin::BiasedFormula,
    ..MethodRow::new("cc", "Classify & Count, uncorrected", |training, options| {
        Ok(Arc::new(fit_uncorrected(training, InputKind::Score, InfluenceFunction::Step { cut: options.cutoff })?))
    })
};

const AC: MethodRow = MethodRow {
    name: "ac",
    summary: "Adjusted Count at the cutoff",
    variance: VarianceOrigin::Formula,
    fit: |training, options| Ok(Arc::new(fit_at_cut(training, InputKind::Score, options.cutoff)?)),
    ..CC
};

fn fit_uncorrected(training: &Training, input: InputKind, influence: InfluenceFunction) -> Result<Linear, Error> {
    let estimator = LinearEstimator::uncorrected(&influence, training, input)?;
    Ok(Linear::new(influence, estimator))
}

fn fit_at_chosen_cut(training: &Training, criterion: Criterion) -> Result<Linear, Error> {
    fit_at_cut(training, InputKind::Score, cuts::choose(training.empirical(), criterion)?)
}

fn fit_at_cut(training: &Training, input: InputKind, cut: f64) -> Result<Linear, Error> {
    let linear = fit(training, input, InfluenceFunction::Step { cut })?;
    let means = linear.moments().map(|m| m.mean);
    if means.positive <= means.negative {
        return Err(Problem::ClassesNotSeparatedAtCutoff {
            cutoff: cut,
            positive: means.positive,
            negative: means.negative,
        }
        .into());
    }
    Ok(linear)
}

fn fit_probabilistic(training: &Training) -> Result<Linear, Error> {
    let linear = fit(training, InputKind::Posterior, InfluenceFunction::IDENTITY)?;
    let PerClass { positive, negative } = linear.moments().map(|m| m.mean);
    if positive > negative {
        Ok(linear)
    } else {
        Err(Problem::ClassesNotSeparatedInMean { what: "probabilities", positive, negative }.into())
    }
}

/// Fits g(s) = (s − mean₋)/(mean₊ − mean₋), so that scores far from 0 lose no digits.
fn fit_mean_matching(training: &Training) -> Result<Linear, Error> {
    let labelled = training.column(InputKind::Transformed)?;
    let power = labelled.power_of_two();
    let scaled = labelled.map(|scores| scores.iter().map(|s| s / power).collect::<Vec<f64>>());
    let mean = match training.labelled().design() {
        None => scaled
            .map(|scores| scores.iter().copied().collect::<CompensatedSum>().value() / scores.len() as f64 * power),
        Some(design) => design.means(&scaled).map(|mean| mean * power),
    };
    let distance = mean.positive - mean.negative;
    if distance <= 0.0 {
        return Err(Problem::ClassesNotSeparatedInMean {
            what: "scores",
            positive: mean.positive,
            negative: mean.negative,
        }
        .into());
    }
    // Differences of scores and the inverse of the distance must not overflow.
    if !distance.recip().is_normal() || power > 0.25 * f64::MAX {
        return Err(Problem::ClassOutOfScale { class: Class::Positive }.into());
    }
    fit(training, InputKind::Transformed, InfluenceFunction::Line { origin: mean.negative, unit: distance })
}

fn fit(training: &Training, input: InputKind, influence: InfluenceFunction) -> Result<Linear, Error> {
    let estimator = LinearEstimator::with_labelled_rates(&influence, training, input)?;
    Ok(Linear::new(influence, estimator))
}
