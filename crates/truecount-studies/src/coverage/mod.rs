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

use crate::intervals::Intervals;
use crate::{Outcome, Study};
use rand_chacha::ChaCha8Rng;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::Separation;
use truecount::{Anchor, Class, Error, Method, Model, Reporting, Settings};

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
        let (family, reporting) = (setting.scenario.family(), Reporting::default());
        let estimate = |method, anchor| {
            let settings = Settings { methods: vec![method], family, anchor, ..Settings::default() };
            let model = Model::fit(train.as_ref().map_err(Error::clone)?, &settings)?.without_check();
            Ok(model.estimate(&test, &reporting)?[0].clone())
        };
        let test_only = || {
            let train = train.as_ref().map_err(Error::clone)?;
            let positive = family.fit(Class::Positive, train.positive())?;
            let negative = family.fit(Class::Negative, train.negative())?;
            let known = ContinuousSweep::new(&Separation::new(positive, negative)?, Threshold::Optimal)?;
            known.estimate(&test, &reporting)
        };
        let found = [
            estimate(Method::O_CS, None),
            test_only(),
            estimate(Method::ES, None),
            estimate(Method::ES, Some(Anchor::Model)),
        ];
        found.map(|found| Outcome { truth: setting.alpha, found }).into()
    }
}
