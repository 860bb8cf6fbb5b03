//! The choices that have names: the library's tables.

use truecount::counts::RateInterval;
use truecount::distribution::Family;
use truecount::evaluation::{Measure, Protocol};
use truecount::inference::Interval;
use truecount::quantifier::Keeps;
use truecount::{Against, Anchor, Dialect, Error, Method, OnMisfit, Subject, Target, Transform, Warning};

/// The names of a table, each with what it is: methods, families, transforms, anchors, targets, intervals, those of counts, what misfit does to
/// them, protocols, measures, dialects, what groups are compared with, the codes of errors and warnings, or what errors are about. `None` if
/// there is no such table.
pub fn names(table: &str) -> Option<Vec<(&'static str, &'static str)>> {
    fn of<T: Copy>(table: &[(&'static str, T, &'static str)]) -> Vec<(&'static str, &'static str)> {
        table.iter().map(|(name, _, what)| (*name, *what)).collect()
    }
    Some(match table {
        "methods" => Method::ALL.iter().map(|method| (method.name(), method.summary())).collect(),
        "families" => of(Family::TABLE),
        "transforms" => of(Transform::TABLE),
        "anchors" => of(Anchor::TABLE),
        "targets" => of(Target::TABLE),
        "intervals" => of(Interval::TABLE),
        "rate intervals" => of(RateInterval::TABLE),
        "misfits" => of(OnMisfit::TABLE),
        "protocols" => of(Protocol::TABLE),
        "measures" => of(Measure::TABLE),
        "dialects" => of(Dialect::TABLE),
        "references" => Against::WORDS.iter().map(|(name, _, what)| (*name, *what)).collect(),
        "errors" => of(Error::TABLE),
        "warnings" => of(Warning::TABLE),
        "subjects" => of(Subject::TABLE),
        _ => return None,
    })
}

/// The names of the methods for which it holds: that they `read posteriors`; or that what a test score adds to an estimate depends on the
/// others (`choose among means`). `None` of what nothing is known of.
pub fn methods_that(hold: &str) -> Option<Vec<&'static str>> {
    let holds: fn(Method) -> bool = match hold {
        "read posteriors" => Method::reads_posteriors,
        "choose among means" => |method: Method| matches!(method.keeps(), Keeps::Means | Keeps::ScoreBins),
        _ => return None,
    };
    Some(Method::ALL.iter().filter(|method| holds(**method)).map(|method| method.name()).collect())
}
