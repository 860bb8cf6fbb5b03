//! Do the families fit?

use super::refused::{Failure, Refused};
use crate::executor::Executor;
use crate::results::FitRow;
use truecount::check::Goodness;
use truecount::{Class, LabelledScores, Transform};

/// What people see of a fit.
pub const FAMILIES_SHOWN: [&str; 5] = ["class", "family", "n", "statistic", "p_value"];

/// How well every family fits each class, after a transformation; with p-values from so many samples drawn from each fit by the seed behind
/// them, if they are asked for.
///
/// # Errors
/// Those of the transform; [`Refused::NotPlain`]; a stop.
pub fn families(
    executor: &impl Executor,
    labelled: &LabelledScores,
    transform: Transform,
    drawing: Option<(u32, u64)>,
) -> Result<Vec<FitRow>, Failure> {
    if !labelled.is_plain() {
        return Err(Refused::NotPlain { name: "families" }.into());
    }
    let scores = transform.labelled(labelled)?;
    let classes = [(Class::Positive, &scores.positive), (Class::Negative, &scores.negative)];
    let pairs: Vec<_> = classes.iter().flat_map(|of| FitRow::families().map(move |family| (family, *of))).collect();
    let mut rows = executor
        .map(&pairs, |(family, (class, scores))| FitRow::new(*family, *class, scores, Goodness::large_sample_p_value));
    let Some((resamples, seed)) = drawing else { return Ok(rows) };
    for (place, row) in rows.iter_mut().enumerate() {
        let Ok(found) = &mut row.found else { continue };
        let of = |number| found.goodness.replicate(seed, FitRow::stream(place, number));
        let replicates = executor.map_range(u64::from(resamples), of)?;
        found.p_value = Some(found.goodness.p_value(&replicates));
    }
    Ok(rows)
}
