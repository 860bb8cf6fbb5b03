# How rows were drawn, from a survey.design or from arguments.

# The data of a design with its weights and first-stage clusters, unless these are given otherwise. Of what a design says besides, a warning
# tells that it is not used.
drawn <- function(data, weights = NULL, cluster = NULL, in_strata = FALSE, population = NULL) {
  if (inherits(data, "svyrep.design")) {
    refuse(
      "option-invalid", "options",
      "replicate weights are not read: give the data frame with weights = and cluster =, or a design of svydesign()", name = "data"
    )
  }
  if (!inherits(data, "survey.design")) {
    return(list(data = framed(data), weights = weights, cluster = cluster))
  }
  if (!in_strata && length(unique(data$strata[[1]])) > 1) {
    warned("the design has strata, which are not used: fit the model with stratum, so that each has one of its own", "strata-unused")
  }
  if (is.null(population) && !is.null(data$fpc$popsize)) {
    warned("the design has a finite population, which is not used: say with population how many there are", "fpc-unused")
  }
  clusters <- data$cluster[[1]]
  of <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(of)) > 1) of else weights,
    cluster = if (is.null(cluster) && anyDuplicated(clusters)) clusters else cluster
  )
}
