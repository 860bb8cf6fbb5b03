# How rows were drawn, from a survey.design or from arguments.

# The data of a design with its weights, first-stage clusters and strata, unless these are given otherwise.
drawn <- function(data, weights = NULL, cluster = NULL, stratum = NULL) {
  if (!inherits(data, "survey.design")) {
    return(list(data = framed(data), weights = weights, cluster = cluster, stratum = stratum))
  }
  clusters <- data$cluster[[1]]
  strata <- data$strata[[1]]
  of <- stats::weights(data)
  list(
    data = data$variables,
    weights = if (is.null(weights) && length(unique(of)) > 1) of else weights,
    cluster = if (is.null(cluster) && anyDuplicated(clusters)) clusters else cluster,
    stratum = if (is.null(stratum) && length(unique(strata)) > 1) strata else stratum
  )
}
