//! The label of the class that is counted, as whoever labelled the scores has it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What a positive is called: a model keeps it for those who read its estimates; nothing is computed from it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Label {
    /// As in a column of flags.
    Flag(bool),
    /// As in a column of 0 and 1.
    Whole(i64),
    /// As in a column of 0.0 and 1.0.
    Number(f64),
    /// A word.
    Text(String),
}

impl From<&str> for Label {
    /// What a label that was typed or read from text means: a flag or a number where it reads as one.
    fn from(text: &str) -> Self {
        let whole = || text.parse().ok().map(Self::Whole);
        let number = || text.parse().ok().filter(|number: &f64| number.is_finite()).map(Self::Number);
        let known = text.parse().ok().map(Self::Flag).or_else(whole).or_else(number);
        known.unwrap_or_else(|| Self::Text(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Flag(flag) => flag.fmt(f),
            Self::Whole(number) => number.fmt(f),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Label;

    #[test]
    fn text_means_what_it_reads_as() {
        let known = [
            ("true", Label::Flag(true)),
            ("1", Label::Whole(1)),
            ("-1", Label::Whole(-1)),
            ("0.5", Label::Number(0.5)),
            ("spam", Label::Text("spam".to_owned())),
            ("nan", Label::Text("nan".to_owned())),
            ("", Label::Text(String::new())),
        ];
        for (text, label) in known {
            assert_eq!(Label::from(text), label);
            assert_eq!(serde_json::from_str::<Label>(&serde_json::to_string(&label).unwrap()).unwrap(), label);
        }
    }
}
