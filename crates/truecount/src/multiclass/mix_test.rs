//! A test of the assumption that the test rows are a mixture of the labelled classes.
//!
//! Each row belongs to a cell: its likeliest class, and the tercile of that class's probability among the labelled
//! rows with the same likeliest class; or, with other verdicts, its verdict. With q_k the shares of the cells among the
//! labelled rows of class k, and o among the n test rows, the statistic is the minimum over π with the sum 1 of
//!
//! ```text
//! X² = eᵀ Ω⁻¹ e,    e = o − Σ_k π_k q_k,    Ω = (diag m − mmᵀ)/n + Σ_k π̂_k² (diag q_k − q_k q_kᵀ)/n_k
//! ```
//!
//! with m = Σ_k π̂_k q_k. Its distribution is nearly χ², with the number of cells less K degrees of freedom
//! (generalised method of moments: Hansen 1982). If the test rejects at 1 %, the errors of the shares are taken to
//! be larger by Birge's ratio √(X²/d), with d the degrees of freedom, as for two classes (`inference::misfit`).
//! Cells with fewer than five expected or labelled rows are merged, and half a row is added to each cell of each
//! class in the second term of Ω. With a design of the labelled rows, n_k is their effective number.

use super::labelled::LabelledSample;
use super::linear::top_class;
use crate::inference::ScaleFactor;
use crate::numeric::dense::{Cholesky, Matrix, dot};
use statrs::function::gamma::checked_gamma_ur;

/// The significance level for wider intervals; the warning divides it by the number of test sets (Bonferroni).
pub(super) const SIGNIFICANCE_LEVEL: f64 = 0.01;

/// The number of ranges of the probability for each likeliest class.
const THIRDS: usize = 3;

/// The smallest number of expected, and of labelled, rows of a cell.
const MIN_ROWS: f64 = 5.0;

/// The labelled rows that are added to each cell of each class in the covariance. Without them, a cell in
/// which a class has no row by chance would have too small a variance, and false alarms would be three
/// times as frequent with 40 labelled rows of each of ten classes.
const PSEUDO_COUNT: f64 = 0.5;

/// The result of the test that the test rows are a mixture of the labelled classes.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ClassMixTest {
    /// The statistic X².
    pub statistic: f64,
    /// The number of cells less the number of classes.
    pub degrees_of_freedom: usize,
    /// The probability of a statistic at least this large if the rows were a mixture.
    pub p_value: f64,
    /// The cells, first the one that fits worst, by (observed − expected)²/expected.
    pub cells: Vec<MixCell>,
}

/// A cell of the test.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MixCell {
    /// The likeliest class of the rows; `None` for a cell of several classes.
    pub class: Option<usize>,
    /// The range of that class's probability; [0, 1] for a cell of several classes.
    pub probability: [f64; 2],
    /// The number of test rows.
    pub observed: u64,
    /// The expected number of test rows.
    pub expected: f64,
}

impl ClassMixTest {
    /// Returns whether the test rejects a mixture of the labelled classes.
    pub fn is_rejected(&self) -> bool {
        self.p_value < SIGNIFICANCE_LEVEL
    }

    /// Returns the scale factor by which errors are larger than chance explains, if the test rejects.
    pub(super) fn scale_factor(&self) -> Option<ScaleFactor> {
        let dof = self.degrees_of_freedom as f64;
        self.is_rejected().then(|| ScaleFactor { factor: (self.statistic / dof).max(1.0).sqrt(), dof })
    }
}

/// The cells of labelled rows.
#[derive(Clone, Debug)]
pub(super) struct MixCells {
    /// For each likeliest class, the lower limits of the second and third range.
    limits: Vec<[f64; THIRDS - 1]>,
    /// The effective number of labelled rows in each cell, a row for each class.
    labelled: Matrix,
}

impl MixCells {
    /// Divides labelled rows with these probabilities or indicators of verdicts, shape (n, L).
    pub(super) fn new(probabilities: &Matrix, sample: &LabelledSample) -> Self {
        let (columns, classes) = (probabilities.columns(), sample.sizes.len());
        let mut tops = vec![Vec::new(); columns];
        for row in probabilities.iter_rows() {
            let (class, p) = top_class(row);
            tops[class].push(p);
        }
        let limits = tops.into_iter().map(|mut tops| {
            tops.sort_by(f64::total_cmp);
            [1, 2].map(|part| tops.get(part * tops.len() / THIRDS).copied().unwrap_or(f64::INFINITY))
        });
        let mut cells = Self { limits: limits.collect(), labelled: Matrix::zeros(classes, THIRDS * columns) };
        let row_cells: Vec<usize> = probabilities.iter_rows().map(|row| cells.cell(row)).collect();
        for ((cell, label), weight) in row_cells.iter().zip(&sample.labels).zip(sample.weights) {
            cells.labelled[(*label, *cell)] += weight;
        }
        // The mean design effect of the cells' shares (Rao and Scott 1981).
        let size = cells.labelled.columns();
        for (k, row) in cells.labelled.iter_rows_mut().enumerate() {
            let n = sample.sizes[k];
            let share = |i: usize, j: usize| f64::from(u8::from(sample.labels[i] == k && row_cells[i] == j)) / n;
            let Some(units) = sample.unit_contributions(size, share) else { break };
            let ratio =
                row.iter().map(|m| m / n * (1.0 - m / n)).sum::<f64>() / dot(units.values(), units.values()) / n;
            row.iter_mut().filter(|_| ratio.is_normal()).for_each(|m| *m *= ratio);
        }
        cells
    }

    fn cell(&self, row: &[f64]) -> usize {
        let (class, p) = top_class(row);
        THIRDS * class + self.limits[class].iter().filter(|end| p >= **end).count()
    }

    /// Tests rows with these probabilities, weights with their sum n, effective number, and estimated shares; `None` if
    /// merging leaves no more cells than classes.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // a number of rows
    pub(super) fn test(
        &self,
        probabilities: &Matrix,
        (weights, n, effective_n): (&[f64], f64, f64),
        shares: &[f64],
    ) -> Option<ClassMixTest> {
        let classes = shares.len();
        let mut counts = vec![0.0; self.labelled.columns()];
        for (row, weight) in probabilities.iter_rows().zip(weights) {
            counts[self.cell(row)] += weight;
        }
        let sizes: Vec<f64> = self.labelled.iter_rows().map(|row| row.iter().sum()).collect();
        let mixed = |k: usize, cell: usize| shares[k] * self.labelled[(k, cell)] / sizes[k];
        let expected: Vec<f64> =
            (0..counts.len()).map(|cell| n * (0..classes).map(|k| mixed(k, cell)).sum::<f64>()).collect();
        let groups = self.merged(&expected);
        let cells = groups.len();
        if cells <= classes {
            return None;
        }
        let sum = |values: &[f64], group: &[usize]| group.iter().map(|cell| values[*cell]).sum::<f64>();
        let rates = Matrix::from_fn(classes, cells, |k, g| sum(self.labelled.row(k), &groups[g]) / sizes[k]);
        let observed: Vec<f64> = groups.iter().map(|group| sum(&counts, group)).collect();
        let expected: Vec<f64> = groups.iter().map(|group| sum(&expected, group)).collect();
        let statistic = statistic(&rates, (shares, &sizes), &observed, &expected, (n, effective_n))?;
        let residual = |g: &usize| (observed[*g] - expected[*g]) / expected[*g].sqrt();
        let mut order: Vec<usize> = (0..cells).collect();
        order.sort_by(|g, h| residual(h).abs().total_cmp(&residual(g).abs()).then(h.cmp(g)));
        let cell = |g: usize| {
            let (first, last, class) = (groups[g][0], groups[g][groups[g].len() - 1], groups[g][0] / THIRDS);
            let class = Some(class).filter(|class| groups[g].iter().all(|cell| cell / THIRDS == *class));
            let limit = |third: usize| class.and_then(|class| self.limits[class].get(third).copied());
            let from = (first % THIRDS).checked_sub(1).and_then(limit).unwrap_or(0.0);
            let to = limit(last % THIRDS).filter(|to| to.is_finite()).unwrap_or(1.0);
            MixCell { class, probability: [from, to], observed: observed[g].round() as u64, expected: expected[g] }
        };
        let degrees_of_freedom = cells - classes;
        Some(ClassMixTest {
            statistic,
            degrees_of_freedom,
            p_value: p_value(statistic, degrees_of_freedom)?,
            cells: order.into_iter().map(cell).collect(),
        })
    }

    /// Returns cells that are large enough: a small range is merged with the next one of the same
    /// class, and small classes with each other.
    fn merged(&self, expected: &[f64]) -> Vec<Vec<usize>> {
        let labelled: Vec<f64> =
            (0..expected.len()).map(|cell| self.labelled.iter_rows().map(|row| row[cell]).sum()).collect();
        let is_large = |group: &[usize]| {
            [expected, &labelled]
                .into_iter()
                .all(|values| group.iter().map(|cell| values[*cell]).sum::<f64>() >= MIN_ROWS)
        };
        let (mut groups, mut rest): (Vec<Vec<usize>>, Vec<usize>) = (Vec::new(), Vec::new());
        for class in 0..self.limits.len() {
            let (first, mut open) = (groups.len(), Vec::new());
            for cell in THIRDS * class..THIRDS * (class + 1) {
                open.push(cell);
                if is_large(&open) {
                    groups.push(std::mem::take(&mut open));
                }
            }
            if groups.len() > first {
                groups.last_mut().expect("a group of this class").extend(open);
            } else {
                rest.extend(open);
            }
        }
        if is_large(&rest) {
            groups.push(rest);
        } else if let Some(last) = groups.last_mut() {
            last.extend(rest);
        }
        groups
    }
}

/// Returns P(χ² ≥ statistic).
fn p_value(statistic: f64, degrees_of_freedom: usize) -> Option<f64> {
    if statistic > 0.0 { checked_gamma_ur(0.5 * degrees_of_freedom as f64, 0.5 * statistic).ok() } else { Some(1.0) }
}

/// Returns X², or `None` if Ω is singular, or the classes' distributions over the cells are linearly
/// dependent.
fn statistic(
    rates: &Matrix,
    (shares, sizes): (&[f64], &[f64]),
    observed: &[f64],
    expected: &[f64],
    (n, effective_n): (f64, f64),
) -> Option<f64> {
    let (classes, cells) = (shares.len(), observed.len());
    // The last cell follows from the sum 1.
    let covariance = Matrix::from_fn(cells - 1, cells - 1, |i, j| {
        let multinomial = |x: f64, y: f64| if i == j { x } else { 0.0 } - x * y;
        let labelled = (0..classes).map(|k| {
            let rate =
                |cell: usize| (sizes[k] * rates[(k, cell)] + PSEUDO_COUNT) / (sizes[k] + PSEUDO_COUNT * cells as f64);
            shares[k] * shares[k] / sizes[k] * multinomial(rate(i), rate(j))
        });
        multinomial(expected[i] / n, expected[j] / n) / effective_n + labelled.sum::<f64>()
    });
    let covariance = Cholesky::new(&covariance)?;
    let last = classes - 1;
    let directions: Vec<Vec<f64>> =
        (0..last).map(|k| (0..cells - 1).map(|c| rates[(k, c)] - rates[(last, c)]).collect()).collect();
    let errors: Vec<f64> = (0..cells - 1).map(|c| observed[c] / n - rates[(last, c)]).collect();
    let weighted: Vec<Vec<f64>> = directions.iter().map(|direction| covariance.solve(direction)).collect();
    let gram = Matrix::from_fn(last, last, |i, j| dot(&directions[i.max(j)], &weighted[i.min(j)]));
    let moments: Vec<f64> = weighted.iter().map(|weighted| dot(weighted, &errors)).collect();
    let explained = dot(&Cholesky::new(&gram)?.solve(&moments), &moments);
    Some((dot(&errors, &covariance.solve(&errors)) - explained).max(0.0))
}
