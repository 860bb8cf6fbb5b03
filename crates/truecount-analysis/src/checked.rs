//! Says in a sentence which families fit, and why test scores are no mixture.

use crate::results::{CheckRow, FitRow};
use truecount::Class;
use truecount::check::{Cause, Folds, Verdict};
use truecount::distribution::Family;

/// The level at which a family is said not to fit.
const LEVEL: f64 = 0.05;

/// What is known to make test scores no mixture: for each kind of cause, that of the group with the least p-value.
pub fn causes(groups: &[CheckRow]) -> Vec<String> {
    let doubtful = || groups.iter().filter(|row| row.checked.verdict() != Verdict::Mixture);
    let mut named: Vec<(&Cause, usize)> = Vec::new();
    for row in doubtful() {
        for cause in &row.causes {
            if named.iter().all(|(other, _)| other.name() != cause.name()) {
                let same = |other: &&Cause| other.name() == cause.name();
                let with = doubtful().filter(|row| row.causes.iter().any(|other| same(&other)));
                let least = with.clone().min_by(|a, b| a.checked.shift.p_value.total_cmp(&b.checked.shift.p_value));
                let of_least = least.and_then(|row| row.causes.iter().find(same));
                named.push((of_least.unwrap_or(cause), with.count()));
            }
        }
    }
    let each = named.into_iter().map(|(cause, number)| match groups.len() {
        1 => cause.to_string(),
        _ => format!("In {number} of the {} groups that are doubtful or no mixture: {cause}", doubtful().count()),
    });
    each.collect()
}

/// Whether the folds' classifiers score alike.
pub fn folds(folds: &Folds) -> String {
    let Folds { folds: number, p_value, .. } = folds;
    let p = if *p_value < 1e-4 { "below 0.0001".to_owned() } else { format!("{p_value:.4}") };
    if folds.differ() {
        format!(
            "The labelled scores of the {number} folds differ by more than chance allows (p {p}): their classifiers do not score alike, and \
             the test scores must be of these same classifiers."
        )
    } else {
        format!("The labelled scores of the {number} folds do not differ by more than chance allows (p {p}).")
    }
}

/// Which families fit; where none does, with what to try.
pub fn families(fits: &[FitRow], advice: &str) -> String {
    if fits.iter().all(|fit| fit.found.is_err()) {
        return "No family can be fitted to these scores.".to_owned();
    }
    let good = |fit: &&FitRow| fit.found.as_ref().is_ok_and(|found| found.p_value.is_some_and(|p| p >= LEVEL));
    let fitting: Vec<(Family, Class)> = fits.iter().filter(good).map(|fit| (fit.family, fit.class)).collect();
    let of = |class: Class| -> Vec<Family> {
        fitting.iter().filter(|(_, c)| *c == class).map(|(family, _)| *family).collect()
    };
    let (positive, negative) = (of(Class::Positive), of(Class::Negative));
    let both: Vec<String> = positive.iter().filter(|family| negative.contains(family)).map(Family::to_string).collect();
    if !both.is_empty() {
        return format!("These families fit both classes at level {LEVEL}: {}.", both.join(", "));
    }
    let names = |families: &[Family]| {
        if families.is_empty() {
            return "none".to_owned();
        }
        families.iter().map(Family::to_string).collect::<Vec<_>>().join(", ")
    };
    format!(
        "No family fits both classes at level {LEVEL} (positives: {}; negatives: {}). That does not matter to es, the default, or \
         ac, which fit none. Methods that take their rates from a fitted family, o-cs among them, may be biased: {advice}.",
        names(&positive),
        names(&negative)
    )
}
