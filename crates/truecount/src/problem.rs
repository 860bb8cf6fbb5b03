//! The problems that the library reports about its input.

use crate::class::Class;
use crate::condition::{Digits, ErrorKind, Field};
use crate::conditions;
use crate::located_error::{Error, ErrorLocation};
use crate::numeric::pass;

conditions! {
    /// A problem of the library with its input.
    #[derive(Clone, Debug, PartialEq)]
    #[non_exhaustive]
    #[allow(missing_docs)] // the sentences say what the fields are
    pub enum Problem, kind: ErrorKind {
        /// A score is NaN or infinite.
        #[condition("score-not-finite", Scores, "is {value}")]
        #[hint("scores must be finite numbers")]
        ScoreNotFinite { value: Field },

        /// Two columns that belong together have different lengths.
        #[condition(
            "length-mismatch", Scores, "there are {values} {column}, but {others} values in the other columns"
        )]
        #[hint("give one value for each row")]
        LengthMismatch { column: &'static str, values: usize, others: usize },

        /// A probability is not between 0 and 1.
        #[condition("probability-out-of-range", Scores, "is {value}", value = Digits(*value))]
        #[hint("probabilities lie between 0 and 1")]
        ProbabilityOutOfRange { value: f64 },

        /// The model was fitted with probabilities, but the test scores have none.
        #[condition("probabilities-missing", Options, "the model was fitted with probabilities")]
        #[hint("give probabilities for the test scores too")]
        ProbabilitiesMissing,

        /// The model was fitted without probabilities, but the test scores have some.
        #[condition("probabilities-unexpected", Options, "the model was fitted without probabilities")]
        #[hint("leave out the probabilities, or fit the model with some")]
        ProbabilitiesUnexpected,

        /// A weight is negative, not finite, or its square overflows or underflows.
        #[condition("weight-out-of-range", Scores, "is {value}")]
        #[hint("a weight is 0, or between 1e-100 and 1e100")]
        WeightOutOfRange { value: Field },

        /// The tallies are weighted, but the test scores have no weights.
        #[condition("weights-missing", Options, "the tallies are weighted")]
        #[hint("give weights for these test scores too")]
        WeightsMissing,

        /// The tallies are not weighted, but the test scores have weights.
        #[condition("weights-unexpected", Options, "the tallies are not weighted")]
        #[hint("leave out the weights of these test scores, or make weighted tallies")]
        WeightsUnexpected,

        /// A tally was made by another model, method or shift test.
        #[condition("tally-model-mismatch", Tally, "the tally was made by another model, method or shift test")]
        #[hint("use each tally with the model that made it")]
        TallyModelMismatch,

        /// The number of tallies differs from the number of methods.
        #[condition("tally-number", Tally, "there are {found} tallies for {methods} methods")]
        #[hint("give one tally for each method, in the order of the methods")]
        TallyNumber { found: usize, methods: usize },

        /// Only one of two tallies to be merged is weighted.
        #[condition("one-tally-weighted", Tally, "only one of the two tallies is weighted")]
        #[hint("make both tallies with weights, or both without")]
        OneTallyWeighted,

        /// The numbers do not describe a tally of this method.
        #[condition("not-a-tally", Tally, "these numbers are not a tally of {name} by this model: {reason}")]
        NotATally { name: String, reason: String },

        /// A method has no bin with this number.
        #[condition("bin-unknown", Tally, "{method} has no bin {bin}")]
        #[hint("its bins are numbered from 0 to {last}")]
        BinUnknown { method: String, bin: usize, last: usize },

        /// A score is not strictly between 0 and 1, as the transform or the family requires.
        #[condition(
            "score-outside-unit-interval", Scores, "is {value}; {needed_by} needs scores above 0 and below 1",
            value = Digits(*value)
        )]
        ScoreOutsideUnitInterval { value: f64, needed_by: &'static str },

        /// The labelled scores have too few different values for the rank transform.
        #[condition(
            "too-few-values-for-ranks", Labels,
            "the labelled scores are almost all equal: they have only {distinct} distinct value, and ranks need 2"
        )]
        #[hint("choose another transform")]
        TooFewValuesForRanks { distinct: usize },

        /// There are fewer than two classes.
        #[condition(
            "too-few-classes", Scores, "there {} {classes} class{}",
            if *classes == 1 { "is" } else { "are" }, if *classes == 1 { "" } else { "es" }
        )]
        #[hint("give the probabilities of all classes, at least two")]
        TooFewClasses { classes: usize },

        /// The probabilities of a row do not have the sum 1.
        #[condition(
            "probabilities-not-one", Scores, "the probabilities of the classes add up to {sum:.4}, not to 1{}",
            if (sum - 100.0).abs() < 2.0 { "; divide percentages by 100" } else { "" }
        )]
        #[hint(
            "give the columns of all classes, with two decimals or more; if these are logits, subtract the largest of \
             each row"
        )]
        ProbabilitiesNotOne { sum: f64 },

        /// Rows have probabilities where decision values are expected.
        #[condition("decision-values-expected", Scores, "these scores are probabilities, but the labelled ones are not")]
        #[hint("give the same scores in both tables")]
        DecisionValuesExpected,

        /// A method needs probabilities, but rows have predicted classes only.
        #[condition("predictions-only", Scores, "the method {method} needs the probability of each class")]
        #[hint("use ac or cc for predicted classes")]
        PredictionsOnly { method: String },

        /// The method takes verdicts for classes, but one of them is another verdict.
        #[condition("verdict-not-a-class", Scores, "cc counts verdicts as classes, but '{verdict}' is no label")]
        #[hint("use ac, for which it is another verdict")]
        VerdictNotAClass { verdict: String },

        /// A label is not the number of a class.
        #[condition("label-not-a-class", Labels, "the label {label} is not the number of a class, of which there are {classes}")]
        #[hint("labels are numbers from 0, in the order of the probabilities")]
        LabelNotAClass { label: usize, classes: usize },

        /// One of several classes has fewer than two labelled rows.
        #[condition(
            "named-class-too-small", Labels,
            "the class {class} has {n} labelled {}", if *n == 1 { "row" } else { "rows" }
        )]
        #[hint("label more of its rows (weight 0 does not count): 2 or more, and 10 for reliable standard errors")]
        NamedClassTooSmall { class: String, n: u64 },

        /// Several classes have the same mean predictions, or means that are linearly dependent.
        #[condition(
            "classes-indistinct", Labels,
            "the mean predictions of the labelled classes do not differ enough to tell them apart"
        )]
        #[hint("label more rows, merge classes that look alike, correct misspelt labels, and leave out classes that are \
                never predicted")]
        ClassesIndistinct,

        /// The labelled rows of several classes do not determine a share, so that nothing can be planned with them.
        #[condition("pilot-shares-unknown", Labels, "the labelled rows do not determine the share of {class}")]
        #[hint("label more rows, merge classes that look alike, and leave out classes that are never predicted")]
        PilotSharesUnknown { class: String },

        /// One of the two classes has no labelled score.
        #[condition(
            "class-missing", Labels,
            "only one class is labelled: {positive} scores are positive and {negative} negative"
        )]
        #[hint("check which label is the positive one, or add labelled rows of the other class")]
        ClassMissing { positive: usize, negative: usize },

        /// A class has a single labelled score.
        #[condition(
            "class-of-one-score", Labels,
            "the {class} class has one labelled score, so its variance cannot be estimated"
        )]
        #[hint("label more {class} rows: at least 2 of each class, and 10 for a reliable standard error")]
        ClassOfOneScore { class: Class },

        /// All labelled scores of a class have weight 0.
        #[condition("class-weights-zero", Labels, "all labelled {class} scores have weight 0")]
        #[hint("give some of them a weight above 0")]
        ClassWeightsZero { class: Class },

        /// The labelled scores of a class are in fewer than two clusters.
        #[condition(
            "too-few-clusters", Labels,
            "all labelled {class} scores are in {n} cluster; cluster-robust standard errors need at least two"
        )]
        #[hint("label {class} rows in other clusters, or leave out the clusters if rows were drawn one by one")]
        TooFewClusters { class: String, n: usize },

        /// A stratum of the labelled rows has a single row or cluster.
        #[condition(
            "single-unit-strata", Labels,
            "{strata} {} of the labelled rows {} a single row or cluster, so the variance within it is not known",
            if *strata == 1 { "stratum" } else { "strata" }, if *strata == 1 { "has" } else { "have" }
        )]
        #[hint("join such strata with others, or label more rows in them")]
        SingleUnitStrata { strata: u64 },

        /// A class has fewer labelled scores than its family needs.
        #[condition(
            "class-too-small", Labels,
            "the {class} class has {n} labelled {}; the {family} family needs at least {needed}", scores(*n)
        )]
        #[hint("label more {class} rows, or use es, which fits no family")]
        ClassTooSmall { class: Class, n: usize, needed: usize, family: &'static str },

        /// All labelled scores of a class are equal.
        #[condition(
            "class-variance-zero", Labels,
            "all {n} labelled {class} scores are {value:?}, so no distribution can be fitted"
        )]
        #[hint("check the scores, or use es or ac, which fit no distribution")]
        ClassVarianceZero { class: Class, n: usize, value: f64 },

        /// The labelled scores of a class are too large, too small or too close together for
        /// floating point.
        #[condition(
            "class-out-of-scale", Labels,
            "the labelled {class} scores are too large, too small or too close together for floating point"
        )]
        #[hint("shift and scale all scores, the new ones too, in the same way")]
        ClassOutOfScale { class: Class },

        /// A labelled score lies outside the support of the family.
        #[condition(
            "score-outside-support", Labels,
            "the labelled {class} score {value:?} is impossible under the {family} family, whose scores lie strictly \
             between {low} and {high}"
        )]
        #[hint("choose another family")]
        ScoreOutsideSupport { class: Class, family: &'static str, value: f64, low: f64, high: f64 },

        /// Labelled positives score lower than negatives in most pairs.
        #[condition(
            "classes-inverted", Labels,
            "positives score lower than negatives in {:.1} % of the pairs of a labelled positive and a labelled \
             negative", 100.0 * discordance
        )]
        #[hint("take the other label as positive, or negate the scores")]
        ClassesInverted { discordance: f64, other: Option<String> },

        /// The mean score of labelled positives is below that of negatives because of a single score.
        #[condition(
            "score-outlying", Labels,
            "the {class} score {value:?} is farther from all other labelled scores than these are from one another, \
             and with it positives score lower than negatives on average, on which this method depends"
        )]
        #[hint(
            "leave the row out if the score is an error or a code for a missing value; or take a method of ranks, as es"
        )]
        ScoreOutlying { class: Class, value: f64 },

        /// The true and false positive rates are equal at every threshold.
        #[condition(
            "classes-not-separated", Labels,
            "the scores do not separate the labelled classes: max J = {max_j:.2e}"
        )]
        #[hint("check that scores and labels belong to the same rows, or use a better classifier")]
        ClassesNotSeparated { max_j: f64 },

        /// The largest difference of the rates is below the requested threshold.
        #[condition(
            "threshold-not-reached", Labels, "the threshold {threshold} is above the largest J, {max_j:.4}",
            threshold = Digits(*threshold)
        )]
        #[hint("choose a smaller threshold, or the optimal one")]
        ThresholdNotReached { threshold: f64, max_j: f64 },

        /// The true positive rate at the cutoff is not above the false positive rate.
        #[condition(
            "classes-not-separated-at-cutoff", Labels,
            "Adjusted Count is undefined at the cutoff {cutoff}: the true positive rate {positive:.4} is not above the \
             false positive rate {negative:.4}",
            cutoff = Digits(*cutoff)
        )]
        #[hint("choose a cutoff between the classes")]
        ClassesNotSeparatedAtCutoff { cutoff: f64, positive: f64, negative: f64 },

        /// The mean that a method compares is not higher among labelled positives than among
        /// negatives.
        #[condition(
            "classes-not-separated-in-mean", Labels,
            "the mean of {what} is not higher among labelled positives ({positive:.6}) than among negatives \
             ({negative:.6})",
            positive = Digits(*positive), negative = Digits(*negative)
        )]
        #[hint("leave out this method, or check which label is the positive one")]
        ClassesNotSeparatedInMean { what: &'static str, positive: f64, negative: f64 },

        /// A class has too few labelled scores for the shift test.
        #[condition(
            "class-too-small-to-check", Labels,
            "the {class} class has {n} labelled {}; the shift test needs at least {needed} in each class", scores(*n)
        )]
        #[hint("label more rows")]
        ClassTooSmallToCheck { class: Class, n: usize, needed: usize },

        /// The effective number of labelled scores in a class is too small for the shift test.
        #[condition(
            "class-too-uneven-to-check", Labels,
            "the weights of the labelled {class} scores are so uneven that their effective sample size is \
             {effective:.1}; the shift test needs at least {needed} in each class"
        )]
        #[hint("label more rows, or look at the largest weights")]
        ClassTooUnevenToCheck { class: Class, effective: f64, needed: usize },

        /// The labelled scores have only two different values, so that prior probability shift
        /// cannot be tested.
        #[condition(
            "too-few-values-to-check", Labels,
            "the labelled scores have only two different values, so any test scores fit some mix of the classes"
        )]
        #[hint("test scores with at least three different values")]
        TooFewValuesToCheck,

        /// The pool has fewer scores, or fewer of a class, than a sample may need.
        #[condition("pool-too-small", Labels, "the pool has {n} {}, but a sample may need {size}", match class {
            Some(class) => format!("{class} scores"),
            None => "scores".to_owned(),
        })]
        #[hint("draw smaller samples")]
        PoolTooSmall { class: Option<Class>, n: usize, size: usize },

        /// The name of a table or column in a query is empty or has a null character.
        #[condition("sql-name-empty", Options, "a name of a table or column is empty or has a null character")]
        #[hint("give every table, each part of its name, and every column a name")]
        SqlNameEmpty,

        /// Two grouping columns of a query have the same name.
        #[condition(
            "sql-column-twice", Options,
            "the grouping column '{column}' is named twice (SQL does not distinguish upper and lower case)"
        )]
        #[hint("name each column once")]
        SqlColumnTwice { column: String },

        /// A grouping column has the name of a column of the query's result.
        #[condition("sql-column-taken", Options, "the result of the query has its own column '{column}'")]
        #[hint("rename the grouping column")]
        SqlColumnTaken { column: String },

        /// No method was requested.
        #[condition("no-methods", Options, "no method is named")]
        #[hint("name at least one method")]
        NoMethods,

        /// The model does not predict the labels of items that were not audited.
        #[condition(
            "audit-needs-bins", Options,
            "an audit needs a model of es alone, without weights and probabilities"
        )]
        #[hint("fit such a model")]
        AuditNeedsBins,

        /// No item was audited.
        #[condition("audit-empty", Labels, "there are no audited rows")]
        #[hint("label some rows of the test table, drawn at random")]
        AuditEmpty,

        /// An audited item has no label.
        #[condition("audit-unlabelled", Labels, "an audited row has no label")]
        #[hint("label the row, or remove it")]
        AuditUnlabelled,

        /// Audited rows are labelled rows of the model, too.
        #[condition(
            "audit-labelled", Labels,
            "{repeated} of {audited} audited rows have the score and the label of a labelled row, so they would count \
             twice"
        )]
        #[hint("audit rows that were not labelled for the model, or leave out its labelled rows")]
        AuditLabelled { repeated: usize, audited: usize },

        /// Audited rows are not among the test scores.
        #[condition(
            "audit-outside", Labels, "{outside} of {audited} audited {} not among the test scores",
            if *audited == 1 { "rows is" } else { "rows are" }
        )]
        #[hint("the test scores must include the audited rows")]
        AuditOutside { outside: u64, audited: u64 },

        /// All audited items are in one cluster.
        #[condition("audit-one-cluster", Labels, "all audited rows are in one cluster")]
        #[hint("cluster-robust standard errors need audited rows in at least two clusters")]
        AuditOneCluster,

        /// A stratum has too few audited items for a variance.
        #[condition(
            "audit-stratum-too-small", Labels,
            "a stratum of {n} rows has {audited} audited {}; at least two units must be audited",
            if *audited == 1 { "row" } else { "rows" }
        )]
        #[hint("audit more of its rows, or merge it with another stratum")]
        AuditStratumTooSmall { n: u64, audited: u64 },

        /// Clusters have rows in several strata, or a total is for groups that share clusters.
        #[condition(
            "clusters-across-strata", Scores, "{clusters} {} rows in more than one stratum or group",
            if *clusters == 1 { "cluster has" } else { "clusters have" }
        )]
        #[hint("make the names of clusters unique across strata, or use strata or groups of whole clusters")]
        ClustersAcrossStrata { clusters: u64 },

        /// There are no test scores.
        #[condition("no-test-scores", Scores, "there are no test scores")]
        NoTestScores,

        /// All weights are 0.
        #[condition("all-weights-zero", Scores, "all weights are 0")]
        #[hint("give some test scores a weight above 0")]
        AllWeightsZero,

        /// A number is outside its allowed range.
        #[condition("parameter-out-of-range", Options, "{name} is {value}", value = Digits(*value))]
        #[hint("it must be {domain}")]
        ParameterOutOfRange { name: &'static str, value: f64, domain: &'static str },

        /// No method has this name.
        #[condition("method-unknown", Options, "there is no method '{name}'")]
        #[hint("{}", suggest_method(*similar, known))]
        UnknownMethod { name: String, similar: Option<&'static str>, known: Vec<&'static str> },

        /// No choice has this name.
        #[condition("choice-unknown", Options, "{name} is '{value}'")]
        #[hint("it must be one of {}", known.join(", "))]
        UnknownChoice { name: &'static str, value: String, known: Vec<&'static str> },

        /// A threshold is neither optimal nor a number.
        #[condition("threshold-unknown", Options, "threshold is '{text}'")]
        #[hint("it must be 'optimal' or a number between 0 and 1")]
        ThresholdUnknown { text: String },

        /// A threshold is given, but no requested method uses it.
        #[condition("threshold-unused", Options, "the threshold has an effect on the method cs only")]
        #[hint("add the method cs, or leave out the threshold; o-cs and t-cs choose their own")]
        ThresholdUnused,

        /// The beta family is requested after a transform.
        #[condition("family-transform-conflict", Options, "the family beta needs untransformed scores")]
        #[hint("leave out the transform")]
        FamilyTransformConflict,

        /// Two models that should be fitted to the same items have different numbers of labelled
        /// scores.
        #[condition(
            "not-paired", Scores,
            "the two models were not fitted to the same labelled items: their numbers of labelled scores differ"
        )]
        #[hint("fit both models to the same rows, or compare them as unpaired")]
        NotPaired,

        /// A model does not have the method.
        #[condition("method-missing", Options, "the model has no method {method}")]
        #[hint("it has {}", fitted.join(", "))]
        MethodMissing { method: String, fitted: Vec<String> },

        /// There are fewer than two groups to compare.
        #[condition("nothing-to-compare", Options, "there is only one group")]
        #[hint("a comparison needs at least two groups")]
        NothingToCompare,

        /// All test scores are in one cluster.
        #[condition("one-cluster", Scores, "all test scores are in one cluster")]
        #[hint("cluster-robust standard errors need at least two clusters")]
        OneCluster,

        /// A single row, or a single cluster, was drawn in a stratum of the test scores.
        #[condition(
            "single-unit-test-strata", Scores,
            "{strata} {} of the new rows {} a single row or cluster, so the variance within it is not known",
            if *strata == 1 { "stratum" } else { "strata" }, if *strata == 1 { "has" } else { "have" }
        )]
        #[hint("join such strata with others, or give the size of their population if all of it was drawn")]
        SingleUnitTestStrata { strata: u64 },

        /// A single row of several was drawn in some clusters.
        #[condition(
            "single-row-clusters", Scores,
            "{clusters} {} a single row drawn from several, so the variance within {} is not known",
            if *clusters == 1 { "cluster has" } else { "clusters have" }, if *clusters == 1 { "it" } else { "them" }
        )]
        #[hint("leave out the sizes of the clusters")]
        SingleRowClusters { clusters: u64 },

        /// The scores have no weight in any replicate that counts.
        #[condition("no-replicate-weight", Scores, "all weights are 0 in replicate {replicate}, and in all others")]
        #[hint("join the group with others, or describe the sample by strata and clusters instead")]
        EmptyReplicate { replicate: u64 },

        /// No group has the value of the reference.
        #[condition("group-unknown", Options, "no group has {column} = '{value}'")]
        #[hint("name the value of an existing group")]
        GroupUnknown { column: String, value: String },

        /// The population is smaller than the sample.
        #[condition("small-population", Options, "the population of {size} is smaller than the sample of {n} scores")]
        #[hint("give the size of the whole population as a number, not a share")]
        SmallPopulation { n: u64, size: u64 },

        /// A stage of a sample has more units than its population.
        #[condition("small-stage", Options, "{drawn} {what} were drawn, but the population has {size}")]
        #[hint("give the size of the whole population as a number, not a share")]
        SmallStage { drawn: u64, what: &'static str, size: u64 },

        /// A bootstrap has too few resamples for intervals of the level.
        #[condition("too-few-resamples", Options, "{resamples} resamples are too few for intervals of level {level}")]
        #[hint("take at least {least}, and many more to be accurate")]
        TooFewResamples { resamples: u64, level: f64, least: u64 },

        /// The number of resamples is above the limit.
        #[condition("too-many-resamples", Options, "{resamples} resamples are too many")]
        #[hint("the limit is {most}")]
        TooManyResamples { resamples: u64, most: u64 },

        /// The results of all resamples do not fit into memory.
        #[condition(
            "bootstrap-too-large", Options,
            "{resamples} resamples of {estimates} estimates, one for each group and method, are {} numbers; the limit \
             is {most}",
            u128::from(*resamples) * *estimates as u128
        )]
        #[hint("take fewer resamples, methods or groups")]
        BootstrapTooLarge { resamples: u64, estimates: usize, most: u64 },

        /// A result has more rows than are held in memory.
        #[condition("result-too-large", Options, "there are more than {most} {what}, too many to hold in memory")]
        #[hint("take fewer groups")]
        ResultTooLarge { what: &'static str, most: u64 },

        /// A bootstrap is requested for weighted scores.
        #[condition(
            "bootstrap-of-weighted", Options,
            "the bootstrap cannot be used with weights, as resampling weighted scores would not imitate the survey"
        )]
        #[hint("leave out one of them")]
        BootstrapOfWeighted,

        /// A bootstrap is requested for labelled scores in clusters or strata.
        #[condition(
            "bootstrap-of-clusters", Options,
            "the bootstrap cannot be used with clusters and strata of labelled scores, as it resamples single scores"
        )]
        #[hint("leave out one of them")]
        BootstrapOfClusters,

        /// A sensitivity or a specificity is not between 0 and 1.
        #[condition("rate-out-of-range", Scores, "{name} is {value}", value = Digits(*value))]
        #[hint("it must be a share between 0 and 1, or a fraction such as 97/100")]
        RateOutOfRange { name: &'static str, value: f64 },

        /// A count is larger than its total.
        #[condition("count-above-whole", Scores, "{name}: the count {count} is larger than the total {of}")]
        #[hint("check which number is which")]
        CountAboveWhole { name: &'static str, count: u64, of: u64 },

        /// A denominator is 0.
        #[condition("denominator-zero", Scores, "{name}: the total is 0")]
        #[hint("correct the number, or leave it out")]
        DenominatorZero { name: &'static str },

        /// A text is not a sensitivity or specificity.
        #[condition("rate-not-readable", Scores, "'{text}' is not a share")]
        #[hint("write it as 0.97, 97%, 97/100, or with its 95 % interval as 97% (91-99)")]
        RateNotReadable { text: String },

        /// A test with this sensitivity and specificity does not separate the classes.
        #[condition(
            "rates-not-separating", Scores,
            "at sensitivity {sensitivity} and specificity {specificity} the test is positive {} for negatives {} for \
             positives",
            if sensitivity + specificity < 1.0 - 1e-9 { "more often" } else { "as often" },
            if sensitivity + specificity < 1.0 - 1e-9 { "than" } else { "as" },
            sensitivity = Digits(*sensitivity), specificity = Digits(*specificity)
        )]
        #[hint("check which result counts as positive, and that these are not error rates")]
        RatesNotSeparating { sensitivity: f64, specificity: f64 },

        /// An interval describes the population, but the sample is the target.
        #[condition(
            "interval-of-population", Options,
            "the interval {interval} describes the population, not the tested units themselves"
        )]
        #[hint("use the interval wilson, or the target population")]
        IntervalOfPopulation { interval: String },

        /// The text is not a model.
        #[condition("not-a-model", Model, "not a truecount model: {reason}")]
        NotAModel { reason: String },

        /// The model was written by another version of truecount.
        #[condition(
            "model-of-other-version", Model, "the model has version {found}, but this truecount reads version {known}"
        )]
        #[hint("{}", if *found > u64::from(*known) { "use a newer truecount" } else { "fit the model again" })]
        ModelOfOtherVersion { found: u64, known: u32 },

        /// The text of a model has been changed or cut off.
        #[condition("model-damaged", Model, "the model is damaged: {reason}")]
        #[hint("fit the model again")]
        ModelDamaged { reason: String },
    }
}

/// Returns the hint for an unknown method: the name that was probably meant, or all names.
fn suggest_method(similar: Option<&str>, known: &[&str]) -> String {
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
    /// Returns an error if a number is not in the domain that is described.
    pub(crate) fn unless_in_domain(
        is_inside: bool,
        (name, value): (&'static str, f64),
        domain: &'static str,
    ) -> Result<(), Self> {
        if is_inside { Ok(()) } else { Err(Problem::ParameterOutOfRange { name, value, domain }.into()) }
    }

    /// Returns an error if a column has another length than the other columns.
    pub(crate) fn unless_equal((column, values, others): (&'static str, usize, usize)) -> Result<(), Self> {
        if values == others { Ok(()) } else { Err(Problem::LengthMismatch { column, values, others }.into()) }
    }

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
        Err(ErrorLocation::value("probabilities", row).error(Problem::ProbabilityOutOfRange { value: values[row] }))
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
                let problem = Problem::ScoreOutsideUnitInterval { value: scores[row], needed_by };
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
        ErrorLocation::value("scores", row).error(Problem::ScoreNotFinite { value: Field::Number(scores[row]) })
    }

    /// Returns the error for the weight of this row.
    pub(crate) fn not_a_weight(weights: &[f64], row: usize) -> Self {
        ErrorLocation::value("weights", row).error(Problem::WeightOutOfRange { value: Field::Number(weights[row]) })
    }
}

/// The maximum number of rows of a result, or of estimates, that are held in memory.
pub(crate) const MAX_ROWS: u64 = 10_000_000;

/// Checks that a result of this many rows fits into memory. `what` describes the rows, in the plural.
///
/// # Errors
/// Returns [`Problem::ResultTooLarge`] for more than 10 million rows.
pub fn check_result_size(what: &'static str, rows: u64) -> Result<(), Error> {
    if rows > MAX_ROWS { Err(Problem::ResultTooLarge { what, most: MAX_ROWS }.into()) } else { Ok(()) }
}
