//! Groups made of several: those that are the same by some of the columns.

use super::{GroupInterner, Keys};
use truecount::Error;
use truecount_analysis::groups::GroupNames;
use truecount_text::RowNumbers;

impl Keys {
    /// The groups that there are by these columns, and for each of the present groups the number of its own.
    ///
    /// # Errors
    /// If values cannot be told apart.
    pub fn merged(&self, columns: impl IntoIterator<Item = usize>) -> Result<(Self, Vec<u32>), Error> {
        let keys = self.select_columns(columns);
        if keys.batch().num_columns() == 0 {
            return Ok((Self::none(), vec![0; self.batch().num_rows()]));
        }
        let names: Vec<String> = keys.columns().map(str::to_owned).collect();
        let mut numbering = GroupInterner::new(&names);
        let mut numbered =
            numbering.look_up(0, keys.batch().columns(), RowNumbers::consecutive(1, keys.batch().num_rows()))?;
        numbering.learn(&mut numbered, |_| String::new())?;
        let (order, _) = numbering.order();
        let mut places = vec![0; order.len()];
        for (place, number) in (0..).zip(&order) {
            places[*number as usize] = place;
        }
        Ok((numbering.keys(&order), numbered.groups.iter().map(|number| places[*number as usize]).collect()))
    }
}
