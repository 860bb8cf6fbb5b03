//! The covariance of shares from weights, clusters and strata of the test rows.
//!
//! With the influence u of a test row on the K estimated shares and its weight w, it contributes
//! z = w(u − ū)/Σw to their errors. For a direction d, the variance of Σ d·z is that of a single estimate under
//! the design (`quantifier::design_variance`). The directions e_i and e_i + e_j give the covariance
//!
//! ```text
//! C_ij = (V(e_i + e_j) − V(e_i) − V(e_j))/2
//! ```
//!
//! With replicate weights w_r, V is that of the estimates d·(π̂ + Σw_r(u − ū)/Σw_r).

use super::ClassWarning;
use crate::Error;
use crate::inference::ErrorContributions;
use crate::model::{LonelyPsu, ReplicateVariance};
use crate::numeric::dense::{Matrix, dot};
use crate::quantifier::{ErrorsGivenClasses, RowUnits, SampledStratum, SampledUnit, SamplingVariance, UnitErrors};
use std::borrow::Cow;

/// Estimated shares, with a covariance for any number n of test rows. `fpc` is the fraction of the sampling
/// variance of a population that applies to the target.
pub(super) trait ShareErrors {
    /// Returns the estimated shares, not negative and with the sum 1.
    fn shares(&self, fpc: f64) -> Vec<f64>;

    /// Returns the covariance of the estimated shares.
    fn covariance(&self, n: f64, fpc: f64) -> Matrix;

    /// Returns the variance of an estimated share if the shares are these, and the part of it that the test
    /// rows contribute.
    fn variances(&self, class: usize, shares: &[f64], n: f64, fpc: f64) -> [f64; 2];

    /// Returns the derivatives F of the shares by quantities that the labelled rows determine, a row for each class.
    /// With Λ the covariance of these quantities, F Λ Fᵀ is the contribution of the labelled rows to the covariance.
    fn derivatives(&self) -> Matrix;

    /// Returns the influence of each test row on the shares, shape (n, K).
    fn influences(&self) -> Matrix;

    /// Returns whether the covariance from the test rows is a mean over test and labelled rows.
    fn is_from_labelled_rows(&self) -> bool;

    /// Returns the shares before they are made possible, with the sum 1.
    fn raw(&self) -> Vec<f64>;
}

/// The sampling design of test rows.
pub(super) enum RowDesign<'a> {
    Units(RowUnits<'a>),
    /// The weights of the rows in each replicate, and the formula of the variance.
    Replicates(&'a [Vec<f64>], &'a ReplicateVariance),
}

/// The covariance of shares under a design.
pub(super) struct SharesCovariance {
    pub(super) covariance: Matrix,
    /// The contribution of the labelled rows to the covariance.
    pub(super) labelled: Matrix,
    /// The number of independent rows with the same variance, for each class.
    pub(super) sizes: Vec<f64>,
    pub(super) fpc: f64,
    /// The degrees of freedom of each variance.
    pub(super) dof: Vec<f64>,
    /// The contribution of the test rows to each variance.
    pub(super) test: Vec<TestContribution>,
    /// The warning about replicates without weight.
    pub(super) warning: Option<ClassWarning>,
}

/// The contribution of the test rows to a variance.
pub(super) struct TestContribution {
    pub(super) variance: f64,
    pub(super) dof: f64,
    /// The contributions of clusters and strata.
    pub(super) sources: ErrorContributions,
}

impl SharesCovariance {
    /// Returns the covariance of n independent rows, or that of the design. `weights` have the sum n.
    pub(super) fn new(
        errors: &dyn ShareErrors,
        (weights, n): (&[f64], f64),
        design: Option<&RowDesign>,
        fpc: f64,
    ) -> Result<Self, Error> {
        let labelled = errors.covariance(f64::INFINITY, 0.0);
        let classes = labelled.rows();
        let Some(design) = design else {
            let (covariance, dof) = (errors.covariance(n, fpc), f64::INFINITY);
            let test = |k: usize| {
                let variance = (covariance[(k, k)] - labelled[(k, k)]).max(0.0);
                TestContribution { variance, dof, sources: ErrorContributions::default() }
            };
            let test = (0..classes).map(test).collect();
            let (sizes, dof) = (vec![n; classes], vec![dof; classes]);
            return Ok(Self { covariance, labelled, sizes, fpc, dof, test, warning: None });
        };
        let independent = |fpc: f64| {
            let both = errors.covariance(n, fpc);
            Matrix::from_fn(classes, classes, |i, j| both[(i, j)] - labelled[(i, j)])
        };
        let given_classes = independent(0.0);
        let mut contributions = errors.influences();
        let means_by = |weights: &[f64], n: f64| -> Vec<f64> {
            let weighted = |k: usize| contributions.iter_rows().zip(weights).map(move |(u, weight)| weight * u[k]);
            (0..classes).map(|k| weighted(k).sum::<f64>() / n).collect()
        };
        let means = means_by(weights, n);
        let replicate = |weights: &Vec<f64>| {
            let total: f64 = weights.iter().sum();
            (total > 0.0).then(|| means_by(weights, total))
        };
        let replicates: Vec<Option<Vec<f64>>> = match design {
            RowDesign::Units(_) => Vec::new(),
            RowDesign::Replicates(weights, _) => weights.iter().map(replicate).collect(),
        };
        let mut of_rows = Matrix::zeros(classes, classes);
        for (z, weight) in contributions.iter_rows_mut().zip(weights) {
            z.iter_mut().zip(&means).for_each(|(u, mean)| *u = (*u - mean) / n);
            of_rows.add_outer_product(*weight, z);
            for z in z {
                *z *= weight;
            }
        }
        let variance = |i: usize, j: usize| match design {
            RowDesign::Units(units) => units.variance(&contributions, weights, (i, j), &given_classes, (n, fpc)),
            RowDesign::Replicates(_, formula) => {
                let along = |u: &Vec<f64>| if i == j { u[i] } else { u[i] + u[j] };
                let estimates = (1..).zip(replicates.iter().map(|means| means.as_ref().map(along)));
                Ok(formula.variance(estimates, along(&means), 1.0 - fpc)?.0)
            }
        };
        let single = (0..classes).map(|k| variance(k, k)).collect::<Result<Vec<_>, Error>>()?;
        let mut covariance = Matrix::zeros(classes, classes);
        for i in 0..classes {
            covariance[(i, i)] = single[i].variance;
            for j in 0..i {
                covariance[(i, j)] = 0.5 * (variance(i, j)?.variance - single[i].variance - single[j].variance);
                covariance[(j, i)] = covariance[(i, j)];
            }
        }
        let sum = |part: fn(&SamplingVariance) -> f64| single.iter().map(part).sum::<f64>();
        let unlimited = sum(|design| design.unlimited);
        let design_fpc = if unlimited > 0.0 { sum(|design| design.after_fpc) / unlimited } else { fpc };
        let (population, modelled) = (independent(1.0), independent(design_fpc));
        // Clusters of a sample have the variance of a population.
        let has_clusters = matches!(design, RowDesign::Units(units) if units.has_clusters());
        let drawn = if fpc == 0.0 && has_clusters { 1.0 } else { design_fpc };
        let added = if errors.is_from_labelled_rows() { drawn } else { 0.0 };
        let sampling = Matrix::from_fn(classes, classes, |i, j| {
            covariance[(i, j)] + added * (population[(i, j)] - of_rows[(i, j)])
        });
        let size = |k: usize| {
            let ratio = modelled[(k, k)] / sampling[(k, k)];
            if ratio.is_finite() && ratio > 0.0 { n * ratio } else { n }
        };
        let dof = |k: usize| single[k].dof(labelled[(k, k)] + sampling[(k, k)]);
        let test = |k: usize, design: SamplingVariance| {
            let variance = sampling[(k, k)].max(0.0);
            TestContribution { variance, dof: design.dof(variance), sources: design.contributions }
        };
        let (empty, of) = (replicates.iter().filter(|means| means.is_none()).count() as u64, replicates.len() as u64);
        Ok(Self {
            warning: (empty > 0).then_some(ClassWarning::EmptyReplicates { empty, replicates: of }),
            covariance: Matrix::from_fn(classes, classes, |i, j| labelled[(i, j)] + sampling[(i, j)]),
            sizes: (0..classes).map(size).collect(),
            fpc: design_fpc,
            dof: (0..classes).map(dof).collect(),
            test: single.into_iter().enumerate().map(|(k, design)| test(k, design)).collect(),
            labelled,
        })
    }
}

impl RowUnits<'_> {
    /// Creates the units of this number of rows that were drawn one by one.
    pub(super) fn of_single_rows(rows: usize) -> Self {
        Self {
            of_rows: vec![0; rows],
            units: vec![SampledUnit { stratum: 0, cluster: None, rows: None }],
            strata: Cow::Owned(vec![SampledStratum { units: rows as f64, fraction: 0.0 }]),
            lonely: LonelyPsu::Error,
        }
    }

    pub(super) fn has_clusters(&self) -> bool {
        self.units.iter().any(|unit| unit.cluster.is_some())
    }

    /// Returns the variance of the sum of z_i + z_j over rows with these contributions z, of z_i if i = j.
    /// `given_classes` is the covariance given the classes if n rows are independent.
    fn variance(
        &self,
        contributions: &Matrix,
        weights: &[f64],
        (i, j): (usize, usize),
        given_classes: &Matrix,
        (n, fpc): (f64, f64),
    ) -> Result<SamplingVariance, Error> {
        let direction: Vec<f64> = (0..contributions.columns()).map(|k| f64::from(u8::from(k == i || k == j))).collect();
        let mut errors = vec![UnitErrors::default(); self.units.len()];
        let rows = contributions.iter_rows().zip(weights).zip(&self.of_rows);
        for ((z, weight), unit) in rows.filter(|((_, weight), _)| **weight > 0.0) {
            let (unit, z, share) = (&mut errors[*unit], dot(&direction, z), weight / n);
            unit.n += 1.0;
            unit.share += share;
            unit.sum += z;
            unit.squares += z * z;
            // Σw² until all rows are added.
            unit.effective_size += share * share;
        }
        for unit in &mut errors {
            unit.effective_size = unit.share * unit.share / unit.effective_size;
        }
        let given = ErrorsGivenClasses {
            class_variance: n * dot(&direction, &given_classes.times(&direction)).max(0.0),
            fraction: 1.0 - fpc,
            ..ErrorsGivenClasses::default()
        };
        let parts: Vec<_> = self.units.iter().copied().zip(errors).collect();
        given.variance_of_units(&parts, &self.strata, self.lonely)
    }
}
