//! The shift check of every group of test scores, with the causes that are known, and of the folds among themselves.

use super::args::Check;
use super::learnt::Learnt;
use crate::failure::Failure;
use crate::progress::Bars;
use std::path::PathBuf;
use truecount::check::{Checked, Folds, Look, ShiftCheck, ShiftTally};
use truecount_analysis::results::{CheckRow, FoldsRow, Sort};
use truecount_tables::groups::{Examined, Keys, ScoreColumns, TestFiles};

/// What is found of mixtures.
pub struct Shifts {
    pub keys: Keys,
    /// Empty without test scores.
    pub groups: Vec<CheckRow>,
    /// Of each group, by its number.
    pub tallies: Vec<ShiftTally>,
    /// A row, if folds were compared.
    pub folds: Vec<FoldsRow>,
}

impl Shifts {
    pub fn find(args: &Check, learnt: &Learnt, paths: &[PathBuf], sort: &Sort) -> Result<Self, Failure> {
        let mut found = Self { keys: Keys::none(), groups: Vec::new(), tallies: Vec::new(), folds: Vec::new() };
        if paths.is_empty() && learnt.folds.is_none() {
            return Ok(found);
        }
        let labelled = &learnt.labelled;
        let check = ShiftCheck::new(labelled).map_err(Failure::within(&learnt.place))?;
        let folds = compared(args, learnt, &check)?;
        if !paths.is_empty() {
            let columns = ScoreColumns { probability: None, ..args.columns.get().like(labelled) };
            let weight = args.weight.as_deref();
            let source = TestFiles { paths, columns, weight, by: &args.by, fingerprint: None, progress: &Bars };
            let look = Look::new(labelled.scores());
            let groups = source.checked(&check, &look)?;
            let checked = check.test_all(groups.contents.iter().map(|Examined { tally, .. }| tally))?;
            let each = checked.into_iter().zip(&groups.contents).enumerate();
            let row = |(group, (checked, examined)): (usize, (Checked, &Examined))| {
                let Examined { tally, seen } = examined;
                let causes = check.causes(&checked, tally, (&look, seen), folds.as_ref())?;
                Ok::<_, Failure>(CheckRow { group, checked, causes })
            };
            found.groups = each.map(row).collect::<Result<_, _>>()?;
            sort.sort(&mut found.groups, &groups.keys);
            found.keys = groups.keys;
            found.tallies = groups.contents.into_iter().map(|examined| examined.tally).collect();
        }
        found.folds = folds.into_iter().map(FoldsRow).collect();
        Ok(found)
    }
}

/// The folds among themselves.
fn compared(args: &Check, learnt: &Learnt, check: &ShiftCheck) -> Result<Option<Folds>, Failure> {
    let Some((numbers, column)) = learnt.folds.as_ref().zip(args.fold.as_ref()) else { return Ok(None) };
    match check.folds(learnt.labelled.scores(), numbers).map_err(Failure::within(&learnt.place))? {
        Some(folds) => Ok(Some(folds)),
        None => Err(Failure::Data(format!(
            "{}, column '{column}': no class has rows of two folds, which could be compared; leave out --fold",
            learnt.place
        ))),
    }
}
