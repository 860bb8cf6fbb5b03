//! Data for plots of a model.

use crate::error::{new_error, raised};
use crate::model::Model;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use truecount::Error;
use truecount::distribution::Distribution;
use truecount::error::ErrorKind;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::{MinSeparation, Separation, optimal_region};

type FloatArray<'py> = Bound<'py, PyArray1<f64>>;

/// Thresholds, their variances, the optimal threshold, and max J.
type ThresholdVariances<'py> = (FloatArray<'py>, FloatArray<'py>, f64, f64);

fn separation(model: &Model) -> PyResult<&Separation> {
    let sentence = "the model's methods fit no distributions; fit it with o-cs, or es with rates='family'";
    let error = || new_error(ErrorKind::Options, "option-invalid", sentence, &[("name", "model")]);
    model.inner().separation().ok_or_else(error)
}

/// Returns the labelled scores after the transform, of the positives and of the negatives.
#[pyfunction]
pub fn transformed_scores<'py>(py: Python<'py>, model: &Model) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let model = model.inner();
    let scores = model.settings().transform.apply_to_labelled(model.labelled()).map_err(raised)?;
    Ok((scores.positive.into_pyarray(py), scores.negative.into_pyarray(py)))
}

/// Returns the densities f⁺ and f⁻ at transformed scores.
#[pyfunction]
pub fn densities<'py>(
    py: Python<'py>,
    model: &Model,
    scores: PyReadonlyArray1<'py, f64>,
) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let (separation, scores) = (separation(model)?, scores.as_slice()?);
    let density = |class: &dyn Distribution| scores.iter().map(|x| class.ln_pdf(*x).exp()).collect::<Vec<_>>();
    Ok((density(separation.positive()).into_pyarray(py), density(separation.negative()).into_pyarray(py)))
}

/// Returns thresholds below max J with n times the variance of Continuous Sweep at prevalence
/// `alpha`, the optimal threshold, and max J.
#[pyfunction]
pub fn threshold_variances<'py>(
    py: Python<'py>,
    model: &Model,
    alpha: f64,
    points: u32,
) -> PyResult<ThresholdVariances<'py>> {
    let separation = separation(model)?;
    let variance = |p: f64| {
        let threshold = MinSeparation::new(p)?;
        Ok::<_, Error>(ContinuousSweep::new(separation, Threshold::Fixed(threshold))?.moments().variance(alpha))
    };
    let thresholds = (1..=points).map(|k| separation.max_j() * f64::from(k) / f64::from(points + 1));
    // Close to max J or to 0 there may be no region.
    let (p, v): (Vec<f64>, Vec<f64>) = thresholds.filter_map(|p| variance(p).ok().map(|v| (p, v))).unzip();
    let optimal = optimal_region(separation, alpha).map_err(raised)?.threshold().value();
    Ok((p.into_pyarray(py), v.into_pyarray(py), optimal, separation.max_j()))
}
