# Unlabelled scores as columns for Rust, and the options of intervals.

# Returns the columns of unlabelled rows, their groups, the parts of the groups (strata, clusters or
# strata with a model each), the sizes of the groups, the replicate weights, and the rows that are
# left out. `sizes` are NULL for a function without intervals.
test_columns <- function(model, newdata, by = NULL, weights = NULL, cluster = NULL, na.action = stats::na.fail,
                         sizes = NULL, stratum = NULL) {
  is_class_model <- inherits(model, "tc_class_model")
  is_vector <- is.numeric(newdata) && NCOL(newdata) == 1 && !is_class_model
  if (is.null(newdata)) {
    abort("column-invalid", "scores", "newdata: it must be a data frame, or a vector of scores")
  }
  design <- sampling_design(if (is_vector) list() else newdata, weights, cluster, stratum)
  if (is.null(sizes)) design[c("cluster", "stratum", "finite", "drawn_units", "replicates")] <- NULL
  check_design(design, model, sizes)
  data <- design$data
  classes <- if (is_class_model) class_columns(model$formula, data, nrow(data), model$labelled$columns)
  score <- if (is_class_model) {
    numeric(nrow(data))
  } else if (is_vector) {
    numeric_column(newdata, "score")
  } else {
    score_column(model$formula, data)
  }
  n <- length(score)
  population <- if (!is.null(design$stratum) || !is.null(sizes$clusters)) sizes$population
  if (!is.null(c(sizes$population, sizes$clusters))) design$finite <- NULL
  columns <- list(
    score = score,
    probability = numeric_column(read_column(model$probability, data, "probability"), "probability", n),
    weights = numeric_column(read_column(design$weights, data, "weights"), "weights", n),
    cluster = code_values(read_column(design$cluster, data, "cluster"), "cluster", n),
    stratum = text_column(read_column(design$stratum, data, "stratum"), "stratum", n),
    model_stratum = text_column(read_column(model$strata$column, data, "model_stratum"), "model_stratum", n)
  )
  by <- group_columns(by, data)
  omitted <- incomplete_rows(c(columns, classes), na.action)
  columns <- lapply(columns, omit, omitted)
  if (length(columns$score) == 0) {
    abort("no-rows", "scores", "newdata: there are no rows", column = "newdata")
  }
  by <- lapply(by, omit, omitted)
  groups <- if (length(by) > 0) number_groups(by, length(columns$score))
  strata <- design_strata(columns, population, sizes$clusters, lapply(design$finite, omit, omitted), data, omitted)
  if (!is.null(strata)) strata$units <- omit(design$drawn_units, omitted)[match(seq_len(strata$n), strata$index)]
  parts <- split_groups(groups, columns, strata)
  set_index <- if (is.null(parts)) groups$index else parts$index
  if (!is.null(population)) sizes["population"] <- list(NULL)
  list(
    columns = list(
      scores = if (is_class_model) unlist(lapply(classes, omit, omitted), use.names = FALSE) else columns$score,
      probabilities = columns$probability, weights = columns$weights, groups = set_index,
      number_of_groups = if (is.null(set_index)) 1 else max(set_index, 0)
    ),
    groups = groups, parts = parts, omitted = omitted, sizes = test_sizes(sizes, data, groups, omitted),
    strata = strata, lonely_psu = lonely_psu_name(sizes$lonely_psu, design$lonely_psu), replicates = omit_replicates(design$replicates, omitted)
  )
}

# Returns whether test columns have strata, clusters or replicate weights.
has_design <- function(test) {
  !is.null(test$parts$stratum) || !is.null(test$parts$cluster) || !is.null(test$replicates)
}

# Raises an error for designs and options that exclude each other.
check_design <- function(design, model, sizes) {
  has_units <- !is.null(design$cluster) || !is.null(design$stratum) || !is.null(design$replicates)
  if (!is.null(model$strata) && (has_units || !is.null(sizes$population))) {
    abort(
      "option-conflict", "options",
      paste(
        "a model with model_stratum does not go together with population, cluster, stratum, or a survey design with",
        "clusters, strata or replicate weights: leave out one of them"
      ),
      name = "model_stratum"
    )
  }
  if (!is.null(design$replicates) && !is.null(sizes$population)) {
    abort(
      "option-conflict", "options", "population does not go together with replicate weights, which contain the design",
      name = "population"
    )
  }
}

# Returns the strata of the rows (`index`, `values`, `n`) with the sizes of their finite population: of rows, or of
# clusters (`counts_clusters`) and for each row of the rows of its cluster (`rows`). The sizes are arguments, or those
# of a design. NULL without strata; a finite population without strata is one stratum.
design_strata <- function(columns, population, clusters, finite, data, omitted) {
  stratum <- columns$stratum
  is_finite <- !is.null(clusters) || length(finite) > 0
  if (is.null(stratum) && is_finite) stratum <- rep("", length(columns$score))
  if (is.null(stratum)) {
    return(NULL)
  }
  strata <- number_groups(list(stratum = stratum), length(stratum))
  first <- match(seq_len(strata$n), strata$index)
  if (!is.null(clusters)) {
    is_number <- is.null(columns$stratum) && !inherits(clusters, "formula")
    strata$sizes <- group_sizes(clusters, "cluster_population", data, if (!is_number) strata, omitted)
    units <- number_groups(list(cluster = columns$cluster), length(stratum))
    if (!is.null(population)) strata$rows <- group_sizes(population, "population", data, units, omitted)[units$index]
  } else if (!is.null(population)) {
    strata$sizes <- group_sizes(population, "population", data, strata, omitted)
  } else if (is_finite && is.null(columns$cluster)) {
    strata$sizes <- tabulate(strata$index, strata$n) / finite$fraction[first]
  } else if (is_finite) {
    strata$sizes <- finite$units[first]
    strata$rows <- finite$rows
  }
  strata$counts_clusters <- !is.null(columns$cluster) && (!is.null(clusters) || (is_finite && is.null(population)))
  strata
}

# Returns the replicate weights without the omitted rows.
omit_replicates <- function(replicates, omitted) {
  if (!is.null(replicates) && length(omitted) > 0) {
    replicates$weights <- replicates$weights[-omitted, , drop = FALSE]
  }
  replicates
}

# Splits groups into their strata and clusters. Returns the part of each row (`index`), and for each part
# its group, its cluster, its stratum, or the stratum with a model of its own; NULL without any.
split_groups <- function(groups, columns, strata) {
  units <- list(stratum = strata$index, cluster = columns$cluster, model_stratum = columns$model_stratum)
  units <- units[lengths(units) > 0]
  if (length(units) == 0) {
    return(NULL)
  }
  if (!is.null(groups)) units <- c(list(group = groups$index), units)
  parts <- number_groups(units, length(columns$score))
  models <- columns$model_stratum
  models <- if (!is.null(models)) number_groups(list(models), length(models))
  first <- match(seq_len(parts$n), parts$index)
  list(
    index = parts$index, group = if (is.null(groups)) rep(1L, parts$n) else groups$index[first],
    number_of_groups = if (is.null(groups)) 1 else groups$n, stratum = strata$index[first],
    cluster = columns$cluster[first], rows = strata$rows[first], model = models$index[first],
    models = models$values[[1]]
  )
}

# Returns the sizes for the arguments population and standardise.
test_sizes <- function(sizes, data, groups, omitted) {
  arguments <- c(population = "population", total = "standardise")
  Map(group_sizes, sizes[names(arguments)], arguments, MoreArgs = list(data = data, groups = groups, omitted = omitted))
}

# Returns the size of each group. `spec` is a vector with the groups' names, or a column that is
# constant in each group; a number without groups.
group_sizes <- function(spec, name, data, groups, omitted) {
  if (is.null(spec)) {
    return(NULL)
  }
  if (inherits(spec, "formula") && !is.null(groups)) {
    values <- omit(numeric_column(read_column(spec, data, name), name), omitted)
    first <- values[match(seq_len(groups$n), groups$index)]
    differ <- which(values != first[groups$index])
    if (length(differ) > 0) {
      group <- groups$index[differ[1]]
      abort(
        "sizes-differ", "options",
        sprintf(
          "%s: group %s has several sizes, such as %g and %g", name, group_names(groups)[group], first[group],
          values[differ[1]]
        )
      )
    }
    return(first)
  }
  if (is.null(groups)) {
    return(check_count(spec, name, min = 1))
  }
  names <- group_names(groups)
  if (is.null(names(spec)) || !is.numeric(spec)) {
    abort(
      "option-invalid", "options",
      sprintf("%s: with groups, it must be a vector named by group, or a column such as ~ size", name), name = name
    )
  }
  absent <- setdiff(names, names(spec))
  unused <- setdiff(names(spec), names)
  if (length(absent) > 0) {
    abort("size-missing", "options", sprintf("%s: group %s has no size", name, absent[1]), group = absent[1])
  }
  if (length(unused) > 0) {
    abort("size-unused", "options", sprintf("%s: there is no group %s", name, unused[1]), group = unused[1])
  }
  as.double(spec[names])
}

# Returns the options of intervals for Rust.
interval_args <- function(level, target, interval, misfit = "warn") request_options(as.list(environment()))

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
  if (is.null(seed)) sample.int(.Machine$integer.max, 1) else check_count(seed, "seed")
}
