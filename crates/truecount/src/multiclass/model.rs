//! Models of several classes: fitted to labelled rows, and estimates from test rows.

use super::calibration::Calibration;
use super::estimate::{self, IntervalWithParts, MulticlassEstimate};
use super::labelled::{LabelledErrors, LabelledSample};
use super::linear::{self, ClassMeans, LinearShares};
use super::mix_test::{ClassMixTest, MixCells};
use super::mixture::{ClassMixture, MixtureRows};
use super::probabilities::RowKind;
use super::sampling::{RowDesign, ShareErrors, SharesCovariance};
use super::totals::ShareTotals;
use super::{ClassProbabilities, ClassWarning, LabelledProbabilities, MulticlassMethod};
use crate::inference::{IntervalOptions, OnMisfit, SystematicError, TestSamplingError, student_quantile};
use crate::model::{SampledRows, TestDesign};
use crate::numeric::dense::Matrix;
use crate::quantifier::{Operation, RowUnits, UnsupportedOperation};
use crate::{Error, Problem};
use std::borrow::Cow;

/// A method for several classes, fitted to labelled rows.
#[derive(Clone, Debug)]
pub struct MulticlassModel {
    names: Vec<String>,
    /// The names of the classes and of other verdicts.
    verdicts: Vec<String>,
    /// For each class in the order of computation, its index in the caller's order.
    order: Vec<usize>,
    /// The number of labelled rows of each class, in the order of computation as all that follows.
    pub(super) counts: Vec<u64>,
    /// The weights of the labelled rows.
    pub(super) weights: Vec<f64>,
    /// The sum of the weights of each class: its effective number of labelled rows.
    pub(super) sizes: Vec<f64>,
    /// The smaller of that number and the number of clusters with rows of the class.
    units: Vec<f64>,
    pub(super) method: MulticlassMethod,
    takes_decision_values: bool,
    pub(super) fitted: FittedClasses,
    /// `None` for predictions that are all classes, which cannot be tested.
    cells: Option<MixCells>,
}

#[derive(Clone, Debug)]
pub(super) enum FittedClasses {
    /// The labelled rows, and their calibration unless the probabilities are taken as they are.
    Mixture(MixtureRows, Option<Calibration>),
    Means(ClassMeans),
}

impl MulticlassModel {
    /// Fits a method to labelled rows.
    ///
    /// # Errors
    /// Returns an error if all labelled rows have the same probabilities, if the method is `ac` or `pacc`
    /// and the classes have linearly dependent mean predictions, if the rows have only predicted classes and the
    /// method is neither `ac` nor `cc`, and if `cc` meets other verdicts than the classes.
    pub fn fit(labelled: &LabelledProbabilities, method: MulticlassMethod) -> Result<Self, Error> {
        let (order, is_predicted) = (labelled.order(), labelled.probabilities.are_predicted());
        let (classes, columns) = (order.len(), labelled.names.len());
        labelled.probabilities.check_method(method)?;
        if method == MulticlassMethod::Sld && labelled.design.is_some() {
            let error = Operation::LabelDesign.unsupported_by([method]);
            return Err(UnsupportedOperation {
                why: Some("with several classes"),
                able: vec!["ml", "ac", "pacc"],
                ..error
            }
            .into());
        }
        if columns > classes && method == MulticlassMethod::Cc {
            return Err(Problem::VerdictNotAClass { verdict: labelled.names[classes].clone() }.into());
        }
        let probabilities = labelled.probabilities.normalised(&order);
        if probabilities.iter_rows().all(|row| row == probabilities.row(0)) {
            return Err(Problem::ClassesIndistinct.into());
        }
        let place = |label: &usize| order.iter().position(|class| class == label).expect("a label is a class");
        let labels: Vec<usize> = labelled.labels.iter().map(place).collect();
        let (mut counts, mut sizes) = (vec![0; classes], vec![0.0; classes]);
        for (row, (label, weight)) in labels.iter().zip(&labelled.weights).enumerate() {
            counts[*label] += labelled.probabilities.count(row);
            sizes[*label] += weight;
        }
        let units =
            |(size, class): (&f64, &usize)| labelled.clusters.as_ref().map_or(*size, |n| size.min(n[*class] as f64));
        let units = sizes.iter().zip(&order).map(units).collect();
        let sample = LabelledSample { labels, weights: &labelled.weights, sizes, design: labelled.design.as_ref() };
        let fitted = match method {
            MulticlassMethod::Ml => {
                let calibration = Calibration::fit(&probabilities, &sample);
                FittedClasses::Mixture(calibration.calibrate(&probabilities), Some(calibration))
            }
            MulticlassMethod::Sld => FittedClasses::Mixture(ratios_of_posteriors(&probabilities, &counts), None),
            method => FittedClasses::Means(ClassMeans::new(
                &linear_functions(method, &probabilities),
                &sample,
                method != MulticlassMethod::Cc,
            )?),
        };
        let cells = (!is_predicted || columns > classes).then(|| MixCells::new(&probabilities, &sample));
        let (verdicts, takes_decision_values) =
            (labelled.names.clone(), labelled.probabilities.kind == RowKind::Softmax);
        let names = verdicts[..classes].to_vec();
        let (weights, sizes) = (labelled.weights.clone(), sample.sizes);
        Ok(Self { names, verdicts, order, counts, weights, sizes, units, method, takes_decision_values, fitted, cells })
    }

    /// The method.
    pub fn method(&self) -> MulticlassMethod {
        self.method
    }

    /// The names of the classes.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The predictions that rows may have: the names of the classes, followed by other verdicts.
    pub fn verdicts(&self) -> &[String] {
        &self.verdicts
    }

    /// Whether the labelled rows have weights, clusters or strata.
    pub fn has_label_design(&self) -> bool {
        self.labelled_errors().has_design()
    }

    /// Whether the scores of labelled rows were decision values.
    pub fn takes_decision_values(&self) -> bool {
        self.takes_decision_values
    }

    /// Estimates the shares of the classes among test rows.
    ///
    /// The type of interval in the options is ignored.
    ///
    /// # Errors
    /// Returns an error if there are no rows, if all weights are 0, if the number of classes differs from the
    /// model's, or if there are more rows than the population has.
    pub fn estimate(&self, rows: &ClassProbabilities, options: &IntervalOptions) -> Result<MulticlassEstimate, Error> {
        self.estimate_rows(rows, None, options)
    }

    /// Estimates the shares in some parts of a sample with strata or clusters, as
    /// [`Model::estimate_design`](crate::Model::estimate_design) estimates a prevalence.
    ///
    /// # Errors
    /// Returns the errors of [`estimate`](Self::estimate), [`Problem::OneCluster`] for a single cluster,
    /// [`Problem::EmptyReplicate`] if all replicates are without weight, and [`Problem::LengthMismatch`] unless rows
    /// have a weight for each replicate.
    ///
    /// # Panics
    /// Panics without parts, for a part that the design does not have, and for parts with different classes.
    pub fn estimate_design(
        &self,
        design: &TestDesign<ClassProbabilities>,
        parts: &[usize],
        options: &IntervalOptions,
    ) -> Result<MulticlassEstimate, Error> {
        let tables: Vec<_> = parts.iter().map(|part| &design.tables()[*part]).collect();
        let rows = ClassProbabilities::concat(&tables);
        let rows = rows.expanded();
        let of_rows = if let Some(formula) = design.replicate_variance() {
            Error::unless_equal(("replicate_weights", rows.replicates.len(), formula.factors.len()))?;
            RowDesign::Replicates(&rows.replicates, formula)
        } else {
            RowDesign::Units(design.row_units(parts, |table| table.expanded().len())?)
        };
        self.estimate_rows(&rows, Some(of_rows), options)
    }

    fn estimate_rows(
        &self,
        rows: &ClassProbabilities,
        design: Option<RowDesign>,
        options: &IntervalOptions,
    ) -> Result<MulticlassEstimate, Error> {
        Error::unless_equal(("classes", rows.classes(), self.verdicts.len()))?;
        rows.check_method(self.method)?;
        if rows.size() == 0 {
            return Err(Problem::NoTestScores.into());
        }
        let (n, classes) = (rows.n(), self.names.len());
        if n == 0 {
            return Err(Problem::AllWeightsZero.into());
        }
        let fpc = options.finite_population_correction(n)?;
        let (probabilities, weights) = (rows.normalised(&self.order), rows.relative_weights());
        let is_weighted = rows.is_weighted() && weights.iter().any(|weight| *weight != weights[0]);
        // The replicates are those of a population.
        let design = design.filter(|design| fpc > 0.0 || matches!(design, RowDesign::Units(_)));
        let single_rows = || RowDesign::Units(RowUnits::of_single_rows(rows.len()));
        let design = design.or_else(|| is_weighted.then(single_rows));
        let size = rows.size() as f64;
        let errors = self.share_errors(&probabilities, &weights, size);
        let shares = errors.shares(fpc);
        let SharesCovariance { covariance, labelled, sizes, fpc, dof, test, warning } =
            SharesCovariance::new(errors.as_ref(), (&weights, size), design.as_ref(), fpc)?;
        let effective_n = sizes.iter().sum::<f64>() / classes as f64;
        let mix_test =
            self.cells.as_ref().and_then(|cells| cells.test(&probabilities, (&weights, size, effective_n), &shares));
        let widening = mix_test.as_ref().filter(|_| options.misfit() == OnMisfit::Widen);
        let widening = widening.and_then(ClassMixTest::scale_factor);
        let systematic = widening.map_or(SystematicError::NONE, |scale| scale.systematic_variance(1.0));
        let wider = 1.0 + systematic.variance;
        let covariance = Matrix::from_fn(classes, classes, |i, j| covariance[(i, j)] * wider);
        let derivatives = errors.derivatives();
        let with_labelled = |(class, dof): (usize, &f64)| {
            // These are the degrees of freedom of the variance without the misfit.
            let share = wider * labelled[(class, class)] / covariance[(class, class)];
            systematic.dof_with(1.0, self.labelled_errors().joint_dof(derivatives.row(class), share, *dof))
        };
        let dof: Vec<f64> = dof.iter().enumerate().map(with_labelled).collect();
        let intervals = Self::intervals((&shares, &covariance), &dof, options, |class, shares| {
            let size = sizes[class];
            let [variance, of_test] = errors.variances(class, shares, size, fpc);
            let [unseen, of_labelled] = [size, f64::INFINITY].map(|n| self.unseen_errors(class, [shares; 2], n));
            let parts = [of_test.max(0.0) + (unseen - of_labelled), variance - of_test];
            [variance.max(0.0) * wider + unseen, parts[0], parts[1]]
        })?;
        let raw = errors.raw();
        let summed = (0..classes).map(|class| {
            let sampling = covariance[(class, class)].max(0.0) / wider;
            let misfit = SystematicError { variance: systematic.variance * sampling, ..systematic };
            ([shares[class], raw[class]], sizes[class], &test[class], intervals[0][class].1, misfit)
        });
        let without_labelled = Matrix::from_fn(classes, classes, |i, j| covariance[(i, j)] - labelled[(i, j)]);
        let summed = ShareTotals::new(rows.total_weight(), (derivatives, without_labelled), summed);
        let fit = (mix_test.as_ref(), widening);
        // A mixture's maximum is possible.
        let raw = if errors.is_from_labelled_rows() { &shares } else { &raw };
        let mut warnings = estimate::warnings(self.labelled_classes(), (&shares, raw, &covariance), fit, options);
        warnings.extend(warning);
        let estimate = self.estimate_of((n, shares), [&covariance, &labelled], &intervals, (warnings, summed), options);
        Ok(MulticlassEstimate { mix_test: mix_test.map(|test| self.with_callers_classes(test)), ..estimate })
    }

    /// Estimates the weighted mean of the shares in groups without common rows, such as the shares in a population
    /// whose groups have these sizes. The groups may have common clusters.
    ///
    /// # Errors
    /// Returns [`Problem::ParameterOutOfRange`] for a weight that is negative or not finite, and
    /// [`Problem::AllWeightsZero`] if none is above 0.
    pub fn weighted_mean(
        &self,
        groups: &[(&MulticlassEstimate, f64)],
        options: &IntervalOptions,
    ) -> Result<MulticlassEstimate, Error> {
        for (_, weight) in groups {
            let is_possible = *weight >= 0.0 && weight.is_finite();
            Error::unless_in_domain(is_possible, ("the weight of a group", *weight), "at least 0")?;
        }
        let groups: Vec<_> = groups.iter().copied().filter(|(_, weight)| *weight > 0.0).collect();
        if groups.is_empty() {
            return Err(Problem::AllWeightsZero.into());
        }
        let terms: Vec<(f64, &ShareTotals)> =
            groups.iter().map(|(group, weight)| (weight / group.summed.weight, &group.summed)).collect();
        let (summed, classes) = (ShareTotals::sum(&terms), self.names.len());
        let [common, covariance] = self.total_covariances(&summed);
        let (shares, raw) = (summed.shares(&covariance), summed.raw());
        let errors: Vec<TestSamplingError> =
            (0..classes).map(|class| summed.test_error(class, shares[class])).collect();
        let sampling = |class: usize| covariance[(class, class)] - errors[class].systematic.variance;
        let dof = |(class, error): (usize, &TestSamplingError)| {
            let dof = (sampling(class) / error.variance).powi(2) * error.dof;
            let dof = if dof.is_nan() { f64::INFINITY } else { dof };
            let (direction, share) = (summed.derivatives.row(class), common[(class, class)] / sampling(class));
            error.systematic.dof_with(sampling(class), self.labelled_errors().joint_dof(direction, share, dof))
        };
        let dof: Vec<f64> = errors.iter().enumerate().map(dof).collect();
        let intervals = Self::intervals((&shares, &covariance), &dof, options, |class, shares| {
            let (error, share) = (&errors[class], shares[class]);
            let of_test = error.sides[usize::from(share > error.estimate)].at(share);
            let of_labelled = common[(class, class)] * summed.labelled_ratio(class, share);
            let [unseen, common] = [error.n, f64::INFINITY].map(|n| self.unseen_errors(class, [shares; 2], n));
            let variance = (of_test - (unseen - common) + of_labelled).max(0.0);
            let wider = covariance[(class, class)] / sampling(class);
            [variance * if wider.is_finite() { wider } else { 1.0 } + unseen, of_test, of_labelled]
        })?;
        let of_mean = (&shares[..], &raw[..], &covariance);
        let mut warnings = estimate::warnings(self.labelled_classes(), of_mean, (None, None), options);
        warnings.extend(estimate::groups_warning(&groups, &covariance));
        let n = groups.iter().map(|(group, _)| group.n).sum();
        Ok(self.estimate_of((n, shares), [&covariance, &common], &intervals, (warnings, summed), options))
    }

    /// Returns the covariance of mean shares from the labelled rows, and the whole one.
    pub(super) fn total_covariances(&self, summed: &ShareTotals) -> [Matrix; 2] {
        let (ShareTotals { classes, covariance, .. }, square) = (summed, summed.weight * summed.weight);
        let labelled = summed.derivatives.sandwich(&self.labelled_errors().covariance);
        let common = |i: usize, j: usize| labelled[(i, j)] / square;
        let sources = |i: usize, j: usize| classes[i].sources.covariance(&classes[j].sources);
        let all = |i: usize, j: usize| common(i, j) + (sources(i, j) + covariance[(i, j)]) / square;
        [Matrix::from_fn(classes.len(), classes.len(), common), Matrix::from_fn(classes.len(), classes.len(), all)]
    }

    /// Returns the intervals of the shares at the level, and those for all shares at once, with the coefficients of
    /// parts of their variances. `variances(class, shares)` returns the variance of a class's estimated share at the
    /// given true shares, followed by its test and labelled parts.
    fn intervals(
        (shares, covariance): (&[f64], &Matrix),
        dof: &[f64],
        options: &IntervalOptions,
        variances: impl Fn(usize, &[f64]) -> [f64; 3],
    ) -> Result<[Vec<IntervalWithParts>; 2], Error> {
        let classes = shares.len();
        let interval = |class: usize, z: f64| {
            let std_error = covariance[(class, class)].max(0.0).sqrt();
            let at = |share| variances(class, &with_share(shares, class, share));
            estimate::interval(shares[class], std_error, student_quantile(z, dof[class]), at)
        };
        let simultaneous = options.with_level(1.0 - (1.0 - options.level()) / classes as f64)?;
        let quantiles = [options.quantile(), simultaneous.quantile()];
        Ok(quantiles.map(|z| (0..classes).map(|class| interval(class, z)).collect()))
    }

    /// Returns the estimate with these shares, covariance and its labelled part, and intervals, in the caller's order
    /// of the classes.
    fn estimate_of(
        &self,
        (n, shares): (u64, Vec<f64>),
        [covariance, labelled]: [&Matrix; 2],
        intervals: &[Vec<IntervalWithParts>; 2],
        (warnings, summed): (Vec<ClassWarning>, ShareTotals),
        options: &IntervalOptions,
    ) -> MulticlassEstimate {
        let intervals = intervals.each_ref().map(|ends| self.in_callers_order(|class| ends[class].0));
        let [intervals, simultaneous] = intervals;
        MulticlassEstimate {
            method: self.method,
            n,
            covariance: self.in_callers_order(|i| {
                self.in_callers_order(|j| if i == j { covariance[(i, i)].max(0.0) } else { covariance[(i, j)] })
            }),
            labelled_std_errors: self.in_callers_order(|class| labelled[(class, class)].max(0.0).sqrt()),
            intervals,
            simultaneous,
            level: options.level(),
            target: options.target(),
            mix_test: None,
            warnings,
            shares: self.in_callers_order(|class| shares[class]),
            summed,
        }
    }

    /// Returns the method, the names of the classes in the order of computation, followed by other verdicts, and the
    /// numbers of labelled rows of the classes and of their effective units.
    pub(super) fn labelled_classes(&self) -> (MulticlassMethod, Vec<&str>, (&[u64], &[f64])) {
        let names = self.order.iter().copied().chain(self.names.len()..self.verdicts.len());
        (self.method, names.map(|verdict| self.verdicts[verdict].as_str()).collect(), (&self.counts, &self.units))
    }

    /// Estimates the shares of n rows, stored with weights of sum n, with the classes in the order of computation.
    fn share_errors<'a>(&'a self, probabilities: &'a Matrix, weights: &[f64], n: f64) -> Box<dyn ShareErrors + 'a> {
        match &self.fitted {
            FittedClasses::Mixture(labelled, calibration) => {
                let test = calibration.as_ref().map_or_else(
                    || ratios_of_posteriors(probabilities, &self.counts),
                    |calibration| calibration.calibrate(probabilities),
                );
                let errors = calibration.as_ref().map(|calibration| &calibration.errors);
                Box::new(ClassMixture::new((&test, weights, n), (labelled, &self.weights, &self.sizes), errors))
            }
            FittedClasses::Means(means) => {
                let functions = linear_functions(self.method, probabilities);
                Box::new(LinearShares::new(means, functions, (weights, n)))
            }
        }
    }

    /// Returns the variance of a share from errors that the labelled rows may not have shown: half an error
    /// in each class, spread over the other classes. With e_k the unit vectors it is that of
    ///
    /// ```text
    /// Σ_k (π_k/n + π_k²/n_k) / (2 n_k (K − 1)) Σ_{j≠k} (e_j − e_k)(e_j − e_k)ᵀ
    /// ```
    ///
    /// For two samples, π_k² is π_k π'_k. With n = ∞ this is the covariance of their unseen errors.
    pub(super) fn unseen_errors(&self, class: usize, [shares, others]: [&[f64]; 2], n: f64) -> f64 {
        if self.method.is_uncorrected() {
            return 0.0;
        }
        let of_class = |(k, count): (usize, &f64)| {
            let variance = 0.5 / count * (shares[k] / n + shares[k] * others[k] / count);
            if k == class { variance } else { variance / (shares.len() - 1) as f64 }
        };
        self.sizes.iter().enumerate().map(of_class).sum()
    }

    /// Returns the errors of the quantities that the labelled rows determine, with their covariance Λ.
    pub(super) fn labelled_errors(&self) -> Cow<'_, LabelledErrors> {
        match &self.fitted {
            FittedClasses::Mixture(_, Some(calibration)) => Cow::Borrowed(&calibration.errors.coefficients),
            FittedClasses::Mixture(_, None) => Cow::Owned(LabelledErrors::independent(Matrix::zeros(1, 1))),
            FittedClasses::Means(means) => Cow::Borrowed(&means.errors),
        }
    }

    /// Returns a test with the caller's numbers of the classes.
    fn with_callers_classes(&self, mut test: ClassMixTest) -> ClassMixTest {
        test.cells.iter_mut().for_each(|cell| cell.class = cell.class.map(|k| self.order.get(k).copied().unwrap_or(k)));
        test
    }

    /// Evaluates a function of the index in the order of computation for each class in the caller's order.
    pub(super) fn in_callers_order<T>(&self, value: impl Fn(usize) -> T) -> Vec<T> {
        let place = |class| self.order.iter().position(|known| *known == class).expect("each class has a place");
        (0..self.order.len()).map(|class| value(place(class))).collect()
    }
}

/// Returns shares with this one of a class, and those of the others in their proportions.
pub(super) fn with_share(shares: &[f64], class: usize, share: f64) -> Vec<f64> {
    let rest = 1.0 - shares[class];
    let scaled = |(k, old): (usize, &f64)| match k {
        k if k == class => share,
        _ if rest > 0.0 => (1.0 - share) * old / rest,
        _ => (1.0 - share) / (shares.len() - 1) as f64,
    };
    shares.iter().enumerate().map(scaled).collect()
}

/// Returns the ratios p_k n/n_k, for probabilities, shape (n, K), that are posteriors under the shares n_k/n.
fn ratios_of_posteriors(probabilities: &Matrix, counts: &[u64]) -> MixtureRows {
    let n = counts.iter().sum::<u64>() as f64;
    let ratio = |i, k| probabilities[(i, k)] * n / counts[k] as f64;
    MixtureRows { ratios: Matrix::from_fn(probabilities.rows(), counts.len(), ratio), features: None }
}

/// Returns the functions of rows with these probabilities whose means give the shares.
fn linear_functions(method: MulticlassMethod, probabilities: &Matrix) -> Cow<'_, Matrix> {
    match method {
        MulticlassMethod::Pacc => Cow::Borrowed(probabilities),
        _ => Cow::Owned(linear::indicators(probabilities)),
    }
}
