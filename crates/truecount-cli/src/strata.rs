//! Models of strata, fitted to the rows of a labelled table.

use crate::error::CliError;
use crate::models::learn;
use crate::options::TestArgs;
use crate::output::Stratum;
use crate::progress::ProgressBars;
use std::path::Path;
use truecount::Settings;
use truecount::error::ErrorLocation;
use truecount::scores::PerClass;
use truecount_analysis::request::StratumModels;
use truecount_analysis::strata::{SmallStrata, Strata};
use truecount_tables::{LabelledTable, input};

/// A labelled table with a column of strata.
pub struct StratifiedTable<'a> {
    rows: LabelledTable,
    settings: Settings,
    column: &'a str,
    path: &'a Path,
    has_probabilities: bool,
}

impl<'a> StratifiedTable<'a> {
    /// Reads the table.
    pub fn read(test_args: &'a TestArgs, column: &'a str) -> Result<Self, CliError> {
        let train = &test_args.source.train;
        let settings = train.settings()?;
        let columns = test_args.columns.get();
        let path = train.labelled.path.as_deref().expect("labelled scores");
        let has_probabilities = columns.probability.is_some();
        let unit_interval = settings.unit_interval(has_probabilities);
        let columns = test_args.source.train_columns.for_labelled_table(columns);
        let rows = train.labelled.file(path, columns, unit_interval).table(Some(column), &ProgressBars)?;
        Ok(Self { rows, settings, column, path, has_probabilities })
    }

    /// Returns the feature that needs scores strictly between 0 and 1, if any.
    pub fn unit_interval(&self) -> Option<&'static str> {
        self.settings.unit_interval(self.has_probabilities)
    }

    /// Fits a model to each of these strata, or to several small ones together.
    pub fn fit(&self, test_strata: &[String], small: SmallStrata) -> Result<StratumModels, CliError> {
        let mut names: Vec<&str> = test_strata.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let numbers: Vec<Option<usize>> =
            names.iter().map(|name| self.rows.strata().iter().position(|stratum| stratum == name)).collect();
        let sizes = numbers.iter().map(|number| number.map_or(PerClass::default(), |number| self.rows.sizes(number)));
        let strata = Strata::new(self.column, &names, &sizes.collect::<Vec<_>>(), small);
        let strata = strata.map_err(|problem| ErrorLocation::file(input::name(self.path)).error(problem))?;
        let members = |block: &Vec<usize>| block.iter().filter_map(|name| numbers[*name]).collect::<Vec<_>>();
        let index = names.iter().zip(strata.block_of).map(|(name, block)| ((*name).to_owned(), block)).collect();
        let strata = strata.members.iter().map(|block| self.fit_block(&members(block)));
        Ok(StratumModels { strata: strata.collect::<Result<_, _>>()?, index })
    }

    /// Fits a model to strata, by their numbers in the table.
    fn fit_block(&self, members: &[usize]) -> Result<Stratum, CliError> {
        let names: Vec<&str> = members.iter().map(|stratum| self.rows.strata()[*stratum].as_str()).collect();
        let name = names.join(" + ");
        let in_stratum = |error: CliError| error.inside(&format!("{} {name}", self.column));
        let scores = self.rows.scores(Some(members)).map_err(|error| in_stratum(error.into()))?;
        Ok(Stratum { model: learn(&scores, &self.settings, self.path).map_err(in_stratum)?, name })
    }
}
