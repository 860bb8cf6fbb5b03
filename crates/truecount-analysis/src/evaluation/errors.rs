//! Error measures, coverage of the intervals, and the comparison with the reference method.

use super::samples::{CheckSummary, MethodEstimates, SampleEstimates, SamplingDesign};
use truecount::Error;
use truecount::evaluation::{Mean, Measure, Outcome, PairedComparison, holm};

/// The errors of a method, as far as they can be computed.
pub struct MethodErrors<'a> {
    /// The method.
    pub name: &'a str,
    /// The number of samples.
    pub samples: usize,
    /// The reference method.
    pub reference: &'a str,
    /// Means of the measures, in the order of [`Measure::TABLE`].
    measures: Vec<Option<Mean>>,
    /// The share of the intervals that contain the true prevalence.
    pub coverage: Option<Mean>,
    /// The mean width of the intervals.
    pub width: Option<Mean>,
    /// Coverage and mean width of the intervals that are widened for misfit.
    pub widened: Option<[Mean; 2]>,
    /// The result of the shift check of the samples.
    pub checks: Option<&'a CheckSummary>,
    /// The comparison of the reference with this method; `None` for the reference itself.
    pub comparison: Option<AdjustedComparison>,
}

/// A comparison with its p-value adjusted for the number of comparisons.
pub struct AdjustedComparison {
    /// The comparison.
    pub comparison: PairedComparison,
    /// The adjusted p-value, if there is one.
    pub adjusted: Option<f64>,
}

/// The errors of all methods.
pub struct Evaluation<'a> {
    /// The number of samples.
    pub samples: usize,
    /// The reference method.
    pub reference: &'a str,
    /// The errors of each method.
    pub methods: Vec<MethodErrors<'a>>,
    /// The way in which samples were drawn, if known.
    pub design: Option<SamplingDesign>,
    /// The result of the shift check of the samples.
    pub checks: Option<&'a CheckSummary>,
}

impl<'a> Evaluation<'a> {
    /// Computes the errors, and compares each method with the method at the index `reference`.
    ///
    /// # Errors
    /// Returns an error for a prevalence that is not in [0, 1].
    pub fn new(evaluated: &'a SampleEstimates, reference: usize) -> Result<Self, Error> {
        let outcomes =
            evaluated.methods.iter().map(|method| outcomes(evaluated, method)).collect::<Result<Vec<_>, _>>()?;
        let absolute = |i: usize| values(Measure::AbsoluteError, &outcomes[i]).expect("no size is needed");
        let reference_errors = absolute(reference);
        let compare =
            |i: usize| (i != reference).then(|| PairedComparison::new(&reference_errors, &absolute(i))).transpose();
        let comparisons = (0..outcomes.len()).map(compare).collect::<Result<Vec<_>, _>>()?;
        let p_values: Vec<f64> = comparisons.iter().flatten().filter_map(|comparison| comparison.p_value).collect();
        let mut adjusted = holm(&p_values).into_iter();
        let mut methods = Vec::new();
        let name = &evaluated.methods[reference].name;
        for (index, (outcomes, comparison)) in outcomes.iter().zip(comparisons).enumerate() {
            let comparison = comparison.map(|comparison| AdjustedComparison {
                comparison,
                adjusted: comparison.p_value.and_then(|_| adjusted.next()),
            });
            methods.push(MethodErrors::new(evaluated, name, index, outcomes, comparison));
        }
        Ok(Self {
            samples: evaluated.samples.len(),
            reference: name,
            methods,
            design: evaluated.design,
            checks: evaluated.checks.as_ref(),
        })
    }
}

impl<'a> MethodErrors<'a> {
    fn new(
        evaluated: &'a SampleEstimates,
        reference: &'a str,
        index: usize,
        outcomes: &[Outcome],
        comparison: Option<AdjustedComparison>,
    ) -> Self {
        let mean = |measure| values(measure, outcomes).map(|values| Mean::from_values(&values));
        let measures = Measure::TABLE.iter().map(|(_, measure, _)| mean(*measure)).collect();
        let method = &evaluated.methods[index];
        let coverage_and_width = |method: &MethodEstimates| {
            let mean = |f: fn([f64; 2], f64) -> f64| {
                let pairs = method.intervals.as_ref()?.iter().zip(&evaluated.samples);
                Some(Mean::from_values(&pairs.map(|(limits, sample)| f(*limits, sample.truth)).collect::<Vec<_>>()))
            };
            let coverage = mean(|[lower, upper], truth| f64::from(u8::from(lower <= truth && truth <= upper)))?;
            Some([coverage, mean(|[lower, upper], _| upper - lower)?])
        };
        let checks = evaluated.checks.as_ref();
        let plain = coverage_and_width(method);
        Self {
            name: &method.name,
            samples: evaluated.samples.len(),
            reference,
            measures,
            coverage: plain.map(|[coverage, _]| coverage),
            width: plain.map(|[_, width]| width),
            widened: checks.and_then(|checks| coverage_and_width(&checks.widened[index])),
            checks,
            comparison,
        }
    }

    /// Returns the mean of a measure; `None` if it needs sizes that are not known.
    pub fn mean(&self, measure: Measure) -> Option<Mean> {
        let index = Measure::TABLE.iter().position(|(_, other, _)| *other == measure)?;
        self.measures[index]
    }

    /// Returns the root mean squared error.
    pub fn rmse(&self) -> Option<Mean> {
        self.mean(Measure::SquaredError).map(Mean::root)
    }
}

/// Returns every estimate with the true prevalence of its sample.
fn outcomes(evaluated: &SampleEstimates, method: &MethodEstimates) -> Result<Vec<Outcome>, Error> {
    let pairs = evaluated.samples.iter().zip(&method.estimates);
    pairs.map(|(sample, estimate)| Outcome::new(sample.truth, *estimate, sample.n)).collect()
}

/// Returns the value of a measure for each sample; `None` if it is not known for all.
fn values(measure: Measure, outcomes: &[Outcome]) -> Option<Vec<f64>> {
    outcomes.iter().map(|outcome| measure.evaluate(outcome)).collect()
}
