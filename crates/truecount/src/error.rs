//! What can be wrong with the input, said so that it can be put right.

use crate::Class;
use crate::numeric::pass;

/// Every error of the library. Indices count from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // the messages say what the fields are
pub enum Error {
    #[error("score {index} is {value}; scores must be finite numbers")]
    NotFinite { index: usize, value: f64 },
    #[error("{values} {what} but {others} in the column beside them")]
    LengthMismatch { what: &'static str, values: usize, others: usize },
    #[error("probability {index} is {value}; probabilities must lie between 0 and 1")]
    NotAProbability { index: usize, value: f64 },
    #[error("the model was fitted with probabilities; give them for the test scores too")]
    ProbabilitiesMissing,
    #[error("the model was fitted without probabilities; leave them out, or fit it with some")]
    ProbabilitiesUnknown,
    #[error("weight {index} is {value}; a weight must be 0, or between 1e-100 and 1e100")]
    NotAWeight { index: usize, value: f64 },
    #[error("the tallies are weighted; give weights for these test scores too")]
    WeightsMissing,
    #[error("the tallies are not weighted; leave out the weights of these test scores, or make weighted tallies")]
    WeightsUnknown,
    #[error("weights are not possible for {methods}; the methods that take them are {able}")]
    NoWeights { methods: String, able: String },
    #[error("a tally of another model, method or shift check: use each with the one that made it")]
    OtherTally,
    #[error("{found} tallies for {methods} methods; give one for each method, in their order")]
    TallyNumber { found: usize, methods: usize },
    #[error("only one of the two tallies is weighted; make both with weights, or both without")]
    OneWeighted,
    #[error("not a tally of {name} by this model: {reason}")]
    NotATally { name: String, reason: String },
    #[error("{method} has no bins; tallies are made from bins for dys, dys-topsoe and hdy")]
    NoBins { method: String },
    #[error("{method} has no bin {bin}; its bins are 0 to {last}")]
    UnknownBin { method: String, bin: usize, last: usize },
    #[error("score {index} is {value}; {needed_by} needs scores above 0 and below 1")]
    OutsideUnitInterval { index: usize, value: f64, needed_by: &'static str },
    #[error(
        "the labelled scores are all but equal ({distinct} different quantile): ranks need more; choose another transform"
    )]
    NoRanks { distinct: usize },
    #[error(
        "labelled scores need both classes: {positive} are positive and {negative} negative; \
         check which label is the positive one"
    )]
    MissingClass { positive: usize, negative: usize },
    #[error(
        "the {class} class has {n} labelled {}; a {family} fit needs at least {needed}",
        if *n == 1 { "score" } else { "scores" }
    )]
    ClassTooSmall { class: Class, n: usize, needed: usize, family: &'static str },
    #[error("the {n} labelled {class} scores do not differ (all are {value:?}); a distribution needs some spread")]
    NoSpread { class: Class, n: usize, value: f64 },
    #[error(
        "the labelled {class} scores are too large, too small or too close together to fit in floating point; \
         shift and scale all scores alike"
    )]
    OutOfScale { class: Class },
    #[error(
        "the {class} class has a labelled score {value:?}, but a {family} distribution needs scores strictly between \
         {low} and {high}; choose another family"
    )]
    OutsideSupport { class: Class, family: &'static str, value: f64, low: f64, high: f64 },
    #[error(
        "positives score lower than negatives on the whole (mean {positive:.6} against {negative:.6}); \
         take the other label as positive, or negate the scores"
    )]
    Inverted { positive: f64, negative: f64 },
    #[error("the labelled scores do not separate the classes at all: max J = {max_j:.2e}")]
    NoSeparation { max_j: f64 },
    #[error(
        "the threshold {threshold} is not reached: max J = {max_j:.4}; \
         choose a threshold below that, or the optimal one"
    )]
    ThresholdNotReached { threshold: f64, max_j: f64 },
    #[error(
        "Adjusted Count is not defined at the cutoff {cutoff}: the true positive rate {positive:.4} is not above \
         the false positive rate {negative:.4}; choose a cutoff between the classes"
    )]
    NoSeparationAtCutoff { cutoff: f64, positive: f64, negative: f64 },
    #[error(
        "labelled positives have no higher mean of {what} than negatives ({positive:.6} against {negative:.6}): \
         leave out this method, or check which label is the positive one"
    )]
    NoSeparationInMean { what: &'static str, positive: f64, negative: f64 },
    #[error("the {class} class has {n} labelled {}; the shift check needs at least {needed} in each",
        if *n == 1 { "score" } else { "scores" }
    )]
    TooFewToCheck { class: Class, n: usize, needed: usize },
    #[error("the labelled scores take only two different values: any test scores are a mixture of such classes")]
    TooFewDifferent,
    #[error(
        "the pool has {n} {}; draw smaller samples",
        match class {
            Some(class) => format!("{class} scores, too few for samples of {size} at any prevalence"),
            None => format!("scores, too few for samples of {size}"),
        }
    )]
    PoolTooSmall { class: Option<Class>, n: usize, size: usize },
    #[error("sizes cannot be planned for {method}, which {why}; they can for {known}")]
    NoPrecision { method: String, why: &'static str, known: String },
    #[error(
        "{method} is learnt from labelled scores; known distributions are enough for o-cs, t-cs, es, o-ms, t-ms, sld, ml and dys"
    )]
    NeedsLabelled { method: String },
    #[error("{why}")]
    SqlName { name: String, why: String },
    #[error(
        "{methods} cannot be computed in SQL, which would need every score at once; fit a model with some of {able}"
    )]
    NotInSql { methods: String, able: String },
    #[error(
        "the model would need more than {most} polynomials in SQL; fit it with another family, or with the transform logit or rank"
    )]
    TooLongForSql { most: usize },
    #[error(
        "the model has methods of means ({means}) and of counts ({counts}), which are two different queries; fit a model for each"
    )]
    TwoQueries { means: String, counts: String },
    #[error(
        "{method} is not the mean of one function of the score; the methods that are: {able} (tallies are for all methods)"
    )]
    NoInfluence { method: String, able: String },
    #[error("no method was asked for")]
    NoMethods,
    #[error("there are no test scores")]
    NoTestScores,
    #[error("there are no test scores with a weight above 0; weigh some of them")]
    NothingWeighed,
    #[error("{name} is {value}; it must be {domain}")]
    Parameter { name: &'static str, value: f64, domain: &'static str },
    #[error("there is no method '{name}'; the methods are {known}")]
    UnknownMethod { name: String, known: String },
    #[error("not a truecount model: {reason}")]
    NotAModel { reason: String },
    #[error(
        "the model is of version {found}, this truecount reads version {known}; {}",
        if *found > u64::from(*known) { "use a newer truecount" } else { "fit it again" }
    )]
    OtherVersion { found: u64, known: u32 },
    #[error("the model is damaged: {reason}; fit it again")]
    DamagedModel { reason: String },
}

impl Error {
    /// Refuses scores that are not finite numbers.
    pub(crate) fn unless_finite(scores: &[f64]) -> Result<(), Self> {
        if pass::all_finite(scores) { Ok(()) } else { Err(Self::first_not_finite(scores)) }
    }

    /// Refuses what does not lie between 0 and 1.
    pub(crate) fn unless_probabilities(values: &[f64]) -> Result<(), Self> {
        if pass::all_probabilities(values) {
            return Ok(());
        }
        let outside = |p: &f64| !(0.0..=1.0).contains(p);
        let index = values.iter().position(outside).expect("a number that is not a probability");
        Err(Self::NotAProbability { index, value: values[index] })
    }

    /// Refuses what cannot be a weight: far from 1 its square would be no double, and only the ratios of weights matter.
    pub(crate) fn unless_weights(values: &[f64]) -> Result<(), Self> {
        let wrong = |w: &f64| *w != 0.0 && !(1e-100..=1e100).contains(w);
        match values.iter().position(wrong) {
            Some(index) => Err(Self::NotAWeight { index, value: values[index] }),
            None => Ok(()),
        }
    }

    /// Refuses scores that are not strictly between 0 and 1.
    pub(crate) fn unless_in_unit_interval(scores: &[f64], needed_by: &'static str) -> Result<(), Self> {
        match scores.iter().position(|s| *s <= 0.0 || *s >= 1.0) {
            Some(index) => Err(Self::OutsideUnitInterval { index, value: scores[index], needed_by }),
            None => Ok(()),
        }
    }

    /// The error for the first score that is not a finite number; there must be one.
    pub(crate) fn first_not_finite(scores: &[f64]) -> Self {
        let index = scores.iter().position(|s| !s.is_finite()).expect("a score that is not finite");
        Self::NotFinite { index, value: scores[index] }
    }
}
