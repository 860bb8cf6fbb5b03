//! Numbers as people write them: with a decimal comma, as percentages, as Booleans, or as verdicts
//! in words; and labels, which are equal if their numbers are.

use crate::rows::{Decimal, ScoreWords};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, Ordering};
use truecount_analysis::TableProblem;

/// How a number is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum NumberForm {
    /// 0.25
    Plain = 1,
    /// 25 %
    Percent,
    /// true or false, for 1 and 0
    Truth,
}

/// The form of the numbers of a column, which the first number decides.
#[derive(Default)]
pub struct ColumnForm(AtomicU8);

impl ColumnForm {
    /// Creates the form of a column whose first number has this form.
    pub fn new(form: NumberForm) -> Self {
        Self(AtomicU8::new(form as u8))
    }

    /// Returns whether numbers of this column have another form than plain numbers.
    pub fn is_special(&self) -> bool {
        self.0.load(Ordering::Relaxed) > NumberForm::Plain as u8
    }

    /// Checks that a number has the form of those before.
    ///
    /// # Errors
    /// Returns [`TableProblem::FormsMixed`] if the column has another form.
    pub fn check(&self, form: NumberForm, text: &str) -> Result<(), TableProblem> {
        let form = form as u8;
        let first = match self.0.load(Ordering::Relaxed) {
            0 => self.0.compare_exchange(0, form, Ordering::Relaxed, Ordering::Relaxed).err().unwrap_or(form),
            first => first,
        };
        if first == form {
            return Ok(());
        }
        let others = ["plain numbers", "percentages", "Booleans"][usize::from(first) - 1];
        Err(TableProblem::FormsMixed { value: text.to_owned(), others })
    }
}

/// Parses a number, and returns it with its form. Without a decimal separator, commas are decimal
/// unless they may separate thousands.
///
/// # Errors
/// Returns the problem of the text if it is empty or not a finite number.
pub fn parse(text: &str, decimal: Option<Decimal>) -> Result<(f64, NumberForm), TableProblem> {
    let text = text.trim();
    if let Some(truth) = truth(text) {
        return Ok((f64::from(u8::from(truth)), NumberForm::Truth));
    }
    let Some(number) = text.strip_suffix('%') else {
        return parse_plain(text, decimal).map(|number| (number, NumberForm::Plain));
    };
    let number = number.trim_end();
    let percentage = parse_plain(number, decimal).map_err(|_| TableProblem::not_a_number(text.to_owned()))?;
    // The exponent gives the number that is closest to the hundredth of what is written.
    let hundredth = format!("{}e-2", number.replace(',', ".")).parse();
    Ok((hundredth.unwrap_or(percentage / 100.0), NumberForm::Percent))
}

/// Parses a Boolean.
pub fn truth(text: &str) -> Option<bool> {
    match text {
        "true" | "True" | "TRUE" => Some(true),
        "false" | "False" | "FALSE" => Some(false),
        _ => None,
    }
}

fn parse_plain(text: &str, decimal: Option<Decimal>) -> Result<f64, TableProblem> {
    let parse = |text: &str| text.parse::<f64>().ok().filter(|number| number.is_finite());
    let decimal = decimal.or_else(|| Decimal::detect_certain(text.as_bytes())).unwrap_or_default();
    if let Some(number) = decimal.to_decimal_point(text).and_then(|text| parse(&text)) {
        return Ok(number);
    }
    let value = text.to_owned();
    let has_other_separator = match decimal {
        Decimal::Point => parse(&text.replacen(',', ".", 1)),
        Decimal::Comma => parse(text).or_else(|| parse(&text.replace('.', "").replace(',', "."))),
    };
    Err(match (decimal, has_other_separator) {
        _ if text.is_empty() => TableProblem::ValueEmpty,
        (Decimal::Point, Some(_)) => TableProblem::DecimalComma { value, separator: None },
        (Decimal::Comma, Some(_)) => TableProblem::DecimalPoint { value },
        (_, None) => TableProblem::not_a_number(value),
    })
}

/// The value of a label or cluster for comparisons. Numbers are equal by value: 1 equals 1.0, and
/// true equals 1.
#[derive(PartialEq, Eq, Hash)]
pub enum LabelValue {
    /// The bits of a number.
    Number(u64),
    /// Anything else.
    Text(String),
}

impl LabelValue {
    /// Parses a label or cluster.
    pub fn new(label: &str) -> Self {
        let number = truth(label).map(|truth| f64::from(u8::from(truth))).or_else(|| label.parse().ok());
        // Adding 0 turns -0 into 0.
        number.map_or_else(|| Self::Text(label.to_owned()), |number| Self::Number((number + 0.0).to_bits()))
    }
}

/// The scores of words.
pub struct Verdicts {
    /// The verdict that is 1; `None` if all words are 0.
    positive: Option<String>,
    /// The other verdict, once it is known.
    negative: OnceLock<String>,
}

impl Verdicts {
    /// Creates the reader of these words.
    pub fn new(words: ScoreWords) -> Self {
        let positive = match words {
            ScoreWords::Verdicts(positive) => Some(positive.to_owned()),
            ScoreWords::Any => None,
        };
        Self { positive, negative: OnceLock::new() }
    }

    /// Returns the score of a verdict.
    ///
    /// # Errors
    /// Returns the problem of an empty text or a third verdict.
    pub fn score(&self, text: &str) -> Result<f64, TableProblem> {
        let verdict = LabelValue::new(text);
        if text.is_empty() {
            return Err(TableProblem::ValueEmpty);
        }
        let Some(positive) = &self.positive else { return Ok(0.0) };
        if verdict == LabelValue::new(positive) {
            return Ok(1.0);
        }
        let negative = self.negative.get_or_init(|| text.to_owned());
        if verdict == LabelValue::new(negative) {
            return Ok(0.0);
        }
        let (positive, negative) = (positive.clone(), negative.clone());
        Err(TableProblem::ThirdVerdict { value: text.to_owned(), positive, negative })
    }
}

/// A parser of the texts of a numeric column.
pub struct NumberParser {
    decimal: Option<Decimal>,
    form: ColumnForm,
    verdicts: Option<Verdicts>,
}

impl NumberParser {
    /// Creates the parser of numbers with this decimal separator, which is detected by default.
    pub fn new(decimal: Option<Decimal>) -> Self {
        Self { decimal, form: ColumnForm::default(), verdicts: None }
    }

    /// Reads words instead of numbers.
    #[must_use]
    pub fn with_words(self, words: Option<ScoreWords>) -> Self {
        Self { verdicts: words.map(Verdicts::new), ..self }
    }

    /// Returns whether the column has verdicts instead of numbers.
    pub fn reads_verdicts(&self) -> bool {
        self.verdicts.is_some()
    }

    /// Parses a number that is marked as one in its file, with a decimal point.
    ///
    /// # Errors
    /// Returns the problem of the number if it is not finite, or not a known verdict.
    pub fn parse_literal(&self, written: &str) -> Result<f64, TableProblem> {
        if let Some(verdicts) = &self.verdicts {
            return verdicts.score(written);
        }
        let number = fast_float2::parse::<f64, _>(written).ok().filter(|number| number.is_finite());
        let number = number.ok_or_else(|| TableProblem::ValueNotFinite { value: written.to_owned() })?;
        self.form.check(NumberForm::Plain, written).map(|()| number)
    }

    /// Parses a text.
    ///
    /// # Errors
    /// Returns the problem of the text if it is not a finite number or a known verdict.
    pub fn parse(&self, text: &str) -> Result<f64, TableProblem> {
        if let Some(verdicts) = &self.verdicts {
            return verdicts.score(text);
        }
        let (number, form) = parse(text, self.decimal)?;
        self.form.check(form, text).map(|()| number)
    }
}
