//! `EDy` (Kawakubo, du Plessis & Sugiyama 2016; Castaño et al. 2024).
//!
//! The estimate is the prevalence that minimises the energy distance between the posterior
//! probabilities T of the test scores and the mixture of those of the labelled positives P and
//! negatives N. In one dimension the distance is 2 ∫ (F_T − F₋ − α J)² with J = F₊ − F₋ (Székely &
//! Rizzo 2013), so that the minimum is a least-squares fit of distribution functions:
//!
//! ```text
//! α̂ = ∫ J (F_T − F₋) / ∫ J² = (mean_T g − mean_N g)/(mean_P g − mean_N g),    g(t) = mean |N − t| − mean |P − t|,
//! ```
//!
//! This is the mean of the Adjusted Counts at all cuts, weighted by J². g is linear between
//! neighbouring labelled values. With G± the share of the class at or below t, and S± the
//! contribution of this share to the class mean,
//!
//! ```text
//! g(t) = 2 (G₋ − G₊) t + (mean N − mean P) − 2 (S₋ − S₊)
//! ```
//!
//! The survey weights of labelled rows enter G±, S± and the means. g is estimated from the same
//! scores as its class means. As every Adjusted Count is unbiased whatever its weight J², the error
//! of g has only a second-order effect, and the variance is that of any anchored mean.

use super::Method;
use super::anchored::LinearEstimator;
use super::linear::Linear;
use super::method::{FamilyUse, MethodRow, VarianceOrigin};
use crate::numeric::edges::Edges;
use crate::numeric::sum::CompensatedSum;
use crate::tally::{InfluenceFunction, LineSegment};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// `EDy`, `edy`: minimises the energy distance between posterior probabilities, which gives a
    /// weighted mean of Adjusted Counts.
    pub const EDY: Self = Self::from_row(&MethodRow {
        input: InputKind::Posterior,
        family_use: FamilyUse::Posteriors,
        takes_label_design: true,
        variance: VarianceOrigin::Formula,
        ..MethodRow::new("edy", "EDy: smallest energy distance between posteriors", |training, _| {
            Ok(Arc::new(fit(training)?))
        })
    });
}

/// Fits `edy`.
///
/// # Errors
/// Returns [`Problem::ClassesNotSeparatedInMean`] if the posteriors of both classes have the same
/// distribution.
fn fit(training: &Training) -> Result<Linear, Error> {
    let posteriors = training.column(InputKind::Posterior)?;
    let weights = training.labelled().weights();
    let weights = |class| weights.map(|weights| weights.get(class).as_slice());
    let classes = PerClass::from_fn(|class| SortedRows::new(posteriors.get(class), weights(class)));
    let (knots, lines) = lines(&classes);
    if lines.iter().all(|line| line.slope == 0.0) {
        let PerClass { positive, negative } = classes.map(|class| class.total.mean());
        return Err(Problem::ClassesNotSeparatedInMean { what: "probabilities", positive, negative }.into());
    }
    let influence = InfluenceFunction::Lines { edges: Arc::new(Edges::new(knots)), lines };
    let estimator = LinearEstimator::with_labelled_rates(&influence, training, InputKind::Posterior)?;
    Ok(Linear::new(influence, estimator))
}

/// Returns the distinct labelled values in ascending order, and the segments of g below the first,
/// between neighbouring values, and above the last.
fn lines(classes: &PerClass<SortedRows>) -> (Vec<f64>, Vec<LineSegment>) {
    let mut knots: Vec<f64> = classes.positive.rows.iter().chain(&classes.negative.rows).map(|(x, _)| *x).collect();
    knots.sort_unstable_by(f64::total_cmp);
    knots.dedup();
    let mean_difference = classes.negative.total.mean() - classes.positive.total.mean();
    let (mut positive, mut negative) = (classes.positive.cumulative(), classes.negative.cumulative());
    let line = |knot: &f64| {
        let ((positive_share, positive_moment), (negative_share, negative_moment)) = (positive(*knot), negative(*knot));
        LineSegment {
            intercept: mean_difference - 2.0 * (negative_moment - positive_moment),
            slope: 2.0 * (negative_share - positive_share),
        }
    };
    let first = LineSegment { intercept: mean_difference, slope: 0.0 };
    let lines = [first].into_iter().chain(knots.iter().map(line)).collect();
    (knots, lines)
}

/// The values of a class in ascending order, with their weights.
struct SortedRows {
    rows: Vec<(f64, f64)>,
    total: MomentSums,
}

/// Σw and Σwx.
#[derive(Clone, Copy, Default)]
struct MomentSums {
    weight: CompensatedSum,
    moment: CompensatedSum,
}

impl MomentSums {
    fn add(&mut self, (x, weight): (f64, f64)) {
        self.weight.add(weight);
        self.moment.add(weight * x);
    }

    fn mean(&self) -> f64 {
        self.moment.value() / self.weight.value()
    }
}

impl SortedRows {
    fn new(values: &[f64], weights: Option<&[f64]>) -> Self {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let mut rows: Vec<(f64, f64)> = values.iter().enumerate().map(|(row, x)| (*x, weight(row))).collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut total = MomentSums::default();
        for row in &rows {
            total.add(*row);
        }
        Self { rows, total }
    }

    /// Returns a function from ascending points to the share at or below the point and the
    /// contribution of this share to the mean.
    fn cumulative(&self) -> impl FnMut(f64) -> (f64, f64) + '_ {
        let (mut rest, mut below, total) = (self.rows.as_slice(), MomentSums::default(), self.total.weight.value());
        move |point| {
            while let Some((row, others)) = rest.split_first()
                && row.0 <= point
            {
                below.add(*row);
                rest = others;
            }
            (below.weight.value() / total, below.moment.value() / total)
        }
    }
}
