//! Test scores as R gives them.

use crate::asked::RequestList;
use crate::failure::RError;
use savvy::{RealSexp, Result};
use truecount::IntervalOptions;
use truecount_analysis::options::IntervalArgs;
use truecount_analysis::sets::{TestSet, TestSets, sort_by_group, split_at_starts};

/// The columns of test scores, and the group of each row.
pub struct TestColumns {
    scores: RealSexp,
    probabilities: Option<RealSexp>,
    weights: Option<RealSexp>,
    groups: Option<Vec<u32>>,
    /// The columns with their rows sorted by group, and where each group begins.
    sorted: Option<(Vec<Vec<f64>>, Vec<usize>)>,
}

impl TestColumns {
    pub fn new(columns: &RequestList) -> Result<Self> {
        let scores = columns.numbers("scores")?.ok_or_else(|| savvy::Error::new("scores are wanted"))?;
        let (probabilities, weights) = (columns.numbers("probabilities")?, columns.numbers("weights")?);
        let groups = columns.numbered("groups")?;
        let number = columns.count("number")?;
        let given: Vec<&[f64]> = [Some(&scores), probabilities.as_ref(), weights.as_ref()]
            .into_iter()
            .flatten()
            .map(RealSexp::as_slice)
            .collect();
        let sorted = groups.as_ref().map(|groups| sort_by_group(&given, groups, number));
        Ok(Self { scores, probabilities, weights, groups, sorted })
    }

    /// The test sets: the groups, or all rows.
    pub fn sets(&self) -> std::result::Result<TestSets<'_>, RError> {
        let Self { probabilities, groups, sorted, .. } = self;
        let Some((columns, starts)) = sorted else { return Ok(self.whole()) };
        let mut columns = columns.iter().map(Vec::as_slice);
        let scores = columns.next().expect("scores");
        let probabilities = probabilities.as_ref().and_then(|_| columns.next());
        let whole = TestSet { scores, probabilities, weights: columns.next() };
        let sets =
            split_at_starts(whole, starts).ok_or_else(|| savvy::Error::new("the groups lie outside the columns"))?;
        Ok(TestSets { sets, groups: groups.as_deref() })
    }

    /// Where sets are only parts of groups, of clusters or strata: the group of each, and how many groups there are.
    pub fn parts(asked: &RequestList) -> Result<Option<(Vec<u32>, usize)>> {
        let number = asked.count("groups")?;
        Ok(asked.numbered("of_groups")?.map(|groups| (groups, number)))
    }

    /// All rows as one set.
    pub fn whole(&self) -> TestSets<'_> {
        let of = RealSexp::as_slice;
        let (probabilities, weights) = (self.probabilities.as_ref().map(of), self.weights.as_ref().map(of));
        TestSets { sets: vec![TestSet { scores: self.scores.as_slice(), probabilities, weights }], groups: None }
    }
}

/// How estimates are reported.
pub fn reporting(asked: &RequestList) -> std::result::Result<IntervalOptions, RError> {
    let of = |name: &str| Ok::<_, RError>(asked.text(name)?.unwrap_or_default());
    let (target, interval, misfit) = (of("target")?, of("interval")?, of("misfit")?);
    let asked = IntervalArgs {
        level: asked.number("level")?.unwrap_or(f64::NAN),
        target: &target,
        interval: &interval,
        misfit: &misfit,
        population: asked.number("population")?,
    };
    Ok(asked.parse()?)
}
