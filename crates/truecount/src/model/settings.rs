//! What is fitted: settings that every door resolves from what its users ask for by one set of rules.

use crate::distribution::Family;
use crate::quantifier::{Method, RateSource, Threshold};
use crate::training::BETA;
use crate::transform::LOGIT_NAME;
use crate::{Error, Operation, Problem, Transform};

/// What to fit. Fields are added from time to time: make it with `..Settings::default()`.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The quantifiers, in the order of their estimates.
    pub methods: Vec<Method>,
    /// Whether methods that the labelled scores do not allow are left out, instead of being an error.
    pub may_leave_out: bool,
    /// The family of both classes' score distributions, for the methods that fit one.
    pub family: Family,
    /// What to do to the scores before the family is fitted.
    pub transform: Transform,
    /// Where the sweeps take their rates from; by default Continuous Sweep from the fitted family, Efficient Sweep from the
    /// labelled scores. The counts take theirs from the labelled scores in any case.
    pub rates: Option<RateSource>,
    /// The score at or above which Classify & Count and Adjusted Count call a score positive; none for that of the labelled
    /// scores' kind, see [`LabelledScores::cutoff`](crate::LabelledScores::cutoff).
    pub cutoff: Option<f64>,
}

impl Settings {
    /// What, if anything, needs labelled scores strictly between 0 and 1: the logit transform or the beta family, if a method
    /// uses them. With probabilities fewer do.
    pub fn unit_interval(&self, with_probabilities: bool) -> Option<&'static str> {
        let methods = self.methods.iter().map(|method| method.anchored(self.rates));
        let used = methods.into_iter().any(|method| method.uses_transform(with_probabilities));
        match self.transform {
            Transform::Logit if used => Some(LOGIT_NAME),
            Transform::None if used && self.family.requires_probabilities() => Some(BETA),
            _ => None,
        }
    }
}

impl Default for Settings {
    /// Efficient Sweep; for methods that need more, normal classes.
    fn default() -> Self {
        Self {
            methods: vec![Method::ES],
            may_leave_out: false,
            family: Family::default(),
            transform: Transform::default(),
            rates: None,
            cutoff: None,
        }
    }
}

/// Stands for every method, as far as the labelled scores allow them.
const ALL: &str = "all";

/// Stands for a Continuous Sweep with the threshold that is given besides, the optimal one if none is.
const CS: &str = "cs";

/// What users ask for, in their words; [`settings`](Self::settings) is what that means. Fields are added from time to time:
/// make it with `..Request::default()`.
///
/// # Examples
/// ```
/// use truecount::{Method, Request};
/// # fn main() -> Result<(), truecount::Error> {
/// let asked = Request { methods: vec!["cs".to_owned(), "ac".to_owned()], ..Request::default() };
/// assert_eq!(asked.settings()?.methods, [Method::O_CS, Method::AC]);
/// let asked = Request { threshold: Some("0.4".parse()?), ..Request::default() };
/// assert_eq!(asked.settings()?.methods[0].to_string(), "cs");
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Request {
    /// Names of methods, of which `all` stands for every method that the labelled scores allow, and `cs` for a Continuous Sweep
    /// with the threshold. No names stand for the default: `es`, or `cs` if there is a threshold.
    pub methods: Vec<String>,
    /// The threshold of `cs`.
    pub threshold: Option<Threshold>,
    /// The family of both classes' score distributions, normal unless it is said.
    pub family: Option<Family>,
    /// What to do to the scores before the family is fitted, nothing unless it is said.
    pub transform: Option<Transform>,
    /// Where the sweeps take their rates from, unless it is where they do by default.
    pub rates: Option<RateSource>,
    /// The score at or above which Classify & Count and Adjusted Count call a score positive, if it is not that of its kind.
    pub cutoff: Option<f64>,
}

impl Request {
    /// The settings that this means.
    ///
    /// # Errors
    /// [`Problem::UnknownMethod`]; [`Problem::ThresholdUnused`] for a threshold that no method asked for takes;
    /// [`Problem::FamilyTransformConflict`] for the beta family after a transform; [`Operation::Family`] and
    /// [`Operation::Transform`] where no method asked for has any use for what was said.
    pub fn settings(&self) -> Result<Settings, Error> {
        let Self { rates: anchor, cutoff, .. } = *self;
        let methods = self.methods()?;
        let used_by = |uses: fn(Method) -> bool| methods.iter().any(|method| uses(method.anchored(anchor)));
        if self.family.is_some() && !used_by(Method::fits_family) {
            return Err(Operation::Family.not_possible(methods).into());
        }
        if self.transform.is_some() && !used_by(|method| method.uses_transform(false)) {
            return Err(Operation::Transform.not_possible(methods).into());
        }
        let (family, transform) = (self.family.unwrap_or_default(), self.transform.unwrap_or_default());
        if family.requires_probabilities() && transform != Transform::None {
            return Err(Problem::FamilyTransformConflict.into());
        }
        let may_leave_out = self.names().any(|name| name == ALL);
        Ok(Settings { methods, may_leave_out, family, transform, rates: anchor, cutoff })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.methods.iter().map(|name| name.trim())
    }

    /// The methods asked for, each once, in their order.
    fn methods(&self) -> Result<Vec<Method>, Error> {
        let own = Method::continuous_sweep(self.threshold.unwrap_or(Threshold::Optimal));
        let mut asked = Vec::new();
        for name in self.names() {
            match name {
                ALL => asked.extend(Method::ALL.iter().copied().chain(self.threshold.map(|_| own))),
                CS => asked.push(own),
                name => asked.push(name.parse()?),
            }
        }
        if self.methods.is_empty() {
            asked.push(if self.threshold.is_some() { own } else { Method::ES });
        }
        if self.threshold.is_some() && !asked.contains(&own) {
            return Err(Problem::ThresholdUnused.into());
        }
        let mut methods = Vec::new();
        for method in asked {
            if !methods.contains(&method) {
                methods.push(method);
            }
        }
        Ok(methods)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::PDelta;

    fn asked(methods: &[&str], threshold: Option<&str>) -> Result<Vec<String>, Error> {
        let methods = methods.iter().map(ToString::to_string).collect();
        let threshold = threshold.map(|text| text.parse().unwrap());
        let settings = Request { methods, threshold, ..Request::default() }.settings()?;
        Ok(settings.methods.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn names_stand_for_methods() {
        assert_eq!(asked(&[], None).unwrap(), ["es"]);
        assert_eq!(asked(&[], Some("0.3")).unwrap(), ["cs"]);
        assert_eq!(asked(&[], Some("0.25")).unwrap(), ["t-cs"]);
        assert_eq!(asked(&["cs"], None).unwrap(), ["o-cs"]);
        assert_eq!(asked(&[" ac", "cs ", "ms", "ac"], Some("0.3")).unwrap(), ["ac", "cs", "t-ms"]);
        assert_eq!(asked(&["o-cs", "cs"], Some("optimal")).unwrap(), ["o-cs"]);
        assert_eq!(asked(&["all"], None).unwrap(), Method::names_where(|_| true));
        let all = asked(&["ac", "all"], Some("0.3")).unwrap();
        assert_eq!((all[0].as_str(), all[1].as_str(), all.last().unwrap().as_str()), ("ac", "es", "cs"));
        assert_eq!(all.len(), Method::ALL.len() + 1);
    }

    /// Nothing is typed in vain.
    #[test]
    fn a_family_and_a_transform_are_for_methods_that_use_them() {
        let settings = |method: &str, family, transform, anchor| {
            let methods = vec![method.to_owned()];
            Request { methods, family, transform, rates: anchor, ..Request::default() }.settings()
        };
        let (kernel, rank) = (Some(Family::Kernel), Some(Transform::Rank));
        assert_eq!(settings("es", kernel, None, None).unwrap_err().code(), "family-unused");
        assert_eq!(settings("es", None, rank, Some(RateSource::Sample)).unwrap_err().code(), "transform-unused");
        assert_eq!(settings("ac", kernel, None, Some(RateSource::Model)).unwrap_err().code(), "family-unused");
        assert_eq!(settings("smm", kernel, None, None).unwrap_err().code(), "family-unused");
        for (method, family, anchor) in
            [("es", kernel, Some(RateSource::Model)), ("smm", None, None), ("all", kernel, None)]
        {
            assert!(settings(method, family, rank, anchor).is_ok(), "{method}");
        }
    }

    #[test]
    fn only_all_may_leave_methods_out() {
        let may = |methods: &[&str]| {
            let methods = methods.iter().map(ToString::to_string).collect();
            Request { methods, ..Request::default() }.settings().unwrap().may_leave_out
        };
        assert!(may(&["all"]) && may(&["ac", " all"]) && !may(&[]) && !may(&["ac", "es"]));
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        assert_eq!(asked(&["ac"], Some("0.3")), Err(Problem::ThresholdUnused.into()));
        assert_eq!(asked(&["t-cs"], Some("optimal")), Err(Problem::ThresholdUnused.into()));
        assert_eq!(asked(&["kde"], None).unwrap_err().code(), "method-unknown");
        let methods = vec!["o-cs".to_owned()];
        let (family, transform) = (Some(Family::Beta), Some(Transform::Rank));
        let beta = Request { methods, family, transform, ..Request::default() };
        assert_eq!(beta.settings(), Err(Problem::FamilyTransformConflict.into()));
        assert_eq!("high".parse::<Threshold>().unwrap_err().code(), "threshold-unknown");
        assert!(matches!(
            "1.5".parse::<Threshold>().unwrap_err().problem(),
            Some(Problem::Parameter { name: "threshold", .. })
        ));
        assert_eq!("0.5".parse(), Ok(Threshold::Fixed(PDelta::new(0.5).unwrap())));
    }
}
