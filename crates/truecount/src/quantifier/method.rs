//! The table of methods.

use super::Threshold;
use crate::Error;
use crate::sweep::PDelta;
use std::fmt;

/// A quantifier with its settings; its name is its [`Display`](fmt::Display) form.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Method {
    /// Continuous Sweep: `o-cs` with the optimal threshold, `t-cs` with the traditional ¼, `cs` with another.
    ContinuousSweep(Threshold),
    /// Classify & Count, `cc`: the share of scores at or above the cutoff.
    ClassifyCount,
    /// Adjusted Count, `ac`: Classify & Count corrected by the labelled sample's rates at the cutoff.
    AdjustedCount,
}

impl Method {
    /// Continuous Sweep with the optimal threshold.
    pub const O_CS: Self = Self::ContinuousSweep(Threshold::Optimal);
    /// Continuous Sweep with the traditional threshold ¼.
    pub const T_CS: Self = Self::ContinuousSweep(Threshold::Fixed(PDelta::TRADITIONAL));

    /// Every method that needs no number: name, method, what it does.
    pub const TABLE: [(&'static str, Self, &'static str); 4] = [
        ("o-cs", Self::O_CS, "Continuous Sweep, optimal threshold"),
        ("t-cs", Self::T_CS, "Continuous Sweep, traditional threshold 1/4"),
        ("cc", Self::ClassifyCount, "Classify & Count"),
        ("ac", Self::AdjustedCount, "Adjusted Count"),
    ];

    /// The method of that name; `threshold` is what `cs` stands for, when one was chosen.
    ///
    /// # Errors
    /// [`Error::UnknownMethod`], which lists the names there are.
    pub fn named(name: &str, threshold: Option<Threshold>) -> Result<Self, Error> {
        match threshold {
            Some(threshold) if name == "cs" => Ok(Self::ContinuousSweep(threshold)),
            _ => Self::TABLE.iter().find(|(n, ..)| *n == name).map(|(_, method, _)| *method).ok_or_else(|| {
                let known = Self::TABLE.map(|(n, ..)| n).join(", ") + ", and cs with a threshold of its own";
                Error::UnknownMethod { name: name.to_owned(), known }
            }),
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let name = Self::TABLE.iter().find(|(_, method, _)| method == self).map_or("cs", |(name, ..)| name);
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_methods_agree() {
        for (name, method, _) in Method::TABLE {
            assert_eq!(method.to_string(), name);
            assert_eq!(Method::named(name, None).unwrap(), method);
        }
        let half = Threshold::Fixed(PDelta::new(0.5).unwrap());
        assert_eq!(Method::named("cs", Some(half)).unwrap().to_string(), "cs");
        let message = Method::named("cs", None).unwrap_err().to_string();
        assert_eq!(
            message,
            "there is no method 'cs'; the methods are o-cs, t-cs, cc, ac, and cs with a threshold of its own"
        );
    }
}
