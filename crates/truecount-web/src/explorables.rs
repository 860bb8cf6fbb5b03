//! The interactive figures of the book: simulated classes, and a classifier with known error rates.

use crate::error::PageError;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use serde_json::{Value, json};
use truecount::distribution::Distribution;
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::scores::PerClass;
use truecount::{LabelledScores, Method, Model, Settings, Target};
use truecount_analysis::ScoreValues;
use truecount_analysis::executor::Sequential;
use truecount_analysis::groups::{NamedGroups, TextNames};
use truecount_analysis::output::EstimateOutput;
use truecount_analysis::request::EstimateRequest;
use truecount_analysis::rows::{GroupCells, MemoryRows};
use truecount_analysis::spelling::Interface;
use truecount_report::charts::counting;
use truecount_report::drawing::{Drawing, FigureSize};
use truecount_report::tables::results_html;
use truecount_report::{Figures, ReportData, ReportModels, Words, weights};

/// Simulated normal classes. Labelled scores are drawn from both classes, and test scores at a
/// given prevalence. Negatives have mean 0 and standard deviation 1.
#[derive(Deserialize)]
pub struct SimulatedClasses {
    /// Mean of the positives.
    distance: f64,
    /// Standard deviation of the positives.
    spread: f64,
    /// Number of labelled scores of each class.
    labelled: usize,
    /// Number of test scores.
    n: usize,
    /// Share of positives among the test scores.
    prevalence: f64,
    /// Seed of the draw.
    draw: u64,
}

/// The methods that are compared.
const METHODS: [Method; 4] = [Method::ES, Method::O_CS, Method::AC, Method::CC];

/// Maximum number of scores, so that an answer does not take long.
const MAX_SCORES: usize = 100_000;

impl SimulatedClasses {
    /// Returns the figures and estimates of a draw.
    pub fn answer(&self) -> Result<Value, PageError> {
        let classes = self.classes()?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.draw);
        let mut draw = |positives: usize, n: usize| -> (Vec<f64>, Vec<bool>) {
            let is_positive = |row: usize| row < positives;
            let score = |row| {
                let class = if is_positive(row) { &classes.positive } else { &classes.negative };
                class.sample(&mut rng)
            };
            ((0..n).map(score).collect(), (0..n).map(is_positive).collect())
        };
        let labelled = self.labelled.min(MAX_SCORES);
        let (scores, labels) = draw(labelled, 2 * labelled);
        let labelled = LabelledScores::new(&scores, &labels)?;
        let n = self.n.min(MAX_SCORES);
        let positives = number_of_positives(n, self.prevalence);
        let (scores, _) = draw(positives, n);
        let words = Words::new("items", "positive", Target::Sample, Interface::Page);
        let (es_figures, answer) = figures(&labelled, Method::ES, &scores, &words)?;
        let (o_cs_figures, _) = figures(&labelled, Method::O_CS, &scores, &words)?;
        let settings = Settings::new(METHODS).with_cutoff(0.5 * self.distance);
        let model = Model::fit(&labelled, &settings)?;
        let estimates = model.estimate(&scores[..])?;
        let sweep = model.quantifiers()[0].binned_sweep().expect("the first sweeps bins");
        let drawings = [
            ("scores", Some(&o_cs_figures.scores)),
            ("separation", o_cs_figures.separation.as_ref()),
            ("adjusted-count", o_cs_figures.adjusted_count.as_ref()),
            ("calibration", es_figures.calibration.as_ref()),
            ("weights", Some(&weights(sweep, &estimates[0], &labelled))),
        ];
        let svg =
            |(name, drawing): (&str, Option<&Drawing>)| Some((name.to_owned(), json!(drawing?.svg_with_id(name))));
        let group = NamedGroups { keys: TextNames::none(), contents: vec![estimates], shift_total: None };
        let table = results_html(&EstimateOutput::from_estimates(&model, group, None)?.results());
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

/// Returns the report's figures and answer by this method.
fn figures(
    labelled: &LabelledScores,
    method: Method,
    scores: &[f64],
    words: &Words,
) -> Result<(Figures, String), PageError> {
    let settings = Settings::new([method]);
    let models = ReportModels::new(Model::fit(labelled, &settings)?, false, true)?;
    let values = ScoreValues { scores: scores.to_vec(), probabilities: None, weights: None };
    let rows = NamedGroups { keys: TextNames::none(), contents: vec![values], shift_total: None };
    let rows = MemoryRows::new(GroupCells::from_groups(rows));
    let data = ReportData::new(&Sequential, &models, &rows, None, None, &EstimateRequest::default())?;
    Ok((Figures::new(&data, words, FigureSize::Phone), words.answer(data.answer(), method, None, None)))
}

/// Number of positives among n items whose share is closest to the prevalence.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and n
fn number_of_positives(n: usize, prevalence: f64) -> usize {
    (n as f64 * prevalence.clamp(0.0, 1.0)).round() as usize
}

/// A classifier with known error rates, whose count is compared with the true prevalence.
#[derive(Deserialize)]
pub struct CountingClassifier {
    sensitivity: f64,
    specificity: f64,
    prevalence: f64,
}

impl CountingClassifier {
    /// Returns the figure of the expected count at every prevalence, and its description.
    pub fn answer(&self) -> Value {
        let (drawing, sentence) = counting::draw(self.sensitivity, self.specificity, self.prevalence);
        json!({ "answer": sentence, "figures": { "counting": drawing.svg_with_id("counting") } })
    }
}
