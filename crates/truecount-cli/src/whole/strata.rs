//! A model for each stratum: estimates of each group in each stratum, added up by the strata's shares of the group.

use super::{Asked, Known, compare};
use crate::advice::worded;
use crate::failure::Failure;
use crate::models::{learn, test_files};
use crate::options::{Tested, Train};
use crate::output::{Stratum, Whole};
use crate::progress::Bars;
use std::collections::HashMap;
use std::path::PathBuf;
use truecount::{PerClass, Reporting, Settings};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::held::{self, Few, Sets, added_up};
use truecount_tables::groups::{Groups, Keys, TestFiles};
use truecount_tables::parallel::AllThreads;
use truecount_tables::{LabelledTable, input};

/// Where strata are, and what to do with those of few labels.
pub struct Asking<'a> {
    tested: &'a Tested,
    train: &'a Train,
    settings: Settings,
    stratum: &'a str,
    few: Few,
}

/// Which labelled strata make a model together.
struct Blocks {
    /// The strata of each, by their numbers in the labelled table.
    members: Vec<Vec<usize>>,
    /// The block of a stratum with test scores.
    of_stratum: HashMap<String, usize>,
}

impl<'a> Asking<'a> {
    pub fn new(tested: &'a Tested, stratum: &'a str, few: Few) -> Result<Self, Failure> {
        let train = &tested.source.train;
        Ok(Self { tested, train, settings: train.settings()?, stratum, few })
    }

    /// Reads, fits and estimates.
    pub fn estimate(&self, paths: &[PathBuf], asked: &Asked, reporting: &Reporting) -> Result<Whole, Failure> {
        let source = &test_files(self.tested, paths, self.tested.columns.get());
        asked.check(source.by, reporting)?;
        if asked.summed.population.is_some() || asked.summed.cluster.is_some() {
            let message = "--stratum does not go together with --population and --cluster: leave out one of them";
            return Err(Failure::Usage(message.to_owned()));
        }
        let Self { train, settings, stratum, few, .. } = self;
        let columns = source.columns;
        let Some(path) = &train.labelled.path else {
            let message = "--stratum fits a model for each stratum: give labelled scores with --train";
            return Err(Failure::Usage(message.to_owned()));
        };
        let unit_interval = settings.unit_interval(columns.probability.is_some());
        let labelled = train.labelled.file(path, columns, unit_interval).table(Some(stratum), &Bars)?;
        // The stratum is read after the other columns, unless it is one of them.
        let by = asked.columns(source.by);
        let known = by.iter().position(|column| column == *stratum);
        let read: Vec<String> = by.iter().cloned().chain(known.is_none().then(|| (*stratum).to_owned())).collect();
        let kept = TestFiles { by: &read, ..*source }.scores(unit_interval)?;
        let of_cells = column(&kept.keys, known.unwrap_or(by.len()));
        let blocks = Blocks::new(&labelled, &of_cells, *few, stratum, &input::name(path))?;
        let strata =
            blocks.members.iter().map(|members| self.stratum(&labelled, members)).collect::<Result<Vec<_>, _>>()?;
        let (keys, numbers) = kept.keys.merged(0..by.len())?;
        let sets = kept.contents.iter().map(|rows| rows.map(Vec::as_slice)).collect();
        let models = strata.iter().map(|stratum| &stratum.model).collect();
        let of_cells = of_cells.iter().map(|name| blocks.of_stratum[name]).collect();
        let parts = (numbers.as_slice(), keys.number());
        let cells = held::Strata::new(&AllThreads, models, &Sets { sets, groups: None }, of_cells, parts, reporting)?;
        let (keys, Known { weights, .. }) = asked.known(&keys, source)?;
        let contents = cells.each().map_err(|(_, error)| error)?;
        let groups = Groups { keys, contents, together: None };
        let together = &cells.together;
        let total = match &weights {
            Some(weights) => Some(added_up(&groups.contents, together, weights, reporting)?),
            None if asked.summed.total => Some(cells.of(0..groups.contents.len())?),
            None => None,
        };
        let of_level = |level: &[u32]| Ok(cells.of(level.iter().map(|group| *group as usize))?);
        let compared =
            |reference| compare(reference, &groups, weights.as_deref(), together, Some(&of_level), reporting);
        let differences = asked.against.map(compared).transpose()?;
        Ok(Whole { groups, total, differences, strata })
    }

    /// A model of these strata.
    fn stratum(&self, labelled: &LabelledTable, members: &[usize]) -> Result<Stratum, Failure> {
        let names: Vec<&str> = members.iter().map(|stratum| labelled.strata()[*stratum].as_str()).collect();
        let name = names.join(" + ");
        let within = |failure: Failure| failure.inside(&format!("{} {name}", self.stratum));
        let path = self.train.labelled.path.as_deref().expect("labelled scores");
        let scores = labelled.scores(Some(members)).map_err(|error| within(error.into()))?;
        Ok(Stratum { model: learn(&scores, &self.settings, path).map_err(within)?, name })
    }
}

/// The values of a grouping column.
fn column(keys: &Keys, place: usize) -> Vec<String> {
    let texts = keys.texts();
    (0..keys.number()).filter_map(|group| texts.of(group).nth(place)).collect()
}

impl Blocks {
    /// A block for each stratum with test scores, of those with few labels one for all of them.
    fn new(labelled: &LabelledTable, tested: &[String], few: Few, column: &str, file: &str) -> Result<Self, Failure> {
        let mut names: Vec<&String> = tested.iter().collect();
        names.sort_unstable();
        names.dedup();
        let names: Vec<&str> = names.into_iter().map(String::as_str).collect();
        let places: Vec<Option<usize>> =
            names.iter().map(|name| labelled.strata().iter().position(|known| known == name)).collect();
        let sizes = places.iter().map(|place| place.map_or(PerClass::default(), |place| labelled.sizes(place)));
        let found = held::blocks(column, &names, &sizes.collect::<Vec<_>>(), few);
        let found = found.map_err(|refused| Failure::Data(format!("{file}: {}", worded(&refused))))?;
        let members = found.members.iter().map(|block| block.iter().filter_map(|place| places[*place]).collect());
        let of_stratum = names.iter().zip(found.of_strata).map(|(name, block)| ((*name).to_owned(), block)).collect();
        Ok(Self { members: members.collect(), of_stratum })
    }
}
