//! The shift check of every group, with p-values adjusted for their number (Holm 1979).

use crate::failure::Failure;
use crate::input::{Groups, Shifts};
use truecount::check::{AdjustedCountAt, Excess, Shift, ShiftCheck};
use truecount::evaluation::holm;

/// One group's check.
pub struct GroupCheck {
    /// Its values of the `--by` columns.
    pub values: Vec<String>,
    pub shift: Shift,
    /// The p-value adjusted so that one false alarm among all groups has the probability of the level.
    pub adjusted: f64,
    pub worst: Excess,
    pub curve: Vec<AdjustedCountAt>,
}

/// What an adjusted p-value says.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Nothing speaks against a mixture.
    Mixture,
    /// p < 0.05.
    Doubtful,
    /// p < 0.01.
    NoMixture,
}

impl Verdict {
    pub fn name(self) -> &'static str {
        match self {
            Self::Mixture => "mixture",
            Self::Doubtful => "doubtful",
            Self::NoMixture => "no mixture",
        }
    }
}

impl GroupCheck {
    pub fn verdict(&self) -> Verdict {
        match self.adjusted {
            p if p < 0.01 => Verdict::NoMixture,
            p if p < 0.05 => Verdict::Doubtful,
            _ => Verdict::Mixture,
        }
    }
}

pub fn check(check: &ShiftCheck, groups: &Groups<()>) -> Result<Vec<GroupCheck>, Failure> {
    let Shifts::Each(tallies) = &groups.shift else { unreachable!("tallied for the check of each group") };
    let texts = groups.keys.texts();
    let each = tallies.iter().enumerate().map(|(group, tally)| {
        let shift = check.test(tally)?;
        let (worst, curve) = (check.worst(tally)?, check.curve(tally)?);
        Ok(GroupCheck { values: texts.of(group).collect(), shift, adjusted: shift.p_value, worst, curve })
    });
    let mut groups = each.collect::<Result<Vec<_>, Failure>>()?;
    let adjusted = holm(&groups.iter().map(|group| group.shift.p_value).collect::<Vec<_>>());
    groups.iter_mut().zip(adjusted).for_each(|(group, p)| group.adjusted = p);
    Ok(groups)
}
