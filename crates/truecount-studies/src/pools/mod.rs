//! Do the intervals hold on real scores, and how far are the estimates off? Pools of scored, labelled cases, from which every
//! replication draws a labelled sample and a disjoint test sample.
//!
//! Within each class both samples together are a simple random sample without replacement. The difference of two disjoint
//! samples' means then has variance S²(1/m + 1/n), S² the pool's own: as if both came from an endless population, so a pool need
//! not be large beside the samples for the intervals to be judged fairly.
//!
//! Arms that need densities have kernel densities on the scale of the ranks, but for `o-cs`, which is the paper's method: normals
//! fitted to the scores as they are.

mod figure;
mod setting;
mod summary;

pub use figure::figure;
pub use setting::{LABELS, PREVALENCES, Pool, Setting, TooSmall};
pub use summary::{OfPool, OfPrevalence, by_pool, by_prevalence};

use crate::intervals::Intervals;
use crate::{Outcome, Study};
use rand_chacha::ChaCha8Rng;
use std::sync::Arc;
use truecount::distribution::Family;
use truecount::{Anchor, Error, Method, Model, Reporting, Settings, Transform};

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
        &["o-cs", "o-cs kernel", "es", "es model", "max", "sld", "kdey-ml", "dys"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        setting.clone()
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let (train, test) = setting.draw(rng);
        let reporting = Reporting::default();
        let estimate = |settings: Settings| {
            let model = Model::fit(train.as_ref().map_err(Error::clone)?, &settings)?.without_check();
            Ok(model.estimate(&test, &reporting)?[0].clone())
        };
        let plain = |method| Settings { methods: vec![method], ..Settings::default() };
        let kernel = |method| Settings { family: Family::Kernel, transform: Transform::Rank, ..plain(method) };
        let found = [
            plain(Method::O_CS),
            kernel(Method::O_CS),
            plain(Method::ES),
            Settings { anchor: Some(Anchor::Model), ..kernel(Method::ES) },
            plain(Method::MAX),
            kernel(Method::SLD),
            kernel(Method::KDEY_ML),
            kernel(Method::DYS),
        ];
        found.map(|settings| Outcome { truth: setting.alpha, found: estimate(settings) }).into()
    }
}
