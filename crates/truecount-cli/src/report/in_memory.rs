//! The same page about rows in memory, for a door that has no files.

use super::{How, Models, Provenance, Words, made};
use crate::failure::Failure;
use truecount::{Model, Reporting};
use truecount_analysis::Numbers;
use truecount_analysis::results::{Sort, visible};
use truecount_tables::groups::Groups;
use truecount_tables::parallel::AllThreads;

/// What a page is about.
pub struct InMemory<'a> {
    /// The model of the methods asked for.
    pub model: Model,
    /// The test scores, by their groups.
    pub rows: Groups<Numbers<Vec<f64>>>,
    /// The order of the groups, if there are any.
    pub sort: Option<Sort>,
    /// Which intervals.
    pub reporting: Reporting,
    /// What a row is, in the plural.
    pub items: &'a str,
    /// What positives are.
    pub are: &'a str,
}

impl InMemory<'_> {
    /// The page, which says that its rows came from no file.
    ///
    /// # Errors
    /// In words, for rows that cannot be estimated.
    pub fn page(self) -> Result<String, String> {
        self.rendered().map_err(|failure| failure.to_string())
    }

    fn rendered(self) -> Result<String, Failure> {
        let Self { model, rows, sort, reporting, items, are } = self;
        let weighted = rows.contents.iter().any(|rows| rows.weights.is_some());
        let models = Models::new(model, weighted)?;
        let rows = rows.checked_together(&AllThreads, &models.every)?;
        let how = How { reporting, resampling: None };
        let (items, are) = (visible(items), visible(are));
        let words = Words { items: &items, are: &are, target: reporting.target() };
        Ok(made(&models, rows, None, sort.as_ref(), &how, &words, &Provenance::InMemory)?.0)
    }
}
