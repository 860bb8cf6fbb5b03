//! The list of all methods, and the lookup of a method by its name.

use super::Method;
use crate::{Error, Problem};
use std::str::FromStr;

impl Method {
    /// All methods without a numeric setting, in the order of the documentation. `cs` needs a
    /// threshold: see [`continuous_sweep`](Self::continuous_sweep).
    pub const ALL: &'static [Self] = &[
        Self::ES,
        Self::O_CS,
        Self::T_CS,
        Self::O_MS,
        Self::T_MS,
        Self::MS_QUAPY,
        Self::MS2,
        Self::CC,
        Self::AC,
        Self::MAX,
        Self::T50,
        Self::X,
        Self::PCC,
        Self::PACC,
        Self::FRIEDMAN,
        Self::SMM,
        Self::EDY,
        Self::SLD,
        Self::SLD_BCTS,
        Self::ML,
        Self::KDEY_ML,
        Self::DYS,
        Self::DYS_TOPSOE,
        Self::MM,
        Self::HDY,
        Self::BCC,
        Self::PQ,
    ];

    /// Returns the names of the methods that satisfy a condition.
    pub(crate) fn names_where(condition: impl Fn(Self) -> bool) -> Vec<&'static str> {
        Self::ALL.iter().filter(|method| condition(**method)).map(|method| method.name()).collect()
    }
}

/// Names of methods in other programs, without punctuation, and their names here.
const OTHER_NAMES: [(&str, &str); 6] =
    [("acc", "ac"), ("emq", "sld"), ("em", "sld"), ("pac", "pacc"), ("kdey", "kdey-ml"), ("mediansweep", "t-ms")];

/// Returns a text in lower case, without spaces and punctuation.
fn letters(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Returns the name of the method that resembles `name`.
///
/// The name or an alias of the method differs from `name` only in case and punctuation or by one
/// typing error, or `name` is the beginning of its description (`continuous-sweep`).
fn similar_method(name: &str) -> Option<&'static str> {
    let wanted = letters(name);
    if wanted.is_empty() {
        return None;
    }
    let names = || {
        let with_aliases = |method: &Method| [method.name()].into_iter().chain(method.aliases().iter().copied());
        Method::ALL.iter().flat_map(with_aliases).chain(["cs"])
    };
    let is_described = |method: &&Method| letters(method.summary()).starts_with(&wanted);
    let is_mistyped = |known: &&str| known.len() > 2 && strsim::damerau_levenshtein(known, &wanted) == 1;
    names()
        .find(|known| letters(known) == wanted)
        .or_else(|| OTHER_NAMES.iter().find(|(other, _)| *other == wanted).map(|(_, known)| *known))
        .or_else(|| {
            (wanted.len() > 3).then(|| Method::ALL.iter().find(is_described)).flatten().map(|method| method.name())
        })
        .or_else(|| names().find(is_mistyped))
}

impl FromStr for Method {
    type Err = Error;

    /// Returns the method with this name or alias.
    ///
    /// # Errors
    /// Returns [`Problem::UnknownMethod`], which lists the names, if there is no such method.
    fn from_str(name: &str) -> Result<Self, Error> {
        let has_name = |method: &&Self| method.name() == name || method.aliases().contains(&name);
        let unknown = || {
            let similar = similar_method(name).filter(|similar| *similar != name);
            Problem::UnknownMethod { name: name.to_owned(), similar, known: Self::names_where(|_| true) }.into()
        };
        Self::ALL.iter().find(has_name).copied().ok_or_else(unknown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::quantifier::{Quantifier, SummaryKind, Threshold};
    use crate::sweep::MinSeparation;
    use crate::tally::MethodTally;
    use crate::training::Training;
    use crate::{LabelledScores, Transform};
    use std::collections::HashSet;

    #[test]
    fn methods_are_parsed_from_their_names_and_aliases() {
        for method in Method::ALL {
            assert_eq!(method.to_string(), method.name());
            assert_eq!(method.name().parse::<Method>().unwrap(), *method);
            assert!(method.aliases().iter().all(|alias| alias.parse::<Method>().unwrap() == *method));
        }
        let half = Threshold::Fixed(MinSeparation::new(0.5).unwrap());
        assert_eq!(Method::continuous_sweep(half).to_string(), "cs");
        assert_eq!("ms".parse::<Method>().unwrap().to_string(), "t-ms");
        let message = "cs".parse::<Method>().unwrap_err().to_string();
        assert!(message.starts_with("there is no method 'cs'; the methods are es, o-cs, t-cs, o-ms, "), "{message}");
        assert!(message.ends_with(", hdy, bcc, pq, and cs with a threshold"), "{message}");
    }

    #[test]
    fn similar_names_are_suggested() {
        for (typed, meant) in [
            ("CS", Some("cs")),
            ("SLD", Some("sld")),
            ("continuous-sweep", Some("o-cs")),
            ("Efficient Sweep", Some("es")),
            ("EMQ", Some("sld")),
            ("pac", Some("pacc")),
            ("hdx", Some("hdy")),
            ("ocs", Some("o-cs")),
            ("x9", None),
            ("", None),
        ] {
            assert_eq!(similar_method(typed), meant, "{typed}");
        }
    }

    #[test]
    fn methods_are_equal_if_name_and_threshold_are() {
        let fixed = |p| Method::continuous_sweep(Threshold::Fixed(MinSeparation::new(p).unwrap()));
        assert_eq!(fixed(0.25), Method::T_CS);
        assert_eq!(Method::continuous_sweep(Threshold::Optimal), Method::O_CS);
        assert_ne!(fixed(0.3), fixed(0.4));
        let all: HashSet<Method> = Method::ALL.iter().copied().chain([fixed(0.3), fixed(0.4), fixed(0.25)]).collect();
        assert_eq!(all.len(), Method::ALL.len() + 2);
    }

    #[test]
    fn rows_agree_with_the_fitted_quantifiers() {
        let scores: Vec<f64> = (0..60).map(|i| f64::from(i % 30) + if i < 30 { 7.5 } else { 0.0 }).collect();
        let labels: Vec<bool> = (0..60).map(|i| i < 30).collect();
        let labelled = LabelledScores::new(&scores, &labels).unwrap();
        let training = Training::new(labelled, crate::distribution::Family::Normal, Transform::None);
        for &method in Method::ALL {
            let quantifier = Quantifier::fit(method, &training, 18.0, None).unwrap();
            let summary_kind = match quantifier.empty() {
                MethodTally::Moments(_) => SummaryKind::Mean,
                MethodTally::Several(_) => SummaryKind::Means,
                MethodTally::Counts(_) if quantifier.bin_edges().is_empty() => SummaryKind::Counts,
                MethodTally::Counts(_) if quantifier.means().is_empty() => SummaryKind::Bins,
                MethodTally::Counts(_) => SummaryKind::ScoreBins,
                MethodTally::Values(_) => SummaryKind::Scores,
                MethodTally::Weighted(_) | MethodTally::WeightedCounts(_) => unreachable!("the scores have no weights"),
            };
            assert_eq!(method.summary_kind(), summary_kind, "{method}");
            assert_eq!(method.supports_weights(), quantifier.weighted_empty().is_some(), "{method}");
            assert_eq!(method.check_precision().is_ok(), quantifier.precision(0.5, 100.0).is_some(), "{method}");
            let biased = quantifier.variance_sources().is_some_and(|text| text.contains("bias of"));
            assert_eq!(method.is_uncorrected(), biased, "{method}");
        }
    }
}
