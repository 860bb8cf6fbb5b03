//! Says in a sentence which families fit.

use super::families::Fit;
use truecount::Class;
use truecount::distribution::Family;

/// The level at which a family is said not to fit.
const LEVEL: f64 = 0.05;

/// Which families fit.
pub fn families(fits: &[Fit]) -> String {
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
        "No family fits both classes at level {LEVEL} (positives: {}; negatives: {}). That does not matter to es, the default, or \
         ac, which fit none. Methods that take their rates from a fitted family, o-cs among them, may be biased: try --family \
         kernel, --transform rank or --anchor sample.",
        names(&positive),
        names(&negative)
    )
}
