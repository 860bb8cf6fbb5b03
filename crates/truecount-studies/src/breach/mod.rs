//! What does it buy to widen intervals where the test scores are no mixture of the labelled classes? Nominal 95 % intervals, plain and
//! widened, where the assumption holds and where it is broken in six ways.
//!
//! Three methods, all from the same data: Efficient Sweep, Continuous Sweep and Adjusted Count, with their defaults.

mod figure;
mod found;
mod setting;
mod summary;

pub use figure::figure;
pub use found::{Found, Outcome, Widened};
pub use setting::{Kind, Setting};
pub use summary::{Summary, summarise};

use crate::Study;
use rand_chacha::ChaCha8Rng;
use setting::DISTANCE;
use truecount::{Error, LabelledScores, Method, Model, OnMisfit, Reporting, Settings};

/// The methods, in the order of the arms.
const METHODS: [Method; 3] = [Method::ES, Method::O_CS, Method::AC];

/// The study of what widening buys.
#[derive(Clone, Debug)]
pub struct Breach {
    settings: Vec<Setting>,
}

impl Breach {
    /// All settings.
    pub fn all() -> Self {
        Self::of(Setting::all())
    }

    /// These settings only.
    pub fn of(settings: Vec<Setting>) -> Self {
        Self { settings }
    }
}

impl Study for Breach {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Widened;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["es", "o-cs", "ac"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        *setting
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let (train, test) = (setting.train(rng), setting.test(rng));
        let found = train.and_then(|train| found(&train, &test));
        let of_method = |place: usize| Outcome {
            truth: setting.truth(),
            found: found.as_ref().map(|found| found[place]).map_err(Error::clone),
        };
        (0..METHODS.len()).map(of_method).collect()
    }
}

/// What each method finds.
fn found(train: &LabelledScores, test: &[f64]) -> Result<[Found; METHODS.len()], Error> {
    let settings = Settings { methods: METHODS.to_vec(), cutoff: Some(0.5 * DISTANCE), ..Settings::default() };
    let model = Model::fit(train, &settings)?;
    let mut tallies = model.tallies();
    model.push(&mut tallies, test)?;
    let finish = |on| model.finish(&tallies, &Reporting::default().on_misfit(on));
    let (plain, widened) = (finish(OnMisfit::Warn)?, finish(OnMisfit::Widen)?);
    Ok(std::array::from_fn(|place| Found::new(&plain[place], &widened[place])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_the_methods() {
        assert!(Breach::all().arms().iter().eq(METHODS.map(|method| method.to_string()).iter()));
    }
}
