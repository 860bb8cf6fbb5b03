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
//! If N_c rows of a cluster are in the population and n_c were drawn, f_c = n_c/N_c, the rows drawn in
//! the clusters add Σ_h f_h Σ_c (1 − f_c) V_c with V_c of the rows of the cluster, and f_h f_c takes the
//! place of f_h in the factor of G_h. A stratum with a single unit, which has no V_h, is treated as by R's
//! option `survey.lonely.psu` ([`LonelyPsu`]).
//!
//! The estimate of an uncorrected count is the mean of g itself, with class means of 0 and 1 taken for
//! those of g.
//!
//! If several classifiers have scored each row, V and G are those of one score for each row, less the
//! variance within rows (`model::pooled_tally`).

use super::Method;
use super::anchored::LinearEstimator;
use super::quantify::Quantify;
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::choice::choice;
use crate::design::unbiased;
use crate::inference::{ErrorContributions, ErrorSource, Variance, Warning};
use crate::tally::{InfluenceFunction, MethodTally, SampleStatistics};
use crate::{Error, Operation, Problem};
use serde::Deserialize;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::iter::Sum;
use std::sync::Arc;

/// The parts of a group's test scores under their sampling design.
#[derive(Clone, Copy)]
pub(crate) enum SampledCells<'a> {
    /// The scores of each stratum, or of each cluster of a stratum.
    Units(&'a [SampledCell<'a>], &'a [SampledStratum], LonelyPsu),
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
pub(crate) struct SampledCell<'a> {
    pub(crate) unit: SampledUnit,
    pub(crate) tally: &'a MethodTally,
}

/// A stratum whose rows were drawn, or a cluster that was drawn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SampledUnit {
    /// The index of the stratum.
    pub(crate) stratum: usize,
    /// The number of the cluster; `None` if rows were drawn.
    pub(crate) cluster: Option<u32>,
    /// The rows drawn in the cluster, in all groups, if their share of the cluster is known.
    pub(crate) rows: Option<DrawnRows>,
}

/// Sums over the rows of a unit.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct UnitErrors {
    /// The number of rows.
    pub(crate) n: f64,
    /// The share of the weights.
    pub(crate) share: f64,
    /// The effective number of rows (Kish).
    pub(crate) effective_size: f64,
    /// Σz.
    pub(crate) sum: f64,
    /// Σz².
    pub(crate) squares: f64,
}

/// The rows that were drawn in a cluster.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct DrawnRows {
    /// n_c: their number.
    pub(crate) n: f64,
    /// f_c: their share of the rows of the cluster in the population.
    pub(crate) fraction: f64,
}

/// The sampling units of test rows.
pub(crate) struct RowUnits<'a> {
    /// The index of the unit of each row.
    pub(crate) of_rows: Vec<usize>,
    pub(crate) units: Vec<SampledUnit>,
    pub(crate) strata: Cow<'a, [SampledStratum]>,
    pub(crate) lonely: LonelyPsu,
}

/// A stratum that test scores were drawn in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SampledStratum {
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

/// The treatment of strata of which a single unit, a row or a cluster, was drawn, as by the option
/// `survey.lonely.psu` of R's package survey.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LonelyPsu {
    /// Such a stratum is an error.
    #[default]
    Error,
    /// The unit is the whole stratum, so that only the classifier's errors are uncertain.
    Certainty,
    /// The deviation is that from the mean of all strata.
    Adjust,
    /// The variance is the mean of the other strata's.
    Average,
}

impl LonelyPsu {
    /// All treatments: name, treatment, description.
    #[doc(hidden)]
    pub const TABLE: &'static [(&'static str, Self, &'static str)] = &[
        ("error", Self::Error, "name the first such stratum and fail"),
        ("certainty", Self::Certainty, "count it as drawn entirely: no variance from its drawing"),
        ("adjust", Self::Adjust, "measure its deviation from the mean of all strata"),
        ("average", Self::Average, "give it the mean variance of the other strata"),
    ];
}

choice!(LonelyPsu, "lonely psu");

/// The variance of an estimate from its test scores, under their design.
#[derive(Default)]
pub(crate) struct SamplingVariance {
    pub(crate) variance: f64,
    /// Σ V_h.
    pub(crate) unlimited: f64,
    /// Σ (1 − f_h) V_h.
    pub(crate) after_fpc: f64,
    /// Σ v²/d over independent parts of the variance v with d degrees of freedom.
    pub(crate) squares_by_dof: f64,
    pub(crate) contributions: ErrorContributions,
}

/// Replaces an estimate by that under the design of its test scores: with the function that is best
/// for their effective number, and with the variance of the design. `fpc` is the fraction of the sampling
/// variance that applies to the estimand without a design. Returns the effective number of scores, which
/// is the number of independent scores with the same variance, and the finite population correction; `None`
/// if the design has no effect.
///
/// # Errors
/// * the error of [`Operation::TestDesign`] for a method whose estimate is not the mean of a function of the
///   score;
/// * [`Problem::EmptyReplicate`] if the scores have no weight in any replicate;
/// * [`Problem::SingleUnitTestStrata`] if a variance is to be the mean of other strata, but there are none.
pub(super) fn apply_design(
    method: Method,
    fitted: &dyn Quantify,
    state: &MethodTally,
    parts: SampledCells,
    fpc: f64,
    estimate: &mut RawEstimate,
) -> Result<Option<(f64, f64)>, Error> {
    let effect = apply_variance(method, fitted, state, parts, fpc, estimate)?;
    if let (Some((effective, _)), SampledCells::Units(..) | SampledCells::Replicates(..)) = (effect, parts) {
        let mut chosen = fitted.estimate_for_size(state, effective);
        if chosen.function() != estimate.function() {
            chosen.set_fpc(fpc);
            *estimate = chosen;
            return apply_variance(method, fitted, state, parts, fpc, estimate);
        }
    }
    Ok(effect)
}

/// Replaces the variance of an estimate by that under the design.
fn apply_variance(
    method: Method,
    fitted: &dyn Quantify,
    state: &MethodTally,
    parts: SampledCells,
    mut fpc: f64,
    estimate: &mut RawEstimate,
) -> Result<Option<(f64, f64)>, Error> {
    let function = estimate.function().unwrap_or_default();
    let Some(mean) = fitted.anchored_means().get(function) else {
        return Err(Operation::TestDesign.unsupported_by([method]).into());
    };
    let estimator = mean.estimator();
    let whole = fitted.sample_statistics(state, function);
    // Pooled scores have another estimate than the scores of one classifier for each row.
    let (clipped, mut shift) = (estimator.prevalence(estimate.raw), estimator.prevalence_and_shift(&whole).1);
    let mut row_sums = RowSums::default();
    if let SampledCells::Pooled(scores) = parts {
        row_sums = (scores.row_sums)(mean.influence());
        // Not from the pooled tally, which also squares the shares of the classifiers.
        let by_squares = estimator.corrected(row_sums.means / row_sums.squares).clamp(0.0, 1.0);
        shift = if state.is_weighted() { by_squares - clipped } else { 0.0 };
    }
    let single_score = estimator.variance(clipped, 1.0, shift);
    let sample = ScoreSample { estimator, mean: whole.mean(), total: whole.total, raw: estimate.raw };
    let given_classes = ErrorsGivenClasses {
        class_variance: single_score.test.at(clipped),
        within_clusters: estimator.covariance_within_clusters(clipped).map(|covariance| covariance.max(0.0)),
        cluster_dof: estimator.precision().and_then(|precision| precision.cluster_dof()),
        fraction: 1.0 - fpc,
    };
    let statistics = |tally: &MethodTally| fitted.sample_statistics(tally, function);
    let n = state.effective_n().unwrap_or(state.n() as f64);
    let design = match parts {
        SampledCells::Pooled(scores) => {
            let within = row_sums.variances / (whole.total * estimator.unit()).powi(2);
            let corrected_n = estimate.effective_n.filter(|_| state.is_weighted()).unwrap_or(n);
            let one_each = given_classes.class_variance / corrected_n;
            let errors = (one_each - within).max(one_each * scores.smallest_variance_ratio);
            let variance = errors + fpc * single_score.binomial.at(clipped) / corrected_n;
            SamplingVariance { variance, ..SamplingVariance::default() }
        }
        SampledCells::Units([SampledCell { unit: SampledUnit { cluster: None, .. }, .. }, ..], ..)
        | SampledCells::Replicates(..)
            if fpc == 0.0 =>
        {
            return Ok(None);
        }
        SampledCells::Units(parts, strata, lonely) => {
            let parts: Vec<_> =
                parts.iter().map(|part| (part.unit, sample.unit_errors(&statistics(part.tally)))).collect();
            given_classes.variance_of_units(&parts, strata, lonely)?
        }
        SampledCells::Replicates(replicates, formula) => {
            let raw =
                |statistics: SampleStatistics| (statistics.total > 0.0).then(|| sample.estimator.raw(&statistics));
            let replicates = replicates.iter().map(|(number, tally)| (*number, raw(statistics(tally))));
            let (variance, empty) = formula.variance(replicates, sample.raw, given_classes.fraction)?;
            if empty > 0 {
                let replicates = formula.factors.len() as u64;
                estimate.warnings.push(Warning::EmptyReplicates { empty, replicates });
            }
            variance
        }
    };
    if design.unlimited > 0.0 {
        fpc = design.after_fpc / design.unlimited;
    }
    let independent = (given_classes.class_variance + fpc * single_score.binomial.at(clipped)) / n;
    let effective = if design.variance > 0.0 && independent > 0.0 { n * independent / design.variance } else { n };
    let dof = design.dof(design.variance);
    estimate.variance = Some(Variance { test_dof: dof, ..estimator.variance(clipped, effective, shift) });
    if let Some(EstimateSource::Mean { weight_shift, fpc: of_source, test_dof, contributions, .. }) =
        &mut estimate.origin
    {
        (*weight_shift, *of_source, *test_dof) = (shift, fpc, dof);
        *contributions = Some(Arc::new(design.contributions));
    }
    Ok(Some((effective, fpc)))
}

/// The test scores of an estimate.
struct ScoreSample<'a> {
    estimator: &'a LinearEstimator,
    /// The weighted mean of g.
    mean: f64,
    /// Σw.
    total: f64,
    raw: f64,
}

/// The variance of errors given the classes of the rows.
#[derive(Default)]
pub(crate) struct ErrorsGivenClasses {
    /// The variance of z/w for one row.
    pub(crate) class_variance: f64,
    /// The covariance of errors within clusters, if the labelled scores show it.
    pub(crate) within_clusters: Option<f64>,
    /// The degrees of freedom of that covariance.
    pub(crate) cluster_dof: Option<f64>,
    /// f of all strata together.
    pub(crate) fraction: f64,
}

/// Sums over the units of one stratum that have rows in the group.
#[derive(Clone, Copy, Default)]
struct UnitSums {
    units: f64,
    /// Σz and Σz².
    sum: f64,
    squares: f64,
    /// f_h Σ (1 − f_c) V_c of the rows drawn in clusters, and its degrees of freedom.
    rows: f64,
    rows_dof: f64,
    /// The part of the variance given the classes that counts.
    errors: f64,
}

impl ErrorsGivenClasses {
    /// Returns the variance of the sum of z over all units. Units without rows do not count.
    ///
    /// # Errors
    /// Returns [`Problem::SingleUnitTestStrata`] if the variance of no stratum is known.
    pub(crate) fn variance_of_units(
        &self,
        parts: &[(SampledUnit, UnitErrors)],
        strata: &[SampledStratum],
        lonely: LonelyPsu,
    ) -> Result<SamplingVariance, Error> {
        // The sample is its own population. Its errors are not known, and V_h takes the place of G_h.
        let parts: Vec<&(SampledUnit, UnitErrors)> = parts.iter().filter(|(_, errors)| errors.n > 0.0).collect();
        let has_unknown_errors = parts.first().is_some_and(|(part, _)| part.cluster.is_some())
            && self.within_clusters.is_none()
            && self.fraction >= 1.0;
        let average = if lonely == LonelyPsu::Average { average_factor(&parts, strata)? } else { 1.0 };
        // Returns 1 − f_h, and the factors of V_h and G_h.
        let factors = |stratum: &SampledStratum| {
            let is_certain = lonely == LonelyPsu::Certainty && stratum.is_lonely();
            let after_fpc = 1.0 - if is_certain { 1.0 } else { stratum.fraction.max(self.fraction) };
            let counted = match lonely {
                LonelyPsu::Average if stratum.is_lonely() => 0.0,
                LonelyPsu::Average => average,
                _ => 1.0,
            };
            if has_unknown_errors {
                (after_fpc, counted, 0.0)
            } else {
                (after_fpc, counted * after_fpc, 1.0 - after_fpc)
            }
        };
        let mut sums: BTreeMap<usize, UnitSums> = BTreeMap::new();
        let mut design = SamplingVariance::default();
        for (part, UnitErrors { n: rows, share, effective_size, sum: error, squares: square }) in parts {
            let (sums, stratum) = (sums.entry(part.stratum).or_default(), &strata[part.stratum]);
            let independent = self.class_variance * share * share / effective_size;
            let (_, drawing_factor, error_factor) = factors(stratum);
            sums.sum += error;
            let Some(cluster) = part.cluster else {
                sums.units += rows;
                sums.squares += square;
                sums.errors += error_factor * independent;
                continue;
            };
            sums.units += 1.0;
            sums.squares += error * error;
            let contribution = (drawing_factor * unbiased(stratum.units)).sqrt() * error;
            design.contributions.add(ErrorSource::Unit(cluster), contribution);
            let mut error_factor = error_factor;
            if let Some(DrawnRows { n, fraction }) = part.rows {
                let factor = error_factor * (1.0 - fraction) * unbiased(n);
                error_factor *= fraction;
                // A single row that counts at all deviates from the mean of all rows.
                let center = if n > 1.0 { 1.0 / n } else { 0.0 };
                let is_counted = n > 1.0 || lonely == LonelyPsu::Adjust;
                let within = if is_counted { factor * (square - center * error * error).max(0.0) } else { 0.0 };
                sums.rows += within;
                sums.rows_dof += (n.min(*rows) - 1.0).max(0.0);
                design.contributions.add(ErrorSource::RowsOfCluster(cluster), (factor * center).sqrt() * error);
            }
            sums.errors += error_factor * independent;
            if let Some(covariance) = self.within_clusters {
                sums.errors += error_factor * covariance * share * share * (1.0 - effective_size.recip());
                let contribution = share * (error_factor * covariance).sqrt();
                design.contributions.add(ErrorSource::ErrorsInCluster(cluster), contribution);
            }
        }
        let (mut errors, has_clusters) = (0.0, !design.contributions.is_empty());
        for (index, sums) in sums {
            let stratum = &strata[index];
            let (after_fpc, drawing_factor, _) = factors(stratum);
            let factor = unbiased(stratum.units);
            let center = if stratum.is_lonely() && lonely == LonelyPsu::Adjust { 0.0 } else { 1.0 / stratum.units };
            let unlimited = factor * (sums.squares - center * sums.sum * sums.sum).max(0.0);
            let dof = (stratum.units.min(sums.units) - 1.0).max(1.0);
            let drawing = drawing_factor * unlimited;
            design.unlimited += unlimited;
            design.after_fpc += after_fpc * unlimited + sums.rows;
            design.squares_by_dof += drawing.powi(2) / dof + sums.rows.powi(2) / sums.rows_dof.max(1.0);
            design.variance += drawing + sums.rows + sums.errors;
            errors += sums.errors;
            let source = ErrorSource::Stratum(u32::try_from(index).expect("strata are numbered by u32"));
            design.contributions.add(source, sums.sum * (drawing_factor * factor * center).sqrt());
        }
        if let Some(dof) = self.cluster_dof.filter(|_| has_clusters && self.within_clusters.is_some()) {
            design.squares_by_dof += errors * errors / dof;
        }
        Ok(design)
    }
}

impl SamplingVariance {
    /// Returns the degrees of freedom of a variance of which this is the uncertain part.
    pub(crate) fn dof(&self, variance: f64) -> f64 {
        let dof = variance.powi(2) / self.squares_by_dof;
        if dof.is_nan() { f64::INFINITY } else { dof.max(1.0) }
    }
}

impl ScoreSample<'_> {
    fn unit_errors(&self, statistics: &SampleStatistics) -> UnitErrors {
        let SampleStatistics { n, effective_size, .. } = *statistics;
        let share = statistics.total / self.total;
        let square = statistics.square_about(self.mean) / self.estimator.unit().powi(2);
        UnitErrors {
            n,
            share,
            effective_size,
            sum: share * (self.estimator.raw(statistics) - self.raw),
            squares: share * share / effective_size * square,
        }
    }
}

impl ReplicateVariance {
    /// Returns the variance of an estimate from that in each replicate, `None` without weight, and the number of
    /// replicates without weight. The other ones stand for these. `fraction` is the sampled share of the population.
    pub(crate) fn variance(
        &self,
        replicates: impl Iterator<Item = (u32, Option<f64>)>,
        estimate: f64,
        fraction: f64,
    ) -> Result<(SamplingVariance, u64), Error> {
        let mut estimates = Vec::with_capacity(self.factors.len());
        let (mut empty, mut all_factors) = (Vec::new(), 0.0);
        for (replicate, estimate) in replicates {
            let factor = self.factors[replicate as usize - 1];
            all_factors += factor;
            match estimate {
                Some(estimate) => estimates.push((replicate, factor, estimate)),
                None => empty.push(u64::from(replicate)),
            }
        }
        let factors: f64 = estimates.iter().map(|(_, factor, _)| factor).sum();
        if let Some(replicate) = empty.first().filter(|_| factors <= 0.0) {
            return Err(Problem::EmptyReplicate { replicate: *replicate }.into());
        }
        let scale = if empty.is_empty() { 1.0 } else { all_factors / factors };
        let counted = || estimates.iter().filter(|(_, factor, _)| *factor > 0.0).map(|(.., estimate)| estimate);
        let mean = counted().sum::<f64>() / counted().count() as f64;
        let center = if self.about_mean { mean } else { estimate };
        let mut design = SamplingVariance::default();
        for (replicate, factor, estimate) in estimates {
            let contribution = (scale * factor).sqrt() * (estimate - center);
            design.variance += contribution * contribution;
            design.contributions.add(ErrorSource::Unit(replicate), contribution);
        }
        (design.unlimited, design.after_fpc) = (design.variance, design.variance * (1.0 - fraction));
        design.squares_by_dof = design.variance.powi(2) / (self.dof - empty.len() as f64).max(1.0);
        Ok((design, empty.len() as u64))
    }
}

impl SampledStratum {
    /// Returns whether a single unit was drawn.
    fn is_lonely(&self) -> bool {
        self.units == 1.0
    }
}

/// Returns the number of strata with scores over that of strata whose variance is known.
///
/// # Errors
/// Returns [`Problem::SingleUnitTestStrata`] if no variance is known.
fn average_factor(parts: &[&(SampledUnit, UnitErrors)], strata: &[SampledStratum]) -> Result<f64, Error> {
    let present: BTreeSet<usize> = parts.iter().map(|(part, _)| part.stratum).collect();
    let is_known = |stratum: &&usize| !strata[**stratum].is_lonely() || strata[**stratum].fraction >= 1.0;
    match (present.len(), present.iter().filter(is_known).count()) {
        (all, 0) => Err(Problem::SingleUnitTestStrata { strata: all as u64 }.into()),
        (all, known) => Ok(all as f64 / known as f64),
    }
}
