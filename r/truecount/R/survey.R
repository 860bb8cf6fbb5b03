# The sampling design of rows, from a survey.design or from arguments.

is_design <- function(data) inherits(data, c("survey.design", "svyrep.design"))

# Returns the default target: designs, strata, weights and sizes describe a population.
default_target <- function(data, stratum = NULL, weights = NULL, population = NULL) {
  if (is_design(data) || !is.null(c(stratum, weights, population))) "population" else "sample"
}

# Returns the data with their weights, first-stage clusters, strata and sampled shares, or with their
# replicate weights. Arguments take precedence over the design. A design whose variance cannot be
# computed is an error that names what to do instead.
sampling_design <- function(data, weights = NULL, cluster = NULL, stratum = NULL) {
  if (!is_design(data)) {
    return(list(data = to_data_frame(data), weights = weights, cluster = cluster, stratum = stratum))
  }
  refuse_design(data)
  if (inherits(data, "svyrep.design")) {
    given <- list(weights = weights, cluster = cluster, stratum = stratum)
    given <- names(given)[!vapply(given, is.null, TRUE)]
    if (length(given) > 0) {
      abort(
        "option-conflict", "options", sprintf("%s does not go together with replicate weights", given[1]),
        name = given[1]
      )
    }
    return(list(
      data = data$variables, weights = stats::weights(data, type = "sampling"), replicates = replicate_weights(data)
    ))
  }
  strata <- data$strata[[1]]
  clusters <- data$cluster[[1]]
  design_weights <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(design_weights)) > 1) design_weights else weights,
    cluster = if (is.null(cluster) && anyDuplicated(clusters)) clusters else cluster,
    stratum = if (is.null(stratum) && length(unique(strata)) > 1) strata else stratum,
    fraction = if (is.null(stratum)) sampled_share(data),
    # A subset of a design keeps the numbers of units that were drawn.
    drawn_units = if (is.null(stratum)) data$fpc$sampsize[, 1]
  )
}

# Returns the sampled share of each row's stratum, or NULL without a finite population. Later stages
# add variance that the share of the first stage does not cover, so that it is not used then.
sampled_share <- function(design) {
  if (is.null(design$fpc$popsize)) {
    return(NULL)
  }
  if (ncol(design$cluster) > 1) {
    warn(
      "the interval may be too wide: the finite population of a design of several stages is not used", "fpc-unused"
    )
    return(NULL)
  }
  design$fpc$sampsize[, 1] / design$fpc$popsize[, 1]
}

# Returns the replicate weights of a svyrep.design, a column each, with the formula of the variance.
replicate_weights <- function(design) {
  weights <- stats::weights(design, type = "analysis")
  list(
    weights = weights, factors = rep_len(design$scale * design$rscales, ncol(weights)),
    about_mean = !isTRUE(design$mse), dof = survey::degf(design)
  )
}

# Raises an error for the kinds of designs that have a variance of their own.
refuse_design <- function(design) {
  problem <- if (is.null(design$variables)) {
    "designs of two phases and of databases are not read: give a design of svydesign()"
  } else if (!is.null(design$pps) && !isFALSE(design$pps)) {
    "joint probabilities (pps) are not read: give a design of svydesign() without pps and fpc, as if with replacement"
  } else if (!is.null(design$postStrata)) {
    paste(
      "calibrated weights (postStratify, calibrate, rake) are not read: give the design before calibration, or",
      "calibrate its replicate weights, as in postStratify(as.svrepdesign(design), ...)"
    )
  }
  if (!is.null(problem)) abort("design-not-supported", "options", problem, name = "data")
}

# Raises an error for a function that reads no designs.
refuse_any_design <- function(data, name, reason) {
  if (is_design(data)) {
    abort(
      "design-not-supported", "options", sprintf("%s: it must be a data frame, not a survey design: %s", name, reason),
      name = name
    )
  }
}
