//! The prevalence at which a plan is least precise.
//!
//! A measure is maximized over the prevalences that are planned for: a single one, or all in
//! [0, 1]. For all, the search takes a grid, both sides of each jump of the precision, and golden
//! sections (Kiefer 1953) of the cells next to the highest peaks.

use crate::inference::Precision;

/// How the prevalence at which a plan is least precise is searched for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WorstCaseSearch {
    /// In a fine grid, and between its points.
    Exact,
    /// In a coarse grid, for the many plans of resamples.
    Rough,
}

impl WorstCaseSearch {
    /// Number of steps in the grid of prevalences.
    fn steps(self) -> u32 {
        match self {
            Self::Exact => 100,
            Self::Rough => 20,
        }
    }
}

/// Distance between the two sides of a jump of the precision.
const JUMP_WIDTH: f64 = 1e-7;

/// Share of the largest grid value above which a lower peak may hide a higher one, since the length
/// of an interval has kinks.
const PEAK_SHARE: f64 = 0.97;

/// Number of golden sections of a cell, which leave a thousandth of it.
const SECTIONS: u32 = 14;

/// The largest value of a measure over the prevalences that are planned for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorstCase {
    /// The largest value.
    pub value: f64,
    /// The prevalence with that value.
    pub prevalence: f64,
}

/// A prevalence that is planned for.
#[derive(Clone, Debug)]
struct Case {
    prevalence: f64,
    /// The precisions of the functions that an estimate may use.
    precisions: Vec<Precision>,
}

/// The prevalences that are planned for, in ascending order. The precisions are constant between
/// two neighbours with the same precisions.
#[derive(Clone, Debug)]
pub(super) struct Cases(Vec<Case>, WorstCaseSearch);

impl Cases {
    /// A single prevalence.
    pub(super) fn one(prevalence: f64, precisions: Vec<Precision>) -> Self {
        Self(vec![Case { prevalence, precisions }], WorstCaseSearch::Exact)
    }

    /// All prevalences, for precisions that are constant except for a few jumps.
    pub(super) fn all(precisions: impl Fn(f64) -> Vec<Precision>, search: WorstCaseSearch) -> Self {
        let steps = search.steps();
        let case = |prevalence: f64| Case { prevalence, precisions: precisions(prevalence) };
        let mut cases = vec![case(0.0)];
        for step in 1..=steps {
            let (from, to) = (cases[cases.len() - 1].clone(), case(f64::from(step) / f64::from(steps)));
            add_jumps(&case, &from, &to, &mut cases);
            cases.push(to);
        }
        Self(cases, search)
    }

    /// The prevalence that is planned for, if there is a single one.
    pub(super) fn single(&self) -> Option<f64> {
        (self.0.len() == 1).then(|| self.0[0].prevalence)
    }

    /// The precisions at all prevalences.
    pub(super) fn precisions(&self) -> impl Iterator<Item = &Precision> {
        self.0.iter().flat_map(|case| &case.precisions)
    }

    /// A typical precision, of the middle function at the middle prevalence.
    pub(super) fn middle(&self) -> &Precision {
        let precisions = &self.0[self.0.len() / 2].precisions;
        &precisions[precisions.len() / 2]
    }

    /// Returns the largest value of a function of the prevalence and its precisions.
    pub(super) fn worst(&self, measure: impl Fn(f64, &[Precision]) -> f64) -> WorstCase {
        let value =
            |case: &Case| WorstCase { value: measure(case.prevalence, &case.precisions), prevalence: case.prevalence };
        let values: Vec<WorstCase> = self.0.iter().map(value).collect();
        let largest = values.iter().copied().max_by(|a, b| a.value.total_cmp(&b.value)).expect("there are cases");
        if self.1 == WorstCaseSearch::Rough {
            return largest;
        }
        let is_peak = |i: usize| {
            let mut neighbours = values[i.saturating_sub(1)..(i + 2).min(values.len())].iter();
            values[i].value >= PEAK_SHARE * largest.value && neighbours.all(|other| other.value <= values[i].value)
        };
        let inside = (1..values.len()).filter_map(|i| {
            let (from, to) = (&self.0[i - 1], &self.0[i]);
            let smooth = from.precisions == to.precisions && (is_peak(i - 1) || is_peak(i));
            smooth.then(|| golden_sections(from.prevalence, to.prevalence, |at| measure(at, &to.precisions)))
        });
        inside.fold(largest, |worst, inside| if inside.value > worst.value { inside } else { worst })
    }
}

/// Maximizes a function between two prevalences.
fn golden_sections(mut from: f64, mut to: f64, measure: impl Fn(f64) -> f64) -> WorstCase {
    let share = 0.5 * (5.0f64.sqrt() - 1.0);
    let at = |prevalence: f64| WorstCase { value: measure(prevalence), prevalence };
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

/// Adds both sides of each jump of the precisions between two prevalences.
fn add_jumps(case: &impl Fn(f64) -> Case, from: &Case, to: &Case, cases: &mut Vec<Case>) {
    if from.precisions == to.precisions {
        return;
    }
    if to.prevalence - from.prevalence < JUMP_WIDTH {
        cases.extend([from.clone(), to.clone()]);
        return;
    }
    let middle = case(0.5 * (from.prevalence + to.prevalence));
    add_jumps(case, from, &middle, cases);
    add_jumps(case, &middle, to, cases);
}
