//! Brent's method for the root of a continuous function between two points of opposite sign (Brent 1973, ch. 4).

/// Returns the x in `[a, b]` with f(x) = 0, to the last bits of x.
///
/// `fa` and `fb` are the values of f at the ends and must differ in sign; an end where f is zero is returned.
pub(crate) fn solve_bracketed(mut f: impl FnMut(f64) -> f64, (a, fa): (f64, f64), (b, fb): (f64, f64)) -> f64 {
    debug_assert!(fa * fb <= 0.0, "no sign change: f({a}) = {fa}, f({b}) = {fb}");
    let (mut a, mut fa, mut b, mut fb) = (a, fa, b, fb);
    let (mut c, mut fc) = (a, fa);
    let mut step = b - a;
    let mut previous_step = step;
    for _ in 0..200 {
        if (fb > 0.0) == (fc > 0.0) {
            (c, fc) = (a, fa);
            step = b - a;
            previous_step = step;
        }
        if fc.abs() < fb.abs() {
            (a, b, c) = (b, c, b);
            (fa, fb, fc) = (fb, fc, fb);
        }
        let tolerance = 2.0 * f64::EPSILON * b.abs() + f64::MIN_POSITIVE;
        let half = 0.5 * (c - b);
        if half.abs() <= tolerance || fb == 0.0 {
            break;
        }
        let bisect = previous_step.abs() < tolerance || fa.abs() <= fb.abs();
        let interpolated = if bisect { None } else { interpolate((a, fa), (b, fb), (c, fc), half) };
        match interpolated {
            Some(s) if 2.0 * s.abs() < (3.0 * half.abs() - tolerance).min(previous_step.abs()) => {
                (previous_step, step) = (step, s);
            }
            _ => {
                step = half;
                previous_step = half;
            }
        }
        (a, fa) = (b, fb);
        b += if step.abs() > tolerance { step } else { tolerance.copysign(half) };
        fb = f(b);
    }
    b
}

/// Returns the step from b by inverse quadratic interpolation (or the secant if two points
/// coincide), if the step goes towards c.
fn interpolate((a, fa): (f64, f64), (b, fb): (f64, f64), (c, fc): (f64, f64), half: f64) -> Option<f64> {
    let s = fb / fa;
    let (p, q) = if a == c {
        (2.0 * half * s, 1.0 - s)
    } else {
        let (q, r) = (fa / fc, fb / fc);
        (s * (2.0 * half * q * (q - r) - (b - a) * (r - 1.0)), (q - 1.0) * (r - 1.0) * (s - 1.0))
    };
    let step = -p / q;
    (step.is_finite() && step * half > 0.0).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::solve_bracketed;

    #[test]
    fn roots_are_exact_to_the_last_bits() {
        let solve = |f: fn(f64) -> f64, a: f64, b: f64| solve_bracketed(f, (a, f(a)), (b, f(b)));
        assert!((solve(|x| x * x - 2.0, 0.0, 2.0) - std::f64::consts::SQRT_2).abs() < 4e-16);
        assert!((solve(|x| x.exp() - 1e-20, -100.0, 1.0) + 20.0 * std::f64::consts::LN_10).abs() < 2e-14);
        assert_eq!(solve(|x| x, -1.0, 1.0), 0.0);
        assert_eq!(solve(|x| x - 1.0, 1.0, 3.0), 1.0);
        // The function is flat near the root, so that bisection has to take over.
        assert!((solve(|x| (x - 0.3).powi(9), 0.0, 1.0) - 0.3).abs() < 1e-9);
    }

    #[test]
    fn needs_few_evaluations() {
        let mut calls = 0;
        let mut f = |x: f64| {
            calls += 1;
            x.cos() - x
        };
        let ends = ((0.0, f(0.0)), (1.0, f(1.0)));
        assert!((solve_bracketed(f, ends.0, ends.1) - 0.739_085_133_215_160_6).abs() < 2e-16);
        assert!(calls <= 11, "{calls} evaluations");
    }
}
