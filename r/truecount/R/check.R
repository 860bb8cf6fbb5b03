#' Check whether scores may be estimated from
#'
#' Tests whether unlabelled scores are a mixture of the two labelled classes, as they are when only the prevalence has changed, and says
#' what is known to make them none. Besides, whether folds are scored alike, how well each family fits each class, and how far estimates
#' move if scores of a class were otherwise.
#'
#' @param model A model of [tc_fit()], whose labelled scores are compared with; or `label ~ score`, where `labelled` has them.
#' @param newdata The unlabelled scores, as in [tc_estimate()]; without them only folds and families are checked.
#' @param by One check for each combination of values: `~ week`, `~ region + sex`, or names of columns.
#' @param weights Survey weights of the unlabelled rows; `~ w`. Rows of weight 0 do not count, all others count once.
#' @param contamination By how much estimates of `es` move if this share of the positives, or of the negatives, scores otherwise than the labelled
#'   ones; such as 0.02. No check can see all such changes.
#' @param families Whether each family is fitted to each class of the labelled scores. Where `newdata` is not given it is by default.
#' @param resamples,seed p-values of the families from so many samples drawn from each fit, 99 or more, instead of the law for large
#'   samples; and where their random numbers start: by default where R's do.
#' @param na.action As in [tc_fit()].
#' @param labelled Labelled scores, if `model` is a formula, in a data frame or a `survey.design`.
#' @param fold What says which fold of cross-validation each labelled row is of, where each fold is scored by a classifier of its own;
#'   `~ fold`.
#' @param positive The label of a positive, as in [tc_fit()].
#' @param transform What to do to the scores before families are fitted, as in [tc_fit()]; that of the model, if there is one.
#' @param ... Not used.
#' @return An object of class `tc_check`. `as.data.frame()` has a row for each group: `verdict` (`"plausible"`, `"doubtful"`, `"rejected"`),
#'   the p-value, the p-value with Holm's correction for the number of groups (Holm 1979), the share of scores that no mixture explains, `from` and `to`,
#'   between which there are too many, and the names of what is known to make them so. `notes` say in words what all this means; `folds`,
#'   `supposed` and `families` are what was asked for besides, the latter two tables; `curves` has for each group the Adjusted Count at
#'   every threshold, which `plot()` draws. `tidy()` reads it.
#' @examples
#' found <- tc_check(label ~ score, spam_weeks, labelled = spam_train, by = ~week)
#' found
#' plot(found)
#'
#' # How well does each family fit?
#' tc_check(label ~ score, labelled = spam_train)
#' @export
tc_check <- function(model, newdata = NULL, ...) {
  UseMethod("tc_check")
}

#' @rdname tc_check
#' @export
tc_check.formula <- function(model, newdata = NULL, labelled = NULL, by = NULL, weights = NULL, fold = NULL, contamination = NULL,
                             families = is.null(newdata) && is.null(fold), positive = NULL, transform = "none", resamples = NULL,
                             seed = NULL, na.action = stats::na.fail, ...) {
  no_more(...)
  rows <- learnt(model, labelled, positive, fold = fold, na.action = na.action)
  tested <- if (!is.null(newdata)) tested(list(formula = model), newdata, by, weights, na.action = na.action)
  asked <- c(checking(tested, contamination, families, resamples, seed), list(transform = transform))
  located <- function(what) if (is.null(what$fields$set)) located_in("labelled ", rows)(what) else located_in("", tested)(what)
  checked(native(check_rows(rows$rows, as.list(tested$columns), asked, threads()), located), tested)
}

#' @rdname tc_check
#' @export
tc_check.tc_model <- function(model, newdata = NULL, by = NULL, weights = NULL, contamination = NULL, families = is.null(newdata),
                              resamples = NULL, seed = NULL, na.action = stats::na.fail, ...) {
  if ("fold" %in% ...names()) {
    refuse("option-conflict", "options", "fold: a model does not know its rows; give the formula, and labelled", name = "fold")
  }
  no_more(...)
  pointer <- unstratified(model, "check")
  tested <- if (!is.null(newdata)) tested(list(formula = model$formula), newdata, by, weights, na.action = na.action)
  asked <- checking(tested, contamination, families, resamples, seed)
  checked(native(check_model(pointer, as.list(tested$columns), asked, threads()), located_in("", tested)), tested)
}

checking <- function(tested, contamination, families, resamples, seed) {
  if (is.null(tested) && !is.null(contamination)) {
    refuse("option-conflict", "options", "contamination: it is estimates of newdata that would move; give newdata", name = "contamination")
  }
  list(
    contamination = real(contamination, "contamination"), families = isTRUE(families), resamples = whole(resamples, "resamples", least = 99),
    seed = if (!is.null(resamples)) seeded(seed)
  )
}

checked <- function(found, tested) {
  # The first and the last scores are those below and above every threshold.
  found$columns$from[is.na(found$columns$from)] <- -Inf
  found$columns$to[is.na(found$columns$to)] <- Inf
  supposed <- found$supposed
  families <- found$families
  result(
    "tc_check", found, tested$groups,
    folds = found$folds, curves = found$curves,
    supposed = if (!is.null(supposed)) result("tc_supposed", supposed, tested$groups, notes = sub(":$", "", supposed$title)),
    families = if (!is.null(families)) result("tc_families", families, notes = c(reasons(families$columns), families$meaning))
  )
}

# Why families are left out or have no p-value, each reason once.
reasons <- function(fits) {
  left_out <- is.na(fits$statistic)
  what <- sprintf("%s, %s", ifelse(left_out, "left out", "without p"), fits$family)
  said <- sprintf("%s: %s%s", what, fits$reason, ifelse(left_out, "", "; resamples = 999 draws samples instead"))
  said[!is.na(fits$reason) & !duplicated(paste(what, is.na(fits$reason)))]
}

#' @rdname tc_check
#' @param x A check.
#' @export
print.tc_check <- function(x, ...) {
  parts <- list(x$supposed, x$families)
  if (nrow(x$table) > 0) {
    NextMethod()
  } else if (length(x$notes) > 0) {
    cat(strwrap(x$notes, exdent = 2), sep = "\n")
  }
  there <- nrow(x$table) > 0 || length(x$notes) > 0
  for (part in parts[lengths(parts) > 0]) {
    if (there) cat("\n")
    print(part)
    there <- TRUE
  }
  invisible(x)
}

#' @rdname tc_check
#' @exportS3Method generics::tidy
tidy.tc_check <- function(x, ...) {
  table <- x$table
  tidied(
    x, statistic = table$statistic, p.value = table$p_value, adj.p.value = table$p_value_holm, verdict = table$verdict, n = table$n
  )
}

#' Adjusted Count at every threshold
#'
#' Flat, but for chance, where only the prevalence has changed. The band has at each threshold the 95 % interval of its own; where it leaves
#' the prevalence of the nearest mixture, dashed, the scores are no such mixture. The p-value judges all thresholds together.
#'
#' @param x A check of [tc_check()].
#' @param row Which group; by default the one that looks least like a mixture.
#' @param xlab,ylab,main,... As in [graphics::plot()].
#' @return Its argument, invisibly.
#' @examples
#' plot(tc_check(tc_fit(label ~ score, spam_train), spam_weeks))
#' @export
plot.tc_check <- function(x, row = which.min(x$table$p_value), xlab = "threshold", ylab = "prevalence", main = NULL, ...) {
  if (nrow(x$table) == 0) {
    refuse("option-invalid", "options", "there is nothing to draw: a check of unlabelled scores is wanted (newdata)", name = "x")
  }
  if (!isTRUE(row %in% seq_len(nrow(x$table)))) {
    refuse("option-invalid", "options", sprintf("row: a number from 1 to %d is wanted", nrow(x$table)), name = "row")
  }
  curve <- x$curves[[row]]
  nearest <- x$table$prevalence[row]
  if (is.null(main)) {
    verdict <- sprintf("%s (p %s)", x$table$verdict[row], native(format_p(x$table$p_value_holm[row])))
    main <- if (length(x$by) == 0) verdict else sprintf("%s: %s", row_labels(x)[row], verdict)
  }
  half <- stats::qnorm(0.975) * curve$se
  colours <- c(palette_of(1), "#d55e00")
  # Where the rates hardly differ, the curve may leave the page.
  height <- c(max(-0.5, min(curve$prevalence - half, nearest)), min(1.5, max(curve$prevalence + half, nearest)))
  width <- if (length(curve$theta) == 0) c(0, 1) else range(curve$theta)
  graphics::plot(width, height, type = "n", xlab = xlab, ylab = ylab, main = main, las = 1, ...)
  graphics::polygon(
    c(curve$theta, rev(curve$theta)), c(curve$prevalence - half, rev(curve$prevalence + half)),
    col = grDevices::adjustcolor(colours[1], 0.2), border = NA
  )
  graphics::lines(curve$theta, curve$prevalence, col = colours[1], lwd = 1.5)
  graphics::abline(h = nearest, col = colours[2], lty = 2, lwd = 1.5)
  graphics::legend("topright", c("Adjusted Count", "nearest mixture"), col = colours, lty = 1:2, lwd = 1.5, bty = "n", cex = 0.8)
  invisible(x)
}
