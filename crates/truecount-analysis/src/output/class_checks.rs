//! The test that rows are a mix of several labelled classes, ready for output.

use crate::groups::{GroupNames, NamedGroups};
use crate::results::{ClassCheckRow, Note, ResultTable, Results, Sort};
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
    pub fn new(model: &MulticlassModel, groups: NamedGroups<MulticlassEstimate, N>) -> Self {
        let tests = || groups.contents.iter().map(|estimate| estimate.mix_test.as_ref());
        let mut adjusted = holm(&tests().flatten().map(|test| test.p_value).collect::<Vec<_>>()).into_iter();
        let holm: Vec<Option<f64>> = tests().map(|test| test.and_then(|_| adjusted.next())).collect();
        let classes = Arc::new(model.names().to_vec());
        let row = |(group, (estimate, holm)): (usize, (MulticlassEstimate, Option<f64>))| ClassCheckRow {
            group,
            n: estimate.n,
            classes: Arc::clone(&classes),
            test: estimate.mix_test,
            holm,
        };
        Self { rows: groups.contents.into_iter().zip(holm).enumerate().map(row).collect(), keys: groups.keys }
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
        let cells = "fits worst: the likeliest class of rows, the range of its probability, their number and the \
                     expected one";
        Results { tables: vec![table], notes: vec![Note::new(cells), Note::new(self.meaning())], ..Results::default() }
    }

    /// Returns the meaning of the tests.
    fn meaning(&self) -> String {
        let count = |verdict| self.rows.iter().filter(|row| row.verdict() == verdict).count();
        let [untested, rejected, doubtful] = [None, Some(Verdict::Rejected), Some(Verdict::Doubtful)].map(count);
        let (groups, all) = (self.keys.columns().next().is_some(), self.rows.len());
        let rows =
            if groups { format!("The new rows of {rejected} of the {all} groups") } else { "The new rows".to_owned() };
        let doubt = if groups {
            format!("It is doubtful whether the new rows of {doubtful} of the {all} groups")
        } else {
            "It is doubtful whether the new rows".to_owned()
        };
        let small = match untested {
            0 => String::new(),
            _ if groups => format!(" {untested} of the {all} groups have too few rows for the test."),
            _ => return "The new rows are too few to test whether only the shares have changed.".to_owned(),
        };
        match (rejected, doubtful) {
            (0, 0) => format!(
                "The new rows fit a mix of the labelled classes: it is plausible that only the shares have changed. A \
                 change that looks like another mix cannot be detected.{small}"
            ),
            (0, _) => format!("{doubt} fit any mix of the labelled classes. If they do not, {CAUSES}{small}"),
            _ => format!("{rows} do not fit any mix of the labelled classes: {CAUSES}{small}"),
        }
    }
}
