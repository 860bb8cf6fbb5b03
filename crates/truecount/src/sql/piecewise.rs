//! Piecewise polynomial approximations of functions of one variable, as nested CASE expressions.
//!
//! Each level of CASE halves the number of pieces. A piece is the interpolant at Chebyshev points.
//! It is checked between these points and wherever the function is known to change. If it misses
//! the tolerance, the piece is halved, down to neighbouring doubles at a jump. Coefficients have
//! only the digits that the tolerance requires.

use super::names::{format_number, format_term};
use crate::numeric::polynomial;
use crate::{Error, Problem};
use std::fmt::Write;

/// The number of Chebyshev points of a piece.
const POINTS: usize = 16;

/// The number of equal parts of a piece whose ends are check points.
const CHECK_POINTS: u32 = 24;

/// The error, as a multiple of the tolerance, above which it is not mere rounding.
const ROUNDING: f64 = 1000.0;

/// The maximum number of pieces of a query.
///
/// Near a pole of a density, where neighbouring doubles are far apart, a function may need more.
const MAX_PIECES: usize = 1000;

/// A piecewise polynomial in v.
pub(super) struct PiecewisePolynomial(Vec<PolynomialPiece>);

/// A polynomial in v − middle, up to `end`.
struct PolynomialPiece {
    end: f64,
    middle: f64,
    /// The coefficients of 1, v − middle, …
    powers: Vec<f64>,
}

impl PolynomialPiece {
    fn value(&self, v: f64) -> f64 {
        polynomial::horner(&self.powers, v - self.middle)
    }

    fn sql(&self) -> String {
        let distance = format!("(v {})", format_term(-self.middle));
        let (last, rest) = self.powers.split_last().expect("at least a constant");
        rest.iter().rev().fold(format_number(*last), |inner, c| format!("({inner} * {distance} {})", format_term(*c)))
    }
}

impl PiecewisePolynomial {
    /// Approximates f to the tolerance between the first and the last of the ascending breaks.
    ///
    /// Between two breaks f is smooth, but it may change on the scale of the distances between the
    /// ascending `check_points`.
    ///
    /// # Errors
    /// Returns [`Problem::TooLongForSql`] if the function needs too many pieces.
    pub(super) fn new(
        f: impl Fn(f64) -> f64,
        breaks: &[f64],
        check_points: &[f64],
        tolerance: f64,
    ) -> Result<Self, Error> {
        let mut builder = PieceBuilder { f, check_points, tolerance, pieces: Vec::new() };
        for pair in breaks.windows(2).filter(|pair| pair[0] < pair[1]) {
            builder.add_pieces(pair[0], pair[1], f64::INFINITY);
        }
        if builder.pieces.len() > MAX_PIECES {
            Err(Problem::TooLongForSql { most: MAX_PIECES }.into())
        } else {
            Ok(Self(builder.pieces))
        }
    }

    /// Returns the nested CASE expression.
    pub(super) fn sql(&self) -> String {
        let mut text = String::new();
        nested_cases(&self.0, 2, &mut text);
        text
    }
}

/// Appends the nested CASE of these pieces to the text.
fn nested_cases(pieces: &[PolynomialPiece], indent: usize, text: &mut String) {
    if let [piece] = pieces {
        text.push_str(&piece.sql());
        return;
    }
    let (left, right) = pieces.split_at(pieces.len() / 2);
    let end = format_number(left[left.len() - 1].end);
    write!(text, "CASE WHEN v < {end} THEN ").expect("a String takes all");
    nested_cases(left, indent + 1, text);
    write!(text, "\n{:indent$}ELSE ", "").expect("a String takes all");
    nested_cases(right, indent + 1, text);
    text.push_str(" END");
}

/// A builder of a piecewise polynomial.
struct PieceBuilder<'a, F> {
    f: F,
    check_points: &'a [f64],
    tolerance: f64,
    pieces: Vec<PolynomialPiece>,
}

impl<F: Fn(f64) -> f64> PieceBuilder<'_, F> {
    /// Adds the pieces between `left` and `right`, in ascending order; `before` is the error of a
    /// piece twice as wide.
    fn add_pieces(&mut self, left: f64, right: f64, before: f64) {
        if self.pieces.len() > MAX_PIECES {
            return;
        }
        let middle = 0.5 * (left + right);
        let last = middle <= left || middle >= right;
        let piece = if last { self.constant(left, right) } else { self.interpolant(left, right) };
        let error = self.error(&piece, left);
        // An error that halving does not reduce, away from jumps, is the rounding error of the
        // function.
        let is_rounding = error <= ROUNDING * self.tolerance && error > 0.25 * before;
        if last || error <= self.tolerance || is_rounding {
            match self.pieces.last_mut() {
                // Two neighbouring pieces with one constant become one piece.
                Some(before) if before.powers.len() == 1 && before.powers == piece.powers => before.end = right,
                _ => self.pieces.push(piece),
            }
        } else {
            self.add_pieces(left, middle, error);
            self.add_pieces(middle, right, error);
        }
    }

    fn constant(&self, left: f64, right: f64) -> PolynomialPiece {
        PolynomialPiece { end: right, middle: left, powers: vec![(self.f)(left)] }
    }

    fn interpolant(&self, left: f64, right: f64) -> PolynomialPiece {
        let (exact, half) = (0.5 * (left + right), 0.5 * (right - left));
        let mut series = polynomial::interpolate(POINTS, |t| (self.f)(exact + half * t));
        let mut dropped = 0.0;
        while let [_, .., last] = series[..]
            && dropped + last.abs() <= 0.25 * self.tolerance
        {
            dropped += last.abs();
            series.pop();
        }
        // A number with few digits near the middle shortens the text.
        let middle = round_to_few_digits(exact, 0.04 * half);
        let powers = shift_powers(polynomial::to_powers(&series), (middle - exact) / half);
        let unit = |k: usize| half.powi(i32::try_from(k).expect("a small degree"));
        let each = powers.iter().enumerate();
        let powers = each.map(|(k, c)| round_to_few_digits(c / unit(k), 0.01 * self.tolerance / unit(k))).collect();
        PolynomialPiece { end: right, middle, powers }
    }

    /// Returns the largest error of the piece at its check points.
    fn error(&self, piece: &PolynomialPiece, left: f64) -> f64 {
        let even = (0..=CHECK_POINTS).map(|k| left + (piece.end - left) * (f64::from(k) / f64::from(CHECK_POINTS)));
        let from = self.check_points.partition_point(|point| *point < left);
        let known = self.check_points[from..].iter().copied().take_while(|point| *point < piece.end);
        // The right end belongs to the next piece.
        let inside = even.chain([piece.end.next_down()]).chain(known).filter(|v| *v < piece.end);
        inside.map(|v| (piece.value(v) - (self.f)(v)).abs()).fold(0.0, f64::max)
    }
}

/// Converts coefficients of powers of t to coefficients of powers of t − d, by repeated division.
fn shift_powers(mut powers: Vec<f64>, d: f64) -> Vec<f64> {
    for from in 0..powers.len() {
        for k in (from..powers.len() - 1).rev() {
            powers[k] += d * powers[k + 1];
        }
    }
    powers
}

/// Returns the number with the fewest digits within `error` of the value.
fn round_to_few_digits(value: f64, error: f64) -> f64 {
    (0..16)
        .map(|digits| format!("{value:.digits$e}").parse().expect("it was a number"))
        .find(|short: &f64| (short - value).abs() <= error)
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    impl PiecewisePolynomial {
        fn value(&self, v: f64) -> f64 {
            let index = self.0[..self.0.len() - 1].partition_point(|piece| piece.end <= v);
            self.0[index].value(v)
        }
    }

    /// The function has a bell that is narrow compared with the range, a kink at a break, and a
    /// jump between breaks.
    #[test]
    fn pieces_approximate_the_function() {
        let jump = 0.1 + 0.2;
        let f = |v: f64| (-v * v * 1e4).exp() + v.max(0.0) + if v >= jump { 1.0 } else { 0.0 };
        let pieces = PiecewisePolynomial::new(f, &[-300.0, 0.0, 2.0], &[-0.01, 0.01], 1e-13).unwrap();
        assert!(pieces.0.len() < 120, "{}", pieces.0.len());
        let near = (-20_000..20_000).map(|k| f64::from(k) * 1e-4);
        for v in near.chain([-299.0, -20.0, jump.next_down(), jump, jump.next_up(), 1.999]) {
            assert!((pieces.value(v) - f(v)).abs() < 2e-13, "{v}: {} {}", pieces.value(v), f(v));
        }
    }

    /// (t + d)³ has the coefficients d³, 3d², 3d and 1.
    #[test]
    fn shifted_powers_are_binomial() {
        assert_eq!(shift_powers(vec![0.0, 0.0, 0.0, 1.0], 2.0), [8.0, 12.0, 6.0, 1.0]);
    }

    #[test]
    fn numbers_are_as_short_as_the_error_allows() {
        assert_eq!(round_to_few_digits(0.123_456, 0.01), 0.12);
        assert_eq!(round_to_few_digits(-987.654, 0.0), -987.654);
    }
}
