//! Tallies of test sets under a sampling design: strata, clusters, replicate weights, or rows that
//! several classifiers have scored.

use crate::AnalysisProblem;
use crate::estimates::{first_error, tally_sets};
use crate::executor::Executor;
use crate::sets::TestSets;
use std::str::FromStr;
use truecount::error::Problem;
use truecount::model::{PooledTally, ReplicateVariance, SampledRows, TestDesign, TestStrata};
use truecount::multiclass::ClassProbabilities;
use truecount::{Batch, Error, Model, Tally};

/// The largest ratio of the sampled shares of two strata whose rows count as equal without weights.
const MAX_FRACTION_RATIO: f64 = 1.02;

/// The sampling design of tallies.
#[derive(Clone, Debug)]
pub enum CellDesign {
    /// Simple random samples.
    Simple,
    /// The cluster of each tally.
    Clusters(Vec<u32>),
    /// Strata.
    Strata(TestStrata),
    /// The replicate of each tally, 0 for the estimate itself, and the formula. It is empty for rows of
    /// several classes, which carry their replicate weights.
    Replicates(Vec<u32>, ReplicateVariance),
    /// The scores of several classifiers for the rows of each tally.
    Pooled(Vec<PooledTally>),
}

/// Creates a design from the units of each tally. Without strata, their list is empty.
impl From<TestStrata> for CellDesign {
    fn from(units: TestStrata) -> Self {
        match units.clusters {
            None if units.strata.is_empty() => Self::Simple,
            Some(clusters) if units.strata.is_empty() => Self::Clusters(clusters),
            clusters => Self::Strata(TestStrata { clusters, ..units }),
        }
    }
}

impl CellDesign {
    /// Returns the design of these tallies, or `None` for simple random samples.
    ///
    /// # Errors
    /// Returns the errors of [`TestDesign::strata`], and [`AnalysisProblem::StrataNeedWeights`] if
    /// rows without weights stand for different numbers of rows of the population.
    pub fn with_tallies<'a>(&'a self, tallies: &'a [Tally]) -> Result<Option<TestDesign<'a>>, Error> {
        Ok(match self {
            Self::Pooled(pooled) => Some(TestDesign::pooled(tallies, pooled)?),
            _ => self.with_units(tallies)?,
        })
    }

    /// Creates the design of rows of several classes with this number of replicate weights.
    ///
    /// # Errors
    /// Returns the errors of [`ReplicateKind::variance`].
    pub fn with_row_replicates(
        rows: &[ClassProbabilities],
        replicates: usize,
        kind: ReplicateKind,
    ) -> Result<Self, Error> {
        let weights = |replicate: usize| {
            let weights = rows.iter().filter_map(|rows| rows.weights(replicate));
            Ok(weights.flatten().copied().collect::<Vec<f64>>())
        };
        Ok(Self::Replicates(Vec::new(), kind.variance(replicates, weights)?))
    }

    /// Returns the design of these rows that one classifier has scored, or `None` for simple random samples.
    ///
    /// # Errors
    /// Returns the errors of [`with_tallies`](Self::with_tallies).
    pub fn with_units<'a, T: SampledRows>(&'a self, rows: &'a [T]) -> Result<Option<TestDesign<'a, T>>, Error> {
        Ok(match self {
            Self::Simple | Self::Pooled(_) => None,
            Self::Replicates(replicates, formula) => Some(TestDesign::replicates(rows, replicates, formula.clone())),
            Self::Clusters(clusters) => Some(TestDesign::clusters(rows, clusters)),
            Self::Strata(strata) => {
                let design = TestDesign::strata(rows, strata)?;
                let is_weighted = rows.first().is_some_and(T::is_weighted);
                if let Some((least, most)) = design.fractions().filter(|_| !is_weighted)
                    && most > MAX_FRACTION_RATIO * least
                {
                    return Err(AnalysisProblem::StrataNeedWeights { least, most }.into());
                }
                Some(design)
            }
        })
    }
}

/// Tallies of test sets, each a cell of a group, with their sampling design.
pub struct CellTallies {
    /// A tally of each set, and of each set with each column of replicate weights.
    pub tallies: Vec<Tally>,
    /// The group of each tally.
    pub groups: Vec<u32>,
    /// The design of the tallies.
    pub design: CellDesign,
}

impl CellTallies {
    /// Tallies every set. `groups` has the group of each set.
    ///
    /// # Errors
    /// Returns an error for a score that the methods cannot use, with its set and row.
    pub fn new(
        executor: &impl Executor,
        model: &Model,
        sets: &TestSets,
        groups: Vec<u32>,
        design: CellDesign,
    ) -> Result<Self, Error> {
        Ok(Self { tallies: tally_sets(executor, model, sets)?, groups, design })
    }

    /// Adds a tally of every set with each column of replicate weights, whose rows are in the order of the sets.
    ///
    /// # Errors
    /// Returns an error for a weight that cannot be used, with its set and row, and
    /// [`Problem::LengthMismatch`] for a column that is not as long as the sets together.
    pub fn with_replicates<'a>(
        mut self,
        executor: &impl Executor,
        model: &Model,
        sets: &TestSets,
        weights: impl Iterator<Item = &'a [f64]>,
        formula: ReplicateVariance,
    ) -> Result<Self, Error> {
        let groups = self.groups.clone();
        let mut replicates = vec![0; self.tallies.len()];
        let rows = sets.number_of_scores();
        for (replicate, mut weights) in (1..).zip(weights) {
            if weights.len() != rows {
                let column = "replicate_weights";
                return Err(Problem::LengthMismatch { column, values: weights.len(), others: rows }.into());
            }
            let mut replicate_sets = TestSets { sets: sets.sets.clone(), groups: sets.groups };
            for set in &mut replicate_sets.sets {
                let (own, others) = weights.split_at(set.scores.len());
                (set.weights, weights) = (Some(own), others);
            }
            self.tallies.extend(tally_sets(executor, model, &replicate_sets)?);
            self.groups.extend(&groups);
            replicates.resize(self.tallies.len(), replicate);
        }
        Ok(Self { design: CellDesign::Replicates(replicates, formula), ..self })
    }
}

/// Tallies every set, whose rows several classifiers have scored. `sets` have one score for each row, by a
/// classifier drawn with the shares; `classifiers` have the scores of all rows by each. If the sets have
/// probabilities, these scores are probabilities.
///
/// # Errors
/// Returns the errors of [`PooledTally::new`], and [`Problem::LengthMismatch`] for scores that are not as
/// many as those of the sets.
pub fn pooled_tallies(
    executor: &impl Executor,
    model: &Model,
    sets: &TestSets,
    classifiers: &[&[f64]],
    shares: &[f64],
) -> Result<Vec<PooledTally>, Error> {
    let rows = sets.number_of_scores();
    if let Some(column) = classifiers.iter().find(|column| column.len() != rows) {
        return Err(Problem::LengthMismatch { column: "scores", values: column.len(), others: rows }.into());
    }
    let ends = sets.sets.iter().scan(0, |end, set| {
        *end += set.scores.len();
        Some(*end)
    });
    let ranges: Vec<_> = sets.sets.iter().zip(ends).map(|(set, end)| (set, end - set.scores.len()..end)).collect();
    let pooled = executor.map(&ranges, |(set, range)| {
        let columns = classifiers.iter().map(|column| &column[range.clone()]);
        let batch = |scores| {
            Batch::new(scores).with_probabilities(set.probabilities.map(|_| scores))?.with_weights(set.weights)
        };
        let batches = columns.map(batch).collect::<Result<Vec<Batch>, _>>()?;
        PooledTally::new(model, &batches, shares)
    });
    first_error(pooled).map_err(|error| sets.map_row(error))
}

/// The kind of R columns of replicate weights, which decides the factors of the squared deviations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ReplicateKind {
    /// Bootstrap: 1/R.
    Bootstrap,
    /// Balanced repeated replication: 1/R.
    BalancedRepeated,
    /// Balanced repeated replication with Fay's factor ρ in [0, 1): 1/(R(1 − ρ)²).
    Fay(f64),
    /// The jackknife that deletes one cluster a column: (R − 1)/R.
    Jackknife,
    /// The jackknife that deletes one of the m clusters of a stratum a column: (m − 1)/m.
    StratifiedJackknife,
    /// The jackknife of pairs of clusters, one of each a column: 1.
    PairedJackknife,
    /// Successive differences: 4/R.
    SuccessiveDifferences,
}

impl ReplicateKind {
    /// Returns the formula of the variance from this number R of columns, with R − 1 degrees of
    /// freedom, or with R less the number of strata. `read` returns the weights of the rows: 0 those of
    /// the estimate, 1 to R the replicate weights. Only those of a jackknife are read.
    ///
    /// # Errors
    /// Returns the errors of `read`, [`AnalysisProblem::OptionConflict`] if the weights are those of
    /// another kind of jackknife, and [`Problem::LengthMismatch`] for columns of unequal lengths.
    pub fn variance<C: AsRef<[f64]>>(
        self,
        columns: usize,
        mut read: impl FnMut(usize) -> Result<C, Error>,
    ) -> Result<ReplicateVariance, Error> {
        let number = columns as f64;
        let factor = match self {
            Self::Bootstrap | Self::BalancedRepeated => 1.0 / number,
            Self::Fay(factor) => 1.0 / (number * (1.0 - factor).powi(2)),
            Self::Jackknife => (number - 1.0) / number,
            Self::StratifiedJackknife => f64::NAN,
            Self::PairedJackknife => 1.0,
            Self::SuccessiveDifferences => 4.0 / number,
        };
        let formula = ReplicateVariance { factors: vec![factor; columns], about_mean: false, dof: number - 1.0 };
        if !matches!(self, Self::Jackknife | Self::PairedJackknife | Self::StratifiedJackknife) {
            return Ok(formula);
        }
        let weights = read(0)?;
        let mut strata = JackknifeStrata::new(weights.as_ref());
        (1..=columns).try_for_each(|column| strata.add(read(column)?.as_ref()))?;
        match self {
            Self::StratifiedJackknife => strata.variance(),
            Self::PairedJackknife => strata.check_pairs().map(|()| formula),
            _ => strata.check_single().map(|()| formula),
        }
    }
}

/// The strata of a jackknife, found from its columns of weights.
///
/// A column deletes one of the m clusters of a stratum and multiplies the weights of the others by a = m/(m − 1). Its
/// factor in the variance is 1/a, and 1 − 1/a = 1/m adds up to 1 over the columns that change a row.
struct JackknifeStrata<'a> {
    weights: &'a [f64],
    factors: Vec<f64>,
    /// Whether all weights that a column changes are 0 or multiplied by the same a > 1.
    is_even: bool,
    /// Σ 1/m over the columns that change a row.
    changes: Vec<f64>,
    /// The number of weights that are not 0 in all columns, and of those that are unchanged.
    kept: usize,
    unchanged: usize,
}

impl<'a> JackknifeStrata<'a> {
    /// Largest difference, relative to a − 1 or to 1, that the rounding of weights explains.
    const ROUNDING: f64 = 0.1;

    fn new(weights: &'a [f64]) -> Self {
        let changes = vec![0.0; weights.len()];
        Self { weights, factors: Vec::new(), is_even: true, changes, kept: 0, unchanged: 0 }
    }

    fn add(&mut self, column: &[f64]) -> Result<(), Error> {
        let (values, others) = (column.len(), self.weights.len());
        if values != others {
            return Err(Problem::LengthMismatch { column: "replicate_weights", values, others }.into());
        }
        let rows = || self.weights.iter().zip(column).filter(|(weight, _)| **weight > 0.0);
        let is_changed = |weight: f64, replicate: f64| (replicate - weight).abs() > 1e-9 * weight;
        let kept = || rows().filter(|(_, replicate)| **replicate > 0.0);
        let grown = || kept().filter(|(weight, replicate)| is_changed(**weight, **replicate));
        let sum = |sum: (f64, f64), (weight, replicate): (&f64, &f64)| (sum.0 + weight, sum.1 + replicate);
        let (before, after) = grown().fold((0.0, 0.0), sum);
        self.kept += kept().count();
        self.unchanged += kept().count() - grown().count();
        let factor = before / after;
        let rounding = Self::ROUNDING * (1.0 / factor - 1.0);
        self.is_even &= grown().all(|(weight, replicate)| (replicate / weight - 1.0 / factor).abs() <= rounding);
        // A column may delete a cluster of a stratum without other rows here.
        self.factors.push(if after > 0.0 { factor } else { 0.0 });
        for ((change, weight), replicate) in self.changes.iter_mut().zip(self.weights).zip(column) {
            if *weight > 0.0 && is_changed(*weight, *replicate) {
                *change += 1.0 - factor;
            }
        }
        Ok(())
    }

    /// Checks that the columns change the weights of all rows.
    fn check_single(&self) -> Result<(), Error> {
        if self.unchanged * 10 <= self.kept {
            return Ok(());
        }
        let share = 100.0 * self.unchanged as f64 / self.kept as f64;
        Err(AnalysisProblem::option_conflict(
            format!("{{--replicate-type=jk1}}: each column changes all weights, but here {share:.0} % are unchanged"),
            "if a column deletes one cluster of a stratum, use {--replicate-type=jkn}; one of a pair, jk2",
        ))
    }

    /// Checks that a column changes only one pair of clusters, as far as the columns show their strata.
    fn check_pairs(&self) -> Result<(), Error> {
        if !self.is_even || self.changes.iter().all(|change| *change < 0.5 + Self::ROUNDING) {
            return Ok(());
        }
        Err(AnalysisProblem::option_conflict(
            "{--replicate-type=jk2}: one column changes the weights of a pair of clusters, but here several do",
            "if each column deletes one cluster of a stratum, use {--replicate-type=jkn}",
        ))
    }

    fn variance(self) -> Result<ReplicateVariance, Error> {
        let is_complete = |change: &f64| *change == 0.0 || (change - 1.0).abs() <= Self::ROUNDING;
        if !self.is_even || !self.changes.iter().all(is_complete) {
            return Err(AnalysisProblem::option_conflict(
                "{--replicate-type=jkn}: the columns do not delete each cluster of a stratum once and multiply the \
                 weights of its other clusters by m/(m - 1)",
                "if a column deletes one of a pair of clusters, use {--replicate-type=jk2}",
            ));
        }
        let dof = self.factors.iter().sum();
        Ok(ReplicateVariance { factors: self.factors, about_mean: false, dof })
    }
}

impl FromStr for ReplicateKind {
    type Err = AnalysisProblem;

    fn from_str(text: &str) -> Result<Self, AnalysisProblem> {
        let kinds = [
            ("bootstrap", Self::Bootstrap),
            ("brr", Self::BalancedRepeated),
            ("jk1", Self::Jackknife),
            ("jkn", Self::StratifiedJackknife),
            ("jk2", Self::PairedJackknife),
            ("sdr", Self::SuccessiveDifferences),
        ];
        if let Some((_, kind)) = kinds.iter().find(|(name, _)| *name == text) {
            return Ok(*kind);
        }
        let factor = text.strip_prefix("fay=").and_then(|factor| factor.parse().ok());
        let factor = factor.filter(|factor| (0.0..1.0).contains(factor));
        factor.map(Self::Fay).ok_or_else(|| AnalysisProblem::NotAReplicateKind { value: text.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_the_factors_of_their_definitions() {
        let jackknife = |column: usize| {
            let deleted = |row: usize| if row + 1 == column { 0.0 } else { 80.0 / 79.0 };
            Ok((0..80).map(|row| if column == 0 { 1.0 } else { deleted(row) }).collect::<Vec<f64>>())
        };
        let factor = |text: &str| text.parse::<ReplicateKind>().unwrap().variance(80, jackknife).unwrap().factors[0];
        let expected = [("sdr", 0.05), ("fay=0.5", 0.05), ("brr", 0.0125), ("jk1", 0.9875), ("jkn", 0.9875)];
        for (text, expected) in expected {
            assert!((factor(text) - expected).abs() < 1e-14, "{text}");
        }
        let pairs = ReplicateKind::PairedJackknife.variance(80, |_| Ok([1.0])).unwrap();
        assert!((pairs.factors[0] - 1.0).abs() < 1e-14);
        assert!("fay=1".parse::<ReplicateKind>().is_err());
    }

    /// A column deletes one of the m rows of its stratum, and its factor is (m - 1)/m.
    #[test]
    fn a_stratified_jackknife_has_the_factors_of_its_strata() {
        use ReplicateKind::{Jackknife, PairedJackknife, StratifiedJackknife};
        let stratum = |row: usize| if row < 50 { 0..50 } else { 50..80 };
        let size = |row: usize| stratum(row).len() as f64;
        let weights = |column: usize| {
            let weight = |row: usize| match column.checked_sub(1) {
                Some(deleted) if deleted == row => 0.0,
                Some(deleted) if stratum(deleted).contains(&row) => size(row) / (size(row) - 1.0),
                _ => 1.0,
            };
            Ok((0..80).map(weight).collect::<Vec<f64>>())
        };
        for (row, factor) in StratifiedJackknife.variance(80, weights).unwrap().factors.into_iter().enumerate() {
            assert!((factor - (size(row) - 1.0) / size(row)).abs() < 1e-14, "{row}: {factor}");
        }
        assert!(Jackknife.variance(80, weights).is_err() && PairedJackknife.variance(80, weights).is_err());
        assert!(StratifiedJackknife.variance(2, |column| Ok([1.0, 1.0 + column as f64])).is_err());
    }
}
