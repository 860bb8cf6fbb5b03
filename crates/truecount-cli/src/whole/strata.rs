//! A model for each stratum: estimates of each group in each stratum, added up by the strata's shares of the group.

use super::{Asked, Known, added_up, compare, methods};
use crate::failure::Failure;
use crate::models::{learn, test_files};
use crate::options::{Few, Tested, Train};
use crate::output::{Stratum, Whole};
use crate::progress::Bars;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use truecount::inference::FEW_LABELLED;
use truecount::{Estimates, Method, Model, PerClass, Reporting, Settings, Together, Warning};
use truecount_io::groups::{Groups, Keys, TestFiles};
use truecount_io::results::visible;
use truecount_io::{LabelledTable, input};

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
        let kept = Groups::scores(&TestFiles { by: &read, ..*source }, unit_interval)?;
        let of_cells = column(&kept.keys, known.unwrap_or(by.len()));
        let blocks = Blocks::new(&labelled, &of_cells, *few, stratum, &input::name(path))?;
        let strata =
            blocks.members.iter().map(|members| self.stratum(&labelled, members)).collect::<Result<Vec<_>, _>>()?;
        let among = reporting.among(kept.contents.len());
        let block = |cell: usize| blocks.of_stratum[&of_cells[cell]];
        let estimate = |(cell, rows): (usize, &input::Numbers<Vec<f64>>)| {
            Ok(strata[block(cell)].model.estimate(rows.batch()?, &among)?)
        };
        let cells = kept.contents.par_iter().enumerate().map(estimate).collect::<Result<Vec<Estimates>, Failure>>()?;
        let (keys, numbers) = kept.keys.merged(0..by.len())?;
        let (keys, Known { weights, .. }) = asked.known(&keys, source)?;
        let models: Vec<&Model> = strata.iter().map(|stratum| &stratum.model).collect();
        let together: Vec<(Method, Together)> = methods(models[0])
            .map(|method| Ok((method, Together::of_strata(&models, method)?)))
            .collect::<Result<_, Failure>>()?;
        let mut of_groups = vec![Vec::new(); keys.batch().num_rows()];
        for (cell, group) in numbers.iter().enumerate() {
            of_groups[*group as usize].push(cell);
        }
        let blocks = (0..cells.len()).map(block).collect();
        let cells = Cells {
            kept: &kept.contents,
            estimates: cells,
            blocks,
            strata: &strata,
            together: &together,
            reporting: among,
        };
        let sum = |of: &[usize]| cells.together(of);
        let contents = of_groups.iter().map(|of| sum(of)).collect::<Result<_, Failure>>()?;
        let groups = Groups { keys, contents, together: None };
        let total = match &weights {
            Some(weights) => Some(added_up(&groups, &together, weights, reporting)?),
            None if asked.summed.total => Some(sum(&(0..kept.contents.len()).collect::<Vec<_>>())?),
            None => None,
        };
        let of_level = |level: &[u32]| {
            sum(&level.iter().flat_map(|group| of_groups[*group as usize].iter().copied()).collect::<Vec<_>>())
        };
        let compared =
            |reference| compare(reference, &groups, weights.as_deref(), &together, Some(&of_level), reporting);
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

/// What is known of the cells.
struct Cells<'a> {
    kept: &'a [input::Numbers<Vec<f64>>],
    estimates: Vec<Estimates>,
    /// The block of each.
    blocks: Vec<usize>,
    strata: &'a [Stratum],
    together: &'a [(Method, Together)],
    reporting: Reporting,
}

impl Cells<'_> {
    /// Estimates of some cells together: of all scores of a stratum, added up by the strata's weights.
    fn together(&self, cells: &[usize]) -> Result<Estimates, Failure> {
        let mut of_blocks: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for cell in cells {
            of_blocks.entry(self.blocks[*cell]).or_default().push(*cell);
        }
        let of_block = |(block, cells): (usize, Vec<usize>)| {
            let estimates = match cells.as_slice() {
                [cell] => self.estimates[*cell].clone(),
                cells => {
                    let rows = input::Numbers::joined(cells.iter().map(|cell| &self.kept[*cell]));
                    self.strata[block].model.estimate(rows.batch()?, &self.reporting)?
                }
            };
            Ok((block, estimates))
        };
        let parts = of_blocks.into_iter().map(of_block).collect::<Result<Vec<(usize, Estimates)>, Failure>>()?;
        let by = |(method, together): &(Method, Together)| {
            let mut total = together.total();
            let mut warnings: Vec<Warning> = Vec::new();
            for (block, estimates) in &parts {
                let estimate = estimates.of(*method).expect("an estimate by every method");
                total.add_of(*block, estimate, estimate.total_weight())?;
                for warning in &estimate.warnings {
                    if !warnings.contains(warning) {
                        warnings.push(*warning);
                    }
                }
            }
            let mut estimate = total.of_sampled_shares(&self.reporting)?;
            estimate.warnings.extend(warnings);
            Ok(estimate)
        };
        self.together.iter().map(by).collect()
    }
}

/// The values of a grouping column.
fn column(keys: &Keys, place: usize) -> Vec<String> {
    let texts = keys.texts();
    (0..keys.batch().num_rows()).filter_map(|group| texts.of(group).nth(place)).collect()
}

impl Blocks {
    /// A block for each stratum with test scores, of those with few labels one for all of them.
    fn new(labelled: &LabelledTable, tested: &[String], few: Few, column: &str, file: &str) -> Result<Self, Failure> {
        let mut names: Vec<&String> = tested.iter().collect();
        names.sort_unstable();
        names.dedup();
        let place = |name: &str| labelled.strata().iter().position(|known| known == name);
        let sizes = |name: &str| place(name).map_or(PerClass::default(), |place| labelled.sizes(place));
        let least = |sizes: PerClass<usize>| sizes.positive.min(sizes.negative);
        let is_few = |sizes: PerClass<usize>| (least(sizes) as u64) < FEW_LABELLED;
        let told = |name: &str| {
            let PerClass { positive, negative } = sizes(name);
            format!("'{}' ({positive} positive and {negative} negative)", visible(name))
        };
        let small: Vec<&String> = names.iter().copied().filter(|name| is_few(sizes(name))).collect();
        if !small.is_empty() && few == Few::Refused {
            let all = small.iter().map(|name| told(name)).collect::<Vec<_>>().join(", ");
            return Err(Failure::Data(format!(
                "{file}: too few labelled scores for a model of its own: {column} {all}; label more, at least {FEW_LABELLED} of each \
                 class, or let such strata have a model together (--few pool)"
            )));
        }
        // Smallest first: the pool takes in as many as it needs.
        names.sort_by_key(|name| least(sizes(name)));
        let (mut pool, mut together) = (Vec::new(), PerClass::default());
        let mut own = Vec::new();
        for name in names {
            if is_few(sizes(name)) || (!pool.is_empty() && is_few(together)) {
                let PerClass { positive, negative } = sizes(name);
                together = PerClass { positive: together.positive + positive, negative: together.negative + negative };
                pool.push(name);
            } else {
                own.push(name);
            }
        }
        if !pool.is_empty() && is_few(together) {
            return Err(Failure::Data(format!(
                "{file}: too few labelled scores even for one model of all strata with test scores: {} positive and {} negative",
                together.positive, together.negative
            )));
        }
        let blocks = own.into_iter().map(|name| vec![name]).chain((!pool.is_empty()).then_some(pool));
        let (mut members, mut of_stratum) = (Vec::new(), HashMap::new());
        for block in blocks {
            members.push(block.iter().filter_map(|name| place(name)).collect());
            of_stratum.extend(block.into_iter().map(|name| (name.clone(), members.len() - 1)));
        }
        Ok(Self { members, of_stratum })
    }
}
