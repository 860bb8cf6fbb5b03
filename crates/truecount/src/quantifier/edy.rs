//! `EDy` (Kawakubo, du Plessis & Sugiyama 2016; Castaño et al. 2024): the prevalence at which the
//! mixture of the labelled classes' posterior probabilities P (positive) and N (negative) has the
//! least energy distance to those of the test scores T.
//!
//! On a line that distance is 2 ∫ (F_T − F₋ − α J)², J = F₊ − F₋ (Székely & Rizzo 2013), least
//! squares between distribution functions. So
//!
//! ```text
//! α̂ = ∫ J (F_T − F₋) / ∫ J² = (mean_T g − mean_N g)/(mean_P g − mean_N g),    g(t) = mean |N − t| − mean |P − t|,
//! ```
//!
//! the average of the Adjusted Counts at all cuts with the weights J². g is a line between any two
//! labelled values:
//!
//! ```text
//! g(t) = 2 (G₋ − G₊) t + (mean N − mean P) − 2 (S₋ − S₊)      G± the share of the class at or below t, S± its part of the mean
//! ```
//!
//! Labelled rows with weights count by them. g is learnt from the scores whose means anchor it, but
//! every Adjusted Count is right whatever the weights are: their noise is of second order, and the
//! variance is that of any anchored mean.

use super::Method;
use super::anchored::LinearEstimator;
use super::linear::Linear;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use crate::numeric::edges::Edges;
use crate::numeric::sum::CompensatedSum;
use crate::tally::{InfluenceFunction, LineSegment};
use crate::training::{InputKind, Training};
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// `EDy`, `edy`: the least energy distance between posterior probabilities, which is a mean of
    /// Adjusted Counts.
    pub const EDY: Self = Self::from_row(&MethodRow {
        name: "edy",
        aliases: &[],
        summary: "EDy: least energy distance between posteriors",
        input: InputKind::Posterior,
        summary_kind: SummaryKind::Mean,
        family_use: FamilyUse::Posteriors,
        rates: RatesOrigin::Labels,
        model_rates: None,
        takes_label_design: true,
        variance: VarianceOrigin::Formula,
        fit: |training, _| Ok(Arc::new(fit(training)?)),
        fit_known: None,
    });
}

/// # Errors
/// [`Problem::NoSeparationInMean`] where both classes have the same values equally often.
fn fit(training: &Training) -> Result<Linear, Error> {
    let posteriors = training.column(InputKind::Posterior)?;
    let weights = training.labelled().weights();
    let classes = PerClass {
        positive: Ascending::new(&posteriors.positive, weights.map(|of| of.positive.as_slice())),
        negative: Ascending::new(&posteriors.negative, weights.map(|of| of.negative.as_slice())),
    };
    let (knots, lines) = lines(&classes);
    if lines.iter().all(|line| line.slope == 0.0) {
        let PerClass { positive, negative } = classes.map(|class| class.whole.mean());
        return Err(Problem::NoSeparationInMean { what: "probabilities", positive, negative }.into());
    }
    let influence = InfluenceFunction::Lines { edges: Arc::new(Edges::new(knots)), lines };
    let anchored = LinearEstimator::with_labelled_rates(&influence, training, InputKind::Posterior)?;
    Ok(Linear::new(influence, anchored))
}

/// The distinct labelled values, ascending, and g below the first, between any two, and above the
/// last of them.
fn lines(classes: &PerClass<Ascending>) -> (Vec<f64>, Vec<LineSegment>) {
    let mut knots: Vec<f64> = classes.positive.rows.iter().chain(&classes.negative.rows).map(|(x, _)| *x).collect();
    knots.sort_unstable_by(f64::total_cmp);
    knots.dedup();
    let apart = classes.negative.whole.mean() - classes.positive.whole.mean();
    let (mut positive, mut negative) = (classes.positive.shares(), classes.negative.shares());
    let line = |knot: &f64| {
        let ((positive, of_positive), (negative, of_negative)) = (positive(*knot), negative(*knot));
        LineSegment { intercept: apart - 2.0 * (of_negative - of_positive), slope: 2.0 * (negative - positive) }
    };
    let first = LineSegment { intercept: apart, slope: 0.0 };
    let lines = [first].into_iter().chain(knots.iter().map(line)).collect();
    (knots, lines)
}

/// Values of a class in ascending order, with their weights.
struct Ascending {
    rows: Vec<(f64, f64)>,
    whole: Weighed,
}

/// Σw and Σwx.
#[derive(Clone, Copy, Default)]
struct Weighed {
    weight: CompensatedSum,
    moment: CompensatedSum,
}

impl Weighed {
    fn add(&mut self, (x, weight): (f64, f64)) {
        self.weight.add(weight);
        self.moment.add(weight * x);
    }

    fn mean(&self) -> f64 {
        self.moment.value() / self.weight.value()
    }
}

impl Ascending {
    fn new(values: &[f64], weights: Option<&[f64]>) -> Self {
        let weight = |row: usize| weights.map_or(1.0, |weights| weights[row]);
        let mut rows: Vec<(f64, f64)> = values.iter().enumerate().map(|(row, x)| (*x, weight(row))).collect();
        rows.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
        let mut whole = Weighed::default();
        for row in &rows {
            whole.add(*row);
        }
        Self { rows, whole }
    }

    /// The share at or below points that are asked for in ascending order, and its part of the
    /// mean.
    fn shares(&self) -> impl FnMut(f64) -> (f64, f64) + '_ {
        let (mut rest, mut below, total) = (self.rows.as_slice(), Weighed::default(), self.whole.weight.value());
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
