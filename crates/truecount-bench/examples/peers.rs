//! Our side of the comparisons with other programs that `cargo xtask peers` runs (`crates/truecount-bench/peers`).
//!
//! `estimate FILE` reads one problem a line, as JSON, and prints for each what every method answers. `intervals FILE` prints for
//! each the 95 % intervals of the sweeps. `designs FILE` reads one labelled sample a line and prints what it tells of the class means of its
//! probabilities. `time FILE` reads one training sample and a long row of test scores, as 64-bit
//! floats, and prints what every method's aggregation costs on one thread.

#[path = "../../truecount/benches/common/plain_sum.rs"]
mod plain_sum;

use plain_sum::plain_sum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use truecount::{Batch, IntervalOptions, LabelledRows, LabelledScores, Method, Model, RateSource, Settings, Target};

/// Times are medians of so many rounds.
const ROUNDS: usize = 5;

/// The test sets that are timed: many small ones, and one large one.
const SETS: usize = 5000;
const SET_SIZE: usize = 250;
const ONE_SIZE: usize = 1_000_000;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["estimate", file] => estimate(Path::new(file)),
        ["intervals", file] => intervals(Path::new(file)),
        ["designs", file] => designs(Path::new(file)),
        ["time", file] => time(Path::new(file)),
        _ => Err("usage: peers estimate FILE | intervals FILE | designs FILE | time FILE".into()),
    }
}

#[derive(Deserialize)]
struct Problem {
    scores: Vec<f64>,
    probabilities: Vec<f64>,
    labels: Vec<bool>,
    test_scores: Vec<f64>,
    test_probabilities: Vec<f64>,
}

/// A labelled sample with weights and perhaps in clusters.
#[derive(Deserialize)]
struct LabelledSample {
    probabilities: Vec<f64>,
    labels: Vec<bool>,
    weights: Vec<f64>,
    clusters: Option<Vec<u32>>,
    /// The prevalences at which the contrast of the class means is wanted.
    alphas: Vec<f64>,
}

/// Class means by weight, and the standard error of α a₊ + (1−α) a₋ at each α.
#[derive(Serialize)]
struct Design {
    positive: f64,
    negative: f64,
    se: Vec<f64>,
}

fn designs(file: &Path) -> Result<(), Box<dyn Error>> {
    for line in std::fs::read_to_string(file)?.lines() {
        let sample: LabelledSample = serde_json::from_str(line)?;
        let labelled = LabelledScores::from_rows(&LabelledRows {
            scores: &sample.probabilities,
            positive: &sample.labels,
            probabilities: Some(&sample.probabilities),
            weights: Some(&sample.weights),
            clusters: sample.clusters.as_deref(),
        })?;
        let model = fit(&labelled, Method::PACC)?;
        let quantifier = &model.quantifiers()[0];
        let learnt: BTreeMap<_, _> = quantifier.parameters().into_iter().collect();
        let (positive, negative) = (learnt["mean_positive"], learnt["mean_negative"]);
        let precision = quantifier.precision(0.5).ok_or("PACC has a variance")?;
        // In units of the means' distance.
        let se = sample.alphas.iter().map(|alpha| precision.learning(*alpha).sqrt() * (positive - negative)).collect();
        println!("{}", serde_json::to_string(&Design { positive, negative, se })?);
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Estimate { raw: f64, warnings: Vec<String>, learnt: BTreeMap<&'static str, f64> },
    Refusal { error: String },
}

/// One problem a line.
fn problems(file: &Path) -> Result<Vec<Problem>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn estimate(file: &Path) -> Result<(), Box<dyn Error>> {
    for problem in problems(file)? {
        let answers: BTreeMap<&str, Answer> = Method::ALL
            .iter()
            .map(|method| {
                let refusal = |error: truecount::Error| Answer::Refusal { error: error.to_string() };
                (method.name(), answer(&problem, *method).unwrap_or_else(refusal))
            })
            .collect();
        println!("{}", serde_json::to_string(&answers)?);
    }
    Ok(())
}

fn answer(problem: &Problem, method: Method) -> Result<Answer, truecount::Error> {
    let train = LabelledScores::with_probabilities(&problem.scores, &problem.probabilities, &problem.labels)?;
    let test = Batch::with_probabilities(&problem.test_scores, &problem.test_probabilities)?;
    let model = fit(&train, method)?;
    let estimate = &model.estimate(test, &IntervalOptions::default())?[0];
    Ok(Answer::Estimate {
        raw: estimate.raw,
        warnings: estimate.warnings.iter().map(ToString::to_string).collect(),
        learnt: model.quantifiers()[0].parameters().into_iter().collect(),
    })
}

/// Every sweep's 95 % interval, for the sample and for its population; null where the labelled scores allow none.
fn intervals(file: &Path) -> Result<(), Box<dyn Error>> {
    let sweeps =
        [("o-cs", Method::O_CS, None), ("es", Method::ES, None), ("es model", Method::ES, Some(RateSource::Model))];
    for problem in problems(file)? {
        let of = |(name, method, anchor)| (name, interval(&problem, method, anchor).ok());
        println!("{}", serde_json::to_string(&BTreeMap::from(sweeps.map(of)))?);
    }
    Ok(())
}

#[derive(Serialize)]
struct Intervals {
    sample: [f64; 2],
    population: [f64; 2],
}

fn interval(problem: &Problem, method: Method, anchor: Option<RateSource>) -> Result<Intervals, truecount::Error> {
    let train = LabelledScores::new(&problem.scores, &problem.labels)?;
    let model = Model::fit(&train, &Settings { methods: vec![method], rates: anchor, ..Settings::default() })?;
    let ends = |target| {
        let estimate = &model.estimate(&problem.test_scores, &IntervalOptions::new(0.95, target)?)?[0];
        let interval = estimate.uncertainty.expect("the sweeps have intervals");
        Ok::<_, truecount::Error>([interval.lower, interval.upper])
    };
    Ok(Intervals { sample: ends(Target::Sample)?, population: ends(Target::Population)? })
}

fn fit(train: &LabelledScores, method: Method) -> Result<Model, truecount::Error> {
    Ok(Model::fit(train, &Settings { methods: vec![method], ..Settings::default() })?.without_check())
}

/// Seconds.
#[derive(Serialize)]
struct Times {
    methods: BTreeMap<&'static str, Aggregation>,
    /// For sorting as many scores as the one large set has.
    sort: f64,
    /// For a plain sum of them, which is what reading them takes.
    sum: f64,
}

#[derive(Serialize)]
struct Aggregation {
    many: f64,
    one: f64,
}

/// What is timed: a training sample and a row of test scores, cut into sets.
struct Sample {
    plain: LabelledScores,
    with_probabilities: LabelledScores,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
}

impl Sample {
    /// The numbers of training and test scores; then scores, labels (0 or 1) and probabilities of the one, scores and
    /// probabilities of the other; all 64-bit floats, little-endian.
    fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        let bytes = std::fs::read(file)?;
        let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
        let [train, test, rest @ ..] = numbers.as_slice() else { return Err("the file is empty".into()) };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts
        let (train, test) = (*train as usize, *test as usize);
        if rest.len() != 3 * train + 2 * test || test < ONE_SIZE.max(SETS * SET_SIZE) {
            return Err("the file is not as long as it must be".into());
        }
        let (trained, tested) = rest.split_at(3 * train);
        let labels: Vec<bool> = trained[train..2 * train].iter().map(|label| *label == 1.0).collect();
        Ok(Self {
            plain: LabelledScores::new(&trained[..train], &labels)?,
            with_probabilities: LabelledScores::with_probabilities(&trained[..train], &trained[2 * train..], &labels)?,
            scores: tested[..test].to_vec(),
            probabilities: tested[test..].to_vec(),
        })
    }

    /// A model that is given probabilities only if it reads them.
    fn fit(&self, method: Method) -> Result<Model, truecount::Error> {
        let model = fit(&self.with_probabilities, method)?;
        if model.posteriors().is_some() { Ok(model) } else { fit(&self.plain, method) }
    }

    fn batch(&self, model: &Model, from: usize, size: usize) -> Result<Batch<'_>, truecount::Error> {
        let range = from..from + size;
        match model.posteriors() {
            Some(_) => Batch::with_probabilities(&self.scores[range.clone()], &self.probabilities[range]),
            None => Ok(Batch::from(&self.scores[range])),
        }
    }
}

fn time(file: &Path) -> Result<(), Box<dyn Error>> {
    let sample = Sample::read(file)?;
    let reporting = IntervalOptions::default();
    let mut methods = BTreeMap::new();
    for &method in Method::ALL {
        let model = sample.fit(method)?;
        let batches = |number: usize, size: usize| {
            (0..number).map(|k| sample.batch(&model, k * size, size)).collect::<Result<Vec<_>, _>>()
        };
        let aggregate = |batches: &[Batch]| {
            for batch in batches {
                black_box(model.estimate(*batch, &reporting).expect("an estimate"));
            }
        };
        let (many, one) = (batches(SETS, SET_SIZE)?, batches(1, ONE_SIZE)?);
        methods
            .insert(method.name(), Aggregation { many: median(|| aggregate(&many)), one: median(|| aggregate(&one)) });
    }
    let sort = median_after(
        || sample.scores[..ONE_SIZE].to_vec(),
        |mut scores| {
            scores.sort_unstable_by(f64::total_cmp);
            black_box(scores);
        },
    );
    let sum = median(|| {
        black_box(plain_sum(black_box(&sample.scores[..ONE_SIZE])));
    });
    println!("{}", serde_json::to_string(&Times { methods, sort, sum })?);
    Ok(())
}

fn median(each: impl Fn()) -> f64 {
    median_after(|| (), |()| each())
}

/// The median time of `each`; what `prepare` takes does not count.
fn median_after<T>(prepare: impl Fn() -> T, each: impl Fn(T)) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let prepared = prepare();
            let start = Instant::now();
            each(prepared);
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[ROUNDS / 2]
}
