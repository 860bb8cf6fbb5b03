//! Published estimates: of one method, with its computation from the state of a tally, and of
//! several methods.

use super::Method;
use super::design_variance::{SampledCells, apply_design};
use super::quantify::Quantify;
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::condition::Severity;
use crate::inference::{
    self, EstimateDistribution, FamilyError, GroupEvidence, Interval, IntervalEstimate, IntervalOptions, Misfit,
    MisfitAssessment, Quadratic, ScaleFactor, SharedVariance, SystematicError, Target, Variance, Warning,
};
use crate::tally::MethodTally;
use crate::{Error, Problem};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;
use std::{slice, vec};

/// A prevalence estimate. All shares except `raw` are in [0, 1].
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The method of the estimate.
    pub method: Method,
    /// The number of test scores with a weight above 0.
    pub n: u64,
    /// The effective number of scores if they are weighted, have a sampling design, or are by several
    /// classifiers: the number of independent scores of equal weight with the same variance; otherwise
    /// `None`.
    pub effective_n: Option<f64>,
    /// The number of items that the prevalence is a share of: the scores for the sample; for the
    /// population its size or, if that is not set, the sum of the weights of the scores. `None` if it is
    /// unknown, as for a sum of weights that is not above the number of scores.
    pub size: Option<f64>,
    /// The apparent prevalence, which is the share of scores at or above the cutoff; `None` unless it was
    /// [counted](crate::Model::with_count).
    pub apparent: Option<f64>,
    /// The prevalence: `raw`, clipped to [0, 1].
    pub prevalence: f64,
    /// The unclipped value of the estimator.
    pub raw: f64,
    /// The standard error from the sampling of the test scores and of the labelled scores; `None` if
    /// the method has no formula for it. It does not include [misfit](Self::misfit).
    pub std_error: Option<f64>,
    /// The interval; `None` if the method has no formula for it. Where the shift test rejects, misfit
    /// widens it ([`OnMisfit`](crate::inference::OnMisfit)).
    pub interval: Option<Interval>,
    /// The nominal coverage of the interval.
    pub level: f64,
    /// The estimand of the standard error and the interval.
    pub target: Target,
    /// The misfit of the scores to every mixture of the labelled classes; `None` without a check.
    pub misfit: Option<Misfit>,
    /// The warnings about the estimate.
    pub warnings: Vec<Warning>,
    /// The stratum of each of the first warnings that are about one of several strata with a model each.
    pub warning_strata: Vec<Option<Arc<str>>>,
    /// The source, if the estimate can be combined with others.
    pub(crate) origin: Option<EstimateSource>,
}

impl Estimate {
    /// Returns the estimate from n unweighted scores without a standard error, with the warnings
    /// that follow from the numbers themselves.
    pub fn new(method: Method, n: u64, raw: f64) -> Self {
        Self::with_warnings(method, (n, None), raw, None, &IntervalOptions::default(), (Vec::new(), None))
    }

    /// Sets the standard error and the interval of a [new](Self::new) estimate, and its warnings
    /// accordingly.
    #[must_use]
    pub fn with_interval(self, std_error: f64, interval: Interval, options: &IntervalOptions) -> Self {
        let Self { method, n, raw, .. } = self;
        let uncertainty = IntervalEstimate { std_error, lower: interval.lower, upper: interval.upper };
        Self::with_warnings(method, (n, None), raw, Some(uncertainty), options, (Vec::new(), None))
    }

    /// Returns the number of scores that the variance was computed with; without one, the effective number.
    pub(crate) fn variance_n(&self) -> f64 {
        match &self.origin {
            Some(EstimateSource::Mean { n, .. }) => *n,
            _ => self.effective_n.unwrap_or(self.n as f64),
        }
    }

    /// Returns an estimate with these warnings and those that follow from the numbers themselves.
    pub(crate) fn with_warnings(
        method: Method,
        (n, effective_n): (u64, Option<f64>),
        raw: f64,
        uncertainty: Option<IntervalEstimate>,
        options: &IntervalOptions,
        (mut warnings, origin): (Vec<Warning>, Option<EstimateSource>),
    ) -> Self {
        if let Some(outside) = Warning::unless_inside(raw, uncertainty.map(|uncertainty| uncertainty.std_error)) {
            warnings.insert(0, outside);
        }
        if uncertainty.is_some_and(|uncertainty| uncertainty.is_without_spread(effective_n.unwrap_or(n as f64))) {
            warnings.push(Warning::ZeroStandardError);
        }
        // There may be a million estimates, each with its list.
        warnings.shrink_to_fit();
        let (prevalence, level, target) = (raw.clamp(0.0, 1.0), options.level(), options.target());
        let (std_error, interval) =
            uncertainty.map(|uncertainty| (uncertainty.std_error, uncertainty.interval())).unzip();
        let (size, apparent, misfit) = (None, None, None);
        let estimate = Self {
            method,
            n,
            effective_n,
            size,
            apparent,
            prevalence,
            raw,
            std_error,
            interval,
            level,
            target,
            misfit,
            warnings,
            warning_strata: Vec::new(),
            origin,
        };
        Self { size: options.size_of_target(n, estimate.total_weight()), ..estimate }
    }

    /// The standard error with the interval.
    pub(crate) fn interval_estimate(&self) -> Option<IntervalEstimate> {
        let (se, Interval { lower, upper }) = self.std_error.zip(self.interval)?;
        Some(IntervalEstimate { std_error: se, lower, upper })
    }

    /// Returns the sum of the weights of the scores, or their number if the sum is not known.
    pub fn total_weight(&self) -> f64 {
        match &self.origin {
            Some(EstimateSource::Mean { total, .. }) => *total,
            Some(EstimateSource::Sum(sum)) => sum.weight(),
            None => self.n as f64,
        }
    }

    /// Returns the number of positives: the prevalence times the size; `None` without a size.
    pub fn positives(&self) -> Option<f64> {
        self.size.map(|size| size * self.prevalence)
    }

    /// Returns the interval of the number of positives; `None` without a size or an interval.
    pub fn positives_interval(&self) -> Option<Interval> {
        let (size, Interval { lower, upper }) = self.size.zip(self.interval)?;
        Some(Interval { lower: size * lower, upper: size * upper })
    }

    /// Returns the warnings, each with its stratum if it is about one.
    pub fn warnings_by_stratum(&self) -> impl Iterator<Item = (Option<&str>, &Warning)> {
        let strata = self.warning_strata.iter().map(Option::as_deref).chain(std::iter::repeat(None));
        strata.zip(&self.warnings)
    }

    /// Returns the warnings as sentences, which begin with the stratum of a warning about one.
    pub fn warning_sentences(&self) -> impl Iterator<Item = String> {
        self.warnings_by_stratum().map(|(stratum, warning)| match stratum {
            Some(stratum) => format!("stratum {stratum}: {warning}"),
            None => warning.to_string(),
        })
    }

    /// Returns the severity of the most serious warning, or `None` without warnings.
    pub fn severity(&self) -> Option<Severity> {
        self.warnings.iter().map(Warning::severity).max()
    }
}

/// The estimates from one set of test scores by each method of a model, in the order of the
/// methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates(Vec<Estimate>);

impl Estimates {
    /// Returns the estimate by a method, if the model has the method.
    pub fn by_method(&self, method: Method) -> Option<&Estimate> {
        self.0.iter().find(|estimate| estimate.method == method)
    }

    /// Returns the parallel shift that the estimates of several groups with the same labelled scores show
    /// together; `None` if there is no evidence of one, or if a group is not checked for misfit. A group
    /// that its own check makes unreliable, such as one on another scale, says nothing about the others.
    pub fn shared_shift(groups: &[Self]) -> Option<SharedVariance> {
        let mut evidence = Vec::with_capacity(groups.len());
        for estimates in groups {
            let estimate = estimates.0.iter().find(|estimate| estimate.misfit.is_some())?;
            let is_rejected = |warning: &Warning| warning.is_misfit() && warning.severity() == Severity::Unreliable;
            if !estimate.warnings.iter().any(is_rejected) {
                let std_error = estimate.std_error.unwrap_or(f64::INFINITY);
                evidence.push(GroupEvidence { shift: estimate.misfit?.parallel_shift?, raw: estimate.raw, std_error });
            }
        }
        SharedVariance::find(&evidence)
    }
}

impl Deref for Estimates {
    type Target = [Estimate];

    fn deref(&self) -> &[Estimate] {
        &self.0
    }
}

impl DerefMut for Estimates {
    fn deref_mut(&mut self) -> &mut [Estimate] {
        &mut self.0
    }
}

impl FromIterator<Estimate> for Estimates {
    fn from_iter<I: IntoIterator<Item = Estimate>>(estimates: I) -> Self {
        Self(estimates.into_iter().collect())
    }
}

impl IntoIterator for Estimates {
    type Item = Estimate;
    type IntoIter = vec::IntoIter<Estimate>;

    fn into_iter(self) -> vec::IntoIter<Estimate> {
        self.0.into_iter()
    }
}

impl<'a> IntoIterator for &'a Estimates {
    type Item = &'a Estimate;
    type IntoIter = slice::Iter<'a, Estimate>;

    fn into_iter(self) -> slice::Iter<'a, Estimate> {
        self.0.iter()
    }
}

impl<'a> IntoIterator for &'a mut Estimates {
    type Item = &'a mut Estimate;
    type IntoIter = slice::IterMut<'a, Estimate>;

    fn into_iter(self) -> slice::IterMut<'a, Estimate> {
        self.0.iter_mut()
    }
}

/// The p-value below which labelled scores contradict a family.
const CONTRADICTED: f64 = 0.01;

/// The source of the variance of an estimate.
#[derive(Clone, Copy)]
pub(crate) enum VarianceSource<'a> {
    /// The formula for independent scores.
    Formula,
    /// The estimates of bootstrap replicates.
    Replicates(&'a [Option<f64>]),
    /// The formula for scores under a sampling design.
    Design(SampledCells<'a>),
}

/// Returns the estimate from the state of a tally. For pooled scores, `state` tallies one drawn score
/// for each row.
///
/// # Errors
/// * [`Problem::NoTestScores`] or [`Problem::AllWeightsZero`] if the tally is empty;
/// * [`Problem::SmallPopulation`] if there are more test scores than items in the population;
/// * the errors of [`apply_design`] for scores under a sampling design.
pub(super) fn to_estimate(
    method: Method,
    fitted: &dyn Quantify,
    state: &MethodTally,
    (fit_warnings, family_p_value): (&[Warning], Option<f64>),
    variance_source: VarianceSource,
    assessed: Option<&MisfitAssessment>,
    options: &IntervalOptions,
) -> Result<Estimate, Error> {
    if state.n() == 0 {
        return Err(if state.is_weighted() { Problem::AllWeightsZero.into() } else { Problem::NoTestScores.into() });
    }
    let mut population_fraction = options.finite_population_correction(state.n())?;
    let scale = assessed.and_then(|assessed| assessed.widening(options.misfit()));
    let mut estimate = match variance_source {
        VarianceSource::Design(SampledCells::Pooled(scores)) => {
            let pooled = fitted.estimate(scores.tally);
            RawEstimate { effective_n: pooled.effective_n.map(|n| n.min(state.n() as f64)), ..pooled }
        }
        _ => fitted.estimate(state),
    };
    let mut effective_n = estimate.effective_n.filter(|_| state.is_weighted());
    if let (Some(effective), Some(size)) = (effective_n, options.size()) {
        // The mean of 1 − π over the sampling variance, with inclusion probabilities π in the
        // ratios of 1/w (Hájek 1964). Without weights this is 1 − n/N.
        population_fraction = (1.0 - effective / size as f64).max(0.0);
    }
    estimate.set_fpc(population_fraction);
    if let VarianceSource::Design(parts) = variance_source
        && let Some((effective, fpc)) = apply_design(method, fitted, state, parts, population_fraction, &mut estimate)?
    {
        (effective_n, population_fraction) = (Some(effective), fpc);
    }
    let mut warnings = fit_warnings.to_vec();
    if method.is_uncorrected() {
        warnings.push(Warning::NotCorrected);
    }
    if state.n() == 1 {
        warnings.push(Warning::SingleScore);
    }
    warnings.extend(state.effective_n().and_then(|effective| Warning::for_weights(state.n(), effective)));
    warnings.extend(estimate.warnings);
    if state.n() > 1 && state.is_constant() && !warnings.contains(&Warning::NoSpread) {
        warnings.push(Warning::NoSpread);
    }
    let raw = estimate.raw;
    let (prevalence, n) = (raw.clamp(0.0, 1.0), effective_n.unwrap_or(state.n() as f64));
    let misfit_variance = match (scale, &estimate.variance) {
        (Some(scale), Some(variance)) => {
            let at_estimate =
                |variance: &Variance| EstimateDistribution::new(raw, n, variance, population_fraction).variance();
            // A better q, or scores of several classifiers, reduce the sampling error, but not the
            // systematic error. So the misfit scales at least the variance at q = ½, and that of one score
            // for each row.
            let first = fitted.first_step_variance(state);
            let is_pooled = matches!(variance_source, VarianceSource::Design(SampledCells::Pooled(_)));
            let single = is_pooled.then(|| fitted.estimate(state).variance).flatten();
            let least = first.iter().chain(&single).map(at_estimate).fold(0.0, f64::max);
            scale.systematic_variance(at_estimate(variance).max(least))
        }
        _ => SystematicError::NONE,
    };
    let shared = options.shared_shift().zip(assessed);
    let shared = shared.map_or(SystematicError::NONE, |(shift, assessed)| assessed.shared_error(shift));
    let misfit_variance = misfit_variance.max(shared);
    if let Some(EstimateSource::Mean { misfit_variance: systematic, n: size, .. }) = &mut estimate.origin {
        (*systematic, *size) = (misfit_variance, n);
    }
    let interval = |scale: Option<ScaleFactor>, systematic: SystematicError| match (variance_source, &estimate.variance)
    {
        (VarianceSource::Replicates(replicates), variance) => {
            let sampling = variance.as_ref().map_or_else(|| Quadratic::binomial(n), |variance| variance.binomial);
            let labelled_share = variance.as_ref().map_or(0.0, |variance| variance.labelled_share);
            let parts = (
                (1.0 - population_fraction) * sampling.at(prevalence) - labelled_share,
                variance.as_ref().map_or(0.0, |variance| variance.unseen().at(prevalence)),
            );
            inference::by_resampling(raw, n, replicates, parts, scale, options)
        }
        (_, Some(variance)) => {
            let distribution =
                |alpha, variance: &Variance| EstimateDistribution::new(alpha, n, variance, population_fraction);
            let at_estimate = distribution(raw, variance).with(systematic);
            let interval = match fitted.variance_function(state, raw) {
                Some(variance) => at_estimate.interval_with(options, |alpha| distribution(alpha, &variance(alpha))),
                None => at_estimate.interval_estimate(options),
            };
            (Some(interval), None)
        }
        (_, None) => {
            let posterior = estimate.posterior.as_ref();
            (posterior.map(|posterior| posterior.uncertainty(raw, population_fraction, scale, options)), None)
        }
    };
    let (narrow, failed_replicates) = interval(None, SystematicError::NONE);
    warnings.extend(failed_replicates);
    // Intervals from replicates or a posterior distribution are widened by a factor.
    let of_shared = narrow
        .filter(|narrow| shared.variance > 0.0 && narrow.std_error > 0.0)
        .map(|narrow| shared.scale_factor(narrow.std_error * narrow.std_error));
    let scale = scale.into_iter().chain(of_shared).max_by(|a, b| a.factor.total_cmp(&b.factor));
    let uncertainty = if scale.is_some() { interval(scale, misfit_variance).0 } else { narrow };
    let noted_shift = options.shared_shift().filter(|_| of_shared.is_some());
    warnings.extend(noted_shift.map(|shift| Warning::GroupsShifted { shift: shift.std_dev() }));
    let se = uncertainty.map(|uncertainty| uncertainty.std_error);
    warnings.extend(family_warning(family_p_value, fitted.family_bias(prevalence), se));
    let width = |estimate: IntervalEstimate| estimate.interval().width();
    let more = uncertainty.zip(narrow).map_or(0.0, |(wide, narrow)| 0.5 * (width(wide) - width(narrow)));
    let is_widened = uncertainty.is_some() && scale.is_some();
    warnings.extend(assessed.and_then(|assessed| assessed.warning(is_widened)));
    let misfit = assessed.map(|assessed| Misfit { widening: more, ..assessed.misfit });
    let sizes = (state.n(), effective_n.map(|n| n * estimate.class_weight_gain));
    let estimate = Estimate::with_warnings(method, sizes, raw, uncertainty, options, (warnings, estimate.origin));
    Ok(Estimate { misfit, ..estimate })
}

/// Returns the warning about the fitted family from its p-value for the labelled scores, the bias
/// that their means show, and the standard error.
fn family_warning(family_p_value: Option<f64>, bias: Option<FamilyError>, se: Option<f64>) -> Option<Warning> {
    if let Some(p_value) = family_p_value.filter(|p| *p < CONTRADICTED) {
        // A wrong shape biases the estimate by more than one mean shows.
        return Some(Warning::FamilyContradicted { by: bias.map_or(0.0, |error| error.by), p_value });
    }
    let FamilyError { by, p_value } = bias.filter(|error| error.p_value < CONTRADICTED)?;
    let exceeds_error = se.is_some_and(|se| by.abs() > se);
    Some(if exceeds_error {
        Warning::FamilyContradicted { by, p_value }
    } else {
        Warning::FamilyInDoubt { by, p_value }
    })
}
