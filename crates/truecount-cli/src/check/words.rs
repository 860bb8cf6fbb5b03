//! What the checks mean, in sentences, and numbers for people.

use super::Report;
use super::families::Fit;
use super::mixture::{GroupCheck, Verdict};
use truecount::Class;
use truecount::distribution::Family;

/// Level at which a family is said not to fit.
const LEVEL: f64 = 0.05;

/// Test scores below which the check sees next to nothing.
const FEW: u64 = 30;

const WHAT_IT_MEANS: &str = "More than the prevalence differs between the labelled and the test data, or they were not scored \
                             alike, so every estimate may be off: look at the cases with these scores, and label some.";
const WHAT_IT_MAY_MEAN: &str = "If so, more than the prevalence differs between the labelled and the test data, or they were not \
                                scored alike: look at the cases with these scores, and label some.";

/// The meaning of all that was found, a sentence or two for each of both questions.
pub fn meaning(report: &Report) -> Vec<String> {
    let mixture = match report.groups.as_slice() {
        [] => None,
        [only] => Some(one(only)),
        groups => Some(several(groups)),
    };
    mixture.into_iter().chain([families(&report.families)]).collect()
}

fn one(group: &GroupCheck) -> String {
    match group.verdict() {
        Verdict::Mixture if group.shift.n < FEW => {
            format!("{} test scores are too few to tell whether prior probability shift is plausible.", group.shift.n)
        }
        Verdict::Mixture => "The test scores look like a mixture of the labelled classes: prior probability shift is \
                             plausible. A change that gives another mixture would not be seen."
            .to_owned(),
        Verdict::Doubtful => {
            format!(
                "It is doubtful whether the test scores are a mixture of the labelled classes; too many: {}. {WHAT_IT_MAY_MEAN}",
                group.worst
            )
        }
        Verdict::NoMixture => {
            format!(
                "The test scores are no mixture of the labelled classes; too many: {}. {WHAT_IT_MEANS}",
                group.worst
            )
        }
    }
}

fn several(groups: &[GroupCheck]) -> String {
    let count = |verdict| groups.iter().filter(|group| group.verdict() == verdict).count();
    let (no, doubtful, all) = (count(Verdict::NoMixture), count(Verdict::Doubtful), groups.len());
    if no + doubtful == 0 {
        return format!(
            "In none of the {all} groups do the test scores differ from a mixture of the labelled classes by more than chance \
             allows (p adjusted for their number after Holm): prior probability shift is plausible. A change that gives \
             another mixture would not be seen."
        );
    }
    let meaning = if no > 0 { WHAT_IT_MEANS } else { WHAT_IT_MAY_MEAN };
    format!(
        "No mixture of the labelled classes: {no} of {all} groups; doubtful: {doubtful} (p, adjusted for their number after Holm, \
         below 0.01 and 0.05). {meaning}"
    )
}

fn families(fits: &[Fit]) -> String {
    if fits.iter().all(|fit| fit.found.is_err()) {
        return "No family can be fitted to these scores.".to_owned();
    }
    let good = |fit: &&Fit| fit.found.as_ref().is_ok_and(|found| found.p_value >= LEVEL);
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
        "No family fits both classes at level {LEVEL} (positives: {}; negatives: {}). Methods that take their rates from a \
         fitted family, o-cs among them, may be biased: try --family kernel, --transform rank or --anchor sample, or \
         methods that are anchored in the labelled scores from the start (ac, es).",
        names(&positive),
        names(&negative)
    )
}
