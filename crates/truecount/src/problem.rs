//! The problems that the library reports about its input.

use crate::class::Class;
use crate::condition::{Digits, ErrorKind, Field};
use crate::conditions;
use crate::error::{Error, ErrorLocation};
use crate::numeric::pass;

conditions! {
    /// A problem of the library with its input.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[allow(missing_docs)] // the sentences say what the fields are
    pub enum Problem, kind: ErrorKind {
        /// A score is NaN or infinite.
        #[condition("score-not-finite", Scores, "is {value}; scores must be finite numbers")]
        NotFinite { value: Field },

        /// A column is not as long as the one beside it.
        #[condition("length-mismatch", Scores, "{values} {column} but {others} in the column beside them")]
        LengthMismatch { column: &'static str, values: usize, others: usize },

        /// A probability is not between 0 and 1.
        #[condition(
            "probability-out-of-range", Scores,
            "is {value}; probabilities must lie between 0 and 1", value = Digits(*value)
        )]
        NotAProbability { value: f64 },

        /// The model was fitted with probabilities, and the test scores come without.
        #[condition(
            "probabilities-missing", Options,
            "the model was fitted with probabilities; give them for the test scores too"
        )]
        ProbabilitiesMissing,

        /// The model was fitted without probabilities, and the test scores come with some.
        #[condition(
            "probabilities-unexpected", Options,
            "the model was fitted without probabilities; leave them out, or fit it with some"
        )]
        ProbabilitiesUnknown,

        /// A weight is negative, not finite, or too small or too large to be squared.
        #[condition(
            "weight-out-of-range", Scores,
            "is {value}; a weight must be 0, or between 1e-100 and 1e100"
        )]
        NotAWeight { value: Field },

        /// The tallies are weighted, and the test scores come without weights.
        #[condition(
            "weights-missing", Options,
            "the tallies are weighted; give weights for these test scores too"
        )]
        WeightsMissing,

        /// The tallies are not weighted, and the test scores come with weights.
        #[condition(
            "weights-unexpected", Options,
            "the tallies are not weighted; leave out the weights of these test scores, or make weighted tallies"
        )]
        WeightsUnknown,

        /// A tally was made by another model, method or shift check.
        #[condition(
            "tally-model-mismatch", Tally,
            "a tally of another model, method or shift check: use each with the one that made it"
        )]
        OtherTally,

        /// There is not one tally for each method.
        #[condition(
            "tally-number", Tally,
            "{found} tallies for {methods} methods; give one for each method, in their order"
        )]
        TallyNumber { found: usize, methods: usize },

        /// Of two tallies to be merged one is weighted and the other is not.
        #[condition(
            "one-tally-weighted", Tally,
            "only one of the two tallies is weighted; make both with weights, or both without"
        )]
        OneWeighted,

        /// The numbers are not those of a tally.
        #[condition("not-a-tally", Tally, "not a tally of {name} by this model: {reason}")]
        NotATally { name: String, reason: String },

        /// A method has no bin of that number.
        #[condition("bin-unknown", Tally, "{method} has no bin {bin}; its bins are 0 to {last}")]
        UnknownBin { method: String, bin: usize, last: usize },

        /// A score is not strictly between 0 and 1, which the transform or the family needs.
        #[condition(
            "score-outside-unit-interval", Scores,
            "is {value}; {needed_by} needs scores above 0 and below 1", value = Digits(*value)
        )]
        OutsideUnitInterval { value: f64, needed_by: &'static str },

        /// The labelled scores are too much alike for a transform to ranks.
        #[condition(
            "too-few-values-for-ranks", Labels,
            "the labelled scores are all but equal ({distinct} different quantile): ranks need more; \
             choose another transform"
        )]
        NoRanks { distinct: usize },

        /// One of the two classes has no labelled score.
        #[condition(
            "class-missing", Labels,
            "labelled scores need both classes: {positive} are positive and {negative} negative; \
             check which label is the positive one"
        )]
        MissingClass { positive: usize, negative: usize },

        /// No labelled score of a class has a weight above 0.
        #[condition(
            "class-weights-zero", Labels,
            "no labelled {class} score has a weight above 0; weigh some of them"
        )]
        ClassWeightsZero { class: Class },

        /// The labelled scores of a class are in fewer than two clusters.
        #[condition(
            "too-few-clusters", Labels,
            "all labelled {class} scores are in {n} cluster: what clusters leave uncertain takes at least two; label some in others, \
             or leave the clusters out if rows were drawn one by one"
        )]
        TooFewClusters { class: Class, n: usize },

        /// A class has fewer labelled scores than its family needs.
        #[condition(
            "class-too-small", Labels,
            "the {class} class has {n} labelled {}; a {family} fit needs at least {needed}", scores(*n)
        )]
        ClassTooSmall { class: Class, n: usize, needed: usize, family: &'static str },

        /// All labelled scores of a class are equal.
        #[condition(
            "class-variance-zero", Labels,
            "the {n} labelled {class} scores do not differ (all are {value:?}); a distribution needs some spread"
        )]
        NoSpread { class: Class, n: usize, value: f64 },

        /// The labelled scores of a class are too large, too small or too close together for floating point.
        #[condition(
            "class-out-of-scale", Labels,
            "the labelled {class} scores are too large, too small or too close together to fit in floating point; \
             shift and scale all scores alike"
        )]
        OutOfScale { class: Class },

        /// A labelled score lies where the family has no density.
        #[condition(
            "score-outside-support", Labels,
            "the {class} class has a labelled score {value:?}, but a {family} distribution needs scores strictly \
             between {low} and {high}; choose another family"
        )]
        OutsideSupport { class: Class, family: &'static str, value: f64, low: f64, high: f64 },

        /// Labelled positives have a lower mean score than negatives, whose label is the other one, where it is known.
        #[condition(
            "classes-inverted", Labels,
            "positives score lower than negatives on the whole (mean {positive:.6} against {negative:.6}); \
             take the other label as positive, or negate the scores",
            positive = Digits(*positive), negative = Digits(*negative)
        )]
        Inverted { positive: f64, negative: f64, other: Option<String> },

        /// At no threshold do the labelled classes' rates differ.
        #[condition(
            "classes-not-separated", Labels,
            "the labelled scores do not separate the classes at all: max J = {max_j:.2e}"
        )]
        NoSeparation { max_j: f64 },

        /// At no threshold do the labelled classes' rates differ by as much as was asked for.
        #[condition(
            "threshold-not-reached", Labels,
            "the threshold {threshold} is not reached: max J = {max_j:.4}; choose a threshold below that, \
             or the optimal one",
            threshold = Digits(*threshold)
        )]
        ThresholdNotReached { threshold: f64, max_j: f64 },

        /// At the cutoff labelled positives are not above it more often than negatives.
        #[condition(
            "classes-not-separated-at-cutoff", Labels,
            "Adjusted Count is not defined at the cutoff {cutoff}: the true positive rate {positive:.4} is not above \
             the false positive rate {negative:.4}; choose a cutoff between the classes",
            cutoff = Digits(*cutoff)
        )]
        NoSeparationAtCutoff { cutoff: f64, positive: f64, negative: f64 },

        /// What a method takes the mean of has no higher mean among labelled positives than among negatives.
        #[condition(
            "classes-not-separated-in-mean", Labels,
            "labelled positives have no higher mean of {what} than negatives ({positive:.6} against {negative:.6}): \
             leave out this method, or check which label is the positive one",
            positive = Digits(*positive), negative = Digits(*negative)
        )]
        NoSeparationInMean { what: &'static str, positive: f64, negative: f64 },

        /// A class has too few labelled scores for the check of prior probability shift.
        #[condition(
            "class-too-small-to-check", Labels,
            "the {class} class has {n} labelled {}; the shift check needs at least {needed} in each", scores(*n)
        )]
        TooFewToCheck { class: Class, n: usize, needed: usize },

        /// The weights of a class's labelled scores are too uneven for the check of prior probability shift.
        #[condition(
            "class-too-uneven-to-check", Labels,
            "the labelled {class} scores are worth only {effective:.1} of equal weight; the shift check needs at least {needed} in \
             each class"
        )]
        TooUnevenToCheck { class: Class, effective: f64, needed: usize },

        /// The labelled scores have two different values only, so that prior probability shift cannot be checked.
        #[condition(
            "too-few-values-to-check", Labels,
            "the labelled scores take only two different values: any test scores are a mixture of such classes"
        )]
        TooFewDifferent,

        /// The pool has fewer scores, or fewer of a class, than a sample may need.
        #[condition("pool-too-small", Labels, "the pool has {n} {}, and a sample may need {size}; draw smaller samples", match class {
            Some(class) => format!("{class} scores"),
            None => "scores".to_owned(),
        })]
        PoolTooSmall { class: Option<Class>, n: usize, size: usize },

        /// A table or column is to be named in SQL by nothing, or by a name that holds the character 0.
        #[condition(
            "sql-name-empty", Options,
            "a table, each part of its name, and every column need a name of at least one character"
        )]
        SqlNameEmpty,

        /// Two grouping columns of a query have the same name.
        #[condition(
            "sql-column-twice", Options,
            "the grouping column '{column}' is named twice: engines do not tell upper from lower case"
        )]
        SqlColumnTwice { column: String },

        /// A grouping column is called like a column of the query's own result.
        #[condition(
            "sql-column-taken", Options,
            "the result has a column '{column}' of its own; rename that grouping column"
        )]
        SqlColumnTaken { column: String },

        /// The densities change too abruptly to be written as polynomials in SQL.
        #[condition(
            "sql-too-long", Options,
            "the model would need more than {most} polynomials in SQL; fit it with another family, \
             or with the transform logit or rank"
        )]
        TooLongForSql { most: usize },

        /// The query would have to hold every labelled probability, and there are too many.
        #[condition(
            "sql-too-many-knots", Options,
            "the query for edy would hold {knots} labelled probabilities, and may hold {most}; fit a model with another method, \
             or with fewer labelled scores"
        )]
        TooManyKnotsForSql { knots: usize, most: usize },

        /// A model has methods of means and of counts, which are two queries.
        #[condition(
            "sql-two-queries", Options,
            "the model has methods of means ({}) and of counts ({}), which are two different queries; \
             fit a model for each",
            means.join(", "), counts.join(", ")
        )]
        TwoQueries { means: Vec<String>, counts: Vec<String> },

        /// No method was asked for.
        #[condition("no-methods", Options, "no method was asked for")]
        NoMethods,

        /// A model cannot tell what the scores say of items that were not audited.
        #[condition(
            "audit-needs-bins", Options,
            "an audit goes with what es keeps of test scores without weights and probabilities: use a model of es alone"
        )]
        AuditNeedsBins,

        /// No item was audited.
        #[condition("audit-empty", Labels, "there are no audited rows; label some rows of the target, drawn at random")]
        NoAudit,

        /// Audited rows are not among the test scores.
        #[condition(
            "audit-outside", Labels,
            "{outside} of {audited} audited {} not among the test scores, which are to hold the audited rows too", if *audited == 1 { "rows is" } else { "rows are" }
        )]
        AuditOutside { outside: u64, audited: u64 },

        /// There are no test scores.
        #[condition("no-test-scores", Scores, "there are no test scores")]
        NoTestScores,

        /// All weights are 0.
        #[condition(
            "all-weights-zero", Scores,
            "there are no test scores with a weight above 0; weigh some of them"
        )]
        AllWeightsZero,

        /// A number is outside the range that makes sense.
        #[condition("parameter-out-of-range", Options, "{name} is {value}; it must be {domain}", value = Digits(*value))]
        Parameter { name: &'static str, value: f64, domain: &'static str },

        /// There is no method of that name.
        #[condition(
            "method-unknown", Options,
            "there is no method '{name}'; {}", suggestion(*similar, known)
        )]
        UnknownMethod { name: String, similar: Option<&'static str>, known: Vec<&'static str> },

        /// There is no choice of that name.
        #[condition("choice-unknown", Options, "{name} is '{value}'; it must be one of {}", known.join(", "))]
        UnknownChoice { name: &'static str, value: String, known: Vec<&'static str> },

        /// A threshold is neither optimal nor a number.
        #[condition(
            "threshold-unknown", Options,
            "threshold is '{text}'; it must be 'optimal' or a number between 0 and 1"
        )]
        UnknownThreshold { text: String },

        /// A threshold is given, but the method that takes it is not asked for.
        #[condition(
            "threshold-unused", Options,
            "the threshold belongs to the method cs, which is not asked for; \
             o-cs and t-cs have thresholds of their own"
        )]
        ThresholdUnused,

        /// The beta family is asked for after a transform.
        #[condition(
            "family-transform-conflict", Options,
            "the family beta is for the scores as they are: leave out the transform"
        )]
        FamilyTransformConflict,

        /// Two models are said to have learnt from the same items, but their labelled scores are not as many.
        #[condition(
            "not-paired", Scores,
            "the two models have not learnt from the same labelled items: the numbers of labelled scores differ"
        )]
        NotPaired,

        /// A model does not have the method.
        #[condition("method-missing", Options, "the model has no {method}; it has {}", fitted.join(", "))]
        MethodMissing { method: String, fitted: Vec<String> },

        /// There is nothing to compare with.
        #[condition("nothing-to-compare", Options, "there is nothing to compare: a comparison needs two groups")]
        NothingToCompare,

        /// All test scores are of one cluster.
        #[condition(
            "one-cluster", Scores,
            "all scores are of one cluster: how much clusters vary cannot be known from one"
        )]
        OneCluster,

        /// No group has the value that others are to be compared with.
        #[condition("group-unknown", Options, "no group has {column} = '{value}' to compare with")]
        GroupUnknown { column: String, value: String },

        /// There are more test scores than there are in the population.
        #[condition(
            "small-population", Options,
            "the population of {size} is smaller than the {n} scores drawn from it; give its whole size"
        )]
        SmallPopulation { n: u64, size: u64 },

        /// A bootstrap has too few resamples for intervals of the level.
        #[condition(
            "too-few-resamples", Options,
            "{resamples} resamples are too few: an interval of level {level} needs at least {least}, \
             and many more to be exact"
        )]
        TooFewResamples { resamples: u64, level: f64, least: u64 },

        /// A bootstrap has more resamples than can help.
        #[condition("too-many-resamples", Options, "{resamples} resamples are too many; at most {most} are possible")]
        TooManyResamples { resamples: u64, most: u64 },

        /// All that the resamples of a bootstrap find does not fit into memory.
        #[condition(
            "bootstrap-too-large", Options,
            "{resamples} resamples of {estimates} estimates, one for each group and method, are {} numbers to keep, \
             more than {most}; take fewer resamples, methods or groups",
            u128::from(*resamples) * *estimates as u128
        )]
        BootstrapTooLarge { resamples: u64, estimates: usize, most: u64 },

        /// A bootstrap is asked for of scores with weights.
        #[condition(
            "bootstrap-of-weighted", Options,
            "the bootstrap and weights do not go together: drawing weighted scores anew would not imitate the survey; \
             leave out one of them"
        )]
        BootstrapOfWeighted,

        /// A bootstrap is asked for of labelled scores in clusters.
        #[condition(
            "bootstrap-of-clusters", Options,
            "the bootstrap and clusters do not go together: it draws scores, not clusters; leave out one of them"
        )]
        BootstrapOfClusters,

        /// A sensitivity or a specificity is not between 0 and 1.
        #[condition(
            "rate-out-of-range", Scores,
            "{name} is {value}; it must be a share between 0 and 1, or so many of so many", value = Digits(*value)
        )]
        NotARate { name: &'static str, value: f64 },

        /// A count is larger than the number that it is a part of.
        #[condition(
            "count-above-whole", Scores,
            "{name}: {count} of {of} is more than all; check which number is which"
        )]
        CountAboveWhole { name: &'static str, count: u64, of: u64 },

        /// A share is one of nothing.
        #[condition("denominator-zero", Scores, "{name}: there is no share of 0; leave it out, or correct the number")]
        NoDenominator { name: &'static str },

        /// A text is no sensitivity or specificity.
        #[condition("rate-not-readable", Scores, "'{text}' is no share; write it as 0.97, 97% or 97/100")]
        RateUnreadable { text: String },

        /// A test with such a sensitivity and specificity tells nothing, or the contrary.
        #[condition(
            "rates-not-separating", Scores,
            "a sensitivity of {sensitivity} and a specificity of {specificity} {}",
            if sensitivity + specificity < 1.0 - 1e-9 {
                "are of a test read upside down: it is positive more often where it should be negative; check which result counts as \
                 positive, and that these are no error rates"
            } else {
                "tell nothing: the test is positive as often where it should be negative"
            },
            sensitivity = Digits(*sensitivity), specificity = Digits(*specificity)
        )]
        RatesNotSeparating { sensitivity: f64, specificity: f64 },

        /// An interval is one of the population's prevalence, and the sample's is asked for.
        #[condition(
            "interval-of-population", Options,
            "the interval {interval} is one of the population's prevalence; for that of the tested themselves ask for wilson"
        )]
        IntervalOfPopulation { interval: String },

        /// The text is not that of a model.
        #[condition("not-a-model", Model, "not a truecount model: {reason}")]
        NotAModel { reason: String },

        /// The model was written by another version of truecount.
        #[condition(
            "model-of-other-version", Model,
            "the model is of version {found}, this truecount reads version {known}; {}",
            if *found > u64::from(*known) { "use a newer truecount" } else { "fit it again" }
        )]
        OtherVersion { found: u64, known: u32 },

        /// The text of a model has been changed or cut off.
        #[condition("model-damaged", Model, "the model is damaged: {reason}; fit it again")]
        DamagedModel { reason: String },
    }
}

/// Returns the end of the message about an unknown method: the name that was probably meant, or all
/// names.
fn suggestion(similar: Option<&str>, known: &[&str]) -> String {
    match similar {
        Some(similar) => format!("did you mean '{similar}'?"),
        None => format!("the methods are {}, and cs with a threshold", known.join(", ")),
    }
}

/// Returns the noun for n scores.
fn scores(n: usize) -> &'static str {
    if n == 1 { "score" } else { "scores" }
}

impl Error {
    /// Returns an error if a score is not a finite number.
    pub(crate) fn unless_finite(scores: &[f64]) -> Result<(), Self> {
        if pass::all_finite(scores) { Ok(()) } else { Err(Self::first_not_finite(scores)) }
    }

    /// Returns an error if a value is not in [0, 1].
    pub(crate) fn unless_probabilities(values: &[f64]) -> Result<(), Self> {
        if pass::all_probabilities(values) {
            return Ok(());
        }
        let outside = |p: &f64| !(0.0..=1.0).contains(p);
        let row = values.iter().position(outside).expect("a number that is not a probability");
        Err(ErrorLocation::value("probabilities", row).error(Problem::NotAProbability { value: values[row] }))
    }

    /// Returns an error if a value is neither 0 nor in [1e-100, 1e100]. The squares of other
    /// weights could overflow or underflow; as only ratios of weights matter, users can rescale
    /// them.
    pub(crate) fn unless_weights(values: &[f64]) -> Result<(), Self> {
        let is_invalid = |w: &f64| *w != 0.0 && !(1e-100..=1e100).contains(w);
        values.iter().position(is_invalid).map_or(Ok(()), |row| Err(Self::not_a_weight(values, row)))
    }

    /// Returns an error if a score is not in (0, 1). `needed_by` says in the message what needs
    /// this.
    pub(crate) fn unless_in_unit_interval(scores: &[f64], needed_by: &'static str) -> Result<(), Self> {
        match scores.iter().position(|s| *s <= 0.0 || *s >= 1.0) {
            Some(row) => {
                let problem = Problem::OutsideUnitInterval { value: scores[row], needed_by };
                Err(ErrorLocation::value("scores", row).error(problem))
            }
            None => Ok(()),
        }
    }

    /// Returns the error for the first score that is not a finite number.
    ///
    /// # Panics
    /// Panics if all scores are finite.
    pub(crate) fn first_not_finite(scores: &[f64]) -> Self {
        let row = scores.iter().position(|s| !s.is_finite()).expect("a score that is not finite");
        ErrorLocation::value("scores", row).error(Problem::NotFinite { value: Field::Number(scores[row]) })
    }

    /// Returns the error for the weight of this row.
    pub(crate) fn not_a_weight(weights: &[f64], row: usize) -> Self {
        ErrorLocation::value("weights", row).error(Problem::NotAWeight { value: Field::Number(weights[row]) })
    }
}
