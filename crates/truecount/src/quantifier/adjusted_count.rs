//! Classify & Count and its correction, Adjusted Count, each also with means of posterior probabilities.
//!
//! Classify & Count (Forman 2005) is the share of test scores at or above the cutoff, and its probabilistic form (Bella et al.
//! 2010) is the mean of the posterior probabilities.
//!
//! Both are biased unless the classifier makes no errors. For Classify & Count V = [α p⁺(1−p⁺) + (1−α) p⁻(1−p⁻)]/n (Kloos et al.,
//! §2), the spread about its own, biased expectation.
//!
//! Adjusted Count (Forman 2005; Kuha & Skinner 1997) is α̂ = (CC − p⁻)/(p⁺ − p⁻), with the rates p⁺, p⁻ of the labelled
//! sample at the cutoff, or at a cut chosen from the labelled scores (`cuts`); its probabilistic form (Bella et al. 2010), with
//! means of the posterior probabilities in the place of rates; Friedman's method (2014), with the rates of probabilities at or above the
//! labelled share of positives; and Sample Mean Matching (Hassan, Maletzke & Batista 2020), with means of the scores.

use super::Method;
use super::anchored::LinearEstimator;
use super::cuts::{self, Criterion};
use super::linear::Linear;
use super::method::{FamilyUse, MethodRow, RatesFrom, SummaryKind, VarianceFrom};
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
        reads: InputKind::Posterior,
        family: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(uncorrected(training, InputKind::Posterior, InfluenceFunction::IDENTITY)?)),
        ..CC
    });
    /// Adjusted Count, `ac`: Classify & Count corrected by the labelled sample's rates at the cutoff.
    pub const AC: Self = Self::from_row(&AC);
    /// Adjusted Count at the cut where the labelled rates differ most, `max`.
    pub const MAX: Self = Self::from_row(&MethodRow {
        name: "max",
        summary: "Adjusted Count where the rates differ most",
        takes_design: false,
        fit: |training, _| Ok(Arc::new(at_cut(training, Criterion::LargestDifference)?)),
        ..AC
    });
    /// Adjusted Count at the cut where half of the labelled positives are, `t50`.
    pub const T50: Self = Self::from_row(&MethodRow {
        name: "t50",
        summary: "Adjusted Count where half of the positives are",
        takes_design: false,
        fit: |training, _| Ok(Arc::new(at_cut(training, Criterion::HalfOfPositives)?)),
        ..AC
    });
    /// Adjusted Count at the cut where both error rates are alike, `x`.
    pub const X: Self = Self::from_row(&MethodRow {
        name: "x",
        summary: "Adjusted Count where both errors are alike",
        takes_design: false,
        fit: |training, _| Ok(Arc::new(at_cut(training, Criterion::EqualErrors)?)),
        ..AC
    });
    /// Probabilistic Adjusted Count, `pacc`.
    pub const PACC: Self = Self::from_row(&MethodRow {
        name: "pacc",
        summary: "Probabilistic Adjusted Count",
        reads: InputKind::Posterior,
        family: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(probabilistic(training)?)),
        ..AC
    });
    /// Friedman's method, `friedman`: Adjusted Count of posterior probabilities at or above the labelled share of positives.
    pub const FRIEDMAN: Self = Self::from_row(&MethodRow {
        name: "friedman",
        aliases: &["fm"],
        summary: "Adjusted Count of probabilities above the labelled share",
        reads: InputKind::Posterior,
        family: FamilyUse::Posteriors,
        fit: |training, _| Ok(Arc::new(crisp(training, InputKind::Posterior, training.prior())?)),
        ..AC
    });
    /// Sample Mean Matching, `smm`: Adjusted Count with means of scores.
    pub const SMM: Self = Self::from_row(&MethodRow {
        name: "smm",
        summary: "Sample Mean Matching: Adjusted Count with means of scores",
        reads: InputKind::Transformed,
        fit: |training, _| Ok(Arc::new(linear_score(training)?)),
        ..AC
    });
}

const CC: MethodRow = MethodRow {
    name: "cc",
    aliases: &[],
    summary: "Classify & Count, uncorrected",
    reads: InputKind::Score,
    keeps: SummaryKind::Mean,
    family: FamilyUse::Nothing,
    rates: RatesFrom::Labels,
    in_model: None,
    takes_design: true,
    variance: VarianceFrom::BiasedFormula,
    fit: |training, options| {
        Ok(Arc::new(uncorrected(training, InputKind::Score, InfluenceFunction::Step { cut: options.cutoff })?))
    },
    known: None,
};

const AC: MethodRow = MethodRow {
    name: "ac",
    aliases: &[],
    summary: "Adjusted Count at the cutoff",
    reads: InputKind::Score,
    keeps: SummaryKind::Mean,
    family: FamilyUse::Nothing,
    rates: RatesFrom::Labels,
    in_model: None,
    takes_design: true,
    variance: VarianceFrom::Formula,
    fit: |training, options| Ok(Arc::new(crisp(training, InputKind::Score, options.cutoff)?)),
    known: None,
};

fn uncorrected(training: &Training, reads: InputKind, influence: InfluenceFunction) -> Result<Linear, Error> {
    let anchored = LinearEstimator::uncorrected(&influence, training, reads)?;
    Ok(Linear::new(influence, anchored))
}

fn at_cut(training: &Training, criterion: Criterion) -> Result<Linear, Error> {
    crisp(training, InputKind::Score, cuts::choose(training.empirical(), criterion)?)
}

fn crisp(training: &Training, reads: InputKind, cut: f64) -> Result<Linear, Error> {
    let linear = fit(training, reads, InfluenceFunction::Step { cut })?;
    let means = linear.moments().map(|m| m.mean);
    if means.positive <= means.negative {
        return Err(
            Problem::NoSeparationAtCutoff { cutoff: cut, positive: means.positive, negative: means.negative }.into()
        );
    }
    Ok(linear)
}

fn probabilistic(training: &Training) -> Result<Linear, Error> {
    let linear = fit(training, InputKind::Posterior, InfluenceFunction::IDENTITY)?;
    let PerClass { positive, negative } = linear.moments().map(|m| m.mean);
    if positive > negative {
        Ok(linear)
    } else {
        Err(Problem::NoSeparationInMean { what: "probabilities", positive, negative }.into())
    }
}

fn linear_score(training: &Training) -> Result<Linear, Error> {
    // From the negatives' mean on, in units of the distance of the means: scores far from 0 keep their digits.
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
        return Err(
            Problem::NoSeparationInMean { what: "scores", positive: mean.positive, negative: mean.negative }.into()
        );
    }
    // Differences of scores, and the distance's inverse, must be doubles.
    if !distance.recip().is_normal() || power > 0.25 * f64::MAX {
        return Err(Problem::OutOfScale { class: Class::Positive }.into());
    }
    fit(training, InputKind::Transformed, InfluenceFunction::Line { origin: mean.negative, unit: distance })
}

fn fit(training: &Training, reads: InputKind, influence: InfluenceFunction) -> Result<Linear, Error> {
    let anchored = LinearEstimator::in_labelled(&influence, training, reads)?;
    Ok(Linear::new(influence, anchored))
}
