#' Plan an audit and draw its rows
#'
#' `tc_plan_audit()` returns the number of rows of the target to label for an interval of a given
#' half-width, for each way to draw them. `tc_draw_audit()` draws rows to label.
#'
#' @param model A model of [tc_fit()] of external labels, with the single method `"es"`.
#' @param newdata,by,na.action As in [tc_estimate()].
#' @param half_width Half of the wanted length of the interval.
#' @param prevalence The prevalence to plan for. By default the one in the interval of the external
#'   estimate that is closest to one half, where intervals are widest.
#' @param design_effect If clusters are drawn: the variance divided by that of rows drawn one by one.
#' @param level,target,interval As in [tc_audit()].
#' @param n The number of rows to draw in each group.
#' @param uniform Whether all rows have the same probability. Otherwise rows whose label the score
#'   predicts poorly have a larger one (Neyman's allocation).
#' @param seed Seed of the random numbers; by default R's generator chooses it, so [set.seed()]
#'   decides.
#' @return `tc_plan_audit()` returns a table with `audited`, the number of rows to label, and the
#'   expected `se` and `half_width`. `tc_draw_audit()` returns the rows of `newdata` to label, with
#'   the column `audit_weight` that [tc_audit()] reads: one over the probability of drawing the row.
#'   For a vector of scores it returns a data frame with `row`, the index of each drawn score, and
#'   `score`.
#' @seealso [tc_audit()] for the estimate, once the rows have labels.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' tc_plan_audit(model, spam_pool["score"], half_width = 0.02)
#' set.seed(1)
#' head(tc_draw_audit(model, spam_pool["score"], 200))
#' @export
tc_plan_audit <- function(model, newdata, half_width, prevalence = NULL, by = NULL, level = 0.95, target = "sample",
                          interval = "wilson", na.action = stats::na.fail, design_effect = 1) {
  pointer <- rust_model(model)
  refuse_any_design(newdata, "newdata", "an audit has no weights of the target's rows")
  evaluate_arguments(newdata)
  test <- test_columns(model, newdata, by_or_grouping(by, newdata), na.action = na.action)
  request <- c(
    audit_interval_args(level, target, interval),
    request_options(list(half_width = half_width, prevalence = prevalence, design_effect = design_effect))
  )
  plan <- unwrap(plan_audits(pointer, test$columns, request, thread_count()), locate_in("", test))
  new_result("tc_audit_plan", plan, test$groups)
}

#' @rdname tc_plan_audit
#' @export
tc_draw_audit <- function(model, newdata, n, by = NULL, uniform = FALSE, seed = NULL, na.action = stats::na.fail) {
  if (!is.numeric(newdata)) {
    newdata <- to_data_frame(newdata)
    if ("audit_weight" %in% names(newdata)) {
      abort(
        "column-taken", "scores",
        "newdata: there is a column audit_weight already; rename it, or leave it out", column = "audit_weight"
      )
    }
  }
  pointer <- rust_model(model)
  refuse_any_design(newdata, "newdata", "an audit has no weights of the target's rows")
  evaluate_arguments(newdata)
  test <- test_columns(model, newdata, by_or_grouping(by, newdata), na.action = na.action)
  request <- request_options(list(number = from_1(n, "n"), uniform = uniform, seed = seed))
  draw <- unwrap(draw_audits(pointer, test$columns, request), locate_in("", test))$columns
  # Rust numbers the rows sorted by group, from 0.
  sorted_row <- draw$row + 1
  row <- if (is.null(test$groups)) sorted_row else order(test$groups$index, method = "radix")[sorted_row]
  row <- omit(seq_len(length(test$columns$scores) + length(test$omitted)), test$omitted)[row]
  rows <- if (is.numeric(newdata)) data.frame(row = row, score = draw$score) else newdata[row, , drop = FALSE]
  rows$audit_weight <- draw$audit_weight
  rows
}
