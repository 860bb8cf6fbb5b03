//! The local level model: a random walk observed with noise of known variance.
//!
//! ```text
//! y_t = α_t + ε_t,  Var ε_t = v_t;      α_t = α_{t−1} + ω_t,  Var ω_t = q (time from t−1 to t)
//! ```
//!
//! (Durbin and Koopman, *Time Series Analysis by State Space Methods*, 2012, ch. 2.) The smoother
//! combines the information from the past, the period itself and the future (Fraser and Potter
//! 1969). Each part has a precision J and an information h = J × level, and the parts are added.
//! J is 0 for an unknown start and for a period without an observation. Over a gap in time, J
//! becomes J/(1 + qJ gap). q maximises the likelihood of all observations after the first.

/// A time with its observation, if there is one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) time: f64,
    pub(super) observation: Option<(f64, f64)>,
}

/// A smoothed level with its variance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LevelEstimate {
    pub(super) level: f64,
    pub(super) variance: f64,
}

/// Information about a level: J and h.
#[derive(Clone, Copy, Debug, Default)]
struct LevelInformation {
    precision: f64,
    information: f64,
}

impl LevelInformation {
    /// Adds independent information.
    fn plus(self, other: Self) -> Self {
        Self { precision: self.precision + other.precision, information: self.information + other.information }
    }

    /// Returns the information after a step of the random walk with this variance.
    fn after_step(self, variance: f64) -> Self {
        let factor = (1.0 + variance * self.precision).recip();
        Self { precision: factor * self.precision, information: factor * self.information }
    }

    fn from_point(point: &Point) -> Self {
        point.observation.map_or(Self::default(), |(value, variance)| Self {
            precision: variance.recip(),
            information: value / variance,
        })
    }
}

/// Returns the level at every time, estimated from all observations.
pub(super) fn smooth(points: &[Point], q: f64) -> Vec<LevelEstimate> {
    let mut future = vec![LevelInformation::default(); points.len()];
    for t in (1..points.len()).rev() {
        let gap = points[t].time - points[t - 1].time;
        future[t - 1] = future[t].plus(LevelInformation::from_point(&points[t])).after_step(q * gap);
    }
    let mut past = LevelInformation::default();
    let mut levels = Vec::with_capacity(points.len());
    for (t, point) in points.iter().enumerate() {
        if t > 0 {
            past = past.after_step(q * (point.time - points[t - 1].time));
        }
        past = past.plus(LevelInformation::from_point(point));
        let LevelInformation { precision, information } = past.plus(future[t]);
        levels.push(LevelEstimate { level: information / precision, variance: precision.recip() });
    }
    levels
}

/// The step of the grid of ln q that brackets the maximum of the likelihood.
const STEP: f64 = 0.5;

/// The number of grid points.
const STEPS: i32 = 70;

/// The number of grid points below the logarithm of the noise.
const STEPS_BELOW: i32 = 45;

/// Returns the q that maximises the likelihood; 0 if no drift is more likely.
pub(super) fn drift(points: &[Point]) -> f64 {
    let variances: Vec<f64> = points.iter().filter_map(|point| Some(point.observation?.1)).collect();
    let span = points.last().map_or(0.0, |last| last.time - points[0].time);
    if variances.len() < 2 || span <= 0.0 {
        return 0.0;
    }
    let noise = variances.iter().sum::<f64>() / span;
    let likelihood = |ln_q: f64| ln_likelihood(points, ln_q.exp());
    let grid = (0..STEPS).map(|step| noise.ln() + STEP * f64::from(step - STEPS_BELOW));
    let best = grid.max_by(|a, b| likelihood(*a).total_cmp(&likelihood(*b))).expect("a grid point");
    let ln_q = golden_section_maximum(likelihood, best - STEP, best + STEP);
    if likelihood(ln_q) > ln_likelihood(points, 0.0) { ln_q.exp() } else { 0.0 }
}

/// Returns the log-likelihood of all observations after the first, up to a constant.
fn ln_likelihood(points: &[Point], q: f64) -> f64 {
    let (mut past, mut last, mut sum) = (LevelInformation::default(), 0.0, 0.0);
    for point in points {
        past = past.after_step(q * (point.time - last));
        last = point.time;
        if let (Some((value, variance)), true) = (point.observation, past.precision > 0.0) {
            let innovation = value - past.information / past.precision;
            let innovation_variance = past.precision.recip() + variance;
            sum -= 0.5 * (innovation_variance.ln() + innovation * innovation / innovation_variance);
        }
        past = past.plus(LevelInformation::from_point(point));
    }
    sum
}

/// Returns the maximiser of a unimodal function on [low, high], by golden-section search.
fn golden_section_maximum(function: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let ratio = 0.5 * (5.0_f64.sqrt() - 1.0);
    let (mut a, mut b) = (high - ratio * (high - low), low + ratio * (high - low));
    let (mut at_a, mut at_b) = (function(a), function(b));
    while high - low > 1e-9 {
        if at_a < at_b {
            (low, a, at_a) = (a, b, at_b);
            b = low + ratio * (high - low);
            at_b = function(b);
        } else {
            (high, b, at_b) = (b, a, at_a);
            a = high - ratio * (high - low);
            at_a = function(a);
        }
    }
    0.5 * (low + high)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    fn points() -> Vec<Point> {
        let observed = |value: f64, variance: f64| Some((value, 1e-4 * variance));
        let at = |time: f64, observation| Point { time, observation };
        vec![
            at(0.0, observed(0.10, 4.0)),
            at(1.0, observed(0.12, 2.0)),
            at(2.0, None),
            at(4.0, observed(0.15, 3.0)),
            at(5.0, observed(0.22, 1.0)),
            at(9.0, observed(0.30, 2.0)),
            at(10.0, observed(0.27, 1.5)),
            at(11.0, None),
        ]
    }

    /// NumPy gave the predictor, and q by the likelihood of all contrasts (REML).
    #[test]
    fn smoother_is_the_best_linear_unbiased_predictor() {
        for (smoothed, [level, variance]) in smooth(&points(), 3e-4).iter().zip(quoted("local_level")) {
            let errors = [smoothed.level - level, smoothed.variance - variance].map(f64::abs);
            assert!(errors[0] < 1e-13 && errors[1] < 1e-15, "{smoothed:?}");
        }
        let q = drift(&points());
        assert!((q / 1.460_694_9e-3 - 1.0).abs() < 1e-4, "{q}");
    }

    /// Without drift every level is the precision-weighted mean, even before the first and after
    /// the last observation.
    #[test]
    fn levels_are_the_mean_without_drift() {
        let observed = |value: f64| Some((value, 1.0));
        let points = [None, observed(1.0), observed(2.0), observed(3.0), None];
        for smoothed in smooth(&points.map(|observation| Point { time: 0.0, observation }), 0.0) {
            assert!((smoothed.level - 2.0).abs() < 1e-15 && (smoothed.variance - 1.0 / 3.0).abs() < 1e-15);
        }
        let flat: Vec<Point> = [0.3, 0.31, 0.29, 0.3]
            .iter()
            .zip([0.0, 1.0, 2.0, 3.0])
            .map(|(y, time)| Point { time, observation: Some((*y, 0.01)) })
            .collect();
        assert_eq!(drift(&flat), 0.0);
    }

    /// The annual flow of the Nile at Aswan: Durbin and Koopman (2012) report q = 1469.1 with the
    /// noise variance 15 099 (table 2.1).
    #[test]
    fn drift_of_the_nile_agrees_with_durbin_and_koopman() {
        let points: Vec<Point> = (0_u8..)
            .zip(quoted::<20>("nile").concat())
            .map(|(year, flow)| Point { time: year.into(), observation: Some((flow, 15_099.0)) })
            .collect();
        assert!((drift(&points) - 1469.1).abs() < 0.1, "{}", drift(&points));
    }
}
