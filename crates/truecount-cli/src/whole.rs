//! Groups with what is known of them together: a total, the differences between them, finite populations.

use crate::bootstrap::Resampling;
use crate::failure::Failure;
use crate::options::{Sizes, Summed};
use crate::output::Differences;
use crate::progress::Bars;
use truecount::{Against, Estimates, Method, Model, Reporting, Tallies, Together};
use truecount_io::groups::{Comparison, Groups, Levels, Reference, TestFiles, sizes_in_table};

/// What is asked of groups besides an estimate of each.
pub struct Asked<'a> {
    pub summed: &'a Summed,
    /// What groups are compared with, if they are.
    pub against: Option<&'a Reference>,
}

/// Groups with what is known of them together.
pub struct Whole {
    pub groups: Groups<Estimates>,
    pub total: Option<Estimates>,
    pub differences: Option<Differences>,
}

impl Whole {
    /// Groups of which nothing else is asked.
    pub fn of(groups: Groups<Estimates>) -> Self {
        Self { groups, total: None, differences: None }
    }
}

impl Asked<'_> {
    /// Whether there is nothing but an estimate of each group, which needs no more than one pass.
    pub fn is_plain(&self) -> bool {
        let Summed { total, total_weights, population } = self.summed;
        !*total && total_weights.is_none() && population.is_none() && self.against.is_none()
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
            Summed { population: Some(Sizes::Number(size)), .. } if source.by.is_empty() => {
                reporting.of_population(*size)
            }
            Summed { population: Some(_), .. } => return Err(alone("--population of groups")),
            _ => *reporting,
        };
        let kept = Groups::kept(source, model)?;
        let total = self.summed.total.then(|| resampling.estimates(model, kept.together(), &reporting));
        let total = total.transpose()?.and_then(|total| total.contents.into_iter().next());
        Ok(Whole { total, ..Whole::of(resampling.estimates(model, kept, &reporting)?) })
    }

    /// Reads and estimates.
    pub fn estimate(&self, source: &TestFiles, model: &Model, reporting: &Reporting) -> Result<Whole, Failure> {
        self.check(source.by)?;
        let columns = self.columns_of_sizes();
        let by: Vec<String> = source.by.iter().chain(columns.iter().map(|(_, name)| *name)).cloned().collect();
        let tallied = Groups::tallied(&TestFiles { by: &by, ..*source }, model)?;
        let (tallied, of_columns) = tallied.with_sizes(source.by.len())?;
        let sizes = |asked: &Option<Sizes>| match asked {
            Some(Sizes::Table(path)) => Ok(Some(sizes_in_table(path, &tallied.keys, &Bars)?)),
            Some(Sizes::Column(name)) => {
                let place = columns.iter().position(|(_, known)| *known == name).expect("a column that is read");
                Ok::<_, Failure>(Some(of_columns[place].clone()))
            }
            Some(Sizes::Number(size)) => Ok(Some(vec![*size as f64])),
            None => Ok(None),
        };
        let (weights, populations) = (sizes(&self.summed.total_weights)?, sizes(&self.summed.population)?);
        let of_population = |size: f64| reporting.of_population(number(size));
        let of_group = |group: usize| populations.as_ref().map_or(*reporting, |sizes| of_population(sizes[group]));
        let of_all = populations.as_ref().map_or(*reporting, |sizes| of_population(sizes.iter().sum()));
        let groups = tallied.finished(model, of_group)?;
        let total = match (&weights, self.summed.is_total()) {
            (Some(weights), _) => Some(added_up(&groups, model, weights, of_group)?),
            (None, true) => {
                let whole = tallied.merged(&(0..).take(tallied.contents.len()).collect::<Vec<u32>>());
                Some(model.finish(&whole, &of_all)?)
            }
            (None, false) => None,
        };
        let compared = |reference| compare(reference, &tallied, &groups, weights.as_deref(), model, &of_all);
        let differences = self.against.map(compared).transpose()?;
        Ok(Whole { groups, total, differences })
    }

    /// The columns of the test table that have sizes, each once.
    fn columns_of_sizes(&self) -> Vec<(&Sizes, &String)> {
        let mut columns: Vec<(&Sizes, &String)> = Vec::new();
        for sizes in [&self.summed.total_weights, &self.summed.population].into_iter().flatten() {
            if let Sizes::Column(name) = sizes
                && columns.iter().all(|(_, known)| *known != name)
            {
                columns.push((sizes, name));
            }
        }
        columns
    }

    /// Refuses what cannot go together, before anything is read.
    fn check(&self, by: &[String]) -> Result<(), Failure> {
        let Summed { total_weights, population, .. } = self.summed;
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
            _ => Ok(()),
        }
    }
}

/// The differences between groups by every method.
fn compare(
    reference: &Reference,
    tallied: &Groups<Tallies>,
    groups: &Groups<Estimates>,
    weights: Option<&[f64]>,
    model: &Model,
    reporting: &Reporting,
) -> Result<Differences, Failure> {
    let levels = Levels::new(&groups.keys);
    let against = levels.against(reference, &groups.keys)?;
    let totals = match (&against, weights) {
        (Against::Total, None) => {
            let total = |level: &[u32]| model.finish(&tallied.merged(level), reporting);
            Some(levels.each().map(total).collect::<Result<Vec<_>, _>>()?)
        }
        _ => None,
    };
    let comparison = Comparison { levels: &levels, against: &against, weights, totals: totals.as_deref(), reporting };
    let mut rows = Vec::new();
    for method in methods(model) {
        rows.extend(comparison.differences(groups, &Together::of(model, method)?, method)?);
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
    model.quantifiers().iter().map(truecount::quantifier::Quantifier::method)
}

/// All groups by every method, with these weights.
fn added_up(
    groups: &Groups<Estimates>,
    model: &Model,
    weights: &[f64],
    reporting: impl Fn(usize) -> Reporting,
) -> Result<Estimates, Failure> {
    let of = |method: Method| {
        let together = Together::of(model, method)?;
        let mut total = together.total();
        for (group, (estimates, weight)) in groups.contents.iter().zip(weights).enumerate() {
            total.add(estimates.of(method).expect("an estimate by every method"), *weight, &reporting(group))?;
        }
        Ok(total.estimate(&reporting(0)))
    };
    methods(model).map(of).collect()
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
