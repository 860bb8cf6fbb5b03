//! Any function of one variable as polynomials side by side, found by a nest of CASE that halves the number of pieces at each step.
//!
//! A piece is the interpolant at Chebyshev points, checked between them and wherever the function is known to change; where it
//! misses, the piece is halved, down to neighbouring doubles if need be, as at a jump. Coefficients keep no more digits than the
//! tolerance asks for.

use super::names::{number, plus};
use crate::numeric::chebyshev;
use std::fmt::Write;

/// Chebyshev points of a piece.
const POINTS: usize = 16;

/// Points at which a piece is checked besides the given ones, evenly apart.
const CHECKED: u32 = 24;

pub(super) struct Pieces(Vec<Piece>);

struct Piece {
    end: f64,
    middle: f64,
    /// Of 1, v − middle, …
    powers: Vec<f64>,
}

impl Piece {
    fn value(&self, v: f64) -> f64 {
        chebyshev::horner(&self.powers, v - self.middle)
    }

    fn sql(&self) -> String {
        let distance = format!("(v {})", plus(-self.middle));
        let (last, rest) = self.powers.split_last().expect("a constant at least");
        rest.iter().rev().fold(number(*last), |inner, c| format!("({inner} * {distance} {})", plus(*c)))
    }
}

impl Pieces {
    /// Of f, to the tolerance, between the first and the last of the ascending breaks; it is smooth between two of them, but
    /// may change on the scale of the ascending places.
    pub(super) fn new(f: impl Fn(f64) -> f64, breaks: &[f64], places: &[f64], tolerance: f64) -> Self {
        let mut maker = Maker { f, places, tolerance, pieces: Vec::new() };
        for pair in breaks.windows(2).filter(|pair| pair[0] < pair[1]) {
            maker.cover(pair[0], pair[1]);
        }
        Self(maker.pieces)
    }

    pub(super) fn sql(&self) -> String {
        let mut text = String::new();
        nest(&self.0, 2, &mut text);
        text
    }
}

fn nest(pieces: &[Piece], indent: usize, text: &mut String) {
    if let [piece] = pieces {
        text.push_str(&piece.sql());
        return;
    }
    let (left, right) = pieces.split_at(pieces.len() / 2);
    let end = number(left[left.len() - 1].end);
    write!(text, "CASE WHEN v < {end} THEN ").expect("a String takes all");
    nest(left, indent + 1, text);
    write!(text, "\n{:indent$}ELSE ", "").expect("a String takes all");
    nest(right, indent + 1, text);
    text.push_str(" END");
}

struct Maker<'a, F> {
    f: F,
    places: &'a [f64],
    tolerance: f64,
    pieces: Vec<Piece>,
}

impl<F: Fn(f64) -> f64> Maker<'_, F> {
    fn cover(&mut self, left: f64, right: f64) {
        let middle = 0.5 * (left + right);
        let last = middle <= left || middle >= right;
        let piece = if last { self.constant(left, right) } else { self.interpolant(left, right) };
        if last || self.is_close(&piece, left) {
            match self.pieces.last_mut() {
                // The same constant goes on.
                Some(before) if before.powers.len() == 1 && before.powers == piece.powers => before.end = right,
                _ => self.pieces.push(piece),
            }
        } else {
            self.cover(left, middle);
            self.cover(middle, right);
        }
    }

    fn constant(&self, left: f64, right: f64) -> Piece {
        Piece { end: right, middle: left, powers: vec![(self.f)(left)] }
    }

    fn interpolant(&self, left: f64, right: f64) -> Piece {
        let (middle, half) = short(left, right);
        let mut series = chebyshev::interpolate(POINTS, |t| (self.f)((middle + half * t).clamp(left, right)));
        let mut dropped = 0.0;
        while let [_, .., last] = series[..]
            && dropped + last.abs() <= 0.25 * self.tolerance
        {
            dropped += last.abs();
            series.pop();
        }
        let unit = |k: usize| half.powi(i32::try_from(k).expect("a small degree"));
        let powers = chebyshev::to_powers(&series);
        let each = powers.iter().enumerate();
        Piece {
            end: right,
            middle,
            powers: each.map(|(k, c)| rounded(c / unit(k), 0.01 * self.tolerance / unit(k))).collect(),
        }
    }

    fn is_close(&self, piece: &Piece, left: f64) -> bool {
        let even = (0..=CHECKED).map(|k| left + (piece.end - left) * (f64::from(k) / f64::from(CHECKED)));
        let from = self.places.partition_point(|place| *place < left);
        let known = self.places[from..].iter().copied().take_while(|place| *place < piece.end);
        // The right end belongs to the next piece.
        let ok = |v: f64| v >= piece.end || (piece.value(v) - (self.f)(v)).abs() <= self.tolerance;
        even.chain([piece.end.next_down()]).chain(known).all(ok)
    }
}

/// A number of few digits near the middle, and how far the ends are from it at most.
fn short(left: f64, right: f64) -> (f64, f64) {
    let exact = 0.5 * (left + right);
    let middle = rounded(exact, 0.02 * (right - left));
    let middle = if left < middle && middle < right { middle } else { exact };
    (middle, (middle - left).max(right - middle))
}

/// The number with the fewest digits that is off by no more than the error.
fn rounded(value: f64, error: f64) -> f64 {
    (0..16)
        .map(|digits| format!("{value:.digits$e}").parse().expect("it was a number"))
        .find(|short: &f64| (short - value).abs() <= error)
        .unwrap_or(value)
}
