//! Estimates of many samples with known prevalence, by one or more methods.

use truecount::evaluation::{GRID_SIZE, SamplingProtocol};
use truecount::inference::OnMisfit;
use truecount::quantifier::Quantifier;
use truecount::{Batch, Error, Estimate, Estimates, IntervalOptions, Model, Warning};

/// The default number of samples; for the grid, the default number of samples of each prevalence.
const DEFAULT_SAMPLES: u32 = 1000;
const DEFAULT_TURNS: u32 = 50;

/// A sample of scores whose prevalence is known.
pub struct SampleTruth {
    /// The name.
    pub id: String,
    /// The number of scores, if known; relative errors need it.
    pub n: Option<u64>,
    /// The true share of positives, in [0, 1].
    pub truth: f64,
}

/// The estimates by a method, in the order of the samples.
pub struct MethodEstimates {
    /// The name.
    pub name: String,
    /// The estimates, in [0, 1].
    pub estimates: Vec<f64>,
    /// The lower and upper ends of the intervals, if the method has intervals.
    pub intervals: Option<Vec<[f64; 2]>>,
}

/// The way in which samples were drawn, and the level of the intervals.
#[derive(Clone, Copy)]
pub struct SamplingDesign {
    /// The protocol, which sets the prevalences of the samples.
    pub protocol: SamplingProtocol,
    /// The level of the intervals.
    pub level: f64,
}

/// The results of the shift check of all samples.
pub struct CheckSummary {
    /// The misfit of each sample: the deviation from a mix of the labelled classes, divided by what chance explains.
    pub scales: Vec<f64>,
    /// The number of samples that the check rejects.
    pub rejected: usize,
    /// The estimates by every method, with intervals that are widened for misfit.
    pub widened: Vec<MethodEstimates>,
}

/// The estimates of all samples by all methods; there is at least one sample and one method.
pub struct SampleEstimates {
    /// The class whose share is estimated, if there are several.
    pub class: Option<String>,
    /// The samples.
    pub samples: Vec<SampleTruth>,
    /// The methods.
    pub methods: Vec<MethodEstimates>,
    /// The way in which samples were drawn; `None` if unknown.
    pub design: Option<SamplingDesign>,
    /// The results of the check; `None` if it was not done.
    pub checks: Option<CheckSummary>,
}

impl MethodEstimates {
    /// Collects the estimates of each sample by every method of a model.
    pub fn for_model(model: &Model, samples: &[&Estimates]) -> Vec<Self> {
        let method = |(i, quantifier): (usize, &Quantifier)| Self {
            name: quantifier.method().to_string(),
            estimates: samples.iter().map(|sample| sample[i].prevalence).collect(),
            intervals: samples.iter().map(|sample| sample[i].interval.map(|u| [u.lower, u.upper])).collect(),
        };
        model.quantifiers().iter().enumerate().map(method).collect()
    }
}

impl CheckSummary {
    /// Returns the share of the samples that the check rejects.
    pub fn share(&self) -> f64 {
        self.rejected as f64 / self.scales.len() as f64
    }

    /// Returns the median misfit of the samples.
    pub fn scale(&self) -> f64 {
        let mut scales = self.scales.clone();
        scales.sort_unstable_by(f64::total_cmp);
        let last = scales.len() - 1;
        0.5 * (scales[last / 2] + scales[last.div_ceil(2)])
    }
}

/// Returns the number of samples to draw. For the grid it must be a multiple of the number of
/// prevalences; otherwise low prevalences would have more samples than high ones.
///
/// # Errors
/// Returns the next multiple if the requested number is not one.
pub fn number_of_samples(protocol: SamplingProtocol, requested: Option<u32>) -> Result<u32, u64> {
    if protocol != SamplingProtocol::Grid {
        return Ok(requested.unwrap_or(DEFAULT_SAMPLES));
    }
    let samples = requested.unwrap_or(DEFAULT_TURNS * GRID_SIZE);
    if samples.is_multiple_of(GRID_SIZE) {
        Ok(samples)
    } else {
        Err(u64::from(samples).next_multiple_of(GRID_SIZE.into()))
    }
}

/// Returns the number of samples in words.
pub fn samples_in_words(samples: usize) -> String {
    if samples == 1 { "one sample".to_owned() } else { format!("{samples} samples") }
}

/// Describes the samples drawn from a pool with this name and these numbers of positives and negatives.
pub fn describe_sampling(
    samples: usize,
    size: usize,
    [positive, negative]: [usize; 2],
    pool: &str,
    protocol: SamplingProtocol,
) -> String {
    let entry = SamplingProtocol::TABLE.iter().find(|(_, known, _)| *known == protocol);
    let description = entry.map_or("", |(.., description)| description);
    format!(
        "{} of {size} scores, drawn from the {positive} positive and {negative} negative scores \
        in {pool}: {description}",
        samples_in_words(samples)
    )
}

/// Returns a warning if samples contain most of a pool with these numbers of positives and
/// negatives, or most of its smaller class.
pub fn overlap_warning([positive, negative]: [usize; 2], protocol: SamplingProtocol, size: usize) -> Option<String> {
    let classes = [(positive, "positive scores"), (negative, "negative scores")];
    overlap_warning_for(&classes.map(|(n, rows)| (n, rows.to_owned())), "scores", protocol, size)
}

/// Returns a warning if samples contain most of a pool with these classes, or most of its smallest class. Classes are
/// numbers of rows with words for the rows, and `all` has words for rows of all classes.
pub(super) fn overlap_warning_for(
    classes: &[(usize, String)],
    all: &str,
    protocol: SamplingProtocol,
    size: usize,
) -> Option<String> {
    let (total, rows) = match protocol {
        SamplingProtocol::Natural => (classes.iter().map(|(n, _)| n).sum(), all),
        _ => classes.iter().min_by_key(|(n, _)| *n).map(|(n, rows)| (*n, rows.as_str()))?,
    };
    (2 * size > total).then(|| {
        format!(
            "the standard errors may be too small: samples of {size} may contain more than half of the {total} \
             {rows}, so that they are much alike; draw smaller samples"
        )
    })
}

/// The estimates of a sample, without and with intervals that are widened for misfit.
pub struct PlainAndWidened {
    /// The estimates without widened intervals.
    pub plain: Estimates,
    widened: Estimates,
}

impl PlainAndWidened {
    /// Estimates a sample.
    ///
    /// # Errors
    /// Returns an error for a sample that allows no estimate.
    pub fn new(model: &Model, batch: Batch, options: &IntervalOptions) -> Result<Self, Error> {
        let plain = model.estimate_with(batch, &options.on_misfit(OnMisfit::Warn))?;
        let widened = if plain.iter().any(is_misfit) {
            model.estimate_with(batch, &options.on_misfit(OnMisfit::Widen))?
        } else {
            plain.clone()
        };
        Ok(Self { plain, widened })
    }

    /// Returns the sample's misfit: its deviation from a mix of the labelled classes, divided by what chance explains.
    fn scale(&self) -> Option<f64> {
        Some(self.plain.first()?.misfit?.scale)
    }

    /// Returns every method's estimate, without and with widening for misfit.
    pub fn pairs(&self) -> impl Iterator<Item = (&Estimate, &Estimate)> {
        self.plain.iter().zip(&self.widened)
    }

    /// Returns whether the sample does not fit any mix of the labelled classes; `None` if that was not checked.
    pub fn misfit(&self) -> Option<bool> {
        self.scale().map(|_| self.is_rejected())
    }

    fn is_rejected(&self) -> bool {
        self.plain.iter().any(is_misfit)
    }

    /// Returns the estimates with their warnings except those about misfit, whose frequency the table states.
    pub fn without_misfit(self) -> Estimates {
        let mut estimates = self.plain;
        estimates.iter_mut().for_each(|estimate| estimate.warnings.retain(|warning| !warning.is_misfit()));
        estimates
    }
}

/// Summarises the check of all samples; `None` if there were too few labelled scores to check.
pub fn summarise_checks(model: &Model, samples: &[PlainAndWidened]) -> Option<CheckSummary> {
    let scales: Vec<f64> = samples.iter().map(PlainAndWidened::scale).collect::<Option<_>>()?;
    let rejected = samples.iter().filter(|sample| sample.is_rejected()).count();
    let widened = MethodEstimates::for_model(model, &samples.iter().map(|sample| &sample.widened).collect::<Vec<_>>());
    Some(CheckSummary { scales, rejected, widened })
}

fn is_misfit(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_misfit)
}
