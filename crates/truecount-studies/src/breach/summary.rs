//! What widening buys for each size of each breach, over the other settings.

use super::{Breach, Kind, METHODS, Setting, Widened};
use crate::Results;
use crate::study::mean;
use serde::Serialize;

/// A method's intervals over the settings with one breach of one size. Shares, and in units as they say.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// What is broken.
    pub kind: Kind,
    /// By how much.
    pub size: f64,
    /// The method.
    pub method: String,
    /// Settings with estimates.
    pub settings: usize,
    /// Share of the samples in which the check finds no mixture.
    pub rejected: f64,
    /// Mean of the scale factors.
    pub scale: f64,
    /// Root mean square of the error over the standard error.
    pub errors: f64,
    /// The same over the half-width of the widened interval, divided by the normal quantile.
    pub errors_widened: f64,
    /// Coverage of the plain intervals.
    pub coverage: f64,
    /// Its Monte Carlo standard error.
    pub coverage_error: f64,
    /// Coverage of the widened intervals.
    pub coverage_widened: f64,
    /// Its Monte Carlo standard error.
    pub coverage_widened_error: f64,
    /// Mean width of the plain intervals.
    pub width: f64,
    /// Mean width of the widened intervals over that of the plain ones.
    pub width_ratio: f64,
    /// Its Monte Carlo standard error, of the plain width as it is.
    pub width_ratio_error: f64,
}

/// Every size of every breach by every method, if settings are finished.
pub fn summarise(study: &Breach, results: &Results<Widened>) -> Vec<Summary> {
    let breaches = Kind::ALL.into_iter().flat_map(|kind| kind.sizes().iter().map(move |size| (kind, *size)));
    let each = |breach| (0..METHODS.len()).filter_map(move |arm| summary(study, results, breach, arm));
    breaches.flat_map(each).collect()
}

fn summary(study: &Breach, results: &Results<Widened>, (kind, size): (Kind, f64), arm: usize) -> Option<Summary> {
    let these = |setting: &Setting| setting.kind == kind && setting.size == size;
    let found = results.of_arm(study, arm).filter(|(setting, found)| these(setting) && found.estimates > 0);
    let found: Vec<&Widened> = found.map(|(_, found)| found).collect();
    let each = |of: fn(&Widened) -> Option<f64>| found.iter().filter_map(|found| of(found)).collect::<Vec<_>>();
    let over = |of: fn(&Widened) -> Option<f64>| mean(each(of).into_iter());
    let root = |of: fn(&Widened) -> Option<f64>| mean(each(of).into_iter().map(|root| root * root)).map(f64::sqrt);
    // That of a mean of independent ones.
    let error = |of: fn(&Widened) -> Option<f64>| root(of).map(|root| root / (found.len() as f64).sqrt());
    let sum = |of: fn(&Widened) -> u32| f64::from(found.iter().map(|found| of(found)).sum::<u32>());
    let width = over(|found| found.width)?;
    Some(Summary {
        kind,
        size,
        method: METHODS[arm].to_string(),
        settings: found.len(),
        rejected: sum(|found| found.rejected) / sum(|found| found.estimates),
        scale: over(|found| found.scale)?,
        errors: root(|found| found.errors)?,
        errors_widened: root(|found| found.errors_widened)?,
        coverage: over(|found| found.coverage)?,
        coverage_error: error(|found| found.coverage_error)?,
        coverage_widened: over(|found| found.coverage_widened)?,
        coverage_widened_error: error(|found| found.coverage_widened_error)?,
        width,
        width_ratio: over(|found| found.width_widened)? / width,
        width_ratio_error: error(|found| found.width_difference_error).unwrap_or_default() / width,
    })
}
