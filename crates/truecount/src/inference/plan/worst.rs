//! The prevalence at which least is known.
//!
//! The largest value of a measure over the prevalences planned for: one, or all from 0 to 1. Then it is looked for on a grid, on
//! both sides of each jump of the precision, and by golden section (Kiefer 1953) in the cells beside the highest peaks.

use crate::inference::Precision;

/// Steps of the grid of prevalences.
const GRID: u32 = 100;

/// How close to a jump of the precision its sides are.
const NARROW: f64 = 1e-7;

/// Share of the largest value on the grid from which on a lower peak may hide a higher one: an interval's length has kinks.
const NEAR: f64 = 0.97;

/// Golden sections of a cell: to a thousandth of it.
const SECTIONS: u32 = 14;

/// The largest value over the prevalences planned for, and where it is reached.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// The value.
    pub value: f64,
    /// The prevalence.
    pub prevalence: f64,
}

/// A prevalence planned for.
#[derive(Clone, Copy, Debug)]
struct Case {
    prevalence: f64,
    precision: Precision,
}

/// The prevalences planned for, rising; between two with the same precision it does not change.
#[derive(Clone, Debug)]
pub(super) struct Cases(Vec<Case>);

impl Cases {
    pub(super) fn one(prevalence: f64, precision: Precision) -> Self {
        Self(vec![Case { prevalence, precision }])
    }

    /// All prevalences, for a precision that is constant but for a few jumps.
    pub(super) fn all(precision: impl Fn(f64) -> Precision) -> Self {
        let case = |prevalence: f64| Case { prevalence, precision: precision(prevalence) };
        let mut cases = vec![case(0.0)];
        for step in 1..=GRID {
            let (from, to) = (cases[cases.len() - 1], case(f64::from(step) / f64::from(GRID)));
            add_jumps(&case, from, to, &mut cases);
            cases.push(to);
        }
        Self(cases)
    }

    pub(super) fn precisions(&self) -> impl Iterator<Item = &Precision> {
        self.0.iter().map(|case| &case.precision)
    }

    /// The precision in the middle of them.
    pub(super) fn middle(&self) -> &Precision {
        &self.0[self.0.len() / 2].precision
    }

    /// The largest value of a measure of prevalence and precision.
    pub(super) fn worst(&self, measure: impl Fn(f64, &Precision) -> f64) -> Worst {
        let value =
            |case: &Case| Worst { value: measure(case.prevalence, &case.precision), prevalence: case.prevalence };
        let values: Vec<Worst> = self.0.iter().map(value).collect();
        let largest = values.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value)).expect("there are cases");
        let is_peak = |i: usize| {
            let beside = values[i.saturating_sub(1)..(i + 2).min(values.len())].iter();
            values[i].value >= NEAR * largest.value && beside.clone().all(|other| other.value <= values[i].value)
        };
        let inside = (1..values.len()).filter_map(|i| {
            let (from, to) = (&self.0[i - 1], &self.0[i]);
            let smooth = from.precision == to.precision && (is_peak(i - 1) || is_peak(i));
            smooth.then(|| largest_inside(from.prevalence, to.prevalence, |at| measure(at, &to.precision)))
        });
        inside.fold(largest, |worst, inside| if inside.value > worst.value { inside } else { worst })
    }
}

/// The largest value between two prevalences that golden sections come upon.
fn largest_inside(mut from: f64, mut to: f64, measure: impl Fn(f64) -> f64) -> Worst {
    let share = 0.5 * (5.0f64.sqrt() - 1.0);
    let at = |prevalence: f64| Worst { value: measure(prevalence), prevalence };
    let (mut left, mut right) = (at(to - share * (to - from)), at(from + share * (to - from)));
    for _ in 0..SECTIONS {
        if left.value > right.value {
            (to, right) = (right.prevalence, left);
            left = at(to - share * (to - from));
        } else {
            (from, left) = (left.prevalence, right);
            right = at(from + share * (to - from));
        }
    }
    if left.value > right.value { left } else { right }
}
/// Adds both sides of each jump of the precision between two prevalences.
fn add_jumps(case: &impl Fn(f64) -> Case, from: Case, to: Case, cases: &mut Vec<Case>) {
    if from.precision == to.precision {
        return;
    }
    if to.prevalence - from.prevalence < NARROW {
        cases.extend([from, to]);
        return;
    }
    let middle = case(0.5 * (from.prevalence + to.prevalence));
    add_jumps(case, from, middle, cases);
    add_jumps(case, middle, to, cases);
}
