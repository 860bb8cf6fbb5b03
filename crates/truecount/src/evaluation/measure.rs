//! Error measures of quantification for two classes, and means of measures over samples.
//!
//! The true distribution of the classes is p = (α, 1 − α), the estimated one p̂ = (α̂, 1 − α̂).
//! Sums are over both classes, and p_min is the smaller true share:
//!
//! ```text
//! AE   = ½ Σ |p̂ − p| = |α̂ − α|            NAE  = Σ |p̂ − p| / (2 (1 − p_min))
//! SE   = ½ Σ (p̂ − p)² = (α̂ − α)²
//! RAE  = ½ Σ |p̂ − p|/p                    NRAE = Σ (|p̂ − p|/p) / (1 + (1 − p_min)/p_min)
//! KLD  = Σ p ln(p/p̂)                      NKLD = 2 e^KLD/(1 + e^KLD) − 1 = tanh(KLD/2)
//! bias = α̂ − α
//! ```
//!
//! Measures that divide by p or p̂ would be infinite for a share of 0. RAE, NRAE, KLD and NKLD therefore smooth both
//! distributions: (p + ε)/(1 + 2ε) replaces p, with ε = 1/(2n), where n is the size of the sample.
//!
//! For K classes, AE and SE are the means of |p̂ − p| and (p̂ − p)², and RAE is the mean of |p̂ − p|/p with shares
//! smoothed to (p + ε)/(1 + Kε). An outcome [for one of them](Outcome::for_class) has that class's term.
//!
//! Sources: Sebastiani (2020), *Evaluation measures for quantification: an axiomatic approach*;
//! Forman (2008), *Quantifying counts and costs via classification*; Esuli, Moreo, Sebastiani and
//! Sperduti (2022), *A detailed overview of `LeQua@CLEF` 2022*.
//!
//! `QuaPy` 0.2.3 has the same definitions (older versions do not divide by 1 + 2ε in KLD, which
//! makes KLD 1 + 2ε times as large).

use crate::Error;
use crate::choice::choice;
use crate::numeric::sum::CompensatedSum;

/// An estimated prevalence and the true one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    truth: f64,
    estimate: f64,
    /// Whether the prevalence is the share of one of several classes.
    is_one_class: bool,
    /// The smoothing constant ε, if the size of the sample is known.
    epsilon: Option<f64>,
}

impl Outcome {
    /// Creates an outcome from the true prevalence, the estimated prevalence, and the size of the sample if known.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`](crate::Problem::ParameterOutOfRange) if a prevalence is outside
    /// [0, 1] or the size is 0.
    pub fn new(truth: f64, estimate: f64, n: Option<u64>) -> Result<Self, Error> {
        for share in [("the true prevalence", truth), ("the estimated prevalence", estimate)] {
            Error::unless_in_domain((0.0..=1.0).contains(&share.1), share, "between 0 and 1")?;
        }
        Error::unless_in_domain(n != Some(0), ("the size of a sample", 0.0), "1 or more")?;
        Ok(Self { truth, estimate, is_one_class: false, epsilon: n.map(|n| 0.5 / n as f64) })
    }

    /// Creates an outcome for one of several classes, for which only the bias, AE, SE and RAE are defined.
    ///
    /// # Errors
    /// Returns the errors of [`new`](Self::new).
    pub fn for_class(truth: f64, estimate: f64, n: Option<u64>) -> Result<Self, Error> {
        Ok(Self { is_one_class: true, ..Self::new(truth, estimate, n)? })
    }

    /// Returns the smoothed (true, estimated) shares of both classes; `None` if the size of the sample is unknown.
    fn smoothed(&self) -> Option<[(f64, f64); 2]> {
        let epsilon = self.epsilon?;
        let smooth = |share: f64| (share + epsilon) / (1.0 + 2.0 * epsilon);
        let class = |truth: f64, estimate: f64| (smooth(truth), smooth(estimate));
        Some([class(self.truth, self.estimate), class(1.0 - self.truth, 1.0 - self.estimate)])
    }
}

/// A measure of an estimate's error.
///
/// Its name in [`TABLE`](Self::TABLE) is the name of its mean over samples, as in `QuaPy`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Measure {
    /// Absolute error AE, in [0, 1].
    AbsoluteError,
    /// Squared error SE, in [0, 1].
    SquaredError,
    /// Normalised absolute error NAE, in [0, 1]: AE divided by its largest possible value.
    NormalisedAbsoluteError,
    /// Relative absolute error RAE, in [0, n + ½]: smoothed shares are at least ε/(1 + 2ε) = 1/(2n + 2).
    RelativeAbsoluteError,
    /// Normalised relative absolute error NRAE, in [0, 1): RAE divided by its largest possible
    /// value for the smoothed truth.
    NormalisedRelativeAbsoluteError,
    /// Kullback–Leibler divergence KLD, in [0, ∞).
    KullbackLeibler,
    /// Normalised Kullback–Leibler divergence NKLD, in [0, 1).
    NormalisedKullbackLeibler,
    /// Error α̂ − α, in [−1, 1]: positive if there are fewer positives than estimated.
    Bias,
}

impl Measure {
    /// All measures: name of the mean, measure, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("mae", Self::AbsoluteError, "mean absolute error"),
        ("mse", Self::SquaredError, "mean squared error"),
        ("mnae", Self::NormalisedAbsoluteError, "mean normalised absolute error"),
        ("mrae", Self::RelativeAbsoluteError, "mean relative absolute error"),
        ("mnrae", Self::NormalisedRelativeAbsoluteError, "mean normalised relative absolute error"),
        ("mkld", Self::KullbackLeibler, "mean Kullback-Leibler divergence"),
        ("mnkld", Self::NormalisedKullbackLeibler, "mean normalised Kullback-Leibler divergence"),
        ("bias", Self::Bias, "mean error"),
    ];

    /// Returns the measure of one estimate; `None` if the measure needs the size of the sample and
    /// it is unknown, or is not defined for one of several classes.
    pub fn evaluate(self, outcome: &Outcome) -> Option<f64> {
        let Outcome { truth, estimate, .. } = *outcome;
        let error = estimate - truth;
        match self {
            Self::Bias => Some(error),
            Self::AbsoluteError => Some(error.abs()),
            Self::SquaredError => Some(error * error),
            // Smoothing divides both shares by the same 1 + Kε.
            Self::RelativeAbsoluteError if outcome.is_one_class => Some(error.abs() / (truth + outcome.epsilon?)),
            _ if outcome.is_one_class => None,
            Self::NormalisedAbsoluteError => Some(error.abs() / truth.max(1.0 - truth)),
            Self::RelativeAbsoluteError => outcome.smoothed().map(|classes| 0.5 * relative_errors(classes)),
            Self::NormalisedRelativeAbsoluteError => outcome.smoothed().map(|classes| {
                let smallest = classes[0].0.min(classes[1].0);
                relative_errors(classes) * smallest
            }),
            Self::KullbackLeibler => outcome.smoothed().map(divergence),
            Self::NormalisedKullbackLeibler => outcome.smoothed().map(|classes| (0.5 * divergence(classes)).tanh()),
        }
    }
}

choice!(Measure, "measure");

/// Returns Σ |p̂ − p|/p.
fn relative_errors(classes: [(f64, f64); 2]) -> f64 {
    classes.iter().map(|(p, q)| (q - p).abs() / p).sum()
}

/// Returns Σ p ln(p/p̂).
///
/// Each term includes p̂ − p, which sums to 0; so no term is negative, and small terms keep their digits.
fn divergence(classes: [(f64, f64); 2]) -> f64 {
    let term = |(p, q): (f64, f64)| {
        let r = (q - p) / p;
        p * (r - r.ln_1p())
    };
    classes.into_iter().map(term).sum()
}

/// A mean x̄ of N values with its standard error s/√N, where s² = Σ(x − x̄)²/(N − 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean x̄.
    pub value: f64,
    /// The standard error of the mean, if the values are independent; `None` for a single value.
    pub std_error: Option<f64>,
}

impl Mean {
    /// Computes the mean of finite values; NaN if there are no values.
    pub fn from_values(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let value = values.iter().copied().collect::<CompensatedSum>().value() / n;
        let squares: CompensatedSum = values.iter().map(|x| (x - value) * (x - value)).collect();
        let se = (values.len() > 1).then(|| (squares.value() / (n - 1.0) / n).sqrt());
        Self { value, std_error: se }
    }

    /// Returns the root mean square √x̄ from a mean of squares x̄, with the delta method's standard error se/(2√x̄).
    #[must_use]
    pub fn root(self) -> Self {
        let value = self.value.sqrt();
        let slope = if value == 0.0 { 0.0 } else { 0.5 / value };
        Self { value, std_error: self.std_error.map(|se| slope * se) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::golden::quoted;

    #[test]
    fn measures_agree_with_quapy() {
        let order = [
            Measure::AbsoluteError,
            Measure::SquaredError,
            Measure::NormalisedAbsoluteError,
            Measure::RelativeAbsoluteError,
            Measure::NormalisedRelativeAbsoluteError,
            Measure::KullbackLeibler,
            Measure::NormalisedKullbackLeibler,
        ];
        for [truth, estimate, n, values @ ..] in quoted::<10>("quapy") {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a count
            let outcome = Outcome::new(truth, estimate, Some(n as u64)).unwrap();
            for (measure, value) in order.into_iter().zip(values) {
                let actual = measure.evaluate(&outcome).unwrap();
                assert!((actual - value).abs() <= 2e-14 * value, "{measure:?} of {outcome:?}: {actual}, not {value}");
            }
            assert_eq!(Measure::Bias.evaluate(&outcome), Some(estimate - truth));
        }
    }

    /// mpmath, 40 digits: Σ p ln(p/p̂) for 0.5 and 0.500001 (the doubles), n = 1000. A sum of
    /// logarithms would keep five digits.
    #[test]
    fn small_divergences_keep_their_digits() {
        let outcome = Outcome::new(0.5, 0.500_001, Some(1000)).unwrap();
        let actual = Measure::KullbackLeibler.evaluate(&outcome).unwrap();
        assert!((actual / 1.996_005_992_128_765e-12 - 1.0).abs() < 1e-9, "{actual:e}");
    }

    #[test]
    fn some_measures_need_the_sample_size() {
        let outcome = Outcome::new(0.5, 0.25, None).unwrap();
        let known = Measure::TABLE.iter().filter(|(_, measure, _)| measure.evaluate(&outcome).is_some());
        assert_eq!(known.map(|(name, ..)| *name).collect::<Vec<_>>(), ["mae", "mse", "mnae", "bias"]);
    }

    #[test]
    fn outcomes_outside_the_range_are_errors() {
        for (truth, estimate, n) in [(-0.1, 0.5, None), (0.5, 1.01, None), (0.5, f64::NAN, None), (0.5, 0.5, Some(0))] {
            assert_eq!(Outcome::new(truth, estimate, n).unwrap_err().code(), "parameter-out-of-range");
        }
    }

    /// By hand: 1, 2, 6 have the mean 3 and squares 4 + 1 + 9 = 14, so s² = 7 and se² = 7/3.
    #[test]
    fn mean_by_hand() {
        let mean = Mean::from_values(&[1.0, 2.0, 6.0]);
        assert_eq!(mean.value, 3.0);
        assert!((mean.std_error.unwrap() - (7.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        let root = mean.root();
        assert!((root.value - 3.0_f64.sqrt()).abs() < 1e-15);
        // (7/3)/(4·3) = 7/36.
        assert!((root.std_error.unwrap() - 7.0_f64.sqrt() / 6.0).abs() < 1e-15);
        assert_eq!(Mean::from_values(&[0.25]), Mean { value: 0.25, std_error: None });
        assert_eq!(Mean::from_values(&[0.0; 3]).root(), Mean { value: 0.0, std_error: Some(0.0) });
    }
}
