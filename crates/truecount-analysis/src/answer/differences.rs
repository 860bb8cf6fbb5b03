//! Differences as they are reported.

use crate::compared::{Comparison, Levels, Reference};
use crate::executor::Executor;
use crate::groups::{GroupNames, Groups};
use crate::results::{DifferenceRow, Table, percent};
use truecount::{Against, Error, Estimates, Method, Reporting, Together};

/// Differences between groups, samples, methods or classifiers.
pub struct Differences {
    /// The differences, method by method.
    pub rows: Vec<DifferenceRow>,
    /// From what.
    pub title: String,
    /// Whether people need to see in each row what it is compared with.
    pub against: bool,
}

/// Estimates the groups of a level together.
type OfLevel<'a> = &'a dyn Fn(&[u32]) -> Result<Estimates, Error>;

impl Differences {
    /// The differences between groups by every method. Groups are added up by their weights, or by their scores, and estimated from
    /// together where that is known.
    ///
    /// # Errors
    /// Those of [`Levels::against`] and [`Comparison::differences`].
    pub fn of_groups<N: GroupNames>(
        executor: &impl Executor,
        reference: &Reference,
        (groups, weights): (&Groups<Estimates, N>, Option<&[f64]>),
        together: &[(Method, Together)],
        of_level: Option<OfLevel>,
        reporting: &Reporting,
    ) -> Result<Self, Error> {
        let levels = Levels::new(&groups.keys);
        let against = levels.against(reference, &groups.keys)?;
        let totals = match (&against, weights, of_level) {
            (Against::Total, None, Some(of_level)) => Some(levels.each().map(of_level).collect::<Result<Vec<_>, _>>()?),
            _ => None,
        };
        let comparison =
            Comparison { levels: &levels, against: &against, weights, totals: totals.as_deref(), reporting };
        let mut rows = Vec::new();
        for (method, together) in together {
            rows.extend(comparison.differences(executor, groups, together, *method)?);
        }
        let title = match &against {
            Against::Previous => "Differences from the one before".to_owned(),
            Against::Total => "Differences from all together".to_owned(),
            Against::Rest => "Differences from all others together".to_owned(),
            Against::All => "Differences".to_owned(),
            Against::Group(_) => format!("Differences from {}", rows.first().map_or("", |row| &row.against)),
        };
        Ok(Self { rows, title, against: against == Against::All })
    }

    /// The table.
    pub fn table<'t>(&'t self, keys: &'t dyn GroupNames, level: f64, several: bool) -> Table<'t> {
        let table = Table::new(&self.rows).with_groups(keys);
        let table = if several { table } else { table.hidden("method") };
        let table = if self.against { table } else { table.hidden("against") };
        table.titled(vec![format!("{}, with {} % intervals:", self.title, percent(level))])
    }
}
