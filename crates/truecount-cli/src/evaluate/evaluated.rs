//! Estimates of many samples with known prevalence, by one or more methods, and the wide table of them.

use crate::failure::Failure;
use std::path::Path;
use truecount::evaluation::Protocol;
use truecount::quantifier::Quantifier;
use truecount::{Estimates, Model};
use truecount_io::results::digits;
use truecount_io::whole_file;

/// A sample of scores whose prevalence is known.
pub struct Sample {
    pub id: String,
    /// Its number of scores, if known; relative errors need it and are left out without it.
    pub n: Option<u64>,
    /// Its true share of positives, in [0, 1].
    pub truth: f64,
}

/// One method's estimates, in the order of the samples.
pub struct EvaluatedMethod {
    pub name: String,
    /// In [0, 1].
    pub estimates: Vec<f64>,
    /// Lower and upper ends, if the method has intervals.
    pub intervals: Option<Vec<[f64; 2]>>,
}

/// How samples and intervals were made.
#[derive(Clone, Copy)]
pub struct Drawn {
    pub protocol: Protocol,
    /// The level of the intervals.
    pub level: f64,
}

/// The check of every sample.
pub struct Checked {
    /// How many times larger deviations from a mixture are than chance explains.
    pub scales: Vec<f64>,
    /// In how many of the samples it finds no mixture.
    pub rejected: usize,
    /// Every method, with intervals that are widened where it does.
    pub widened: Vec<EvaluatedMethod>,
}

/// All estimates of all samples; there is at least one sample and one method.
pub struct Evaluated {
    pub samples: Vec<Sample>,
    pub methods: Vec<EvaluatedMethod>,
    /// `None` if it is not known.
    pub drawn: Option<Drawn>,
    /// `None` if nothing was checked.
    pub checked: Option<Checked>,
}

impl EvaluatedMethod {
    /// Every method of a model, with its estimates of each sample.
    pub fn all(model: &Model, samples: &[&Estimates]) -> Vec<Self> {
        let method = |(i, quantifier): (usize, &Quantifier)| Self {
            name: quantifier.method().to_string(),
            estimates: samples.iter().map(|of| of[i].prevalence).collect(),
            intervals: samples.iter().map(|of| of[i].uncertainty.map(|u| [u.lower, u.upper])).collect(),
        };
        model.quantifiers().iter().enumerate().map(method).collect()
    }
}

impl Checked {
    /// The share of the samples in which it finds no mixture.
    pub fn share(&self) -> f64 {
        self.rejected as f64 / self.scales.len() as f64
    }

    /// The median scale factor.
    pub fn scale(&self) -> f64 {
        let mut scales = self.scales.clone();
        scales.sort_unstable_by(f64::total_cmp);
        let last = scales.len() - 1;
        0.5 * (scales[last / 2] + scales[last.div_ceil(2)])
    }
}

impl Evaluated {
    /// Writes the wide table of all estimates, every digit, which `--estimates` reads. It holds the sizes if all are
    /// known.
    pub fn write(&self, path: &Path) -> Result<(), Failure> {
        let sizes: Option<Vec<u64>> = self.samples.iter().map(|sample| sample.n).collect();
        let mut header = vec!["sample".to_owned()];
        header.extend(sizes.as_ref().map(|_| "n".to_owned()));
        header.push("truth".to_owned());
        for method in &self.methods {
            header.push(method.name.clone());
            header.extend(method.intervals.iter().flat_map(|_| interval_columns(&method.name)));
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(header).expect("memory has room");
        for (i, sample) in self.samples.iter().enumerate() {
            let mut cells = vec![sample.id.clone()];
            cells.extend(sizes.as_ref().map(|sizes| sizes[i].to_string()));
            cells.push(digits(sample.truth));
            for method in &self.methods {
                cells.push(digits(method.estimates[i]));
                cells.extend(method.intervals.iter().flat_map(|intervals| intervals[i].map(digits)));
            }
            writer.write_record(cells).expect("memory has room");
        }
        Ok(whole_file::write(path, &writer.into_inner().expect("memory has room"))?)
    }

    /// The index of the method with this name; the first if none is given.
    pub fn reference(&self, against: Option<&str>) -> Result<usize, Failure> {
        let names: Vec<&str> = self.methods.iter().map(|method| method.name.as_str()).collect();
        reference(&names, against)
    }
}

/// The index of the method with this name; the first if none is given.
pub fn reference(names: &[impl AsRef<str>], against: Option<&str>) -> Result<usize, Failure> {
    let Some(name) = against else { return Ok(0) };
    names.iter().position(|known| known.as_ref() == name).ok_or_else(|| {
        let known: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        Failure::Usage(format!("--against {name} is none of the methods evaluated: {}", known.join(", ")))
    })
}

/// The names of the columns of a method's interval.
pub fn interval_columns(method: &str) -> [String; 2] {
    ["lower", "upper"].map(|end| format!("{method}_{end}"))
}
