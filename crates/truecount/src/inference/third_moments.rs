//! Third moments of an influence function, and what has to be learnt of it, in one class (`inference::skewness`).

/// The expectations of one class, in units of (E₊g − E₋g)³.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct ThirdMoments {
    /// E(g − Eg)³.
    pub(crate) whole: f64,
    /// Eh³.
    pub(crate) learnt: f64,
    /// E((g − Eg)² h).
    pub(crate) of_test: f64,
    /// E(h²(2(g − Eg) − h)).
    pub(crate) of_training: f64,
}

impl ThirdMoments {
    /// Of a class that is its labelled scores: h is all of g − Eg.
    pub(crate) fn empirical(third: f64) -> Self {
        Self { whole: third, learnt: third, of_test: third, of_training: third }
    }

    /// Between these and others, at a share of the way.
    pub(crate) fn towards(&self, other: &Self, share: f64) -> Self {
        let of = |here: f64, there: f64| here + share * (there - here);
        Self {
            whole: of(self.whole, other.whole),
            learnt: of(self.learnt, other.learnt),
            of_test: of(self.of_test, other.of_test),
            of_training: of(self.of_training, other.of_training),
        }
    }

    pub(crate) fn times(&self, factor: f64) -> Self {
        let Self { whole, learnt, of_test, of_training } = self;
        Self {
            whole: whole * factor,
            learnt: learnt * factor,
            of_test: of_test * factor,
            of_training: of_training * factor,
        }
    }
}
