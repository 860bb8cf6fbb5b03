//! Says in a sentence what to type where families do not fit, or groups are no mixture.

use truecount::check::Verdict;
use truecount_analysis::checked;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::results::{CheckRow, FitRow, visible};
use truecount_tables::groups::Keys;

/// Which families fit.
pub fn families(fits: &[FitRow]) -> String {
    checked::families(fits, "try --family kernel, --transform rank or --anchor sample")
}

/// What to do where groups that are no mixture may each have classes of their own.
pub fn groups(keys: &Keys, groups: &[CheckRow]) -> Option<String> {
    let none = groups.iter().filter(|row| row.checked.verdict() == Verdict::NoMixture).count();
    let mut columns = keys.columns();
    let (Some(column), None) = (columns.next(), columns.next()) else { return None };
    (none > 0 && groups.len() > 1).then(|| {
        format!(
            "If the labelled rows have a column '{column}' too, `truecount estimate --stratum {column}` learns what the classes of each \
             group look like.",
            column = visible(column)
        )
    })
}
