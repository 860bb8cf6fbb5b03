//! From the state of a tally to what is published.

use super::estimate::Estimate;
use super::finding::Finding;
use super::method::Method;
use super::origin::Origin;
use super::quantify::Quantify;
use crate::inference::{self, Assessed, Misfit, Off, Quadratic, Reporting, Scale, Spread, Systematic, Warning};
use crate::numeric::sum::Sum;
use crate::tally::State;
use crate::{Error, Operation, Problem};

/// The p-value below which labelled scores contradict a family.
const CONTRADICTED: f64 = 0.01;

/// Where the variance of an estimate comes from.
#[derive(Clone, Copy)]
pub(crate) enum Spreading<'a> {
    /// A formula, for scores drawn one by one.
    Formula,
    /// What bootstrap replicates find, in the place of a formula.
    Replicates(&'a [Option<f64>]),
    /// A formula, for scores drawn in clusters, of which these are the tallies.
    Clusters(&'a [&'a State]),
}

/// The estimate in a tally.
pub(super) fn finish(
    method: Method,
    fitted: &dyn Quantify,
    state: &State,
    fit_warnings: &[Warning],
    spreading: Spreading,
    assessed: Option<&Assessed>,
    reporting: &Reporting,
) -> Result<Estimate, Error> {
    if state.n() == 0 {
        return Err(if state.is_weighted() { Problem::NothingWeighed.into() } else { Problem::NoTestScores.into() });
    }
    let drawn = reporting.drawn(state.n())?;
    let scale = assessed.and_then(|assessed| assessed.widening(reporting.misfit()));
    let mut finding = fitted.find(state);
    if let Some(Origin::Mean { drawn: of_origin, .. }) = &mut finding.origin {
        *of_origin = drawn;
    }
    let mut effective_n = state.effective_n();
    if let Spreading::Clusters(clusters) = spreading
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
    warnings.extend(state.effective_n().and_then(|effective| Warning::of_weights(state.n(), effective)));
    warnings.extend(finding.warnings);
    if state.n() > 1 && state.is_constant() && !warnings.contains(&Warning::NoSpread) {
        warnings.push(Warning::NoSpread);
    }
    let (prevalence, n) = (finding.raw.clamp(0.0, 1.0), effective_n.unwrap_or(state.n() as f64));
    let systematic = match (scale, &finding.variance) {
        (Some(scale), Some(variance)) => scale.of(Spread::of(finding.raw, n, variance, drawn).variance()),
        _ => Systematic::NONE,
    };
    if let Some(Origin::Mean { systematic: of_origin, .. }) = &mut finding.origin {
        *of_origin = systematic;
    }
    let found = |scale: Option<Scale>, systematic: Systematic| match (spreading, &finding.variance) {
        (Spreading::Replicates(replicates), variance) => {
            let drawing = variance.as_ref().map_or_else(|| Quadratic::drawing(n), |variance| variance.drawing);
            let parts = (
                (1.0 - drawn) * drawing.at(prevalence),
                variance.as_ref().map_or(0.0, |variance| variance.unseen().at(prevalence)),
            );
            inference::by_resampling(finding.raw, n, replicates, parts, scale, reporting)
        }
        (_, Some(variance)) => {
            let spread = Spread::of(finding.raw, n, variance, drawn).with(systematic);
            let found = match fitted.elsewhere(state, finding.raw) {
                Some(at) => spread.uncertainty_among(reporting, |alpha| Spread::of(alpha, n, &at(alpha), drawn)),
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
    state: &State,
    clusters: &[&State],
    finding: &mut Finding,
) -> Result<f64, Error> {
    let Some(Origin::Mean { place, shift, total, freedom, .. }) = &mut finding.origin else {
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
    let between = c / (c - 1.0) * squares.collect::<Sum>().value();
    let (n, held) = (state.effective_n().unwrap_or(state.n() as f64), finding.raw.clamp(0.0, 1.0));
    let alone = precision.sampling(held + *shift, n) + Quadratic::weighted_drawing(n, *shift).at(held);
    let n = if between > 0.0 { n * alone / between } else { n };
    *freedom = c - 1.0;
    finding.variance = Some(precision.clustered_variance(n, *shift, *freedom));
    Ok(n)
}
