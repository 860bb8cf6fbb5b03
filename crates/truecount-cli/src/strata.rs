//! Estimates with a model for each stratum, from files.

use crate::error::CliError;
use crate::groups::GroupRequest;
use crate::models::{learn, test_files};
use crate::options::TestArgs;
use crate::output::Stratum;
use crate::progress::ProgressBars;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use truecount::Settings;
use truecount::error::ErrorLocation;
use truecount::scores::PerClass;
use truecount_analysis::groups::GroupNames;
use truecount_analysis::sets::TestSets;
use truecount_analysis::strata::{SmallStrata, Strata, StratifiedGroups};
use truecount_analysis::totals::GroupEstimates;
use truecount_tables::groups::{Keys, TestFiles};
use truecount_tables::parallel::AllThreads;
use truecount_tables::{LabelledTable, input};

/// Reads labelled and test scores, fits a model to each stratum, and estimates the groups.
pub fn estimate(
    test_args: &TestArgs,
    paths: &[PathBuf],
    (stratum, small): (&str, SmallStrata),
    request: &GroupRequest,
) -> Result<(Keys, GroupEstimates, Vec<Stratum>), CliError> {
    let train = &test_args.source.train;
    let settings = train.settings()?;
    let files = &test_files(test_args, paths, test_args.columns.get());
    let path = train.labelled.path.as_deref().expect("labelled scores");
    let unit_interval = settings.unit_interval(files.columns.probability.is_some());
    let columns = test_args.source.train_columns.for_labelled_table(files.columns);
    let labelled = train.labelled.file(path, columns, unit_interval).table(Some(stratum), &ProgressBars)?;
    // The stratum is the last grouping column, unless it is one of the others already.
    let by = request.columns(files.by);
    let position = by.iter().position(|column| column == stratum);
    let columns: Vec<String> = by.iter().cloned().chain(position.is_none().then(|| stratum.to_owned())).collect();
    let rows = TestFiles { by: &columns, ..*files }.scores(unit_interval)?;
    let names = column(&rows.keys, position.unwrap_or(by.len()));
    let blocks = StratumBlocks::new(&labelled, &names, small, stratum, path)?;
    let strata = blocks.fit(&labelled, &settings, stratum, path)?;
    let (keys, numbers) = rows.keys.group_by(0..by.len())?;
    let sets = TestSets { sets: rows.contents.iter().map(|rows| rows.map(Vec::as_slice)).collect(), groups: None };
    let models = strata.iter().map(|stratum| &stratum.model).collect();
    let block_of = names.iter().map(|name| blocks.block_of[name]).collect();
    let parts = (numbers.as_slice(), keys.number());
    let groups = StratifiedGroups::new(&AllThreads, models, &sets, block_of, parts, request.interval_options)?;
    let (keys, estimates) = request.estimate_groups(&groups, &keys, files)?;
    Ok((keys, estimates, strata))
}

/// Returns the values of a grouping column.
fn column(keys: &Keys, index: usize) -> Vec<String> {
    let texts = keys.texts();
    (0..keys.number()).filter_map(|group| texts.group_texts(group).nth(index)).collect()
}

/// The blocks of strata; the strata of a block share a model.
struct StratumBlocks {
    /// The strata of each block, by their numbers in the labelled table.
    members: Vec<Vec<usize>>,
    /// The block of every stratum with test scores.
    block_of: HashMap<String, usize>,
}

impl StratumBlocks {
    /// Divides the strata with test scores into blocks.
    fn new(
        labelled: &LabelledTable,
        test_strata: &[String],
        small: SmallStrata,
        column: &str,
        path: &Path,
    ) -> Result<Self, CliError> {
        let mut names: Vec<&str> = test_strata.iter().map(String::as_str).collect();
        names.sort_unstable();
        names.dedup();
        let numbers: Vec<Option<usize>> =
            names.iter().map(|name| labelled.strata().iter().position(|stratum| stratum == name)).collect();
        let sizes = numbers.iter().map(|number| number.map_or(PerClass::default(), |number| labelled.sizes(number)));
        let strata = Strata::new(column, &names, &sizes.collect::<Vec<_>>(), small);
        let strata = strata.map_err(|problem| ErrorLocation::file(input::name(path)).error(problem))?;
        let members = strata.members.iter().map(|block| block.iter().filter_map(|name| numbers[*name]).collect());
        let block_of = names.iter().zip(strata.block_of).map(|(name, block)| ((*name).to_owned(), block)).collect();
        Ok(Self { members: members.collect(), block_of })
    }

    /// Fits a model to each block.
    fn fit(
        &self,
        labelled: &LabelledTable,
        settings: &Settings,
        column: &str,
        path: &Path,
    ) -> Result<Vec<Stratum>, CliError> {
        let fit = |members: &Vec<usize>| {
            let names: Vec<&str> = members.iter().map(|stratum| labelled.strata()[*stratum].as_str()).collect();
            let name = names.join(" + ");
            let in_stratum = |error: CliError| error.inside(&format!("{column} {name}"));
            let scores = labelled.scores(Some(members)).map_err(|error| in_stratum(error.into()))?;
            Ok(Stratum { model: learn(&scores, settings, path).map_err(in_stratum)?, name })
        };
        self.members.iter().map(fit).collect()
    }
}
