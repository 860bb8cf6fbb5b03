//! Requests for evaluations of models on samples of known prevalence.

use super::errors::Evaluation;
use super::samples::{SampleEstimates, number_of_samples};
use crate::AnalysisProblem;
use serde::Deserialize;
use truecount::evaluation::{GRID_SIZE, SamplingProtocol};
use truecount::{Error, IntervalOptions, Target};

/// A request for an evaluation. The level is that of the intervals, whose target is the sample.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
#[allow(missing_docs)] // the command's help says what the options are
pub struct EvaluateRequest {
    pub protocol: String,
    pub samples: Option<u32>,
    pub size: usize,
    pub seed: u64,
    pub level: f64,
    pub reference: Option<String>,
}

impl Default for EvaluateRequest {
    fn default() -> Self {
        let (protocol, level) = (SamplingProtocol::default().to_string(), IntervalOptions::default().level());
        Self { protocol, samples: None, size: 250, seed: 1, level, reference: None }
    }
}

impl EvaluateRequest {
    /// Returns the protocol with the number of samples, and the options of the intervals; called before rows are read.
    ///
    /// # Errors
    /// Returns [`AnalysisProblem::NotAMultipleOfGrid`] if the number of samples does not fit the
    /// grid, and an error for an unknown protocol or a level that is not in (0, 1).
    pub fn sampling(&self) -> Result<(SamplingProtocol, u32, IntervalOptions), Error> {
        let protocol: SamplingProtocol = self.protocol.parse()?;
        let number = number_of_samples(protocol, self.samples).map_err(|next| {
            let (samples, grid) = (self.samples.unwrap_or_default().into(), GRID_SIZE.into());
            AnalysisProblem::NotAMultipleOfGrid { samples, grid, next }
        })?;
        Ok((protocol, number, IntervalOptions::new(self.level, Target::Sample)?))
    }

    /// Returns the index of the reference among the names of the methods; by default, it is the first method.
    ///
    /// # Errors
    /// Returns an error if no method has the name of the reference.
    pub fn reference_index<'a>(&self, names: impl Iterator<Item = &'a String> + Clone) -> Result<usize, Error> {
        let Some(name) = &self.reference else { return Ok(0) };
        names.clone().position(|known| known == name).ok_or_else(|| {
            let known = names.map(String::as_str).collect::<Vec<_>>().join(", ");
            let problem = format!("{{--reference}} is '{name}', which is not one of the evaluated methods");
            AnalysisProblem::option_conflict(problem, format!("it can be {known}"))
        })
    }

    /// Evaluates every method and compares the other methods with the reference.
    ///
    /// # Errors
    /// Returns the errors of [`reference_index`](Self::reference_index) and [`Evaluation::new`].
    pub fn evaluation<'a>(&self, evaluated: &'a [SampleEstimates]) -> Result<Evaluation<'a>, Error> {
        let reference = self.reference_index(evaluated[0].methods.iter().map(|method| &method.name))?;
        Evaluation::new(evaluated, reference)
    }
}
