//! Least squares for rows of at most four neighbouring unknowns, by Givens rotations: a smoothing penalty of a million beside data
//! that weigh one leaves every digit that matters, where the normal equations would square the ratio.

/// Neighbouring unknowns in a row.
const WIDTH: usize = 4;

/// The upper triangle that the rows so far make, with what they are to be equal to.
pub(super) struct LeastSquares {
    rows: Vec<([f64; WIDTH], f64)>,
}

impl LeastSquares {
    /// Of so many unknowns, without rows.
    pub(super) fn new(unknowns: usize) -> Self {
        Self { rows: vec![([0.0; WIDTH], 0.0); unknowns] }
    }

    /// Forgets every row.
    pub(super) fn clear(&mut self) {
        self.rows.fill(([0.0; WIDTH], 0.0));
    }

    /// Adds a row: the unknowns from `place` on with these factors are to make `value`. Rows come in order of their places; those
    /// of the last unknowns have factors 0 beyond the end.
    pub(super) fn add(&mut self, place: usize, factors: [f64; WIDTH], value: f64) {
        let (mut row, mut value) = (factors, value);
        for (pivot, pivot_value) in &mut self.rows[place..] {
            if pivot[0] == 0.0 {
                (*pivot, *pivot_value) = (row, value);
                return;
            }
            if row[0] != 0.0 {
                let length = (pivot[0] * pivot[0] + row[0] * row[0]).sqrt();
                let (cos, sin) = (pivot[0] / length, row[0] / length);
                for (a, b) in pivot.iter_mut().zip(&mut row) {
                    (*a, *b) = (cos * *a + sin * *b, cos * *b - sin * *a);
                }
                (*pivot_value, value) = (cos * *pivot_value + sin * value, cos * value - sin * *pivot_value);
            }
            row = [row[1], row[2], row[3], 0.0];
            if row == [0.0; WIDTH] {
                return;
            }
        }
    }

    /// The unknowns, of which every one must be in a row.
    pub(super) fn solve(&self, unknowns: &mut [f64]) {
        for place in (0..self.rows.len()).rev() {
            let (row, value) = &self.rows[place];
            let known: f64 = row[1..].iter().zip(&unknowns[place + 1..]).map(|(factor, x)| factor * x).sum();
            unknowns[place] = (value - known) / row[0];
        }
    }

    /// ½ ln det of the normal equations.
    pub(super) fn half_ln_determinant(&self) -> f64 {
        self.rows.iter().map(|(row, _)| row[0].abs().ln()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A straight line through three points of four, and a nearly exact fourth.
    #[test]
    fn solves_what_is_given() {
        let mut rows = LeastSquares::new(4);
        rows.add(0, [1.0, -2.0, 1.0, 0.0], 0.0);
        rows.add(0, [1.0, 0.0, 0.0, 0.0], 2.0);
        rows.add(1, [1.0, -2.0, 1.0, 0.0], 0.0);
        rows.add(3, [1.0, 0.0, 0.0, 0.0], 5.0);
        let mut found = [0.0; 4];
        rows.solve(&mut found);
        assert!(found.iter().zip([2.0, 3.0, 4.0, 5.0]).all(|(a, b)| (a - b).abs() < 1e-14), "{found:?}");
        // The determinant of the matrix of these four rows.
        assert!((rows.half_ln_determinant() - 3f64.ln()).abs() < 1e-14);
        rows.clear();
        // One unknown, weighed 3 and 1: its mean.
        (0..4).for_each(|place| rows.add(place, [3f64.sqrt(), 0.0, 0.0, 0.0], 3f64.sqrt() * 4.0));
        let mut found = [0.0; 4];
        rows.solve(&mut found);
        assert!(found.iter().all(|x| (x - 4.0).abs() < 1e-14));
    }
}
