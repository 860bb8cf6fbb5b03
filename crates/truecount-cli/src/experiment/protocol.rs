//! Protocols: how the samples of a pool differ from the labelled scores. The generators of shift are those of González, Moreo and
//! Sebastiani (2024), on scores: see `truecount::evaluation`.

use crate::failure::CliError;
use serde::{Deserialize, Serialize};
use truecount::evaluation::{self, GRID_SIZE};
use truecount_analysis::evaluation::number_of_samples;

/// A protocol as it is typed.
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

/// A protocol.
#[derive(Clone, Debug, Serialize)]
pub struct Protocol {
    pub name: String,
    pub shift: ShiftProtocol,
    /// The data sets that it is for; none for all.
    #[serde(skip)]
    data: Option<Vec<String>>,
    /// Samples of its own.
    #[serde(skip)]
    samples: Option<u32>,
}

/// What differs.
#[derive(Clone, Debug, Serialize)]
pub enum ShiftProtocol {
    /// The prevalence alone: one of the field's protocols.
    Prior(#[serde(serialize_with = "name_of")] evaluation::SamplingProtocol),
    /// The prevalence alone: these.
    Fixed(Vec<f64>),
    /// The share of a domain, with the prevalences of the domains themselves or these.
    Covariate { domain: Domain, shares: Vec<f64>, prevalences: Option<Vec<f64>> },
    /// The number of one domain's positives.
    Local { domain: Domain, prevalences: Vec<f64> },
    /// What is a positive: from this grade on. The samples are simple random samples of the pool.
    Concept { grade: String, cuts: Vec<f64> },
}

/// A column, and the value in it that is the first domain; all others are the second.
#[derive(Clone, Debug, Serialize)]
pub struct Domain {
    pub column: String,
    pub is: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn name_of<S: serde::Serializer>(protocol: &evaluation::SamplingProtocol, out: S) -> Result<S::Ok, S::Error> {
    out.collect_str(protocol)
}

impl ProtocolSpec {
    /// What it means.
    pub fn meant(self) -> Result<Protocol, CliError> {
        let Self { name, shift: kind, prevalences, domain, is, shares, grade, cuts, data, samples } = self;
        let said = [
            ("domain", domain.is_some()),
            ("is", is.is_some()),
            ("shares", shares.is_some()),
            ("grade", grade.is_some()),
            ("cuts", cuts.is_some()),
            ("prevalences", prevalences.is_some()),
        ];
        let (word, takes): (_, &[&str]) = match kind {
            ProtocolKind::Prior => ("prior", &["prevalences"]),
            ProtocolKind::Covariate => ("covariate", &["domain", "is", "shares", "prevalences"]),
            ProtocolKind::Local => ("local", &["domain", "is", "prevalences"]),
            ProtocolKind::Concept => ("concept", &["grade", "cuts"]),
        };
        if let Some((key, _)) = said.iter().find(|(key, said)| *said && !takes.contains(key)) {
            let what = format!("[[protocol]]: {key} is not for shift = \"{word}\", which takes {}", takes.join(", "));
            return Err(CliError::Data(what));
        }
        let missing = |key| CliError::Data(format!("[[protocol]]: shift = \"{word}\" needs {key}"));
        let list = |key, list: Vec<f64>| {
            let twice = list.iter().enumerate().any(|(i, value)| list[..i].contains(value));
            if list.is_empty() || twice {
                return Err(CliError::Data(format!(
                    "[[protocol]]: {key} are a list of different numbers, one or more"
                )));
            }
            Ok(list)
        };
        let listed = |prevalences| match prevalences {
            Prevalences::Listed(values) => list("prevalences", values),
            Prevalences::Named(_) => Err(CliError::Data(format!(
                "[[protocol]]: with shift = \"{word}\" prevalences are a list, as [0.3, 0.5]"
            ))),
        };
        let domain = domain.map(|column| Domain { column, is }).ok_or_else(|| missing("domain, a column of the pools"));
        let shift = match kind {
            ProtocolKind::Prior => match prevalences {
                None => ShiftProtocol::Prior(evaluation::SamplingProtocol::default()),
                Some(Prevalences::Named(name)) => {
                    ShiftProtocol::Prior(name.parse().map_err(|e: truecount::Error| CliError::Data(e.to_string()))?)
                }
                Some(list) => ShiftProtocol::Fixed(listed(list)?),
            },
            ProtocolKind::Covariate => {
                let natural = |of: &Prevalences| matches!(of, Prevalences::Named(name) if name == "natural");
                ShiftProtocol::Covariate {
                    domain: domain?,
                    shares: list("shares", shares.unwrap_or_else(|| vec![0.0, 0.25, 0.5, 0.75, 1.0]))?,
                    prevalences: prevalences.filter(|of| !natural(of)).map(listed).transpose()?,
                }
            }
            ProtocolKind::Local => {
                let standard = vec![0.25, 0.375, 0.5, 0.625, 0.75];
                ShiftProtocol::Local { domain: domain?, prevalences: prevalences.map_or(Ok(standard), listed)? }
            }
            ProtocolKind::Concept => ShiftProtocol::Concept {
                grade: grade.ok_or_else(|| missing("grade, a column of the pools with numbers"))?,
                cuts: list("cuts", cuts.ok_or_else(|| missing("cuts, a list of grades"))?)?,
            },
        };
        let standard = match &shift {
            ShiftProtocol::Prior(protocol) => format!("{word}, {protocol}"),
            _ => word.to_owned(),
        };
        let protocol = Protocol { name: name.unwrap_or(standard), shift, data, samples };
        if protocol.slug().is_empty() {
            return Err(CliError::Data(format!("[[protocol]]: the name '{}' has no letter", protocol.name)));
        }
        Ok(protocol)
    }
}

impl Protocol {
    /// Its name as part of a file's.
    pub fn slug(&self) -> String {
        let words = self.name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
    }

    /// Whether it is for this data set.
    pub fn is_for(&self, data: &str) -> bool {
        self.data.as_ref().is_none_or(|of| of.iter().any(|name| name == data))
    }

    /// The data sets that it names.
    pub fn data(&self) -> &[String] {
        self.data.as_deref().unwrap_or_default()
    }

    /// The column of the pools that it needs besides scores and labels.
    pub fn column(&self) -> Option<&str> {
        match &self.shift {
            ShiftProtocol::Prior(_) | ShiftProtocol::Fixed(_) => None,
            ShiftProtocol::Covariate { domain, .. } | ShiftProtocol::Local { domain, .. } => Some(&domain.column),
            ShiftProtocol::Concept { grade, .. } => Some(grade),
        }
    }

    /// How many samples there are of each labelled sample and setting.
    pub fn samples(&self, asked: Option<u32>) -> Result<u32, CliError> {
        let asked = self.samples.or(asked);
        let protocol = if let ShiftProtocol::Prior(protocol) = self.shift {
            protocol
        } else {
            evaluation::SamplingProtocol::Uniform
        };
        number_of_samples(protocol, asked).map_err(|next| {
            let samples = asked.unwrap_or_default();
            CliError::Data(format!(
                "samples = {samples}, but '{}' takes {GRID_SIZE} prevalences by turns: give a multiple of {GRID_SIZE}, as {next}",
                self.name
            ))
        })
    }
}
