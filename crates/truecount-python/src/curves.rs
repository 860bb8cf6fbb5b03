//! Data for the pictures of a model.

use crate::error::{raised, refused};
use crate::model::Model;
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use truecount::distribution::Distribution;
use truecount::quantifier::{ContinuousSweep, Threshold};
use truecount::sweep::{PDelta, Separation, optimal_region};
use truecount::{Error, ErrorKind};

type FloatArray<'py> = Bound<'py, PyArray1<f64>>;

/// The data of the picture of the thresholds.
type Thresholds<'py> = (FloatArray<'py>, FloatArray<'py>, f64, f64);

fn separation(model: &Model) -> PyResult<&Separation> {
    let found = model.inner().separation();
    let sentence = "the model's methods fit no distributions; fit it with o-cs, or es with rates='family'";
    found.ok_or_else(|| refused(ErrorKind::Options, "option-invalid", sentence, &[("name", "model")]))
}

/// The labelled scores as the families see them: the positives' and the negatives'.
#[pyfunction]
pub fn transformed<'py>(py: Python<'py>, model: &Model) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let model = model.inner();
    let scores = model.settings().transform.apply_to_labelled(model.labelled()).map_err(raised)?;
    Ok((scores.positive.into_pyarray(py), scores.negative.into_pyarray(py)))
}

/// f⁺ and f⁻ at transformed scores.
#[pyfunction]
pub fn densities<'py>(
    py: Python<'py>,
    model: &Model,
    scores: PyReadonlyArray1<'py, f64>,
) -> PyResult<(FloatArray<'py>, FloatArray<'py>)> {
    let (separation, scores) = (separation(model)?, scores.as_slice()?);
    let of = |class: &dyn Distribution| scores.iter().map(|x| class.ln_pdf(*x).exp()).collect::<Vec<_>>();
    Ok((of(&**separation.positive()).into_pyarray(py), of(&**separation.negative()).into_pyarray(py)))
}

/// Thresholds below max J, with n times the variance of Continuous Sweep at the prevalence for each; the optimal
/// threshold; and max J.
#[pyfunction]
pub fn thresholds<'py>(py: Python<'py>, model: &Model, alpha: f64, points: u32) -> PyResult<Thresholds<'py>> {
    let separation = separation(model)?;
    let variance = |p: f64| {
        let threshold = PDelta::new(p)?;
        Ok::<_, Error>(ContinuousSweep::new(separation, Threshold::Fixed(threshold))?.moments().variance(alpha))
    };
    let places = (1..=points).map(|k| separation.max_j() * f64::from(k) / f64::from(points + 1));
    // Close to max J or to 0 there may be no region.
    let found: Vec<(f64, f64)> = places.filter_map(|p| variance(p).ok().map(|v: f64| (p, v))).collect::<Vec<_>>();
    let optimal = optimal_region(separation, alpha).map_err(raised)?.threshold().value();
    let (p, v): (Vec<f64>, Vec<f64>) = found.into_iter().unzip();
    Ok((p.into_pyarray(py), v.into_pyarray(py), optimal, separation.max_j()))
}
