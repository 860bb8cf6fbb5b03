# Unlabelled scores as Rust takes them, and how estimates of them are reported.

# The columns of unlabelled rows, their groups, and which rows are left out.
tested <- function(model, newdata, by = NULL, weights = NULL, cluster = NULL, na.action = stats::na.fail, sizes = list()) {
  alone <- is.numeric(newdata) && NCOL(newdata) == 1
  if (is.null(newdata)) {
    refuse("column-invalid", "scores", "newdata: a data frame, or a vector of scores, is wanted")
  }
  drawn <- drawn(if (alone) list() else newdata, weights, cluster, !is.null(model$strata), sizes$population)
  if (!is.null(model$strata) && (!is.null(drawn$cluster) || !is.null(sizes$population))) {
    refuse(
      "option-conflict", "options",
      "a model with stratum does not go together with population, cluster, or a design with clusters: leave out one of them",
      name = "stratum"
    )
  }
  data <- drawn$data
  score <- if (alone) numbers(newdata, "score") else scored(model$formula, data)
  n <- length(score)
  columns <- list(
    score = score,
    probability = numbers(column(model$probability, data, "probability"), "probability", n),
    weights = numbers(column(drawn$weights, data, "weights"), "weights", n),
    cluster = whichever(column(drawn$cluster, data, "cluster"), "cluster", n),
    stratum = texts(column(model$strata$asked, data, "stratum"), "stratum", n)
  )
  by <- grouping(by, data)
  omitted <- complete(columns, na.action)
  columns <- lapply(columns, without, omitted)
  by <- lapply(by, without, omitted)
  groups <- if (length(by) > 0) numbered(by, length(columns$score))
  cells <- parted(groups, columns$cluster, columns$stratum)
  at <- if (is.null(cells)) groups$at else cells$at
  list(
    columns = list(
      scores = columns$score, probabilities = columns$probability, weights = columns$weights, groups = at,
      number = if (is.null(at)) 1 else max(at, 0)
    ),
    groups = groups, cells = cells, omitted = omitted, sizes = lapply(sizes, sized, data, groups, omitted)
  )
}

# Where rows were drawn in clusters, or strata have models: what each set of rows of a group and a cluster or stratum is of.
parted <- function(groups, cluster, stratum) {
  if (is.null(cluster) && is.null(stratum)) {
    return(NULL)
  }
  within <- numbered(list(part = if (is.null(stratum)) cluster else stratum), length(if (is.null(stratum)) cluster else stratum))
  group <- if (is.null(groups)) rep(1L, length(within$at)) else groups$at
  cells <- renumbered((group - 1) * within$n + within$at, max(group, 0) * within$n)
  first <- match(seq_len(cells$size), cells$at)
  list(
    at = cells$at, group = group[first], number = if (is.null(groups)) 1 else groups$n, part = within$at[first],
    strata = if (!is.null(stratum)) within$values$part
  )
}

# A size for each group: by name, or a column that is the same throughout a group; or one number where there are no groups.
sized <- function(asked, data, groups, omitted) {
  if (is.null(asked)) {
    return(NULL)
  }
  if (inherits(asked, "formula") && !is.null(groups)) {
    values <- without(numbers(column(asked, data, "size"), "size"), omitted)
    first <- values[match(seq_len(groups$n), groups$at)]
    differ <- which(values != first[groups$at])
    if (length(differ) > 0) {
      refuse(
        "sizes-differ", "options",
        sprintf(
          "size: group %s has several sizes, such as %g and %g", group_names(groups)[groups$at[differ[1]]],
          first[groups$at[differ[1]]], values[differ[1]]
        )
      )
    }
    return(first)
  }
  if (is.null(groups)) {
    return(as.double(asked))
  }
  named <- group_names(groups)
  if (is.null(names(asked)) || !is.numeric(asked)) {
    refuse("option-invalid", "options", "size: with groups, a vector named by group is wanted, or a column such as ~ size", name = "size")
  }
  absent <- setdiff(named, names(asked))
  unused <- setdiff(names(asked), named)
  if (length(absent) > 0) {
    refuse("size-missing", "options", sprintf("size: group %s has no size", absent[1]), group = absent[1])
  }
  if (length(unused) > 0) {
    refuse("size-unused", "options", sprintf("size: there is no group %s", unused[1]), group = unused[1])
  }
  as.double(asked[named])
}

reporting <- function(level, target, interval, misfit, population = NULL) {
  list(level = as.double(level), target = target, interval = interval, misfit = misfit, population = population)
}

# How many threads may work: as many as there are cores, or as is said; of more than so many none helps.
threads <- function(most = 256) {
  limit <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT")))
  asked <- whole(getOption("truecount.threads"), "options(truecount.threads)", least = 1)
  cores <- if (is.null(asked)) parallel::detectCores() else asked
  as.integer(max(1, min(cores, limit, most, na.rm = TRUE)))
}

# The number of a stream of random numbers: R's own say which, unless it is given.
seeded <- function(seed) {
  if (is.null(seed)) sample.int(.Machine$integer.max, 1) else as.double(seed)
}
