//! From what was typed to what is printed.

use crate::args::{Estimate, Fit, Train};
use crate::failure::Failure;
use crate::input::{self, Groups};
use crate::{model_file, output};
use std::path::Path;
use truecount::Model;

pub fn estimate(args: &Estimate) -> Result<(), Failure> {
    let reporting = args.reporting()?;
    if let Some(train) = &args.train.train
        && input::is_stdin(train)
        && input::is_stdin(&args.test)
    {
        return Err(Failure::Usage("--train and --test cannot both be standard input".to_owned()));
    }
    let model = match &args.model {
        Some(path) => model_file::read(path)?,
        None => train(&args.train, &args.score)?,
    };
    let groups = Groups::read(&args.test, &args.score, &args.by, &model)?;
    let report = output::Report::new(&model, groups, &reporting)?;
    output::print(&report, args.format)
}

pub fn fit(args: &Fit) -> Result<(), Failure> {
    let model = train(&args.train, &args.score)?;
    model_file::write(&args.output, &model)?;
    for line in output::fitted(&model) {
        eprintln!("{line}");
    }
    eprintln!("wrote {}", args.output.display());
    Ok(())
}

fn train(args: &Train, score: &str) -> Result<Model, Failure> {
    let settings = args.settings()?;
    let Some(path) = &args.train else {
        return Err(Failure::Usage("labelled scores are missing: give them with --train FILE".to_owned()));
    };
    let scores = input::read_labelled(path, score, &args.label, &args.positive)?;
    Model::fit(&scores, &settings).map_err(|e| explain(e, path, args))
}

/// Adds to an error of the fit which file it is about and which option mends it.
fn explain(error: truecount::Error, path: &Path, args: &Train) -> Failure {
    use truecount::Error::{NoSeparationAtCutoff, ThresholdNotReached};
    let option = match error {
        ThresholdNotReached { .. } => " (--method o-cs)".to_owned(),
        NoSeparationAtCutoff { .. } => format!(" (--cutoff; the positive label is '{}')", args.positive),
        truecount::Error::Parameter { .. } => return error.into(),
        _ => String::new(),
    };
    Failure::Data(format!("{}: {error}{option}", input::name(path)))
}
