//! Do the intervals hold? Nominal 95 % intervals for the sample, over the settings of the paper's Study 2 and two
//! variants.
//!
//! Four arms see the same data: Continuous Sweep (`o-cs`) and Efficient Sweep (`es`) with their defaults, Efficient
//! Sweep with the rates of the fitted family (`es model`), and Continuous Sweep with the fitted classes treated as
//! known (`o-cs test only`: the paper's Theorem 2, which ignores that they were fitted).

mod figure;
mod setting;
mod summary;

pub use figure::figure;
pub use setting::{Scenario, Setting};
pub use summary::{Summary, summarise};

use crate::fitted::fitted;
use crate::intervals::Intervals;
use crate::{Outcome, Study};
use rand_chacha::ChaCha8Rng;
use truecount::distribution::Family;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::Separation;
use truecount::{Anchor, Class, Error, Estimate, LabelledScores, Method, Reporting, Settings};

/// The study of the intervals.
#[derive(Clone, Debug)]
pub struct Coverage {
    settings: Vec<Setting>,
}

impl Coverage {
    /// All settings of every scenario.
    pub fn all() -> Self {
        Self::of(Scenario::ALL.into_iter().flat_map(Setting::of).collect())
    }

    /// These settings only.
    pub fn of(settings: Vec<Setting>) -> Self {
        Self { settings }
    }
}

impl Study for Coverage {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Intervals;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["o-cs", "o-cs test only", "es", "es model"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        *setting
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let (train, test) = (setting.train(rng), setting.test(rng));
        let found = match &train {
            Ok(train) => arms(train, setting.scenario.family(), &test),
            Err(inverted) => std::array::from_fn(|_| Err(inverted.clone())),
        };
        found.map(|found| Outcome { truth: setting.alpha, found }).into()
    }
}

fn arms(train: &LabelledScores, family: Family, test: &[f64]) -> [Result<Estimate, Error>; 4] {
    // What is in one model shares the fitted classes.
    let in_family = Settings { family, anchor: Some(Anchor::Model), ..Settings::default() };
    let [o_cs, es_model] = fitted(train, &[Method::O_CS, Method::ES], &in_family, test);
    let [es] = fitted(train, &[Method::ES], &Settings::default(), test);
    let test_only = || {
        let positive = family.fit(Class::Positive, train.positive())?;
        let negative = family.fit(Class::Negative, train.negative())?;
        let known = ContinuousSweep::new(&Separation::new(positive, negative)?, Threshold::Optimal)?;
        known.estimate(test, &Reporting::default())
    };
    [o_cs, test_only(), es, es_model]
}
