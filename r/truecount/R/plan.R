#' How many scores a precision needs
#'
#' Takes the labelled scores at hand as a pilot, and finds what is left out, as [stats::power.t.test()] does: with a goal (`se` or
#' `half_width`) alone, pairs of sizes that reach it; with a goal and one of the sizes the other one; with both sizes the precision to
#' expect of them. A plan is as good as its pilot.
#'
#' @param model A model of [tc_fit()] by methods whose variance has a formula; or its formula, `label ~ score`, where `pilot` has the
#'   labelled scores.
#' @param se Largest standard error.
#' @param half_width Largest half-width of the interval.
#' @param prevalence The prevalence to plan for; by default the worst there can be.
#' @param unlabelled Number of unlabelled scores.
#' @param labelled Number of labelled scores: in all, or of positives and of negatives, as in `c(100, 200)`.
#' @param level,target As in [tc_estimate()].
#' @param interval Which interval the half-width is of: `"wilson"` or `"wald"`.
#' @param pilot Labelled scores, if `model` is a formula.
#' @param ... For a formula, arguments of [tc_fit()]; else not used.
#' @return An object of class `tc_plan`: a row for each plan, with the method, how the labelled scores split into the classes, the numbers
#'   of scores (`Inf` where there is no limit), the standard error and half-width to be expected at their worst with the prevalences where
#'   they are that large, and whether the goal is reached; columns as those of the command `truecount plan`. `as.data.frame()` reads it, and
#'   `plot()` draws the labelled scores needed for any number of unlabelled ones.
#' @examples
#' model <- tc_fit(label ~ score, spam_train)
#' tc_plan(model, half_width = 0.03, prevalence = 0.2)
#' tc_plan(model, half_width = 0.03, unlabelled = 2000, prevalence = 0.2)
#' tc_plan(model, unlabelled = 2000, labelled = c(300, 300))
#' plot(tc_plan(model, se = 0.02))
#' @export
tc_plan <- function(model, ...) {
  UseMethod("tc_plan")
}

#' @rdname tc_plan
#' @export
tc_plan.formula <- function(model, pilot, ...) {
  asked <- fitting(pilot, list(...), tc_plan.tc_model)
  found <- do.call(tc_plan, c(list(asked$fit(model)), asked$rest))
  found$call <- typed(match.call(), "tc_plan")
  found
}

#' @rdname tc_plan
#' @export
tc_plan.tc_model <- function(model, se = NULL, half_width = NULL, prevalence = NULL, unlabelled = NULL, labelled = NULL, level = 0.95,
                             target = "sample", interval = "wilson", ...) {
  no_more(...)
  if (identical(interval, "bootstrap")) {
    refuse("option-conflict", "options", "interval: a plan has no bootstrap; leave it out", name = "interval")
  }
  asked <- c(planning(se, half_width, prevalence, unlabelled, labelled), reporting(level, target, interval, "warn"))
  found <- native(plan_sizes(unstratified(model, "plan"), asked))
  left_out <- vapply(names(found$left_out), function(of) {
    why <- found$left_out[[of]]
    reason <- worded(why$code, why$message)
    if (is.null(why$fields$method)) paste0(of, ": ", reason) else reason
  }, "")
  if (length(found$columns$method) == 0) {
    first <- found$left_out[[1]]
    stop(failure(first$code, first$subject, left_out[[1]], first$fields))
  }
  for (of in names(left_out)) {
    warned(paste("left out,", left_out[[of]]), found$left_out[[of]]$code, of = of)
  }
  place <- if (is.null(prevalence)) "at the worst prevalence (prevalence names one)" else paste("at prevalence", format(prevalence))
  goal <- if (!is.null(se)) paste("se at most", format(se)) else if (!is.null(half_width)) paste("half-width at most", format(half_width))
  heading <- paste(if (is.null(goal)) "to be expected" else paste0("goal: ", goal), place)
  splits <- if (is.null(unlabelled) && is.null(labelled)) character() else found$splits
  result(
    "tc_plan", found,
    model = model, asked = asked, goal = goal, call = typed(match.call(), "tc_plan"),
    notes = c(sprintf("%s; half-width: half of the %s %% interval", heading, format(100 * level)), splits, found$pilot)
  )
}

# What is asked: a goal, sizes, or a goal and one of the sizes.
planning <- function(se, half_width, prevalence, unlabelled, labelled) {
  if (!is.null(se) && !is.null(half_width)) {
    refuse("option-conflict", "options", "se and half_width are two goals; leave out one of them", name = "half_width")
  }
  goal <- !is.null(se) || !is.null(half_width)
  sizes <- sum(!is.null(unlabelled), !is.null(labelled))
  if (!goal && sizes < 2) {
    refuse(
      "option-invalid", "options",
      "what is to be reached? Give se or half_width, or labelled and unlabelled to see what to expect of them", name = "se"
    )
  }
  if (goal && sizes == 2) {
    refuse(
      "option-conflict", "options",
      "labelled and unlabelled leave nothing to plan: leave out one of them, or leave out se and half_width to see what to expect",
      name = "labelled"
    )
  }
  if (length(labelled) > 2) {
    refuse("option-invalid", "options", "labelled: a number is wanted, or those of positives and of negatives", name = "labelled")
  }
  list(
    se = real(se, "se"), half_width = real(half_width, "half_width"), prevalence = real(prevalence, "prevalence"),
    unlabelled = whole(unlabelled, "unlabelled", least = 1),
    labelled = if (!is.null(labelled)) vapply(labelled, whole, 0, what = "labelled", USE.NAMES = FALSE)
  )
}

#' @rdname tc_plan
#' @param x A plan with a goal.
#' @param xlab,ylab,main As in [graphics::plot()].
#' @export
plot.tc_plan <- function(x, xlab = "unlabelled scores", ylab = "labelled scores, best split", main = NULL, ...) {
  if (is.null(x$goal)) {
    refuse("option-invalid", "options", "sizes are drawn that reach a goal: give se or half_width", name = "x")
  }
  curves <- native(plan_curves(held(x$model), x$asked))
  if (length(curves) == 0) {
    refuse("option-invalid", "options", "there is nothing to draw: no number of scores reaches the goal", name = "x")
  }
  points <- x$table[x$table$split %in% c("best", "given") & is.finite(x$table$unlabelled) & is.finite(x$table$labelled), ]
  width <- range(points$unlabelled, lapply(curves, `[[`, "unlabelled"))
  height <- range(points$labelled, lapply(curves, `[[`, "labelled"))
  colours <- palette_of(length(curves))
  at <- if (is.null(x$asked$prevalence)) "any prevalence" else paste("prevalence", format(x$asked$prevalence))
  graphics::plot(width, height,
    type = "n", log = "xy", xlab = xlab, ylab = ylab, main = if (is.null(main)) sprintf("%s at %s", x$goal, at) else main, ...
  )
  for (place in seq_along(curves)) {
    graphics::lines(curves[[place]]$unlabelled, curves[[place]]$labelled, col = colours[place], lwd = 1.5)
  }
  graphics::points(points$unlabelled, points$labelled, pch = 19, col = colours[match(points$method, names(curves))])
  if (length(curves) > 1) {
    graphics::legend("topright", names(curves), col = colours, lty = 1, lwd = 1.5, bty = "n", cex = 0.8)
  }
  invisible(x)
}
