# Unlabelled scores as columns for Rust, and the options of intervals.

# Returns the columns of unlabelled rows, their groups, the parts of the groups (clusters or
# strata), the sizes of the groups, and the rows that are left out.
test_columns <- function(model, newdata, by = NULL, weights = NULL, cluster = NULL, na.action = stats::na.fail,
                         sizes = list()) {
  is_vector <- is.numeric(newdata) && NCOL(newdata) == 1
  if (is.null(newdata)) {
    abort("column-invalid", "scores", "newdata: a data frame, or a vector of scores, is wanted")
  }
  has_strata <- !is.null(model$strata)
  design <- sampling_design(if (is_vector) list() else newdata, weights, cluster)
  # Without sizes there is no interval.
  if ("population" %in% names(sizes)) warn_of_unused(design, has_strata, sizes$population)
  if (has_strata && (!is.null(design$cluster) || !is.null(sizes$population))) {
    abort(
      "option-conflict", "options",
      paste(
        "a model with stratum does not go together with population, cluster, or a design with clusters: leave out",
        "one of them"
      ),
      name = "stratum"
    )
  }
  data <- design$data
  score <- if (is_vector) numeric_column(newdata, "score") else score_column(model$formula, data)
  n <- length(score)
  columns <- list(
    score = score,
    probability = numeric_column(read_column(model$probability, data, "probability"), "probability", n),
    weights = numeric_column(read_column(design$weights, data, "weights"), "weights", n),
    cluster = code_values(read_column(design$cluster, data, "cluster"), "cluster", n),
    stratum = text_column(read_column(model$strata$column, data, "stratum"), "stratum", n)
  )
  by <- group_columns(by, data)
  omitted <- incomplete_rows(columns, na.action)
  columns <- lapply(columns, omit, omitted)
  if (length(columns$score) == 0) {
    abort("no-rows", "scores", "newdata: there are no rows", column = "newdata")
  }
  by <- lapply(by, omit, omitted)
  groups <- if (length(by) > 0) number_groups(by, length(columns$score))
  parts <- split_groups(groups, columns$cluster, columns$stratum)
  set_index <- if (is.null(parts)) groups$index else parts$index
  list(
    columns = list(
      scores = columns$score, probabilities = columns$probability, weights = columns$weights, groups = set_index,
      number_of_groups = if (is.null(set_index)) 1 else max(set_index, 0)
    ),
    groups = groups, parts = parts, omitted = omitted, sizes = lapply(sizes, group_sizes, data, groups, omitted)
  )
}

# Warns about the features of a design that the intervals do not use.
warn_of_unused <- function(design, has_strata, population) {
  if (!has_strata && !is.null(design$stratum)) {
    warn(
      paste(
        "the interval may be too wide: the strata of the design are not used; the total of by = ~stratum with",
        "total_weights, the strata's sizes, uses them"
      ),
      "strata-unused"
    )
  }
  if (is.null(population) && !is.null(design$population)) {
    warn(
      "the interval may be too wide: the finite population of the design is not used; give its size as population",
      "fpc-unused"
    )
  }
}

# Splits groups into their clusters or strata. Returns the part of each row (`index`), and for each
# part its group and its cluster or stratum; NULL without clusters and strata.
split_groups <- function(groups, cluster, stratum) {
  splitter <- if (is.null(stratum)) cluster else stratum
  if (is.null(splitter)) {
    return(NULL)
  }
  within <- number_groups(list(splitter = splitter), length(splitter))
  group <- if (is.null(groups)) rep(1L, length(within$index)) else groups$index
  parts <- close_gaps((group - 1) * within$n + within$index, max(group, 0) * within$n)
  first <- match(seq_len(parts$size), parts$index)
  list(
    index = parts$index, group = group[first], number_of_groups = if (is.null(groups)) 1 else groups$n,
    within = within$index[first], strata = if (!is.null(stratum)) within$values$splitter
  )
}

# Returns the size of each group. `spec` is a vector with the groups' names, or a column that is
# constant in each group; a number without groups.
group_sizes <- function(spec, data, groups, omitted) {
  if (is.null(spec)) {
    return(NULL)
  }
  if (inherits(spec, "formula") && !is.null(groups)) {
    values <- omit(numeric_column(read_column(spec, data, "size"), "size"), omitted)
    first <- values[match(seq_len(groups$n), groups$index)]
    differ <- which(values != first[groups$index])
    if (length(differ) > 0) {
      group <- groups$index[differ[1]]
      abort(
        "sizes-differ", "options",
        sprintf(
          "size: group %s has several sizes, such as %g and %g", group_names(groups)[group], first[group],
          values[differ[1]]
        )
      )
    }
    return(first)
  }
  if (is.null(groups)) {
    return(as.double(spec))
  }
  names <- group_names(groups)
  if (is.null(names(spec)) || !is.numeric(spec)) {
    abort(
      "option-invalid", "options", "size: with groups, a vector named by group is wanted, or a column such as ~ size",
      name = "size"
    )
  }
  absent <- setdiff(names, names(spec))
  unused <- setdiff(names(spec), names)
  if (length(absent) > 0) {
    abort("size-missing", "options", sprintf("size: group %s has no size", absent[1]), group = absent[1])
  }
  if (length(unused) > 0) {
    abort("size-unused", "options", sprintf("size: there is no group %s", unused[1]), group = unused[1])
  }
  as.double(spec[names])
}

# Returns the options of intervals for Rust.
interval_args <- function(level, target, interval, misfit, population = NULL) {
  list(level = as.double(level), target = target, interval = interval, misfit = misfit, population = population)
}

# Returns the number of threads: the option truecount.threads, or the number of cores. More than
# `max_threads` do not make a call faster.
thread_count <- function(max_threads = 256) {
  limit <- suppressWarnings(as.integer(Sys.getenv("OMP_THREAD_LIMIT")))
  option <- check_count(getOption("truecount.threads"), "options(truecount.threads)", min = 1)
  threads <- if (is.null(option)) parallel::detectCores() else option
  as.integer(max(1, min(threads, limit, max_threads, na.rm = TRUE)))
}

# Returns the seed, or a random one of R's own generator.
seed_or_random <- function(seed) {
  if (is.null(seed)) sample.int(.Machine$integer.max, 1) else as.double(seed)
}
