//! Means over samples, and how well the samples determine them.

use crate::numeric::sum::Sum;

/// A mean x̄ of N values with its standard error s/√N, s² = Σ(x − x̄)²/(N − 1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// x̄.
    pub value: f64,
    /// Its standard error, assuming the values were drawn independently; `None` for a single value.
    pub se: Option<f64>,
}

impl Mean {
    /// The mean of finite values; NaN if there are none.
    pub fn of(values: &[f64]) -> Self {
        let n = values.len() as f64;
        let value = values.iter().copied().collect::<Sum>().value() / n;
        let squares: Sum = values.iter().map(|x| (x - value) * (x - value)).collect();
        let se = (values.len() > 1).then(|| (squares.value() / (n - 1.0) / n).sqrt());
        Self { value, se }
    }

    /// √x̄ of a mean of squares, with the standard error of the delta method, se/(2√x̄): a root mean square.
    #[must_use]
    pub fn root(self) -> Self {
        let value = self.value.sqrt();
        let slope = if value == 0.0 { 0.0 } else { 0.5 / value };
        Self { value, se: self.se.map(|se| slope * se) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 1, 2, 6 have the mean 3 and squares 4 + 1 + 9 = 14, so s² = 7 and se² = 7/3.
    #[test]
    fn by_hand() {
        let mean = Mean::of(&[1.0, 2.0, 6.0]);
        assert_eq!(mean.value, 3.0);
        assert!((mean.se.unwrap() - (7.0_f64 / 3.0).sqrt()).abs() < 1e-15);
        let root = mean.root();
        assert!((root.value - 3.0_f64.sqrt()).abs() < 1e-15);
        // (7/3)/(4·3) = 7/36.
        assert!((root.se.unwrap() - 7.0_f64.sqrt() / 6.0).abs() < 1e-15);
        assert_eq!(Mean::of(&[0.25]), Mean { value: 0.25, se: None });
        assert_eq!(Mean::of(&[0.0; 3]).root(), Mean { value: 0.0, se: Some(0.0) });
    }
}
