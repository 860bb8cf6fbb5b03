//! truecount's part of the comparisons with other programs in `crates/truecount-bench/peers`
//! (`cargo xtask peers`).
//!
//! `estimate FILE` reads one problem per line, as JSON, and prints every method's estimate of each.
//! `intervals FILE` prints the 95 % intervals of the sweeps for each problem. `designs FILE` reads
//! one labelled sample per line and prints the class means of its probabilities with standard
//! errors. `time FILE` reads a training sample and many test scores, as 64-bit floats, and prints
//! the time of every method's aggregation on one thread.

#[path = "../../truecount/benches/common/plain_sum.rs"]
mod plain_sum;

use plain_sum::plain_sum;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use truecount::quantifier::RateSource;
use truecount::{Batch, IntervalOptions, LabelledScores, Method, Model, Settings, Target};

/// The number of rounds; times are medians over them.
const ROUNDS: usize = 5;

/// The test sets for timing: many small sets and one large set.
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

/// A labelled sample with weights and optional clusters.
#[derive(Deserialize)]
struct LabelledSample {
    probabilities: Vec<f64>,
    labels: Vec<bool>,
    weights: Vec<f64>,
    clusters: Option<Vec<u32>>,
    /// The prevalences α for the standard errors of [`Design`].
    alphas: Vec<f64>,
}

/// Weighted class means a₊ and a₋, and the standard error of α a₊ + (1−α) a₋ at each α.
#[derive(Serialize)]
struct Design {
    positive: f64,
    negative: f64,
    se: Vec<f64>,
}

fn designs(file: &Path) -> Result<(), Box<dyn Error>> {
    for line in std::fs::read_to_string(file)?.lines() {
        let sample: LabelledSample = serde_json::from_str(line)?;
        let labelled = LabelledScores::builder(&sample.probabilities, &sample.labels)
            .probabilities(&sample.probabilities)
            .weights(&sample.weights)
            .clusters(sample.clusters.as_deref())
            .build()?;
        let model = fit(&labelled, Method::PACC)?;
        let quantifier = &model.quantifiers()[0];
        let parameters: BTreeMap<_, _> = quantifier.parameters().into_iter().collect();
        let (positive, negative) = (parameters["mean_positive"], parameters["mean_negative"]);
        let precision = quantifier.precision(0.5, f64::INFINITY).ok_or("PACC has a variance")?;
        // `learning` is in units of the distance between the means.
        let se = sample
            .alphas
            .iter()
            .map(|alpha| precision.training_variance(*alpha).sqrt() * (positive - negative))
            .collect();
        println!("{}", serde_json::to_string(&Design { positive, negative, se })?);
    }
    Ok(())
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Estimate { raw: f64, warnings: Vec<String>, parameters: BTreeMap<&'static str, f64> },
    Failure { error: String },
}

/// Reads one problem per line.
fn problems(file: &Path) -> Result<Vec<Problem>, Box<dyn Error>> {
    let text = std::fs::read_to_string(file)?;
    text.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

fn estimate(file: &Path) -> Result<(), Box<dyn Error>> {
    for problem in problems(file)? {
        let answers: BTreeMap<&str, Answer> = Method::ALL
            .iter()
            .map(|method| {
                let failure = |error: truecount::Error| Answer::Failure { error: error.to_string() };
                (method.name(), answer(&problem, *method).unwrap_or_else(failure))
            })
            .collect();
        println!("{}", serde_json::to_string(&answers)?);
    }
    Ok(())
}

fn answer(problem: &Problem, method: Method) -> Result<Answer, truecount::Error> {
    let train =
        LabelledScores::builder(&problem.scores, &problem.labels).probabilities(&problem.probabilities).build()?;
    let test = Batch::new(&problem.test_scores).with_probabilities(&problem.test_probabilities)?;
    let model = fit(&train, method)?;
    let estimate = &model.estimate(test)?[0];
    Ok(Answer::Estimate {
        raw: estimate.raw,
        warnings: estimate.warnings.iter().map(ToString::to_string).collect(),
        parameters: model.quantifiers()[0].parameters().into_iter().collect(),
    })
}

/// Prints every sweep's 95 % interval for the sample and for the population; null if the method
/// cannot be fitted.
fn intervals(file: &Path) -> Result<(), Box<dyn Error>> {
    let sweeps =
        [("o-cs", Method::O_CS, None), ("es", Method::ES, None), ("es family", Method::ES, Some(RateSource::Family))];
    for problem in problems(file)? {
        let entry = |(name, method, rates)| (name, interval(&problem, method, rates).ok());
        println!("{}", serde_json::to_string(&BTreeMap::from(sweeps.map(entry)))?);
    }
    Ok(())
}

#[derive(Serialize)]
struct Intervals {
    sample: [f64; 2],
    population: [f64; 2],
}

fn interval(problem: &Problem, method: Method, rates: Option<RateSource>) -> Result<Intervals, truecount::Error> {
    let train = LabelledScores::new(&problem.scores, &problem.labels)?;
    let model = Model::fit(&train, &Settings::new([method]).with_rates(rates))?;
    let ends = |target| {
        let estimate = &model.estimate_with(&problem.test_scores, &IntervalOptions::new(0.95, target)?)?[0];
        let interval = estimate.interval.expect("the sweeps have intervals");
        Ok::<_, truecount::Error>([interval.lower, interval.upper])
    };
    Ok(Intervals { sample: ends(Target::Sample)?, population: ends(Target::Population)? })
}

fn fit(train: &LabelledScores, method: Method) -> Result<Model, truecount::Error> {
    Ok(Model::fit(train, &Settings::new([method]))?.without_check())
}

#[derive(Serialize)]
struct Times {
    methods: BTreeMap<&'static str, AggregationTimes>,
    /// The time of sorting the scores of the large set.
    sort: f64,
    /// The time of a plain sum of these scores, which is the time of reading them.
    sum: f64,
}

#[derive(Serialize)]
struct AggregationTimes {
    many: f64,
    one: f64,
}

/// The data for timing: a training sample, and test scores that are cut into sets.
struct TimedData {
    plain: LabelledScores,
    with_probabilities: LabelledScores,
    scores: Vec<f64>,
    probabilities: Vec<f64>,
}

impl TimedData {
    /// Reads a file of little-endian 64-bit floats: the numbers of training and test scores;
    /// scores, labels (0 or 1) and probabilities of the training sample; scores and probabilities
    /// of the test sample.
    fn read(file: &Path) -> Result<Self, Box<dyn Error>> {
        let bytes = std::fs::read(file)?;
        let numbers: Vec<f64> = bytes.as_chunks::<8>().0.iter().map(|b| f64::from_le_bytes(*b)).collect();
        let [train, test, rest @ ..] = numbers.as_slice() else { return Err("the file is empty".into()) };
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts
        let (train, test) = (*train as usize, *test as usize);
        if rest.len() != 3 * train + 2 * test || test < ONE_SIZE.max(SETS * SET_SIZE) {
            return Err("the file is not as long as it must be".into());
        }
        let (training, testing) = rest.split_at(3 * train);
        let labels: Vec<bool> = training[train..2 * train].iter().map(|label| *label == 1.0).collect();
        Ok(Self {
            plain: LabelledScores::new(&training[..train], &labels)?,
            with_probabilities: LabelledScores::builder(&training[..train], &labels)
                .probabilities(&training[2 * train..])
                .build()?,
            scores: testing[..test].to_vec(),
            probabilities: testing[test..].to_vec(),
        })
    }

    /// Fits a model, with probabilities only if the method reads them.
    fn fit(&self, method: Method) -> Result<Model, truecount::Error> {
        let model = fit(&self.with_probabilities, method)?;
        if model.posteriors().is_some() { Ok(model) } else { fit(&self.plain, method) }
    }

    fn batch(&self, model: &Model, from: usize, size: usize) -> Result<Batch<'_>, truecount::Error> {
        let range = from..from + size;
        match model.posteriors() {
            Some(_) => Batch::new(&self.scores[range.clone()]).with_probabilities(&self.probabilities[range]),
            None => Ok(Batch::from(&self.scores[range])),
        }
    }
}

fn time(file: &Path) -> Result<(), Box<dyn Error>> {
    let data = TimedData::read(file)?;
    let options = IntervalOptions::default();
    let mut methods = BTreeMap::new();
    for &method in Method::ALL {
        let model = data.fit(method)?;
        let batches = |number: usize, size: usize| {
            (0..number).map(|k| data.batch(&model, k * size, size)).collect::<Result<Vec<_>, _>>()
        };
        let aggregate = |batches: &[Batch]| {
            for batch in batches {
                black_box(model.estimate_with(*batch, &options).expect("an estimate"));
            }
        };
        let (many, one) = (batches(SETS, SET_SIZE)?, batches(1, ONE_SIZE)?);
        let times = AggregationTimes { many: median(|| aggregate(&many)), one: median(|| aggregate(&one)) };
        methods.insert(method.name(), times);
    }
    let sort = median_after(
        || data.scores[..ONE_SIZE].to_vec(),
        |mut scores| {
            scores.sort_unstable_by(f64::total_cmp);
            black_box(scores);
        },
    );
    let sum = median(|| {
        black_box(plain_sum(black_box(&data.scores[..ONE_SIZE])));
    });
    println!("{}", serde_json::to_string(&Times { methods, sort, sum })?);
    Ok(())
}

/// Returns the median time of `run`.
fn median(run: impl Fn()) -> f64 {
    median_after(|| (), |()| run())
}

/// Returns the median time of `run`, without the time of `prepare`.
fn median_after<T>(prepare: impl Fn() -> T, run: impl Fn(T)) -> f64 {
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let input = prepare();
            let start = Instant::now();
            run(input);
            start.elapsed().as_secs_f64()
        })
        .collect();
    times.sort_unstable_by(f64::total_cmp);
    times[ROUNDS / 2]
}
