//! Estimates many groups in blocks, so that only a few are in memory.

use super::total_warning_line;
use super::warnings::WarningSummary;
use crate::executor::Executor;
use crate::groups::{GroupNames, NamedGroups, shift_warning};
use crate::results::{EstimateRow, Results, Sort, write_block};
use std::io::{self, Write};
use truecount::inference::IntervalKind;
use truecount::{Error, Estimates, IntervalOptions, Model, Tally, Warning};

/// The number of groups in a block.
const GROUPS: usize = 1 << 10;
/// The number of blocks in memory.
const BLOCKS: usize = 16;

/// Tallies of more than 20,000 groups, which are estimated when their rows are written. Each group is estimated
/// before, too, to count the groups that contradict the labelled scores, which all groups' warnings need.
pub struct GroupBlocks<N> {
    model: Model,
    groups: NamedGroups<Tally, N>,
    options: IntervalOptions,
    /// The number of groups that contradict the labelled scores, by method.
    contradicted: Vec<usize>,
    /// The shift check's warning about all groups together.
    total_warning: Option<Warning>,
}

impl<N: GroupNames> GroupBlocks<N> {
    /// Creates the blocks of tallied groups.
    ///
    /// # Errors
    /// Returns an error for a group whose tallies allow no estimate.
    pub fn new(
        executor: &impl Executor,
        model: &Model,
        groups: NamedGroups<Tally, N>,
        options: IntervalOptions,
    ) -> Result<Self, Error> {
        let (number, without_ends) = (groups.contents.len(), options.with_interval(IntervalKind::Wald));
        let blocks: Vec<&[Tally]> = groups.contents.chunks(GROUPS).collect();
        let count = |tallies: &&[Tally]| {
            let mut contradicted = Vec::new();
            for tally in *tallies {
                let estimates = model.estimate_tally(tally, &without_ends)?;
                contradicted.resize(estimates.len(), 0);
                for (count, estimate) in contradicted.iter_mut().zip(&estimates) {
                    *count += usize::from(Warning::contradict_labels(&estimate.warnings, number));
                }
            }
            Ok::<_, Error>(contradicted)
        };
        let mut contradicted = Vec::new();
        for counts in executor.map(&blocks, count) {
            let counts = counts?;
            contradicted.resize(counts.len(), 0);
            contradicted.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
        }
        let total_warning = shift_warning(model, groups.shift_total.as_ref())?;
        Ok(Self { model: model.clone(), groups, options, contradicted, total_warning })
    }

    /// Writes the rows as CSV with these optional columns, in the order of the groups or of their appearance.
    /// Returns the warnings.
    ///
    /// # Errors
    /// Returns the error of the writer.
    pub fn write(
        &self,
        executor: &impl Executor,
        sort: &Sort,
        shown: &[String],
        out: &mut dyn Write,
    ) -> io::Result<Vec<String>> {
        let (NamedGroups { keys, contents, .. }, level) = (&self.groups, self.options.level());
        #[allow(clippy::cast_possible_truncation)] // groups are numbered by u32
        let order = sort.order::<EstimateRow>(&[], keys).unwrap_or_else(|| (0..contents.len() as u32).collect());
        let blocks: Vec<(usize, &[u32])> = order.chunks(GROUPS).enumerate().collect();
        let mut warnings = WarningSummary::default();
        for blocks in blocks.chunks(BLOCKS) {
            let written = executor.map(blocks, |(number, groups)| {
                let (rows, mut bytes) = (self.rows(groups)?, Vec::new());
                let table = EstimateRow::hide_unused_columns(&rows, shown, self.contradicted.len(), level);
                let results = Results { tables: vec![table.with_groups(keys).for_programs()], ..Results::default() };
                write_block(&results, *number == 0, &mut bytes)?;
                drop(results);
                Ok::<_, io::Error>((rows, bytes))
            });
            for block in written {
                let (rows, bytes) = block?;
                for row in &rows {
                    warnings.add(row);
                }
                out.write_all(&bytes)?;
            }
        }
        let total_warning = self.total_warning.iter().map(total_warning_line);
        Ok(total_warning.chain(warnings.lines(keys, self.contradicted.len())).collect())
    }

    /// Estimates these groups.
    fn rows(&self, groups: &[u32]) -> io::Result<Vec<EstimateRow>> {
        let contents = &self.groups.contents;
        let mut rows = Vec::with_capacity(groups.len() * self.contradicted.len());
        for group in groups.iter().map(|group| *group as usize) {
            let mut estimates: Estimates =
                self.model.estimate_tally(&contents[group], &self.options).map_err(io::Error::other)?;
            for (estimate, contradicted) in estimates.iter_mut().zip(&self.contradicted) {
                Warning::warn_of_contradicting_groups(&mut estimate.warnings, *contradicted, contents.len());
            }
            rows.extend(estimates.into_iter().map(|estimate| EstimateRow::new(group, estimate)));
        }
        Ok(rows)
    }
}
