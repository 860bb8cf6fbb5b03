//! From the state of a tally to what is published.

use super::estimate::Estimate;
use super::method::Method;
use super::quantify::Quantify;
use crate::Error;
use crate::inference::{self, Off, Quadratic, Reporting, Spread, Warning};
use crate::tally::State;

/// The p-value below which labelled scores contradict a family.
const CONTRADICTED: f64 = 0.01;

/// The estimate in a tally; with bootstrap replicates, if there are any, in the place of a formula for its variance.
pub(super) fn finish(
    method: Method,
    fitted: &dyn Quantify,
    state: &State,
    fit_warnings: &[Warning],
    replicates: Option<&[Option<f64>]>,
    reporting: &Reporting,
) -> Result<Estimate, Error> {
    if state.n() == 0 {
        return Err(if state.is_weighted() { Error::NothingWeighed } else { Error::NoTestScores });
    }
    let drawn = reporting.drawn(state.n())?;
    let finding = fitted.find(state);
    let mut warnings = fit_warnings.to_vec();
    if state.n() == 1 {
        warnings.push(Warning::SingleScore);
    }
    warnings.extend(state.effective_n().and_then(|effective| Warning::of_weights(state.n(), effective)));
    warnings.extend(finding.warnings);
    if state.n() > 1 && state.is_constant() && !warnings.contains(&Warning::NoSpread) {
        warnings.push(Warning::NoSpread);
    }
    let (prevalence, n) = (finding.raw.clamp(0.0, 1.0), state.effective_n().unwrap_or(state.n() as f64));
    let uncertainty = match (replicates, &finding.variance) {
        (Some(replicates), variance) => {
            let drawing = variance.as_ref().map_or_else(|| Quadratic::drawing(n), |variance| variance.drawing);
            let parts = (
                (1.0 - drawn) * drawing.at(prevalence),
                variance.as_ref().map_or(0.0, |variance| variance.unseen().at(prevalence)),
            );
            let (found, lost) = inference::by_resampling(finding.raw, n, replicates, parts, reporting);
            warnings.extend(lost);
            found
        }
        (None, Some(variance)) => Some(Spread::of(finding.raw, n, variance, drawn).uncertainty(reporting)),
        (None, None) => None,
    };
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
    let sizes = (state.n(), state.effective_n());
    Ok(Estimate::with_warnings(method, sizes, finding.raw, uncertainty, reporting, (warnings, finding.origin)))
}
