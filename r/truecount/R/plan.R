#' Plan the numbers of scores
#'
#' Treats the labelled scores as a pilot, and computes the argument that is missing, as
#' [stats::power.t.test()] does. With a goal (`se` or `half_width`) alone it returns pairs of sizes
#' that reach the goal; with a goal and one of the sizes the other size; with both sizes the
#' expected precision. With a `difference` it returns the unlabelled scores of each of two groups, or
#' their power; with `above` or `below` the power of the alarm of [tc_monitor()] within 1 to 64 periods.
#' A plan is as good as its pilot.
#'
#' @param model A model of [tc_fit()] by methods whose variance has a formula, or a model of several classes, for
#'   new rows with the shares of its labelled ones; or its formula, if `pilot` has the labelled rows. Not needed with
#'   published rates.
#' @param se Largest standard error.
#' @param half_width Largest half-width of the interval.
#' @param difference Difference to find between two groups, the lower one at `prevalence`. The labels are
#'   those of the pilot, unless `labelled` gives their number.
#' @param power Probability of finding the difference; by default 0.8.
#' @param separate_labels Whether each group has labels of its own.
#' @param above,below Share beyond which an alarm is raised, with `unlabelled` scores in each period.
#' @param sensitivity,specificity Published rates, as in [tc_counts()], in place of a pilot: plans the
#'   number of tests.
#' @param prevalence The prevalence to plan for; by default the worst one.
#' @param design_effect Design effect of the unlabelled scores, as in the column `deff` of
#'   [tc_estimate()].
#' @param unlabelled Number of unlabelled scores.
#' @param labelled Number of labelled scores: the total, or the numbers of positives and negatives,
#'   as in `c(100, 200)`.
#' @param assurance The probability with which the sizes suffice in spite of chance in the pilot, such as 0.8.
#'   By default they suffice if the pilot is exact.
#' @param level As in [tc_estimate()].
#' @param target As in [tc_estimate()]: by default `"sample"`, and `"population"` with published rates.
#' @param interval The interval of the half-width: `"wilson"` or `"wald"`.
#' @param pilot Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; otherwise not used.
#' @return An object of class `tc_plan`: a row for each plan, with the class, if there are several, the method, the
#'   split of the labelled scores into the classes, the numbers of scores (`Inf` for no limit), the tenth and ninetieth
#'   percentile of the planned number by resamples of the pilot (`low` and `high`), the largest expected standard error
#'   and half-width with the prevalences at which they occur, the `power`, for an alarm `periods` and `false_alarm`, and
#'   whether the goal is met. The columns are those of the command `truecount plan`. `as.data.frame()` reads it, and
#'   `plot()` draws the labelled scores that are needed for any number of unlabelled ones.
#' @seealso [tc_plan_audit()] for labels of the new rows, and [tc_evaluate()] for errors on real scores.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' tc_plan(model, half_width = 0.03, prevalence = 0.2)
#' tc_plan(model, half_width = 0.03, unlabelled = 2000, prevalence = 0.2)
#' tc_plan(model, unlabelled = 2000, labelled = c(300, 300))
#' tc_plan(model, difference = 0.03, prevalence = 0.2)
#' tc_plan(sensitivity = "90/100", specificity = 0.95, prevalence = 0.2, half_width = 0.08)
#' plot(tc_plan(model, se = 0.02))
#' @export
tc_plan <- function(model, ...) {
  UseMethod("tc_plan")
}

#' @rdname tc_plan
#' @export
tc_plan.default <- function(model, pilot, ...) {
  if (missing(model) && missing(pilot)) {
    return(tc_plan.tc_model(NULL, ...))
  }
  call_with_data_first(match.call(), tc_plan, model, pilot, ...)
}

#' @rdname tc_plan
#' @export
tc_plan.formula <- function(model, pilot, ...) {
  split <- split_fit_arguments(pilot, list(...), tc_plan.tc_model)
  plan <- do.call(tc_plan, c(list(split$fit(model)), split$other))
  plan$call <- generic_call(match.call(), "tc_plan")
  plan
}

#' @rdname tc_plan
#' @export
tc_plan.tc_model <- function(model, se = NULL, half_width = NULL, difference = NULL, power = NULL,
                             separate_labels = FALSE, above = NULL, below = NULL, sensitivity = NULL,
                             specificity = NULL, prevalence = NULL, unlabelled = NULL, labelled = NULL,
                             assurance = NULL, design_effect = 1, level = 0.95, target = NULL, interval = "wilson",
                             ...) {
  check_unused(...)
  options <- as.list(environment())
  options <- request_options(options[setdiff(names(options), "model")])
  is_of_classes <- inherits(model, "tc_class_model")
  rust <- if (!is.null(model) && !is_of_classes) unstratified_model(model, "tc_plan()")
  plan <- unwrap(plan_sizes(options, thread_count(), rust, if (is_of_classes) model$labelled))
  left_out <- vapply(names(plan$left_out), function(name) {
    error <- plan$left_out[[name]]
    if (is.null(error$fields$method)) paste0(name, ": ", error$message) else error$message
  }, "")
  if (length(plan$columns$method) == 0) {
    error <- plan$left_out[[1]]
    stop(new_error(error$code, error$kind, left_out[[1]], error$fields))
  }
  for (name in names(left_out)) {
    warn(paste("left out,", left_out[[name]]), plan$left_out[[name]]$code, of = name)
  }
  new_result(
    "tc_plan", plan,
    model = model, options = options, call = generic_call(match.call(), "tc_plan"), notes = plan$notes
  )
}

#' @rdname tc_plan
#' @export
tc_plan.tc_class_model <- tc_plan.tc_model

# Returns a published rate as text: a share, or a count with its denominator.
rate_text <- function(rate) if (!is.null(rate)) paste(format(rate, digits = 15, trim = TRUE), collapse = "/")

# Checks numbers of labelled scores: in all, or of positives and of negatives.
check_label_counts <- function(labelled) {
  if (length(labelled) > 2) {
    abort(
      "option-invalid", "options", "labelled: it must be a number, or those of positives and of negatives",
      name = "labelled"
    )
  }
  if (!is.null(labelled)) vapply(labelled, check_count, 0, name = "labelled", USE.NAMES = FALSE)
}
