//! Estimates of many samples with known prevalence, by one or more methods.

use truecount::evaluation::{GRID_SIZE, SamplingProtocol};
use truecount::quantifier::Quantifier;
use truecount::{Batch, Error, Estimate, Estimates, Model, OnMisfit, Reporting, Warning};

/// Samples that are drawn unless it is said how many; of the grid, whole turns.
const DEFAULT_SAMPLES: u32 = 1000;
const DEFAULT_TURNS: u32 = 50;

/// A sample of scores whose prevalence is known.
pub struct SampleTruth {
    /// Its name.
    pub id: String,
    /// Its number of scores, if known; relative errors need it and are left out without it.
    pub n: Option<u64>,
    /// Its true share of positives, in [0, 1].
    pub truth: f64,
}

/// One method's estimates, in the order of the samples.
pub struct MethodEstimates {
    /// Its name.
    pub name: String,
    /// In [0, 1].
    pub estimates: Vec<f64>,
    /// Lower and upper ends, if the method has intervals.
    pub intervals: Option<Vec<[f64; 2]>>,
}

/// How samples and intervals were made.
#[derive(Clone, Copy)]
pub struct SamplingDesign {
    /// Which prevalences they have.
    pub protocol: SamplingProtocol,
    /// The level of the intervals.
    pub level: f64,
}

/// The check of every sample.
pub struct ShiftCheckSummary {
    /// How many times larger deviations from a mixture are than chance explains.
    pub scales: Vec<f64>,
    /// In how many of the samples it finds no mixture.
    pub rejected: usize,
    /// Every method, with intervals that are widened where it does.
    pub widened: Vec<MethodEstimates>,
}

/// All estimates of all samples; there is at least one sample and one method.
pub struct SampleEstimates {
    /// The samples.
    pub samples: Vec<SampleTruth>,
    /// The methods.
    pub methods: Vec<MethodEstimates>,
    /// `None` if it is not known.
    pub design: Option<SamplingDesign>,
    /// `None` if nothing was checked.
    pub checks: Option<ShiftCheckSummary>,
}

impl MethodEstimates {
    /// Every method of a model, with its estimates of each sample.
    pub fn for_model(model: &Model, samples: &[&Estimates]) -> Vec<Self> {
        let method = |(i, quantifier): (usize, &Quantifier)| Self {
            name: quantifier.method().to_string(),
            estimates: samples.iter().map(|of| of[i].prevalence).collect(),
            intervals: samples.iter().map(|of| of[i].uncertainty.map(|u| [u.lower, u.upper])).collect(),
        };
        model.quantifiers().iter().enumerate().map(method).collect()
    }
}

impl ShiftCheckSummary {
    /// The share of the samples in which it finds no mixture.
    pub fn share(&self) -> f64 {
        self.rejected as f64 / self.scales.len() as f64
    }

    /// The median scale factor.
    pub fn scale(&self) -> f64 {
        let mut scales = self.scales.clone();
        scales.sort_unstable_by(f64::total_cmp);
        let last = scales.len() - 1;
        0.5 * (scales[last / 2] + scales[last.div_ceil(2)])
    }
}

/// How many samples to draw, where so many are asked for. Of the grid whole turns: part of one would be more samples of low prevalences
/// than of high ones.
///
/// # Errors
/// The next number of whole turns.
pub fn number_of_samples(protocol: SamplingProtocol, asked: Option<u32>) -> Result<u32, u64> {
    if protocol != SamplingProtocol::Grid {
        return Ok(asked.unwrap_or(DEFAULT_SAMPLES));
    }
    let samples = asked.unwrap_or(DEFAULT_TURNS * GRID_SIZE);
    if samples.is_multiple_of(GRID_SIZE) { Ok(samples) } else { Err(u64::from(samples).next_multiple_of(GRID_SIZE.into())) }
}

/// What was drawn from a pool of so many positives and negatives, which is in that place.
pub fn describe_sampling(samples: usize, size: usize, [positive, negative]: [usize; 2], place: &str, protocol: SamplingProtocol) -> String {
    let what = SamplingProtocol::TABLE.iter().find(|(_, known, _)| *known == protocol).map_or("", |(.., what)| what);
    format!("{samples} samples of {size} scores, drawn from the {positive} positive and {negative} negative scores in {place}: {what}")
}

/// Warns of samples that share most of a pool of so many positives and negatives, or of its smaller class.
pub fn overlap_warning([positive, negative]: [usize; 2], protocol: SamplingProtocol, size: usize) -> Option<String> {
    let (whole, which) = match protocol {
        SamplingProtocol::Natural => (positive + negative, ""),
        _ if positive <= negative => (positive, "positive "),
        _ => (negative, "negative "),
    };
    (2 * size > whole).then(|| {
        format!(
            "the standard errors may be too small: samples of {size} may contain more than half of the {whole} {which}scores, so that they are much alike; draw smaller samples"
        )
    })
}

/// What is found in one sample: as if nothing had been checked, and allowing for misfit.
pub struct PlainAndWidened {
    /// As if nothing had been checked.
    pub plain: Estimates,
    widened: Estimates,
}

impl PlainAndWidened {
    /// Of a sample.
    ///
    /// # Errors
    /// Those of [`Model::estimate`].
    pub fn new(model: &Model, batch: Batch, reporting: &Reporting) -> Result<Self, Error> {
        let plain = model.estimate(batch, &reporting.on_misfit(OnMisfit::Warn))?;
        let widened = if plain.iter().any(is_misfit) {
            model.estimate(batch, &reporting.on_misfit(OnMisfit::Widen))?
        } else {
            plain.clone()
        };
        Ok(Self { plain, widened })
    }

    /// How many times larger deviations from a mixture are than chance explains.
    fn scale(&self) -> Option<f64> {
        Some(self.plain.first()?.misfit?.scale)
    }

    /// Every method's estimate, and the same allowing for misfit.
    pub fn pairs(&self) -> impl Iterator<Item = (&Estimate, &Estimate)> {
        self.plain.iter().zip(&self.widened)
    }

    /// Whether the sample is no mixture of the labelled classes; none where that was not checked.
    pub fn misfit(&self) -> Option<bool> {
        self.scale().map(|_| self.is_rejected())
    }

    fn is_rejected(&self) -> bool {
        self.plain.iter().any(is_misfit)
    }

    /// The estimates with what is to be said of them; of misfit the table says how often there is one.
    pub fn without_misfit(self) -> Estimates {
        let mut estimates = self.plain;
        estimates.iter_mut().for_each(|estimate| estimate.warnings.retain(|warning| !warning.is_of_misfit()));
        estimates
    }
}

/// What the check finds; `None` if there were too few labelled scores to check.
pub fn summarise_checks(model: &Model, samples: &[PlainAndWidened]) -> Option<ShiftCheckSummary> {
    let scales: Vec<f64> = samples.iter().map(PlainAndWidened::scale).collect::<Option<_>>()?;
    let rejected = samples.iter().filter(|both| both.is_rejected()).count();
    let widened = MethodEstimates::for_model(model, &samples.iter().map(|both| &both.widened).collect::<Vec<_>>());
    Some(ShiftCheckSummary { scales, rejected, widened })
}

fn is_misfit(estimate: &Estimate) -> bool {
    estimate.warnings.iter().any(Warning::is_of_misfit)
}
