//! Estimates of samples drawn from a labelled pool.

use super::{Evaluate, reference};
use crate::failure::Failure;
use crate::progress::Bars;
use crate::{models, output, parallel};
use truecount::evaluation::Draws;
use truecount::{Estimates, Reporting, Target};
use truecount_analysis::evaluated::{Both, Drawn, Evaluated, EvaluatedMethod, Sample, checked, drawn, overlap};
use truecount_tables::LabelledFile;
use truecount_tables::input::{self, Identity};

/// Scores in a sample, unless given.
const SIZE: u32 = 250;

pub fn estimates(args: &Evaluate) -> Result<Evaluated, Failure> {
    let reporting = Reporting::new(args.level, Target::Sample)?;
    let pool = args.pool.as_ref().expect("there are --pool or --estimates");
    let samples = args.samples()?;
    let labelled = &args.train.labelled;
    input::once_each(labelled.path.iter().chain([pool]))?;
    let columns = args.columns.get();
    let model = models::train(&args.train, &args.train.settings()?, &columns)?;
    // The pool is what samples are drawn from, row by row: its weights and clusters do not matter.
    let file = labelled.file(pool, columns.of_tests(&model), model.unit_interval());
    let scores = LabelledFile { weight: None, cluster: None, ..file }.read(&Bars)?;
    let same = labelled
        .path
        .as_ref()
        .and_then(|train| Identity::of(train))
        .is_some_and(|train| Identity::of(pool) == Some(train));
    if same || *model.labelled() == scores {
        return Err(Failure::Usage(
            "--train and --pool have the same scores: errors on what the methods have learnt from are too small; divide the \
             labelled scores at random into two files, one for each"
                .to_owned(),
        ));
    }
    let size = args.size.unwrap_or(SIZE);
    let draws =
        Draws::new(&scores, args.protocol, size as usize, args.seed).map_err(Failure::within(input::name(pool)))?;
    let names: Vec<String> = model.quantifiers().iter().map(|quantifier| quantifier.method().to_string()).collect();
    reference(&names, args.against.as_deref())?;
    let classes = [scores.positive().len(), scores.negative().len()];
    if let Some(warning) = overlap(classes, args.protocol, size as usize) {
        output::say(&format!("warning: {}: {warning} (--size)", input::name(pool)));
    }
    let made = parallel::tried("samples", samples, args.threads, |number| {
        let sample = draws.sample(number.into());
        Ok((sample.prevalence(), Both::new(&model, sample.batch(), &reporting)?))
    })?;
    let (truths, found): (Vec<f64>, Vec<Both>) = made.into_iter().unzip();
    let sample = |(i, truth): (usize, f64)| Sample { id: i.to_string(), n: Some(size.into()), truth };
    let evaluated = Evaluated {
        samples: truths.into_iter().enumerate().map(sample).collect(),
        methods: EvaluatedMethod::all(&model, &found.iter().map(|both| &both.plain).collect::<Vec<_>>()),
        drawn: Some(Drawn { protocol: args.protocol, level: args.level }),
        checked: checked(&model, &found),
    };
    let what = drawn(samples as usize, size as usize, classes, &input::name(pool), args.protocol);
    output::say(&format!("drawn: {what}"));
    for line in output::fitted(&model) {
        output::say(&line);
    }
    let estimates: Vec<Estimates> = found.into_iter().map(Both::without_misfit).collect();
    output::warn(&model, 0..samples, &estimates);
    Ok(evaluated)
}
