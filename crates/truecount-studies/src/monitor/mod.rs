//! How often is the alarm false, and how late is it? Series of 200 periods that share one labelled sample, looked at in every period.
//!
//! Two arms on the same data: `monitor`, and `bonferroni`, what one would do who knows that there will be 200 looks: each with 1/200 of the error,
//! an alarm where the lower end of a period's own interval is above the bound, and for the share so far the interval of the total.

mod setting;
mod statistics;

pub use setting::{PERIODS, Setting};
pub use statistics::{Outcome, Series, Watched};

use crate::Study;
use rand_chacha::ChaCha8Rng;
use truecount::monitor::{Bound, Period, Watching};
use truecount::{Error, Estimate, Method, Model, Reporting, Settings, Target, Together};

/// The looks at which widths are kept, from 0.
const EARLY: usize = 9;
const LATE: usize = PERIODS - 1;

/// Nominal level of both arms.
const LEVEL: f64 = 0.95;

/// The study of the alarm and of the band for all looks.
#[derive(Clone, Debug)]
pub struct Monitor {
    settings: Vec<Setting>,
}

impl Monitor {
    /// All settings.
    pub fn all() -> Self {
        Self::of(Setting::all())
    }

    /// These settings only.
    pub fn of(settings: Vec<Setting>) -> Self {
        Self { settings }
    }
}

impl Study for Monitor {
    type Setting = Setting;
    type Shared = Setting;
    type Statistics = Watched;

    fn settings(&self) -> &[Setting] {
        &self.settings
    }

    fn arms(&self) -> &[&'static str] {
        &["monitor", "bonferroni"]
    }

    fn prepare(&self, setting: &Setting, _: &mut ChaCha8Rng) -> Setting {
        *setting
    }

    fn replicate(&self, setting: &Setting, rng: &mut ChaCha8Rng) -> Vec<Outcome> {
        match replicate(setting, rng) {
            Ok(arms) => arms.map(|found| Outcome { from: setting.from, found: Ok(found) }).into(),
            Err(error) => vec![Outcome { from: setting.from, found: Err(error) }; 2],
        }
    }
}

fn replicate(setting: &Setting, rng: &mut ChaCha8Rng) -> Result<[Series; 2], Error> {
    let reporting = Reporting::new(LEVEL, Target::Population)?;
    // Of one look, on both sides for the share and on one for the alarm.
    let looks = PERIODS as f64;
    let of_share = Reporting::new(1.0 - (1.0 - LEVEL) / looks, Target::Population)?;
    let of_alarm = Reporting::new(1.0 - 2.0 * (1.0 - LEVEL) / looks, Target::Population)?;
    let model = Model::fit(&setting.train(rng)?, &Settings::default())?.without_check();
    let together = Together::of(&model, Method::ES)?;
    let (mut estimates, mut total) = (Vec::with_capacity(PERIODS), together.total());
    let mut bonferroni = Series { raised: None, held: true, widths: [0.0; 2] };
    let truths = setting.shares_so_far();
    for (period, truth) in truths.iter().enumerate() {
        let tally = {
            let mut tallies = model.tallies();
            model.push(&mut tallies, &setting.scores(period, rng))?;
            tallies
        };
        let estimate = |reporting: &Reporting| -> Result<Estimate, Error> {
            Ok(model.finish(&tally, reporting)?.into_iter().next().expect("an estimate by the method"))
        };
        let own = estimate(&of_alarm)?.uncertainty.expect("a method with a formula");
        if bonferroni.raised.is_none() && own.lower > setting.bound {
            bonferroni.raised = Some(period);
        }
        let estimate = estimate(&reporting)?;
        total.add(&estimate, 1.0)?;
        let share = total.estimate(&of_share).uncertainty.expect("a method with a formula");
        bonferroni.look(period, *truth, [share.lower, share.upper]);
        estimates.push(estimate);
    }
    let periods: Vec<Period> =
        estimates.iter().zip(0_u32..).map(|(estimate, time)| Period { time: time.into(), estimate }).collect();
    let watching = Watching { bound: Some(Bound::Above(setting.bound)), baseline: None };
    let found = together.monitor(&periods, &watching, &reporting)?;
    let mut monitor = Series { raised: found.raised, held: true, widths: [0.0; 2] };
    for (period, (truth, watched)) in truths.iter().zip(&found.periods).enumerate() {
        if let Some(share) = watched.so_far {
            monitor.look(period, *truth, [share.lower, share.upper]);
        }
    }
    Ok([monitor, bonferroni])
}

impl Series {
    /// Whether the band holds there, and how wide it is.
    fn look(&mut self, period: usize, truth: f64, [lower, upper]: [f64; 2]) {
        self.held &= (lower..=upper).contains(&truth);
        if let Some(place) = [EARLY, LATE].iter().position(|look| *look == period) {
            self.widths[place] = upper - lower;
        }
    }
}
