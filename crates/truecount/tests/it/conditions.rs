//! Errors and warnings as values: the code, fields and sentence of every one.

use std::collections::BTreeSet;
use truecount::error::{
    Condition, ErrorKind, ErrorLocation, Field, Operation, Position, Problem, Severity, UnsupportedOperation,
};
use truecount::inference::Excess;
use truecount::multiclass::ClassWarning;
use truecount::scores::Class;
use truecount::{Error, Estimate, Method, Warning};

/// Returns one problem of each variant, in the order of the table.
fn problems() -> Vec<Problem> {
    let text = str::to_owned;
    let (names, able) = (|| vec![text("sld"), text("ml")], || vec!["es", "ac"]);
    let (class, value) = (Class::Positive, f64::INFINITY);
    vec![
        Problem::ScoreNotFinite { value: Field::Number(value) },
        Problem::LengthMismatch { column: "weights", values: 1, others: 2 },
        Problem::ProbabilityOutOfRange { value },
        Problem::ProbabilitiesMissing,
        Problem::ProbabilitiesUnexpected,
        Problem::WeightOutOfRange { value: Field::Number(value) },
        Problem::WeightsMissing,
        Problem::WeightsUnexpected,
        Problem::TallyModelMismatch,
        Problem::TallyNumber { found: 1, methods: 2 },
        Problem::OneTallyWeighted,
        Problem::NotATally { name: text("es"), reason: text("a count is no whole number") },
        Problem::BinUnknown { method: text("dys"), bin: 8, last: 7 },
        Problem::ScoreOutsideUnitInterval { value, needed_by: "the logit transform" },
        Problem::TooFewValuesForRanks { distinct: 1 },
        Problem::TooFewClasses { classes: 1 },
        Problem::ProbabilitiesNotOne { sum: 1.2 },
        Problem::DecisionValuesExpected,
        Problem::PredictionsOnly { method: text("ml") },
        Problem::VerdictNotAClass { verdict: text("unsure") },
        Problem::LabelNotAClass { label: 3, classes: 3 },
        Problem::NamedClassTooSmall { class: text("grass"), n: 1 },
        Problem::ClassesIndistinct,
        Problem::ClassMissing { positive: 2, negative: 0 },
        Problem::ClassOfOneScore { class },
        Problem::ClassWeightsZero { class },
        Problem::TooFewClusters { class, n: 1 },
        Problem::SingleUnitStrata { strata: 1 },
        Problem::ClassTooSmall { class, n: 1, needed: 2, family: "normal" },
        Problem::ClassVarianceZero { class, n: 7, value: 0.1 },
        Problem::ClassOutOfScale { class },
        Problem::ScoreOutsideSupport { class, family: "beta", value: 1.5, low: 0.0, high: 1.0 },
        Problem::ClassesInverted { discordance: 0.75, other: None },
        Problem::ScoreOutlying { class, value: -1000.0 },
        Problem::ClassesNotSeparated { max_j: 0.0 },
        Problem::ThresholdNotReached { threshold: 0.25, max_j: 0.1 },
        Problem::ClassesNotSeparatedAtCutoff { cutoff: 0.5, positive: 0.1, negative: 0.2 },
        Problem::ClassesNotSeparatedInMean { what: "scores", positive: 0.1, negative: 0.2 },
        Problem::ClassTooSmallToCheck { class, n: 9, needed: 10 },
        Problem::ClassTooUnevenToCheck { class, effective: 4.25, needed: 10 },
        Problem::TooFewValuesToCheck,
        Problem::PoolTooSmall { class: Some(class), n: 40, size: 41 },
        Problem::SqlNameEmpty,
        Problem::SqlColumnTwice { column: text("week") },
        Problem::SqlColumnTaken { column: text("n") },
        Problem::NoMethods,
        Problem::AuditNeedsBins,
        Problem::AuditEmpty,
        Problem::AuditUnlabelled,
        Problem::AuditLabelled { repeated: 40, audited: 50 },
        Problem::AuditOutside { outside: 2, audited: 30 },
        Problem::AuditOneCluster,
        Problem::AuditStratumTooSmall { n: 40, audited: 1 },
        Problem::ClustersAcrossStrata { clusters: 2 },
        Problem::NoTestScores,
        Problem::AllWeightsZero,
        Problem::ParameterOutOfRange { name: "level", value: 95.0, domain: "between 0 and 1, both excluded" },
        Problem::UnknownMethod { name: text("kde"), similar: None, known: able() },
        Problem::UnknownChoice { name: "family", value: text("gamma"), known: able() },
        Problem::ThresholdUnknown { text: text("high") },
        Problem::ThresholdUnused,
        Problem::FamilyTransformConflict,
        Problem::NotPaired,
        Problem::MethodMissing { method: text("dys"), fitted: names() },
        Problem::NothingToCompare,
        Problem::OneCluster,
        Problem::SingleUnitTestStrata { strata: 2 },
        Problem::SingleRowClusters { clusters: 1 },
        Problem::EmptyReplicate { replicate: 17 },
        Problem::GroupUnknown { column: text("week"), value: text("W99") },
        Problem::SmallPopulation { n: 10, size: 9 },
        Problem::SmallStage { drawn: 10, what: "clusters", size: 9 },
        Problem::TooFewResamples { resamples: 10, level: 0.95, least: 39 },
        Problem::TooManyResamples { resamples: 10_000_000, most: 1_000_000 },
        Problem::BootstrapTooLarge { resamples: 1000, estimates: 1_000_000, most: 10_000_000 },
        Problem::ResultTooLarge { what: "pairs of groups to compare", most: 10_000_000 },
        Problem::BootstrapOfWeighted,
        Problem::BootstrapOfClusters,
        Problem::RateOutOfRange { name: "sensitivity", value: 90.0 },
        Problem::CountAboveWhole { name: "positives", count: 40, of: 35 },
        Problem::DenominatorZero { name: "specificity" },
        Problem::RateNotReadable { text: text("high") },
        Problem::RatesNotSeparating { sensitivity: 0.6, specificity: 0.4 },
        Problem::IntervalOfPopulation { interval: text("lang-reiczigel") },
        Problem::NotAModel { reason: text("it is not JSON") },
        Problem::ModelOfOtherVersion { found: 9, known: 1 },
        Problem::ModelDamaged { reason: text("a field is missing") },
    ]
}

/// Returns one error of each kind, in the order of the tables.
fn errors() -> Vec<Error> {
    let not_possible = Operation::ALL.iter().map(|operation| operation.unsupported_by(["sld", "ml"]).into());
    problems().into_iter().map(Error::from).chain(not_possible).collect()
}

fn error_table() -> Vec<(&'static str, ErrorKind, &'static str)> {
    [Problem::TABLE, &Operation::table()].concat()
}

/// Returns one warning of each variant, in the order of the table.
fn warnings() -> Vec<Warning> {
    vec![
        Warning::OutsideUnitInterval { raw: 1.1 },
        Warning::FarOutsideUnitInterval { raw: -2.0, distance: 3.5 },
        Warning::RatesContradicted { raw: -0.2, distance: 3.5 },
        Warning::GroupsShifted { shift: 0.3 },
        Warning::OtherGroupsContradict { contradicted: 1, groups: 7 },
        Warning::NotCorrected,
        Warning::GroupsUnreliable { share: 0.3 },
        Warning::SingleScore,
        Warning::UnevenWeights { n: 100, effective: 1.5 },
        Warning::EmptyReplicates { empty: 3, replicates: 80 },
        Warning::NoneInRegion,
        Warning::NoSpread,
        Warning::SingleCutUsed { threshold: 0.25 },
        Warning::NotConverged { steps: 1000 },
        Warning::EmNotConverged { steps: 100, maximum: 0.3 },
        Warning::ZeroStandardError,
        Warning::PerfectSeparation,
        Warning::UselessCutoff,
        Warning::BoundaryFit { class: Class::Negative, limit: "half-normal" },
        Warning::FewLabelled { n: 1 },
        Warning::FewLabelledUnits { n: 40, effective: 6.5 },
        Warning::CopiedLabels { times: 5 },
        Warning::MissingCode { class: Class::Negative, value: -999.0 },
        Warning::FewValues { values: 5 },
        Warning::FamilyInDoubt { by: 0.01, p_value: 0.002 },
        Warning::FamilyContradicted { by: -0.05, p_value: 1e-9 },
        Warning::ProbabilitiesPriorMismatch { share: 0.5, labelled: 0.2, p_value: 1e-4 },
        Warning::NotCalibrated { slope: 0.5, intercept: 0.1, p_value: 1e-4 },
        Warning::WeakSeparation { difference: 0.1, noise: 0.05 },
        Warning::MisfitWidened { p_value: 1e-4, worst: worst(), scale: 2.0 },
        Warning::PriorShiftRejected { p_value: 1e-9, worst: worst(), scale: 5.0 },
        Warning::ScoresOutsideRange { share: 0.97, labelled: 0.96875, from: 0.01, to: 0.98 },
        Warning::MissingScores { n: 2 },
        Warning::ResamplesLost { lost: 1, of: 100 },
        Warning::TooManyResamplesLost { lost: 50, of: 100 },
    ]
}

/// Returns one warning about several classes of each variant, in the order of the table.
fn class_warnings() -> Vec<ClassWarning> {
    let [class, first, second] = ["water", "crop", "grass"].map(str::to_owned);
    let (p_value, from, to, observed, expected) = (1e-4, 0.25, 0.75, 40, 12.3);
    vec![
        ClassWarning::ClassMixWidened { p_value, class: class.clone(), from, to, observed, expected, scale: 1.8 },
        ClassWarning::ClassMixRejected { p_value, class: class.clone(), from, to, observed, expected },
        ClassWarning::ClassFarOutside { class: class.clone(), raw: 1.4, distance: 11.9 },
        ClassWarning::ClassGroupsRejected { share: 0.4 },
        ClassWarning::ClassesIndistinguishable { first, second, sum: 0.31, std_error: 0.02 },
        ClassWarning::SharesUnknown { class: class.clone(), std_error: 0.61 },
        ClassWarning::ClassFewLabelled { class, n: 3 },
        ClassWarning::ProbabilitiesTrusted,
        ClassWarning::ClassesNotCorrected,
    ]
}

fn warning_table() -> Vec<(&'static str, Severity, &'static str)> {
    [Warning::TABLE, ClassWarning::TABLE].concat()
}

fn worst() -> Excess {
    Excess { from: f64::NEG_INFINITY, to: 0.5, share: 0.1, std_error: 0.02 }
}

fn conditions() -> Vec<Box<dyn Condition>> {
    let errors = errors().into_iter().map(|error| Box::new(error) as Box<dyn Condition>);
    let warnings = warnings().into_iter().map(|warning| Box::new(warning) as Box<dyn Condition>);
    let class_warnings = class_warnings().into_iter().map(|warning| Box::new(warning) as Box<dyn Condition>);
    errors.chain(warnings).chain(class_warnings).collect()
}

/// Every code stands for one condition, and the lists above hold every condition of the tables.
#[test]
fn codes_are_unique_and_complete() {
    let tables: Vec<&str> =
        error_table().iter().map(|(code, ..)| *code).chain(warning_table().iter().map(|(code, ..)| *code)).collect();
    let codes: Vec<&str> = conditions().iter().map(|condition| condition.code()).collect();
    assert_eq!(codes, tables);
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    for code in codes {
        let words: Vec<&str> = code.split('-').collect();
        let is_a_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(words.len() > 1 && words.iter().all(is_a_word), "{code}");
    }
}

#[test]
fn meanings_are_distinct_sentences() {
    let error_meanings = error_table().into_iter().map(|(.., text)| text);
    let meanings: Vec<&str> = error_meanings.chain(warning_table().iter().map(|(.., text)| *text)).collect();
    for meaning in &meanings {
        assert!(meaning.starts_with(char::is_uppercase) && meaning.ends_with('.'), "{meaning}");
        assert!(!meaning.contains("  ") && !meaning.contains('`'), "{meaning}");
    }
    assert_eq!(meanings.iter().collect::<BTreeSet<_>>().len(), meanings.len());
}

#[test]
fn kinds_and_severities_agree_with_the_tables() {
    for (error, (_, kind, _)) in errors().iter().zip(error_table()) {
        assert_eq!(error.kind(), kind, "{error}");
    }
    let severities = warnings().iter().map(Warning::severity).collect::<Vec<_>>();
    let class_severities = class_warnings().iter().map(ClassWarning::severity).collect();
    let expected: Vec<Severity> = warning_table().iter().map(|(_, severity, _)| *severity).collect();
    assert_eq!([severities, class_severities].concat(), expected);
    for (name, severity, _) in Severity::TABLE {
        assert_eq!(severity.to_string(), *name);
    }
    for (name, kind, _) in ErrorKind::TABLE {
        assert_eq!(kind.to_string(), *name);
    }
    assert!(Severity::Note < Severity::Caution && Severity::Caution < Severity::Unreliable);
}

/// Options differ between the interfaces, which add hints with what to type.
#[test]
fn sentences_name_no_options_and_no_commands() {
    for condition in conditions() {
        let sentence = condition.to_string();
        assert!(!sentence.contains("--") && !sentence.contains('`') && !sentence.contains("='"), "{sentence}");
        assert!(!sentence.contains("  ") && !sentence.ends_with('.'), "{sentence}");
    }
}

#[test]
fn fields_have_names_and_values() {
    let text = |text: &str| Field::Text(text.to_owned());
    let texts = |texts: &[&str]| Field::Texts(texts.iter().map(ToString::to_string).collect());
    let not_finite =
        ErrorLocation::value("scores", 3).error(Problem::ScoreNotFinite { value: Field::Number(f64::INFINITY) });
    let value = ("value", Field::Number(f64::INFINITY));
    assert_eq!(not_finite.fields(), [("row", Field::Integer(3)), ("column", text("scores")), value]);
    let weights = Operation::Weights.unsupported_by(["sld"]).fields();
    assert_eq!(weights[0], ("methods", texts(&["sld"])));
    let plan = Method::CC.check_precision().unwrap_err().fields();
    assert_eq!(plan.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["method", "why", "able"]);
    assert_eq!(plan[0].1, text("cc"));
    let too_small = |class| Problem::PoolTooSmall { class, n: 40, size: 41 }.fields();
    let numbers = [("n", Field::Integer(40)), ("size", Field::Integer(41))];
    assert_eq!(too_small(None), numbers);
    assert_eq!(too_small(Some(Class::Negative))[0], ("class", text("negative")));
    assert_eq!(too_small(Some(Class::Negative))[1..], numbers);
    let rejected = Warning::PriorShiftRejected { p_value: 0.001, worst: worst(), scale: 5.0 }.fields();
    let names: Vec<&str> = rejected.iter().map(|(name, _)| *name).collect();
    assert_eq!(names, ["p_value", "from", "to", "share", "se", "scale"]);
    assert_eq!(rejected[1].1, Field::Number(f64::NEG_INFINITY));
    assert_eq!(Warning::SingleScore.fields(), []);
}

#[test]
fn an_estimate_has_the_severity_of_its_worst_warning() {
    let severity = |warnings| {
        let mut estimate = Estimate::new(Method::ES, 1, 0.5);
        estimate.warnings = warnings;
        estimate.severity()
    };
    assert_eq!(severity(vec![]), None);
    let (note, caution) = (Warning::OutsideUnitInterval { raw: 1.1 }, Warning::MissingScores { n: 2 });
    assert_eq!(severity(vec![note]), Some(Severity::Note));
    assert_eq!(severity(vec![note, Warning::SingleScore, caution]), Some(Severity::Unreliable));
    assert_eq!(severity(vec![caution, note]), Some(Severity::Caution));
}

#[test]
fn callers_complete_a_location_without_overwriting_it() {
    let error = Error::from(Problem::NoTestScores).in_set(3).for_method("es").in_file("a.csv").in_file("b.csv");
    assert_eq!(error.to_string(), "a.csv: es: there are no test scores");
    assert_eq!(error.location().set, Some(3));
    let value = Field::Number(f64::NAN);
    let not_finite = |location: ErrorLocation| location.error(Problem::ScoreNotFinite { value: value.clone() });
    let sentence = "is NaN; scores must be finite numbers";
    let error = not_finite(ErrorLocation::value("scores", 3)).at_row(7).renumber_row(|row| row + 1);
    assert_eq!(error.to_string(), format!("score 4 {sentence}"));
    let cell = ErrorLocation::file("a.csv").at(Position::Line(9)).column("p");
    assert_eq!(not_finite(cell).to_string(), format!("a.csv, line 9, column 'p': the cell {sentence}"));
    let cell = Position::Cell { row: 0, column: 26 * 27 };
    let sheet = ErrorLocation::file("a.xlsx").sheet("Q1").at(cell);
    assert_eq!(
        sheet.error(Problem::NoTestScores).to_string(),
        "a.xlsx, sheet 'Q1', cell AAA1: there are no test scores"
    );
}

#[test]
fn a_problem_can_be_recovered_from_its_error() {
    let error = Error::from(Problem::TallyModelMismatch);
    assert_eq!(error.problem(), Some(&Problem::TallyModelMismatch));
    assert_eq!(error.problem::<UnsupportedOperation>(), None);
    assert_eq!(error, error.clone());
    assert_ne!(error, error.clone().at_row(1));
    assert_eq!(size_of::<Error>(), size_of::<usize>());
}
