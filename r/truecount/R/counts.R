#' Correct counts of positive tests
#'
#' Where there are no scores, but so many positives among so many tested, and a sensitivity and specificity that others have published: the
#' estimate of Rogan and Gladen (1978), with a standard error and an interval that account for the numbers behind all three.
#'
#' @param positives,tested How many tests are positive, and how many there are: numbers, vectors, or columns of `data`, by name or as `~ n`.
#' @param sensitivity,specificity The test's rates: shares that are taken for exact, such as `0.97`; so many of so many, as `"90/100"` or
#'   `c(90, 100)`; or columns of shares or of such texts.
#' @param sensitivity_of,specificity_of How many the rates were found from, where they are given as shares.
#' @param data A data frame, for names and formulas.
#' @param by What tells the rows apart, a group each; `~ herd`.
#' @param interval `"lang-reiczigel"` is Lang and Reiczigel's (2014), which accounts for the denominators of both rates; `"wilson"` the
#'   interval of Adjusted Count; `"exact-rates"` Wilson's of the share of positives, both rates taken for exact.
#' @param level Nominal coverage of the intervals.
#' @param target Whose prevalence the standard error and interval are for: that of the `"population"` that was tested, or of the tested
#'   themselves, the `"sample"`, which only the interval `"wilson"` is for.
#' @param na.action As in [tc_fit()].
#' @return An object of class `tc_counts`, a table with a row for each row of the counts; of one row it is an `htest` too, with `estimate`,
#'   `conf.int`, `stderr`, `parameter`, `method` and `data.name`. Its columns are those of the command `truecount counts`.
#' @examples
#' tc_counts(35, 800, sensitivity = "90/100", specificity = c(97, 100))
#'
#' herds <- data.frame(herd = c("a", "b"), ill = c(12, 30), n = c(210, 189))
#' found <- tc_counts(~ill, ~n, 0.8, 0.97, sensitivity_of = 100, data = herds, by = ~herd)
#' found
#' confint(found)
#' @export
tc_counts <- function(positives, tested, sensitivity, specificity, sensitivity_of = NULL, specificity_of = NULL, data = NULL, by = NULL,
                      interval = "lang-reiczigel", level = 0.95, target = "population", na.action = stats::na.fail) {
  given <- as.list(environment())
  data <- framed(data)
  columns <- list(
    positives = column(positives, data, "positives"), tested = column(tested, data, "tested"),
    sensitivity = rated(column(sensitivity, data, "sensitivity")), specificity = rated(column(specificity, data, "specificity")),
    sensitivity_of = column(sensitivity_of, data, "sensitivity_of"), specificity_of = column(specificity_of, data, "specificity_of")
  )
  columns <- columns[!vapply(columns, is.null, NA)]
  rows <- if (min(lengths(columns)) == 0) 0 else max(lengths(columns))
  for (what in names(columns)) {
    values <- columns[[what]]
    if (length(values) == 1) values <- rep(values, rows)
    texts <- is.character(values) && what %in% c("sensitivity", "specificity")
    columns[[what]] <- if (texts) lengthy(values, what, rows) else numbers(values, what, rows)
  }
  omitted <- complete(columns, na.action)
  columns <- lapply(columns, without, omitted)
  for (what in setdiff(names(columns), c("sensitivity", "specificity"))) {
    counts_only(columns[[what]], what, omitted)
  }
  if (length(columns$positives) == 0) {
    refuse("no-rows", "scores", "positives: there are no rows", column = "positives")
  }
  groups <- each_its_own(lapply(grouping(by, data), without, omitted), length(columns$positives))
  # Groups come in their order.
  order <- if (is.null(groups)) seq_along(columns$positives) else order(groups$at)
  found <- native(
    estimate_counts(lapply(columns, `[`, order), list(interval = interval, level = as.double(level), target = target)),
    counted_in(order, omitted)
  )
  found <- result(
    "tc_counts", found, groups, title = found$title, call = match.call(), given = given, level = level
  )
  if (nrow(found$table) == 1 && is.null(groups)) tested_so(found) else found
}

#' @rdname tc_counts
#' @export
plot.tc_counts <- function(x, ...) {
  of <- x
  of$table$method <- rep("counts", nrow(of$table))
  plot.tc_estimate(of, ...)
  invisible(x)
}

# Rates as numbers or texts: a share is never above 1, so a pair whose second number is larger is so many of so many.
rated <- function(given) {
  if (is.factor(given)) {
    return(as.character(given))
  }
  pair <- is.numeric(given) && length(given) == 2 && !anyNA(given) && given[2] > 1
  if (pair) paste(format(given, digits = 15, scientific = FALSE, trim = TRUE, drop0trailing = TRUE), collapse = "/") else given
}

# Counts are whole numbers.
counts_only <- function(values, what, omitted = NULL) {
  wrong <- which(!(values >= 0 & values <= 2^53 & values == floor(values)))
  if (length(wrong) > 0) {
    row <- before_omission(wrong[1], omitted)
    refuse(
      "value-not-whole", "scores",
      sprintf("%s: row %d is %s, not a whole number from 0; correct it, or leave out its row", what, row, format(values[wrong[1]])),
      column = what, row = row, value = values[wrong[1]]
    )
  }
}

# Groups of one row each.
each_its_own <- function(by, n) {
  groups <- if (length(by) > 0) numbered(by, n)
  if (!is.null(groups) && groups$n < n) {
    twice <- group_names(groups)[groups$at[anyDuplicated(groups$at)]]
    refuse(
      "group-twice", "scores",
      sprintf("by: the group %s has more than one row; add them up, or add a column that tells them apart", twice), group = twice
    )
  }
  groups
}

# An error of the library with the row that it is of, as the caller counts them, and its column.
counted_in <- function(order, omitted) {
  function(what) {
    if (!is.null(what$fields$row) && what$subject != "options") {
      what$fields$row <- before_omission(order[what$fields$row], omitted)
      of <- if (length(order) > 1) sprintf("row %d", what$fields$row)
      place <- c(what$fields$column, of)
      if (length(place) > 0) what$message <- sprintf("%s: %s", paste(place, collapse = ", "), what$message)
    }
    what
  }
}

# One row as R's tests of hypotheses have it, though nothing is tested.
tested_so <- function(found) {
  row <- found$table
  htest <- list(
    estimate = c(prevalence = row$prevalence), stderr = row$se,
    conf.int = structure(c(row$lower, row$upper), conf.level = found$level),
    parameter = c(sensitivity = row$sensitivity, specificity = row$specificity),
    method = sprintf("Prevalence from counts (Rogan and Gladen 1978), interval: %s", found$title),
    data.name = sprintf("%s of %s", format(row$positives), format(row$n))
  )
  structure(c(unclass(found), htest), class = c("tc_counts", "htest", "tc_result"))
}

#' @rdname tc_counts
#' @param x What `tc_counts()` has returned.
#' @param ... Of `plot()` as in [plot.tc_estimate()]; else not used.
#' @export
print.tc_counts <- function(x, ...) {
  NextMethod()
  if (inherits(x, "htest")) below(x, row_labels(x))
  invisible(x)
}

#' @rdname estimates
#' @export
coef.tc_counts <- function(object, ...) coef.tc_estimate(object)

#' @rdname estimates
#' @export
confint.tc_counts <- function(object, parm, level = object$level, ...) {
  intervals(at_level(object, level, tc_counts), row_labels(object), parm)
}

#' @rdname estimates
#' @exportS3Method generics::tidy
tidy.tc_counts <- function(x, ...) {
  table <- x$table
  tidied(
    x, term = "prevalence", estimate = table$prevalence, std.error = table$se, conf.low = table$lower, conf.high = table$upper, n = table$n,
    severity = table$severity
  )
}
