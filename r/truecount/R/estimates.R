# What R's users ask of estimates: coef, confint, vcov, summary, tidy, glance.

#' Estimates as R's functions read them
#'
#' @param object,x Estimates of [tc_estimate()], [tc_counts()] or [tc_audit()].
#' @param parm Which rows, by number or name; all by default.
#' @param level Nominal coverage; that of the estimates by default. Another one is computed anew, with the intervals' own formula.
#' @param conf.level As `level`.
#' @param ... Not used.
#' @return `summary()` how the estimates of the groups spread, with what stands below them in print; `coef()` the prevalences by name;
#'   `confint()` a matrix of the ends of the intervals; `vcov()` the covariance of the estimates,
#'   which groups have in common because they have learnt from the same labelled scores, for estimates by one method; `nobs()` the number of
#'   scores; `tidy()` a row for each estimate with `estimate`, `std.error`, `conf.low`, `conf.high`; `glance()` one row about all of them.
#' @examples
#' weeks <- tc_estimate(label ~ score, spam_weeks, by = ~week, labelled = spam_train)
#' confint(weeks)[1:3, ]
#' # Is the mean of the first two weeks known as well as if they had nothing in common?
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
  intervals(at_level(object, level, tc_estimate), row_labels(object), parm)
}

# The same result with intervals of another level.
at_level <- function(object, level, made_by) {
  if (level == object$level) object else again(object, made_by, level = level)
}

# The same question again, but for what is said to be otherwise.
again <- function(object, made_by, ...) {
  given <- object$given
  given[...names()] <- list(...)
  do.call(made_by, given)
}

# A call as it was typed, of the function and not of its method.
typed <- function(call, name) {
  call[[1]] <- as.name(name)
  call
}

intervals <- function(object, labels, parm) {
  ends <- cbind(object$table$lower, object$table$upper)
  outside <- (1 - object$level) / 2
  dimnames(ends) <- list(labels, paste(format(100 * c(outside, 1 - outside), trim = TRUE, digits = 3), "%"))
  if (missing(parm)) ends else ends[parm, , drop = FALSE]
}

#' @rdname estimates
#' @export
summary.tc_estimate <- function(object, ...) {
  structure(
    list(
      call = object$call, numbers = summary(object$table[c("n", "prevalence", "se", "cv", "deff", "misfit")]),
      total = object$total, told = object$notes, warnings = kinds_of(object$warnings, c(row_labels(object), total_labels(object)))
    ),
    class = "summary.tc_estimate"
  )
}

#' @export
print.summary.tc_estimate <- function(x, ...) {
  cat("Call: ", deparse1(x$call), "\n\n", sep = "")
  print(x$numbers)
  if (!is.null(x$total)) {
    cat("\nAll groups together:\n")
    print(x$total[c("method", "n", "prevalence", "se", "lower", "upper")], row.names = FALSE)
  }
  for (said in list(x$told, x$warnings)) {
    if (length(said) > 0) cat("", strwrap(said, exdent = 2), sep = "\n")
  }
  invisible(x)
}

#' @rdname estimates
#' @export
vcov.tc_estimate <- function(object, ...) {
  method <- unique(object$table$method)
  if (length(method) != 1) {
    refuse("option-conflict", "options", sprintf("vcov: of one method; these are %s", paste(method, collapse = ", ")))
  }
  found <- object$held
  if (is_gone(found)) {
    found <- again(object, tc_estimate)$held
  }
  names <- row_labels(object)
  asked <- reporting(object$level, "sample", "wilson", "warn")
  values <- native(estimates_covary(held(object$model), of_rust(found, "EstimateSet"), method, asked))
  matrix(values, length(names), dimnames = list(names, names))
}

#' @rdname estimates
#' @exportS3Method generics::tidy
tidy.tc_estimate <- function(x, conf.level = x$level, ...) {
  x <- at_level(x, conf.level, tc_estimate)
  table <- x$table
  tidied(
    x, term = "prevalence", method = table$method, estimate = table$prevalence, std.error = table$se, conf.low = table$lower,
    conf.high = table$upper, n = table$n, severity = table$severity
  )
}

# Groups and these columns, as broom has them.
tidied <- function(x, ...) as_tibble_if(data.frame(c(as.list(x$table[x$by]), list(...)), check.names = FALSE))

#' @rdname estimates
#' @exportS3Method generics::glance
glance.tc_estimate <- function(x, ...) {
  gravest <- if (nrow(x$warnings) == 0) NA_character_ else as.character(max(x$warnings$severity))
  as_tibble_if(data.frame(
    nobs = nobs.tc_estimate(x), groups = nrow(x$table) / length(unique(x$table$method)), labelled.positive = x$model$labelled[1],
    labelled.negative = x$model$labelled[2], conf.level = x$level, severity = gravest
  ))
}

# broom's tables are tibbles.
as_tibble_if <- function(table) {
  if (requireNamespace("tibble", quietly = TRUE)) tibble::as_tibble(table) else table
}
