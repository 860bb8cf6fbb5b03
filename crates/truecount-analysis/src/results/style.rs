//! The notation of numbers in tables for people.

use super::column::{CellFormat, Unit};

/// The notation of numbers in tables for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NumberStyle {
    /// The decimal mark.
    pub decimal: &'static str,
    /// Whether shares are in per cent, and differences of shares in percentage points.
    pub percent: bool,
}

impl Default for NumberStyle {
    fn default() -> Self {
        Self { decimal: ".", percent: false }
    }
}

impl NumberStyle {
    /// Returns whether values of a column are shown in per cent although the format shows shares.
    fn converts(self, unit: Unit, format: CellFormat) -> bool {
        let is_percent = matches!(format, CellFormat::Percent(_) | CellFormat::Percentage(_));
        self.percent && unit == Unit::Share && !is_percent
    }

    /// Returns the heading of a column, with the unit if the values are in per cent.
    pub(super) fn heading(self, heading: String, unit: Unit, format: CellFormat) -> String {
        match format {
            _ if !self.converts(unit, format) => heading,
            CellFormat::Signed if heading == "difference" => "points".to_owned(),
            CellFormat::Signed => format!("{heading} (points)"),
            CellFormat::SignedIntervalTo(_) => heading,
            _ => format!("{heading} (%)"),
        }
    }

    /// Returns the text of a number, or of two numbers, in this notation. `text` has decimal points.
    ///
    /// Per cent are made from the rounded digits, so that both notations show the same number.
    pub(super) fn number(self, text: String, unit: Unit, format: CellFormat) -> String {
        if matches!(unit, Unit::Text | Unit::Flag) || self == Self::default() {
            return text;
        }
        let text = if self.converts(unit, format) {
            text.split(' ').map(in_percent).collect::<Vec<_>>().join(" ")
        } else {
            text
        };
        text.replace('.', self.decimal)
    }

    /// Returns Excel's number format of a column; an empty text for the general format.
    pub(super) fn excel_format(self, unit: Unit, format: CellFormat) -> String {
        let decimals = |digits: usize| format!("0{}{}", if digits > 0 { "." } else { "" }, "0".repeat(digits));
        let converts = self.converts(unit, format);
        let shares = |digits: usize| if converts { decimals(digits.saturating_sub(2)) + "%" } else { decimals(digits) };
        match format {
            CellFormat::AsIs => String::new(),
            CellFormat::Decimals(digits) => shares(digits),
            CellFormat::CountTo(_) => decimals(0),
            CellFormat::Evidence | CellFormat::RatioTo(_) => decimals(2),
            CellFormat::UpToOne => decimals(3),
            CellFormat::Signed | CellFormat::SignedIntervalTo(_) => {
                let number = shares(4);
                format!("+{number};-{number};{number}")
            }
            CellFormat::PValue => "[<0.0001]0E+00;0.0000".to_owned(),
            CellFormat::StandardError | CellFormat::WidenedStandardError(_) | CellFormat::IntervalTo(_) => shares(4),
            CellFormat::Percent(digits) | CellFormat::Percentage(digits) => decimals(digits) + "%",
        }
    }
}

/// Moves the decimal point of a number two digits to the right. Other words stay as they are.
fn in_percent(word: &str) -> String {
    let start = word.find(|c: char| c.is_ascii_digit()).unwrap_or(word.len());
    let (sign, number) = word.split_at(start);
    match (number.split_once('e'), number.split_once('.')) {
        (Some((digits, exponent)), _) => match exponent.parse::<i32>() {
            Ok(exponent) => format!("{sign}{digits}e{}", exponent + 2),
            Err(_) => word.to_owned(),
        },
        (None, Some((whole, decimals))) if decimals.len() >= 2 => {
            let (moved, rest) = decimals.split_at(2);
            let digits = format!("{whole}{moved}");
            let digits = digits.trim_start_matches('0');
            let digits = if digits.is_empty() { "0" } else { digits };
            format!("{sign}{digits}{}{rest}", if rest.is_empty() { "" } else { "." })
        }
        _ => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{CellFormat, NumberStyle, Unit};

    #[test]
    fn shares_in_per_cent_keep_their_digits() {
        let style = NumberStyle { decimal: ",", percent: true };
        let format = CellFormat::IntervalTo("upper");
        for (share, percent) in [
            ("0.2948 – 0.3521", "29,48 – 35,21"),
            ("+0.0007", "+0,07"),
            ("-0.1200", "-12,00"),
            ("1.0000", "100,00"),
            ("3e-5", "3e-3"),
            ("–", "–"),
        ] {
            assert_eq!(style.number(share.to_owned(), Unit::Share, format), percent);
        }
        assert_eq!(style.number("94.0 %".to_owned(), Unit::Share, CellFormat::Percent(1)), "94,0 %");
        assert_eq!(style.number("1.5".to_owned(), Unit::Number, CellFormat::Decimals(1)), "1,5");
        assert_eq!(style.number("a.b".to_owned(), Unit::Text, CellFormat::AsIs), "a.b");
    }
}
