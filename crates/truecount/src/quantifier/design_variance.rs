//! The variance of an estimate from test scores that were drawn in strata or clusters, or that have
//! replicate weights.
//!
//! With g scaled so that its class means are 0 and 1, a row contributes z = w(g − α̂)/Σw to the
//! estimate's error, and a cluster the sum over its rows (Taylor linearisation). As for a mean in
//! R's package survey, the variance for an unlimited population is V = Σ_h V_h over the strata, with
//!
//! ```text
//! V_h = m_h/(m_h − 1) Σ_u (z_u − z̄_h)²       over the units u of stratum h
//! ```
//!
//! or, from replicate weights, V = Σ_r c_r (α̂_r − α̂)². A unit is a cluster, or without clusters a
//! row. m_h counts all units of the stratum: z is 0 for those without rows in the group. Without strata
//! m counts the clusters of the group alone, which is larger than in survey and covers better if
//! the group has few.
//!
//! The classifier's errors are uncertain even if all of a stratum was drawn. If a share f_h was
//! drawn, the variance is Σ_h (1 − f_h) V_h + f_h G_h, where G_h is the variance given the classes.
//! For rows, G_h is that of independent errors. For clusters, it includes the covariance of
//! errors within clusters that the labelled scores show if these have clusters of several rows.
//! Otherwise that covariance is not known, and taken as 0 for finite populations, as are the errors of
//! rows in survey.
//!
//! The sample is its own population: all f_h are 1. Without known covariance, G_h is then replaced by
//! V_h, which is not smaller.
//!
//! If several classifiers have scored each row, V and G are those of one score for each row, less the
//! variance within rows (`model::pooled_tally`).

use super::Method;
use super::anchored::LinearEstimator;
use super::quantify::Quantify;
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::design::unbiased;
use crate::inference::{ErrorContributions, ErrorSource, Precision, Quadratic};
use crate::tally::{InfluenceFunction, MethodTally, SampleStatistics};
use crate::{Error, Operation, Problem};
use std::collections::BTreeMap;
use std::iter::Sum;
use std::sync::Arc;

/// The parts of a group's test scores under their sampling design.
#[derive(Clone, Copy)]
pub(crate) enum DesignParts<'a> {
    /// The scores of each stratum, or of each cluster of a stratum.
    Units(&'a [DesignPart<'a>], &'a [DesignStratum]),
    /// The number of each replicate, from 1, and the scores with its weights.
    Replicates(&'a [(u32, &'a MethodTally)], &'a ReplicateVariance),
    /// Independent rows that several classifiers have scored.
    Pooled(PooledScores<'a>),
}

/// The scores of rows by several classifiers.
#[derive(Clone, Copy)]
pub(crate) struct PooledScores<'a> {
    /// All scores, each with the share of its classifier, with the effective number of the rows.
    pub(crate) tally: &'a MethodTally,
    /// Returns the sums over the rows of a function of the score.
    pub(crate) row_sums: &'a dyn Fn(&InfluenceFunction) -> RowSums,
    /// The smallest ratio of the variance of a row's mean to that of one of its scores.
    pub(crate) smallest_variance_ratio: f64,
}

/// Sums over rows that several classifiers have scored, with w the weight of a row, and ḡ and S² the
/// mean and the variance of a function within the row.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowSums {
    /// Σw².
    pub(crate) squares: f64,
    /// Σw²ḡ.
    pub(crate) means: f64,
    /// Σw²S².
    pub(crate) variances: f64,
}

impl Sum for RowSums {
    fn sum<I: Iterator<Item = Self>>(parts: I) -> Self {
        parts.fold(Self::default(), |sum, part| Self {
            squares: sum.squares + part.squares,
            means: sum.means + part.means,
            variances: sum.variances + part.variances,
        })
    }
}

/// Scores of one stratum, or of one cluster.
#[derive(Clone, Copy)]
pub(crate) struct DesignPart<'a> {
    /// The index of the stratum.
    pub(crate) stratum: usize,
    /// The number of the cluster; `None` if rows were drawn.
    pub(crate) cluster: Option<u32>,
    pub(crate) tally: &'a MethodTally,
}

/// A stratum that test scores were drawn in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct DesignStratum {
    /// m: the number of sampled units; of strata in all groups, otherwise in the group.
    pub(crate) units: f64,
    /// f: the sampled share of the stratum's population; 0 if that is unlimited.
    pub(crate) fraction: f64,
}

/// The formula Σ c_r (α̂_r − α̂)² for the variance from replicate weights.
#[derive(Clone, Debug, PartialEq)]
pub struct ReplicateVariance {
    /// c_r of each replicate, such as 1/R for R bootstrap replicates, or 1/(R(1 − ρ)²) for balanced
    /// repeated replication with Fay's factor ρ.
    pub factors: Vec<f64>,
    /// Whether the deviations are taken from the mean of the α̂_r instead of α̂.
    pub about_mean: bool,
    /// The degrees of freedom of the variance, such as R − 1.
    pub dof: f64,
}

/// The variance of an estimate from its test scores, under their design.
#[derive(Default)]
struct DesignVariance {
    variance: f64,
    /// Σ V_h.
    unlimited: f64,
    /// Σ (1 − f_h) V_h.
    after_fpc: f64,
    /// Σ v²/d over independent parts of the variance v with d degrees of freedom.
    squares_by_dof: f64,
    contributions: ErrorContributions,
}

/// Replaces an estimate by that under the design of its test scores: with the function that is best
/// for their effective number, and with the variance of the design. Returns the effective number of
/// scores, which is the number of independent scores with the same variance, and the finite population
/// correction; `None` if the design has no effect.
///
/// # Errors
/// * the error of [`Operation::TestDesign`] for a method whose estimate is not the corrected mean of a
///   function of the score;
/// * [`Problem::EmptyReplicate`] if the scores have no weight in a replicate.
pub(super) fn apply_design(
    method: Method,
    fitted: &dyn Quantify,
    state: &MethodTally,
    parts: DesignParts,
    estimate: &mut RawEstimate,
) -> Result<Option<(f64, f64)>, Error> {
    let fpc = estimate.fpc();
    let effect = apply_variance(method, fitted, state, parts, estimate)?;
    if let (Some((effective, _)), DesignParts::Units(..) | DesignParts::Replicates(..)) = (effect, parts) {
        let mut chosen = fitted.estimate_for_size(state, effective);
        if chosen.function() != estimate.function() {
            chosen.set_fpc(fpc);
            *estimate = chosen;
            return apply_variance(method, fitted, state, parts, estimate);
        }
    }
    Ok(effect)
}

/// Replaces the variance of an estimate by that under the design.
fn apply_variance(
    method: Method,
    fitted: &dyn Quantify,
    state: &MethodTally,
    parts: DesignParts,
    estimate: &mut RawEstimate,
) -> Result<Option<(f64, f64)>, Error> {
    let Some(EstimateSource::Mean { function, weight_shift: shift, total, fpc, test_dof, contributions, .. }) =
        &mut estimate.origin
    else {
        return Err(Operation::TestDesign.unsupported_by([method]).into());
    };
    let estimator = fitted.anchored_means()[*function].estimator();
    let precision = estimator.precision().expect("an estimate with a source has a precision");
    let clipped = estimate.raw.clamp(0.0, 1.0);
    let mut row_sums = RowSums::default();
    if let DesignParts::Pooled(scores) = parts {
        row_sums = (scores.row_sums)(fitted.anchored_means()[*function].influence());
        // Not from the pooled tally, which also squares the shares of the classifiers.
        let by_squares = estimator.corrected(row_sums.means / row_sums.squares).clamp(0.0, 1.0);
        *shift = if state.is_weighted() { by_squares - clipped } else { 0.0 };
    }
    let sample = DesignSample {
        estimator,
        precision: &precision,
        mean: fitted.sample_statistics(state, *function).mean(),
        total: *total,
        raw: estimate.raw,
        class_variance: precision.sampling_variance(clipped + *shift, 1.0),
        within_clusters: estimator.covariance_within_clusters(clipped).map(|covariance| covariance.max(0.0)),
        fraction: 1.0 - *fpc,
    };
    let statistics = |tally: &MethodTally| fitted.sample_statistics(tally, *function);
    let n = state.effective_n().unwrap_or(state.n() as f64);
    let design = match parts {
        DesignParts::Pooled(scores) => {
            let within = row_sums.variances / (*total * estimator.mean_difference()).powi(2);
            let corrected_n = estimate.effective_n.filter(|_| state.is_weighted()).unwrap_or(n);
            let single_score = sample.class_variance / corrected_n;
            let given_classes = (single_score - within).max(single_score * scores.smallest_variance_ratio);
            let variance = given_classes + *fpc * Quadratic::weighted_binomial(corrected_n, *shift).at(clipped);
            DesignVariance { variance, ..DesignVariance::default() }
        }
        DesignParts::Units([DesignPart { cluster: None, .. }, ..], _) | DesignParts::Replicates(..) if *fpc == 0.0 => {
            return Ok(None);
        }
        DesignParts::Units(parts, strata) => {
            let parts = parts.iter().map(|part| (part, statistics(part.tally)));
            sample.variance_of_units(parts.filter(|(_, statistics)| statistics.n > 0.0), strata)
        }
        DesignParts::Replicates(replicates, formula) => sample
            .variance_of_replicates(replicates.iter().map(|(number, tally)| (*number, statistics(tally))), formula)?,
    };
    if design.unlimited > 0.0 {
        *fpc = design.after_fpc / design.unlimited;
    }
    let independent = sample.class_variance / n + *fpc * Quadratic::weighted_binomial(n, *shift).at(clipped);
    let effective = if design.variance > 0.0 && independent > 0.0 { n * independent / design.variance } else { n };
    let dof = design.variance.powi(2) / design.squares_by_dof;
    *test_dof = if dof.is_nan() { f64::INFINITY } else { dof.max(1.0) };
    *contributions = Some(Arc::new(design.contributions));
    estimate.variance = Some(precision.clustered_variance(effective, *shift, *test_dof));
    Ok(Some((effective, *fpc)))
}

/// The test scores of an estimate.
struct DesignSample<'a> {
    estimator: &'a LinearEstimator,
    precision: &'a Precision,
    /// The weighted mean of g.
    mean: f64,
    /// Σw.
    total: f64,
    raw: f64,
    /// The variance of g for one score, given its class.
    class_variance: f64,
    /// The covariance of errors within clusters, if the labelled scores show it.
    within_clusters: Option<f64>,
    /// f of all strata together.
    fraction: f64,
}

/// Sums over the units of one stratum that have scores in the group.
#[derive(Clone, Copy, Default)]
struct UnitSums {
    units: f64,
    /// Σz and Σz².
    sum: f64,
    squares: f64,
    /// The variance given the classes for independent errors, and what their covariance adds.
    independent: f64,
    covariance: f64,
}

impl DesignSample<'_> {
    fn variance_of_units<'a>(
        &self,
        parts: impl Iterator<Item = (&'a DesignPart<'a>, SampleStatistics)>,
        strata: &[DesignStratum],
    ) -> DesignVariance {
        let mut sums: BTreeMap<usize, UnitSums> = BTreeMap::new();
        let mut design = DesignVariance::default();
        for (part, statistics) in parts {
            let (sums, stratum) = (sums.entry(part.stratum).or_default(), &strata[part.stratum]);
            let share = statistics.total / self.total;
            let error = share * (self.estimator.raw(&statistics) - self.raw);
            sums.sum += error;
            sums.independent += self.class_variance * share * share / statistics.effective_size;
            let Some(cluster) = part.cluster else {
                sums.units += statistics.n;
                let square = statistics.square_about(self.mean) / self.estimator.mean_difference().powi(2);
                sums.squares += share * share / statistics.effective_size * square;
                continue;
            };
            sums.units += 1.0;
            sums.squares += error * error;
            let (drawing_factor, error_factor) = self.shares_of_variance(stratum, true);
            let factor = (drawing_factor * unbiased(stratum.units)).sqrt();
            design.contributions.add(ErrorSource::Unit(cluster), factor * error);
            if let Some(covariance) = self.within_clusters {
                sums.covariance += covariance * share * share * (1.0 - statistics.effective_size.recip());
                let contribution = share * (error_factor * covariance).sqrt();
                design.contributions.add(ErrorSource::ErrorsInCluster(cluster), contribution);
            }
        }
        let (mut errors, has_clusters) = (0.0, !design.contributions.is_empty());
        for (index, sums) in sums {
            let stratum = &strata[index];
            let (drawing_factor, error_factor) = self.shares_of_variance(stratum, has_clusters);
            let factor = unbiased(stratum.units);
            let unlimited = factor * (sums.squares - sums.sum * sums.sum / stratum.units).max(0.0);
            let dof = (stratum.units.min(sums.units) - 1.0).max(1.0);
            design.unlimited += unlimited;
            design.after_fpc += (1.0 - self.fraction_of(stratum)) * unlimited;
            design.squares_by_dof += (drawing_factor * unlimited).powi(2) / dof;
            let errors_in_stratum = error_factor * (sums.independent + sums.covariance);
            design.variance += drawing_factor * unlimited + errors_in_stratum;
            errors += errors_in_stratum;
            let source = ErrorSource::Stratum(u32::try_from(index).expect("strata are numbered by u32"));
            design.contributions.add(source, sums.sum * (drawing_factor * factor / stratum.units).sqrt());
        }
        if let Some(dof) = self.precision.cluster_dof().filter(|_| has_clusters && self.within_clusters.is_some()) {
            design.squares_by_dof += errors * errors / dof;
        }
        design
    }

    /// Returns the factors of V_h and G_h: 1 − f_h and f_h, or for the sample itself 1 and 0 if G_h is
    /// not known.
    fn shares_of_variance(&self, stratum: &DesignStratum, has_clusters: bool) -> (f64, f64) {
        if has_clusters && self.within_clusters.is_none() && self.fraction >= 1.0 {
            return (1.0, 0.0);
        }
        let fraction = self.fraction_of(stratum);
        (1.0 - fraction, fraction)
    }

    fn fraction_of(&self, stratum: &DesignStratum) -> f64 {
        stratum.fraction.max(self.fraction)
    }

    fn variance_of_replicates(
        &self,
        replicates: impl Iterator<Item = (u32, SampleStatistics)>,
        formula: &ReplicateVariance,
    ) -> Result<DesignVariance, Error> {
        let mut estimates = Vec::with_capacity(formula.factors.len());
        for (replicate, statistics) in replicates {
            if statistics.total <= 0.0 || statistics.total.is_nan() {
                return Err(Problem::EmptyReplicate { replicate: u64::from(replicate) }.into());
            }
            let factor = formula.factors[replicate as usize - 1];
            estimates.push((replicate, factor, self.estimator.raw(&statistics)));
        }
        let counted = || estimates.iter().filter(|(_, factor, _)| *factor > 0.0).map(|(.., estimate)| estimate);
        let mean = counted().sum::<f64>() / counted().count() as f64;
        let center = if formula.about_mean { mean } else { self.raw };
        let mut design = DesignVariance::default();
        for (replicate, factor, estimate) in estimates {
            let contribution = factor.sqrt() * (estimate - center);
            design.variance += contribution * contribution;
            design.contributions.add(ErrorSource::Unit(replicate), contribution);
        }
        (design.unlimited, design.after_fpc) = (design.variance, design.variance * (1.0 - self.fraction));
        design.squares_by_dof = design.variance.powi(2) / formula.dof;
        Ok(design)
    }
}
