#' How far prevalences are apart
#'
#' Differences and ratios of groups, of two samples, of methods on the same scores, or of two classifiers on the same items, with standard
#' errors that know what both estimates have in common: the labelled scores, and the items.
#'
#' @param model A model of [tc_fit()]; or its formula, `label ~ score`, where `labelled` has the labelled scores.
#' @param newdata,weights,cluster,level,target,interval,misfit,population,total_weights,check,na.action As in [tc_estimate()]; `interval` is
#'   `"wilson"` or `"wald"`, and `total_weights` add groups up that are compared with all or the rest of them.
#' @param by Groups: `~ week`, `~ site + week`, or names of columns. The last one is compared, those before it stay the same.
#' @param reference What groups are compared with: `"previous"`, `"total"`, `"rest"`, `"all"` (each with every other), or the group with this
#'   value of the last column of `by`. By default of two groups the other one, of dates the one before, else all together.
#' @param other Another sample to compare with, group by group where `by` is given; as `newdata`.
#' @param other_model What the other scores are by: a model of [tc_fit()], or where `model` is a formula another one such as
#'   `label ~ other_score`, for another classifier's scores of the same labelled items. Without `other` they are of the same unlabelled
#'   items.
#' @param paired For another model of [tc_fit()]: whether both have learnt from the same labelled items, in the same order.
#' @param same For another model, with `other`: whether its rows are the same items as those of `newdata`, in the same order.
#' @param labelled Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; else not used.
#' @return An object of class `tc_compare`: a row for each difference, with its standard error and interval, the ratio with its interval,
#'   the p-value, the p-value with Holm's correction for the number of differences (Holm 1979), and the correlation of the two estimates; columns as those
#'   of the command `truecount compare`. `estimates`, and `other_estimates` of another sample or model, are those of [tc_estimate()].
#'   `as.data.frame()`, [coef()], [confint()], `plot()` and `tidy()` read it.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' tc_compare(model, spam_weeks, by = ~week)
#' tc_compare(model, spam_weeks, by = ~week, reference = "2026-W01")
#'
#' # Two samples, and two methods
#' early <- spam_weeks$week <= "2026-W12"
#' tc_compare(model, spam_weeks[early, ], other = spam_weeks[!early, ])
#' tc_compare(label ~ score, spam_weeks, labelled = spam_train, method = c("es", "ac"))
#' @export
tc_compare <- function(model, newdata, ...) {
  UseMethod("tc_compare")
}

#' @rdname tc_compare
#' @export
tc_compare.formula <- function(model, newdata, labelled, other_model = NULL, ...) {
  asked <- fitting(labelled, list(...), tc_compare.tc_model)
  first <- asked$fit(model)
  second <- list(other_model = other_model)
  if (inherits(other_model, "formula")) {
    second <- list(other_model = asked$fit(other_model), paired = TRUE)
    alike(first$omitted, second$other_model$omitted, "labelled: the same rows")
  }
  found <- do.call(tc_compare, c(list(first, newdata), second, asked$rest))
  found$call <- typed(match.call(), "tc_compare")
  found
}

#' @rdname tc_compare
#' @export
tc_compare.tc_model <- function(model, newdata, by = NULL, reference = NULL, other = NULL, other_model = NULL, paired = NULL, same = NULL,
                                weights = NULL, cluster = NULL, level = 0.95, target = "sample", interval = "wilson", misfit = "widen",
                                population = NULL, total_weights = NULL, check = TRUE, na.action = stats::na.fail, ...) {
  given <- as.list(environment())
  no_more(...)
  if (identical(interval, "bootstrap")) {
    refuse("option-conflict", "options", "interval: a comparison has formulas of its own; leave out \"bootstrap\"", name = "interval")
  }
  kinship <- kinship(other, other_model, paired, same)
  of_groups <- !kinship$apart && (!is.null(reference) || (!is.null(by) && length(model$methods) == 1))
  for_groups <- list(reference = reference, cluster = cluster, population = population, total_weights = total_weights, stratum = model$strata)
  needless <- names(for_groups)[lengths(for_groups) > 0]
  if (!of_groups && length(needless) > 0) {
    refuse(
      "option-conflict", "options", sprintf("%s: it is groups that are compared so; give by and reference, and no other sample", needless[1]),
      name = needless[1]
    )
  }
  if (of_groups && is.null(by)) {
    refuse("option-conflict", "options", "reference: it is groups that are compared so; name their columns with by", name = "reference")
  }
  if (!kinship$apart && !of_groups && length(model$methods) == 1) {
    refuse(
      "option-invalid", "options", "there is nothing to compare with: give by, other or other_model, or fit several methods", name = "other"
    )
  }
  side <- function(model, data) {
    asking <- asking(
      model, data, by, weights, cluster, level, target, interval, misfit, population, total_weights, check, na.action
    )
    c(asking, list(model = model, estimates = estimated(asking, model, level = level)))
  }
  first <- side(model, newdata)
  second <- if (kinship$apart) of_other(side(if (is.null(other_model)) model else other_model, if (is.null(other)) newdata else other))
  found <- if (kinship$apart) {
    samples_apart(first, second, kinship)
  } else if (of_groups) {
    groups_apart(first, reference)
  } else {
    native(compare_methods(held(model), first$tested$columns, first$asked, threads()))
  }
  result(
    "tc_compare", found, first$tested$groups,
    of = if (kinship$apart) kinship$of else if (!of_groups) "method", estimates = first$estimates, other_estimates = second$estimates,
    model = model, call = typed(match.call(), "tc_compare"), given = given, level = level
  )
}

# What the two that are compared have in common, and what they are called.
kinship <- function(other, other_model, paired, same) {
  if (is.null(other_model)) {
    if (!is.null(paired) || !is.null(same)) {
      refuse("option-conflict", "options", "paired and same are for another model: give other_model, or leave them out", name = "paired")
    }
    return(list(apart = !is.null(other), paired = TRUE, same = FALSE, of = "newdata", from = "other"))
  }
  held(other_model)
  if (!isTRUE(paired) && !isFALSE(paired)) {
    refuse(
      "option-invalid", "options",
      "paired: say whether both models have learnt from the same labelled items (paired = TRUE) or not (paired = FALSE)", name = "paired"
    )
  }
  if (!is.null(other) && !isTRUE(same) && !isFALSE(same)) {
    refuse("option-invalid", "options", "same: say whether other has the same items (same = TRUE) or not (same = FALSE)", name = "same")
  }
  if (is.null(other) && isFALSE(same)) {
    refuse("option-conflict", "options", "same: the items are said to be different; give other", name = "same")
  }
  list(apart = TRUE, paired = paired, same = is.null(other) || same, of = "model", from = "other_model")
}

# An error about what is compared with.
of_other <- function(made) {
  tryCatch(made, truecount_error = function(error) {
    error$message <- paste0("other: ", error$message)
    stop(error)
  })
}

# Of the same items the same rows must be left out.
alike <- function(omitted, others, what) {
  if (!setequal(omitted, others)) {
    row <- setdiff(union(omitted, others), intersect(omitted, others))[1]
    refuse(
      "value-missing", "scores", sprintf("%s must be left out for both scores, and row %d is NA for one: remove it", what, row), row = row
    )
  }
}

groups_apart <- function(first, reference) {
  values <- first$tested$groups$values
  last <- values[[length(values)]]
  asked <- c(
    first$asked,
    list(
      starts = levels_of(first$tested$groups), names = spelled(last), reference = if (!is.null(reference)) spelled(reference),
      column = names(values)[length(values)]
    )
  )
  found <- native(compare_groups(first$models, first$tested$columns, asked, threads()))
  if (!is.null(found$others)) {
    found$columns$reference <- last[found$others]
  }
  found
}

# Where each run of groups begins that differ in the last column only, with the end of the last one.
levels_of <- function(groups) {
  begins <- c(TRUE, logical(groups$n - 1))
  for (values in groups$values[-length(groups$values)]) {
    begins[-1] <- begins[-1] | diff(match(values, unique(values))) != 0
  }
  c(which(begins), groups$n + 1L)
}

# Values as texts, of which that of a missing one is empty.
spelled <- function(values) {
  texts <- as.character(values)
  replace(texts, is.na(texts), "")
}

samples_apart <- function(first, second, kinship) {
  if (kinship$same) {
    alike(first$tested$omitted, second$tested$omitted, "newdata: the same rows")
    numbers <- lengths(list(first$tested$columns$scores, second$tested$columns$scores))
    if (numbers[1] != numbers[2]) {
      refuse(
        "lengths-differ", "scores",
        sprintf("other: %d scores, where newdata has %d, and they are said to be of the same items", numbers[2], numbers[1]),
        column = "other"
      )
    }
  }
  pairs <- pairs_of(first$tested$groups, second$tested$groups)
  asked <- c(first$asked, kinship[c("paired", "same")], pairs, list(other = kinship$from))
  models <- c(first$models, if (kinship$of == "model") second$models)
  native(compare_samples(models, first$tested$columns, second$tested$columns, asked, threads()))
}

# The groups that both have; the others are told of.
pairs_of <- function(groups, others) {
  if (is.null(groups)) {
    return(list(own = 1L, others = 1L))
  }
  named <- function(of) lapply(seq_len(of$n), function(group) vapply(of$values, function(values) as.character(values[group]), ""))
  own <- named(groups)
  their <- named(others)
  found <- match(own, their)
  if (all(is.na(found))) {
    refuse("option-conflict", "options", "by: newdata and other have no group in common", name = "by")
  }
  left_out <- list(newdata = group_names(groups)[is.na(found)], other = group_names(others)[!their %in% own])
  for (name in names(left_out)[lengths(left_out) > 0]) {
    warned(sprintf("left out, only in %s: %s", name, listed(left_out[[name]])), "group-left-out", groups = left_out[[name]])
  }
  list(own = which(!is.na(found)), others = found[!is.na(found)])
}

# What is compared with what, in each row.
contrasts_of <- function(x) {
  table <- x$table
  group <- if (length(x$by) > 0) do.call(paste, c(lapply(table[x$by], as.character), sep = ", "))
  subject <- if (identical(x$of, "method")) table$method else if (is.null(group)) x$of else group
  contrast <- paste(subject, "-", as.character(table$reference))
  if (identical(x$of, "method")) {
    if (is.null(group)) contrast else paste(group, contrast, sep = ", ")
  } else {
    if (length(unique(table$method)) > 1) paste(contrast, table$method, sep = ", ") else contrast
  }
}

#' @rdname tc_compare
#' @param x,object Differences of [tc_compare()].
#' @export
print.tc_compare <- function(x, ...) {
  NextMethod()
  said <- kinds_of(x$estimates$warnings, row_labels(x$estimates))
  if (!is.null(x$other_estimates)) {
    others <- kinds_of(x$other_estimates$warnings, row_labels(x$other_estimates))
    said <- c(said, sprintf("%s: %s", rep("other", length(others)), others))
  }
  if (length(said) > 0) {
    cat("\n", sep = "")
    cat(strwrap(said, exdent = 2), sep = "\n")
  }
  invisible(x)
}

#' @rdname tc_compare
#' @export
coef.tc_compare <- function(object, ...) stats::setNames(object$table$difference, contrasts_of(object))

#' @rdname tc_compare
#' @param parm Which rows, by number or name; all by default.
#' @export
confint.tc_compare <- function(object, parm, level = object$level, ...) {
  intervals(at_level(object, level, tc_compare), contrasts_of(object), parm)
}

#' @rdname tc_compare
#' @exportS3Method generics::tidy
tidy.tc_compare <- function(x, ...) {
  table <- x$table
  tidied(
    x, contrast = contrasts_of(x), method = table$method, null.value = 0, estimate = table$difference, std.error = table$se,
    conf.low = table$lower, conf.high = table$upper, p.value = table$p_value, adj.p.value = table$p_value_holm
  )
}

#' @rdname tc_compare
#' @param xlab,main As in [graphics::plot()].
#' @export
plot.tc_compare <- function(x, xlab = "difference of prevalences", main = "", ...) {
  table <- x$table
  labels <- contrasts_of(x)
  down <- length(labels):1
  methods <- unique(table$method)
  colours <- palette_of(length(methods))[match(table$method, methods)]
  left <- max(graphics::strwidth(labels, units = "inches", cex = 0.8)) + 0.5
  old <- graphics::par(mai = replace(graphics::par("mai"), 2, left))
  on.exit(graphics::par(old))
  graphics::plot(table$difference, down,
    type = "n", xlim = range(0, table$lower, table$upper), ylim = c(0.5, length(labels) + 0.5), xlab = xlab, ylab = "",
    main = main, yaxt = "n", ...
  )
  graphics::axis(2, down, labels, las = 1, cex.axis = 0.8)
  graphics::abline(v = 0, lty = 2, col = "grey40")
  graphics::segments(table$lower, down, table$upper, down, col = colours, lwd = 2)
  graphics::points(table$difference, down, pch = 19, col = colours)
  invisible(x)
}
