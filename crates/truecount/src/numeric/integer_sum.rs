//! Sums of a smooth function over all whole numbers in a range, computed from every h-th number.
//!
//! ```text
//! Σ f(z) = h Σ f(kh) + corrections at both ends
//! upper end: Σ_j B_j(1) (1 − hʲ)/j! f⁽ʲ⁻¹⁾,   j = 1, 2, 4, 6, 8
//! ```
//!
//! The corrections are the difference of two Euler–Maclaurin sums (DLMF 2.10.1). Derivatives are
//! replaced by backward differences, hD = −ln(1 − ∇) (Gregory). For h = 1 the corrections vanish.

/// The number of points over which an end's corrections are spread.
pub(crate) const END_POINTS: usize = 8;

/// Bernoulli numbers over factorials, `B_j(1)/j!` for j = 1 to 8.
const BERNOULLI: [f64; END_POINTS] = [0.5, 1.0 / 12.0, 0.0, -1.0 / 720.0, 0.0, 1.0 / 30_240.0, 0.0, -1.0 / 1_209_600.0];

/// Returns the corrections to the weights of an end's points, from the outermost point inwards.
pub(crate) fn end_corrections(h: f64) -> [f64; END_POINTS] {
    let product = |a: &[f64; END_POINTS], b: &[f64; END_POINTS]| -> [f64; END_POINTS] {
        std::array::from_fn(|q| (0..=q).map(|i| a[i] * b[q - i]).sum())
    };
    let log: [f64; END_POINTS] = std::array::from_fn(|q| if q == 0 { 0.0 } else { (q as f64).recip() });
    let mut power = [0.0; END_POINTS];
    power[0] = 1.0;
    let mut differences = [0.0; END_POINTS];
    for (j, bernoulli) in (1..).zip(BERNOULLI) {
        let factor = bernoulli * h * (h.powi(-j) - 1.0);
        differences.iter_mut().zip(power).for_each(|(sum, term)| *sum += factor * term);
        power = product(&power, &log);
    }
    // ∇^q f at the last point is Σ (−1)ⁱ C(q, i) f, i points before it.
    let mut weights = [0.0; END_POINTS];
    let mut signed = [0.0; END_POINTS];
    for (q, difference) in differences.into_iter().enumerate() {
        signed = std::array::from_fn(|i| {
            if q == 0 { f64::from(u8::from(i == 0)) } else { signed[i] - if i == 0 { 0.0 } else { signed[i - 1] } }
        });
        weights.iter_mut().zip(signed).for_each(|(sum, sign)| *sum += difference * sign);
    }
    weights
}

/// Returns the weights of this many points, h apart.
///
/// The sum runs over all whole numbers from the first point to the last, and over `before` numbers
/// before the first and `after` numbers after the last, where f continues as a straight line. There
/// must be at least two points, and at least 2 [`END_POINTS`] unless h is 1.
pub(crate) fn point_weights(points: usize, h: f64, before: f64, after: f64) -> Vec<f64> {
    let mut weights = vec![h; points];
    if h > 1.0 {
        for (index, weight) in end_corrections(h).into_iter().enumerate() {
            weights[index] += weight;
            weights[points - 1 - index] += weight;
        }
    }
    let beyond = |r: f64| r * (r + 1.0) / (2.0 * h);
    weights[0] += before + beyond(before);
    weights[1] -= beyond(before);
    weights[points - 1] += after + beyond(after);
    weights[points - 2] -= beyond(after);
    weights
}
