#' Monitor a prevalence over time
#'
#' Estimates the prevalence of each period, smooths the estimates, and raises an alarm if the prevalence
#' has passed a bound. The alarm and the band of the running mean hold at all times together, however
#' often you look.
#'
#' @param model A model of [tc_fit()] with a single method; or its formula, `label ~ score`, if
#'   `labelled` has the labelled scores.
#' @param newdata,weights,cluster,target,misfit,check,na.action As in [tc_estimate()].
#' @param by The dates or periods, one column: `~ week`. [tc_periods()] returns periods of dates.
#' @param above,below The largest (`above`) or the smallest (`below`) acceptable prevalence; give one of
#'   them. An alarm is raised if the prevalence is above or below it.
#' @param baseline The period that the others are compared with; or the first and the last, as in
#'   `c("2026-W01", "2026-W04")`. By default the first period.
#' @param level Nominal coverage of intervals and bands. At most a share 1 - `level` of all series ever
#'   have a false alarm.
#' @param interval `"wilson"` or `"wald"`.
#' @param labelled Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; otherwise not used.
#' @return An object of class `tc_monitor`, a table with a row for each period. The columns are those of
#'   the command `truecount monitor`: the estimate; the change from the previous period and the
#'   difference from the baseline, each with standard error, interval and p-value; the `smoothed` line
#'   with its band; the `running_mean` of all periods so far with its band; and with a bound the
#'   `e_value`, whether there is an `alarm`, its `change_point`, and the `detectable_share` that would
#'   have raised an alarm by then with a probability of 80 %. `x$conclusion` is a sentence, and
#'   `x$alarm_at` the period of the alarm. `plot()` draws the estimates, the line and its band.
#' @references Durbin J, Koopman SJ (2012). *Time Series Analysis by State Space Methods*, 2nd edition.
#'   Oxford University Press.
#'
#'   Waudby-Smith I, Arbour D, Sinha R, Kennedy EH, Ramdas A (2024). Time-uniform central limit theory
#'   and asymptotic confidence sequences. *Annals of Statistics* 52, 2613-2640.
#'
#'   Waudby-Smith I, Ramdas A (2024). Estimating means of bounded random variables by betting. *Journal of
#'   the Royal Statistical Society B* 86, 1-27.
#' @seealso [tc_compare()] for all differences between periods.
#' @examples
#' weeks <- spam_weeks[spam_weeks$week >= "2026-W10", ]
#' series <- tc_monitor(label ~ score, weeks, labelled = spam_train, by = ~week, above = 0.5)
#' series
#' plot(series)
#' @export
tc_monitor <- function(model, newdata, ...) {
  UseMethod("tc_monitor")
}

#' @rdname tc_monitor
#' @export
tc_monitor.default <- function(model, newdata, ...) {
  call_with_data_first(match.call(), tc_monitor, model, newdata, ...)
}

#' @rdname tc_monitor
#' @export
tc_monitor.formula <- function(model, newdata, labelled, ...) {
  split <- split_fit_arguments(labelled, evaluate_with_columns(list(...), newdata), tc_monitor.tc_model)
  do.call(tc_monitor, c(list(split$fit(model), newdata), split$other))
}

#' @rdname tc_monitor
#' @export
tc_monitor.tc_model <- function(model, newdata, by = NULL, above = NULL, below = NULL, baseline = NULL, weights = NULL,
                                cluster = NULL, level = 0.95, target = default_target(newdata, NULL, weights),
                                interval = "wilson", misfit = "widen", check = TRUE, na.action = stats::na.fail, ...) {
  check_unused(...)
  evaluate_arguments(newdata)
  by <- by_or_grouping(by, newdata)
  if (is.null(by)) {
    abort("option-invalid", "options", "by is missing: name the column of the periods, as in by = ~week", name = "by")
  }
  if (!is.null(above) && !is.null(below)) {
    abort("option-conflict", "options", "give above or below, not both", name = "below")
  }
  if (length(model$methods) > 1) {
    abort(
      "option-conflict", "options",
      sprintf("a series has one method, and the model has %s", paste(model$methods, collapse = ", ")), name = "method"
    )
  }
  rust <- unstratified_model(model, "tc_monitor()")
  options <- request_options(mget(c("level", "target", "interval", "misfit", "check", "above", "below")))
  request <- estimate_request(model, newdata, by, weights, cluster, NULL, options, na.action)
  groups <- request$test$groups
  if (length(groups$values) != 1) {
    abort("option-invalid", "options", "by: it must be one column of dates or periods", name = "by")
  }
  is_baseline <- is.atomic(baseline) && length(baseline) <= 2
  check_option(baseline, "baseline", is_baseline, "a period, or the first and the last")
  baseline <- if (!is.null(baseline)) paste(as_text(range(baseline)), collapse = "..")
  options <- c(request$options, group_texts(groups), list(baseline = baseline))
  series <- unwrap(monitor_groups(rust, request$test$columns, options, thread_count()), locate_in("", request$test))
  alarm_at <- if (!is.null(series$alarm_at)) groups$values[[1]][match(series$alarm_at, as_text(groups$values[[1]]))]
  new_result(
    "tc_monitor", series, groups,
    conclusion = series$conclusion, alarm_at = alarm_at, alarm_threshold = series$alarm_threshold,
    drift = series$drift, unit = series$unit, smooths = series$smooths, baseline = series$baseline, level = level
  )
}
