# The sampling design of rows, from a survey.design or from arguments.

is_design <- function(data) inherits(data, c("survey.design", "svyrep.design"))

# Returns the default target: designs, strata, weights and sizes describe a population.
default_target <- function(data, ...) {
  if (is_design(data) || !is.null(c(...))) "population" else "sample"
}

# Returns the data with their weights, first-stage clusters, strata and finite population, or with their
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
  finite <- if (is.null(stratum)) finite_population(data)
  design_weights <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(design_weights)) > 1) design_weights else weights,
    cluster = if (is.null(cluster) && (anyDuplicated(clusters) || !is.null(finite$rows))) clusters else cluster,
    stratum = if (is.null(stratum) && length(unique(strata)) > 1) strata else stratum,
    finite = finite,
    # A subset of a design keeps the numbers of units that were drawn.
    drawn_units = if (is.null(stratum)) data$fpc$sampsize[, 1],
    lonely_psu = getOption("survey.lonely.psu")
  )
}

# Returns the first of the arguments that is not NULL, in the names of truecount.
lonely_psu_name <- function(...) {
  name <- c(...)[1]
  names <- c(fail = "error", remove = "certainty")
  if (isTRUE(name %in% names(names))) names[[name]] else name
}

# Returns the sizes of a design's finite population, a value for each row: the number of units of its stratum
# (`units`), their sampled share (`fraction`) and, with two stages, the number of rows of its cluster (`rows`);
# NULL without one. The rows of a cluster must be the second stage, all of them in the data.
finite_population <- function(design) {
  size <- design$fpc$popsize
  if (is.null(size)) {
    return(NULL)
  }
  finite <- list(units = size[, 1], fraction = design$fpc$sampsize[, 1] / size[, 1])
  if (ncol(design$cluster) == 1) {
    return(finite)
  }
  rows <- stats::ave(rep(1, nrow(size)), design$cluster[[1]], FUN = sum)
  if (ncol(design$cluster) > 2 || any(design$fpc$sampsize[, 2] != rows) || anyDuplicated(design$cluster[[2]])) {
    warn(
      paste(
        "the interval may be too wide: the finite population of a design of several stages is not used, except of a",
        "whole sample of clusters and of their rows"
      ),
      "fpc-unused"
    )
    return(NULL)
  }
  c(finite, list(rows = size[, 2]))
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
  by_values <- "give the data with weights to tc_estimate() and the values of augment() to svymean(~.value, design)"
  problem <- if (is.null(design$variables)) {
    paste("designs of two phases and of databases are not read: give a design of svydesign(), or", by_values)
  } else if (!is.null(design$pps) && !isFALSE(design$pps)) {
    paste("joint probabilities (pps) are not read: give a design of svydesign() without pps and fpc, or", by_values)
  } else if (!is.null(design$postStrata)) {
    paste(
      "calibrated weights (postStratify, calibrate, rake) are not read: give the design before calibration, or",
      "calibrate its replicate weights, as in postStratify(as.svrepdesign(design), ...), or", by_values
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
