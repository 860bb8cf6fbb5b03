//! Evidence that a mean was ever above 1, by betting on it.
//!
//! Let z ≥ 0 have a mean of at most 1. A gambler who bets the fraction λ of the wealth on every z
//! multiplies it by 1 + λ(z − 1), which has a mean of at most 1. So the wealth ever exceeds 1/p with
//! probability at most p (Ville 1939), whatever the distribution of z and however many z there are
//! (Waudby-Smith and Ramdas 2024, "Estimating means of bounded random variables by betting"). Within
//! a period, the mean of z may differ between rows as long as the mean over all rows is at most 1,
//! because a product of factors is largest where they are equal.
//!
//! Only the mean and the mean square of a period's n scores are needed. Among all scores z ≥ 0 with
//! these means, the wealth is smallest if z is 0 or z₁ = z̅²/z̅ (the fourth-degree Chebyshev–Markov
//! inequality for a function with a positive third derivative). With p = z̅/z₁ the factor of the
//! period is at least
//!
//! ```text
//! F(λ) = [(1 + λ(z₁ − 1))^p (1 − λ)^(1−p)]^n,
//! ```
//!
//! which is exact for scores with two values.
//!
//! The gambler divides the wealth between fractions λ and between starts s. The weights of the
//! starts, 1/√s − 1/√(s+1), sum to 1. The weights of λ at a start are those of half a Cauchy
//! distribution with the scale τ = 1/(σ√n), which is the best λ for a mean that is one standard error
//! of the period above 1. Its heavy tail finds much larger rises at once. Wealth for later starts is
//! kept:
//!
//! ```text
//! L_t(λ) = [L_{t−1}(λ) + w_t φ_t(λ)] F_t(λ),    e_t = Σ_λ L_t(λ) + 1/√(t+1)
//! ```

/// The largest fraction of the wealth.
const MAX_FRACTION: f64 = 0.98;

/// The number of fractions, and their number for each unit of ln λ.
const FRACTIONS: u32 = 80;
const PER_UNIT: f64 = 6.0;

/// The scores of a period on a scale on which they are at least 0 and have a mean of at most 1
/// unless the bound is crossed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ScoreMoments {
    /// The (effective) number of scores.
    pub(super) n: f64,
    pub(super) mean: f64,
    /// The mean of the squares.
    pub(super) square: f64,
}

impl ScoreMoments {
    /// Returns a lower bound of ln F/n.
    fn ln_growth(&self, fraction: f64) -> f64 {
        let lose = (-fraction).ln_1p();
        if self.mean <= 0.0 {
            return lose;
        }
        let high = self.square / self.mean;
        let share = (self.mean / high).min(1.0);
        share * (fraction * (high - 1.0)).ln_1p() + (1.0 - share) * lose
    }
}

/// The accumulated evidence.
#[derive(Clone, Debug)]
pub(super) struct BettingProcess {
    bets: Vec<Bet>,
    periods: usize,
}

/// A fraction of the wealth.
#[derive(Clone, Copy, Debug)]
struct Bet {
    fraction: f64,
    /// ln L_t.
    ln_wealth: f64,
    /// The logarithm of the largest summand of L_t, with its start.
    largest: (f64, usize),
}

/// The evidence after a period.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct BettingState {
    /// ln e.
    pub(super) ln_e: f64,
    /// The index of the most likely first period above 1.
    pub(super) change_point: usize,
}

impl BettingProcess {
    pub(super) fn new() -> Self {
        let bet = |fraction| Bet { fraction, ln_wealth: f64::NEG_INFINITY, largest: (f64::NEG_INFINITY, 0) };
        Self { bets: fractions().map(bet).collect(), periods: 0 }
    }

    /// Adds a period whose scores have the variance σ² if their mean is 1, and returns the evidence
    /// so far. Gains, but not losses, of ln e are multiplied by `reliance` in [0, 1].
    pub(super) fn add(&mut self, scores: &ScoreMoments, variance: f64, reliance: f64) -> BettingState {
        let start = self.periods;
        self.periods += 1;
        let ln_weight = ln_weight(start);
        for (bet, ln_prior) in self.bets.iter_mut().zip(ln_prior(variance * scores.n)) {
            let gain = scores.n * scores.ln_growth(bet.fraction);
            let gain = gain.min(reliance * gain);
            let stake = ln_weight + ln_prior;
            if stake > bet.largest.0 {
                bet.largest = (stake, start);
            }
            bet.largest.0 += gain;
            bet.ln_wealth = ln_add(bet.ln_wealth, stake) + gain;
        }
        let kept = -0.5 * (start as f64 + 2.0).ln();
        let ln_e = self.bets.iter().fold(kept, |sum, bet| ln_add(sum, bet.ln_wealth));
        let largest = self.bets.iter().map(|bet| bet.largest).max_by(|a, b| a.0.total_cmp(&b.0));
        BettingState { ln_e, change_point: largest.expect("several fractions").1 }
    }
}

/// Returns ln e, from the first start alone, after scores like these. `first` is σ²n of the first
/// period.
pub(super) fn ln_evidence(scores: &ScoreMoments, first: f64) -> f64 {
    let terms = fractions().zip(ln_prior(first));
    terms.fold(f64::NEG_INFINITY, |sum, (fraction, ln_prior)| {
        ln_add(sum, ln_weight(0) + ln_prior + scores.n * scores.ln_growth(fraction))
    })
}

fn fractions() -> impl Iterator<Item = f64> + Clone {
    (0..FRACTIONS).map(|k| MAX_FRACTION * (-f64::from(k) / PER_UNIT).exp())
}

/// Returns the logarithms of the weights of the fractions for 1/τ².
fn ln_prior(precision: f64) -> impl Iterator<Item = f64> {
    // Each fraction stands for an interval of ln λ, so that its weight is λ times the density.
    let ln_weight = move |fraction: f64| (fraction / (1.0 + fraction * fraction * precision)).ln();
    let ln_sum = fractions().map(ln_weight).fold(f64::NEG_INFINITY, ln_add);
    fractions().map(move |fraction| ln_weight(fraction) - ln_sum)
}

/// Returns ln(1/√s − 1/√(s+1)) for the start with this index, s − 1.
fn ln_weight(start: usize) -> f64 {
    let s = start as f64 + 1.0;
    // 1/√s − 1/√(s+1) without cancellation
    -((s * (s + 1.0)).sqrt() * (s.sqrt() + (s + 1.0).sqrt())).ln()
}

/// Returns ln(eᵃ + eᵇ).
fn ln_add(a: f64, b: f64) -> f64 {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    if low == f64::NEG_INFINITY { high } else { high + (low - high).exp().ln_1p() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two_values(n: u32, high: u32, value: f64) -> ScoreMoments {
        let share = f64::from(high) / f64::from(n);
        ScoreMoments { n: n.into(), mean: share * value, square: share * value * value }
    }

    /// All samples of three rows in each of four periods. Each row is 5 with probability 0.2 and
    /// otherwise 0, so that the mean is 1 and the factors are exact.
    #[test]
    fn mean_of_the_evidence_is_exactly_one() {
        let binomial = [0.512, 0.384, 0.096, 0.008];
        let (mut mean, mut total) = (0.0, 0.0);
        for sample in 0..4_usize.pow(4) {
            let mut process = BettingProcess::new();
            let (mut probability, mut last) = (1.0, 0.0);
            for period in 0..4 {
                let high = sample / 4_usize.pow(period) % 4;
                probability *= binomial[high];
                last = process.add(&two_values(3, u32::try_from(high).unwrap(), 5.0), 4.0, 1.0).ln_e;
            }
            total += probability;
            mean += probability * last.exp();
        }
        assert!((total - 1.0).abs() < 1e-14 && (mean - 1.0).abs() < 1e-12, "{mean}");
    }

    /// The product over all rows of many values, at every fraction.
    #[test]
    fn growth_is_at_most_that_of_the_rows() {
        for rows in [vec![0.0, 5.0, 5.0], vec![0.1, 0.2, 0.9, 1.4, 7.0], vec![1.0; 3], vec![0.0; 2], vec![2.0, 0.5]] {
            let n = rows.len() as f64;
            let mean = |power: i32| rows.iter().map(|z: &f64| z.powi(power)).sum::<f64>() / n;
            let scores = ScoreMoments { n, mean: mean(1), square: mean(2) };
            let is_exact = rows[0] == 0.0 || rows[0] == 1.0;
            for fraction in fractions() {
                let exact = rows.iter().map(|z| (fraction * (z - 1.0)).ln_1p()).sum::<f64>() / n;
                let growth = scores.ln_growth(fraction);
                assert!(growth < exact + 1e-14, "{rows:?} {fraction}: {growth} {exact}");
                assert!(!is_exact || growth > exact - 1e-14, "{rows:?} {fraction}: {growth} {exact}");
            }
        }
    }

    /// The sum over all starts and fractions, as the formula says.
    #[test]
    fn recursion_is_the_sum_over_all_starts() {
        let periods: Vec<ScoreMoments> =
            (0..40).map(|t| two_values(20 + t % 7, if t < 25 { t % 3 } else { 4 + t % 2 }, 20.0)).collect();
        let mut process = BettingProcess::new();
        for (t, scores) in periods.iter().enumerate() {
            let state = process.add(scores, 19.0, 1.0);
            let term = |start: usize| {
                let fractions = fractions().zip(ln_prior(19.0 * periods[start].n)).map(|(fraction, ln_prior)| {
                    let growth = |scores: &ScoreMoments| scores.n * scores.ln_growth(fraction);
                    (ln_prior + periods[start..=t].iter().map(growth).sum::<f64>()).exp()
                });
                let s = start as f64 + 1.0;
                (s.sqrt().recip() - (s + 1.0).sqrt().recip()) * fractions.sum::<f64>()
            };
            let terms: Vec<f64> = (0..=t).map(term).collect();
            let expected = terms.iter().sum::<f64>() + (t as f64 + 2.0).sqrt().recip();
            assert!((state.ln_e - expected.ln()).abs() < 1e-10, "{t}: {state:?} {expected}");
        }
        let state = process.add(&two_values(20, 6, 20.0), 19.0, 1.0);
        assert!(state.ln_e > 40_f64.ln() && state.change_point == 25, "{state:?}");
    }

    #[test]
    fn reliance_reduces_gains_but_not_losses() {
        let after = |scores: &ScoreMoments, reliance: f64| BettingProcess::new().add(scores, 19.0, reliance).ln_e;
        let (high, low) = (two_values(20, 8, 20.0), two_values(20, 0, 20.0));
        assert!(after(&high, 0.25) < after(&high, 1.0) - 1.0 && after(&high, 0.0) < 0.0);
        assert_eq!(after(&low, 0.25), after(&low, 1.0));
    }
}
