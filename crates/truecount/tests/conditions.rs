//! Errors and warnings as values: every one of them, its code, its fields and its sentence.

use std::collections::BTreeSet;
use truecount::check::Excess;
use truecount::{Class, Condition, Error, Estimate, Field, Method, Reporting, Severity, Subject, Warning};

/// One of each.
fn errors() -> Vec<Error> {
    let text = str::to_owned;
    let (names, able) = (|| vec![text("sld"), text("ml")], || vec!["es", "ac"]);
    let (class, value) = (Class::Positive, f64::INFINITY);
    vec![
        Error::NotFinite { row: 3, value },
        Error::LengthMismatch { column: "weights", values: 1, others: 2 },
        Error::NotAProbability { row: 3, value },
        Error::ProbabilitiesMissing,
        Error::ProbabilitiesUnknown,
        Error::NotAWeight { row: 3, value },
        Error::WeightsMissing,
        Error::WeightsUnknown,
        Error::NoWeights { methods: names(), able: able() },
        Error::NoLabelDesign { method: text("dys"), able: able() },
        Error::OtherTally,
        Error::TallyNumber { found: 1, methods: 2 },
        Error::OneWeighted,
        Error::NotATally { name: text("es"), reason: text("a count is no whole number") },
        Error::NoBins { method: text("es"), able: able() },
        Error::UnknownBin { method: text("dys"), bin: 8, last: 7 },
        Error::OutsideUnitInterval { row: 3, value, needed_by: "the logit transform" },
        Error::NoRanks { distinct: 1 },
        Error::MissingClass { positive: 2, negative: 0 },
        Error::ClassNotWeighed { class },
        Error::TooFewClusters { class, n: 1 },
        Error::ClassTooSmall { class, n: 1, needed: 2, family: "normal" },
        Error::NoSpread { class, n: 7, value: 0.1 },
        Error::OutOfScale { class },
        Error::OutsideSupport { class, family: "beta", value: 1.5, low: 0.0, high: 1.0 },
        Error::Inverted { positive: 1.0, negative: 2.0, other: None },
        Error::NoSeparation { max_j: 0.0 },
        Error::ThresholdNotReached { threshold: 0.25, max_j: 0.1 },
        Error::NoSeparationAtCutoff { cutoff: 0.5, positive: 0.1, negative: 0.2 },
        Error::NoSeparationInMean { what: "scores", positive: 0.1, negative: 0.2 },
        Error::TooFewToCheck { class, n: 9, needed: 10 },
        Error::TooUnevenToCheck { class, effective: 4.25, needed: 10 },
        Error::TooFewDifferent,
        Error::PoolTooSmall { class: Some(class), n: 40, size: 41 },
        Error::NoPrecision { method: text("cc"), why: "is biased by more than it varies", able: able() },
        Error::NeedsLabelled { method: text("cc"), able: able() },
        Error::SqlNameEmpty,
        Error::SqlColumnTwice { column: text("week") },
        Error::SqlColumnTaken { column: text("n") },
        Error::NotInSql { methods: names(), able: able() },
        Error::OnlyTallies { methods: vec![text("hdy")], able: able() },
        Error::TooLongForSql { most: 1000 },
        Error::TooManyKnotsForSql { knots: 2001, most: 2000 },
        Error::TwoQueries { means: names(), counts: vec![text("hdy")] },
        Error::NoInfluence { method: text("sld"), able: able() },
        Error::LearnsNoMeans { method: text("cc"), able: able() },
        Error::NoMethods,
        Error::AuditNeedsBins,
        Error::NoAudit,
        Error::AuditOutside { outside: 2, audited: 30 },
        Error::NoTestScores,
        Error::NothingWeighed,
        Error::Parameter { name: "level", value: 95.0, domain: "between 0 and 1, both excluded" },
        Error::UnknownMethod { name: text("kde"), known: able() },
        Error::UnknownChoice { name: "family", value: text("gamma"), known: able() },
        Error::UnknownThreshold { text: text("high") },
        Error::ThresholdUnused,
        Error::FamilyUnused { methods: names(), able: able() },
        Error::TransformUnused { methods: names(), able: able() },
        Error::FamilyOfBareScores,
        Error::NoCovariance { method: text("dys"), able: able() },
        Error::NotPaired,
        Error::MethodMissing { method: text("dys"), fitted: names() },
        Error::NothingToCompare,
        Error::NoClusters { method: text("dys"), able: able() },
        Error::OneCluster,
        Error::GroupUnknown { column: text("week"), value: text("W99") },
        Error::SmallPopulation { n: 10, size: 9 },
        Error::TooFewResamples { resamples: 10, level: 0.95, least: 39 },
        Error::TooManyResamples { resamples: 10_000_000, most: 1_000_000 },
        Error::BootstrapTooLarge { resamples: 1000, estimates: 1_000_000, most: 10_000_000 },
        Error::BootstrapOfWeighted,
        Error::BootstrapOfClusters,
        Error::NotARate { name: "sensitivity", value: 90.0 },
        Error::CountAboveWhole { name: "positives", count: 40, of: 35 },
        Error::NoDenominator { name: "specificity" },
        Error::RateUnreadable { text: text("high") },
        Error::RatesNotSeparating { sensitivity: 0.6, specificity: 0.4 },
        Error::IntervalOfPopulation { interval: text("lang-reiczigel") },
        Error::NotAModel { reason: text("it is not JSON") },
        Error::OtherVersion { found: 9, known: 1 },
        Error::DamagedModel { reason: text("a field is missing") },
    ]
}

/// One of each.
fn warnings() -> Vec<Warning> {
    vec![
        Warning::OutsideUnitInterval { raw: 1.1 },
        Warning::FarOutside { raw: -2.0, distance: 3.5 },
        Warning::RatesContradicted { raw: -0.2, distance: 3.5 },
        Warning::Uncorrected,
        Warning::SingleScore,
        Warning::UnevenWeights { n: 100, effective: 1.5 },
        Warning::NoneInRegion,
        Warning::NoSpread,
        Warning::NoThreshold { threshold: 0.25 },
        Warning::NotConverged { steps: 1000 },
        Warning::StoppedShort { steps: 100, maximum: 0.3 },
        Warning::ZeroStandardError,
        Warning::UselessCutoff,
        Warning::AtLimit { class: Class::Negative, limit: "half-normal" },
        Warning::FewLabelled { n: 1 },
        Warning::FewLabelledUnits { n: 40, effective: 6.5 },
        Warning::FewValues { values: 5 },
        Warning::FamilyInDoubt { by: 0.01, p_value: 0.002 },
        Warning::FamilyContradicted { by: -0.05, p_value: 1e-9 },
        Warning::OtherShare { share: 0.5, labelled: 0.2, p_value: 1e-4 },
        Warning::Uncalibrated { slope: 0.5, intercept: 0.1, p_value: 1e-4 },
        Warning::WeakSeparation { difference: 0.1, noise: 0.05 },
        Warning::PoorMixture { p_value: 1e-4, worst: worst(), scale: 2.0 },
        Warning::NoMixture { p_value: 1e-9, worst: worst(), scale: 5.0 },
        Warning::MissingScores { n: 2 },
        Warning::ResamplesLost { lost: 1, of: 100 },
        Warning::TooManyResamplesLost { lost: 50, of: 100 },
    ]
}

fn worst() -> Excess {
    Excess { from: f64::NEG_INFINITY, to: 0.5, share: 0.1, se: 0.02 }
}

fn all() -> Vec<Box<dyn Condition>> {
    let errors = errors().into_iter().map(|error| Box::new(error) as Box<dyn Condition>);
    errors.chain(warnings().into_iter().map(|warning| Box::new(warning) as Box<dyn Condition>)).collect()
}

/// A code stands for one condition, and every condition is above, in the order of the tables.
#[test]
fn codes_are_unique_and_complete() {
    let tables: Vec<&str> =
        Error::TABLE.iter().map(|(code, ..)| *code).chain(Warning::TABLE.iter().map(|(code, ..)| *code)).collect();
    let codes: Vec<&str> = all().iter().map(|condition| condition.code()).collect();
    assert_eq!(codes, tables);
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    for code in codes {
        let words: Vec<&str> = code.split('-').collect();
        let is_a_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(words.len() > 1 && words.iter().all(is_a_word), "{code}");
    }
}

/// What each means is a sentence of its own.
#[test]
fn meanings_are_sentences() {
    let meanings = || Error::TABLE.iter().map(|(.., text)| *text).chain(Warning::TABLE.iter().map(|(.., text)| *text));
    for meaning in meanings() {
        assert!(meaning.starts_with(char::is_uppercase) && meaning.ends_with('.'), "{meaning}");
        assert!(!meaning.contains("  ") && !meaning.contains('`'), "{meaning}");
    }
    assert_eq!(meanings().collect::<BTreeSet<_>>().len(), meanings().count());
}

#[test]
fn classes_are_those_of_the_tables() {
    for (error, (_, subject, _)) in errors().iter().zip(Error::TABLE) {
        assert_eq!(error.subject(), *subject, "{error}");
    }
    for (warning, (_, severity, _)) in warnings().iter().zip(Warning::TABLE) {
        assert_eq!(warning.severity(), *severity, "{warning}");
    }
    for (name, severity, _) in Severity::TABLE {
        assert_eq!(severity.to_string(), *name);
    }
    for (name, subject, _) in Subject::TABLE {
        assert_eq!(subject.to_string(), *name);
    }
    assert!(Severity::Note < Severity::Caution && Severity::Caution < Severity::Unreliable);
}

/// What a user types is for the command, the Python package and others to say.
#[test]
fn sentences_name_no_options_and_no_commands() {
    for condition in all() {
        let sentence = condition.to_string();
        assert!(!sentence.contains("--") && !sentence.contains('`') && !sentence.contains("='"), "{sentence}");
        assert!(!sentence.contains("  ") && !sentence.ends_with('.'), "{sentence}");
    }
}

#[test]
fn fields_have_names_and_values() {
    let text = |text: &str| Field::Text(text.to_owned());
    let texts = |texts: &[&str]| Field::Texts(texts.iter().map(ToString::to_string).collect());
    let not_finite = Error::NotFinite { row: 3, value: f64::INFINITY };
    assert_eq!(not_finite.fields(), [("row", Field::Whole(3)), ("value", Field::Number(f64::INFINITY))]);
    let none = Error::NoWeights { methods: vec!["sld".to_owned()], able: vec!["es", "ac"] };
    assert_eq!(none.fields(), [("methods", texts(&["sld"])), ("able", texts(&["es", "ac"]))]);
    let too_small = |class| Error::PoolTooSmall { class, n: 40, size: 41 }.fields();
    let numbers = [("n", Field::Whole(40)), ("size", Field::Whole(41))];
    assert_eq!(too_small(None), numbers);
    assert_eq!(too_small(Some(Class::Negative))[0], ("class", text("negative")));
    assert_eq!(too_small(Some(Class::Negative))[1..], numbers);
    let no_mixture = Warning::NoMixture { p_value: 0.001, worst: worst(), scale: 5.0 }.fields();
    let names: Vec<&str> = no_mixture.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["p_value", "from", "to", "share", "se", "scale"]);
    assert_eq!(no_mixture[1].1, Field::Number(f64::NEG_INFINITY));
    assert_eq!(Warning::SingleScore.fields(), []);
}

#[test]
fn an_estimate_is_as_doubtful_as_its_worst_warning() {
    let severity = |warnings| {
        let mut estimate = Estimate::new(Method::ES, 1, 0.5, None, &Reporting::default());
        estimate.warnings = warnings;
        estimate.severity()
    };
    assert_eq!(severity(vec![]), None);
    let (note, caution) = (Warning::OutsideUnitInterval { raw: 1.1 }, Warning::MissingScores { n: 2 });
    assert_eq!(severity(vec![note]), Some(Severity::Note));
    assert_eq!(severity(vec![note, Warning::SingleScore, caution]), Some(Severity::Unreliable));
    assert_eq!(severity(vec![caution, note]), Some(Severity::Caution));
}
