//! Study 1: the classes' distributions are known.
//!
//! Normal classes with means 1 and 0 and σ⁺, σ⁻ ∈ {0.5, 1, 1.5}; α ∈ {0.3, 0.5, 0.9}, n ∈ {100, 1000}: 54 settings. The
//! optimal threshold is that at the true α: the paper's text says ½, but its counts are reproduced with the true α.
//! Posterior probabilities are at the prior ½. DyS has the exact probabilities of its bins, for which the paper takes
//! the shares of 10⁷ scores.

use super::{Claim, Errors, Over, Paper, each, outcomes};
use crate::{Outcome, Study, data};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::{Normal, ScoreDistribution};
use truecount::sweep::Separation;
use truecount::{Known, Method, PerClass, Reporting};

/// Study 1.
#[derive(Clone, Debug)]
pub struct KnownParameters {
    settings: Vec<Setting>,
}

/// A point of its design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// σ⁺.
    pub sd_pos: f64,
    /// σ⁻.
    pub sd_neg: f64,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
}

/// The classes, and the quantifiers that know them.
#[derive(Debug)]
pub struct Shared {
    setting: Setting,
    classes: PerClass<ScoreDistribution>,
    quantifiers: Known,
}

/// Normal classes with means 1 and 0.
pub(super) fn normal_classes(sd_pos: f64, sd_neg: f64) -> PerClass<ScoreDistribution> {
    let normal = |mean, sd| Normal::new(mean, sd).expect("a mean and sd of the design").into();
    PerClass { positive: normal(1.0, sd_pos), negative: normal(0.0, sd_neg) }
}

pub(super) fn separated(classes: &PerClass<ScoreDistribution>) -> Separation {
    let PerClass { positive, negative } = classes.clone();
    Separation::new(positive, negative).expect("classes of the design differ")
}

const ARMS: [(&str, Method); 7] = [
    ("o-cs", Method::O_CS),
    ("t-cs", Method::T_CS),
    ("o-ms", Method::O_MS),
    ("t-ms", Method::T_MS),
    ("dys", Method::DYS),
    ("sld", Method::SLD),
    ("es", Method::ES),
];

const NAMES: [&str; ARMS.len()] = {
    let mut names = [""; ARMS.len()];
    let mut i = 0;
    while i < ARMS.len() {
        names[i] = ARMS[i].0;
        i += 1;
    }
    names
};

impl KnownParameters {
    /// All settings.
    pub fn all() -> Self {
        let mut settings = Vec::new();
        for sd_pos in [0.5, 1.0, 1.5] {
            for sd_neg in [0.5, 1.0, 1.5] {
                for alpha in [0.3, 0.5, 0.9] {
                    settings.extend([100, 1000].map(|n| Setting { sd_pos, sd_neg, alpha, n }));
                }
            }
        }
        Self { settings }
    }
}

impl Study for KnownParameters {
    type Setting = Setting;
    type Shared = Shared;
    type Statistics = Errors;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &NAMES
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Shared {
        let classes = normal_classes(setting.sd_pos, setting.sd_neg);
        let methods = ARMS.map(|(_, method)| method);
        let quantifiers = Known::new(&separated(&classes), &methods, 0.5, setting.alpha);
        Shared { setting: *setting, classes, quantifiers: quantifiers.expect("every threshold is reached") }
    }

    fn replicate(&self, shared: &Shared, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let Setting { alpha, n, .. } = shared.setting;
        let scores = data::draw(&shared.classes, n, alpha, rng);
        let found = shared.quantifiers.estimate(&scores, &Reporting::default());
        outcomes(alpha, each(NAMES.len(), found))
    }
}

impl Paper for KnownParameters {
    const TITLE: &'static str = "Study 1: known parameters, normal classes";

    const CLAIMS: &'static [Claim] = &[
        Claim {
            words: "o-cs best of the sweeps",
            best: &["o-cs"],
            among: &["t-cs", "o-ms", "t-ms"],
            paper: "54",
            over: Over::Own,
        },
        Claim {
            words: "sld best of the paper's methods",
            best: &["sld"],
            among: &["o-cs", "t-cs", "o-ms", "t-ms", "dys"],
            paper: "54",
            over: Over::Own,
        },
        Claim { words: "o-cs ahead of dys", best: &["o-cs"], among: &["dys"], paper: "9", over: Over::Own },
    ];
}
