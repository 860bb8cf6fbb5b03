//! The posterior distribution of the prevalence given counts of labelled and test scores in bins.
//!
//! `bcc` has the two bins on either side of the cutoff (Ziegler & Czyż 2023, "Bayesian
//! quantification with black-box estimators"; QuaPy's `BayesianCC`), `pq` the four bins between the
//! quartiles of the labelled scores (QuaPy's `PQ`, "Precise Quantifier"). The posterior is exact
//! instead of sampled.
//!
//! ```text
//! counts:   labelled positives ~ Mult(p⁺),   labelled negatives ~ Mult(p⁻),
//!           test scores ~ Mult(α p⁺ + (1 − α) p⁻)
//! priors:   p⁺ and p⁻ ~ Dirichlet(1, …, 1),   α ~ Beta(1, 1)
//! ```
//!
//! `posterior` computes the distribution.

use super::Method;
use super::method::{MethodRow, SummaryKind, VarianceOrigin};
use super::posterior::{Bin, Posterior};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::inference::Target;
use crate::numeric::edges::Edges;
use crate::tally::MethodTally;
use crate::training::Training;
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Bayesian Classify & Count, `bcc`: the posterior distribution given the counts on both sides
    /// of the cutoff.
    pub const BCC: Self = Self::from_row(&BCC);
    /// Precise Quantifier, `pq`: the posterior distribution given the counts between the quartiles
    /// of the labelled scores.
    pub const PQ: Self = Self::from_row(&MethodRow {
        name: "pq",
        summary: "Precise Quantifier: the posterior, from counts in 4 bins",
        fit: |training, _| Ok(Arc::new(Bayes::fit(training, quartiles(training), Target::Sample)?)),
        ..BCC
    });
}

const BCC: MethodRow = MethodRow {
    summary_kind: SummaryKind::Bins,
    variance: VarianceOrigin::Posterior,
    ..MethodRow::new("bcc", "Bayesian Classify & Count: the posterior, at the cutoff", |training, options| {
        Ok(Arc::new(Bayes::fit(training, vec![options.cutoff], Target::Population)?))
    })
};

/// The parameter of the Dirichlet priors: pseudo-counts of each class in each bin.
const PRIOR: f64 = 1.0;

#[derive(Clone, Debug)]
struct Bayes {
    edges: Edges,
    /// The number of labelled scores in each bin.
    labelled: PerClass<Vec<u64>>,
    /// The target whose posterior mean is the estimate.
    target: Target,
}

impl Bayes {
    fn fit(training: &Training, edges: Vec<f64>, target: Target) -> Result<Self, Error> {
        if edges.is_empty() {
            return Err(Problem::ClassesNotSeparated { max_j: 0.0 }.into());
        }
        let edges = Edges::new(edges);
        let labelled = training.labelled().scores().map(|scores| {
            let mut counts = vec![0; edges.len() + 1];
            assert!(edges.count(scores, |bin, n| counts[bin] += n), "labelled scores are finite");
            counts
        });
        Ok(Self { edges, labelled, target })
    }

    fn posterior(&self, state: &MethodTally) -> Posterior {
        let labelled = self.labelled.positive.iter().zip(&self.labelled.negative);
        let bins = labelled.zip(state.counts()).map(|((positive, negative), count)| Bin {
            positive: *positive as f64 + PRIOR,
            negative: *negative as f64 + PRIOR,
            count,
        });
        Posterior::new(&bins.collect::<Vec<_>>())
    }

    /// Returns the shares of the labelled classes at or above each edge.
    fn rates(&self) -> Vec<PerClass<f64>> {
        let shares = |counts: &Vec<u64>| {
            let total = counts.iter().sum::<u64>() as f64;
            let above = (1..counts.len()).map(|bin| counts[bin..].iter().sum::<u64>() as f64 / total);
            above.collect::<Vec<_>>()
        };
        let PerClass { positive, negative } = self.labelled.map(shares);
        positive.into_iter().zip(negative).map(|(positive, negative)| PerClass { positive, negative }).collect()
    }
}

/// Returns the distinct quartiles of all labelled scores (Hyndman & Fan 1996, type 7, as in numpy's
/// `quantile`). Scores equal to a quartile fall into the bin below it, as labelled scores do in
/// QuaPy.
fn quartiles(training: &Training) -> Vec<f64> {
    let PerClass { positive, negative } = training.labelled().scores();
    let mut sorted = [positive.as_slice(), negative].concat();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len() - 1;
    let mut edges: Vec<f64> = (1..4)
        .map(|quarter| {
            let (index, fraction) = (quarter * last / 4, (quarter * last % 4) as f64 / 4.0);
            let (lower, upper) = (sorted[index], sorted[(index + 1).min(last)]);
            // numpy interpolates from the nearer value.
            if fraction < 0.5 { lower + (upper - lower) * fraction } else { upper - (upper - lower) * (1.0 - fraction) }
        })
        .filter(|edge| *edge < sorted[last])
        .map(f64::next_up)
        .collect();
    edges.dedup();
    edges
}

impl Quantify for Bayes {
    fn edges(&self) -> Option<&Edges> {
        Some(&self.edges)
    }

    fn estimate(&self, state: &MethodTally) -> RawEstimate {
        let posterior = self.posterior(state);
        let raw = match self.target {
            Target::Sample => posterior.mean_in_sample(),
            Target::Population => posterior.mean_in_population(),
        };
        RawEstimate { posterior: Some(posterior), ..RawEstimate::without_variance(raw, Vec::new()) }
    }

    fn variance_description(&self) -> Option<&'static str> {
        Some("posterior given new and labelled counts (credible interval)")
    }

    /// Returns the largest difference of the labelled rates and its standard error.
    fn class_difference(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        let n = self.labelled.map(|counts| counts.iter().sum::<u64>() as f64);
        let variance = |rate: f64, n: f64| rate * (1.0 - rate) / n;
        let differences = self.rates().into_iter().map(|PerClass { positive: p, negative: q }| {
            (p - q, (variance(p, n.positive) + variance(q, n.negative)).sqrt())
        });
        differences.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        match (self.rates().as_slice(), self.target) {
            ([rates], Target::Population) => vec![
                ("cutoff", self.bin_edges()[0]),
                ("true_positive_rate", rates.positive),
                ("false_positive_rate", rates.negative),
            ],
            (rates, _) => vec![("bins", (rates.len() + 1) as f64)],
        }
    }
}
