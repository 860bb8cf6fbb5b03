//! Study 2: the classes' distributions are estimated from labelled scores, with the right family.
//!
//! Study 1's settings, each with `n_train` ∈ {100, 1000} labelled scores, of which a share `alpha_train` ∈ {0.4, 0.5,
//! 0.6} is positive: 324 settings. Continuous Sweep fits normals, and its optimal threshold is that for a prevalence of
//! ½; Median Sweep has the rates of the labelled scores. `dys` and `sld` are given posterior probabilities by Bayes'
//! rule with the **true** densities at `alpha_train`, as in the paper; `sld fitted` has them from the same fitted
//! normals as the sweeps. `es` takes its rates from the labelled scores, `es model` from the fitted normals.

use super::known::{normal_classes, separated};
use super::{Claim, Errors, Over, Paper, each, likely, outcomes, separation, sweep};
use crate::fitted::fitted;
use crate::{Outcome, Study, data};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::{Family, ScoreDistribution};
use truecount::quantifier::Threshold;
use truecount::sweep::PDelta;
use truecount::{Batch, Known, LabelledScores, Method, PerClass, Settings};

/// Study 2.
#[derive(Clone, Debug)]
pub struct EstimatedParameters {
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
    /// Size of the training set.
    pub n_train: u32,
    /// Share of positives in the training set.
    pub alpha_train: f64,
}

/// The classes, and their posterior probabilities at the training prevalence.
#[derive(Debug)]
pub struct Shared {
    setting: Setting,
    classes: PerClass<ScoreDistribution>,
    truth: Known,
}

impl EstimatedParameters {
    /// All settings.
    pub fn all() -> Self {
        let mut settings = Vec::new();
        for known in super::KnownParameters::all().settings() {
            for n_train in [100, 1000] {
                for alpha_train in [0.4, 0.5, 0.6] {
                    let super::known::Setting { sd_pos, sd_neg, alpha, n } = *known;
                    settings.push(Setting { sd_pos, sd_neg, alpha, n, n_train, alpha_train });
                }
            }
        }
        Self { settings }
    }
}

/// The methods fitted in one model, which therefore share one optimal threshold.
pub(super) const FITTED: [Method; 6] = [Method::O_CS, Method::O_MS, Method::T_MS, Method::DYS, Method::SLD, Method::ES];

impl Study for EstimatedParameters {
    type Setting = Setting;
    type Shared = Shared;
    type Statistics = Errors;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["o-cs", "t-cs", "o-ms", "t-ms", "dys", "sld", "es", "es model", "sld fitted"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Shared {
        let classes = normal_classes(setting.sd_pos, setting.sd_neg);
        let truth = Known::new(&separated(&classes), &[], setting.alpha_train, 0.5);
        Shared { setting: *setting, classes, truth: truth.expect("a share of the design") }
    }

    fn replicate(&self, shared: &Shared, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let Shared { setting, classes, truth } = shared;
        let train = data::draw(classes, setting.n_train, setting.alpha_train, rng);
        let test = data::draw(classes, setting.n, setting.alpha, rng);
        let labels = data::labels(setting.n_train, setting.alpha_train);
        let train = match LabelledScores::with_probabilities(&train, &truth.posteriors(&train), &labels) {
            Ok(train) => train,
            Err(inverted) => return outcomes(setting.alpha, each(self.arms().len(), Err(inverted))),
        };
        let probabilities = truth.posteriors(&test);
        let batch = Batch::with_probabilities(&test, &probabilities).expect("a probability for each score");
        let [o_cs, others @ ..] = fitted(&train, &FITTED, &Settings::default(), batch);
        let normals = separation(Family::Normal, &train);
        let t_cs = sweep(&normals, Threshold::Fixed(PDelta::TRADITIONAL), &test);
        let likely = likely(&normals, setting.alpha_train, &test);
        outcomes(setting.alpha, [o_cs, t_cs].into_iter().chain(others).chain(likely).collect())
    }
}

impl Paper for EstimatedParameters {
    const TITLE: &'static str = "Study 2: estimated parameters, normal classes";

    const CLAIMS: &'static [Claim] = &[
        Claim {
            words: "o-cs best of the sweeps",
            best: &["o-cs"],
            among: &["t-cs", "o-ms", "t-ms"],
            paper: "211",
            over: Over::Own,
        },
        Claim {
            words: "  where both have estimates",
            best: &["o-cs"],
            among: &["t-cs", "o-ms", "t-ms"],
            paper: "",
            over: Over::Both,
        },
        Claim {
            words: "o-cs or t-cs best of the sweeps",
            best: &["o-cs", "t-cs"],
            among: &["o-ms", "t-ms"],
            paper: "324",
            over: Over::Own,
        },
        Claim {
            words: "sld best of the paper's methods",
            best: &["sld"],
            among: &["o-cs", "t-cs", "o-ms", "t-ms", "dys"],
            paper: "324",
            over: Over::Own,
        },
        Claim { words: "o-cs ahead of dys", best: &["o-cs"], among: &["dys"], paper: "68", over: Over::Own },
        Claim {
            words: "o-cs ahead of sld fitted",
            best: &["o-cs"],
            among: &["sld fitted"],
            paper: "",
            over: Over::Own,
        },
        Claim { words: "es model ahead of o-cs", best: &["es model"], among: &["o-cs"], paper: "", over: Over::Own },
    ];
}
