//! The labels that one or more people gave an audited item.

#[derive(Clone, Copy, Debug)]
pub(crate) struct ItemLabels {
    /// The number of labels, at least 1.
    pub(crate) number: u32,
    pub(crate) positive: u32,
    /// The first label.
    pub(crate) first: bool,
}

impl ItemLabels {
    /// Collects the labels of an item; `None` without labels.
    pub(crate) fn new(labels: impl Iterator<Item = bool>) -> Option<Self> {
        labels.fold(None, |item, positive| {
            let Self { number, positive: positives, first } =
                item.unwrap_or(Self { number: 0, positive: 0, first: positive });
            Some(Self { number: number + 1, positive: positives + u32::from(positive), first })
        })
    }

    /// The mean of the labels, 1 for a positive.
    pub(crate) fn mean(&self) -> f64 {
        f64::from(self.positive) / f64::from(self.number)
    }

    /// The labels in the order positives, negatives.
    pub(crate) fn sorted(&self) -> impl Iterator<Item = bool> + use<> {
        let Self { number, positive, .. } = *self;
        (0..number).map(move |label| label < positive)
    }

    /// The variance of the mean of the labels, s²/k for k labels; `None` for a single label.
    pub(crate) fn variance_of_mean(&self) -> Option<f64> {
        let mean = self.mean();
        (self.number > 1).then(|| mean * (1.0 - mean) / f64::from(self.number - 1))
    }

    /// The mean product of `order` different labels: the share of all choices of `order` labels that has
    /// positives only. `None` for fewer labels.
    pub(crate) fn mean_product(&self, order: u32) -> Option<f64> {
        let factor = |i: u32| f64::from(self.positive.saturating_sub(i)) / f64::from(self.number - i);
        (self.number >= order).then(|| (0..order).map(factor).product())
    }
}
