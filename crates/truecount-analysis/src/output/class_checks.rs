//! The test that rows are a mix of several labelled classes, ready for output.

use crate::groups::GroupNames;
use crate::results::{ClassCheckRow, Note, ResultTable, Results, Sort};
use crate::totals::GroupEstimates;
use std::sync::Arc;
use truecount::evaluation::holm;
use truecount::multiclass::{MulticlassEstimate, MulticlassModel};
use truecount::shift_test::Verdict;

const CAUSES: &str = "more than the shares has changed, or the rows were scored differently, so the shares may be off. \
                      Look at the rows that fit worst, and label some.";

/// The test of all groups, with its meaning.
pub struct ClassCheckOutput<N> {
    keys: N,
    rows: Vec<ClassCheckRow>,
}

impl<N: GroupNames> ClassCheckOutput<N> {
    /// Creates the output of estimated groups.
    pub fn new(model: &MulticlassModel, (keys, estimates): (N, GroupEstimates<MulticlassEstimate>)) -> Self {
        let groups = estimates.groups;
        let tests = || groups.iter().map(|estimate| estimate.mix_test.as_ref());
        let mut adjusted = holm(&tests().flatten().map(|test| test.p_value).collect::<Vec<_>>()).into_iter();
        let holm: Vec<Option<f64>> = tests().map(|test| test.and_then(|_| adjusted.next())).collect();
        let classes = Arc::new(model.verdicts().to_vec());
        let row = |(group, (estimate, holm)): (usize, (MulticlassEstimate, Option<f64>))| ClassCheckRow {
            group,
            n: estimate.n,
            classes: Arc::clone(&classes),
            test: estimate.mix_test,
            holm,
        };
        Self { rows: groups.into_iter().zip(holm).enumerate().map(row).collect(), keys }
    }

    /// Sorts the groups.
    #[must_use]
    pub fn sorted(mut self, sort: &Sort) -> Self {
        sort.sort(&mut self.rows, &self.keys);
        self
    }

    /// Returns the results, ready to be written in any format.
    pub fn results(&self) -> Results<'_> {
        let table = ResultTable::new(&self.rows).with_groups(&self.keys);
        let table = if self.rows.len() > 1 { table } else { table.hidden("p_value_holm") };
        let cells = "fits worst: the likeliest class or the verdict of the rows, the range of its probability, the \
                     number of rows, and the number expected";
        Results { tables: vec![table], notes: vec![Note::new(cells), Note::new(self.meaning())], ..Results::default() }
    }

    /// Returns the meaning of the tests.
    fn meaning(&self) -> String {
        let count = |verdict| self.rows.iter().filter(|row| row.verdict() == verdict).count();
        let [untested, rejected, doubtful] = [None, Some(Verdict::Rejected), Some(Verdict::Doubtful)].map(count);
        let (has_groups, all) = (self.keys.columns().next().is_some(), self.rows.len());
        let of_groups = |number: Option<usize>| {
            let number = number.map_or_else(String::new, |number| format!("{number} of "));
            let tested = if untested > 0 { " tested" } else { "" };
            if has_groups { format!(" of {number}the {}{tested} groups", all - untested) } else { String::new() }
        };
        let sentence = match (rejected, doubtful) {
            _ if untested == all => {
                let which = if has_groups { format!(" of all {all} groups") } else { String::new() };
                return format!("The new rows{which} are too few to test whether only the shares have changed.");
            }
            (0, 0) => format!(
                "The new rows{} fit a mix of the labelled classes: it is plausible that only the shares have changed. A \
                 change that looks like another mix cannot be detected.",
                of_groups(None)
            ),
            (0, _) => format!(
                "It is doubtful whether the new rows{} fit any mix of the labelled classes. If they do not, {CAUSES}",
                of_groups(Some(doubtful))
            ),
            _ => {
                let also = if doubtful > 0 { format!("; for {doubtful} more it is doubtful") } else { String::new() };
                let which = of_groups(Some(rejected));
                format!("The new rows{which} do not fit any mix of the labelled classes{also}: {CAUSES}")
            }
        };
        let few = match untested {
            0 => String::new(),
            1 => " One group has too few rows for the test.".to_owned(),
            _ => format!(" {untested} groups have too few rows for the test."),
        };
        sentence + &few
    }
}
