//! The label of the positive class in the labelled data.

use serde::{Deserialize, Serialize};
use std::fmt;

/// The label of the positives. A model keeps it for display only.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// A Boolean.
    Bool(bool),
    /// An integer, as in a column of 0 and 1.
    Integer(i64),
    /// A floating-point number, as in a column of 0.0 and 1.0.
    Number(f64),
    /// Any other text.
    Text(String),
}

impl From<&str> for Label {
    /// Parses a Boolean or a finite number; any other text stays a text.
    fn from(text: &str) -> Self {
        let whole = || text.parse().ok().map(Self::Integer);
        let number = || text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Number);
        let parsed = text.parse().ok().map(Self::Bool).or_else(whole).or_else(number);
        parsed.unwrap_or_else(|| Self::Text(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Bool(flag) => flag.fmt(f),
            Self::Integer(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Label;

    #[test]
    fn labels_are_parsed_and_survive_json() {
        let labels = [
            ("true", Label::Bool(true)),
            ("1", Label::Integer(1)),
            ("-1", Label::Integer(-1)),
            ("0.5", Label::Number(0.5)),
            ("spam", Label::Text("spam".to_owned())),
            ("nan", Label::Text("nan".to_owned())),
            ("", Label::Text(String::new())),
        ];
        for (text, label) in labels {
            assert_eq!(Label::from(text), label);
            assert_eq!(serde_json::from_str::<Label>(&serde_json::to_string(&label).unwrap()).unwrap(), label);
        }
    }
}
