# How rows were drawn, from a survey.design or from arguments.

# The data of a design with its weights and first-stage clusters, unless these are given otherwise, and whether it has strata.
drawn <- function(data, weights = NULL, cluster = NULL) {
  if (!inherits(data, "survey.design")) {
    return(list(data = framed(data), weights = weights, cluster = cluster, stratified = FALSE))
  }
  clusters <- data$cluster[[1]]
  of <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(of)) > 1) of else weights,
    cluster = if (is.null(cluster) && anyDuplicated(clusters)) clusters else cluster,
    stratified = length(unique(data$strata[[1]])) > 1
  )
}
