//! What the scores say of each item: the posterior of its bin, from the audited labels themselves, none of which it has seen.
//!
//! ```text
//! logit f_b = η_b + ln(Σω⁺/Σω⁻)
//! ```
//!
//! with η the calibration curve (`calibration`) of the audited rows without a tenth of them: ten curves, by each of which the items are
//! predicted that it has not seen, and all others by their mean. Any other prediction would do too, but less well.

use crate::calibration::crossed;

/// An audited item, with the bin of its score.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Labelled {
    pub(crate) bin: usize,
    pub(crate) positive: bool,
    pub(crate) weight: f64,
}

/// Predictions in bins.
#[derive(Clone, Debug)]
pub(crate) struct Predicted {
    /// The fold of each audited item.
    folds: Vec<usize>,
    /// f of every bin, from the items outside each fold.
    curves: Vec<Vec<f64>>,
}

impl Predicted {
    /// By so many bins; none where the audited items cannot be left out, for want of labels of both kinds or of bins.
    pub(crate) fn new(bins: usize, items: &[Labelled]) -> Option<Self> {
        if bins == 2 {
            // Any function of two values is as good as another.
            return Some(Self { folds: vec![0; items.len()], curves: vec![vec![0.0, 1.0]] });
        }
        let weight =
            |positive: bool| items.iter().filter(|of| of.positive == positive).map(|of| of.weight).sum::<f64>();
        let offset = (weight(true) / weight(false)).ln();
        let (folds, curves) = crossed(bins, items.iter().map(|of| (of.bin, of.positive, of.weight)))?;
        let posterior = |eta: f64| 1.0 / (1.0 + (-(eta + offset)).exp());
        let curves = curves.into_iter().map(|eta| eta.into_iter().map(posterior).collect()).collect();
        Some(Self { folds, curves })
    }

    /// Of the audited item in that place and bin.
    pub(crate) fn of(&self, place: usize, bin: usize) -> f64 {
        self.curves[self.folds[place]][bin]
    }

    /// Of all items of a bin, to go with audited items in those places and of those weights: each curve counts as much as the items
    /// that it predicts.
    pub(crate) fn all(&self, audited: impl Iterator<Item = (usize, f64)>) -> Vec<f64> {
        let mut shares = vec![0.0; self.curves.len()];
        audited.for_each(|(place, weight)| shares[self.folds[place]] += weight);
        let total: f64 = shares.iter().sum();
        let mut mean = vec![0.0; self.curves[0].len()];
        for (share, curve) in shares.iter().zip(&self.curves) {
            mean.iter_mut().zip(curve).for_each(|(mean, f)| *mean += share / total * f);
        }
        mean
    }
}
