#' Check the assumption of prior probability shift
#'
#' Tests whether unlabelled scores are a mixture of the two labelled classes, as they are if only
#' the prevalence has changed. If they are not, the check names possible causes. It also tests
#' whether the folds of the labelled scores are alike and how well each family fits each class, and
#' computes how far estimates move if some scores of a class are different.
#'
#' @param model A model of [tc_fit()] with its labelled scores; or `label ~ score`, if `labelled`
#'   has them.
#' @param newdata The unlabelled scores, as in [tc_estimate()]. Without them only folds and families
#'   are checked.
#' @param by Checks each combination of values: `~ week`, `~ region + sex`, or names of columns.
#' @param weights Survey weights of the unlabelled rows; `~ w`. The check leaves out rows of weight
#'   0 and counts all others once.
#' @param contamination A share, such as 0.02. Computes how far estimates of `es` move if this share
#'   of the positives, or of the negatives, scores differently from the labelled ones. No check can
#'   detect all such changes.
#' @param families Whether to test the fit of each family to each class of the labelled scores; by
#'   default if there is no `newdata`.
#' @param resamples,seed p-values of the families from this number of samples of each fit, 99 or
#'   more, instead of the large-sample distribution; and the seed of their random numbers, by
#'   default from R's generator.
#' @param na.action As in [tc_fit()].
#' @param labelled Labelled scores, if `model` is a formula, in a data frame or a `survey.design`.
#' @param fold The fold of cross-validation of each labelled row, if each fold has a classifier of
#'   its own; `~ fold`.
#' @param positive The label of a positive, as in [tc_fit()].
#' @param transform Transform of the scores before families are fitted, as in [tc_fit()]; by default
#'   that of the model.
#' @param ... Not used.
#' @return An object of class `tc_check`. `as.data.frame()` has a row for each group: the `verdict`
#'   (`"plausible"`, `"doubtful"`, `"rejected"`); the p-value, also with Holm's correction for the
#'   number of groups (Holm 1979); the share of scores that no mixture explains; `from` and `to`,
#'   the range with too many scores; and the names of possible causes. `notes` explain the result.
#'   `folds`, `contamination` and `families` have the results of these options, the latter two as
#'   tables. `curves` has for each group the Adjusted Count at every threshold, which `plot()`
#'   draws. `tidy()` reads the rows.
#' @references Holm S (1979). A simple sequentially rejective multiple test procedure. *Scandinavian
#'   Journal of Statistics* 6, 65-70.
#' @seealso [plot.tc_result()] for the figure, and [tc_audit()] for labels of the new rows, which need no
#'   assumption.
#' @examples
#' check <- tc_check(label ~ score, spam_weeks, labelled = spam_train, by = ~week)
#' check
#' plot(check)
#'
#' # How well does each family fit?
#' tc_check(label ~ score, labelled = spam_train)
#' @export
tc_check <- function(model, newdata = NULL, ...) {
  UseMethod("tc_check")
}

#' @rdname tc_check
#' @export
tc_check.default <- function(model, newdata = NULL, ...) {
  call_with_data_first(match.call(), tc_check, model, newdata, ...)
}

#' @rdname tc_check
#' @export
tc_check.formula <- function(model, newdata = NULL, labelled = NULL, by = NULL, weights = NULL, fold = NULL,
                             contamination = NULL, families = is.null(newdata) && is.null(fold), positive = NULL,
                             transform = "none", resamples = NULL, seed = NULL, na.action = stats::na.fail, ...) {
  check_unused(...)
  evaluate_arguments(newdata)
  by <- by_or_grouping(by, newdata)
  labelled <- labelled_columns(model, labelled, positive, fold = fold, na.action = na.action)
  test <- if (!is.null(newdata)) test_columns(list(formula = model), newdata, by, weights, na.action = na.action)
  options <- check_options(test, contamination, families, resamples, seed)
  options$transform <- check_text(transform, "transform")
  locate <- function(error) {
    if (is.null(error$fields$set)) locate_in("labelled ", labelled)(error) else locate_in("", test)(error)
  }
  new_check(unwrap(check_rows(labelled$columns, as.list(test$columns), options, thread_count()), locate), test)
}

#' @rdname tc_check
#' @export
tc_check.tc_model <- function(model, newdata = NULL, by = NULL, weights = NULL, contamination = NULL,
                              families = is.null(newdata), resamples = NULL, seed = NULL,
                              na.action = stats::na.fail, ...) {
  if ("fold" %in% ...names()) {
    abort(
      "option-conflict", "options", "fold needs a formula and labelled: a model does not keep its rows",
      name = "fold"
    )
  }
  check_unused(...)
  evaluate_arguments(newdata)
  by <- by_or_grouping(by, newdata)
  rust <- unstratified_model(model, "tc_check()")
  test <- if (!is.null(newdata)) {
    test_columns(list(formula = model$formula), newdata, by, weights, na.action = na.action)
  }
  options <- check_options(test, contamination, families, resamples, seed)
  new_check(unwrap(check_model(rust, as.list(test$columns), options, thread_count()), locate_in("", test)), test)
}

check_options <- function(test, contamination, families, resamples, seed) {
  if (is.null(test) && !is.null(contamination)) {
    abort(
      "option-conflict", "options", "contamination needs newdata, whose estimates would move",
      name = "contamination"
    )
  }
  options <- list(contamination = contamination, families = families)
  resampling <- list(resamples = check_count(resamples, "resamples", min = 99), seed = seed)
  request_options(c(options, if (!is.null(resamples)) resampling))
}

new_check <- function(check, test) {
  # A range without an end extends below or above every threshold.
  check$columns$from[is.na(check$columns$from)] <- -Inf
  check$columns$to[is.na(check$columns$to)] <- Inf
  contamination <- check$contamination
  if (!is.null(contamination)) {
    title <- sub(":$", "", contamination$title)
    contamination <- new_result("tc_contamination", contamination, test$groups, notes = title)
  }
  families <- check$families
  if (!is.null(families)) families <- new_result("tc_families", families)
  new_result(
    "tc_check", check, test$groups,
    folds = check$folds, curves = check$curves, contamination = contamination, families = families
  )
}

#' @rdname tc_check
#' @param x A check.
#' @export
print.tc_check <- function(x, ...) {
  if (nrow(x$table) > 0) {
    NextMethod()
  } else if (length(x$notes) > 0) {
    print_lines(strwrap(x$notes, exdent = 2))
  }
  has_output <- nrow(x$table) > 0 || length(x$notes) > 0
  parts <- list(x$contamination, x$families)
  for (part in parts[lengths(parts) > 0]) {
    if (has_output) cat("\n")
    print(part)
    has_output <- TRUE
  }
  invisible(x)
}

#' @rdname tc_check
#' @exportS3Method generics::tidy
tidy.tc_check <- function(x, ...) {
  table <- x$table
  tidy_table(
    x, FALSE, statistic = table$statistic, p.value = table$p_value, adj.p.value = table$p_value_holm,
    verdict = table$verdict, n = table$n
  )
}
