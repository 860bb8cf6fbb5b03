//! Errors and warnings as values: codes, meanings, sentences and fields.

use std::collections::BTreeSet;
use truecount::error::{
    Condition, ErrorKind, ErrorLocation, Field, Operation, Position, Problem, Severity, UnsupportedOperation,
};
use truecount::inference::Excess;
use truecount::multiclass::ClassWarning;
use truecount::scores::Class;
use truecount::{Error, Estimate, Method, Warning};

/// The tables of errors and warnings: codes and meanings.
fn tables() -> Vec<(&'static str, &'static str)> {
    let errors = [Problem::TABLE, &Operation::table()].concat().into_iter().map(|(code, _, meaning)| (code, meaning));
    let warnings = [Warning::TABLE, ClassWarning::TABLE].concat();
    errors.chain(warnings.into_iter().map(|(code, _, meaning)| (code, meaning))).collect()
}

#[test]
fn codes_are_unique_and_have_several_words() {
    let codes: Vec<&str> = tables().into_iter().map(|(code, _)| code).collect();
    assert_eq!(codes.iter().collect::<BTreeSet<_>>().len(), codes.len());
    for code in codes {
        let words: Vec<&str> = code.split('-').collect();
        let is_a_word = |word: &&str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
        assert!(words.len() > 1 && words.iter().all(is_a_word), "{code}");
    }
}

#[test]
fn meanings_are_distinct_sentences() {
    let meanings: Vec<&str> = tables().into_iter().map(|(_, meaning)| meaning).collect();
    for meaning in &meanings {
        assert!(meaning.starts_with(char::is_uppercase) && meaning.ends_with('.'), "{meaning}");
        assert!(!meaning.contains("  ") && !meaning.contains('`'), "{meaning}");
    }
    assert_eq!(meanings.iter().collect::<BTreeSet<_>>().len(), meanings.len());
}

#[test]
fn severities_and_kinds_have_names_and_an_order() {
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
    let sources = [
        include_str!("../../src/problem.rs"),
        include_str!("../../src/inference/warning.rs"),
        include_str!("../../src/multiclass/warning.rs"),
    ];
    let mut sentences: Vec<String> =
        Operation::ALL.iter().map(|operation| operation.unsupported_by(["sld"]).problem()).collect();
    for source in sources {
        let (_, variants) = source.split_once("\n    pub enum ").unwrap();
        let (variants, _) = variants.split_once("\n    }\n").unwrap();
        let lines: Vec<&str> = variants.lines().map(str::trim).filter(|line| !line.starts_with("//")).collect();
        sentences.extend(lines.join(" ").replace("\\ ", "").split('"').skip(1).step_by(2).map(str::to_owned));
    }
    assert!(sentences.len() > 200);
    for sentence in sentences {
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
    let worst = Excess { from: f64::NEG_INFINITY, to: 0.5, share: 0.1, std_error: 0.02 };
    let rejected = Warning::PriorShiftRejected { p_value: 0.001, worst, scale: 5.0 }.fields();
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
