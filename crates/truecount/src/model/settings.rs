//! Settings of a fit, and the rules by which every interface derives them from a user's request.

use crate::distribution::Family;
use crate::quantifier::{Method, RateSource, Threshold};
use crate::training::BETA;
use crate::transform::LOGIT_NAME;
use crate::{Error, Operation, Problem, Transform};

/// The methods to fit, with their options. The default is Efficient Sweep, [`Method::ES`].
///
/// # Examples
/// ```
/// use truecount::distribution::Family;
/// use truecount::{Method, Settings};
/// let settings = Settings::new([Method::O_CS, Method::AC]).with_family(Family::Kernel).with_cutoff(0.5);
/// assert_eq!(settings.methods.len(), 2);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// The quantifiers, in the order of their estimates.
    pub methods: Vec<Method>,
    /// Whether [`Model::fit`](super::Model::fit) leaves out methods that the labelled scores do not
    /// allow, as for a request for all methods.
    pub skip_unavailable: bool,
    /// The family of both classes' score distributions, for the methods that fit one.
    pub family: Family,
    /// The transform of the scores before the family is fitted.
    pub transform: Transform,
    /// The source of the sweeps' rates. By default Continuous Sweep takes them from the fitted
    /// family and Efficient Sweep from the labelled scores. The counts always take them from the
    /// labelled scores.
    pub rates: Option<RateSource>,
    /// The score from which on Classify & Count and Adjusted Count call a score positive; `None`
    /// for the [default cutoff](crate::LabelledScores::cutoff) of the labelled scores.
    pub cutoff: Option<f64>,
}

impl Settings {
    /// Settings for these methods, with the defaults of all options. The estimates have the order
    /// of the methods.
    pub fn new(methods: impl IntoIterator<Item = Method>) -> Self {
        Self {
            methods: methods.into_iter().collect(),
            skip_unavailable: false,
            family: Family::default(),
            transform: Transform::default(),
            rates: None,
            cutoff: None,
        }
    }

    /// Sets the methods.
    #[must_use]
    pub fn with_methods(self, methods: impl IntoIterator<Item = Method>) -> Self {
        Self { methods: methods.into_iter().collect(), ..self }
    }

    /// Sets the family of both classes' score distributions, for the methods that fit one.
    #[must_use]
    pub fn with_family(self, family: Family) -> Self {
        Self { family, ..self }
    }

    /// Sets the transform of the scores before the family is fitted.
    #[must_use]
    pub fn with_transform(self, transform: Transform) -> Self {
        Self { transform, ..self }
    }

    /// Sets the source of the sweeps' rates; `None` for each method's default.
    #[must_use]
    pub fn with_rates(self, rates: impl Into<Option<RateSource>>) -> Self {
        Self { rates: rates.into(), ..self }
    }

    /// Sets the score from which on Classify & Count and Adjusted Count call a score positive; `None`
    /// for the default cutoff of the labelled scores.
    #[must_use]
    pub fn with_cutoff(self, cutoff: impl Into<Option<f64>>) -> Self {
        Self { cutoff: cutoff.into(), ..self }
    }

    /// Leaves out the methods that the labelled scores do not allow.
    #[must_use]
    pub fn available_only(self) -> Self {
        Self { skip_unavailable: true, ..self }
    }

    /// Names the logit transform or the beta family if a method uses it and it requires labelled
    /// scores in (0, 1). Fewer methods do if the labelled scores have probabilities.
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
    /// Efficient Sweep, with the normal family for other methods.
    fn default() -> Self {
        Self::new([Method::ES])
    }
}

/// Name for every method that the labelled scores allow.
const ALL: &str = "all";

/// Name for a Continuous Sweep with the request's threshold, or with the optimal one.
const CS: &str = "cs";

/// A user's request for methods, by the names that users type, from which
/// [`settings`](Self::settings) derives the settings. Construct it with `..SettingsRequest::default()`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SettingsRequest {
    /// Names of methods. `all` stands for every method that the labelled scores allow, and `cs` for
    /// a Continuous Sweep with the threshold. Without names the method is `es`, or `cs` if there is
    /// a threshold.
    pub methods: Vec<String>,
    /// The threshold of `cs`.
    pub threshold: Option<Threshold>,
    /// The family of both classes' score distributions; normal by default.
    pub family: Option<Family>,
    /// The transform of the scores before the family is fitted; none by default.
    pub transform: Option<Transform>,
    /// The source of the sweeps' rates; see [`Settings::rates`] for the defaults.
    pub rates: Option<RateSource>,
    /// The score from which on Classify & Count and Adjusted Count call a score positive; see
    /// [`Settings::cutoff`] for the default.
    pub cutoff: Option<f64>,
}

impl SettingsRequest {
    /// Derives the settings of the request.
    ///
    /// # Errors
    /// Returns [`Problem::UnknownMethod`] for an unknown name; [`Problem::ThresholdUnused`] for a
    /// threshold that no method takes; [`Problem::FamilyTransformConflict`] for the beta family
    /// after a transform; and [`Operation::Family`] or [`Operation::Transform`] for a family or
    /// transform that no method uses.
    pub fn settings(&self) -> Result<Settings, Error> {
        let Self { rates, cutoff, .. } = *self;
        let methods = self.methods()?;
        let is_used = |uses: fn(Method) -> bool| methods.iter().any(|method| uses(method.anchored(rates)));
        if self.family.is_some() && !is_used(Method::fits_family) {
            return Err(Operation::Family.unsupported_by(methods).into());
        }
        if self.transform.is_some() && !is_used(|method| method.uses_transform(false)) {
            return Err(Operation::Transform.unsupported_by(methods).into());
        }
        let (family, transform) = (self.family.unwrap_or_default(), self.transform.unwrap_or_default());
        if family.requires_probabilities() && transform != Transform::None {
            return Err(Problem::FamilyTransformConflict.into());
        }
        let skip_unavailable = self.names().any(|name| name == ALL);
        Ok(Settings { methods, skip_unavailable, family, transform, rates, cutoff })
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.methods.iter().map(|name| name.trim())
    }

    /// The requested methods, each once, in their order.
    fn methods(&self) -> Result<Vec<Method>, Error> {
        let cs = Method::continuous_sweep(self.threshold.unwrap_or(Threshold::Optimal));
        let mut requested = Vec::new();
        for name in self.names() {
            match name {
                ALL => requested.extend(Method::ALL.iter().copied().chain(self.threshold.map(|_| cs))),
                CS => requested.push(cs),
                name => requested.push(name.parse()?),
            }
        }
        if self.methods.is_empty() {
            requested.push(if self.threshold.is_some() { cs } else { Method::ES });
        }
        if self.threshold.is_some() && !requested.contains(&cs) {
            return Err(Problem::ThresholdUnused.into());
        }
        let mut methods = Vec::new();
        for method in requested {
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

    fn method_names(methods: &[&str], threshold: Option<&str>) -> Result<Vec<String>, Error> {
        let methods = methods.iter().map(ToString::to_string).collect();
        let threshold = threshold.map(|text| text.parse().unwrap());
        let settings = SettingsRequest { methods, threshold, ..SettingsRequest::default() }.settings()?;
        Ok(settings.methods.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn names_resolve_to_methods() {
        assert_eq!(method_names(&[], None).unwrap(), ["es"]);
        assert_eq!(method_names(&[], Some("0.3")).unwrap(), ["cs"]);
        assert_eq!(method_names(&[], Some("0.25")).unwrap(), ["t-cs"]);
        assert_eq!(method_names(&["cs"], None).unwrap(), ["o-cs"]);
        assert_eq!(method_names(&[" ac", "cs ", "ms", "ac"], Some("0.3")).unwrap(), ["ac", "cs", "t-ms"]);
        assert_eq!(method_names(&["o-cs", "cs"], Some("optimal")).unwrap(), ["o-cs"]);
        assert_eq!(method_names(&["all"], None).unwrap(), Method::names_where(|_| true));
        let all = method_names(&["ac", "all"], Some("0.3")).unwrap();
        assert_eq!((all[0].as_str(), all[1].as_str(), all.last().unwrap().as_str()), ("ac", "es", "cs"));
        assert_eq!(all.len(), Method::ALL.len() + 1);
    }

    #[test]
    fn a_family_or_transform_that_no_method_uses_is_an_error() {
        let settings = |method: &str, family, transform, rates| {
            let methods = vec![method.to_owned()];
            SettingsRequest { methods, family, transform, rates, ..SettingsRequest::default() }.settings()
        };
        let (kernel, rank) = (Some(Family::Kernel), Some(Transform::Rank));
        assert_eq!(settings("es", kernel, None, None).unwrap_err().code(), "family-unused");
        assert_eq!(settings("es", None, rank, Some(RateSource::Labels)).unwrap_err().code(), "transform-unused");
        assert_eq!(settings("ac", kernel, None, Some(RateSource::Family)).unwrap_err().code(), "family-unused");
        assert_eq!(settings("smm", kernel, None, None).unwrap_err().code(), "family-unused");
        for (method, family, rates) in
            [("es", kernel, Some(RateSource::Family)), ("smm", None, None), ("all", kernel, None)]
        {
            assert!(settings(method, family, rank, rates).is_ok(), "{method}");
        }
    }
}
