//! Groups with what is known of them together: a total, the differences between them, finite populations, clusters, strata.

mod strata;

pub use strata::Asking;

use crate::bootstrap::Resampling;
use crate::failure::Failure;
use crate::options::{Sizes, Summed};
use crate::output::{Differences, Whole};
use crate::progress::Bars;
use truecount::quantifier::Quantifier;
use truecount::{Against, Estimates, Method, Model, Reporting, Target, Together};
use truecount_analysis::compared::{Comparison, Levels, Reference};
use truecount_analysis::groups::GroupNames;
use truecount_analysis::held::{Cells, added_up};
use truecount_tables::groups::{Groups, Keys, TestFiles, sizes_in_columns, sizes_in_table};
use truecount_tables::parallel::AllThreads;

/// What is asked of groups besides an estimate of each.
pub struct Asked<'a> {
    pub summed: &'a Summed,
    /// What groups are compared with, if they are.
    pub against: Option<&'a Reference>,
}

/// What is known of the groups' sizes.
struct Known {
    weights: Option<Vec<f64>>,
    populations: Option<Vec<f64>>,
}

impl Asked<'_> {
    /// Whether there is nothing but an estimate of each group, which needs no more than one pass.
    pub fn is_plain(&self) -> bool {
        let Summed { total, total_weights, population, cluster } = self.summed;
        !*total && total_weights.is_none() && population.is_none() && cluster.is_none() && self.against.is_none()
    }

    /// Reads and estimates with the bootstrap, which has no differences and no sums of groups.
    pub fn resample(
        &self,
        resampling: &Resampling,
        source: &TestFiles,
        model: &Model,
        reporting: &Reporting,
    ) -> Result<Whole, Failure> {
        let alone =
            |option| Failure::Usage(format!("{option} has formulas of its own: leave out --interval bootstrap"));
        let reporting = match self.summed {
            _ if self.against.is_some() => return Err(alone("a comparison")),
            Summed { total_weights: Some(_), .. } => return Err(alone("--total-weights")),
            Summed { cluster: Some(_), .. } => return Err(alone("--cluster")),
            Summed { population: Some(Sizes::Number(size)), .. } if source.by.is_empty() => {
                reporting.of_population(*size)
            }
            Summed { population: Some(_), .. } => return Err(alone("--population of groups")),
            _ => *reporting,
        };
        let kept = source.kept(model)?;
        let total = self.summed.total.then(|| resampling.estimates(model, kept.joined(Keys::none()), &reporting));
        let total = total.transpose()?.and_then(|total| total.contents.into_iter().next());
        Ok(Whole { total, ..Whole::of(resampling.estimates(model, kept, &reporting)?) })
    }

    /// Reads and estimates.
    pub fn estimate(&self, source: &TestFiles, model: &Model, reporting: &Reporting) -> Result<Whole, Failure> {
        self.check(source.by, reporting)?;
        let columns = self.columns(source.by);
        let cluster = self.summed.cluster.as_ref();
        let by: Vec<String> = columns.iter().chain(cluster).cloned().collect();
        let tallied = TestFiles { by: &by, ..*source }.tallied(model)?;
        let (keys, numbers) = tallied.keys.merged(0..columns.len())?;
        let clusters = cluster.map(|_| tallied.keys.merged([columns.len()])).transpose()?;
        let clusters = clusters.as_ref().map(|(_, numbers)| numbers.as_slice());
        let cells = Cells::of_parts(&tallied.contents, &numbers, keys.number(), clusters);
        let (keys, known) = self.known(&keys, source)?;
        let populations = known.populations.as_deref();
        let of_population = |size: f64| reporting.of_population(number(size));
        let of_group = |group: usize| populations.map_or(*reporting, |sizes| of_population(sizes[group]));
        let of_all = populations.map_or(*reporting, |sizes| of_population(sizes.iter().sum()));
        let contents = cells.each(&AllThreads, model, of_group).map_err(|(_, error)| error)?;
        let groups = Groups { keys, contents, together: tallied.together.clone() };
        let together: Vec<(Method, Together)> = if known.weights.is_some() || self.against.is_some() {
            methods(model).map(|method| Ok((method, Together::of(model, method)?))).collect::<Result<_, Failure>>()?
        } else {
            Vec::new()
        };
        let total = match &known.weights {
            Some(weights) => Some(added_up(&groups.contents, &together, weights, &of_all)?),
            None if self.summed.total => Some(cells.together(model, 0..cells.number(), &of_all)?),
            None => None,
        };
        let differences = self.against.map(|reference| {
            let total =
                |level: &[u32]| Ok(cells.together(model, level.iter().map(|group| *group as usize), &of_all)?);
            compare(reference, &groups, known.weights.as_deref(), &together, Some(&total), &of_all)
        });
        Ok(Whole { total, differences: differences.transpose()?, ..Whole::of(groups) })
    }

    /// The grouping columns, and after them those that have sizes, each once.
    fn columns(&self, by: &[String]) -> Vec<String> {
        let mut columns = by.to_vec();
        for sizes in [&self.summed.total_weights, &self.summed.population].into_iter().flatten() {
            if let Sizes::Column(name) = sizes
                && !columns[by.len()..].contains(name)
            {
                columns.push(name.clone());
            }
        }
        columns
    }

    /// The groups, and what is known of their sizes, from keys that have the columns of sizes too.
    fn known(&self, keys: &Keys, source: &TestFiles) -> Result<(Keys, Known), Failure> {
        let (by, decimal) = (source.by.len(), source.columns.decimal);
        let names: Vec<String> = keys.columns().skip(by).map(str::to_owned).collect();
        let (keys, in_columns) = if names.is_empty() {
            (keys.clone(), Vec::new())
        } else {
            sizes_in_columns(keys, by, decimal.unwrap_or_default())?
        };
        let sizes = |asked: &Option<Sizes>| match asked {
            Some(Sizes::Table(path)) => Ok(Some(sizes_in_table(path, &keys, decimal, &Bars)?)),
            Some(Sizes::Column(column)) => {
                let place = names.iter().position(|name| name == column).expect("a column that is read");
                Ok::<_, Failure>(Some(in_columns[place].clone()))
            }
            Some(Sizes::Number(size)) => Ok(Some(vec![*size as f64])),
            None => Ok(None),
        };
        let known = Known { weights: sizes(&self.summed.total_weights)?, populations: sizes(&self.summed.population)? };
        Ok((keys, known))
    }

    /// Refuses what cannot go together, before anything is read.
    fn check(&self, by: &[String], reporting: &Reporting) -> Result<(), Failure> {
        let Summed { total_weights, population, cluster, .. } = self.summed;
        let wrong = |message: &str| Err(Failure::Usage(message.to_owned()));
        match (total_weights, population) {
            (Some(Sizes::Number(_)), _) => {
                wrong("--total-weights takes sizes of groups: a column of the test table, or a table that is there")
            }
            (Some(_), _) if by.is_empty() => wrong("--total-weights adds up groups: name their columns with --by"),
            (_, Some(Sizes::Number(_))) if !by.is_empty() => wrong(
                "--population with --by takes a size for each group: a column of the test table, or a table with the columns of \
                 --by and a column size",
            ),
            _ if by.is_empty() && self.against.is_some() => wrong("groups are compared: name their columns with --by"),
            (_, None) if cluster.is_some() && reporting.target() == Target::Sample => wrong(
                "--cluster says how the test scores were drawn, which matters for the population they were drawn from: add \
                 --target population (of the labelled scores it is --label-cluster)",
            ),
            _ if cluster.as_ref().is_some_and(|cluster| by.contains(cluster)) => {
                wrong("--cluster and --by name the same column: each group would be one cluster")
            }
            _ => Ok(()),
        }
    }
}

/// The estimates of the groups of a level together.
type OfLevel<'a> = &'a dyn Fn(&[u32]) -> Result<Estimates, Failure>;

/// The differences between groups by every method. Groups are added up by their weights, or by their scores, and estimated from
/// together where that is known.
fn compare(
    reference: &Reference,
    groups: &Groups<Estimates>,
    weights: Option<&[f64]>,
    together: &[(Method, Together)],
    of_level: Option<OfLevel>,
    reporting: &Reporting,
) -> Result<Differences, Failure> {
    let levels = Levels::new(&groups.keys);
    let against = levels.against(reference, &groups.keys)?;
    let totals = match (&against, weights, of_level) {
        (Against::Total, None, Some(of_level)) => Some(levels.each().map(of_level).collect::<Result<Vec<_>, _>>()?),
        _ => None,
    };
    let comparison = Comparison { levels: &levels, against: &against, weights, totals: totals.as_deref(), reporting };
    let mut rows = Vec::new();
    for (method, together) in together {
        rows.extend(comparison.differences(&AllThreads, groups, together, *method)?);
    }
    let title = match &against {
        Against::Previous => "Differences from the one before".to_owned(),
        Against::Total => "Differences from all together".to_owned(),
        Against::Rest => "Differences from all others together".to_owned(),
        Against::All => "Differences".to_owned(),
        Against::Group(_) => format!("Differences from {}", rows.first().map_or("", |row| &row.against)),
    };
    Ok(Differences { rows, title, against: against == Against::All })
}

/// The methods of a model.
pub fn methods(model: &Model) -> impl Iterator<Item = Method> + '_ {
    model.quantifiers().iter().map(Quantifier::method)
}

/// Sizes are whole numbers, or as good as.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // sizes are above 0
fn number(size: f64) -> u64 {
    size.round() as u64
}

/// What a reference is written as.
#[allow(clippy::unnecessary_wraps)] // as parsers are
pub fn reference(text: &str) -> Result<Reference, String> {
    Ok(Reference::parse(text))
}
