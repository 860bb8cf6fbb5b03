//! Goodness-of-fit tests of every family of distributions in each class of labelled scores.

use crate::executor::{Executor, Interrupted};
use crate::results::FitRow;
use crate::spelling::{Interface, spell};
use indexmap::IndexMap;
use truecount::distribution::Family;
use truecount::scores::{Class, PerClass};
use truecount::shift_test::Goodness;

/// The columns of a fit that people see.
pub const FAMILIES_SHOWN: [&str; 5] = ["class", "family", "n", "statistic", "p_value"];

/// The significance level below which a family does not fit.
const FIT_LEVEL: f64 = 0.05;

/// Fits every family to the scores of each class. P-values come from the large-sample distribution, or from samples
/// drawn from each fit, with their number and seed. The same seed gives the same p-values on any number of threads.
///
/// # Errors
/// Returns [`Interrupted`] if the user interrupts the work.
pub(crate) fn fit_families(
    executor: &impl Executor,
    scores: &PerClass<Vec<f64>>,
    resampling: Option<(u32, u64)>,
) -> Result<Vec<FitRow>, Interrupted> {
    let classes = [(Class::Positive, &scores.positive), (Class::Negative, &scores.negative)];
    let pairs: Vec<_> =
        classes.iter().flat_map(|class| FitRow::families().map(move |family| (family, *class))).collect();
    let large_sample_p_value = |goodness: &Goodness| match resampling {
        None => goodness.large_sample_p_value(),
        Some(_) => None,
    };
    let mut rows =
        executor.map(&pairs, |(family, (class, scores))| FitRow::new(*family, *class, scores, large_sample_p_value));
    let Some((resamples, seed)) = resampling else { return Ok(rows) };
    for (index, row) in rows.iter_mut().enumerate() {
        let Ok(fit) = &mut row.fit else { continue };
        let replicate = |number| fit.goodness.replicate(seed, FitRow::stream(index, number));
        let replicates = executor.map_range(resamples.into(), replicate)?;
        fit.p_value = Some(fit.goodness.p_value(&replicates));
    }
    Ok(rows)
}

/// Returns the reasons why families are missing from the table or have no p-value, each reason once.
pub fn omitted_families(fits: &[FitRow], interface: Interface) -> Vec<String> {
    let mut reasons: IndexMap<String, String> = IndexMap::new();
    for fit in fits {
        if let Some(reason) = fit.reason() {
            let (omission, remedy) = match fit.fit {
                Ok(_) => ("without p", "; {--resamples=999} draws samples instead"),
                Err(_) => ("left out", ""),
            };
            reasons.entry(format!("{omission}, {}", fit.family)).or_insert(reason + &spell(remedy, interface));
        }
    }
    reasons.into_iter().map(|(omission, reason)| format!("{omission}: {reason}")).collect()
}

/// Describes in a sentence which families fit; if none fits both classes, with options to try.
pub fn describe_fits(fits: &[FitRow], interface: Interface) -> String {
    if fits.iter().all(|fit| fit.fit.is_err()) {
        return "No family can be fitted to these scores.".to_owned();
    }
    let is_good = |row: &&FitRow| row.fit.as_ref().is_ok_and(|fit| fit.p_value.is_some_and(|p| p >= FIT_LEVEL));
    let good: Vec<(Family, Class)> = fits.iter().filter(is_good).map(|row| (row.family, row.class)).collect();
    let in_class =
        |class: Class| -> Vec<Family> { good.iter().filter(|(_, c)| *c == class).map(|(family, _)| *family).collect() };
    let (positive, negative) = (in_class(Class::Positive), in_class(Class::Negative));
    let both: Vec<String> = positive.iter().filter(|family| negative.contains(family)).map(Family::to_string).collect();
    if !both.is_empty() {
        return format!("These families fit both classes at level {FIT_LEVEL}: {}.", both.join(", "));
    }
    let names = |families: &[Family]| {
        if families.is_empty() {
            return "none".to_owned();
        }
        families.iter().map(Family::to_string).collect::<Vec<_>>().join(", ")
    };
    format!(
        "No family fits both classes at level {FIT_LEVEL} (positives: {}; negatives: {}). This does not affect es \
         (the default) or ac, which do not use a family. Methods that take their rates from a fitted family, such \
         as o-cs, may be biased: {}.",
        names(&positive),
        names(&negative),
        spell("try {--family=kernel}, {--transform=rank} or {--rates=labels}", interface)
    )
}
