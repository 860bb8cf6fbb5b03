//! What was found, in tables, sentences and for programs.

use crate::output::{fitted, learnt, variances, warnings_of};
use serde_json::json;
use truecount::monitor::{Bound, alarm};
use truecount::quantifier::Quantifier;
use truecount::{Model, Reporting, Severity};
use truecount_io::groups::Keys;
use truecount_io::monitored::Series;
use truecount_io::results::{Note, Results, Table, percent, short_e, short_se, visible};

/// A series with what it is based on.
pub struct Found<'a> {
    pub model: &'a Model,
    pub keys: Keys,
    pub series: Series,
    pub bound: Option<Bound>,
    pub reporting: Reporting,
}

/// What people see of a period, and of all of them together.
const OF_PERIOD: [&str; 7] = ["n", "prevalence", "lower", "upper", "change", "change_p", "from_baseline"];
const OF_ALL: [&str; 7] =
    ["smoothed", "smoothed_lower", "smoothed_upper", "so_far", "so_far_lower", "so_far_upper", "e_value"];

impl Found<'_> {
    /// The results, for every form.
    pub fn results(&self) -> Results<'_> {
        let level = percent(self.reporting.level());
        let column = self.keys.columns().next().unwrap_or_default();
        let table = || Table::new(&self.series.rows).with_groups(&self.keys);
        let title = |text: String| vec![format!("{}:", visible(&text))];
        let each = table()
            .view(&OF_PERIOD)
            .headed("lower", format!("{level} % interval"))
            .titled(title(format!("By {column}, with the change from the one before and from {}", self.baseline())));
        let names = if self.bound.is_some() { &OF_ALL[..] } else { &OF_ALL[..6] };
        let all = table()
            .view(names)
            .headed("smoothed_lower", format!("{level} % band"))
            .titled(title("The smoothed line, and the share so far with a band for all looks together".to_owned()));
        let about = vec![("model", learnt(self.model)), ("monitor", self.about())];
        let tables = vec![each, all, table().for_programs()];
        Results { about, tables, notes: self.notes(), warnings: self.warnings() }
    }

    fn notes(&self) -> Vec<Note> {
        let quantifiers = self.model.quantifiers();
        let mut notes =
            variances(quantifiers.iter(), |quantifier: &Quantifier| quantifier.variance_of().map(str::to_owned));
        let (drift, unit) = (self.series.drift.sqrt(), self.series.form.unit_name());
        notes.push(Note::new(format!("smoothed: the level moves by {} a {unit}", short_se(drift))));
        if let Some(bound) = self.bound {
            let needed = short_e(alarm(&self.reporting));
            notes.push(Note::new(format!("e: evidence for a prevalence {}, alarm at {needed}", words(bound))));
        }
        notes.extend(fitted(self.model).into_iter().map(Note::source));
        notes
    }

    /// The dates that all others are compared with.
    fn baseline(&self) -> String {
        match &self.series.baseline {
            [from, to] if from == to => from.clone(),
            [from, to] => format!("{from} to {to}"),
        }
    }

    /// The alarm in a sentence, if it was raised.
    pub fn alarm(&self) -> Option<String> {
        let row = &self.series.rows[self.series.raised?];
        let (evidence, since) = (row.watched.evidence?, row.since.as_ref()?);
        let raised = self.name(row.estimated.group);
        let e = short_e(evidence.ln_e.exp().min(f64::MAX));
        Some(format!("{} since {since}, raised at {raised} (e = {e})", words(self.bound?)))
    }

    pub fn name(&self, group: usize) -> String {
        self.keys.texts().of(group).next().unwrap_or_default()
    }

    /// The alarm first, then what to beware of.
    fn warnings(&self) -> Vec<String> {
        let alarm = self.alarm().map(|words| format!("alarm: {}", visible(&words)));
        let rows = &self.series.rows;
        let left_out =
            rows.iter().filter(|row| row.estimated.estimate.severity() == Some(Severity::Unreliable)).count();
        let undated = match self.series.undated {
            0 => None,
            n => Some(format!("warning: left out, scores without a date: {n}")),
        };
        let unreliable = match left_out {
            0 => None,
            n if n == rows.len() => Some(
                "warning: no period has a reliable estimate: there is no line, and no alarm can be raised".to_owned(),
            ),
            n => Some(format!(
                "warning: left out of line, share so far and alarm: {n} of {} periods, whose estimates are unreliable",
                rows.len()
            )),
        };
        let of_rows = warnings_of(rows.iter().map(|row| &row.estimated), &self.keys, rows.len(), 1);
        alarm.into_iter().chain(undated).chain(unreliable).chain(of_rows).collect()
    }

    /// What holds for the whole series, for programs.
    fn about(&self) -> serde_json::Value {
        let bound = match self.bound {
            Some(Bound::Above(share)) => json!({ "above": share }),
            Some(Bound::Below(share)) => json!({ "below": share }),
            None => json!(null),
        };
        let raised = self.series.raised.map(|place| &self.series.rows[place]);
        json!({
            "bound": bound,
            "alarm_at": alarm(&self.reporting),
            "alarm": self.alarm(),
            "raised": raised.map(|row| self.name(row.estimated.group)),
            "since": raised.and_then(|row| row.since.clone()),
            "baseline": self.series.baseline,
            "drift": self.series.drift,
            "unit": self.series.form.unit_name(),
        })
    }
}

/// "above 5 %"
fn words(bound: Bound) -> String {
    let side = match bound {
        Bound::Above(_) => "above",
        Bound::Below(_) => "below",
    };
    format!("{side} {} %", percent(bound.share()))
}
