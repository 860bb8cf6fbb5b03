//! The choice among the score functions ψ of several q.
//!
//! With rates of labelled scores the variance of the mean of any g is
//!
//! ```text
//! V = [c₊ Var₊(g) + c₋ Var₋(g)]/(E₊g − E₋g)²,    c₊ = α/n + α²/n₊,    c₋ = (1−α)/n + (1−α)²/n₋
//! ```
//!
//! and ψ at q = c₊/(c₊ + c₋) has the smallest one: it is the efficient score of the two samples. If
//! labels far outnumber new rows, q approaches α. If new rows far outnumber labels, the odds of q
//! approach α²n₋ : (1−α)²n₊, which for equally many labels of each class is further from ½ than α.

use crate::PerClass;

/// The q of the score functions, spaced about evenly in log odds.
///
/// For a best q from 0.01 to 0.99, the nearest of these values has a variance within about 2 % of
/// the minimum.
pub(super) const QS: [f64; 15] =
    [0.01, 0.02, 0.035, 0.06, 0.11, 0.2, 0.35, FIRST_Q, 0.65, 0.8, 0.89, 0.94, 0.965, 0.98, 0.99];

/// The q of the first step.
pub(super) const FIRST_Q: f64 = 0.5;

/// The rule that chooses among score functions.
#[derive(Clone, Debug)]
pub(crate) struct ScoreChoice {
    /// The index of the function of the first step.
    first: usize,
    /// The largest best q for which each function but the last is chosen.
    bounds: Vec<f64>,
    /// The effective numbers n± of labelled scores; `None` if the rates do not come from them.
    labelled: Option<PerClass<f64>>,
}

impl ScoreChoice {
    /// The number of steps after the first.
    pub(crate) const LATER_STEPS: usize = 2;

    /// Creates the choice among functions of these ascending q, one of which is ½.
    pub(super) fn new(qs: &[f64], labelled: Option<PerClass<f64>>) -> Self {
        let first = qs.iter().position(|q| *q == FIRST_Q).expect("a function for the first step");
        let log_odds = |q: f64| (q / (1.0 - q)).ln();
        // Rounded for readability in SQL.
        let bound = |pair: &[f64]| {
            let middle = 0.5 * (log_odds(pair[0]) + log_odds(pair[1]));
            (1e9 / (1.0 + (-middle).exp())).round() / 1e9
        };
        Self { first, bounds: qs.windows(2).map(bound).collect(), labelled }
    }

    /// Returns the index of the function of the first step.
    pub(crate) fn first(&self) -> usize {
        self.first
    }

    /// Returns the largest best q for which each function but the last is chosen.
    pub(crate) fn bounds(&self) -> &[f64] {
        &self.bounds
    }

    /// Returns the effective numbers of labelled scores; `None` if the rates do not come from them,
    /// so that q = α is best.
    pub(crate) fn labelled(&self) -> Option<PerClass<f64>> {
        self.labelled
    }

    /// Returns the index of the function for an estimate from n test scores.
    pub(super) fn function_for(&self, estimate: f64, n: f64) -> usize {
        self.nearest(self.best_q(estimate.clamp(0.0, 1.0), n))
    }

    /// Returns the index of the function whose q is nearest in log odds.
    pub(super) fn nearest(&self, q: f64) -> usize {
        self.bounds.partition_point(|bound| *bound < q)
    }

    /// Returns the q with the smallest variance at the prevalence alpha. n may be 0 or infinite.
    pub(super) fn best_q(&self, alpha: f64, n: f64) -> f64 {
        let Some(labelled) = self.labelled else { return alpha };
        // n/(1 + n) times c±.
        let part = (1.0 + n).recip();
        let factor = |share: f64, labelled: f64| share * (part + share * (1.0 - part) / labelled);
        let (positive, negative) = (factor(alpha, labelled.positive), factor(1.0 - alpha, labelled.negative));
        positive / (positive + negative)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_q_has_the_right_limits() {
        let labelled = PerClass { positive: 300.0, negative: 100.0 };
        let choice = ScoreChoice::new(&QS, Some(labelled));
        for alpha in [0.0, 0.004, 0.1, 0.5, 0.97, 1.0] {
            assert!((choice.best_q(alpha, 0.0) - alpha).abs() < 1e-15);
            let (positive, negative) = (alpha * alpha / 300.0, (1.0 - alpha).powi(2) / 100.0);
            assert!((choice.best_q(alpha, f64::INFINITY) - positive / (positive + negative)).abs() < 1e-15);
            assert_eq!(ScoreChoice::new(&QS, None).best_q(alpha, 10.0), alpha);
        }
    }

    #[test]
    fn function_with_the_nearest_q_is_chosen() {
        let choice = ScoreChoice::new(&QS, None);
        assert_eq!(QS[choice.first()], 0.5);
        let log_odds = |q: f64| (q / (1.0 - q)).ln();
        for k in 1..1000 {
            let alpha = f64::from(k) / 1000.0 + 1e-4;
            let distance = |index: &usize| (log_odds(QS[*index]) - log_odds(alpha)).abs();
            let nearest = (0..QS.len()).min_by(|a, b| distance(a).total_cmp(&distance(b))).unwrap();
            assert_eq!(choice.function_for(alpha, 10.0), nearest, "{alpha}");
        }
        assert_eq!((choice.function_for(-0.3, 10.0), choice.function_for(1.2, 10.0)), (0, 14));
    }
}
