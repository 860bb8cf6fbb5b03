//! Error measures, coverage of the intervals, and the comparison with the reference method.

use super::samples::{CheckSummary, MethodEstimates, SampleEstimates, SampleTruth, SamplingDesign};
use std::slice;
use truecount::Error;
use truecount::evaluation::{Mean, Measure, Outcome, PairedComparison, holm};

/// The errors of a method, as far as they can be computed.
pub struct MethodErrors<'a> {
    /// The class; `None` for two classes, and for means over all classes.
    pub class: Option<&'a str>,
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
    /// The errors of each method, over all classes.
    pub methods: Vec<MethodErrors<'a>>,
    /// The errors for each class and method, if there are several classes.
    pub classes: Vec<MethodErrors<'a>>,
    /// The way in which samples were drawn, if known.
    pub design: Option<SamplingDesign>,
    /// The result of the shift check of the samples.
    pub checks: Option<&'a CheckSummary>,
}

impl<'a> Evaluation<'a> {
    /// Computes the errors over all classes and for each class, and compares each method with the method at the index
    /// `reference`. The samples and methods of all classes are the same; two classes count as one.
    ///
    /// # Errors
    /// Returns an error for a prevalence that is not in [0, 1].
    pub fn new(evaluated: &'a [SampleEstimates], reference: usize) -> Result<Self, Error> {
        let first = &evaluated[0];
        let by_class = if evaluated.len() > 1 { evaluated } else { &[] };
        let by_class = by_class.iter().map(|class| MethodErrors::all(slice::from_ref(class), reference));
        Ok(Self {
            samples: first.samples.len(),
            reference: &first.methods[reference].name,
            methods: MethodErrors::all(evaluated, reference)?,
            classes: by_class.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect(),
            design: first.design,
            checks: first.checks.as_ref(),
        })
    }
}

impl<'a> MethodErrors<'a> {
    /// Returns the errors of every method, over these classes.
    fn all(evaluated: &'a [SampleEstimates], reference: usize) -> Result<Vec<Self>, Error> {
        let methods = 0..evaluated[0].methods.len();
        let outcomes = methods.map(|method| evaluated.iter().map(|class| outcomes(class, method)).collect());
        let outcomes: Vec<Vec<Vec<Outcome>>> = outcomes.collect::<Result<_, _>>()?;
        let absolute = |i: usize| values(Measure::AbsoluteError, &outcomes[i]).expect("no size is needed");
        let reference_errors = absolute(reference);
        let compare =
            |i: usize| (i != reference).then(|| PairedComparison::new(&reference_errors, &absolute(i))).transpose();
        let comparisons = (0..outcomes.len()).map(compare).collect::<Result<Vec<_>, _>>()?;
        let p_values: Vec<f64> = comparisons.iter().flatten().filter_map(|comparison| comparison.p_value).collect();
        let mut adjusted = holm(&p_values).into_iter();
        let name = &evaluated[0].methods[reference].name;
        let errors = outcomes.iter().zip(comparisons).enumerate().map(|(index, (outcomes, comparison))| {
            let comparison = comparison.map(|comparison| AdjustedComparison {
                comparison,
                adjusted: comparison.p_value.and_then(|_| adjusted.next()),
            });
            Self::new(evaluated, name, index, outcomes, comparison)
        });
        Ok(errors.collect())
    }

    fn new(
        evaluated: &'a [SampleEstimates],
        reference: &'a str,
        index: usize,
        outcomes: &[Vec<Outcome>],
        comparison: Option<AdjustedComparison>,
    ) -> Self {
        let mean = |measure| values(measure, outcomes).map(|values| Mean::from_values(&values));
        let measures = Measure::TABLE.iter().map(|(_, measure, _)| mean(*measure)).collect();
        let coverage_and_width = |method: fn(&SampleEstimates, usize) -> Option<&MethodEstimates>| {
            let mean = |f: fn([f64; 2], f64) -> f64| {
                let by_class = evaluated.iter().map(|class| {
                    let pairs = method(class, index)?.intervals.as_ref()?.iter().zip(&class.samples);
                    Some(pairs.map(|(limits, sample)| f(*limits, sample.truth)).collect())
                });
                Some(Mean::from_values(&mean_over_classes(by_class.collect::<Option<_>>()?)))
            };
            let coverage = mean(|[lower, upper], truth| f64::from(u8::from(lower <= truth && truth <= upper)))?;
            Some([coverage, mean(|[lower, upper], _| upper - lower)?])
        };
        let first = &evaluated[0];
        let plain = coverage_and_width(|class, index| Some(&class.methods[index]));
        Self {
            class: if evaluated.len() == 1 { first.class.as_deref() } else { None },
            name: &first.methods[index].name,
            samples: first.samples.len(),
            reference,
            measures,
            coverage: plain.map(|[coverage, _]| coverage),
            width: plain.map(|[_, width]| width),
            widened: coverage_and_width(|class, index| Some(&class.checks.as_ref()?.widened[index])),
            checks: first.checks.as_ref(),
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

/// Returns every estimate by a method with the true prevalence of its sample.
fn outcomes(evaluated: &SampleEstimates, method: usize) -> Result<Vec<Outcome>, Error> {
    let outcome = |(sample, estimate): (&SampleTruth, &f64)| {
        let new = if evaluated.class.is_some() { Outcome::for_class } else { Outcome::new };
        new(sample.truth, *estimate, sample.n)
    };
    evaluated.samples.iter().zip(&evaluated.methods[method].estimates).map(outcome).collect()
}

/// Returns the value of a measure for each sample, as the mean over the classes; `None` if it is not known for all, and
/// for the bias of several classes, whose sum is 0.
fn values(measure: Measure, outcomes: &[Vec<Outcome>]) -> Option<Vec<f64>> {
    if outcomes.len() > 1 && measure == Measure::Bias {
        return None;
    }
    let values = |outcomes: &Vec<Outcome>| outcomes.iter().map(|outcome| measure.evaluate(outcome)).collect();
    Some(mean_over_classes(outcomes.iter().map(values).collect::<Option<_>>()?))
}

/// Returns the mean over the classes for each sample.
fn mean_over_classes(by_class: Vec<Vec<f64>>) -> Vec<f64> {
    let number = by_class.len() as f64;
    let add = |sums: Vec<f64>, values: Vec<f64>| sums.into_iter().zip(values).map(|(sum, x)| sum + x).collect();
    let sums = by_class.into_iter().reduce(add).expect("one class or more");
    sums.into_iter().map(|sum| sum / number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `QuaPy` 0.2.3 (mae, mse, and mrae with ε = 1/40) for three samples of 20 rows in three classes, and `NumPy` for
    /// each class. Of the intervals [0, 0.5], three, two and two contain the truth.
    #[test]
    fn errors_over_classes_are_those_of_quapy() {
        let truths = [[0.5, 0.0, 0.1], [0.3, 0.25, 0.9], [0.2, 0.75, 0.0]];
        let estimates = [[0.45, 0.1, 0.25], [0.4, 0.2, 0.75], [0.15, 0.7, 0.0]];
        let class = |(truths, estimates): ([f64; 3], [f64; 3])| SampleEstimates {
            class: Some(String::new()),
            samples: truths.map(|truth| SampleTruth { id: String::new(), n: Some(20), truth }).into(),
            methods: vec![MethodEstimates {
                name: "ml".to_owned(),
                estimates: estimates.into(),
                intervals: Some(vec![[0.0, 0.5]; 3]),
            }],
            design: None,
            checks: None,
        };
        let evaluated: Vec<SampleEstimates> = truths.into_iter().zip(estimates).map(class).collect();
        let evaluation = Evaluation::new(&evaluated, 0).unwrap();
        let is_near = |mean: Option<Mean>, expected: f64| (mean.unwrap().value - expected).abs() < 1e-12;
        let all = &evaluation.methods[0];
        assert!(is_near(all.mean(Measure::AbsoluteError), 0.077_777_777_777_777_79));
        assert!(is_near(all.mean(Measure::SquaredError), 0.008_333_333_333_333_337));
        assert!(is_near(all.mean(Measure::RelativeAbsoluteError), 0.692_627_677_573_914_2));
        assert!(is_near(all.coverage, 7.0 / 9.0) && all.mean(Measure::Bias).is_none());
        let se = all.mean(Measure::AbsoluteError).unwrap().std_error.unwrap();
        assert!((se - 0.011_111_111_111_111_113).abs() < 1e-12);
        let first = &evaluation.classes[0];
        assert!(is_near(first.mean(Measure::RelativeAbsoluteError), 1.765_079_365_079_365));
        assert!(is_near(first.mean(Measure::Bias), 0.2 / 3.0) && is_near(first.coverage, 1.0));
    }
}
