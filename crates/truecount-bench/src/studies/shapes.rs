//! The coverage of nominal 95 % intervals of Efficient Sweep, whatever the shape of the scores.
//!
//! Fourteen [`Shape`]s, labelled samples of 10 + 10 to 500 + 500 and of natural shares down to 10 in 2000, prevalences
//! from 0.001 to 0.99, 200 and 5000 new rows: 2464 settings. New and labelled scores are drawn anew in every
//! replication, and a test set of n has the nearest whole number to αn positives.

use super::intervals::CoverageDots;
use super::samples::{cross, fit_and_estimate, outcomes, positives, prevalence};
use super::{ArmOutcome, IntervalStudy, StudyResults, StudySummary};
use crate::shapes::Shape;
use crate::shared::BLUE;
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use serde_json::json;
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
        let setting = |(((shape, _), labelled), (alpha, n))| {
            let (labelled_positive, labelled_negative) = labelled;
            Self { shape, labelled_positive, labelled_negative, alpha, n }
        };
        cross(cross(Shape::ALL, LABELLED), cross(ALPHAS, [200, 5000])).into_iter().map(setting).collect()
    }

    fn train(&self, rng: &mut ChaCha8Rng) -> Result<LabelledScores, Error> {
        self.shape.draw_labelled(self.labelled_positive, self.labelled_negative, rng)
    }

    fn test(&self, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let positives = positives(self.n, self.alpha);
        (0..self.n).map(|i| self.shape.draw(i < positives, rng)).collect()
    }
}

impl IntervalStudy for ShapesStudy {
    const NAME: &'static str = "shapes";
    const REPLICATIONS: u32 = 500;
    const ARMS: &'static [&'static str] = &["es"];

    type Setting = ShapeSetting;

    fn replicate(setting: &ShapeSetting, rng: &mut ChaCha8Rng) -> Vec<ArmOutcome> {
        let (train, test) = (setting.train(rng), setting.test(rng));
        let results = match &train {
            Ok(train) => fit_and_estimate(train, &[Method::ES], &Settings::default(), &test),
            Err(inverted) => [Err(inverted.clone())],
        };
        outcomes(prevalence(setting.n, setting.alpha), results)
    }

    /// Summarises the settings of every shape, with a row of dots in the figure.
    fn summarise(results: &StudyResults<Self>, summary: &mut StudySummary) {
        let shapes: Vec<_> =
            Shape::ALL.map(|(shape, name)| (shape, name, results.select(0, |s| s.shape == shape))).into();
        let dots: Vec<_> = shapes.iter().map(|(_, name, s)| CoverageDots::new((*name).to_owned(), BLUE, s)).collect();
        let row = |(shape, name, settings)| (name, json!({"shape": shape}), settings);
        summary.add_intervals("es", shapes.into_iter().map(row));
        summary.add_coverage_figure("shapes.svg", &dots);
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
