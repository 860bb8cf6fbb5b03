//! Study 3: skew-normal classes, to which Continuous Sweep fits both skew-normals and normals.
//!
//! Means 1 and 0, σ⁺, σ⁻ ∈ {0.5, 1.5}; positives of shape −k, negatives of shape k, so that their long tails meet, k ∈
//! {1, 2, 4}; α ∈ {0.3, 0.5, 0.9}, n ∈ {100, 1000}, 1000 labelled scores of which half are positive: 24 settings for
//! each k. (The paper only says "skew" k; signs and means are our reading.) `dys`, `sld`, Median Sweep and `es` are as
//! in Study 2, fitted to normals if they fit anything; arms with "skew" in their name fit skew-normals.

use super::estimated::FITTED;
use super::known::separated;
use super::{Claim, Errors, Over, Paper, each, likely, outcomes, separation, sweep};
use crate::fitted::fitted;
use crate::{Outcome, Study, data};
use rand_chacha::ChaCha8Rng;
use serde::Serialize;
use truecount::distribution::{Family, ScoreDistribution, SkewNormal};
use truecount::quantifier::Threshold;
use truecount::sweep::PDelta;
use truecount::{Batch, Known, LabelledScores, PerClass, Settings};

const N_TRAIN: u32 = 1000;
const ALPHA_TRAIN: f64 = 0.5;

/// Study 3.
#[derive(Clone, Debug)]
pub struct Misfit {
    settings: Vec<Setting>,
}

/// A point of its design.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Setting {
    /// k: the shape of the negatives, and minus that of the positives.
    pub shape: f64,
    /// σ⁺.
    pub sd_pos: f64,
    /// σ⁻.
    pub sd_neg: f64,
    /// Share of positives in the test set.
    pub alpha: f64,
    /// Size of the test set.
    pub n: u32,
}

/// The classes, and their posterior probabilities at the training prevalence.
#[derive(Debug)]
pub struct Shared {
    setting: Setting,
    classes: PerClass<ScoreDistribution>,
    truth: Known,
}

impl Misfit {
    /// All settings.
    pub fn all() -> Self {
        let mut settings = Vec::new();
        for shape in [1.0, 2.0, 4.0] {
            for sd_pos in [0.5, 1.5] {
                for sd_neg in [0.5, 1.5] {
                    for alpha in [0.3, 0.5, 0.9] {
                        settings.extend([100, 1000].map(|n| Setting { shape, sd_pos, sd_neg, alpha, n }));
                    }
                }
            }
        }
        Self { settings }
    }
}

impl Study for Misfit {
    type Setting = Setting;
    type Shared = Shared;
    type Statistics = Errors;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &[
            "o-cs skew",
            "t-cs skew",
            "o-cs normal",
            "t-cs normal",
            "o-ms",
            "t-ms",
            "dys",
            "sld",
            "es",
            "es skew model",
            "sld skew fitted",
        ]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Shared {
        let class = |mean, sd, shape| SkewNormal::centred(mean, sd, shape).expect("values of the design").into();
        let Setting { shape, sd_pos, sd_neg, .. } = *setting;
        let classes = PerClass { positive: class(1.0, sd_pos, -shape), negative: class(0.0, sd_neg, shape) };
        let truth = Known::new(&separated(&classes), &[], ALPHA_TRAIN, 0.5).expect("a share of the design");
        Shared { setting: *setting, classes, truth }
    }

    fn replicate(&self, shared: &Shared, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        let Shared { setting, classes, truth } = shared;
        let train = data::draw(classes, N_TRAIN, ALPHA_TRAIN, rng);
        let test = data::draw(classes, setting.n, setting.alpha, rng);
        let labels = data::labels(N_TRAIN, ALPHA_TRAIN);
        let train = match LabelledScores::with_probabilities(&train, &truth.posteriors(&train), &labels) {
            Ok(train) => train,
            Err(inverted) => return outcomes(setting.alpha, each(self.arms().len(), Err(inverted))),
        };
        let probabilities = truth.posteriors(&test);
        let batch = Batch::with_probabilities(&test, &probabilities).expect("a probability for each score");
        let [o_cs, others @ ..] = fitted(&train, &FITTED, &Settings::default(), batch);
        let [skewed, normals] = [Family::SkewNormal, Family::Normal].map(|family| separation(family, &train));
        let traditional = Threshold::Fixed(PDelta::TRADITIONAL);
        let sweeps = [
            sweep(&skewed, Threshold::Optimal, &test),
            sweep(&skewed, traditional, &test),
            o_cs,
            sweep(&normals, traditional, &test),
        ];
        let likely = likely(&skewed, ALPHA_TRAIN, &test);
        outcomes(setting.alpha, sweeps.into_iter().chain(others).chain(likely).collect())
    }
}

impl Paper for Misfit {
    const TITLE: &'static str = "Study 3: skew-normal classes";

    const CLAIMS: &'static [Claim] = &[
        Claim {
            words: "o-cs skew best, but for t-cs skew",
            best: &["o-cs skew"],
            among: &["o-cs normal", "t-cs normal", "o-ms", "t-ms"],
            paper: "24",
            over: Over::Own,
        },
        Claim {
            words: "t-cs skew best, but for o-cs skew",
            best: &["t-cs skew"],
            among: &["o-cs normal", "t-cs normal", "o-ms", "t-ms"],
            paper: "24",
            over: Over::Own,
        },
        Claim {
            words: "o-cs skew ahead of o-cs normal",
            best: &["o-cs skew"],
            among: &["o-cs normal"],
            paper: "24",
            over: Over::Own,
        },
        Claim {
            words: "o-cs normal ahead of o-ms and t-ms",
            best: &["o-cs normal"],
            among: &["o-ms", "t-ms"],
            paper: "if k = 1",
            over: Over::Own,
        },
        Claim {
            words: "o-cs skew ahead of t-cs skew",
            best: &["o-cs skew"],
            among: &["t-cs skew"],
            paper: "most",
            over: Over::Own,
        },
        Claim {
            words: "o-cs normal ahead of t-cs normal",
            best: &["o-cs normal"],
            among: &["t-cs normal"],
            paper: "most",
            over: Over::Own,
        },
        Claim { words: "o-ms ahead of t-ms", best: &["o-ms"], among: &["t-ms"], paper: "most", over: Over::Own },
        Claim {
            words: "sld best of the paper's methods",
            best: &["sld"],
            among: &["o-cs skew", "t-cs skew", "o-cs normal", "t-cs normal", "o-ms", "t-ms", "dys"],
            paper: "24",
            over: Over::Own,
        },
        Claim {
            words: "o-cs skew ahead of dys",
            best: &["o-cs skew"],
            among: &["dys"],
            paper: "some",
            over: Over::Own,
        },
        Claim { words: "es ahead of o-cs normal", best: &["es"], among: &["o-cs normal"], paper: "", over: Over::Own },
    ];

    fn part(setting: &Setting) -> String {
        format!("shape {}", setting.shape)
    }
}
