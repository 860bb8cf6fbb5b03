//! Quantifiers: one file each, one table that names them.
//!
//! Every one follows the same path: fit → tally (push slices, merge) → estimate.

mod adjusted_count;
mod anchored;
mod classify_count;
mod continuous_sweep;
mod cuts;
mod dys;
mod efficient_sweep;
mod hdy;
mod linear;
mod median_sweep;
mod median_sweep_quapy;
mod method;
mod mixture;
mod mixture_score;

pub use anchored::Anchor;
pub(crate) use anchored::Rated;
pub use continuous_sweep::{ContinuousSweep, Threshold};
pub use cuts::Criterion;
pub use dys::Divergence;
pub use linear::Linear;
pub use method::Method;

use crate::inference::{self, Estimate, FEW_LABELLED, Planner, Precision, Quadratic, Reporting, Variance, Warning};
use crate::sweep::{PDelta, Separation, optimal_region};
use crate::tally::{Influence, State, Weighted};
use crate::training::{Column, Training};
use crate::{Class, Error};
use dys::Dys;
use efficient_sweep::EfficientSweep;
use hdy::Hdy;
use median_sweep::MedianSweep;
use median_sweep_quapy::MedianSweepQuaPy;
use mixture::Mixture;
use std::fmt::Debug;

/// What every fitted quantifier does.
trait Quantify: Debug {
    /// What it reads of a test score.
    fn column(&self) -> Column;

    /// An empty state of a tally.
    fn empty(&self) -> State;

    /// Adds values of the column to a state that began as [`empty`](Self::empty).
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a score as it is that is not a finite number; the state is then as it was. Other columns are made
    /// from checked scores.
    fn push(&self, state: &mut State, values: &[f64]) -> Result<(), Error>;

    /// The functions whose means are all that it needs to know of test scores, so that weighted means will do too; none for one
    /// that needs more.
    fn influences(&self) -> Vec<&Influence> {
        Vec::new()
    }

    /// How each of these means becomes an estimate, and the prevalences it is best for; a single one is for all of them. In the same
    /// order.
    fn rated_means(&self) -> Vec<(f64, Rated)> {
        Vec::new()
    }

    /// The inner edges of the bins it counts in, for one that needs nothing but counts: [a, b), the last one [a, 1].
    fn bin_edges(&self) -> Vec<f64> {
        Vec::new()
    }

    /// The estimate from a tally that is not empty, and weighted only if there are influences.
    fn find(&self, state: &State) -> Finding;

    /// What the variance is of; none without a formula for it.
    fn variance_of(&self) -> Option<&'static str> {
        None
    }

    /// What decides the variance near a prevalence, of a quantifier that estimates it without bias and has a formula.
    fn precision(&self, _alpha: f64) -> Option<Precision> {
        None
    }

    /// What was learnt, for people: names and values.
    fn learnt(&self) -> Vec<(&'static str, f64)>;
}

/// What a quantifier finds in a tally.
struct Finding {
    /// The estimator as defined.
    raw: f64,
    /// V(α), where there is a formula.
    variance: Option<Variance>,
    warnings: Vec<Warning>,
}

impl Finding {
    fn without_variance(raw: f64, warnings: Vec<Warning>) -> Self {
        Self { raw, variance: None, warnings }
    }
}

/// From the state of a tally to what is published; with bootstrap replicates, if there are any, in the place of the formula.
fn finish(
    fitted: &dyn Quantify,
    state: &State,
    fit_warnings: &[Warning],
    replicates: Option<&[Option<f64>]>,
    reporting: &Reporting,
) -> Result<Estimate, Error> {
    if state.n() == 0 {
        return Err(if state.is_weighted() { Error::NothingWeighed } else { Error::NoTestScores });
    }
    let finding = fitted.find(state);
    let mut warnings = fit_warnings.to_vec();
    if state.n() == 1 {
        warnings.push(Warning::SingleScore);
    }
    warnings.extend(finding.warnings);
    if state.n() > 1 && state.is_constant() && !warnings.contains(&Warning::NoSpread) {
        warnings.push(Warning::NoSpread);
    }
    let (prevalence, n) = (finding.raw.clamp(0.0, 1.0), state.effective_n().unwrap_or(state.n() as f64));
    let uncertainty = match (replicates, &finding.variance) {
        (Some(replicates), variance) => {
            let drawing = variance.as_ref().map_or_else(|| Quadratic::drawing(n), |variance| variance.drawing);
            let parts =
                (drawing.at(prevalence), variance.as_ref().map_or(0.0, |variance| variance.unseen().at(prevalence)));
            let (found, lost) = inference::by_resampling(finding.raw, n, replicates, parts, reporting);
            warnings.extend(lost);
            found
        }
        (None, Some(variance)) => Some(inference::by_formula(finding.raw, n, variance, reporting)),
        (None, None) => None,
    };
    Ok(Estimate::new((state.n(), state.effective_n()), finding.raw, uncertainty, reporting, warnings))
}

/// A method after fitting.
#[derive(Clone, Debug)]
pub struct Quantifier {
    method: Method,
    fitted: Fitted,
    trusts_family: bool,
    warnings: Vec<Warning>,
}

#[derive(Clone, Debug)]
enum Fitted {
    Sweep(ContinuousSweep),
    Linear(Linear),
    EfficientSweep(EfficientSweep),
    MedianSweep(MedianSweep),
    MedianSweepQuaPy(MedianSweepQuaPy),
    Mixture(Mixture),
    Dys(Dys),
    Hdy(Hdy),
}

/// What the methods are told besides the labelled scores.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Where Classify & Count and Adjusted Count cut.
    pub(crate) cutoff: f64,
    /// Instead of the method's own.
    pub(crate) anchor: Option<Anchor>,
}

impl Method {
    /// Where a sweep takes its rates from, if it is not said.
    fn anchor(self) -> Anchor {
        if self == Self::EfficientSweep { Anchor::Sample } else { Anchor::Model }
    }

    /// Whether both rates, or the densities, are those of the fitted family, so that it must be right.
    fn trusts_family(self, anchor: Anchor, training: &Training) -> bool {
        match self {
            Self::ContinuousSweep(_) | Self::EfficientSweep => anchor == Anchor::Model,
            Self::Sld | Self::MaximumLikelihood => training.needs_family(Column::Posterior),
            _ => false,
        }
    }
}

impl Quantifier {
    /// Fits one method to the labelled scores.
    pub(crate) fn fit(method: Method, training: &Training, options: Options) -> Result<Self, Error> {
        let (cut, anchor) = (options.cutoff, options.anchor.unwrap_or(method.anchor()));
        let fitted = match method {
            Method::ContinuousSweep(threshold) => Fitted::Sweep(ContinuousSweep::fit(training, threshold, anchor)?),
            Method::EfficientSweep => Fitted::EfficientSweep(EfficientSweep::fit(training, anchor)?),
            Method::MedianSweep => {
                Fitted::MedianSweep(MedianSweep::new(training.empirical(), PDelta::TRADITIONAL.value())?)
            }
            Method::OptimalMedianSweep => {
                let p = training.optimal_region()?.threshold();
                Fitted::MedianSweep(MedianSweep::optimal(training.empirical(), p.value())?)
            }
            Method::MedianSweepQuaPy => Fitted::MedianSweepQuaPy(MedianSweepQuaPy::new(training.empirical(), None)?),
            Method::MedianSweep2 => {
                let least = Some(PDelta::TRADITIONAL.value());
                Fitted::MedianSweepQuaPy(MedianSweepQuaPy::new(training.empirical(), least)?)
            }
            Method::ClassifyCount => Fitted::Linear(classify_count::crisp(training, cut)?),
            Method::AdjustedCount => Fitted::Linear(adjusted_count::crisp(training, cut)?),
            Method::ChosenCut(criterion) => {
                let cut = cuts::choose(training.empirical(), criterion)?;
                Fitted::Linear(adjusted_count::crisp(training, cut)?)
            }
            Method::ProbabilisticCount => Fitted::Linear(classify_count::probabilistic(training)?),
            Method::ProbabilisticAdjusted => Fitted::Linear(adjusted_count::probabilistic(training)?),
            Method::SampleMean => Fitted::Linear(adjusted_count::of_scores(training)?),
            Method::Sld => Fitted::Mixture(Mixture::steps(training)?),
            Method::MaximumLikelihood => Fitted::Mixture(Mixture::maximum(training)?),
            Method::KernelLikelihood => Fitted::Mixture(Mixture::kernels(training)?),
            Method::Dys(divergence) => Fitted::Dys(Dys::fit(training, divergence)?),
            Method::Hdy => Fitted::Hdy(Hdy::fit(training)?),
        };
        let mut warnings = fit_warnings(&fitted, training);
        let trusts_family = method.trusts_family(anchor, training);
        if trusts_family {
            warnings.extend(training.few_values().map(|values| Warning::FewValues { values }));
        }
        Ok(Self { method, fitted, trusts_family, warnings })
    }

    /// One method for two known distributions: posterior probabilities are at the prior, the optimal threshold at the
    /// prevalence alpha.
    pub(crate) fn known(method: Method, separation: &Separation, prior: f64, alpha: f64) -> Result<Self, Error> {
        let fitted = match method {
            Method::ContinuousSweep(threshold) => {
                Fitted::Sweep(ContinuousSweep::known(separation, threshold.region(separation, alpha)?))
            }
            Method::EfficientSweep => Fitted::EfficientSweep(EfficientSweep::known(separation)),
            Method::MedianSweep => {
                let region = separation.region(PDelta::TRADITIONAL)?;
                Fitted::MedianSweep(MedianSweep::known(separation, region))
            }
            Method::OptimalMedianSweep => {
                Fitted::MedianSweep(MedianSweep::known(separation, optimal_region(separation, alpha)?))
            }
            Method::Sld => Fitted::Mixture(Mixture::known_steps(prior)),
            Method::MaximumLikelihood => Fitted::Mixture(Mixture::known_maximum(prior)),
            Method::Dys(divergence) => Fitted::Dys(Dys::known(separation, prior, divergence)),
            _ => return Err(Error::NeedsLabelled { method: method.to_string() }),
        };
        Ok(Self { method, fitted, trusts_family: false, warnings: Vec::new() })
    }

    /// Which method it is.
    pub fn method(&self) -> Method {
        self.method
    }

    /// Threshold and region, for a Continuous Sweep.
    pub fn sweep(&self) -> Option<&ContinuousSweep> {
        match &self.fitted {
            Fitted::Sweep(sweep) => Some(sweep),
            _ => None,
        }
    }

    /// What the standard error and interval account for; none where there is no formula yet.
    pub fn variance_of(&self) -> Option<&'static str> {
        self.fitted.as_quantify().variance_of()
    }

    /// What decides the variance of its estimates where the prevalence is near alpha; none where there is no formula, and for the
    /// uncorrected counts, which are biased by more than they vary.
    pub fn precision(&self, alpha: f64) -> Option<Precision> {
        self.fitted.as_quantify().precision(alpha)
    }

    /// Sizes for a precision to be reached, these labelled scores being the pilot: at one prevalence, or at the worst.
    ///
    /// # Errors
    /// [`Error::NoPrecision`] for a method without; [`Error::Parameter`] for a prevalence outside [0, 1]; [`Error::NoSeparation`]
    /// where the precision is not finite.
    pub fn planner(&self, prevalence: Option<f64>, reporting: &Reporting) -> Result<Planner, Error> {
        self.method.check_precision()?;
        if self.precision(0.5).is_none() {
            return Err(self
                .method
                .no_precision("takes given probabilities at their word, and learns nothing from labels"));
        }
        let at = |alpha| self.precision(alpha).expect("a method with a precision has it at every prevalence");
        Planner::new(at, prevalence, reporting)
    }

    /// What the labelled scores themselves give reason to warn about.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// What was learnt from the labelled scores: names and values.
    pub fn learnt(&self) -> Vec<(&'static str, f64)> {
        self.fitted.as_quantify().learnt()
    }

    /// Whether its rates or densities are those of the fitted family, so that it is biased where the family is wrong.
    pub fn trusts_family(&self) -> bool {
        self.trusts_family
    }

    /// Whether its tally keeps a number for every test score.
    pub fn keeps_scores(&self) -> bool {
        matches!(self.empty(), State::Values(_))
    }

    /// Whether it reads posterior probabilities.
    pub fn reads_posteriors(&self) -> bool {
        self.column() == Column::Posterior
    }

    pub(crate) fn column(&self) -> Column {
        self.fitted.as_quantify().column()
    }

    pub(crate) fn empty(&self) -> State {
        self.fitted.as_quantify().empty()
    }

    /// The functions whose means it is found from, how each mean becomes an estimate, and the prevalence it is best for.
    pub(crate) fn means(&self) -> Vec<(&Influence, f64, Rated)> {
        let fitted = self.fitted.as_quantify();
        let means = fitted.influences().into_iter().zip(fitted.rated_means());
        means.map(|(influence, (alpha, rated))| (influence, alpha, rated)).collect()
    }

    /// Whether it is found from means.
    pub(crate) fn has_means(&self) -> bool {
        !self.fitted.as_quantify().influences().is_empty()
    }

    /// The inner edges of its bins, if it is found from counts.
    pub(crate) fn bin_edges(&self) -> Vec<f64> {
        self.fitted.as_quantify().bin_edges()
    }

    /// The same of weighted scores; none where weights are not possible.
    pub(crate) fn weighted_empty(&self) -> Option<State> {
        let functions = self.fitted.as_quantify().influences().len();
        (functions > 0).then(|| State::Weighted(Weighted::new(functions)))
    }

    pub(crate) fn push(&self, state: &mut State, values: &[f64]) -> Result<(), Error> {
        self.fitted.as_quantify().push(state, values)
    }

    /// Adds checked values with their weights.
    pub(crate) fn push_weighted(&self, state: &mut State, values: &[f64], weights: &[f64]) {
        let State::Weighted(weighted) = state else { unreachable!("a weighted tally of this quantifier") };
        weighted.push(&self.fitted.as_quantify().influences(), values, weights);
    }

    pub(crate) fn estimate(&self, state: &State, reporting: &Reporting) -> Result<Estimate, Error> {
        finish(self.fitted.as_quantify(), state, &self.warnings, None, reporting)
    }

    /// The same, with bootstrap replicates of the estimate in the place of a formula for its variance.
    pub(crate) fn estimate_with(
        &self,
        state: &State,
        replicates: &[Option<f64>],
        reporting: &Reporting,
    ) -> Result<Estimate, Error> {
        finish(self.fitted.as_quantify(), state, &self.warnings, Some(replicates), reporting)
    }

    /// The estimator as defined, alone.
    pub(crate) fn raw(&self, state: &State) -> f64 {
        self.fitted.as_quantify().find(state).raw
    }
}

impl Fitted {
    /// Whether it depends on the fitted distributions; the mean of transformed scores needs the transform alone.
    fn rests_on_family(&self, training: &Training) -> bool {
        match self {
            Self::Linear(linear) if linear.column() == Column::Transformed => false,
            _ => training.needs_family(self.as_quantify().column()),
        }
    }

    fn as_quantify(&self) -> &dyn Quantify {
        match self {
            Self::Sweep(sweep) => sweep.linear(),
            Self::Linear(linear) => linear,
            Self::EfficientSweep(sweep) => sweep,
            Self::MedianSweep(sweep) => sweep,
            Self::MedianSweepQuaPy(sweep) => sweep,
            Self::Mixture(mixture) => mixture,
            Self::Dys(dys) => dys,
            Self::Hdy(hdy) => hdy,
        }
    }
}

/// What the labelled sample itself gives reason to warn about.
fn fit_warnings(fitted: &Fitted, training: &Training) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let sizes = training.sizes();
    let n = sizes.positive.min(sizes.negative);
    if n < FEW_LABELLED {
        warnings.push(Warning::FewLabelled { n });
    }
    if fitted.rests_on_family(training)
        && let Some(separation) = training.fitted()
    {
        for (class, distribution) in
            [(Class::Positive, separation.positive()), (Class::Negative, separation.negative())]
        {
            warnings.extend(distribution.limit().map(|limit| Warning::AtLimit { class, limit }));
        }
    }
    if let Some((difference, noise)) = separated(fitted, training)
        && difference < 3.0 * noise
    {
        warnings.push(Warning::WeakSeparation { difference, noise });
    }
    if let Fitted::Linear(linear) = fitted
        && linear.column() == Column::Score
        && linear.moments().positive.mean <= linear.moments().negative.mean
    {
        warnings.push(Warning::UselessCutoff);
    }
    warnings
}

/// By how much a method tells the classes apart, and the standard error of that.
fn separated(fitted: &Fitted, training: &Training) -> Option<(f64, f64)> {
    match fitted {
        Fitted::Linear(linear) => linear.separated(),
        Fitted::EfficientSweep(sweep) => sweep.separated().or_else(|| training.max_j_and_its_standard_error()),
        other if other.rests_on_family(training) => training.max_j_and_its_standard_error(),
        _ => None,
    }
}
