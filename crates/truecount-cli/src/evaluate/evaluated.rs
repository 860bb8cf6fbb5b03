//! Estimates of many samples whose prevalence is known, by one method or several: what is printed, drawn and written of them.

use crate::args::Format;
use crate::failure::Failure;
use std::path::Path;

/// One sample of unlabelled scores whose prevalence is known after all.
pub struct Sample {
    pub id: String,
    /// Its number of scores, which relative errors need; they are left out where it is not known.
    pub n: Option<u64>,
    /// Its share of positives, in [0, 1].
    pub truth: f64,
}

/// One method's estimates, in the order of the samples.
pub struct EvaluatedMethod {
    pub name: String,
    /// In [0, 1].
    pub estimates: Vec<f64>,
    /// Lower and upper ends, of a method that has them.
    pub intervals: Option<Vec<[f64; 2]>>,
}

/// All estimates of all samples; there is at least one sample, and one method.
pub struct Evaluated {
    pub samples: Vec<Sample>,
    pub methods: Vec<EvaluatedMethod>,
}

impl Evaluated {
    /// The errors of every method, and those of the others beside the one named, the first if none is; to stdout.
    pub fn print(&self, _against: Option<&str>, _format: Format) -> Result<(), Failure> {
        todo!()
    }

    /// The pictures, into a folder that is made if need be.
    pub fn figures(&self, _against: Option<&str>, _dir: &Path) -> Result<(), Failure> {
        todo!()
    }

    /// The wide table of all estimates, every digit, that `--estimates` reads.
    pub fn write(&self, _path: &Path) -> Result<(), Failure> {
        todo!()
    }
}
