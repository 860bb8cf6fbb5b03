//! The coverage of nominal 95 % intervals of Efficient Sweep, whatever the shape of the scores.
//!
//! Fourteen [`Shape`]s, labelled samples of 10 + 10 to 500 + 500 and of natural shares down to 10 in
//! 2000, prevalences from 0.001 to 0.99, 200 and 5000 new rows: 2464 settings. New and labelled scores
//! are drawn anew in every replication, and a test set of n has the nearest whole number to αn
//! positives.

use super::intervals::{CoverageDots, CoverageSummary, IntervalStatistics, coverage_figure};
use super::samples::{fit_and_estimate, outcomes, positives, prevalence};
use super::{ArmOutcome, Study, StudyResults, Summary, SummaryRows, mean};
use crate::shapes::Shape;
use crate::shared::{BLUE, CellFormat, ResultColumn, ResultRow, ResultTable};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::{Error, LabelledScores, Method, Settings};

/// The study of the coverage of intervals by the shape of the scores.
#[derive(Debug)]
pub struct ShapesStudy;

/// A point of the design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ShapeSetting {
    /// The shape of the scores.
    pub shape: Shape,
    /// The number of labelled positives.
    pub labelled_positive: u32,
    /// The number of labelled negatives.
    pub labelled_negative: u32,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
}

impl ShapeSetting {
    /// Returns all settings.
    pub fn all() -> Vec<Self> {
        const LABELLED: [(u32, u32); 11] = [
            (10, 10),
            (15, 15),
            (30, 30),
            (100, 100),
            (500, 500),
            (8, 492),
            (15, 485),
            (10, 1990),
            (40, 1960),
            (100, 900),
            (450, 50),
        ];
        const ALPHAS: [f64; 8] = [0.001, 0.02, 0.1, 0.3, 0.5, 0.8, 0.95, 0.99];
        let mut settings = Vec::new();
        for shape in Shape::ALL {
            for (labelled_positive, labelled_negative) in LABELLED {
                for alpha in ALPHAS {
                    let setting = |n| Self { shape, labelled_positive, labelled_negative, alpha, n };
                    settings.extend([200, 5000].map(setting));
                }
            }
        }
        settings
    }

    /// Draws scores of both classes; the positives come first.
    fn draw(&self, positives: u32, negatives: u32, rng: &mut ChaCha8Rng) -> Vec<f64> {
        (0..positives + negatives).map(|i| self.shape.draw(i < positives, rng)).collect()
    }

    fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        let (positives, negatives) = (self.labelled_positive, self.labelled_negative);
        let labels: Vec<bool> = (0..positives + negatives).map(|i| i < positives).collect();
        LabelledScores::new(&self.draw(positives, negatives, rng), &labels)
    }

    fn test(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let positives = positives(self.n, self.alpha);
        self.draw(positives, self.n - positives, rng)
    }
}

impl Study for ShapesStudy {
    const NAME: &'static str = "shapes";
    const REPLICATIONS: u32 = 500;
    const ARMS: &'static [&'static str] = &["es"];

    type Setting = ShapeSetting;
    type Shared = ();
    type Statistics = IntervalStatistics;
    type Summary = SummaryRows<ShapeSummary>;

    fn prepare(_: &ShapeSetting, _: &mut ChaCha8Rng) {}

    fn replicate(setting: &ShapeSetting, (): &(), rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, test) = (setting.train(rng), setting.test(rng));
        let results = match &train {
            Ok(train) => fit_and_estimate(train, &[Method::ES], &Settings::default(), &test),
            Err(inverted) => [Err(inverted.clone())],
        };
        outcomes(prevalence(setting.n, setting.alpha), results)
    }
}

/// The summary of the settings of a shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ShapeSummary {
    /// The shape.
    pub shape: Shape,
    /// The summary of the intervals.
    #[serde(flatten)]
    pub coverages: CoverageSummary,
    /// Share of the settings whose coverage is below 92 %.
    pub below_92: f64,
    /// Share of the settings whose coverage is below 88 %.
    pub below_88: f64,
    /// Mean over the settings of the root mean square error.
    pub rmse: f64,
}

impl Summary<ShapesStudy> for SummaryRows<ShapeSummary> {
    fn new(results: &StudyResults<ShapesStudy>) -> Self {
        let summary = |shape| {
            let settings = results.in_arm_where(0, |setting| setting.shape == shape);
            let values = |value: fn(&IntervalStatistics) -> Option<f64>| -> Vec<f64> {
                settings.iter().filter_map(|statistics| value(statistics)).collect()
            };
            let (coverages, rmse) = (values(|s| s.coverage), values(|s| s.rmse));
            let below = |limit: f64| mean(coverages.iter().map(|coverage| f64::from(*coverage < limit)));
            Some(ShapeSummary {
                shape,
                coverages: CoverageSummary::new(&coverages, &values(|s| s.width))?,
                below_92: below(0.92)?,
                below_88: below(0.88)?,
                rmse: mean(rmse.into_iter())?,
            })
        };
        Self { summaries: Shape::ALL.into_iter().filter_map(summary).collect() }
    }

    fn tables(&self) -> Vec<ResultTable<'_>> {
        vec![ResultTable::new(&self.summaries)]
    }

    fn notes(&self) -> Vec<String> {
        vec![
            "mean, min: coverage of the nominal 95 % intervals over the settings of a shape, %".to_owned(),
            "< 92, < 88: share of the settings with a lower coverage, %".to_owned(),
            "width, error: mean width and mean root mean square error".to_owned(),
        ]
    }

    /// Draws one row of dots for every shape.
    fn figures(results: &StudyResults<ShapesStudy>) -> Vec<(String, String)> {
        let row = |shape: Shape| {
            let settings = results.in_arm_where(0, |setting| setting.shape == shape);
            let coverages = settings.iter().filter_map(|statistics| statistics.coverage).collect();
            CoverageDots { name: shape.name().to_owned(), colour: BLUE, coverages }
        };
        vec![("shapes.svg".to_owned(), coverage_figure(&Shape::ALL.map(row)))]
    }
}

impl ResultRow for ShapeSummary {
    const NAME: &'static str = "shapes";

    fn columns() -> Vec<ResultColumn<Self>> {
        vec![
            Self::text("shape", "the shape of the scores", |row| row.shape.name().into()).shown(CellFormat::AsIs),
            Self::share("mean", "mean coverage over the settings", |row| row.coverages.mean)
                .shown(CellFormat::Percentage(1)),
            Self::share("below_92", "share of the settings with a coverage below 92 %", |row| row.below_92)
                .heading("< 92", CellFormat::Percentage(1)),
            Self::share("below_88", "share of the settings with a coverage below 88 %", |row| row.below_88)
                .heading("< 88", CellFormat::Percentage(1)),
            Self::share("min", "least coverage", |row| row.coverages.min).shown(CellFormat::Percentage(1)),
            Self::share("width", "mean width of the intervals", |row| row.coverages.width)
                .shown(CellFormat::Decimals(4)),
            Self::share("rmse", "mean root mean square error", |row| row.rmse)
                .heading("error", CellFormat::Decimals(4)),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;

    #[test]
    fn the_design_has_2464_settings_of_the_numbers_that_it_names() {
        let settings = ShapeSetting::all();
        assert_eq!(settings.len(), 2464);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let setting = ShapeSetting { alpha: 0.02, n: 200, ..settings[0] };
        let train = setting.train(&mut rng).unwrap();
        assert_eq!((train.positive().len(), train.negative().len()), (10, 10));
        assert_eq!((setting.test(&mut rng).len(), prevalence(200, 0.02)), (200, 0.02));
    }
}
