#' Labels inside the target
#'
#' Some of the very rows that are counted were drawn at random and labelled by people. What they say of all rows needs no assumption about
#' the scores, which make the interval narrower as far as they predict the labels (PPI++: Angelopoulos, Duchi and Zrnic 2023). A model of
#' labels from elsewhere is put beside them; where a test does not find that its labels do not carry over, the answer combines both.
#'
#' @param model A model of [tc_fit()] of labels from elsewhere, by the method `"es"` alone; or a formula, `label ~ score`, where there are
#'   none.
#' @param newdata All rows of the target, as in [tc_estimate()].
#' @param audited A data frame of the audited rows, with their labels.
#' @param by An audit of each combination of values: `~ week`, or names of columns, which `audited` has too.
#' @param weights How many rows each audited one stands for; `~ w`. By default `audited`'s column `audit_weight`, as [tc_draw_audit()] makes
#'   it, where there is one. Only their ratios count.
#' @param label The audited rows' labels; by default what the formula has on its left side.
#' @param positive The label of a positive; by default the model's.
#' @param audit_outside_test Whether the audited rows come besides those of `newdata`; else they are among them.
#' @param level,target,misfit,na.action As in [tc_estimate()].
#' @param interval `"wilson"` or `"wald"`.
#' @return An object of class `tc_audit`: a row for each group and source of evidence, of which `recommended` says which to publish, and `x$why`
#'   why. [coef()] and [confint()] are of the answers, `tidy()` and `plot()` of all. Its columns are those of the command `truecount audit`.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' found <- tc_audit(model, spam_pool, spam_audited)
#' found
#' plot(found)
#' # Without labels from elsewhere
#' tc_audit(label ~ score, spam_pool, spam_audited)
#' @seealso [tc_plan_audit()] and [tc_draw_audit()] for how many rows, and which.
#' @export
tc_audit <- function(model, newdata, audited, by = NULL, weights = NULL, label = NULL, positive = NULL, audit_outside_test = FALSE, level = 0.95,
                     target = "sample", interval = "wilson", misfit = "widen", na.action = stats::na.fail) {
  given <- as.list(environment())
  alone <- inherits(model, "formula")
  pointer <- if (!alone) held(model)
  of <- if (alone) list(formula = model) else model
  tested <- tested(of, newdata, by, na.action = na.action)
  if (is.null(positive)) positive <- of$positive
  rows <- labelled_rows(of, framed(audited), by, weights, label, positive, tested$groups, alone, na.action)
  located <- function(what) {
    if (identical(what$fields$of, "audited")) located_in("audited ", rows)(what) else located_in("", tested)(what)
  }
  asked <- c(without_bootstrap(level, target, interval, misfit), list(audit_outside_test = audit_outside_test))
  found <- native(audit_scores(tested$columns, rows$columns, asked, threads(), pointer), located)
  named <- if (is.null(tested$groups)) "all" else group_names(tested$groups)
  result(
    "tc_audit", found, tested$groups,
    why = stats::setNames(found$why, named), call = match.call(), given = given, level = level
  )
}

# The columns of audited rows, with the group of each.
labelled_rows <- function(model, audited, by, weights, label, positive, groups, alone, na.action) {
  if (is.null(label)) {
    if (length(model$formula) != 3) {
      refuse(
        "option-invalid", "options", "label: what the model was read from does not say it; add it, as in label = ~label", name = "label"
      )
    }
    labels <- valued(model$formula[[2]], audited, environment(model$formula), "label")
  } else {
    labels <- column(label, audited, "label")
  }
  if (is.null(weights) && "audit_weight" %in% names(audited)) {
    weights <- audited$audit_weight
  }
  n <- length(labels)
  columns <- list(
    label = labels, score = scored(model$formula, audited, n), weights = numbers(column(weights, audited, "weights"), "weights", n)
  )
  omitted <- complete(columns, na.action)
  columns <- lapply(columns, without, omitted)
  at <- if (!is.null(groups)) lapply(of_both(by, audited, n), without, omitted)
  list(
    columns = list(
      scores = columns$score, positive = audited_positives(columns$label, positive, alone), weights = columns$weights,
      groups = if (is.null(groups)) rep(1L, length(columns$score)) else known_groups(at, groups)
    ),
    omitted = omitted
  )
}

# The columns that make groups in the audited rows too.
of_both <- function(by, audited, n) {
  if (!inherits(by, "formula") && !(is.character(by) && all(by %in% names(audited)))) {
    refuse("option-invalid", "options", "by: with an audit, a formula or names of columns are wanted that both tables have", name = "by")
  }
  lapply(grouping(by, audited), lengthy, "by", n)
}

# The number of each row's group, of those that there are.
known_groups <- function(columns, groups) {
  combined <- function(with) {
    Reduce(`+`, Map(function(values, known, scale) (match(values, known) - 1) * scale, with, known, scales))
  }
  known <- lapply(groups$values, unique)
  scales <- cumprod(c(1, lengths(known)))[seq_along(known)]
  at <- match(combined(columns), combined(groups$values), incomparables = NA)
  if (anyNA(at)) {
    named <- group_names(list(values = lapply(columns, `[`, which(is.na(at))[1])))
    refuse(
      "audit-unused", "scores",
      sprintf("audited: there is a row of the group %s, which has no scores to be estimated; remove it, or add the group's scores", named),
      group = named
    )
  }
  at
}

# What is computed by a formula alone.
without_bootstrap <- function(level, target, interval, misfit = "widen") {
  if (identical(interval, "bootstrap")) {
    refuse(
      "option-conflict", "options", "interval: an audit has formulas of its own; leave out \"bootstrap\"", name = "interval"
    )
  }
  reporting(level, target, interval, misfit)
}

# The answers alone.
answers <- function(x) {
  x$table <- x$table[x$table$recommended, setdiff(names(x$table), "source")]
  x
}

#' @rdname estimates
#' @export
coef.tc_audit <- function(object, ...) coef.tc_estimate(answers(object))

#' @rdname estimates
#' @export
confint.tc_audit <- function(object, parm, level = object$level, ...) {
  found <- answers(at_level(object, level, tc_audit))
  intervals(found, row_labels(found), parm)
}

#' @rdname estimates
#' @exportS3Method generics::tidy
tidy.tc_audit <- function(x, ...) {
  table <- x$table
  tidied(
    x, term = "prevalence", source = table$source, estimate = table$prevalence, std.error = table$se, conf.low = table$lower,
    conf.high = table$upper, recommended = table$recommended
  )
}

#' @rdname plot.tc_estimate
#' @export
plot.tc_audit <- function(x, ...) {
  plot.tc_estimate(sources(x), ...)
  invisible(x)
}

#' @rdname plot.tc_estimate
#' @exportS3Method ggplot2::autoplot
autoplot.tc_audit <- function(object, ...) autoplot.tc_estimate(sources(object), ...)

# Evidence as estimates are drawn: in groups the sources beside each other; else one above the other, the answer in colour.
sources <- function(x) {
  table <- x$table
  apart <- length(x$by) > 0
  table$method <- if (apart) table$source else ""
  table$severity <- if (apart) NA_character_ else ifelse(table$recommended, NA, "unreliable")
  list(table = table, by = if (apart) x$by else "source")
}
