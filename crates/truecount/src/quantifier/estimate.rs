//! An estimate as it is published, how it is made from the state of a tally, and the estimates of several
//! methods.

use super::Method;
use super::quantify::Quantify;
use super::raw_estimate::{EstimateSource, RawEstimate};
use crate::condition::Severity;
use crate::inference::{
    self, Assessed, EstimateDistribution, IntervalEstimate, IntervalOptions, Misfit, Off, Quadratic, Scale, Systematic,
    Warning,
};
use crate::numeric::sum::CompensatedSum;
use crate::tally::TallyState;
use crate::{Error, Operation, Problem};
use std::ops::{Deref, DerefMut};
use std::{slice, vec};

/// A prevalence estimate. All shares lie between 0 and 1, but for `raw`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// Who made it.
    pub method: Method,
    /// Number of test scores; of weighted ones, of those with a weight above 0.
    pub n: u64,
    /// The effective number of weighted scores, (Σw)²/Σw² (Kish 1965); none without weights.
    pub effective_n: Option<f64>,
    /// `raw` kept inside [0, 1].
    pub prevalence: f64,
    /// The estimator as defined, never clipped.
    pub raw: f64,
    /// Standard error and interval, of the methods that have a formula for them.
    pub uncertainty: Option<IntervalEstimate>,
    /// Nominal coverage of the interval.
    pub level: f64,
    /// How far the scores are from a mixture of the labelled classes; none where that was not checked.
    pub misfit: Option<Misfit>,
    /// What to beware of.
    pub warnings: Vec<Warning>,
    /// By which it can be put together with others.
    pub(crate) origin: Option<EstimateSource>,
}

impl Estimate {
    /// What n scores without weights give, to be reported at a level; with the warnings that follow from the numbers themselves.
    pub fn new(
        method: Method,
        n: u64,
        raw: f64,
        uncertainty: Option<IntervalEstimate>,
        reporting: &IntervalOptions,
    ) -> Self {
        Self::with_warnings(method, (n, None), raw, uncertainty, reporting, (Vec::new(), None))
    }

    pub(crate) fn with_warnings(
        method: Method,
        (n, effective_n): (u64, Option<f64>),
        raw: f64,
        uncertainty: Option<IntervalEstimate>,
        reporting: &IntervalOptions,
        (mut warnings, origin): (Vec<Warning>, Option<EstimateSource>),
    ) -> Self {
        if let Some(outside) = Warning::unless_inside(raw, uncertainty.map(|uncertainty| uncertainty.se)) {
            warnings.insert(0, outside);
        }
        if uncertainty.is_some_and(|uncertainty| uncertainty.is_without_spread(effective_n.unwrap_or(n as f64))) {
            warnings.push(Warning::ZeroStandardError);
        }
        // There may be a million such lists.
        warnings.shrink_to_fit();
        let (prevalence, level) = (raw.clamp(0.0, 1.0), reporting.level());
        Self { method, n, effective_n, prevalence, raw, uncertainty, level, misfit: None, warnings, origin }
    }

    /// The sum of the weights of its scores; their number where that is not known.
    pub fn total_weight(&self) -> f64 {
        match &self.origin {
            Some(EstimateSource::Mean { total, .. }) => *total,
            Some(EstimateSource::Sum(sum)) => sum.weight(),
            None => self.n as f64,
        }
    }

    /// What the most serious of its warnings means; none without warnings.
    pub fn severity(&self) -> Option<Severity> {
        self.warnings.iter().map(Warning::severity).max()
    }
}

/// The estimates of one set of test scores by each of a model's methods, in their order.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Method, Model, IntervalOptions, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let settings = Settings { methods: vec![Method::O_CS, Method::AC], cutoff: Some(0.5), ..Settings::default() };
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &settings)?;
/// let estimates = model.estimate(&[1.7, 0.2, -0.5, 2.2], &IntervalOptions::default())?;
/// assert_eq!(estimates.by_method(Method::AC).map(|estimate| estimate.prevalence), Some(0.5));
/// assert!(estimates.by_method(Method::SLD).is_none());
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Estimates(Vec<Estimate>);

impl Estimates {
    /// The estimate by a method, if the model has it.
    pub fn by_method(&self, method: Method) -> Option<&Estimate> {
        self.0.iter().find(|estimate| estimate.method == method)
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

/// Where the variance of an estimate comes from.
#[derive(Clone, Copy)]
pub(crate) enum VarianceSource<'a> {
    /// A formula, for scores drawn one by one.
    Formula,
    /// What bootstrap replicates find, in the place of a formula.
    Replicates(&'a [Option<f64>]),
    /// A formula, for scores drawn in clusters, of which these are the tallies.
    Clusters(&'a [&'a TallyState]),
}

/// The estimate in a tally.
pub(super) fn to_estimate(
    method: Method,
    fitted: &dyn Quantify,
    state: &TallyState,
    fit_warnings: &[Warning],
    spreading: VarianceSource,
    assessed: Option<&Assessed>,
    reporting: &IntervalOptions,
) -> Result<Estimate, Error> {
    if state.n() == 0 {
        return Err(if state.is_weighted() { Problem::AllWeightsZero.into() } else { Problem::NoTestScores.into() });
    }
    let drawn = reporting.drawn(state.n())?;
    let scale = assessed.and_then(|assessed| assessed.widening(reporting.misfit()));
    let mut finding = fitted.estimate(state);
    if let Some(EstimateSource::Mean { drawn: of_origin, .. }) = &mut finding.origin {
        *of_origin = drawn;
    }
    let mut effective_n = state.effective_n();
    if let VarianceSource::Clusters(clusters) = spreading
        && drawn > 0.0
    {
        effective_n = Some(worth(method, fitted, state, clusters, &mut finding)?);
    }
    let mut warnings = fit_warnings.to_vec();
    if method.is_uncorrected() {
        warnings.push(Warning::Uncorrected);
    }
    if state.n() == 1 {
        warnings.push(Warning::SingleScore);
    }
    warnings.extend(state.effective_n().and_then(|effective| Warning::for_weights(state.n(), effective)));
    warnings.extend(finding.warnings);
    if state.n() > 1 && state.is_constant() && !warnings.contains(&Warning::NoSpread) {
        warnings.push(Warning::NoSpread);
    }
    let (prevalence, n) = (finding.raw.clamp(0.0, 1.0), effective_n.unwrap_or(state.n() as f64));
    let systematic = match (scale, &finding.variance) {
        (Some(scale), Some(variance)) => {
            scale.systematic_variance(EstimateDistribution::new(finding.raw, n, variance, drawn).variance())
        }
        _ => Systematic::NONE,
    };
    if let Some(EstimateSource::Mean { systematic: of_origin, .. }) = &mut finding.origin {
        *of_origin = systematic;
    }
    let found = |scale: Option<Scale>, systematic: Systematic| match (spreading, &finding.variance) {
        (VarianceSource::Replicates(replicates), variance) => {
            let drawing = variance.as_ref().map_or_else(|| Quadratic::drawing(n), |variance| variance.drawing);
            let parts = (
                (1.0 - drawn) * drawing.at(prevalence),
                variance.as_ref().map_or(0.0, |variance| variance.unseen().at(prevalence)),
            );
            inference::by_resampling(finding.raw, n, replicates, parts, scale, reporting)
        }
        (_, Some(variance)) => {
            let spread = EstimateDistribution::new(finding.raw, n, variance, drawn).with(systematic);
            let found = match fitted.variance_function(state, finding.raw) {
                Some(at) => {
                    spread.uncertainty_among(reporting, |alpha| EstimateDistribution::new(alpha, n, &at(alpha), drawn))
                }
                None => spread.uncertainty(reporting),
            };
            (Some(found), None)
        }
        (_, None) => {
            let posterior = finding.posterior.as_ref();
            (posterior.map(|posterior| posterior.uncertainty(finding.raw, drawn, scale, reporting)), None)
        }
    };
    let (uncertainty, lost) = found(scale, systematic);
    warnings.extend(lost);
    if let Some(Off { by, p_value }) = fitted.off(prevalence)
        && p_value < CONTRADICTED
    {
        let gross = uncertainty.is_some_and(|found| by.abs() > found.se);
        warnings.push(if gross {
            Warning::FamilyContradicted { by, p_value }
        } else {
            Warning::FamilyInDoubt { by, p_value }
        });
    }
    let widened = uncertainty.filter(|_| scale.is_some());
    let plain = widened.and_then(|_| found(None, Systematic::NONE).0);
    let more = widened.zip(plain).map_or(0.0, |(wide, plain)| 0.5 * (wide.width() - plain.width()));
    warnings.extend(assessed.and_then(|assessed| assessed.warning(widened.is_some())));
    let misfit = assessed.map(|assessed| Misfit { more, ..assessed.misfit });
    let sizes = (state.n(), effective_n);
    let estimate =
        Estimate::with_warnings(method, sizes, finding.raw, uncertainty, reporting, (warnings, finding.origin));
    Ok(Estimate { misfit, ..estimate })
}

/// How many scores drawn one by one those of clusters are worth for the prevalence of their population, whose variance is that of the
/// sums of what the scores add over clusters, C/(C−1) Σ_c (Σ_c w(g − α̂))²/(Σw)², in units in which the class means of g are 0 and 1: what
/// R's package survey has for a mean. The finding's variance becomes that of so many.
fn worth(
    method: Method,
    fitted: &dyn Quantify,
    state: &TallyState,
    clusters: &[&TallyState],
    finding: &mut RawEstimate,
) -> Result<f64, Error> {
    let Some(EstimateSource::Mean { place, shift, total, freedom, .. }) = &mut finding.origin else {
        return Err(Operation::Clusters.not_possible([method]).into());
    };
    if clusters.len() < 2 {
        return Err(Problem::OneCluster.into());
    }
    let anchored = fitted.means()[*place].anchored();
    let precision = anchored.precision().expect("what has an origin has a precision");
    let squares = clusters.iter().map(|cluster| {
        let sampled = fitted.sampled(cluster, *place);
        (sampled.total * (anchored.raw(&sampled) - finding.raw) / *total).powi(2)
    });
    let c = clusters.len() as f64;
    let between = c / (c - 1.0) * squares.collect::<CompensatedSum>().value();
    let (n, held) = (state.effective_n().unwrap_or(state.n() as f64), finding.raw.clamp(0.0, 1.0));
    let alone = precision.sampling(held + *shift, n) + Quadratic::weighted_drawing(n, *shift).at(held);
    let n = if between > 0.0 { n * alone / between } else { n };
    *freedom = c - 1.0;
    finding.variance = Some(precision.clustered_variance(n, *shift, *freedom));
    Ok(n)
}
