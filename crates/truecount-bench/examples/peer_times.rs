//! The time of every method's aggregation on one thread, which `crates/truecount-bench/peers/compare.py`
//! compares with other programs (`cargo xtask peers`). The argument is a file with a training sample and many test
//! scores, as 64-bit floats.

#[path = "../../truecount/benches/plain_sum/mod.rs"]
mod plain_sum;

use plain_sum::plain_sum;
use serde::Serialize;
use std::collections::BTreeMap;
use std::error::Error;
use std::hint::black_box;
use std::path::Path;
use std::time::Instant;
use truecount::{Batch, IntervalOptions, LabelledScores, Method, Model, Settings};

/// The number of rounds; times are medians over them.
const ROUNDS: usize = 5;

/// The test sets for timing: many small sets and one large set.
const SETS: usize = 5000;
const SET_SIZE: usize = 250;
const ONE_SIZE: usize = 1_000_000;

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
    /// Reads a file of little-endian 64-bit floats: the numbers of training and test scores; scores, labels (0 or 1)
    /// and probabilities of the training sample; scores and probabilities of the test sample.
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

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).ok_or("usage: peer_times FILE")?;
    let data = TimedData::read(Path::new(&file))?;
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
