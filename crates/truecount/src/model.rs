//! A model: the labelled data's summary and the quantifiers fitted to it, and its text form.
//!
//! The file holds what was learnt (class counts, distributions, rates at the cutoff), for its readers what follows from
//! it (max J, thresholds, regions; recomputed, not compared, when it is read), and a checksum of it all.

use crate::distribution::{Family, ScoreDistribution};
use crate::inference::{Estimate, Reporting};
use crate::quantifier::{Method, Quantifier, Tally, Threshold};
use crate::sweep::{ClassMoments, PDelta, Separation, SweepMoments};
use crate::{Class, Error, LabelledScores};
use serde::{Deserialize, Serialize};

const FORMAT: &str = "truecount model";
const VERSION: u32 = 1;

/// What to fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The quantifiers, in the order of their estimates.
    pub methods: Vec<Method>,
    /// The family of both classes' score distributions.
    pub family: Family,
    /// The score at or above which Classify & Count and Adjusted Count call a score positive.
    pub cutoff: f64,
}

impl Default for Settings {
    /// Continuous Sweep with the optimal threshold, normal classes, cutoff 0.
    fn default() -> Self {
        Self { methods: vec![Method::O_CS], family: Family::default(), cutoff: 0.0 }
    }
}

/// The classes' fitted distributions and how many labelled scores each rests on.
#[derive(Clone, Debug)]
pub struct Separated {
    pub(crate) separation: Separation,
    positives: u64,
    negatives: u64,
}

impl Separated {
    /// The pair of distributions.
    pub fn separation(&self) -> &Separation {
        &self.separation
    }

    /// Number of labelled positives.
    pub fn positives(&self) -> u64 {
        self.positives
    }

    /// Number of labelled negatives.
    pub fn negatives(&self) -> u64 {
        self.negatives
    }

    /// Standard error of the two labelled rates' difference at the threshold of max J: √(F⁺(1−F⁺)/n₊ + F⁻(1−F⁻)/n₋).
    pub(crate) fn max_j_standard_error(&self) -> f64 {
        let theta = self.separation.theta_max();
        let each = |(lower, upper): (f64, f64), n: u64| lower * upper / n as f64;
        (each(self.separation.positive().tails(theta), self.positives)
            + each(self.separation.negative().tails(theta), self.negatives))
        .sqrt()
    }
}

/// How the labelled scores fall about the cutoff.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutoff {
    score: f64,
    true_positives: u64,
    positives: u64,
    false_positives: u64,
    negatives: u64,
}

impl Cutoff {
    fn count(train: &LabelledScores, score: f64) -> Self {
        let at_or_above = |scores: &[f64]| scores.iter().filter(|s| **s >= score).count() as u64;
        Self {
            score,
            true_positives: at_or_above(train.positive()),
            positives: train.positive().len() as u64,
            false_positives: at_or_above(train.negative()),
            negatives: train.negative().len() as u64,
        }
    }

    /// The cutoff, in units of the score.
    pub fn score(&self) -> f64 {
        self.score
    }

    /// Share of labelled positives at or above it.
    pub fn true_positive_rate(&self) -> f64 {
        self.true_positives as f64 / self.positives as f64
    }

    /// Share of labelled negatives at or above it.
    pub fn false_positive_rate(&self) -> f64 {
        self.false_positives as f64 / self.negatives as f64
    }

    /// Mean p and variance p(1−p) of the decision in each class.
    pub(crate) fn moments(&self) -> SweepMoments {
        let indicator = |rate: f64| ClassMoments { mean: rate, variance: rate * (1.0 - rate) };
        SweepMoments { positive: indicator(self.true_positive_rate()), negative: indicator(self.false_positive_rate()) }
    }
}

/// Fitted quantifiers, ready for test scores.
///
/// # Examples
/// ```
/// use truecount::{LabelledScores, Model, Reporting, Settings};
/// # fn main() -> Result<(), truecount::Error> {
/// let scores = [2.1, 1.4, 0.9, 1.8, -0.2, 0.3, -1.1, -0.4];
/// let labels = [true, true, true, true, false, false, false, false];
/// let model = Model::fit(&LabelledScores::new(&scores, &labels)?, &Settings::default())?;
///
/// // In one go, or in any number of pieces.
/// let estimate = &model.estimate(&[1.7, 0.2, -0.5, 2.2, 0.8], &Reporting::default())?[0];
/// let mut tallies = model.tallies();
/// model.push(&mut tallies, &[1.7, 0.2])?;
/// model.push(&mut tallies, &[-0.5, 2.2, 0.8])?;
/// let pieces = &model.finish(&tallies, &Reporting::default())?[0];
/// assert!((estimate.raw - pieces.raw).abs() < 1e-15);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    classes: Separated,
    cutoff: Cutoff,
    quantifiers: Vec<Quantifier>,
}

impl Model {
    /// Fits every method asked for.
    ///
    /// # Errors
    /// What [`Family::fit`], [`Separation::new`] and the methods report; [`Error::Parameter`] for a cutoff that is not
    /// finite.
    pub fn fit(train: &LabelledScores, settings: &Settings) -> Result<Self, Error> {
        if !settings.cutoff.is_finite() {
            return Err(Error::Parameter { name: "cutoff", value: settings.cutoff, domain: "finite" });
        }
        let separation = Separation::new(
            settings.family.fit(Class::Positive, train.positive())?,
            settings.family.fit(Class::Negative, train.negative())?,
        )?;
        let cutoff = Cutoff::count(train, settings.cutoff);
        let classes = Separated { separation, positives: cutoff.positives, negatives: cutoff.negatives };
        Self::from_parts(classes, cutoff, &settings.methods)
    }

    fn from_parts(classes: Separated, cutoff: Cutoff, methods: &[Method]) -> Result<Self, Error> {
        if methods.is_empty() {
            return Err(Error::NoMethods);
        }
        let fit = |method: &Method| Quantifier::fit(*method, &classes, &cutoff);
        let quantifiers = methods.iter().map(fit).collect::<Result<_, _>>()?;
        Ok(Self { classes, cutoff, quantifiers })
    }

    /// The fitted classes.
    pub fn classes(&self) -> &Separated {
        &self.classes
    }

    /// The labelled scores' rates at the cutoff.
    pub fn cutoff(&self) -> &Cutoff {
        &self.cutoff
    }

    /// The quantifiers, in the order asked for.
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// One empty tally for each quantifier.
    pub fn tallies(&self) -> Vec<Tally> {
        vec![Tally::default(); self.quantifiers.len()]
    }

    /// Adds test scores to every quantifier's tally.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or infinite score; no tally is changed then.
    ///
    /// # Panics
    /// When there is not one tally for each quantifier, as [`tallies`](Self::tallies) makes them.
    pub fn push(&self, tallies: &mut [Tally], scores: &[f64]) -> Result<(), Error> {
        assert_eq!(tallies.len(), self.quantifiers.len(), "one tally for each quantifier");
        // All quantifiers refuse the same scores, so the first refuses before any tally has changed.
        self.quantifiers.iter().zip(tallies).try_for_each(|(q, tally)| q.linear().push(tally, scores))
    }

    /// Every quantifier's estimate from its tally.
    ///
    /// # Errors
    /// [`Error::NoTestScores`] when nothing was pushed.
    ///
    /// # Panics
    /// When there is not one tally for each quantifier, as [`tallies`](Self::tallies) makes them.
    pub fn finish(&self, tallies: &[Tally], reporting: &Reporting) -> Result<Vec<Estimate>, Error> {
        assert_eq!(tallies.len(), self.quantifiers.len(), "one tally for each quantifier");
        self.quantifiers.iter().zip(tallies).map(|(q, tally)| q.linear().estimate(tally, reporting)).collect()
    }

    /// Every quantifier's estimate for these test scores.
    ///
    /// # Errors
    /// [`Error::NotFinite`] for a NaN or infinite score, [`Error::NoTestScores`] for none.
    pub fn estimate(&self, scores: &[f64], reporting: &Reporting) -> Result<Vec<Estimate>, Error> {
        let mut tallies = self.tallies();
        self.push(&mut tallies, scores)?;
        self.finish(&tallies, reporting)
    }

    /// The model as JSON text.
    pub fn to_json(&self) -> String {
        let class = |n: u64, d: &ScoreDistribution| ClassText { n, distribution: d.clone() };
        let separation = &self.classes.separation;
        let mut text = ModelText {
            format: FORMAT.to_owned(),
            version: VERSION,
            written_by: concat!("truecount ", env!("CARGO_PKG_VERSION")).to_owned(),
            positive: class(self.classes.positives, separation.positive()),
            negative: class(self.classes.negatives, separation.negative()),
            max_j: separation.max_j(),
            cutoff: CutoffText {
                score: self.cutoff.score,
                true_positives: self.cutoff.true_positives,
                false_positives: self.cutoff.false_positives,
            },
            methods: self.quantifiers.iter().map(MethodText::of).collect(),
            checksum: String::new(),
        };
        text.checksum = text.expected_checksum();
        serde_json::to_string_pretty(&text).expect("a model has nothing that JSON cannot hold") + "\n"
    }

    /// The model that [`to_json`](Self::to_json) wrote: its estimates are the same to the last bit.
    ///
    /// # Errors
    /// [`Error::NotAModel`], [`Error::NewerModel`], [`Error::DamagedModel`].
    pub fn from_json(json: &str) -> Result<Self, Error> {
        let damaged = |reason: &dyn ToString| Error::DamagedModel { reason: reason.to_string() };
        let value: serde_json::Value = serde_json::from_str(json).map_err(|e| {
            if json.contains(FORMAT) {
                damaged(&e)
            } else {
                Error::NotAModel { reason: format!("it is not JSON ({e})") }
            }
        })?;
        if value["format"] != FORMAT {
            return Err(Error::NotAModel { reason: format!("it has no \"format\": \"{FORMAT}\"") });
        }
        match value["version"].as_u64() {
            None | Some(0) => return Err(damaged(&"it has no version number")),
            Some(found) if found > u64::from(VERSION) => {
                return Err(Error::NewerModel { found, known: VERSION });
            }
            Some(_) => {}
        }
        let text: ModelText = serde_json::from_value(value).map_err(|e| damaged(&e))?;
        if text.checksum != text.expected_checksum() {
            return Err(damaged(&"its contents do not match its checksum"));
        }
        text.model().map_err(|e| match e {
            Error::DamagedModel { .. } => e,
            other => damaged(&other),
        })
    }
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModelText {
    format: String,
    version: u32,
    written_by: String,
    positive: ClassText,
    negative: ClassText,
    max_j: f64,
    cutoff: CutoffText,
    methods: Vec<MethodText>,
    checksum: String,
}

#[derive(Clone, Serialize, Deserialize)]
struct ClassText {
    n: u64,
    #[serde(flatten)]
    distribution: ScoreDistribution,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CutoffText {
    score: f64,
    true_positives: u64,
    false_positives: u64,
}

#[derive(Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MethodText {
    method: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    threshold: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<Vec<[f64; 2]>>,
}

impl MethodText {
    fn of(quantifier: &Quantifier) -> Self {
        Self {
            method: quantifier.method().to_string(),
            threshold: quantifier.sweep().map(|s| s.threshold().value()),
            region: quantifier.sweep().map(|s| s.region().intervals().to_vec()),
        }
    }

    fn method(&self) -> Result<Method, Error> {
        let fixed = match self.threshold {
            Some(p) if self.method == "cs" => Some(Threshold::Fixed(PDelta::new(p)?)),
            _ => None,
        };
        Method::named(&self.method, fixed)
    }
}

impl ModelText {
    /// FNV-1a (64 bits, in hexadecimal) of the compact text with an empty checksum.
    fn expected_checksum(&self) -> String {
        let unsigned = Self { checksum: String::new(), ..self.clone() };
        let text = serde_json::to_string(&unsigned).expect("a model has nothing that JSON cannot hold");
        let hash = text
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("{hash:016x}")
    }

    fn model(&self) -> Result<Model, Error> {
        let (positives, negatives) = (self.positive.n, self.negative.n);
        let cutoff = Cutoff {
            score: self.cutoff.score,
            true_positives: self.cutoff.true_positives,
            positives,
            false_positives: self.cutoff.false_positives,
            negatives,
        };
        if positives == 0 || negatives == 0 || cutoff.true_positives > positives || cutoff.false_positives > negatives {
            return Err(Error::DamagedModel { reason: "its counts are impossible".to_owned() });
        }
        let separation = Separation::new(self.positive.distribution.clone(), self.negative.distribution.clone())?;
        let classes = Separated { separation, positives, negatives };
        let methods = self.methods.iter().map(MethodText::method).collect::<Result<Vec<_>, _>>()?;
        Model::from_parts(classes, cutoff, &methods)
    }
}
