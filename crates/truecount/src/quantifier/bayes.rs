//! The prevalence's posterior distribution from counts in bins of the score, given those of
//! labelled scores, computed exactly where others sample: of the scores on either side of the
//! cutoff (Ziegler & Czyż 2023, "Bayesian quantification with black-box estimators"; QuaPy's
//! `BayesianCC`), and of those between the quartiles of the labelled scores (QuaPy's `PQ`, "Precise
//! Quantifier").
//!
//! ```text
//! counts in bins:   labelled positives ~ Mult(p⁺),   labelled negatives ~ Mult(p⁻),   test scores ~ Mult(α p⁺ + (1 − α) p⁻)
//! prior:            p⁺ and p⁻ ~ Dirichlet(1, …, 1),   α ~ Beta(1, 1)
//! ```
//!
//! `posterior` computes it.

use super::Method;
use super::method::{FamilyUse, MethodRow, RatesOrigin, SummaryKind, VarianceOrigin};
use super::posterior::{Bin, Posterior};
use super::quantify::Quantify;
use super::raw_estimate::RawEstimate;
use crate::inference::Target;
use crate::numeric::edges::Edges;
use crate::tally::TallyState;
use crate::training::{InputKind, Training};
use crate::{Error, PerClass, Problem};
use std::sync::Arc;

impl Method {
    /// Bayesian Classify & Count, `bcc`: the posterior distribution given the counts on both sides
    /// of the cutoff.
    pub const BCC: Self = Self::from_row(&BCC);
    /// Precise Quantifier, `pq`: the same given the counts between the quartiles of the labelled
    /// scores.
    pub const PQ: Self = Self::from_row(&MethodRow {
        name: "pq",
        summary: "Precise Quantifier: the posterior, from counts in 4 bins",
        fit: |training, _| Ok(Arc::new(Bayes::fit(training, quartiles(training), Target::Sample)?)),
        ..BCC
    });
}

const BCC: MethodRow = MethodRow {
    name: "bcc",
    aliases: &[],
    summary: "Bayesian Classify & Count: the posterior, at the cutoff",
    input: InputKind::Score,
    summary_kind: SummaryKind::Bins,
    family_use: FamilyUse::Unused,
    rates: RatesOrigin::Labels,
    model_rates: None,
    takes_label_design: false,
    variance: VarianceOrigin::Posterior,
    fit: |training, options| Ok(Arc::new(Bayes::fit(training, vec![options.cutoff], Target::Population)?)),
    fit_known: None,
};

/// The prior's scores of each class in each bin.
const PRIOR: f64 = 1.0;

#[derive(Clone, Debug)]
struct Bayes {
    edges: Edges,
    /// Labelled scores in each bin.
    labelled: PerClass<Vec<u64>>,
    /// Whose posterior mean is the estimate.
    of: Target,
}

impl Bayes {
    fn fit(training: &Training, edges: Vec<f64>, of: Target) -> Result<Self, Error> {
        if edges.is_empty() {
            return Err(Problem::NoSeparation { max_j: 0.0 }.into());
        }
        let edges = Edges::new(edges);
        let labelled = training.labelled().scores().map(|scores| {
            let mut counts = vec![0; edges.len() + 1];
            assert!(edges.count(scores, |bin, n| counts[bin] += n), "labelled scores are finite");
            counts
        });
        Ok(Self { edges, labelled, of })
    }

    fn posterior(&self, state: &TallyState) -> Posterior {
        let labelled = self.labelled.positive.iter().zip(&self.labelled.negative);
        let bins = labelled.zip(state.counts()).map(|((positive, negative), count)| Bin {
            positive: *positive as f64 + PRIOR,
            negative: *negative as f64 + PRIOR,
            count,
        });
        Posterior::new(&bins.collect::<Vec<_>>())
    }

    /// The shares of the labelled classes at or above each edge.
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

/// The quartiles of all labelled scores, as numpy's `quantile` has them (Hyndman & Fan 1996, type
/// 7), those that are the same merged. A score that is a quartile lies below it, where QuaPy has
/// the labelled ones.
fn quartiles(training: &Training) -> Vec<f64> {
    let PerClass { positive, negative } = training.labelled().scores();
    let mut sorted = [positive.as_slice(), negative].concat();
    sorted.sort_unstable_by(f64::total_cmp);
    let last = sorted.len() - 1;
    let mut edges: Vec<f64> = (1..4)
        .map(|quarter| {
            let (below, part) = (quarter * last / 4, (quarter * last % 4) as f64 / 4.0);
            let (from, to) = (sorted[below], sorted[(below + 1).min(last)]);
            // From the nearer one, as numpy does it.
            if part < 0.5 { from + (to - from) * part } else { to - (to - from) * (1.0 - part) }
        })
        .filter(|edge| *edge < sorted[last])
        .map(f64::next_up)
        .collect();
    edges.dedup();
    edges
}

impl Quantify for Bayes {
    fn empty_state(&self) -> TallyState {
        TallyState::empty_counts(&self.edges)
    }

    fn update(&self, state: &mut TallyState, values: &[f64]) -> Result<(), Error> {
        state.count(&self.edges, values)
    }

    fn bin_edges(&self) -> Vec<f64> {
        self.edges.iter().collect()
    }

    fn estimate(&self, state: &TallyState) -> RawEstimate {
        let posterior = self.posterior(state);
        let raw = match self.of {
            Target::Sample => posterior.mean_in_sample(),
            Target::Population => posterior.mean_in_population(),
        };
        RawEstimate { raw, variance: None, posterior: Some(posterior), origin: None, warnings: Vec::new() }
    }

    fn variance_description(&self) -> Option<&'static str> {
        Some("exact posterior of test and labelled counts (credible)")
    }

    /// By how much the labelled rates differ where they differ most.
    fn class_difference(&self, _: Option<(f64, f64)>) -> Option<(f64, f64)> {
        let n = self.labelled.map(|counts| counts.iter().sum::<u64>() as f64);
        let noise = |rate: f64, n: f64| rate * (1.0 - rate) / n;
        let each = self
            .rates()
            .into_iter()
            .map(|PerClass { positive: p, negative: q }| (p - q, (noise(p, n.positive) + noise(q, n.negative)).sqrt()));
        each.max_by(|a, b| a.0.total_cmp(&b.0))
    }

    fn parameters(&self) -> Vec<(&'static str, f64)> {
        match (self.rates().as_slice(), self.of) {
            ([rates], Target::Population) => vec![
                ("cutoff", self.bin_edges()[0]),
                ("true_positive_rate", rates.positive),
                ("false_positive_rate", rates.negative),
            ],
            (rates, _) => vec![("bins", (rates.len() + 1) as f64)],
        }
    }
}
