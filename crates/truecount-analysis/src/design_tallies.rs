//! Tallies of test sets under a sampling design: strata, clusters, replicate weights, or rows that
//! several classifiers have scored.

use crate::AnalysisProblem;
use crate::estimates::{first_error, tally_sets};
use crate::executor::Executor;
use crate::sets::TestSets;
use std::str::FromStr;
use truecount::error::Problem;
use truecount::model::{PooledTally, ReplicateVariance, TestDesign};
use truecount::{Batch, Error, Model, Tally};

/// The largest ratio of the sampled shares of two strata whose rows count as equal without weights.
const MAX_FRACTION_RATIO: f64 = 1.02;

/// The sampling design of tallies.
#[derive(Clone, Debug)]
pub enum PartDesign {
    /// Simple random samples.
    Simple,
    /// The cluster of each tally.
    Clusters(Vec<u32>),
    /// Strata.
    Strata {
        /// The stratum of each tally, numbered from 0.
        strata: Vec<u32>,
        /// The cluster of each tally, if clusters were drawn.
        clusters: Option<Vec<u32>>,
        /// The number of rows of each stratum in a finite population.
        sizes: Option<Vec<f64>>,
        /// The number of units drawn in each stratum, if some of them are not among the tallies.
        units: Option<Vec<f64>>,
    },
    /// The replicate of each tally, 0 for the estimate itself, and the formula.
    Replicates(Vec<u32>, ReplicateVariance),
    /// The scores of several classifiers for the rows of each tally.
    Pooled(Vec<PooledTally>),
}

impl PartDesign {
    /// Returns the design of these tallies, or `None` for simple random samples.
    ///
    /// # Errors
    /// Returns the errors of [`TestDesign::strata`], and [`AnalysisProblem::StrataNeedWeights`] if
    /// rows without weights stand for different numbers of rows of the population.
    pub fn with_tallies<'a>(&'a self, tallies: &'a [Tally]) -> Result<Option<TestDesign<'a>>, Error> {
        Ok(match self {
            Self::Simple => None,
            Self::Clusters(clusters) => Some(TestDesign::clusters(tallies, clusters)),
            Self::Strata { strata, clusters, sizes, units } => {
                let design = TestDesign::strata(tallies, strata, clusters.as_deref(), sizes.as_deref())?;
                let design = units.iter().fold(design, |design, units| design.with_units(units));
                let is_weighted = tallies.first().is_some_and(Tally::is_weighted);
                if let Some((least, most)) = design.fractions().filter(|_| !is_weighted)
                    && most > MAX_FRACTION_RATIO * least
                {
                    return Err(AnalysisProblem::StrataNeedWeights { least, most }.into());
                }
                Some(design)
            }
            Self::Replicates(replicates, formula) => Some(TestDesign::replicates(tallies, replicates, formula.clone())),
            Self::Pooled(pooled) => Some(TestDesign::pooled(tallies, pooled)?),
        })
    }
}

/// Tallies of test sets, with the groups and the sampling design that the sets are parts of.
pub struct DesignTallies {
    /// A tally of each set, and of each set with each column of replicate weights.
    pub tallies: Vec<Tally>,
    /// The group of each tally.
    pub groups: Vec<u32>,
    /// The design of the tallies.
    pub design: PartDesign,
}

impl DesignTallies {
    /// Tallies every set. `groups` has the group of each set.
    ///
    /// # Errors
    /// Returns an error for a score that the methods cannot use, with its set and row.
    pub fn new(
        executor: &impl Executor,
        model: &Model,
        sets: &TestSets,
        groups: Vec<u32>,
        design: PartDesign,
    ) -> Result<Self, Error> {
        Ok(Self { tallies: tally_sets(executor, model, sets)?, groups, design })
    }

    /// Adds a tally of every set with each column of replicate weights, whose rows are in the order of
    /// the sets.
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
        Ok(Self { design: PartDesign::Replicates(replicates, formula), ..self })
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
    /// The jackknife of pairs of clusters, one of each a column: 1.
    PairedJackknife,
    /// Successive differences: 4/R.
    SuccessiveDifferences,
}

impl ReplicateKind {
    /// Returns the formula of the variance from this number R of columns, with R − 1 degrees of freedom.
    pub fn variance(self, columns: usize) -> ReplicateVariance {
        let number = columns as f64;
        let factor = match self {
            Self::Bootstrap | Self::BalancedRepeated => 1.0 / number,
            Self::Fay(factor) => 1.0 / (number * (1.0 - factor).powi(2)),
            Self::Jackknife => (number - 1.0) / number,
            Self::PairedJackknife => 1.0,
            Self::SuccessiveDifferences => 4.0 / number,
        };
        ReplicateVariance { factors: vec![factor; columns], about_mean: false, dof: number - 1.0 }
    }
}

impl FromStr for ReplicateKind {
    type Err = AnalysisProblem;

    fn from_str(text: &str) -> Result<Self, AnalysisProblem> {
        let kinds = [
            ("bootstrap", Self::Bootstrap),
            ("brr", Self::BalancedRepeated),
            ("jk1", Self::Jackknife),
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
        let factor = |text: &str| text.parse::<ReplicateKind>().unwrap().variance(80).factors[0];
        let expected = [("sdr", 0.05), ("fay=0.5", 0.05), ("brr", 0.0125), ("jk1", 0.9875), ("jk2", 1.0)];
        for (text, expected) in expected {
            assert!((factor(text) - expected).abs() < 1e-15, "{text}");
        }
        assert!("fay=1".parse::<ReplicateKind>().is_err());
    }
}
