//! The maximum of a smooth function of two variables by a safeguarded Newton's method.
//!
//! A Hessian that is not negative definite is shifted until it is, and a step that decreases the
//! function is halved (Nocedal and Wright 2006, §3.4).

/// The value, gradient and Hessian of a function, the Hessian as `[∂²/∂x², ∂²/∂x∂y, ∂²/∂y²]`.
pub(crate) type Derivatives = (f64, [f64; 2], [f64; 3]);

/// The squared Newton decrement below which convergence is quadratic and changes in the function are mere rounding.
const QUADRATIC: f64 = 1e-10;

/// The squared Newton decrement of the last step; the error is then about 1e-13 of the width of the peak.
const CONVERGED: f64 = 1e-24;

/// Returns the maximum point of `f` near `start`.
///
/// `f` must be scaled to about 1; values that are not finite count as −∞.
pub(crate) fn maximise(start: [f64; 2], mut f: impl FnMut([f64; 2]) -> Derivatives) -> [f64; 2] {
    let mut at = start;
    let mut current = f(at);
    for _ in 0..200 {
        let (value, [gx, gy], hessian) = current;
        let [xx, xy, yy] = negative_definite(hessian);
        let determinant = xx * yy - xy * xy;
        let step = [(xy * gy - yy * gx) / determinant, (xy * gx - xx * gy) / determinant];
        let gain = gx * step[0] + gy * step[1];
        let mut share = 1.0;
        let (next_at, next) = loop {
            let candidate = [at[0] + share * step[0], at[1] + share * step[1]];
            let next = f(candidate);
            let is_better = next.0.is_finite() && (gain < QUADRATIC || next.0 > value + 1e-4 * share * gain);
            if is_better || share < 1e-12 {
                break (candidate, next);
            }
            share *= 0.5;
        };
        if !next.0.is_finite() {
            break;
        }
        (at, current) = (next_at, next);
        if gain < CONVERGED {
            break;
        }
    }
    at
}

/// Returns the Hessian minus a multiple of the unit matrix that makes it negative definite.
///
/// A shifted Hessian has eigenvalues of at most −1e-3 times the largest absolute eigenvalue.
fn negative_definite([xx, xy, yy]: [f64; 3]) -> [f64; 3] {
    let (middle, radius) = (0.5 * (xx + yy), (0.5 * (xx - yy)).hypot(xy));
    let (top, size) = (middle + radius, middle.abs() + radius);
    // If the eigenvalues differ widely, `top` is lost to rounding, but the determinant has the right sign.
    let is_definite = xx < 0.0 && yy < 0.0 && xx * yy > xy * xy;
    let shift = if is_definite { 0.0 } else { top + 1e-3 * size };
    [xx - shift, xy, yy - shift]
}

#[cfg(test)]
mod tests {
    use super::maximise;

    #[test]
    fn maximise_escapes_a_saddle() {
        // −(x² − 1)² − (y − x)²/2, with a saddle at (0, 0) and maxima at ±(1, 1).
        let [x, y] = maximise([0.1, -0.3], |[x, y]| {
            let (a, b) = (x * x - 1.0, y - x);
            (-a * a - 0.5 * b * b, [-4.0 * a * x + b, -b], [-12.0 * x * x + 3.0, 1.0, -1.0])
        });
        assert!((x.abs() - 1.0).abs() < 1e-15 && (y - x).abs() < 1e-15, "({x}, {y})");
    }
}
