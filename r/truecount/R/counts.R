#' Correct counts of positive tests
#'
#' Estimates a prevalence from the number of positives among the tested, and from a published
#' sensitivity and specificity (Rogan and Gladen 1978). The standard error and the interval account
#' for the sizes of all three samples.
#'
#' @param positives,tested The number of positive tests and the number of tests: numbers, vectors,
#'   or columns of `data`, by name or as `~ n`.
#' @param sensitivity,specificity The test's rates: exact shares such as `0.97`; counts, as
#'   `"90/100"` or `c(90, 100)`; or columns of shares or of such texts.
#' @param sensitivity_of,specificity_of The sample sizes behind rates that are shares.
#' @param data A data frame, for names and formulas.
#' @param by The group of each row, for instance `~ herd`. Each group has a single row.
#' @param total Whether to estimate all groups together as well: from the sums of their counts if they
#'   have the same rates, otherwise weighted by the number tested in each.
#' @param interval `"lang-reiczigel"` is the interval of Lang and Reiczigel (2014), which accounts
#'   for the denominators of both rates; `"wilson"` a Wilson-type interval, from the Wilson intervals
#'   of both rates; `"exact-rates"` Wilson's interval of the share of positives, which takes both
#'   rates as exact.
#' @param level Nominal coverage of the intervals.
#' @param target The target of the standard error and the interval: the prevalence in the
#'   `"population"` that the tested were drawn from, or among the tested (`"sample"`), which only
#'   the interval `"wilson"` supports.
#' @param na.action As in [tc_fit()].
#' @return An object of class `tc_counts`, a table with a row for each row of the counts. A result
#'   of one row is also an `htest`, with `estimate`, `conf.int`, `stderr`, `parameter`, `method` and
#'   `data.name`. The columns are those of the command `truecount counts`. `x$total` has the total, and
#'   [tc_compare()] compares the groups.
#' @references Lang Z, Reiczigel J (2014). Confidence limits for prevalence of disease adjusted for
#'   estimated sensitivity and specificity. *Preventive Veterinary Medicine* 113, 13-22.
#'
#'   Rogan WJ, Gladen B (1978). Estimating prevalence from the results of a screening test. *American
#'   Journal of Epidemiology* 107, 71-76.
#' @seealso [tc_compare()] for differences between the groups, and [tc_estimate()] if there are scores.
#' @examples
#' tc_counts(35, 800, sensitivity = "90/100", specificity = c(97, 100))
#'
#' herds <- data.frame(herd = c("a", "b"), ill = c(12, 30), n = c(210, 189))
#' counts <- tc_counts(~ill, ~n, 0.8, 0.97, sensitivity_of = 100, data = herds, by = ~herd)
#' counts
#' confint(counts)
#' tc_compare(counts)
#' @export
tc_counts <- function(positives, tested, sensitivity, specificity, sensitivity_of = NULL, specificity_of = NULL,
                      data = NULL, by = NULL, total = FALSE, interval = "lang-reiczigel", level = 0.95,
                      target = "population", na.action = stats::na.fail) {
  arguments <- evaluate_arguments(data)
  by <- by_or_grouping(by, data)
  data <- to_data_frame(data)
  columns <- list(
    positives = read_column(positives, data, "positives"), tested = read_column(tested, data, "tested"),
    sensitivity = as_rates(read_column(sensitivity, data, "sensitivity", is_value = TRUE)),
    specificity = as_rates(read_column(specificity, data, "specificity", is_value = TRUE)),
    sensitivity_of = read_column(sensitivity_of, data, "sensitivity_of"),
    specificity_of = read_column(specificity_of, data, "specificity_of")
  )
  columns <- columns[!vapply(columns, is.null, NA)]
  n <- if (min(lengths(columns)) == 0) 0 else max(lengths(columns))
  rate_names <- c("sensitivity", "specificity")
  for (name in names(columns)) {
    values <- columns[[name]]
    if (length(values) == 1) values <- rep(values, n)
    is_text <- is.character(values) && name %in% rate_names
    columns[[name]] <- if (is_text) check_length(values, name, n) else numeric_column(values, name, n)
  }
  omitted <- incomplete_rows(columns, na.action)
  columns <- lapply(columns, omit, omitted)
  for (name in setdiff(names(columns), rate_names)) {
    check_counts(columns[[name]], name, omitted)
  }
  if (length(columns$positives) == 0) {
    abort("no-rows", "scores", "positives: there are no rows", column = "positives")
  }
  groups <- number_single_rows(lapply(group_columns(by, data), omit, omitted), length(columns$positives))
  order <- if (is.null(groups)) seq_along(columns$positives) else order(groups$index)
  columns <- lapply(columns, `[`, order)
  options <- request_options(list(interval = interval, level = level, target = target))
  request <- c(options, list(total = check_flag(total, "total"), by = as.list(names(groups$values))))
  values <- unwrap(estimate_counts(columns, request), locate_in_counts(order, omitted))
  counts <- new_result(
    "tc_counts", values, groups, title = values$title, call = match.call(), arguments = arguments, level = level,
    counted = list(columns = columns, options = options, groups = groups)
  )
  if (nrow(counts$table) == 1 && is.null(groups)) as_htest(counts) else counts
}

# Returns rates as numbers or texts. Two numbers, the second above 1, are a numerator and a
# denominator, because a share is at most 1.
as_rates <- function(values) {
  if (is.factor(values)) {
    return(as.character(values))
  }
  is_fraction <- is.numeric(values) && length(values) == 2 && !anyNA(values) && values[2] > 1
  if (!is_fraction) {
    return(values)
  }
  paste(format(values, digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE), collapse = "/")
}

# Raises an error unless all values are whole numbers of at least 0.
check_counts <- function(values, name, omitted = NULL) {
  wrong <- which(!(values >= 0 & values <= 2^53 & values == floor(values)))
  if (length(wrong) > 0) {
    row <- original_row(wrong[1], omitted)
    value <- values[wrong[1]]
    abort(
      "value-not-whole", "scores",
      sprintf(
        "%s: row %d is %s, not a non-negative integer; correct it, or leave out its row", name, row, format(value)
      ),
      column = name, row = row, value = value
    )
  }
}

# Numbers groups, or raises an error for a group with several rows.
number_single_rows <- function(by, n) {
  groups <- if (length(by) > 0) number_groups(by, n)
  if (!is.null(groups) && groups$n < n) {
    group <- group_names(groups)[groups$index[anyDuplicated(groups$index)]]
    abort(
      "group-twice", "scores",
      sprintf("the group %s has several rows; sum them, or add a grouping column", group),
      group = group
    )
  }
  groups
}

# Returns a function that adds the caller's row and column to an error of the library.
locate_in_counts <- function(order, omitted) {
  function(error) {
    if (!is.null(error$fields$row) && error$kind != "options") {
      error$fields$row <- original_row(order[error$fields$row], omitted)
      row <- if (length(order) > 1) sprintf("row %d", error$fields$row)
      location <- c(error$fields$column, row)
      if (length(location) > 0) error$message <- sprintf("%s: %s", paste(location, collapse = ", "), error$message)
    }
    error
  }
}

# Adds the elements of an htest to a result of one row. There is no p-value, as nothing is tested.
as_htest <- function(counts) {
  row <- counts$table
  htest <- list(
    estimate = c(prevalence = row$prevalence), stderr = row$se,
    conf.int = structure(c(row$lower, row$upper), conf.level = counts$level),
    parameter = c(sensitivity = row$sensitivity, specificity = row$specificity),
    method = sprintf("Prevalence from counts (Rogan and Gladen 1978), interval: %s", counts$title),
    data.name = sprintf("%s of %s", format(row$positives), format(row$n))
  )
  structure(c(unclass(counts), htest), class = c("tc_counts", "htest", "tc_result"))
}

#' @rdname tc_counts
#' @param x A result of `tc_counts()`.
#' @param ... Not used.
#' @export
print.tc_counts <- function(x, ...) {
  NextMethod()
  if (inherits(x, "htest")) print_notes(x, row_labels(x))
  invisible(x)
}

#' @rdname estimates
#' @export
coef.tc_counts <- function(object, ...) coef.tc_estimate(object)

#' @rdname estimates
#' @export
confint.tc_counts <- function(object, parm, level = object$level, ...) {
  check_unused(...)
  interval_matrix(at_level(object, level, tc_counts), row_labels(object), parm)
}

#' @rdname estimates
#' @exportS3Method generics::tidy
tidy.tc_counts <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  x <- with_total_rows(at_level(x, conf.level, tc_counts))
  table <- x$table
  tidy_table(
    x, conf.int, term = table$term, estimate = table$prevalence, std.error = table$se, conf.low = table$lower,
    conf.high = table$upper, n = table$n, apparent = table$apparent, severity = table$severity
  )
}

#' @rdname estimates
#' @export
vcov.tc_counts <- function(object, ...) {
  names <- row_labels(object)
  covariances <- diag(object$table$se^2, length(names))
  dimnames(covariances) <- list(names, names)
  if (length(names) > 1) {
    # With a single grouping column, all pairs of groups are compared.
    numbers <- seq_along(names)
    object$counted$groups <- list(index = numbers, values = list(group = numbers), n = length(numbers))
    pairs <- tc_compare(object, reference = "all")$table
    ends <- cbind(pairs$group, pairs$reference)
    covariances[ends] <- pairs$correlation * object$table$se[ends[, 1]] * object$table$se[ends[, 2]]
    covariances[ends[, 2:1]] <- covariances[ends]
  }
  covariances
}

#' @rdname estimates
#' @export
nobs.tc_counts <- function(object, ...) sum(object$table$n)

#' @rdname estimates
#' @exportS3Method generics::glance
glance.tc_counts <- function(x, ...) {
  as_tibble_if_installed(data.frame(nobs = nobs(x), groups = nrow(x$table), conf.level = x$level))
}
