# The sampling design of rows, from a survey.design or from arguments.

# Returns the data with their weights and first-stage clusters. Arguments take precedence over the
# design. A warning names the features of the design that are not used.
sampling_design <- function(data, weights = NULL, cluster = NULL, has_strata = FALSE, population = NULL) {
  if (inherits(data, "svyrep.design")) {
    abort(
      "option-invalid", "options",
      paste(
        "replicate weights are not read: give the data frame with weights = and cluster =, or a design of",
        "svydesign()"
      ),
      name = "data"
    )
  }
  if (!inherits(data, "survey.design")) {
    return(list(data = to_data_frame(data), weights = weights, cluster = cluster))
  }
  if (!has_strata && length(unique(data$strata[[1]])) > 1) {
    warn(
      "the strata of the design are not used; fit the model with stratum, one model for each",
      "strata-unused"
    )
  }
  if (is.null(population) && !is.null(data$fpc$popsize)) {
    warn(
      "the finite population of the design is not used; give its size as population",
      "fpc-unused"
    )
  }
  clusters <- data$cluster[[1]]
  design_weights <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(design_weights)) > 1) design_weights else weights,
    cluster = if (is.null(cluster) && anyDuplicated(clusters)) clusters else cluster
  )
}
