//! What people play with in the book and on the page: classes whose scores are drawn, and a
//! classifier whose errors are known.

use crate::error::PageError;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::{IntervalOptions, LabelledScores, Method, Model, PerClass, Settings, Target};
use truecount_analysis::ScoreValues;
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::EstimateOutput;
use truecount_report::charts::counting;
use truecount_report::drawing::Drawing;
use truecount_report::tables::results_html;
use truecount_report::{Figures, ReportData, ReportModels, ReportOptions, Words, weights};

/// Two classes whose scores are drawn: what is learnt from the labelled ones, and what is estimated
/// of the others. Negatives are about 0 and have the standard deviation 1.
#[derive(Deserialize)]
pub struct Classes {
    /// The mean of the positives, and their standard deviation.
    distance: f64,
    spread: f64,
    /// Labelled scores of each class.
    labelled: usize,
    /// Scores without a label, and the share of positives among them.
    n: usize,
    prevalence: f64,
    /// Which draw.
    draw: u64,
}

/// What is compared: the methods of the report, and the paper's.
const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::CC];

/// More scores show nothing else, and keep people waiting.
const MOST: usize = 100_000;

impl Classes {
    /// The figures and estimates of a draw.
    pub fn answer(&self) -> Result<Value, PageError> {
        let classes = self.classes()?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.draw);
        let mut drawn = |positives: usize, n: usize| -> (Vec<f64>, Vec<bool>) {
            let of = |row: usize| row < positives;
            let score =
                |row| if of(row) { classes.positive.sample(&mut rng) } else { classes.negative.sample(&mut rng) };
            ((0..n).map(score).collect(), (0..n).map(of).collect())
        };
        let labelled = self.labelled.min(MOST);
        let (scores, labels) = drawn(labelled, 2 * labelled);
        let labelled = LabelledScores::new(&scores, &labels)?;
        let n = self.n.min(MOST);
        let positives = positives(n, self.prevalence);
        let (scores, _) = drawn(positives, n);
        let words = Words { items: "items", positive_name: "positive", target: Target::Sample };
        let (by_bins, answer) = figures(&labelled, Method::ES, &scores, &words)?;
        let (by_curve, _) = figures(&labelled, Method::O_CS, &scores, &words)?;
        let middle = Settings { methods: METHODS.to_vec(), cutoff: Some(0.5 * self.distance), ..Settings::default() };
        let model = Model::fit(&labelled, &middle)?;
        let estimates = model.estimate(&scores[..], &IntervalOptions::default())?;
        let alpha = estimates[0].prevalence;
        let sweep = model.quantifiers()[0].binned_sweep().expect("the first sweeps bins");
        let drawings = [
            ("scores", Some(&by_curve.scores)),
            ("separation", by_curve.separation.as_ref()),
            ("adjusted-count", by_curve.adjusted_count.as_ref()),
            ("calibration", by_bins.calibration.as_ref()),
            ("weights", Some(&weights(sweep, alpha, &labelled))),
        ];
        let svg =
            |(name, drawing): (&str, Option<&Drawing>)| Some((name.to_owned(), json!(drawing?.svg_with_id(name))));
        let found = NamedGroups { keys: TextNames::none(), contents: vec![estimates], shift_total: None };
        let table = results_html(&EstimateOutput::from_estimates(&model, found, None)?.results());
        Ok(json!({
            "positives": positives,
            "n": n,
            "answer": answer,
            "html": table,
            "figures": drawings.into_iter().filter_map(svg).collect::<serde_json::Map<_, _>>(),
        }))
    }

    fn classes(&self) -> Result<PerClass<ScoreDistribution>, PageError> {
        let normal = |mean, sd| Ok::<_, PageError>(ScoreDistribution::Normal(Normal::new(mean, sd)?));
        Ok(PerClass { positive: normal(self.distance, self.spread)?, negative: normal(0.0, 1.0)? })
    }
}

/// The report's figures by this method, and its answer.
fn figures(
    labelled: &LabelledScores,
    method: Method,
    scores: &[f64],
    words: &Words,
) -> Result<(Figures, String), PageError> {
    let settings = Settings { methods: vec![method], ..Settings::default() };
    let models = ReportModels::new(Model::fit(labelled, &settings)?, false)?;
    let numbers = ScoreValues { scores: scores.to_vec(), probabilities: None, weights: None };
    let rows = NamedGroups { keys: TextNames::none(), contents: vec![numbers], shift_total: None };
    let options = ReportOptions { reporting: IntervalOptions::default(), resampling: None };
    let data = ReportData::new(&Sequential, &models, &rows, None, None, &options)?;
    Ok((Figures::new(&data), words.answer(data.answer(), method)))
}

/// The number out of n that comes closest to this share.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and n
fn positives(n: usize, share: f64) -> usize {
    (n as f64 * share.clamp(0.0, 1.0)).round() as usize
}

/// A classifier that counts.
#[derive(Deserialize)]
pub struct CountingQuestion {
    sensitivity: f64,
    specificity: f64,
    /// The share of positives that there is.
    prevalence: f64,
}

impl CountingQuestion {
    /// The share that is counted, for every share that there may be.
    pub fn answer(&self) -> Value {
        let (drawing, sentence) = counting::draw(self.sensitivity, self.specificity, self.prevalence);
        json!({ "answer": sentence, "figures": { "counting": drawing.svg_with_id("counting") } })
    }
}
