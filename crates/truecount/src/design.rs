//! How labelled rows came into the sample: drawn with unequal probabilities, whose inverses are their weights, or in clusters.
//!
//! What follows for the means of a function of them is in `quantifier::class_means`.

use crate::numeric::sum::CompensatedSum;
use crate::{Class, Error, PerClass, Problem};
use std::collections::HashMap;

/// Weights and clusters of the labelled rows of each class, in the order of their scores.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Design {
    weights: Option<PerClass<Vec<f64>>>,
    clusters: Option<Clusters>,
    /// w/Σw.
    shares: PerClass<Vec<f64>>,
}

/// The clusters of the rows, numbered as they appear, positives first.
#[derive(Clone, Debug, PartialEq)]
struct Clusters {
    of: PerClass<Vec<u32>>,
    number: usize,
    /// How many hold rows of the class.
    holding: PerClass<usize>,
}

impl Design {
    /// Of so many rows of each class; none where rows count alike and were drawn one by one, as in a simple random sample of each class.
    ///
    /// # Errors
    /// [`Problem::TooFewClusters`] below two in a class.
    pub(crate) fn new(
        sizes: PerClass<usize>,
        weights: Option<PerClass<Vec<f64>>>,
        clusters: Option<&PerClass<Vec<u32>>>,
    ) -> Result<Option<Self>, Error> {
        let alike = |weights: &[f64]| weights.iter().all(|w| *w == weights[0]);
        let weights = weights.filter(|of| !(alike(&of.positive) && alike(&of.negative)));
        let clusters = clusters.map(Clusters::new).transpose()?;
        if weights.is_none() && clusters.is_none() {
            return Ok(None);
        }
        let shares = match &weights {
            None => sizes.map(|n| vec![1.0 / *n as f64; *n]),
            Some(weights) => weights.map(|of| {
                let total = of.iter().copied().collect::<CompensatedSum>().value();
                of.iter().map(|w| w / total).collect()
            }),
        };
        Ok(Some(Self { weights, clusters, shares }))
    }

    pub(crate) fn weights(&self) -> Option<&PerClass<Vec<f64>>> {
        self.weights.as_ref()
    }

    pub(crate) fn clusters(&self) -> Option<&PerClass<Vec<u32>>> {
        self.clusters.as_ref().map(|clusters| &clusters.of)
    }

    /// How many clusters there are, if rows are in clusters.
    pub(crate) fn cluster_number(&self) -> Option<usize> {
        self.clusters.as_ref().map(|clusters| clusters.number)
    }

    /// w/Σw of every row.
    pub(crate) fn shares(&self) -> &PerClass<Vec<f64>> {
        &self.shares
    }

    /// How many rows of equal weight each class is worth, (Σw)²/Σw².
    pub(crate) fn effective(&self) -> PerClass<f64> {
        self.shares.map(|of| of.iter().map(|share| share * share).collect::<CompensatedSum>().value().recip())
    }

    /// How many units were drawn of each class, of which one more than the degrees of freedom: its clusters, or its effective number.
    pub(crate) fn units(&self) -> PerClass<f64> {
        match &self.clusters {
            Some(clusters) => clusters.holding.map(|held| *held as f64),
            None => self.effective(),
        }
    }

    /// The class that is worth least, by its effective number or that of its clusters: its rows and that number.
    pub(crate) fn least(&self) -> (u64, f64) {
        let (units, effective) = (self.units(), self.effective());
        let positive = (self.shares.positive.len() as u64, units.positive.min(effective.positive));
        let negative = (self.shares.negative.len() as u64, units.negative.min(effective.negative));
        if positive.1 <= negative.1 { positive } else { negative }
    }

    /// Weighted means of values of the rows.
    pub(crate) fn means(&self, values: &PerClass<Vec<f64>>) -> PerClass<f64> {
        let mean =
            |of: &[f64], shares: &[f64]| of.iter().zip(shares).map(|(g, share)| share * g).collect::<CompensatedSum>();
        PerClass {
            positive: mean(&values.positive, &self.shares.positive).value(),
            negative: mean(&values.negative, &self.shares.negative).value(),
        }
    }

    /// Sums of values of a class's rows by cluster; without clusters the values themselves.
    pub(crate) fn by_unit(&self, class: Class, values: impl Iterator<Item = f64>) -> Vec<f64> {
        let Some(Clusters { of, number, .. }) = &self.clusters else { return values.collect() };
        let clusters = match class {
            Class::Positive => &of.positive,
            Class::Negative => &of.negative,
        };
        let mut sums = vec![0.0; *number];
        clusters.iter().zip(values).for_each(|(cluster, value)| sums[*cluster as usize] += value);
        sums
    }
}

impl Clusters {
    fn new(given: &PerClass<Vec<u32>>) -> Result<Self, Error> {
        let mut known: HashMap<u32, u32> = HashMap::new();
        let mut number = |cluster: &u32| {
            let next = u32::try_from(known.len()).expect("no more clusters than numbers for them");
            *known.entry(*cluster).or_insert(next)
        };
        let of = given.map(|of| of.iter().map(&mut number).collect::<Vec<u32>>());
        let number = known.len();
        let holding = of.try_map(|class, of| {
            let mut held = vec![false; number];
            for cluster in of {
                held[*cluster as usize] = true;
            }
            match held.iter().filter(|held| **held).count() {
                n if n < 2 => Err(Problem::TooFewClusters { class, n }),
                n => Ok(n),
            }
        })?;
        Ok(Self { of, number, holding })
    }
}
