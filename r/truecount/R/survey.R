# The sampling design of rows, from a survey.design or from arguments.

is_design <- function(data) inherits(data, c("survey.design", "svyrep.design"))

# Returns the default target: designs describe a population.
default_target <- function(data) if (is_design(data)) "population" else "sample"

# Returns the data with their weights, first-stage clusters and strata. Arguments take precedence over
# the design. A design whose variance cannot be computed is an error that names what to do instead.
sampling_design <- function(data, weights = NULL, cluster = NULL, stratum = NULL) {
  if (!is_design(data)) {
    return(list(data = to_data_frame(data), weights = weights, cluster = cluster, stratum = stratum))
  }
  refuse_design(data)
  strata <- data$strata[[1]]
  clusters <- data$cluster[[1]]
  design_weights <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(design_weights)) > 1) design_weights else weights,
    cluster = if (is.null(cluster) && anyDuplicated(clusters)) clusters else cluster,
    stratum = if (is.null(stratum) && length(unique(strata)) > 1) strata else stratum,
    population = data$fpc$popsize[, 1]
  )
}

# Raises an error for the kinds of designs that have a variance of their own.
refuse_design <- function(design) {
  problem <- if (inherits(design, "svyrep.design")) {
    "replicate weights are not read: give a design of svydesign()"
  } else if (is.null(design$variables)) {
    "designs of two phases and of databases are not read: give a design of svydesign()"
  } else if (!is.null(design$pps) && !isFALSE(design$pps)) {
    "joint probabilities (pps) are not read: give a design of svydesign() without pps and fpc, as if with replacement"
  } else if (!is.null(design$postStrata)) {
    "calibrated weights (postStratify, calibrate, rake) are not read: give the design before calibration"
  }
  if (!is.null(problem)) abort("design-not-supported", "options", problem, name = "data")
}

# Raises an error for a function that reads no designs.
refuse_any_design <- function(data, name, reason) {
  if (is_design(data)) {
    abort(
      "design-not-supported", "options", sprintf("%s: a data frame is wanted, not a survey design: %s", name, reason),
      name = name
    )
  }
}
