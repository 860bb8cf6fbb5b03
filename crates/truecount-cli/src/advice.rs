//! What to type: the one place where errors and warnings of the library learn the names of options and commands.

use serde::ser::{Serialize, SerializeMap, Serializer};
use truecount::{Condition, Field, Warning};

/// What the sentences of these codes lack. Where a word stands in braces it is a field; without that field the advice is
/// left out.
const ADVICE: &[(&str, &str)] = &[
    ("class-too-small-to-check", " (without --test the families alone are checked)"),
    ("classes-inverted", " (--positive {negatives})"),
    ("classes-not-separated-at-cutoff", " (--cutoff)"),
    ("few-values", " (--anchor sample, or a method such as es, ac or pacc)"),
    ("no-mixture", "; see `truecount check`"),
    ("pool-too-small", " (--size)"),
    ("probabilities-missing", " (--prob)"),
    ("probabilities-unexpected", " (--prob)"),
    ("sql-column-twice", " (--by)"),
    ("threshold-not-reached", " (o-cs, o-ms), or another method"),
    ("too-few-values-to-check", " (without --test the families alone are checked)"),
];

/// What is the matter, and what to type.
pub fn worded(condition: &impl Condition) -> String {
    let advice = ADVICE.iter().find(|(code, _)| *code == condition.code()).map_or("", |(_, advice)| advice);
    format!("{condition}{}", filled(advice, &condition.fields()).unwrap_or_default())
}

/// The text with fields in place of their names; none if it names one that is not there.
fn filled(advice: &str, fields: &[(&str, Field)]) -> Option<String> {
    let Some((before, rest)) = advice.split_once('{') else { return Some(advice.to_owned()) };
    let (name, after) = rest.split_once('}')?;
    let value = fields.iter().find(|(known, _)| *known == name).map(|(_, field)| shown(field))?;
    Some(format!("{before}{value}{}", filled(after, fields)?))
}

fn shown(field: &Field) -> String {
    match field {
        Field::Whole(n) => n.to_string(),
        Field::Number(x) => x.to_string(),
        Field::Text(text) => text.clone(),
        Field::Texts(texts) => texts.join(", "),
        other => format!("{other:?}"),
    }
}

/// A warning as an object: `code`, `severity`, `message`, and its fields by name.
pub struct Object<'a>(pub &'a Warning);

impl Serialize for Object<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("code", self.0.code())?;
        object.serialize_entry("severity", &self.0.severity().to_string())?;
        object.serialize_entry("message", &worded(self.0))?;
        for (name, field) in self.0.fields() {
            match field {
                Field::Whole(n) => object.serialize_entry(name, &n)?,
                // An end without end is null.
                Field::Number(x) => object.serialize_entry(name, &x)?,
                Field::Text(text) => object.serialize_entry(name, &text)?,
                Field::Texts(texts) => object.serialize_entry(name, &texts)?,
                other => object.serialize_entry(name, &shown(&other))?,
            }
        }
        object.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use truecount::Error;

    #[test]
    fn advice_is_for_codes_that_there_are() {
        for (code, _) in ADVICE {
            let errors = Error::TABLE.iter().map(|(known, ..)| known);
            let mut known = errors.chain(Warning::TABLE.iter().map(|(known, ..)| known));
            assert!(known.any(|known| known == code), "{code}");
        }
    }

    #[test]
    fn fields_stand_for_their_names() {
        let fields = [("negatives", Field::Text("ham".to_owned())), ("n", Field::Whole(3))];
        let filled = |advice| filled(advice, &fields);
        assert_eq!(filled(" (--cutoff)").as_deref(), Some(" (--cutoff)"));
        assert_eq!(filled(" (--positive {negatives}, {n})").as_deref(), Some(" (--positive ham, 3)"));
        assert_eq!(filled(" (--positive {label})"), None);
    }
}
