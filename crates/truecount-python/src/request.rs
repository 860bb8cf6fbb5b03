//! Requests for estimates from Python's arguments.

use crate::error::raised;
use crate::estimates::TestColumns;
use crate::executor::{PyThreads, detached};
use crate::options::Options;
use crate::tally::{PyCellTallies, Tally};
use numpy::{PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use std::borrow::Cow;
use truecount::Error;
use truecount::model::{LonelyPsu, StratumPopulation, TestStrata};
use truecount_analysis::AnalysisProblem;
use truecount_analysis::design_tallies::{CellDesign, ReplicateKind, pooled_tallies};
use truecount_analysis::estimates::FittedModel;
use truecount_analysis::groups::TextNames;
use truecount_analysis::request::{EstimateRequest, Sizes};
use truecount_analysis::rows::{GroupCells, MemoryRows, TestRows};
use truecount_analysis::standard::{GroupSizes, Standard};
use truecount_analysis::totals::GroupEstimates;

/// A request from Python.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct PyRequest<'py> {
    pub options: Options<'py>,
    check: bool,
    /// The size of each group in the standard population.
    #[pyo3(default)]
    standardise: Option<PyReadonlyArray1<'py, f64>>,
    /// The size of each group's population.
    #[pyo3(default)]
    populations: Option<PyReadonlyArray1<'py, f64>>,
    #[pyo3(default)]
    design: PyDesign<'py>,
}

/// The sampling design of test sets, which are parts of groups.
#[derive(Default, FromPyObject)]
#[pyo3(from_item_all)]
struct PyDesign<'py> {
    /// The group of each set, and the number of groups; `None` if each set is a group.
    groups: Option<(Vec<u32>, usize)>,
    #[pyo3(default)]
    clusters: Option<Vec<u32>>,
    #[pyo3(default)]
    strata: Option<Vec<u32>>,
    #[pyo3(default)]
    stratum_sizes: Option<Vec<f64>>,
    /// Whether the sizes of strata are their numbers of clusters, and the rows of each set's cluster.
    #[pyo3(default)]
    counts_clusters: bool,
    #[pyo3(default)]
    cluster_rows: Option<Vec<f64>>,
    #[pyo3(default)]
    lonely_psu: Option<String>,
    /// Columns of replicate weights in the order of the sets, and their kind.
    #[pyo3(default)]
    replicates: Option<(Vec<PyReadonlyArray1<'py, f64>>, String)>,
    /// The scores of the rows by each classifier, and the share of each classifier.
    #[pyo3(default)]
    pooled: Option<(Vec<PyReadonlyArray1<'py, f64>>, Vec<f64>)>,
}

impl PyDesign<'_> {
    /// Returns the treatment of strata with a single row or cluster.
    fn lonely_psu(&self) -> PyResult<Option<LonelyPsu>> {
        self.lonely_psu.as_deref().map(str::parse).transpose().map_err(raised)
    }
}

/// The rows of a request.
#[derive(FromPyObject)]
pub enum PySource<'py> {
    Columns(TestColumns<'py>),
    Tally(Bound<'py, Tally>),
}

impl PyRequest<'_> {
    pub fn parse(&self, weighted: bool) -> PyResult<EstimateRequest> {
        let column = |name: &str, is_present: bool| is_present.then(|| name.to_owned());
        let sizes = |name: &str, is_present: bool| column(name, is_present).map(Sizes::Column);
        let PyDesign { clusters, strata, stratum_sizes, replicates, counts_clusters, cluster_rows, .. } = &self.design;
        let has_sizes = self.populations.is_some()
            || if *counts_clusters { cluster_rows.is_some() } else { stratum_sizes.is_some() };
        let options: EstimateRequest = self.options.read()?;
        let request = EstimateRequest {
            weight: column("weights", weighted),
            standardise: sizes("standardise", self.standardise.is_some()),
            population: options.population.or_else(|| sizes("population", has_sizes)),
            cluster: column("clusters", clusters.is_some()),
            cluster_population: sizes("cluster_population", *counts_clusters),
            lonely_psu: self.design.lonely_psu()?,
            stratum: column("strata", strata.is_some()),
            replicates: column("replicate_weights", replicates.is_some()),
            replicate_type: replicates.as_ref().map(|(_, kind)| kind.clone()),
            ..options
        };
        request.check().map_err(raised)?;
        Ok(request)
    }

    /// Estimates the groups of the rows.
    pub fn estimate(&self, py: Python<'_>, model: &FittedModel, source: &PySource) -> PyResult<GroupEstimates> {
        match source {
            PySource::Columns(columns) => {
                let (request, model) = (self.parse(columns.are_weighted())?, model.select(self.check));
                let work = |threads: &PyThreads, rows: &MemoryRows<_>| Ok(request.run(threads, rows, model)?.1);
                self.with_rows(py, model, (columns, &request), work)
            }
            PySource::Tally(_) => self.with_tallies(py, model, source, |threads, request, parts, model| {
                request.run_tallied(threads, parts, model)
            }),
        }
    }

    /// Does work with the tallies of the parts of groups, by the model with or without the check.
    pub fn with_tallies<T: Send>(
        &self,
        py: Python<'_>,
        model: &FittedModel,
        source: &PySource,
        work: impl FnOnce(&PyThreads, &EstimateRequest, &PyCellTallies, &truecount::Model) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let model = model.select(self.check);
        match source {
            PySource::Columns(columns) => {
                let request = self.parse(columns.are_weighted())?;
                let work = |threads: &PyThreads, rows: &MemoryRows<_>| {
                    work(threads, &request, &rows.tally(threads, model)?, model)
                };
                self.with_rows(py, model, (columns, &request), work)
            }
            PySource::Tally(tally) => {
                let (request, tally) = (self.parse(false)?, tally.get());
                detached(py, tally.work(), |threads| work(threads, &request, &tally.parts, model))
            }
        }
    }

    /// Does work with the rows and their design.
    fn with_rows<T: Send>(
        &self,
        py: Python<'_>,
        model: &truecount::Model,
        (columns, request): (&TestColumns, &EstimateRequest),
        work: impl FnOnce(&PyThreads, &MemoryRows<TextNames>) -> Result<T, Error> + Send,
    ) -> PyResult<T> {
        let (sets, PyDesign { groups, clusters, strata, stratum_sizes, cluster_rows, replicates, pooled, .. }) =
            (columns.sets()?, &self.design);
        let number = sets.sets.len();
        #[allow(clippy::cast_possible_truncation)] // groups are numbered by u32
        let (groups, number) = groups.clone().unwrap_or_else(|| ((0..number as u32).collect(), number));
        let population = stratum_sizes.clone().map(|of_strata| {
            if self.design.counts_clusters {
                StratumPopulation::Clusters { of_strata, rows: cluster_rows.clone() }
            } else {
                StratumPopulation::Rows(of_strata)
            }
        });
        let lonely = self.design.lonely_psu()?.unwrap_or_default();
        let (strata, clusters) = (strata.clone().unwrap_or_default(), clusters.clone());
        let design = TestStrata { strata, clusters, population, lonely, units: None }.into();
        let replicates = replicates.as_ref().map(|(weights, kind)| {
            let kind: ReplicateKind = kind.parse().map_err(|problem: AnalysisProblem| raised(Error::from(problem)))?;
            let columns: Vec<&[f64]> = slices(weights)?.collect();
            let of_sets = || sets.sets.iter().flat_map(|set| set.weights.unwrap_or_default()).copied().collect();
            let column = |index: usize| {
                Ok(index.checked_sub(1).map_or_else(|| Cow::Owned(of_sets()), |index| Cow::Borrowed(columns[index])))
            };
            let formula = kind.variance(columns.len(), column).map_err(raised)?;
            Ok::<_, PyErr>((columns.into_iter().map(Cow::Borrowed).collect(), formula))
        });
        let pooled =
            pooled.as_ref().map(|(scores, shares)| Ok::<_, PyErr>((slices(scores)?.collect::<Vec<_>>(), shares)));
        let (replicates, pooled) = (replicates.transpose()?, pooled.transpose()?);
        let vec = |array: &Option<PyReadonlyArray1<f64>>| array.as_ref().map(|array| array.to_vec()).transpose();
        let population = match request.population {
            Some(Sizes::Number(size)) => Some(vec![size as f64]),
            _ => vec(&self.populations)?,
        };
        let contents = sets.sets.iter().map(|set| set.map(|column| Cow::Borrowed(*column))).collect();
        let parts = GroupCells {
            contents,
            shift_total: None,
            names: TextNames::new(Vec::new(), vec![Vec::new(); number]),
            groups,
            design,
            units: None,
            sizes: GroupSizes { standard: vec(&self.standardise)?.map(Standard::single_set), populations: population },
            model_strata: Vec::new(),
        };
        let classifiers = pooled.as_ref().map_or(1, |(scores, _)| scores.len());
        let mut rows = MemoryRows { parts, part_of_row: sets.groups, replicates };
        detached(py, sets.number_of_scores() * classifiers, |threads| {
            if let Some((scores, shares)) = pooled {
                rows.parts.design = CellDesign::Pooled(pooled_tallies(threads, model, &sets, &scores, shares)?);
            }
            work(threads, &rows)
        })
    }
}

fn slices<'a>(columns: &'a [PyReadonlyArray1<f64>]) -> PyResult<impl Iterator<Item = &'a [f64]>> {
    Ok(columns.iter().map(|column| column.as_slice()).collect::<Result<Vec<_>, _>>()?.into_iter())
}
