#' How many rows to audit, and which
#'
#' `tc_plan_audit()` says how many rows of the target to label for an interval of a half-width, by each way to do it;
#' `tc_draw_audit()` draws them.
#'
#' @param model A model of [tc_fit()] of labels from elsewhere, by the method `"es"` alone.
#' @param newdata,by,na.action As in [tc_estimate()].
#' @param half_width Half of the length of the interval that is wanted.
#' @param level,target,interval As in [tc_audit()].
#' @param n How many rows of each group.
#' @param uniform Whether all rows have the same probability; else those have more of which the score says little (Neyman's allocation).
#' @param seed Where the random numbers start: by default where R's do, so [set.seed()] decides.
#' @return `tc_plan_audit()` a table, with `audited`, the rows to label, and the `se` and `half_width` to be expected. `tc_draw_audit()` the
#'   rows of `newdata` to label, with the column `audit_weight`, one over the probability of drawing each, which [tc_audit()] reads; of a
#'   vector of scores a data frame with their places, `row`, and `score`.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' tc_plan_audit(model, spam_pool["score"], half_width = 0.02)
#' set.seed(1)
#' head(tc_draw_audit(model, spam_pool["score"], 200))
#' @export
tc_plan_audit <- function(model, newdata, half_width, by = NULL, level = 0.95, target = "sample", interval = "wilson",
                          na.action = stats::na.fail) {
  pointer <- held(model)
  tested <- tested(model, newdata, by, na.action = na.action)
  asked <- c(without_bootstrap(level, target, interval), list(half_width = real(half_width, "half_width")))
  found <- native(plan_audits(pointer, tested$columns, asked, threads()), located_in("", tested))
  result("tc_audit_plan", found, tested$groups)
}

#' @rdname tc_plan_audit
#' @export
tc_draw_audit <- function(model, newdata, n, by = NULL, uniform = FALSE, seed = NULL, na.action = stats::na.fail) {
  if (!is.numeric(newdata)) {
    newdata <- framed(newdata)
    if ("audit_weight" %in% names(newdata)) {
      refuse(
        "column-taken", "scores", "newdata: there is a column audit_weight already; rename it, or leave it out", column = "audit_weight"
      )
    }
  }
  pointer <- held(model)
  tested <- tested(model, newdata, by, na.action = na.action)
  asked <- list(number = whole(n, "n", least = 1), uniform = uniform, seed = seeded(seed))
  found <- native(draw_audits(pointer, tested$columns, asked), located_in("", tested))$columns
  # The groups follow one another, each with its rows in their order.
  place <- found$row + 1
  row <- if (is.null(tested$groups)) place else order(tested$groups$at, method = "radix")[place]
  row <- without(seq_len(length(tested$columns$scores) + length(tested$omitted)), tested$omitted)[row]
  drawn <- if (is.numeric(newdata)) data.frame(row = row, score = found$score) else newdata[row, , drop = FALSE]
  drawn$audit_weight <- found$audit_weight
  drawn
}
