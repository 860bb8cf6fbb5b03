//! Models on samples of known prevalence, drawn from a labelled pool.

use super::refused::{Failure, Place, Refused};
use super::samples::{of_rows, rows_of};
use super::sets::Set;
use crate::evaluated::{Both, Checked, Drawn, Evaluated, EvaluatedMethod, Sample, checked, number_of_samples};
use crate::executor::Executor;
use truecount::evaluation::{Draws, GRID, Protocol};
use truecount::{Error, Estimate, Model, PerClass, Reporting, Target};

/// Labelled rows, which each model may read other columns of.
pub struct Pool<'a> {
    /// Which rows are positive.
    pub positive: &'a [bool],
    /// For each model the columns that it reads.
    pub sets: Vec<Set<'a>>,
}

/// Which samples are drawn.
#[derive(Clone, Copy, Debug)]
pub struct Drawing {
    /// Which prevalences they have.
    pub protocol: Protocol,
    /// How many, if it is said.
    pub samples: Option<u32>,
    /// Scores in each.
    pub size: usize,
    /// Where the random numbers start.
    pub seed: u64,
}

/// What was found.
pub struct Samples {
    /// Every method of every model, in their order.
    pub evaluated: Evaluated,
    /// The estimates of each sample by the same methods, with what is to be said of them but for misfit.
    pub estimates: Vec<Vec<Estimate>>,
}

/// Estimates the same samples with every model, as the command does: a sample depends on the seed and its number alone. The names of
/// several models tell their methods apart.
///
/// # Errors
/// [`Refused::PartOfGrid`]; [`Refused::PoolLearntFrom`], and whatever a model refuses of the pool, of the model; those of [`Draws::new`].
pub fn evaluate(
    executor: &impl Executor,
    models: &[(&str, &Model)],
    pool: &Pool,
    drawing: Drawing,
    level: f64,
) -> Result<Samples, Failure> {
    let Drawing { protocol, size, seed, .. } = drawing;
    let number = number_of_samples(protocol, drawing.samples).map_err(|next| Refused::PartOfGrid {
        samples: drawing.samples.unwrap_or_default().into(),
        grid: GRID.into(),
        next,
    })?;
    let reporting = Reporting::new(level, Target::Sample)?;
    for (at, ((_, model), set)) in models.iter().zip(&pool.sets).enumerate() {
        // Here a wrong row is known, and no sample need hold it.
        set.batch()
            .and_then(|batch| model.estimate(batch, &reporting))
            .map_err(|error| Failure::of_set((at, error)))?;
        if is_learnt_from(model, set.scores, pool.positive) {
            return Err(Failure::at(Place::Set(at), Refused::PoolLearntFrom));
        }
    }
    let rows = of_rows(pool.positive)?;
    let draws = Draws::new(&rows, protocol, size, seed)?;
    let made = executor.map_range(number.into(), |number| {
        let sample = draws.sample(number);
        let rows: Vec<usize> = rows_of(&sample, pool.positive.len()).collect();
        let of = |((_, model), set): (&(&str, &Model), &Set)| {
            let drawn = set.map(|column| rows.iter().map(|row| column[*row]).collect::<Vec<f64>>());
            Both::new(model, drawn.batch()?, &reporting)
        };
        let found = models.iter().zip(&pool.sets).map(of).collect::<Result<Vec<Both>, Error>>()?;
        Ok((sample.prevalence(), found))
    })?;
    let (truths, found): (Vec<f64>, Vec<Vec<Both>>) =
        made.into_iter().collect::<Result<Vec<_>, Error>>()?.into_iter().unzip();
    Ok(gathered(models, truths, found, drawing, level))
}

/// What all models have found in each sample.
fn gathered(
    models: &[(&str, &Model)],
    truths: Vec<f64>,
    found: Vec<Vec<Both>>,
    Drawing { protocol, size, .. }: Drawing,
    level: f64,
) -> Samples {
    let mut of_models: Vec<Vec<Both>> = models.iter().map(|_| Vec::with_capacity(found.len())).collect();
    for sample in found {
        of_models.iter_mut().zip(sample).for_each(|(of_model, both)| of_model.push(both));
    }
    let (mut methods, mut all_checked) = (Vec::new(), Vec::new());
    for ((name, model), found) in models.iter().zip(&of_models) {
        let named = |methods: Vec<EvaluatedMethod>| methods.into_iter().map(|method| apart(name, models.len(), method));
        methods.extend(named(EvaluatedMethod::all(model, &found.iter().map(|both| &both.plain).collect::<Vec<_>>())));
        all_checked.push(checked(model, found).map(|of| Checked { widened: named(of.widened).collect(), ..of }));
    }
    let sample = |(number, truth): (usize, f64)| Sample { id: number.to_string(), n: Some(size as u64), truth };
    let evaluated = Evaluated {
        samples: truths.into_iter().enumerate().map(sample).collect(),
        methods,
        drawn: Some(Drawn { protocol, level }),
        // What the check finds is said of one model.
        checked: if all_checked.len() == 1 { all_checked.pop().flatten() } else { None },
    };
    let mut estimates: Vec<Vec<Estimate>> = evaluated.samples.iter().map(|_| Vec::new()).collect();
    for of_model in of_models {
        estimates.iter_mut().zip(of_model).for_each(|(all, both)| all.extend(both.without_misfit()));
    }
    Samples { evaluated, estimates }
}

/// A method of one of several models, which its name says.
fn apart(model: &str, models: usize, method: EvaluatedMethod) -> EvaluatedMethod {
    if models == 1 { method } else { EvaluatedMethod { name: format!("{model}: {}", method.name), ..method } }
}

/// Whether a model was fitted to these very scores, in whatever order.
fn is_learnt_from(model: &Model, scores: &[f64], positive: &[bool]) -> bool {
    let sorted = |mut scores: Vec<f64>| {
        scores.sort_unstable_by(f64::total_cmp);
        scores
    };
    let of = |class: bool| scores.iter().zip(positive).filter(move |(_, is)| **is == class).map(|(score, _)| *score);
    let PerClass { positive, negative } = model.labelled().scores();
    sorted(of(true).collect()) == sorted(positive.clone()) && sorted(of(false).collect()) == sorted(negative.clone())
}
