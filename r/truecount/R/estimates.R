# Methods of R's generic functions for estimates: coef, confint, vcov, summary, tidy, glance.

#' Read estimates with R's generic functions
#'
#' @param object,x Estimates of [tc_estimate()], [tc_counts()] or [tc_audit()].
#' @param data The rows whose estimates are wanted; by default those that were estimated.
#' @param parm The rows, by number or name; all by default.
#' @param level Nominal coverage; that of the estimates by default. For another level the intervals
#'   are computed anew by their own formula.
#' @param conf.int Whether the table has the ends of the intervals.
#' @param conf.level As `level`.
#' @param ... Not used.
#' @return `summary()` summarises the estimates of the groups, with their notes and warnings.
#'   `coef()` returns the prevalences by name, `confint()` a matrix of the ends of the intervals,
#'   `nobs()` the number of scores, and `deff()` of the package survey the design effects. `vcov()`
#'   returns the covariances of the estimates by one method, or of corrected counts; the groups' errors are
#'   correlated because the groups share the labelled scores, or the study of the rates. `augment()` adds to
#'   each row the estimate of its group, in columns that begin with a dot, and `.value`, the influence of the row:
#'   its weighted mean is the unclipped estimate. For any design, `svymean(~.value, design)` of the package survey
#'   gives the part of the standard error from these rows; `.se_labels` is the part from the labelled rows.
#'   `tidy()` returns a row for each estimate with `estimate`, `std.error`, `conf.low`, `conf.high`, and for a total one with the `term` `"total"`;
#'   `glance()` returns one row about all estimates. Where misfit widens an interval, the variances of
#'   `vcov()` and the standard errors of `tidy()` are those of the column `se_widened`, so that tests
#'   and meta-analyses by hand agree with the interval.
#' @examples
#' weeks <- tc_estimate(label ~ score, spam_weeks, by = ~week, labelled = spam_train)
#' confint(weeks)[1:3, ]
#' # The standard error of the mean of the first two weeks
#' sqrt(sum(vcov(weeks)[1:2, 1:2])) / 2
#' if (requireNamespace("generics", quietly = TRUE)) generics::tidy(weeks)
#' @name estimates
NULL

#' @rdname estimates
#' @importFrom stats coef confint vcov nobs
#' @export
coef.tc_estimate <- function(object, ...) {
  stats::setNames(object$table$prevalence, row_labels(object))
}

#' @rdname estimates
#' @export
nobs.tc_estimate <- function(object, ...) {
  if (nrow(object$table) == 0) 0 else sum(object$table$n[object$table$method == object$table$method[1]])
}

#' @rdname estimates
#' @export
confint.tc_estimate <- function(object, parm, level = object$level, ...) {
  check_unused(...)
  interval_matrix(at_level(object, level, tc_estimate), row_labels(object), parm)
}

# Returns the result with intervals of another level.
at_level <- function(object, level, compute) {
  if (level == object$level) object else recompute(object, compute, level = level)
}

# Repeats the call that computed a result, with some arguments changed.
recompute <- function(object, compute, ...) {
  arguments <- object$arguments
  arguments[...names()] <- list(...)
  do.call(compute, arguments)
}

# Returns a method's call as a call of the generic function.
generic_call <- function(call, name) {
  call[[1]] <- as.name(as.character(name))
  call
}

interval_matrix <- function(object, labels, parm) {
  ends <- cbind(object$table$lower, object$table$upper)
  tail <- (1 - object$level) / 2
  dimnames(ends) <- list(labels, paste(format(100 * c(tail, 1 - tail), trim = TRUE, digits = 3), "%"))
  if (missing(parm)) ends else ends[parm, , drop = FALSE]
}

#' @rdname estimates
#' @exportS3Method survey::deff
deff.tc_estimate <- function(object, ...) stats::setNames(object$table$deff, row_labels(object))

#' @rdname estimates
#' @export
summary.tc_estimate <- function(object, ...) {
  structure(
    list(
      call = object$call, numbers = summarise_groups(object),
      total = object$total, notes = object$notes,
      warnings = summarise_warnings(object$warnings, c(row_labels(object), total_labels(object)))
    ),
    class = "summary.tc_estimate"
  )
}

# Returns the numbers of each group, or of many groups their quantiles.
summarise_groups <- function(x, max_groups = 10) {
  table <- x$table[c("n", "prevalence", "se_widened", "lower", "upper", "positives", "cv", "deff", "misfit")]
  if (nrow(table) > max_groups) {
    return(summary(table))
  }
  rownames(table) <- make.unique(row_labels(x))
  table
}

#' @export
print.summary.tc_estimate <- function(x, ...) {
  cat("Call: ", format_value(x$call, 500), "\n\n", sep = "")
  print(x$numbers, digits = 4)
  if (!is.null(x$total)) {
    cat("\nAll groups together:\n")
    print(x$total[c("method", "n", "prevalence", "se_widened", "lower", "upper", "positives")], row.names = FALSE)
  }
  for (sentences in list(x$notes, x$warnings)) {
    if (length(sentences) > 0) print_lines(c("", strwrap(sentences, exdent = 2)))
  }
  invisible(x)
}

#' @rdname estimates
#' @export
vcov.tc_estimate <- function(object, ...) {
  method <- single_method(object, "vcov")
  pointer <- object$pointer
  if (is_null_pointer(pointer)) {
    pointer <- recompute(object, tc_estimate)$pointer
  }
  names <- row_labels(object)
  request <- interval_args(object$level, "sample", "wilson")
  values <- unwrap(
    estimate_covariances(rust_model(object$model), rust_object(pointer, "EstimateSet"), method, request)
  )
  covariances <- matrix(values, length(names), dimnames = list(names, names))
  # The misfit of one group says nothing about the others, so it adds to the variance only.
  diag(covariances) <- object$table$se_widened^2
  covariances
}

# Raises an error unless the estimates are by one method.
single_method <- function(x, caller) {
  method <- unique(x$table$method)
  if (length(method) != 1) {
    abort(
      "option-conflict", "options",
      sprintf("%s: the estimates must be by one method, not by %s", caller, paste(method, collapse = ", "))
    )
  }
  method
}

#' @rdname estimates
#' @exportS3Method generics::augment
augment.tc_estimate <- function(x, data = x$arguments$newdata, ...) {
  single_method(x, "augment")
  data <- if (is_design(data)) data$variables else if (is.numeric(data)) data.frame(score = data) else data
  data <- to_data_frame(data)
  if (is.null(data)) {
    abort("option-invalid", "options", "data is missing: a tally does not keep its rows", name = "data")
  }
  columns <- group_columns(x$arguments$by, data)
  group <- if (is.null(columns)) rep(1L, nrow(data)) else group_index(columns, x$table[x$by])
  check_length(group, "by", nrow(data))
  names <- c("prevalence", "lower", "upper", "severity")
  data[paste0(".", names)] <- x$table[group, names]
  data[c(".value", ".se_labels")] <- row_values(x, data, group)
  as_tibble_if_installed(data)
}

# Returns the influence of rows on the estimates of their groups, and the standard errors from the labelled rows;
# NULL for a method without them, for a model for each stratum and for an estimate without its pointer to Rust.
row_values <- function(x, data, group) {
  if (!is.null(x$model$strata) || is_null_pointer(x$pointer)) {
    return(NULL)
  }
  # The data may have the groups alone.
  test <- tryCatch(
    test_columns(x$model, data, na.action = x$arguments$na.action), truecount_column_unknown = function(error) NULL
  )
  if (is.null(test)) {
    return(NULL)
  }
  kept <- !seq_along(group) %in% test$omitted
  columns <- test$columns
  columns[c("groups", "number_of_groups")] <- list(group[kept], nrow(x$table))
  influence <- unwrap(
    influence_on_estimates(rust_model(x$model), rust_object(x$pointer, "EstimateSet"), x$table$method[1], columns)
  )
  if (length(influence$values) == 0) {
    return(NULL)
  }
  values <- rep(NA_real_, length(group))
  values[which(kept)[order(group[kept])]] <- influence$values
  list(values, influence$se_labels[group])
}

#' @rdname estimates
#' @exportS3Method generics::tidy
tidy.tc_estimate <- function(x, conf.int = TRUE, conf.level = x$level, ...) {
  x <- with_total_rows(at_level(x, conf.level, tc_estimate))
  table <- x$table
  tidy_table(
    x, conf.int, term = table$term, method = table$method, estimate = table$prevalence, std.error = table$se_widened,
    conf.low = table$lower, conf.high = table$upper, n = table$n, severity = table$severity
  )
}

# Appends the rows of a total to those of the groups, with missing values for the groups. The column
# `term` tells them apart.
with_total_rows <- function(x) {
  rows <- c(seq_len(nrow(x$table)), rep(NA, NROW(x$total)))
  table <- x$table[rows, ]
  table[is.na(rows), names(x$total)] <- x$total
  table$term <- ifelse(is.na(rows), "total", "prevalence")
  x$table <- table
  x
}

# Returns the groups of a result and other columns as a table like those of broom.
tidy_table <- function(x, conf.int, ...) {
  columns <- c(as.list(x$table[x$by]), list(...))
  if (!conf.int) columns <- columns[!names(columns) %in% c("conf.low", "conf.high")]
  as_tibble_if_installed(data.frame(columns, check.names = FALSE))
}

#' @rdname estimates
#' @exportS3Method generics::glance
glance.tc_estimate <- function(x, ...) {
  as_tibble_if_installed(data.frame(
    nobs = nobs.tc_estimate(x), groups = nrow(x$table) / length(unique(x$table$method)),
    labelled.positive = x$model$labelled[1], labelled.negative = x$model$labelled[2], conf.level = x$level,
    severity = glance.tc_result(x)$severity
  ))
}

as_tibble_if_installed <- function(table) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}
