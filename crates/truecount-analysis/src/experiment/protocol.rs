//! Protocols, which define how the samples of a pool differ from the labelled scores. The types of shift follow
//! González, Moreo and Sebastiani (2024), applied to scores: see `truecount::evaluation`.

use crate::evaluation::number_of_samples;
use crate::{SentenceText, TableProblem};
use serde::{Deserialize, Serialize};
use truecount::Error;
use truecount::evaluation::{GRID_SIZE, SamplingProtocol};

/// A protocol as the file specifies it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProtocolSpec {
    name: Option<String>,
    #[serde(default)]
    shift: ProtocolKind,
    prevalences: Option<Prevalences>,
    domain: Option<String>,
    is: Option<String>,
    shares: Option<Vec<f64>>,
    grade: Option<String>,
    cuts: Option<Vec<f64>>,
    data: Option<Vec<String>>,
    samples: Option<u32>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ProtocolKind {
    #[default]
    Prior,
    Covariate,
    Local,
    Concept,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "\"uniform\", \"grid\", \"natural\", or a list of prevalences")]
enum Prevalences {
    Named(String),
    Listed(Vec<f64>),
}

/// A checked protocol.
#[allow(missing_docs)] // the book says what the keys are
#[derive(Clone, Debug, Serialize)]
pub struct Protocol {
    pub name: String,
    pub shift: ShiftProtocol,
    /// The data sets that the protocol is for; `None` for all.
    #[serde(skip)]
    data: Option<Vec<String>>,
    /// Number of samples, if it differs from that of the experiment.
    #[serde(skip)]
    samples: Option<u32>,
}

/// The difference between the samples and the labelled scores.
#[allow(missing_docs)] // the book says what the keys are
#[derive(Clone, Debug, Serialize)]
pub enum ShiftProtocol {
    /// Another prevalence, from one of the field's protocols.
    Prior(#[serde(serialize_with = "serialize_name")] SamplingProtocol),
    /// Another prevalence, from this list.
    Fixed(Vec<f64>),
    /// Another share of a domain. Without `prevalences` each domain keeps its own prevalence.
    Covariate { domain: Domain, shares: Vec<f64>, prevalences: Option<Vec<f64>> },
    /// Another number of positives in one domain.
    Local { domain: Domain, prevalences: Vec<f64> },
    /// Another definition of a positive: a grade of at least the cut. Samples are simple random samples of the pool.
    Concept { grade: String, cuts: Vec<f64> },
}

/// A column whose value divides rows into two domains.
#[allow(missing_docs)] // the book says what the keys are
#[derive(Clone, Debug, Serialize)]
pub struct Domain {
    pub column: String,
    /// The value of the first domain; `None` for the first value in the table. All other values are the second domain.
    pub is: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // serde passes a reference
fn serialize_name<S: serde::Serializer>(protocol: &SamplingProtocol, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(protocol)
}

impl ProtocolSpec {
    /// Returns whether the protocol can draw samples of several classes.
    pub fn is_for_classes(&self) -> bool {
        let is_for_two = |prevalences: &Prevalences| !matches!(prevalences, Prevalences::Named(name) if name != "grid");
        self.shift == ProtocolKind::Prior && !self.prevalences.as_ref().is_some_and(is_for_two)
    }

    /// Checks the specification.
    pub fn into_protocol(self) -> Result<Protocol, Error> {
        let Self { name, shift: kind, prevalences, domain, is, shares, grade, cuts, data, samples } = self;
        let keys = [
            ("domain", domain.is_some()),
            ("is", is.is_some()),
            ("shares", shares.is_some()),
            ("grade", grade.is_some()),
            ("cuts", cuts.is_some()),
            ("prevalences", prevalences.is_some()),
        ];
        let (word, allowed): (_, &[&str]) = match kind {
            ProtocolKind::Prior => ("prior", &["prevalences"]),
            ProtocolKind::Covariate => ("covariate", &["domain", "is", "shares", "prevalences"]),
            ProtocolKind::Local => ("local", &["domain", "is", "prevalences"]),
            ProtocolKind::Concept => ("concept", &["grade", "cuts"]),
        };
        if let Some((key, _)) = keys.iter().find(|(key, is_present)| *is_present && !allowed.contains(key)) {
            let allowed = allowed.join(", ");
            return Err(experiment_error(
                format!("[[protocol]]: shift = \"{word}\" does not take {key}"),
                format!("it takes {allowed}"),
            ));
        }
        let missing = |key| experiment_error(format!("[[protocol]]: shift = \"{word}\" has no {key}"), "add it");
        let check_list = |key, list: Vec<f64>| {
            let has_duplicate = list.iter().enumerate().any(|(i, value)| list[..i].contains(value));
            if list.is_empty() || has_duplicate {
                return Err(experiment_error(
                    format!("[[protocol]]: {key} is empty or has a number twice"),
                    "list one or more different numbers",
                ));
            }
            Ok(list)
        };
        let list_of_prevalences = |prevalences| match prevalences {
            Prevalences::Listed(values) => check_list("prevalences", values),
            Prevalences::Named(_) => Err(experiment_error(
                format!("[[protocol]]: with shift = \"{word}\", prevalences must be a list"),
                "write it as [0.3, 0.5]",
            )),
        };
        let domain = domain.map(|column| Domain { column, is }).ok_or_else(|| missing("domain, a column of the pools"));
        let shift = match kind {
            ProtocolKind::Prior => match prevalences {
                None => ShiftProtocol::Prior(SamplingProtocol::default()),
                Some(Prevalences::Named(name)) => ShiftProtocol::Prior(name.parse().map_err(|e| invalid_value(&e))?),
                Some(list) => ShiftProtocol::Fixed(list_of_prevalences(list)?),
            },
            ProtocolKind::Covariate => {
                let is_natural = |value: &Prevalences| matches!(value, Prevalences::Named(name) if name == "natural");
                let prevalences = prevalences.filter(|value| !is_natural(value)).map(list_of_prevalences);
                ShiftProtocol::Covariate {
                    domain: domain?,
                    shares: check_list("shares", shares.unwrap_or_else(|| vec![0.0, 0.25, 0.5, 0.75, 1.0]))?,
                    prevalences: prevalences.transpose()?,
                }
            }
            ProtocolKind::Local => {
                let default = vec![0.25, 0.375, 0.5, 0.625, 0.75];
                let prevalences = prevalences.map_or(Ok(default), list_of_prevalences);
                ShiftProtocol::Local { domain: domain?, prevalences: prevalences? }
            }
            ProtocolKind::Concept => ShiftProtocol::Concept {
                grade: grade.ok_or_else(|| missing("grade, a column of the pools with numbers"))?,
                cuts: check_list("cuts", cuts.ok_or_else(|| missing("cuts, a list of grades"))?)?,
            },
        };
        let default_name = match &shift {
            ShiftProtocol::Prior(protocol) => format!("{word}, {protocol}"),
            _ => word.to_owned(),
        };
        let protocol = Protocol { name: name.unwrap_or(default_name), shift, data, samples };
        if protocol.slug().is_empty() {
            return Err(experiment_error(
                format!("[[protocol]]: the name '{}' has no letter", protocol.name),
                "choose a name with letters",
            ));
        }
        Ok(protocol)
    }
}

impl Protocol {
    /// Returns the name as it appears in file names: lower case, with hyphens.
    pub fn slug(&self) -> String {
        let words = self.name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
    }

    /// Returns the name of the file with the critical difference diagram.
    pub fn rank_figure(&self) -> String {
        format!("critical-difference-{}.svg", self.slug())
    }

    /// Returns the name of the file with the errors by shift.
    pub fn shift_figure(&self) -> String {
        format!("error-by-shift-{}.svg", self.slug())
    }

    /// Returns whether the protocol is for this data set.
    pub fn is_for(&self, data: &str) -> bool {
        self.data.as_ref().is_none_or(|names| names.iter().any(|name| name == data))
    }

    /// Returns the data sets that the protocol names; empty if it is for all.
    pub fn data(&self) -> &[String] {
        self.data.as_deref().unwrap_or_default()
    }

    /// Returns the column of the pools that the protocol needs in addition to scores and labels.
    pub fn column(&self) -> Option<&str> {
        match &self.shift {
            ShiftProtocol::Prior(_) | ShiftProtocol::Fixed(_) => None,
            ShiftProtocol::Covariate { domain, .. } | ShiftProtocol::Local { domain, .. } => Some(&domain.column),
            ShiftProtocol::Concept { grade, .. } => Some(grade),
        }
    }

    /// Number of samples for each labelled sample and setting. `default` applies if the protocol
    /// has no number of its own.
    ///
    /// # Errors
    /// Returns an error if the number does not fit the grid.
    pub fn samples(&self, default: Option<u32>) -> Result<u32, Error> {
        let requested = self.samples.or(default);
        let protocol = match self.shift {
            ShiftProtocol::Prior(protocol) => protocol,
            _ => SamplingProtocol::Uniform,
        };
        number_of_samples(protocol, requested).map_err(|next| {
            let samples = requested.unwrap_or_default();
            experiment_error(
                format!("samples = {samples}, but '{}' takes {GRID_SIZE} prevalences in turn", self.name),
                format!("use a multiple of {GRID_SIZE}, such as {next}"),
            )
        })
    }
}

/// Converts an error about a value in the file.
pub(super) fn invalid_value(error: &Error) -> Error {
    TableProblem::FileUnreadable { reason: error.to_string() }.into()
}

/// Returns an error about the design of an experiment or its files.
pub fn experiment_error(problem: impl Into<String>, hint: impl Into<String>) -> Error {
    let [problem, hint] = [problem.into(), hint.into()].map(SentenceText);
    TableProblem::ExperimentNotPossible { problem, hint }.into()
}
