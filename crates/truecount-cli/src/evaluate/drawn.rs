//! Estimates of samples drawn from a labelled pool.

use super::{Evaluate, Evaluated, EvaluatedMethod, Sample};
use crate::failure::Failure;
use crate::{commands, input, output, parallel, whole_file};
use truecount::evaluation::{Draws, Protocol};
use truecount::{Estimate, Reporting, Target};

/// Scores in a sample, if it is not said.
const SIZE: u32 = 250;

pub fn estimates(args: &Evaluate) -> Result<Evaluated, Failure> {
    let reporting = Reporting::new(args.level, Target::Sample)?;
    let pool = args.pool.as_ref().expect("--pool is required without --estimates");
    let labelled = &args.train.labelled;
    input::one_from_stdio(labelled.path.iter().chain([pool]))?;
    if let Some(output) = &args.output
        && let Some(read) = labelled.path.iter().chain([pool]).find(|read| whole_file::is_same(read, output))
    {
        return Err(Failure::Usage(format!("--output would overwrite the labelled scores in {}", read.display())));
    }
    let columns = args.columns.get();
    let model = commands::train(&args.train, &args.train.settings()?, &columns)?;
    let scores = input::read_labelled(pool, &columns, &labelled.label, &labelled.positive, model.unit_interval())?;
    let size = args.size.unwrap_or(SIZE);
    let draws = Draws::new(&scores, args.protocol, size as usize, args.seed)
        .map_err(|e| Failure::Data(format!("{}: {e} (--size)", input::name(pool))))?;
    let made = parallel::numbered("samples", args.samples, args.threads, |number| {
        let sample = draws.sample(number.into());
        model.estimate(sample.batch(), &reporting).map(|estimates| (sample.prevalence(), estimates))
    })?;
    let (truths, estimates): (Vec<f64>, Vec<Vec<Estimate>>) =
        made.into_iter().collect::<Result<Vec<_>, _>>()?.into_iter().unzip();
    let sample = |(i, truth): (usize, f64)| Sample { id: i.to_string(), n: Some(size.into()), truth };
    let evaluated = Evaluated {
        samples: truths.into_iter().enumerate().map(sample).collect(),
        methods: EvaluatedMethod::all(&model, &estimates),
    };
    let what = Protocol::TABLE.iter().find(|(_, protocol, _)| *protocol == args.protocol).map_or("", |(.., what)| what);
    output::say(&format!(
        "drawn: {} samples of {size} of the {} positive and {} negative scores in {}: {what}",
        args.samples,
        scores.positive().len(),
        scores.negative().len(),
        input::name(pool)
    ));
    for line in output::fitted(&model) {
        output::say(&line);
    }
    Ok(evaluated)
}
