//! Where standard errors and intervals come from.

use truecount::inference::Interval;

/// Where standard errors and intervals come from.
#[derive(Clone, Copy)]
pub enum Origin {
    Formula(Interval),
    Bootstrap,
}

pub const INTERVALS: [(&str, Origin, &str); 3] = {
    let [(wilson, by_wilson, is_wilson), (wald, by_wald, is_wald)] = Interval::TABLE else { panic!("two intervals") };
    [
        (wilson, Origin::Formula(*by_wilson), is_wilson),
        (wald, Origin::Formula(*by_wald), is_wald),
        ("bootstrap", Origin::Bootstrap, "resamples of both samples; for every method, but slow"),
    ]
};
