//! Do the intervals hold on real scores, and how far are the estimates off? Pools of scored, labelled cases, from which
//! every replication draws a labelled sample and a disjoint test sample.
//!
//! Within each class both samples together are a simple random sample without replacement. The difference of two
//! disjoint samples' means then has variance S²(1/m + 1/n), S² the pool's own: as if both came from an endless
//! population, so a pool need not be large beside the samples for the intervals to be judged fairly.
//!
//! `o-cs`, `es` and `max` see the scores with their defaults. The other arms have kernel densities on the scale of the
//! ranks, and the sweeps among them take their rates from these (`es model`).

mod figure;
mod setting;
mod summary;

pub use figure::figure;
pub use setting::{LABELS, PREVALENCES, Pool, Setting, TooSmall};
pub use summary::{OfPool, OfPrevalence, by_pool, by_prevalence};

use crate::fitted::fitted;
use crate::intervals::Intervals;
use crate::{Outcome, Study};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use truecount::distribution::Family;
use truecount::{Anchor, Method, Settings, Transform};

/// The methods with their defaults.
const PLAIN: [Method; 3] = [Method::O_CS, Method::ES, Method::MAX];

/// The methods with kernel densities, which the sweeps take their rates from too.
const KERNEL: [Method; 5] = [Method::O_CS, Method::ES, Method::SLD, Method::KDEY_ML, Method::DYS];

/// The study of real scores.
#[derive(Clone, Debug)]
pub struct Pools {
    settings: Vec<Setting>,
}

impl Pools {
    /// Every number of labels and prevalence that each of the pools allows.
    pub fn of(pools: impl IntoIterator<Item = Pool>) -> Self {
        let settings = pools.into_iter().map(Arc::new).flat_map(|pool| Setting::of(&pool)).collect();
        Self { settings }
    }
}

impl Study for Pools {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Intervals;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["o-cs", "es", "max", "o-cs kernel", "es model", "sld", "kdey-ml", "dys"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        setting.clone()
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let (train, test) = setting.draw(rng);
        let found = match &train {
            Ok(train) => {
                let plain = |method| fitted(train, &[method], &Settings::default(), &test[..]);
                let settings = Settings {
                    family: Family::Kernel,
                    transform: Transform::Rank,
                    anchor: Some(Anchor::Model),
                    ..Settings::default()
                };
                let kernel = fitted(train, &KERNEL, &settings, &test[..]);
                PLAIN.map(plain).into_iter().flatten().chain(kernel).collect()
            }
            Err(inverted) => vec![Err(inverted.clone()); self.arms().len()],
        };
        found.into_iter().map(|found| Outcome { truth: setting.alpha, found }).collect()
    }
}
