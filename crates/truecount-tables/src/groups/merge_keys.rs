//! Merges groups that have the same values of some columns.

use super::{GroupInterner, Keys};
use truecount::Error;
use truecount_analysis::groups::{GroupKeys, GroupNames};
use truecount_text::RowNumbers;

impl GroupKeys for Keys {
    fn group_by(&self, columns: impl IntoIterator<Item = usize>) -> Result<(Self, Vec<u32>), Error> {
        let keys = self.select_columns(columns);
        if keys.batch().num_columns() == 0 {
            return Ok((Self::single_group(), vec![0; self.batch().num_rows()]));
        }
        let names: Vec<String> = keys.columns().map(str::to_owned).collect();
        let mut interner = GroupInterner::new(&names, None, &[]);
        let mut numbered =
            interner.look_up(0, keys.batch().columns(), RowNumbers::consecutive(1, keys.batch().num_rows()))?;
        interner.intern(&mut numbered, |_| String::new())?;
        let (keys, order, _) = interner.finish();
        let mut ranks = vec![0; order.len()];
        for (rank, number) in (0..).zip(&order) {
            ranks[*number as usize] = rank;
        }
        Ok((keys, numbered.groups.iter().map(|number| ranks[*number as usize]).collect()))
    }
}
