//! The fitted rates as a small table: one row for each function that is averaged, with what turns its mean into an
//! estimate.

use super::names::number;
use super::values::ONE;
use crate::PerClass;
use crate::inference::Worth;
use crate::quantifier::Rated;

/// Variances and third moments below this are 0, so that no product of them underflows.
const UNDERFLOW: f64 = 1e-60;

/// Of the mean itself nothing is learnt: as if from labelled scores without end.
const INFINITE_SAMPLE: f64 = 1e100;

/// One function of one method.
pub(super) struct RateRow {
    pub(super) method: String,
    /// The index of its mean.
    pub(super) place: usize,
    /// The row applies if the first step's estimate is above the first number and at most the second; always if there are none.
    pub(super) between: Option<(f64, f64)>,
    pub(super) rated: Rated,
}

/// A number that no product with it underflows.
pub(super) fn flush_to_zero(value: f64) -> f64 {
    if value.abs() < UNDERFLOW { 0.0 } else { value }
}

/// Which columns a table of rates has.
#[derive(Clone, Copy)]
pub(super) struct RateColumns {
    /// Whether some means are estimates themselves.
    pub(super) biased: bool,
    /// Whether some methods have several steps to choose from.
    pub(super) steps: bool,
    /// Whether all that is known of the classes is their labelled scores: what these have to tell is then the function itself, and
    /// one second and one third moment of each class say all.
    pub(super) plain: bool,
    /// How many labelled scores there are.
    labelled: PerClass<f64>,
    /// What weights and clusters make of them, if they have some.
    design: Option<EffectiveNumbers>,
}

/// What labelled scores with weights or in clusters are worth.
#[derive(Clone, Copy)]
struct EffectiveNumbers {
    /// Their effective number.
    effective: PerClass<f64>,
    /// How many units were drawn of each class.
    units: PerClass<f64>,
    /// How many clusters there are, if there are any.
    clusters: Option<f64>,
}

impl RateColumns {
    pub(super) fn for_rows(rows: &[&RateRow]) -> Self {
        let rows = || rows.iter().copied();
        Self {
            biased: rows().any(RateRow::is_biased),
            steps: rows().any(|row| row.between.is_some()),
            plain: rows().all(RateRow::is_plain),
            labelled: rows().find_map(RateRow::labelled).unwrap_or(PerClass { positive: INFINITE_SAMPLE, negative: INFINITE_SAMPLE }),
            design: rows().find_map(RateRow::design),
        }
    }

    /// The numbers of labelled scores and their degrees of freedom, which are the same for all methods, as columns.
    pub(super) fn labelled_columns(self) -> Vec<(String, String)> {
        let column = |name: &str, n: f64| {
            let n = if self.biased {
                format!("CASE WHEN biased > 0E0 THEN {} ELSE {} END", number(INFINITE_SAMPLE), number(n))
            } else {
                number(n)
            };
            (name.to_owned(), format!("{n} * {ONE}"))
        };
        let PerClass { positive, negative } = self.labelled;
        let free = |n: f64| (n - 1.0).max(1.0);
        let units = self.design.map_or(self.labelled, |design| design.units);
        let mut columns = vec![
            column("labelled_p", positive),
            column("labelled_n", negative),
            column("free_p", free(units.positive)),
            column("free_n", free(units.negative)),
        ];
        if let Some(EffectiveNumbers { effective, .. }) = self.design {
            columns.extend([column("worth_p", effective.positive), column("worth_n", effective.negative)]);
        }
        if let Some(clusters) = self.clusters() {
            columns.push(column("free_all", free(clusters)));
        }
        columns
    }

    /// The column with the number of labelled scores of a class, as if all weighed alike.
    pub(super) fn effective_n(self, class: &str) -> String {
        format!("{}_{class}", if self.design.is_some() { "worth" } else { "labelled" })
    }

    /// How many clusters labelled scores are in, if they are. There are then columns `free_all`, the most degrees of freedom there can be,
    /// and `shared`, twice the covariance of what is learnt of the two classes.
    pub(super) fn clusters(self) -> Option<f64> {
        self.design?.clusters
    }

    /// The column with the variance of what a labelled score of a class has to tell.
    pub(super) fn training_variance(self, class: &str) -> String {
        format!("{}_{class}", if self.plain { "test" } else { "learnt" })
    }

    /// The column with one of the third moments of a class.
    pub(super) fn third_moment(self, which: &str, class: &str) -> String {
        format!("{}_{class}", if self.plain { "third" } else { which })
    }

    /// The rows as a table.
    pub(super) fn table(self, rows: &[RateRow]) -> String {
        let mut selects = Vec::with_capacity(rows.len());
        for row in rows {
            let columns = row.columns(self);
            let named = |(name, value): &(&str, String)| format!("{value} AS {name}");
            let columns: Vec<String> = if selects.is_empty() {
                columns.iter().map(named).collect()
            } else {
                columns.into_iter().map(|(_, value)| value).collect()
            };
            selects.push(format!("SELECT {}", columns.join(", ")));
        }
        selects.join("\n  UNION ALL ")
    }
}

impl RateRow {
    /// Whether the mean itself is the estimate.
    fn is_biased(&self) -> bool {
        self.rated.precision.is_none()
    }

    fn labelled(&self) -> Option<PerClass<f64>> {
        let labelled = self.rated.precision?.labelled.expect("learnt from labelled scores");
        Some(labelled.map(|n| *n as f64))
    }

    fn design(&self) -> Option<EffectiveNumbers> {
        let precision = self.rated.precision.filter(|precision| precision.worth != Worth::PLAIN)?;
        let labelled = precision.labelled.expect("learnt from labelled scores");
        let (effective, units) = (precision.worth.effective(&labelled), precision.worth.units(&labelled));
        Some(EffectiveNumbers { effective, units, clusters: precision.worth.clusters(&labelled) })
    }

    fn is_plain(&self) -> bool {
        self.rated.precision.is_some_and(|precision| {
            let PerClass { positive, negative } = precision.third;
            let all_one = [positive, negative]
                .iter()
                .all(|third| [third.learnt, third.of_test, third.of_training] == [third.whole; 3]);
            all_one && precision.test == precision.training
        })
    }

    /// Names and values.
    fn columns(&self, which: RateColumns) -> Vec<(&'static str, String)> {
        let Rated { negative, distance, variances, precision } = &self.rated;
        let mut columns = vec![("method", format!("'{}'", self.method)), ("place", self.place.to_string())];
        if which.steps {
            let (above, through) = self.between.unwrap_or((f64::MIN, f64::MAX));
            columns.extend([("above", number(above)), ("through", number(through))]);
        }
        let (of_mean, unit) = if precision.is_some() { (*negative, *distance) } else { (0.0, 1.0) };
        columns.extend([("negative", number(of_mean)), ("distance", number(unit))]);
        let mut add = |names: [&'static str; 2], of: PerClass<f64>| {
            columns.push((names[0], number(flush_to_zero(of.positive))));
            columns.push((names[1], number(flush_to_zero(of.negative))));
        };
        let (training, third) = precision.map(|precision| (precision.training, precision.third)).unwrap_or_default();
        add(["test_p", "test_n"], precision.map_or(*variances, |precision| precision.test));
        if which.plain {
            add(["third_p", "third_n"], third.map(|third| third.whole));
        } else {
            add(["learnt_p", "learnt_n"], training);
            add(["whole_p", "whole_n"], third.map(|third| third.whole));
            add(["cube_p", "cube_n"], third.map(|third| third.learnt));
            add(["cross_p", "cross_n"], third.map(|third| third.of_test));
            add(["own_p", "own_n"], third.map(|third| third.of_training));
        }
        if which.clusters().is_some() {
            let covariance = precision.map_or(0.0, |precision| 2.0 * precision.covariance());
            columns.push(("shared", number(flush_to_zero(covariance))));
        }
        if which.biased {
            // If the classes do not differ, any prevalence will do; it is set to ½.
            let (base, slope) = if *distance == 0.0 { (0.5, 0.0) } else { (-negative / distance, distance.recip()) };
            let constants = [
                ("biased", f64::from(u8::from(self.is_biased()))),
                ("held_base", base),
                ("held_slope", slope),
                ("square", if self.is_biased() { distance * distance } else { 1.0 }),
            ];
            columns.extend(constants.map(|(name, value)| (name, number(value))));
        }
        columns
    }
}
