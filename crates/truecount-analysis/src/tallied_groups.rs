//! Tallied groups, which can be estimated one by one and combined.

use crate::groups::{Partition, shift_warning};
use crate::totals::GroupSource;
use std::borrow::Cow;
use truecount::compare::JointErrors;
use truecount::error::Problem;
use truecount::model::TestDesign;
use truecount::quantifier::Quantifier;
use truecount::shift_test::ShiftTally;
use truecount::{Error, Estimates, IntervalOptions, Method, Model, Tally, Warning};

/// Groups with the tallies of a model: one tally for each group, or one for each part of a group, such as its clusters.
pub struct TalliedGroups<'a> {
    model: &'a Model,
    tallies: &'a [Tally],
    /// The shift check's tally of all groups together, if there are too many groups to check each one.
    shift: Option<&'a ShiftTally>,
    partition: Partition,
    /// The sampling design of the tallies, if they are not simple random samples.
    design: Option<TestDesign<'a>>,
}

impl<'a> TalliedGroups<'a> {
    /// Creates groups with one tally each. `shift` is the shift check's tally of all groups
    /// together, if there are too many groups to check each one.
    pub fn new(model: &'a Model, tallies: &'a [Tally], shift: Option<&'a ShiftTally>) -> Self {
        Self { model, tallies, shift, partition: Partition::singletons(tallies.len()), design: None }
    }

    /// Assigns the tallies to `number` groups: `groups` has the group of each tally, and `design`
    /// the sampling design of the tallies, if they are not simple random samples.
    #[must_use]
    pub fn with_parts(self, groups: &[u32], number: usize, design: Option<TestDesign<'a>>) -> Self {
        Self { partition: Partition::new(groups, number), design, ..self }
    }
}

impl GroupSource for TalliedGroups<'_> {
    type Estimate = Estimates;

    fn number(&self) -> usize {
        self.partition.number()
    }

    fn combined(&self, groups: &[usize], options: &IntervalOptions) -> Result<Estimates, Error> {
        let parts: Vec<usize> = groups.iter().flat_map(|group| self.partition.parts(*group).iter().copied()).collect();
        match (&self.design, parts.as_slice()) {
            (_, []) => Err(Problem::NothingToCompare.into()),
            (Some(design), parts) => self.model.estimate_design(design, parts, options),
            (None, [part]) => self.model.estimate_tally(&self.tallies[*part], options),
            (None, [first, others @ ..]) => {
                let mut merged = self.tallies[*first].clone();
                others.iter().try_for_each(|part| merged.merge(&self.tallies[*part]))?;
                self.model.estimate_tally(&merged, options)
            }
        }
    }

    fn joint_errors(&self) -> Result<Cow<'_, Vec<(Method, JointErrors)>>, Error> {
        let methods = self.model.quantifiers().iter().map(Quantifier::method);
        methods
            .map(|method| Ok((method, JointErrors::new(self.model, method)?)))
            .collect::<Result<_, _>>()
            .map(Cow::Owned)
    }

    fn warning(&self) -> Result<Option<Warning>, Error> {
        shift_warning(self.model, self.shift)
    }
}
